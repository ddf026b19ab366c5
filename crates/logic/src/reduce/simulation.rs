//! States of which one can do all that the other can.
//!
//! A state *simulates* another if for each edge of the other and each of its letters it has an edge with at least its
//! marks, to a state that simulates the target. It then accepts all that the other accepts, and two states that
//! simulate each other are merged. Backwards, the same holds of the edges that lead to a state, and a state simulates
//! an initial state only if it is initial. An edge next to which another one can do more is dropped.

use crate::automaton::{Automaton, Edge, State};
use crate::condition::{Condition, Conditions};

/// So many pairs of edges are compared, and then the automaton stays as it is. Counted, and not timed: the same
/// automaton is always reduced in the same way.
const MAX_COMPARISONS: usize = 10_000_000;
/// The edges of a state with more of them are not compared with each other.
const MAX_PARALLEL_EDGES: usize = 2_000;

/// The automaton with similar states merged, forwards and then backwards, and without edges next to better ones.
pub fn merge_similar(mut automaton: Automaton) -> Automaton {
    merge_forwards(&mut automaton);
    merge_backwards(&mut automaton);
    automaton
}

fn merge_forwards(automaton: &mut Automaton) {
    let (conditions, edges, initial) = automaton.parts_mut();
    let Some(relation) = Relation::largest(edges, conditions, |_, _| true) else { return };
    let class = relation.classes();
    for edges in edges.iter_mut() {
        edges.iter_mut().for_each(|edge| edge.target = class[edge.target as usize]);
        edges.sort_unstable();
        edges.dedup();
        drop_dominated(edges, &relation, conditions);
    }
    initial.iter_mut().for_each(|state| *state = class[*state as usize]);
    initial.sort_unstable();
    initial.dedup();
    let all = initial.clone();
    initial.retain(|&state| !all.iter().any(|&other| other != state && relation.holds(state, other)));
    automaton.merge_edges();
}

fn merge_backwards(automaton: &mut Automaton) {
    let initial: Vec<bool> = automaton.states().map(|state| automaton.initial().contains(&state)).collect();
    let (conditions, edges, initial_states) = automaton.parts_mut();
    let mut backwards = reversed(edges);
    let possible = |low: State, high: State| !initial[low as usize] || initial[high as usize];
    let Some(relation) = Relation::largest(&backwards, conditions, possible) else { return };
    let class = relation.classes();
    for (state, edges) in backwards.iter_mut().enumerate() {
        if class[state] as usize != state {
            edges.clear();
            continue;
        }
        edges.iter_mut().for_each(|edge| edge.target = class[edge.target as usize]);
        edges.sort_unstable();
        edges.dedup();
        if edges.len() > MAX_PARALLEL_EDGES {
            continue;
        }
        let all = edges.clone();
        edges.retain(|edge| {
            let mut others = all.iter().filter(|other| *other != edge && relation.dominates(edge, other));
            !others.any(|other| conditions.implies(edge.condition, other.condition))
        });
    }
    *edges = reversed(&backwards);
    initial_states.iter_mut().for_each(|state| *state = class[*state as usize]);
    initial_states.sort_unstable();
    initial_states.dedup();
    automaton.merge_edges();
}

/// The edges as seen from their targets.
fn reversed(edges: &[Vec<Edge>]) -> Vec<Vec<Edge>> {
    let mut result = vec![Vec::new(); edges.len()];
    for (source, edges) in edges.iter().enumerate() {
        for edge in edges {
            result[edge.target as usize].push(Edge { target: source as State, ..*edge });
        }
    }
    result
}

/// Takes from each edge the letters for which there is a better one.
fn drop_dominated(edges: &mut Vec<Edge>, relation: &Relation, conditions: &mut Conditions) {
    if edges.len() > MAX_PARALLEL_EDGES {
        return;
    }
    let all = edges.clone();
    for edge in edges.iter_mut() {
        for other in &all {
            let same = (other.target, other.marks) == (edge.target, edge.marks);
            if !same && relation.dominates(edge, other) {
                edge.condition = conditions.minus(edge.condition, other.condition);
            }
        }
    }
    edges.retain(|edge| !edge.condition.is_false());
}

/// Which states simulate which.
struct Relation {
    /// The states that simulate each state: one bit per state.
    above: Vec<Vec<u64>>,
}

impl Relation {
    /// The largest simulation within some pairs; nothing if that is too much work.
    fn largest(
        edges: &[Vec<Edge>], conditions: &mut Conditions, possible: impl Fn(State, State) -> bool,
    ) -> Option<Relation> {
        let count = edges.len();
        if count * count > MAX_COMPARISONS {
            return None;
        }
        let mut relation = Relation { above: vec![vec![0; count.div_ceil(64)]; count] };
        let enabled: Vec<Condition> = edges
            .iter()
            .map(|edges| edges.iter().fold(Condition::FALSE, |all, edge| conditions.or(all, edge.condition)))
            .collect();
        for low in 0..count {
            for high in 0..count {
                if possible(low as State, high as State) && conditions.implies(enabled[low], enabled[high]) {
                    relation.above[low][high / 64] |= 1 << (high % 64);
                }
            }
        }
        let mut left = MAX_COMPARISONS;
        // States above which some state was lost in the last round.
        let mut changed = vec![true; count];
        while changed.contains(&true) {
            let mut next = vec![false; count];
            for low in 0..count {
                if !edges[low].iter().any(|edge| changed[edge.target as usize]) {
                    continue;
                }
                for high in 0..count {
                    if low == high || !relation.holds(low as State, high as State) {
                        continue;
                    }
                    let simulates = edges[low].iter().all(|edge| {
                        left = left.saturating_sub(edges[high].len());
                        relation.is_covered(edge, &edges[high], conditions)
                    });
                    if left == 0 {
                        return None;
                    }
                    if !simulates {
                        relation.above[low][high / 64] &= !(1 << (high % 64));
                        next[low] = true;
                    }
                }
            }
            changed = next;
        }
        Some(relation)
    }

    /// Whether the second state simulates the first.
    fn holds(&self, low: State, high: State) -> bool {
        self.above[low as usize][high as usize / 64] >> (high % 64) & 1 == 1
    }

    /// Whether the second edge has at least the marks of the first, and a target that simulates its target.
    fn dominates(&self, edge: &Edge, other: &Edge) -> bool {
        edge.marks.is_subset(other.marks) && self.holds(edge.target, other.target)
    }

    /// Whether each letter of an edge is one of some edge that dominates it.
    fn is_covered(&self, edge: &Edge, others: &[Edge], conditions: &mut Conditions) -> bool {
        let mut open = edge.condition;
        for other in others.iter().filter(|other| self.dominates(edge, other)) {
            if conditions.implies(open, other.condition) {
                return true;
            }
            if conditions.intersects(open, other.condition) {
                open = conditions.minus(open, other.condition);
            }
        }
        false
    }

    /// For each state, the first that simulates it and is simulated by it.
    fn classes(&self) -> Vec<State> {
        let count = self.above.len() as State;
        let first = |state| (0..=state).find(|&other| self.holds(state, other) && self.holds(other, state));
        (0..count).map(|state| first(state).unwrap_or(state)).collect()
    }
}
