//! Counting: a coloured net up to exchanging the colours of some classes, as a net or a program without these classes.
//!
//! Let `K` be a class whose colours may be exchanged within *cells*, and of which at most one colour is in any token. What a
//! marking says of a colour `k` is its **local state**: which tokens there are with `k`, as a bag of places and of what else is in
//! the token. A marking up to exchanging the colours of each cell is then how many colours of each cell are in each local state,
//! and what is in the places without `K`. So there is one counter for each cell and local state, and no colour of `K` is left:
//! the net does not grow with the class, only the numbers in its counters do.
//!
//! A transition binds some colours of `K` and leaves the others alone, or treats all others alike (`all`, `all - x`). For each way
//! to choose a local state for every colour that it binds, there is one transition between counters: it takes the bound colours
//! out of the counters of their local states and puts them into those of the local states that they get. What `all` asks of the
//! other colours are zero tests of the counters whose local states do not give it, which nets have as inhibitor arcs. What it does
//! to them moves whole counters; that is no longer a net, but a program: `y = y + x; x = 0`.
//!
//! Classes are counted together if no place has two of them. All others are unfolded, and their symmetries are declared on what
//! comes out: a server is then a block of counters that may be exchanged with another.
//!
//! | module | what |
//! |---|---|
//! | `choose` | which classes can be counted, and why others cannot |
//! | `reduce` | cells, and the net with as few colours in each as its transitions can tell apart |
//! | `local` | what transitions do to colours, and which local states there can be |
//! | `build` | the net, or the program |
//! | `rest` | the symmetries of the other classes |

mod build;
mod choose;
mod local;
mod reduce;
mod rest;

pub use choose::Obstacle;

use super::ColouredNet;
use super::unfold::{CannotUnfold, Limits, unfold};
use super::value::Token;
use crate::net::Net;
use crate::system::System;
use std::fmt;

/// A coloured net in which the colours of some classes are counted.
#[derive(Clone, Debug)]
pub struct Counted {
    /// What is left: a net, or a program where whole counters are moved. The symmetries of the other classes are declared.
    pub system: System,
    /// Which cells are counted.
    pub cells: Vec<Cell>,
    /// What the variables of the system stand for.
    pub meaning: Vec<Meaning>,
    /// Which classes are counted.
    pub classes: Vec<u32>,
    /// Why the other classes are not.
    pub obstacles: Vec<(u32, Obstacle)>,
}

/// Colours of a class that nothing tells apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The class.
    pub class: u32,
    /// The colours, in ascending order.
    pub colours: Vec<u32>,
}

/// What a variable of a counted net stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// How often a token is in a place.
    Tokens {
        /// The place.
        place: u32,
        /// The token.
        token: Token,
    },
    /// How many colours of a cell have these tokens, and no others.
    Colours {
        /// The cell.
        cell: u32,
        /// The local state: places with tokens, and how often they are there. The colour itself is missing in the tokens.
        state: Vec<(u32, Token, u32)>,
    },
}

/// Why the colours of a net cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotCount {
    /// No class can be counted; why not, by the names of the classes.
    NoClass(Vec<(String, String)>),
    /// There are more local states than it makes sense to count, perhaps infinitely many.
    TooManyLocalStates {
        /// The class.
        class: String,
        /// How many there are at least.
        found: usize,
    },
    /// There are more ways to choose local states for what a transition binds than it makes sense to list.
    TooManyChoices {
        /// The transition.
        transition: String,
    },
    /// Transitions have priorities, and this one moves all colours of a cell at once, which only programs can; and these have no
    /// priorities.
    Priorities {
        /// The transition.
        transition: String,
    },
    /// The other classes cannot be unfolded.
    Unfold(CannotUnfold),
}

impl fmt::Display for CannotCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotCount::NoClass(reasons) => {
                write!(f, "no class can be counted")?;
                reasons.iter().try_for_each(|(class, reason)| write!(f, "; `{class}`: {reason}"))
            }
            CannotCount::TooManyLocalStates { class, found } => write!(
                f,
                "the colours of `{class}` cannot be counted: one of them may have more than {found} local states, \
                 perhaps infinitely many"
            ),
            CannotCount::TooManyChoices { transition } => {
                write!(f, "there are too many ways to choose local states for what `{transition}` binds")
            }
            CannotCount::Priorities { transition } => write!(
                f,
                "`{transition}` changes all colours of a class at once, and there are priorities: counters do not have both"
            ),
            CannotCount::Unfold(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CannotCount {}

/// How many local states there may be in all cells together.
const MOST_LOCAL_STATES: usize = 20_000;

/// How many transitions between counters there may be.
const MOST_TRANSITIONS: usize = 1_000_000;

/// Finds P-semiflows of a net: places with positive weights, such that no transition changes the weighted sum of their tokens.
/// There may be more.
pub type FindFlows<'a> = dyn Fn(&Net) -> Vec<Vec<(u32, i64)>> + 'a;

/// Counts the colours of all classes of a net for which that can be done.
///
/// Which local states there can be is found out colour by colour. Semiflows of what one colour sees of the net limit them: where
/// none are found, there may seem to be infinitely many although there are few.
pub fn count(net: &ColouredNet, limits: &Limits<'_>, flows: &FindFlows<'_>) -> Result<Counted, CannotCount> {
    let choice = choose::choose(net);
    if choice.counted.is_empty() {
        let named = |(class, why): &(u32, Obstacle)| (net.classes[*class as usize].name.clone(), why.to_string());
        return Err(CannotCount::NoClass(choice.obstacles.iter().map(named).collect()));
    }
    let reduced = reduce::reduce(net, &choice)?;
    let unfolding = unfold(&reduced.net, limits).map_err(CannotCount::Unfold)?;
    let mut acts = local::Acts::new(&reduced, &unfolding);
    acts.limit(&reduced, &unfolding, flows);
    acts.close(net, &reduced, limits)?;
    let mut counted = build::build(net, &reduced, &unfolding, &acts, limits)?;
    counted.classes = choice.counted.iter().map(|one| one.class).collect();
    rest::declare(net, &reduced, &mut counted);
    counted.obstacles = choice.obstacles;
    Ok(counted)
}
