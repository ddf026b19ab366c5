//! A group of symmetries as it is used: found or declared, verified in either case.

use mandala_group::{Permutation, UBig};
use mandala_model::property::Question;
use mandala_model::system::System;

use super::{Part, Points, Preserved, Shape, Symmetries, find};

/// A group of symmetries that was found.
#[derive(Clone, Debug)]
pub struct SymmetryGroup {
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
pub const PATIENCE: u64 = 200_000_000;

/// A shape, if all that it is made of is verified; else generators, which are, as they stand. Nothing if the system is too
/// large to tell.
pub fn verified(
    system: &System, preserved: &Preserved<'_>, points: &Points, shape: Shape, generators: &[Permutation],
) -> Option<Shape> {
    let checked = points.check(system, preserved, &shape.generators()).ok()?;
    Some(if checked.iter().all(Result::is_ok) {
        shape
    } else {
        Shape { parts: vec![Part::Other { generators: generators.to_vec() }], is_whole: false }
    })
}

impl SymmetryGroup {
    /// The symmetries of a system that leave some questions alone. Nothing if there are none but the identity, or if the
    /// system is too large to tell.
    pub fn find(system: &System, initial: bool, questions: &[&Question]) -> Option<SymmetryGroup> {
        SymmetryGroup::find_within(system, &Preserved { initial, questions }, PATIENCE)
    }

    /// The same, with so many operations to find them.
    pub fn find_within(system: &System, preserved: &Preserved<'_>, patience: u64) -> Option<SymmetryGroup> {
        let found: Symmetries = find(system, preserved, patience).ok()?;
        if found.generators().is_empty() {
            return None;
        }
        Some(SymmetryGroup {
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
