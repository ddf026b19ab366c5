//! Questions about a set: states one by one, membership, values, pictures. Compared with plain sets.

use std::collections::BTreeSet;

use mandala_diagram::{Contribution, Diagram, Error, State, Store, Value, Weight};

type Outcome = Result<(), Error>;

/// A state without any trick, ordered as states should be.
type Plain = Vec<(u32, PlainValue)>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PlainValue {
    Integer(i32),
    /// The ends are far away where there are none.
    Range(i64, i64),
    State(Plain),
}

const FAR: i64 = 1 << 40;

fn state_of(plain: &Plain) -> State {
    let end = |end: i64| i32::try_from(end).ok();
    plain.iter().fold(State::new(), |state, (variable, value)| match value {
        PlainValue::Integer(value) => state.with(*variable, *value),
        PlainValue::Range(low, high) => state.with(*variable, Value::Range { low: end(*low), high: end(*high) }),
        PlainValue::State(inner) => state.with(*variable, &state_of(inner)),
    })
}

/// The set of one state by the constructors of sets, not by `diagram_of`.
fn set_of(store: &mut Store, plain: &Plain) -> Result<Diagram, Error> {
    let mut set = store.one();
    for (variable, value) in plain.iter().rev() {
        set = match value {
            PlainValue::Integer(value) => store.assign(*variable, *value, &set)?,
            PlainValue::Range(low, high) => {
                let end = |end: i64| end.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                let label = store.integers(end(*low)..=end(*high))?;
                store.assign_set(*variable, &label, &set)?
            }
            PlainValue::State(inner) => {
                let label = set_of(store, inner)?;
                store.assign_set(*variable, &label, &set)?
            }
        };
    }
    Ok(set)
}

fn union(store: &mut Store, plain: &BTreeSet<Plain>) -> Result<Diagram, Error> {
    let sets = plain.iter().map(|state| set_of(store, state)).collect::<Result<Vec<_>, _>>()?;
    store.union_of(&sets)
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % bound
    }

    /// A state of `length` variables, of which the second has structure and the third is a set of
    /// integers if `depth` allows. Odd values are followed by a variable less.
    fn state(&mut self, depth: u32, length: u32, values: u64) -> Plain {
        let mut state = Plain::new();
        let mut variable = 0;
        while variable < length {
            let value = self.below(values) as i32 - 1;
            let next = match variable % 3 {
                1 if depth > 0 => PlainValue::State(self.state(depth - 1, length, values)),
                // Integers that touch neither of the open ranges: they would be joined.
                2 if depth > 0 => match value {
                    -1 => PlainValue::Range(-FAR, -2),
                    2 => PlainValue::Range(9, FAR),
                    _ => PlainValue::Range(value.into(), value.into()),
                },
                _ => PlainValue::Integer(value),
            };
            let odd = matches!(next, PlainValue::Integer(value) if value % 2 != 0);
            state.push((variable, next));
            variable += if odd { 2 } else { 1 };
        }
        state
    }
}

fn compare(depth: u32, length: u32, values: u64, count: usize, seed: u64) -> Outcome {
    let mut random = Random(seed * 0x9E37_79B9 + 1);
    let mut store = Store::new();
    let plain: BTreeSet<Plain> = (0..count).map(|_| random.state(depth, length, values)).collect();
    let set = union(&mut store, &plain)?;
    assert!(!store.is_undefined(&set));

    let states: Vec<State> = store.states(&set).collect();
    assert_eq!(states, plain.iter().map(state_of).collect::<Vec<_>>(), "seed {seed}");
    assert!(states.is_sorted_by(|a, b| a < b));

    for (state, plain) in states.iter().zip(&plain) {
        assert!(store.contains(&set, state));
        assert_eq!(store.diagram_of(state)?, set_of(&mut store, plain)?);
        assert_eq!(&state.assignments().collect::<State>(), state);
    }
    for _ in 0..count {
        let other = random.state(depth, length, values);
        assert_eq!(store.contains(&set, &state_of(&other)), plain.contains(&other));
    }
    assert!(store.contains(&set, &store.pick(&set).unwrap()));
    for variable in 0..length {
        let values: BTreeSet<i32> = plain.iter().flatten().filter_map(|pair| integer(pair, variable)).collect();
        assert_eq!(store.values(&set, variable), values);
    }
    if depth > 0 {
        let inner = plain.iter().flatten().filter_map(|(variable, value)| match value {
            PlainValue::State(inner) if *variable == 1 => Some(inner.clone()),
            _ => None,
        });
        let inner = union(&mut store, &inner.collect())?;
        assert_eq!(store.labels(&set, 1)?, inner);
    }
    Ok(())
}

fn integer(pair: &(u32, PlainValue), variable: u32) -> Option<i32> {
    match pair.1 {
        PlainValue::Integer(value) if pair.0 == variable => Some(value),
        _ => None,
    }
}

#[test]
fn flat_sets() -> Outcome {
    (1..60).try_for_each(|seed| compare(0, 1 + seed as u32 % 7, 2 + seed % 4, 1 + seed as usize * 3, seed))
}

#[test]
fn nested_sets() -> Outcome {
    (1..120)
        .try_for_each(|seed| compare(1 + seed as u32 % 3, 2 + seed as u32 % 3, 2 + seed % 3, 3 + seed as usize, seed))
}

/// `contains` is a subset of `diagram_of`, also for ranges that arcs share out among them.
#[test]
fn ranges_are_contained_as_a_whole() -> Outcome {
    let mut random = Random(7);
    let (mut inside, mut outside) = (0, 0);
    let range = |random: &mut Random| {
        let low = random.below(4) as i64;
        PlainValue::Range(low, if random.below(4) == 0 { FAR } else { low + random.below(5) as i64 })
    };
    for _ in 0..300 {
        let mut store = Store::new();
        let mut state = || -> Plain {
            let inner = vec![(0, range(&mut random)), (1, range(&mut random))];
            vec![(0, range(&mut random)), (1, PlainValue::State(inner)), (2, range(&mut random))]
        };
        let plain: BTreeSet<Plain> = (0..8).map(|_| state()).collect();
        let set = union(&mut store, &plain)?;
        for _ in 0..20 {
            let other = state();
            let box_set = set_of(&mut store, &other)?;
            let subset = store.is_subset(&box_set, &set)?;
            assert_eq!(store.contains(&set, &state_of(&other)), subset);
            *if subset { &mut inside } else { &mut outside } += 1;
        }
        for state in store.states(&set).take(2000) {
            assert!(store.contains(&set, &state));
        }
    }
    assert!(inside > 100 && outside > 100, "{inside} {outside}");
    Ok(())
}

#[test]
fn a_range_without_integers() -> Outcome {
    let mut store = Store::new();
    let all = store.integers(..)?;
    let one = store.one();
    let set = store.assign_set(0, &all, &one)?;
    let state = State::new().with(0, Value::Range { low: Some(3), high: Some(2) });
    assert!(store.diagram_of(&state)?.is_empty());
    assert!(!store.contains(&set, &state));
    assert!(!store.contains(&set, &State::new().with(0, 3)));
    assert_eq!(store.states(&set).map(|state| state.to_string()).collect::<Vec<_>>(), ["0=.."]);
    Ok(())
}

#[test]
fn sets_without_arcs() -> Outcome {
    let mut store = Store::new();
    let (zero, one, top) = (store.zero(), store.one(), store.top());
    assert_eq!(store.states(&one).collect::<Vec<_>>(), [State::new()]);
    assert_eq!(store.pick(&one), Some(State::new()));
    assert_eq!(store.diagram_of(&State::new())?, one);
    assert!(store.contains(&one, &State::new()));
    let integers = store.integers(0..3)?;
    for set in [&zero, &top, &integers] {
        assert_eq!(store.states(set).next(), None);
        assert_eq!(store.pick(set), None);
        assert!(!store.contains(set, &State::new()));
        assert!(store.values(set, 0).is_empty());
    }
    for (set, text) in [(&zero, "\"0\""), (&one, "\"1\""), (&top, "\"⊤\""), (&integers, "\"0..=2\"")] {
        assert!(store.dot(set).to_string().contains(text));
    }
    let inner = store.assign_set(4, &one, &one)?;
    assert_eq!(store.pick(&inner).unwrap().to_string(), "4=[]");
    Ok(())
}

/// Where a set is undefined it has no states, and nobody looks for them there.
#[test]
fn undefined_sets() -> Outcome {
    let mut store = Store::new();
    let (short, long) = (store.state(&[(40, 5)])?, store.state(&[(40, 5), (41, 3)])?);
    let mut dead = store.union(&short, &long)?;
    let mut good = store.state(&[(40, 6)])?;
    // Without care, 2^40 ways lead to ⊤ before the first state.
    for variable in (0..40).rev() {
        let both = [0, 1].map(|value| store.assign(variable, value, &dead).unwrap());
        dead = store.union_of(&both)?;
        good = store.assign(variable, 1, &good)?;
    }
    let set = store.union(&dead, &good)?;
    assert!(store.is_undefined(&set));
    let states: Vec<State> = store.states(&set).collect();
    assert_eq!(states.len(), 1);
    assert_eq!(store.pick(&set).as_ref(), Some(&states[0]));
    assert!(store.contains(&set, &states[0]));
    assert!(store.values(&set, 0).into_iter().eq([1]));
    assert!(store.values(&set, 40).into_iter().eq([6]));
    assert_eq!(store.states(&dead).next(), None);
    assert_eq!(store.pick(&dead), None);
    Ok(())
}

#[test]
fn the_first_of_very_many() -> Outcome {
    let mut store = Store::new();
    let mut set = store.one();
    for variable in (0..600).rev() {
        let arcs = (0..10).map(|value| store.assign(variable, value, &set)).collect::<Result<Vec<_>, _>>()?;
        set = store.union_of(&arcs)?;
    }
    let states: Vec<State> = store.states(&set).take(1000).collect();
    assert!(states.is_sorted_by(|a, b| a < b));
    assert!(states[999].to_string().ends_with("597=9, 598=9, 599=9"));
    Ok(())
}

/// Two sets that tell an even from an odd number of ones, nested: the order of the states has nothing
/// to do with that of the arcs, and there are twice as many states on each level.
fn parity(store: &mut Store, levels: u32) -> Result<Diagram, Error> {
    let (mut even, mut odd) = (store.state(&[(0, 0)])?, store.state(&[(0, 1)])?);
    let (zero, one) = (store.state(&[(1, 0)])?, store.state(&[(1, 1)])?);
    for _ in 0..levels {
        let arcs = [(&even, &zero), (&odd, &one), (&even, &one), (&odd, &zero)];
        let arcs = arcs.map(|(label, child)| store.assign_set(0, label, child).unwrap());
        (even, odd) = (store.union(&arcs[0], &arcs[1])?, store.union(&arcs[2], &arcs[3])?);
    }
    Ok(even)
}

#[test]
fn very_many_nested() -> Outcome {
    let mut store = Store::new();
    let few = parity(&mut store, 6)?;
    let states: BTreeSet<State> = store.states(&few).collect();
    assert_eq!(states.len(), 64);
    let sets = states.iter().map(|state| store.diagram_of(state)).collect::<Result<Vec<_>, _>>()?;
    assert_eq!(store.union_of(&sets)?, few);

    let many = parity(&mut store, 300)?;
    let states: Vec<State> = store.states(&many).take(500).collect();
    assert!(states.is_sorted_by(|a, b| a < b));
    assert!(states.iter().all(|state| store.contains(&many, state)));
    Ok(())
}

fn check_large(store: &mut Store, set: &Diagram) -> Outcome {
    let first = store.states(set).next().unwrap();
    assert!(store.contains(set, &first));
    let picked = store.pick(set).unwrap();
    assert!(store.contains(set, &picked));
    let single = store.diagram_of(&picked)?;
    assert!(store.states(&single).eq([picked.clone()]));
    assert!(store.is_subset(&single, set)?);
    assert!(!picked.clone().to_string().is_empty() && !format!("{picked:?}").is_empty());
    assert_eq!(picked.cmp(&picked.clone()), std::cmp::Ordering::Equal);
    assert!(store.dot(set).to_string().ends_with("}\n"));
    assert!(store.values(set, u32::MAX - 1).is_empty());
    assert!(store.labels(set, u32::MAX - 1)?.is_empty());
    Ok(())
}

#[test]
fn a_hundred_thousand_variables() -> Outcome {
    let mut store = Store::new();
    let mut set = store.one();
    for variable in (0..100_000).rev() {
        let arcs = [0, 1].map(|value| store.assign(variable, value, &set).unwrap());
        set = store.union_of(&arcs)?;
    }
    check_large(&mut store, &set)
}

#[test]
fn twenty_thousand_levels() -> Outcome {
    let mut store = Store::new();
    let set = parity(&mut store, 20_000)?;
    check_large(&mut store, &set)
}

#[test]
fn collection_in_between() -> Outcome {
    let mut store = Store::new();
    store.collect_at_every(1);
    let inner = State::new().with(0, 1).with(1, Value::Range { low: Some(2), high: Some(9) });
    let state = State::new().with(0, &inner).with(1, 4).with(0, &inner).with(2, &State::new());
    let set = store.diagram_of(&state)?;
    assert!(store.contains(&set, &state));
    assert_eq!(store.count(&set).to_string(), "64");
    let labels = store.labels(&set, 0)?;
    assert_eq!(labels, store.diagram_of(&inner)?);
    Ok(())
}

#[test]
fn pictures() -> Outcome {
    let mut store = Store::new();
    let rows = [[0, 1], [2, 1], [5, 1], [6, 3], [7, 3], [8, 3]];
    let rows = rows.map(|[a, b]| store.state(&[(0, a), (1, b)]).unwrap());
    let set = store.union_of(&rows)?;
    let picture = store.dot(&set).name(|variable| format!("\"{variable}\\")).to_string();
    for part in ["\" 0, 2, 5 \"", "\" 6..=8 \"", "label=\"\\\"0\\\\\"", "shape=box, label=\"1\""] {
        assert!(picture.contains(part), "{part} in {picture}");
    }
    assert!(store.dot(&set).to_string().contains("label=\"x1\""));
    let one = store.one();
    let nested = store.assign_set(3, &set, &one)?;
    let nested = store.assign_set(2, &set, &nested)?;
    let picture = store.dot(&nested).to_string();
    assert_eq!(picture.matches("subgraph cluster_").count(), 1);
    assert_eq!(picture.matches("style=dashed").count(), 2);
    Ok(())
}

#[test]
fn ranges_without_an_end_are_infinite() -> Outcome {
    let mut store = Store::new();
    for (set, infinite) in [
        (store.integers(5..)?, true),
        (store.integers(..=5)?, true),
        (store.integers(..)?, true),
        (store.integers(5..i32::MAX)?, false),
    ] {
        assert_eq!(store.count(&set).is_infinite(), infinite, "{}", store.count(&set));
    }
    Ok(())
}

#[test]
fn values_with_structure_have_an_order() {
    let (a, b) = (State::new().with(0, 1), State::new().with(0, 2));
    let (low, high) = (Value::from(&a), Value::from(&b));
    assert!(low < high);
    assert!(low.cmp(&low).is_eq());
    assert!(Value::from(7) < low);
}

#[test]
fn sizes() -> Outcome {
    let mut store = Store::new();
    let states = [store.state(&[(0, 1), (1, 0)])?, store.state(&[(0, 2), (1, 0)])?, store.state(&[(0, 3), (1, 1)])?];
    let set = store.union_of(&states)?;
    // The root with three arcs, two nodes with one each, and the end.
    assert_eq!((store.size(&set).nodes, store.size(&set).arcs), (4, 5));
    Ok(())
}

/// Weights against sums over the states themselves, with a level of hierarchy.
#[test]
fn weights_are_sums_over_states() -> Result<(), Error> {
    let mut store = Store::new();
    let mut all = store.zero();
    let (mut sums, mut seed) = (Vec::new(), 1u32);
    for _ in 0..60 {
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as i32 % 5 - 2
        };
        let (a, b, c, d) = (next(), next(), next(), next());
        let inner = store.state(&[(0, b), (1, c)])?;
        let below = store.state(&[(2, d)])?;
        let below = store.assign_set(1, &inner, &below)?;
        let state = store.assign(0, a, &below)?;
        all = store.union(&all, &state)?;
        let table = if b == 1 { 7 } else { 0 };
        sums.push((i64::from(2 * a - d) + table + i64::from(c), state));
    }
    let inside = Weight::new([(0, Contribution::Table(vec![(1, 7)])), (1, Contribution::Times(1))]);
    let weight =
        Weight::new([(2, Contribution::Times(-1)), (1, Contribution::Inside(inside)), (0, Contribution::Times(2))]);
    let least = sums.iter().map(|sum| sum.0).min();
    let most = sums.iter().map(|sum| sum.0).max();
    assert_eq!(store.extremes(&all, &weight), least.zip(most));
    for (low, high) in [(-3, 4), (0, 0), (2, i64::MAX), (i64::MIN, -1), (5, 4)] {
        let selector = store.weighing(&weight, low, high);
        let selected = store.apply(&selector, &all)?;
        let expected: Vec<_> = sums.iter().filter(|sum| low <= sum.0 && sum.0 <= high).map(|sum| &sum.1).collect();
        assert_eq!(selected, store.union_of(expected)?, "from {low} to {high}");
    }
    let zero = store.zero();
    assert_eq!(store.extremes(&zero, &weight), None);
    Ok(())
}
