//! What a system means, state by state.
//!
//! This is the documentation of [`crate::system`] as code that is meant to be read: it is slow and plain, and all other
//! engines are tested against it. Where that documentation leaves something open, this is how it is closed:
//!
//! - **Nets, transitions that fire together** ask all their questions of the marking before: a place must hold what all
//!   of them take, added up, and what each of them reads or needs by itself (readers share tokens), and fewer tokens
//!   than the least of their inhibitor weights. Then what they take is gone, a place that one of them resets is empty,
//!   and all of them put; the capacity limits what is there in the end.
//! - **Priorities**: of the transitions that the places allow to fire by themselves, those of the highest priority may
//!   fire. A transition is allowed, and holds others back, also if it would be an error because of too many tokens.
//! - **Arithmetic** is that of C on 32 bits and wraps, also for `**`. A shift uses the five lowest bits of its right
//!   side, and `>>` keeps the sign. A negative power is 1 divided by the positive one, rounded towards zero.
//! - **A comparison without a value** (index out of range, division by zero) is false by itself in a guard, in
//!   `TRANSIENT` and in a formula. Everywhere in an action, the conditions of `if` included, it is an error. `&&` and
//!   `||` read from left to right and stop when they know.
//! - **A firing that some participant does not allow** did not happen: an error in the action of one instance counts only
//!   if every other instance allows the synchronisation.
//! - **Fixpoint** repeats its block on the set of states that it can yield from one state, until the set stays the same.
//!   A set that comes back after others is an error of the model.
//! - **Transient** states are passed through: whoever steps into one goes on, with anything that the whole system can do,
//!   until a state that is not transient; that one counts. The state of a composite is transient if that of one of its
//!   programs is. Who never comes out of transient states has no successor. An initial state that is transient stands
//!   for those that come out of it.
//! - **The error state** of a system that has one ([`crate::system::ErrorState`]) is a state like others, without
//!   successors; but all that can be said of it is that it is the error state. Every other atom of a formula is false there,
//!   `deadlock` and comparisons that would hold included, and a formula that negates such an atom is true.
//! - **`elapse`**: in the main type, whatever its kind, what has this label happens by itself too.

mod composite;
mod error;
pub(crate) mod evaluate;
pub(crate) mod formula;
mod initial;
mod mishap;
mod names;
mod net;
mod prepare;
mod program;
mod queue;
mod step;
#[cfg(test)]
mod tests;
mod transition_system;

pub use error::{Cause, RunError, TooLarge};
pub use mishap::Mishap;
pub use step::Step;
pub use transition_system::TransitionSystem;

pub use crate::system::Event;

use crate::net::Net;
use crate::net::queue::{Queue, QueueNet};
use crate::system::{Ahead, Composite, Program, System};
use error::{Failure, Work};

/// The meaning of a system.
#[derive(Clone, Debug)]
pub struct Semantics<'a> {
    system: &'a System,
    /// One per type of the system; those that the main type does not need are empty.
    types: Vec<Prepared<'a>>,
    /// The queues of all instances, where they are in a state.
    queues: Vec<Queue>,
}

/// A type with what is worked out once.
#[derive(Clone, Debug, Default)]
struct Prepared<'a> {
    kind: Kind<'a>,
    /// How many variables its states have.
    size: usize,
    /// For each label, by its number: the transitions or synchronisations that have it.
    labelled: Vec<Vec<u32>>,
    /// What it does by itself, but for what its instances do.
    own: Vec<u32>,
    /// Which of its transitions hold others back; none but in the main type.
    ahead: Ahead,
    /// Whether it or one of its instances does something by itself.
    acts: bool,
    /// Whether some of its states can be transient.
    transient: bool,
}

#[derive(Clone, Debug, Default)]
enum Kind<'a> {
    #[default]
    Unused,
    Net(&'a Net),
    Queues(&'a QueueNet),
    Program(PreparedProgram<'a>),
    Composite(PreparedComposite<'a>),
}

#[derive(Clone, Debug)]
struct PreparedProgram<'a> {
    program: &'a Program,
    /// The numbers of its labels, for calls within its actions.
    labels: rustc_hash::FxHashMap<&'a str, u32>,
}

#[derive(Clone, Debug)]
struct PreparedComposite<'a> {
    composite: &'a Composite,
    /// Where in the state of the composite each instance begins.
    offsets: Vec<usize>,
    /// For each synchronisation, the combinations of what the synchronisations that it calls can choose.
    combinations: Vec<Vec<Combination>>,
}

/// What a synchronisation comes down to after all calls of the composite itself: for some of the instances, in ascending
/// order, the sequence of their labels (by number) that are called.
type Combination = Vec<(u32, Vec<u32>)>;

/// The states that something can lead to: in ascending order, each once.
type States = Vec<Vec<i32>>;

impl<'a> Semantics<'a> {
    /// The meaning of a system, unless its states are too large to be written down. The indices in the system must be
    /// what their documentation says.
    pub fn new(system: &'a System) -> Result<Semantics<'a>, TooLarge> {
        let mut semantics = Semantics { system, types: prepare::prepare(system)?, queues: Vec::new() };
        if system.has_queues() {
            let mut queues = Vec::new();
            semantics.collect_queues(system.main, &mut 0, &mut queues);
            semantics.queues = queues;
        }
        Ok(semantics)
    }

    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// How many variables a state has.
    pub fn size(&self) -> usize {
        self.types[self.system.main].size
    }

    /// What one transition or synchronisation of a type does to a state of that type.
    fn fire(&self, type_index: usize, index: u32, local: &[i32], work: &mut Work) -> Result<States, Failure> {
        let prepared = &self.types[type_index];
        match &prepared.kind {
            Kind::Unused => Ok(Vec::new()),
            Kind::Net(net) => Ok(net::fire(net, &[index], local)?.into_iter().collect()),
            Kind::Queues(queues) => Ok(queue::fire(queues, &[index], local)?.into_iter().collect()),
            Kind::Program(program) => program::fire(prepared, program, index, local, work),
            Kind::Composite(composite) => {
                composite::fire(self, composite, &[&composite.combinations[index as usize]], local, work)
            }
        }
    }

    /// What a sequence of labels (by number) does to a state of a type.
    fn call(&self, type_index: usize, labels: &[u32], local: &[i32], work: &mut Work) -> Result<States, Failure> {
        let prepared = &self.types[type_index];
        match &prepared.kind {
            Kind::Unused => Ok(Vec::new()),
            Kind::Net(net) => net::call(prepared, labels, work, &|chosen| net::fire(net, chosen, local)),
            Kind::Queues(queues) => net::call(prepared, labels, work, &|chosen| queue::fire(queues, chosen, local)),
            Kind::Program(program) => program::call(prepared, program, labels, local, work),
            Kind::Composite(composite) => composite::call(self, prepared, composite, labels, local, work),
        }
    }
}

/// Each state once, in ascending order.
fn distinct(mut states: States) -> States {
    if states.len() > 1 {
        states.sort_unstable();
        states.dedup();
    }
    states
}
