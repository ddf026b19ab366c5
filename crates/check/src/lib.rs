//! Questions about a model and their answers.

#![forbid(unsafe_code)]

pub mod answer;
pub mod explicit;
pub mod figures;
pub mod select;
pub mod space;
pub mod trace;
