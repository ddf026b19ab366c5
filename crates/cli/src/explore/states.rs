//! States, steps and traces as the page has them: lists of numbers, and what changes in them.

use mandala::{Change, Shown, State, Step, Trace, Variables, Walk, Witness};
use serde_json::{Value, json};

/// The variables of states with the names of their values, and which of them are queues: their cells and letters.
pub fn variables(variables: &Variables) -> Value {
    let named = (0..variables.len()).filter(|&index| !variables.value_names(index).is_empty());
    let values: serde_json::Map<String, Value> =
        named.map(|index| (index.to_string(), json!(variables.value_names(index)))).collect();
    let queue = |(index, cells, letters): (usize, std::ops::Range<usize>, &[String])| {
        (index.to_string(), json!({"from": cells.start, "to": cells.end, "letters": letters}))
    };
    let queues: serde_json::Map<String, Value> = variables.queues().map(queue).collect();
    json!({"names": variables.names(), "values": values, "queues": queues})
}

/// A state that the page sends.
pub fn state(walk: &Walk, sent: &Value) -> Result<State, String> {
    let wrong = || "a state is a list of numbers".to_owned();
    let values = sent.as_array().ok_or_else(wrong)?.iter();
    let values = values.map(|value| value.as_i64().and_then(|number| i32::try_from(number).ok()).ok_or_else(wrong));
    walk.variables().state_of(values.collect::<Result<_, _>>()?).map_err(|error| error.to_string())
}

/// What a step changes.
fn changes(changes: &[Change]) -> Vec<Value> {
    changes.iter().map(|change| json!([change.index, change.before.number, change.after.number])).collect()
}

/// A step.
pub fn step(step: &Step) -> Value {
    json!({
        "transition": step.transition,
        "changes": changes(&step.changes),
        "parts": step.instances,
        "mishap": step.mishap,
    })
}

/// A trace.
pub fn trace(trace: &Trace) -> Value {
    let initial: Vec<i32> = trace.initial.iter().map(|(_, value)| value.number).collect();
    let steps: Vec<Value> = trace.steps.iter().map(step).collect();
    json!({"initial": initial, "steps": steps, "repeats": trace.repeats, "length": trace.length()})
}

/// A witness of CTL: its claims, each with the run that shows it.
pub fn witness(witness: &Witness) -> Value {
    let claims = witness.claims.iter().map(|claim| {
        let run = match &claim.shown {
            Shown::Run { run, .. } => trace(run),
            _ => Value::Null,
        };
        json!({"formula": claim.formula, "holds": claim.holds, "at": claim.at, "children": claim.children, "run": run})
    });
    claims.collect()
}
