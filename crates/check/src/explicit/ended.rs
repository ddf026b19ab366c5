//! How an exploration ended.

use mandala_diagram::Error;
use mandala_model::formalism::Formalism;
use mandala_model::property::Systems;
use mandala_model::semantics::RunError;

use crate::run::Trace;

/// Why an exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended<F: Formalism = Systems> {
    /// All states were explored.
    Complete,
    /// All questions were answered before.
    Answered,
    /// As many states were found as the limit allows, and there are more.
    States,
    /// The states need more memory than the limit allows.
    Memory,
    /// The time was over.
    Deadline,
    /// It was cancelled.
    Cancelled,
    /// The model has an error.
    Error {
        /// What went wrong.
        error: Box<RunError>,
        /// The way to the state where it did; `None` if already the initial states cannot be made.
        trace: Option<Trace<F>>,
    },
}

impl<F: Formalism> From<Error> for Ended<F> {
    fn from(error: Error) -> Ended<F> {
        match error {
            Error::Cancelled { .. } => Ended::Cancelled,
            Error::Time { .. } => Ended::Deadline,
            _ => Ended::Memory,
        }
    }
}
