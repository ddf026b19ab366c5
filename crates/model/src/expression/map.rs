//! Expressions over other variables.

use super::{Boolean, Integer};

impl<V> Integer<V> {
    /// The same over other variables: each becomes the expression that `change` gives for it. Nothing if it gives none, or if
    /// the first element of an array becomes anything but a variable.
    pub fn map<W>(&self, change: &mut impl FnMut(&V) -> Option<Integer<W>>) -> Option<Integer<W>> {
        Some(match self {
            Integer::Constant(number) => Integer::Constant(*number),
            Integer::Variable(variable) => change(variable)?,
            Integer::Element { first, length, index } => {
                let Integer::Variable(first) = change(first)? else { return None };
                Integer::Element { first, length: *length, index: Box::new(index.map(change)?) }
            }
            Integer::Sum(parts) => Integer::Sum(parts.iter().map(|part| part.map(change)).collect::<Option<_>>()?),
            Integer::Unary(operator, inner) => Integer::Unary(*operator, Box::new(inner.map(change)?)),
            Integer::Binary(operator, a, b) => {
                Integer::Binary(*operator, Box::new(a.map(change)?), Box::new(b.map(change)?))
            }
            Integer::Truth(condition) => Integer::Truth(Box::new(condition.map(change)?)),
        })
    }
}

impl<V> Boolean<V> {
    /// The same over other variables, as [`Integer::map`].
    pub fn map<W>(&self, change: &mut impl FnMut(&V) -> Option<Integer<W>>) -> Option<Boolean<W>> {
        Some(match self {
            Boolean::Constant(truth) => Boolean::Constant(*truth),
            Boolean::Compare(comparison, a, b) => Boolean::Compare(*comparison, a.map(change)?, b.map(change)?),
            Boolean::Not(inner) => Boolean::Not(Box::new(inner.map(change)?)),
            Boolean::And(parts) => Boolean::And(parts.iter().map(|part| part.map(change)).collect::<Option<_>>()?),
            Boolean::Or(parts) => Boolean::Or(parts.iter().map(|part| part.map(change)).collect::<Option<_>>()?),
        })
    }
}
