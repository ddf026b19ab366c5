//! The classic models as they are written and the project's own examples: all can be read, and they have the states and
//! the answers that they say they have, by exploration state by state.

use mandala_model::classic::{Classic, Shape, Size, generate};
use mandala_model::gal;
use mandala_model::property::{Property, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

fn read(file: &str, text: &str, defines: &[(String, i32)]) -> gal::Specification {
    gal::read(file, text, defines).unwrap_or_else(|problems| panic!("{problems}"))
}

fn written(classic: Classic, size: &str, shape: Shape) -> gal::Specification {
    let size: Size = size.parse().expect("a size");
    let mut text = Vec::new();
    generate(classic, &size, Some(shape), &mut text).expect("written");
    let text = String::from_utf8(text).expect("text");
    read(&format!("{classic} {shape}"), &text, &[])
}

/// All states that can be reached.
fn states(system: &System) -> HashSet<Vec<i32>> {
    let semantics = Semantics::new(system).expect("small enough");
    let mut waiting = semantics.initial_states().expect("no error");
    let mut seen: HashSet<Vec<i32>> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        for step in semantics.successors(&state).expect("no error") {
            if seen.insert(step.state.clone()) {
                waiting.push(step.state);
            }
        }
    }
    seen
}

/// A model has as many states as expected, in all its shapes.
fn assert_states(classic: Classic, expected: &[(u64, usize)]) {
    for &(size, number) in expected {
        // Coloured nets are in another language: sn_models.rs has these.
        for &shape in classic.shapes().iter().filter(|shape| **shape != Shape::Coloured) {
            let model = written(classic, &size.to_string(), shape);
            assert_eq!(states(&model.system).len(), number, "{classic} {size}, shape {shape}");
        }
    }
}

#[test]
fn philosophers_have_as_many_states_as_lucas_numbers_say() {
    let lucas = [18, 76, 322, 1364, 5778];
    assert_states(Classic::Philosophers, &(2..).zip(lucas).collect::<Vec<_>>());
}

/// The order of the variables is the same in all shapes, so the states are the same too and not only as many.
#[test]
fn a_fold_has_the_states_of_the_ring() {
    for size in 2..=7 {
        let [ring, fold] = [Shape::Ring, Shape::Fold]
            .map(|shape| states(&written(Classic::Philosophers, &size.to_string(), shape).system));
        assert!(ring == fold, "{size} philosophers");
    }
}

/// Where exploration would take long: what comes after a state is the same, whatever the state (reachable or not).
#[test]
fn a_fold_steps_as_the_ring_does() {
    let (mut random, mut steps) = (1u64, 0);
    for size in 2..=33u64 {
        let [ring, fold] =
            [Shape::Ring, Shape::Fold].map(|shape| written(Classic::Philosophers, &size.to_string(), shape).system);
        let [ring, fold] = [&ring, &fold].map(|system| Semantics::new(system).expect("small enough"));
        assert_eq!(ring.initial_states().expect("no error"), fold.initial_states().expect("no error"));
        for _ in 0..100 {
            let state: Vec<i32> = (0..ring.size()).map(|_| flipped_coin(&mut random)).collect();
            let [ring, fold] = [&ring, &fold].map(|semantics| {
                let steps = semantics.successors(&state).expect("no error");
                let mut after: Vec<_> = steps.into_iter().map(|step| step.state).collect();
                after.sort_unstable();
                after
            });
            steps += ring.len();
            assert!(ring == fold, "{size} philosophers after {state:?}");
        }
    }
    assert!(steps > 32 * 100, "only {steps} steps");
}

/// The next 0 or 1 of a linear congruential generator.
fn flipped_coin(random: &mut u64) -> i32 {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*random >> 63) as i32
}

#[test]
fn kanban_has_the_known_states() {
    assert_states(Classic::Kanban, &[(1, 160), (2, 4600)]);
}

#[test]
fn the_slotted_ring_has_the_known_states() {
    assert_states(Classic::SlottedRing, &[(2, 52), (3, 504), (4, 5136)]);
    let ring = written(Classic::SlottedRing, "5", Shape::Ring);
    assert_eq!(states(&ring.system).len(), 53856);
}

#[test]
fn the_manufacturing_system_has_the_known_states() {
    assert_states(Classic::Fms, &[(1, 120), (2, 3444)]);
}

#[test]
fn the_philosophers_of_the_contest_have_a_power_of_three() {
    assert_states(Classic::ContestPhilosophers, &[(2, 9), (3, 27), (5, 243), (7, 2187)]);
}

#[test]
fn the_models_of_papers_on_symmetry_have_the_known_states() {
    assert_states(Classic::ClientServer, &[(1, 16), (2, 249), (3, 3774)]);
    assert_states(Classic::SaleStore, &[(1, 18), (2, 209), (3, 1752)]);
    assert_states(Classic::Peterson, &[(2, 9), (3, 55), (4, 441), (5, 4361)]);
    assert_states(Classic::TokenRing, &[(2, 16), (3, 44), (4, 112), (7, 1472)]);
    assert_states(Classic::Database, &[(2, 7), (3, 28), (4, 109), (7, 5104)]);
}

#[test]
fn all_sizes_can_be_read() {
    for classic in Classic::ALL {
        // Coloured nets are in another language: sn_models.rs has these.
        for &shape in classic.shapes().iter().filter(|shape| **shape != Shape::Coloured) {
            let greatest = classic.greatest(shape).unwrap_or(u64::MAX);
            // Of some models the text grows with the cube of the size.
            let sizes = [classic.least(), classic.least() + 1, 10, 100, 257];
            for size in sizes.into_iter().filter(|&size| size <= greatest) {
                written(classic, &size.to_string(), shape);
            }
        }
    }
    written(Classic::Philosophers, "4000", Shape::Ring);
    written(Classic::Philosophers, "123456789012345678901234567890", Shape::Fold);
    written(Classic::Kanban, "1000000000", Shape::Ring);
    written(Classic::Fms, "1000000000", Shape::Flat);
}

#[test]
fn twenty_thousand_levels_can_be_read() {
    let model = written(Classic::Philosophers, "2^20000", Shape::Fold);
    // A philosopher, a group a level, and the table.
    assert_eq!(model.system.types.len(), 20_002);
}

/// The examples of the project: name and text.
fn examples() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let entries = fs::read_dir(&folder).expect("the folder `models`").map(|entry| entry.expect("readable").path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "gal"));
    let mut examples: Vec<_> = files
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("text"))
        })
        .collect();
    examples.sort();
    assert_eq!(examples.len(), 13);
    examples
}

/// The lines `mandala states models/NAME -D N=20    251 states ...` of an example: constants and number of states, as
/// far as it is written in full.
fn claimed_states(name: &str, text: &str) -> Vec<(Vec<(String, i32)>, usize)> {
    let mut claims = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix(&format!("//     mandala states models/{name}"))) {
        let (before, _) = line.split_once(" states").expect("how many states");
        let (options, number) = before.rsplit_once("  ").expect("options, then the number");
        let defines = options.trim().split("-D ").skip(1).map(|define| {
            let (name, value) = define.trim().split_once('=').expect("NAME=VALUE");
            (name.to_owned(), value.parse().expect("a number"))
        });
        if let Ok(number) = number.trim().parse() {
            claims.push((defines.collect(), number));
        }
    }
    claims
}

#[test]
fn examples_have_the_states_they_say() {
    let table = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/README.md");
    let table = fs::read_to_string(table).expect("models/README.md");
    for (name, text) in examples() {
        let claims = claimed_states(&name, &text);
        let (defines, number) = claims.first().expect("a claim");
        assert!(defines.is_empty(), "{name}");
        let row = table.lines().find(|line| line.starts_with(&format!("| [{name}]({name})"))).expect("a row");
        assert!(row.ends_with(&format!("| {number} |")), "{row}");
        for (defines, number) in claims {
            let model = read(&name, &text, &defines);
            assert_eq!(states(&model.system).len(), number, "{name} {defines:?}");
        }
    }
}

/// What is written behind a property, after its semicolon.
fn claim<'a>(text: &'a str, property: &Property) -> &'a str {
    let (_, after) = text.split_once(&format!("\nproperty {} ", property.name)).expect("the property");
    let (_, after) = after.split_once(';').expect("a semicolon");
    let (line, _) = after.split_once('\n').expect("a line");
    line.split_once("// ").expect("a comment").1
}

/// What exploration says about a property, in the words of the examples.
fn answer(semantics: &Semantics<'_>, states: &HashSet<Vec<i32>>, question: &Question) -> String {
    let holds = |formula, state: &Vec<i32>| semantics.evaluate(formula, state).expect("no error");
    let verdict = match question {
        Question::Reachable(formula) => states.iter().any(|state| holds(formula, state)),
        Question::Invariant(formula) => states.iter().all(|state| holds(formula, state)),
        Question::Never(formula) => !states.iter().any(|state| holds(formula, state)),
        Question::Bounds(value) => {
            let value = |state: &Vec<i32>| semantics.evaluate_integer(value, state).expect("no error");
            let (least, greatest) = (states.iter().map(value).min(), states.iter().map(value).max());
            return format!("{} to {}", least.expect("a state"), greatest.expect("a state"));
        }
        Question::Ctl(_) | Question::CtlStar(_) | Question::Ltl(_) | Question::Live(_) => {
            panic!("not within what runs now")
        }
    };
    if verdict { "holds" } else { "does not hold" }.to_owned()
}

#[test]
fn properties_of_examples_hold_or_not_as_they_say() {
    let mut asked = 0;
    for (name, text) in examples() {
        let model = read(&name, &text, &[]);
        let semantics = Semantics::new(&model.system).expect("small enough");
        let states = states(&model.system);
        for property in &model.properties {
            let (claim, answer) = (claim(&text, property), answer(&semantics, &states, &property.question));
            assert!(claim.starts_with(&answer), "{name}, {}: says `{claim}`, but {answer}", property.name);
            asked += 1;
        }
    }
    assert_eq!(asked, 61);
}
