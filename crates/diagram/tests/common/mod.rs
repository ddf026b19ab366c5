//! The oracle, random inputs, and what the tests share. Written from the papers' definitions, not from
//! the library.
#![allow(dead_code, unused_imports, missing_docs)]

pub mod cases;
pub mod generate;
pub mod rng;
pub mod shape;
pub mod state;
pub mod term;

pub use cases::{Case, Outcome, Setup, check_apply, check_closure, limit_time};
pub use rng::Rng;
pub use shape::{Shape, any_shape, data_variable, integers_variable, set_variable};
pub use state::{
    INTEGER, Partial, Set, State, Val, build, build_canonically, build_partial, build_slowly, build_state, expect,
    flat, is_compatible, member, normalize, partial, set_of,
};
pub use term::{LabelRule, Map, Next, Rule, Rules, Stop, Tabled, Term, build_all, reach};

/// The seeds of so many cases, or of more: `TEST_FACTOR=20 cargo test` looks twenty times longer.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let factor = std::env::var("TEST_FACTOR").ok().and_then(|factor| factor.parse().ok());
    0..count * factor.unwrap_or(1)
}

/// Counts what came of many cases.
#[derive(Debug, Default)]
pub struct Tally {
    pub right: usize,
    pub undefined: usize,
    pub too_much: usize,
}

impl Tally {
    pub fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Right => self.right += 1,
            Outcome::Skipped(Stop::Undefined) => self.undefined += 1,
            Outcome::Skipped(Stop::TooMuch) => self.too_much += 1,
            Outcome::Wrong(message) => panic!("{message}"),
        }
    }
}

/// Checks many cases, each in a store of its own, and some once more where others left their results.
pub fn check_many(
    name: &str, seeds: std::ops::Range<u64>, make: impl Fn(&mut Rng) -> Case,
    check: impl Fn(&mut mandala_diagram::Store, &Case) -> Outcome,
) -> Tally {
    let mut tally = Tally::default();
    let mut store = Setup::default().store();
    for seed in seeds {
        if seed % 16 == 0 {
            store = Setup::default().store();
        }
        let case = make(&mut Rng::new(seed));
        tally.add(&case.must(&format!("{name} {seed}"), |case| check(&mut Setup::default().store(), case)));
        if seed % 2 == 0 {
            tally.add(&check(&mut store, &case));
        }
    }
    eprintln!("{name}: {tally:?}");
    tally
}
