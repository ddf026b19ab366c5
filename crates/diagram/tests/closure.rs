//! Closures: every strategy gives the states that an explicit search finds.
#![allow(missing_docs)]

mod common;

use std::rc::Rc;

use common::generate::{bounded, bounded_map, inductive, selector};
use common::term::refuel;
use common::{
    Case, Map, Rng, Set, Setup, Shape, Tally, Term, Val, any_shape, build, build_all, check_closure, data_variable,
    expect, flat, reach, seeds, set_of, set_variable,
};
use mandala_diagram::{Error, Limits, Store, Strategy, ValueMap};

/// Checks the closures of many cases.
fn check_many(name: &str, seeds: std::ops::Range<u64>, make: impl Fn(&mut Rng) -> Case) -> Tally {
    common::check_many(name, seeds, make, check_closure)
}

/// A sequence of value maps on some variables, in any order.
fn value_chain(rng: &mut Rng, variables: &[u32], high: i32) -> Term {
    let mut steps = Vec::new();
    for _ in 0..=rng.below(4) {
        let variable = *rng.pick(variables);
        steps.extend(bounded_map(rng, 0, high).into_iter().map(|map| Term::Value(variable, map)));
    }
    Term::Sequence(steps)
}

fn shuffled(rng: &mut Rng, count: usize) -> Vec<u32> {
    let mut variables: Vec<u32> = (0..count as u32).map(data_variable).collect();
    rng.shuffle(&mut variables);
    variables
}

#[test]
fn chains_of_values() {
    let tally = check_many("chains", seeds(1500), |rng| {
        let count = rng.below(3) + 3;
        let variables = shuffled(rng, count);
        let high = if count == 3 { 3 } else { 2 };
        let set = Shape::flat(&variables, 0, high).set(rng, 3);
        let terms = (0..=rng.below(5)).map(|_| value_chain(rng, &variables, high)).collect();
        Case { set, terms }
    });
    assert!(tally.right > 1200);
}

#[test]
fn terms_on_flat_states() {
    let tally = check_many("flat terms", seeds(1200), |rng| {
        let count = rng.below(3) + 2;
        let variables = shuffled(rng, count);
        let shape = Shape::flat(&variables, 0, 2);
        let set = shape.set(rng, 3);
        let terms = (0..=rng.below(4)).map(|_| bounded(rng, &shape, 2)).collect();
        Case { set, terms }
    });
    assert!(tally.right > 900);
}

#[test]
fn inductive_transitions() {
    let tally = check_many("inductive", seeds(1200), |rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 3);
        let terms = (0..=rng.below(3)).map(|_| inductive(rng, &shape, 1)).collect();
        Case { set, terms }
    });
    assert!(tally.right > 700);
}

#[test]
fn terms_on_any_states() {
    let tally = check_many("any", seeds(1500), |rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 3);
        let terms = (0..=rng.below(4)).map(|_| bounded(rng, &shape, 2)).collect();
        Case { set, terms }
    });
    assert!(tally.right > 800);
}

/// Parts that move on their own and together.
fn synchronised(rng: &mut Rng, parts: &[u32], label: &Rc<Shape>, step: impl Fn(&mut Rng) -> Term) -> Vec<Term> {
    let mut terms = Vec::new();
    for &part in parts {
        if !rng.one_in(3) {
            terms.push(Term::local(part, step(rng)));
        }
    }
    for _ in 0..=rng.below(3) {
        let mut steps: Vec<Term> = Vec::new();
        for _ in 0..=rng.below(3) {
            let inside = if rng.one_in(4) { selector(rng, label, 1) } else { step(rng) };
            steps.push(Term::local(*rng.pick(parts), inside));
        }
        terms.push(Term::Sequence(steps));
    }
    terms
}

#[test]
fn nested_systems() {
    let tally = check_many("nested", seeds(1200), |rng| {
        let variables = shuffled(rng, 2);
        let mut parts: Vec<u32> = (0..3).map(set_variable).collect();
        rng.shuffle(&mut parts);
        parts.truncate(rng.below(2) + 2);
        let end = Rc::new(Shape::End);
        let inner = Shape::flat(&variables, 0, 1);
        if rng.one_in(2) {
            let shape = Shape::nested(&parts, &inner, end);
            let set = shape.set(rng, 3);
            let terms = synchronised(rng, &parts, &inner, |rng| value_chain(rng, &variables, 1));
            return Case { set, terms };
        }
        let mut middle_parts: Vec<u32> = (0..2).map(set_variable).collect();
        rng.shuffle(&mut middle_parts);
        let middle = Shape::nested(&middle_parts, &inner, end.clone());
        let shape = Shape::nested(&parts[..2], &middle, end);
        let set = shape.set(rng, 3);
        let terms = synchronised(rng, &parts[..2], &middle, |rng| {
            let terms = synchronised(rng, &middle_parts, &inner, |rng| value_chain(rng, &variables, 1));
            Term::Sum(terms)
        });
        Case { set, terms }
    });
    assert!(tally.right > 800);
}

// ---- Plain examples -----------------------------------------------------------------------------

/// What a system of nested states can reach, by every strategy.
fn must_reach(initial: &Set, terms: &[Term], expected: &Set) {
    let mut store = Setup::default().store();
    let (homs, initial) = (build_all(&mut store, terms), build(&mut store, initial));
    for strategy in Strategy::ALL {
        let found = store.reachable(&initial, &homs, strategy).unwrap();
        expect(&mut store, &found, expected).unwrap_or_else(|message| panic!("{strategy:?}: {message}"));
    }
}

/// An intersection with states of other variables is empty, however much their labels have in common.
#[test]
fn an_intersection_with_states_of_another_variable() {
    let part = |variable, value| vec![(variable, Val::State(flat(&[(0, value)])))];
    let step = Term::Sequence(vec![
        Term::Intersect(set_of([part(2, 0)])),
        Term::local(1, Term::Value(0, Map::Relation(vec![(0, 1)]))),
    ]);
    must_reach(&set_of([part(1, 0)]), &[step], &set_of([part(1, 0)]));
}

/// The label of a node is a part of a closed set, and need not be closed itself. What it becomes is not
/// to be taken for closed elsewhere.
#[test]
fn parts_of_closed_labels_are_closed_before_they_are_fired() {
    let part = |a: i32, b: i32| Val::State(flat(&[(0, a), (1, b)]));
    let state = |top: i32, p: Val, q: i32| vec![(3, Val::Int(top)), (4, p), (5, Val::Int(q))];
    let change = |variable, pairs: &[(i32, i32)]| Term::Value(variable, Map::Relation(pairs.to_vec()));
    let inside = |variable| Term::local(4, change(variable, &[(0, 1)]));
    // From above, and at the node itself.
    let above = vec![Term::Sequence(vec![change(3, &[(0, 1)]), inside(0)])];
    let beside = vec![
        Term::Sequence(vec![change(3, &[(0, 1)]), change(5, &[(0, 2), (1, 2)])]),
        Term::Sequence(vec![inside(0), change(5, &[(2, 3)])]),
    ];
    for mut terms in [above, beside] {
        terms.push(inside(1));
        let mut store = Setup::default().store();
        let homs = build_all(&mut store, &terms);
        // The part goes from (0, 0) to (0, 1), where there are more states below.
        for set in [set_of([state(0, part(0, 0), 0), state(0, part(0, 1), 1)]), set_of([state(1, part(1, 0), 7)])] {
            refuel(10_000);
            let (initial, expected) = (build(&mut store, &set), reach(&set, &terms).unwrap());
            let found = store.reachable(&initial, &homs, Strategy::Saturation).unwrap();
            expect(&mut store, &found, &expected).unwrap();
        }
    }
}

/// What is longer by an assignment does not go together with what it was.
#[test]
fn to_append_again_and_again_is_undefined() {
    for strategy in Strategy::ALL {
        let mut store = Setup::default().store();
        let (initial, more) = (store.state(&[(0, 1)]).unwrap(), store.state(&[(1, 1)]).unwrap());
        let append = store.append(&more);
        let found = store.reachable(&initial, [&append], strategy).unwrap();
        assert!(store.is_undefined(&found), "{strategy:?}");
    }
}

/// A variable with integers as labels that both a value map and a local transition change.
#[test]
fn labels_of_integers_are_closed_after_a_value_map() -> Result<(), Error> {
    let mut store = Store::new();
    let (zero, three, five) = (store.integers(0..=0)?, store.integers(3..=3)?, store.integers(5..=5)?);
    let below = store.state(&[(1, 0)])?;
    let initial = store.assign_set(0, &zero, &below)?;
    let (at, to) = (store.intersect(&three), store.constant(&five));
    let alone = store.sequence([&at, &to]);
    let alone = store.local(0, &alone);
    let (up, mark) = (store.value(0, ValueMap::relation([(0, 3)])), store.value(1, ValueMap::relation([(0, 1)])));
    let together = store.sequence([&up, &mark]);
    for strategy in Strategy::ALL {
        let states = store.reachable(&initial, [&alone, &together], strategy)?;
        assert_eq!(store.count(&states), 3, "{strategy:?}");
    }
    Ok(())
}

/// A label that would grow without end, had the step to it been possible: a later part of the step is not, whether it
/// is a link further down or inside of another label.
#[test]
fn what_is_not_reached_is_not_closed() -> Result<(), Error> {
    let mut store = Store::new();
    store.set_limits(Limits { work: Some(1_000_000), ..Limits::default() });
    let below = store.state(&[(2, 0)])?;
    let inner = store.state(&[(0, 0)])?;
    let second = store.assign_set(1, &inner, &below)?;
    let initial = store.assign_set(0, &inner, &second)?;
    // Inside of either label: from 1 on, upwards without end.
    let from_one = store.value(0, ValueMap::at_least(1));
    let up = store.value(0, ValueMap::add(1));
    let alone = store.sequence([&from_one, &up]);
    let never = store.value(0, ValueMap::at_least(7));
    let (first_alone, second_alone) = (store.local(0, &alone), store.local(1, &alone));
    let (first_up, second_up) = (store.local(0, &up), store.local(1, &up));
    let second_never = store.local(1, &never);
    let below_never = store.value(2, ValueMap::at_least(7));
    let steps = [
        store.sequence([&first_up, &second_never]),
        store.sequence([&first_up, &below_never]),
        store.sequence([&first_up, &second_up, &below_never]),
    ];
    for step in &steps {
        for strategy in Strategy::ALL {
            let states = store.reachable(&initial, [&first_alone, &second_alone, step], strategy)?;
            assert_eq!(states, initial, "{strategy:?}");
        }
    }
    Ok(())
}
