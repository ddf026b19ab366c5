//! Answers: what is known about a question, and what shows it.

use mandala_model::formalism::Formalism;
use mandala_model::property::Systems;

use crate::run::{Found, NoTrace};
use crate::witness::Witness;

/// Why an expression has neither a least nor a greatest value.
pub const NO_VALUES: &str = "the only state is the error state, which has no values";

/// What is known about a question.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// The least and the greatest value of an expression.
    Bounds {
        /// The least.
        least: i64,
        /// The greatest.
        greatest: i64,
    },
    /// Not known, and why.
    Unknown(String),
}

/// An answer: a verdict and, if one was asked for and a state shows the verdict, a way there.
#[derive(Debug)]
pub struct Answer<F: Formalism = Systems> {
    /// What is known.
    pub verdict: Verdict,
    /// The way to a state that shows it, or the run that does.
    pub trace: Option<Result<Found<F>, NoTrace>>,
    /// All that shows it, if it is a formula of CTL: the trace is a part of this.
    pub witness: Option<Witness<F>>,
}

/// Whether answers are to come with traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traces {
    /// With.
    Wanted,
    /// Without.
    Unwanted,
}

impl<F: Formalism> Answer<F> {
    pub(crate) fn unknown(reason: impl ToString) -> Answer<F> {
        Answer { verdict: Verdict::Unknown(reason.to_string()), trace: None, witness: None }
    }
}
