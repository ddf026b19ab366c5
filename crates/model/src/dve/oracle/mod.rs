//! Random systems that may fail, against an interpreter of what is written: states, steps, steps into the error state.

mod interpreter;
#[path = "../../../tests/common/random_dve.rs"]
mod random_dve;

use std::collections::BTreeSet;

use super::parse::parse;
use super::read;
use crate::gal;
use crate::semantics::Semantics;
use crate::system::System;
use interpreter::{Machine, State};

/// Systems with more states than this are left out.
const MOST_STATES: usize = 3_000;

/// What there is to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    states: usize,
    edges: usize,
    /// States without successors, the error state not among them.
    deadlocks: usize,
    /// Edges into the error state, and that state itself (0 or 1).
    into_error: usize,
    error_states: usize,
}

/// The figures of what can be reached; nothing if that is too much.
fn figures<S: Clone + Ord>(initial: S, is_error: impl Fn(&S) -> bool, steps: impl Fn(&S) -> Vec<S>) -> Option<Figures> {
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    let mut figures = Figures::default();
    while let Some(state) = open.pop() {
        let after = steps(&state);
        let error = is_error(&state);
        figures.error_states += usize::from(error);
        figures.deadlocks += usize::from(!error && after.is_empty());
        figures.edges += after.len();
        for next in after {
            figures.into_error += usize::from(is_error(&next));
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > MOST_STATES {
            return None;
        }
    }
    Some(Figures { states: seen.len(), ..figures })
}

/// As the interpreter has it.
fn interpreted(text: &str) -> Option<Figures> {
    let file = parse("random.dve", text).unwrap_or_else(|error| panic!("{error}"));
    let machine = Machine::new(&file);
    figures(machine.initial(), |state| *state == State::Error, |state| machine.steps(state))
}

/// As the program has it that is made of the file. GAL does not know that a state is the error state.
fn elaborated(system: &System, is_error: impl Fn(&Semantics<'_>, &[i32]) -> bool) -> Option<Figures> {
    let semantics = Semantics::new(system).expect("a system of a few variables");
    let initial = semantics.initial_states().expect("a beginning").remove(0);
    let steps = |state: &Vec<i32>| {
        let steps = semantics.successors(state).unwrap_or_else(|error| panic!("{error}"));
        steps.into_iter().map(|step| step.state).collect()
    };
    figures(initial, |state| is_error(&semantics, state), steps)
}

#[test]
fn systems_do_what_is_written() {
    let factor: u64 = std::env::var("TEST_FACTOR").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut done, mut failing, mut large) = (0, 0, 0);
    for seed in 0..1500 * factor {
        let text = random_dve::system(seed);
        let Some(expected) = interpreted(&text) else {
            large += 1;
            continue;
        };
        let model = read("random.dve", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let found = elaborated(&model.system, |semantics, state| semantics.is_error_state(state));
        assert_eq!(found, Some(expected), "seed {seed}\n{text}");
        let written = gal::write(&model.system, &[]);
        let again = gal::read("random.gal", &written, &[]).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let error = model.system.error_state();
        let found = elaborated(&again.system, |_, state| error.is_some_and(|error| error.is(state)));
        assert_eq!(found, Some(expected), "seed {seed}, as GAL\n{text}\n{written}");
        done += 1;
        failing += usize::from(expected.error_states > 0);
    }
    println!("{done} systems, {failing} of which fail; {large} are too large");
    assert!(failing * 4 > done && done > failing + done / 20, "{done} systems, {failing} of which fail");
}
