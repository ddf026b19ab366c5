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
struct Elimination {
    constant: IBig,
    /// Factors; `None` for those that became part of others.
    factors: Vec<Option<Polynomial>>,
    /// By node, the factors that may depend on it.
    of: FxHashMap<u32, Vec<usize>>,
    /// By node, the least and the most that it holds, where that is a condition.
    within: FxHashMap<u32, (i64, i64)>,
}

/// So many sets of conditions are looked at for a transition.
const MOST_CASES: usize = 512;

impl Reduction {
    /// How many markings of the net a marking of the reduced net stands for.
    pub fn weights(&self) -> Result<Weights, TooLarge> {
        let mut all = self.cases(&[], &[])?;
        all.pop().ok_or(TooLarge)
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
        let within = needs.iter().filter(|need| need.1 > 0).map(|&(node, least)| (node, (least, i64::MAX)));
        let begin = Elimination {
            constant: IBig::ONE,
            factors: Vec::new(),
            of: FxHashMap::default(),
            within: within.collect(),
        };
        let mut open = vec![(0usize, begin)];
        let mut done = Vec::new();
        while let Some((from, mut state)) = open.pop() {
            let mut at = from;
            while at < self.equations.len() && state.constant != IBig::ZERO {
                match &self.equations[at] {
                    Equation::Sum { whole, parts } => state.sum(*whole, parts)?,
                    Equation::Follows { place, factor, terms, constant } => {
                        let is_unimplied = unimplied.binary_search_by_key(&(at as u32), |one| one.1).is_ok();
                        let condition = state.within.remove(place);
                        match condition {
                            Some((least, most)) if terms.is_empty() => {
                                let value = constant / factor;
                                if value < least || value > most {
                                    state.constant = IBig::ZERO;
                                }
                            }
                            // The place holds exactly so much: one case for each way to do that.
                            Some((least, most)) if most < i64::MAX => {
                                let mut ways = Vec::new();
                                for value in least..=most {
                                    let sum = value.checked_mul(*factor).and_then(|sum| sum.checked_sub(*constant));
                                    ways.extend(ways_to(terms, sum.ok_or(TooLarge)?)?);
                                }
                                for way in ways {
                                    let mut case = state.clone();
                                    case.fix(terms, &way);
                                    case.follows(*place, *factor, terms, *constant)?;
                                    open.push((at + 1, case));
                                }
                                state.constant = IBig::ZERO;
                            }
                            // All cases, without those in which it holds less.
                            Some((least, _)) if is_unimplied => {
                                let lowest = terms.iter().all(|term| term.1 > 0).then_some(constant).ok_or(TooLarge)?;
                                let below = least.checked_mul(*factor).ok_or(TooLarge)?;
                                for value in *lowest..below {
                                    for way in ways_to(terms, value - constant)? {
                                        let mut case = state.clone();
                                        case.constant = -case.constant;
                                        case.fix(terms, &way);
                                        case.follows(*place, *factor, terms, *constant)?;
                                        open.push((at + 1, case));
                                    }
                                }
                            }
                            _ => {}
                        }
                        if open.len() + done.len() > MOST_CASES {
                            return Err(TooLarge);
                        }
                        state.follows(*place, *factor, terms, *constant)?;
                    }
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

impl Elimination {
    fn finish(self) -> Weights {
        let mut within: Vec<(u32, i64, i64)> =
            self.within.into_iter().map(|(node, (least, most))| (node, least, most)).collect();
        within.sort_unstable();
        Weights { constant: self.constant, factors: self.factors.into_iter().flatten().collect(), within }
    }

    /// Fixes the tokens of the nodes of some terms.
    fn fix(&mut self, terms: &[(u32, i64)], tokens: &[i64]) {
        for (&(node, _), &tokens) in terms.iter().zip(tokens) {
            let (least, most) = self.within.get(&node).copied().unwrap_or((0, i64::MAX));
            if tokens < least || tokens > most {
                self.constant = IBig::ZERO;
            }
            self.within.insert(node, (tokens, tokens));
        }
    }

    /// Takes all factors out that depend on a node, as one.
    fn take(&mut self, node: u32) -> Result<Option<Polynomial>, TooLarge> {
        let mut product: Option<Polynomial> = None;
        for index in self.of.remove(&node).unwrap_or_default() {
            if let Some(factor) = self.factors[index].take() {
                product = Some(match product {
                    Some(product) => product.times(&factor)?,
                    None => factor,
                });
            }
        }
        Ok(product)
    }

    fn put(&mut self, factor: Polynomial) {
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
                self.put(old.substitute(place, terms, constant / factor)?);
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
        for &part in parts {
            let (least, most) = self.within.remove(&part).unwrap_or((0, i64::MAX));
            base = base.checked_add(least).ok_or(TooLarge)?;
            let factor = self.take(part)?;
            if most < i64::MAX {
                // Only fixed nodes have a most.
                if most != least {
                    return Err(TooLarge);
                }
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
                    let product = factor.map_or(Ok(sum.clone()), |factor| factor.times(&sum))?;
                    Some(product.shift(part, least)?.sum_over(whole, part)?)
                }
            };
        }
        if !is_split {
            self.within.insert(whole, (base, base));
        } else if base > 0 {
            self.within.insert(whole, (base, i64::MAX));
        }
        let sum = match sum {
            Some(sum) => sum.spread(whole, plain),
            None => Polynomial::one().spread(whole, plain.saturating_sub(1)),
        };
        self.put(sum.shift(whole, base.checked_neg().ok_or(TooLarge)?)?);
        Ok(())
    }
}
