//! Properties and formulas as text.

use super::super::super::property::{Atom, ColouredNets, Count, Firing};
use super::super::super::{ColouredNet, Sort, Value};
use super::names::{Names, unique};
use crate::expression::Integer;
use crate::gal::syntax::{
    self, ColourName, Expression, ExpressionKind, Name, Origin, Pattern, PatternKind, PropertyKind, Reference, Segment,
    Unary,
};
use crate::gal::write::expression::{flat, write_integer};
use crate::gal::write::{TOO_DEEP, is_too_deep};
use crate::property::{Formula, Property, Question};

/// Writes formulas about a net, as they are read by [`formula`](super::super::formula). One that nobody could read, because
/// it is nested hundreds deep, is written as `...`.
pub fn write_formulas(net: &ColouredNet, formulas: &[&Formula<Atom>]) -> Vec<String> {
    let names = Names::of(net);
    let writer = Writer { net, names: &names };
    let write = |formula: &&Formula<Atom>| match is_too_deep(formula) {
        true => TOO_DEEP.to_owned(),
        false => writer.formula(formula).to_string(),
    };
    formulas.iter().map(write).collect()
}

/// Properties, one per line.
pub(super) fn properties(net: &ColouredNet, names: &Names, properties: &[Property<ColouredNets>]) -> Vec<String> {
    let writer = Writer { net, names };
    let property_names = unique(properties.iter().map(|property| property.name.as_str()));
    let lines = properties.iter().zip(&property_names).map(|(property, name)| {
        let (kind, formula) = writer.question(&property.question);
        format!("property {} [{}] : {formula};", Name::new(name.as_str()), kind.word())
    });
    lines.collect()
}

struct Writer<'w> {
    net: &'w ColouredNet,
    names: &'w Names,
}

impl Writer<'_> {
    fn question(&self, question: &Question<ColouredNets>) -> (PropertyKind, Expression) {
        match question {
            Question::Bounds(integer) => (PropertyKind::Bounds, self.integer(integer)),
            Question::Reachable(formula) => (PropertyKind::Reachable, self.formula(formula)),
            Question::Invariant(formula) => (PropertyKind::Invariant, self.formula(formula)),
            Question::Never(formula) => (PropertyKind::Never, self.formula(formula)),
            Question::Ctl(formula) => (PropertyKind::Ctl, self.formula(formula)),
            Question::Ltl(formula) => (PropertyKind::Ltl, self.formula(formula)),
            Question::CtlStar(formula) => (PropertyKind::CtlStar, self.formula(formula)),
            Question::Live(firings) => {
                let all = firings.iter().map(|group| Question::<ColouredNets>::always_again(group)).collect();
                (PropertyKind::Ctl, self.formula(&Formula::And(all)))
            }
        }
    }

    fn integer(&self, integer: &Integer<Count>) -> Expression {
        write_integer(integer, &|count| self.count(count), &|first, _| self.count(first))
    }

    fn count(&self, count: &Count) -> Expression {
        let name = Name::new(self.names.places[count.place as usize].as_str());
        let domain = &self.net.places[count.place as usize].domain;
        Expression::plain(match count.pattern.is_empty() {
            true => {
                let segments = vec![Segment { name, index: None }];
                ExpressionKind::Reference(Reference { segments, origin: Origin::default() })
            }
            false => {
                let patterns = domain.iter().zip(&count.pattern).map(|(sort, value)| self.pattern(*sort, value));
                ExpressionKind::Matching(name, patterns.collect())
            }
        })
    }

    fn pattern(&self, sort: Sort, value: &Option<Value>) -> Pattern {
        let colour = |colour: u32| ColourName::new(self.names.bare_colour(sort.class() as usize, colour));
        let kind = match value {
            None => PatternKind::Any,
            Some(Value::Colour(one)) => PatternKind::Colour(colour(*one)),
            Some(Value::Bag(bag)) => {
                PatternKind::Bag(bag.iter().map(|(member, times)| (times, colour(member))).collect())
            }
        };
        Pattern { kind, origin: Origin::default() }
    }

    fn firing(&self, firing: &Firing) -> syntax::Firing {
        let variables = &self.net.transitions[firing.transition as usize].variables;
        let names = unique(variables.iter().map(|variable| variable.name.as_str()));
        let bindings = variables.iter().zip(names).zip(&firing.pattern);
        syntax::Firing {
            transition: Name::new(self.names.transitions[firing.transition as usize].as_str()),
            bindings: bindings
                .map(|((variable, name), value)| (Name::new(name), self.pattern(variable.sort, value)))
                .collect(),
        }
    }

    fn formula(&self, formula: &Formula<Atom>) -> Expression {
        let inner = |formula: &Formula<Atom>| Box::new(self.formula(formula));
        Expression::plain(match formula {
            Formula::Constant(truth) => ExpressionKind::Truth(*truth),
            Formula::Atom(Atom::Compare(comparison, left, right)) => {
                ExpressionKind::Compare(*comparison, Box::new(self.integer(left)), Box::new(self.integer(right)))
            }
            Formula::Atom(Atom::Fireable(firings) | Atom::Fired(firings)) if firings.is_empty() => {
                ExpressionKind::Truth(false)
            }
            Formula::Atom(Atom::Fireable(firings)) => {
                ExpressionKind::FireableWith(firings.iter().map(|firing| self.firing(firing)).collect())
            }
            Formula::Atom(Atom::Fired(firings)) => {
                ExpressionKind::FiredWith(firings.iter().map(|firing| self.firing(firing)).collect())
            }
            Formula::Deadlock => ExpressionKind::Deadlock,
            // Coloured nets have no error state.
            Formula::Error => ExpressionKind::Truth(false),
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
}
