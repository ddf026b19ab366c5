//! Traces in the Informal Trace Format are what its description asks for, and say what the JSON trace says.

use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

fn model(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name).to_string_lossy().into_owned()
}

/// Asks, and returns what is printed.
fn check(model: &str, more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args(["check", model, "--json"])
        .args(more)
        .output()
        .expect("it starts");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn read(file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).expect("a file")).expect("JSON")
}

/// The value of an expression of the format, which is an integer here.
fn integer(value: &Value) -> i64 {
    let object = value.as_object().expect("an object");
    assert_eq!(object.len(), 1, "{value}");
    let digits = object["#bigint"].as_str().expect("a string");
    let plain = digits.strip_prefix('-').unwrap_or(digits);
    assert!(!plain.is_empty() && plain.chars().all(|digit| digit.is_ascii_digit()), "{value}");
    digits.parse().expect("a number")
}

/// Checks a trace against the description of the format. Its states, and where the loop begins.
fn validate(trace: &Value) -> (Vec<Vec<(String, i64)>>, Option<usize>) {
    let trace = trace.as_object().expect("an object");
    let known = ["#meta", "params", "vars", "states", "loop"];
    assert!(trace.keys().all(|key| known.contains(&key.as_str())), "{:?}", trace.keys());
    assert!(trace["#meta"].is_object());
    let variables: Vec<&str> =
        trace["vars"].as_array().expect("a list").iter().map(|name| name.as_str().expect("a string")).collect();
    assert!(variables.iter().all(|name| !name.starts_with('#')));
    assert_eq!(variables.iter().collect::<HashSet<_>>().len(), variables.len());
    let mut states = Vec::new();
    for (index, state) in trace["states"].as_array().expect("a list").iter().enumerate() {
        let state = state.as_object().expect("an object");
        assert_eq!(state["#meta"]["index"], index);
        assert_eq!(state.len(), variables.len() + 1);
        states.push(variables.iter().map(|&name| (name.to_owned(), integer(&state[name]))).collect());
    }
    assert!(!states.is_empty());
    let start = trace.get("loop").map(|start| start.as_u64().expect("a number") as usize);
    assert!(start.is_none_or(|start| start < states.len()));
    (states, start)
}

/// The same states, from the trace that `--json` prints.
fn states(trace: &Value) -> (Vec<Vec<(String, i64)>>, Option<usize>) {
    let initial = trace["initial"].as_object().expect("an object");
    let mut state: Vec<(String, i64)> =
        initial.iter().map(|(name, value)| (name.clone(), value.as_i64().expect("a number"))).collect();
    let mut states = vec![state.clone()];
    let steps = trace["steps"].as_array().expect("a list");
    for step in steps {
        for (name, change) in step["changes"].as_object().expect("an object") {
            let variable = state.iter_mut().find(|(variable, _)| variable == name).expect("a variable");
            variable.1 = change[1].as_i64().expect("a number");
        }
        states.push(state.clone());
    }
    let start = trace["loop"].as_u64().map(|start| start as usize);
    // The state to which a run comes back is there once.
    if start.is_some_and(|start| start < steps.len()) {
        assert_eq!(states.pop().as_ref(), start.map(|start| &states[start]));
    }
    (states, start)
}

#[test]
fn one_question_one_file() {
    let file = folder().join("one.itf.json").to_string_lossy().into_owned();
    let questions: [(&str, &[&str]); 7] = [
        ("models/philosophers.gal", &["--deadlock", "-D", "N=3"]),
        ("models/producer-consumer.gal", &["-f", "AG AF buffer == 0"]),
        ("models/producer-consumer.gal", &["-f", "AG AF buffer == 0", "--strategy", "explicit"]),
        ("models/peterson.gal", &["-f", "G F at[0] == 3"]),
        ("models/peterson.gal", &["-f", "EG at[0] == 0"]),
        ("crates/cli/tests/models/jug.gal", &["-f", "G F whole == 1"]),
        ("crates/cli/tests/models/lock.pnml", &["-f", "EF true"]),
    ];
    for (name, question) in questions {
        let _ = std::fs::remove_file(&file);
        let printed = check(&model(name), &[question, &["--itf", &file, "--trace"]].concat());
        let result = &printed["results"][0];
        assert_eq!(result["itf"], file.as_str(), "{name} {question:?}: {printed}");
        assert_eq!(validate(&read(&file)), states(&result["trace"]), "{name} {question:?}");
    }
}

#[test]
fn several_questions_several_files() {
    let file = folder().join("several.itf.json").to_string_lossy().into_owned();
    let numbered = |number: usize| folder().join(format!("several-{number}.itf.json")).to_string_lossy().into_owned();
    (1..=3).for_each(|number| drop(std::fs::remove_file(numbered(number))));
    let questions = ["-f", "EF buffer == 3", "-f", "AG buffer < 4", "-f", "AF buffer == 3", "--itf", &file];
    let printed = check(&model("models/producer-consumer.gal"), &questions);
    for (number, is_written) in [(1, true), (2, false), (3, true)] {
        let saved = &printed["results"][number - 1]["itf"];
        assert_eq!(saved.as_str(), is_written.then(|| numbered(number)).as_deref(), "{printed}");
        assert_eq!(Path::new(&numbered(number)).exists(), is_written);
    }
    assert_eq!(validate(&read(&numbered(1))).0.len(), 7);
    assert!(validate(&read(&numbered(3))).1.is_some());
}
