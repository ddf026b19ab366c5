//! Decision diagrams.
#![forbid(unsafe_code)]

mod algebra;
mod closure;
mod construct;
mod hom;
mod memory;
mod node;
mod query;
mod store;

pub use closure::Strategy;
pub use hom::{Answer, Inductive, Label, ValueMap};
pub use memory::{CacheStatistics, Cancel, Diagram, Error, Hom, Limits, Statistics};
pub use query::{Assignment, Assignments, Count, Dot, Exactness, Log10, Size, State, States, Value};
pub use store::{Store, Variable};
