//! Expressions in their simplest form, as [`crate::expression::simplify`] has it; only conditions are simpler still, or more
//! careful: nothing that may have no value is thrown away, and no order of evaluation is changed, so that
//! `a[i] == 1 && 0` still reads the array.

use crate::expression::{Boolean, Comparison, Integer};

pub(super) use crate::expression::simplify::{binary, bit_not, minus, sum, truth};

pub(super) type Number = Integer<u32>;
pub(super) type Condition = Boolean<u32>;

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
