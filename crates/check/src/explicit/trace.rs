//! Ways from an initial state, and whether they are what they say.

use super::states::States;
use mandala_model::semantics::{RunError, Semantics, Step};
use std::fmt;

/// A way through the states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Where it begins.
    pub initial: Vec<i32>,
    /// What happens, and the state after that.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The state where it ends.
    pub fn last(&self) -> &[i32] {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

/// The way by which a state was found. What happened is found again from the states; `None` is never seen, because the
/// same search has found it before.
pub(super) fn to_state(semantics: &Semantics<'_>, states: &States, id: u32) -> Option<Trace> {
    let mut ids = vec![id];
    let mut first = id;
    while let Some(parent) = states.parent(first) {
        ids.push(parent);
        first = parent;
    }
    ids.reverse();
    let mut steps = Vec::with_capacity(ids.len() - 1);
    for pair in ids.windows(2) {
        let (from, to) = (states.get(pair[0]), states.get(pair[1]));
        steps.push(semantics.successors(from).ok()?.into_iter().find(|step| step.state == to)?);
    }
    Some(Trace { initial: states.get(first).to_vec(), steps })
}

/// Why a trace is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// It does not begin in an initial state.
    NotInitial,
    /// This step (the first is 0) is not one of the system.
    NoSuchStep(usize),
    /// The model has an error on the way.
    Error(Box<RunError>),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::NotInitial => write!(f, "the trace does not begin in an initial state"),
            Mismatch::NoSuchStep(number) => write!(f, "step {} of the trace cannot happen", number + 1),
            Mismatch::Error(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Mismatch {}

/// Checks each state of a trace, and what happens between them, against the meaning of the system. (Which way is taken
/// through transient states is not compared: there may be several.)
pub fn replay(semantics: &Semantics<'_>, trace: &Trace) -> Result<(), Mismatch> {
    let error = |error| Mismatch::Error(Box::new(error));
    if !semantics.initial_states().map_err(error)?.contains(&trace.initial) {
        return Err(Mismatch::NotInitial);
    }
    let mut state = &trace.initial;
    for (number, step) in trace.steps.iter().enumerate() {
        let possible = semantics.successors(state).map_err(error)?;
        let same = |other: &Step| other.event.location == step.event.location && other.state == step.state;
        if !possible.iter().any(same) {
            return Err(Mismatch::NoSuchStep(number));
        }
        state = &step.state;
    }
    Ok(())
}
