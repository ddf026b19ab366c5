//! Questions and their answers.

use mandala_model::expression::Integer;
use mandala_model::property::{Formula, Question};
use mandala_model::system::Location;

use crate::select::{Linear, SelectError, select};
use crate::space::Space;
use crate::trace::{Found, NoTrace, to_targets};
use crate::witness::Witness;

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
pub struct Answer {
    /// What is known.
    pub verdict: Verdict,
    /// The way to a state that shows it, or the run that does.
    pub trace: Option<Result<Found, NoTrace>>,
    /// All that shows it, if it is a formula of CTL: the trace is a part of this.
    pub witness: Option<Witness>,
}

/// Whether answers are to come with traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traces {
    /// With.
    Wanted,
    /// Without.
    Unwanted,
}

/// Whether all reachable states are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// All of them.
    All,
    /// Some: a limit struck before the end.
    Some,
}

impl Answer {
    pub(crate) fn unknown(reason: impl ToString) -> Answer {
        Answer { verdict: Verdict::Unknown(reason.to_string()), trace: None, witness: None }
    }
}

impl Space<'_> {
    /// Answers a question about the states of the space. If only some are known, what they cannot decide is unknown.
    pub fn answer(&mut self, question: &Question, known: Known, traces: Traces) -> Answer {
        match question {
            Question::Reachable(formula) => self.search(formula, Verdict::True, Verdict::False, known, traces),
            Question::Never(formula) => self.search(formula, Verdict::False, Verdict::True, known, traces),
            Question::Invariant(formula) => {
                let negation = Formula::Not(Box::new(formula.clone()));
                self.search(&negation, Verdict::False, Verdict::True, known, traces)
            }
            Question::Bounds(expression) => match self.bounds(expression) {
                Ok(bounds) if known == Known::All => Answer { verdict: bounds, trace: None, witness: None },
                Ok(Verdict::Bounds { least, greatest }) => {
                    Answer::unknown(format!("not all states are known; so far from {least} to {greatest}"))
                }
                Ok(_) => Answer::unknown("not all states are known"),
                Err(error) => Answer::unknown(error),
            },
            Question::Ctl(formula) => self.answer_ctl(formula, known, traces),
            Question::Live(transitions) => self.answer_live(transitions, known, traces),
            Question::Ltl(formula) => self.answer_ltl(formula, known, traces),
        }
    }

    /// Is there a state that satisfies a formula? `found` if there is, `absent` if not.
    pub(crate) fn search(
        &mut self, formula: &Formula, found: Verdict, absent: Verdict, known: Known, traces: Traces,
    ) -> Answer {
        if known == Known::Some && self.has_transient_states() {
            return Answer::unknown("not all states are known");
        }
        if let Some(reason) = self.events_are_unknown(formula) {
            return Answer::unknown(reason);
        }
        let states = self.states.clone();
        let targets = match select(&mut self.encoded, formula, &states) {
            Ok(targets) => targets,
            Err(error) => return Answer::unknown(error),
        };
        if targets != self.encoded.store.zero() {
            let trace = (traces == Traces::Wanted).then(|| to_targets(&mut self.encoded, &targets));
            return Answer { verdict: found, trace, witness: None };
        }
        match known {
            Known::All => Answer { verdict: absent, trace: None, witness: None },
            Known::Some => Answer::unknown("not all states are known, and none so far decides it"),
        }
    }

    /// The least and the greatest value of an expression.
    fn bounds(&mut self, expression: &Integer<Location>) -> Result<Verdict, SelectError> {
        let linear = match Linear::of(expression) {
            Err(SelectError::NotLinear) => {
                let states = self.states.clone();
                let extremes = self.encoded.extremes(expression, &states)?.ok_or(SelectError::NotLinear)?;
                return Ok(Verdict::Bounds { least: extremes.0.into(), greatest: extremes.1.into() });
            }
            linear => linear?,
        };
        let (weight, constant) = linear.weight(&self.encoded)?;
        let extremes = self.encoded.store.extremes(&self.states, &weight).unwrap_or((0, 0));
        let plus = |number: i64| number.saturating_add(constant);
        Ok(Verdict::Bounds { least: plus(extremes.0), greatest: plus(extremes.1) })
    }
}
