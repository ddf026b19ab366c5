//! Collections: at any moment, and the results are the same.
#![allow(missing_docs)]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::generate::{any_term, bounded, inductive, selector};
use common::{
    Case, Map, Outcome, Partial, Rng, Set, Setup, Shape, Tally, Term, Val, any_shape, build, build_canonically,
    build_partial, build_slowly, check_apply, check_closure, data_variable, expect, flat, normalize, partial, reach,
    seeds, set_of, set_variable,
};
use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Store, Strategy, ValueMap, Variable};

/// How often to collect, seed by seed: mostly at every point.
fn period(seed: u64) -> u32 {
    [1, 1, 1, 2, 3, 7, 50][(seed % 7) as usize]
}

fn setup(seed: u64) -> Setup {
    Setup { period: Some(period(seed)) }
}

/// Checks cases in stores that collect; in a shared one too.
fn check_many(
    name: &str, seeds: std::ops::Range<u64>, check: fn(&mut Store, &Case) -> Outcome, make: impl Fn(&mut Rng) -> Case,
) -> Tally {
    let mut tally = Tally::default();
    let mut store = setup(0).store();
    for seed in seeds {
        if seed % 10 == 0 {
            store = setup(seed).store();
        }
        let case = make(&mut Rng::new(seed));
        let outcome = case.must(&format!("{name} {seed}"), |case| check(&mut setup(seed).store(), case));
        tally.add(&outcome);
        if outcome == Outcome::Right && seed % 3 == 0 {
            let shared = catch_unwind(AssertUnwindSafe(|| check(&mut store, &case)));
            tally.add(&shared.unwrap_or_else(|_| panic!("{name} {seed}, after others: it panicked on {case:?}")));
            if seed % 6 == 0 {
                store.collect();
            }
        }
    }
    eprintln!("{name}: {tally:?}");
    tally
}

#[test]
fn while_sets_are_combined() {
    for seed in seeds(1200) {
        let mut rng = Rng::new(seed);
        let mut store = setup(seed).store();
        let shape = any_shape(&mut rng);
        let sets = [shape.set(&mut rng, 10), shape.set(&mut rng, 10), shape.set(&mut rng, 10)];
        let input = format!("{seed}: {sets:?}");
        let [a, b, c] = sets.clone();
        let (x, y, z) = (build(&mut store, &a), build_slowly(&mut store, &b), build_canonically(&mut store, &c));
        let union = store.union(&x, &y).unwrap();
        expect(&mut store, &union, &(&a | &b)).unwrap_or_else(|message| panic!("{message} {input}"));
        let all = store.union_of([&x, &y, &z]).unwrap();
        expect(&mut store, &all, &(&(&a | &b) | &c)).unwrap_or_else(|message| panic!("{message} {input}"));
        let common = store.intersection(&union, &z).unwrap();
        expect(&mut store, &common, &(&(&a | &b) & &c)).unwrap_or_else(|message| panic!("{message} {input}"));
        let rest = store.difference(&all, &y).unwrap();
        expect(&mut store, &rest, &(&(&a | &c) - &b)).unwrap_or_else(|message| panic!("{message} {input}"));
        let pairs = a.iter().flat_map(|p| c.iter().map(|q| [p.clone(), q.clone()].concat())).collect();
        let both = store.concatenation(&x, &z).unwrap();
        expect(&mut store, &both, &pairs).unwrap_or_else(|message| panic!("{message} {input}"));
        // What was held is as it was.
        for (diagram, set) in [(&x, &a), (&y, &b), (&z, &c)] {
            expect(&mut store, diagram, set).unwrap_or_else(|message| panic!("{message} {input}"));
        }
    }
}

#[test]
fn while_undefined_sets_are_made() {
    for seed in seeds(800) {
        let mut rng = Rng::new(seed);
        let mut store = setup(seed).store();
        let shapes = [Shape::random(&mut rng, 3, 2), Shape::random(&mut rng, 3, 2)];
        let set: Set = (0..rng.below(6)).map(|_| rng.pick(&shapes).state(&mut rng)).collect();
        let expected: Partial = normalize(&partial(&set));
        let found = build_slowly(&mut store, &set);
        assert_eq!(found, build(&mut store, &set), "{seed}: {set:?}");
        assert_eq!(found, build_partial(&mut store, &expected), "{seed}: {set:?}");
    }
}

#[test]
fn while_homomorphisms_are_applied() {
    check_many("bounded", seeds(700), check_apply, |rng| {
        let shape = any_shape(rng);
        let (set, depth) = (shape.set(rng, 5), rng.below(4));
        Case { set, terms: vec![bounded(rng, &shape, depth)] }
    });
    check_many("any", seeds(700), check_apply, |rng| {
        let shape = any_shape(rng);
        let (set, depth) = (shape.set(rng, 5), rng.below(4));
        Case { set, terms: vec![any_term(rng, &shape, depth)] }
    });
    check_many("selectors", seeds(300), check_apply, |rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 8);
        Case { set, terms: vec![selector(rng, &shape, 3)] }
    });
}

#[test]
fn while_closures_are_computed() {
    check_many("flat", seeds(500), check_closure, |rng| {
        let mut variables: Vec<u32> = (0..4).map(data_variable).collect();
        rng.shuffle(&mut variables);
        variables.truncate(rng.below(3) + 2);
        let shape = Shape::flat(&variables, 0, 2);
        let set = shape.set(rng, 2);
        Case { set, terms: (0..=rng.below(3)).map(|_| bounded(rng, &shape, 1)).collect() }
    });
    check_many("any", seeds(700), check_closure, |rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 2);
        Case { set, terms: (0..=rng.below(3)).map(|_| bounded(rng, &shape, 2)).collect() }
    });
    check_many("inductive", seeds(500), check_closure, |rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 2);
        Case { set, terms: (0..=rng.below(2)).map(|_| inductive(rng, &shape, 1)).collect() }
    });
}

/// Larger systems, collected less often.
#[test]
fn while_larger_closures_are_computed() {
    for (seed, period) in [(1, 2), (2, 3), (3, 7), (4, 50), (5, 7), (6, 50), (7, 1), (8, 13)] {
        let mut rng = Rng::new(seed);
        let parts: Vec<u32> = (0..3).map(set_variable).collect();
        let inner = Shape::flat(&[data_variable(1), data_variable(0)], 0, 2);
        let shape = Shape::nested(&parts, &inner, std::rc::Rc::new(Shape::End));
        let set: Set = shape.all(1).into_iter().collect();
        let (x, y) = (data_variable(0), data_variable(1));
        let (low, high) = (Map::AtMost(1), Map::AtLeast(1));
        let (up, down) = (Map::Add(1), Map::Add(-1));
        let mut terms = Vec::new();
        let value = |variable, map: &Map| Term::Value(variable, map.clone());
        for &part in &parts {
            terms.push(Term::local(part, Term::Sequence(vec![value(x, &low), value(x, &up)])));
            terms.push(Term::local(
                part,
                Term::Sequence(vec![value(x, &high), value(x, &down), value(y, &low), value(y, &up)]),
            ));
            let next = parts[rng.below(3)];
            terms.push(Term::Sequence(vec![
                Term::local(part, Term::Sequence(vec![value(y, &high), value(y, &down)])),
                Term::local(next, Term::Sequence(vec![value(x, &low), value(x, &up)])),
            ]));
        }
        let expected = {
            common::term::refuel(1 << 30);
            reach(&set, &terms).unwrap()
        };
        assert!(expected.len() > 300, "{}", expected.len());
        for strategy in Strategy::ALL {
            let mut store = Setup { period: Some(period) }.store();
            let homs: Vec<Hom> = terms.iter().map(|term| term.build(&mut store)).collect();
            let initial = build(&mut store, &set);
            let found = store.reachable(&initial, &homs, strategy).unwrap();
            let mut calm = found.clone();
            expect(&mut store, &found, &expected).unwrap_or_else(|message| panic!("{seed} {strategy:?}: {message}"));
            calm = store.union(&calm, &initial).unwrap();
            assert_eq!(calm, found);
        }
        let mut store = Setup { period: Some(period) }.store();
        let homs: Vec<Hom> = terms.iter().map(|term| term.build(&mut store)).collect();
        let (initial, bound) = (build(&mut store, &set), build(&mut store, &expected));
        assert_eq!(store.reachable_within(&initial, &homs, &bound).unwrap(), bound, "{seed}");
    }
}

/// Handles keep what they hold, and nothing else is kept.
#[test]
fn handles_keep_what_they_hold() {
    for seed in seeds(200) {
        let mut rng = Rng::new(seed);
        let mut store = Setup::default().store();
        let shape = any_shape(&mut rng);
        let mut kept: Vec<(Set, Diagram)> = Vec::new();
        let mut homs: Vec<(Term, Hom)> = Vec::new();
        for _ in 0..12 {
            match rng.below(5) {
                0 | 1 => {
                    let set = shape.set(&mut rng, 8);
                    let diagram = build(&mut store, &set);
                    kept.push((set, diagram));
                }
                2 if !kept.is_empty() => {
                    let at = rng.below(kept.len());
                    kept.swap_remove(at);
                }
                3 => {
                    let term = bounded(&mut rng, &shape, 2);
                    let hom = term.build(&mut store);
                    homs.push((term, hom));
                }
                _ => {
                    if let (Some((set, diagram)), Some((term, hom))) = (kept.last(), homs.last()) {
                        common::term::refuel(30_000);
                        if let Ok(expected) = term.eval(set) {
                            let found = store.apply(hom, diagram).unwrap();
                            expect(&mut store, &found, &expected)
                                .unwrap_or_else(|m| panic!("{seed}: {m} {set:?} {term:?}"));
                            kept.push((expected, found));
                        }
                    }
                }
            }
            store.collect();
            for (set, diagram) in &kept {
                expect(&mut store, diagram, set).unwrap_or_else(|m| panic!("{seed}: {m} {set:?}"));
                assert_eq!(build_slowly(&mut store, set), *diagram);
            }
        }
    }
}

#[test]
fn all_is_freed_that_nobody_holds() {
    for seed in seeds(100) {
        let mut rng = Rng::new(seed);
        let mut store = Setup::default().store();
        let empty = store.statistics().nodes;
        let shape = any_shape(&mut rng);
        let sets: Vec<Set> = (0..4).map(|_| shape.set(&mut rng, 12)).collect();
        let diagrams: Vec<Diagram> = sets.iter().map(|set| build(&mut store, set)).collect();
        // A set alone in a store has so many nodes: what must be left when only it is held.
        let alone: Vec<usize> = sets
            .iter()
            .map(|set| {
                let mut other = Setup::default().store();
                let held = build(&mut other, set);
                other.collect();
                let nodes = other.statistics().nodes;
                drop(held);
                nodes
            })
            .collect();
        for _ in 0..3 {
            let term = bounded(&mut rng, &shape, 2);
            let hom = term.build(&mut store);
            for (set, diagram) in sets.iter().zip(&diagrams) {
                common::term::refuel(10_000);
                if term.eval(set).is_ok() {
                    store.apply(&hom, diagram).unwrap();
                }
            }
        }
        for (i, diagram) in diagrams.iter().enumerate() {
            let _copy = diagram.clone();
            store.collect();
            assert!(store.statistics().nodes >= alone[i], "{seed}");
        }
        let mut last = None;
        for (i, diagram) in diagrams.into_iter().enumerate() {
            last = Some((i, diagram));
        }
        let (i, last) = last.unwrap();
        store.collect();
        assert_eq!(store.statistics().nodes, alone[i], "{seed}: {:?}", sets[i]);
        expect(&mut store, &last, &sets[i]).unwrap();
        drop(last);
        store.collect();
        assert_eq!(store.statistics().nodes, empty, "{seed}");
    }
}

#[test]
fn a_collection_between_steps_changes_nothing() {
    for seed in seeds(400) {
        let mut rng = Rng::new(seed);
        let shape = any_shape(&mut rng);
        let set = shape.set(&mut rng, 4);
        let terms: Vec<Term> = (0..3).map(|_| bounded(&mut rng, &shape, 2)).collect();
        common::term::refuel(30_000);
        let Ok(expected) = reach(&set, &terms) else { continue };
        let mut store = Setup::default().store();
        let homs: Vec<Hom> = terms.iter().map(|term| term.build(&mut store)).collect();
        let mut reached = build(&mut store, &set);
        loop {
            let before = reached.clone();
            for hom in &homs {
                let more = store.apply(hom, &reached).unwrap();
                store.collect();
                reached = store.union(&reached, &more).unwrap();
                drop(more);
                store.collect();
            }
            if reached == before {
                break;
            }
        }
        expect(&mut store, &reached, &expected).unwrap_or_else(|m| panic!("{seed}: {m} {set:?} {terms:?}"));
        let initial = build(&mut store, &set);
        store.collect();
        let closure = store.closure(&homs);
        drop(homs);
        store.collect();
        assert_eq!(store.apply(&closure, &initial).unwrap(), reached, "{seed}: {set:?} {terms:?}");
    }
}

// ---- Found by the above, made small -------------------------------------------------------------

/// Closures get new ids when terms are collected: neither may get the result of the other.
#[test]
fn closures_keep_apart_when_homomorphisms_are_collected() {
    let mut store = Store::new();
    let state = store.state(&[(0, 0), (1, 0)]).unwrap();
    let (x, y) = (store.value(0, ValueMap::assign(1)), store.value(1, ValueMap::assign(1)));
    let closures = [store.closure([&x]), store.closure([&y])];
    store.collect_at_every(1);
    for (closure, other) in closures.iter().zip([[(0, 1), (1, 0)], [(0, 0), (1, 1)]]) {
        let found = store.apply(closure, &state).unwrap();
        expect(&mut store, &found, &set_of([flat(&[(0, 0), (1, 0)]), flat(&other)])).unwrap();
    }
}

fn must_be_right(set: Set, terms: Vec<Term>) {
    let case = Case { set, terms };
    assert_eq!(check_closure(&mut Setup { period: Some(1) }.store(), &case), Outcome::Right);
}

/// A union that collects in the middle keeps both its operands.
#[test]
fn operands_of_a_union_are_kept() {
    let value = |variable, map| Term::Value(variable, map);
    let choice = Term::If(
        Box::new(value(0, Map::AtLeast(1))),
        Box::new(Term::Sum(vec![value(2, Map::AtLeast(-1)), Term::Id])),
        Box::new(value(2, Map::Relation(vec![(1, -1)]))),
    );
    let step = value(0, Map::Relation(vec![(-1, 0), (0, 1)]));
    must_be_right(set_of([flat(&[(2, 1), (0, -1), (2, 1), (2, -1)])]), vec![choice, step]);
}

/// The same where it once gave a state too many, breadth-first.
#[test]
fn operands_of_a_union_are_kept_in_a_wide_search() {
    let first = vec![(2, Val::Int(0)), (5, Val::State(flat(&[(6, 1), (4, 0), (2, 0)]))), (2, Val::Int(-1))];
    let inner = Val::State(vec![
        (1, Val::State(vec![(4, Val::Int(-2)), (7, common::member(-2)), (6, Val::Int(2))])),
        (3, common::member(0)),
        (0, Val::Int(0)),
    ]);
    let other = vec![(2, Val::Int(0)), (5, Val::State(flat(&[(6, 0), (4, 1), (2, -1)]))), (0, Val::Int(0)), (5, inner)];
    let not = Term::Not(Box::new(Term::Value(2, Map::AtMost(-2))));
    must_be_right(set_of([flat(&[(2, -2), (2, -2)]), first]), vec![Term::Constant(set_of([other])), not]);
}

/// A round compares with the one before it, which must be alive.
#[test]
fn the_set_of_the_round_before_is_kept() {
    let value = |variable, map| Term::Value(variable, map);
    let down = Term::If(
        Box::new(Term::Intersect(set_of([flat(&[(0, 3), (4, 0), (6, 0)])]))),
        Box::new(Term::Id),
        Box::new(Term::Sequence(vec![value(0, Map::Between(1, 3)), value(0, Map::Add(-1))])),
    );
    let more = Term::Sequence(vec![value(6, Map::Between(0, 2)), value(6, Map::Add(1))]);
    let up = Term::Sum(vec![
        Term::compose(more, value(0, Map::AtMost(0))),
        Term::Sequence(vec![value(0, Map::Between(0, 2)), value(0, Map::Add(1))]),
    ]);
    must_be_right(set_of([flat(&[(0, 3), (4, 1), (6, 2)])]), vec![down, up]);
}

/// What two labels have in common is kept while what is below them is subtracted.
#[test]
fn labels_in_common_are_kept_in_a_difference() {
    let states = |labels: std::ops::RangeInclusive<i32>, values: &[i32]| -> Set {
        let pairs = labels.flat_map(|label| values.iter().map(move |&value| (label, value)));
        pairs.map(|(label, value)| vec![(0, common::member(label)), (1, Val::Int(value))]).collect()
    };
    let (a, b) = (states(0..=2, &[0, 1]), states(1..=3, &[1, 2]));
    let mut store = Setup { period: Some(1) }.store();
    let (x, y) = (build(&mut store, &a), build(&mut store, &b));
    let rest = store.difference(&x, &y).unwrap();
    expect(&mut store, &rest, &(&a - &b)).unwrap();
}

/// Collects wherever it looks, and forgets all results; otherwise it is the identity.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Collecting;

impl Inductive for Collecting {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, _: Variable, _: i32) -> Result<Answer, Error> {
        store.collect();
        Ok(Answer::Keep(store.inductive(Collecting)))
    }

    fn at_label(&self, store: &mut Store, _: Variable, _: &Diagram) -> Result<Answer, Error> {
        store.collect();
        Ok(Answer::Keep(store.inductive(Collecting)))
    }

    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        store.collect();
        Ok(store.one())
    }
}

/// Remembered results must not be what keeps something alive that an operation still needs.
#[test]
fn while_results_are_forgotten() {
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let shape = any_shape(&mut rng);
        let set = shape.set(&mut rng, 3);
        let terms: Vec<Term> = (0..=rng.below(3)).map(|_| bounded(&mut rng, &shape, 1)).collect();
        common::term::refuel(10_000);
        let Ok(expected) = reach(&set, &terms) else { continue };
        let mut store = Setup { period: (seed % 2 == 0).then_some(1) }.store();
        let mut homs: Vec<Hom> = terms.iter().map(|term| term.build(&mut store)).collect();
        homs.insert(rng.below(homs.len() + 1), store.inductive(Collecting));
        let initial = build(&mut store, &set);
        for strategy in [Strategy::Saturation, Strategy::Rewriting] {
            let found = store.reachable(&initial, &homs, strategy).unwrap();
            expect(&mut store, &found, &expected)
                .unwrap_or_else(|m| panic!("{seed} {strategy:?}: {m} {set:?} {terms:?}"));
        }
        let bound = build(&mut store, &expected);
        let found = store.reachable_within(&initial, &homs, &bound).unwrap();
        expect(&mut store, &found, &expected).unwrap_or_else(|m| panic!("{seed} within: {m} {set:?} {terms:?}"));
    }
}

/// The same for closures that are rewritten, or within a bound.
#[test]
fn other_closures_keep_apart_when_homomorphisms_are_collected() {
    let mut store = Store::new();
    let sets = [[(0, 0), (1, 0)], [(0, 1), (1, 0)], [(0, 0), (1, 1)]].map(|state| set_of([flat(&state)]));
    let [state, x, y] = sets.clone().map(|set| build(&mut store, &set));
    let steps = [store.value(0, ValueMap::assign(1)), store.value(1, ValueMap::assign(1))];
    let bound = store.union_of([&state, &x, &y]).unwrap();
    let expected = [store.union(&state, &x).unwrap(), store.union(&state, &y).unwrap()];
    store.collect_at_every(1);
    for (step, expected) in steps.iter().zip(&expected) {
        assert_eq!(store.reachable(&state, [step], Strategy::Rewriting).unwrap(), *expected);
    }
    for (step, expected) in steps.iter().zip(&expected) {
        assert_eq!(store.reachable_within(&state, [step], &bound).unwrap(), *expected);
    }
}

/// Without being asked, the store frees what nobody holds, in the middle of making it.
#[test]
fn many_are_made_and_few_are_kept() {
    let mut store = Store::new();
    let kept = store.integers(..=7).unwrap();
    for value in 0..200_000 {
        store.integers(value..i32::MAX - 1).unwrap();
        store.value(0, ValueMap::add(value));
        if value % 50_000 == 0 {
            store.state(&[(0, value)]).unwrap();
        }
    }
    let statistics = store.statistics();
    assert!(statistics.collections > 0, "{statistics:?}");
    assert!(statistics.made_nodes > 200_000, "{statistics:?}");
    assert!(statistics.nodes <= statistics.peak_nodes, "{statistics:?}");
    assert!((100_000..190_000).contains(&statistics.peak_nodes), "{statistics:?}");
    assert!(statistics.terms < 190_000, "{statistics:?}");
    assert_eq!(store.integers(..=7).unwrap(), kept);
}
