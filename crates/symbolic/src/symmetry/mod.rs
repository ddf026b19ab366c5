//! Symmetries of a model, and one state for each orbit.

pub mod action;
pub mod apply;
pub mod compare;
pub mod contents;
pub mod leader;
pub mod reduction;
pub mod shape;
