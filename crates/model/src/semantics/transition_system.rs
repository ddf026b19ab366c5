//! What a model of any formalism means, state by state.

use super::{RunError, Semantics, Step};
use crate::expression::Integer;
use crate::formalism::Formalism;
use crate::property::{Formula, Systems};
use crate::system::{Event, Location};

/// What a model means, state by state: the definition that every engine is held to, and by which every trace is replayed.
pub trait TransitionSystem {
    /// The formalism of the model.
    type Formalism: Formalism;

    /// How many numbers a state has, if all states have the same.
    fn size(&self) -> Option<usize>;

    /// The states in which runs begin; none of them is transient.
    fn initial_states(&self) -> Result<Vec<State<Self>>, RunError>;

    /// All steps from a state, each once.
    fn successors(&self, state: &State<Self>) -> Result<Vec<Step<Self::Formalism>>, RunError>;

    /// Whether nothing can happen in a state.
    fn is_deadlock(&self, state: &State<Self>) -> Result<bool, RunError>;

    /// Whether this is the error state, of which nothing else can be said. Few formalisms have one.
    fn is_error_state(&self, _state: &State<Self>) -> bool {
        false
    }

    /// Whether a state is passed through and does not count.
    fn is_transient(&self, state: &State<Self>) -> Result<bool, RunError>;

    /// Whether a formula without temporal operators holds in a state.
    fn evaluate(
        &self, formula: &Formula<<Self::Formalism as Formalism>::Atom>, state: &State<Self>,
    ) -> Result<bool, RunError>;

    /// The value of a quantity in a state.
    fn measure(
        &self, quantity: &<Self::Formalism as Formalism>::Quantity, state: &State<Self>,
    ) -> Result<i64, RunError>;

    /// Whether an action can happen in a state.
    fn can_fire(&self, action: &<Self::Formalism as Formalism>::Action, state: &State<Self>) -> Result<bool, RunError>;

    /// The most tokens in a place (the greatest value of a variable) of a state; nothing if there is none.
    fn most_in_place(&self, state: &State<Self>) -> Option<i32>;

    /// How many tokens a state has (the sum of all variables).
    fn tokens(&self, state: &State<Self>) -> i64;

    /// Whether two steps from the same state are steps of the same event, as far as people tell events apart.
    fn are_alike(
        &self, one: &<Self::Formalism as Formalism>::Event, other: &<Self::Formalism as Formalism>::Event,
    ) -> bool;
}

/// A state of a transition system.
type State<T> = <<T as TransitionSystem>::Formalism as Formalism>::State;

impl TransitionSystem for Semantics<'_> {
    type Formalism = Systems;

    fn size(&self) -> Option<usize> {
        Some(self.size())
    }

    fn initial_states(&self) -> Result<Vec<Vec<i32>>, RunError> {
        self.initial_states()
    }

    fn successors(&self, state: &Vec<i32>) -> Result<Vec<Step>, RunError> {
        self.successors(state)
    }

    fn is_deadlock(&self, state: &Vec<i32>) -> Result<bool, RunError> {
        self.is_deadlock(state)
    }

    fn is_error_state(&self, state: &Vec<i32>) -> bool {
        self.is_error_state(state)
    }

    fn is_transient(&self, state: &Vec<i32>) -> Result<bool, RunError> {
        self.is_transient(state)
    }

    fn evaluate(&self, formula: &Formula, state: &Vec<i32>) -> Result<bool, RunError> {
        self.evaluate(formula, state)
    }

    fn measure(&self, quantity: &Integer<Location>, state: &Vec<i32>) -> Result<i64, RunError> {
        self.evaluate_integer(quantity, state)
    }

    fn can_fire(&self, action: &Location, state: &Vec<i32>) -> Result<bool, RunError> {
        self.enabled(state, action)
    }

    fn most_in_place(&self, state: &Vec<i32>) -> Option<i32> {
        self.counted(state).max()
    }

    fn tokens(&self, state: &Vec<i32>) -> i64 {
        self.counted(state).map(i64::from).sum()
    }

    /// Which way is taken through transient states is not compared: there may be several.
    fn are_alike(&self, one: &Event, other: &Event) -> bool {
        one.location == other.location
    }
}

impl Semantics<'_> {
    /// The values of a state that count something: all but the letters in the cells of queues, which their places count.
    fn counted(&self, state: &[i32]) -> impl Iterator<Item = i32> {
        let mut queues = self.queues.iter().peekable();
        state.iter().enumerate().filter_map(move |(at, &value)| {
            while queues.next_if(|queue| queue.range().end <= at).is_some() {}
            let is_letter = queues.peek().is_some_and(|queue| queue.range().contains(&at));
            (!is_letter).then_some(value)
        })
    }
}
