//! Runs through the states of a system: what a trace is, whether it is one, and why there is none.

use std::fmt;
use std::ops::Range;

use mandala_diagram::Error;
use mandala_model::formalism::Formalism;
use mandala_model::property::Systems;
use mandala_model::semantics::{RunError, Step, TransitionSystem};

/// What becomes of runs that end, where a formula is about runs (LTL and CTL): those that come to a state in which nothing
/// can happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FiniteRuns {
    /// They count, and their last state repeats for ever (in CTL without a next state), as in the Model Checking Contest and
    /// in the answers that come with BEEM.
    #[default]
    Stutter,
    /// They do not count: a formula need not hold on them, and quantifiers do not see them.
    Ignore,
}

/// A way through the states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace<F: Formalism = Systems> {
    /// Where it begins.
    pub initial: F::State,
    /// What happens, and the state after that.
    pub steps: Vec<Step<F>>,
}

impl<F: Formalism> Trace<F> {
    /// The state where it ends.
    pub fn last(&self) -> &F::State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

/// A trace, and whether there is no shorter one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<F: Formalism = Systems> {
    /// The trace.
    pub trace: Trace<F>,
    /// Whether it is one of the shortest.
    pub shortest: bool,
    /// The number of the step with which it goes on when it is over, if it goes on for ever; the first is 0. With as
    /// many steps as the number says, nothing can happen at the end, and the last state is repeated.
    pub repeats: Option<usize>,
}

/// Why there is no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTrace {
    /// A limit struck.
    Stopped(Error),
    /// The states of the system are too large to write down.
    TooLarge,
    /// More steps than anyone would read: this many at least.
    TooLong(usize),
    /// Where something holds that is to be shown is not known, and why.
    Unknown(String),
    /// The trace did not replay: an error of this program, not of the model.
    Broken(String),
}

impl From<Error> for NoTrace {
    fn from(error: Error) -> NoTrace {
        NoTrace::Stopped(error)
    }
}

impl fmt::Display for NoTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTrace::Stopped(error) => write!(f, "no trace: {error}"),
            NoTrace::TooLarge => write!(f, "no trace: a state has too many variables to be written down"),
            NoTrace::TooLong(steps) => write!(f, "a trace has {steps} steps, too many to be written down"),
            NoTrace::Unknown(reason) => write!(f, "no trace: {reason}"),
            NoTrace::Broken(reason) => write!(f, "no trace, because of an error in mandala itself: {reason}"),
        }
    }
}

/// An atom of the formulas about a transition system.
pub type AtomIn<T> = <<T as TransitionSystem>::Formalism as Formalism>::Atom;
/// A state of a transition system.
pub type StateIn<T> = <<T as TransitionSystem>::Formalism as Formalism>::State;

/// Traces with more steps than this are not written down.
pub(crate) const LONGEST: usize = 100_000;
/// States with more variables than this are not written down.
pub(crate) const LARGEST: usize = 1_000_000;

pub(crate) fn broken(reason: &str) -> NoTrace {
    NoTrace::Broken(reason.to_owned())
}

/// Why a trace is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// It does not begin in an initial state.
    NotInitial,
    /// This step (the first is 0) is not one of the system.
    NoSuchStep(usize),
    /// The model has an error on the way.
    Error(String),
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

/// Checks each state of a trace, and what happens between them, against the meaning of the model.
pub fn replay<T: TransitionSystem>(semantics: &T, trace: &Trace<T::Formalism>) -> Result<(), Mismatch> {
    let error = |error: RunError| Mismatch::Error(error.to_string());
    if !semantics.initial_states().map_err(error)?.contains(&trace.initial) {
        return Err(Mismatch::NotInitial);
    }
    let mut state = &trace.initial;
    for (number, step) in trace.steps.iter().enumerate() {
        let possible = semantics.successors(state).map_err(error)?;
        let same = |other: &Step<_>| semantics.are_alike(&other.event, &step.event) && other.state == step.state;
        if !possible.iter().any(same) {
            return Err(Mismatch::NoSuchStep(number));
        }
        state = &step.state;
    }
    Ok(())
}

/// The same trace without some of its steps, if what comes after them can happen all the same. Each step that is tried takes one
/// from what is `left`.
pub(crate) fn without<T: TransitionSystem>(
    semantics: &T, trace: &Trace<T::Formalism>, steps: Range<usize>, left: &mut usize,
) -> Option<Trace<T::Formalism>> {
    let (before, after) = (&trace.steps[..steps.start], &trace.steps[steps.end..]);
    let state = before.last().map_or(&trace.initial, |step| &step.state);
    // Most of these cannot happen: what is before them is copied for those that can.
    let mut rest: Vec<Step<T::Formalism>> = Vec::new();
    for step in after {
        *left = left.checked_sub(1)?;
        let possible = semantics.successors(rest.last().map_or(state, |step| &step.state)).ok()?;
        rest.push(possible.into_iter().find(|other| semantics.are_alike(&other.event, &step.event))?);
    }
    Some(Trace { initial: trace.initial.clone(), steps: [before, &rest].concat() })
}

/// What happened between the states, of which the first is an initial one.
pub(crate) fn named<T: TransitionSystem>(
    semantics: &T, states: Vec<StateIn<T>>,
) -> Result<Trace<T::Formalism>, NoTrace> {
    let trace = steps_between(semantics, states)?;
    replay(semantics, &trace).map_err(|mismatch| NoTrace::Broken(mismatch.to_string()))?;
    Ok(trace)
}

/// What happened between the states.
pub(crate) fn steps_between<T: TransitionSystem>(
    semantics: &T, states: Vec<StateIn<T>>,
) -> Result<Trace<T::Formalism>, NoTrace> {
    let run = |error: RunError| NoTrace::Broken(error.to_string());
    // Transient states are part of a step.
    let mut settled = Vec::with_capacity(states.len());
    for state in states {
        if !semantics.is_transient(&state).map_err(run)? {
            settled.push(state);
        }
    }
    let mut states = settled.into_iter();
    let initial = states.next().ok_or_else(|| broken("the trace has no state"))?;
    let mut trace = Trace { initial, steps: Vec::new() };
    for state in states {
        let possible = semantics.successors(trace.last()).map_err(run)?;
        let step = possible.into_iter().find(|step| step.state == state);
        trace.steps.push(step.ok_or_else(|| broken("two states of the trace do not follow each other"))?);
    }
    Ok(trace)
}
