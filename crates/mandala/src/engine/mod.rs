//! Which engine answers, and what is tried when it cannot.
//!
//! What a few runs or the state equation of a net decide is not looked for among its states. For the rest diagrams come first.
//! Where they meet a limit, what is said of runs is looked for run by run; what the structure of a
//! net shows is taken from there; of a net that is not bounded some states are looked at one by one. Only this module
//! knows the types of the engines: what leaves it is owned, and has names.

mod answers;
mod counting;
mod diagrams;
mod early;
mod ground;
mod in_time;
pub(crate) mod markings;
pub(crate) mod named;
mod observed;
mod one_by_one;
mod order;
mod partial;
mod reduced;
mod runs;
mod session;
mod sets;
mod simpler;
mod stack;
mod subject;
mod summary;
mod symmetries;
mod variable_names;
mod worker;

pub(crate) use answers::Asker;
pub(crate) use in_time::{Known, in_time};
pub(crate) use observed::{find, said_of_fairness};
pub(crate) use reduced::reduced;
pub(crate) use stack::deep;
pub(crate) use summary::{Explored, variables};
pub(crate) use symmetries::{declared_symmetries, known_symmetries, symmetries};
pub(crate) use worker::Worker;

use subject::subject;
