//! What a model is, without looking at its states.

mod coloured;
mod composite;
mod net;
mod structure;

pub use coloured::{ClassFacts, ColouredFacts};
pub use composite::{CompositeFacts, TypeFacts};
pub use net::{Arcs, NetFacts, OrderFacts, QueueFacts};
pub use structure::{Invariant, Listing, NetStructure, Round, SiphonsAndTraps};

pub(crate) use composite::instances;

use crate::engine;
use crate::model::{Content, Model, Shape};
use crate::symmetry::{Declared, Group};
use mandala_model::system::Type;

/// What a model is, as far as can be seen without its states.
#[derive(Clone, Debug)]
pub enum Facts {
    /// A coloured net, as it is written.
    Coloured(ColouredFacts),
    /// A place/transition net.
    Net(NetFacts),
    /// A program.
    Program(ProgramFacts),
    /// A composite.
    Composite(CompositeFacts),
}

/// What a program is.
#[derive(Clone, Debug)]
pub struct ProgramFacts {
    /// How many variables it has, with the elements of arrays.
    pub variables: usize,
    /// How many arrays.
    pub arrays: usize,
    /// How many transitions.
    pub transitions: usize,
    /// Whether some states are passed through.
    pub has_transient_states: bool,
    /// The orders that its variables may have, the most promising first.
    pub orders: Vec<OrderFacts>,
}

/// How large a model is: what is known of it without looking for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// What it is made of.
    pub shape: Shape,
    /// How many places or variables it has; of a composite, how many types.
    pub variables: usize,
    /// How many transitions; of a composite, how many synchronisations.
    pub transitions: usize,
}

impl Model {
    /// How large it is.
    pub fn size(&self) -> Size {
        let (variables, transitions) = match self.content() {
            Content::Coloured(coloured) => (coloured.net.places.len(), coloured.net.transitions.len()),
            Content::System(system, _) => match system.main_type() {
                Type::Composite(_) => (system.types.len(), system.main_type().event_count()),
                Type::Queues(queues) => (queues.net.places.len(), queues.net.transitions.len()),
                kind => (kind.variable_count(), kind.event_count()),
            },
        };
        Size { shape: self.shape(), variables, transitions }
    }

    /// What the model is: sizes, what its structure shows, orders of variables. A coloured net is not unfolded for this;
    /// what it stands for has facts of its own ([`Model::unfold`]).
    pub fn facts(&self) -> Facts {
        let system = match &self.content() {
            Content::Coloured(coloured) => return Facts::Coloured(ColouredFacts::new(&coloured.net)),
            Content::System(system, _) => system,
        };
        match system.main_type() {
            Type::Net(net) => Facts::Net(NetFacts::new(net)),
            Type::Queues(queues) => Facts::Net(NetFacts::of_queues(queues)),
            Type::Program(program) => Facts::Program(ProgramFacts {
                variables: program.variables.len(),
                arrays: program.arrays.len(),
                transitions: program.transitions.len(),
                has_transient_states: program.transient.is_some(),
                orders: net::orders_of_program(program),
            }),
            Type::Composite(_) => Facts::Composite(CompositeFacts::new(system)),
        }
    }

    /// The orders that the variables of a flat model may have, the most promising first. A composite keeps the order in
    /// which it is written, and a coloured net has none of its own.
    pub fn orders(&self) -> Vec<OrderFacts> {
        match self.facts() {
            Facts::Net(NetFacts { orders, .. }) | Facts::Program(ProgramFacts { orders, .. }) => orders,
            Facts::Composite(_) | Facts::Coloured(_) => Vec::new(),
        }
    }

    /// How many initial states it begins in.
    pub fn initial_states(&self) -> usize {
        match self.content() {
            Content::System(system, _) => system.begins.len(),
            Content::Coloured(_) => 1,
        }
    }

    /// The symmetries that leave its behaviour alone, if there are any and they were found. Those of a coloured net are
    /// symmetries of the net that it is unfolded into; there are none if it cannot be.
    ///
    /// ```
    /// let model = mandala::Model::parse(
    ///     "net two { place a = 1; place b = 1; transition t { take a; } transition u { take b; } }",
    ///     mandala::Format::Gal,
    /// )?;
    /// assert_eq!(model.symmetries().unwrap().order.to_u64(), Some(2));
    /// # Ok::<(), mandala::Error>(())
    /// ```
    pub fn symmetries(&self) -> Option<Group> {
        self.system().ok().and_then(engine::symmetries)
    }

    /// The symmetries that it declares, and whether they are some.
    pub fn declared_symmetries(&self) -> Vec<Declared> {
        self.system().map_or_else(|_| Vec::new(), engine::declared_symmetries)
    }
}
