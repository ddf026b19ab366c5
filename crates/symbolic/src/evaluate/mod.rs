//! Programs whose expressions are evaluated on diagrams.
//!
//! What goes beyond steps (arithmetic between variables, array elements whose index is a variable) is evaluated as the
//! diagram is descended, as *EquivSplit* does it ("Symbolic Model-Checking Using ITS-Tools and GAL"; the paper is in the
//! seeds). At a variable each arc substitutes its value, what is left of the expression goes on below, and states that
//! agree on what is left stay together: the work grows with the diagram and not with the number of states.
//!
//! - [`expression`]: expressions over diagram variables, simplified as they are built, so that what is left of different
//!   beginnings meets again.
//! - [`condition`]: the states in which an expression holds, and the values that it has in a set.
//! - [`update`]: a condition and assignments that happen at once, forwards and backwards.
//! - [`path`]: statements that happen one after the other, as updates.
//! - [`transition`]: the transitions of a program.
//! - [`run`]: statements on one state after the other.
//! - [`judge`]: the states in which statements do what no expression says.
//!
//! The paper splits a set by the value of an expression and puts the classes together again under the variable that is
//! assigned. Here the same classes are made one by one: first the values that the expression has below an arc, then for
//! each of them the states that have it, which is a selector. So a closure goes on inside, level by level. Where an
//! element `t[i]` is met before its index is known, the states are split by whether `i` means this element: the index is
//! evaluated further down, which is what SolveSub does by looking ahead.

pub mod condition;
pub mod expression;
pub mod judge;
pub mod path;
pub mod run;
pub mod transition;
pub mod update;
