//! Automata on infinite words.
//!
//! An [`Automaton`] is a *transition-based generalised Büchi automaton*: a graph whose edges carry a [`Condition`] on
//! letters and a set of [`Marks`]. It accepts a word if there is a run, an infinite way from an initial state whose
//! edges' conditions the letters satisfy one by one, that meets **each mark infinitely often**. An automaton without
//! marks accepts whatever has a run.
//!
//! Conditions belong to the automaton's own table, and speak of atoms by number; their names are kept beside, in an
//! [`Atoms`](crate::Atoms).

mod components;
mod degeneralise;
mod marks;
mod product;
mod strength;

pub use components::{Component, Components};
pub use marks::{MAX_MARKS, Marks};
pub use strength::Strength;

use crate::condition::{Condition, Conditions};

/// A state of an automaton: a number from 0 on.
pub type State = u32;

/// An edge, seen from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Where it goes.
    pub target: State,
    /// Its marks.
    pub marks: Marks,
    /// The letters it takes; never none.
    pub condition: Condition,
}

/// A transition-based generalised Büchi automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    conditions: Conditions,
    marks: u32,
    initial: Vec<State>,
    edges: Vec<Vec<Edge>>,
}

impl Automaton {
    /// An automaton without states, with so many marks (at most [`MAX_MARKS`]).
    pub fn new(marks: u32) -> Automaton {
        Automaton::with_conditions(Conditions::new(), marks)
    }

    pub(crate) fn with_conditions(conditions: Conditions, marks: u32) -> Automaton {
        assert!(marks <= MAX_MARKS, "an automaton has at most {MAX_MARKS} marks");
        Automaton { conditions, marks, initial: Vec::new(), edges: Vec::new() }
    }

    /// A new state.
    pub fn add_state(&mut self) -> State {
        self.edges.push(Vec::new());
        u32::try_from(self.edges.len() - 1).expect("fewer than 2^32 states")
    }

    /// Makes a state initial.
    pub fn add_initial(&mut self, state: State) {
        assert!(self.edges.len() > state as usize, "an initial state is a state");
        if !self.initial.contains(&state) {
            self.initial.push(state);
        }
    }

    /// A new edge, unless its condition is false.
    pub fn add_edge(&mut self, source: State, condition: Condition, marks: Marks, target: State) {
        assert!((target as usize) < self.edges.len(), "the target of an edge is a state");
        assert!(marks.is_subset(self.all_marks()), "marks are those of the automaton");
        if !condition.is_false() {
            self.edges[source as usize].push(Edge { target, marks, condition });
        }
    }

    /// Keeps some of the edges.
    pub fn retain_edges(&mut self, mut keep: impl FnMut(State, &Edge) -> bool) {
        for (state, edges) in (0..).zip(&mut self.edges) {
            edges.retain(|edge| keep(state, edge));
        }
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// How many marks there are.
    pub fn mark_count(&self) -> u32 {
        self.marks
    }

    /// All marks.
    pub fn all_marks(&self) -> Marks {
        Marks::first(self.marks)
    }

    /// The states.
    pub fn states(&self) -> std::ops::Range<State> {
        0..self.edges.len() as State
    }

    /// The initial states.
    pub fn initial(&self) -> &[State] {
        &self.initial
    }

    /// The edges from a state.
    pub fn edges(&self, state: State) -> &[Edge] {
        &self.edges[state as usize]
    }

    /// The conditions on its edges.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// The conditions on its edges, to make more of them.
    pub fn conditions_mut(&mut self) -> &mut Conditions {
        &mut self.conditions
    }

    /// The atoms that its conditions depend on, in order.
    pub fn atoms(&self) -> Vec<u32> {
        let mut atoms: Vec<u32> =
            self.edges.iter().flatten().flat_map(|edge| self.conditions.atoms_of(edge.condition)).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Whether no letter leaves a choice: one initial state at most, and edges of a state exclude each other.
    pub fn is_deterministic(&mut self) -> bool {
        let conditions = &mut self.conditions;
        self.initial.len() <= 1
            && self.edges.iter().all(|edges| {
                let mut taken = Condition::FALSE;
                edges.iter().all(|edge| {
                    let free = !conditions.intersects(taken, edge.condition);
                    taken = conditions.or(taken, edge.condition);
                    free
                })
            })
    }

    /// Whether every state has an edge for every letter.
    pub fn is_complete(&mut self) -> bool {
        let conditions = &mut self.conditions;
        !self.initial.is_empty()
            && self.edges.iter().all(|edges| {
                edges.iter().fold(Condition::FALSE, |taken, edge| conditions.or(taken, edge.condition)).is_true()
            })
    }

    pub(crate) fn edges_mut(&mut self) -> &mut Vec<Vec<Edge>> {
        &mut self.edges
    }

    pub(crate) fn parts_mut(&mut self) -> (&mut Conditions, &mut Vec<Vec<Edge>>, &mut Vec<State>) {
        (&mut self.conditions, &mut self.edges, &mut self.initial)
    }

    pub(crate) fn set_mark_count(&mut self, marks: u32) {
        self.marks = marks;
    }

    /// One edge for all between two states with the same marks; edges in order.
    pub(crate) fn merge_edges(&mut self) {
        for edges in &mut self.edges {
            edges.sort_unstable();
            edges.dedup_by(|next, first| {
                let parallel = (next.target, next.marks) == (first.target, first.marks);
                if parallel {
                    first.condition = self.conditions.or(first.condition, next.condition);
                }
                parallel
            });
        }
    }
}
