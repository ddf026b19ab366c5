//! Traces in the Informal Trace Format, which the tools around Apalache and Quint read and write (ADR-015 of Apalache).
//!
//! A trace is an object with the names of the variables (`vars`), a list of `states`, and for a run that goes on for ever
//! the number of the state that comes after the last (`loop`). Since 2023 every integer is written as
//! `{"#bigint": "123"}`. What starts with `#` has a meaning of its own; variables do not.

use std::collections::HashSet;

use mandala::Trace;
use serde_json::{Map, Value, json};

/// Where the format is described.
const DESCRIPTION: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// A trace of a model, with what it shows.
pub fn document(trace: &Trace, model: &str, shows: &str) -> Value {
    let names = names(trace.initial.iter().map(|(name, _)| name.as_str()));
    // A run that comes back to a state has it twice, and the format once.
    let comes_back = trace.repeats.is_some_and(|repeats| repeats < trace.steps.len());
    let count = trace.steps.len() + usize::from(!comes_back);
    let mut states = Vec::with_capacity(count);
    for (transition, values) in trace.states() {
        let mut meta = json!({"index": states.len()});
        if let Some(transition) = transition {
            meta["transition"] = json!(transition);
        }
        let values =
            names.iter().zip(values).map(|(name, value)| (name.clone(), json!({"#bigint": value.to_string()})));
        states.push(Value::Object([("#meta".to_owned(), meta)].into_iter().chain(values).collect::<Map<_, _>>()));
    }
    states.truncate(count);
    let types: Map<String, Value> = names.iter().map(|name| (name.clone(), json!("Int"))).collect();
    let mut document = json!({
        "#meta": {
            "format": "ITF",
            "format-description": DESCRIPTION,
            "source": model,
            "description": shows,
            "varTypes": types,
        },
        "vars": names,
        "states": states,
    });
    if let Some(repeats) = trace.repeats {
        document["loop"] = json!(repeats);
    }
    document
}

/// Names that the format allows, each once.
fn names<'n>(variables: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut names = Vec::new();
    for variable in variables {
        let plain = if variable.starts_with('#') { format!("_{variable}") } else { variable.to_owned() };
        let mut name = plain.clone();
        for number in 2.. {
            if taken.insert(name.clone()) {
                break;
            }
            name = format!("{plain}'{number}");
        }
        names.push(name);
    }
    names
}

/// The file for the answer to a question, by its number from 0, if so many are asked: the one that was named if there is
/// one question, else with the number of the question before its ending.
pub fn file(named: &str, question: usize, questions: usize) -> String {
    if questions == 1 {
        return named.to_owned();
    }
    let name = named.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
    // The first dot of the name: `.itf.json` is one ending.
    let ending = named[name..].char_indices().skip(1).find(|(_, letter)| *letter == '.');
    let ending = ending.map_or(named.len(), |(place, _)| name + place);
    format!("{}-{}{}", &named[..ending], question + 1, &named[ending..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_several_questions() {
        assert_eq!(file("out.itf.json", 0, 1), "out.itf.json");
        assert_eq!(file("out.itf.json", 0, 3), "out-1.itf.json");
        assert_eq!(file("a.b/out", 1, 3), "a.b/out-2");
        assert_eq!(file(".hidden", 1, 2), ".hidden-2");
        assert_eq!(file("a/.hidden.json", 1, 2), "a/.hidden-2.json");
        assert_eq!(file("", 1, 2), "-2");
    }

    #[test]
    fn names_are_distinct_and_begin_with_no_hash() {
        let names = names(["x", "#meta", "x", "ring:p[1]:at", "x'2"].into_iter());
        assert_eq!(names, ["x", "_#meta", "x'2", "ring:p[1]:at", "x'2'2"]);
    }
}
