//! Models with known answers: what is found out about them, and whether it is right.
//!
//! A **model** is a net of the Model Checking Contest (a folder with `model.pnml` and perhaps files of properties), a GAL
//! file or a DVE file. An **answer** is a figure or a verdict that a table beside the models expects; it is right, wrong, or unknown
//! for a reason. An answer that comes after the time is over counts as unknown, unless it is wrong: that is never
//! forgiven.
//!
//! Everything is asked through the front door, as users do: what is right here is right for them.
// The test has no use for what the table shows.
#![allow(dead_code)]

mod inquiry;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mandala::{Count, Error, ErrorKind, Memory, Options, Reason, Traces};

use super::shared;
use inquiry::{Inquiry, belongs};

/// An examination and, within it, a figure or a formula.
pub type Key = (String, String);

/// A model, and what is expected of it.
pub struct Model {
    /// Its name in the table.
    pub name: String,
    /// What is expected.
    pub figures: BTreeMap<Key, String>,
    path: PathBuf,
}

/// What one model may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time, for everything from reading to the last answer.
    pub time: Duration,
    /// Bytes of the process. Diagrams get three quarters, as on the command line.
    pub memory: u64,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The number of states.
    States,
    /// Formulas of LTL.
    Runs,
    /// Everything that is expected and belongs to state spaces, deadlocks, bounds and reachability.
    All,
}

/// Why an answer is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The time was over.
    Time,
    /// The memory was used up.
    Memory,
    /// The model does what diagrams cannot do yet.
    Beyond(String),
    /// Something else.
    Other(String),
}

/// What was found.
pub type Found = Result<String, Unknown>;

/// An expected answer, and what was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was asked.
    pub key: Key,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: Found,
}

/// The diagram of a model's states.
pub struct Shape {
    /// How many states it has.
    pub states: Count,
    /// Whether these are all.
    pub complete: bool,
    /// How many variables.
    pub variables: String,
    /// By which order.
    pub order: String,
    /// How many nodes.
    pub nodes: usize,
    /// The most nodes at a time while it was made.
    pub peak_nodes: usize,
}

/// What became of a model.
pub struct Report {
    /// Its name.
    pub model: String,
    /// All that was expected, in the order of the keys.
    pub answers: Vec<Answer>,
    /// The diagram, if there is one.
    pub shape: Option<Shape>,
    /// How long everything took.
    pub time: Duration,
    /// The most bytes that the process had at a time, as far as the system says; else those of the diagrams. What
    /// earlier models left to the allocator is part of it.
    pub peak_bytes: Option<u64>,
}

/// A report in a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All that is expected was found.
    Right,
    /// Something else was found than what is expected.
    Wrong,
    /// Something was not found, for this reason.
    Unknown(Unknown),
    /// Nothing is expected.
    Unchecked,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Time => write!(f, "out of time"),
            Unknown::Memory => write!(f, "out of memory"),
            Unknown::Beyond(_) => write!(f, "beyond"),
            Unknown::Other(_) => write!(f, "unknown"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Right => write!(f, "right"),
            Outcome::Wrong => write!(f, "WRONG"),
            Outcome::Unknown(reason) => write!(f, "{reason}"),
            Outcome::Unchecked => write!(f, "unchecked"),
        }
    }
}

impl Unknown {
    /// What there is to say besides the kind.
    pub fn details(&self) -> &str {
        match self {
            Unknown::Time | Unknown::Memory => "",
            Unknown::Beyond(details) | Unknown::Other(details) => details,
        }
    }
}

impl From<Reason> for Unknown {
    fn from(reason: Reason) -> Unknown {
        match reason {
            Reason::Time(_) => Unknown::Time,
            Reason::Memory => Unknown::Memory,
            Reason::Cancelled => Unknown::Other(reason.to_string()),
        }
    }
}

impl From<Error> for Unknown {
    fn from(error: Error) -> Unknown {
        match error.kind() {
            ErrorKind::BeyondDiagrams => Unknown::Beyond(error.message().to_owned()),
            ErrorKind::File | ErrorKind::Text => Unknown::Other(format!("cannot be read: {}", error.message())),
            _ => Unknown::of_words(error.message()),
        }
    }
}

impl Unknown {
    /// The reason that an answer without a verdict gives in words.
    fn of_words(reason: &str) -> Unknown {
        match reason {
            _ if reason.contains("out of time") => Unknown::Time,
            _ if reason.contains("out of memory") => Unknown::Memory,
            reason => Unknown::Other(reason.to_owned()),
        }
    }
}

impl Answer {
    /// Whether what was found is expected.
    pub fn is_right(&self) -> bool {
        self.found.as_ref() == Ok(&self.expected)
    }

    /// Whether something else was found.
    pub fn is_wrong(&self) -> bool {
        self.found.as_ref().is_ok_and(|found| *found != self.expected)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (examination, formula) = &self.key;
        match &self.found {
            Ok(found) => write!(f, "{examination} {formula}: {found}, expected {}", self.expected),
            Err(reason) => write!(f, "{examination} {formula}: {reason} {}", reason.details()),
        }
    }
}

impl Report {
    /// The report in a word.
    pub fn outcome(&self) -> Outcome {
        if self.answers.iter().any(Answer::is_wrong) {
            return Outcome::Wrong;
        }
        match self.answers.iter().find_map(|answer| answer.found.as_ref().err()) {
            Some(reason) => Outcome::Unknown(reason.clone()),
            None if self.answers.is_empty() => Outcome::Unchecked,
            None => Outcome::Right,
        }
    }

    /// How many answers are right, wrong, unknown.
    pub fn counts(&self) -> [usize; 3] {
        let count = |is: fn(&Answer) -> bool| self.answers.iter().filter(|answer| is(answer)).count();
        [count(Answer::is_right), count(Answer::is_wrong), count(|answer| answer.found.is_err())]
    }

    /// Whether the number of states was expected and found.
    pub fn counts_states(&self) -> bool {
        self.answers.iter().any(|answer| answer.key.1 == "STATES" && answer.is_right())
    }
}

/// The models of a folder with a part in their name, by name; none if no table of what is expected lies beside the
/// folder.
pub fn models(folder: &Path, part: &str) -> Vec<Model> {
    // An absolute path: the tables of the shared folder are found by their name alone, others are not.
    let Ok(folder) = folder.canonicalize() else { return Vec::new() };
    let Some(table) = table(&folder) else { return Vec::new() };
    let mut figures = shared::expected(&table.to_string_lossy());
    if figures.is_empty() {
        return Vec::new();
    }
    for table in ["expected-gal.csv", "expected-ltl.csv"] {
        // These have formulas about DVE files, too.
        for (name, more) in shared::expected(&folder.with_file_name(table).to_string_lossy()) {
            if let Some(known) = name.strip_suffix(".dve").and_then(|name| figures.get_mut(name)) {
                known.extend(more);
            }
        }
    }
    let Ok(entries) = std::fs::read_dir(&folder) else { return Vec::new() };
    let mut models: Vec<Model> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            // The table has DVE files without their ending.
            let name = if is_dve(&path) { path.file_stem() } else { path.file_name() };
            let name = name?.to_string_lossy().into_owned();
            let is_gal = path.extension().is_some_and(|extension| extension == "gal");
            let is_model = is_gal || is_dve(&path) || is_net(&path);
            (is_model && name.contains(part)).then_some((name, path))
        })
        .map(|(name, path)| Model { figures: figures.remove(&name).unwrap_or_default(), name, path })
        .collect();
    models.sort_by(|a, b| a.name.cmp(&b.name));
    models
}

fn is_dve(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "dve")
}

fn is_net(path: &Path) -> bool {
    path.join("model.pnml").is_file()
}

/// The table of what is expected of the models of a folder.
fn table(folder: &Path) -> Option<PathBuf> {
    let name = match folder.file_name()?.to_str()? {
        "mcc-pt" => "expected-mcc.csv",
        "mcc-col" => "expected-mcc.csv",
        "mcc-col-large" => "expected-mcc-col-large.csv",
        "mcc-pt-large" => "expected-mcc-large.csv",
        "mcc-pt-hard" => "expected-mcc-hard.csv",
        "mcc-pt-formulas" => "expected-mcc-formulas.csv",
        "gal" => "expected-gal.csv",
        "beem-dve" => "expected-beem.csv",
        "beem-dve-large" => "expected-beem-large.csv",
        _ => return None,
    };
    Some(folder.with_file_name(name)).filter(|table| table.is_file())
}

impl Model {
    /// Finds out what is expected, within limits.
    pub fn examine(&self, limits: Limits, scope: Scope) -> Report {
        self.examine_by(&Options::default(), limits, scope)
    }

    /// Finds out what is expected, within limits, in some way.
    pub fn examine_by(&self, way: &Options, limits: Limits, scope: Scope) -> Report {
        let start = Instant::now();
        forget_peak();
        let options = Options {
            memory: Some(Memory::from(limits.memory)),
            timeout: Some(limits.time),
            started: Some(start),
            traces: Traces::Unwanted,
            ..way.clone()
        };
        let mut inquiry = Inquiry::new(self, scope, options);
        let failure = inquiry.run().err().unwrap_or_else(|| Unknown::Other("not asked".to_owned()));
        let Inquiry { mut found, shape, peak_bytes, .. } = inquiry;
        let expected = self.figures.iter().filter(|(key, _)| belongs(&self.name, key, scope));
        let answers = expected.map(|(key, expected)| Answer {
            key: key.clone(),
            expected: expected.clone(),
            found: found.remove(key).unwrap_or_else(|| Err(failure.clone())),
        });
        let answers = answers.collect();
        let peak_bytes = peak_memory().or(Some(peak_bytes as u64).filter(|&bytes| bytes > 0));
        Report { model: self.name.clone(), answers, shape, time: start.elapsed(), peak_bytes }
    }

    fn read(&self) -> Result<mandala::Model, Unknown> {
        Ok(mandala::Model::read(&self.path)?)
    }
}

/// Reads a file. Some have comments in Latin-1.
fn text(path: &Path) -> Result<String, Unknown> {
    let bytes = std::fs::read(path).map_err(unreadable)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn unreadable(error: impl fmt::Display) -> Unknown {
    let message = error.to_string();
    Unknown::Other(format!("cannot be read: {}", message.lines().next().unwrap_or_default()))
}

/// The most bytes that the process had since [`forget_peak`], as far as the system says.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Begins anew to watch how much memory the process has. Where the system does not do that, peaks only grow.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
