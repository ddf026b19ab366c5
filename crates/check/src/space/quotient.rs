//! Quotients of state spaces: by which group one was made, and what its representatives stand for.

use mandala_diagram::{Count, Diagram};
use mandala_model::property::Question;
use mandala_symbolic::encode::Encoding;

/// How a quotient was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construction {
    /// Only representatives were kept: the states of the space are those.
    Explored,
    /// The space is whole, and representatives were selected from it.
    Selected,
    /// The states of the space are the leaders of orbits, found one by one.
    Listed,
    /// The space is whole, and nothing was selected from it: that would have taken too long.
    Whole,
}

impl Construction {
    /// Whether all states are there, so that everything can be asked of them.
    pub fn is_whole(self) -> bool {
        matches!(self, Construction::Selected | Construction::Whole)
    }
}

/// A state space up to symmetry.
pub struct Quotient<E: Encoding> {
    /// How it was made.
    pub construction: Construction,
    /// What is left of each orbit. The states of a space that was explored may be more: they are what diagrams leave.
    pub representatives: Diagram,
    /// How many were left before the leaders of orbits were looked for one by one, if they were.
    pub left_by_diagrams: Option<Count>,
    /// Whether there is exactly one for each orbit.
    pub is_canonical: bool,
    /// How many states they stand for, if that is known.
    pub concrete: Option<Count>,
    /// The group.
    pub group: E::Symmetries,
    /// Questions that the group is known to leave alone.
    pub(crate) preserved: Vec<Question<E::Formalism>>,
}

/// Why a question is not answered on representatives.
pub(crate) const TOLD_APART: &str = "the question tells states apart that the symmetries of this space map to each other, and only one of them was kept";

impl<E: Encoding> Quotient<E> {
    /// Whether the answer to a question is the same on representatives as on all states.
    pub fn preserves(&self, encoding: &E, question: &Question<E::Formalism>) -> bool {
        self.construction.is_whole()
            || self.preserved.contains(question)
            || encoding.leaves_alone(&self.group, question)
    }
}
