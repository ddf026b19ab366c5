//! Why a classic model is not written, in words that say how to go on.

use super::{Classic, Shape};
use crate::text::suggest::nearest;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;

/// Why a classic model was not written.
#[derive(Debug)]
pub enum GenerateError {
    /// There is no model of this name.
    UnknownModel(String),
    /// There is no shape of this name.
    UnknownShape(String),
    /// The model does not come in this shape.
    NoSuchShape {
        /// The model.
        classic: Classic,
        /// The shape it does not have.
        shape: Shape,
    },
    /// This is not a size.
    NotASize {
        /// What was given, shortened.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The model makes no sense this small.
    TooSmall {
        /// The model.
        classic: Classic,
        /// The size as given.
        size: String,
    },
    /// The text would be too long, or a place would hold too many tokens.
    TooLarge {
        /// The model.
        classic: Classic,
        /// The shape.
        shape: Shape,
        /// The size as given.
        size: String,
        /// The greatest size in this shape.
        limit: u64,
    },
    /// The model has nothing of this kind besides what its size counts.
    HasNone {
        /// The model.
        classic: Classic,
        /// What was asked for.
        what: &'static str,
        /// The model that has it.
        owner: Classic,
    },
    /// There are too few or too many of what the model has besides what its size counts.
    OutOfRange {
        /// The model.
        classic: Classic,
        /// What there are too few or too many of.
        what: &'static str,
        /// How many were asked for.
        number: u64,
        /// How many there may be.
        range: RangeInclusive<u64>,
    },
    /// The output could not be written.
    Write(io::Error),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::UnknownModel(name) => {
                write!(f, "there is no classic model called `{}`; ", shortened(name))?;
                choices(f, name, &Classic::ALL.map(Classic::name))
            }
            GenerateError::UnknownShape(name) => {
                write!(f, "there is no shape called `{}`; ", shortened(name))?;
                choices(f, name, &Shape::ALL.map(Shape::name))
            }
            GenerateError::NoSuchShape { classic, shape } => {
                let names: Vec<_> = classic.shapes().iter().map(|shape| format!("`{shape}`")).collect();
                write!(f, "{classic} does not come in the shape `{shape}`: it has {}", listed(&names))?;
                if *shape == Shape::Fold {
                    write!(f, " (only {} fold)", Classic::Philosophers)?;
                }
                Ok(())
            }
            GenerateError::NotASize { text, reason } => {
                write!(f, "`{text}` is not a size: {reason}; a size is written as `100` or `2^20000`")
            }
            GenerateError::TooSmall { classic, size } => {
                write!(f, "{classic} of size {size} makes no sense: ")?;
                match classic {
                    Classic::Kanban | Classic::Fms | Classic::ClientServer | Classic::SaleStore => {
                        write!(f, "nothing would move without {}", classic.counts())?;
                    }
                    Classic::Peterson => write!(f, "who is alone need not exclude others")?,
                    Classic::Database => write!(f, "who is alone sends no messages")?,
                    _ => write!(f, "who sits in a ring needs a neighbour")?,
                }
                write!(f, "; the least size is {}", classic.least())
            }
            GenerateError::TooLarge { classic, shape, size, limit } => {
                let size = shortened(size);
                write!(f, "{size} {} are too many for the shape `{shape}`: the limit is {limit}", classic.counts())?;
                match classic {
                    Classic::Kanban | Classic::Fms => write!(f, " (a place counts its tokens with 32 bits)"),
                    Classic::Philosophers => write!(f, "; any number of them can be written with `--shape fold`"),
                    _ => Ok(()),
                }
            }
            GenerateError::HasNone { classic, what, owner } => {
                write!(f, "{classic} has no {what}: `--{what}` is for {owner}")
            }
            GenerateError::OutOfRange { classic, what, number, range } => {
                write!(f, "{classic} has from {} to {} {what}, and not {number}", range.start(), range.end())
            }
            GenerateError::Write(error) => write!(f, "the model could not be written: {error}"),
        }
    }
}

impl std::error::Error for GenerateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GenerateError::Write(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for GenerateError {
    fn from(error: io::Error) -> GenerateError {
        GenerateError::Write(error)
    }
}

/// `a`, `a and b`, `a, b and c`
fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// The beginning of a text that may be long.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).chain("...".chars()).collect() }
}

fn choices(f: &mut fmt::Formatter<'_>, name: &str, known: &[&str]) -> fmt::Result {
    if let Some(meant) = meant(name, known) {
        write!(f, "did you mean `{meant}`? (")?;
        return write!(f, "there are {})", known.join(", "));
    }
    write!(f, "there are {}", known.join(", "))
}

/// The known name that was probably meant: one begins with the other, or few letters differ.
fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name: String = name.chars().take(40).collect::<String>().to_lowercase().replace(['_', ' '], "-");
    let begins = known.iter().find(|known| name.len() >= 2 && (known.starts_with(&name) || name.starts_with(*known)));
    begins.copied().or_else(|| nearest(&name, known.iter().copied()))
}
