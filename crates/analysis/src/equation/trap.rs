//! Traps that are marked in the beginning: all markings leave a token there, and some solutions of the state equation do not.
//!
//! Of a solution, the places that it leaves empty hold a greatest trap. If that is marked in the beginning, the solution is no
//! reachable marking, and that the trap holds a token is a condition that may be added to any others (Esparza and Melzer,
//! "Verification of safety properties using integer programming", 2000). A trap is found by counting arcs, so what it shows is
//! exact whatever the solver said.

use mandala_model::net::Net;

use super::Condition;
use crate::structure::closed::{Asking, Closed};

/// What a solver calls less than this is nothing.
const TINY: f64 = 1e-6;
/// How many operations it may take to make a trap smaller.
const OPERATIONS: u64 = 1_000_000;

/// The traps of a net that are marked in the beginning.
pub struct Traps {
    asking: Asking,
    is_marked: Vec<bool>,
}

impl Traps {
    /// Traps of a net that begins with a marking.
    pub fn new(net: &Net, initial: &[i32]) -> Traps {
        Traps { asking: Asking::new(net, Closed::Trap), is_marked: initial.iter().map(|&tokens| tokens > 0).collect() }
    }

    /// A trap that is marked in the beginning and that a solution leaves empty, if there is one.
    pub fn left_empty(&self, solution: &[f64]) -> Option<Vec<u32>> {
        let empty = (0u32..).zip(solution).filter(|(_, tokens)| **tokens < TINY).map(|(place, _)| place);
        let mut budget = OPERATIONS;
        let mut trap = self.asking.greatest_within(empty.collect(), &mut budget);
        if !self.is_marked(&trap) {
            return None;
        }
        // A smaller one says more.
        let mut next = 0;
        while let (Some(&without), true) = (trap.get(next), budget > 0) {
            let rest = trap.iter().copied().filter(|&place| place != without).collect();
            let smaller = self.asking.greatest_within(rest, &mut budget);
            if self.is_marked(&smaller) { (trap, next) = (smaller, 0) } else { next += 1 }
        }
        Some(trap)
    }

    fn is_marked(&self, trap: &[u32]) -> bool {
        trap.iter().any(|&place| self.is_marked[place as usize])
    }
}

/// That a trap holds a token.
pub fn holds_a_token(trap: &[u32]) -> Condition {
    Condition { terms: trap.iter().map(|&place| (place, 1)).collect(), least: 1 }
}
