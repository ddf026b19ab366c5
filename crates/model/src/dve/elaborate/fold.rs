//! Expressions in their simplest form: what is constant is calculated; sums, conjunctions and disjunctions are flat.
//!
//! Nothing that may have no value is thrown away, and no order of evaluation is changed: `a[i] == 1 && 0` still reads
//! the array.

use crate::expression::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};

pub(super) type Number = Integer<u32>;
pub(super) type Condition = Boolean<u32>;

/// An operator on two numbers, as on 32 bits; `None` where it has no value.
fn calculate(operator: BinaryOperator, left: i32, right: i32) -> Option<i32> {
    match operator {
        BinaryOperator::Multiply => Some(left.wrapping_mul(right)),
        BinaryOperator::Divide => (right != 0).then(|| left.wrapping_div(right)),
        BinaryOperator::Remainder => (right != 0).then(|| left.wrapping_rem(right)),
        BinaryOperator::BitAnd => Some(left & right),
        BinaryOperator::BitOr => Some(left | right),
        BinaryOperator::BitXor => Some(left ^ right),
        BinaryOperator::ShiftLeft if (0..32).contains(&right) => Some(left.wrapping_shl(right as u32)),
        BinaryOperator::ShiftRight if (0..32).contains(&right) => Some(left.wrapping_shr(right as u32)),
        _ => None,
    }
}

/// All terms added up, with the constant last.
pub(super) fn sum(terms: Vec<Number>) -> Number {
    let mut constant = 0i32;
    let mut flat = Vec::with_capacity(terms.len());
    for term in terms {
        match term {
            Integer::Constant(number) => constant = constant.wrapping_add(number),
            Integer::Sum(inner) => {
                for term in inner {
                    match term {
                        Integer::Constant(number) => constant = constant.wrapping_add(number),
                        term => flat.push(term),
                    }
                }
            }
            term => flat.push(term),
        }
    }
    if constant != 0 || flat.is_empty() {
        flat.push(Integer::Constant(constant));
    }
    match flat.len() {
        1 => flat.pop().unwrap_or(Integer::Constant(0)),
        _ => Integer::Sum(flat),
    }
}

/// `-a`
pub(super) fn minus(operand: Number) -> Number {
    match operand {
        Integer::Constant(number) => Integer::Constant(number.wrapping_neg()),
        Integer::Unary(UnaryOperator::Minus, inner) => *inner,
        Integer::Sum(terms) => sum(terms.into_iter().map(minus).collect()),
        operand => Integer::Unary(UnaryOperator::Minus, Box::new(operand)),
    }
}

/// `~a`
pub(super) fn bit_not(operand: Number) -> Number {
    match operand {
        Integer::Constant(number) => Integer::Constant(!number),
        operand => Integer::Unary(UnaryOperator::BitNot, Box::new(operand)),
    }
}

/// An operator on two integers.
pub(super) fn binary(operator: BinaryOperator, left: Number, right: Number) -> Number {
    if let (Integer::Constant(left), Integer::Constant(right)) = (&left, &right)
        && let Some(number) = calculate(operator, *left, *right)
    {
        return Integer::Constant(number);
    }
    Integer::Binary(operator, Box::new(left), Box::new(right))
}

/// 1 if it holds, 0 if not.
pub(super) fn truth(condition: Condition) -> Number {
    match condition {
        Boolean::Constant(truth) => Integer::Constant(i32::from(truth)),
        condition => Integer::Truth(Box::new(condition)),
    }
}

/// Whether an integer is anything but 0.
pub(super) fn condition(integer: Number) -> Condition {
    match integer {
        Integer::Constant(number) => Boolean::Constant(number != 0),
        Integer::Truth(condition) => *condition,
        integer => Boolean::Compare(Comparison::NotEqual, integer, Integer::Constant(0)),
    }
}

/// A comparison.
pub(super) fn compare(comparison: Comparison, left: Number, right: Number) -> Condition {
    let wanted = |number: i32| match (comparison, number) {
        (Comparison::Equal, 0 | 1) => Some(number == 1),
        (Comparison::NotEqual, 0 | 1) => Some(number == 0),
        _ => None,
    };
    match (left, right) {
        (Integer::Constant(left), Integer::Constant(right)) => Boolean::Constant(comparison.holds(&left, &right)),
        (Integer::Truth(inner), Integer::Constant(number)) if wanted(number) == Some(true) => *inner,
        (Integer::Truth(inner), Integer::Constant(number)) if wanted(number) == Some(false) => not(*inner),
        (left, right) => Boolean::Compare(comparison, left, right),
    }
}

/// `a == b`
pub(super) fn equal(variable: u32, value: i32) -> Condition {
    Boolean::Compare(Comparison::Equal, Integer::Variable(variable), Integer::Constant(value))
}

/// Negation. What has no value is asked for elsewhere, so that a comparison may be turned around.
pub(super) fn not(operand: Condition) -> Condition {
    match operand {
        Boolean::Constant(truth) => Boolean::Constant(!truth),
        Boolean::Not(inner) => *inner,
        Boolean::Compare(comparison, left, right) => Boolean::Compare(comparison.negated(), left, right),
        operand => Boolean::Not(Box::new(operand)),
    }
}

/// All of them, from left to right up to the first that does not hold.
pub(super) fn all(list: Vec<Condition>) -> Condition {
    let mut flat = Vec::with_capacity(list.len());
    for operand in list {
        match operand {
            Boolean::Constant(true) => {}
            Boolean::Constant(false) if flat.is_empty() => return Boolean::Constant(false),
            Boolean::And(inner) => flat.extend(inner),
            operand => flat.push(operand),
        }
        if flat.last() == Some(&Boolean::Constant(false)) {
            break;
        }
    }
    match flat.len() {
        0 => Boolean::Constant(true),
        1 => flat.pop().unwrap_or(Boolean::Constant(true)),
        _ => Boolean::And(flat),
    }
}

/// One of them, from left to right up to the first that holds.
pub(super) fn any(list: Vec<Condition>) -> Condition {
    let mut flat = Vec::with_capacity(list.len());
    for operand in list {
        match operand {
            Boolean::Constant(false) => {}
            Boolean::Constant(true) if flat.is_empty() => return Boolean::Constant(true),
            Boolean::Or(inner) => flat.extend(inner),
            operand => flat.push(operand),
        }
        if flat.last() == Some(&Boolean::Constant(true)) {
            break;
        }
    }
    match flat.len() {
        0 => Boolean::Constant(false),
        1 => flat.pop().unwrap_or(Boolean::Constant(false)),
        _ => Boolean::Or(flat),
    }
}
