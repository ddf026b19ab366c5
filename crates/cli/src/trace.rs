//! Traces and witnesses for scripts.

use mandala::{Shown, Trace, Witness};
use serde_json::{Map, Value, json};

/// A trace.
pub fn trace(trace: &Trace) -> Value {
    let initial: Map<String, Value> =
        trace.initial.iter().map(|(name, value)| (name.clone(), json!(value.number))).collect();
    let steps = trace.steps.iter().map(|step| {
        let changes = step
            .changes
            .iter()
            .map(|change| (change.variable.clone(), json!([change.before.number, change.after.number])));
        let mut object = json!({"transition": step.transition, "changes": changes.collect::<Map<String, Value>>()});
        if let Some(mishap) = &step.mishap {
            object["error"] = json!(mishap);
        }
        if let Some(instances) = &step.instances {
            object["parts"] = json!(instances);
        }
        object
    });
    json!({
        "initial": initial,
        "steps": steps.collect::<Vec<Value>>(),
        "loop": trace.repeats,
        "shortest": trace.shortest,
    })
}

/// A witness of CTL.
pub fn witness(witness: &Witness) -> Value {
    if witness.claims.is_empty() { Value::Null } else { claim(witness, 0) }
}

fn claim(witness: &Witness, number: usize) -> Value {
    let one = &witness.claims[number];
    let mut object = json!({"formula": one.formula, "holds": one.holds, "at": one.at});
    match &one.shown {
        Shown::State => object["shown"] = json!("state"),
        Shown::Parts => object["shown"] = json!("parts"),
        Shown::ByNoRun => object["shown"] = json!("no run"),
        Shown::LeftOut(reason) => {
            object["shown"] = json!("left out");
            object["reason"] = json!(reason);
        }
        Shown::Run { run, .. } => {
            object["shown"] = json!("run");
            object["run"] = trace(run);
        }
    }
    let children: Vec<Value> = one.children.iter().map(|&child| claim(witness, child)).collect();
    object["because"] = Value::Array(children);
    object
}
