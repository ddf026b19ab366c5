//! How many colours of a class can ever be in a place.
//!
//! The colours of a class in all tokens of some places, those in bags included, cannot become more if no transition puts more
//! of them there than it takes. For each transition that is a comparison of two sums, in which how much is in a bag of the
//! binding is an unknown that is not negative.

use super::super::evaluate::Evaluator;
use super::super::expression::{BagExpression, Element, Tokens};
use super::super::value::Value;
use super::super::{Arc, ColouredNet, Sort, Transition};
use std::collections::{BTreeMap, BTreeSet};

/// A number plus so many times how much is in each of some bags, by variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    constant: i64,
    bags: BTreeMap<u32, i64>,
}

impl Sum {
    fn constant(constant: i64) -> Sum {
        Sum { constant, bags: BTreeMap::new() }
    }

    fn add(mut self, other: &Sum, factor: i64) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (&bag, &times) in &other.bags {
            let sum = self.bags.entry(bag).or_insert(0);
            *sum = sum.checked_add(times.checked_mul(factor)?)?;
        }
        Some(self)
    }

    /// The product, if it is such a sum again.
    fn times(&self, other: &Sum) -> Option<Sum> {
        let (number, sum) = match (self.bags.is_empty(), other.bags.is_empty()) {
            (true, _) => (self.constant, other),
            (_, true) => (other.constant, self),
            _ => return None,
        };
        Sum::default().add(sum, number)
    }

    /// Whether it is at most 0, however much is in the bags.
    fn is_never_positive(&self) -> bool {
        self.constant <= 0 && self.bags.values().all(|&times| times <= 0)
    }

    /// What is known of something that is at least this, and not negative.
    fn or_nothing(self) -> Sum {
        if self.bags.is_empty() && self.constant < 0 { Sum::default() } else { self }
    }
}

/// Between which sums something is. There is always a least one, and nothing is less than nothing.
#[derive(Clone)]
struct Between {
    least: Sum,
    most: Option<Sum>,
}

impl Between {
    fn exactly(sum: Sum) -> Between {
        Between { least: sum.clone(), most: Some(sum) }
    }

    fn add(self, other: &Between) -> Between {
        Between {
            least: self.least.add(&other.least, 1).unwrap_or_default(),
            most: self.most.zip(other.most.as_ref()).and_then(|(one, other)| one.add(other, 1)),
        }
    }

    fn times(self, other: &Between) -> Between {
        Between {
            least: self.least.times(&other.least).unwrap_or_default(),
            most: self.most.zip(other.most.as_ref()).and_then(|(one, other)| one.times(other)),
        }
    }

    fn minus(self, other: &Between) -> Between {
        let least = other.most.as_ref().and_then(|most| self.least.add(most, -1));
        Between { least: least.unwrap_or_default().or_nothing(), most: self.most }
    }
}

struct Counter<'c> {
    net: &'c ColouredNet,
    class: u32,
}

impl Counter<'_> {
    /// How much is in a bag.
    fn bag(&self, bag: &BagExpression) -> Between {
        match bag {
            BagExpression::One(_) => Between::exactly(Sum::constant(1)),
            BagExpression::All(set) => {
                let ranges = self.net.classes[set.class as usize].ranges(set.subclass);
                Between::exactly(Sum::constant(ranges.iter().map(|&(first, end)| i64::from(end - first)).sum()))
            }
            BagExpression::Variable(variable) => {
                Between::exactly(Sum { constant: 0, bags: BTreeMap::from([(*variable, 1)]) })
            }
            BagExpression::Sum(parts) => {
                let nothing = Between::exactly(Sum::default());
                parts.iter().fold(nothing, |sum, part| sum.add(&self.bag(part)))
            }
            BagExpression::Difference(from, taken) => self.bag(from).minus(&self.bag(taken)),
            BagExpression::Times(factor, inner) => {
                self.bag(inner).times(&Between::exactly(Sum::constant(i64::from(*factor))))
            }
        }
    }

    /// How many colours of the class tokens have.
    fn tokens(&self, domain: &[Sort], tokens: &Tokens) -> Between {
        match tokens {
            Tokens::Tuple(elements) => {
                let mut count = Between::exactly(Sum::constant(1));
                let mut each = Between::exactly(Sum::default());
                for (sort, element) in domain.iter().zip(elements) {
                    match element {
                        Element::Each(bag) => {
                            count = count.times(&self.bag(bag));
                            if sort.class() == self.class {
                                each = each.add(&Between::exactly(Sum::constant(1)));
                            }
                        }
                        Element::Whole(bag) if sort.class() == self.class => each = each.add(&self.bag(bag)),
                        Element::Whole(_) => {}
                    }
                }
                each.times(&count)
            }
            Tokens::Sum(parts) => {
                let nothing = Between::exactly(Sum::default());
                parts.iter().fold(nothing, |sum, part| sum.add(&self.tokens(domain, part)))
            }
            Tokens::Difference(from, taken) => self.tokens(domain, from).minus(&self.tokens(domain, taken)),
            Tokens::Times(factor, inner) => {
                self.tokens(domain, inner).times(&Between::exactly(Sum::constant(i64::from(*factor))))
            }
            Tokens::When(_, inner) => Between { least: Sum::default(), ..self.tokens(domain, inner) },
        }
    }

    /// How many of them an arc moves, if its place is one of these.
    fn arcs<'a>(&self, arcs: impl Iterator<Item = &'a Arc>, places: &BTreeSet<u32>) -> Between {
        let mut sum = Between::exactly(Sum::default());
        for arc in arcs.filter(|arc| places.contains(&arc.place)) {
            sum = sum.add(&self.tokens(&self.net.places[arc.place as usize].domain, &arc.tokens));
        }
        sum
    }

    /// Whether a transition may put more into these places than it takes.
    fn may_add(&self, transition: &Transition, places: &BTreeSet<u32>) -> bool {
        // What goes from one of these places to another one, or back, does not change anything.
        let mut takes: Vec<&Arc> = transition.takes.iter().filter(|arc| places.contains(&arc.place)).collect();
        let mut puts = Vec::new();
        for arc in transition.puts.iter().filter(|arc| places.contains(&arc.place)) {
            match takes.iter().position(|taken| taken.tokens == arc.tokens) {
                Some(at) => drop(takes.swap_remove(at)),
                None => puts.push(arc),
            }
        }
        let takes = self.arcs(takes.into_iter(), places);
        let puts = self.arcs(puts.into_iter(), places);
        let more = puts.most.and_then(|most| most.add(&takes.least, -1));
        more.is_none_or(|more| !more.is_never_positive())
    }

    fn has_colours(&self, place: u32) -> bool {
        self.net.places[place as usize].domain.iter().any(|sort| sort.class() == self.class)
    }
}

/// How many colours of a class can ever be in a place, if that can be seen: no more than there are in the beginning in some
/// places to which none are ever added.
pub(super) fn most_in(net: &ColouredNet, place: u32, class: u32) -> Option<u64> {
    let counter = Counter { net, class };
    let mut places = BTreeSet::from([place]);
    while let Some(transition) = net.transitions.iter().find(|one| counter.may_add(one, &places)) {
        let before = places.len();
        places.extend(transition.takes.iter().map(|arc| arc.place).filter(|&place| counter.has_colours(place)));
        if places.len() == before {
            return None;
        }
    }
    let mut sum = 0_u64;
    for place in places {
        let place = &net.places[place as usize];
        for (token, times) in Evaluator::constant(net).tokens(&place.initial).ok()?.iter() {
            let of_class = place.domain.iter().zip(&token).filter(|(sort, _)| sort.class() == class);
            let colours = of_class.map(|(_, value)| match value {
                Value::Colour(_) => 1,
                Value::Bag(bag) => bag.cardinality(),
            });
            sum = sum.checked_add(colours.sum::<u64>().checked_mul(u64::from(times))?)?;
        }
    }
    Some(sum)
}
