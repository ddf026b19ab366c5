//! Programs whose expressions are evaluated on diagrams.
//!
//! What goes beyond steps (arithmetic between variables, array elements whose index is a variable) is evaluated as the
//! diagram is descended: EquivSplit and what is built on it in chapter 4 of the thesis and in the GAL paper
//! (`docs/references.md` has both). At a variable each arc substitutes its value, what is left of the expression goes on
//! below, and states that agree on what is left stay together: the work grows with the diagram and not with the number of
//! states.
//!
//! - [`expression`]: expressions over diagram variables, simplified as they are built, so that what is left of different
//!   beginnings meets again.
//! - [`solve_sub`]: SolveSub, what is left of an expression where a variable has a value.
//! - [`condition`]: the states in which an expression holds.
//! - [`equiv_split`]: EquivSplit, the classes of states that agree on the value of an expression.
//! - [`update`]: EvalAssign, a condition and assignments that happen at once.
//! - [`invert_assign`]: InvertAssign, the same backwards.
//! - [`path`]: statements that happen one after the other, as updates.
//! - [`transition`]: the transitions of a program.
//! - [`run`]: statements on one state after the other.
//! - [`judge`]: the states in which statements do what no expression says.

pub mod condition;
pub mod equiv_split;
pub mod expression;
pub mod invert_assign;
pub mod judge;
pub mod path;
pub mod run;
pub mod solve_sub;
pub mod transition;
pub mod update;
