//! Formulas about one state.

use super::evaluate::{Evaluator, WithoutValue};
use super::{Cause, RunError, Semantics};
use crate::expression::Integer;
use crate::property::{Atom, Formula};
use crate::system::Location;

/// How deep formulas may be nested.
const MOST_NESTED: u32 = 1000;

/// What is said of one state of some formalism.
pub(crate) trait Judge<A> {
    /// Whether an atom holds.
    fn atom(&self, atom: &A) -> Result<bool, RunError>;
    /// Whether nothing can happen.
    fn deadlock(&self) -> Result<bool, RunError>;
    /// Whether it is the error state.
    fn is_error_state(&self) -> bool;
    /// The error that a cause is.
    fn error(&self, cause: Cause) -> RunError;
}

/// Whether a formula without temporal operators holds in a state.
pub(crate) fn evaluate<A>(formula: &Formula<A>, state: &impl Judge<A>) -> Result<bool, RunError> {
    judge(formula, state, MOST_NESTED)
}

fn judge<A>(formula: &Formula<A>, state: &impl Judge<A>, depth: u32) -> Result<bool, RunError> {
    let depth = depth.checked_sub(1).ok_or_else(|| state.error(Cause::TooDeep))?;
    match formula {
        Formula::Constant(value) => Ok(*value),
        Formula::Error => Ok(state.is_error_state()),
        // Nothing else can be said of the error state.
        Formula::Atom(_) | Formula::Deadlock if state.is_error_state() => Ok(false),
        Formula::Atom(atom) => state.atom(atom),
        Formula::Deadlock => state.deadlock(),
        Formula::Not(operand) => Ok(!judge(operand, state, depth)?),
        Formula::And(operands) => {
            for operand in operands {
                if !judge(operand, state, depth)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Formula::Or(operands) => {
            for operand in operands {
                if judge(operand, state, depth)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Formula::Unary(..) | Formula::Binary(..) => Err(state.error(Cause::Temporal)),
    }
}

/// A state of a system.
struct On<'s, 'a> {
    semantics: &'s Semantics<'a>,
    state: &'s [i32],
}

impl Judge<Atom> for On<'_, '_> {
    fn atom(&self, atom: &Atom) -> Result<bool, RunError> {
        match atom {
            Atom::Compare(comparison, left, right) => {
                let evaluator = self.semantics.evaluator(self.state);
                evaluator.compare(*comparison, left, right).map_err(|cause| self.error(cause))
            }
            Atom::Fireable(locations) => {
                for location in locations {
                    if self.semantics.enabled(self.state, location)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Atom::Fired(_) => Err(self.error(Cause::NotObserved)),
        }
    }

    fn deadlock(&self) -> Result<bool, RunError> {
        self.semantics.is_deadlock(self.state)
    }

    fn is_error_state(&self) -> bool {
        self.semantics.is_error_state(self.state)
    }

    fn error(&self, cause: Cause) -> RunError {
        self.semantics.error(cause, self.state)
    }
}

impl Semantics<'_> {
    /// Whether a formula without temporal operators holds in a state. A comparison without a value is false, and so is
    /// every atom in the error state but the one that asks for it.
    pub fn evaluate(&self, formula: &Formula, state: &[i32]) -> Result<bool, RunError> {
        evaluate(formula, &On { semantics: self, state })
    }

    /// The value of an integer expression in a state. Sums and multiples by constants do not wrap around.
    pub fn evaluate_integer(&self, expression: &Integer<Location>, state: &[i32]) -> Result<i64, RunError> {
        self.evaluator(state).exact(expression).map_err(|cause| self.error(cause, state))
    }

    fn evaluator<'e>(&'e self, state: &'e [i32]) -> Evaluator<impl Fn(&Location, u32) -> Result<i32, Cause> + 'e> {
        let read = move |location: &Location, after: u32| {
            // A walk down the hierarchy for each variable: formulas are small, and nothing is kept that could be stale.
            let first = self.index_of(location).ok_or(Cause::Unknown)?;
            state.get(first + after as usize).copied().ok_or(Cause::Unknown)
        };
        Evaluator::new(read, WithoutValue::IsFalse)
    }
}
