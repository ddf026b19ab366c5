//! Why there is no answer, in words that say how to go on.

use crate::status::Status;
use mandala_model::flatten::CannotFlatten;
use mandala_model::text::Unreadable;
use std::io::IsTerminal;

/// Bad usage or bad input: exit status 2.
#[derive(Debug)]
pub enum Failure {
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

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Failure {
        Failure::Unreadable(Box::new(unreadable))
    }
}

impl From<CannotFlatten> for Failure {
    fn from(error: CannotFlatten) -> Failure {
        Failure::with_help(error.to_string(), "without `--flatten`, `--to gal` writes any model")
    }
}

/// Whether standard error shows colours.
fn is_colourful() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Says what is wrong, on standard error.
pub fn report(failure: &Failure) -> Status {
    match failure {
        Failure::Message { text, help } => {
            let (red, plain) = if is_colourful() { ("\u{1b}[1;31m", "\u{1b}[0m") } else { ("", "") };
            crate::output::complain(&format!("{red}error{plain}: {text}"));
            if let Some(help) = help {
                crate::output::complain(&format!("  help: {help}"));
            }
        }
        Failure::Unreadable(unreadable) => {
            crate::output::complain(unreadable.render(is_colourful()).trim_end());
        }
    }
    Status::Bad
}
