//! Whether a run in the product meets all marks again and again.
//!
//! How much has to be done depends on the component of the automaton (see
//! [`Strength`](mandala_logic::automaton::Strength), which says the same of an automaton as a whole):
//!
//! - *terminal*: each run accepts and none is ever refused. If runs that end repeat their last state, there is always a
//!   run, and it is enough to reach the component; else a state must be reached that has an infinite run.
//! - *weak*: each run that stays accepts. If there is one state of the automaton to stay in, that is EG of CTL; otherwise
//!   states without a successor are removed until none is left that has none.
//! - *strong*: states that cannot reach each mark again are removed, until all that are left can (E. A. Emerson,
//!   C.-L. Lei, 1986), with a closure inside.

use mandala_diagram::{Diagram, Error};
use mandala_logic::automaton::Component;
use mandala_symbolic::encode::Encoding;

use super::product::{Product, Sets};
use crate::undecided::Undecided;

/// States from which accepting runs go on within a component of the automaton.
pub(super) struct Fair {
    pub component: Component,
    /// Of each of these an accepting run goes on within these. They are reachable.
    pub sets: Sets,
}

impl<E: Encoding> Product<'_, E> {
    /// Some states from which accepting runs go on; nothing if there are none.
    pub fn find_fair(&mut self) -> Result<Option<Fair>, Undecided> {
        for component in self.components() {
            self.reach(&component)?;
            let sets = self.fair_in(&component)?;
            if sets.iter().any(|set| !set.is_empty()) {
                return Ok(Some(Fair { component, sets }));
            }
        }
        Ok(None)
    }

    /// The states of the model from which a run is accepted, wherever it comes from.
    pub fn with_accepted_run(&mut self) -> Result<Diagram, Undecided> {
        let count = self.automaton.edges.len();
        self.reached = vec![self.states.clone(); count];
        let mut fair = self.nothing();
        for component in self.components() {
            for (all, more) in fair.iter_mut().zip(self.fair_in(&component)?) {
                *all = self.encoded.store.union(all, &more)?;
            }
        }
        let whole = Component { states: (0..count as u32).collect(), is_cyclic: true, marks: self.marks() };
        let within = self.reached.clone();
        let leading = self.can_reach(&whole, fair, &within)?;
        let initial: Vec<&Diagram> = self.starts().iter().map(|&state| &leading[state as usize]).collect();
        Ok(self.encoded.store.union_of(initial)?)
    }

    /// Those of the states that were reached in a component from which accepting runs go on within it.
    fn fair_in(&mut self, component: &Component) -> Result<Sets, Undecided> {
        if !component.is_cyclic || !self.marks().is_subset(component.marks) {
            Ok(self.nothing())
        } else if !self.steps.obligations.is_empty() || !self.always_accepts(component) {
            self.with_all_marks(component)
        } else if self.takes_everything(component)? {
            Ok(self.with_a_run(component)?)
        } else if let [state] = component.states[..] {
            self.staying_in(state as usize)
        } else {
            let sets = self.reached_in(component);
            self.with_successors(component, sets)
        }
    }

    /// What was reached in a component.
    fn reached_in(&self, component: &Component) -> Sets {
        let mut sets = self.nothing();
        for &state in &component.states {
            sets[state as usize] = self.reached[state as usize].clone();
        }
        sets
    }

    /// Whether a run can go on within a component wherever the model goes.
    fn takes_everything(&mut self, component: &Component) -> Result<bool, Error> {
        for &state in &component.states {
            let inside = self.automaton.edges[state as usize].iter().filter(|edge| is_in(component, edge.target));
            let letters: Vec<&Diagram> = inside.map(|edge| &edge.letters).collect();
            if self.encoded.store.union_of(letters)? != self.states {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The states of a component that have an infinite run in the model.
    fn with_a_run(&mut self, component: &Component) -> Result<Sets, Error> {
        let mut sets = self.reached_in(component);
        for set in &mut sets {
            *set = self.encoded.store.intersection(set, &self.steps.running)?;
        }
        Ok(sets)
    }

    /// The states that have an infinite run on which the automaton stays in a state.
    fn staying_in(&mut self, state: usize) -> Result<Sets, Undecided> {
        let staying = self.staying(state)?;
        let inside = self.encoded.store.intersection(&self.reached[state], &staying)?;
        let mut sets = self.nothing();
        sets[state] = self.steps.staying(self.encoded, &inside)?;
        Ok(sets)
    }

    /// Those of some states of a component that have an infinite run among them.
    fn with_successors(&mut self, component: &Component, mut sets: Sets) -> Result<Sets, Undecided> {
        // What was before the set of each state of the automaton, as the set was then.
        let mut before: Vec<Option<Diagram>> = vec![None; sets.len()];
        loop {
            let mut changed = false;
            for &state in &component.states {
                let state = state as usize;
                if sets[state].is_empty() {
                    continue;
                }
                let mut left = self.encoded.store.zero();
                for edge in self.automaton.edges[state].clone().iter().filter(|edge| is_in(component, edge.target)) {
                    let previous = match &before[edge.target] {
                        Some(previous) => previous.clone(),
                        None => self.steps.previous(self.encoded, &sets[edge.target])?,
                    };
                    before[edge.target] = Some(previous.clone());
                    let from = self.encoded.store.intersection(&sets[state], &edge.letters)?;
                    let from = self.encoded.store.intersection(&from, &previous)?;
                    left = self.encoded.store.union(&left, &from)?;
                }
                if left != sets[state] {
                    sets[state] = left;
                    before[state] = None;
                    changed = true;
                }
            }
            if !changed {
                return Ok(sets);
            }
        }
    }

    /// The states of a component from which a run meets all marks, and all obligations, again and again; with obligations,
    /// perhaps not all that only lead there.
    fn with_all_marks(&mut self, component: &Component) -> Result<Sets, Undecided> {
        let mut sets = self.reached_in(component);
        let steps = self.steps;
        loop {
            let start = sets.clone();
            if !steps.obligations.is_empty() {
                sets = self.with_successors(component, sets)?;
            }
            for (when, then) in &steps.obligations {
                let mut met = sets.clone();
                for set in &mut met {
                    *set = self.encoded.store.intersection(set, then)?;
                }
                let mut left = self.can_reach(component, met, &sets)?;
                for (left, set) in left.iter_mut().zip(&sets) {
                    let free = self.encoded.store.difference(set, when)?;
                    *left = self.encoded.store.union(left, &free)?;
                }
                sets = left;
            }
            for mark in self.marks().iter() {
                let marked = self.marked(component, mark, &sets)?;
                sets = self.can_reach(component, marked, &sets)?;
            }
            if sets == start || sets.iter().all(Diagram::is_empty) {
                return Ok(sets);
            }
        }
    }

    /// The states of some sets that have an edge with a mark into the sets.
    pub fn marked(&mut self, component: &Component, mark: u32, sets: &Sets) -> Result<Sets, Undecided> {
        let mut marked = self.nothing();
        for &target in &component.states {
            let target = target as usize;
            let mut previous = None;
            for &state in &component.states {
                let state = state as usize;
                for edge in self.automaton.edges[state].clone() {
                    if edge.target != target || !edge.marks.contains(mark) {
                        continue;
                    }
                    let before = match &previous {
                        Some(previous) => Diagram::clone(previous),
                        None => self.steps.previous(self.encoded, &sets[target])?,
                    };
                    let from = self.encoded.store.intersection(&sets[state], &edge.letters)?;
                    let from = self.encoded.store.intersection(&from, &before)?;
                    marked[state] = self.encoded.store.union(&marked[state], &from)?;
                    previous = Some(before);
                }
            }
        }
        Ok(marked)
    }
}

pub(super) fn is_in(component: &Component, state: usize) -> bool {
    component.states.iter().any(|&member| member as usize == state)
}
