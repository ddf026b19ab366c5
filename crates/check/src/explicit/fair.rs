//! Runs that meet their obligations, on graphs that are known as a whole.
//!
//! In a component that cannot be left a run can meet each of its nodes again and again. It meets an obligation unless what
//! obliges is there and what it obliges to is not; then no run that comes again and again to what obliges is fair, so these
//! nodes are taken away and what is left is divided again (E. A. Emerson and C.-L. Lei, 1987).

use mandala_diagram::Error;
use mandala_logic::automaton::{Automaton, Component, Components, State};
use mandala_logic::words::Letter;
use mandala_model::property::Formula;
use mandala_model::semantics::{RunError, TransitionSystem};

use super::emptiness::Accepting;
use super::ltl::letter_of;
use super::states::States;
use crate::fair::Obligation;
use crate::limits::Limits;
use crate::run::AtomIn;

/// What obligations say of states, by state: of each obligation one atom for what obliges, and the next for what to.
pub(super) struct Obliged {
    letters: Vec<Letter>,
    count: u32,
}

/// Why it is not known what obligations say.
pub(super) enum Failure {
    Limit(Error),
    Error(RunError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Limit(error)
    }
}

impl Obliged {
    /// What obligations say of all states that are known.
    pub fn new<T: TransitionSystem>(
        semantics: &T, states: &States, obligations: &[Obligation<AtomIn<T>>], limits: &Limits,
    ) -> Result<Obliged, Failure> {
        let both = |one: &Obligation<AtomIn<T>>| [one.when.clone(), one.then.clone()];
        let propositions: Vec<Formula<AtomIn<T>>> = obligations.iter().flat_map(both).collect();
        let mut letters = Vec::with_capacity(states.len() as usize);
        for state in 0..states.len() {
            limits.check()?;
            let values = states.read::<T::Formalism>(state);
            letters.push(letter_of(semantics, &propositions, &values).map_err(Failure::Error)?);
        }
        Ok(Obliged { letters, count: obligations.len() as u32 })
    }

    pub fn obliges(&self, obligation: u32, state: u32) -> bool {
        self.letters[state as usize].holds(2 * obligation)
    }

    pub fn is_met(&self, obligation: u32, state: u32) -> bool {
        self.letters[state as usize].holds(2 * obligation + 1)
    }

    /// The obligations that some states have.
    pub fn of<'o>(&'o self, states: impl Iterator<Item = u32> + Clone + 'o) -> impl Iterator<Item = u32> + 'o {
        (0..self.count).filter(move |&one| states.clone().any(|state| self.obliges(one, state)))
    }

    /// The obligations that are not met in a component, given the states of its nodes.
    fn unmet(&self, states: impl Iterator<Item = u32> + Clone) -> Vec<u32> {
        let is_unmet = |&one: &u32| !states.clone().any(|state| self.is_met(one, state));
        self.of(states.clone()).filter(is_unmet).collect()
    }
}

/// The nodes of a graph among which a run with all marks can stay and meet all obligations, component by component: the first
/// that is found, or all of them. Only some nodes are looked at; each has a state.
pub(super) fn components(
    graph: &Automaton, mut within: Vec<bool>, obliged: &Obliged, state_of: impl Fn(State) -> u32, wanted: Wanted,
    limits: &Limits,
) -> Result<Vec<Vec<State>>, Error> {
    let mut found = Vec::new();
    loop {
        limits.check()?;
        let roots: Vec<State> = graph.states().filter(|&node| within[node as usize]).collect();
        let parts = Components::among(graph, &roots, |_, edge| within[edge.target as usize]);
        let mut is_smaller = false;
        for (number, Component { states: nodes, .. }) in parts.all().iter().enumerate() {
            let unmet = match parts.is_accepting(number) {
                true => obliged.unmet(nodes.iter().map(|&node| state_of(node))),
                false => Vec::new(),
            };
            if unmet.is_empty() {
                nodes.iter().for_each(|&node| within[node as usize] = false);
                if parts.is_accepting(number) {
                    found.push(nodes.clone());
                    if wanted == Wanted::One {
                        return Ok(found);
                    }
                }
                continue;
            }
            is_smaller = true;
            let waits = |node: &&State| unmet.iter().any(|&one| obliged.obliges(one, state_of(**node)));
            nodes.iter().filter(waits).for_each(|&node| within[node as usize] = false);
        }
        if !is_smaller {
            return Ok(found);
        }
    }
}

/// How many components are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    One,
    All,
}

/// A component as searches for runs know it.
pub(super) fn accepting(nodes: Vec<State>) -> Option<Accepting> {
    Some(Accepting { root: *nodes.iter().min()?, members: nodes.into_iter().collect() })
}
