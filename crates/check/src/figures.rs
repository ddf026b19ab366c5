//! What the Model Checking Contest asks of a state space.

use std::fmt;

use mandala_diagram::{Count, Diagram, Exactness};
use mandala_model::property::Formula;
use mandala_symbolic::encode::{Atom, Encoding, Refusal, StateOf};

use crate::select::{select, without_error_state};
use crate::space::Space;

/// The contest's four figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// How many states there are.
    pub states: Count,
    /// How many pairs of a state and an event that can happen in it; nothing if there are too many kinds of events to
    /// look at one by one, or transient states that nothing comes out of, because an event that leads there only does not
    /// count.
    pub transitions: Option<Count>,
    /// The most tokens in a place (the greatest value of a variable). The error state has no values.
    pub most_in_place: i64,
    /// The most tokens in a marking (the greatest sum of all variables).
    pub most_in_marking: i64,
}

/// Why there are no figures.
#[derive(Clone, Debug)]
pub enum NoFigures {
    /// Not all states are known.
    Part,
    /// Only representatives were kept, and the figures are those of all states.
    Representatives,
    /// When something can happen is not known on diagrams, or a limit struck.
    Refused(Refusal),
    /// Transient states hide what can happen.
    Hidden(String),
}

impl From<Refusal> for NoFigures {
    fn from(refusal: Refusal) -> NoFigures {
        NoFigures::Refused(refusal)
    }
}

impl fmt::Display for NoFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFigures::Part => write!(f, "not all states are known"),
            NoFigures::Representatives => {
                write!(f, "the figures are those of all states, and only representatives were kept")
            }
            NoFigures::Refused(refusal) => write!(f, "{refusal}"),
            NoFigures::Hidden(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NoFigures {}

/// How two sets of states are made one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// The states of either.
    Union,
    /// The states of both.
    Intersection,
    /// The states of the first that are not in the second.
    Difference,
}

/// Systems with more events than this are not asked for the number of their transitions.
const MOST_EVENTS: usize = 10_000_000;

impl<E: Encoding> Space<E> {
    /// The contest's four figures.
    pub fn figures(&mut self) -> Result<Figures, NoFigures> {
        self.has_all_states()?;
        let states = self.count();
        let transitions = self.transitions()?;
        let valued = without_error_state(&mut self.encoded, self.states.clone())?;
        Ok(Figures {
            states,
            transitions,
            most_in_place: E::most_in_place(&self.encoded, &valued),
            most_in_marking: E::most_in_marking(&self.encoded, &valued),
        })
    }

    /// How many reachable states satisfy a formula without temporal operators.
    pub fn count_where(&mut self, formula: &Formula<Atom<E>>) -> Result<Count, NoFigures> {
        self.has_all_states()?;
        let selected = self.select(formula)?;
        Ok(self.encoded.store.count(&selected))
    }

    /// The states of this space, as many as there are, that satisfy a formula without temporal operators.
    pub fn select(&mut self, formula: &Formula<Atom<E>>) -> Result<Diagram, NoFigures> {
        if let Some(reason) = self.events_are_unknown(formula) {
            return Err(NoFigures::Hidden(reason));
        }
        let states = self.states.clone();
        Ok(select(&mut self.encoded, formula, &states)?)
    }

    /// The union, intersection or difference of sets of its states.
    pub fn combine(&mut self, how: Combination, one: &Diagram, other: &Diagram) -> Result<Diagram, NoFigures> {
        let store = &mut self.encoded.store;
        let set = match how {
            Combination::Union => store.union(one, other),
            Combination::Intersection => store.intersection(one, other),
            Combination::Difference => store.difference(one, other),
        };
        set.map_err(|error| NoFigures::Refused(error.into()))
    }

    /// Whether a set of its states holds a state.
    pub fn contains(&mut self, set: &Diagram, state: &StateOf<E>) -> Result<bool, NoFigures> {
        let encoded = E::encode(&mut self.encoded, state).map_err(Refusal::from)?;
        let Some(one) = encoded else { return Ok(false) };
        let Some(found) = self.encoded.store.pick(&one) else { return Ok(false) };
        // A state that breaks what the layout relies on is not what was written down.
        Ok(self.encoded.store.contains(set, &found) && E::decode(&self.encoded, &found) == *state)
    }

    /// What is counted is counted of all states, each by itself.
    fn has_all_states(&self) -> Result<(), NoFigures> {
        if !self.is_complete() {
            return Err(NoFigures::Part);
        }
        if self.quotient.as_deref().is_some_and(|quotient| !quotient.construction.is_whole()) {
            return Err(NoFigures::Representatives);
        }
        Ok(())
    }

    /// How many pairs there are of a state and an event that can happen in it.
    fn transitions(&mut self) -> Result<Option<Count>, Refusal> {
        if self.has_traps()? {
            return Ok(None);
        }
        let Some(actions) = self.encoded.encoding.distinct_actions(MOST_EVENTS) else { return Ok(None) };
        let mut total = Count::zero();
        let mut guards = Vec::new();
        for (action, times) in &actions {
            if let Some(guard) = E::guard(&mut self.encoded, action) {
                guards.push((guard, u64::from(*times)));
                continue;
            }
            let enabled = E::enabled(&mut self.encoded, action, &self.states)?;
            let count = self.encoded.store.count(&enabled);
            (0..*times).for_each(|_| total.add_assign(&count, &Exactness::default()));
        }
        let by_guards = self.encoded.store.total(&guards, &self.states)?;
        Ok(Some(total.add(&by_guards, &Exactness::default())))
    }

    /// Whether there are transient states that nothing comes out of.
    fn has_traps(&mut self) -> Result<bool, Refusal> {
        if self.reached == self.states {
            return Ok(false);
        }
        let store = &mut self.encoded.store;
        let step = store.sum(&self.encoded.relation);
        let back = store.predecessors(&step, &self.reached)?;
        let leaving = store.reachable_within(&self.states, [&back], &self.reached)?;
        Ok(leaving != self.reached)
    }
}
