//! The error state of a model that has one, as models in DVE do.

use crate::trace::Trace;
use std::fmt;

/// What is known of the error state of a model: where an assignment, an initialisation, a channel transfer or an array
/// access without a proper value leads. Displayed, it says whether it can be reached, and by which transition.
#[derive(Clone, Debug)]
pub struct ErrorState {
    /// Whether it is reached; nothing if that is not known.
    pub reached: Option<bool>,
    /// A transition that leads there; nothing if the model begins there, or if none was found.
    pub transition: Option<String>,
    /// Why: `x would be 256, and a byte holds 0 to 255`.
    pub reason: Option<String>,
    /// The way there if it was wanted, or why it is not shown.
    pub trace: Option<Result<Trace, String>>,
}

impl ErrorState {
    /// Whether it is known to be reached.
    pub fn is_reached(&self) -> bool {
        self.reached == Some(true)
    }

    /// The way there for people, if there is one to be shown.
    pub fn explanation(&self) -> Option<String> {
        Some(match self.trace.as_ref()? {
            Ok(trace) => format!("  the error state, {}:\n{trace}", trace.length()),
            Err(reason) => format!("  {reason}\n"),
        })
    }
}

impl fmt::Display for ErrorState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.reached, &self.transition, &self.reason) {
            (Some(false), ..) => write!(f, "cannot be reached"),
            (None, ..) => write!(f, "may be reached, or not: not all states are known"),
            (_, Some(transition), Some(reason)) => write!(f, "can be reached, by {transition}: {reason}"),
            (_, None, Some(reason)) => write!(f, "is where the model begins: {reason}"),
            (..) => write!(f, "can be reached"),
        }
    }
}
