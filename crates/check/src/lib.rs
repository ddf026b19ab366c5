//! Questions about a model and their answers.

#![forbid(unsafe_code)]

// The random systems of the tests know this crate by its name.
#[cfg(test)]
extern crate self as mandala_check;

// In layers: each module uses only those above it.
pub mod answer;
mod ask;
mod budget;
pub mod claim;
mod ctl;
pub mod error_state;
pub mod explicit;
pub mod explore;
pub mod figures;
pub mod fold;
pub mod limits;
mod ltl;
pub mod options;
pub mod quotient;
mod reach;
pub mod run;
pub mod select;
pub mod space;
mod steps;
pub mod trace;
pub mod undecided;
mod unfold;
pub mod witness;

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod tests;
