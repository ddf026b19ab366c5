//! Sets as sets: union, intersection, difference and concatenation against plain ordered sets.
#![allow(missing_docs)]

mod common;

use std::collections::BTreeSet;
use std::rc::Rc;

use common::{
    Rng, Set, Setup, Shape, State, Val, any_shape, build, build_canonically, build_partial, build_slowly, build_state,
    data_variable, expect, flat, is_compatible, member, normalize, partial, seeds, set_of, set_variable,
};
use mandala_diagram::{Diagram, Store};

/// Fails with the input.
macro_rules! ensure {
    ($condition:expr, $($input:expr),+) => {
        if !$condition {
            panic!("{}: {:#?}", stringify!($condition), ($(&$input),+));
        }
    };
}

fn must(store: &mut Store, found: &Diagram, expected: &Set, input: &dyn std::fmt::Debug) {
    if let Err(message) = expect(store, found, expected) {
        panic!("{message}\ninput: {input:#?}");
    }
}

/// Runs a check on many random inputs, a new store now and then.
fn many(seeds: std::ops::Range<u64>, mut check: impl FnMut(&mut Store, &mut Rng)) {
    let mut store = Setup::default().store();
    for seed in seeds {
        if seed % 8 == 0 {
            store = Setup::default().store();
        }
        check(&mut store, &mut Rng::new(seed));
    }
}

#[test]
fn operations_on_compatible_sets() {
    many(seeds(4000), |store, rng| {
        let shape = any_shape(rng);
        let (a, b) = (shape.set(rng, 12), shape.set(rng, 12));
        let (x, y) = (build(store, &a), build(store, &b));
        let union = store.union(&x, &y).unwrap();
        must(store, &union, &(&a | &b), &("union", &a, &b));
        let both = store.union_of([&x, &y]).unwrap();
        ensure!(both == union, a, b);
        let common = store.intersection(&x, &y).unwrap();
        must(store, &common, &(&a & &b), &("intersection", &a, &b));
        let rest = store.difference(&x, &y).unwrap();
        must(store, &rest, &(&a - &b), &("difference", &a, &b));
        ensure!(store.is_subset(&x, &y).unwrap() == a.is_subset(&b), a, b);
        ensure!(store.is_subset(&common, &x).unwrap(), a, b);
        ensure!(store.is_subset(&x, &union).unwrap(), a, b);
        ensure!(!store.is_undefined(&union) && store.undefined_at(&union).is_none(), a, b);
    });
}

#[test]
fn any_way_of_building_gives_the_same_handle() {
    many(seeds(2500), |store, rng| {
        let shape = any_shape(rng);
        let set = shape.set(rng, 16);
        let made = build(store, &set);
        let mut states: Vec<State> = set.iter().cloned().collect();
        rng.shuffle(&mut states);
        let slowly = build_slowly(store, &states);
        ensure!(slowly == made, set, states);
        let canonically = build_canonically(store, &set);
        ensure!(canonically == made, set);
        // In pieces that overlap, each made in some way.
        let mut pieces = Vec::new();
        for _ in 0..=rng.below(5) {
            let piece: Vec<State> =
                (0..rng.below(8)).filter_map(|_| Some(states.get(rng.below(16))?.clone())).collect();
            pieces.push(if rng.one_in(2) { build(store, &piece) } else { build_slowly(store, &piece) });
        }
        pieces.push(made.clone());
        rng.shuffle(&mut pieces);
        ensure!(store.union_of(&pieces).unwrap() == made, set);
        // By taking away from something larger.
        let more = shape.set(rng, 10);
        let (large, extra) = (&set | &more, &more - &set);
        let (large, extra) = (build(store, &large), build(store, &extra));
        ensure!(store.difference(&large, &extra).unwrap() == made, set, more);
        // A set contains its states and no others.
        for state in shape.set(rng, 6).iter().chain(states.first()) {
            let single = build_state(store, state);
            let common = store.intersection(&made, &single).unwrap();
            ensure!(common == if set.contains(state) { single } else { store.zero() }, set, state);
        }
    });
}

#[test]
fn laws() {
    many(seeds(2500), |store, rng| {
        let shape = any_shape(rng);
        let sets = [shape.set(rng, 10), shape.set(rng, 10), shape.set(rng, 10)];
        let [a, b, c] = sets.clone().map(|set| build(store, &set));
        let universe = store.union_of([&a, &b, &c]).unwrap();
        let mut or = |x: &Diagram, y: &Diagram| store.union(x, y).unwrap();
        let (ab, ba, bc) = (or(&a, &b), or(&b, &a), or(&b, &c));
        ensure!(ab == ba, sets);
        ensure!(or(&ab, &c) == or(&a, &bc) && or(&ab, &c) == universe, sets);
        ensure!(or(&a, &a) == a, sets);
        let mut and = |x: &Diagram, y: &Diagram| store.intersection(x, y).unwrap();
        let (a_and_b, a_and_c, b_and_c) = (and(&a, &b), and(&a, &c), and(&b, &c));
        ensure!(a_and_b == and(&b, &a), sets);
        ensure!(and(&a_and_b, &c) == and(&a, &b_and_c), sets);
        ensure!(and(&a, &a) == a, sets);
        ensure!(and(&a, &ab) == a, sets);
        let a_and_bc = and(&a, &bc);
        let mut or = |x: &Diagram, y: &Diagram| store.union(x, y).unwrap();
        ensure!(or(&a_and_b, &a_and_c) == a_and_bc, sets);
        ensure!(or(&a, &a_and_b) == a, sets);
        let a_or_bc = or(&a, &b_and_c);
        let ac = or(&a, &c);
        ensure!(store.intersection(&ab, &ac).unwrap() == a_or_bc, sets);
        // De Morgan within the union of all.
        let mut not = |x: &Diagram| store.difference(&universe, x).unwrap();
        let (not_a, not_b, not_ab, not_a_and_b) = (not(&a), not(&b), not(&ab), not(&a_and_b));
        ensure!(not(&not_a) == a, sets);
        ensure!(store.intersection(&not_a, &not_b).unwrap() == not_ab, sets);
        ensure!(store.union(&not_a, &not_b).unwrap() == not_a_and_b, sets);
        ensure!(store.intersection(&a, &not_a).unwrap().is_empty(), sets);
        ensure!(store.union(&a, &not_a).unwrap() == universe, sets);
        // 0 and differences.
        let zero = store.zero();
        ensure!(store.union(&a, &zero).unwrap() == a && store.union(&zero, &a).unwrap() == a, sets);
        ensure!(store.difference(&a, &zero).unwrap() == a && store.difference(&zero, &a).unwrap().is_empty(), sets);
        ensure!(store.difference(&a, &a).unwrap().is_empty(), sets);
        let without = store.difference(&a, &b).unwrap();
        ensure!(without == store.intersection(&a, &not_b).unwrap(), sets);
        ensure!(store.union(&without, &a_and_b).unwrap() == a, sets);
    });
}

#[test]
fn nary_union() {
    many(seeds(1500), |store, rng| {
        let shape = any_shape(rng);
        let count = rng.below(9);
        let sets: Vec<Set> = (0..count).map(|_| shape.set(rng, 6)).collect();
        let diagrams: Vec<Diagram> = sets.iter().map(|set| build(store, set)).collect();
        let expected = sets.iter().flatten().cloned().collect();
        let found = store.union_of(&diagrams).unwrap();
        must(store, &found, &expected, &sets);
        let mut shuffled = diagrams.clone();
        shuffled.extend(diagrams.first().cloned());
        rng.shuffle(&mut shuffled);
        ensure!(store.union_of(&shuffled).unwrap() == found, sets);
    });
}

/// Rows in ascending order, with only what differs written again, are the union of their states.
#[test]
fn ascending_rows() {
    for seed in seeds(500) {
        let mut rng = Rng::new(seed);
        let variables = rng.below(6);
        let rows: Vec<Vec<i32>> =
            (0..rng.below(30)).map(|_| (0..variables).map(|_| rng.below(3) as i32 - 1).collect()).collect();
        let mut store = Store::new();
        let state = |row: &Vec<i32>| (0..).zip(row.iter().copied()).collect::<Vec<(u32, i32)>>();
        let states: Vec<Diagram> = rows.iter().map(|row| store.state(&state(row)).unwrap()).collect();
        let expected = store.union_of(&states).unwrap();
        let mut sorted = rows.clone();
        sorted.sort();
        let mut last: Option<&Vec<i32>> = None;
        let mut next = sorted.iter();
        let ascending = store.ascending(variables, |row| {
            let values = next.next()?;
            let same = |last: &Vec<i32>| last.iter().zip(values).take_while(|(a, b)| a == b).count();
            let first = last.map_or(0, same);
            row[first..].copy_from_slice(&values[first..]);
            last = Some(values);
            Some(first)
        });
        assert_eq!(ascending.unwrap(), expected, "seed {seed}: {rows:?}");
        let mut next = sorted.iter().rev();
        let descending = store.ascending(variables, |row| {
            row.copy_from_slice(next.next()?);
            Some(0)
        });
        let is_one = sorted.first() == sorted.last();
        assert_eq!(store.is_undefined(&descending.unwrap()), !is_one, "seed {seed}: {rows:?}");
    }
}

#[test]
fn concatenation() {
    many(seeds(1500), |store, rng| {
        let (before, after, last) = (any_shape(rng), any_shape(rng), any_shape(rng));
        let (a, b, c) = (before.set(rng, 6), after.set(rng, 6), last.set(rng, 3));
        let product = |a: &Set, b: &Set| -> Set {
            a.iter().flat_map(|x| b.iter().map(|y| [x.clone(), y.clone()].concat())).collect()
        };
        let expected = product(&a, &b);
        let (x, y, z) = (build(store, &a), build(store, &b), build(store, &c));
        let found = store.concatenation(&x, &y).unwrap();
        // What begins alike may go on differently: {x, xy} followed by something.
        ensure!(is_compatible(&expected), a, b);
        must(store, &found, &expected, &(&a, &b));
        let (left, right) = (store.concatenation(&found, &z).unwrap(), store.concatenation(&y, &z).unwrap());
        ensure!(left == store.concatenation(&x, &right).unwrap(), a, b, c);
        let (zero, one) = (store.zero(), store.one());
        ensure!(store.concatenation(&x, &one).unwrap() == x && store.concatenation(&one, &x).unwrap() == x, a);
        ensure!(store.concatenation(&x, &zero).unwrap().is_empty(), a);
        ensure!(store.concatenation(&zero, &x).unwrap().is_empty(), a);
    });
}

/// States that have little to do with each other.
fn wild_set(rng: &mut Rng, size: usize) -> Set {
    let shapes: Vec<Rc<Shape>> =
        (0..=rng.below(3)).map(|_| if rng.one_in(3) { any_shape(rng) } else { Shape::random(rng, 3, 2) }).collect();
    (0..rng.below(size + 1)).map(|_| rng.pick(&shapes).state(rng)).collect()
}

/// The largest part of a set, from the front, that is compatible.
fn compatible_part(set: &Set) -> Set {
    let mut part = Set::new();
    for state in set {
        part.insert(state.clone());
        if !is_compatible(&part) {
            part.remove(state);
        }
    }
    part
}

#[test]
fn unions_of_incompatible_sets() {
    let mut undefined = 0;
    many(seeds(6000), |store, rng| {
        let set = wild_set(rng, 6);
        let expected = normalize(&partial(&set));
        let is_defined = is_compatible(&set);
        assert_eq!(is_defined, expected.iter().all(|(_, top)| !top), "{set:?}");
        undefined += usize::from(!is_defined);
        let made = build_partial(store, &expected);
        let at_once = build(store, &set);
        ensure!(at_once == made, set, expected, store.undefined_at(&at_once));
        let mut states: Vec<State> = set.iter().cloned().collect();
        for _ in 0..3 {
            rng.shuffle(&mut states);
            let slowly = build_slowly(store, &states);
            ensure!(slowly == made, states, expected, store.undefined_at(&slowly));
            let at_once = build(store, &states);
            ensure!(at_once == made, states, expected, store.undefined_at(&at_once));
        }
        ensure!(store.is_undefined(&made) != is_defined, set);
        match store.undefined_at(&made) {
            None => ensure!(is_defined, set),
            Some(path) => {
                let is_path = |(state, top): &(State, bool)| {
                    *top && state.len() == path.len()
                        && state.iter().zip(&path).all(|((variable, value), (other, taken))| {
                            variable == other
                                && match value {
                                    Val::Int(value) => *taken == Some(*value),
                                    Val::State(_) => taken.is_none(),
                                }
                        })
                };
                ensure!(expected.iter().any(is_path), set, path);
            }
        }
        // What is defined of it counts; ⊤ counts as nothing.
        let defined = expected.iter().filter(|(_, top)| !top).count();
        ensure!(store.count(&made).to_string() == defined.to_string(), set);
    });
    assert!(undefined > 2000, "{undefined}");
}

#[test]
fn union_is_associative_also_with_undefined_parts() {
    many(seeds(3000), |store, rng| {
        let sets = [wild_set(rng, 4), wild_set(rng, 4), wild_set(rng, 4)];
        let [a, b, c] = sets.clone().map(|set| build(store, &set));
        let mut or = |x: &Diagram, y: &Diagram| store.union(x, y).unwrap();
        let (ab, bc, ac) = (or(&a, &b), or(&b, &c), or(&a, &c));
        ensure!(ab == or(&b, &a), sets);
        let all = or(&ab, &c);
        ensure!(all == or(&a, &bc) && all == or(&c, &ab) && all == or(&ac, &b) && all == or(&b, &ac), sets);
        ensure!(or(&all, &a) == all && or(&all, &all) == all, sets);
        ensure!(store.union_of([&c, &a, &b]).unwrap() == all, sets);
        ensure!(store.union_of([&b, &ac, &a]).unwrap() == all, sets);
    });
}

#[test]
fn intersections_and_differences_of_incompatible_sets() {
    let mut apart = 0;
    many(seeds(6000), |store, rng| {
        let a = compatible_part(&wild_set(rng, 8));
        let mut b = wild_set(rng, 6);
        // Some of `a` as well, so that there is something in common.
        b.extend(a.iter().filter(|_| rng.one_in(2)).cloned());
        let b: Set = {
            let mut states: Vec<State> = b.into_iter().collect();
            rng.shuffle(&mut states);
            let mut part = Set::new();
            for state in states {
                part.insert(state.clone());
                if !is_compatible(&part) {
                    part.remove(&state);
                }
            }
            part
        };
        apart += usize::from(!is_compatible(&(&a | &b)));
        let (x, y) = (build(store, &a), build(store, &b));
        for ((p, u), (q, v)) in [((&a, &x), (&b, &y)), ((&b, &y), (&a, &x))] {
            let common = store.intersection(u, v).unwrap();
            must(store, &common, &(p & q), &("intersection", p, q));
            let rest = store.difference(u, v).unwrap();
            must(store, &rest, &(p - q), &("difference", p, q));
            ensure!(store.is_subset(u, v).unwrap() == p.is_subset(q), p, q);
        }
    });
    assert!(apart > 2000, "{apart}");
}

// ---- Labels that are sets of integers ---------------------------------------------------------

/// Integers near 0, and whether all those far below and far above are there too.
#[derive(Clone, Debug, PartialEq)]
struct Integers {
    below: bool,
    near: BTreeSet<i32>,
    above: bool,
}

const FAR: i32 = 12;

impl Integers {
    fn random(rng: &mut Rng, store: &mut Store) -> (Integers, Diagram) {
        let mut ranges = Vec::new();
        let mut known = Integers { below: false, near: BTreeSet::new(), above: false };
        for _ in 0..rng.below(4) {
            let (low, high) = (rng.range(-10, 10), rng.range(-10, 10));
            let (range, near) = match rng.below(9) {
                0 => (store.integers(..), -FAR..=FAR),
                1 => (store.integers(low..), low..=FAR),
                2 => (store.integers(..=high), -FAR..=high),
                3 => (store.integers(..high), -FAR..=high - 1),
                4 => (store.integers(low..high), low..=high - 1),
                5 => (store.integers(i32::MIN..=high), -FAR..=high),
                6 => (store.integers(low..=i32::MAX), low..=FAR),
                _ => (store.integers(low..=high), low..=high),
            };
            known.below |= *near.start() == -FAR;
            known.above |= *near.end() == FAR;
            known.near.extend(near);
            ranges.push(range.unwrap());
        }
        (known, store.union_of(&ranges).unwrap())
    }

    fn merge(&self, other: &Integers, merge: fn(bool, bool) -> bool) -> Integers {
        let near = (-FAR..=FAR).filter(|value| merge(self.near.contains(value), other.near.contains(value)));
        Integers { below: merge(self.below, other.below), near: near.collect(), above: merge(self.above, other.above) }
    }

    /// Whether a diagram is this set: asked value by value.
    fn is(&self, store: &mut Store, diagram: &Diagram) -> bool {
        let mut has = |value: i32| {
            let one = store.integers(value..=value).unwrap();
            store.intersection(diagram, &one).unwrap() == one
        };
        (-FAR..=FAR).all(|value| has(value) == self.near.contains(&value))
            && [-1000, i32::MIN + 1, -FAR - 1].into_iter().all(|value| has(value) == self.below)
            && [1000, i32::MAX - 1, FAR + 1].into_iter().all(|value| has(value) == self.above)
            && (self.below || self.above || store.count(diagram).to_string() == self.near.len().to_string())
    }
}

#[test]
fn sets_of_integers() {
    many(seeds(2000), |store, rng| {
        let ((a, x), (b, y)) = (Integers::random(rng, store), Integers::random(rng, store));
        ensure!(a.is(store, &x), a);
        ensure!((a == b) == (x == y), a, b);
        let union = store.union(&x, &y).unwrap();
        ensure!(a.merge(&b, |p, q| p | q).is(store, &union), a, b);
        let common = store.intersection(&x, &y).unwrap();
        ensure!(a.merge(&b, |p, q| p & q).is(store, &common), a, b);
        let rest = store.difference(&x, &y).unwrap();
        ensure!(a.merge(&b, |p, q| p & !q).is(store, &rest), a, b);
        let all = store.union_of([&x, &rest, &y]).unwrap();
        ensure!(all == union, a, b);
    });
}

#[test]
fn labels_with_open_ranges() {
    many(seeds(2000), |store, rng| {
        // Two assignments: to a set of integers, then to another. Compared point by point.
        let make = |rng: &mut Rng, store: &mut Store| {
            let (mut parts, mut known) = (Vec::new(), Vec::new());
            for _ in 0..=rng.below(3) {
                let ((a, x), (b, y)) = (Integers::random(rng, store), Integers::random(rng, store));
                let one = store.one();
                let below = store.assign_set(7, &y, &one).unwrap();
                parts.push(store.assign_set(3, &x, &below).unwrap());
                known.push((a, b));
            }
            (known, store.union_of(&parts).unwrap())
        };
        let ((p, x), (q, y)) = (make(rng, store), make(rng, store));
        let has = |known: &[(Integers, Integers)], i: i32, j: i32| {
            let holds = |set: &Integers, value: i32| match value {
                value if value < -FAR => set.below,
                value if value > FAR => set.above,
                value => set.near.contains(&value),
            };
            known.iter().any(|(a, b)| holds(a, i) && holds(b, j))
        };
        let results = [
            (store.union(&x, &y).unwrap(), 0),
            (store.intersection(&x, &y).unwrap(), 1),
            (store.difference(&x, &y).unwrap(), 2),
        ];
        for _ in 0..12 {
            let mut point = || if rng.one_in(4) { *rng.pick(&[-1000, 1000]) } else { rng.range(-FAR, FAR) };
            let (i, j) = (point(), point());
            let state = build_state(store, &vec![(3, member(i)), (7, member(j))]);
            let (u, v) = (has(&p, i, j), has(&q, i, j));
            for (result, operation) in &results {
                let expected = [u || v, u && v, u && !v][*operation];
                let found = store.intersection(result, &state).unwrap() == state;
                ensure!(found == expected, operation, p, q, i, j);
            }
        }
        // Set algebra on the handles.
        let [union, common, rest] = results.map(|(result, _)| result);
        let other = store.difference(&y, &x).unwrap();
        ensure!(store.union_of([&rest, &common, &other]).unwrap() == union, p, q);
        let without = store.difference(&union, &y).unwrap();
        ensure!(without == rest, p, q);
    });
}

// ---- Points that are easy to get wrong --------------------------------------------------------

#[test]
fn a_node_is_known_by_its_kind() {
    let mut store = Store::new();
    // Integers and sets whose numbers are alike.
    let mut sets = Vec::new();
    for value in -3..12 {
        sets.push(flat(&[(1, value)]));
    }
    let mut all: Vec<Set> = sets.iter().map(|state| set_of([state.clone()])).collect();
    for state in &sets {
        all.push(set_of([vec![(1, Val::State(state.clone()))]]));
    }
    for value in -3..12 {
        all.push(set_of([vec![(1, member(value))]]));
        all.push(set_of([vec![(1, member(value)), (1, member(value))]]));
    }
    let diagrams: Vec<Diagram> = all.iter().map(|set| build(&mut store, set)).collect();
    for (i, a) in diagrams.iter().enumerate() {
        for (j, b) in diagrams.iter().enumerate() {
            assert_eq!(a == b, all[i] == all[j], "{:?} {:?}", all[i], all[j]);
        }
    }
}

#[test]
fn extreme_values() {
    let mut store = Store::new();
    let values = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
    let set = set_of(values.iter().flat_map(|&x| values.iter().map(move |&y| flat(&[(0, x), (1, y)]))));
    let all = build(&mut store, &set);
    expect(&mut store, &all, &set).unwrap();
    let low = set_of(set.iter().filter(|state| state[0].1 < Val::Int(0)).cloned());
    let part = build_slowly(&mut store, &low);
    let rest = store.difference(&all, &part).unwrap();
    expect(&mut store, &rest, &(&set - &low)).unwrap();
}

#[test]
fn labels_that_differ_only_below() {
    // The same label before many continuations, many labels before one.
    let mut store = Store::new();
    let inner = data_variable(0);
    let mut set = Set::new();
    for i in 0..6 {
        for j in 0..6 {
            if (i * j) % 3 != 1 {
                set.insert(vec![
                    (set_variable(0), Val::State(flat(&[(inner, i)]))),
                    (set_variable(1), Val::State(flat(&[(inner, j)]))),
                ]);
            }
        }
    }
    let made = build_slowly(&mut store, &set);
    expect(&mut store, &made, &set).unwrap();
    assert_eq!(made, build_canonically(&mut store, &set));
    // The rows are of three kinds, so the partition has three parts... or two, if two agree.
    let rows: BTreeSet<Vec<bool>> = (0..6).map(|i| (0..6).map(|j| (i * j) % 3 != 1).collect()).collect();
    assert_eq!(rows.len(), 3);
}

/// What is undefined is no set: not even its difference from itself is empty.
#[test]
fn an_undefined_set_without_itself_is_undefined() {
    let mut store = Store::new();
    let set = build(&mut store, &set_of([flat(&[(0, 0), (1, 1)]), flat(&[(0, 0), (2, 1)])]));
    assert!(store.is_undefined(&set));
    let rest = store.difference(&set, &set).unwrap();
    assert!(store.is_undefined(&rest));
}

/// A set of integers is only a label: nothing comes before or after it.
#[test]
fn integers_are_no_sequences() {
    let mut store = Store::new();
    let (integers, state) = (store.integers(0..=1).unwrap(), store.state(&[(0, 1)]).unwrap());
    for (a, b) in [(&integers, &state), (&state, &integers), (&integers, &integers)] {
        let both = store.concatenation(a, b).unwrap();
        assert!(store.is_undefined(&both));
    }
    let one = store.one();
    assert_eq!(store.concatenation(&integers, &one).unwrap(), integers);
}
