//! Questions to a state space.

use mandala_model::property::{Formula, Question};
use mandala_symbolic::encode::{Encoding, Quantity, Refusal};

use crate::answer::{Answer, NO_VALUES, Traces, Verdict};
use crate::quotient::TOLD_APART;
use crate::select::without_error_state;
use crate::space::Space;

impl<E: Encoding> Space<E> {
    /// Answers a question about the reachable states, as far as the states of the space decide it: where it holds only a
    /// part of them, what they cannot decide is unknown; where it holds representatives, questions that tell apart what its
    /// symmetries map to each other are unknown.
    pub fn answer(&mut self, question: &Question<E::Formalism>, traces: Traces) -> Answer<E::Formalism> {
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
            Question::Bounds(quantity) => match self.bounds(quantity) {
                Ok(Some((least, greatest))) if self.is_complete() => Answer::plain(Verdict::Bounds { least, greatest }),
                Ok(Some((least, greatest))) => {
                    Answer::unknown(format!("not all states are known; so far from {least} to {greatest}"))
                }
                Ok(None) => Answer::unknown(NO_VALUES),
                Err(refusal) => Answer::unknown(refusal),
            },
            Question::Ctl(formula) => self.answer_ctl(formula, traces),
            Question::Live(transitions) => self.answer_live(transitions, traces),
            Question::Ltl(formula) => self.answer_ltl(formula, traces),
        }
    }

    /// The least and the greatest value of a quantity; the error state has none, and nothing is found if it is the only one.
    fn bounds(&mut self, quantity: &Quantity<E>) -> Result<Option<(i64, i64)>, Refusal> {
        let states = without_error_state(&mut self.encoded, self.states.clone())?;
        if states.is_empty() {
            return Ok(None);
        }
        E::extremes(&mut self.encoded, quantity, &states).map(Some)
    }
}
