//! Why there is no state space, and what was found all the same.

use std::fmt;

use mandala_analysis::structure::cover::Witness;
use mandala_diagram::Error;
use mandala_symbolic::encode::{EncodeError, Encoding, SystemEncoding};

use crate::space::Space;

/// Why there is no state space of a net, a program or a composite.
pub type SystemStopped<'a> = Stopped<SystemEncoding<'a>>;

/// Why there is no state space.
pub enum Stopped<E: Encoding> {
    /// The model cannot be put into diagrams.
    Encode(EncodeError),
    /// The net is not bounded: this run can be repeated for ever, and leaves more tokens each time.
    Unbounded(Witness),
    /// A limit struck, or the user did.
    Limit {
        /// Which.
        error: Error,
        /// What was found until then: a subset of the reachable states.
        partial: Option<Box<Space<E>>>,
    },
    /// There is an error of the model: a number beyond 32 bits, a division by zero, an index out of range, a fixpoint that
    /// never ends.
    Undefined,
}

impl<E: Encoding> From<EncodeError> for Stopped<E> {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::Stopped(error) => Stopped::from(error),
            error => Stopped::Encode(error),
        }
    }
}

impl<E: Encoding> From<Error> for Stopped<E> {
    fn from(error: Error) -> Self {
        Stopped::Limit { error, partial: None }
    }
}

impl<E: Encoding> fmt::Display for Stopped<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Encode(error) => write!(f, "{error}"),
            Stopped::Unbounded(_) => write!(f, "the net is not bounded: it has infinitely many markings"),
            Stopped::Limit { error, partial: Some(partial) } => {
                write!(f, "{error} (at least {} states)", partial.count())
            }
            Stopped::Limit { error, partial: None } => write!(f, "{error}"),
            Stopped::Undefined => write!(
                f,
                "there is an error of the model in a state that is reached: a number beyond 32 bits, a division by zero, an index \
                 out of range or a fixpoint that never ends"
            ),
        }
    }
}

impl<E: Encoding> fmt::Debug for Stopped<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<E: Encoding> std::error::Error for Stopped<E> {}
