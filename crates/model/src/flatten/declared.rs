//! Symmetries that a composite declares for its instances, as symmetries of the variables.
//!
//! Where an instance takes the place of another, each of its variables takes the place of the same variable of the other.

use crate::symmetry::{DeclaredGroup, DeclaredSymmetry};
use crate::system::System;

/// What the main type declares of its instances, about the variables of a state. What instances declare of themselves is
/// not about the whole.
pub(super) fn over_variables(system: &System, sizes: &[usize]) -> Vec<DeclaredSymmetry> {
    let main = system.main_type();
    let mut variables: Vec<std::ops::Range<u32>> = Vec::with_capacity(main.instances().len());
    let mut end = 0;
    for instance in main.instances() {
        let start = end;
        end += sizes[instance.type_index] as u32;
        variables.push(start..end);
    }
    let of = |instance: &u32| variables.get(*instance as usize).cloned().unwrap_or_default();
    let block = |instances: &Vec<u32>| -> Vec<u32> { instances.iter().flat_map(of).collect() };
    let cycles = |cycle: &Vec<u32>| -> Vec<Vec<u32>> {
        let ranges: Vec<_> = cycle.iter().map(of).collect();
        let length = ranges.iter().map(ExactSizeIterator::len).min().unwrap_or(0) as u32;
        (0..length).map(|at| ranges.iter().map(|range| range.start + at).collect()).collect()
    };
    let group = |group: &DeclaredGroup| match group {
        DeclaredGroup::Interchangeable(blocks) => DeclaredGroup::Interchangeable(blocks.iter().map(block).collect()),
        DeclaredGroup::Ring(blocks) => DeclaredGroup::Ring(blocks.iter().map(block).collect()),
        DeclaredGroup::Generated(permutations) => {
            let moved = permutations.iter().map(|permutation| permutation.iter().flat_map(cycles).collect());
            DeclaredGroup::Generated(moved.collect())
        }
    };
    let declared = main.symmetries().iter();
    declared.map(|one| DeclaredSymmetry { group: group(&one.group), ..one.clone() }).collect()
}
