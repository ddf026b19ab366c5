//! Questions to a state space.

use mandala_model::property::{Formula, Question};
use mandala_symbolic::encode::Encoding;

use crate::answer::{Answer, Traces, Verdict};
use crate::quotient::TOLD_APART;
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
            Question::Bounds(quantity) => {
                let states = self.states.clone();
                match E::extremes(&mut self.encoded, quantity, &states) {
                    Ok((least, greatest)) if self.is_complete() => Answer::plain(Verdict::Bounds { least, greatest }),
                    Ok((least, greatest)) => {
                        Answer::unknown(format!("not all states are known; so far from {least} to {greatest}"))
                    }
                    Err(refusal) => Answer::unknown(refusal),
                }
            }
            Question::Ctl(formula) => self.answer_ctl(formula, traces),
            Question::Live(transitions) => self.answer_live(transitions, traces),
            Question::Ltl(formula) => self.answer_ltl(formula, traces),
        }
    }
}
