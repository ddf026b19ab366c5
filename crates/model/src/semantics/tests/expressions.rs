use super::*;
use crate::expression::{BinaryOperator, UnaryOperator};
use crate::property::{self, Atom, Formula};

/// The value of an expression over the variables of a program with this state.
fn value(expression: Integer<u32>, state: &[i32]) -> Result<i32, Cause> {
    let system = system(vec![Type::Program(program(state, vec![action("t", None, ALWAYS, vec![set(0, expression)])]))]);
    let semantics = Semantics::new(&system).unwrap();
    semantics.successors(state).map(|steps| steps[0].state[0]).map_err(|error| error.cause)
}

fn binary(operator: BinaryOperator, left: i32, right: i32) -> Result<i32, Cause> {
    value(Integer::Binary(operator, Box::new(constant(left)), Box::new(constant(right))), &[0])
}

#[test]
fn arithmetic_wraps() {
    assert_eq!(value(Integer::Sum(vec![constant(i32::MAX), constant(1)]), &[0]), Ok(i32::MIN));
    assert_eq!(value(Integer::Unary(UnaryOperator::Minus, Box::new(constant(i32::MIN))), &[0]), Ok(i32::MIN));
    assert_eq!(value(Integer::Unary(UnaryOperator::BitNot, Box::new(constant(5))), &[0]), Ok(-6));
    assert_eq!(binary(BinaryOperator::Multiply, 1 << 20, 1 << 20), Ok(0));
    assert_eq!(binary(BinaryOperator::Divide, i32::MIN, -1), Ok(i32::MIN));
    assert_eq!(binary(BinaryOperator::Remainder, i32::MIN, -1), Ok(0));
    assert_eq!(value(Integer::Sum(vec![]), &[3]), Ok(0));
}

#[test]
fn division_is_towards_zero() {
    assert_eq!(binary(BinaryOperator::Divide, -7, 2), Ok(-3));
    assert_eq!(binary(BinaryOperator::Remainder, -7, 2), Ok(-1));
    assert_eq!(binary(BinaryOperator::Remainder, 7, -2), Ok(1));
    assert_eq!(binary(BinaryOperator::Divide, 1, 0), Err(Cause::DivisionByZero));
    assert_eq!(binary(BinaryOperator::Remainder, 1, 0), Err(Cause::DivisionByZero));
}

#[test]
fn powers() {
    assert_eq!(binary(BinaryOperator::Power, 3, 4), Ok(81));
    assert_eq!(binary(BinaryOperator::Power, 0, 0), Ok(1));
    assert_eq!(binary(BinaryOperator::Power, 2, 32), Ok(0));
    assert_eq!(binary(BinaryOperator::Power, 2, -1), Ok(0));
    assert_eq!(binary(BinaryOperator::Power, 1, -5), Ok(1));
    assert_eq!(binary(BinaryOperator::Power, -1, -5), Ok(-1));
    assert_eq!(binary(BinaryOperator::Power, -1, -4), Ok(1));
    assert_eq!(binary(BinaryOperator::Power, 0, -1), Err(Cause::DivisionByZero));
}

#[test]
fn bits() {
    assert_eq!(binary(BinaryOperator::BitAnd, 12, 10), Ok(8));
    assert_eq!(binary(BinaryOperator::BitOr, 12, 10), Ok(14));
    assert_eq!(binary(BinaryOperator::BitXor, 12, 10), Ok(6));
    assert_eq!(binary(BinaryOperator::ShiftLeft, 1, 33), Ok(2));
    assert_eq!(binary(BinaryOperator::ShiftRight, -8, 1), Ok(-4));
}

#[test]
fn elements_and_truth() {
    let state = [9, 1, 2, 3];
    assert_eq!(value(element(1, 3, constant(2)), &state), Ok(3));
    assert_eq!(value(element(1, 3, element(1, 3, constant(0))), &state), Ok(2));
    assert_eq!(value(element(1, 3, constant(3)), &state), Err(Cause::Index { index: 3, length: 3 }));
    assert_eq!(value(element(1, 3, constant(-1)), &state), Err(Cause::Index { index: -1, length: 3 }));
    assert_eq!(value(Integer::Truth(Box::new(compare(variable(0), Comparison::Equal, 9))), &state), Ok(1));
    let outside = compare(element(1, 3, constant(3)), Comparison::Equal, 0);
    assert_eq!(value(Integer::Truth(Box::new(outside)), &state), Err(Cause::Index { index: 3, length: 3 }));
}

#[test]
fn deep_expressions_are_refused() {
    let mut expression = constant(0);
    for _ in 0..5000 {
        expression = Integer::Unary(UnaryOperator::Minus, Box::new(expression));
    }
    assert_eq!(value(expression, &[0]), Err(Cause::TooDeep));
}

#[test]
fn formulas_of_one_state() {
    let nets = vec![
        Type::Net(net(&[1, 0], vec![transition("t", None, &[take(0, 1), put(1, 1)])])),
        Type::Composite(composite(&[0, 0], vec![])),
    ];
    let system = system(nets);
    let semantics = Semantics::new(&system).unwrap();
    let place = |instance, index| Integer::Variable(Location { path: vec![instance], index });
    let is = |expression, value| Formula::Atom(Atom::Compare(Comparison::Equal, expression, Integer::Constant(value)));
    let fireable = |instance| Formula::Atom(Atom::Fireable(vec![Location { path: vec![instance], index: 0 }]));
    let holds = |formula: &Formula| semantics.evaluate(formula, &[1, 0, 0, 1]).map_err(|error| error.cause);
    assert_eq!(holds(&is(place(0, 0), 1)), Ok(true));
    assert_eq!(holds(&is(place(1, 0), 1)), Ok(false));
    assert_eq!(holds(&is(Integer::Sum(vec![place(0, 0), place(1, 1)]), 2)), Ok(true));
    assert_eq!(holds(&fireable(0)), Ok(true));
    assert_eq!(holds(&fireable(1)), Ok(false));
    assert_eq!(holds(&Formula::Deadlock), Ok(false));
    assert_eq!(semantics.evaluate(&Formula::Deadlock, &[0, 1, 0, 1]), Ok(true));
    assert_eq!(holds(&Formula::And(vec![fireable(0), fireable(1)])), Ok(false));
    assert_eq!(holds(&Formula::Or(vec![fireable(1), fireable(0)])), Ok(true));
    assert_eq!(holds(&Formula::Not(Box::new(fireable(1)))), Ok(true));
    let outside = Integer::Element {
        first: Location { path: vec![0], index: 0 },
        length: 2,
        index: Box::new(Integer::Constant(2)),
    };
    assert_eq!(holds(&is(outside.clone(), 0)), Ok(false));
    assert_eq!(holds(&Formula::Not(Box::new(is(outside, 0)))), Ok(true));
    assert_eq!(holds(&is(place(0, 2), 1)), Err(Cause::Unknown));
    assert_eq!(holds(&is(place(7, 0), 1)), Err(Cause::Unknown));
    let next = Formula::Unary(property::Quantifier::All, property::UnaryOperator::Next, Box::new(Formula::Deadlock));
    assert_eq!(holds(&next), Err(Cause::Temporal));
}
