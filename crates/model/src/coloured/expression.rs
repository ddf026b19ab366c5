//! What stands on arcs, in guards and in initial markings.

use super::class::Colours;
use crate::expression::Comparison;

/// A colour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A colour of a class.
    Constant {
        /// The class.
        class: u32,
        /// The colour.
        colour: u32,
    },
    /// What a variable is bound to.
    Variable(u32),
    /// The colour so many steps after another one (before it, if negative), step by step: there is none if a step has none.
    Shift(Box<Term>, i64),
}

/// A bag of colours of one class.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BagExpression {
    /// One colour.
    One(Term),
    /// Each colour of a set once.
    All(Colours),
    /// What a variable for bags is bound to.
    Variable(u32),
    /// All of them together; empty if there are none.
    Sum(Vec<BagExpression>),
    /// What is in the first more often than in the second, and how much more often.
    Difference(Box<BagExpression>, Box<BagExpression>),
    /// So many times.
    Times(u32, Box<BagExpression>),
}

/// A component of the tokens of a tuple.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A colour. The tuple stands for one token per colour of the bag, and as many as it is there: `<all, x>` are all tokens
    /// with x as their second component, and `<B>` the colours of the bag B as tokens.
    Each(BagExpression),
    /// The bag itself, as one component of one token.
    Whole(BagExpression),
}

/// A bag of tokens of one domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tokens {
    /// One element per component. In the neutral domain, one token.
    Tuple(Vec<Element>),
    /// All of them together; none if there are none.
    Sum(Vec<Tokens>),
    /// What is in the first more often than in the second, and how much more often: never less than nothing.
    Difference(Box<Tokens>, Box<Tokens>),
    /// So many times.
    Times(u32, Box<Tokens>),
    /// These, if a guard holds; otherwise none.
    When(Box<Guard>, Box<Tokens>),
}

/// A number in a guard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// A number.
    Constant(u64),
    /// How much is in a bag.
    Of(BagExpression),
}

/// What must hold for a binding to be there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// Always, or never.
    Constant(bool),
    /// A comparison of colours of one class by their position.
    Compare(Comparison, Term, Term),
    /// A colour is in a set.
    Member(Term, Colours),
    /// A comparison of how much is in bags.
    Cardinality(Comparison, Cardinality, Cardinality),
    /// The second has at least as much of everything as the first.
    Included(BagExpression, BagExpression),
    /// Both have the same of everything.
    SameBag(BagExpression, BagExpression),
    /// Negation.
    Not(Box<Guard>),
    /// All of them (true if there is none).
    And(Vec<Guard>),
    /// One of them (false if there is none).
    Or(Vec<Guard>),
}

impl Default for Guard {
    fn default() -> Guard {
        Guard::Constant(true)
    }
}

impl Term {
    /// The colour so many steps further on, with neighbouring steps in one direction made one.
    pub fn shifted(self, steps: i64) -> Term {
        match self {
            term if steps == 0 => term,
            Term::Shift(inner, before) if (before > 0) == (steps > 0) => {
                Term::Shift(inner, before.saturating_add(steps))
            }
            term => Term::Shift(Box::new(term), steps),
        }
    }
}

impl Tokens {
    /// No tokens.
    pub fn none() -> Tokens {
        Tokens::Sum(Vec::new())
    }

    /// One token without colour.
    pub fn neutral() -> Tokens {
        Tokens::Tuple(Vec::new())
    }
}
