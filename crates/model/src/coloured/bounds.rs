//! How large the bags can be that variables of a transition are bound to.
//!
//! A binding is there only if the guard holds and the tokens that the transition takes are there; both say something about
//! the bags of the binding. What is found here is an upper bound: no binding that is there goes beyond it.

use super::class::Colours;
use super::expression::{BagExpression, Cardinality, Element, Guard, Term, Tokens};
use super::value::Bag;
use super::{Class, ColouredNet, Sort, Transition};
use crate::expression::Comparison;

/// An upper bound of the bags that a variable, or an expression, can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bound {
    /// How often each colour is there at most, if that is known.
    pub each: Option<Bag<u32>>,
    /// How much is there at most, if that is known.
    pub most: Option<u64>,
}

impl Bound {
    /// What is within a bag.
    pub fn within(bag: Bag<u32>) -> Bound {
        Bound { most: Some(bag.cardinality()), each: Some(bag) }
    }

    /// Bags of at most so many colours.
    pub fn of_size(most: u64) -> Bound {
        Bound { each: None, most: Some(most) }
    }

    /// Whether it bounds anything.
    pub fn is_known(&self) -> bool {
        self.most.is_some()
    }

    /// What both allow.
    fn meet(&mut self, other: &Bound) {
        match (&mut self.each, &other.each) {
            (Some(each), Some(other)) => *each = combined(each, other, |one, other| one.min(other)),
            (each @ None, Some(other)) => *each = Some(other.clone()),
            (_, None) => {}
        }
        let sizes = [self.most, other.most, self.each.as_ref().map(Bag::cardinality)];
        self.most = sizes.into_iter().flatten().min();
    }

    /// What one of them allows.
    fn join(&self, other: &Bound) -> Bound {
        let both = self.each.as_ref().zip(other.each.as_ref());
        Bound {
            each: both.map(|(one, other)| combined(one, other, |one, other| one.max(other))),
            most: self.most.zip(other.most).map(|(one, other)| one.max(other)),
        }
    }
}

/// A bag whose counts are made from those of two bags.
fn combined(one: &Bag<u32>, other: &Bag<u32>, count: impl Fn(u32, u32) -> u32) -> Bag<u32> {
    let mut result = Bag::new();
    for (colour, times) in one.iter() {
        let _ = result.add(colour, count(times, other.count(&colour)));
    }
    for (colour, times) in other.iter().filter(|(colour, _)| one.count(colour) == 0) {
        let _ = result.add(colour, count(0, times));
    }
    result
}

/// Where a transition takes tokens that hold at least the bag of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The variable.
    pub variable: u32,
    /// The place from which the tokens are taken.
    pub place: u32,
    /// The component in which the bag is.
    pub component: usize,
    /// How it is there.
    pub held: Held,
}

/// How the bag of a variable is in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Its colours are components of tokens.
    Spread,
    /// One token has a component that is the bag.
    Whole,
    /// One token has a component that includes the bag.
    Included,
}

/// Where the bags of the variables of a transition are taken, in whatever binding.
pub fn occurrences(net: &ColouredNet, transition: &Transition) -> Vec<Occurrence> {
    let mut found = Vec::new();
    for arc in &transition.takes {
        for tuple in certain_tuples(&arc.tokens) {
            for (component, element) in tuple.iter().enumerate() {
                let others = tuple.iter().enumerate().filter(|(other, _)| *other != component);
                if !others.into_iter().all(|(_, other)| is_something(net, other)) {
                    continue;
                }
                let (bag, held) = match element {
                    Element::Each(bag) => (bag, Held::Spread),
                    Element::Whole(bag @ BagExpression::Variable(_)) => (bag, Held::Whole),
                    Element::Whole(bag) => (bag, Held::Included),
                };
                let variables = certain_variables(bag);
                found.extend(variables.map(|variable| Occurrence { variable, place: arc.place, component, held }));
            }
        }
    }
    found
}

/// The tuples that an expression has at least once.
fn certain_tuples(tokens: &Tokens) -> Vec<&[Element]> {
    let mut tuples = Vec::new();
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        match tokens {
            Tokens::Tuple(elements) => tuples.push(elements.as_slice()),
            Tokens::Sum(parts) => open.extend(parts),
            Tokens::Times(factor, inner) if *factor > 0 => open.push(inner),
            Tokens::Times(..) | Tokens::Difference(..) | Tokens::When(..) => {}
        }
    }
    tuples
}

/// The variables for bags whose bags an expression includes.
pub fn certain_variables(bag: &BagExpression) -> impl Iterator<Item = u32> {
    let mut open = vec![bag];
    std::iter::from_fn(move || {
        while let Some(bag) = open.pop() {
            match bag {
                BagExpression::Variable(variable) => return Some(*variable),
                BagExpression::Sum(parts) => open.extend(parts),
                BagExpression::Times(factor, inner) if *factor > 0 => open.push(inner),
                _ => {}
            }
        }
        None
    })
}

/// Whether an element is never an empty bag of colours, which would make the whole tuple empty.
fn is_something(net: &ColouredNet, element: &Element) -> bool {
    let Element::Each(bag) = element else { return true };
    let mut open = vec![bag];
    while let Some(bag) = open.pop() {
        match bag {
            BagExpression::One(_) => return true,
            BagExpression::All(set) if !net.classes[set.class as usize].ranges(set.subclass).is_empty() => {
                return true;
            }
            BagExpression::Sum(parts) => open.extend(parts),
            BagExpression::Times(factor, inner) if *factor > 0 => open.push(inner),
            _ => {}
        }
    }
    false
}

/// What bounds the bags of each variable of a transition: the guard, that a variable is `unique`, and whatever is known of the
/// places where the bag is taken. Nothing is said of variables for colours.
pub(crate) fn bounds(
    net: &ColouredNet, transition: &Transition, taken: &dyn Fn(&Occurrence) -> Option<Bound>,
) -> Vec<Bound> {
    let mut bounds = vec![Bound::default(); transition.variables.len()];
    for occurrence in occurrences(net, transition) {
        if let Some(bound) = taken(&occurrence) {
            bounds[occurrence.variable as usize].meet(&bound);
        }
    }
    let bags: Vec<usize> = (0..transition.variables.len())
        .filter(|&variable| matches!(transition.variables[variable].sort, Sort::Bag(_)))
        .collect();
    // One variable may be bounded by another: what is known of one in one round counts in the next.
    for _ in 0..=bags.len() {
        let before = bounds.clone();
        refine(net, &transition.guard, true, &mut bounds);
        for &variable in &bags {
            if transition.variables[variable].unique {
                let class = &net.classes[transition.variables[variable].sort.class() as usize];
                let bound = &mut bounds[variable];
                let once = match &bound.each {
                    Some(each) => each.iter().map(|(colour, _)| colour).collect(),
                    None => colours(class, None),
                };
                bound.meet(&Bound::within(once));
            }
        }
        if bounds == before {
            break;
        }
    }
    bounds
}

/// Each colour of a set once.
fn colours(class: &Class, subclass: Option<u32>) -> Bag<u32> {
    class.ranges(subclass).iter().flat_map(|&(first, end)| first..end).collect()
}

/// What a guard says about bags if it is true (or false, if that is what `holds` says).
fn refine(net: &ColouredNet, guard: &Guard, holds: bool, bounds: &mut Vec<Bound>) {
    match guard {
        Guard::Constant(_) | Guard::Compare(..) | Guard::Member(..) => {}
        Guard::Cardinality(comparison, left, right) => {
            let comparison = if holds { *comparison } else { comparison.negated() };
            at_most(net, comparison, left, right, bounds);
            at_most(net, comparison.mirrored(), right, left, bounds);
        }
        Guard::Included(part, whole) if holds => included(net, part, whole, bounds),
        Guard::SameBag(left, right) if holds => {
            included(net, left, right, bounds);
            included(net, right, left, bounds);
        }
        Guard::Included(..) | Guard::SameBag(..) => {}
        Guard::Not(inner) => refine(net, inner, !holds, bounds),
        Guard::And(parts) if holds => parts.iter().for_each(|part| refine(net, part, true, bounds)),
        Guard::Or(parts) if !holds => parts.iter().for_each(|part| refine(net, part, false, bounds)),
        Guard::And(parts) | Guard::Or(parts) => {
            let ways = parts.iter().map(|part| {
                let mut way = bounds.clone();
                refine(net, part, holds, &mut way);
                way
            });
            let joined = ways.reduce(|one, other| one.iter().zip(&other).map(|(one, other)| one.join(other)).collect());
            if let Some(joined) = joined {
                *bounds = joined;
            }
        }
    }
}

/// What `left comparison right` says about the bags on the left.
fn at_most(net: &ColouredNet, comparison: Comparison, left: &Cardinality, right: &Cardinality, bounds: &mut [Bound]) {
    let Cardinality::Of(bag) = left else { return };
    let most = match right {
        Cardinality::Constant(number) => Some(*number),
        Cardinality::Of(other) => upper(net, other, bounds).most,
    };
    let most = match comparison {
        Comparison::Less => most.map(|most| most.saturating_sub(1)),
        Comparison::LessOrEqual | Comparison::Equal => most,
        Comparison::NotEqual | Comparison::Greater | Comparison::GreaterOrEqual => None,
    };
    if let Some(most) = most {
        certain_variables(bag).for_each(|variable| bounds[variable as usize].meet(&Bound::of_size(most)));
    }
}

/// What it says about the bags in one expression that another includes it.
fn included(net: &ColouredNet, part: &BagExpression, whole: &BagExpression, bounds: &mut [Bound]) {
    let bound = upper(net, whole, bounds);
    certain_variables(part).for_each(|variable| bounds[variable as usize].meet(&bound));
}

/// An upper bound of an expression.
fn upper(net: &ColouredNet, bag: &BagExpression, bounds: &[Bound]) -> Bound {
    match bag {
        BagExpression::One(Term::Constant { colour, .. }) => Bound::within([*colour].into_iter().collect()),
        BagExpression::One(_) => Bound::of_size(1),
        BagExpression::All(Colours { class, subclass }) => {
            Bound::within(colours(&net.classes[*class as usize], *subclass))
        }
        BagExpression::Variable(variable) => bounds[*variable as usize].clone(),
        BagExpression::Sum(parts) => {
            let mut sum = Bound::within(Bag::new());
            for part in parts {
                let part = upper(net, part, bounds);
                sum.most = sum.most.zip(part.most).and_then(|(one, other)| one.checked_add(other));
                sum.each =
                    sum.each.zip(part.each).and_then(|(mut one, other)| one.add_all(&other).is_ok().then_some(one));
            }
            sum
        }
        BagExpression::Difference(from, _) => upper(net, from, bounds),
        BagExpression::Times(factor, inner) => {
            let inner = upper(net, inner, bounds);
            Bound {
                each: inner.each.and_then(|each| each.times(*factor).ok()),
                most: inner.most.and_then(|most| most.checked_mul(u64::from(*factor))),
            }
        }
    }
}
