//! The algebra of sets: union, intersection, difference, concatenation.
//!
//! Where two diagrams assign different variables (or one ends and the other goes on) after the same
//! beginning, their union is ⊤ from there on; their intersection is empty and their difference the
//! first of them, as for any two disjoint sets.
//!
//! **Roots.** An operation's arguments are protected from collection by its caller, and its result is
//! protected by nobody: whoever calls two operations in a row roots the first result meanwhile. What
//! is on the stacks `data` and `pieces` is rooted. The one exception is `unite`, which protects its
//! arguments itself.

mod concatenation;
mod difference;
mod intersection;
mod pieces;
mod quotient;
mod ranges;
mod union;

pub(crate) use ranges::{RANGE_MAX, RANGE_MIN};
