//! The parts of an expression, however deep it is.

use super::{Boolean, Integer};

/// A part of an expression.
#[derive(Clone, Copy, Debug)]
pub enum Part<'e, V> {
    /// An integer.
    Integer(&'e Integer<V>),
    /// A condition.
    Boolean(&'e Boolean<V>),
}

impl<'e, V> Part<'e, V> {
    /// The variables that this part itself reads: so many from the first on, all elements of an array if its index is not
    /// known.
    pub fn read(self) -> Option<(&'e V, u32)> {
        match self {
            Part::Integer(Integer::Variable(variable)) => Some((variable, 1)),
            Part::Integer(Integer::Element { first, length, .. }) => Some((first, *length)),
            _ => None,
        }
    }
}

/// The parts of an expression, each with its depth; the whole comes first and has depth 1.
#[derive(Debug)]
pub struct Parts<'e, V> {
    open: Vec<(Part<'e, V>, u64)>,
}

impl<V> Integer<V> {
    /// This expression and all of its parts.
    pub fn parts(&self) -> Parts<'_, V> {
        Parts { open: vec![(Part::Integer(self), 1)] }
    }
}

impl<V> Boolean<V> {
    /// This expression and all of its parts.
    pub fn parts(&self) -> Parts<'_, V> {
        Parts { open: vec![(Part::Boolean(self), 1)] }
    }
}

impl<V> Integer<V> {
    /// The expression over other variables. The elements of an array follow each other there, too.
    pub fn over<W>(&self, variable: &impl Fn(&V) -> W) -> Integer<W> {
        let boxed = |inner: &Integer<V>| Box::new(inner.over(variable));
        match self {
            Integer::Constant(value) => Integer::Constant(*value),
            Integer::Variable(one) => Integer::Variable(variable(one)),
            Integer::Element { first, length, index } => {
                Integer::Element { first: variable(first), length: *length, index: boxed(index) }
            }
            Integer::Sum(terms) => Integer::Sum(terms.iter().map(|term| term.over(variable)).collect()),
            Integer::Unary(operator, operand) => Integer::Unary(*operator, boxed(operand)),
            Integer::Binary(operator, left, right) => Integer::Binary(*operator, boxed(left), boxed(right)),
            Integer::Truth(condition) => Integer::Truth(Box::new(condition.over(variable))),
        }
    }
}

impl<V> Boolean<V> {
    /// The condition over other variables.
    pub fn over<W>(&self, variable: &impl Fn(&V) -> W) -> Boolean<W> {
        match self {
            Boolean::Constant(value) => Boolean::Constant(*value),
            Boolean::Compare(comparison, left, right) => {
                Boolean::Compare(*comparison, left.over(variable), right.over(variable))
            }
            Boolean::Not(operand) => Boolean::Not(Box::new(operand.over(variable))),
            Boolean::And(operands) => Boolean::And(operands.iter().map(|one| one.over(variable)).collect()),
            Boolean::Or(operands) => Boolean::Or(operands.iter().map(|one| one.over(variable)).collect()),
        }
    }
}

impl<'e, V> Iterator for Parts<'e, V> {
    type Item = (Part<'e, V>, u64);

    fn next(&mut self) -> Option<Self::Item> {
        let (part, depth) = self.open.pop()?;
        let open = &mut self.open;
        let mut integer = |part| open.push((Part::Integer(part), depth + 1));
        match part {
            Part::Integer(Integer::Constant(_) | Integer::Variable(_)) | Part::Boolean(Boolean::Constant(_)) => {}
            Part::Integer(Integer::Element { index, .. }) => integer(index),
            Part::Integer(Integer::Sum(terms)) => terms.iter().for_each(integer),
            Part::Integer(Integer::Unary(_, operand)) => integer(operand),
            Part::Integer(Integer::Binary(_, left, right)) => [left, right].into_iter().for_each(|part| integer(part)),
            Part::Boolean(Boolean::Compare(_, left, right)) => [left, right].into_iter().for_each(integer),
            Part::Integer(Integer::Truth(condition)) => open.push((Part::Boolean(condition), depth + 1)),
            Part::Boolean(Boolean::Not(operand)) => open.push((Part::Boolean(operand), depth + 1)),
            Part::Boolean(Boolean::And(list) | Boolean::Or(list)) => {
                open.extend(list.iter().map(|part| (Part::Boolean(part), depth + 1)));
            }
        }
        Some((part, depth))
    }
}
