//! From a model to diagrams: its variables, their order and hierarchy, its states and its transitions.

#![forbid(unsafe_code)]

pub mod order;
pub mod structure;
