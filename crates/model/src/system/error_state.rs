//! The error state of a program: where a step leads that has no proper result.
//!
//! In some languages (DVE) a value that does not fit its variable, an index that does not exist and a division by zero
//! are no errors of the model that end everything, but lead to *the error state*: one state of the system, without
//! successors, which counts as a state, and the steps into it as steps. Nothing can be said of it but that it is the
//! error state: every other atom of a formula is false there, and it is not a deadlock.
//!
//! The transitions of the program lead there as its actions say; what is here names the state, and says which transitions
//! may lead there and why.

use super::Target;
use crate::expression::{Boolean, Integer};

/// The error state of a program that is the main type of its system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorState {
    /// The variable that tells it from all other states.
    pub variable: u32,
    /// The value which that variable has in the error state, and in no other.
    pub value: i32,
    /// The transitions that may lead there, in ascending order.
    pub attempts: Vec<Attempt>,
    /// Why the system begins there, if it does.
    pub at_start: Option<Misfit>,
}

/// What a transition tries, and where it may fail: first its guards are evaluated, then one value after the other is
/// stored. What fails first says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The transition (an index).
    pub transition: u32,
    /// The transition of the model that it is a part of, an index: itself, or the one whose failing is written as a
    /// transition of its own.
    pub part_of: u32,
    /// The guards.
    pub guards: Vec<Boolean<u32>>,
    /// What is stored, in this order.
    pub stores: Vec<Store>,
    /// Whether it always fails because processes that move together change what others use.
    pub conflict: bool,
}

/// A value is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Where.
    pub target: Target,
    /// What.
    pub value: Integer<u32>,
    /// What fits there; `None` if everything does that can come.
    pub fits: Option<ValueRange>,
}

/// The values that a type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueRange {
    /// The type in words: `a byte`.
    pub kind: &'static str,
    /// The least value.
    pub least: i32,
    /// The greatest value.
    pub greatest: i32,
}

impl ValueRange {
    /// Whether a value fits.
    pub fn holds(&self, value: i32) -> bool {
        (self.least..=self.greatest).contains(&value)
    }
}

/// A variable would get a value that it cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The variable.
    pub variable: String,
    /// The value; `None` if there is none because something is divided by zero.
    pub value: Option<i32>,
    /// What fits.
    pub fits: ValueRange,
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ValueRange { kind, least, greatest } = self.fits;
        match self.value {
            Some(value) => write!(f, "{} would be {value}, and {kind} holds {least} to {greatest}", self.variable),
            None => write!(f, "{} would be something divided by zero", self.variable),
        }
    }
}

impl ErrorState {
    /// Whether these are the values of the error state.
    pub fn is(&self, state: &[i32]) -> bool {
        state.get(self.variable as usize) == Some(&self.value)
    }

    /// What a transition tries, if it may lead to the error state.
    pub fn attempt(&self, transition: u32) -> Option<&Attempt> {
        let found = self.attempts.binary_search_by_key(&transition, |attempt| attempt.transition);
        found.ok().map(|found| &self.attempts[found])
    }

    /// The transitions that are the failing of this one, written apart.
    pub fn failing_of(&self, transition: u32) -> impl Iterator<Item = u32> {
        let others = self.attempts.iter().filter(move |one| one.part_of == transition && one.transition != transition);
        others.map(|attempt| attempt.transition)
    }
}
