//! Why a question has no verdict.

use std::fmt;

use mandala_diagram::Error;
use mandala_logic::TooLarge;
use mandala_symbolic::encode::{EncodeError, Refusal};

use crate::claim::NotLtl;
use crate::run::NoTrace;

/// Why a formula has no verdict.
#[derive(Clone, Debug)]
pub(crate) enum Undecided {
    /// The formula is nested deeper than this.
    TooDeep(usize),
    /// A temporal operator without a quantifier.
    NotCtl,
    /// Whether something can happen is not known where it leads into transient states for ever.
    Trapped,
    /// Sets of predecessors that do not go together.
    Undefined,
    /// The formula is none of LTL.
    NotLtl(NotLtl),
    /// The automaton of the formula is too large.
    Automaton(TooLarge),
    /// A state formula cannot be evaluated, or a limit struck.
    Select(Refusal),
}

impl From<NotLtl> for Undecided {
    fn from(error: NotLtl) -> Undecided {
        Undecided::NotLtl(error)
    }
}

impl From<TooLarge> for Undecided {
    fn from(error: TooLarge) -> Undecided {
        Undecided::Automaton(error)
    }
}

impl From<Refusal> for Undecided {
    fn from(error: Refusal) -> Undecided {
        Undecided::Select(error)
    }
}

impl From<Error> for Undecided {
    fn from(error: Error) -> Undecided {
        Undecided::Select(error.into())
    }
}

impl From<Undecided> for NoTrace {
    fn from(reason: Undecided) -> NoTrace {
        match reason {
            Undecided::Select(Refusal::Encode(EncodeError::Stopped(error))) => NoTrace::Stopped(error),
            reason => NoTrace::Unknown(reason.to_string()),
        }
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::TooDeep(most) => write!(f, "the formula is nested more than {most} deep"),
            Undecided::NotCtl => write!(f, "a temporal operator without a quantifier is not CTL"),
            Undecided::Trapped => {
                write!(f, "what can happen is not known on diagrams where the model stays in transient states for ever")
            }
            Undecided::Undefined => write!(f, "the states before some states cannot be put into one diagram"),
            Undecided::NotLtl(error) => write!(f, "{error}"),
            Undecided::Automaton(error) => write!(f, "{error}"),
            Undecided::Select(error) => write!(f, "{error}"),
        }
    }
}
