//! CTL on diagrams.
//!
//! Runs go on as long as something can happen, as the Model Checking Contest has it: for ever, or to a dead state. For
//! all operators but one it is the same whether the run ends there or the dead state repeats for ever: `EG f` and `AF f`
//! hold in it exactly if `f` does. The exception is the next state, of which there is none: `EX f` is false in a dead
//! state and `AX f` is true. (So say the contest's answers: `EX true` is not true in all states of the philosophers
//! PT-000005, formula CTLCardinality-01. Formulas of LTL speak of runs that repeat.) Transient states (GAL's
//! `TRANSIENT`) are no states: formulas are not asked of them, and the next state is the one that comes out.
//!
//! Where runs that end do not count ([`FiniteRuns::Ignore`]), quantifiers speak of infinite runs alone: `E` looks for one,
//! and `A` says nothing of a state that begins none.
//!
//! A formula is reduced to EX, EU and EG ([`reduce`](crate::reduce)), and these are sets of predecessors inside the reachable states
//! ([`steps`](crate::steps)): EU is one closure within a bound, and EG another, from where runs end and from cycles. Only the
//! outermost operators speak of the initial states alone and need not know where else they hold (`evaluate`).

mod evaluate;
mod few;
mod live;
mod representatives;
mod witness;

use mandala_model::property::{Formula, Quantifier, UnaryOperator};
use mandala_symbolic::encode::{Atom, Encoding};

use crate::answer::{Answer, Traces, Verdict};
use crate::reduce::{Asked, Reduced};
use crate::space::Space;
use crate::steps::Steps;
use crate::undecided::Undecided;
use evaluate::Evaluation;
use witness::{Evaluated, find};

/// With more parts than this, what was known of formulas is forgotten.
const MOST_PARTS: usize = 5_000;

impl<E: Encoding> Space<E> {
    /// Whether a formula of CTL holds in all initial states.
    pub(crate) fn answer_ctl(&mut self, formula: &Formula<Atom<E>>, traces: Traces) -> Answer<E::Formalism> {
        if !self.is_complete() {
            return self.answer_from_some(formula, traces);
        }
        match self.try_ctl(formula, traces) {
            Ok(answer) => answer,
            Err(reason) => Answer::unknown(reason),
        }
    }

    /// What some of the states show: that one of them is as it should be, or that one is not.
    fn answer_from_some(&mut self, formula: &Formula<Atom<E>>, traces: Traces) -> Answer<E::Formalism> {
        let unknown = Answer::unknown("not all states are known");
        if self.leaves_runs_out() {
            return unknown;
        }
        match formula {
            Formula::Unary(Quantifier::All, UnaryOperator::Globally, inner) if !inner.is_temporal() => {
                let negation = Formula::Not(inner.clone());
                self.search(&negation, Verdict::Fails, Verdict::Holds, traces)
            }
            // With one initial state, what is reached is reached from all of them.
            Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, inner)
                if !inner.is_temporal() && self.begins_in_one_state() =>
            {
                self.search(inner, Verdict::Holds, Verdict::Fails, traces)
            }
            _ => unknown,
        }
    }

    fn try_ctl(&mut self, formula: &Formula<Atom<E>>, traces: Traces) -> Result<Answer<E::Formalism>, Undecided> {
        let steps = self.take_steps()?;
        let mut asked = self.take_asked();
        let is_quotient = self.encoded.orbit.is_some();
        let is_fair = !self.fairness.is_empty();
        let of_states = if is_quotient || is_fair { Traces::Unwanted } else { traces };
        let answer = if is_quotient && !is_fair {
            self.decide_on_representatives(formula, &mut asked, &steps)
        } else {
            self.decide_ctl(formula, &mut asked, &steps, of_states)
        };
        (self.steps, self.asked) = (Some(steps), Some(asked));
        match answer {
            Ok(Answer { verdict, .. }) if (is_quotient || is_fair) && traces == Traces::Wanted => {
                Ok(self.shown_from_representatives(formula, matches!(verdict, Verdict::Holds)))
            }
            answer => answer,
        }
    }

    /// The formulas that were asked, to be put back afterwards; none if there is too much of them.
    fn take_asked(&mut self) -> Box<Asked<Atom<E>>> {
        let store = &self.encoded.store;
        let is_tight = store.limits().memory.is_some_and(|limit| store.statistics().bytes > limit / 2);
        let asked = self.asked.take().filter(|asked| !is_tight && asked.reduced.parts.len() < MOST_PARTS);
        asked.unwrap_or_else(|| Box::new(Asked { reduced: Reduced::new(self.leaves_runs_out()), known: Vec::new() }))
    }

    fn decide_ctl(
        &mut self, formula: &Formula<Atom<E>>, asked: &mut Asked<Atom<E>>, steps: &Steps, traces: Traces,
    ) -> Result<Answer<E::Formalism>, Undecided> {
        let top = asked.reduced.include(formula)?;
        let holds = Evaluation::new(&mut self.encoded, &self.states, steps, asked).verdict(top)?;
        let verdict = Verdict::of(holds);
        if traces == Traces::Unwanted {
            return Ok(Answer::plain(verdict));
        }
        let evaluated = Evaluated { encoded: &mut self.encoded, states: &self.states, steps, asked };
        Ok(Answer::shown(verdict, find(evaluated, formula, holds)))
    }
}
