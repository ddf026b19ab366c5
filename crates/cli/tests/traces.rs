//! Traces: there is one where one was asked for, people are shown what fits on a page, and files that cannot be written are
//! noticed before the work.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn mandala(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mandala")).args(arguments).output().expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// A model of the project.
fn model(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).to_string_lossy().into_owned()
}

/// A model that counts to a number.
fn counter(name: &str, most: usize) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = format!("gal count {{ int x = 0; transition up [x < {most}] {{ x = x + 1; }} }}");
    std::fs::write(&file, text).expect("it can be written");
    file.to_string_lossy().into_owned()
}

#[test]
fn any_trace_is_better_than_none() {
    let output = mandala(&["check", &model("philosophers.gal"), "-D", "N=300", "--deadlock", "--trace", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let trace = &answer["results"][0]["trace"];
    // All take the fork to their left. If it is not known to be shortest, it is short all the same.
    let steps = trace["steps"].as_array().expect("steps").len();
    assert!((300..400).contains(&steps), "{steps} steps");
}

/// A run that goes on for ever has no steps that what it shows does not need: here a lift is called, opens, and turns for ever.
#[test]
fn a_lasso_has_no_needless_steps() {
    let text = "gal Lift { int floor; int way = 1; int open; array [4] call;
        transition press (0..3 $f) [call[$f] == 0] { call[$f] = 1; }
        transition up [way == 1 && open == 0 && floor < 3] { floor += 1; }
        transition down [way == -1 && open == 0 && floor > 0] { floor -= 1; }
        transition turn [floor == 0 || floor == 3] { way = -way; }
        transition openDoor [call[floor] == 1 && open == 0] { open = 1; call[floor] = 0; }
        transition close [open == 1] { open = 0; } }";
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lift.gal");
    std::fs::write(&file, text).expect("it can be written");
    for strategy in ["saturation", "explicit"] {
        let formula = "G (open == 1 -> F open == 0)";
        let output =
            mandala(&["check", &file.to_string_lossy(), "-f", formula, "--strategy", strategy, "--trace", "--json"]);
        assert_eq!(output.status.code(), Some(1));
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let trace = &answer["results"][0]["trace"];
        // Called, open, and one thing again and again.
        let steps = trace["steps"].as_array().expect("steps").len();
        assert!(steps <= 4, "{strategy}: {steps} steps: {trace}");
    }
}

#[test]
fn people_are_shown_how_a_long_trace_begins_and_ends() {
    let file = counter("long.gal", 3000);
    let output = mandala(&["check", &file, "--formula", "EF(x == 3000)", "--trace"]);
    let printed = text(&output.stdout);
    assert!(printed.contains("after 3000 steps (shortest)"), "{printed}");
    assert!(printed.contains("  ... 2960 steps are left out; in JSON and in ITF none is\n"), "{printed}");
    assert!(
        printed.contains("  20  up     x 19 -> 20\n") && printed.contains("3000  up     x 2999 -> 3000\n"),
        "{printed}"
    );
    assert!(printed.lines().count() < 60, "{printed}");
    let output = mandala(&["check", &file, "--formula", "EF(x == 3000)", "--trace", "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["results"][0]["trace"]["steps"].as_array().map(Vec::len), Some(3000));
}

#[test]
fn a_long_state_is_shown_by_what_changes() {
    let output =
        mandala(&["check", &model("philosophers.gal"), "-D", "N=60", "--formula", "EF(at[7]:eating == 1)", "-t"]);
    let printed = text(&output.stdout);
    let start = printed.lines().find(|line| line.trim_start().starts_with("start")).expect("a start");
    assert!(start.contains("at[7]:thinking = 1") && start.contains("that do not change here"), "{printed}");
    assert!(printed.lines().all(|line| line.len() < 300), "{printed}");
}

#[test]
fn a_file_that_cannot_be_written_is_noticed_before_the_work() {
    // Who did the work first would not end for a long time.
    let file = counter("never.gal", 2_000_000_000);
    for option in ["--itf", "--draw"] {
        let output =
            mandala(&["check", &file, "--formula", "EF(x == -1)", option, "no-such-folder/trace", "--timeout", "50s"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        assert!(text(&output.stderr).contains("cannot write no-such-folder/trace"), "{}", text(&output.stderr));
    }
}

#[test]
fn examinations_have_traces() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stuck.gal");
    let net = "net stuck { place a = 1; place b; transition go { take a; put b; } }";
    std::fs::write(&file, net).expect("it can be written");
    let arguments = ["check", &file.to_string_lossy(), "--examination", "ReachabilityDeadlock", "--trace"];
    let printed = text(&mandala(&arguments).stdout);
    assert!(printed.starts_with("FORMULA ReachabilityDeadlock TRUE TECHNIQUES"), "{printed}");
    assert!(printed.contains("  1  go     a 1 -> 0, b 0 -> 1\n"), "{printed}");
    let printed = mandala(&[&arguments[..], &["--json"]].concat()).stdout;
    let answer: Value = serde_json::from_slice(&printed).expect("JSON");
    assert_eq!(answer["values"]["ReachabilityDeadlock"], Value::Bool(true));
    assert_eq!(answer["results"][0]["trace"]["steps"][0]["transition"], "go");
}
