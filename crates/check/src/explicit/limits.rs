//! How far an exploration may go, and how it ended.

use crate::run::Trace;
use mandala_model::formalism::Formalism;
use mandala_model::property::Systems;
use mandala_model::semantics::RunError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What an exploration may use. By default there is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Bytes for the states.
    pub memory: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops as soon as this is set.
    pub cancel: Option<Arc<AtomicBool>>,
    /// How many states may be found.
    pub states: Option<u64>,
}

impl Limits {
    pub(super) fn check<F: Formalism>(&self) -> Result<(), Ended<F>> {
        if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(Ended::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Ended::Deadline);
        }
        Ok(())
    }
}

/// How far an exploration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// States whose successors are known.
    pub explored: u64,
    /// Pairs of a state and an event, so far.
    pub transitions: u64,
}

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
