//! Two blocks that can be exchanged.
//!
//! An involution of which nothing else is known exchanges two blocks. Which of two variables belongs to which block is
//! ours to say.

use mandala_group::Permutation;
use rustc_hash::FxHashSet;

use super::full::{Full, Groups};

/// Adds the involutions that stand alone.
pub(super) fn add(groups: &mut Groups, involutions: &[Permutation], generators: &[Permutation]) {
    for one in involutions {
        if groups.divide(one) == *one && stands_alone(one, groups, generators) {
            groups.push(Full::new(blocks(one, generators)));
        }
    }
}

/// Whether whatever renames the variables of an involution leaves it alone, but for swaps of known groups, or makes
/// another of it that has nothing in common with it.
fn stands_alone(one: &Permutation, groups: &Groups, generators: &[Permutation]) -> bool {
    generators.iter().all(|other| {
        let renamed = one.conjugate(other);
        renamed == *one
            || renamed.support().all(|point| one.fixes(point))
            || groups.divide(&one.then(&renamed)).is_identity()
    })
}

/// The blocks that an involution exchanges. What commutes with it carries over which of two variables is in which.
fn blocks(one: &Permutation, generators: &[Permutation]) -> Vec<Vec<u32>> {
    let carriers: Vec<&Permutation> =
        generators.iter().filter(|other| *other != one && one.conjugate(other) == *one).collect();
    let mut blocks = vec![Vec::new(), Vec::new()];
    let mut seen = FxHashSet::default();
    for &(point, _) in one.moves() {
        let mut open = vec![point];
        while let Some(point) = open.pop() {
            if one.fixes(point) || seen.contains(&point) {
                continue;
            }
            let partner = one.image(point);
            seen.extend([point, partner]);
            blocks[0].push(point);
            blocks[1].push(partner);
            open.extend(carriers.iter().map(|carrier| carrier.image(point)));
        }
    }
    blocks
}
