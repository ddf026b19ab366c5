//! LTL on models with known answers, by diagrams and state by state.

#[path = "common/conformance/mod.rs"]
mod conformance;
#[path = "../../check/tests/common/shared.rs"]
mod shared;

use conformance::{Limits, Outcome, Scope, models};
use mandala::{Model, Strategy};
use std::time::Duration;

/// Examines models of a folder; how many answers are right. None may be wrong.
fn right_answers(folder: &str, wanted: impl Fn(&str) -> bool) -> usize {
    let Some(shared) = shared::models() else { return usize::MAX };
    let limits = Limits { time: Duration::from_secs(120), memory: 4 << 30 };
    let mut right = 0;
    for model in models(&shared.join(folder), "").iter().filter(|model| wanted(&model.name)) {
        let report = model.examine(limits, Scope::Runs);
        let wrong: Vec<String> =
            report.answers.iter().filter(|answer| answer.is_wrong()).map(ToString::to_string).collect();
        assert_ne!(report.outcome(), Outcome::Wrong, "{}: {}", model.name, wrong.join("; "));
        right += report.counts()[0];
    }
    right
}

#[test]
fn nets_of_the_contest() {
    let asked =
        ["CircadianClock", "ERK", "FMS", "Kanban", "Philosophers", "Raft", "Railroad", "ResAllocation", "Robot"];
    let right = right_answers("mcc-pt", |name| asked.iter().any(|part| name.starts_with(part)));
    assert!(right >= 9 * 32, "only {right} right");
}

#[test]
fn dve_files() {
    let slow = ["lamport.2", "peterson.4", "pgm_protocol", "plc", "synapse", "leader_election", "lifts", "elevator.1"];
    let right = right_answers("beem-dve", |name| !slow.iter().any(|part| name.contains(part)));
    assert!(right >= 59, "only {right} right");
}

/// The table of formulas that came with Spot, about one file.
#[test]
fn formulas_of_spot() {
    let Some(shared) = shared::models() else { return };
    let table = std::fs::read_to_string(shared.join("expected-ltl.csv")).unwrap();
    let model = Model::read(shared.join("beem-dve/peterson.4.dve")).unwrap();
    let space = model.states().run().unwrap();
    let mut asked = 0;
    for line in table.lines().filter_map(|line| line.strip_prefix("peterson.4.dve,LTL,")) {
        let (formula, expected) = match line.split_once(",TRUE,") {
            Some((formula, _)) => (formula, true),
            None => (line.split_once(",FALSE,").unwrap().0, false),
        };
        let formula = formula.replace('"', "").replace('|', "||");
        // What holds needs all of the product: a million states, one by one.
        if !expected {
            let answer = model.check(&formula).unwrap().strategy(Strategy::Explicit).run().unwrap();
            assert_eq!(answer.holds(), Some(false), "{formula}");
            assert!(answer.trace().is_some(), "{formula}");
        }
        let answer = space.check(&formula).unwrap();
        assert_eq!(answer.holds(), Some(expected), "{formula}");
        if let Some(Err(reason)) = answer.trace {
            println!("{formula}: {reason}");
        }
        asked += 1;
    }
    assert_eq!(asked, 3);
}
