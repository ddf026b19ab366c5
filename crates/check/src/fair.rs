//! Fairness: runs that count only if they meet their obligations.
//!
//! An obligation says of a run that if something holds again and again, so does something else (a pair of Streett). That no
//! transition waits for ever is one: with *weak* fairness a transition that can fire from some point on must fire again and
//! again, and with *strong* fairness one that can fire again and again must. Formulas about runs then speak of the runs
//! that meet all obligations; a run that ends meets them, because nothing can fire any more.
//!
//! Of a set of states, those from which a run meets all obligations and never leaves the set are found as Emerson and Lei
//! do it: what cannot go on, and what is obliged to something that it cannot reach, is taken away until nothing is (Y.
//! Kesten, A. Pnueli, L. Raviv, *Algorithmic verification of linear temporal logic specifications*, 1998). In what is left,
//! who stays in a component that cannot be left meets all of them.

use mandala_model::property::Formula;
use mandala_model::semantics::TransitionSystem;

use crate::run::{AtomIn, FiniteRuns, StateIn, Trace};

/// If `when` holds again and again on a run, then so does `then`; both are about one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation<A> {
    /// What obliges.
    pub when: Formula<A>,
    /// To what.
    pub then: Formula<A>,
}

impl<A> Obligation<A> {
    /// What can happen from some point on happens again and again.
    pub fn weak(enabled: Formula<A>, happened: Formula<A>) -> Obligation<A> {
        let then = Formula::Or(vec![Formula::Not(Box::new(enabled)), happened]);
        Obligation { when: Formula::Constant(true), then }
    }

    /// What can happen again and again does.
    pub fn strong(enabled: Formula<A>, happened: Formula<A>) -> Obligation<A> {
        Obligation { when: enabled, then: happened }
    }
}

/// Which runs count.
pub struct WhichRuns<'r, A> {
    /// What of those that end.
    pub finite: FiniteRuns,
    /// What those that go on must meet.
    pub fair: &'r [Obligation<A>],
}

// Derived, these would want atoms that can be copied.
impl<A> Clone for WhichRuns<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for WhichRuns<'_, A> {}

impl<A> From<FiniteRuns> for WhichRuns<'_, A> {
    fn from(finite: FiniteRuns) -> Self {
        WhichRuns { finite, fair: &[] }
    }
}

impl<A> WhichRuns<'_, A> {
    /// Whether there are states in which no run begins that counts, or runs that do not.
    pub(crate) fn leave_some_out(&self) -> bool {
        self.finite == FiniteRuns::Ignore || !self.fair.is_empty()
    }
}

/// Checks that a run which goes on with the step of this number when it is over meets some obligations; says why if not.
pub(crate) fn check<T: TransitionSystem>(
    semantics: &T, trace: &Trace<T::Formalism>, repeats: usize, obligations: &[Obligation<AtomIn<T>>],
) -> Result<(), String> {
    let states = std::iter::once(&trace.initial).chain(trace.steps.iter().map(|step| &step.state));
    let round: Vec<&StateIn<T>> = states.skip(repeats).collect();
    let is_met = |formula: &Formula<AtomIn<T>>| -> Result<bool, String> {
        for state in &round {
            if semantics.evaluate(formula, state).map_err(|error| error.to_string())? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    for obligation in obligations {
        if is_met(&obligation.when)? && !is_met(&obligation.then)? {
            return Err("the run does not meet its obligations".to_owned());
        }
    }
    Ok(())
}
