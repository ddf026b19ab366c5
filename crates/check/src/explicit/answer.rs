//! Questions and what is known of their answers.

use super::ctl::{Failure, Labelling};
use super::ended::Ended;
use super::states::States;
use super::trace::to_state;
use super::witness;
use crate::answer::{Answer, NO_VALUES, Traces, Verdict};
use crate::run::{NoTrace, StateIn};
use crate::witness::Witness;
use mandala_model::formalism::Formalism;
use mandala_model::property::{Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::{RunError, TransitionSystem};

/// A question while the states are looked at.
pub(super) enum Inquiry<'q, F: Formalism> {
    /// Is there a state in which the formula is `wanted`? `found` is the answer to the question if there is one.
    Search {
        formula: &'q Formula<F::Atom>,
        wanted: bool,
        found: bool,
        shown_by: Option<u32>,
    },
    Bounds {
        expression: &'q F::Quantity,
        bounds: Option<(i64, i64)>,
    },
    /// Does the formula hold in all initial states?
    Ctl {
        formula: &'q Formula<F::Atom>,
        holds: Option<bool>,
        witness: Option<Result<Witness<F>, NoTrace>>,
    },
    /// Can each of the transitions always fire again?
    Live {
        transitions: &'q [Vec<F::Action>],
        holds: Option<bool>,
    },
    Failed(RunError),
    NotHere,
}

impl<'q, F: Formalism> Inquiry<'q, F> {
    /// `leaves_out` if some runs do not count.
    pub fn new(question: &'q Question<F>, leaves_out: bool) -> Self {
        let search = |formula, wanted, found| Inquiry::Search { formula, wanted, found, shown_by: None };
        match question {
            Question::Reachable(formula) => search(formula, true, true),
            Question::Invariant(formula) => search(formula, false, false),
            Question::Never(formula) => search(formula, true, false),
            Question::Bounds(expression) => Inquiry::Bounds { expression, bounds: None },
            Question::Ctl(Formula::Unary(Quantifier::All, UnaryOperator::Globally, formula))
                if !formula.is_temporal() && !leaves_out =>
            {
                search(formula, false, false)
            }
            Question::Ctl(formula) => Inquiry::Ctl { formula, holds: None, witness: None },
            Question::Live(transitions) => Inquiry::Live { transitions, holds: None },
            // Runs are looked at by `explicit::ltl`.
            Question::Ltl(_) | Question::CtlStar(_) => Inquiry::NotHere,
        }
    }

    /// Whether no further state can change the answer.
    pub fn is_settled(&self) -> bool {
        match self {
            Inquiry::Search { shown_by, .. } => shown_by.is_some(),
            Inquiry::Bounds { .. } | Inquiry::Ctl { .. } | Inquiry::Live { .. } => false,
            Inquiry::Failed(_) | Inquiry::NotHere => true,
        }
    }

    /// Takes a new state into account.
    pub fn look<T: TransitionSystem<Formalism = F>>(&mut self, semantics: &T, id: u32, state: &StateIn<T>) {
        let result = match self {
            Inquiry::Search { formula, wanted, shown_by: shown_by @ None, .. } => {
                semantics.evaluate(formula, state).map(|holds| *shown_by = (holds == *wanted).then_some(id))
            }
            Inquiry::Bounds { .. } if semantics.is_error_state(state) => Ok(()),
            Inquiry::Bounds { expression, bounds } => semantics.measure(expression, state).map(|value| {
                let (least, greatest) = bounds.unwrap_or((value, value));
                *bounds = Some((least.min(value), greatest.max(value)));
            }),
            Inquiry::Search { .. }
            | Inquiry::Ctl { .. }
            | Inquiry::Live { .. }
            | Inquiry::Failed(_)
            | Inquiry::NotHere => Ok(()),
        };
        if let Err(error) = result {
            *self = Inquiry::Failed(error);
        }
    }

    /// What is asked of runs has no answer, because which of them count is not known.
    pub fn fail(&mut self, error: &RunError) {
        if let Inquiry::Ctl { .. } = self {
            *self = Inquiry::Failed(error.clone());
        }
    }

    /// Looks at the graph of all states, if that is what the question is about.
    pub fn label<T: TransitionSystem<Formalism = F>>(
        &mut self, labelling: &Labelling<'_, T>, traces: Traces,
    ) -> Result<(), Ended<F>> {
        let (found, holds) = match self {
            Inquiry::Ctl { formula, holds, witness } => {
                let found = labelling.holds(formula);
                if let (Ok(truth), Traces::Wanted) = (&found, traces) {
                    *witness = witness::find(labelling, formula, *truth).transpose();
                }
                (found, holds)
            }
            Inquiry::Live { transitions, holds } => (labelling.are_live(transitions), holds),
            _ => return Ok(()),
        };
        match found {
            Ok(truth) => *holds = Some(truth),
            Err(Failure::Limit(ended)) => return Err(ended),
            Err(Failure::Error(error)) => *self = Inquiry::Failed(error),
            Err(Failure::NotCtl) => *self = Inquiry::NotHere,
        }
        Ok(())
    }

    /// The answer, now that no more states are looked at; `complete` if there are none left.
    /// `dead` is a state in which nothing can happen, if one was found.
    pub fn answer<T: TransitionSystem<Formalism = F>>(
        self, semantics: &T, states: &States, dead: Option<u32>, complete: bool,
    ) -> Answer<F> {
        match self {
            Inquiry::Search { found, shown_by: Some(id), .. } => {
                Answer::by_state(Verdict::of(found), to_state(semantics, states, id))
            }
            Inquiry::Search { found, shown_by: None, .. } if complete => Answer::plain(Verdict::of(!found)),
            Inquiry::Bounds { bounds: Some((least, greatest)), .. } if complete => {
                Answer::plain(Verdict::Bounds { least, greatest })
            }
            Inquiry::Bounds { bounds: Some((least, greatest)), .. } => {
                Answer::unknown(format!("not all states are known; so far from {least} to {greatest}"))
            }
            Inquiry::Bounds { bounds: None, .. } if complete => Answer::unknown(NO_VALUES),
            Inquiry::Ctl { holds: Some(holds), witness: Some(witness), .. } => {
                Answer::shown(Verdict::of(holds), witness.map(Some))
            }
            Inquiry::Ctl { holds: Some(holds), .. } | Inquiry::Live { holds: Some(holds), .. } => {
                Answer::plain(Verdict::of(holds))
            }
            Inquiry::Live { transitions, .. }
                if dead.is_some_and(|dead| never_fires(semantics, states, transitions, dead)) =>
            {
                Answer::by_state(Verdict::Fails, dead.and_then(|dead| to_state(semantics, states, dead)))
            }
            Inquiry::Search { .. } | Inquiry::Bounds { .. } | Inquiry::Ctl { .. } | Inquiry::Live { .. } => {
                Answer::unknown("not all states are known, and none so far decides it")
            }
            Inquiry::Failed(error) => Answer::unknown(error),
            Inquiry::NotHere => Answer::unknown("this cannot be answered state by state"),
        }
    }
}

/// Whether of some group of transitions none can fire in a state in which nothing happens: one that waits to be called may.
fn never_fires<T: TransitionSystem>(
    semantics: &T, states: &States, groups: &[Vec<<T::Formalism as Formalism>::Action>], dead: u32,
) -> bool {
    let state = states.read::<T::Formalism>(dead);
    let is_ready = |action| semantics.can_fire(action, &state).unwrap_or(true);
    groups.iter().any(|group| !group.iter().any(is_ready))
}
