//! What is too large.

use std::fmt;

/// Why an automaton was not built. Automata can be exponentially larger than formulas, and products than their factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TooLarge {
    /// Too many states or edges.
    States,
    /// Too many acceptance marks.
    Marks,
    /// Too many nodes in diagrams of conditions.
    Conditions,
    /// Too many atoms.
    Atoms,
    /// Too many different temporal subformulas.
    Operators,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TooLarge::States => "the automaton has too many states or edges",
            TooLarge::Marks => "the automaton has too many acceptance marks",
            TooLarge::Conditions => "the conditions of the automaton are too large",
            TooLarge::Atoms => "the formula has too many atoms",
            TooLarge::Operators => "the formula has too many temporal operators",
        })
    }
}

impl std::error::Error for TooLarge {}
