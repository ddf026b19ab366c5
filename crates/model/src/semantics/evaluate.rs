//! The value of an expression.

use super::Cause;
use crate::expression::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};
use crate::property::linear::{self, NotLinear};
use std::cell::Cell;

/// What a comparison is if one of its sides has no value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WithoutValue {
    /// False by itself: in guards and formulas.
    IsFalse,
    /// An error: in actions.
    IsError,
}

/// How deep expressions may be nested.
const MOST_NESTED: u32 = 1000;

/// Evaluates expressions. `read` gives the value of the variable that is so many after the named one.
pub(crate) struct Evaluator<F> {
    read: F,
    without_value: WithoutValue,
    /// Whether something has wrapped around.
    wrapped: Cell<bool>,
}

/// An evaluator of the expressions of a program, on its state.
pub(super) fn on_state(
    local: &[i32], without_value: WithoutValue,
) -> Evaluator<impl Fn(&u32, u32) -> Result<i32, Cause>> {
    let read =
        move |variable: &u32, after: u32| local.get(*variable as usize + after as usize).copied().ok_or(Cause::Unknown);
    Evaluator::new(read, without_value)
}

impl<F> Evaluator<F> {
    pub fn new(read: F, without_value: WithoutValue) -> Evaluator<F> {
        Evaluator { read, without_value, wrapped: Cell::new(false) }
    }

    /// The value of an expression in a formula, where sums and multiples by constants do not wrap around.
    pub fn exact<V>(&self, expression: &Integer<V>) -> Result<i64, Cause>
    where
        F: Fn(&V, u32) -> Result<i32, Cause>,
    {
        self.wrapped.set(false);
        let value = self.integer(expression)?;
        if !self.wrapped.get() {
            return Ok(value.into());
        }
        let exact = self.unwrapped(expression)?.unwrap_or(value.into());
        i64::try_from(exact).map_err(|_| Cause::TooLarge)
    }

    /// The value of a sum without wrapping around; nothing if it is no sum of multiples by numbers.
    fn unwrapped<V>(&self, expression: &Integer<V>) -> Result<Option<i128>, Cause>
    where
        F: Fn(&V, u32) -> Result<i32, Cause>,
    {
        match linear::exact(expression, &|variable, after| (self.read)(variable, after).ok()) {
            Ok(value) => Ok(Some(value)),
            Err(NotLinear::Other) => Ok(None),
            Err(NotLinear::TooLarge) => Err(Cause::TooLarge),
        }
    }

    /// Whether a comparison in a formula holds, in the same way; one without a value does not.
    pub fn compare<V>(&self, comparison: Comparison, left: &Integer<V>, right: &Integer<V>) -> Result<bool, Cause>
    where
        F: Fn(&V, u32) -> Result<i32, Cause>,
    {
        self.wrapped.set(false);
        let sides = self.integer(left).and_then(|left| Ok((left, self.integer(right)?)));
        let (a, b) = match sides {
            Ok(sides) => sides,
            Err(cause) if cause.is_no_value() => return Ok(false),
            Err(cause) => return Err(cause),
        };
        if self.wrapped.get()
            && let (Some(a), Some(b)) = (self.unwrapped(left)?, self.unwrapped(right)?)
        {
            return Ok(comparison.holds(&a, &b));
        }
        Ok(comparison.holds(&a, &b))
    }

    /// A result, or what it wraps around to.
    fn wrapping(&self, (value, wrapped): (i32, bool)) -> i32 {
        if wrapped {
            self.wrapped.set(true);
        }
        value
    }

    /// The value of an integer expression.
    pub fn integer<V>(&self, expression: &Integer<V>) -> Result<i32, Cause>
    where
        F: Fn(&V, u32) -> Result<i32, Cause>,
    {
        self.integer_within(expression, MOST_NESTED)
    }

    /// Whether a boolean expression holds.
    pub fn boolean<V>(&self, expression: &Boolean<V>) -> Result<bool, Cause>
    where
        F: Fn(&V, u32) -> Result<i32, Cause>,
    {
        self.boolean_within(expression, MOST_NESTED)
    }

    fn integer_within<V>(&self, expression: &Integer<V>, depth: u32) -> Result<i32, Cause>
    where
        F: Fn(&V, u32) -> Result<i32, Cause>,
    {
        let depth = depth.checked_sub(1).ok_or(Cause::TooDeep)?;
        match expression {
            Integer::Constant(value) => Ok(*value),
            Integer::Variable(variable) => (self.read)(variable, 0),
            Integer::Element { first, length, index } => {
                let index = self.integer_within(index, depth)?;
                (self.read)(first, element(index, *length)?)
            }
            Integer::Sum(terms) => {
                let mut sum = 0i32;
                for term in terms {
                    sum = self.wrapping(sum.overflowing_add(self.integer_within(term, depth)?));
                }
                Ok(sum)
            }
            Integer::Unary(operator, operand) => {
                let value = self.integer_within(operand, depth)?;
                Ok(match operator {
                    UnaryOperator::Minus => self.wrapping(value.overflowing_neg()),
                    UnaryOperator::BitNot => !value,
                })
            }
            Integer::Binary(operator, left, right) => {
                let (left, right) = (self.integer_within(left, depth)?, self.integer_within(right, depth)?);
                if *operator == BinaryOperator::Multiply {
                    return Ok(self.wrapping(left.overflowing_mul(right)));
                }
                operator.calculate(left, right).ok_or(Cause::DivisionByZero)
            }
            Integer::Truth(condition) => Ok(i32::from(self.boolean_within(condition, depth)?)),
        }
    }

    fn boolean_within<V>(&self, expression: &Boolean<V>, depth: u32) -> Result<bool, Cause>
    where
        F: Fn(&V, u32) -> Result<i32, Cause>,
    {
        let depth = depth.checked_sub(1).ok_or(Cause::TooDeep)?;
        match expression {
            Boolean::Constant(value) => Ok(*value),
            Boolean::Compare(comparison, left, right) => {
                let left = self.integer_within(left, depth);
                let sides = left.and_then(|left| Ok((left, self.integer_within(right, depth)?)));
                match sides {
                    Ok((left, right)) => Ok(comparison.holds(&left, &right)),
                    Err(cause) if cause.is_no_value() && self.without_value == WithoutValue::IsFalse => Ok(false),
                    Err(cause) => Err(cause),
                }
            }
            Boolean::Not(operand) => Ok(!self.boolean_within(operand, depth)?),
            Boolean::And(operands) => {
                for operand in operands {
                    if !self.boolean_within(operand, depth)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Boolean::Or(operands) => {
                for operand in operands {
                    if self.boolean_within(operand, depth)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}

/// Which element of an array an index means.
pub(super) fn element(index: i32, length: u32) -> Result<u32, Cause> {
    u32::try_from(index).ok().filter(|&element| element < length).ok_or(Cause::Index { index, length })
}
