//! Place/transition nets.
//!
//! A marking gives each place a number of tokens. A transition may fire if every place it takes from holds enough,
//! every place it reads holds enough, every place that inhibits it holds fewer than the weight of the inhibitor arc,
//! and no place with a capacity would hold more than that afterwards. It then takes, empties what it resets, and puts.
//!
//! Where several transitions may fire by themselves, only those of the highest priority among them do; all transitions of
//! a lower priority are *held back*, and count as not fireable. A transition that fires only when it is called holds no
//! other back. Priorities are known in nets that are a whole model: what they would mean for a net that is an instance of
//! a composite is not defined, and such a composite is refused.

pub mod pnml;
pub mod queue;

use crate::symmetry::DeclaredSymmetry;

/// A place/transition net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Net {
    /// Its name.
    pub name: String,
    /// Places; an index into this list is what arcs name.
    pub places: Vec<Place>,
    /// Transitions.
    pub transitions: Vec<Transition>,
    /// Designated initial markings, at least one; the first is where a net begins if nothing else is said.
    pub initial: Vec<Initial>,
    /// Groups of places of which the file says how they exclude each other.
    pub units: Option<Units>,
    /// Groups of places, ascending, that may be expected to hold at most one token together; they may overlap. A hint of
    /// where the net comes from, not a fact: whoever relies on it checks it.
    pub exclusive: Vec<Vec<u32>>,
    /// Which of its places may take each other's place, as the file says.
    pub symmetries: Vec<DeclaredSymmetry>,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name by which formulas and arcs know it.
    pub name: String,
    /// How many tokens it may hold at most, if that is limited.
    pub capacity: Option<i32>,
}

/// A designated initial marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// Its name; empty for the only one of a net that does not name it.
    pub name: String,
    /// Tokens, by place; never negative.
    pub marking: Vec<i32>,
}

/// A transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// The label by which a composite calls it. A transition with a label does not fire by itself.
    pub label: Option<String>,
    /// What it does to places, at most one entry per place, in ascending order of places.
    pub effects: Vec<Effect>,
    /// In a marking that allows several transitions only those of the highest priority fire. 0 is what has none.
    pub priority: u32,
}

/// What a transition needs of a place and does to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effect {
    /// The place.
    pub place: u32,
    /// Tokens taken.
    pub take: i32,
    /// Tokens that must be there and stay (a read arc): the place must hold `max(take, read)`.
    pub read: i32,
    /// The place must hold fewer than this (an inhibitor arc).
    pub below: Option<i32>,
    /// The place is emptied before tokens are put (a reset arc).
    pub reset: bool,
    /// Tokens put.
    pub put: i32,
}

/// The units of a net, as the NUPN section of PNML files gives them: a tree of groups of places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// All units; the root among them.
    pub units: Vec<Unit>,
    /// The unit that contains all others.
    pub root: usize,
    /// Whether the file promises that each place holds at most one token and that of the places of a unit at most one
    /// is marked. A promise, not a fact: whoever relies on it checks it.
    pub safe: bool,
}

/// A group of places, with groups nested in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Its own places.
    pub places: Vec<u32>,
    /// Units nested in it.
    pub children: Vec<usize>,
}

impl Net {
    /// Whether some transition has a priority.
    pub fn has_priorities(&self) -> bool {
        self.transitions.iter().any(|transition| transition.priority > 0)
    }

    /// Whether the places allow a transition to fire, whatever its priority. Too many tokens for a number are no reason
    /// why not: that is an error, if it fires.
    pub fn allows(&self, transition: &Transition, marking: &[i32]) -> bool {
        transition.effects.iter().all(|effect| {
            let place = effect.place as usize;
            let (Some(&tokens), Some(place)) = (marking.get(place), self.places.get(place)) else { return false };
            !matches!(effect.apply(tokens, place.capacity), Ok(None))
        })
    }
}

impl Effect {
    /// An effect that asks for nothing and changes nothing.
    pub fn on(place: u32) -> Effect {
        Effect { place, ..Effect::default() }
    }

    /// How many tokens the place must hold.
    pub fn needs(&self) -> i32 {
        self.take.max(self.read)
    }

    /// The tokens afterwards, if the place allows the transition. `None` if it does not; an overflow is an `Err`.
    pub fn apply(&self, tokens: i32, capacity: Option<i32>) -> Result<Option<i32>, Overflow> {
        if tokens < self.needs() || self.below.is_some_and(|bound| tokens >= bound) {
            return Ok(None);
        }
        let kept = if self.reset { 0 } else { tokens - self.take };
        let after = kept.checked_add(self.put).ok_or(Overflow)?;
        Ok(capacity.is_none_or(|most| after <= most).then_some(after))
    }
}

/// A place would hold more tokens than a 32-bit number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;
