//! Quotients of state spaces: by which group one was made, and what its representatives stand for.

use mandala_analysis::symmetry::{Part, Points, Preserved, Shape, Symmetries, find};
use mandala_diagram::{Count, Diagram};
use mandala_group::{Permutation, UBig};
use mandala_model::property::Question;
use mandala_model::system::System;

/// Whether, and how, a state space is folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folding {
    /// Not at all.
    #[default]
    Off,
    /// In the way that gets to an end first.
    Automatic,
    /// Only representatives are kept, from the start.
    Explore,
    /// Representatives are selected from the whole space.
    Select,
    /// Representatives are found one by one.
    List,
}

/// How a state space was folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Only representatives were kept: the states of the space are those.
    Explored,
    /// The space is whole.
    Selected,
    /// The states of the space are the leaders of orbits, found one by one.
    Listed,
    /// The space is whole, and nothing was selected from it: that would have taken too long.
    Whole,
}

impl Way {
    /// Whether all states are there, so that everything can be asked of them.
    pub fn is_whole(self) -> bool {
        matches!(self, Way::Selected | Way::Whole)
    }
}

/// A state space up to symmetry.
pub struct Folded {
    /// How it was folded.
    pub way: Way,
    /// What is left of each orbit. The states of a space that was explored may be more: they are what diagrams leave.
    pub representatives: Diagram,
    /// How many were left before the leaders of orbits were looked for one by one, if they were.
    pub left_by_diagrams: Option<Count>,
    /// Whether there is exactly one for each orbit.
    pub is_canonical: bool,
    /// How many states they stand for, if that is known.
    pub concrete: Option<Count>,
    /// The group.
    pub group: Known,
    /// Questions that the group is known to leave alone.
    pub(crate) preserved: Vec<Question>,
}

/// Why a question is not answered on representatives.
pub(crate) const TOLD_APART: &str = "the question tells states apart that the symmetries of this space map to each other, and only one of them was kept";

impl Folded {
    /// Whether the answer to a question is the same on representatives as on all states.
    pub fn preserves(&self, system: &System, question: &Question) -> bool {
        self.way.is_whole() || self.preserved.contains(question) || self.group.leaves_alone(system, question)
    }
}

/// A group of symmetries that was found.
#[derive(Clone, Debug)]
pub struct Known {
    /// What it does.
    pub shape: Shape,
    /// What it permutes: variables, and values of some.
    pub points: Points,
    /// The names of variables.
    pub names: Vec<String>,
    /// How many symmetries there are (at least, if the search was not complete).
    pub order: UBig,
    /// Whether all symmetries were found.
    pub is_complete: bool,
    /// Whether it leaves the initial states alone.
    pub keeps_initial: bool,
    /// How many places always hold the same as another: to exchange them would change no state.
    pub twins: usize,
}

/// How many operations it may take to find symmetries, and to see what they do.
pub(crate) const PATIENCE: u64 = 200_000_000;

/// A shape, if all that it is made of is verified; else generators, which are, as they stand. Nothing if the system is too
/// large to tell.
pub(crate) fn verified(
    system: &System, preserved: &Preserved<'_>, points: &Points, shape: Shape, generators: &[Permutation],
) -> Option<Shape> {
    let checked = points.check(system, preserved, &shape.generators()).ok()?;
    Some(if checked.iter().all(Result::is_ok) {
        shape
    } else {
        Shape { parts: vec![Part::Other { generators: generators.to_vec() }], is_whole: false }
    })
}

impl Known {
    /// The symmetries of a system that leave some questions alone. Nothing if there are none but the identity, or if the
    /// system is too large to tell.
    pub fn find(system: &System, initial: bool, questions: &[&Question]) -> Option<Known> {
        Known::find_within(system, &Preserved { initial, questions }, PATIENCE)
    }

    /// The same, with so many operations to find them.
    pub(crate) fn find_within(system: &System, preserved: &Preserved<'_>, patience: u64) -> Option<Known> {
        let found: Symmetries = find(system, preserved, patience).ok()?;
        if found.generators().is_empty() {
            return None;
        }
        Some(Known {
            // What is used is verified, whoever made it.
            shape: verified(system, preserved, &found.points, found.shape(PATIENCE), found.generators())?,
            points: found.points.clone(),
            names: found.names.clone(),
            order: found.order(),
            is_complete: found.is_complete(),
            keeps_initial: preserved.initial,
            twins: found.twins.len(),
        })
    }

    /// Whether it leaves a question alone.
    pub fn leaves_alone(&self, system: &System, question: &Question) -> bool {
        let preserved = Preserved { initial: false, questions: &[question] };
        self.points
            .check(system, &preserved, &self.shape.generators())
            .is_ok_and(|checked| checked.iter().all(Result::is_ok))
    }

    /// The symmetries in words, a line each.
    pub fn words(&self) -> Vec<String> {
        self.shape.describe(&self.points, &self.names)
    }
}

/// What symmetries are to leave alone, besides what can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The initial states.
    pub initial: bool,
    /// What is asked.
    pub questions: bool,
}
