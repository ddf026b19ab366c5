//! What a formalism gives to whoever answers questions: its states as diagrams, and what its own words mean on them.
//!
//! A set of states is a diagram, and what can happen is a list of homomorphisms, whatever the formalism. So these are
//! plain fields of [`Encoded`], and only what depends on the formalism is a method of [`Encoding`]: which states satisfy an
//! atom, in which of them an action can fire, and how a state is read from a diagram and written to one. Nothing else is
//! known of a formalism where state spaces are built and questions answered.

use std::fmt;

use mandala_diagram::{Diagram, Error, Hom, State, Store};
use mandala_model::formalism::Formalism;
use mandala_model::property::Question;
use mandala_model::semantics::{TooLarge, TransitionSystem};

use super::EncodeError;

/// A model whose states are diagrams of a store.
pub struct Encoded<E> {
    /// What its diagrams mean.
    pub encoding: E,
    /// Where its diagrams are.
    pub store: Store,
    /// The initial states.
    pub initial: Diagram,
    /// What it does by itself; the union of all of them is the transition relation.
    pub relation: Vec<Hom>,
    /// Each keeps the states in which there is an error of the model: a division by zero, an index out of range, or a
    /// fixpoint that never ends. All are empty on the reachable states of a correct model.
    pub failing: Vec<Hom>,
    /// If its initial states and its transition relation lead to representatives, what makes orbits of states.
    pub orbit: Option<Hom>,
}

/// What the states of a formalism are as diagrams, and what its words mean on them.
pub trait Encoding: Sized + Send {
    /// The formalism.
    type Formalism: Formalism;
    /// What a model means, state by state.
    type Semantics: TransitionSystem<Formalism = Self::Formalism>;
    /// Symmetries of a model, by which a quotient of its states may be made.
    type Symmetries: Send;

    /// What the model means, state by state.
    fn semantics(&self) -> Result<Self::Semantics, TooLarge>;

    /// How many values it takes to write a state down; `usize::MAX` for too many to say.
    fn state_size(&self) -> usize;

    /// Whether some states may be passed through.
    fn has_transient_states(&self) -> bool;

    /// Whether an atom speaks of what can happen in a state.
    fn mentions_events(atom: &Atom<Self>) -> bool;

    /// All that the model does by itself; nothing if there are more than `most` actions.
    fn actions(&self, most: usize) -> Option<Vec<Action<Self>>>;

    /// The same, but of actions that can fire in the same states perhaps only one, with how many they are.
    fn distinct_actions(&self, most: usize) -> Option<Vec<(Action<Self>, u32)>> {
        Some(self.actions(most)?.into_iter().map(|action| (action, 1)).collect())
    }

    /// The states of a set that satisfy an atom.
    fn select(encoded: &mut Encoded<Self>, atom: &Atom<Self>, set: &Diagram) -> Result<Diagram, Refusal>;

    /// The states of a set in which an action can fire.
    fn enabled(encoded: &mut Encoded<Self>, action: &Action<Self>, set: &Diagram) -> Result<Diagram, Refusal>;

    /// What keeps the states in which an action can fire, if it is known as a homomorphism.
    fn guard(encoded: &mut Encoded<Self>, action: &Action<Self>) -> Option<Hom>;

    /// The states of a set in which nothing can happen.
    fn dead(encoded: &mut Encoded<Self>, set: &Diagram) -> Result<Diagram, Refusal>;

    /// What there is of the error state in a set: that state or nothing.
    fn error_state(encoded: &mut Encoded<Self>, set: &Diagram) -> Result<Diagram, Refusal>;

    /// The states of a set that are passed through.
    fn transient(encoded: &mut Encoded<Self>, set: &Diagram) -> Result<Diagram, EncodeError>;

    /// The least and the greatest value of a quantity in a set.
    fn extremes(encoded: &mut Encoded<Self>, quantity: &Quantity<Self>, set: &Diagram) -> Result<(i64, i64), Refusal>;

    /// The most tokens in a place (the greatest value of a variable) in the states of a set.
    fn most_in_place(encoded: &Encoded<Self>, set: &Diagram) -> i64;

    /// The most tokens in a marking (the greatest sum of all variables) in the states of a set.
    fn most_in_marking(encoded: &Encoded<Self>, set: &Diagram) -> i64;

    /// A state of the store as one of the formalism.
    fn decode(encoded: &Encoded<Self>, state: &State) -> StateOf<Self>;

    /// A state of the formalism as a set; nothing if it has none.
    fn encode(encoded: &mut Encoded<Self>, state: &StateOf<Self>) -> Result<Option<Diagram>, Error>;

    /// The promise on which the layout of the states relied, if some states of a set break it.
    fn broken_promise(encoded: &Encoded<Self>, set: &Diagram) -> Option<EncodeError>;

    /// How each transition of the relation changes counters (as places are), where it does so in all states alike.
    fn changes(encoded: &Encoded<Self>) -> Option<Vec<Vec<(u32, Change)>>>;

    /// Whether the answer to a question is the same for all states that some symmetries map to each other.
    fn leaves_alone(&self, symmetries: &Self::Symmetries, question: &Question<Self::Formalism>) -> bool;

    /// What maps a state to the leader of its orbit under some symmetries, or to itself where that would take too long. Nothing
    /// if leaders cannot be found one by one.
    fn to_leaders(&self, symmetries: &Self::Symmetries) -> Option<ToLeader<Self>>;
}

/// What maps a state to another one of its orbit.
pub type ToLeader<E> = Box<dyn Fn(StateOf<E>) -> StateOf<E>>;

/// An atom of a formalism.
pub type Atom<E> = <<E as Encoding>::Formalism as Formalism>::Atom;
/// An action of a formalism.
pub type Action<E> = <<E as Encoding>::Formalism as Formalism>::Action;
/// A quantity of a formalism.
pub type Quantity<E> = <<E as Encoding>::Formalism as Formalism>::Quantity;
/// A state of a formalism.
pub type StateOf<E> = <<E as Encoding>::Formalism as Formalism>::State;

/// How a transition changes a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// There is more afterwards.
    Up,
    /// There is less afterwards.
    Down,
    /// It depends.
    Either,
}

/// Why a formula cannot be evaluated on sets of states.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// An expression that is not linear.
    NotLinear,
    /// An expression that has no value in some state.
    NoValue,
    /// A sum whose value could be beyond what is added up here.
    TooLarge,
    /// An expression over variables of different parts with too many values.
    TooManyValues,
    /// A temporal operator.
    Temporal,
    /// A name that the model does not have.
    Unknown,
    /// What comes of a transition with a label that is called alone, in very many states with transient ones beside them.
    Alone,
    /// The model cannot be evaluated, or a limit struck.
    Encode(EncodeError),
}

impl From<EncodeError> for Refusal {
    fn from(error: EncodeError) -> Refusal {
        Refusal::Encode(error)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Encode(EncodeError::Stopped(error))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotLinear => {
                write!(f, "only sums and constant multiples of variables can be evaluated on diagrams here")
            }
            Refusal::NoValue => write!(f, "it has no value in some state"),
            Refusal::TooLarge => {
                write!(
                    f,
                    "the numbers of a sum are too large to be evaluated on diagrams: its value could be beyond 61 bits"
                )
            }
            Refusal::TooManyValues => write!(
                f,
                "an expression over variables of different parts of the model has too many values to try them all"
            ),
            Refusal::Temporal => write!(f, "temporal operators cannot be evaluated on diagrams yet"),
            Refusal::Unknown => write!(f, "the formula names something that the model does not have"),
            Refusal::Alone => write!(
                f,
                "whether a transition with a label can fire alone, through transient states, is asked of each state by itself, \
                 which was not possible here"
            ),
            Refusal::Encode(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Refusal {}
