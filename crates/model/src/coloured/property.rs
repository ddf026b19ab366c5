//! What can be asked of a coloured net, in its own words.

use super::ColouredNet;
use super::value::{Binding, Value};
use crate::expression::{Comparison, Integer};
use crate::formalism::Formalism;

/// The vocabulary of coloured nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColouredNets;

/// How many tokens of a place match a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The place.
    pub place: u32,
    /// What each component must be, `None` for anything. An empty pattern matches all tokens, whatever their colour.
    pub pattern: Vec<Option<Value>>,
}

/// The bindings of a transition that match a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Firing {
    /// The transition.
    pub transition: u32,
    /// What each variable must be bound to, `None` for anything. An empty pattern matches all bindings.
    pub pattern: Vec<Option<Value>>,
}

/// What formulas about coloured nets say of one marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A comparison of integer expressions over numbers of tokens.
    Compare(Comparison, Integer<Count>, Integer<Count>),
    /// One of these can fire.
    Fireable(Vec<Firing>),
    /// The step that led to the marking was one of these. Markings do not know that: the unfolded net is asked.
    Fired(Vec<Firing>),
}

/// What happened in a step: a transition fired, with a binding of its variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// The transition.
    pub transition: u32,
    /// What its variables were bound to.
    pub binding: Binding,
}

impl Formalism for ColouredNets {
    type Atom = Atom;
    type Quantity = Integer<Count>;
    type Action = Firing;
    type Event = Event;
    /// A marking, as numbers.
    type State = Vec<i32>;

    fn can_fire(actions: &[Firing]) -> Atom {
        Atom::Fireable(actions.to_vec())
    }
}

impl Count {
    /// Whether the net has such a place, and the pattern as many components.
    pub fn fits(&self, net: &ColouredNet) -> bool {
        let place = net.places.get(self.place as usize);
        place.is_some_and(|place| self.pattern.is_empty() || self.pattern.len() == place.domain.len())
    }
}

impl Firing {
    /// Whether the net has such a transition, and the pattern as many variables.
    pub fn fits(&self, net: &ColouredNet) -> bool {
        let transition = net.transitions.get(self.transition as usize);
        transition.is_some_and(|one| self.pattern.is_empty() || self.pattern.len() == one.variables.len())
    }
}

/// Whether values match a pattern.
pub fn matches(pattern: &[Option<Value>], values: &[Value]) -> bool {
    pattern.iter().zip(values).all(|(wanted, value)| wanted.as_ref().is_none_or(|wanted| wanted == value))
}
