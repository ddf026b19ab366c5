//! The shape of a group of symmetries.

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
    /// Blocks in a circle.
    Ring {
        /// The blocks.
        blocks: Vec<Vec<u32>>,
    },
    /// Anything else.
    Other {
        /// Permutations that generate it, by the images of all variables.
        generators: Vec<Vec<u32>>,
    },
}

impl Part {
    /// Permutations that generate it.
    pub fn generators(&self, variables: usize) -> Vec<Vec<u32>> {
        match self {
            Part::Full { blocks } => (1..blocks.len()).map(|at| swap(&blocks[at - 1], &blocks[at], variables)).collect(),
            Part::Ring { blocks } => vec![rotation(blocks, 1, variables)],
            Part::Other { generators } => generators.clone(),
        }
    }

    /// All of its permutations, if there are no more than so many.
    pub fn elements(&self, variables: usize, most: usize) -> Option<Vec<Vec<u32>>> {
        let generators = self.generators(variables);
        let mut elements: Vec<Vec<u32>> = vec![(0..variables as u32).collect()];
        let mut seen: rustc_hash::FxHashSet<Vec<u32>> = elements.iter().cloned().collect();
        let mut at = 0;
        while at < elements.len() {
            for generator in &generators {
                let next = super::leader::after(generator, &elements[at]);
                if seen.insert(next.clone()) {
                    elements.push(next);
                }
            }
            if elements.len() > most {
                return None;
            }
            at += 1;
        }
        Some(elements)
    }
}

pub(super) fn swap(a: &[u32], b: &[u32], variables: usize) -> Vec<u32> {
    let mut images: Vec<u32> = (0..variables as u32).collect();
    for (&a, &b) in a.iter().zip(b) {
        images.swap(a as usize, b as usize);
    }
    images
}

pub(super) fn rotation(blocks: &[Vec<u32>], by: usize, variables: usize) -> Vec<u32> {
    let mut images: Vec<u32> = (0..variables as u32).collect();
    for (at, block) in blocks.iter().enumerate() {
        let next = &blocks[(at + by) % blocks.len()];
        block.iter().zip(next).for_each(|(&from, &to)| images[from as usize] = to);
    }
    images
}
