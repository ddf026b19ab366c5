//! What is said of the error state of a model: whether it can be reached, by which transition, and the way there.

use crate::trace::Named;
use mandala_check::error_state::{By, ErrorState, Reached};
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use serde_json::{Value, json};

/// What is known of the error state, with names.
pub struct Told {
    /// Whether it is reached; nothing if that is not known.
    reached: Option<bool>,
    by: Option<By>,
    trace: Option<Result<Named, String>>,
}

impl Told {
    /// What there is to tell about a system with an error state.
    pub fn new(system: &System, found: ErrorState) -> Told {
        match found {
            ErrorState::NotReached => Told { reached: Some(false), by: None, trace: None },
            ErrorState::Unknown => Told { reached: None, by: None, trace: None },
            ErrorState::Reached(reached) => {
                let Reached { by, trace } = *reached;
                let trace = trace.and_then(|trace| {
                    let named = |semantics: Semantics<'_>| match trace {
                        Ok(found) => Ok(Named::new(&semantics, &found.trace, found.shortest)),
                        Err(reason) => Err(reason.to_string()),
                    };
                    Semantics::new(system).ok().map(named)
                });
                Told { reached: Some(true), by: Some(by), trace }
            }
        }
    }

    /// Whether it is known to be reached.
    pub fn is_reached(&self) -> bool {
        self.reached == Some(true)
    }

    /// What can be said of it, in one line.
    pub fn words(&self) -> String {
        match (self.reached, &self.by) {
            (Some(false), _) => "cannot be reached".to_owned(),
            (None, _) => "may be reached, or not: not all states are known".to_owned(),
            (_, Some(By::Start { reason })) => format!("is where the model begins: {reason}"),
            (_, Some(By::Transition { name, reason })) => format!("can be reached, by {name}: {reason}"),
            (_, Some(By::Unknown) | None) => "can be reached".to_owned(),
        }
    }

    /// The way there, if there is one to be shown.
    pub fn way(&self) -> Option<String> {
        Some(match self.trace.as_ref()? {
            Ok(trace) => format!("  the error state, {}:\n{}", trace.length(), trace.text()),
            Err(reason) => format!("  {reason}\n"),
        })
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        let (transition, reason) = match &self.by {
            Some(By::Start { reason }) => (None, Some(reason)),
            Some(By::Transition { name, reason }) => (Some(name), Some(reason)),
            Some(By::Unknown) | None => (None, None),
        };
        let mut object = json!({"reached": self.reached, "transition": transition, "reason": reason});
        match &self.trace {
            Some(Ok(trace)) => object["trace"] = trace.json(),
            Some(Err(reason)) => object["no_trace"] = json!(reason),
            None => {}
        }
        object
    }
}
