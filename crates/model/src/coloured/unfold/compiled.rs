//! Terms, guards and arcs, made ready to be evaluated many times over numbers.

use super::bags::{Bags, Number};
use crate::coloured::evaluate::Evaluator;
use crate::coloured::expression::{BagExpression, Element, Guard, Term, Tokens};
use crate::coloured::{Class, ClassOrder, ColouredNet, Transition};
use crate::expression::Comparison;

/// A colour, or a bag that a variable is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CompiledTerm {
    pub base: Base,
    /// Steps from there, one after the other.
    steps: Vec<i64>,
    /// How many colours the class has, if there are steps.
    length: i64,
    circular: bool,
}

/// Where a term begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Constant(Number),
    Variable(usize),
}

impl CompiledTerm {
    /// What a variable for bags is bound to.
    pub fn variable(variable: u32) -> CompiledTerm {
        CompiledTerm { base: Base::Variable(variable as usize), steps: Vec::new(), length: 0, circular: false }
    }

    /// A term of a transition.
    pub fn new(net: &ColouredNet, transition: &Transition, term: &Term) -> CompiledTerm {
        let mut steps = Vec::new();
        let mut inner = term;
        while let Term::Shift(next, by) = inner {
            steps.push(*by);
            inner = next;
        }
        steps.reverse();
        let (base, class) = match inner {
            Term::Constant { class, colour } => (Base::Constant(*colour), *class),
            Term::Variable(variable) => {
                let sort = transition.variables[*variable as usize].sort;
                (Base::Variable(*variable as usize), sort.class())
            }
            Term::Shift(..) => unreachable!("all shifts were taken off"),
        };
        let class: &Class = &net.classes[class as usize];
        let circular = class.order == ClassOrder::Circular;
        CompiledTerm { base, steps, length: i64::from(class.len()), circular }
    }

    /// The variable in it.
    pub fn variable_of(&self) -> Option<usize> {
        match self.base {
            Base::Variable(variable) => Some(variable),
            Base::Constant(_) => None,
        }
    }

    /// Its value, if it has one.
    pub fn value(&self, binding: &[Number]) -> Option<Number> {
        let start = match self.base {
            Base::Constant(value) => value,
            Base::Variable(variable) => binding[variable],
        };
        self.steps.iter().try_fold(start, |colour, &by| self.shift(colour, by))
    }

    /// What its variable must be bound to for it to have a value, if there is something.
    pub fn solve(&self, value: Number) -> Option<Number> {
        let start = self.steps.iter().rev().try_fold(value, |colour, &by| self.shift(colour, by.checked_neg()?))?;
        match self.base {
            Base::Constant(constant) => (constant == start).then_some(start),
            Base::Variable(_) => Some(start),
        }
    }

    fn shift(&self, colour: Number, by: i64) -> Option<Number> {
        let target = i64::from(colour).checked_add(by)?;
        if self.circular {
            return Some(target.rem_euclid(self.length) as Number);
        }
        (0..self.length).contains(&target).then_some(target as Number)
    }
}

/// A guard over numbers.
pub(super) enum CompiledGuard<'a> {
    Constant(bool),
    Compare(Comparison, CompiledTerm, CompiledTerm),
    Member(CompiledTerm, Vec<(u32, u32)>),
    Not(Box<CompiledGuard<'a>>),
    And(Vec<CompiledGuard<'a>>),
    Or(Vec<CompiledGuard<'a>>),
    /// About bags: evaluated by definition.
    General(&'a Guard),
}

impl<'a> CompiledGuard<'a> {
    /// A guard of a transition.
    pub fn new(net: &'a ColouredNet, transition: &'a Transition, guard: &'a Guard) -> CompiledGuard<'a> {
        let term = |term| CompiledTerm::new(net, transition, term);
        let parts = |parts: &'a [Guard]| parts.iter().map(|part| CompiledGuard::new(net, transition, part)).collect();
        match guard {
            Guard::Constant(value) => CompiledGuard::Constant(*value),
            Guard::Compare(comparison, left, right) => CompiledGuard::Compare(*comparison, term(left), term(right)),
            Guard::Member(member, set) => {
                let ranges = net.classes[set.class as usize].ranges(set.subclass).into_owned();
                CompiledGuard::Member(term(member), ranges)
            }
            Guard::Not(inner) => CompiledGuard::Not(Box::new(CompiledGuard::new(net, transition, inner))),
            Guard::And(inner) => CompiledGuard::And(parts(inner)),
            Guard::Or(inner) => CompiledGuard::Or(parts(inner)),
            Guard::Cardinality(..) | Guard::Included(..) | Guard::SameBag(..) => CompiledGuard::General(guard),
        }
    }

    /// Whether it holds; nothing if some of it has no value.
    pub fn holds(&self, context: &Context<'_>, binding: &[Number]) -> Option<bool> {
        match self {
            CompiledGuard::Constant(value) => Some(*value),
            CompiledGuard::Compare(comparison, left, right) => {
                Some(comparison.holds(&left.value(binding)?, &right.value(binding)?))
            }
            CompiledGuard::Member(term, ranges) => {
                let colour = term.value(binding)?;
                let at = ranges.partition_point(|&(_, end)| end <= colour);
                Some(ranges.get(at).is_some_and(|&(first, _)| first <= colour))
            }
            CompiledGuard::Not(inner) => Some(!inner.holds(context, binding)?),
            CompiledGuard::And(parts) => {
                parts.iter().try_fold(true, |all, part| Some(part.holds(context, binding)? && all))
            }
            CompiledGuard::Or(parts) => {
                parts.iter().try_fold(false, |any, part| Some(part.holds(context, binding)? || any))
            }
            CompiledGuard::General(guard) => {
                let values = context.bags.binding(&context.transition.variables, binding);
                Evaluator::new(context.net, &context.transition.variables, &values).guard(guard).ok()
            }
        }
    }
}

/// What the evaluation of a guard may have to look at.
pub(super) struct Context<'a> {
    pub net: &'a ColouredNet,
    pub transition: &'a Transition,
    pub bags: &'a Bags,
}

/// An arc expression that is a sum of weighted tuples of terms: what nearly all are.
pub(super) type SimpleArc = Vec<(u32, Vec<CompiledTerm>)>;

/// An arc that is a sum of tuples of terms, if it is one.
pub(super) fn simple_arc(net: &ColouredNet, transition: &Transition, tokens: &Tokens) -> Option<SimpleArc> {
    let mut found = Vec::new();
    let mut open = vec![(1_u32, tokens)];
    while let Some((weight, tokens)) = open.pop() {
        match tokens {
            Tokens::Tuple(elements) => found.push((weight, tuple(net, transition, elements)?)),
            Tokens::Sum(parts) => open.extend(parts.iter().rev().map(|part| (weight, part))),
            Tokens::Times(0, _) => {
                // What is not taken must have a value all the same.
                return None;
            }
            Tokens::Times(factor, inner) => open.push((weight.checked_mul(*factor)?, inner)),
            Tokens::Difference(..) | Tokens::When(..) => return None,
        }
    }
    Some(found)
}

/// The tuples that an arc needs for sure, as far as they are tuples of terms.
pub(super) fn needed(net: &ColouredNet, transition: &Transition, tokens: &Tokens) -> Vec<Vec<CompiledTerm>> {
    let mut found = Vec::new();
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        match tokens {
            Tokens::Tuple(elements) => found.extend(tuple(net, transition, elements)),
            Tokens::Sum(parts) => open.extend(parts.iter().rev()),
            Tokens::Times(factor, inner) if *factor > 0 => open.push(inner),
            Tokens::Times(..) | Tokens::Difference(..) | Tokens::When(..) => {}
        }
    }
    found
}

fn tuple(net: &ColouredNet, transition: &Transition, elements: &[Element]) -> Option<Vec<CompiledTerm>> {
    let component = |element: &Element| match element {
        Element::Each(BagExpression::One(term)) => Some(CompiledTerm::new(net, transition, term)),
        Element::Whole(BagExpression::Variable(variable)) => Some(CompiledTerm::variable(*variable)),
        Element::Each(_) | Element::Whole(_) => None,
    };
    elements.iter().map(component).collect()
}
