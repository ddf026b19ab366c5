//! When an expression has a value: every index exists, and nothing is divided by zero; and when a variable can hold it.
//!
//! Operands of `&&` and `||` are looked at from left to right, and only as far as needed: `i < 3 && t[i] == 1` always
//! has a value for an `i` that is not negative.

use std::cell::Cell;

use super::super::syntax::Width;
use super::bounds::Knowledge;
use super::interval::{self, Interval};
use super::simplify::{self, Condition, Number};
use crate::expression::{BinaryOperator, Boolean, Comparison, Integer};

/// How much may be written for the checks of a model. It is much more than any model needs that is written by hand.
const ROOM: u64 = 4_000_000;

/// What is settled by operands that come first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    /// One that does not hold settles a conjunction.
    ByFalse,
    /// One that holds settles a disjunction.
    ByTrue,
}

/// Finds out when expressions have values, as long as there is room for the answers.
pub(super) struct Definer {
    room: Cell<u64>,
}

impl Definer {
    pub fn new() -> Definer {
        Definer { room: Cell::new(ROOM) }
    }

    /// Whether the answers became too long, and are no longer right.
    pub fn is_exhausted(&self) -> bool {
        self.room.get() == 0
    }

    /// What must hold so that a number has a value. What is known makes the answer shorter.
    pub fn number(&self, expression: &Number, known: &Knowledge<'_>) -> Condition {
        match expression {
            Integer::Constant(_) | Integer::Variable(_) => Boolean::Constant(true),
            Integer::Element { length, index, .. } => self.element(index, *length, known),
            Integer::Sum(terms) => simplify::all(terms.iter().map(|term| self.number(term, known)).collect()),
            Integer::Unary(_, operand) => self.number(operand, known),
            Integer::Binary(operator, left, right) => {
                let mut list = vec![self.number(left, known), self.number(right, known)];
                let divides = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
                let divisor = interval::of(right, known);
                if divides && divisor.low <= 0 && divisor.high >= 0 {
                    list.push(self.compared(Comparison::NotEqual, right, 0));
                }
                simplify::all(list)
            }
            Integer::Truth(inner) => self.condition(inner, known),
        }
    }

    /// What must hold so that an array has an element with this index.
    pub fn element(&self, index: &Number, length: u32, known: &Knowledge<'_>) -> Condition {
        let range = interval::of(index, known);
        let mut list = vec![self.number(index, known)];
        if range.low < 0 {
            list.push(self.compared(Comparison::GreaterOrEqual, index, 0));
        }
        if range.high >= i64::from(length) {
            list.push(self.compared(Comparison::Less, index, length as i32));
        }
        simplify::all(list)
    }

    /// What must hold so that a number that has a value fits into a type.
    pub fn fits(&self, number: &Number, width: Width, known: &Knowledge<'_>) -> Condition {
        let (least, greatest) = width.bounds();
        let (range, fitting) = (interval::of(number, known), Interval::of_type(width));
        let mut list = Vec::new();
        if range.low < fitting.low {
            list.push(self.compared(Comparison::GreaterOrEqual, number, least));
        }
        if range.high > fitting.high {
            list.push(self.compared(Comparison::LessOrEqual, number, greatest));
        }
        simplify::all(list)
    }

    /// What must hold so that a condition has a value.
    pub fn condition(&self, expression: &Condition, known: &Knowledge<'_>) -> Condition {
        match expression {
            Boolean::Constant(_) => Boolean::Constant(true),
            Boolean::Compare(_, left, right) => {
                simplify::all(vec![self.number(left, known), self.number(right, known)])
            }
            Boolean::Not(operand) => self.condition(operand, known),
            Boolean::And(operands) => self.in_order(operands, known, Settled::ByFalse),
            Boolean::Or(operands) => self.in_order(operands, known, Settled::ByTrue),
        }
    }

    /// Each operand has a value, unless one before it settles the matter.
    fn in_order(&self, operands: &[Condition], known: &Knowledge<'_>, settled: Settled) -> Condition {
        let mut known = known.clone();
        self.spend(known.size());
        let mut checks = Vec::with_capacity(operands.len());
        for operand in operands {
            let check = self.condition(operand, &known);
            // What comes later is looked at only if this had a value.
            known.assume(&check);
            checks.push(check);
            let goes_on = match settled {
                Settled::ByFalse => known.assume(operand),
                Settled::ByTrue => known.assume_not(operand),
            };
            if !goes_on {
                break;
            }
        }
        self.halves(operands, checks, settled)
    }

    /// The first half has a value, and settles the matter or the second half has one too. Halves of halves make an
    /// answer that is neither long nor deep.
    fn halves(&self, operands: &[Condition], mut checks: Vec<Condition>, settled: Settled) -> Condition {
        if checks.len() < 2 {
            return checks.pop().unwrap_or(Boolean::Constant(true));
        }
        let middle = checks.len() / 2;
        let second = self.halves(&operands[middle..], checks.split_off(middle), settled);
        let first = self.halves(operands, checks, settled);
        if second == Boolean::Constant(true) {
            return first;
        }
        let mut ways: Vec<Condition> = operands[..middle].iter().map(|operand| self.copy(operand)).collect();
        if settled == Settled::ByFalse {
            ways = ways.into_iter().map(simplify::not).collect();
        }
        ways.push(second);
        simplify::all(vec![first, simplify::any(ways)])
    }

    fn compared(&self, comparison: Comparison, number: &Number, with: i32) -> Condition {
        self.spend(number.parts().count() as u64);
        match self.is_exhausted() {
            true => Boolean::Constant(true),
            false => simplify::compare(comparison, number.clone(), Integer::Constant(with)),
        }
    }

    fn copy(&self, condition: &Condition) -> Condition {
        self.spend(condition.parts().count() as u64);
        if self.is_exhausted() { Boolean::Constant(true) } else { condition.clone() }
    }

    fn spend(&self, size: u64) {
        self.room.set(self.room.get().saturating_sub(size));
    }
}
