//! Guards and tokens of a transition in a case: what they say of bags is worked out, and bags within tokens are flattened.

use super::super::evaluate::Evaluator;
use super::super::expression::{BagExpression, Cardinality, Element, Guard, Term, Tokens};
use super::super::value::TooMany;
use super::super::visit::Leaf;
use super::super::{ColouredNet, Sort};
use super::TooLarge;
use super::case::{Case, Known};
use super::shape::{Shape, shape_of};
use crate::expression::Comparison;
use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// Tuples that one tuple becomes at most.
const MOST_TUPLES: usize = 100_000;

/// The bags whose contents must be known, by those that must be known together: what is compared in guards.
pub(super) fn pieces_of_guard<'e>(guard: &'e Guard, pieces: &mut Vec<Vec<&'e BagExpression>>) {
    match guard {
        Guard::Constant(_) | Guard::Compare(..) | Guard::Member(..) => {}
        Guard::Cardinality(_, left, right) => {
            for side in [left, right] {
                if let Cardinality::Of(bag) = side
                    && !is_sum(bag)
                {
                    pieces.push(vec![bag]);
                }
            }
        }
        Guard::Included(one, other) | Guard::SameBag(one, other) => pieces.push(vec![one, other]),
        Guard::Not(inner) => pieces_of_guard(inner, pieces),
        Guard::And(parts) | Guard::Or(parts) => parts.iter().for_each(|part| pieces_of_guard(part, pieces)),
    }
}

/// The same in tokens: bags that are held by one, but for whole bags of the binding.
pub(super) fn pieces_of_tokens<'e>(tokens: &'e Tokens, known: &Known<'_>, pieces: &mut Vec<Vec<&'e BagExpression>>) {
    match tokens {
        Tokens::Tuple(elements) => {
            for element in elements {
                if let Element::Whole(bag) = element
                    && has_variables(bag)
                    && known.whole(bag).is_none()
                {
                    pieces.push(vec![bag]);
                }
            }
        }
        Tokens::Sum(parts) => parts.iter().for_each(|part| pieces_of_tokens(part, known, pieces)),
        Tokens::Difference(from, taken) => {
            [from, taken].into_iter().for_each(|part| pieces_of_tokens(part, known, pieces))
        }
        Tokens::Times(_, inner) => pieces_of_tokens(inner, known, pieces),
        Tokens::When(guard, inner) => {
            pieces_of_guard(guard, pieces);
            pieces_of_tokens(inner, known, pieces);
        }
    }
}

/// Whether nothing is taken out: then how much is in it is a sum.
fn is_sum(bag: &BagExpression) -> bool {
    match bag {
        BagExpression::One(_) | BagExpression::All(_) | BagExpression::Variable(_) => true,
        BagExpression::Sum(parts) => parts.iter().all(is_sum),
        BagExpression::Difference(..) => false,
        BagExpression::Times(_, inner) => is_sum(inner),
    }
}

pub(super) fn has_variables(bag: &BagExpression) -> bool {
    let mut found = false;
    bag.leaves(&mut |leaf| found |= leaf.variable().is_some());
    found
}

/// What guards and tokens are in some cases, one of each cluster.
pub(super) struct Resolver<'r> {
    pub net: &'r ColouredNet,
    pub known: &'r Known<'r>,
    pub cases: &'r [Case],
}

impl From<TooMany> for TooLarge {
    fn from(_: TooMany) -> TooLarge {
        TooLarge
    }
}

impl Resolver<'_> {
    /// The case that speaks of the terms of some bags.
    fn case(&self, bags: &[&BagExpression]) -> Result<Cow<'_, Case>, TooLarge> {
        let (mut first, mut sets) = (None, Vec::new());
        for bag in bags {
            bag.leaves(&mut |leaf| match leaf {
                Leaf::Term(term) => first = first.or(Some(term)),
                Leaf::Set(set) if !sets.contains(&set) => sets.push(set),
                _ => {}
            });
        }
        match first {
            Some(term) => self.cases.iter().find(|case| case.has(term)).map(Cow::Borrowed).ok_or(TooLarge),
            None => Ok(Cow::Owned(Case::without_terms(self.net, sets))),
        }
    }

    fn cardinality(&self, number: &Cardinality) -> Result<u64, TooLarge> {
        match number {
            Cardinality::Constant(number) => Ok(*number),
            Cardinality::Of(bag) if is_sum(bag) => self.sum(bag),
            Cardinality::Of(bag) => {
                let case = self.case(&[bag])?;
                Ok(case.cardinality(&case.contents(bag)?))
            }
        }
    }

    fn sum(&self, bag: &BagExpression) -> Result<u64, TooLarge> {
        match bag {
            BagExpression::One(_) => Ok(1),
            BagExpression::All(set) => {
                let ranges = self.net.classes[set.class as usize].ranges(set.subclass);
                Ok(ranges.iter().map(|&(first, end)| u64::from(end - first)).sum())
            }
            BagExpression::Sum(parts) => {
                parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(self.sum(part)?).ok_or(TooLarge))
            }
            BagExpression::Times(factor, inner) => self.sum(inner)?.checked_mul(u64::from(*factor)).ok_or(TooLarge),
            BagExpression::Variable(_) | BagExpression::Difference(..) => Err(TooLarge),
        }
    }

    /// How two terms compare, if that is so in all bindings of these cases.
    fn compare(&self, one: &Term, other: &Term) -> Option<Ordering> {
        self.cases.iter().find_map(|case| case.compare(one, other)).or_else(|| self.known.certain(one, other))
    }

    /// A guard without bags.
    pub fn guard(&self, guard: &Guard) -> Result<Guard, TooLarge> {
        Ok(match guard {
            Guard::Constant(value) => Guard::Constant(*value),
            Guard::Compare(comparison, left, right) => match self.compare(left, right) {
                Some(how) => Guard::Constant(holds(*comparison, how)),
                None => guard.clone(),
            },
            Guard::Member(term, set) => {
                let known = self.cases.iter().find_map(|case| case.is_in(term, *set));
                known.map_or_else(|| guard.clone(), Guard::Constant)
            }
            Guard::Cardinality(comparison, left, right) => {
                Guard::Constant(comparison.holds(&self.cardinality(left)?, &self.cardinality(right)?))
            }
            Guard::Included(part, whole) => {
                let case = self.case(&[part, whole])?;
                Guard::Constant(case.contents(part)?.is_included_in(&case.contents(whole)?))
            }
            Guard::SameBag(left, right) => {
                let case = self.case(&[left, right])?;
                Guard::Constant(case.contents(left)? == case.contents(right)?)
            }
            Guard::Not(inner) => match self.guard(inner)? {
                Guard::Constant(value) => Guard::Constant(!value),
                Guard::Not(inner) => *inner,
                inner => Guard::Not(Box::new(inner)),
            },
            Guard::And(parts) => all_of(parts.iter().map(|part| self.guard(part)).collect::<Result<_, _>>()?),
            Guard::Or(parts) => {
                let mut left = Vec::new();
                for part in parts {
                    match self.guard(part)? {
                        Guard::Constant(false) => {}
                        Guard::Constant(true) => return Ok(Guard::Constant(true)),
                        part => left.push(part),
                    }
                }
                match left.len() {
                    0 => Guard::Constant(false),
                    1 => left.remove(0),
                    _ => Guard::Or(left),
                }
            }
        })
    }

    /// The shape and the colours of a bag.
    fn whole(&self, class: u32, bag: &BagExpression) -> Result<(Shape, Vec<Term>), TooLarge> {
        if !has_variables(bag) {
            // Terms without a value have been sorted out.
            let (shape, colours) = shape_of(&Evaluator::constant(self.net).bag(bag).map_err(|_| TooLarge)?);
            return Ok((shape, colours.into_iter().map(|colour| Term::Constant { class, colour }).collect()));
        }
        if let Some(members) = self.known.whole(bag) {
            return Ok(members.into_iter().unzip());
        }
        let case = self.case(&[bag])?;
        let mut members = case.members(&case.contents(bag)?).ok_or(TooLarge)?;
        members.sort_by_key(|(times, _)| Reverse(*times));
        Ok(members.into_iter().unzip())
    }

    /// The tokens that go to each flattened domain, by the shapes of the bags of the tokens.
    pub fn tokens(&self, domain: &[Sort], tokens: &Tokens) -> Result<BTreeMap<Vec<Shape>, Tokens>, TooLarge> {
        let mut found: BTreeMap<Vec<Shape>, Tokens> = BTreeMap::new();
        match tokens {
            Tokens::Tuple(elements) => {
                let (shapes, tokens) = self.tuple(domain, elements)?;
                found.extend(tokens.map(|tokens| (shapes, tokens)));
            }
            Tokens::Sum(parts) => {
                for part in parts {
                    for (shapes, tokens) in self.tokens(domain, part)? {
                        let sum = found.entry(shapes).or_insert_with(Tokens::none);
                        add(sum, tokens);
                    }
                }
            }
            Tokens::Difference(from, taken) => {
                let mut taken = self.tokens(domain, taken)?;
                for (shapes, from) in self.tokens(domain, from)? {
                    let tokens = match taken.remove(&shapes) {
                        Some(taken) => Tokens::Difference(Box::new(from), Box::new(taken)),
                        None => from,
                    };
                    found.insert(shapes, tokens);
                }
            }
            Tokens::Times(0, _) => {}
            Tokens::Times(factor, inner) => {
                for (shapes, tokens) in self.tokens(domain, inner)? {
                    found.insert(shapes, times(*factor, tokens));
                }
            }
            Tokens::When(guard, inner) => {
                let guard = self.guard(guard)?;
                if guard == Guard::Constant(false) {
                    return Ok(found);
                }
                for (shapes, tokens) in self.tokens(domain, inner)? {
                    let tokens = match &guard {
                        Guard::Constant(_) => tokens,
                        guard => Tokens::When(Box::new(guard.clone()), Box::new(tokens)),
                    };
                    found.insert(shapes, tokens);
                }
            }
        }
        Ok(found)
    }

    /// A tuple with its bags flattened, as a sum of tuples of single terms where it can be. Nothing if it is always empty.
    fn tuple(&self, domain: &[Sort], elements: &[Element]) -> Result<(Vec<Shape>, Option<Tokens>), TooLarge> {
        let mut shapes = Vec::new();
        let mut tuples: Vec<(u32, Vec<Element>)> = vec![(1, Vec::new())];
        for (sort, element) in domain.iter().zip(elements) {
            let choices = match element {
                Element::Whole(bag) => {
                    let (shape, terms) = self.whole(sort.class(), bag)?;
                    shapes.push(shape);
                    let flat = terms.into_iter().map(|term| Element::Each(BagExpression::One(term)));
                    vec![(1, flat.collect::<Vec<Element>>())]
                }
                Element::Each(bag) => {
                    let mut parts = Vec::new();
                    parts_of(bag, 1, &mut parts)?;
                    parts.into_iter().map(|(times, part)| (times, vec![Element::Each(part)])).collect()
                }
            };
            if tuples.len().saturating_mul(choices.len()) > MOST_TUPLES {
                return Err(TooLarge);
            }
            let mut longer = Vec::new();
            for (times, tuple) in &tuples {
                for (more, elements) in &choices {
                    let times = times.checked_mul(*more).ok_or(TooLarge)?;
                    longer.push((times, tuple.iter().chain(elements).cloned().collect()));
                }
            }
            tuples = longer;
        }
        let mut sum = Tokens::none();
        for (factor, tuple) in tuples {
            add(&mut sum, times(factor, Tokens::Tuple(tuple)));
        }
        Ok((shapes, (sum != Tokens::none()).then_some(sum)))
    }
}

/// The summands of a bag with how often they are there.
fn parts_of(bag: &BagExpression, factor: u32, parts: &mut Vec<(u32, BagExpression)>) -> Result<(), TooLarge> {
    match bag {
        BagExpression::Sum(summands) => summands.iter().try_for_each(|part| parts_of(part, factor, parts)),
        BagExpression::Times(0, _) => Ok(()),
        BagExpression::Times(more, inner) => parts_of(inner, factor.checked_mul(*more).ok_or(TooLarge)?, parts),
        bag => {
            parts.push((factor, bag.clone()));
            Ok(())
        }
    }
}

fn times(factor: u32, tokens: Tokens) -> Tokens {
    match factor {
        1 => tokens,
        _ => Tokens::Times(factor, Box::new(tokens)),
    }
}

/// Adds tokens to a sum, which stays as flat as it can be.
fn add(sum: &mut Tokens, tokens: Tokens) {
    match (sum, tokens) {
        (Tokens::Sum(parts), Tokens::Sum(more)) => parts.extend(more),
        (sum @ Tokens::Sum(_), tokens) if *sum == Tokens::none() => *sum = tokens,
        (Tokens::Sum(parts), tokens) => parts.push(tokens),
        (sum, tokens) => {
            let first = std::mem::replace(sum, Tokens::none());
            *sum = Tokens::Sum(vec![first]);
            add(sum, tokens);
        }
    }
}

/// Whether a comparison holds between colours that compare so.
fn holds(comparison: Comparison, how: Ordering) -> bool {
    comparison.holds(&how, &Ordering::Equal)
}

/// All of them, with those left out that say nothing.
pub(super) fn all_of(parts: Vec<Guard>) -> Guard {
    let mut left = Vec::new();
    for part in parts {
        match part {
            Guard::Constant(true) => {}
            Guard::Constant(false) => return Guard::Constant(false),
            Guard::And(inner) => left.extend(inner),
            part => left.push(part),
        }
    }
    match left.len() {
        0 => Guard::Constant(true),
        1 => left.remove(0),
        _ => Guard::And(left),
    }
}
