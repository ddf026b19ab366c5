//! The constructors of expressions. Each simplifies what it makes: constants are calculated, sums, conjunctions and
//! disjunctions are flat and sorted, and what has no value has none as a whole.

use std::cmp::Ordering;
use std::sync::Arc;

use mandala_model::expression::{BinaryOperator, Comparison};

use super::intern::make;
use super::{Expression, HOLE, Kind, WithoutValue};

/// A number.
pub fn constant(value: i32) -> Expression {
    make(Kind::Constant(value))
}

/// No value.
pub fn nothing() -> Expression {
    make(Kind::Nothing)
}

/// An element of an array.
pub fn element(cells: Arc<[u32]>, index: Expression) -> Expression {
    match index.kind() {
        Kind::Nothing => nothing(),
        Kind::Constant(index) => match cell(&cells, *index) {
            // That it is not meant is known elsewhere: what is said here does not matter.
            None | Some(HOLE) => nothing(),
            Some(cell) => Expression::variable(cell),
        },
        _ => make(Kind::Element(cells, index)),
    }
}

/// The element of an array with an index, if there is one.
pub fn cell(cells: &[u32], index: i32) -> Option<u32> {
    usize::try_from(index).ok().and_then(|index| cells.get(index)).copied()
}

/// A constant plus multiples of expressions.
pub fn sum(plus: i32, parts: impl IntoIterator<Item = (i32, Expression)>) -> Expression {
    let mut plus = plus;
    let mut all: Vec<(i32, Expression)> = Vec::new();
    for (times, part) in parts {
        match part.kind() {
            Kind::Nothing => return nothing(),
            Kind::Constant(value) => plus = plus.wrapping_add(value.wrapping_mul(times)),
            Kind::Sum(more, inner) => {
                plus = plus.wrapping_add(more.wrapping_mul(times));
                all.extend(inner.iter().map(|(factor, part)| (factor.wrapping_mul(times), part.clone())));
            }
            _ => all.push((times, part)),
        }
    }
    all.sort_by(|a, b| ordered(&a.1, &b.1));
    let mut merged: Vec<(i32, Expression)> = Vec::with_capacity(all.len());
    for (times, part) in all {
        match merged.last_mut() {
            Some((known, last)) if *last == part => *known = known.wrapping_add(times),
            _ => merged.push((times, part)),
        }
    }
    // What has no value has none if it is taken zero times.
    merged.retain(|(times, part)| *times != 0 || part.can_fail());
    match merged.as_slice() {
        [] => constant(plus),
        [(1, only)] if plus == 0 => only.clone(),
        _ => make(Kind::Sum(plus, merged)),
    }
}

/// Some order: that of the hashes, and that of the texts where hashes are the same.
fn ordered(a: &Expression, b: &Expression) -> Ordering {
    a.0.hash.cmp(&b.0.hash).then_with(|| if a == b { Ordering::Equal } else { format!("{a:?}").cmp(&format!("{b:?}")) })
}

/// `~a`
pub fn bit_not(inner: Expression) -> Expression {
    match inner.kind() {
        Kind::Nothing => nothing(),
        Kind::Constant(value) => constant(!value),
        Kind::BitNot(twice) => twice.clone(),
        _ => make(Kind::BitNot(inner)),
    }
}

/// An operator on two operands.
pub fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    use BinaryOperator::*;
    if left.is_nothing() || right.is_nothing() {
        return nothing();
    }
    if let (Some(a), Some(b)) = (left.value(), right.value()) {
        return operator.calculate(a, b).map_or_else(nothing, constant);
    }
    match (operator, left.value(), right.value()) {
        (Multiply, Some(times), None) => return sum(0, [(times, right)]),
        (Multiply, None, Some(times)) => return sum(0, [(times, left)]),
        (Divide, None, Some(1)) | (BitOr | BitXor | ShiftLeft | ShiftRight, None, Some(0)) => return left,
        (BitOr | BitXor, Some(0), None) => return right,
        (Divide | Remainder, None, Some(0)) => return nothing(),
        _ => {}
    }
    let commutes = matches!(operator, Multiply | BitAnd | BitOr | BitXor);
    if commutes && ordered(&left, &right).is_gt() {
        return make(Kind::Binary(operator, right, left));
    }
    make(Kind::Binary(operator, left, right))
}

/// A comparison.
pub fn compare(comparison: Comparison, left: Expression, right: Expression, mode: WithoutValue) -> Expression {
    if left.is_nothing() || right.is_nothing() {
        return match mode {
            WithoutValue::IsFalse => constant(0),
            WithoutValue::IsNothing => nothing(),
        };
    }
    if let (Some(a), Some(b)) = (left.value(), right.value()) {
        return constant(i32::from(comparison.holds(&a, &b)));
    }
    if left == right && !left.can_fail() {
        return constant(i32::from(comparison.holds(&0, &0)));
    }
    // Fewer comparisons, and the greater side always on the right.
    match comparison {
        Comparison::Greater | Comparison::GreaterOrEqual => {
            make(Kind::Compare(comparison.mirrored(), right, left, mode))
        }
        Comparison::Equal | Comparison::NotEqual if ordered(&left, &right).is_gt() => {
            make(Kind::Compare(comparison, right, left, mode))
        }
        _ => make(Kind::Compare(comparison, left, right, mode)),
    }
}

/// Whether two expressions have the same value.
pub fn equal(left: Expression, right: Expression) -> Expression {
    compare(Comparison::Equal, left, right, WithoutValue::IsFalse)
}

/// Whether two expressions have values that are not the same.
pub fn different(left: Expression, right: Expression) -> Expression {
    compare(Comparison::NotEqual, left, right, WithoutValue::IsFalse)
}

/// A condition that does not hold.
pub fn not(inner: Expression) -> Expression {
    match inner.kind() {
        Kind::Nothing => nothing(),
        Kind::Constant(value) => constant(i32::from(*value == 0)),
        Kind::Not(twice) => twice.clone(),
        // Only where a side without a value does not make it false either way.
        Kind::Compare(comparison, left, right, mode)
            if *mode == WithoutValue::IsNothing || !left.can_fail() && !right.can_fail() =>
        {
            compare(comparison.negated(), left.clone(), right.clone(), *mode)
        }
        _ => make(Kind::Not(inner)),
    }
}

/// All conditions.
pub fn and(parts: impl IntoIterator<Item = Expression>) -> Expression {
    joined(parts, 1, Kind::And)
}

/// One of the conditions.
pub fn or(parts: impl IntoIterator<Item = Expression>) -> Expression {
    joined(parts, 0, Kind::Or)
}

/// Conditions of which one that is not `neutral` decides. They are looked at from the first on: what has no value before
/// the one that decides has none as a whole.
fn joined(parts: impl IntoIterator<Item = Expression>, neutral: i32, kind: fn(Vec<Expression>) -> Kind) -> Expression {
    let mut all: Vec<Expression> = Vec::new();
    for part in parts {
        match (part.kind(), neutral) {
            (Kind::Constant(value), _) if (*value != 0) == (neutral != 0) => {}
            (Kind::And(inner), 1) | (Kind::Or(inner), 0) => {
                all.extend(inner.iter().cloned());
            }
            (Kind::Constant(_) | Kind::Nothing, _) => {
                all.push(part);
                break;
            }
            _ => all.push(part),
        }
    }
    let mut seen: Vec<Expression> = Vec::with_capacity(all.len());
    for part in all {
        if !seen.contains(&part) {
            seen.push(part);
        }
    }
    if !seen.iter().any(Expression::can_fail) {
        // No part can spoil another: their order does not matter.
        if let Some(decides) = seen.iter().find(|part| part.value().is_some()) {
            return decides.clone();
        }
        seen.sort_by(ordered);
    }
    match seen.as_slice() {
        [] => constant(neutral),
        [only] => only.clone(),
        _ => make(kind(seen)),
    }
}

/// Whether an expression has no value.
pub fn fails(inner: Expression) -> Expression {
    if inner.is_nothing() {
        constant(1)
    } else if inner.can_fail() {
        make(Kind::Fails(inner))
    } else {
        constant(0)
    }
}
