//! The explicit engine on the contest's nets and on the GAL files, against what is known of them.

use crate::common::shared::{expected, models};
use mandala_check::explicit::{Ended, Outcome, explore};
use mandala_check::limits::{Limits, Progress};
use mandala_model::net::pnml;
use mandala_model::semantics::Semantics;
use mandala_model::system::{System, Type};
use std::collections::BTreeMap;

/// More states than this take too long for a test.
const MOST_STATES: u64 = 300_000;

fn explored(system: &System) -> Outcome {
    let semantics = Semantics::new(system).unwrap();
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    explore(&semantics, &[], &limits, &Progress::default())
}

/// What differs from what is expected, each in a line.
fn differences(
    model: &str, found: &[(&str, &str, String)], figures: &BTreeMap<(String, String), String>,
) -> Vec<String> {
    let mut all = Vec::new();
    for (examination, formula, value) in found {
        let key = (examination.to_string(), formula.to_string());
        if let Some(expected) = figures.get(&key).filter(|expected| *expected != value) {
            all.push(format!("{model} {formula}: {value}, expected {expected}"));
        }
    }
    all
}

fn truth(value: bool) -> String {
    if value { "TRUE".into() } else { "FALSE".into() }
}

#[test]
fn nets_of_the_contest() {
    let Some(folder) = models() else { return };
    let mut wrong = Vec::new();
    let mut done = 0;
    for (model, figures) in expected("expected-mcc.csv") {
        let states = figures.get(&("StateSpace".into(), "STATES".into())).and_then(|states| states.parse::<u64>().ok());
        let Ok(text) = std::fs::read_to_string(folder.join("mcc-pt").join(&model).join("model.pnml")) else { continue };
        if states.is_none_or(|states| states >= MOST_STATES) {
            continue;
        }
        let net = pnml::read("model.pnml", &text).unwrap_or_else(|error| panic!("{model}: {error}"));
        let system = System { name: model.clone(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
        let outcome = explored(&system);
        assert_eq!(outcome.ended, Ended::Complete, "{model}");
        let most = outcome.most_in_place.unwrap_or(0);
        let found = [
            ("StateSpace", "STATES", outcome.states.to_string()),
            ("StateSpace", "TRANSITIONS", outcome.transitions.to_string()),
            ("StateSpace", "MAX_TOKEN_IN_PLACE", most.to_string()),
            ("StateSpace", "MAX_TOKEN_PER_MARKING", outcome.most_in_marking.unwrap_or(0).to_string()),
            ("ReachabilityDeadlock", "ReachabilityDeadlock", truth(outcome.deadlocks > 0)),
            ("OneSafe", "OneSafe", truth(most <= 1)),
        ];
        wrong.extend(differences(&model, &found, &figures));
        done += 1;
    }
    println!("{done} nets");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(done >= 35, "only {done} nets");
}

#[test]
fn a_net_without_bound_is_never_complete() {
    let Some(folder) = models() else { return };
    let Ok(text) = std::fs::read_to_string(folder.join("mcc-pt/DoubleLock-PT-p1s1/model.pnml")) else { return };
    let net = pnml::read("model.pnml", &text).unwrap_or_else(|error| panic!("{error}"));
    let system = System { name: "DoubleLock".into(), types: vec![Type::Net(net)], main: 0, begins: vec![0] };
    let semantics = Semantics::new(&system).unwrap();
    let outcome = explore(&semantics, &[], &Limits { states: Some(20_000), ..Limits::default() }, &Progress::default());
    assert_eq!(outcome.ended, Ended::States);
}

/// In two tests, so that they run side by side.
#[test]
fn gal_files_flat() {
    gal_files(35, |model| !model.starts_with("cgal"));
}

#[test]
fn gal_files_of_modules() {
    gal_files(15, |model| model.starts_with("cgal"));
}

fn gal_files(at_least: usize, wanted: impl Fn(&str) -> bool) {
    let Some(folder) = models() else { return };
    let mut wrong = Vec::new();
    let mut done = 0;
    for (model, figures) in expected("expected-gal.csv") {
        let states = figures.get(&("StateSpace".into(), "STATES".into())).and_then(|states| states.parse::<u64>().ok());
        // Some have comments in Latin-1.
        let Ok(bytes) = std::fs::read(folder.join("gal").join(&model)) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        if states.is_none_or(|states| states > 200_000) || !wanted(&model) {
            continue;
        }
        let system = match mandala_model::gal::read(&model, &text, &[]) {
            Ok(read) => read.system,
            Err(error) => {
                wrong.push(format!("{model} cannot be read: {error}"));
                continue;
            }
        };
        let outcome = explored(&system);
        if outcome.ended != Ended::Complete {
            wrong.push(format!("{model} ended with {:?}", outcome.ended));
        }
        let found = [
            ("StateSpace", "STATES", outcome.states.to_string()),
            ("StateSpace", "DEADLOCKS", outcome.deadlocks.to_string()),
            ("Deadlock", "DEADLOCK_STATES", outcome.deadlocks.to_string()),
        ];
        wrong.extend(differences(&model, &found, &figures));
        done += 1;
    }
    println!("{done} files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(done >= at_least, "only {done} files");
}
