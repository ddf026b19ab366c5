//! From a model to diagrams: its variables, their order and hierarchy, its states and its transitions.

#![forbid(unsafe_code)]

pub mod demand;
pub mod encode;
pub mod evaluate;
pub mod layout;
pub mod order;
pub mod packed;
pub mod plan;
pub mod program;
pub mod step;
pub mod structure;
pub mod symmetry;
pub mod variables;
mod wishes;
