//! Symmetries that a model says it has.
//!
//! A symmetry is a *permutation* of the variables of a type (of the places of a net, of the instances of a composite): the
//! value of each goes to another, and what the type does stays the same. What is declared here is a promise, not a fact:
//! whoever relies on it checks it.

use crate::text::Span;

/// A group of symmetries with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredSymmetry {
    /// Its name.
    pub name: String,
    /// Which permutations there are.
    pub group: DeclaredGroup,
    /// Where it is written.
    pub span: Span,
}

/// Permutations of the variables, places or instances of a type, each an index.
///
/// The blocks of a group have the same length and share nothing: where a block goes to another, the first of its members
/// goes to the first of the other, and so on. In a composite, what goes to each other has the same type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclaredGroup {
    /// Blocks that may be put in any order.
    Interchangeable(Vec<Vec<u32>>),
    /// Blocks that may be turned: all of them go to the next, and the last goes to the first.
    Ring(Vec<Vec<u32>>),
    /// All that some permutations generate.
    Generated(Vec<Cycles>),
}

/// A permutation as cycles that share nothing: each member goes to the next of its cycle, the last to the first.
pub type Cycles = Vec<Vec<u32>>;

impl DeclaredSymmetry {
    /// Permutations that generate the group: for interchangeable blocks the exchanges of neighbours, for a ring one turn.
    pub fn generators(&self) -> Vec<Cycles> {
        match &self.group {
            DeclaredGroup::Interchangeable(blocks) => {
                let pairs = blocks.windows(2);
                pairs.map(turned).collect()
            }
            DeclaredGroup::Ring(blocks) if blocks.len() < 2 => Vec::new(),
            DeclaredGroup::Ring(blocks) => vec![turned(blocks)],
            DeclaredGroup::Generated(permutations) => permutations.clone(),
        }
    }
}

/// Each block goes to the next.
fn turned(blocks: &[Vec<u32>]) -> Cycles {
    let length = blocks.iter().map(Vec::len).min().unwrap_or(0);
    (0..length).map(|member| blocks.iter().map(|block| block[member]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::{DeclaredGroup, DeclaredSymmetry};
    use crate::text::Span;

    #[test]
    fn groups_have_generators() {
        let generators = |group| {
            let symmetry = DeclaredSymmetry { name: String::new(), group, span: Span::default() };
            symmetry.generators()
        };
        let blocks = || vec![vec![0, 1], vec![2, 3], vec![4, 5]];
        assert_eq!(
            generators(DeclaredGroup::Interchangeable(blocks())),
            [[vec![0, 2], vec![1, 3]], [vec![2, 4], vec![3, 5]]]
        );
        assert_eq!(generators(DeclaredGroup::Ring(blocks())), [[vec![0, 2, 4], vec![1, 3, 5]]]);
        let cycles = vec![vec![vec![0, 1, 2], vec![3, 4]], vec![vec![0, 3]]];
        assert_eq!(generators(DeclaredGroup::Generated(cycles.clone())), cycles);
        assert!(generators(DeclaredGroup::Ring(vec![vec![0, 1]])).is_empty());
        assert!(generators(DeclaredGroup::Interchangeable(Vec::new())).is_empty());
    }
}
