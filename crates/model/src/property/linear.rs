//! Expressions that are sums of multiples of variables.

use std::fmt;

use crate::expression::{BinaryOperator, Integer, UnaryOperator};
use crate::system::Location;

/// Why an expression cannot be taken as a sum of multiples of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotLinear {
    /// It is none.
    Other,
    /// Its value may be beyond 61 bits.
    TooLarge,
}

impl fmt::Display for NotLinear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotLinear::Other => write!(f, "the expression is not a sum of constant multiples of variables"),
            NotLinear::TooLarge => write!(f, "the numbers of a sum are too large: its value could be beyond 61 bits"),
        }
    }
}

impl std::error::Error for NotLinear {}

/// No value of a sum is further from 0, whatever 32-bit values its variables have: whoever adds up some of its terms and compares the
/// result with what is left stays within 64 bits.
const FURTHEST: i128 = 1 << 61;

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
                    *known = known.checked_add(factor).ok_or(NotLinear::TooLarge)?;
                }
                _ => terms.push((location, factor)),
            }
        }
        terms.retain(|term| term.1 != 0);
        Linear { terms, constant: sum.constant }.within_bounds()
    }

    /// The sum, if none of its values is too large.
    fn within_bounds(self) -> Result<Linear, NotLinear> {
        let factors = self.terms.iter().map(|(_, factor)| i128::from(*factor).abs()).sum::<i128>();
        let furthest = i128::from(self.constant).abs() + (factors << 31);
        if furthest > FURTHEST { Err(NotLinear::TooLarge) } else { Ok(self) }
    }

    /// With a multiple of another sum added.
    pub fn plus(mut self, other: Linear, times: i64) -> Result<Linear, NotLinear> {
        for (location, factor) in other.terms {
            let factor = factor.checked_mul(times).ok_or(NotLinear::TooLarge)?;
            match self.terms.binary_search_by(|term| term.0.cmp(&location)) {
                Ok(at) => {
                    self.terms[at].1 = self.terms[at].1.checked_add(factor).ok_or(NotLinear::TooLarge)?;
                    if self.terms[at].1 == 0 {
                        self.terms.remove(at);
                    }
                }
                Err(at) => self.terms.insert(at, (location, factor)),
            }
        }
        let constant = other.constant.checked_mul(times).and_then(|more| self.constant.checked_add(more));
        self.constant = constant.ok_or(NotLinear::TooLarge)?;
        self.within_bounds()
    }

    fn add(&mut self, expression: &Integer<Location>, times: i64) -> Result<(), NotLinear> {
        match expression {
            Integer::Constant(value) => {
                let more = times.checked_mul(i64::from(*value)).and_then(|more| self.constant.checked_add(more));
                self.constant = more.ok_or(NotLinear::TooLarge)?;
            }
            Integer::Variable(location) => self.terms.push((location.clone(), times)),
            Integer::Element { first, length, index } => {
                let index = u32::try_from(constant(index)?).ok();
                let index = index.filter(|index| index < length).ok_or(NotLinear::Other)?;
                let location = Location { path: first.path.clone(), index: first.index + index };
                self.terms.push((location, times));
            }
            Integer::Sum(parts) => {
                for part in parts {
                    self.add(part, times)?;
                }
            }
            Integer::Unary(UnaryOperator::Minus, inner) => {
                self.add(inner, times.checked_neg().ok_or(NotLinear::TooLarge)?)?;
            }
            Integer::Binary(BinaryOperator::Multiply, a, b) => {
                let (factor, other) = factor_of(a, b)?;
                let factor = i64::try_from(factor).ok().and_then(|factor| times.checked_mul(factor));
                self.add(other, factor.ok_or(NotLinear::TooLarge)?)?;
            }
            _ => return Err(NotLinear::Other),
        }
        Ok(())
    }
}

/// The value of an expression that is such a sum, without wrapping around, given those of its variables.
pub(crate) fn exact<V>(expression: &Integer<V>, read: &impl Fn(&V, u32) -> Option<i32>) -> Result<i128, NotLinear> {
    let value = |variable, after| read(variable, after).map(i128::from).ok_or(NotLinear::Other);
    match expression {
        Integer::Constant(constant) => Ok((*constant).into()),
        Integer::Variable(variable) => value(variable, 0),
        Integer::Element { first, length, index } => {
            let index = u32::try_from(constant(index)?).ok().filter(|index| index < length);
            value(first, index.ok_or(NotLinear::Other)?)
        }
        Integer::Sum(parts) => {
            parts.iter().try_fold(0i128, |sum, part| sum.checked_add(exact(part, read)?).ok_or(NotLinear::TooLarge))
        }
        Integer::Unary(UnaryOperator::Minus, inner) => exact(inner, read)?.checked_neg().ok_or(NotLinear::TooLarge),
        Integer::Binary(BinaryOperator::Multiply, a, b) => {
            let (factor, other) = factor_of(a, b)?;
            exact(other, read)?.checked_mul(factor).ok_or(NotLinear::TooLarge)
        }
        _ => Err(NotLinear::Other),
    }
}

/// Of two factors the one without variables, as its value, and the other one.
fn factor_of<'e, V>(a: &'e Integer<V>, b: &'e Integer<V>) -> Result<(i128, &'e Integer<V>), NotLinear> {
    match constant(a) {
        Err(NotLinear::Other) => constant(b).map(|factor| (factor, a)),
        factor => factor.map(|factor| (factor, b)),
    }
}

/// The value of a sum without variables.
fn constant<V>(expression: &Integer<V>) -> Result<i128, NotLinear> {
    exact(expression, &|_, _| None)
}
