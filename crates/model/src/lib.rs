//! Formalisms as plain data, with their readers and writers.
//!
//! Every formalism that is read becomes a [`system::System`]: types, and instances of types nested in composites. A
//! type at the bottom is a [`net::Net`] or a [`system::Program`]. What can be asked of a system is a
//! [`property::Property`]. Nothing here builds a state space; [`system`] says what a system means.

#![forbid(unsafe_code)]

pub mod classic;
pub mod dve;
pub mod expression;
pub mod flatten;
pub mod formalism;
pub mod gal;
pub mod net;
pub mod property;
pub mod semantics;
pub mod symmetry;
pub mod system;
pub mod text;
