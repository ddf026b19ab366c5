//! What a composite is: its types, and how many instances of each there are.

use super::Sheet;
use crate::output::count;
use mandala::{CompositeFacts, Count, Shape, TypeFacts};
use serde_json::{Value, json};

/// Types that are listed for people.
const MOST: usize = 50;

/// Describes a composite.
pub fn describe(sheet: &mut Sheet, composite: &CompositeFacts) {
    let types = &composite.types;
    sheet.add("kind", "composite", "kind", json!("composite"));
    sheet.add("types", types.len(), "types_used", json!(types.len()));
    sheet.add("levels", composite.levels, "levels", json!(composite.levels));
    let total = &composite.variables;
    sheet.add("variables", total, "variables", json!(format!("{total:#}")));
    sheet.add("order", "as declared", "order", json!("declared"));
    let mut text = "types, the whole first\n".to_owned();
    for one in types.iter().take(MOST) {
        text.push_str(&format!("  {}: {}; occurs {}\n", one.name, in_words(one), times(&one.instances)));
    }
    if types.len() > MOST {
        text.push_str(&format!("  ... and {} more types\n", types.len() - MOST));
    }
    sheet.table(&text, "types", types.iter().map(value).collect());
}

fn value(one: &TypeFacts) -> Value {
    let kind = match one.shape {
        Shape::Net | Shape::ColouredNet => "net",
        Shape::Program => "program",
        Shape::Composite => "composite",
    };
    json!({"name": one.name, "kind": kind, "instances": format!("{:#}", one.instances)})
}

fn times(count: &Count) -> String {
    if *count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn in_words(one: &TypeFacts) -> String {
    let transitions = count(one.transitions, "transition");
    match one.shape {
        Shape::Net | Shape::ColouredNet => format!("net, {}, {transitions}", count(one.variables, "place")),
        Shape::Program => format!("program, {}, {transitions}", count(one.variables, "variable")),
        Shape::Composite => {
            // As in `5 Philosopher, 1 Table`.
            let parts: Vec<String> = one.parts.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
            format!("composite of {}, {}", parts.join(", "), count(one.transitions, "synchronisation"))
        }
    }
}
