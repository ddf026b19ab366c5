//! Indices of which all permutations are symmetries, where variables have several of them.
//!
//! Swaps of neighbouring indices are involutions of which two neighbours have a product of order three, and all others
//! commute. These are the relations of the symmetric group, so a longest such chain generates one.

use mandala_group::Permutation;

use super::Part;

/// So many involutions are looked at.
const LARGEST: usize = 2000;

/// All permutations of four and more indices, if some involutions of a class are swaps of these.
pub(super) fn find(involutions: &[Permutation]) -> Option<Part> {
    let involutions = &involutions[..involutions.len().min(LARGEST)];
    let mut swaps = std::collections::VecDeque::from([involutions.first()?.clone()]);
    while let Some(next) = involutions.iter().find(|one| continues(one, swaps.iter().rev())) {
        swaps.push_back(next.clone());
    }
    while let Some(next) = involutions.iter().find(|one| continues(one, swaps.iter())) {
        swaps.push_front(next.clone());
    }
    (swaps.len() >= 3).then(|| Part::Indices { swaps: swaps.into() })
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
