//! The product with one state for those that look alike, on diagrams: one canonised set for each state of the automaton.
//!
//! Of the states of the model at a state of the automaton, those are kept that no symmetry of this state makes smaller. A
//! step leads to what it leads to in the model, moved to the state of the automaton that stands for its target, and made
//! canonical there. Backwards, a set is taken for all of its orbits first: what precedes (X, b) is what precedes the orbits
//! of X under the symmetries of b. The reachable states of the model must be closed under all symmetries that are used.

use mandala_diagram::{Count, Diagram, Error, Exactness, Hom};
use mandala_logic::Condition;
use mandala_logic::automaton::{Component, Components, Marks};
use mandala_model::property::Formula;
use mandala_symbolic::canonise::reduction::Canonise;
use mandala_symbolic::encode::{Atom, Encoded, Encoding};

use super::Letters;
use super::product::{ConditionSets, Sets};
use crate::space::Space;
use crate::steps::Steps;
use crate::undecided::Undecided;

/// What is done with the states of the model that come to a state of the automaton.
#[derive(Default)]
pub(crate) struct Fold {
    /// The state of the automaton that stands for it.
    pub state: usize,
    /// What moves the states of the model there, and back; nothing if they stay as they are.
    pub way: Option<(Hom, Hom)>,
    /// What makes them canonical there; nothing if all are kept.
    pub canonise: Option<Canonise>,
}

struct Edge {
    /// The state of the automaton before it is folded.
    target: usize,
    marks: Marks,
    letters: Diagram,
}

/// The model and the automaton together, folded.
struct Folded<'f, E: Encoding> {
    encoded: &'f mut Encoded<E>,
    steps: &'f Steps,
    folds: &'f [Fold],
    /// By state of the automaton that stands for others; nothing for the others.
    edges: Vec<Vec<Edge>>,
    reached: Sets,
}

impl<E: Encoding> Space<E> {
    /// Whether an automaton accepts no run of the model, on the folded product; and how many states that has.
    pub(crate) fn accepts_no_run(
        &mut self, automaton: &mandala_logic::Automaton, propositions: &[Formula<Atom<E>>], folds: &[Fold],
    ) -> Result<(bool, Count), Undecided> {
        let steps = self.take_steps()?;
        let result = self.accepts_no_run_by(&steps, automaton, propositions, folds);
        self.steps = Some(steps);
        result
    }

    fn accepts_no_run_by(
        &mut self, steps: &Steps, automaton: &mandala_logic::Automaton, propositions: &[Formula<Atom<E>>],
        folds: &[Fold],
    ) -> Result<(bool, Count), Undecided> {
        let mut letters = Letters { space: self, steps, sets: Vec::new() };
        for proposition in propositions {
            let set = letters.states_of(proposition)?;
            letters.sets.push(set);
        }
        let sets = letters.sets;
        let mut known = ConditionSets::new(&self.states, &sets);
        let mut edges = Vec::with_capacity(folds.len());
        for state in automaton.states() {
            let mut from = Vec::new();
            for edge in automaton.edges(state).iter().filter(|_| folds[state as usize].state == state as usize) {
                let letters = known.letters(&mut self.encoded.store, automaton.conditions(), edge.condition)?;
                if !letters.is_empty() {
                    from.push(Edge { target: edge.target as usize, marks: edge.marks, letters });
                }
            }
            edges.push(from);
        }
        let nothing = vec![self.encoded.store.zero(); folds.len()];
        let mut product = Folded { encoded: &mut self.encoded, steps, folds, edges, reached: nothing };
        let initial: Vec<usize> = automaton.initial().iter().map(|&state| state as usize).collect();
        product.reach(&initial)?;
        let is_empty = product.is_empty(automaton.all_marks())?;
        Ok((is_empty, product.count()))
    }
}

impl<E: Encoding> Folded<'_, E> {
    fn count(&self) -> Count {
        let exactness = Exactness::default();
        let mut all = Count::zero();
        self.reached.iter().for_each(|set| all.add_assign(&self.encoded.store.count(set), &exactness));
        all
    }

    /// States of the model at a state of the automaton, as those that stand for them.
    fn fold(&mut self, state: usize, set: &Diagram) -> Result<Diagram, Error> {
        let store = &mut self.encoded.store;
        let moved = match &self.folds[state].way {
            Some((there, _)) => store.apply(there, set)?,
            None => set.clone(),
        };
        match &self.folds[state].canonise {
            Some(canonise) => canonise.canonise(store, &moved),
            None => Ok(moved),
        }
    }

    /// All states of the model that some stand for, at a state of the automaton.
    fn unfold(&mut self, state: usize, set: &Diagram) -> Result<Diagram, Error> {
        let store = &mut self.encoded.store;
        let all = match &self.folds[state].canonise {
            Some(canonise) => canonise.orbit(store, set)?,
            None => set.clone(),
        };
        match &self.folds[state].way {
            Some((_, back)) => store.apply(back, &all),
            None => Ok(all),
        }
    }

    fn reach(&mut self, initial: &[usize]) -> Result<(), Undecided> {
        let mut frontier = self.reached.clone();
        for &state in initial {
            let begin = self.fold(state, &self.steps.initial.clone())?;
            let at = self.folds[state].state;
            frontier[at] = self.encoded.store.union(&frontier[at], &begin)?;
        }
        self.reached = frontier.clone();
        while let Some(state) = frontier.iter().position(|set| !set.is_empty()) {
            let zero = self.encoded.store.zero();
            let fresh = std::mem::replace(&mut frontier[state], zero);
            for edge in 0..self.edges[state].len() {
                let next = self.after(state, edge, &fresh)?;
                let at = self.folds[self.edges[state][edge].target].state;
                let store = &mut self.encoded.store;
                let new = store.difference(&next, &self.reached[at])?;
                self.reached[at] = store.union(&self.reached[at], &new)?;
                frontier[at] = store.union(&frontier[at], &new)?;
            }
        }
        Ok(())
    }

    /// What an edge leads to from some states.
    fn after(&mut self, state: usize, edge: usize, set: &Diagram) -> Result<Diagram, Undecided> {
        let Edge { target, ref letters, .. } = self.edges[state][edge];
        let from = self.encoded.store.intersection(set, letters)?;
        let next = self.steps.next(self.encoded, &from)?;
        Ok(self.fold(target, &next)?)
    }

    /// The states of a set from which an edge leads to some states.
    fn before(&mut self, state: usize, edge: usize, goals: &Diagram, within: &Diagram) -> Result<Diagram, Undecided> {
        let Edge { target, ref letters, .. } = self.edges[state][edge];
        let from = self.encoded.store.intersection(within, letters)?;
        if from.is_empty() || goals.is_empty() {
            return Ok(self.encoded.store.zero());
        }
        let goals = self.unfold(target, goals)?;
        let previous = self.steps.previous(self.encoded, &goals)?;
        Ok(self.encoded.store.intersection(&from, &previous)?)
    }

    /// Whether no run meets all marks again and again.
    fn is_empty(&mut self, all: Marks) -> Result<bool, Undecided> {
        let mut graph = mandala_logic::Automaton::new(all.len());
        self.edges.iter().for_each(|_| {
            graph.add_state();
        });
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                let at = self.folds[edge.target].state as u32;
                graph.add_edge(state as u32, Condition::TRUE, edge.marks, at);
            }
        }
        let states: Vec<u32> = graph.states().collect();
        let components = Components::among(&graph, &states, |_, _| true);
        for component in components.all() {
            if component.is_cyclic && all.is_subset(component.marks) && self.has_run(component, all)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a run within a component meets all marks again and again (E. A. Emerson, C.-L. Lei, 1986).
    fn has_run(&mut self, component: &Component, all: Marks) -> Result<bool, Undecided> {
        let members: Vec<usize> = component.states.iter().map(|&state| state as usize).collect();
        let mut sets = vec![self.encoded.store.zero(); self.reached.len()];
        members.iter().for_each(|&state| sets[state] = self.reached[state].clone());
        loop {
            let start = sets.clone();
            // Without marks, what can go on is left.
            sets = self.preceding(&members, &sets, &sets, |_| true)?;
            for mark in all.iter() {
                let mut found = self.preceding(&members, &sets, &sets, |marks| marks.contains(mark))?;
                loop {
                    let more = self.preceding(&members, &found, &sets, |_| true)?;
                    let before = found.clone();
                    for &state in &members {
                        found[state] = self.encoded.store.union(&found[state], &more[state])?;
                    }
                    if found == before {
                        break;
                    }
                }
                sets = found;
            }
            if sets.iter().all(Diagram::is_empty) {
                return Ok(false);
            }
            if sets == start {
                return Ok(true);
            }
        }
    }

    /// The states of some sets from which an edge with wanted marks leads to goals.
    fn preceding(
        &mut self, members: &[usize], goals: &Sets, within: &Sets, wanted: impl Fn(Marks) -> bool,
    ) -> Result<Sets, Undecided> {
        let mut found = vec![self.encoded.store.zero(); within.len()];
        for &state in members {
            for edge in 0..self.edges[state].len() {
                let Edge { target, marks, .. } = self.edges[state][edge];
                let at = self.folds[target].state;
                if wanted(marks) && !goals[at].is_empty() {
                    let before = self.before(state, edge, &goals[at], &within[state])?;
                    found[state] = self.encoded.store.union(&found[state], &before)?;
                }
            }
        }
        Ok(found)
    }
}
