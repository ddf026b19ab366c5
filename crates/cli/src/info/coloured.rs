//! What a coloured net is.

use super::Sheet;
use crate::output::count;
use crate::session::Session;
use crate::symmetry;
use mandala::{ClassFacts, ColouredFacts, Facts, Model, Options};
use serde_json::{Value, json};
use std::time::Duration;

/// How long the net that it stands for is looked for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Describes a coloured net, and the net that it stands for if it can be unfolded; says whether it can.
pub fn describe(sheet: &mut Sheet, facts: &ColouredFacts, model: &Model, session: &Session) -> bool {
    let kind = if facts.has_bags { "coloured net with bags" } else { "coloured net" };
    sheet.add("kind", kind, "kind", json!("coloured net"));
    if facts.has_bags {
        sheet.object.insert("bags".to_owned(), json!(true));
    }
    sheet.add("places", facts.places, "places", json!(facts.places));
    sheet.add("transitions", facts.transitions, "transitions", json!(facts.transitions));
    sheet.add("arcs", facts.arcs, "arcs", json!(facts.arcs));
    if facts.has_priorities {
        sheet.add("priorities", "some transitions go before others", "priorities", json!(true));
    }
    if let Some((place, colours)) = &facts.largest_domain {
        let value = json!({"place": place, "colours": colours});
        sheet.add("domains", format!("at most {} ({place})", in_full(*colours)), "largest_domain", value);
    }
    for (line, class) in facts.classes.iter().enumerate() {
        let name = if line == 0 { "classes" } else { "" };
        sheet.add(name, in_words(class), "classes", Value::Array(facts.classes.iter().map(object).collect()));
    }
    for (line, class) in facts.subclasses.iter().enumerate() {
        let all = facts.subclasses.iter().map(symmetry::class).collect();
        sheet.add(if line == 0 { "colours" } else { "" }, class.to_string(), "static_subclasses", Value::Array(all));
    }
    let most = session.elapsed() + PATIENCE;
    let timeout = session.options.timeout.map_or(most, |timeout| timeout.min(most));
    let options = Options { timeout: Some(timeout), ..session.options.clone() };
    let prepared = model.prepare(&options);
    match prepared.and_then(|()| model.unfold()).map(|unfolded| unfolded.facts()) {
        Ok(Facts::Net(net)) => {
            let words = format!("{}, {}", count(net.places, "place"), count(net.transitions, "transition"));
            sheet.add("unfolded", words, "unfolded", json!({"places": net.places, "transitions": net.transitions}));
            super::net::describe_orders(sheet, &net.orders);
        }
        Ok(_) => {}
        Err(error) => {
            sheet.add("unfolded", format!("not: {}", error.message()), "unfolded", Value::Null);
            return false;
        }
    }
    true
}

fn in_full(colours: u64) -> String {
    count(usize::try_from(colours).unwrap_or(usize::MAX), "colour")
}

fn in_words(class: &ClassFacts) -> String {
    let order = if class.order == "unordered" { String::new() } else { format!(", {}", class.order) };
    let parts: Vec<String> = class.subclasses.iter().map(|(name, colours)| format!("{name} {colours}")).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{} ({}{order}){parts}", class.name, in_full(u64::from(class.colours)))
}

fn object(class: &ClassFacts) -> Value {
    let part = |(name, colours): &(String, u32)| json!({"name": name, "colours": colours});
    let subclasses: Vec<Value> = class.subclasses.iter().map(part).collect();
    json!({"name": class.name, "colours": class.colours, "order": class.order, "subclasses": subclasses})
}
