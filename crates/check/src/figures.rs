//! What the Model Checking Contest asks of a state space.

use std::fmt;

use mandala_diagram::{Count, Exactness};
use mandala_model::property::Formula;
use mandala_symbolic::encode::{Atom, Encoding, Refusal};

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
        if let Some(reason) = self.events_are_unknown(formula) {
            return Err(NoFigures::Hidden(reason));
        }
        let states = self.states.clone();
        let selected = select(&mut self.encoded, formula, &states)?;
        Ok(self.encoded.store.count(&selected))
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
        for (action, times) in &actions {
            let enabled = E::enabled(&mut self.encoded, action, &self.states)?;
            let count = self.encoded.store.count(&enabled);
            (0..*times).for_each(|_| total.add_assign(&count, &Exactness::default()));
        }
        Ok(Some(total))
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
