//! Canonisation of sets of states under a group of symmetries (thesis, chapter 3).
//!
//! An [`action`] moves the diagram variables to one another and renames their values. [`compare`] keeps the states that an
//! action makes smaller, leaves alone or makes larger (`red`, `stab` and `incr`), [`apply`] moves them, both in one
//! descent. [`reduction`] chooses which symmetries are tried and in which order states are compared.

pub mod action;
pub mod apply;
pub mod compare;
pub mod contents;
pub mod reduction;
