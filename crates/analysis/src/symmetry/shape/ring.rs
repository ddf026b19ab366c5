//! Rings of blocks: one rotation, and perhaps a reflection, generate everything.

use std::collections::VecDeque;

use mandala_group::Permutation;
use rustc_hash::FxHashSet;

use super::Part;

/// The ring whose rotations, and perhaps reflections, are what some permutations generate; nothing if they do something
/// else, or if it takes more than so many operations to see.
pub(super) fn find(generators: &[Permutation], budget: u64) -> Option<Part> {
    let elements = elements(generators, budget)?;
    let rotation = elements.iter().filter(|one| is_even(one)).max_by_key(|one| cycle_length(one))?;
    let length = cycle_length(rotation);
    let is_ring = elements.len() == length;
    let turned = rotation.inverse();
    let reflection = elements.iter().find(|one| {
        !one.is_identity() && one.then(one).is_identity() && rotation.conjugate(one) == turned && **one != turned
    });
    let is_turned = elements.len() == 2 * length && reflection.is_some();
    if length < 3 || !(is_ring || is_turned) {
        return None;
    }
    let blocks = blocks(rotation, length);
    Some(Part::Ring { blocks, reflection: if is_turned { reflection.cloned() } else { None } })
}

/// All elements; nothing if they move more than so many points together.
fn elements(generators: &[Permutation], budget: u64) -> Option<Vec<Permutation>> {
    let mut budget = budget;
    // A ring has not more rotations and reflections than twice its variables.
    let mut variables: Vec<u32> = generators.iter().flat_map(Permutation::support).collect();
    variables.sort_unstable();
    variables.dedup();
    let most = 2 * variables.len();
    let mut known = FxHashSet::default();
    let mut open = VecDeque::from([Permutation::identity()]);
    let mut elements = vec![Permutation::identity()];
    known.insert(Permutation::identity());
    while let Some(one) = open.pop_front() {
        for generator in generators {
            let product = one.then(generator);
            budget = budget.checked_sub(product.moves().len() as u64 + 1)?;
            if known.insert(product.clone()) {
                open.push_back(product.clone());
                elements.push(product);
            }
            if elements.len() > most {
                return None;
            }
        }
    }
    Some(elements)
}

/// Whether all cycles are equally long.
fn is_even(one: &Permutation) -> bool {
    let cycles = one.cycles();
    cycles.windows(2).all(|pair| pair[0].len() == pair[1].len())
}

fn cycle_length(one: &Permutation) -> usize {
    one.cycles().first().map_or(1, Vec::len)
}

/// The blocks that a rotation maps to each other. The first has the least variable of each cycle.
fn blocks(rotation: &Permutation, length: usize) -> Vec<Vec<u32>> {
    let cycles = rotation.cycles();
    (0..length).map(|index| cycles.iter().map(|cycle| cycle[index]).collect()).collect()
}
