//! Homomorphisms backwards, and closure within a bound, against a search on plain sets.

mod common;

use std::collections::BTreeMap;

use common::generate::{any_term, bounded};
use common::term::refuel;
use common::{
    Case, Outcome, Rng, Set, Setup, State, Stop, Tally, Term, any_shape, build, build_all, expect, reach, seeds,
};
use mandala_diagram::{Error, Store};

const FUEL: usize = 60_000;

/// Every second member of a set, or so.
fn some_of(rng: &mut Rng, set: &Set) -> Set {
    set.iter().filter(|_| !rng.one_in(3)).cloned().collect()
}

/// The successors of each state on its own.
fn successors(set: &Set, terms: &[Term]) -> Result<BTreeMap<State, Set>, Stop> {
    let mut all = BTreeMap::new();
    for state in set {
        let mut next = Set::new();
        for term in terms {
            next.extend(term.eval(&Set::from([state.clone()]))?);
        }
        all.insert(state.clone(), next);
    }
    Ok(all)
}

/// Whether the predecessors of some results are those states whose results meet them.
fn check_predecessors(store: &mut Store, case: &Case, seed: u64) -> Outcome {
    common::limit_time(store);
    refuel(FUEL);
    let term = Term::Sequence(case.terms.clone());
    let (results, images) =
        match term.eval(&case.set).and_then(|all| Ok((all, successors(&case.set, std::slice::from_ref(&term))?))) {
            Ok(found) => found,
            Err(stop) => return Outcome::Skipped(stop),
        };
    let targets = some_of(&mut Rng::new(seed), &results);
    let expected: Set =
        images.iter().filter(|(_, image)| !image.is_disjoint(&targets)).map(|(state, _)| state.clone()).collect();
    let (hom, possible, targets) = (term.build(store), build(store, &case.set), build(store, &targets));
    let inverse = match store.predecessors(&hom, &possible) {
        Ok(inverse) => inverse,
        Err(Error::NoInverse { .. }) => return Outcome::Skipped(Stop::Undefined),
        Err(error) => return Outcome::Wrong(error.to_string()),
    };
    let found = store.apply(&inverse, &targets).unwrap();
    match expect(store, &found, &expected) {
        Ok(()) => Outcome::Right,
        Err(message) => Outcome::Wrong(message),
    }
}

/// Whether closures within a part of what can be reached are what a search within it finds.
fn check_within(store: &mut Store, case: &Case, seed: u64) -> Outcome {
    common::limit_time(store);
    refuel(FUEL);
    let rng = &mut Rng::new(seed);
    let reached = match reach(&case.set, &case.terms) {
        Ok(reached) => reached,
        Err(stop) => return Outcome::Skipped(stop),
    };
    let bound = some_of(rng, &reached);
    let next = match successors(&bound, &case.terms) {
        Ok(next) => next,
        Err(stop) => return Outcome::Skipped(stop),
    };
    let homs = build_all(store, &case.terms);
    let (initial, bound_diagram) = (build(store, &case.set), build(store, &bound));

    let found = store.reachable_within(&initial, &homs, &bound_diagram).unwrap();
    let mut expected: Set = case.set.intersection(&bound).cloned().collect();
    loop {
        let more: Set =
            expected.iter().flat_map(|state| &next[state]).filter(|state| bound.contains(*state)).cloned().collect();
        if more.is_subset(&expected) {
            break;
        }
        expected.extend(more);
    }
    if let Err(message) = expect(store, &found, &expected) {
        return Outcome::Wrong(format!("within {bound:?}: {message}"));
    }

    let targets: Set = bound.iter().filter(|_| rng.one_in(4)).cloned().collect();
    let target_diagram = build(store, &targets);
    let found = match store.can_reach(&target_diagram, &homs, &bound_diagram) {
        Ok(found) => found,
        Err(Error::NoInverse { .. }) => return Outcome::Right,
        Err(error) => return Outcome::Wrong(error.to_string()),
    };
    let mut expected = targets.clone();
    loop {
        let more: Set = bound.iter().filter(|state| !next[*state].is_disjoint(&expected)).cloned().collect();
        if more.is_subset(&expected) {
            break;
        }
        expected.extend(more);
    }
    match expect(store, &found, &expected) {
        Ok(()) => Outcome::Right,
        Err(message) => Outcome::Wrong(format!("to reach {targets:?} within {bound:?}: {message}")),
    }
}

#[test]
fn predecessors_of_any_term() {
    let mut tally = Tally::default();
    for seed in seeds(4000) {
        let rng = &mut Rng::new(seed);
        let shape = any_shape(rng);
        let case = Case { set: shape.set(rng, 8), terms: vec![any_term(rng, &shape, 3)] };
        let setup = Setup { period: if seed % 8 == 0 { Some(1 + seed as u32 / 8 % 5) } else { None } };
        tally.add(&case.must("predecessors", |case| check_predecessors(&mut setup.store(), case, seed)));
    }
    assert!(tally.right > 2000, "{tally:?}");
}

#[test]
fn closure_within_a_bound() {
    let mut tally = Tally::default();
    for seed in seeds(4000) {
        let rng = &mut Rng::new(seed + 1_000_000);
        let shape = any_shape(rng);
        let terms = (0..=rng.below(4)).map(|_| bounded(rng, &shape, 2)).collect();
        let case = Case { set: shape.set(rng, 2), terms };
        let setup = Setup { period: if seed % 8 == 0 { Some(1 + seed as u32 / 8 % 5) } else { None } };
        tally.add(&case.must("within a bound", |case| check_within(&mut setup.store(), case, seed)));
    }
    assert!(tally.right > 2000, "{tally:?}");
}
