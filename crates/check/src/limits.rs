//! How far work may go, and how far it is: the same for both engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use mandala_diagram::{Cancel, Error, Store};

/// What work may use. By default there is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Bytes for diagrams, or for states that are kept one by one.
    pub memory: Option<usize>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// What stops it from outside.
    pub cancel: Cancel,
    /// How many states may be kept one by one.
    pub states: Option<u64>,
}

impl Limits {
    /// Whether work goes on: nobody has stopped it, and there is time left.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled { reached: None });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Error::Time { reached: None });
        }
        Ok(())
    }

    /// The same, with a part of the memory.
    pub(crate) fn with_memory_divided_by(&self, parts: usize) -> Limits {
        Limits { memory: self.memory.map(|bytes| bytes / parts), ..self.clone() }
    }

    /// The same, but nobody can stop it, and time does not: to say what is known after a limit struck.
    pub fn without_end(&self) -> Limits {
        Limits { deadline: None, cancel: Cancel::default(), ..self.clone() }
    }

    /// Sets a store to these limits, and to so much work.
    pub(crate) fn apply(&self, store: &mut Store, work: Option<u64>) {
        store.set_cancel(&self.cancel);
        store.set_limits(mandala_diagram::Limits { memory: self.memory, deadline: self.deadline, work });
    }
}

/// How far work is: give it to the work, keep a clone, and look at it from another thread.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    diagrams: mandala_diagram::Progress,
    states: Arc<AtomicU64>,
}

impl Progress {
    /// Nodes of the diagrams.
    pub fn nodes(&self) -> usize {
        self.diagrams.nodes()
    }

    /// Bytes of the diagrams.
    pub fn bytes(&self) -> usize {
        self.diagrams.bytes()
    }

    /// States that were found one by one; 0 where that is not done.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    pub(crate) fn of_diagrams(&self) -> &mandala_diagram::Progress {
        &self.diagrams
    }

    pub(crate) fn set_states(&self, states: u64) {
        self.states.store(states, Ordering::Relaxed);
    }
}
