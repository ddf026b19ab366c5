//! Homomorphisms backwards, and closure within a bound, against a search on plain sets.

mod common;

use std::collections::BTreeMap;

use common::generate::{any_term, bounded};
use common::term::refuel;
use common::{
    Case, Outcome, Rng, Set, Setup, State, Stop, Tally, Term, any_shape, build, build_all, expect, reach, seeds,
};
use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Store, ValueMap, Variable};

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

/// The predecessors of predecessors are the results again, as far as they come from the given states.
#[test]
fn twice_backwards_is_forwards() {
    let mut tally = Tally::default();
    for seed in seeds(2000) {
        let rng = &mut Rng::new(seed + 2_000_000);
        let shape = any_shape(rng);
        let case = Case { set: shape.set(rng, 8), terms: vec![any_term(rng, &shape, 3)] };
        tally.add(&case.must("twice backwards", |case| check_twice(&mut Setup::default().store(), case, seed)));
    }
    assert!(tally.right > 1000, "{tally:?}");
}

fn check_twice(store: &mut Store, case: &Case, seed: u64) -> Outcome {
    common::limit_time(store);
    refuel(FUEL);
    let term = Term::Sequence(case.terms.clone());
    let some = some_of(&mut Rng::new(seed), &case.set);
    let results = match term.eval(&case.set).and_then(|all| Ok((all, term.eval(&some)?))) {
        Ok(results) => results,
        Err(stop) => return Outcome::Skipped(stop),
    };
    let (all, expected) = results;
    let (hom, possible, all, some) =
        (term.build(store), build(store, &case.set), build(store, &all), build(store, &some));
    let again = store.predecessors(&hom, &possible).and_then(|inverse| store.predecessors(&inverse, &all));
    let found = match again.and_then(|again| store.apply(&again, &some)) {
        Ok(found) => found,
        Err(Error::NoInverse { .. }) => return Outcome::Skipped(Stop::Undefined),
        Err(error) => return Outcome::Wrong(error.to_string()),
    };
    match expect(store, &found, &expected) {
        Ok(()) => Outcome::Right,
        Err(message) => Outcome::Wrong(message),
    }
}

// ---- Plain examples -----------------------------------------------------------------------------

/// The states of `possible` that a homomorphism leads to some of `targets`.
fn before(store: &mut Store, hom: &Hom, possible: &Diagram, targets: &Diagram) -> Result<Diagram, Error> {
    let inverse = store.predecessors(hom, possible)?;
    store.apply(&inverse, targets)
}

#[test]
fn additions_without_a_guard() -> Result<(), Error> {
    let mut store = Store::new();
    for (value, delta) in [(3, 1), (3, -1), (i32::MAX - 1, 1), (i32::MIN + 1, -1), (0, i32::MIN), (0, i32::MAX)] {
        let (from, to) = (store.state(&[(0, value)])?, store.state(&[(0, value + delta)])?);
        let step = store.value(0, ValueMap::add(delta));
        assert_eq!(before(&mut store, &step, &from, &to)?, from, "{value} {delta}");
    }
    Ok(())
}

/// What a summand makes of the results of another need not go together with the predecessors.
#[test]
fn summands_that_lead_outside_of_the_possible() -> Result<(), Error> {
    let mut store = Store::new();
    let (start, end) = (store.state(&[(0, 0)])?, store.state(&[(0, 5), (1, 1)])?);
    let constant = store.constant(&end);
    let repeated = store.fixpoint(&constant);
    let (up, more) = (store.value(0, ValueMap::relation([(0, 5)])), store.value(1, ValueMap::at_least(0)));
    let longer = store.sequence([&up, &more]);
    for changes_shape in [&constant, &repeated] {
        let sum = store.sum([changes_shape, &longer]);
        assert_eq!(before(&mut store, &sum, &start, &end)?, start);
    }
    Ok(())
}

/// The steps of a fixpoint are undone from the last to the first.
#[test]
fn steps_of_a_fixpoint() -> Result<(), Error> {
    let mut store = Store::new();
    let (start, end) = (store.state(&[(0, 2)])?, store.state(&[(0, 0)])?);
    let mut steps = vec![store.value(0, ValueMap::equal(0))];
    for value in [1, 2] {
        let (at, down) = (store.value(0, ValueMap::equal(value)), store.value(0, ValueMap::assign(value - 1)));
        steps.push(store.sequence([&at, &down]));
    }
    let sum = store.sum(&steps);
    let down = store.fixpoint(&sum);
    assert_eq!(store.apply(&down, &start)?, end);
    assert_eq!(before(&mut store, &down, &start, &end)?, start);
    Ok(())
}

#[test]
fn a_guarded_assignment_to_a_set_of_integers() -> Result<(), Error> {
    let mut store = Store::new();
    let one = store.one();
    let mut set = |range: std::ops::RangeInclusive<i32>| {
        let label = store.integers(range)?;
        store.assign_set(0, &label, &one)
    };
    let (possible, low, seven) = (set(2..=5)?, set(2..=3)?, set(7..=7)?);
    let (guard, assign) = (store.value(0, ValueMap::at_most(3)), store.value(0, ValueMap::assign(7)));
    let step = store.sequence([&guard, &assign]);
    assert_eq!(before(&mut store, &step, &possible, &seven)?, low);
    Ok(())
}

/// Clears a variable; backwards, it goes up step by step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Clear;

impl Inductive for Clear {
    fn skips(&self, variable: Variable) -> bool {
        variable != 0
    }

    fn at_value(&self, store: &mut Store, _: Variable, _: i32) -> Result<Answer, Error> {
        Ok(Answer::to(0, store.identity()))
    }

    fn inverse(&self, store: &mut Store, _: &Diagram) -> Result<Option<Hom>, Error> {
        let (guard, up) = (store.value(0, ValueMap::between(0, 8)), store.value(0, ValueMap::add(1)));
        let up = store.sequence([&guard, &up]);
        Ok(Some(store.closure([&up])))
    }
}

/// An inverse that is a closure is one transition: on its way it may leave the bound.
#[test]
fn an_inverse_that_is_a_closure_is_one_step() -> Result<(), Error> {
    let mut store = Store::new();
    let (zero, five) = (store.state(&[(0, 0)])?, store.state(&[(0, 5)])?);
    let within = store.union(&zero, &five)?;
    let clear = store.inductive(Clear);
    assert_eq!(store.can_reach(&zero, [&clear], &within)?, within);
    let closure = store.closure([&clear]);
    assert_eq!(before(&mut store, &closure, &five, &zero)?, five);
    Ok(())
}

/// A label that a step brought into the bound goes on there on its own.
#[test]
fn labels_go_on_within_one_label_of_the_bound() -> Result<(), Error> {
    let mut store = Store::new();
    let mut states = Vec::new();
    for (label, value) in [(0, 0), (3, 1), (5, 1)] {
        let (label, below) = (store.integers(label..=label)?, store.state(&[(1, value)])?);
        states.push(store.assign_set(0, &label, &below)?);
    }
    let (three, five) = (store.integers(3..=3)?, store.integers(5..=5)?);
    let (at, to) = (store.intersect(&three), store.constant(&five));
    let alone = store.sequence([&at, &to]);
    let alone = store.local(0, &alone);
    let (up, mark) = (store.value(0, ValueMap::relation([(0, 3)])), store.value(1, ValueMap::relation([(0, 1)])));
    let together = store.sequence([&up, &mark]);
    let (labels, zero, one) = (store.integers(0..=9)?, store.state(&[(1, 0)])?, store.state(&[(1, 1)])?);
    let below = store.union(&zero, &one)?;
    let bound = store.assign_set(0, &labels, &below)?;
    let expected = store.union_of(&states)?;
    assert_eq!(store.reachable_within(&states[0], [&alone, &together], &bound)?, expected);
    Ok(())
}

/// What follows the prefixes in a set need not go together.
#[test]
fn rests_after_prefixes_that_do_not_go_together() -> Result<(), Error> {
    let mut store = Store::new();
    let prefixes = [store.state(&[(0, 0)])?, store.state(&[(0, 1)])?];
    let prefixes = store.union_of(&prefixes)?;
    let targets = [store.state(&[(0, 0), (1, 1)])?, store.state(&[(0, 1), (2, 1)])?];
    let (targets, possible) = (store.union_of(&targets)?, store.state(&[(1, 1)])?);
    let prepend = store.prepend(&prefixes);
    assert_eq!(before(&mut store, &prepend, &possible, &targets)?, possible);
    Ok(())
}
