//! What the Model Checking Contest asks of a state space.

use std::fmt;

use mandala_diagram::{Count, Exactness};
use mandala_symbolic::encode::EncodeError;

use crate::select::{SelectError, without_error_state};
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
    Encode(EncodeError),
    /// The error state cannot be told from the others.
    Select(SelectError),
}

impl From<SelectError> for NoFigures {
    fn from(error: SelectError) -> NoFigures {
        match error {
            SelectError::Encode(error) => NoFigures::Encode(error),
            error => NoFigures::Select(error),
        }
    }
}

impl From<EncodeError> for NoFigures {
    fn from(error: EncodeError) -> NoFigures {
        NoFigures::Encode(error)
    }
}

impl fmt::Display for NoFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFigures::Part => write!(f, "not all states are known"),
            NoFigures::Representatives => {
                write!(f, "the figures are those of all states, and only representatives were kept")
            }
            NoFigures::Encode(error) => write!(f, "{error}"),
            NoFigures::Select(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NoFigures {}

/// Systems with more events than this are not asked for the number of their transitions.
const MOST_EVENTS: usize = 10_000_000;

impl Space<'_> {
    /// The contest's four figures.
    pub fn figures(&mut self) -> Result<Figures, NoFigures> {
        if !self.is_complete() {
            return Err(NoFigures::Part);
        }
        if self.folded.as_deref().is_some_and(|folded| !folded.way.is_whole()) {
            return Err(NoFigures::Representatives);
        }
        let states = self.count();
        let transitions = self.transitions()?;
        let valued = without_error_state(&mut self.encoded, self.states.clone())?;
        let (weight, constant) = self.encoded.tokens();
        let most = self.encoded.store.extremes(&valued, &weight).map_or(0, |(_, most)| most);
        Ok(Figures {
            states,
            transitions,
            most_in_place: self.encoded.greatest_value(&valued).map_or(0, i64::from),
            most_in_marking: most.saturating_add(constant),
        })
    }

    /// How many pairs there are of a state and an event that can happen in it.
    fn transitions(&mut self) -> Result<Option<Count>, EncodeError> {
        if self.has_traps()? {
            return Ok(None);
        }
        let Some(events) = self.encoded.events(MOST_EVENTS) else { return Ok(None) };
        let mut total = Count::zero();
        for event in &events {
            if let Some(guard) = self.encoded.guard(event)? {
                let enabled = self.encoded.store.apply(&guard, &self.states)?;
                total.add_assign(&self.encoded.store.count(&enabled), &Exactness::default());
            }
        }
        Ok(Some(total))
    }

    /// Whether there are transient states that nothing comes out of.
    fn has_traps(&mut self) -> Result<bool, EncodeError> {
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
