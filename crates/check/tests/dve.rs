//! The explicit engine on the BEEM models, against what is known of them; and the same models written as GAL.

#[path = "common/shared.rs"]
mod shared;

use mandala_check::answer::Verdict;
use mandala_check::explicit::{self, Ended, Outcome, explore};
use mandala_check::limits::{Limits, Progress};
use mandala_model::gal::Specification;
use mandala_model::property::Question;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use mandala_model::{dve, gal};
use std::path::Path;

/// More states than this take too long for a test.
const MOST_STATES: u64 = 100_000;

/// More states than this are not explored twice.
const MOST_TWICE: u64 = 6_000;

/// More states than this are not looked at for a goal.
const MOST_FOR_GOALS: u64 = 30_000;

/// A model and what is known of it.
struct Known {
    name: String,
    states: u64,
    edges: Option<u64>,
}

/// The models with at most so many states.
fn known(most: u64) -> Vec<Known> {
    let mut all = Vec::new();
    for (name, figures) in shared::expected("expected-beem.csv") {
        let figure = |what: &str| figures.get(&("StateSpace".into(), what.into())).and_then(|value| value.parse().ok());
        match figure("STATES") {
            Some(states) if states <= most => all.push(Known { name, states, edges: figure("EDGES") }),
            _ => {}
        }
    }
    all
}

fn read_with_names(folder: &Path, name: &str) -> Option<(Specification, dve::Names)> {
    let bytes = std::fs::read(folder.join("beem-dve").join(format!("{name}.dve"))).ok()?;
    let text = mandala_model::text::decode(&bytes);
    match dve::read_with_names(&format!("{name}.dve"), &text) {
        Ok(read) => Some(read),
        Err(error) => panic!("{error}"),
    }
}

fn read(folder: &Path, name: &str) -> Option<System> {
    read_with_names(folder, name).map(|(model, _)| model.system)
}

fn explored(system: &System) -> Outcome {
    let semantics = Semantics::new(system).unwrap();
    let limits = Limits { states: Some(2 * MOST_STATES), ..Limits::default() };
    explore(&semantics, &[], &limits, &Progress::default())
}

/// Explores every model whose position leaves this remainder, so that two tests share the work.
fn states_and_edges(half: usize) {
    let Some(folder) = shared::models() else { return };
    let mut wrong = Vec::new();
    let mut done = 0;
    for model in known(MOST_STATES).into_iter().skip(half).step_by(2) {
        let Some(system) = read(&folder, &model.name) else { continue };
        let began = std::time::Instant::now();
        let outcome = explored(&system);
        println!("{:24} {:7} states {:5.2} s", model.name, outcome.states, began.elapsed().as_secs_f64());
        let edges = model.edges.unwrap_or(outcome.transitions);
        if outcome.ended != Ended::Complete || (outcome.states, outcome.transitions) != (model.states, edges) {
            let Outcome { states, transitions, ended, .. } = outcome;
            wrong.push(format!("{}: {states} states and {transitions} edges ({ended:?})", model.name));
            wrong.push(format!("    expected {} states and {:?} edges", model.states, model.edges));
        }
        done += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(done >= 15, "only {done} models");
}

#[test]
fn states_and_edges_of_one_half() {
    states_and_edges(0);
}

#[test]
fn states_and_edges_of_the_other_half() {
    states_and_edges(1);
}

#[test]
fn written_as_gal_and_read_again() {
    let Some(folder) = shared::models() else { return };
    let mut done = 0;
    for model in known(MOST_TWICE) {
        let Some(system) = read(&folder, &model.name) else { continue };
        let written = gal::write(&system, &[]);
        let again = gal::read("written.gal", &written, &[]).unwrap_or_else(|error| panic!("{}: {error}", model.name));
        let outcome = explored(&again.system);
        assert_eq!((outcome.ended, outcome.states), (Ended::Complete, model.states), "{}", model.name);
        assert_eq!(again.system.name, model.name);
        done += 1;
    }
    assert!(done >= 10, "only {done} models");
}

/// Whether the goals of the models can be reached, with the names that the files give to states and variables.
#[test]
fn goals_are_reached_as_expected() {
    let Some(folder) = shared::models() else { return };
    let Ok(properties) = std::fs::read_to_string(folder.join("beem-dve/properties.csv")) else { return };
    let expected = shared::expected("expected-beem.csv");
    let small: Vec<String> = known(MOST_FOR_GOALS).into_iter().map(|model| model.name).collect();
    let mut wrong = Vec::new();
    let mut done = 0;
    for line in properties.lines() {
        let [model, "Reachability", name, goal] = line.splitn(5, ',').take(4).collect::<Vec<_>>()[..] else { continue };
        let key = ("Reachability".to_string(), name.to_string());
        let Some(answer) = expected.get(model).and_then(|answers| answers.get(&key)) else { continue };
        // What has a comma is quoted, and rare.
        if goal.starts_with('"') || !small.iter().any(|small| small == model) {
            continue;
        }
        let Some((read, names)) = read_with_names(&folder, model) else { continue };
        let property = names.formula(&format!("EF ({goal})")).unwrap_or_else(|error| panic!("{model}: {error}"));
        let semantics = Semantics::new(&read.system).unwrap();
        let outcome = explicit::answer(&semantics, &[property.question], &Limits::default(), &Progress::default());
        let found = outcome.answers[0].verdict == Verdict::Holds;
        if found != (answer == "TRUE") {
            wrong.push(format!("{model} {goal}: {:?}, expected {answer}", outcome.answers));
        }
        done += 1;
    }
    println!("{done} goals");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(done >= 25, "only {done} goals");
}

/// The formulas of LTL that come with the models say what they say with the names of the files.
#[test]
fn formulas_can_be_read() {
    let Some(folder) = shared::models() else { return };
    let Ok(properties) = std::fs::read_to_string(folder.join("beem-dve/properties.csv")) else { return };
    let (mut done, mut refused) = (0, Vec::new());
    for line in properties.lines() {
        let [model, "LTL", _, formula] = line.splitn(5, ',').take(4).collect::<Vec<_>>()[..] else { continue };
        let Some((_, names)) = read_with_names(&folder, model) else { continue };
        match names.formula(formula) {
            Ok(property) => assert!(matches!(property.question, Question::Ltl(_)), "{formula}"),
            Err(error) => refused.push(format!("{model}: {error}")),
        }
        done += 1;
    }
    // Some formulas use names that are not in the files.
    println!("{done} formulas, {} refused\n{}", refused.len(), refused.join("\n"));
    assert!(done == 0 || refused.len() * 20 < done, "{}", refused.join("\n"));
}

/// The largest file, and those whose states nobody wants to count in a test.
#[test]
fn every_model_can_be_read() {
    let Some(folder) = shared::models() else { return };
    let mut done = 0;
    for large in ["beem-dve", "beem-dve-large"] {
        let Ok(entries) = std::fs::read_dir(folder.join(large)) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.extension().is_some_and(|ending| ending == "dve") {
                let bytes = std::fs::read(&path).unwrap();
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                if let Err(error) = dve::read(&name, &mandala_model::text::decode(&bytes)) {
                    panic!("{error}");
                }
                done += 1;
            }
        }
    }
    assert!(done >= 60, "only {done} files");
}
