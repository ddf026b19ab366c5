//! How far work may go, and how far it is: the same for both engines.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use mandala_diagram::{Cancel, Error, ProcessMemory, Store};

/// What work may use. By default there is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Bytes for diagrams, or for states that are kept one by one.
    pub memory: Option<usize>,
    /// The memory of the whole process, which everything in it shares.
    pub process: Option<ProcessMemory>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// What stops it from outside.
    pub cancel: Cancel,
    /// How many states may be kept one by one.
    pub states: Option<u64>,
    /// How much work may be done on one diagram, whoever does it.
    pub work: Option<u64>,
    /// For tests: garbage is collected at every so many-th point at which it could be.
    #[doc(hidden)]
    pub collect_every: Option<u32>,
}

impl Limits {
    /// Whether work goes on: nobody has stopped it, and there is time and memory left.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled { reached: None });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Error::Time { reached: None });
        }
        match &self.process {
            Some(process) if process.exceeds(0) => {
                Err(Error::Memory { used: process.used(), needed: 0, limit: Some(process.limit()), reached: None })
            }
            _ => Ok(()),
        }
    }

    /// Whether something that has so many bytes may have so many more.
    pub(crate) fn allow(&self, bytes: u64, more: u64) -> bool {
        let fits = self.memory.is_none_or(|limit| bytes.saturating_add(more) <= limit as u64);
        let more = usize::try_from(more).unwrap_or(usize::MAX);
        fits && !self.process.as_ref().is_some_and(|process| process.exceeds(more))
    }

    /// The same, with a part of the memory.
    pub(crate) fn with_memory_divided_by(&self, parts: usize) -> Limits {
        Limits { memory: self.memory.map(|bytes| bytes / parts), ..self.clone() }
    }

    /// The same without limits on memory, for work that takes none.
    pub(crate) fn without_memory(&self) -> Limits {
        Limits { memory: None, process: None, ..self.clone() }
    }

    /// The same, but nobody can stop it, and time does not, and there is a little more memory: to say what is known after a
    /// limit struck.
    pub fn without_end(&self) -> Limits {
        let process = self.process.as_ref().and_then(ProcessMemory::extended);
        Limits { deadline: None, cancel: Cancel::default(), process, ..self.clone() }
    }

    /// Sets a store to these limits, and to so much work, if that is less.
    pub(crate) fn apply(&self, store: &mut Store, work: Option<u64>) {
        let work = match (work, self.work) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        store.set_cancel(&self.cancel);
        store.set_process_memory(self.process.as_ref());
        store.set_limits(mandala_diagram::Limits { memory: self.memory, deadline: self.deadline, work });
        if let Some(period) = self.collect_every {
            store.collect_at_every(period);
        }
    }
}

/// How far work is: give it to the work, keep a clone, and look at it from another thread.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    diagrams: mandala_diagram::Progress,
    states: Arc<AtomicU64>,
    doing: Arc<Mutex<Option<String>>>,
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

    /// What is done, as in "stopped while unfolding the net", with how far that is; nothing if nobody says so.
    pub fn doing(&self) -> Option<String> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says what is done from here on.
    pub fn set_doing(&self, doing: Option<String>) {
        *self.doing.lock().unwrap_or_else(PoisonError::into_inner) = doing;
    }

    pub(crate) fn of_diagrams(&self) -> &mandala_diagram::Progress {
        &self.diagrams
    }

    /// So many more states were found one by one; wraps around, so that they can be taken back.
    pub(crate) fn add_states(&self, states: u64) {
        self.states.fetch_add(states, Ordering::Relaxed);
    }

    pub(crate) fn set_states(&self, states: u64) {
        self.states.store(states, Ordering::Relaxed);
    }
}
