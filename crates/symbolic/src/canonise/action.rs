//! What a symmetry does to the diagrams of a layout.
//!
//! A symmetry permutes the variables of a model. In a layout it moves slots to slots and renames their values on the way:
//! the places of a unit may change places inside it, a number may become the negation of another, and the number of a
//! process that of another process.

use std::sync::Arc;

use mandala_diagram::Variable;
use mandala_group::Permutation;

use crate::layout::{Content, Follower, Layout, Slot};
use mandala_analysis::symmetry::points::Points;

/// A symmetry of the slots of a layout: of a state `s` it makes the state that has, in the slot `to` of each move, the
/// renamed value that `s` has in the slot `from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The slots that change, in ascending order of `to`. Slots that are moved from are moved to.
    pub(super) moves: Vec<Move>,
}

/// What a slot gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) to: Variable,
    pub(super) from: Variable,
    pub(super) renaming: Renaming,
}

/// What becomes of the value of a slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Renaming {
    /// It stays.
    Same,
    /// Its multiple plus a constant.
    Line { factor: i32, offset: i32 },
    /// By a table from 0 on; values outside of it stay.
    Table(Arc<[i32]>),
    /// By pairs in ascending order; other values stay.
    Pairs(Arc<[(i32, i32)]>),
}

impl Renaming {
    pub(super) fn apply(&self, value: i32) -> i32 {
        match self {
            Renaming::Same => value,
            Renaming::Line { factor, offset } => value.wrapping_mul(*factor).wrapping_add(*offset),
            Renaming::Table(table) => {
                usize::try_from(value).ok().and_then(|at| table.get(at)).copied().unwrap_or(value)
            }
            Renaming::Pairs(pairs) => {
                pairs.binary_search_by_key(&value, |&(from, _)| from).map_or(value, |at| pairs[at].1)
            }
        }
    }
}

impl Action {
    /// What a permutation of points of a model does to a layout. Nothing if it tears slots apart, or if the layout has
    /// levels.
    pub fn new(layout: &Layout, points: &Points, permutation: &Permutation) -> Option<Action> {
        let mut sources: Vec<Variable> = Vec::new();
        for point in permutation.support() {
            sources.push(layout.slot_of(points.variable(point))?);
        }
        sources.sort_unstable();
        sources.dedup();
        let mut moves = Vec::new();
        for from in sources {
            let Slot::Data(content) = &layout.slots()[from as usize] else { return None };
            let to = layout.slot_of(permutation.image(*content.variables().first()?))?;
            let Slot::Data(target) = &layout.slots()[to as usize] else { return None };
            let renaming = values(content, target, points, permutation)
                .unwrap_or_else(|| renaming(content, target, permutation))?;
            if from != to || renaming != Renaming::Same {
                moves.push(Move { to, from, renaming });
            }
        }
        moves.sort_by_key(|one| one.to);
        Some(Action { moves })
    }
}

/// How the values of a slot are called in another, if a variable in it has renamed values; nothing inside if it is not
/// alone there.
fn values(content: &Content, target: &Content, points: &Points, permutation: &Permutation) -> Option<Option<Renaming>> {
    let renamed = content.variables().into_iter().map(|variable| (variable, points.renaming(variable, permutation)));
    let mut renamed = renamed.filter(|(_, pairs)| pairs.iter().any(|(from, to)| from != to));
    let (renamed, pairs) = renamed.next()?;
    let is_single = *content == Content::single(renamed) && *target == Content::single(permutation.image(renamed));
    Some(is_single.then(|| Renaming::Pairs(pairs.into())))
}

/// How the values of a slot are called in another.
fn renaming(content: &Content, target: &Content, permutation: &Permutation) -> Option<Renaming> {
    match (content, target) {
        (Content::Unit { places, promised }, Content::Unit { places: others, promised: also })
            if places.len() == others.len() && promised == also =>
        {
            let mut table = vec![0];
            for &place in places {
                let image = permutation.image(place);
                table.push(others.iter().position(|&other| other == image)? as i32 + 1);
            }
            let is_same = table.iter().enumerate().all(|(at, &value)| at as i32 == value);
            Some(if is_same { Renaming::Same } else { Renaming::Table(table.into()) })
        }
        (Content::Number(followers), Content::Number(others)) if followers.len() == others.len() => {
            let mut lines = followers.iter().map(|follower| {
                let image = permutation.image(follower.variable);
                let other = others.iter().find(|other| other.variable == image)?;
                line(follower, other)
            });
            let first = lines.next()??;
            lines.all(|line| line == Some(first)).then_some(match first {
                (1, 0) => Renaming::Same,
                (factor, offset) => Renaming::Line { factor, offset },
            })
        }
        _ => None,
    }
}

/// The number of a slot from the number of another, if one variable of each is the same.
fn line(follower: &Follower, other: &Follower) -> Option<(i32, i32)> {
    let factor = other.factor.checked_mul(follower.factor)?;
    let offset = follower.offset.checked_sub(other.offset)?.checked_mul(other.factor)?;
    Some((factor, offset))
}
