//! Questions about a model and their answers.

#![forbid(unsafe_code)]

// The random systems of the tests know this crate by its name.
#[cfg(test)]
extern crate self as mandala_check;

pub mod answer;
mod ctl;
pub mod declared;
mod enumerate;
pub mod explicit;
pub mod figures;
pub mod fold;
mod layouts;
pub mod ltl;
pub mod outline;
mod portfolio;
pub mod select;
pub mod space;
pub mod trace;
mod unfold;
pub mod witness;

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod tests;
