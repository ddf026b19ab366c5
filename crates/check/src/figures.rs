//! What the Model Checking Contest asks of a state space.

use mandala_diagram::{Count, Exactness};
use mandala_symbolic::encode::EncodeError;

use crate::space::Space;

/// The contest's four figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// How many states there are.
    pub states: Count,
    /// How many pairs of a state and an event that can happen in it; nothing if there are too many kinds of events to
    /// look at one by one.
    pub transitions: Option<Count>,
    /// The most tokens in a place (the greatest value of a variable).
    pub most_in_place: i64,
    /// The most tokens in a marking (the greatest sum of all variables).
    pub most_in_marking: i64,
}

/// Systems with more events than this are not asked for the number of their transitions.
const MOST_EVENTS: usize = 10_000_000;

impl Space<'_> {
    /// The contest's four figures.
    pub fn figures(&mut self) -> Result<Figures, EncodeError> {
        let states = self.count();
        let transitions = self.transitions()?;
        let (weight, constant) = self.encoded.tokens();
        let most = self.encoded.store.extremes(&self.states, &weight).map_or(0, |(_, most)| most);
        Ok(Figures {
            states,
            transitions,
            most_in_place: self.encoded.greatest_value(&self.states).map_or(0, i64::from),
            most_in_marking: most.saturating_add(constant),
        })
    }

    /// How many pairs there are of a state and an event that can happen in it.
    pub fn transitions(&mut self) -> Result<Option<Count>, EncodeError> {
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
}
