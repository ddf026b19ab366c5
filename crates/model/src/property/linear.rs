//! Expressions that are sums of multiples of variables.

use std::fmt;

use crate::expression::{BinaryOperator, Integer, UnaryOperator};
use crate::system::Location;

/// An expression is no sum of multiples of variables, or its numbers are too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLinear;

impl fmt::Display for NotLinear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the expression is not a sum of constant multiples of variables")
    }
}

impl std::error::Error for NotLinear {}

/// A sum of multiples of variables, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// Variables with their factors, in ascending order, none of them 0.
    pub terms: Vec<(Location, i64)>,
    /// The constant.
    pub constant: i64,
}

impl Linear {
    /// An expression as such a sum, if it is one.
    pub fn of(expression: &Integer<Location>) -> Result<Linear, NotLinear> {
        let mut sum = Linear::default();
        sum.add(expression, 1)?;
        sum.terms.sort();
        let mut terms: Vec<(Location, i64)> = Vec::with_capacity(sum.terms.len());
        for (location, factor) in sum.terms {
            match terms.last_mut() {
                Some((last, known)) if *last == location => {
                    *known = known.checked_add(factor).ok_or(NotLinear)?;
                }
                _ => terms.push((location, factor)),
            }
        }
        terms.retain(|term| term.1 != 0);
        Ok(Linear { terms, constant: sum.constant })
    }

    /// With a multiple of another sum added.
    pub fn plus(mut self, other: Linear, times: i64) -> Result<Linear, NotLinear> {
        for (location, factor) in other.terms {
            let factor = factor.checked_mul(times).ok_or(NotLinear)?;
            match self.terms.binary_search_by(|term| term.0.cmp(&location)) {
                Ok(at) => {
                    self.terms[at].1 = self.terms[at].1.checked_add(factor).ok_or(NotLinear)?;
                    if self.terms[at].1 == 0 {
                        self.terms.remove(at);
                    }
                }
                Err(at) => self.terms.insert(at, (location, factor)),
            }
        }
        let constant = other.constant.checked_mul(times).and_then(|more| self.constant.checked_add(more));
        self.constant = constant.ok_or(NotLinear)?;
        Ok(self)
    }

    fn add(&mut self, expression: &Integer<Location>, times: i64) -> Result<(), NotLinear> {
        match expression {
            Integer::Constant(value) => {
                let more = times.checked_mul(i64::from(*value)).and_then(|more| self.constant.checked_add(more));
                self.constant = more.ok_or(NotLinear)?;
            }
            Integer::Variable(location) => self.terms.push((location.clone(), times)),
            Integer::Element { first, length, index } => {
                let index = constant(index).and_then(|index| u32::try_from(index).ok());
                let index = index.filter(|index| index < length).ok_or(NotLinear)?;
                let location = Location { path: first.path.clone(), index: first.index + index };
                self.terms.push((location, times));
            }
            Integer::Sum(parts) => {
                for part in parts {
                    self.add(part, times)?;
                }
            }
            Integer::Unary(UnaryOperator::Minus, inner) => {
                self.add(inner, times.checked_neg().ok_or(NotLinear)?)?;
            }
            Integer::Binary(BinaryOperator::Multiply, a, b) => {
                let (factor, other) = factor_of(a, b).ok_or(NotLinear)?;
                self.add(other, times.checked_mul(factor).ok_or(NotLinear)?)?;
            }
            _ => return Err(NotLinear),
        }
        Ok(())
    }
}

/// The value of an expression that is such a sum, without wrapping around, given those of its variables. Nothing if it is no such sum,
/// or beyond 64 bits.
pub(crate) fn exact<V>(expression: &Integer<V>, read: &impl Fn(&V, u32) -> Option<i32>) -> Option<i64> {
    match expression {
        Integer::Constant(value) => Some((*value).into()),
        Integer::Variable(variable) => read(variable, 0).map(i64::from),
        Integer::Element { first, length, index } => {
            let index = u32::try_from(constant(index)?).ok().filter(|index| index < length)?;
            read(first, index).map(i64::from)
        }
        Integer::Sum(parts) => {
            parts.iter().try_fold(0i64, |sum, part| exact(part, read).and_then(|value| sum.checked_add(value)))
        }
        Integer::Unary(UnaryOperator::Minus, inner) => exact(inner, read)?.checked_neg(),
        Integer::Binary(BinaryOperator::Multiply, a, b) => {
            let (factor, other) = factor_of(a, b)?;
            exact(other, read)?.checked_mul(factor)
        }
        _ => None,
    }
}

/// Of two factors the one without variables, as its value, and the other one.
fn factor_of<'e, V>(a: &'e Integer<V>, b: &'e Integer<V>) -> Option<(i64, &'e Integer<V>)> {
    constant(a).map(|factor| (factor, b)).or_else(|| constant(b).map(|factor| (factor, a)))
}

/// The value of a sum without variables.
fn constant<V>(expression: &Integer<V>) -> Option<i64> {
    exact(expression, &|_, _| None)
}
