//! Expressions in their simplest form: what is constant is calculated, and sums, conjunctions and disjunctions are flat.
//!
//! The form is unique for what is simplified, so that an expression that is written and read again is the same: the
//! constant of a sum comes last, differences are sums with [`UnaryOperator::Minus`], a minus in front of a sum goes to
//! its terms, nothing is negated twice. What has no value (a division by zero) stays as it is.

use super::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};

/// All terms added up.
pub(crate) fn sum<V>(terms: Vec<Integer<V>>) -> Integer<V> {
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
pub(crate) fn minus<V>(operand: Integer<V>) -> Integer<V> {
    match operand {
        Integer::Constant(number) => Integer::Constant(number.wrapping_neg()),
        Integer::Unary(UnaryOperator::Minus, inner) => *inner,
        Integer::Sum(terms) => sum(terms.into_iter().map(minus).collect()),
        operand => Integer::Unary(UnaryOperator::Minus, Box::new(operand)),
    }
}

/// `~a`
pub(crate) fn bit_not<V>(operand: Integer<V>) -> Integer<V> {
    match operand {
        Integer::Constant(number) => Integer::Constant(!number),
        Integer::Unary(UnaryOperator::BitNot, inner) => *inner,
        operand => Integer::Unary(UnaryOperator::BitNot, Box::new(operand)),
    }
}

/// An operator on two integers.
pub(crate) fn binary<V>(operator: BinaryOperator, left: Integer<V>, right: Integer<V>) -> Integer<V> {
    if let (Integer::Constant(left), Integer::Constant(right)) = (&left, &right)
        && let Some(number) = operator.calculate(*left, *right)
    {
        return Integer::Constant(number);
    }
    Integer::Binary(operator, Box::new(left), Box::new(right))
}

/// 1 if it holds, 0 if not.
pub(crate) fn truth<V>(condition: Boolean<V>) -> Integer<V> {
    match condition {
        Boolean::Constant(truth) => Integer::Constant(i32::from(truth)),
        condition => Integer::Truth(Box::new(condition)),
    }
}

/// A comparison.
pub(crate) fn compare<V>(comparison: Comparison, left: Integer<V>, right: Integer<V>) -> Boolean<V> {
    match (&left, &right) {
        (Integer::Constant(left), Integer::Constant(right)) => Boolean::Constant(comparison.holds(left, right)),
        _ => Boolean::Compare(comparison, left, right),
    }
}

/// Negation. A comparison is not turned around: one that has no value is false, and its negation true.
pub(crate) fn not<V>(operand: Boolean<V>) -> Boolean<V> {
    match operand {
        Boolean::Constant(truth) => Boolean::Constant(!truth),
        Boolean::Not(inner) => *inner,
        operand => Boolean::Not(Box::new(operand)),
    }
}

/// All of them.
pub(crate) fn all<V>(list: Vec<Boolean<V>>) -> Boolean<V> {
    let mut flat = Vec::with_capacity(list.len());
    for operand in list {
        match operand {
            Boolean::Constant(true) => {}
            Boolean::Constant(false) => return Boolean::Constant(false),
            Boolean::And(inner) => flat.extend(inner),
            operand => flat.push(operand),
        }
    }
    match flat.len() {
        0 => Boolean::Constant(true),
        1 => flat.pop().unwrap_or(Boolean::Constant(true)),
        _ => Boolean::And(flat),
    }
}

/// One of them.
pub(crate) fn any<V>(list: Vec<Boolean<V>>) -> Boolean<V> {
    let mut flat = Vec::with_capacity(list.len());
    for operand in list {
        match operand {
            Boolean::Constant(false) => {}
            Boolean::Constant(true) => return Boolean::Constant(true),
            Boolean::Or(inner) => flat.extend(inner),
            operand => flat.push(operand),
        }
    }
    match flat.len() {
        0 => Boolean::Constant(false),
        1 => flat.pop().unwrap_or(Boolean::Constant(false)),
        _ => Boolean::Or(flat),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Number = Integer<u32>;

    #[test]
    fn sums_are_flat_with_the_constant_last() {
        let x = || Number::Variable(0);
        let y = || Number::Variable(1);
        let inner = sum(vec![Number::Constant(3), x()]);
        assert_eq!(inner, Number::Sum(vec![x(), Number::Constant(3)]));
        let outer = sum(vec![y(), minus(inner)]);
        assert_eq!(outer, Number::Sum(vec![y(), minus(x()), Number::Constant(-3)]));
        assert_eq!(sum(vec![Number::Constant(i32::MAX), Number::Constant(1)]), Number::Constant(i32::MIN));
        assert_eq!(sum(vec![x(), Number::Constant(0)]), x());
    }

    #[test]
    fn what_has_no_value_is_kept() {
        let division = binary(BinaryOperator::Divide, Number::Constant(1), Number::Constant(0));
        assert!(matches!(division, Number::Binary(BinaryOperator::Divide, ..)));
        assert_eq!(BinaryOperator::Divide.calculate(i32::MIN, -1), Some(i32::MIN));
        assert_eq!(BinaryOperator::Remainder.calculate(i32::MIN, -1), Some(0));
        assert_eq!(BinaryOperator::ShiftLeft.calculate(1, 40), Some(256));
        assert_eq!(BinaryOperator::Power.calculate(0, -1), None);
        assert_eq!(BinaryOperator::Power.calculate(2, -1), Some(0));
        assert_eq!(BinaryOperator::Power.calculate(3, 4), Some(81));
        assert_eq!(BinaryOperator::Remainder.calculate(-7, 5), Some(-2));
    }

    #[test]
    fn conjunctions_stop_at_false() {
        let x: Boolean<u32> = compare(Comparison::Less, Integer::Variable(0), Integer::Constant(1));
        assert_eq!(all(vec![x.clone(), Boolean::Constant(false)]), Boolean::Constant(false));
        assert_eq!(any(vec![x.clone(), Boolean::Constant(false)]), x);
        assert_eq!(not(not(x.clone())), x);
    }
}
