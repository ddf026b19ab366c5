//! Orders of variables.
//!
//! The size of a diagram depends on the order of its variables, and no heuristic wins everywhere. Those of the field are
//! here, one per file, each a function from [`Connections`] to a permutation; [`score`] judges orders without building
//! anything. The same connections always give the same order: ties go to the variable declared first.

pub mod ahead;
pub mod communities;
pub mod cuthill_mckee;
pub mod cuts;
pub mod declared;
pub mod file;
pub mod force;
pub mod greedy;
mod heap;
mod heuristic;
mod incidence;
mod matroid;
#[cfg(test)]
mod measured;
pub mod moves;
#[cfg(test)]
mod samples;
pub mod score;
mod search;
pub mod semiflow;
pub mod sloan;
mod tokens;
pub mod wishes;

pub use heuristic::{Candidate, Heuristic, UnknownHeuristic, candidates};
pub use tokens::Tokens;

/// What an order is chosen by: how many variables there are and which of them each event connects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connections {
    /// Variables are the numbers below this.
    pub variables: usize,
    /// Transitions and synchronisations.
    pub events: Vec<Event>,
    /// What the expressions of a program would like; nothing for others.
    pub wishes: Vec<Wish>,
    /// The places of a net behind the variables; nothing for others, and for nets that are too large to look at them.
    pub tokens: Option<Tokens>,
}

/// Variables that would like to be close, and some of them above the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Variables that want to be above.
    pub above: Vec<u32>,
    /// Variables that want to be below those.
    pub below: Vec<u32>,
    /// How much.
    pub weight: f64,
}

impl Wish {
    /// The weight of a wish that is worth moving a variable for.
    pub const STRONG: f64 = 8.0;
}

/// The variables of one event. A variable that is only read is in neither list of changes but in `reads`; one whose
/// value moves both ways (a unit in which a token moves) is in `takes` and in `puts`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Variables that lose.
    pub takes: Vec<u32>,
    /// Variables that gain.
    pub puts: Vec<u32>,
    /// Variables that are only read.
    pub reads: Vec<u32>,
}

/// An order: the variables from the top of the diagram to its bottom.
pub type Order = Vec<u32>;
