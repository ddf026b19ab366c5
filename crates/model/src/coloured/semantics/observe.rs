//! What formulas say of one marking, whatever it is that knows the marking.

use super::super::property::{Atom, Count, Firing};
use crate::expression::Integer;
use crate::property::Formula;
use crate::semantics::evaluate::{Evaluator, WithoutValue};
use crate::semantics::formula::{self, Judge};
use crate::semantics::{Cause, RunError};

/// A marking, as far as formulas look at it.
pub trait Observed {
    /// How many tokens of a place match a pattern.
    fn count(&self, count: &Count) -> Result<i32, Cause>;

    /// Whether one of some firings can happen.
    fn fires(&self, firings: &[Firing]) -> Result<bool, RunError>;

    /// Whether nothing can happen.
    fn is_dead(&self) -> Result<bool, RunError>;

    /// The error that a cause is, in this marking.
    fn failed(&self, cause: Cause) -> RunError;
}

/// Whether a formula without temporal operators holds in a marking.
pub fn evaluate(formula: &Formula<Atom>, marking: &impl Observed) -> Result<bool, RunError> {
    formula::evaluate(formula, &Seen(marking))
}

/// The value of a quantity in a marking.
pub fn measure(quantity: &Integer<Count>, marking: &impl Observed) -> Result<i64, RunError> {
    evaluator(marking).exact(quantity).map_err(|cause| marking.failed(cause))
}

fn evaluator<O: Observed>(marking: &O) -> Evaluator<impl Fn(&Count, u32) -> Result<i32, Cause> + '_> {
    // There are no arrays of places.
    let read = move |count: &Count, after: u32| match after {
        0 => marking.count(count),
        _ => Err(Cause::Unknown),
    };
    Evaluator::new(read, WithoutValue::IsFalse)
}

struct Seen<'m, O>(&'m O);

impl<O: Observed> Judge<Atom> for Seen<'_, O> {
    fn atom(&self, atom: &Atom) -> Result<bool, RunError> {
        match atom {
            Atom::Compare(comparison, left, right) => {
                let compared = evaluator(self.0).compare(*comparison, left, right);
                compared.map_err(|cause| self.0.failed(cause))
            }
            Atom::Fireable(firings) => self.0.fires(firings),
            Atom::Fired(_) => Err(self.0.failed(Cause::NotObserved)),
        }
    }

    fn deadlock(&self) -> Result<bool, RunError> {
        self.0.is_dead()
    }

    fn is_error_state(&self) -> bool {
        false
    }

    fn error(&self, cause: Cause) -> RunError {
        self.0.failed(cause)
    }
}
