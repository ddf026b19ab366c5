//! The shape of a group of symmetries.

use mandala_group::{Group, Permutation};

/// Symmetries that together generate a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Blocks that can be permuted at will; all list their variables alike.
    Full {
        /// The blocks.
        blocks: Vec<Vec<u32>>,
    },
    /// Blocks in a circle; all list their variables alike.
    Ring {
        /// The blocks.
        blocks: Vec<Vec<u32>>,
        /// A symmetry that turns the circle over, if there is one.
        reflection: Option<Permutation>,
    },
    /// Anything else.
    Other {
        /// Permutations that generate it.
        generators: Vec<Permutation>,
    },
}

/// How many operations it may take to write out a group.
const PATIENCE: u64 = 10_000_000;

impl Shape {
    /// Permutations that generate the group.
    pub fn generators(&self) -> Vec<Permutation> {
        self.parts.iter().flat_map(Part::generators).collect()
    }
}

impl Part {
    /// Permutations that generate it.
    pub fn generators(&self) -> Vec<Permutation> {
        match self {
            Part::Full { blocks } => swaps(blocks),
            Part::Ring { blocks, reflection } => [rotation(blocks, 1)].into_iter().chain(reflection.clone()).collect(),
            Part::Other { generators } => generators.clone(),
        }
    }

    /// Its blocks, if it has some.
    pub fn blocks(&self) -> &[Vec<u32>] {
        match self {
            Part::Full { blocks } | Part::Ring { blocks, .. } => blocks,
            Part::Other { .. } => &[],
        }
    }

    /// All of its permutations, if there are no more than so many; the identity is the first.
    pub fn elements(&self, most: usize) -> Option<Vec<Permutation>> {
        let mut elements = Group::new(&self.generators(), PATIENCE)?.elements(most)?;
        elements.sort_unstable();
        Some(elements)
    }
}

/// The exchanges of neighbours.
pub(super) fn swaps(blocks: &[Vec<u32>]) -> Vec<Permutation> {
    let swap = |two: &[Vec<u32>]| of_moves(two[0].iter().zip(&two[1]).flat_map(|(&a, &b)| [(a, b), (b, a)]));
    blocks.windows(2).map(swap).collect()
}

/// Each block in the place of the one that is so many further on.
fn rotation(blocks: &[Vec<u32>], by: usize) -> Permutation {
    let next = blocks.iter().cycle().skip(by);
    of_moves(blocks.iter().zip(next).flat_map(|(block, next)| block.iter().copied().zip(next.iter().copied())))
}

/// Blocks are disjoint, and all have the same number of variables: what they give are permutations.
fn of_moves(moves: impl Iterator<Item = (u32, u32)>) -> Permutation {
    Permutation::from_moves(moves.collect()).unwrap_or_default()
}
