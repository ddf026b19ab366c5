//! Counting markings of a net on the markings of its reduced net.
//!
//! How many markings of the net a marking of the reduced net stands for is a function of that marking. Before the first
//! equation it is 1. An equation `p = ...` puts the right side in the place of `p`, and an equation `x = p + q` sums over all
//! ways to split `x`. So the function is a polynomial, kept as a product of [factors](Polynomial) that have few places each.
//!
//! In how many of the markings a transition of the net can fire is found in the same way, beginning with the condition that
//! each place holds what the transition needs: a lower bound for a place is a lower bound for the sum that it is part of, and
//! where a place follows from others it is implied by what the transition needs of those. Where it is not (see
//! [`Reduction::unimplied`]), those markings are taken away in which the place holds less: there are few ways to do that.

mod extreme;
mod polynomial;

pub use dashu_int::{IBig, UBig};
pub use extreme::Extreme;
pub use polynomial::{Polynomial, TooLarge};

use super::{Equation, Reduction};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// For each marking of the reduced net a number: the product of a constant and some factors where conditions on single places
/// hold, and zero elsewhere.
#[derive(Clone, Debug)]
pub struct Weights {
    /// A factor that does not depend on the marking.
    pub constant: IBig,
    /// Factors that do; their places are nodes of the reduced net.
    pub factors: Vec<Polynomial>,
    /// Conditions: nodes of the reduced net, with the least and the most that they hold.
    pub within: Vec<(u32, i64, i64)>,
}

/// What is known of the nodes while equations are worked off.
#[derive(Clone)]
struct Elimination<'r> {
    /// How many operations on terms may still be done, in all cases together.
    patience: &'r Cell<u64>,
    /// By node, the most tokens that it holds, where that is known.
    most: &'r [Option<i64>],
    constant: IBig,
    /// Factors; `None` for those that became part of others.
    factors: Vec<Option<Polynomial>>,
    /// By node, the factors that may depend on it.
    of: FxHashMap<u32, Vec<usize>>,
    /// By node, how many tokens it holds, where that is a condition.
    within: FxHashMap<u32, Within>,
}

/// A condition on the tokens of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Within {
    least: i64,
    most: i64,
    /// Whether it is what a transition needs, and nothing else: then it is implied where the node follows from others, unless
    /// the reduction says that it is not.
    is_need: bool,
}

impl Within {
    const ANY: Within = Within { least: 0, most: i64::MAX, is_need: true };

    fn is_fixed(&self) -> bool {
        self.least == self.most
    }

    /// Both conditions.
    fn and(self, other: Within) -> Within {
        Within {
            least: self.least.max(other.least),
            most: self.most.min(other.most),
            is_need: self.is_need && other.is_need,
        }
    }
}

/// Polynomials of a place that holds no more than this have no more terms than that.
const FEW_TOKENS: u32 = 48;

/// So many sets of conditions are looked at for a transition.
const MOST_CASES: usize = 512;

/// So many operations on terms are done for one sum, and so many more for each equation. No net of the contest takes more than
/// 30,000 of them, but for those that take millions: there the markings themselves are counted sooner.
const MOST_OPERATIONS: u64 = 500_000;
const OPERATIONS_OF_AN_EQUATION: u64 = 20;

impl Reduction {
    /// How many markings of the net a marking of the reduced net stands for: a sum.
    pub fn weights(&self) -> Result<Vec<Weights>, TooLarge> {
        self.cases(&[], &[])
    }

    /// In how many of the markings for which a marking of the reduced net stands a transition of the net can fire, given what
    /// it needs of the places of the net: a sum.
    pub fn weights_of(&self, transition: u32, needs: &[(u32, i64)]) -> Result<Vec<Weights>, TooLarge> {
        if self.fates.get(transition as usize) == Some(&super::Fate::Dead) {
            return Ok(Vec::new());
        }
        let from = self.unimplied.partition_point(|one| one.0 < transition);
        let to = self.unimplied.partition_point(|one| one.0 <= transition);
        self.cases(needs, &self.unimplied[from..to])
    }

    /// A sum over cases. `unimplied` has the equations at which what is needed has to be looked at.
    fn cases(&self, needs: &[(u32, i64)], unimplied: &[(u32, u32)]) -> Result<Vec<Weights>, TooLarge> {
        let needs = needs.iter().filter(|need| need.1 > 0);
        let patience = Cell::new(MOST_OPERATIONS + OPERATIONS_OF_AN_EQUATION * self.equations.len() as u64);
        let begin = Elimination {
            patience: &patience,
            most: &self.most,
            constant: IBig::ONE,
            factors: Vec::new(),
            of: FxHashMap::default(),
            within: needs.map(|&(node, least)| (node, Within { least, ..Within::ANY })).collect(),
        };
        let mut open = vec![(0usize, begin)];
        let mut done = Vec::new();
        while let Some((from, mut state)) = open.pop() {
            let mut at = from;
            state.spend(state.factors.len())?;
            while at < self.equations.len() && state.constant != IBig::ZERO {
                state.spend(1)?;
                match &self.equations[at] {
                    Equation::AtMost { place, most } => {
                        state.restrict(*place, Within { least: 0, most: *most, is_need: false });
                    }
                    Equation::Sum { whole, parts } => {
                        // At most so many is any number, without more than so many.
                        for part in parts {
                            if let Some(mut more) = state.without_most(*part) {
                                more.constant = -more.constant;
                                open.push((at, more));
                            }
                        }
                        state.sum(*whole, parts)?;
                    }
                    Equation::Follows { place, factor, terms, constant } => {
                        let is_unimplied = unimplied.binary_search_by_key(&(at as u32), |one| one.1).is_ok();
                        let condition = state.within.remove(place);
                        let matters = |one: &Within| terms.is_empty() || is_unimplied || !one.is_need;
                        if let Some(condition) = condition.filter(matters) {
                            let others = state.narrow(*factor, terms, *constant, condition)?;
                            for mut other in others {
                                other.follows(*place, *factor, terms, *constant)?;
                                open.push((at + 1, other));
                            }
                        }
                        state.follows(*place, *factor, terms, *constant)?;
                    }
                }
                if open.len() + done.len() > MOST_CASES {
                    return Err(TooLarge);
                }
                at += 1;
            }
            if state.constant != IBig::ZERO {
                done.push(state.finish());
            }
        }
        Ok(done)
    }
}

/// The most tokens that are split over the terms of an equation in all ways.
const MOST_SPLIT: i64 = 64;

/// All ways to give tokens to places so that their multiples add up to a sum.
fn ways_to(terms: &[(u32, i64)], sum: i64) -> Result<Vec<Vec<i64>>, TooLarge> {
    if sum > MOST_SPLIT || terms.iter().any(|term| term.1 <= 0) {
        return Err(TooLarge);
    }
    if sum < 0 {
        return Ok(Vec::new());
    }
    let mut ways: Vec<(Vec<i64>, i64)> = vec![(Vec::new(), sum)];
    for (_, times) in terms {
        let mut next = Vec::new();
        for (way, left) in &ways {
            for tokens in 0..=left / times {
                let mut way = way.clone();
                way.push(tokens);
                next.push((way, left - tokens * times));
            }
        }
        if next.len() > 8 * MOST_CASES {
            return Err(TooLarge);
        }
        ways = next;
    }
    Ok(ways.into_iter().filter(|way| way.1 == 0).map(|way| way.0).collect())
}

impl<'r> Elimination<'r> {
    /// Counts work, as long as there is some left to do.
    fn spend(&self, operations: usize) -> Result<(), TooLarge> {
        let left = self.patience.get().checked_sub(operations as u64).ok_or(TooLarge)?;
        self.patience.set(left);
        Ok(())
    }

    fn finish(self) -> Weights {
        let mut within: Vec<(u32, i64, i64)> =
            self.within.into_iter().map(|(node, one)| (node, one.least, one.most)).collect();
        within.sort_unstable();
        Weights { constant: self.constant, factors: self.factors.into_iter().flatten().collect(), within }
    }

    /// Adds a condition on a node.
    fn restrict(&mut self, node: u32, condition: Within) {
        let both = self.within.get(&node).copied().unwrap_or(Within::ANY).and(condition);
        if both.most < both.least {
            self.constant = IBig::ZERO;
        }
        self.within.insert(node, both);
    }

    /// Forgets that a node holds at most so many, unless it is fixed; the case in which it holds more, if there was a most.
    fn without_most(&mut self, node: u32) -> Option<Elimination<'r>> {
        let condition = self.within.get_mut(&node).filter(|one| one.most < i64::MAX && !one.is_fixed())?;
        let more = Within { least: condition.most + 1, most: i64::MAX, is_need: false };
        condition.most = i64::MAX;
        let mut other = self.clone();
        other.within.insert(node, more);
        Some(other)
    }

    /// A condition on a place that follows from others, as conditions on these: on one, or as other cases to be added.
    fn narrow(
        &mut self, factor: i64, terms: &[(u32, i64)], constant: i64, condition: Within,
    ) -> Result<Vec<Elimination<'r>>, TooLarge> {
        let Within { least, most, .. } = condition;
        let scaled = |bound: i64| bound.checked_mul(factor)?.checked_sub(constant);
        let low = scaled(least).ok_or(TooLarge)?;
        let high = if most == i64::MAX { i64::MAX } else { scaled(most).ok_or(TooLarge)? };
        match terms {
            [] if low > 0 || high < 0 => self.constant = IBig::ZERO,
            [] => {}
            [(node, 1)] => self.restrict(*node, Within { least: low.max(0), most: high, is_need: false }),
            [(node, -1)] => {
                let low_of_node = if high == i64::MAX { 0 } else { (-high).max(0) };
                self.restrict(*node, Within { least: low_of_node, most: -low, is_need: false });
            }
            _ => {
                let mut others = Vec::new();
                // Exactly these: each way is a case. At least so many: all, without the ways to have fewer.
                let (from, to, sign) = if high < i64::MAX { (low, high, 1) } else { (0, low - 1, -1) };
                for sum in from..=to {
                    for way in ways_to(terms, sum)? {
                        let mut other = self.clone();
                        other.constant *= IBig::from(sign);
                        other.fix(terms, &way);
                        others.push(other);
                    }
                    if others.len() > MOST_CASES {
                        return Err(TooLarge);
                    }
                }
                if terms.iter().any(|term| term.1 <= 0) {
                    return Err(TooLarge);
                }
                if high < i64::MAX {
                    self.constant = IBig::ZERO;
                }
                return Ok(others);
            }
        }
        Ok(Vec::new())
    }

    /// Fixes the tokens of the nodes of some terms.
    fn fix(&mut self, terms: &[(u32, i64)], tokens: &[i64]) {
        for (&(node, _), &tokens) in terms.iter().zip(tokens) {
            self.restrict(node, Within { least: tokens, most: tokens, is_need: false });
        }
    }

    /// Takes all factors out that depend on a node, as one.
    fn take(&mut self, node: u32) -> Result<Option<Polynomial>, TooLarge> {
        let mut product: Option<Polynomial> = None;
        for index in self.of.remove(&node).unwrap_or_default() {
            if let Some(factor) = self.factors[index].take() {
                product = Some(match product {
                    Some(product) => {
                        self.spend(product.terms().count() * factor.terms().count())?;
                        product.times(&factor)?
                    }
                    None => factor,
                });
            }
        }
        Ok(product)
    }

    /// A polynomial with fewer terms that is the same wherever a node holds no more than it can.
    fn tame(&self, factor: Polynomial, node: u32) -> Polynomial {
        match self.most.get(node as usize).copied().flatten().and_then(|most| u32::try_from(most).ok()) {
            Some(most) if most <= FEW_TOKENS => factor.up_to(node, most),
            _ => factor,
        }
    }

    fn put(&mut self, factor: Polynomial) {
        let factor = factor.places().into_iter().fold(factor, |factor, place| self.tame(factor, place));
        if let Some(number) = factor.as_constant() {
            self.constant *= number;
            return;
        }
        let index = self.factors.len();
        for place in factor.places() {
            self.of.entry(place).or_default().push(index);
        }
        self.factors.push(Some(factor));
    }

    /// Puts the right side of an equation in the place of a node.
    fn follows(&mut self, place: u32, factor: i64, terms: &[(u32, i64)], constant: i64) -> Result<(), TooLarge> {
        // Each by itself: they need not become one.
        for index in self.of.remove(&place).unwrap_or_default() {
            if let Some(old) = self.factors[index].take() {
                if factor != 1 && !terms.is_empty() {
                    return Err(TooLarge);
                }
                let new = old.substitute(place, terms, constant / factor)?;
                self.spend(old.terms().count() + new.terms().count())?;
                self.put(new);
            }
        }
        Ok(())
    }

    /// Sums over all ways to split a whole over its parts.
    fn sum(&mut self, whole: u32, parts: &[u32]) -> Result<(), TooLarge> {
        let (mut base, mut plain) = (0i64, 0u32);
        // A factor of some of the parts, in terms of the whole so far and of parts that come later; of the whole, what is
        // more than the least.
        let mut sum: Option<Polynomial> = None;
        let mut is_split = false;
        let mut is_need = true;
        for &part in parts {
            let condition = self.within.remove(&part).unwrap_or(Within::ANY);
            let least = condition.least;
            is_need &= condition.is_need;
            base = base.checked_add(least).ok_or(TooLarge)?;
            let factor = self.take(part)?;
            if condition.is_fixed() {
                let factor = factor.map(|factor| factor.substitute(part, &[], least)).transpose()?;
                sum = match (sum.map(|sum| sum.substitute(part, &[], least)).transpose()?, factor) {
                    (Some(sum), Some(factor)) => Some(sum.times(&factor)?),
                    (None, Some(factor)) => {
                        self.put(factor);
                        None
                    }
                    (sum, None) => sum,
                };
                continue;
            }
            is_split = true;
            sum = match (sum, factor) {
                (None, None) => {
                    plain += 1;
                    None
                }
                (None, Some(factor)) => Some(factor.shift(part, least)?.rename(part, whole)),
                (Some(sum), None) if !sum.depends_on(part) => {
                    plain += 1;
                    Some(sum)
                }
                (Some(sum), factor) => {
                    let terms = factor.as_ref().map_or(1, |factor| factor.terms().count());
                    self.spend(terms * sum.terms().count())?;
                    let product = factor.map_or(Ok(sum.clone()), |factor| factor.times(&sum))?;
                    Some(self.tame(product.shift(part, least)?.sum_over(whole, part)?, whole))
                }
            };
        }
        if !is_split {
            self.within.insert(whole, Within { least: base, most: base, is_need });
        } else if base > 0 {
            self.within.insert(whole, Within { least: base, most: i64::MAX, is_need });
        }
        let sum = match sum {
            Some(sum) => sum.spread(whole, plain),
            None => Polynomial::one().spread(whole, plain.saturating_sub(1)),
        };
        let sum = sum.shift(whole, base.checked_neg().ok_or(TooLarge)?)?;
        self.spend(sum.terms().count())?;
        self.put(sum);
        Ok(())
    }
}
