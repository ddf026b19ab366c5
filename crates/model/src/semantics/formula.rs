//! Formulas about one state.

use super::evaluate::{Evaluator, WithoutValue};
use super::{Cause, RunError, Semantics};
use crate::expression::Integer;
use crate::property::{Atom, Formula};
use crate::system::Location;

/// How deep formulas may be nested.
const MOST_NESTED: u32 = 1000;

impl Semantics<'_> {
    /// Whether a formula without temporal operators holds in a state. A comparison without a value is false, and so is
    /// every atom in the error state but the one that asks for it.
    pub fn evaluate(&self, formula: &Formula, state: &[i32]) -> Result<bool, RunError> {
        self.evaluate_within(formula, state, MOST_NESTED)
    }

    /// The value of an integer expression in a state.
    pub fn evaluate_integer(&self, expression: &Integer<Location>, state: &[i32]) -> Result<i32, RunError> {
        self.evaluator(state).integer(expression).map_err(|cause| self.error(cause, state))
    }

    fn evaluate_within(&self, formula: &Formula, state: &[i32], depth: u32) -> Result<bool, RunError> {
        let depth = depth.checked_sub(1).ok_or_else(|| self.error(Cause::TooDeep, state))?;
        match formula {
            Formula::Constant(value) => Ok(*value),
            Formula::Error => Ok(self.is_error_state(state)),
            // Nothing else can be said of the error state.
            Formula::Atom(_) | Formula::Deadlock if self.is_error_state(state) => Ok(false),
            Formula::Atom(Atom::Compare(comparison, left, right)) => {
                let evaluator = self.evaluator(state);
                let left = evaluator.integer(left);
                match left.and_then(|left| Ok((left, evaluator.integer(right)?))) {
                    Ok((left, right)) => Ok(comparison.holds(&left, &right)),
                    Err(cause) if cause.is_no_value() => Ok(false),
                    Err(cause) => Err(self.error(cause, state)),
                }
            }
            Formula::Atom(Atom::Fireable(locations)) => {
                for location in locations {
                    if self.enabled(state, location)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Formula::Deadlock => self.is_deadlock(state),
            Formula::Not(operand) => Ok(!self.evaluate_within(operand, state, depth)?),
            Formula::And(operands) => {
                for operand in operands {
                    if !self.evaluate_within(operand, state, depth)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Formula::Or(operands) => {
                for operand in operands {
                    if self.evaluate_within(operand, state, depth)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Formula::Unary(..) | Formula::Binary(..) => Err(self.error(Cause::Temporal, state)),
        }
    }

    fn evaluator<'e>(&'e self, state: &'e [i32]) -> Evaluator<impl Fn(&Location, u32) -> Result<i32, Cause> + 'e> {
        let read = move |location: &Location, after: u32| {
            // A walk down the hierarchy for each variable: formulas are small, and nothing is kept that could be stale.
            let first = self.index_of(location).ok_or(Cause::Unknown)?;
            state.get(first + after as usize).copied().ok_or(Cause::Unknown)
        };
        Evaluator { read, without_value: WithoutValue::IsFalse }
    }
}
