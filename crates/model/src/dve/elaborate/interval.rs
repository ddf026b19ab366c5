//! Intervals of integers, and the interval in which the value of an expression lies.

use super::super::syntax::Width;
use super::simplify::{Condition, Number};
use crate::expression::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};

/// All integers from `low` to `high`; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub low: i64,
    pub high: i64,
}

/// What an expression of 32 bits can be.
const ANY: Interval = Interval { low: i32::MIN as i64, high: i32::MAX as i64 };

impl Interval {
    pub fn new(low: i64, high: i64) -> Interval {
        Interval { low, high }
    }

    pub fn of(value: i32) -> Interval {
        Interval::new(i64::from(value), i64::from(value))
    }

    /// What a variable of a type holds.
    pub fn of_type(width: Width) -> Interval {
        let (low, high) = width.bounds();
        Interval::new(i64::from(low), i64::from(high))
    }

    pub fn within(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub fn join(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// What both have in common, if there is something.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Interval { low, high })
    }

    /// Arithmetic wraps where it leaves the 32 bits.
    fn wrapped(self) -> Interval {
        if self.within(ANY) { self } else { ANY }
    }

    fn corners(self, other: Interval, operator: impl Fn(i64, i64) -> i64) -> Interval {
        let pairs = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let values = pairs.map(|(left, right)| operator(left, right));
        let low = values.iter().copied().min().unwrap_or(ANY.low);
        Interval::new(low, values.iter().copied().max().unwrap_or(ANY.high))
    }
}

/// In which intervals variables lie.
pub(super) trait Ranges {
    /// The interval of a variable, or of all elements of the array that begins with it.
    fn range(&self, variable: u32) -> Interval;

    /// Notes that the variable lies in a smaller interval, if it is no element of an array.
    fn refine(&mut self, variable: u32, range: Interval);
}

/// The interval in which a number lies, if it has a value.
pub(super) fn of(expression: &Number, ranges: &impl Ranges) -> Interval {
    match expression {
        Integer::Constant(value) => Interval::of(*value),
        Integer::Variable(variable) => ranges.range(*variable),
        Integer::Element { first, .. } => ranges.range(*first),
        Integer::Sum(terms) => {
            let add = |sum: Interval, term: Interval| Interval::new(sum.low + term.low, sum.high + term.high);
            terms.iter().map(|term| of(term, ranges)).fold(Interval::of(0), add).wrapped()
        }
        Integer::Unary(UnaryOperator::Minus, operand) => {
            let operand = of(operand, ranges);
            Interval::new(-operand.high, -operand.low).wrapped()
        }
        Integer::Unary(UnaryOperator::BitNot, operand) => {
            let operand = of(operand, ranges);
            Interval::new(-operand.high - 1, -operand.low - 1)
        }
        Integer::Binary(operator, left, right) => binary(*operator, of(left, ranges), of(right, ranges)),
        Integer::Truth(_) => Interval::new(0, 1),
    }
}

fn binary(operator: BinaryOperator, left: Interval, right: Interval) -> Interval {
    let positive = left.low >= 0 && right.low >= 0;
    match operator {
        BinaryOperator::Multiply => left.corners(right, |left, right| left * right).wrapped(),
        BinaryOperator::Divide if right.low > 0 => left.corners(right, |left, right| left / right),
        BinaryOperator::Remainder if right.low > 0 => {
            let most = right.high - 1;
            let low = if left.low >= 0 { 0 } else { (-most).max(left.low) };
            Interval::new(low, if left.high <= 0 { 0 } else { most.min(left.high) })
        }
        BinaryOperator::BitAnd if positive => Interval::new(0, left.high.min(right.high)),
        BinaryOperator::BitAnd if right.low >= 0 => Interval::new(0, right.high),
        BinaryOperator::BitAnd if left.low >= 0 => Interval::new(0, left.high),
        BinaryOperator::BitOr | BinaryOperator::BitXor if positive => {
            let most = left.high.max(right.high) as u64;
            Interval::new(0, (most + 1).next_power_of_two() as i64 - 1)
        }
        BinaryOperator::ShiftRight if positive && right.high < 32 => left.corners(right, |left, right| left >> right),
        BinaryOperator::ShiftLeft if positive && right.high < 31 => {
            left.corners(right, |left, right| left << right).wrapped()
        }
        _ => ANY,
    }
}

/// Notes what follows from a condition that holds (or does not); `false` if it cannot be so.
pub(super) fn assume(condition: &Condition, holds: bool, ranges: &mut impl Ranges) -> bool {
    match condition {
        Boolean::Constant(value) => *value == holds,
        Boolean::Not(operand) => assume(operand, !holds, ranges),
        Boolean::And(operands) if holds => operands.iter().all(|operand| assume(operand, true, ranges)),
        Boolean::Or(operands) if !holds => operands.iter().all(|operand| assume(operand, false, ranges)),
        Boolean::And(_) | Boolean::Or(_) => true,
        Boolean::Compare(comparison, left, right) => {
            let comparison = if holds { *comparison } else { comparison.negated() };
            compare(comparison, left, right, ranges) && compare(comparison.mirrored(), right, left, ranges)
        }
    }
}

/// Notes what a comparison says of its left side.
fn compare(comparison: Comparison, left: &Number, right: &Number, ranges: &mut impl Ranges) -> bool {
    let (now, bound) = (of(left, ranges), of(right, ranges));
    let allowed = match comparison {
        Comparison::Equal => bound,
        Comparison::Less => Interval { low: ANY.low, high: bound.high - 1 },
        Comparison::LessOrEqual => Interval { low: ANY.low, high: bound.high },
        Comparison::Greater => Interval { low: bound.low + 1, high: ANY.high },
        Comparison::GreaterOrEqual => Interval { low: bound.low, high: ANY.high },
        Comparison::NotEqual if bound.low != bound.high => return true,
        Comparison::NotEqual if now.low == now.high => return now != bound,
        Comparison::NotEqual if now.low == bound.low => Interval { low: now.low + 1, high: now.high },
        Comparison::NotEqual if now.high == bound.low => Interval { low: now.low, high: now.high - 1 },
        Comparison::NotEqual => return true,
    };
    let Some(range) = now.meet(allowed) else { return false };
    match left {
        Integer::Variable(variable) => ranges.refine(*variable, range),
        // `x + 1 < y`, where nothing wraps.
        Integer::Sum(terms) => {
            if let [Integer::Variable(variable), Integer::Constant(plus)] = terms[..] {
                let shifted = Interval::new(range.low - i64::from(plus), range.high - i64::from(plus));
                let variable_now = ranges.range(variable);
                let sum = Interval::new(variable_now.low + i64::from(plus), variable_now.high + i64::from(plus));
                if sum.within(ANY)
                    && let Some(range) = variable_now.meet(shifted)
                {
                    ranges.refine(variable, range);
                }
            }
        }
        _ => {}
    }
    true
}
