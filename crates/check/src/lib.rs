//! Questions about a model and their answers.

#![forbid(unsafe_code)]

pub mod explicit;
pub mod space;
