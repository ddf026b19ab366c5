//! Questions to a state space.

use mandala_model::expression::Integer;
use mandala_model::property::{Formula, Linear, NotLinear, Question};
use mandala_model::system::Location;

use crate::answer::{Answer, NO_VALUES, Traces, Verdict};
use crate::quotient::TOLD_APART;
use crate::select::{SelectError, weight, without_error_state};
use crate::space::Space;

impl Space<'_> {
    /// Answers a question about the reachable states, as far as the states of the space decide it: where it holds only a
    /// part of them, what they cannot decide is unknown; where it holds representatives, questions that tell apart what its
    /// symmetries map to each other are unknown.
    pub fn answer(&mut self, question: &Question, traces: Traces) -> Answer {
        if !self.preserves(question) {
            return Answer::unknown(TOLD_APART);
        }
        match question {
            Question::Reachable(formula) => self.search(formula, Verdict::True, Verdict::False, traces),
            Question::Never(formula) => self.search(formula, Verdict::False, Verdict::True, traces),
            Question::Invariant(formula) => {
                let negation = Formula::Not(Box::new(formula.clone()));
                self.search(&negation, Verdict::False, Verdict::True, traces)
            }
            Question::Bounds(expression) => match self.bounds(expression) {
                Ok(Verdict::Unknown(reason)) => Answer::unknown(reason),
                Ok(bounds) if self.is_complete() => Answer { verdict: bounds, trace: None, witness: None },
                Ok(Verdict::Bounds { least, greatest }) => {
                    Answer::unknown(format!("not all states are known; so far from {least} to {greatest}"))
                }
                Ok(_) => Answer::unknown("not all states are known"),
                Err(error) => Answer::unknown(error),
            },
            Question::Ctl(formula) => self.answer_ctl(formula, traces),
            Question::Live(transitions) => self.answer_live(transitions, traces),
            Question::Ltl(formula) => self.answer_ltl(formula, traces),
        }
    }

    /// The least and the greatest value of an expression; it has none in the error state.
    fn bounds(&mut self, expression: &Integer<Location>) -> Result<Verdict, SelectError> {
        let states = without_error_state(&mut self.encoded, self.states.clone())?;
        if states == self.encoded.store.zero() {
            return Ok(Verdict::Unknown(NO_VALUES.to_owned()));
        }
        let linear = match Linear::of(expression) {
            Err(NotLinear) => {
                let extremes = self.encoded.extremes(expression, &states)?.ok_or(SelectError::NotLinear)?;
                return Ok(Verdict::Bounds { least: extremes.0.into(), greatest: extremes.1.into() });
            }
            linear => linear?,
        };
        let (weight, constant) = weight(&linear, &self.encoded)?;
        let extremes = self.encoded.store.extremes(&states, &weight).unwrap_or((0, 0));
        let plus = |number: i64| number.saturating_add(constant);
        Ok(Verdict::Bounds { least: plus(extremes.0), greatest: plus(extremes.1) })
    }
}
