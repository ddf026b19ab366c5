//! Coloured nets as the explicit engine sees them.

use super::super::property::{Atom, ColouredNets, Count, Event, Firing, matches};
use super::observe::{self, Observed};
use super::{Failed, Marking, Semantics};
use crate::expression::Integer;
use crate::property::Formula;
use crate::semantics::{Cause, RunError, Step, TransitionSystem};

impl Semantics<'_> {
    /// The marking that a state is.
    pub fn marking(&self, state: &[i32]) -> Result<Marking, RunError> {
        Marking::from_numbers(self.net, state).ok_or_else(|| RunError {
            transition: None,
            state: state.to_vec(),
            shown: String::new(),
            cause: Cause::NotAMarking,
        })
    }

    fn error(&self, cause: Cause, marking: &Marking) -> RunError {
        let state = marking.to_numbers().unwrap_or_default();
        RunError { transition: None, state, shown: self.show(marking), cause }
    }

    fn failed(&self, failed: Failed, marking: &Marking) -> RunError {
        let transition = self.net.transitions.get(failed.transition).map(|transition| transition.name.clone());
        RunError { transition, ..self.error(failed.cause, marking) }
    }

    /// What can happen in a marking.
    fn events(&self, marking: &Marking) -> Result<Vec<(Event, Marking)>, RunError> {
        self.steps_or_failed(marking).map_err(|failed| self.failed(failed, marking))
    }

    /// A marking as numbers.
    fn numbers(&self, marking: &Marking) -> Result<Vec<i32>, Cause> {
        marking.to_numbers().map_err(|full| Cause::Overflow { place: self.net.places[full.place].name.clone() })
    }

    /// How many tokens of a place match a pattern.
    fn count(&self, count: &Count, marking: &Marking) -> Result<i32, Cause> {
        let place = self.net.places.get(count.place as usize).ok_or(Cause::Unknown)?;
        if !count.fits(self.net) {
            return Err(Cause::Unknown);
        }
        let tokens = marking.places[count.place as usize].iter();
        let tokens = tokens.filter(|(token, _)| matches(&count.pattern, token));
        let sum: u64 = tokens.map(|(_, times)| u64::from(times)).sum();
        i32::try_from(sum).map_err(|_| Cause::Overflow { place: place.name.clone() })
    }

    fn fires(&self, firings: &[Firing], marking: &Marking) -> Result<bool, RunError> {
        if !firings.iter().all(|firing| firing.fits(self.net)) {
            return Err(self.error(Cause::Unknown, marking));
        }
        let events = self.events(marking)?;
        let fires = |firing: &Firing, event: &Event| {
            firing.transition == event.transition && matches(&firing.pattern, &event.binding)
        };
        Ok(events.iter().any(|(event, _)| firings.iter().any(|firing| fires(firing, event))))
    }
}

/// A marking of a net.
struct On<'s, 'a> {
    semantics: &'s Semantics<'a>,
    marking: Marking,
}

impl Observed for On<'_, '_> {
    fn count(&self, count: &Count) -> Result<i32, Cause> {
        self.semantics.count(count, &self.marking)
    }

    fn fires(&self, firings: &[Firing]) -> Result<bool, RunError> {
        self.semantics.fires(firings, &self.marking)
    }

    fn is_dead(&self) -> Result<bool, RunError> {
        Ok(self.semantics.events(&self.marking)?.is_empty())
    }

    fn failed(&self, cause: Cause) -> RunError {
        self.semantics.error(cause, &self.marking)
    }
}

impl TransitionSystem for Semantics<'_> {
    type Formalism = ColouredNets;

    fn size(&self) -> Option<usize> {
        None
    }

    fn initial_states(&self) -> Result<Vec<Vec<i32>>, RunError> {
        let marking = self.initial_marking().and_then(|marking| self.numbers(&marking));
        Ok(vec![marking.map_err(|cause| self.error(cause, &Marking::default()))?])
    }

    fn successors(&self, state: &Vec<i32>) -> Result<Vec<Step<ColouredNets>>, RunError> {
        let marking = self.marking(state)?;
        let steps = self.events(&marking)?.into_iter().map(|(event, after)| match self.numbers(&after) {
            Ok(state) => Ok(Step { event, state }),
            Err(cause) => Err(self.failed(Failed { transition: event.transition as usize, cause }, &marking)),
        });
        steps.collect()
    }

    fn is_deadlock(&self, state: &Vec<i32>) -> Result<bool, RunError> {
        Ok(self.events(&self.marking(state)?)?.is_empty())
    }

    fn is_transient(&self, _: &Vec<i32>) -> Result<bool, RunError> {
        Ok(false)
    }

    fn evaluate(&self, formula: &Formula<Atom>, state: &Vec<i32>) -> Result<bool, RunError> {
        observe::evaluate(formula, &On { semantics: self, marking: self.marking(state)? })
    }

    fn measure(&self, quantity: &Integer<Count>, state: &Vec<i32>) -> Result<i64, RunError> {
        observe::measure(quantity, &On { semantics: self, marking: self.marking(state)? })
    }

    fn can_fire(&self, action: &Firing, state: &Vec<i32>) -> Result<bool, RunError> {
        self.fires(std::slice::from_ref(action), &self.marking(state)?)
    }

    /// The most tokens of one colour in a place: what it is in the unfolded net. A net whose places are all empty has 0.
    fn most_in_place(&self, state: &Vec<i32>) -> Option<i32> {
        let marking = Marking::from_numbers(self.net, state)?;
        let counts = marking.places.iter().flat_map(|tokens| tokens.iter().map(|(_, times)| times));
        let most = counts.max().and_then(|most| i32::try_from(most).ok());
        if self.net.places.is_empty() { None } else { most.or(Some(0)) }
    }

    fn tokens(&self, state: &Vec<i32>) -> i64 {
        let marking = Marking::from_numbers(self.net, state).unwrap_or_default();
        marking.places.iter().map(|tokens| tokens.cardinality() as i64).sum()
    }

    fn are_alike(&self, one: &Event, other: &Event) -> bool {
        one == other
    }
}
