//! What can be known of a model without its states: invariants and units of nets, orders of variables, symmetries.
//!
//! Nothing here knows about diagrams, and nothing looks at more than a bounded part of the state space.

#![forbid(unsafe_code)]

pub mod order;
pub mod outline;
pub mod structure;
pub mod symmetry;
