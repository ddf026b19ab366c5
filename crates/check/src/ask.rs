//! Questions to a state space.

use mandala_model::expression::Integer;
use mandala_model::property::{Formula, Linear, NotLinear, Question};
use mandala_model::system::Location;

use crate::answer::{Answer, Known, Traces, Verdict};
use crate::select::{SelectError, weight};
use crate::space::Space;

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

    /// The least and the greatest value of an expression.
    fn bounds(&mut self, expression: &Integer<Location>) -> Result<Verdict, SelectError> {
        let linear = match Linear::of(expression) {
            Err(NotLinear) => {
                let states = self.states.clone();
                let extremes = self.encoded.extremes(expression, &states)?.ok_or(SelectError::NotLinear)?;
                return Ok(Verdict::Bounds { least: extremes.0.into(), greatest: extremes.1.into() });
            }
            linear => linear?,
        };
        let (weight, constant) = weight(&linear, &self.encoded)?;
        let extremes = self.encoded.store.extremes(&self.states, &weight).unwrap_or((0, 0));
        let plus = |number: i64| number.saturating_add(constant);
        Ok(Verdict::Bounds { least: plus(extremes.0), greatest: plus(extremes.1) })
    }
}
