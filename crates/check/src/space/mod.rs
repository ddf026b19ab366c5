//! State spaces: the set of the states of a system, with all that questions need to know about it.

mod quotient;

use std::sync::Arc;
use std::time::Duration;

use mandala_diagram::{Count, Diagram, Store};
use mandala_model::property::{Formula, Question};
use mandala_symbolic::encode::{Atom, Encoded, Encoding, SystemEncoding};

use crate::budget::Worker;
use crate::fair::Obligation;
use crate::limits::Limits;
use crate::reduce::Asked;
use crate::run::FiniteRuns;
use crate::select::{mentions_events, select};
use crate::steps::Steps;
use crate::undecided::Undecided;
pub(crate) use quotient::TOLD_APART;
pub use quotient::{Construction, Quotient};

/// The reachable states of a net, a program or a composite.
pub type SystemSpace<'a> = Space<SystemEncoding<'a>>;

/// The reachable states of a model.
pub struct Space<E: Encoding> {
    /// The model as diagrams.
    pub(crate) encoded: Encoded<E>,
    /// Its reachable states, including transient states.
    pub(crate) reached: Diagram,
    /// Those that count: without the transient ones.
    pub(crate) states: Diagram,
    /// What becomes of runs that end, where a question is about runs.
    pub(crate) finite_runs: FiniteRuns,
    /// What runs must meet to count, where a question is about runs.
    pub(crate) fairness: Arc<[Obligation<Atom<E>>]>,
    /// Which part of the reachable states it holds.
    pub(crate) coverage: Coverage,
    /// By which group it is a quotient, if it is one.
    pub(crate) quotient: Option<Box<Quotient<E>>>,
    /// How it was laid out.
    pub layout: Description,
    /// How long it took.
    pub time: Duration,
    /// The most nodes that were in the store at a time.
    pub peak_nodes: usize,
    /// The most bytes that were in use at a time.
    pub peak_bytes: usize,
    /// What formulas of CTL need to know, once one was asked.
    pub(crate) steps: Option<Box<Steps>>,
    /// What is known of the formulas of CTL that were asked.
    pub(crate) asked: Option<Box<Asked<Atom<E>>>>,
}

/// Which part of the reachable states a space holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All of them (or, in a quotient, representatives of all of them).
    All,
    /// Enough to answer all that was asked; there may be more.
    Enough,
    /// Those that were found until a limit struck, or until somebody stopped the exploration.
    Part,
}

/// How a state space was laid out, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The order, by the name of its heuristic.
    pub order: String,
    /// How many diagram variables the main type has.
    pub variables: usize,
    /// How many levels.
    pub levels: usize,
}

impl<E: Encoding> Worker for Space<E> {
    fn store(&mut self) -> &mut Store {
        &mut self.encoded.store
    }
}

impl<E: Encoding> Space<E> {
    /// The model as diagrams, to look at: what changes it would change what is answered.
    pub fn encoded(&self) -> &Encoded<E> {
        &self.encoded
    }

    /// The model as diagrams, for whoever asks no more of the space.
    pub fn into_encoded(self) -> Encoded<E> {
        self.encoded
    }

    /// How far the work on questions may go, from now on.
    pub fn set_limits(&mut self, limits: &Limits) {
        limits.apply(&mut self.encoded.store, None);
    }

    /// Its states, without transient ones; in a quotient, perhaps only representatives.
    pub fn states(&self) -> &Diagram {
        &self.states
    }

    /// Its states, including transient ones.
    pub fn reached(&self) -> &Diagram {
        &self.reached
    }

    /// By which group it is a quotient, and what its representatives stand for, if it is one.
    pub fn quotient(&self) -> Option<&Quotient<E>> {
        self.quotient.as_deref()
    }

    /// Which part of the reachable states it holds.
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// Whether it holds all reachable states, or representatives of all of them.
    pub fn is_complete(&self) -> bool {
        self.coverage == Coverage::All
    }

    /// Whether a question has the same answer on the states of this space as on all reachable states: always, unless only
    /// representatives were kept and the question tells apart what they stand for.
    pub fn preserves(&self, question: &Question<E::Formalism>) -> bool {
        let is_about_runs = matches!(question, Question::Ctl(_) | Question::Ltl(_) | Question::CtlStar(_));
        self.quotient.as_deref().is_none_or(|quotient| {
            quotient.preserves(&self.encoded.encoding, question)
                && (!is_about_runs || self.obligations().all(|one| quotient.preserves(&self.encoded.encoding, &one)))
        })
    }

    /// Whether the group leaves alone what runs must meet to count.
    pub(crate) fn preserves_fairness(&self) -> bool {
        self.obligations().all(|one| self.preserves(&one))
    }

    /// What fairness asks of states, as questions.
    fn obligations(&self) -> impl Iterator<Item = Question<E::Formalism>> {
        let parts = self.fairness.iter().flat_map(|one| [&one.when, &one.then]);
        parts.map(|formula| Question::Invariant(formula.clone()))
    }

    /// Whether there are runs that do not count.
    pub(crate) fn leaves_runs_out(&self) -> bool {
        self.finite_runs == FiniteRuns::Ignore || !self.fairness.is_empty()
    }

    /// How many states it holds; in a quotient perhaps only representatives.
    pub fn count(&self) -> Count {
        self.encoded.store.count(&self.states)
    }

    /// Why it is not known what can happen, if so: there may be transient states from which no state comes out.
    pub(crate) fn events_are_unknown(&mut self, formula: &Formula<Atom<E>>) -> Option<String> {
        if !self.encoded.encoding.has_transient_states() || !mentions_events::<E>(formula) {
            return None;
        }
        match self.take_steps() {
            Ok(steps) => {
                let traps = steps.traps;
                self.steps = Some(steps);
                traps.then(|| Undecided::Trapped.to_string())
            }
            Err(error) => Some(error.to_string()),
        }
    }

    /// Whether there is one initial state only.
    pub(crate) fn begins_in_one_state(&self) -> bool {
        self.encoded.store.count(&self.encoded.initial).to_u64() == Some(1)
    }

    /// What is known of the steps of the space, to be put back afterwards.
    pub(crate) fn take_steps(&mut self) -> Result<Box<Steps>, Undecided> {
        if let Some(steps) = self.steps.take() {
            return Ok(steps);
        }
        let mut sets = Vec::with_capacity(self.fairness.len());
        for obligation in self.fairness.clone().iter() {
            let when = select(&mut self.encoded, &obligation.when, &self.states)?;
            sets.push((when, select(&mut self.encoded, &obligation.then, &self.states)?));
        }
        Ok(Box::new(Steps::new(&mut self.encoded, &self.reached, &self.states, self.finite_runs, sets)?))
    }
}
