//! Homomorphisms against their definitions on plain sets of sequences.
#![allow(missing_docs)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::generate::{any_term, bounded, bounded_map, selector};
use common::{
    Case, INTEGER, LabelRule, Map, Next, Outcome, Rng, Rule, Rules, Set, Setup, Shape, State, Tally, Term, Val,
    any_shape, build, build_state, check_apply, data_variable, expect, flat, is_compatible, member, seeds, set_of,
    set_variable,
};
use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Label, Limits, Store, Strategy, ValueMap, Variable};

/// Checks the results of many cases.
fn check_many(name: &str, seeds: std::ops::Range<u64>, make: impl Fn(&mut Rng) -> Case) -> Tally {
    common::check_many(name, seeds, make, check_apply)
}

#[test]
fn terms_that_keep_the_shape() {
    let tally = check_many("bounded", seeds(2500), |rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 8);
        let depth = rng.below(5);
        Case { set, terms: vec![bounded(rng, &shape, depth)] }
    });
    assert!(tally.right > 2000);
}

#[test]
fn terms_that_change_the_shape() {
    let tally = check_many("any", seeds(2500), |rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 6);
        let depth = rng.below(5);
        Case { set, terms: vec![any_term(rng, &shape, depth)] }
    });
    assert!(tally.right > 1500);
}

#[test]
fn selectors() {
    check_many("selectors", seeds(1500), |rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 10);
        Case { set, terms: vec![selector(rng, &shape, 3)] }
    });
    for seed in seeds(1000) {
        let mut rng = Rng::new(seed);
        let shape = any_shape(&mut rng);
        let (set, term) = (shape.set(&mut rng, 10), selector(&mut rng, &shape, 3));
        let mut store = Setup::default().store();
        let (a, hom) = (build(&mut store, &set), term.build(&mut store));
        assert!(store.is_selector(&hom), "{term:?}");
        let not = store.not(&hom);
        let (yes, no) = (store.apply(&hom, &a).unwrap(), store.apply(&not, &a).unwrap());
        if store.is_undefined(&yes) || store.is_undefined(&no) {
            assert!(term.eval(&set).is_err(), "{seed}: {set:?} {term:?}");
            continue;
        }
        assert_eq!(store.union(&yes, &no).unwrap(), a, "{seed}: {set:?} {term:?}");
        assert!(store.intersection(&yes, &no).unwrap().is_empty(), "{seed}: {set:?} {term:?}");
        let twice = store.not(&not);
        assert_eq!(store.apply(&twice, &a).unwrap(), yes, "{seed}: {set:?} {term:?}");
        let again = store.apply(&hom, &yes).unwrap();
        assert_eq!(again, yes, "{seed}: {set:?} {term:?}");
    }
}

/// What is said of a homomorphism must hold: a selector's result is a part of its argument, and one
/// that skips a variable is locally invariant on it (definition 6.1).
#[test]
fn what_is_known_of_terms_is_true() {
    let (mut selectors, mut skips) = (0, 0);
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let shape = any_shape(&mut rng);
        let (set, depth) = (shape.set(&mut rng, 6), rng.below(4));
        let term = if rng.one_in(3) { selector(&mut rng, &shape, depth) } else { any_term(&mut rng, &shape, depth) };
        common::term::refuel(30_000);
        let Ok(expected) = term.eval(&set) else { continue };
        let mut store = Setup::default().store();
        let hom = term.build(&mut store);
        if store.is_selector(&hom) {
            selectors += 1;
            assert!(expected.is_subset(&set), "{seed}: {set:?} {term:?}");
        }
        let Some(variable) = set.first().and_then(|state| state.first()).map(|first| first.0) else { continue };
        if variable != INTEGER && store.is_skipping(&hom, variable) {
            skips += 1;
            let mut tails: BTreeMap<(Variable, Val), Set> = BTreeMap::new();
            for state in &set {
                tails.entry(state[0].clone()).or_default().insert(state[1..].to_vec());
            }
            let mut sum = Set::new();
            for (first, tails) in tails {
                let Ok(below) = term.eval(&tails) else { continue };
                sum.extend(below.into_iter().map(|rest| [vec![first.clone()], rest].concat()));
            }
            assert_eq!(sum, expected, "{seed}: {set:?} {term:?} skips {variable}");
        }
    }
    assert!(selectors > 500 && skips > 200, "{selectors} {skips}");
}

/// Chains of value maps on diagrams whose variables ascend, descend, or come in any order.
#[test]
fn chains_in_any_order_of_variables() {
    let tally = check_many("chains", seeds(3000), |rng| {
        let mut variables: Vec<Variable> = (0..4).map(data_variable).collect();
        match rng.below(4) {
            0 => {}
            1 => variables.reverse(),
            2 => rng.shuffle(&mut variables),
            _ => {
                // With repetitions, and some missing.
                let repeated = (0..4).map(|_| *rng.pick(&variables));
                variables = repeated.collect();
            }
        }
        let set = Shape::flat(&variables, 0, 3).set(rng, 10);
        let mut terms = Vec::new();
        for _ in 0..=rng.below(6) {
            let variable = data_variable(rng.below(4) as u32);
            terms.extend(bounded_map(rng, 0, 3).into_iter().map(|map| Term::Value(variable, map)));
        }
        Case { set, terms }
    });
    assert!(tally.undefined + tally.too_much == 0);
}

#[test]
fn the_order_of_independent_steps_does_not_matter() {
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let mut variables: Vec<Variable> = (0..5).map(data_variable).collect();
        rng.shuffle(&mut variables);
        let set = Shape::flat(&variables, 0, 2).set(&mut rng, 12);
        let mut store = Setup::default().store();
        let argument = build(&mut store, &set);
        let terms: Vec<Vec<Term>> = (0..4)
            .map(|i| bounded_map(&mut rng, 0, 2).into_iter().map(|map| Term::Value(data_variable(i), map)).collect())
            .collect();
        let mut results = BTreeSet::new();
        for _ in 0..4 {
            let mut order = terms.clone();
            rng.shuffle(&mut order);
            let hom = Term::Sequence(order.concat()).build(&mut store);
            results.insert(format!("{:?}", store.apply(&hom, &argument).unwrap()));
        }
        assert_eq!(results.len(), 1, "{seed}: {set:?} {terms:?}");
    }
}

// ---- Value maps -------------------------------------------------------------------------------

const EXTREMES: [i32; 12] =
    [i32::MIN, i32::MIN + 1, i32::MIN + 2, -1000, -2, -1, 0, 1, 2, i32::MAX - 2, i32::MAX - 1, i32::MAX];

fn any_value(rng: &mut Rng) -> i32 {
    if rng.one_in(3) { rng.range(-4, 4) } else { *rng.pick(&EXTREMES) }
}

fn any_map(rng: &mut Rng) -> Map {
    let (a, b) = (any_value(rng), any_value(rng));
    match rng.below(10) {
        0 | 1 => Map::Add(a),
        2 => Map::AtLeast(a),
        3 => Map::AtMost(a),
        4 | 5 => Map::Between(a, b),
        6 => Map::Equal(a),
        7 => Map::Assign(a),
        8 => Map::Identity,
        _ => Map::Relation((0..rng.below(5)).map(|_| (any_value(rng), any_value(rng))).collect()),
    }
}

/// The maps one after the other: the values, or `None` if one is no `i32` on the way.
fn follow(maps: &[Map], value: i32) -> Option<BTreeSet<i32>> {
    let mut values = BTreeSet::from([value]);
    for map in maps {
        let mut next = BTreeSet::new();
        for value in values {
            next.extend(map.images(value)?);
        }
        values = next;
    }
    Some(values)
}

fn probes(rng: &mut Rng) -> Vec<i32> {
    let mut probes: Vec<i32> = EXTREMES.into_iter().chain(-6..=6).collect();
    probes.extend((0..6).map(|_| any_value(rng)));
    probes
}

#[test]
fn value_maps_compose() {
    let mut composed = 0;
    for seed in seeds(40_000) {
        let mut rng = Rng::new(seed);
        let maps: Vec<Map> = (0..rng.below(3) + 2).map(|_| any_map(&mut rng)).collect();
        let first = maps[0].build();
        let all = maps[1..].iter().try_fold(first, |map, next| map.then(&next.build()));
        let Some(all) = all else { continue };
        composed += 1;
        for value in probes(&mut rng) {
            match follow(&maps, value) {
                Some(expected) => {
                    assert_eq!(all.apply(value), expected.into_iter().collect::<Vec<_>>(), "{maps:?} of {value}");
                }
                None => assert_eq!(all.apply(value), [], "{maps:?} of {value}"),
            }
        }
    }
    assert!(composed > 10_000, "{composed}");
}

#[test]
fn maps_that_cannot_overflow_always_compose() {
    // Intervals, additions that stay within `i32`, and assignments are one map again.
    for seed in seeds(5000) {
        let mut rng = Rng::new(seed);
        let mut map = ValueMap::between(-100, 100);
        let mut maps = vec![Map::Between(-100, 100)];
        for _ in 0..5 {
            let next = match rng.below(4) {
                0 => Map::Add(rng.range(-50, 50)),
                1 => Map::AtLeast(rng.range(-100, 100)),
                2 => Map::AtMost(rng.range(-100, 100)),
                _ => Map::Between(rng.range(-100, 100), rng.range(-100, 100)),
            };
            maps.push(next.clone());
            let Some(both) = map.then(&next.build()) else { panic!("{maps:?} is not one map") };
            map = both;
        }
        for value in (-120..=120).step_by(7) {
            let expected: Vec<i32> = follow(&maps, value).unwrap().into_iter().collect();
            assert_eq!(map.apply(value), expected, "{maps:?} of {value}");
        }
    }
}

/// A value that is no `i32` makes the result undefined, in whatever way the maps are written, unless
/// the rest of the homomorphism drops the sequence.
#[test]
fn overflow_is_undefined() {
    let (mut defined, mut undefined) = (0, 0);
    for seed in seeds(8000) {
        let mut rng = Rng::new(seed);
        let mut variables: Vec<Variable> = (0..3).map(data_variable).collect();
        rng.shuffle(&mut variables);
        let state: State = variables.iter().map(|&variable| (variable, Val::Int(any_value(&mut rng)))).collect();
        let steps: Vec<(Variable, Map)> =
            (0..=rng.below(4)).map(|_| (data_variable(rng.below(3) as u32), any_map(&mut rng))).collect();
        // By variable: the images, or `None` where one is no `i32`.
        let mut results = Vec::new();
        for (variable, value) in &state {
            let Val::Int(value) = value else { unreachable!() };
            let maps: Vec<Map> = steps.iter().filter(|step| step.0 == *variable).map(|step| step.1.clone()).collect();
            results.push((follow(&maps, *value), maps, *value));
        }
        // What comes after an overflow on the same variable is nobody's business.
        let mut ambiguous = false;
        for (images, maps, value) in &results {
            if images.is_none() {
                let some = follow(&maps[..maps.len() - 1], *value);
                ambiguous |= some.is_none_or(|some| some.len() > 1);
            }
        }
        // Maps that are not one map are a composition: see `an_overflow_is_dropped_by_a_guard_that_does_not_fuse`.
        let is_one =
            |maps: &[Map]| maps.iter().try_fold(ValueMap::identity(), |map, next| map.then(&next.build())).is_some();
        ambiguous |= !results.iter().all(|(_, maps, _)| is_one(maps));
        if ambiguous {
            continue;
        }
        let mut store = Setup::default().store();
        let set = build_state(&mut store, &state);
        let homs: Vec<_> = steps.iter().map(|(variable, map)| store.value(*variable, map.build())).collect();
        let hom = store.sequence(&homs);
        let found = store.apply(&hom, &set).unwrap();
        let nothing = results.iter().any(|(images, ..)| images.as_ref().is_some_and(BTreeSet::is_empty));
        let overflows = results.iter().any(|(images, ..)| images.is_none());
        if nothing {
            assert!(found.is_empty(), "{state:?} {steps:?}");
        } else if overflows {
            undefined += 1;
            assert!(store.is_undefined(&found), "{seed}: {state:?} {steps:?}");
        } else {
            defined += 1;
            let mut expected = Set::from([State::new()]);
            for ((images, ..), (variable, _)) in results.iter().zip(&state) {
                let images = images.as_ref().unwrap();
                let extend = |state: &State, &value: &i32| [&state[..], &[(*variable, Val::Int(value))]].concat();
                expected =
                    expected.iter().flat_map(|state| images.iter().map(move |value| extend(state, value))).collect();
            }
            expect(&mut store, &found, &expected).unwrap_or_else(|message| panic!("{message}\n{state:?} {steps:?}"));
        }
    }
    assert!(defined > 500 && undefined > 100, "{defined} {undefined}");
}

#[test]
fn overflow_in_a_set_of_many_states() {
    let mut store = Store::new();
    let states: Vec<State> = (0..5).map(|i| flat(&[(0, i), (1, i32::MAX - i), (2, i % 2)])).collect();
    let set = build(&mut store, &states);
    let add = store.value(1, ValueMap::add(1));
    // Only i = 0 overflows; it has 0 in variable 2.
    let found = store.apply(&add, &set).unwrap();
    assert!(store.is_undefined(&found));
    assert_eq!(store.undefined_at(&found), Some(vec![(0, Some(0))]));
    for late in [false, true] {
        for guard in [store.value(2, ValueMap::equal(1)), store.value(0, ValueMap::at_least(1))] {
            let both = if late { store.sequence([&add, &guard]) } else { store.sequence([&guard, &add]) };
            let found = store.apply(&both, &set).unwrap();
            assert!(!store.is_undefined(&found), "{late}");
        }
    }
}

/// Sets whose closures are undefined, with how to step.
fn undefined_closure(store: &mut Store, kind: usize) -> (Diagram, Hom) {
    if kind == 0 {
        // An overflow after three steps.
        let initial = store.state(&[(0, i32::MAX - 3), (1, 0)]).unwrap();
        return (initial, store.value(0, ValueMap::add(1)));
    }
    // A queue without its end marker: one more element each time, up to three.
    let initial = store.state(&[(0, 1)]).unwrap();
    let longer = store.prepend(&initial);
    let long = store.state(&[(0, 1), (0, 1), (0, 1)]).unwrap();
    let end = store.intersect(&long);
    let on = store.not(&end);
    (initial, store.sequence([&on, &longer]))
}

#[test]
fn closures_may_be_undefined() {
    for kind in 0..2 {
        for strategy in Strategy::ALL.into_iter().filter(|&strategy| strategy != Strategy::Frontier) {
            let mut store = Setup::default().store();
            let (initial, step) = undefined_closure(&mut store, kind);
            let found = store.reachable(&initial, [&step], strategy).unwrap();
            assert!(store.is_undefined(&found), "{strategy:?}");
        }
    }
}

/// ⊤ without what was reached is ⊤ again and never 0: the frontier must end all the same.
#[test]
fn the_frontier_of_undefined_states_ends() {
    for kind in 0..2 {
        let mut store = Store::new();
        store.set_limits(Limits {
            memory: None,
            deadline: Some(Instant::now() + Duration::from_millis(500)),
            work: None,
        });
        let (initial, step) = undefined_closure(&mut store, kind);
        let found = store.reachable(&initial, [&step], Strategy::Frontier).unwrap();
        assert!(store.is_undefined(&found));
    }
}

#[test]
fn a_guard_keeps_a_closure_defined() {
    for strategy in Strategy::ALL {
        let mut store = Setup::default().store();
        let initial = store.state(&[(0, i32::MAX - 3), (1, 0)]).unwrap();
        let (guard, step) = (store.value(0, ValueMap::at_most(i32::MAX - 1)), store.value(0, ValueMap::add(1)));
        let step = store.sequence([&guard, &step]);
        let found = store.reachable(&initial, [&step], strategy).unwrap();
        assert!(!store.is_undefined(&found), "{strategy:?}");
        assert_eq!(store.count(&found).to_string(), "4", "{strategy:?}");
    }
}

/// A guard that is one chain with the change drops the overflow, wherever its variable is; one that is
/// not may come too late. Then the result is ⊤, which says so; it is never a wrong set.
#[test]
fn an_overflow_is_dropped_or_told() {
    for order in [[(1, 1), (0, i32::MAX)], [(0, i32::MAX), (1, 1)]] {
        let mut store = Store::new();
        let state = store.state(&order).unwrap();
        let (up, guard) = (store.value(0, ValueMap::add(1)), store.value(1, ValueMap::at_least(2)));
        let step = store.sequence([&up, &guard]);
        assert!(store.apply(&step, &state).unwrap().is_empty(), "{order:?}");

        // `add(MIN)` and `at_least(1)` are no single map.
        let (down, guard) = (store.value(1, ValueMap::add(i32::MIN)), store.value(1, ValueMap::at_least(1)));
        let step = store.sequence([&up, &down, &guard]);
        let found = store.apply(&step, &state).unwrap();
        assert!(found.is_empty() || store.is_undefined(&found), "{order:?}");
    }
}

#[test]
fn strategies_agree_where_they_are_defined() {
    let mut store = Store::new();
    let initial = store.state(&[(0, i32::MAX), (1, 1)]).unwrap();
    let up = store.value(0, ValueMap::add(1));
    let guards = [store.value(1, ValueMap::at_least(2)), store.value(1, ValueMap::at_least(3))];
    let guard = store.sum(&guards);
    let step = store.sequence([&up, &guard]);
    for strategy in Strategy::ALL {
        let found = store.reachable(&initial, [&step], strategy).unwrap();
        assert!(found == initial || store.is_undefined(&found), "{strategy:?}");
    }
    let found = store.reachable(&initial, [&step], Strategy::Saturation).unwrap();
    assert_eq!(found, initial);
}

// ---- Maps on labels that are sets of integers ---------------------------------------------------

#[test]
fn value_maps_on_sets_of_integers() {
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let mut store = Setup::default().store();
        // Open at either end, or not.
        let (low, high) = (rng.range(-5, 5), rng.range(-5, 5));
        let (open_low, open_high) = (rng.one_in(3), rng.one_in(3));
        let label = match (open_low, open_high) {
            (false, false) => store.integers(low..=high),
            (true, false) => store.integers(..=high),
            (false, true) => store.integers(low..),
            (true, true) => store.integers(..),
        }
        .unwrap();
        let holds = |value: i64| (open_low || i64::from(low) <= value) && (open_high || value <= i64::from(high));
        let one = store.one();
        let set = store.assign_set(3, &label, &one).unwrap();
        let map = match rng.below(6) {
            0 => Map::Add(rng.range(-9, 9)),
            1 => Map::AtLeast(rng.range(-6, 6)),
            2 => Map::AtMost(rng.range(-6, 6)),
            3 => Map::Between(rng.range(-6, 6), rng.range(-6, 6)),
            4 => Map::Assign(rng.range(-6, 6)),
            _ => Map::Relation((0..4).map(|_| (rng.range(-6, 6), rng.range(-6, 6))).collect()),
        };
        let hom = store.value(3, map.build());
        let found = store.apply(&hom, &set).unwrap();
        let input = format!("{seed}: {map:?} on {open_low} {low}..{high} {open_high}");
        assert!(!store.is_undefined(&found), "{input}");
        let candidates: Vec<i32> = (-40..=40).collect();
        for probe in candidates.iter().copied().filter(|probe| probe.abs() <= 20) {
            let expected = candidates
                .iter()
                .any(|&from| holds(from.into()) && map.images(from).is_some_and(|images| images.contains(&probe)));
            let state = build_state(&mut store, &vec![(3, member(probe))]);
            let has = store.intersection(&found, &state).unwrap() == state;
            assert_eq!(has, expected, "{input}: {probe}");
        }
        // The far ends.
        if let Map::Add(_) = map {
            for (probe, open) in [(-100_000, open_low), (100_000, open_high)] {
                let state = build_state(&mut store, &vec![(3, member(probe))]);
                let has = store.intersection(&found, &state).unwrap() == state;
                assert_eq!(has, open, "{input}: {probe}");
            }
        }
    }
}

// ---- Every constructor, in plain examples -----------------------------------------------------

fn some_sets() -> Vec<Set> {
    let mut rng = Rng::new(5);
    let mut sets: Vec<Set> = (0..40).map(|_| any_shape(&mut rng).set(&mut rng, 8)).collect();
    sets.push(Set::new());
    sets.push(set_of([Vec::new()]));
    sets
}

#[test]
fn constants_and_the_like() {
    for set in some_sets() {
        for other in some_sets().into_iter().take(8) {
            let mut store = Setup::default().store();
            let (argument, given) = (build(&mut store, &set), build(&mut store, &other));
            let nothing = store.zero();
            let identity = store.identity();
            assert_eq!(store.apply(&identity, &argument).unwrap(), argument);
            let null = store.null();
            assert_eq!(store.apply(&null, &argument).unwrap(), nothing);
            let constant = store.constant(&given);
            let expected = if set.is_empty() { nothing } else { given.clone() };
            assert_eq!(store.apply(&constant, &argument).unwrap(), expected, "{set:?} {other:?}");
            // Intersections with anything, of whatever shape.
            let intersect = store.intersect(&given);
            let found = store.apply(&intersect, &argument).unwrap();
            expect(&mut store, &found, &(&set & &other)).unwrap();
            let not = store.not(&intersect);
            let found = store.apply(&not, &argument).unwrap();
            expect(&mut store, &found, &(&set - &other)).unwrap();
            let (prepend, append) = (store.prepend(&given), store.append(&given));
            let (before, after) = (store.apply(&prepend, &argument).unwrap(), store.apply(&append, &argument).unwrap());
            assert_eq!(before, store.concatenation(&given, &argument).unwrap());
            assert_eq!(after, store.concatenation(&argument, &given).unwrap());
        }
    }
}

#[test]
fn empty_lists() {
    let mut store = Store::new();
    let set = store.state(&[(0, 1), (1, 2)]).unwrap();
    let (sum, sequence, closure) = (store.sum([]), store.sequence([]), store.closure([]));
    assert!(store.apply(&sum, &set).unwrap().is_empty());
    assert_eq!(store.apply(&sequence, &set).unwrap(), set);
    assert_eq!(store.apply(&closure, &set).unwrap(), set);
    assert!(store.union_of([]).unwrap().is_empty());
    for strategy in Strategy::ALL {
        assert_eq!(store.reachable(&set, [], strategy).unwrap(), set);
        let identity = store.identity();
        assert_eq!(store.reachable(&set, [&identity], strategy).unwrap(), set);
        let null = store.null();
        assert_eq!(store.reachable(&set, [&null], strategy).unwrap(), set);
        let zero = store.zero();
        assert_eq!(store.reachable(&zero, [&identity], strategy).unwrap(), zero);
    }
}

#[test]
fn a_variable_that_is_missing_drops_the_sequence() {
    let mut store = Store::new();
    let set = store.state(&[(0, 1), (1, 2)]).unwrap();
    let (value, inside) = (store.value(5, ValueMap::identity()), store.identity());
    assert!(store.apply(&value, &set).unwrap().is_empty());
    let local = store.local(5, &inside);
    assert!(store.apply(&local, &set).unwrap().is_empty());
    // Rule 4 of the paper holds only where the variable is met: a closure keeps what a step drops.
    let closure = store.closure([&local]);
    assert_eq!(store.apply(&closure, &set).unwrap(), set);
    let one = store.one();
    assert_eq!(store.apply(&closure, &one).unwrap(), one);
    assert!(store.apply(&local, &one).unwrap().is_empty());
    assert!(store.apply(&value, &one).unwrap().is_empty());
}

#[test]
fn the_first_occurrence_counts() {
    let mut store = Store::new();
    let set = store.state(&[(0, 1), (1, 5), (0, 1)]).unwrap();
    let add = store.value(0, ValueMap::add(1));
    let twice = store.sequence([&add, &add]);
    let expected = store.state(&[(0, 3), (1, 5), (0, 1)]).unwrap();
    assert_eq!(store.apply(&twice, &set).unwrap(), expected);
}

#[test]
fn negation_needs_a_selector() {
    let result = std::panic::catch_unwind(|| {
        let mut store = Store::new();
        let add = store.value(0, ValueMap::add(1));
        store.not(&add);
    });
    assert!(result.is_err());
}

#[test]
fn a_map_on_structure_or_a_local_step_on_data_is_not_defined() {
    // What the library says of it is its own affair, but it must not be a state.
    let mut store = Store::new();
    let inner = store.state(&[(0, 1)]).unwrap();
    let one = store.one();
    let set = store.assign_set(1, &inner, &one).unwrap();
    let value = store.value(1, ValueMap::add(1));
    let found = store.apply(&value, &set).unwrap();
    assert!(found.is_empty() || store.is_undefined(&found));
    let identity = store.value(1, ValueMap::at_least(0));
    let local = store.local(0, &identity);
    let found = store.apply(&local, &inner).unwrap();
    assert!(found.is_empty() || store.is_undefined(&found));
}

// ---- Inductive homomorphisms that change the kind of a variable --------------------------------

/// Replaces the value of a variable by the set of integers from 0 to it, or back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Change {
    ToSet(Variable),
    ToValue(Variable),
}

impl Inductive for Change {
    fn skips(&self, variable: Variable) -> bool {
        let (Change::ToSet(own) | Change::ToValue(own)) = self;
        *own != variable
    }

    fn at_value(&self, store: &mut Store, _: Variable, value: i32) -> Result<Answer, Error> {
        match self {
            Change::ToSet(_) => {
                let label = store.integers(0..=value)?;
                Ok(Answer::to_set(label, store.identity()))
            }
            Change::ToValue(_) => Err(Error::Inductive { message: format!("{value} is a value already") }),
        }
    }

    fn at_label(&self, store: &mut Store, _: Variable, label: &Diagram) -> Result<Answer, Error> {
        let mut moves = Vec::new();
        for value in 0..10 {
            let one = store.integers(value..=value)?;
            if store.is_subset(&one, label)? {
                moves.push((Label::Value(value), store.identity()));
            }
        }
        Ok(Answer::Move(moves))
    }
}

#[test]
fn values_become_sets_and_back() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let mut store = Setup::default().store();
        let mut states = Set::new();
        let (mut as_sets, mut back) = (Set::new(), Set::new());
        for i in 0..4 {
            for j in 0..3 {
                states
                    .insert(order.iter().map(|&variable| (variable, Val::Int([i, j, i][variable as usize]))).collect());
                for k in 0..=j {
                    let with = |value: Val| -> State {
                        let all = [Val::Int(i), value, Val::Int(i)];
                        order.iter().map(|&variable| (variable, all[variable as usize].clone())).collect()
                    };
                    as_sets.insert(with(member(k)));
                    back.insert(with(Val::Int(k)));
                }
            }
        }
        let set = build(&mut store, &states);
        let (to_set, to_value) = (store.inductive(Change::ToSet(1)), store.inductive(Change::ToValue(1)));
        let found = store.apply(&to_set, &set).unwrap();
        expect(&mut store, &found, &as_sets).unwrap();
        let returned = store.apply(&to_value, &found).unwrap();
        expect(&mut store, &returned, &back).unwrap();
        // An error of a user's homomorphism comes out, and the store works on.
        let error = store.apply(&to_value, &set).unwrap_err();
        assert!(matches!(error, Error::Inductive { .. }), "{error}");
        let again = store.apply(&to_set, &set).unwrap();
        assert_eq!(again, found);
        // Both kinds at once are not compatible.
        let both = store.union(&set, &found).unwrap();
        assert!(store.is_undefined(&both));
    }
}

#[test]
fn moves_to_the_same_value_are_united() {
    // x = 0 becomes 1 with y + 1, and 1 with y + 2, and 2 as it is; x = 1 becomes 1 as it is.
    let (x, y) = (data_variable(1), data_variable(0));
    for order in [[x, y], [y, x]] {
        let plus = |delta| Next::Term(Term::Value(y, Map::Add(delta)));
        let cases = BTreeMap::from([
            (0, Rule::Move(vec![(1, plus(1)), (2, Next::Term(Term::Id)), (1, plus(2))])),
            (1, Rule::Move(vec![(1, Next::Term(Term::Id)), (1, Next::Term(Term::Id))])),
        ]);
        let data = BTreeMap::from([(x, (cases, Rule::Drop))]);
        let term =
            Term::Inductive(Arc::new(Rules { data, sets: BTreeMap::new(), one: Set::new(), is_selector: false }));
        let states = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        let set = states.map(|(i, j)| flat(&[(order[0], i), (order[1], j)])).collect();
        let case = Case { set, terms: vec![term] };
        let outcome = case.must("moves", |case| check_apply(&mut Setup::default().store(), case));
        assert_eq!(outcome, Outcome::Right);
    }
}

#[test]
fn labels_may_be_moved_to_nothing() {
    let shape = Shape::nested(&[set_variable(0), set_variable(1)], &Shape::flat(&[0], 0, 2), Rc::new(Shape::End));
    let set: Set = shape.all(100).into_iter().collect();
    assert!(is_compatible(&set));
    for inside in [Term::Null, Term::Value(0, Map::Equal(7)), Term::Value(0, Map::AtLeast(2))] {
        for rule in [
            LabelRule::Move(vec![(inside.clone(), Next::This)]),
            LabelRule::Whole(vec![(inside.clone(), Next::This)]),
            LabelRule::Move(vec![(inside.clone(), Next::Term(Term::Id)), (Term::Id, Next::This)]),
        ] {
            let sets = BTreeMap::from([(set_variable(0), rule)]);
            let one = set_of([Vec::new()]);
            let term = Term::Inductive(Arc::new(Rules { data: BTreeMap::new(), sets, one, is_selector: false }));
            let case = Case { set: set.clone(), terms: vec![term] };
            let outcome = case.must("labels", |case| check_apply(&mut Setup::default().store(), case));
            assert_eq!(outcome, Outcome::Right);
        }
    }
}

/// A fixpoint forgets what a closure keeps.
#[test]
fn a_fixpoint_of_a_sum_without_the_identity_is_no_closure() {
    let mut store = Store::new();
    let (up, stay) = (store.value(0, ValueMap::relation([(0, 1)])), store.value(0, ValueMap::at_least(1)));
    let sum = store.sum([&up, &stay]);
    let fixpoint = store.fixpoint(&sum);
    let (zero, one) = (store.state(&[(0, 0)]).unwrap(), store.state(&[(0, 1)]).unwrap());
    assert_eq!(store.apply(&fixpoint, &zero).unwrap(), one);
}

/// A variable that is data in one diagram may have structure in another.
#[test]
fn a_variable_of_either_kind() {
    let mut store = Store::new();
    let up = store.value(0, ValueMap::add(1));
    for _ in 0..2 {
        let (data, next) = (store.state(&[(0, 1)]).unwrap(), store.state(&[(0, 2)]).unwrap());
        assert_eq!(store.apply(&up, &data).unwrap(), next);
        let (integers, next) =
            (build_state(&mut store, &vec![(0, member(1))]), build_state(&mut store, &vec![(0, member(2))]));
        assert_eq!(store.apply(&up, &integers).unwrap(), next);
    }
}

/// A value that overflows on the way stays undefined, whatever comes after.
#[test]
fn an_overflow_on_the_way_is_not_forgotten() {
    let mut store = Store::new();
    let last = store.state(&[(0, i32::MAX)]).unwrap();
    for next in [ValueMap::add(-5), ValueMap::relation([(0, 1)])] {
        let up = ValueMap::add(5);
        assert_eq!(up.then(&next), None);
        let (up, then) = (store.value(0, up), store.value(0, next));
        let both = store.sequence([&up, &then]);
        let found = store.apply(&both, &last).unwrap();
        assert!(store.is_undefined(&found));
    }
}

/// Also where a closure asks arc by arc, a chain drops an overflow that its other links drop.
#[test]
fn a_chain_in_a_composition_drops_an_overflow() {
    let mut store = Store::new();
    let (initial, other) = (store.state(&[(0, i32::MAX), (1, 1)]).unwrap(), store.state(&[(0, 0), (1, 0)]).unwrap());
    let (up, guard) = (store.value(0, ValueMap::add(1)), store.value(1, ValueMap::equal(0)));
    let within = store.intersect(&other);
    let step = store.sequence([&up, &guard, &within]);
    for strategy in Strategy::ALL {
        assert_eq!(store.reachable(&initial, [&step], strategy).unwrap(), initial, "{strategy:?}");
    }
}

// ---- Found by review ------------------------------------------------------------------------------

/// A homomorphism that holds a handle.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Holds(Diagram);

impl Inductive for Holds {
    fn skips(&self, _: Variable) -> bool {
        true
    }

    fn at_value(&self, _: &mut Store, _: Variable, _: i32) -> Result<Answer, Error> {
        Ok(Answer::Drop)
    }
}

#[test]
fn a_homomorphism_that_holds_a_handle_can_be_collected() {
    let mut store = Store::new();
    let state = store.state(&[(0, 1)]).unwrap();
    let holds = store.inductive(Holds(state));
    drop(holds);
    store.collect();
}

#[test]
fn sets_of_integers_have_no_variables() {
    let mut store = Store::new();
    let integers = store.integers(0..1_000_000).unwrap();
    let assign = store.value(0, ValueMap::assign(3));
    let inverse = store.predecessors(&assign, &integers).unwrap();
    let state = store.state(&[(0, 3)]).unwrap();
    assert!(store.apply(&inverse, &state).unwrap().is_empty());
}

#[test]
fn an_extreme_is_not_an_open_end() {
    let mut store = Store::new();
    let (five, one) = (store.integers(5..=5).unwrap(), store.one());
    let set = store.assign_set(0, &five, &one).unwrap();
    for map in [ValueMap::add(i32::MAX - 5), ValueMap::assign(i32::MIN), ValueMap::relation([(5, i32::MAX)])] {
        let hom = store.value(0, map.clone());
        let found = store.apply(&hom, &set).unwrap();
        assert!(store.is_undefined(&found), "{map:?}");
    }
}

#[test]
fn labels_that_become_undefined_make_the_node_so() {
    let mut store = Store::new();
    let parts = [store.state(&[(0, 0), (1, i32::MAX)]).unwrap(), store.state(&[(0, 1), (1, 0)]).unwrap()];
    let (label, one) = (store.union_of(&parts).unwrap(), store.one());
    let initial = store.assign_set(9, &label, &one).unwrap();
    let (most, up) = (store.value(1, ValueMap::at_least(i32::MAX)), store.value(1, ValueMap::add(1)));
    let inside = store.sequence([&most, &up]);
    let step = store.local(9, &inside);
    for strategy in Strategy::ALL {
        let found = store.reachable(&initial, [&step], strategy).unwrap();
        assert!(store.is_undefined(&found), "{strategy:?}");
    }
}

#[test]
fn an_intersection_with_the_undefined_is_undefined() {
    let mut store = Store::new();
    let (top, initial) = (store.top(), store.state(&[(0, 1), (1, 2)]).unwrap());
    let (meet, assign) = (store.intersect(&top), store.value(0, ValueMap::assign(7)));
    let step = store.sequence([&meet, &assign]);
    for strategy in Strategy::ALL {
        let found = store.reachable(&initial, [&step], strategy).unwrap();
        assert!(store.is_undefined(&found), "{strategy:?}");
    }
}

#[test]
fn a_transition_that_is_not_enabled_undefines_nothing() {
    let mut store = Store::new();
    let initial = store.state(&[(0, 1), (1, 0)]).unwrap();
    // A part is expected where there is a number; but the guard below does not hold.
    let (id, guard) = (store.identity(), store.value(1, ValueMap::at_least(5)));
    let part = store.local(0, &id);
    let step = store.sequence([&part, &guard]);
    assert_eq!(store.reachable(&initial, [&step], Strategy::Saturation).unwrap(), initial);
    assert_eq!(store.reachable_within(&initial, [&step], &initial).unwrap(), initial);
}

#[test]
fn many_sets_of_integers_are_united_at_once() {
    let mut store = Store::new();
    let sets: Vec<Diagram> = (0..20_000).map(|n| store.integers(2 * n..=2 * n).unwrap()).collect();
    let all = store.union_of(&sets).unwrap();
    let one = store.one();
    let set = store.assign_set(0, &all, &one).unwrap();
    assert_eq!(store.count(&set), 20_000);
}
