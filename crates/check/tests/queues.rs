//! Nets with queues: on diagrams, where words have different lengths, against state by state; as programs, where a queue is
//! an array; and as text.

use crate::common::queues::{flat, nested};
use crate::common::random::{factor, small};
use crate::{ctl, fairness, flattening, ltl, symbolic_random};
use mandala_check::explore::explore;
use mandala_check::options::Options;
use mandala_diagram::{Store, Strategy};
use mandala_model::flatten::{CannotFlatten, flatten};
use mandala_model::gal;
use mandala_model::semantics::Semantics;
use mandala_model::system::{CompositeInitial, Instance, System, Type};
use mandala_symbolic::encode::{EncodedSystem, Layouts};

const MOST_STATES: u64 = 1500;

#[test]
fn figures_of_nets() {
    symbolic_random::compare_figures(500, flat);
}

#[test]
fn figures_of_composites() {
    symbolic_random::compare_figures(300, nested);
}

#[test]
fn answers() {
    let options = Options::default();
    for generate in [flat, nested] {
        for (seed, system, _) in small(0..250 * factor(), 500, generate) {
            symbolic_random::answers_agree(seed, &system, &options);
        }
    }
}

#[test]
fn formulas_of_ctl() {
    let mut counts = [0; 3];
    for generate in [flat, nested] {
        for (seed, system, _) in small(0..300 * factor(), 500, generate) {
            let more = ctl::agree(seed, &system);
            counts = [0, 1, 2].map(|i| counts[i] + more[i]);
        }
    }
    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
}

#[test]
fn formulas_of_ltl() {
    ltl::compare_all(150, &Options::default(), flat);
    ltl::compare_all(100, &Options::default(), nested);
}

/// What is said of steps is asked of the program that a net with queues is.
#[test]
fn fair_runs_and_steps() {
    fairness::compare_all(60, flat);
}

/// Garbage is collected wherever it can be, with every strategy.
#[test]
fn collection_at_every_point() {
    for (seed, system, outcome) in small(0..40 * factor(), 150, flat).chain(small(0..40 * factor(), 150, nested)) {
        for strategy in Strategy::ALL {
            let mut store = Store::new();
            store.collect_at_every(1);
            let encoded = EncodedSystem::new(&system, store, Layouts::default());
            let mut encoded = encoded.unwrap_or_else(|error| panic!("{error}: seed {seed}"));
            let states = encoded.store.reachable(&encoded.initial, &encoded.relation, strategy).unwrap();
            assert_eq!(encoded.store.count(&states).to_u64(), Some(outcome.states), "seed {seed}, {strategy:?}");
            let step = encoded.store.sum(&encoded.relation);
            let back = encoded.store.predecessors(&step, &states).unwrap();
            let alive = encoded.store.apply(&back, &states).unwrap();
            let alive = encoded.store.count(&alive).to_u64();
            assert_eq!(alive, Some(outcome.states - outcome.deadlocks), "seed {seed}, {strategy:?}");
        }
    }
}

/// The only instance of a composite that does nothing else: to make it flat is to make it a program.
fn alone(system: System) -> System {
    let System { name, mut types, main, begins } = system;
    let mut whole = mandala_model::system::Composite { name: "whole".into(), ..Default::default() };
    whole.instances.push(Instance { name: "x".into(), type_index: main });
    whole.initial.push(CompositeInitial { name: String::new(), choices: vec![begins] });
    types.push(Type::Composite(whole));
    System { name, main: types.len() - 1, types, begins: vec![0] }
}

#[test]
fn as_programs() {
    let (mut compared, mut steps) = (0, 0);
    for seed in 0..400 * factor() {
        for system in [alone(flat(seed)), nested(seed)] {
            let flat = match flatten(&system) {
                Err(CannotFlatten::TooManyCombinations) => continue,
                flat => flat.unwrap_or_else(|error| panic!("seed {seed}: {error}")),
            };
            assert!(matches!(flat.system.types[0], Type::Program(_)));
            let seen = flattening::compare(&system, &flat, 200, &format!("seed {seed}: {system:?}"));
            assert!(written_and_read(&flat.system, seed).is_some(), "a program has no labels to call");
            compared += usize::from(seen.states > 1);
            steps += seen.steps;
        }
    }
    assert!(compared > 300 && steps > 5000, "{compared} systems with {steps} steps");
}

/// What a system is after it was written and read again; it means the same, as far as its first steps go.
fn written_and_read(system: &System, seed: u64) -> Option<System> {
    let text = gal::write(system, &[]);
    let read = match gal::read("written.gal", &text, &[]) {
        Ok(read) => read.system,
        // A random composite may call itself by a label that it does not have, which no file may.
        Err(error) if system.is_composite() && error.to_string().contains("no label") => return None,
        Err(error) => panic!("seed {seed}: {error}\n{text}"),
    };
    // A composite may have types that it does not use, which are not read: what it means is the same.
    let (one, other) = (Semantics::new(system).unwrap(), Semantics::new(&read).unwrap());
    let begin = one.initial_states().unwrap();
    assert_eq!(begin, other.initial_states().unwrap(), "seed {seed}: {text}");
    for state in begin {
        let states = |semantics: &Semantics<'_>| {
            let steps = semantics.successors(&state).unwrap_or_default();
            steps.into_iter().map(|step| step.state).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(states(&one), states(&other), "seed {seed}: {text}");
    }
    Some(read)
}

#[test]
fn as_text() {
    let mut composites = 0;
    for seed in 0..400 * factor() {
        for system in [flat(seed), nested(seed)] {
            let Some(read) = written_and_read(&system, seed) else { continue };
            composites += u64::from(system.is_composite());
            if !system.is_composite() {
                assert_eq!(read, system, "seed {seed}");
            }
        }
    }
    assert!(composites > 100 * factor(), "only {composites} composites");
}

/// A channel with k letters and room for c of them has 1 + k + k² + ... + k^c contents.
#[test]
fn channels() {
    for (letters, capacity) in [(1, 7), (2, 10), (3, 5), (4, 0), (10, 100)] {
        let text = format!(
            "net Channel {{ queue q {{ 1 .. {letters} }} capacity {capacity};
             transition send (1 .. {letters} $l) {{ put q($l); }}
             transition receive (1 .. {letters} $l) {{ take q($l); }} }}
             main Channel;"
        );
        let system = gal::read("channel.gal", &text, &[]).unwrap_or_else(|error| panic!("{error}")).system;
        let mut space = explore(&system, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        let states = format!("{:#}", space.figures().unwrap().states);
        // Of ten letters, the contents are 11...1, a digit per length.
        let expected = match letters {
            10 => "1".repeat(capacity as usize + 1),
            _ => (0..=capacity).map(|length| u64::pow(letters, length)).sum::<u64>().to_string(),
        };
        assert_eq!(states, expected, "{letters} letters, room for {capacity}");
    }
}

/// Several calls of one net with queues take in their order, each what the one before has left, and then put in their order.
#[test]
fn together() {
    let text = "
        net Twice {
            queue q { a, b } = [a, b] capacity 2;
            transition a label \"a\" { take q(a); put q(b); }
            transition b label \"b\" { take q(b); put q(a); }
        }
        composite Both {
            Twice x; Twice y;
            synchronization right { x.\"a\"; x.\"b\"; }
            synchronization wrong { y.\"b\"; y.\"a\"; }
        }
        main Both;";
    let system = gal::read("both.gal", text, &[]).unwrap_or_else(|error| panic!("{error}")).system;
    let semantics = Semantics::new(&system).unwrap();
    let begin = semantics.initial_states().unwrap();
    let steps = semantics.successors(&begin[0]).unwrap();
    assert_eq!(steps.len(), 1);
    // a, b is taken, and b, a is put: it can go on for ever only in the other order.
    assert_eq!(steps[0].state[..3], [2, 2, 1]);
    assert_eq!(small(0..1, MOST_STATES, |_| system.clone()).next().map(|(_, _, outcome)| outcome.states), Some(2));
    symbolic_random::compare_figures(1, |_| system.clone());
}
