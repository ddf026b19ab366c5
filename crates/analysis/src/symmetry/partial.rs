//! Expressions where some variables have known values.
//!
//! What can be calculated is: an element whose index is known becomes a variable, and what divides by zero or reads out of
//! range has no value. A comparison without a value is false in guards and formulas, and an error in actions.

use mandala_model::expression::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};

/// What is left of an integer expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// Its value.
    Value(i32),
    /// It has no value.
    Nothing,
    /// It depends on other variables.
    Open(Integer<u32>),
}

/// What is left of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// Its value.
    Value(bool),
    /// It has no value.
    Nothing,
    /// It depends on other variables.
    Open(Boolean<u32>),
}

impl Number {
    /// As an expression again.
    pub fn expression(self) -> Integer<u32> {
        match self {
            Number::Value(value) => Integer::Constant(value),
            Number::Nothing => nothing(),
            Number::Open(expression) => expression,
        }
    }
}

/// An expression without a value.
fn nothing() -> Integer<u32> {
    Integer::Binary(BinaryOperator::Divide, Box::new(Integer::Constant(1)), Box::new(Integer::Constant(0)))
}

/// The values of some variables, and what it means to have no value.
pub(super) struct Partial<'k> {
    /// The value of a variable, if it is known.
    pub known: &'k dyn Fn(u32) -> Option<i32>,
    /// Whether a comparison without a value is an error.
    pub is_action: bool,
}

impl Partial<'_> {
    pub fn integer(&self, expression: &Integer<u32>) -> Number {
        match expression {
            Integer::Constant(value) => Number::Value(*value),
            Integer::Variable(variable) => match (self.known)(*variable) {
                Some(value) => Number::Value(value),
                None => Number::Open(expression.clone()),
            },
            Integer::Element { first, length, index } => match self.integer(index) {
                Number::Value(index) => match u32::try_from(index).ok().filter(|index| index < length) {
                    Some(index) => self.integer(&Integer::Variable(first + index)),
                    None => Number::Nothing,
                },
                Number::Nothing => Number::Nothing,
                Number::Open(index) => {
                    Number::Open(Integer::Element { first: *first, length: *length, index: Box::new(index) })
                }
            },
            Integer::Sum(operands) => self.sum(operands),
            Integer::Unary(operator, operand) => match (operator, self.integer(operand)) {
                (_, Number::Nothing) => Number::Nothing,
                (UnaryOperator::Minus, Number::Value(value)) => Number::Value(value.wrapping_neg()),
                (UnaryOperator::BitNot, Number::Value(value)) => Number::Value(!value),
                (_, Number::Open(operand)) => Number::Open(Integer::Unary(*operator, Box::new(operand))),
            },
            Integer::Binary(operator, left, right) => match (self.integer(left), self.integer(right)) {
                (Number::Nothing, _) | (_, Number::Nothing) => Number::Nothing,
                (Number::Value(left), Number::Value(right)) => {
                    operator.calculate(left, right).map_or(Number::Nothing, Number::Value)
                }
                (left, right) => {
                    let (left, right) = (Box::new(left.expression()), Box::new(right.expression()));
                    Number::Open(Integer::Binary(*operator, left, right))
                }
            },
            Integer::Truth(condition) => match self.boolean(condition) {
                Truth::Value(truth) => Number::Value(i32::from(truth)),
                Truth::Nothing => Number::Nothing,
                Truth::Open(condition) => Number::Open(Integer::Truth(Box::new(condition))),
            },
        }
    }

    fn sum(&self, operands: &[Integer<u32>]) -> Number {
        let (mut constant, mut open) = (0i32, Vec::new());
        for operand in operands {
            match self.integer(operand) {
                Number::Value(value) => constant = constant.wrapping_add(value),
                Number::Nothing => return Number::Nothing,
                Number::Open(operand) => open.push(operand),
            }
        }
        if open.is_empty() {
            return Number::Value(constant);
        }
        if constant != 0 {
            open.push(Integer::Constant(constant));
        }
        match open.pop() {
            Some(only) if open.is_empty() => Number::Open(only),
            last => {
                open.extend(last);
                Number::Open(Integer::Sum(open))
            }
        }
    }

    pub fn boolean(&self, condition: &Boolean<u32>) -> Truth {
        match condition {
            Boolean::Constant(value) => Truth::Value(*value),
            Boolean::Compare(comparison, left, right) => match (self.integer(left), self.integer(right)) {
                (Number::Nothing, _) | (_, Number::Nothing) if self.is_action => Truth::Nothing,
                (Number::Nothing, _) | (_, Number::Nothing) => Truth::Value(false),
                (Number::Value(left), Number::Value(right)) => Truth::Value(comparison.holds(&left, &right)),
                (left, right) => Truth::Open(Boolean::Compare(*comparison, left.expression(), right.expression())),
            },
            Boolean::Not(operand) => match self.boolean(operand) {
                Truth::Value(truth) => Truth::Value(!truth),
                Truth::Nothing => Truth::Nothing,
                Truth::Open(operand) => Truth::Open(Boolean::Not(Box::new(operand))),
            },
            Boolean::And(operands) => self.junction(operands, true),
            Boolean::Or(operands) => self.junction(operands, false),
        }
    }

    /// A conjunction or a disjunction, by what its operands are if they do not decide it. In actions the order decides
    /// what is reached.
    fn junction(&self, operands: &[Boolean<u32>], neutral: bool) -> Truth {
        let mut open = Vec::new();
        for operand in operands {
            match self.boolean(operand) {
                Truth::Value(truth) if truth == neutral => {}
                Truth::Value(truth) if open.is_empty() || !self.is_action => return Truth::Value(truth),
                Truth::Value(truth) => {
                    open.push(Boolean::Constant(truth));
                    break;
                }
                Truth::Nothing if open.is_empty() => return Truth::Nothing,
                Truth::Nothing => {
                    open.push(Boolean::Compare(Comparison::Equal, nothing(), Integer::Constant(0)));
                    break;
                }
                Truth::Open(operand) => open.push(operand),
            }
        }
        match open.pop() {
            None => Truth::Value(neutral),
            Some(only) if open.is_empty() => Truth::Open(only),
            Some(last) => {
                open.push(last);
                Truth::Open(if neutral { Boolean::And(open) } else { Boolean::Or(open) })
            }
        }
    }
}
