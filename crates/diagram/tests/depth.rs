//! Depth is not bounded by the machine's stack: 20,000 nested levels and 100,000 variables in a row.
//!
//! The tests run in threads with the default stack of two megabytes.

use mandala_diagram::{Diagram, Error, Hom, Store, Strategy, ValueMap, Variable};

const ROW: Variable = 100_000;
const LEVELS: usize = 20_000;

/// One token that moves to the next variable.
fn step(store: &mut Store, from: Variable, to: Variable) -> Hom {
    let take = store.value(from, ValueMap::equal(1));
    let clear = store.value(from, ValueMap::assign(0));
    let put = store.value(to, ValueMap::assign(1));
    store.sequence([&take, &clear, &put])
}

fn nested(store: &mut Store, inner: &Diagram) -> Result<Diagram, Error> {
    let one = store.one();
    let mut state = inner.clone();
    for _ in 0..LEVELS {
        state = store.assign_set(0, &state, &one)?;
    }
    Ok(state)
}

fn nested_hom(store: &mut Store, inner: &Hom) -> Hom {
    let mut hom = inner.clone();
    for _ in 0..LEVELS {
        hom = store.local(0, &hom);
    }
    hom
}

#[test]
fn a_long_row() -> Result<(), Error> {
    let mut store = Store::new();
    let zeros: Vec<_> = (0..ROW).map(|variable| (variable, 0)).collect();
    let mut first = zeros.clone();
    first[0].1 = 1;
    let mut last = zeros.clone();
    last[ROW as usize - 1].1 = 1;
    let (zeros, first, last) = (store.state(&zeros)?, store.state(&first)?, store.state(&last)?);

    let both = store.union(&first, &last)?;
    assert_eq!(store.intersection(&both, &first)?, first);
    assert_eq!(store.difference(&both, &first)?, last);
    assert_eq!(store.count(&both).to_string(), "2");
    assert_eq!(store.union_of([&zeros, &first, &last])?, store.union(&both, &zeros)?);
    let twice = store.concatenation(&both, &both)?;
    assert_eq!(store.count(&twice).to_string(), "4");

    let jump = step(&mut store, 0, ROW - 1);
    assert_eq!(store.apply(&jump, &first)?, last);
    for strategy in Strategy::ALL {
        assert_eq!(store.reachable(&first, [&jump], strategy)?, both, "{strategy:?}");
    }
    assert_eq!(store.reachable_within(&first, [&jump], &both)?, both);
    let back = store.predecessors(&jump, &both)?;
    assert_eq!(store.apply(&back, &last)?, first);
    assert_eq!(store.can_reach(&last, [&jump], &both)?, both);
    Ok(())
}

#[test]
fn many_transitions_in_a_long_row() -> Result<(), Error> {
    const LENGTH: Variable = 3_000;
    let mut store = Store::new();
    let initial: Vec<_> = (0..LENGTH).map(|variable| (variable, i32::from(variable == 0))).collect();
    let initial = store.state(&initial)?;
    let transitions: Vec<Hom> = (1..LENGTH).map(|to| step(&mut store, to - 1, to)).collect();
    let states = store.reachable(&initial, &transitions, Strategy::Saturation)?;
    assert_eq!(store.count(&states).to_string(), LENGTH.to_string());
    Ok(())
}

#[test]
fn a_deep_hierarchy() -> Result<(), Error> {
    let mut store = Store::new();
    let (low, high) = (store.state(&[(0, 0), (1, 3)])?, store.state(&[(0, 3), (1, 0)])?);
    let (low, high) = (nested(&mut store, &low)?, nested(&mut store, &high)?);
    let both = store.union(&low, &high)?;
    assert_eq!(store.intersection(&both, &low)?, low);
    assert_eq!(store.difference(&both, &low)?, high);
    assert_eq!(store.count(&both).to_string(), "2");

    let (up, down) = (store.value(0, ValueMap::add(1)), store.value(1, ValueMap::add(-1)));
    let (up_to, down_to) = (store.value(0, ValueMap::at_most(2)), store.value(1, ValueMap::at_least(1)));
    let step = store.sequence([&up_to, &down_to, &up, &down]);
    let step = nested_hom(&mut store, &step);
    let all = store.reachable(&low, [&step], Strategy::Saturation)?;
    assert_eq!(store.count(&all).to_string(), "4");
    for strategy in Strategy::ALL {
        assert_eq!(store.reachable(&low, [&step], strategy)?, all, "{strategy:?}");
    }
    assert_eq!(store.reachable_within(&low, [&step], &all)?, all);
    let back = store.predecessors(&step, &all)?;
    let before = store.apply(&back, &high)?;
    assert_eq!(store.count(&before).to_string(), "1");
    assert_eq!(store.can_reach(&high, [&step], &all)?, all);
    Ok(())
}
