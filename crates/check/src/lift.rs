//! Runs through representatives as runs of the model.
//!
//! Each state of a run through representatives stands for its orbit. The run of the model begins in an initial state, and
//! goes on, step by step, to a successor in the orbit of the next representative: symmetric states have symmetric
//! successors, so there always is one. Where the representatives go round, the run of the model comes back to the orbit in
//! which it began and perhaps not to the state: it goes round again, until it meets a state that it was in before.

use mandala_diagram::Diagram;
use mandala_model::semantics::{RunError, TransitionSystem};
use mandala_symbolic::encode::{Encoded, Encoding, StateOf};
use rustc_hash::FxHashMap;

use crate::run::{LONGEST, NoTrace, broken};

/// The states of a run of the model, given representatives as sets of one state each.
pub(crate) fn run<E: Encoding>(
    encoded: &mut Encoded<E>, semantics: &E::Semantics, representatives: &[Diagram],
) -> Result<Vec<StateOf<E>>, NoTrace> {
    let mut settled = Vec::with_capacity(representatives.len());
    for representative in representatives {
        let state = encoded.store.pick(representative).ok_or_else(|| broken("a step has no state"))?;
        let error = |error: RunError| NoTrace::Broken(error.to_string());
        // Transient states are part of a step.
        if !semantics.is_transient(&E::decode(encoded, &state)).map_err(error)? {
            settled.push(representative.clone());
        }
    }
    let mut lifted = Lifted::new(encoded, semantics, &settled)?;
    (1..settled.len()).try_for_each(|place| lifted.step(place))?;
    Ok(lifted.states)
}

/// The same for representatives of which the last is the one with this number again: the states of the model, of which
/// the last is again the one with the number that is returned.
pub(crate) fn lasso<E: Encoding>(
    encoded: &mut Encoded<E>, semantics: &E::Semantics, representatives: &[Diagram], start: usize,
) -> Result<(Vec<StateOf<E>>, usize), NoTrace> {
    let mut lifted = Lifted::new(encoded, semantics, representatives)?;
    (1..=start).try_for_each(|place| lifted.step(place))?;
    // Where the run was each time it came round.
    let mut rounds: FxHashMap<StateOf<E>, usize> = FxHashMap::default();
    loop {
        let here = lifted.states.len() - 1;
        if let Some(before) = rounds.insert(lifted.states[here].clone(), here) {
            return Ok((lifted.states, before));
        }
        (start + 1..representatives.len()).try_for_each(|place| lifted.step(place))?;
    }
}

struct Lifted<'u, E: Encoding> {
    encoded: &'u mut Encoded<E>,
    semantics: &'u E::Semantics,
    /// The orbit of each representative.
    orbits: Vec<Diagram>,
    states: Vec<StateOf<E>>,
}

impl<'u, E: Encoding> Lifted<'u, E> {
    fn new(
        encoded: &'u mut Encoded<E>, semantics: &'u E::Semantics, representatives: &[Diagram],
    ) -> Result<Self, NoTrace> {
        let orbit = encoded.orbit.clone().ok_or_else(|| broken("the space is not a quotient"))?;
        let mut orbits = Vec::with_capacity(representatives.len());
        for representative in representatives {
            orbits.push(encoded.store.apply(&orbit, representative)?);
        }
        let mut lifted = Lifted { encoded, semantics, orbits, states: Vec::new() };
        let initial = semantics.initial_states().map_err(|error| NoTrace::Broken(error.to_string()))?;
        lifted.go_on(initial, 0)?;
        Ok(lifted)
    }

    /// Goes to a state that the representative at a place stands for.
    fn step(&mut self, place: usize) -> Result<(), NoTrace> {
        let error = |error: RunError| NoTrace::Broken(error.to_string());
        let here = self.states.last().ok_or_else(|| broken("a run without a state"))?;
        let mut next: Vec<StateOf<E>> =
            self.semantics.successors(here).map_err(error)?.into_iter().map(|step| step.state).collect();
        if next.is_empty() {
            // Where nothing can happen the state is repeated.
            next.push(here.clone());
        }
        self.go_on(next, place)
    }

    fn go_on(&mut self, possible: Vec<StateOf<E>>, place: usize) -> Result<(), NoTrace> {
        if self.states.len() > LONGEST {
            return Err(NoTrace::TooLong(self.states.len()));
        }
        for state in possible {
            let set = E::encode(self.encoded, &state)?.ok_or_else(|| broken("a state that cannot be written"))?;
            if self.encoded.store.is_subset(&set, &self.orbits[place])? {
                self.states.push(state);
                return Ok(());
            }
        }
        Err(broken("no state follows that a representative stands for"))
    }
}
