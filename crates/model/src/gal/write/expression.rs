//! Expressions of the model as they are written.

use super::super::syntax::{Binary, Expression, ExpressionKind, Name, Origin, Reference, Segment, Unary};
use super::names::{Tables, Things};
use super::{queue, reference};
use crate::expression::{BinaryOperator, Boolean, Comparison, Integer, UnaryOperator};
use crate::property::{Atom, Formula};
use crate::system::{ErrorState, Location, System, Type};

/// Expressions of a program.
pub(super) struct Local<'w> {
    pub things: &'w Things,
}

impl Local<'_> {
    pub fn integer(&self, integer: &Integer<u32>) -> Expression {
        write_integer(integer, &|variable| named(self.things.reference(*variable as usize)), &|first, index| {
            named(self.element(*first, index))
        })
    }

    pub fn boolean(&self, condition: &Boolean<u32>) -> Expression {
        write_boolean(condition, &|variable| named(self.things.reference(*variable as usize)), &|first, index| {
            named(self.element(*first, index))
        })
    }

    /// An element of the array that begins with a variable.
    pub fn element(&self, first: u32, index: Expression) -> Reference {
        element_of(self.things, first as usize, index)
    }
}

fn element_of(things: &Things, first: usize, index: Expression) -> Reference {
    let (name, shift) = things.array(first).unwrap_or(("?", 0));
    let index = match i32::try_from(shift) {
        Ok(0) | Err(_) => index,
        Ok(shift) => {
            plain(ExpressionKind::Chain(Box::new(index), vec![(Binary::Add, plain(ExpressionKind::Number(shift)))]))
        }
    };
    let segment = Segment { name: Name::new(name), index: Some(Box::new(index)) };
    Reference { segments: vec![segment], origin: Origin::default() }
}

/// Expressions of properties.
pub(super) struct Writer<'w> {
    pub tables: &'w Tables,
    pub system: &'w System,
    /// The error state, if what is written is about a model that does not know that it is one: then atoms say that they are
    /// false there.
    pub error: Option<&'w ErrorState>,
}

impl Writer<'_> {
    pub fn integer(&self, integer: &Integer<Location>) -> Expression {
        write_integer(integer, &|location| named(self.variable(location, None)), &|first, index| {
            named(self.variable(first, Some(index)))
        })
    }

    pub fn formula(&self, formula: &Formula) -> Expression {
        let inner = |formula: &Formula| Box::new(self.formula(formula));
        plain(match formula {
            Formula::Constant(truth) => ExpressionKind::Truth(*truth),
            Formula::Atom(Atom::Compare(comparison, left, right)) => {
                let (left, right) =
                    self.letters(left, right).unwrap_or_else(|| (self.integer(left), self.integer(right)));
                self.outside_error_state(ExpressionKind::Compare(*comparison, Box::new(left), Box::new(right)))
            }
            Formula::Deadlock => self.outside_error_state(ExpressionKind::Deadlock),
            Formula::Error => match (self.error, self.system.error_state()) {
                (Some(error), _) => self.error_state(Comparison::Equal, error),
                // Where the error state is known, it is asked for by name.
                (None, Some(_)) => ExpressionKind::Reference(reference("error", None)),
                (None, None) => ExpressionKind::Truth(false),
            },
            Formula::Atom(Atom::Fireable(list)) if list.is_empty() => ExpressionKind::Truth(false),
            Formula::Atom(Atom::Fireable(list)) => {
                ExpressionKind::Fireable(list.iter().map(|location| (self.transition(location), Vec::new())).collect())
            }
            Formula::Atom(Atom::Fired(list)) => {
                ExpressionKind::Fired(list.iter().map(|location| (self.transition(location), Vec::new())).collect())
            }
            Formula::Not(operand) => ExpressionKind::Unary(Unary::Not, inner(operand)),
            Formula::And(list) => flat(list.iter().map(|one| self.formula(one)).collect(), true),
            Formula::Or(list) => flat(list.iter().map(|one| self.formula(one)).collect(), false),
            Formula::Unary(quantifier, operator, operand) => {
                ExpressionKind::TemporalUnary(*quantifier, *operator, inner(operand))
            }
            Formula::Binary(quantifier, operator, left, right) => {
                ExpressionKind::TemporalBinary(*quantifier, *operator, inner(left), inner(right))
            }
        })
    }

    /// A cell of a queue and the letter that it is compared with.
    fn letters(&self, left: &Integer<Location>, right: &Integer<Location>) -> Option<(Expression, Expression)> {
        let (Integer::Variable(location), Integer::Constant(letter)) = (left, right) else { return None };
        let (at, mut segments) = self.follow(&location.path);
        let Type::Queues(queues) = self.system.types.get(at)? else { return None };
        let (cell, queue) = queue::cell(queues, location.index, self.tables.things(at))?;
        segments.push(cell);
        let letter = queue::letter(queue.letter(*letter)?);
        Some((named(Reference { segments, origin: Origin::default() }), letter))
    }

    /// An atom, which is false in the error state.
    fn outside_error_state(&self, atom: ExpressionKind) -> ExpressionKind {
        match self.error {
            Some(error) => flat(vec![plain(atom), plain(self.error_state(Comparison::NotEqual, error))], true),
            None => atom,
        }
    }

    fn error_state(&self, comparison: Comparison, error: &ErrorState) -> ExpressionKind {
        let variable = Integer::Variable(Location { path: Vec::new(), index: error.variable });
        let value = Integer::Constant(error.value);
        ExpressionKind::Compare(comparison, Box::new(self.integer(&variable)), Box::new(self.integer(&value)))
    }

    /// The type at the end of a path, and the segments that lead there.
    fn follow(&self, path: &[u32]) -> (usize, Vec<Segment>) {
        let mut at = self.system.main;
        let mut segments = Vec::new();
        for &instance in path {
            let Some(Type::Composite(composite)) = self.system.types.get(at) else { break };
            let Some(one) = composite.instances.get(instance as usize) else { break };
            segments.extend(self.tables.things(at).reference(instance as usize).segments);
            at = one.type_index;
        }
        (at, segments)
    }

    fn variable(&self, location: &Location, index: Option<Expression>) -> Reference {
        let (at, mut segments) = self.follow(&location.path);
        let things = self.tables.things(at);
        let last = match index {
            None => things.reference(location.index as usize),
            Some(index) => element_of(things, location.index as usize, index),
        };
        segments.extend(last.segments);
        Reference { segments, origin: Origin::default() }
    }

    fn transition(&self, location: &Location) -> Reference {
        let (at, mut segments) = self.follow(&location.path);
        let name = Name::new(self.tables.transition(at, location.index as usize));
        segments.push(Segment { name, index: None });
        Reference { segments, origin: Origin::default() }
    }
}

fn named(reference: Reference) -> Expression {
    plain(ExpressionKind::Reference(reference))
}

fn plain(kind: ExpressionKind) -> Expression {
    Expression::plain(kind)
}

/// A conjunction or disjunction.
pub(crate) fn flat(mut list: Vec<Expression>, all: bool) -> ExpressionKind {
    match list.len() {
        0 => ExpressionKind::Truth(all),
        1 => list.pop().map_or(ExpressionKind::Truth(all), |one| one.kind),
        _ if all => ExpressionKind::All(list),
        _ => ExpressionKind::Any(list),
    }
}

fn write_boolean<V>(
    condition: &Boolean<V>, variable: &impl Fn(&V) -> Expression, element: &impl Fn(&V, Expression) -> Expression,
) -> Expression {
    let one = |condition: &Boolean<V>| write_boolean(condition, variable, element);
    plain(match condition {
        Boolean::Constant(truth) => ExpressionKind::Truth(*truth),
        Boolean::Compare(comparison, left, right) => ExpressionKind::Compare(
            *comparison,
            Box::new(write_integer(left, variable, element)),
            Box::new(write_integer(right, variable, element)),
        ),
        Boolean::Not(operand) => ExpressionKind::Unary(Unary::Not, Box::new(one(operand))),
        Boolean::And(list) => flat(list.iter().map(one).collect(), true),
        Boolean::Or(list) => flat(list.iter().map(one).collect(), false),
    })
}

pub(crate) fn write_integer<V>(
    integer: &Integer<V>, variable: &impl Fn(&V) -> Expression, element: &impl Fn(&V, Expression) -> Expression,
) -> Expression {
    let one = |integer: &Integer<V>| write_integer(integer, variable, element);
    match integer {
        Integer::Constant(number) => plain(ExpressionKind::Number(*number)),
        Integer::Variable(name) => variable(name),
        Integer::Element { first, index, .. } => element(first, one(index)),
        Integer::Truth(condition) => write_boolean(condition, variable, element),
        Integer::Unary(UnaryOperator::Minus, operand) => {
            plain(ExpressionKind::Unary(Unary::Minus, Box::new(one(operand))))
        }
        Integer::Unary(UnaryOperator::BitNot, operand) => {
            plain(ExpressionKind::Unary(Unary::BitNot, Box::new(one(operand))))
        }
        Integer::Binary(operator, left, right) => chained(one(left), written(*operator), one(right)),
        Integer::Sum(terms) => {
            let Some((first, rest)) = terms.split_first() else { return plain(ExpressionKind::Number(0)) };
            let rest: Vec<(Binary, Expression)> = rest
                .iter()
                .map(|term| match term {
                    Integer::Unary(UnaryOperator::Minus, operand) => (Binary::Subtract, one(operand)),
                    Integer::Constant(number) if *number < 0 && *number > i32::MIN => {
                        (Binary::Subtract, plain(ExpressionKind::Number(-number)))
                    }
                    term => (Binary::Add, one(term)),
                })
                .collect();
            match rest.is_empty() {
                true => one(first),
                false => plain(ExpressionKind::Chain(Box::new(one(first)), rest)),
            }
        }
    }
}

/// Two operands; operators of one precedence are one chain, for they apply from left to right.
fn chained(left: Expression, operator: Binary, right: Expression) -> Expression {
    match left.kind {
        ExpressionKind::Chain(first, mut rest)
            if rest.first().is_some_and(|(before, _)| before.precedence() == operator.precedence()) =>
        {
            rest.push((operator, right));
            plain(ExpressionKind::Chain(first, rest))
        }
        kind => plain(ExpressionKind::Chain(Box::new(plain(kind)), vec![(operator, right)])),
    }
}

fn written(operator: BinaryOperator) -> Binary {
    match operator {
        BinaryOperator::Multiply => Binary::Multiply,
        BinaryOperator::Divide => Binary::Divide,
        BinaryOperator::Remainder => Binary::Remainder,
        BinaryOperator::Power => Binary::Power,
        BinaryOperator::BitAnd => Binary::BitAnd,
        BinaryOperator::BitOr => Binary::BitOr,
        BinaryOperator::BitXor => Binary::BitXor,
        BinaryOperator::ShiftLeft => Binary::ShiftLeft,
        BinaryOperator::ShiftRight => Binary::ShiftRight,
    }
}
