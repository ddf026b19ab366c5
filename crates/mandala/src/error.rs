//! What went wrong, as a value that owns all it needs to say so.

use crate::reason::Reason;
use crate::trace::Trace;
use mandala_model::text::Unreadable;
use std::fmt;

/// Why there is no model, no answer or no picture: bad input, or something that cannot be done.
///
/// It says what is wrong and, where that can be said, how to go on. Limits that strike are no errors: they are part of
/// an answer ([`Reason`](crate::Reason)), unless they strike before there is a model to ask ([`Error::stopped`]).
///
/// ```
/// let error = mandala::Model::read("no-such-file.gal").unwrap_err();
/// assert_eq!(error.kind(), mandala::ErrorKind::File);
/// assert!(error.to_string().starts_with("there is no file no-such-file.gal"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    text: String,
    help: Option<String>,
    unreadable: Option<Box<Unreadable>>,
    trace: Option<Box<Trace>>,
    stopped: Option<Reason>,
}

/// Kinds of errors, for those who do not only print them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file is not there, cannot be read or written, or is no text.
    File,
    /// A text has mistakes: [`Error::unreadable`] has each of them with its place.
    Text,
    /// A constant gets a value in a format that has no constants.
    NoConstants,
    /// A model that was built in code is none.
    Build,
    /// A question that cannot be asked of this model.
    Question,
    /// There is no property of this name, because there are none.
    NoProperties,
    /// Liveness of transitions is asked of something that is no net.
    NotLive,
    /// The questions of an examination lie next to the model's file, and there is none.
    QuestionsInFolder,
    /// A question about what only happens when a composite calls it, asked of a composite that was made flat.
    OnlyWhenCalled,
    /// A picture that cannot be drawn.
    Picture,
    /// A model that cannot be written in a format.
    Format,
    /// A composite that cannot be made flat.
    Flatten,
    /// A coloured net that cannot be unfolded, or not within the limits.
    Unfold,
    /// An order that is none of the model's variables.
    Order,
    /// An amount of memory that is none.
    Memory,
    /// A state that is none of the model, or too large to be written down.
    State,
    /// Figures of states that are not known, or not kept.
    Figures,
    /// Symmetry is used on diagrams, and the strategy makes none.
    SymmetryNeedsDiagrams,
    /// Declared symmetries are to be used, and there are none.
    NothingDeclared,
    /// What is declared as a symmetry is none.
    NoSymmetry,
    /// The model does what diagrams cannot do; state by state it can be explored.
    BeyondDiagrams,
    /// A variable wraps around beyond 32 bits, where diagrams do not follow it; state by state it can be explored.
    WrapsAround,
    /// The model has an error: a division by zero, an index out of range. [`Error::trace`] leads there, if it was found.
    Model,
    /// The model has an error in some state, and it was not found which.
    ModelSomewhere,
    /// Hosts that are none, or processes that do not find or lose each other.
    Hosts,
    /// A checkpoint that cannot be written or read.
    Checkpoint,
    /// Several processes or checkpoints are asked for where they cannot be used.
    OneProcess,
    /// Something else.
    Other,
}

impl Error {
    /// An error without advice.
    pub(crate) fn new(kind: ErrorKind, text: impl Into<String>) -> Error {
        Error { kind, text: text.into(), help: None, unreadable: None, trace: None, stopped: None }
    }

    /// An error with advice.
    pub(crate) fn with_help(kind: ErrorKind, text: impl Into<String>, help: impl Into<String>) -> Error {
        Error { help: Some(help.into()), ..Error::new(kind, text) }
    }

    /// With a way to the state in which it happens.
    pub(crate) fn with_trace(self, trace: Option<Trace>) -> Error {
        Error { trace: trace.map(Box::new), ..self }
    }

    /// Because a limit struck.
    pub(crate) fn stopped_by(self, stopped: Option<Reason>) -> Error {
        Error { stopped, ..self }
    }

    /// A limit struck before the diagram that is to be drawn was there.
    pub(crate) fn no_diagram_yet(reason: Reason) -> Error {
        Error::new(ErrorKind::Picture, format!("the diagram was not finished: {reason}")).stopped_by(Some(reason))
    }

    /// Which limit struck, if it was one: before there was anything that could be asked.
    pub fn stopped(&self) -> Option<Reason> {
        self.stopped
    }

    /// The same, where something is wrong with a part of a whole.
    pub(crate) fn within(self, part: &str) -> Error {
        Error { text: format!("{part}: {}", self.text), ..self }
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong, in a sentence without a full stop.
    pub fn message(&self) -> &str {
        &self.text
    }

    /// How to go on, if that can be said.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The mistakes of a text, each with its place.
    pub fn unreadable(&self) -> Option<&Unreadable> {
        self.unreadable.as_deref()
    }

    /// The way to the state in which the model has an error.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_deref()
    }
}

impl From<Unreadable> for Error {
    fn from(unreadable: Unreadable) -> Error {
        let text = format!("{} has mistakes", unreadable.file);
        Error { unreadable: Some(Box::new(unreadable)), ..Error::new(ErrorKind::Text, text) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if let Some(unreadable) = &self.unreadable {
            write!(f, "\n{}", unreadable.render(false).trim_end())?;
        }
        if let Some(trace) = &self.trace {
            write!(f, "\nthe state is reached {}:\n{}", trace.length(), trace.to_string().trim_end())?;
        }
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// As it is displayed, so that a `main` which returns it prints it well.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
