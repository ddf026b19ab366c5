//! What several tests need. Not every test uses all of it.
#![allow(dead_code)]

pub mod build;
pub mod flatten;
pub mod formulas;
pub mod orbits;
pub mod programs;
pub mod queues;
pub mod random;
#[path = "../../../model/tests/common/random_coloured.rs"]
pub mod random_coloured;
pub mod shared;
pub mod symmetric_nets;
pub mod translate;
