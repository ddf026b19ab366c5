//! A system as diagrams: its initial states, what it does, and when it can.
//!
//! `encoding` is what every formalism offers; the rest is about systems. `types` makes the homomorphisms of each type, from
//! the elementary ones up; `event` says what can happen where; `formula` which states satisfy a condition, `select` which
//! satisfy an atom; `state` goes from states to diagrams and back, and measures them.

mod encoding;
mod event;
mod formula;
mod priority;
mod select;
mod state;
mod types;

use std::fmt;

use mandala_diagram::{Diagram, Error, Hom, Store};
use mandala_model::net::Net;
use mandala_model::net::queue::QueueNet;
use mandala_model::system::{PrioritiesInside, System, Type};
use rustc_hash::FxHashMap;

use crate::canonise::reduction::Canonise;
use crate::demand::{Sequence, TooManyChoices, demands};
use crate::layout::{Content, Layout, Slot};
use crate::program::Beyond;
use crate::queue::QueueSlot;
pub use encoding::{Action, Atom, Change, Encoded, Encoding, Quantity, Refusal, StateOf, ToLeader};
use mandala_analysis::order::Order;
use priority::HeldBack;
use types::{Doing, Fires, encode_composite, encode_net, encode_program};

/// A system whose states are diagrams of a store.
///
/// A state of an elementary type is laid out by a [`Layout`]; a state of a composite has one variable per instance, whose
/// value is the state of the instance.
pub type EncodedSystem<'a> = Encoded<SystemEncoding<'a>>;

/// How the states of a system are diagrams.
pub struct SystemEncoding<'a> {
    /// The system.
    pub system: &'a System,
    types: Vec<Coded>,
    /// How many variables a state of each type has; `usize::MAX` for too many to say.
    sizes: Vec<usize>,
}

/// How the types of a system are laid out. Those that are not named are laid out as declared: one slot per variable, and the
/// instances of a composite one after the other.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    /// Layouts of nets and programs, by type.
    pub elementary: FxHashMap<usize, Layout>,
    /// Orders of the instances of composites, by type.
    pub composites: FxHashMap<usize, Order>,
}

/// A type as diagrams.
#[derive(Default)]
struct Coded {
    /// Where the variables of an elementary type are.
    layout: Option<Layout>,
    /// The variable of each instance of a composite.
    slots: Vec<u32>,
    /// The designated initial states.
    initial: Vec<Diagram>,
    /// What it does when it is sent a sequence of labels, and when it can.
    sent: FxHashMap<Sequence, Doing>,
    /// What it does by itself.
    locals: Vec<Hom>,
    /// Where its transitions are held back by those of a higher priority.
    held_back: HeldBack,
    /// What is not empty if there is an error of the model; where there is nothing, what it does is ⊤ instead.
    failing: Vec<Hom>,
}

/// Why a system has no diagrams.
#[derive(Clone, Debug)]
pub enum EncodeError {
    /// A program does what cannot be evaluated on diagrams yet.
    Beyond {
        /// The type.
        program: String,
        /// What goes beyond, and where.
        beyond: Beyond,
    },
    /// Too many combinations of choices.
    TooManyChoices(TooManyChoices),
    /// Transitions that fire together would take or put more tokens than a 32-bit number says.
    Overflow {
        /// The type.
        net: String,
    },
    /// More than one token in a unit of which the file says that it holds one at most, already initially.
    BrokenPromise {
        /// The net.
        net: String,
    },
    /// A net with priorities is an instance of a composite.
    Priorities(PrioritiesInside),
    /// A limit struck.
    Stopped(Error),
}

impl From<Error> for EncodeError {
    fn from(error: Error) -> EncodeError {
        EncodeError::Stopped(error)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Beyond { program, beyond } => write!(
                f,
                "transition {} of {program} has {}, which cannot be evaluated on diagrams yet",
                beyond.transition, beyond.reason
            ),
            EncodeError::TooManyChoices(choices) => {
                write!(f, "{} of {} has too many combinations of choices", choices.what, choices.composite)
            }
            EncodeError::Overflow { net } => {
                write!(f, "transitions of {net} that fire together move more tokens than 32 bits can say")
            }
            EncodeError::BrokenPromise { net } => {
                write!(f, "a unit of {net} that is said to be safe holds more than one token initially")
            }
            EncodeError::Priorities(inside) => write!(f, "{inside}"),
            EncodeError::Stopped(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for EncodeError {}

impl<'a> EncodedSystem<'a> {
    /// A system in a store, laid out as `layouts` says.
    pub fn new(system: &'a System, mut store: Store, mut layouts: Layouts) -> Result<EncodedSystem<'a>, EncodeError> {
        system.refuse_priorities_inside().map_err(EncodeError::Priorities)?;
        let demands = demands(system).map_err(EncodeError::TooManyChoices)?;
        let mut types: Vec<Coded> = Vec::with_capacity(system.types.len());
        for (index, demand) in demands.into_iter().enumerate() {
            let demand = demand.into_iter();
            let is_main = index == system.main;
            let coded = match &system.types[index] {
                Type::Net(net) => {
                    let layout = layouts.elementary.remove(&index).unwrap_or_else(|| declared(net.places.len()));
                    encode_net(&mut store, Fires::Net(net), layout, demand, is_main)?
                }
                Type::Queues(queues) => {
                    let layout = layouts.elementary.remove(&index).unwrap_or_else(|| declared_queues(queues));
                    encode_net(&mut store, Fires::Queues(queues), layout, demand, is_main)?
                }
                Type::Program(program) => {
                    let layout = layouts.elementary.remove(&index).unwrap_or_else(|| declared(program.variables.len()));
                    encode_program(&mut store, program, layout, demand, is_main)?
                }
                Type::Composite(composite) => {
                    let order = layouts.composites.remove(&index);
                    let order = order.unwrap_or_else(|| (0..composite.instances.len() as u32).collect());
                    encode_composite(&mut store, composite, &order, &types, demand, is_main)?
                }
            };
            types.push(coded);
        }
        let main = &types[system.main];
        let (relation, failing) = (main.locals.clone(), main.failing.clone());
        let begins: Vec<&Diagram> = system.begins.iter().map(|&begin| &main.initial[begin]).collect();
        let initial = store.union_of(begins)?;
        let encoding = SystemEncoding { system, types, sizes: system.sizes() };
        Ok(Encoded { encoding, store, initial, relation, failing, orbit: None })
    }

    /// Makes the initial states and every step lead to representatives of orbits: the quotient by a group.
    pub fn make_quotient(&mut self, canonise: &Canonise) -> Result<(), Error> {
        let representative = canonise.representative(&mut self.store);
        self.lead_to(canonise, &representative)
    }

    /// The same with a given set of representatives, at least one of each orbit.
    pub fn make_quotient_among(&mut self, canonise: &Canonise, representatives: &Diagram) -> Result<(), Error> {
        let representative = canonise.representative_among(&mut self.store, representatives);
        self.lead_to(canonise, &representative)
    }

    fn lead_to(&mut self, canonise: &Canonise, representative: &Hom) -> Result<(), Error> {
        let step = self.store.sum(&self.relation);
        self.relation = vec![self.store.compose(representative, &step)];
        self.initial = self.store.apply(representative, &self.initial)?;
        self.orbit = Some(canonise.orbits(&mut self.store));
        Ok(())
    }

    /// Which instance of a composite a variable of its states is.
    pub fn instance_at(&self, type_index: usize, variable: u32) -> Option<usize> {
        self.encoding.types[type_index].slots.iter().position(|&slot| slot == variable)
    }

    /// The layout of an elementary type.
    pub fn layout(&self, type_index: usize) -> Option<&Layout> {
        self.encoding.types[type_index].layout.as_ref()
    }
}

pub(crate) fn overflow(net: &Net) -> EncodeError {
    EncodeError::Overflow { net: net.name.clone() }
}

/// One slot per place, a queue or a number, in the order of declaration.
fn declared_queues(queues: &QueueNet) -> Layout {
    let slot = |place: u32| match queues.queue_at(place) {
        Some(queue) => Slot::Queue(QueueSlot::new(queue)),
        None => Slot::Data(Content::single(place)),
    };
    Layout::new((0..queues.net.places.len() as u32).map(slot).collect())
}

/// One slot per variable, in the order of declaration.
pub fn declared(variables: usize) -> Layout {
    Layout::new((0..variables as u32).map(|variable| Slot::Data(Content::single(variable))).collect())
}
