//! What expressions are worth under a binding: slow, plain, and by definition.

use super::class::Colours;
use super::expression::{BagExpression, Cardinality, Element, Guard, Term, Tokens};
use super::value::{Bag, Token, TooMany, Value};
use super::{Class, ColouredNet};

/// Why an expression is worth nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// A term has no value: the successor of the last colour, or the predecessor of the first. The binding is not there.
    NoColour,
    /// More of one kind than a 32-bit number says.
    TooMany,
    /// It names something that is not there, or of another sort. Readers see to it that this does not happen.
    Malformed,
}

impl From<TooMany> for Undefined {
    fn from(_: TooMany) -> Undefined {
        Undefined::TooMany
    }
}

/// Evaluates expressions of a net under a binding of the variables of a transition.
#[derive(Clone, Copy)]
pub struct Evaluator<'a> {
    classes: &'a [Class],
    binding: &'a [Value],
    sorts: &'a [super::Variable],
}

impl<'a> Evaluator<'a> {
    /// Under a binding of some variables.
    pub fn new(net: &'a ColouredNet, variables: &'a [super::Variable], binding: &'a [Value]) -> Evaluator<'a> {
        Evaluator { classes: &net.classes, binding, sorts: variables }
    }

    /// Without variables, as for initial markings.
    pub fn constant(net: &'a ColouredNet) -> Evaluator<'a> {
        Evaluator { classes: &net.classes, binding: &[], sorts: &[] }
    }

    /// The class and the colour of a term.
    fn colour(&self, term: &Term) -> Result<(u32, u32), Undefined> {
        match term {
            Term::Constant { class, colour } => Ok((*class, *colour)),
            Term::Variable(variable) => match self.binding.get(*variable as usize) {
                Some(Value::Colour(colour)) => Ok((self.sorts[*variable as usize].sort.class(), *colour)),
                _ => Err(Undefined::Malformed),
            },
            Term::Shift(inner, steps) => {
                let (class, colour) = self.colour(inner)?;
                let shifted = self.classes[class as usize].shift(colour, *steps);
                Ok((class, shifted.ok_or(Undefined::NoColour)?))
            }
        }
    }

    /// The colour of a term.
    pub fn term(&self, term: &Term) -> Result<u32, Undefined> {
        self.colour(term).map(|(_, colour)| colour)
    }

    /// Whether a colour is in a set.
    fn is_in(&self, colour: u32, set: Colours) -> bool {
        let class = &self.classes[set.class as usize];
        set.subclass.is_none_or(|index| class.subclasses[index as usize].contains(colour))
    }

    /// The bag of an expression.
    pub fn bag(&self, expression: &BagExpression) -> Result<Bag<u32>, Undefined> {
        match expression {
            BagExpression::One(term) => Ok([self.term(term)?].into_iter().collect()),
            BagExpression::All(set) => {
                let ranges = self.classes[set.class as usize].ranges(set.subclass);
                Ok(ranges.iter().flat_map(|&(first, end)| first..end).collect())
            }
            BagExpression::Variable(variable) => match self.binding.get(*variable as usize) {
                Some(Value::Bag(bag)) => Ok(bag.clone()),
                _ => Err(Undefined::Malformed),
            },
            BagExpression::Sum(parts) => {
                let mut sum = Bag::new();
                for part in parts {
                    sum.add_all(&self.bag(part)?)?;
                }
                Ok(sum)
            }
            BagExpression::Difference(from, taken) => {
                let mut bag = self.bag(from)?;
                bag.remove_all(&self.bag(taken)?);
                Ok(bag)
            }
            BagExpression::Times(factor, inner) => Ok(self.bag(inner)?.times(*factor)?),
        }
    }

    /// The tokens of an expression.
    pub fn tokens(&self, expression: &Tokens) -> Result<Bag<Token>, Undefined> {
        match expression {
            Tokens::Tuple(elements) => self.tuple(elements),
            Tokens::Sum(parts) => {
                let mut sum = Bag::new();
                for part in parts {
                    sum.add_all(&self.tokens(part)?)?;
                }
                Ok(sum)
            }
            Tokens::Difference(from, taken) => {
                let mut bag = self.tokens(from)?;
                bag.remove_all(&self.tokens(taken)?);
                Ok(bag)
            }
            Tokens::Times(factor, inner) => Ok(self.tokens(inner)?.times(*factor)?),
            Tokens::When(guard, inner) => {
                let tokens = self.tokens(inner)?;
                Ok(if self.guard(guard)? { tokens } else { Bag::new() })
            }
        }
    }

    /// The product of the elements of a tuple.
    fn tuple(&self, elements: &[Element]) -> Result<Bag<Token>, Undefined> {
        let mut tokens: Bag<Token> = [Vec::new()].into_iter().collect();
        for element in elements {
            let choices: Vec<(Value, u32)> = match element {
                Element::Each(bag) => {
                    self.bag(bag)?.iter().map(|(colour, times)| (Value::Colour(colour), times)).collect()
                }
                Element::Whole(bag) => vec![(Value::Bag(self.bag(bag)?), 1)],
            };
            let mut longer = Bag::new();
            for (token, times) in tokens.iter() {
                for (value, more) in &choices {
                    let mut token = token.clone();
                    token.push(value.clone());
                    longer.add(token, times.checked_mul(*more).ok_or(TooMany)?)?;
                }
            }
            tokens = longer;
        }
        Ok(tokens)
    }

    fn cardinality(&self, number: &Cardinality) -> Result<u64, Undefined> {
        match number {
            Cardinality::Constant(number) => Ok(*number),
            Cardinality::Of(bag) => Ok(self.bag(bag)?.cardinality()),
        }
    }

    /// Whether a guard holds. All of it must have a value.
    pub fn guard(&self, guard: &Guard) -> Result<bool, Undefined> {
        match guard {
            Guard::Constant(value) => Ok(*value),
            Guard::Compare(comparison, left, right) => Ok(comparison.holds(&self.term(left)?, &self.term(right)?)),
            Guard::Member(term, set) => Ok(self.is_in(self.term(term)?, *set)),
            Guard::Cardinality(comparison, left, right) => {
                Ok(comparison.holds(&self.cardinality(left)?, &self.cardinality(right)?))
            }
            Guard::Included(part, whole) => Ok(self.bag(part)?.is_included_in(&self.bag(whole)?)),
            Guard::SameBag(left, right) => Ok(self.bag(left)? == self.bag(right)?),
            Guard::Not(inner) => Ok(!self.guard(inner)?),
            Guard::And(parts) => parts.iter().try_fold(true, |all, part| Ok(self.guard(part)? && all)),
            Guard::Or(parts) => parts.iter().try_fold(false, |any, part| Ok(self.guard(part)? || any)),
        }
    }
}
