//! What a run works with: limits, what stops it, and the line that shows how far it is.

use crate::arguments::{Engine, Show};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits::{self, Deadline};
use crate::order;
use crate::output;
use crate::progress::Line;
use mandala_check::explicit;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{HierarchyChoice, Options};
use mandala_diagram::{Error, Store};
use mandala_model::system::{System, Type};
use std::time::{Duration, Instant};

/// How long it may take to say what is known after an interrupt.
const EXTENSION: Duration = Duration::from_secs(10);

/// A run.
pub struct Session {
    /// What stops it from outside.
    pub interrupt: Interrupt,
    deadline: Option<Deadline>,
    memory: Option<u64>,
    progress: Progress,
    shows_progress: bool,
    start: Instant,
}

/// Why a run ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time was over.
    Time(Option<Duration>),
    /// The memory was used up.
    Memory,
    /// The user asked.
    Interrupt,
}

impl Session {
    /// Begins: the clock runs from here.
    pub fn begin(engine: &Engine, show: &Show) -> Session {
        let deadline = engine.timeout.and_then(Deadline::after);
        Session {
            interrupt: Interrupt::listen(deadline.as_ref()),
            deadline,
            memory: engine.memory,
            progress: Progress::default(),
            shows_progress: !show.json && !show.quiet,
            start: Instant::now(),
        }
    }

    /// How diagrams of a system are made.
    pub fn options(
        &self, system: &System, engine: &Engine, strategy: mandala_diagram::Strategy,
    ) -> Result<Options, Failure> {
        let is_composite = matches!(system.types.get(system.main), Some(Type::Composite(_)));
        if is_composite && engine.hierarchy != HierarchyChoice::Automatic {
            output::complain(
                "note: a composite keeps the levels in which it is written; `--hierarchy` is for flat models",
            );
        }
        Ok(Options {
            strategy,
            order: order::choose(&engine.order, system)?,
            hierarchy: engine.hierarchy,
            folding: engine.symmetry.into(),
            limits: Limits { cancel: self.interrupt.diagrams.clone(), ..self.limits() },
            progress: self.progress.clone(),
            ..Options::default()
        })
    }

    /// Lets a store that met a limit do a little more, to say what is known so far.
    pub fn extend(&self, store: &mut Store) {
        self.interrupt.diagrams.reset();
        let time = self.deadline.map_or(EXTENSION, |deadline| deadline.grace() / 2);
        let memory = store.limits().memory.map(|bytes| bytes + bytes / 8);
        let deadline = Instant::now().checked_add(time);
        store.set_limits(mandala_diagram::Limits { memory, deadline, work: None });
    }

    /// When most of the time is over, and some is left for another way.
    pub fn most_of_the_time(&self) -> Option<Instant> {
        let deadline = self.deadline?;
        deadline.moment.checked_sub(deadline.time / 3)
    }

    /// How far work may go.
    pub fn limits(&self) -> Limits {
        Limits {
            memory: limits::memory_for_diagrams(self.memory),
            deadline: self.deadline.map(|deadline| deadline.moment),
            cancel: self.interrupt.cancel.clone(),
            states: None,
        }
    }

    /// Where work says how far it is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Shows how far the work is, as long as the line is kept.
    pub fn show_progress(&self) -> Line {
        Line::show(&self.progress, self.shows_progress)
    }

    /// How long it has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Why diagrams were not finished. `Err` if that is no limit but something wrong.
    pub fn reason(&self, error: &Error) -> Result<Reason, Failure> {
        match error {
            Error::Memory { .. } => Ok(Reason::Memory),
            Error::Time { .. } => Ok(Reason::Time(self.deadline.map(|deadline| deadline.time))),
            Error::Cancelled { .. } => Ok(Reason::Interrupt),
            error => Err(Failure::new(error.to_string())),
        }
    }

    /// Why an exploration state by state was not finished; `None` if it was.
    pub fn reason_of(&self, ended: &explicit::Ended) -> Option<Reason> {
        match ended {
            explicit::Ended::Complete | explicit::Ended::Answered | explicit::Ended::Error { .. } => None,
            explicit::Ended::States | explicit::Ended::Memory => Some(Reason::Memory),
            explicit::Ended::Deadline => Some(Reason::Time(self.deadline.map(|deadline| deadline.time))),
            explicit::Ended::Cancelled => Some(Reason::Interrupt),
        }
    }
}

impl Reason {
    /// As scripts know it.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Time(_) => "time",
            Reason::Memory => "memory",
            Reason::Interrupt => "interrupt",
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Time(Some(time)) => write!(f, "out of time after {}", output::seconds(*time)),
            Reason::Time(None) => write!(f, "out of time"),
            Reason::Memory => write!(f, "out of memory (`--memory` allows more)"),
            Reason::Interrupt => write!(f, "interrupted"),
        }
    }
}
