//! From a model to diagrams: its variables, their order and hierarchy, its states and its transitions.

#![forbid(unsafe_code)]

pub mod canonise;
pub mod demand;
pub mod encode;
pub mod evaluate;
pub mod layout;
pub mod packed;
pub mod plan;
pub mod program;
pub mod step;
pub mod variables;
