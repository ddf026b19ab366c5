//! The smallest deterministic automaton of an obligation.
//!
//! An *obligation* is a boolean combination of safety properties; its deterministic automaton need not be stronger than
//! weak. The states that an automaton can be in after the same prefix make up such an automaton (Dax, Eisinger and
//! Klaedtke, *Mechanizing the powerset construction for restricted classes of ω-automata*), if it is one: whether a
//! component accepts is seen from any of its cycles, and whether all of that was right by comparing languages. It has
//! one smallest form (Löding, *Efficient minimization of deterministic weak ω-automata*).

use rustc_hash::FxHashMap;

use super::{prune, tidy_marks};
use crate::TooLarge;
use crate::automaton::{Automaton, Components, Edge, Marks, State};
use crate::condition::{Condition, Conditions};

/// With more sets of states than this, the search is given up.
const MAX_SETS: usize = 400;
/// With more letters that lead from one set to different ones than this, too.
const MAX_LETTERS: usize = 300;

/// The smallest deterministic weak automaton for the words of an automaton, given one for all other words. Nothing if
/// the language is no obligation.
pub fn minimal_weak(automaton: &Automaton, complement: &Automaton) -> Result<Option<Automaton>, TooLarge> {
    let (mut sets, subsets) = powerset(automaton)?;
    let accepting = accepting_components(&sets, &subsets, automaton);
    mark(&mut sets, &accepting, true);
    if !sets.intersection(complement)?.is_empty() {
        return Ok(None);
    }
    mark(&mut sets, &accepting, false);
    if !sets.intersection(automaton)?.is_empty() {
        return Ok(None);
    }
    let result = merge(&sets, &colours(&sets, &accepting));
    if result.conditions().is_exhausted() { Err(TooLarge::Conditions) } else { Ok(Some(tidy_marks(prune(result)))) }
}

/// The complete deterministic automaton of the sets of states that a prefix leads to, without acceptance; and the sets.
fn powerset(automaton: &Automaton) -> Result<(Automaton, Vec<Vec<State>>), TooLarge> {
    let mut result = Automaton::with_conditions(automaton.conditions().clone(), 1);
    let mut first = automaton.initial().to_vec();
    first.sort_unstable();
    let mut known: FxHashMap<Vec<State>, State> = FxHashMap::default();
    known.insert(first.clone(), result.add_state());
    result.add_initial(0);
    let mut subsets = vec![first];
    let mut at = 0;
    while at < subsets.len() {
        let edges: Vec<Edge> = subsets[at].iter().flat_map(|&state| automaton.edges(state)).copied().collect();
        for (condition, target) in split(&edges, result.conditions_mut())? {
            let state = *known.entry(target.clone()).or_insert_with(|| {
                subsets.push(target);
                result.add_state()
            });
            result.add_edge(at as State, condition, Marks::NONE, state);
        }
        at += 1;
        if subsets.len() > MAX_SETS {
            return Err(TooLarge::States);
        }
    }
    result.merge_edges();
    Ok((result, subsets))
}

/// Letters that exclude each other, with the targets of the edges that take them.
fn split(edges: &[Edge], conditions: &mut Conditions) -> Result<Vec<(Condition, Vec<State>)>, TooLarge> {
    let mut parts: Vec<(Condition, Vec<State>)> = vec![(Condition::TRUE, Vec::new())];
    for edge in edges {
        let mut next = Vec::new();
        for (letters, targets) in parts {
            let taken = conditions.and(letters, edge.condition);
            let left = conditions.minus(letters, edge.condition);
            if !taken.is_false() {
                let mut more = targets.clone();
                if let Err(place) = more.binary_search(&edge.target) {
                    more.insert(place, edge.target);
                }
                next.push((taken, more));
            }
            if !left.is_false() {
                next.push((left, targets));
            }
        }
        parts = next;
        if parts.len() > MAX_LETTERS || conditions.is_exhausted() {
            return Err(TooLarge::Conditions);
        }
    }
    Ok(parts)
}

/// Whether each state is in a component that accepts, as far as one cycle of it shows.
fn accepting_components(sets: &Automaton, subsets: &[Vec<State>], automaton: &Automaton) -> Vec<bool> {
    let components = Components::new(sets);
    let mut accepting = vec![false; sets.state_count()];
    for component in components.all().iter().filter(|component| component.is_cyclic) {
        let start = component.states[0];
        let word = sets.cycle_word(start, &components);
        if word.is_some_and(|word| word.is_accepted_from(automaton, &subsets[start as usize])) {
            component.states.iter().for_each(|&state| accepting[state as usize] = true);
        }
    }
    accepting
}

/// Marks the edges from the states where a flag has a value.
fn mark(sets: &mut Automaton, flags: &[bool], value: bool) {
    for (edges, &flag) in sets.edges_mut().iter_mut().zip(flags) {
        let marks = if flag == value { Marks::one(0) } else { Marks::NONE };
        edges.iter_mut().for_each(|edge| edge.marks = marks);
    }
}

/// How often a run from each state can change between accepting and other components, at most; even if what comes last
/// of all changes is accepting. States that are on no cycle get what is best for merging.
fn colours(sets: &Automaton, accepting: &[bool]) -> Vec<u32> {
    let components = Components::new(sets);
    let mut colour = vec![0; sets.state_count()];
    for component in components.all() {
        let inside = component.states[0];
        let after = component
            .states
            .iter()
            .flat_map(|&state| sets.edges(state))
            .filter(|edge| !components.together(edge.target, inside))
            .map(|edge| colour[edge.target as usize])
            .max()
            .unwrap_or(0);
        let wanted = u32::from(!accepting[inside as usize]);
        let own = if !component.is_cyclic || after % 2 == wanted { after } else { after + 1 };
        component.states.iter().for_each(|&state| colour[state as usize] = own);
    }
    colour
}

/// Merges states as in automata on finite words, where those of even colour accept.
fn merge(sets: &Automaton, colour: &[u32]) -> Automaton {
    let mut result = Automaton::with_conditions(sets.conditions().clone(), 1);
    let mut class: Vec<u32> = colour.iter().map(|colour| colour % 2).collect();
    let mut count = 0;
    loop {
        let mut known: FxHashMap<(u32, Vec<(u32, Condition)>), u32> = FxHashMap::default();
        let next: Vec<u32> = sets
            .states()
            .map(|state| {
                let signature = (class[state as usize], signature(sets, state, &class, result.conditions_mut()));
                let fresh = known.len() as u32;
                *known.entry(signature).or_insert(fresh)
            })
            .collect();
        class = next;
        if known.len() == count {
            break;
        }
        count = known.len();
    }
    (0..count).for_each(|_| {
        result.add_state();
    });
    let mut done = vec![false; count];
    for state in sets.states() {
        let number = class[state as usize];
        if !std::mem::replace(&mut done[number as usize], true) {
            let marks = if colour[state as usize].is_multiple_of(2) { Marks::one(0) } else { Marks::NONE };
            for (target, condition) in signature(sets, state, &class, result.conditions_mut()) {
                result.add_edge(number, condition, marks, target);
            }
        }
    }
    result.add_initial(class[sets.initial()[0] as usize]);
    result
}

/// Which letters lead to which class.
fn signature(sets: &Automaton, state: State, class: &[u32], conditions: &mut Conditions) -> Vec<(u32, Condition)> {
    let mut edges: Vec<(u32, Condition)> =
        sets.edges(state).iter().map(|edge| (class[edge.target as usize], edge.condition)).collect();
    edges.sort_unstable();
    edges.dedup_by(|next, first| {
        let same = next.0 == first.0;
        if same {
            first.1 = conditions.or(first.1, next.1);
        }
        same
    });
    edges
}
