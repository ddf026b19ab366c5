//! What a formalism calls its own: what can be said of its states, what happens between them, and what they are.
//!
//! Formulas, questions, traces and answers are the same for every formalism but for these. Nets, programs and composites
//! share one, [`Systems`](crate::property::Systems).

use std::fmt::Debug;
use std::hash::Hash;

/// The vocabulary of a formalism.
pub trait Formalism: Copy + Debug + Eq + Send + Sync + 'static {
    /// What a formula says of one state.
    type Atom: Clone + Debug + Eq + Send + Sync;
    /// A number that each state has: its least and greatest value can be asked for.
    type Quantity: Clone + Debug + Eq + Send + Sync;
    /// What may happen, by its name: of this it can be asked whether it can fire.
    type Action: Clone + Debug + Eq + Send + Sync;
    /// What happened in one step. Several steps of one action may differ in it.
    type Event: Clone + Debug + Eq + Send + Sync;
    /// A state. It can be written as numbers, and read from them.
    type State: Clone + Debug + Eq + Hash + Send + Sync + AsRef<[i32]> + From<Vec<i32>>;

    /// What says that one of some actions can fire.
    fn can_fire(actions: &[Self::Action]) -> Self::Atom;
}
