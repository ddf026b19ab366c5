//! What expressions between the effects of a step are worth, seen from the state before the step.
//!
//! `y = x + 1, z = y * 2` stores `(x + 1) * 2` in `z`. A check of what is stored is then a part of the guard, where it
//! costs least. What is read from an element that an effect with a computed index may have changed cannot be foreseen.

use std::collections::BTreeMap;

use super::simplify::{self, Condition, Number};
use super::step::Assignment;
use crate::expression::{Boolean, Integer, UnaryOperator};
use crate::system::Target;

/// What has more parts than this is not foreseen: it would take longer than to look at it when it is there.
const MOST_PARTS: usize = 60;

/// After so many arrays with a computed index nothing is foreseen any more.
const MOST_BLURRED: usize = 50;

/// What variables are worth after some effects, in terms of the state before all of them.
#[derive(Default)]
pub(super) struct Foresight {
    /// Variables that were assigned.
    values: BTreeMap<u32, Number>,
    /// Stretches of variables of which one was assigned, or something that cannot be foreseen: first and length.
    blurred: Vec<(u32, u32)>,
}

impl Foresight {
    /// Notes an effect.
    pub fn assign(&mut self, effect: &Assignment) {
        match &effect.target {
            Target::Variable(variable) => match self.number(&effect.value) {
                Some(value) => _ = self.values.insert(*variable, value),
                None => self.blur(*variable, 1),
            },
            Target::Element { first, length, .. } => self.blur(*first, *length),
        }
    }

    fn blur(&mut self, first: u32, length: u32) {
        let mut after = self.values.split_off(&first);
        self.values.append(&mut after.split_off(&(first + length)));
        if !self.blurred.contains(&(first, length)) {
            self.blurred.push((first, length));
        }
    }

    /// A condition, in terms of the state before; `None` if it cannot be foreseen.
    pub fn condition(&self, condition: &Condition) -> Option<Condition> {
        let foreseen = self.foreseen(condition)?;
        (foreseen.parts().count() <= MOST_PARTS).then_some(foreseen)
    }

    fn foreseen(&self, condition: &Condition) -> Option<Condition> {
        let list = |operands: &[Condition]| -> Option<Vec<Condition>> {
            operands.iter().map(|operand| self.foreseen(operand)).collect()
        };
        Some(match condition {
            Boolean::Constant(truth) => Boolean::Constant(*truth),
            Boolean::Compare(comparison, left, right) => {
                simplify::compare(*comparison, self.number(left)?, self.number(right)?)
            }
            Boolean::Not(operand) => simplify::not(self.foreseen(operand)?),
            Boolean::And(operands) => simplify::all(list(operands)?),
            Boolean::Or(operands) => simplify::any(list(operands)?),
        })
    }

    fn number(&self, number: &Number) -> Option<Number> {
        if self.blurred.len() > MOST_BLURRED {
            return None;
        }
        if self.values.is_empty() && self.blurred.is_empty() {
            return Some(number.clone());
        }
        let foreseen = match number {
            Integer::Constant(value) => Integer::Constant(*value),
            Integer::Variable(variable) => self.variable(*variable)?,
            Integer::Element { first, length, index } => {
                if self.is_changed(*first, *length) {
                    return None;
                }
                Integer::Element { first: *first, length: *length, index: Box::new(self.number(index)?) }
            }
            Integer::Sum(terms) => simplify::sum(terms.iter().map(|term| self.number(term)).collect::<Option<_>>()?),
            Integer::Unary(UnaryOperator::Minus, operand) => simplify::minus(self.number(operand)?),
            Integer::Unary(UnaryOperator::BitNot, operand) => simplify::bit_not(self.number(operand)?),
            Integer::Binary(operator, left, right) => {
                simplify::binary(*operator, self.number(left)?, self.number(right)?)
            }
            Integer::Truth(inner) => simplify::truth(self.foreseen(inner)?),
        };
        (foreseen.parts().count() <= MOST_PARTS).then_some(foreseen)
    }

    fn variable(&self, variable: u32) -> Option<Number> {
        if let Some(value) = self.values.get(&variable) {
            return Some(value.clone());
        }
        let is_blurred = self.blurred.iter().any(|&(first, length)| (first..first + length).contains(&variable));
        (!is_blurred).then_some(Integer::Variable(variable))
    }

    fn is_changed(&self, first: u32, length: u32) -> bool {
        let meets = |&(other, others): &(u32, u32)| first < other + others && other < first + length;
        self.blurred.iter().any(meets) || self.values.range(first..first + length).next().is_some()
    }
}
