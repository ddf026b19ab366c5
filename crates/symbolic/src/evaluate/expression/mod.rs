//! Expressions over diagram variables, to be evaluated one variable at a time.
//!
//! `build` makes and simplifies them, `intern` makes equal ones one.

mod build;
mod intern;

use std::convert::Infallible;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use mandala_model::expression::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};
use rustc_hash::FxHashSet;

pub use build::{
    and, binary, bit_not, cell, compare, constant, different, element, equal, fails, not, nothing, or, sum,
};
use intern::make;

/// An expression, an integer of 32 bits or without a value; a condition is 0 or 1.
#[derive(Clone)]
pub struct Expression(Arc<Term>);

struct Term {
    kind: Kind,
    hash: u64,
    /// Whether it may have no value.
    can_fail: bool,
    /// How many parts it has, written out as a tree.
    size: u32,
    /// The variables that it may depend on, ascending.
    support: Vec<u32>,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number.
    Constant(i32),
    /// No value: a division by zero, or an index out of range.
    Nothing,
    /// The value of a variable.
    Variable(u32),
    /// An element of an array, whose elements are variables; one that is known not to be meant is [`HOLE`].
    Element(Arc<[u32]>, Expression),
    /// A constant and multiples of other expressions, which are no sums; all different, in some order.
    Sum(i32, Vec<(i32, Expression)>),
    /// `~a`
    BitNot(Expression),
    /// An operator on two operands.
    Binary(BinaryOperator, Expression, Expression),
    /// A comparison; if a side has no value, it is false or has no value either.
    Compare(Comparison, Expression, Expression, WithoutValue),
    /// A condition that does not hold.
    Not(Expression),
    /// Conditions from the first to the last until one does not hold.
    And(Vec<Expression>),
    /// Conditions from the first to the last until one holds.
    Or(Vec<Expression>),
    /// Whether an expression has no value.
    Fails(Expression),
}

impl Kind {
    /// Calls a function with each of the expressions that this one is made of.
    fn each_part(&self, mut each: impl FnMut(&Expression)) {
        match self {
            Kind::Constant(_) | Kind::Nothing | Kind::Variable(_) => {}
            Kind::Element(_, inner) | Kind::BitNot(inner) | Kind::Not(inner) | Kind::Fails(inner) => each(inner),
            Kind::Sum(_, parts) => parts.iter().for_each(|(_, part)| each(part)),
            Kind::Binary(_, left, right) | Kind::Compare(_, left, right, _) => {
                each(left);
                each(right);
            }
            Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(each),
        }
    }
}

/// An element that is not meant.
pub const HOLE: u32 = u32::MAX;

/// What a comparison is if a side has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WithoutValue {
    /// False by itself: in guards.
    IsFalse,
    /// Without a value: in actions.
    IsNothing,
}

impl PartialEq for Expression {
    fn eq(&self, other: &Expression) -> bool {
        // Equal expressions are one, unless they were made by different threads: see `intern`.
        Arc::ptr_eq(&self.0, &other.0) || self.0.hash == other.0.hash && self.0.kind == other.0.kind
    }
}

impl Eq for Expression {}

impl Hash for Expression {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind.fmt(f)
    }
}

impl Expression {
    /// An expression of a program, whose variable `v` is the diagram variable `slots[v]`.
    pub fn of_integer(integer: &Integer<u32>, slots: &[u32], without_value: WithoutValue) -> Expression {
        let of = |integer: &Integer<u32>| Expression::of_integer(integer, slots, without_value);
        match integer {
            Integer::Constant(value) => constant(*value),
            Integer::Variable(variable) => Expression::variable(slots[*variable as usize]),
            Integer::Element { first, length, index } => {
                let cells = slots[*first as usize..(*first + *length) as usize].into();
                element(cells, of(index))
            }
            Integer::Sum(parts) => sum(0, parts.iter().map(|part| (1, of(part)))),
            Integer::Unary(UnaryOperator::Minus, inner) => sum(0, [(-1, of(inner))]),
            Integer::Unary(UnaryOperator::BitNot, inner) => bit_not(of(inner)),
            Integer::Binary(operator, left, right) => binary(*operator, of(left), of(right)),
            Integer::Truth(condition) => Expression::of_boolean(condition, slots, without_value),
        }
    }

    /// A condition of a program.
    pub fn of_boolean(boolean: &Boolean<u32>, slots: &[u32], without_value: WithoutValue) -> Expression {
        let of = |boolean: &Boolean<u32>| Expression::of_boolean(boolean, slots, without_value);
        match boolean {
            Boolean::Constant(value) => constant(i32::from(*value)),
            Boolean::Compare(comparison, left, right) => {
                let side = |side| Expression::of_integer(side, slots, without_value);
                compare(*comparison, side(left), side(right), without_value)
            }
            Boolean::Not(inner) => not(of(inner)),
            Boolean::And(parts) => and(parts.iter().map(of)),
            Boolean::Or(parts) => or(parts.iter().map(of)),
        }
    }

    /// A variable.
    pub fn variable(variable: u32) -> Expression {
        make(Kind::Variable(variable))
    }

    /// What it is.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// Its value, if that is known.
    pub fn value(&self) -> Option<i32> {
        match self.kind() {
            Kind::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether it has no value whatever the variables are.
    pub fn is_nothing(&self) -> bool {
        *self.kind() == Kind::Nothing
    }

    /// The variables that it may depend on, ascending.
    pub fn support(&self) -> &[u32] {
        &self.0.support
    }

    /// Whether it may depend on a variable.
    pub fn depends_on(&self, variable: u32) -> bool {
        self.0.support.binary_search(&variable).is_ok()
    }

    /// Whether it may have no value.
    pub fn can_fail(&self) -> bool {
        self.0.can_fail
    }

    /// How many parts it has, written out as a tree; what it takes to evaluate it.
    pub fn size(&self) -> usize {
        self.0.size as usize
    }

    /// Adds the elements in it whose index is not known.
    pub fn collect_elements(&self, elements: &mut FxHashSet<Expression>) {
        if let Kind::Element(..) = self.kind()
            && !elements.insert(self.clone())
        {
            return;
        }
        self.kind().each_part(|part| part.collect_elements(elements));
    }

    /// Whether it is a condition that never holds.
    pub fn is_never(&self) -> bool {
        matches!(self.kind(), Kind::Constant(0) | Kind::Nothing)
    }

    /// What is left of it if a variable has a value. Elements whose index is not known may still depend on the variable.
    pub fn with(&self, variable: u32, value: i32) -> Expression {
        self.rewritten(variable, &|leaf| match leaf {
            Kind::Variable(other) if *other == variable => Some(constant(value)),
            _ => None,
        })
    }

    /// Its value in a state, if it has one.
    pub fn on(&self, state: &[i32]) -> Option<i32> {
        let truth = |holds: bool| Some(i32::from(holds));
        match self.kind() {
            Kind::Constant(value) => Some(*value),
            Kind::Nothing => None,
            Kind::Variable(variable) => Some(state[*variable as usize]),
            Kind::Element(cells, index) => Some(state[cell(cells, index.on(state)?)? as usize]),
            Kind::Sum(plus, parts) => {
                let mut sum = *plus;
                for (times, part) in parts {
                    sum = sum.wrapping_add(times.wrapping_mul(part.on(state)?));
                }
                Some(sum)
            }
            Kind::BitNot(inner) => Some(!inner.on(state)?),
            Kind::Binary(operator, left, right) => operator.calculate(left.on(state)?, right.on(state)?),
            Kind::Compare(comparison, left, right, mode) => match (left.on(state), right.on(state), mode) {
                (Some(left), Some(right), _) => truth(comparison.holds(&left, &right)),
                (.., WithoutValue::IsFalse) => Some(0),
                (.., WithoutValue::IsNothing) => None,
            },
            Kind::Not(inner) => truth(inner.on(state)? == 0),
            Kind::And(parts) => {
                for part in parts {
                    if part.on(state)? == 0 {
                        return Some(0);
                    }
                }
                Some(1)
            }
            Kind::Or(parts) => {
                for part in parts {
                    if part.on(state)? != 0 {
                        return Some(1);
                    }
                }
                Some(0)
            }
            Kind::Fails(inner) => truth(inner.on(state).is_none()),
        }
    }

    /// The expression over other variables; nothing if one of them has no other.
    pub fn over(&self, variable: &dyn Fn(u32) -> Option<u32>) -> Option<Expression> {
        let of = |one: &u32| if *one == HOLE { Ok(HOLE) } else { variable(*one).ok_or(()) };
        let result: Result<Expression, ()> = self.mapped(&|_| true, &|leaf| {
            Ok(Some(match leaf {
                Kind::Variable(one) => Expression::variable(of(one)?),
                Kind::Element(cells, index) => {
                    // The index is over the others already.
                    let cells: Result<Vec<u32>, ()> = cells.iter().map(of).collect();
                    element(cells?.into(), index.clone())
                }
                _ => return Ok(None),
            }))
        });
        result.ok()
    }

    /// The conditions that all have to hold for this one to hold.
    pub fn conjuncts(&self) -> impl Iterator<Item = &Expression> {
        match self.kind() {
            Kind::And(parts) => parts.iter(),
            _ => std::slice::from_ref(self).iter(),
        }
    }

    /// The expression with some of its variables and elements that depend on a variable replaced, and simplified.
    pub(super) fn rewritten(&self, variable: u32, replace: &dyn Fn(&Kind) -> Option<Expression>) -> Expression {
        let result: Result<Expression, Infallible> =
            self.mapped(&|part| part.depends_on(variable), &|leaf| Ok(replace(leaf)));
        match result {
            Ok(expression) => expression,
        }
    }

    /// The expression with some of its variables and elements replaced, and simplified. Only parts that `concerns` says
    /// are looked at; the index of an element is replaced first, and may turn the element into a variable.
    pub fn mapped<E>(
        &self, concerns: &dyn Fn(&Expression) -> bool, replace: &dyn Fn(&Kind) -> Result<Option<Expression>, E>,
    ) -> Result<Expression, E> {
        if !concerns(self) {
            return Ok(self.clone());
        }
        let of = |inner: &Expression| inner.mapped(concerns, replace);
        let all = |parts: &[Expression]| parts.iter().map(of).collect::<Result<Vec<_>, E>>();
        Ok(match self.kind() {
            Kind::Constant(_) | Kind::Nothing => self.clone(),
            Kind::Variable(_) => replace(self.kind())?.unwrap_or_else(|| self.clone()),
            Kind::Element(cells, index) => {
                let rebuilt = element(Arc::clone(cells), of(index)?);
                match rebuilt.kind() {
                    Kind::Variable(_) | Kind::Element(..) => replace(rebuilt.kind())?.unwrap_or(rebuilt),
                    _ => rebuilt,
                }
            }
            Kind::Sum(plus, parts) => {
                let parts: Result<Vec<_>, E> = parts.iter().map(|(times, part)| Ok((*times, of(part)?))).collect();
                sum(*plus, parts?)
            }
            Kind::BitNot(inner) => bit_not(of(inner)?),
            Kind::Binary(operator, left, right) => binary(*operator, of(left)?, of(right)?),
            Kind::Compare(comparison, left, right, mode) => compare(*comparison, of(left)?, of(right)?, *mode),
            Kind::Not(inner) => not(of(inner)?),
            Kind::And(parts) => and(all(parts)?),
            Kind::Or(parts) => or(all(parts)?),
            Kind::Fails(inner) => fails(of(inner)?),
        })
    }
}
