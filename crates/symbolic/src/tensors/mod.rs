//! Symbolic markings of symmetric nets as tensors in data decision diagrams (the SRS paper, sections 3 to 6).
//!
//! A symbolic marking divides each cell of colours that nothing tells apart into *dynamic subclasses*: colours that are distributed
//! alike. It says how many colours each of them has, and for each place how often each tuple of dynamic subclasses is there. As a
//! word of assignments it is, cell by cell, the vector of these sizes, and then, place by place, the tensor of these numbers in
//! lexicographic order. A vector or tensor is one variable that repeats as often as there are elements, and ends with a mark: so
//! words of different lengths go together in one diagram.
//!
//! All that happens to symbolic markings is an inductive homomorphism on sets of such words (`homs`). Each first reads the vectors
//! of sizes, which say what the dimensions of all tensors are, and knows then what to do to the tensors:
//!
//! - *fire* splits off a dynamic subclass of one colour for each colour that a transition binds, and changes the tensors by what
//!   the arcs say, which is evaluated with one colour for each dynamic subclass;
//! - *group* merges two dynamic subclasses with equal slices in all tensors;
//! - *sort* exchanges neighbouring dynamic subclasses of the same size if that makes the tensors greater.
//!
//! Where tokens have at most one colour of the classes that have symmetries, sorting is canonical: there is one word for each
//! symbolic marking. Where they have two, neighbours that are in order do not make a unique order, as with graphs, and there may
//! be several words; [`Tensors::is_unique`] says so.

mod explore;
mod homs;
mod ordinary;
mod plan;
mod words;

pub use explore::{Tensors, explore};

use mandala_diagram::Error;
use std::fmt;

/// Why there are no symbolic markings as tensors.
#[derive(Clone, Debug)]
pub enum CannotTensor {
    /// There are bags in tokens or variables.
    Bags,
    /// Some transition has a priority.
    Priorities {
        /// The transition.
        transition: String,
    },
    /// No class has colours that may be exchanged.
    NoSymmetry {
        /// Each class, and what tells its colours apart.
        classes: Vec<(String, ToldApart)>,
    },
    /// A place holds more of one token than 31 bits say, or a tensor has too many elements.
    TooLarge,
    /// A limit of the store ended the work.
    Limit(Error),
}

/// What tells all colours of a class apart, as tensors see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldApart {
    /// Their order is used.
    Order,
    /// Transitions name all of them, or all but one.
    Transitions,
    /// The initial marking does.
    InitialMarking,
}

impl fmt::Display for ToldApart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToldApart::Order => write!(f, "its order is used"),
            ToldApart::Transitions => write!(f, "transitions name its colours one by one"),
            ToldApart::InitialMarking => write!(f, "the initial marking tells its colours apart"),
        }
    }
}

impl fmt::Display for CannotTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotTensor::Bags => write!(f, "tensors have no bags in tokens or variables"),
            CannotTensor::Priorities { transition } => {
                write!(f, "`{transition}` has a priority, and tensors know none")
            }
            CannotTensor::NoSymmetry { classes } => {
                write!(f, "no class has colours that may be exchanged")?;
                classes.iter().try_for_each(|(class, why)| write!(f, "; `{class}`: {why}"))
            }
            CannotTensor::TooLarge => write!(f, "a tensor, or a number in it, is too large"),
            CannotTensor::Limit(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CannotTensor {}

impl From<Error> for CannotTensor {
    fn from(error: Error) -> CannotTensor {
        CannotTensor::Limit(error)
    }
}
