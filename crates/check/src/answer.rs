//! Answers: what is known about a question, and what shows it.

use std::fmt;

use mandala_diagram::Count;
use mandala_model::formalism::Formalism;
use mandala_model::property::Systems;

use crate::run::{Found, NoTrace, Trace};
use crate::witness::Witness;

/// Why an expression has neither a least nor a greatest value.
pub const NO_VALUES: &str = "the only state is the error state, which has no values";

/// What is known about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails,
    /// The least and the greatest value of an expression.
    Bounds {
        /// The least.
        least: i64,
        /// The greatest.
        greatest: i64,
    },
    /// The values of an expression have no greatest one.
    Unbounded,
    /// Not known, and why.
    Unknown(String),
}

/// An answer: a verdict and, if one was asked for and a state shows the verdict, a way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<F: Formalism = Systems> {
    /// What is known.
    pub verdict: Verdict,
    /// The way to a state that shows it, or the run that does.
    pub trace: Option<Result<Found<F>, NoTrace>>,
    /// All that shows it, if it is a formula of CTL: the trace is a part of this.
    pub witness: Option<Witness<F>>,
    /// How many states the product with an automaton has, as far as it was explored, if there was one.
    pub product_states: Option<Count>,
}

/// Whether answers come with traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traces {
    /// With: how it comes about, step by step, where there is something to show.
    #[default]
    Wanted,
    /// Without.
    Unwanted,
}

impl Verdict {
    /// That something holds, or that it does not.
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::Fails }
    }

    /// Whether it holds, if that is what was asked and known.
    pub fn holds(&self) -> Option<bool> {
        match self {
            Verdict::Holds => Some(true),
            Verdict::Fails => Some(false),
            Verdict::Bounds { .. } | Verdict::Unbounded | Verdict::Unknown(_) => None,
        }
    }

    /// Whether it is not known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Verdict::Unknown(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds => write!(f, "holds"),
            Verdict::Fails => write!(f, "does not hold"),
            Verdict::Bounds { least, greatest } if least == greatest => write!(f, "always {least}"),
            Verdict::Bounds { least, greatest } => write!(f, "from {least} to {greatest}"),
            Verdict::Unbounded => write!(f, "not bounded"),
            Verdict::Unknown(reason) => write!(f, "unknown: {reason}"),
        }
    }
}

impl<F: Formalism> Answer<F> {
    /// The way to a state that shows it, or the run that does, if there is one.
    pub fn found(&self) -> Option<&Found<F>> {
        self.trace.as_ref().and_then(|trace| trace.as_ref().ok())
    }

    /// A verdict, with nothing that shows it.
    pub(crate) fn plain(verdict: Verdict) -> Answer<F> {
        Answer { verdict, trace: None, witness: None, product_states: None }
    }

    /// A verdict with a shortest way to a state that shows it.
    pub(crate) fn by_state(verdict: Verdict, trace: Option<Trace<F>>) -> Answer<F> {
        let trace = trace.map(|trace| Ok(Found { trace, shortest: true, repeats: None }));
        Answer { trace, ..Answer::plain(verdict) }
    }

    /// A verdict on a formula of CTL with what shows it.
    pub(crate) fn shown(verdict: Verdict, witness: Result<Option<Witness<F>>, NoTrace>) -> Answer<F> {
        let trace = match &witness {
            Ok(witness) => witness.as_ref().and_then(Witness::main_run).map(Ok),
            Err(reason) => Some(Err(reason.clone())),
        };
        Answer { trace, witness: witness.ok().flatten(), ..Answer::plain(verdict) }
    }

    pub(crate) fn unknown(reason: impl ToString) -> Answer<F> {
        Answer::plain(Verdict::Unknown(reason.to_string()))
    }
}
