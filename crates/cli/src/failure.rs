//! Why there is no answer, in words that say how to go on.

use crate::ending;
use crate::status::Status;
use crate::style::{Style, errors_have_colours, paint_aside};
use mandala::{Error, ErrorKind, Problem, Reason, Unreadable};
use serde_json::{Value, json};

/// Why there is no answer: bad usage or bad input (exit status 2), or a limit that struck before there was anything to ask
/// (exit status 3).
#[derive(Debug)]
pub enum Failure {
    /// A limit struck.
    Stopped {
        /// Which.
        reason: Reason,
        /// The same in words, and how far the work had come, in a sentence without a full stop.
        text: String,
        /// How to go on.
        help: Option<String>,
    },
    /// Something is wrong, and perhaps there is a way forward.
    Message {
        /// What is wrong, in a sentence without a full stop.
        text: String,
        /// How to go on.
        help: Option<String>,
    },
    /// A file is wrong.
    Unreadable(Box<Unreadable>),
}

impl Failure {
    /// A failure without advice.
    pub fn new(text: impl Into<String>) -> Failure {
        Failure::Message { text: text.into(), help: None }
    }

    /// A failure with advice.
    pub fn with_help(text: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Message { text: text.into(), help: Some(help.into()) }
    }
}

/// What the library says, with the options of the command line where these help.
impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        if let Some(unreadable) = error.unreadable() {
            return Failure::Unreadable(Box::new(unreadable.clone()));
        }
        let text = match error.kind() {
            // With the way to the state in which it happens.
            ErrorKind::Model => error.to_string(),
            ErrorKind::NoConstants => error.message().replacen('`', "`-D ", 1),
            _ => error.message().to_owned(),
        };
        let help = advice(error.kind()).or(error.help()).map(str::to_owned);
        match error.stopped() {
            Some(reason) => Failure::Stopped { reason, text, help },
            None => Failure::Message { text, help },
        }
    }
}

/// How to go on, on the command line.
fn advice(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NoConstants => "`-D` gives another value to a constant `$N = 3;` of a GAL file",
        ErrorKind::BeyondDiagrams => "`--strategy explicit` explores one state after the other",
        ErrorKind::WrapsAround => "`--strategy explicit` does; a guard helps if this is not meant",
        ErrorKind::ModelSomewhere => {
            "`--strategy explicit` shows where, if it gets there; a guard or a capacity helps if a value only grows"
        }
        ErrorKind::SymmetryNeedsDiagrams => "`--symmetry list` does; or leave out `--strategy explicit`",
        ErrorKind::OneProcess => "leave out `--hosts` and `--checkpoint`, or ask something else",
        ErrorKind::NothingDeclared => "leave out `--symmetries declared` to use those that are found",
        ErrorKind::NoSymmetry => "`mandala info` shows the symmetries that a model has",
        ErrorKind::OnlyWhenCalled => "without `--symmetry` it is answered on the composite itself",
        ErrorKind::QuestionsInFolder => {
            "give the model as a file or a folder, or the questions with `--properties FILE.xml`"
        }
        ErrorKind::NoProperties => "the model has no properties; `--formula` asks one of your own",
        ErrorKind::NotLive => "for other models ask for each transition: `--formula 'AG EF fireable(t)'`",
        ErrorKind::Flatten => "without `--flatten`, `--to gal` writes any model",
        _ => return None,
    })
}

/// An error for scripts: what kind of error it is, what is wrong, how to go on, and each mistake of a text with its place.
pub fn object(kind: &str, message: &str, help: Option<&str>, problems: &[Value]) -> String {
    let object = json!({"error": {"kind": kind, "message": message, "help": help, "problems": problems}});
    serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
}

/// The mistakes of a text, each with its place.
fn problems(unreadable: &Unreadable) -> Vec<Value> {
    let place = |start: usize| {
        let before = unreadable.source.get(..start).unwrap_or(&unreadable.source);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    };
    let problem = |problem: &Problem| {
        let (line, column) = place(problem.span.start as usize);
        json!({
            "file": unreadable.file, "line": line, "column": column, "message": problem.message, "help": problem.help,
        })
    };
    unreadable.problems.iter().map(problem).collect()
}

/// Says what is wrong, on standard error, and where JSON is wanted also as an object on standard output.
pub fn report(failure: &Failure, wants_json: bool) -> Status {
    if wants_json {
        let text = match failure {
            Failure::Message { text, help } => Some(object("input", text, help.as_deref(), &[])),
            Failure::Unreadable(unreadable) => {
                let message = format!("{} has mistakes", unreadable.file);
                Some(object("text", &message, None, &problems(unreadable)))
            }
            // The answer says what is known.
            Failure::Stopped { .. } => None,
        };
        // Whoever reads the answer may have gone.
        let _ = text.map(|text| crate::output::print(&text));
    }
    match failure {
        Failure::Message { text, help } => {
            say("error", text, help.as_deref());
            Status::Bad
        }
        Failure::Stopped { reason, text, help } => {
            say("stopped", text, help.as_deref());
            if let Some(text) = ending::last_words(*reason) {
                // Whoever reads the answer may have gone.
                let _ = crate::output::print(&text);
            }
            Status::Unknown
        }
        Failure::Unreadable(unreadable) => {
            crate::output::complain(unreadable.render(errors_have_colours()).trim_end());
            Status::Bad
        }
    }
}

fn say(what: &str, text: &str, help: Option<&str>) {
    crate::output::complain(&format!("{}: {text}", paint_aside(Style::Wrong, what)));
    if let Some(help) = help {
        crate::output::complain(&format!("  help: {help}"));
    }
}
