//! Programs whose expressions are evaluated on diagrams.
//!
//! What goes beyond steps (arithmetic between variables, array elements whose index is a variable) is evaluated as the
//! diagram is descended, as *EquivSplit* does it ("Symbolic Model-Checking Using ITS-Tools and GAL"; the paper is in the
//! seeds). At a variable each arc substitutes its value, what is left of the expression goes on below, and states that
//! agree on what is left stay together: the work grows with the diagram and not with the number of states.
//!
//! - [`expression`]: expressions over diagram variables, simplified as they are built, so that what is left of different
//!   beginnings meets again.
//! - [`split`]: the states of a set by the value of an expression.
//! - [`action`]: conditions and assignments as homomorphisms.
//! - [`transition`]: the transitions of a program.
//!
//! Where an element `t[i]` is met before its index is known, the states are split by whether `i` means this element: the
//! index is evaluated further down, which is what SolveSub does by looking ahead.

pub mod action;
pub mod expression;
pub mod split;
pub mod transition;
