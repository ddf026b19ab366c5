//! The error state of a system: whether it is reached, by which transition and why.

use mandala_diagram::Diagram;
use mandala_model::semantics::{Event, Semantics};
use mandala_model::system::Location;
use mandala_symbolic::encode::{Encoding, SystemEncoding};

use crate::answer::Traces;
use crate::explicit::{Ended, Outcome};
use crate::run::{Found, NoTrace};
use crate::space::SystemSpace;
use crate::trace::to_targets;

/// What is known of the error state of a system that has one.
#[derive(Debug)]
pub enum ErrorState {
    /// It can be reached.
    Reached(Box<Reached>),
    /// It cannot.
    NotReached,
    /// Not all states are known, and it is not among those that are.
    Unknown,
}

/// How the error state is reached.
#[derive(Debug)]
pub struct Reached {
    /// What leads there.
    pub by: By,
    /// The way there, if it was wanted.
    pub trace: Option<Result<Found, NoTrace>>,
}

/// What leads to the error state, and why: `x would be 256, and a byte holds 0 to 255`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The system begins there.
    Start {
        /// Why.
        reason: String,
    },
    /// A transition; there may be others.
    Transition {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// It was not found out what.
    Unknown,
}

impl Reached {
    /// What a way to the error state says about it; nothing if it does not lead there.
    pub fn by(semantics: &Semantics<'_>, found: Found) -> Option<Reached> {
        let by = match found.trace.steps.split_last() {
            None => at_start(semantics)?,
            Some((last, before)) => {
                let state = before.last().map_or(&found.trace.initial, |step| &step.state);
                transition(semantics, &last.event, state)?
            }
        };
        Some(Reached { by, trace: Some(Ok(found)) })
    }

    /// Without the way there, if it is not wanted.
    fn with(self, traces: Traces) -> Reached {
        match traces {
            Traces::Wanted => self,
            Traces::Unwanted => Reached { trace: None, ..self },
        }
    }
}

impl SystemSpace<'_> {
    /// Whether the error state of the system is reached, if it has one; with a way there, if it is wanted.
    pub fn error_state(&mut self, traces: Traces) -> Option<ErrorState> {
        self.encoded.encoding.system.error_state()?;
        let states = self.states.clone();
        let Ok(error) = SystemEncoding::error_state(&mut self.encoded, &states) else {
            return Some(ErrorState::Unknown);
        };
        if error.is_empty() {
            return Some(if self.is_complete() { ErrorState::NotReached } else { ErrorState::Unknown });
        }
        Some(ErrorState::Reached(Box::new(self.error_reached(&error, traces))))
    }

    fn error_reached(&mut self, error: &Diagram, traces: Traces) -> Reached {
        let unknown = |reason| Reached { by: By::Unknown, trace: Some(Err(reason)) };
        let Ok(semantics) = Semantics::new(self.encoded.encoding.system) else { return unknown(NoTrace::TooLarge) };
        // To find a state in which a transition fails is easier than to find the way there.
        if traces == Traces::Unwanted
            && let Some(by) = self.error_foreseen(&semantics)
        {
            return Reached { by, trace: None };
        }
        match to_targets(&mut self.encoded, error) {
            Ok(found) => Reached::by(&semantics, found).map_or_else(
                || unknown(NoTrace::Broken("the way does not lead to the error state".to_owned())),
                |reached| reached.with(traces),
            ),
            Err(reason) => {
                let by = self.error_foreseen(&semantics).unwrap_or(By::Unknown);
                Reached { by, trace: Some(Err(reason)) }
            }
        }
    }

    /// A transition of which it is known beforehand in which states it fails, and that one of these is reached.
    fn error_foreseen(&mut self, semantics: &Semantics<'_>) -> Option<By> {
        if let Some(by) = at_start(semantics) {
            return Some(by);
        }
        for attempt in &self.encoded.encoding.system.error_state()?.attempts {
            let location = Location { path: Vec::new(), index: attempt.transition };
            let states = self.states.clone();
            let Ok(failing) = SystemEncoding::enabled(&mut self.encoded, &location, &states) else { continue };
            let Some(state) = self.encoded.store.pick(&failing) else { continue };
            let state = SystemEncoding::decode(&self.encoded, &state);
            let event = Event { location, through: Vec::new() };
            // One that is checked between its effects may well succeed here.
            if let Some(by) = transition(semantics, &event, &state) {
                return Some(by);
            }
        }
        None
    }
}

fn at_start(semantics: &Semantics<'_>) -> Option<By> {
    Some(By::Start { reason: semantics.mishap_at_start()?.to_string() })
}

fn transition(semantics: &Semantics<'_>, event: &Event, state: &[i32]) -> Option<By> {
    let reason = semantics.mishap(event, state)?.to_string();
    Some(By::Transition { name: semantics.name(event), reason })
}

impl ErrorState {
    /// What an exploration state by state says about the error state, if the system has one.
    pub fn of(semantics: &Semantics<'_>, outcome: &Outcome, traces: Traces) -> Option<ErrorState> {
        semantics.system().error_state()?;
        let found = outcome.to_error.clone().map(|trace| Found { trace, shortest: true, repeats: None });
        Some(match found.and_then(|found| Reached::by(semantics, found)) {
            Some(reached) => ErrorState::Reached(Box::new(reached.with(traces))),
            None if outcome.ended == Ended::Complete => ErrorState::NotReached,
            None => ErrorState::Unknown,
        })
    }
}
