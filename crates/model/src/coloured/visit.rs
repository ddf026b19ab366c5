//! What is at the bottom of an expression.

use super::class::Colours;
use super::expression::{BagExpression, Cardinality, Element, Guard, Term, Tokens};

/// What is at the bottom of an expression.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<'e> {
    /// A colour.
    Term(&'e Term),
    /// A variable for bags.
    Bag(u32),
    /// All colours of a set, or whether a colour is in it.
    Set(Colours),
}

impl Leaf<'_> {
    /// The variable that it names.
    pub fn variable(self) -> Option<u32> {
        match self {
            Leaf::Term(term) => term.variable(),
            Leaf::Bag(variable) => Some(variable),
            Leaf::Set(_) => None,
        }
    }
}

impl Term {
    /// The variable that it depends on.
    pub fn variable(&self) -> Option<u32> {
        let mut term = self;
        loop {
            match term {
                Term::Constant { .. } => return None,
                Term::Variable(variable) => return Some(*variable),
                Term::Shift(inner, _) => term = inner,
            }
        }
    }
}

impl Term {
    /// The class and the colour of the constant that it is, or is some steps away from.
    pub(crate) fn constant(&self) -> Option<(u32, u32)> {
        let mut term = self;
        loop {
            match term {
                Term::Constant { class, colour } => return Some((*class, *colour)),
                Term::Variable(_) => return None,
                Term::Shift(inner, _) => term = inner,
            }
        }
    }

    /// What it is some steps away from, to be changed.
    fn base_mut(&mut self) -> &mut Term {
        let mut term = self;
        while let Term::Shift(inner, _) = term {
            term = inner;
        }
        term
    }
}

impl BagExpression {
    /// Visits all constants and variables, to change them.
    pub(crate) fn terms_mut(&mut self, visit: &mut dyn FnMut(&mut Term)) {
        match self {
            BagExpression::One(term) => visit(term.base_mut()),
            BagExpression::All(_) | BagExpression::Variable(_) => {}
            BagExpression::Sum(parts) => parts.iter_mut().for_each(|part| part.terms_mut(visit)),
            BagExpression::Difference(from, taken) => {
                from.terms_mut(visit);
                taken.terms_mut(visit);
            }
            BagExpression::Times(_, inner) => inner.terms_mut(visit),
        }
    }

    /// Visits what is at the bottom.
    pub fn leaves<'e>(&'e self, visit: &mut dyn FnMut(Leaf<'e>)) {
        match self {
            BagExpression::One(term) => visit(Leaf::Term(term)),
            BagExpression::All(set) => visit(Leaf::Set(*set)),
            BagExpression::Variable(variable) => visit(Leaf::Bag(*variable)),
            BagExpression::Sum(parts) => parts.iter().for_each(|part| part.leaves(visit)),
            BagExpression::Difference(from, taken) => [from, taken].into_iter().for_each(|part| part.leaves(visit)),
            BagExpression::Times(_, inner) => inner.leaves(visit),
        }
    }
}

impl Tokens {
    /// Visits all constants and variables, to change them.
    pub(crate) fn terms_mut(&mut self, visit: &mut dyn FnMut(&mut Term)) {
        match self {
            Tokens::Tuple(elements) => elements.iter_mut().for_each(|element| match element {
                Element::Each(bag) | Element::Whole(bag) => bag.terms_mut(visit),
            }),
            Tokens::Sum(parts) => parts.iter_mut().for_each(|part| part.terms_mut(visit)),
            Tokens::Difference(from, taken) => {
                from.terms_mut(visit);
                taken.terms_mut(visit);
            }
            Tokens::Times(_, inner) => inner.terms_mut(visit),
            Tokens::When(guard, inner) => {
                guard.terms_mut(visit);
                inner.terms_mut(visit);
            }
        }
    }

    /// Visits what is at the bottom.
    pub fn leaves<'e>(&'e self, visit: &mut dyn FnMut(Leaf<'e>)) {
        match self {
            Tokens::Tuple(elements) => elements.iter().for_each(|element| match element {
                Element::Each(bag) | Element::Whole(bag) => bag.leaves(visit),
            }),
            Tokens::Sum(parts) => parts.iter().for_each(|part| part.leaves(visit)),
            Tokens::Difference(from, taken) => [from, taken].into_iter().for_each(|part| part.leaves(visit)),
            Tokens::Times(_, inner) => inner.leaves(visit),
            Tokens::When(guard, inner) => {
                guard.leaves(visit);
                inner.leaves(visit);
            }
        }
    }
}

impl Guard {
    /// Visits all constants and variables, to change them.
    pub(crate) fn terms_mut(&mut self, visit: &mut dyn FnMut(&mut Term)) {
        match self {
            Guard::Constant(_) => {}
            Guard::Compare(_, left, right) => [left, right].into_iter().for_each(|term| visit(term.base_mut())),
            Guard::Member(term, _) => visit(term.base_mut()),
            Guard::Cardinality(_, left, right) => [left, right].into_iter().for_each(|side| match side {
                Cardinality::Constant(_) => {}
                Cardinality::Of(bag) => bag.terms_mut(visit),
            }),
            Guard::Included(left, right) | Guard::SameBag(left, right) => {
                [left, right].into_iter().for_each(|bag| bag.terms_mut(visit));
            }
            Guard::Not(inner) => inner.terms_mut(visit),
            Guard::And(parts) | Guard::Or(parts) => parts.iter_mut().for_each(|part| part.terms_mut(visit)),
        }
    }

    /// Visits what is at the bottom.
    pub fn leaves<'e>(&'e self, visit: &mut dyn FnMut(Leaf<'e>)) {
        match self {
            Guard::Constant(_) => {}
            Guard::Compare(_, left, right) => [left, right].into_iter().for_each(|term| visit(Leaf::Term(term))),
            Guard::Member(term, set) => {
                visit(Leaf::Term(term));
                visit(Leaf::Set(*set));
            }
            Guard::Cardinality(_, left, right) => [left, right].into_iter().for_each(|side| match side {
                Cardinality::Constant(_) => {}
                Cardinality::Of(bag) => bag.leaves(visit),
            }),
            Guard::Included(left, right) | Guard::SameBag(left, right) => {
                [left, right].into_iter().for_each(|bag| bag.leaves(visit));
            }
            Guard::Not(inner) => inner.leaves(visit),
            Guard::And(parts) | Guard::Or(parts) => parts.iter().for_each(|part| part.leaves(visit)),
        }
    }

    /// The guards that must all hold for this one to hold.
    pub fn conjuncts(&self) -> Vec<&Guard> {
        let mut conjuncts = Vec::new();
        let mut open = vec![self];
        while let Some(guard) = open.pop() {
            match guard {
                Guard::And(parts) => open.extend(parts.iter().rev()),
                guard => conjuncts.push(guard),
            }
        }
        conjuncts
    }
}
