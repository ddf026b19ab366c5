//! What every formalism becomes: types, and instances of types nested in composites.
//!
//! A type has *initial states*, *labels* that others call, and things it does *by itself* (definition 3.1 of the SDD
//! paper). At the bottom is a [`Net`], a [`QueueNet`] or a [`Program`]; a [`Composite`] holds instances of other types and synchronises
//! them.
//!
//! **What a composite does by itself**: whatever one of its instances does by itself, and its synchronisations without
//! a label. **What a sequence of labels does to a type**, in one atomic step:
//!
//! - to a net: each label is the choice of a transition with it, and the transitions fire *together*: enough tokens for
//!   all of them before any is put (definition 3.2); what this means for queues is said in [`crate::net::queue`];
//! - to a program: one after the other, each the choice of a transition with that label;
//! - to a composite: each label is the choice of a synchronisation; the calls of all of them, in their order, are sent to
//!   the instances, each of which gets the sequence of labels meant for it (definition 3.3).
//!
//! A **state** is a sequence of integers: those of the main type's variables, in the order of declaration, with the
//! variables of an instance in the place of the instance.

mod choices;
mod error_state;
mod facts;
mod priority;
mod program;

pub use choices::{Choices, Sent, Sequence, TooManyChoices};
pub use error_state::{Attempt, ErrorState, Misfit, Store, ValueRange};
pub use facts::{ELAPSE, INSIDE, happens_by_itself};
pub use priority::{Ahead, PrioritiesInside};
pub use program::{Array, Program, ProgramInitial, ProgramTransition, Statement, Target, Variable};

use crate::net::Net;
use crate::net::queue::QueueNet;
use crate::symmetry::DeclaredSymmetry;

/// A closed system: all types it needs and the one it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// The name of the model.
    pub name: String,
    /// Types; a composite comes after the types of its instances.
    pub types: Vec<Type>,
    /// The type of the system, an index into `types`.
    pub main: usize,
    /// The initial states of the main type in which the system begins (indices); at least one.
    pub begins: Vec<usize>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A place/transition net. One with priorities is the main type, and no instance.
    Net(Net),
    /// A net in which some places are queues. Whoever knows nets only knows nothing of it: it is no [`Type::Net`].
    Queues(QueueNet),
    /// Variables and guarded actions.
    Program(Program),
    /// Instances of other types.
    Composite(Composite),
}

/// Instances of types and what they do together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Composite {
    /// Its name.
    pub name: String,
    /// The instances it holds.
    pub instances: Vec<Instance>,
    /// What they do together.
    pub synchronisations: Vec<Synchronisation>,
    /// Designated initial states; at least one.
    pub initial: Vec<CompositeInitial>,
    /// Which of its instances may take each other's place, as the file says.
    pub symmetries: Vec<DeclaredSymmetry>,
}

/// A part of a composite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its name; an element of an array of instances is called `name[3]`.
    pub name: String,
    /// Its type, an index into [`System::types`] below that of the composite.
    pub type_index: usize,
}

/// A designated set of initial states of a composite: all combinations of the choices of its instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompositeInitial {
    /// Its name; empty for the only one of a composite that does not name it.
    pub name: String,
    /// For each instance, in which initial states of its type it may begin (indices); at least one each.
    pub choices: Vec<Vec<usize>>,
}

/// Something that instances do together, in one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synchronisation {
    /// Its name.
    pub name: String,
    /// The label by which an enclosing composite calls it. Without one, it happens by itself.
    pub label: Option<String>,
    /// What is called, in this order.
    pub calls: Vec<Call>,
}

/// A call of a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The instance whose label is called (an index), or `None` for the composite itself. Calls of the composite itself
    /// never go in circles.
    pub instance: Option<usize>,
    /// The label.
    pub label: String,
}

/// Something inside a system: a variable or place, or a transition or synchronisation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The instances on the way from the main type (indices).
    pub path: Vec<u32>,
    /// The variable, place, transition or synchronisation of the type at the end of the path (an index).
    pub index: u32,
}

/// Something that happens in one step of a system.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// The transition or synchronisation that happens by itself. This tells events apart.
    pub location: Location,
    /// What happens after it, through transient states.
    pub through: Vec<Location>,
}
