//! The Hanoi omega-automata format, version 1: how automata travel between tools.
//!
//! [`read`] takes every acceptance condition. A conjunction of `Inf` is what our automata have; any other is written as
//! a disjunction, and the automaton gets one copy for each disjunct, which a run may enter at any time and which lacks
//! the edges that are to occur finitely often. Alternation is refused. [`write()`] writes transition-based generalised
//! Büchi automata with explicit labels.

mod acceptance;
mod expression;
mod lexer;
mod read;
mod write;

use std::fmt;

pub use read::read;
pub use write::write;

/// What is wrong with a text in the Hanoi format, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
}

impl HoaError {
    /// An error at a byte of a text.
    fn new(text: &str, at: usize, message: String) -> HoaError {
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        HoaError { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1, message }
    }
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for HoaError {}
