//! The oracle's sets: ordered sets of sequences of assignments, and how to make diagrams of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use mandala_diagram::{Diagram, Store, Variable};

/// A value: an integer, or the state of a variable that has structure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Val {
    Int(i32),
    State(State),
}

/// A sequence of assignments.
pub type State = Vec<(Variable, Val)>;

/// A set of sequences.
pub type Set = BTreeSet<State>;

/// The variable of a sequence that stands for an integer of a label: `[(INTEGER, n)]` is a member of
/// `Store::integers`.
pub const INTEGER: Variable = u32::MAX;

impl fmt::Debug for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Int(value) => write!(f, "Int({value})"),
            Val::State(state) => write!(f, "State(vec!{state:?})"),
        }
    }
}

/// A member of a label that is a set of integers.
pub fn member(value: i32) -> Val {
    Val::State(vec![(INTEGER, Val::Int(value))])
}

/// A flat sequence.
pub fn flat(assignments: &[(Variable, i32)]) -> State {
    assignments.iter().map(|&(variable, value)| (variable, Val::Int(value))).collect()
}

pub fn set_of(states: impl IntoIterator<Item = State>) -> Set {
    states.into_iter().collect()
}

/// A number of a state that depends on all of it.
pub fn weight(state: &State) -> i32 {
    let each = |(_, value): &(Variable, Val)| match value {
        Val::Int(value) => *value,
        Val::State(state) => weight(state).wrapping_add(1),
    };
    state.iter().map(each).fold(0, i32::wrapping_add)
}

/// The sets of tails of a set, by first assignment. Nothing if the set has an empty sequence, or
/// sequences that begin with different variables.
fn by_first(set: &Set) -> BTreeMap<(Variable, Val), Set> {
    let mut groups: BTreeMap<(Variable, Val), Set> = BTreeMap::new();
    for state in set {
        if let Some((first, rest)) = state.split_first() {
            groups.entry(first.clone()).or_default().insert(rest.to_vec());
        }
    }
    groups
}

/// Whether all sequences of a set are compatible (definition 2.2): after the same beginning all end,
/// or all go on with the same variable, of the same kind, and with compatible labels.
pub fn is_compatible(set: &Set) -> bool {
    let (mut ends, mut variables, mut labels) = (false, BTreeSet::new(), Set::new());
    let mut kinds = BTreeSet::new();
    for state in set {
        match state.first() {
            None => ends = true,
            Some((variable, value)) => {
                variables.insert(*variable);
                kinds.insert(matches!(value, Val::Int(_)));
                if let Val::State(label) = value {
                    labels.insert(label.clone());
                }
            }
        }
    }
    if variables.len() > 1 || kinds.len() > 1 || ends && !variables.is_empty() {
        return false;
    }
    variables.is_empty() || is_compatible(&labels) && by_first(set).values().all(is_compatible)
}

/// The diagram of one sequence.
pub fn build_state(store: &mut Store, state: &State) -> Diagram {
    if let [(INTEGER, Val::Int(value))] = state[..] {
        return store.integers(value..=value).unwrap();
    }
    let one = store.one();
    build_before(store, state, one)
}

fn build_before(store: &mut Store, state: &[(Variable, Val)], mut below: Diagram) -> Diagram {
    for (variable, value) in state.iter().rev() {
        below = match value {
            Val::Int(value) => store.assign(*variable, *value, &below).unwrap(),
            Val::State(label) => {
                let label = build_state(store, label);
                store.assign_set(*variable, &label, &below).unwrap()
            }
        };
    }
    below
}

/// The diagram of a set: the union of its members, one by one.
pub fn build_slowly<'a>(store: &mut Store, states: impl IntoIterator<Item = &'a State>) -> Diagram {
    let mut result = store.zero();
    for state in states {
        let state = build_state(store, state);
        result = store.union(&result, &state).unwrap();
    }
    result
}

/// The diagram of a set: the union of its members, all at once.
pub fn build<'a>(store: &mut Store, states: impl IntoIterator<Item = &'a State>) -> Diagram {
    let states: Vec<Diagram> = states.into_iter().map(|state| build_state(store, state)).collect();
    store.union_of(&states).unwrap()
}

/// The diagram of a set, node by node: what the definition says, without the union of sequences.
pub fn build_canonically(store: &mut Store, set: &Set) -> Diagram {
    if set.first().is_some_and(|state| matches!(state.first(), Some((INTEGER, _)))) {
        return build(store, set);
    }
    let mut result = if set.contains(&Vec::new()) { store.one() } else { store.zero() };
    // Labels with the same tails make one arc.
    let mut by_tails: BTreeMap<(Variable, Set), Vec<Val>> = BTreeMap::new();
    for ((variable, value), tails) in by_first(set) {
        by_tails.entry((variable, tails)).or_default().push(value);
    }
    for ((variable, tails), values) in by_tails {
        let below = build_canonically(store, &tails);
        let mut labels = Set::new();
        for value in values {
            match value {
                Val::Int(value) => {
                    let arc = store.assign(variable, value, &below).unwrap();
                    result = store.union(&result, &arc).unwrap();
                }
                Val::State(label) => drop(labels.insert(label)),
            }
        }
        if !labels.is_empty() {
            let label = build_canonically(store, &labels);
            let arc = store.assign_set(variable, &label, &below).unwrap();
            result = store.union(&result, &arc).unwrap();
        }
    }
    result
}

/// A set that may be undefined in places: its sequences, each with whether ⊤ comes after it.
pub type Partial = BTreeSet<(State, bool)>;

/// Puts ⊤ where the sequences of a set are incompatible.
pub fn normalize(set: &Partial) -> Partial {
    let undefined = || BTreeSet::from([(Vec::new(), true)]);
    let (mut variables, mut kinds, mut labels) = (BTreeSet::new(), BTreeSet::new(), Set::new());
    let mut groups: BTreeMap<(Variable, Val), Partial> = BTreeMap::new();
    for (state, top) in set {
        match state.split_first() {
            None if *top => return undefined(),
            None => drop(variables.insert(None)),
            Some((first, rest)) => {
                variables.insert(Some(first.0));
                kinds.insert(matches!(first.1, Val::Int(_)));
                if let Val::State(label) = &first.1 {
                    labels.insert(label.clone());
                }
                groups.entry(first.clone()).or_default().insert((rest.to_vec(), *top));
            }
        }
    }
    if variables.len() > 1 || kinds.len() > 1 || !is_compatible(&labels) {
        return undefined();
    }
    if variables.contains(&None) {
        return set.clone();
    }
    let mut result = Partial::new();
    for (first, tails) in groups {
        for (rest, top) in normalize(&tails) {
            let mut state = vec![first.clone()];
            state.extend(rest);
            result.insert((state, top));
        }
    }
    result
}

pub fn partial(set: &Set) -> Partial {
    set.iter().map(|state| (state.clone(), false)).collect()
}

/// The diagram of a set that may be undefined in places.
pub fn build_partial(store: &mut Store, set: &Partial) -> Diagram {
    let mut states = Vec::new();
    for (state, top) in set {
        let end = if *top { store.top() } else { store.one() };
        states.push(if *top || !is_integer(state) {
            build_before(store, state, end)
        } else {
            build_state(store, state)
        });
    }
    store.union_of(&states).unwrap()
}

fn is_integer(state: &State) -> bool {
    matches!(state[..], [(INTEGER, _)])
}

/// Fails unless a diagram is exactly a set: as handles, by count, and by asking for members.
pub fn expect(store: &mut Store, found: &Diagram, expected: &Set) -> Result<(), String> {
    let made = build(store, expected);
    if store.is_undefined(found) {
        return Err(format!("undefined at {:?}, expected {expected:?}", store.undefined_at(found)));
    }
    if *found != made {
        let (more, less) = (store.difference(found, &made).unwrap(), store.difference(&made, found).unwrap());
        let (count, more, less) = (store.count(found), store.count(&more), store.count(&less));
        return Err(format!("{count} states, {more} too many, {less} too few; expected {expected:?}"));
    }
    if store.count(found).to_string() != expected.len().to_string() {
        return Err(format!("counted {} instead of {}", store.count(found), expected.len()));
    }
    Ok(())
}
