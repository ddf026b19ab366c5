//! Which engine answers, and what is tried when it cannot.
//!
//! Diagrams come first. Where they meet a limit, what is said of runs is looked for run by run; what the structure of a
//! net shows is taken from there; of a net that is not bounded some states are looked at one by one. Only this module
//! knows the types of the engines: what leaves it is owned, and has names.

mod answers;
mod diagrams;
mod ground;
pub(crate) mod named;
mod one_by_one;
mod order;
mod runs;
mod session;
mod sets;
mod stack;
mod subject;
mod summary;
mod symmetries;
mod variable_names;
mod worker;

pub(crate) use answers::{Asker, find};
pub(crate) use stack::deep;
pub(crate) use summary::{Explored, variables};
pub(crate) use symmetries::{declared_symmetries, known_symmetries, symmetries};
pub(crate) use worker::Worker;

use subject::subject;
