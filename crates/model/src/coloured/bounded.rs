//! Which variables for bags have only finitely many values.
//!
//! A variable for bags stands for any bag over its class, and of these there are infinitely many. Something must bound it: it
//! is `unique` (a set), a place must hold what is in it, or the guard says how large it is, in every binding.

use super::expression::{BagExpression, Cardinality, Element, Guard, Tokens};
use super::{ColouredNet, Sort, Transition};
use crate::expression::Comparison;

/// The variables of a transition that nothing bounds, in their order. A net with such a transition has infinitely many
/// bindings, and is not for us.
pub fn unbounded_bags(net: &ColouredNet, transition: &Transition) -> Vec<u32> {
    let is_bounded = |index: usize| match &transition.variables[index] {
        variable if variable.unique => true,
        variable => matches!(variable.sort, Sort::Colour(_)),
    };
    let bounded: Vec<bool> = (0..transition.variables.len()).map(is_bounded).collect();
    let conjuncts = transition.guard.conjuncts();
    let filled = vec![false; transition.variables.len()];
    let mut search = Search { net, bounded, filled };
    for guard in &conjuncts {
        search.fill(guard);
    }
    // What is bounded may bound others: until nothing changes.
    loop {
        let before = search.bounded.clone();
        for guard in &conjuncts {
            search.guard(guard);
        }
        for arc in &transition.takes {
            search.tokens(&arc.tokens);
        }
        if search.bounded == before {
            break;
        }
    }
    (0..).zip(&search.bounded).filter(|(_, bounded)| !**bounded).map(|(index, _)| index).collect()
}

struct Search<'n> {
    net: &'n ColouredNet,
    /// By variable: whether it has finitely many values.
    bounded: Vec<bool>,
    /// By variable: whether the guard says that it is not empty.
    filled: Vec<bool>,
}

impl Search<'_> {
    /// Learns which bags a condition says are not empty.
    fn fill(&mut self, guard: &Guard) {
        let Guard::Cardinality(comparison, left, right) = guard else { return };
        let (comparison, bag, number) = match (left, right) {
            (Cardinality::Of(bag), Cardinality::Constant(number)) => (*comparison, bag, *number),
            (Cardinality::Constant(number), Cardinality::Of(bag)) => (comparison.mirrored(), bag, *number),
            _ => return,
        };
        let at_least_one = match comparison {
            Comparison::Equal | Comparison::GreaterOrEqual => number > 0,
            Comparison::Greater => true,
            Comparison::NotEqual => number == 0,
            Comparison::Less | Comparison::LessOrEqual => false,
        };
        if let (true, BagExpression::Variable(variable)) = (at_least_one, bag) {
            self.filled[*variable as usize] = true;
        }
    }

    /// Learns from a condition.
    fn guard(&mut self, guard: &Guard) {
        match guard {
            Guard::Cardinality(comparison, left, right) => self.cardinality(*comparison, left, right),
            Guard::Not(inner) => {
                if let Guard::Cardinality(comparison, left, right) = &**inner {
                    self.cardinality(comparison.negated(), left, right);
                }
            }
            Guard::Included(part, whole) if self.is_bounded(whole) => self.bound(part),
            Guard::SameBag(left, right) => {
                if self.is_bounded(left) {
                    self.bound(right);
                }
                if self.is_bounded(right) {
                    self.bound(left);
                }
            }
            _ => {}
        }
    }

    fn cardinality(&mut self, comparison: Comparison, left: &Cardinality, right: &Cardinality) {
        let at_most = |comparison| matches!(comparison, Comparison::Equal | Comparison::Less | Comparison::LessOrEqual);
        for (comparison, less, more) in [(comparison, left, right), (comparison.mirrored(), right, left)] {
            let Cardinality::Of(bag) = less else { continue };
            let known = match more {
                Cardinality::Constant(_) => true,
                Cardinality::Of(other) => self.is_bounded(other),
            };
            if at_most(comparison) && known {
                self.bound(bag);
            }
        }
    }

    /// Learns from tokens that must be there.
    fn tokens(&mut self, tokens: &Tokens) {
        match tokens {
            Tokens::Tuple(elements) => {
                // If another element is empty, there are no tokens, and whatever this one holds is there.
                let unfilled = elements.iter().filter(|element| !self.is_filled(element)).count();
                for element in elements {
                    if unfilled == usize::from(!self.is_filled(element)) {
                        let (Element::Each(bag) | Element::Whole(bag)) = element;
                        self.bound(bag);
                    }
                }
            }
            Tokens::Sum(parts) => parts.iter().for_each(|part| self.tokens(part)),
            Tokens::Times(factor, inner) if *factor > 0 => self.tokens(inner),
            Tokens::Difference(from, taken) if self.all_bounded(taken) => self.tokens(from),
            Tokens::Times(..) | Tokens::Difference(..) | Tokens::When(..) => {}
        }
    }

    /// Marks what is in a bag that has finitely many values.
    fn bound(&mut self, bag: &BagExpression) {
        match bag {
            BagExpression::Variable(variable) => self.bounded[*variable as usize] = true,
            BagExpression::Sum(parts) => parts.iter().for_each(|part| self.bound(part)),
            BagExpression::Times(factor, inner) if *factor > 0 => self.bound(inner),
            BagExpression::Difference(from, taken) if self.is_bounded(taken) => self.bound(from),
            _ => {}
        }
    }

    fn is_bounded(&self, bag: &BagExpression) -> bool {
        match bag {
            BagExpression::One(_) | BagExpression::All(_) => true,
            BagExpression::Variable(variable) => self.bounded[*variable as usize],
            BagExpression::Sum(parts) => parts.iter().all(|part| self.is_bounded(part)),
            BagExpression::Difference(from, _) => self.is_bounded(from),
            BagExpression::Times(factor, inner) => *factor == 0 || self.is_bounded(inner),
        }
    }

    fn all_bounded(&self, tokens: &Tokens) -> bool {
        match tokens {
            Tokens::Tuple(elements) => {
                elements.iter().all(|(Element::Each(bag) | Element::Whole(bag))| self.is_bounded(bag))
            }
            Tokens::Sum(parts) => parts.iter().all(|part| self.all_bounded(part)),
            Tokens::Difference(from, _) => self.all_bounded(from),
            Tokens::Times(_, inner) | Tokens::When(_, inner) => self.all_bounded(inner),
        }
    }

    /// Whether an element stands for something in every binding.
    fn is_filled(&self, element: &Element) -> bool {
        match element {
            Element::Each(bag) => self.has_some(bag),
            Element::Whole(_) => true,
        }
    }

    fn has_some(&self, bag: &BagExpression) -> bool {
        match bag {
            BagExpression::One(_) => true,
            BagExpression::All(set) => !self.net.classes[set.class as usize].ranges(set.subclass).is_empty(),
            BagExpression::Variable(variable) => self.filled[*variable as usize],
            BagExpression::Sum(parts) => parts.iter().any(|part| self.has_some(part)),
            BagExpression::Times(factor, inner) => *factor > 0 && self.has_some(inner),
            BagExpression::Difference(..) => false,
        }
    }
}
