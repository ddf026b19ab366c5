//! Expressions with something else in the place of variables.

use super::super::expression::{BagExpression, Cardinality, Element, Guard, Term, Tokens};
use super::super::{ColouredNet, Sort};

/// What stands for a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Replacement {
    /// A colour.
    Colour(Term),
    /// A bag: terms, and how often each is there.
    Bag(Vec<(u32, Term)>),
}

/// A term has no value, whatever the binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoColour;

/// Puts something in the place of each variable. Terms without variables become constants.
pub(super) struct Substitution<'s> {
    pub net: &'s ColouredNet,
    /// By variable.
    pub replacements: &'s [Replacement],
}

impl Substitution<'_> {
    pub fn term(&self, term: &Term) -> Result<Term, NoColour> {
        match term {
            Term::Constant { .. } => Ok(term.clone()),
            Term::Variable(variable) => match self.replacements.get(*variable as usize) {
                Some(Replacement::Colour(term)) => Ok(term.clone()),
                // Readers see to it that terms name variables for colours.
                _ => Err(NoColour),
            },
            Term::Shift(inner, steps) => match self.term(inner)? {
                Term::Constant { class, colour } => {
                    let colour = self.net.classes[class as usize].shift(colour, *steps).ok_or(NoColour)?;
                    Ok(Term::Constant { class, colour })
                }
                inner => Ok(Term::Shift(Box::new(inner), *steps)),
            },
        }
    }

    pub fn bag(&self, bag: &BagExpression) -> Result<BagExpression, NoColour> {
        let boxed = |inner: &BagExpression| self.bag(inner).map(Box::new);
        Ok(match bag {
            BagExpression::One(term) => BagExpression::One(self.term(term)?),
            BagExpression::All(set) => BagExpression::All(*set),
            BagExpression::Variable(variable) => match self.replacements.get(*variable as usize) {
                Some(Replacement::Bag(members)) => {
                    let member = |(times, term): &(u32, Term)| match times {
                        1 => BagExpression::One(term.clone()),
                        _ => BagExpression::Times(*times, Box::new(BagExpression::One(term.clone()))),
                    };
                    BagExpression::Sum(members.iter().map(member).collect())
                }
                _ => return Err(NoColour),
            },
            BagExpression::Sum(parts) => {
                BagExpression::Sum(parts.iter().map(|part| self.bag(part)).collect::<Result<_, _>>()?)
            }
            BagExpression::Difference(from, taken) => BagExpression::Difference(boxed(from)?, boxed(taken)?),
            BagExpression::Times(factor, inner) => BagExpression::Times(*factor, boxed(inner)?),
        })
    }

    pub fn tokens(&self, tokens: &Tokens) -> Result<Tokens, NoColour> {
        let boxed = |inner: &Tokens| self.tokens(inner).map(Box::new);
        Ok(match tokens {
            Tokens::Tuple(elements) => {
                let element = |element: &Element| match element {
                    Element::Each(bag) => self.bag(bag).map(Element::Each),
                    Element::Whole(bag) => self.bag(bag).map(Element::Whole),
                };
                Tokens::Tuple(elements.iter().map(element).collect::<Result<_, _>>()?)
            }
            Tokens::Sum(parts) => Tokens::Sum(parts.iter().map(|part| self.tokens(part)).collect::<Result<_, _>>()?),
            Tokens::Difference(from, taken) => Tokens::Difference(boxed(from)?, boxed(taken)?),
            Tokens::Times(factor, inner) => Tokens::Times(*factor, boxed(inner)?),
            Tokens::When(guard, inner) => Tokens::When(Box::new(self.guard(guard)?), boxed(inner)?),
        })
    }

    pub fn guard(&self, guard: &Guard) -> Result<Guard, NoColour> {
        let number = |number: &Cardinality| match number {
            Cardinality::Constant(number) => Ok(Cardinality::Constant(*number)),
            Cardinality::Of(bag) => self.bag(bag).map(Cardinality::Of),
        };
        let all = |parts: &[Guard]| parts.iter().map(|part| self.guard(part)).collect::<Result<Vec<Guard>, _>>();
        Ok(match guard {
            Guard::Constant(value) => Guard::Constant(*value),
            Guard::Compare(comparison, left, right) => Guard::Compare(*comparison, self.term(left)?, self.term(right)?),
            Guard::Member(term, set) => Guard::Member(self.term(term)?, *set),
            Guard::Cardinality(comparison, left, right) => {
                Guard::Cardinality(*comparison, number(left)?, number(right)?)
            }
            Guard::Included(part, whole) => Guard::Included(self.bag(part)?, self.bag(whole)?),
            Guard::SameBag(left, right) => Guard::SameBag(self.bag(left)?, self.bag(right)?),
            Guard::Not(inner) => Guard::Not(Box::new(self.guard(inner)?)),
            Guard::And(parts) => Guard::And(all(parts)?),
            Guard::Or(parts) => Guard::Or(all(parts)?),
        })
    }
}

/// The class of a term, given the sorts of the variables.
pub(super) fn class_of(term: &Term, sorts: &[Sort]) -> u32 {
    match term {
        Term::Constant { class, .. } => *class,
        Term::Variable(variable) => sorts[*variable as usize].class(),
        Term::Shift(inner, _) => class_of(inner, sorts),
    }
}
