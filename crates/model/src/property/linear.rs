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
                let index = Linear::of(index)?;
                if !index.terms.is_empty() || index.constant < 0 || index.constant >= i64::from(*length) {
                    return Err(NotLinear);
                }
                let location = Location { path: first.path.clone(), index: first.index + index.constant as u32 };
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
                let (a, b) = (Linear::of(a)?, Linear::of(b)?);
                let (constant, other) = match (a.terms.is_empty(), b.terms.is_empty()) {
                    (true, _) => (a.constant, b),
                    (_, true) => (b.constant, a),
                    _ => return Err(NotLinear),
                };
                let times = times.checked_mul(constant).ok_or(NotLinear)?;
                for (location, factor) in other.terms {
                    self.terms.push((location, factor.checked_mul(times).ok_or(NotLinear)?));
                }
                let more = other.constant.checked_mul(times).and_then(|more| self.constant.checked_add(more));
                self.constant = more.ok_or(NotLinear)?;
            }
            _ => return Err(NotLinear),
        }
        Ok(())
    }
}
