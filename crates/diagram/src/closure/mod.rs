//! Evaluation: fire a homomorphism, then close the result.
//!
//! `fire(h, C, d)` is `close(C, h(d))` for a `d` that is closed under `C` already. With nothing to
//! close under it is plain application; with `h` the identity there is nothing to do. So this one
//! operation is both the evaluation of homomorphisms and saturation.
//!
//! - `plan`: what an operation does at a variable, worked out once: the clusters F, L and G of the
//!   SDD paper (6.3 to 6.5);
//! - `fire`: the evaluation, with `data` and `set` for one step of it at a node of either kind;
//! - `possible`: whether an operation leaves anything, without making it;
//! - `ask`: what terms answer to the arcs of data nodes, remembered by value, and guesses (EquivSplit's classes);
//! - `saturate`: the worklist that closes a node whose children are closed;
//! - `whole`: what cannot be done arc by arc;
//! - `constrained`: constrained saturation, the closure within a given set;
//! - `partial`: what is saved when a limit ends all this;
//! - `strategy`: the other ways to a fixpoint, for comparison.

mod ask;
mod constrained;
mod data;
mod fire;
mod partial;
mod plan;
mod possible;
mod saturate;
mod set;
mod strategy;
mod whole;

pub(crate) use plan::Plans;
pub use strategy::Strategy;
