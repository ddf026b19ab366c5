//! Questions about a model and their answers.

#![forbid(unsafe_code)]

pub mod answer;
mod ctl;
mod enumerate;
pub mod explicit;
pub mod figures;
mod layouts;
pub mod ltl;
mod portfolio;
pub mod select;
pub mod space;
pub mod trace;
pub mod witness;
