//! The options of a query, as the engines want them.

use super::observed::Obligations;
use crate::error::{Error, ErrorKind};
use crate::limits::{Deadline, TIME_TO_SAY, memory_for_diagrams};
use crate::options::{self, Levels, Note, Options, Told};
use crate::question::Question;
use crate::reason::Reason;
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit;
use mandala_check::fair::WhichRuns;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{self as check, HierarchyChoice, QuotientChoice};
use mandala_check::run::FiniteRuns;
use mandala_check::space::SystemSpace;
use mandala_diagram::{ProcessMemory, Strategy};
use mandala_model::property::Atom;
use mandala_model::system::System;
use mandala_symbolic::plan::Hierarchy;
use std::time::{Duration, Instant};

/// Work on a query: its clock runs.
pub(crate) struct Session<'o> {
    pub options: &'o Options,
    deadline: Option<Deadline>,
    memory: Option<u64>,
    process: Option<ProcessMemory>,
    start: Instant,
    /// What runs must meet to count.
    pub obligations: Obligations,
}

impl<'o> Session<'o> {
    /// Begins: the clock runs from here, unless the options say that it has run before.
    pub fn begin(options: &'o Options) -> Result<Session<'o>, Error> {
        let memory = options.memory.as_ref().map(|memory| memory.bytes()).transpose()?;
        let start = options.started.unwrap_or_else(Instant::now);
        Ok(Session {
            options,
            deadline: options.deadline(),
            memory,
            process: options.process_memory()?,
            start,
            obligations: Obligations::default(),
        })
    }

    /// Tells a verdict to who listens, if it is one.
    pub fn tell(&self, question: &Question, verdict: &Verdict, by_diagrams: bool) {
        if !verdict.is_unknown() {
            let (question, verdict) = (question.name().to_owned(), verdict.clone());
            self.options.verdicts.hear(&Told { question, verdict, by_diagrams });
        }
    }

    /// With something that runs must meet to count.
    pub fn with_obligations(self, obligations: &Obligations) -> Session<'o> {
        Session { obligations: obligations.clone(), ..self }
    }

    /// The limit that has struck by now, if the time is over or somebody asked to stop.
    pub fn struck(&self) -> Option<Reason> {
        let is_over = self.deadline.filter(|deadline| Instant::now() >= deadline.moment);
        match self.options.cancel.is_cancelled() {
            true => Some(Reason::Cancelled),
            false => is_over.map(|_| self.out_of_time()),
        }
    }

    /// How long it has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The strategy of the diagrams; `None` if there are none.
    pub fn strategy(&self) -> Option<Strategy> {
        match self.options.strategy {
            options::Strategy::Saturation => Some(Strategy::Saturation),
            options::Strategy::Chaining => Some(Strategy::Chaining),
            options::Strategy::BreadthFirst => Some(Strategy::BreadthFirst),
            options::Strategy::Explicit => None,
        }
    }

    /// That several processes or checkpoints are asked for and cannot be used, if they are.
    pub fn refuse_crew(&self, what: &str) -> Result<(), Error> {
        if !self.options.crew.is_demanding() {
            return Ok(());
        }
        let text = format!("several processes and checkpoints cannot be used: {what}");
        Err(Error::new(ErrorKind::OneProcess, text))
    }

    /// Whether it is said how symmetries are used, and not only that they are: then they are used so.
    pub fn chooses_symmetries(&self) -> bool {
        let is_chosen = !matches!(self.options.symmetry, options::Symmetry::Off | options::Symmetry::Auto);
        is_chosen || self.options.symmetry_of_formula != options::SymmetryOfFormula::Auto
    }

    /// Whether answers are to come with traces.
    pub fn traces(&self) -> Traces {
        self.options.traces
    }

    /// What becomes of runs that end.
    pub fn finite_runs(&self) -> FiniteRuns {
        self.options.finite_runs
    }

    /// Which runs count.
    pub fn runs(&self) -> WhichRuns<'_, Atom> {
        WhichRuns { finite: self.finite_runs(), fair: &self.obligations }
    }

    /// How diagrams of a system are made.
    pub fn diagrams(&self, system: &System, strategy: Strategy) -> Result<check::Options, Error> {
        if system.is_composite() && self.options.levels != Levels::Auto {
            self.options.notes.hear(&Note::LevelsAsWritten);
        }
        Ok(check::Options {
            strategy,
            order: super::order::choose(&self.options.order, system)?,
            hierarchy: self.hierarchy(),
            quotient: self.quotient(),
            finite_runs: self.finite_runs(),
            fairness: self.obligations.clone(),
            limits: self.limits(None),
            progress: self.options.progress.clone(),
            ..check::Options::default()
        })
    }

    fn hierarchy(&self) -> HierarchyChoice {
        HierarchyChoice::Fixed(match self.options.levels {
            Levels::Auto => return HierarchyChoice::Automatic,
            Levels::Off => Hierarchy::Off,
            Levels::Units => Hierarchy::Units,
            Levels::Semiflows => Hierarchy::Semiflows,
            Levels::Communities => Hierarchy::Communities,
            Levels::Balanced(size) => Hierarchy::Balanced(size),
        })
    }

    fn quotient(&self) -> QuotientChoice {
        match self.options.symmetry {
            options::Symmetry::Off => QuotientChoice::Off,
            options::Symmetry::Auto => QuotientChoice::Automatic,
            options::Symmetry::Explore => QuotientChoice::Explore,
            options::Symmetry::Select => QuotientChoice::Select,
            options::Symmetry::List => QuotientChoice::List,
        }
    }

    /// Gives a space the limits of this session, whatever it had before. Where something is said of runs, a third of the
    /// time that is left is for a search run by run.
    pub fn renew(&self, space: &mut SystemSpace<'_>, about_runs: bool) {
        let deadline = self.deadline.map(|deadline| {
            let left = deadline.moment.saturating_duration_since(Instant::now());
            deadline.moment - if about_runs { left / 3 } else { Duration::ZERO }
        });
        space.set_limits(&Limits { deadline, ..self.limits(None) });
    }

    /// Lets a space that met a limit do a little more, to say what is known so far.
    pub fn extend(&self, space: &mut SystemSpace<'_>) {
        let memory = space.encoded().store.limits().memory.map(|bytes| bytes + bytes / 8);
        let deadline = Instant::now().checked_add(TIME_TO_SAY);
        space.set_limits(&Limits { memory, deadline, ..self.limits(None).without_end() });
    }

    /// When all of the time is over but for a part: a third, a sixth of it.
    pub fn all_but_a_part(&self, part: u32) -> Option<Instant> {
        let deadline = self.deadline?;
        deadline.moment.checked_sub(deadline.time / part)
    }

    /// A part of the time: a third, a sixth of it; nothing if there is no limit.
    pub fn part_of_time(&self, part: u32) -> Option<Duration> {
        Some(self.deadline?.time / part)
    }

    /// How far work may go, with so many states that are kept one by one.
    pub fn limits(&self, states: Option<u64>) -> Limits {
        Limits {
            memory: memory_for_diagrams(self.memory),
            process: self.process.clone(),
            deadline: self.deadline.map(|deadline| deadline.moment),
            cancel: self.options.cancel.0.clone(),
            states,
            ..Limits::default()
        }
    }

    /// Where work says how far it is.
    pub fn progress(&self) -> &Progress {
        &self.options.progress
    }

    /// Why diagrams were not finished. `Err` if that is no limit but something wrong.
    pub fn reason(&self, error: &mandala_diagram::Error) -> Result<Reason, Error> {
        use mandala_diagram::Error as Stopped;
        match error {
            Stopped::Memory { .. } => Ok(Reason::Memory),
            Stopped::Time { .. } => Ok(self.out_of_time()),
            Stopped::Cancelled { .. } => Ok(Reason::Cancelled),
            error => Err(Error::new(ErrorKind::Other, error.to_string())),
        }
    }

    /// Why an exploration state by state was not finished; `None` if it was.
    pub fn reason_of(&self, ended: &explicit::Ended) -> Option<Reason> {
        match ended {
            explicit::Ended::Complete | explicit::Ended::Answered | explicit::Ended::Error { .. } => None,
            explicit::Ended::States | explicit::Ended::Memory => Some(Reason::Memory),
            explicit::Ended::Deadline => Some(self.out_of_time()),
            explicit::Ended::Cancelled => Some(Reason::Cancelled),
        }
    }

    fn out_of_time(&self) -> Reason {
        Reason::Time(self.deadline.map(|deadline| deadline.time))
    }
}
