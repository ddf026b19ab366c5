//! The states around a state, and the steps between them.

use super::{Walk, error};
use crate::error::Error;
use crate::state::State;
use std::collections::HashMap;

/// Some states of a model and the steps between them.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    /// The states; the first are those where it begins.
    pub states: Vec<StateNode>,
    /// The steps between them.
    pub edges: Vec<StateEdge>,
    /// Whether states were merged that differ only in which of several like parts is which.
    pub is_merged: bool,
}

/// A state of a graph.
#[derive(Clone, Debug)]
pub struct StateNode {
    /// The state.
    pub state: State,
    /// How many steps it is away.
    pub distance: usize,
    /// Whether all that can happen in it is in the graph.
    pub is_complete: bool,
    /// Whether nothing can happen in it; not known if it was not looked at.
    pub is_dead: Option<bool>,
}

/// A step of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateEdge {
    /// From this state, by its number.
    pub from: usize,
    /// To this state.
    pub to: usize,
    /// What happens.
    pub transition: String,
}

/// So many values of states are looked at; with large states that is fewer than as many states as may be shown.
const MOST_VALUES: usize = 50_000_000;

/// How far a graph goes.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// So many steps from where it begins.
    pub steps: usize,
    /// So many states at most.
    pub states: usize,
    /// So many steps between them at most.
    pub edges: usize,
    /// Whether states are merged that differ only in which of several like parts is which.
    pub merge: bool,
}

impl Default for Reach {
    fn default() -> Reach {
        Reach { steps: usize::MAX, states: 200, edges: 2_000, merge: false }
    }
}

impl StateGraph {
    /// Whether it has all that can be reached.
    pub fn is_complete(&self) -> bool {
        self.states.iter().all(|node| node.is_complete)
    }
}

impl Walk {
    /// The states that can be reached from some, with the steps between them.
    pub fn graph(&self, from: &[State], reach: Reach) -> Result<StateGraph, Error> {
        from.iter().try_for_each(|state| self.is_of_this(state))?;
        let mut graph = StateGraph { is_merged: reach.merge, ..StateGraph::default() };
        let mut numbers: HashMap<Vec<i32>, usize> = HashMap::new();
        let merged = |state: State| if reach.merge { self.representative(&state) } else { state };
        let node = |state: State, distance| StateNode { state, distance, is_complete: false, is_dead: None };
        for state in from {
            let state = merged(state.clone());
            if graph.states.len() < reach.states && !numbers.contains_key(state.values()) {
                numbers.insert(state.values().to_vec(), graph.states.len());
                graph.states.push(node(state, 0));
            }
        }
        self.with_meaning(|semantics| {
            let (mut next, mut work) = (0, 0);
            while let Some(StateNode { state, distance, .. }) = graph.states.get(next).cloned() {
                if work > MOST_VALUES {
                    break;
                }
                let steps = semantics.successors(state.values()).map_err(error)?;
                work += (steps.len() + 1) * state.values().len();
                graph.states[next].is_dead = Some(steps.is_empty());
                let mut is_complete = true;
                for step in steps {
                    let transition = semantics.name(&step.event);
                    let after = merged(self.named(step.state));
                    let to = match numbers.get(after.values()) {
                        Some(&to) => to,
                        None if distance >= reach.steps || graph.states.len() >= reach.states => {
                            is_complete = false;
                            continue;
                        }
                        None => {
                            let to = graph.states.len();
                            numbers.insert(after.values().to_vec(), to);
                            graph.states.push(node(after, distance + 1));
                            to
                        }
                    };
                    let edge = StateEdge { from: next, to, transition };
                    if graph.edges.len() >= reach.edges {
                        is_complete = false;
                    } else if graph.edges.last() != Some(&edge) {
                        graph.edges.push(edge);
                    }
                }
                graph.states[next].is_complete = is_complete;
                next += 1;
            }
            Ok(graph)
        })?
    }
}
