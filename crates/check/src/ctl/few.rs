//! CTL on few representatives, one by one.
//!
//! The predecessors of a representative are the predecessors of all states of its orbit, and diagrams go through these as
//! they go back: on a few hundred representatives of a hundred thousand states that takes longer than on all of the states.
//! Forwards there is only the way to the leader of each orbit, and the graph of the leaders is small. Any state of an orbit may stand
//! for it, so that it does no harm where a leader is not found.

use mandala_model::formalism::Formalism;
use mandala_model::property::{Formula, Question};
use mandala_model::semantics::{RunError, Step, TransitionSystem};
use mandala_symbolic::encode::{Atom, Encoding, ToLeader};

use crate::answer::{Answer, Traces, Verdict};
use crate::explicit;
use crate::limits::{Limits, Progress};
use crate::reduce::Asked;
use crate::space::Space;
use crate::steps::Steps;
use crate::undecided::Undecided;

/// So many values of representatives are looked at one by one.
const FEW: u64 = 200_000;
/// Where leaders are not found, there are more states than representatives; but no more than so many times as many.
const MOST_FOR_EACH: u64 = 10;

/// What diagrams are worth shows within so much work.
const BRIEFLY: u64 = 100_000;

impl<E: Encoding> Space<E> {
    /// A verdict on representatives: by diagrams if that does not take long, else one by one if they are few.
    pub(super) fn decide_on_representatives(
        &mut self, formula: &Formula<Atom<E>>, asked: &mut Asked<Atom<E>>, steps: &Steps,
    ) -> Result<Answer<E::Formalism>, Undecided> {
        let outer = self.encoded.store.enter_budget(BRIEFLY);
        let answer = self.decide_ctl(formula, asked, steps, Traces::Unwanted);
        let is_cut_short = self.encoded.store.is_out_of_work();
        self.encoded.store.leave_budget(outer);
        match answer {
            Err(_) if is_cut_short => match self.holds_one_by_one(formula) {
                Some(holds) => Ok(Answer::plain(Verdict::of(holds))),
                None => self.decide_ctl(formula, asked, steps, Traces::Unwanted),
            },
            answer => answer,
        }
    }

    /// Whether a formula holds in all initial states, if this is a quotient with few representatives.
    pub(super) fn holds_one_by_one(&self, formula: &Formula<Atom<E>>) -> Option<bool> {
        let quotient = self.quotient().filter(|quotient| !quotient.construction.is_whole())?;
        let encoded = &self.encoded;
        let count = encoded.store.count(&quotient.representatives).to_u64()?;
        let size = encoded.encoding.state_size() as u64;
        if count.saturating_mul(size.max(1)) > FEW || encoded.encoding.has_transient_states() {
            return None;
        }
        let leaders = Leaders::<E> {
            semantics: encoded.encoding.semantics().ok()?,
            to_leader: encoded.encoding.to_leaders(&quotient.group)?,
        };
        let store = &encoded.store;
        let limits = Limits {
            states: Some(count * MOST_FOR_EACH),
            process: store.process_memory().cloned(),
            deadline: store.limits().deadline,
            cancel: store.cancel(),
            ..Limits::default()
        };
        let questions = [Question::Ctl(formula.clone())];
        let outcome = explicit::answer_on_runs(&leaders, &questions, self.finite_runs, &limits, &Progress::default());
        outcome.answers.first()?.verdict.holds()
    }
}

/// A model in which every step leads to the leader of an orbit.
struct Leaders<E: Encoding> {
    semantics: E::Semantics,
    to_leader: ToLeader<E>,
}

type State<E> = <<E as Encoding>::Formalism as Formalism>::State;

impl<E: Encoding> TransitionSystem for Leaders<E> {
    type Formalism = E::Formalism;

    fn size(&self) -> Option<usize> {
        self.semantics.size()
    }

    fn initial_states(&self) -> Result<Vec<State<E>>, RunError> {
        Ok(self.semantics.initial_states()?.into_iter().map(&self.to_leader).collect())
    }

    fn successors(&self, state: &State<E>) -> Result<Vec<Step<E::Formalism>>, RunError> {
        let steps = self.semantics.successors(state)?.into_iter();
        Ok(steps.map(|step| Step { state: (self.to_leader)(step.state), ..step }).collect())
    }

    fn is_deadlock(&self, state: &State<E>) -> Result<bool, RunError> {
        self.semantics.is_deadlock(state)
    }

    fn is_error_state(&self, state: &State<E>) -> bool {
        self.semantics.is_error_state(state)
    }

    fn is_transient(&self, state: &State<E>) -> Result<bool, RunError> {
        self.semantics.is_transient(state)
    }

    fn evaluate(&self, formula: &Formula<Atom<E>>, state: &State<E>) -> Result<bool, RunError> {
        self.semantics.evaluate(formula, state)
    }

    fn measure(&self, quantity: &<E::Formalism as Formalism>::Quantity, state: &State<E>) -> Result<i64, RunError> {
        self.semantics.measure(quantity, state)
    }

    fn can_fire(&self, action: &<E::Formalism as Formalism>::Action, state: &State<E>) -> Result<bool, RunError> {
        self.semantics.can_fire(action, state)
    }

    fn most_in_place(&self, state: &State<E>) -> Option<i32> {
        self.semantics.most_in_place(state)
    }

    fn tokens(&self, state: &State<E>) -> i64 {
        self.semantics.tokens(state)
    }

    fn are_alike(&self, one: &<E::Formalism as Formalism>::Event, other: &<E::Formalism as Formalism>::Event) -> bool {
        self.semantics.are_alike(one, other)
    }
}
