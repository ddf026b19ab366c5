//! What a run works with: options, what stops it, and the line that shows how far it is.

use crate::arguments::{self, Engine, Limits, Show, Strategy, Symmetries, Symmetry, SymmetryOfFormula};
use crate::ending;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::progress::Line;
use mandala::{Checkpoints, Crew, Hosts, Listener, Model, Note, Options, Order, Reason};
use std::time::{Duration, Instant};

/// A run.
pub struct Session {
    /// How the work is done.
    pub options: Options,
    shows_progress: bool,
    start: Instant,
}

impl Session {
    /// Begins: the clock runs from here.
    pub fn begin(engine: &Engine, show: &Show) -> Result<Session, Failure> {
        if engine.symmetry == Symmetry::Off && engine.symmetries == Symmetries::Declared {
            return Err(Failure::with_help(
                "`--symmetries` says which symmetries are used, and none are",
                "say how as well: `--symmetry auto`",
            ));
        }
        if engine.symmetry == Symmetry::Off && engine.symmetry_of_formula != SymmetryOfFormula::Auto {
            return Err(Failure::with_help(
                "`--symmetry-of-formula` says how symmetries are used, and none are",
                "ask for them as well: `--symmetry auto`",
            ));
        }
        let options = Options {
            strategy: engine.strategy.into(),
            order: Order::from(engine.order.as_str()),
            levels: engine.hierarchy,
            symmetry: engine.symmetry.into(),
            symmetries: engine.symmetries.into(),
            reductions: engine.reductions.into(),
            symmetry_of_formula: engine.symmetry_of_formula.into(),
            symbolic: engine.symbolic.into(),
            partition: engine.partition.into(),
            notes: Listener::new(note),
            crew: crew(engine)?,
            ..Options::default()
        };
        let session = Session::limited(options, &engine.limits, !show.json && !show.quiet)?;
        if engine.crew.leash {
            interrupt::hold(&session.options.cancel);
        }
        Ok(session)
    }

    /// Begins work that has limits and no other options.
    pub fn with_limits(limits: &Limits) -> Result<Session, Failure> {
        Session::limited(Options { notes: Listener::new(note), ..Options::default() }, limits, false)
    }

    fn limited(options: Options, limits: &Limits, shows_progress: bool) -> Result<Session, Failure> {
        let start = Instant::now();
        let (timeout, memory) = (limits.timeout, limits.memory.map(Into::into));
        let options = Options { timeout, memory, started: Some(start), ..options }.from_now()?;
        interrupt::listen(&options);
        ending::watch(&options.progress);
        Ok(Session { options, shows_progress, start })
    }

    /// Does what must be done with a model before anything is asked, and shows that it goes on.
    pub fn prepare(&self, model: &Model) -> Result<(), Failure> {
        ending::enter("preparing");
        let line = self.show_progress();
        let done = model.prepare(&self.options);
        drop(line);
        Ok(done?)
    }

    /// Shows how far the work is, as long as the line is kept.
    pub fn show_progress(&self) -> Line {
        let deadline = self.options.timeout.and_then(|time| self.start.checked_add(time));
        Line::show(&self.options.progress, deadline, self.shows_progress)
    }

    /// When it began.
    pub fn start(&self) -> Instant {
        self.start
    }

    /// How long it has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Who explores states one by one.
fn crew(engine: &arguments::Engine) -> Result<Crew, Failure> {
    let crew = &engine.crew;
    // Symbolic markings are listed by several workers of one process.
    let has_workers = crew.workers.is_some() && engine.symbolic != arguments::Symbolic::List;
    let is_asked = has_workers || crew.hosts.is_some() || crew.checkpoint.is_some();
    if is_asked && engine.strategy != Strategy::Explicit {
        return Err(Failure::with_help(
            "workers, hosts and checkpoints are for exploration state by state",
            "say that as well: `--strategy explicit`",
        ));
    }
    let hosts = match (&crew.hosts, crew.process) {
        (Some(hosts), Some(process)) => {
            Some(Hosts { addresses: addresses(hosts)?, process, patience: crew.patience.unwrap_or(mandala::PATIENCE) })
        }
        _ => None,
    };
    let checkpoints = crew.checkpoint.clone().map(|folder| Checkpoints { folder, every: crew.checkpoint_every });
    Ok(Crew { workers: crew.workers.map(usize::from), hosts, checkpoints })
}

/// The addresses in a file, or with commas in between.
pub fn addresses(hosts: &str) -> Result<Vec<String>, Failure> {
    let is_list = hosts.contains(',') && !std::path::Path::new(hosts).exists();
    let text = match is_list {
        true => hosts.to_owned(),
        false => std::fs::read_to_string(hosts)
            .map_err(|error| Failure::new(format!("cannot read the list of hosts {hosts}: {error}")))?,
    };
    Ok(Hosts::addresses(&text)?)
}

fn note(note: &Note) {
    let more = if *note == Note::LevelsAsWritten { "; `--hierarchy` is for flat models" } else { "" };
    output::complain(&format!("note: {note}{more}"));
}

/// Why a run ended before it was done, as scripts know it.
pub fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Time(_) => "time",
        Reason::Memory => "memory",
        Reason::Cancelled => "interrupt",
    }
}

/// Why a run ended before it was done, with the option that helps.
pub fn reason_in_words(reason: Reason) -> String {
    let more = if reason == Reason::Memory { " (`--memory` allows more)" } else { "" };
    format!("{reason}{more}")
}
