//! The most tokens: extremes of linear functions.
//!
//! The greatest value of a sum of multiples of the tokens of the net, among the markings for which a marking of the reduced net
//! stands, is such a function of that marking. Where a place follows from others, they are put in its place; where a whole was
//! split, all its tokens are where they count most.

use super::super::{Equation, Reduction};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A linear function of the tokens of the reduced net: multiples of nodes and a constant, all divided by a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Extreme {
    /// Nodes of the reduced net, ascending, each with what it is multiplied with.
    pub terms: Vec<(u32, i64)>,
    /// What is added.
    pub constant: i64,
    /// What the sum is divided by; at least 1.
    pub divisor: i64,
}

impl Reduction {
    /// The greatest value of a sum of multiples of places of the net. Nothing if it is no linear function, because places that
    /// count most hold no more than so many, or if its numbers become too large.
    pub fn greatest(&self, terms: impl IntoIterator<Item = (u32, i64)>) -> Option<Extreme> {
        self.greatest_from(0, Extreme { terms: terms.into_iter().collect(), constant: 0, divisor: 1 })
    }

    /// The greatest number of tokens of each place of the net that is not simply that of a place of the reduced net or of
    /// a part of one, each function once. Nothing if its numbers become too large.
    pub fn greatest_of_places(&self) -> Option<Vec<Extreme>> {
        let mut of: FxHashMap<u32, Rc<Extreme>> = FxHashMap::default();
        let is_place = |node: u32| (node as usize) < self.places;
        let mut found: FxHashSet<Rc<Extreme>> = FxHashSet::default();
        // From the last equation to the first: a node that is in none of the later ones is one of the reduced net.
        for (index, equation) in self.equations.iter().enumerate().rev() {
            match equation {
                // Of the other parts of its whole, one may hold all of it.
                Equation::AtMost { .. } => {}
                Equation::Sum { whole, parts } => {
                    if let Some(most) = of.get(whole).cloned() {
                        for &part in parts {
                            if is_place(part) {
                                found.insert(most.clone());
                            }
                            of.insert(part, most.clone());
                        }
                    } else {
                        let same = Rc::new(Extreme { terms: vec![(*whole, 1)], constant: 0, divisor: 1 });
                        of.extend(parts.iter().map(|&part| (part, same.clone())));
                    }
                }
                Equation::Follows { place, factor, terms, constant } => {
                    let most = match (&terms[..], terms.first().and_then(|term| of.get(&term.0))) {
                        ([(_, 1)], Some(most)) if (*factor, *constant) == (1, 0) => most.clone(),
                        _ => {
                            let begin = Extreme { terms: terms.clone(), constant: *constant, divisor: *factor };
                            Rc::new(self.greatest_from(index + 1, begin)?)
                        }
                    };
                    if is_place(*place) {
                        found.insert(most.clone());
                    }
                    of.insert(*place, most);
                }
            }
        }
        let plain = |most: &Extreme| matches!(most.terms[..], [(_, 1)]) && (most.constant, most.divisor) == (0, 1);
        let mut found: Vec<Extreme> =
            found.into_iter().filter(|most| !plain(most)).map(|most| (*most).clone()).collect();
        found.sort_unstable_by(|a, b| (&a.terms, a.constant).cmp(&(&b.terms, b.constant)));
        Some(found)
    }

    /// The greatest value of a function of the nodes that are left before some equation.
    fn greatest_from(&self, from: usize, of: Extreme) -> Option<Extreme> {
        let Extreme { terms, mut constant, mut divisor } = of;
        let mut times: FxHashMap<u32, i64> = FxHashMap::default();
        for (node, by) in terms {
            let sum = times.entry(node).or_insert(0);
            *sum = sum.checked_add(by)?;
        }
        let mut limited: FxHashSet<u32> = FxHashSet::default();
        for equation in &self.equations[from..] {
            match equation {
                Equation::AtMost { place, .. } => {
                    limited.insert(*place);
                }
                Equation::Follows { place, factor, terms, constant: plus } => {
                    let Some(mut own) = times.remove(place).filter(|&own| own != 0) else { continue };
                    if own % factor == 0 {
                        own /= factor;
                    } else {
                        divisor = divisor.checked_mul(*factor)?;
                        constant = constant.checked_mul(*factor)?;
                        for other in times.values_mut() {
                            *other = other.checked_mul(*factor)?;
                        }
                    }
                    constant = constant.checked_add(own.checked_mul(*plus)?)?;
                    for &(node, by) in terms {
                        let sum = times.entry(node).or_insert(0);
                        *sum = sum.checked_add(own.checked_mul(by)?)?;
                    }
                }
                Equation::Sum { whole, parts } => {
                    let of = |part: &u32| times.get(part).copied().unwrap_or(0);
                    let most = parts.iter().map(of).max().unwrap_or(0);
                    // Not all tokens fit where they would count most.
                    if parts.iter().all(|part| of(part) < most || limited.contains(part)) {
                        return None;
                    }
                    parts.iter().for_each(|part| {
                        times.remove(part);
                    });
                    if most != 0 {
                        times.insert(*whole, most);
                    }
                }
            }
        }
        let mut terms: Vec<(u32, i64)> = times.into_iter().filter(|term| term.1 != 0).collect();
        terms.sort_unstable();
        Some(Extreme { terms, constant, divisor })
    }
}
