//! The most tokens: extremes of linear functions.
//!
//! The greatest value of a sum of multiples of the tokens of the net, among the markings for which a marking of the reduced net
//! stands, is such a function of that marking. Where a place follows from others, they are put in its place; where a whole was
//! split, all its tokens are where they count most.

use super::super::{Equation, Reduction};
use rustc_hash::FxHashMap;

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
    /// The greatest value of a sum of multiples of places of the net. Nothing if its numbers become too large.
    pub fn greatest(&self, terms: impl IntoIterator<Item = (u32, i64)>) -> Option<Extreme> {
        let mut times: FxHashMap<u32, i64> = terms.into_iter().collect();
        let (mut constant, mut divisor) = (0i64, 1i64);
        for equation in &self.equations {
            match equation {
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
                    let most = parts.iter().map(|part| times.remove(part).unwrap_or(0)).max().unwrap_or(0);
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
