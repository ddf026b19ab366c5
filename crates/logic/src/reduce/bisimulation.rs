//! States with the same edges.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Edge, Marks, State};
use crate::condition::{Condition, Conditions};

/// The automaton with states merged that have the same edges, once these states are taken for one.
pub fn merge_equal(mut automaton: Automaton) -> Automaton {
    let (conditions, edges, initial) = automaton.parts_mut();
    let class = classes(edges, conditions);
    for edges in edges.iter_mut() {
        edges.iter_mut().for_each(|edge| edge.target = class[edge.target as usize]);
    }
    initial.iter_mut().for_each(|state| *state = class[*state as usize]);
    initial.sort_unstable();
    initial.dedup();
    automaton.merge_edges();
    automaton
}

/// Which letters lead to which class, with which marks.
type Signature = Vec<(State, Marks, Condition)>;

/// For each state the first of those that have the same edges.
pub(crate) fn classes(edges: &[Vec<Edge>], conditions: &mut Conditions) -> Vec<State> {
    let mut class: Vec<State> = vec![0; edges.len()];
    let mut count = 0;
    loop {
        let mut known: FxHashMap<(State, Signature), State> = FxHashMap::default();
        let mut next = Vec::with_capacity(edges.len());
        for (state, edges) in edges.iter().enumerate() {
            let signature = (class[state], signature(edges, &class, conditions));
            next.push(*known.entry(signature).or_insert(state as State));
        }
        class = next;
        if known.len() == count {
            return class;
        }
        count = known.len();
    }
}

fn signature(edges: &[Edge], class: &[State], conditions: &mut Conditions) -> Signature {
    let mut all: Signature =
        edges.iter().map(|edge| (class[edge.target as usize], edge.marks, edge.condition)).collect();
    all.sort_unstable();
    all.dedup_by(|next, first| {
        let parallel = (next.0, next.1) == (first.0, first.1);
        if parallel {
            first.2 = conditions.or(first.2, next.2);
        }
        parallel
    });
    all
}
