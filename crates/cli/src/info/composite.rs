//! What a composite is: its types, and how many instances of each there are.

use super::Sheet;
use crate::output::count;
use mandala_diagram::{Count, Exactness};
use mandala_model::system::{System, Type};
use serde_json::{Value, json};

/// Types that are listed for people.
const MOST: usize = 50;

/// Describes a composite.
pub fn describe(sheet: &mut Sheet, system: &System) {
    let totals = instances(system);
    let used: Vec<usize> = (0..system.types.len()).filter(|&index| !totals[index].is_zero()).collect();
    sheet.add("kind", "composite", "kind", json!("composite"));
    sheet.add("types", used.len(), "types_used", json!(used.len()));
    sheet.add("levels", system.levels(), "levels", json!(system.levels()));
    let total = variables(system);
    sheet.add("variables", &total, "variables", json!(format!("{total:#}")));
    sheet.add("order", "as declared", "order", json!("declared"));
    let mut text = "types, the whole first\n".to_owned();
    let mut values = Vec::new();
    for (row, &index) in used.iter().rev().enumerate() {
        let (name, words) = type_in_words(system, index);
        if row < MOST {
            text.push_str(&format!("  {name}: {words}; occurs {}\n", times(&totals[index])));
        }
        let kind = match &system.types[index] {
            Type::Net(_) => "net",
            Type::Program(_) => "program",
            Type::Composite(_) => "composite",
        };
        values.push(json!({"name": name, "kind": kind, "instances": format!("{:#}", totals[index])}));
    }
    if used.len() > MOST {
        text.push_str(&format!("  ... and {} more types\n", used.len() - MOST));
    }
    sheet.table(&text, "types", Value::Array(values));
}

fn times(count: &Count) -> String {
    if *count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn type_in_words(system: &System, index: usize) -> (&str, String) {
    match &system.types[index] {
        Type::Net(net) => {
            let words =
                format!("net, {}, {}", count(net.places.len(), "place"), count(net.transitions.len(), "transition"));
            (&net.name, words)
        }
        Type::Program(program) => {
            let (variables, transitions) = (program.variables.len(), program.transitions.len());
            let words = format!("program, {}, {}", count(variables, "variable"), count(transitions, "transition"));
            (&program.name, words)
        }
        Type::Composite(composite) => {
            let synchronisations = count(composite.synchronisations.len(), "synchronisation");
            (&composite.name, format!("composite of {}, {synchronisations}", parts(system, index)))
        }
    }
}

/// The instances of a composite by type: `5 Philosopher, 1 Table`.
pub fn parts(system: &System, index: usize) -> String {
    let Some(Type::Composite(composite)) = system.types.get(index) else { return String::new() };
    let mut kinds: Vec<(usize, usize)> = Vec::new();
    for instance in &composite.instances {
        match kinds.iter_mut().find(|(kind, _)| *kind == instance.type_index) {
            Some((_, number)) => *number += 1,
            None => kinds.push((instance.type_index, 1)),
        }
    }
    let words = kinds.iter().map(|&(kind, number)| format!("{number} {}", type_name(system, kind)));
    words.collect::<Vec<_>>().join(", ")
}

/// The name of a type.
pub fn type_name(system: &System, index: usize) -> &str {
    match system.types.get(index) {
        Some(Type::Net(net)) => &net.name,
        Some(Type::Program(program)) => &program.name,
        Some(Type::Composite(composite)) => &composite.name,
        None => "",
    }
}

/// How often each type occurs in the whole.
pub fn instances(system: &System) -> Vec<Count> {
    let exactness = Exactness::default();
    let mut totals = vec![Count::zero(); system.types.len()];
    if let Some(main) = totals.get_mut(system.main) {
        *main = Count::one();
    }
    // A composite comes after the types of its instances.
    for index in (0..system.types.len()).rev() {
        let Type::Composite(composite) = &system.types[index] else { continue };
        let times = totals[index].clone();
        if times.is_zero() {
            continue;
        }
        for instance in &composite.instances {
            totals[instance.type_index].add_assign(&times, &exactness);
        }
    }
    totals
}

/// How many variables a state has.
pub fn variables(system: &System) -> Count {
    let exactness = Exactness::default();
    let mut sizes: Vec<Count> = Vec::with_capacity(system.types.len());
    for kind in &system.types {
        sizes.push(match kind {
            Type::Net(net) => Count::from(net.places.len() as u64),
            Type::Program(program) => Count::from(program.variables.len() as u64),
            Type::Composite(composite) => {
                let mut sum = Count::zero();
                for instance in &composite.instances {
                    sum.add_assign(&sizes[instance.type_index], &exactness);
                }
                sum
            }
        });
    }
    sizes.get(system.main).cloned().unwrap_or_else(Count::zero)
}
