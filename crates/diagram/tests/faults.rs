//! Operations that are stopped at every point at which they can be: what they say they reached is
//! reached, and the store goes on as if nothing had happened.
#![allow(missing_docs)]

mod common;

use common::generate::bounded;
use common::{Case, Rng, Stop, any_shape, build, build_all, expect, reach, seeds, term::refuel};
use mandala_diagram::{Diagram, Error, Store, Strategy};

/// Stops an operation at its first look at the limits, then at its second, and so on, until it ends.
fn stop_everywhere(
    store: &mut Store, all: &Diagram, initial: &Diagram, run: impl Fn(&mut Store) -> Result<Diagram, Error>,
) {
    // So that there are many places to stop.
    store.collect_at_every(1);
    for looks in 0..400 {
        store.stop_in(Some(looks));
        let result = run(store);
        store.stop_in(None);
        match result {
            Ok(found) => {
                assert!(found == *all, "the result is another after {looks} stops");
                return;
            }
            Err(error) => {
                let reached = error.reached().expect("a closure says what it reached").clone();
                assert!(!store.is_undefined(&reached), "undefined after {looks} looks");
                assert!(store.is_subset(&reached, all).unwrap(), "too much after {looks} looks");
                assert!(store.is_subset(initial, &reached).unwrap(), "without the beginning after {looks} looks");
            }
        }
    }
    assert!(run(store).unwrap() == *all, "the result is another after many stops");
}

#[test]
fn closures_that_are_stopped() {
    let mut right = 0;
    for seed in seeds(3000) {
        let rng = &mut Rng::new(seed + 77_000);
        let shape = any_shape(rng);
        let terms = (0..=rng.below(3)).map(|_| bounded(rng, &shape, 2)).collect();
        let case = Case { set: shape.set(rng, 2), terms };
        // The tests' own inductive homomorphisms do not pass errors on.
        if format!("{case:?}").contains("Inductive") {
            continue;
        }
        refuel(20_000);
        let expected = match reach(&case.set, &case.terms) {
            Ok(expected) if !case.set.is_empty() => expected,
            Ok(_) | Err(Stop::Undefined | Stop::TooMuch) => continue,
        };
        let mut store = Store::new();
        let homs = build_all(&mut store, &case.terms);
        let (initial, all) = (build(&mut store, &case.set), build(&mut store, &expected));
        let strategy = Strategy::ALL[seed as usize % 5];
        stop_everywhere(&mut store, &all, &initial, |store| store.reachable(&initial, &homs, strategy));
        // Within a bound, what is in the bound has to be found first.
        let zero = store.zero();
        stop_everywhere(&mut store, &all, &zero, |store| store.reachable_within(&initial, &homs, &all));
        let back = match store.can_reach(&initial, &homs, &all) {
            Ok(back) => back,
            Err(Error::NoInverse { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        stop_everywhere(&mut store, &back, &zero, |store| store.can_reach(&initial, &homs, &all));
        let found = store.reachable(&initial, &homs, Strategy::Saturation).unwrap();
        expect(&mut store, &found, &expected).unwrap();
        right += 1;
    }
    assert!(right > 350, "{right}");
}
