//! Indices of which all permutations are symmetries, where variables have several of them.
//!
//! Swaps of neighbouring indices are involutions of which two neighbours have a product of order three, and all others
//! commute. These are the relations of the symmetric group, so a longest such chain generates one.

use std::collections::VecDeque;

use mandala_group::Permutation;
use rustc_hash::FxHashMap;

use super::Part;

/// So many involutions are looked at.
const LARGEST: usize = 2000;

/// The full group on some indices.
pub(super) struct Indices {
    /// Each exchanges an index with the next.
    swaps: Vec<Permutation>,
    /// The swap of any two indices, the smaller one first.
    between: FxHashMap<(usize, usize), Permutation>,
    /// Which indices a swap exchanges.
    exchanged: FxHashMap<Permutation, (usize, usize)>,
}

impl Indices {
    /// All permutations of four and more indices, if some involutions of a class are swaps of these.
    pub fn find(involutions: &[Permutation]) -> Option<Indices> {
        let involutions = &involutions[..involutions.len().min(LARGEST)];
        let mut swaps = VecDeque::from([involutions.first()?.clone()]);
        while let Some(next) = involutions.iter().find(|one| continues(one, swaps.iter().rev())) {
            swaps.push_back(next.clone());
        }
        while let Some(next) = involutions.iter().find(|one| continues(one, swaps.iter())) {
            swaps.push_front(next.clone());
        }
        (swaps.len() >= 3).then(|| Indices::new(swaps.into()))
    }

    fn new(swaps: Vec<Permutation>) -> Indices {
        let mut between = FxHashMap::default();
        for first in 0..swaps.len() {
            let mut swap = swaps[first].clone();
            for last in first + 1..=swaps.len() {
                between.insert((first, last), swap.clone());
                if let Some(next) = swaps.get(last) {
                    swap = swap.conjugate(next);
                }
            }
        }
        let exchanged = between.iter().map(|(&pair, swap)| (swap.clone(), pair)).collect();
        Indices { swaps, between, exchanged }
    }

    pub fn part(self) -> Part {
        Part::Indices { swaps: self.swaps }
    }

    /// The permutation after it is undone how it permutes the indices; as it is if it does something else to them.
    pub fn divide(&self, permutation: Permutation) -> Permutation {
        let image = |swap: &Permutation| self.exchanged.get(&swap.conjugate(&permutation)).copied();
        let Some(pairs) = self.swaps.iter().map(image).collect::<Option<Vec<_>>>() else { return permutation };
        // An index is what the swaps with its two neighbours have in common.
        let common = |one: (usize, usize), other: (usize, usize)| {
            if one.0 == other.0 || one.0 == other.1 { one.0 } else { one.1 }
        };
        let mut images: Vec<usize> = pairs.windows(2).map(|pair| common(pair[0], pair[1])).collect();
        let other_end = |pair: (usize, usize), end: usize| pair.0 + pair.1 - end;
        images.insert(0, other_end(pairs[0], images[0]));
        images.push(other_end(pairs[pairs.len() - 1], images[images.len() - 1]));
        let mut rest = permutation;
        for index in 0..images.len() {
            let image = images[index];
            let Some(swap) = self.between.get(&(index.min(image), index.max(image))) else { continue };
            rest = rest.then(swap);
            for other in &mut images {
                *other = match *other {
                    one if one == index => image,
                    one if one == image => index,
                    one => one,
                };
            }
        }
        rest
    }
}

/// Whether an involution has a product of order three with the first of others, and commutes with the rest.
fn continues<'a>(one: &Permutation, mut others: impl Iterator<Item = &'a Permutation>) -> bool {
    let Some(first) = others.next() else { return false };
    braids(one, first) && others.all(|other| other != one && other.conjugate(one) == *other)
}

/// Whether the product of two different involutions has order three.
fn braids(one: &Permutation, other: &Permutation) -> bool {
    one.conjugate(other) == other.conjugate(one) && one != other
}
