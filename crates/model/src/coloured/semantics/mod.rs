//! What a coloured net means, marking by marking: the token game of [`crate::coloured`] as code that is meant to be read. It is
//! slow and plain, and everything else is tested against it.
//!
//! Where that documentation leaves something open, this is how it is closed:
//!
//! - **A binding is there** only if all terms of its guard and of all its arcs have a value, also those in parts of the guard
//!   that do not matter and in conditions that do not hold.
//! - **Bags** are bound to whatever is within their bound. A variable for bags must be bounded in every marking: by an arc that
//!   takes its colours, or a token that holds it; by a part of the guard that limits how much is in it, or includes it in
//!   something that is bounded; or because it is `unique`. A net in which one is not is refused.
//! - **Numbers**: more of one token in a place than a signed 32-bit number says is an error, and so is a number of tokens beyond
//!   that in a formula.

mod binding;
mod marking;
mod names;
pub mod observe;
mod transition_system;

pub use binding::defined;
pub use marking::{Marking, Overfull};

use super::evaluate::Evaluator;
use super::property::Event;
use super::value::{Bag, Token, TooMany, Value};
use super::{Arc, ColouredNet, Sort, Transition, Variable};
use crate::semantics::Cause;
use binding::Prepared;
use std::fmt;

/// The meaning of a coloured net.
#[derive(Clone, Debug)]
pub struct Semantics<'a> {
    net: &'a ColouredNet,
    transitions: Vec<Prepared<'a>>,
}

/// Nothing bounds the bags that a variable can be bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbounded {
    /// The transition.
    pub transition: String,
    /// The variable.
    pub variable: String,
}

impl fmt::Display for Unbounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unbounded { transition, variable } = self;
        write!(
            f,
            "nothing bounds the bag `{variable}` of the transition `{transition}`: limit how much is in it in the guard, \
             take its colours from a place, or let it be unique"
        )
    }
}

impl std::error::Error for Unbounded {}

/// What a transition does in a marking, and what it was that failed.
struct Failed {
    transition: usize,
    cause: Cause,
}

impl<'a> Semantics<'a> {
    /// The meaning of a net, unless it has a bag that nothing bounds. The indices in the net must be what their documentation
    /// says.
    pub fn new(net: &'a ColouredNet) -> Result<Semantics<'a>, Unbounded> {
        let transitions: Vec<Prepared<'a>> = net.transitions.iter().map(|one| Prepared::new(net, one)).collect();
        for (transition, prepared) in net.transitions.iter().zip(&transitions) {
            if let Some(variable) = prepared.unbounded(net) {
                let variable = transition.variables[variable].name.clone();
                return Err(Unbounded { transition: transition.name.clone(), variable });
            }
        }
        Ok(Semantics { net, transitions })
    }

    /// The net.
    pub fn net(&self) -> &'a ColouredNet {
        self.net
    }

    /// The marking in the beginning.
    pub fn initial_marking(&self) -> Result<Marking, Cause> {
        let evaluator = Evaluator::constant(self.net);
        let tokens = self.net.places.iter().map(|place| {
            let tokens = defined(evaluator.tokens(&place.initial), Some(&place.name))?;
            tokens.ok_or(Cause::Malformed)
        });
        Ok(Marking { places: tokens.collect::<Result<_, _>>()? })
    }

    /// All that can happen in a marking, with the marking afterwards: in the order of the transitions, each binding once.
    pub fn steps(&self, marking: &Marking) -> Result<Vec<(Event, Marking)>, Cause> {
        self.steps_or_failed(marking).map_err(|failed| failed.cause)
    }

    fn steps_or_failed(&self, marking: &Marking) -> Result<Vec<(Event, Marking)>, Failed> {
        let mut priorities: Vec<u32> = self.net.transitions.iter().map(|transition| transition.priority).collect();
        priorities.sort_unstable();
        priorities.dedup();
        for priority in priorities.into_iter().rev() {
            let mut steps = Vec::new();
            for (index, transition) in self.net.transitions.iter().enumerate() {
                if transition.priority == priority {
                    let fired = self.fire(index, marking);
                    steps.append(&mut fired.map_err(|cause| Failed { transition: index, cause })?);
                }
            }
            if !steps.is_empty() {
                return Ok(steps);
            }
        }
        Ok(Vec::new())
    }

    /// The marking after an event, if it can happen.
    pub fn after_event(&self, marking: &Marking, event: &Event) -> Result<Option<Marking>, Cause> {
        let index = event.transition as usize;
        let transition = self.net.transitions.get(index).ok_or(Cause::Unknown)?;
        let fits = |(variable, value): (&Variable, &Value)| match (variable.sort, value) {
            (Sort::Colour(class), Value::Colour(colour)) => *colour < self.net.classes[class as usize].len(),
            (Sort::Bag(_), Value::Bag(bag)) => !variable.unique || bag.is_set(),
            _ => false,
        };
        if event.binding.len() != transition.variables.len()
            || !transition.variables.iter().zip(&event.binding).all(fits)
        {
            return Err(Cause::Unknown);
        }
        if self.net.has_priorities() {
            // Others may hold it back.
            let steps = self.steps(marking)?;
            return Ok(steps.into_iter().find(|(one, _)| one == event).map(|(_, after)| after));
        }
        let evaluator = Evaluator::new(self.net, &transition.variables, &event.binding);
        if defined(evaluator.guard(&transition.guard), None)? != Some(true) {
            return Ok(None);
        }
        for arc in &transition.takes {
            let taken = self.tokens(arc, &evaluator)?;
            if !taken.is_some_and(|taken| taken.is_included_in(&marking.places[arc.place as usize])) {
                return Ok(None);
            }
        }
        self.after(transition, &evaluator, marking)
    }

    /// What a transition can do in a marking, whatever the others can.
    fn fire(&self, index: usize, marking: &Marking) -> Result<Vec<(Event, Marking)>, Cause> {
        let transition = &self.net.transitions[index];
        let mut steps = Vec::new();
        for binding in self.transitions[index].bindings(self.net, marking)? {
            let evaluator = Evaluator::new(self.net, &transition.variables, &binding);
            if let Some(after) = self.after(transition, &evaluator, marking)? {
                steps.push((Event { transition: index as u32, binding }, after));
            }
        }
        Ok(steps)
    }

    /// The marking after a transition has fired, unless something inhibits it. Its guard holds, and its tokens are there.
    fn after(
        &self, transition: &Transition, evaluator: &Evaluator<'_>, marking: &Marking,
    ) -> Result<Option<Marking>, Cause> {
        for arc in &transition.inhibitors {
            let Some(least) = self.tokens(arc, evaluator)? else { return Ok(None) };
            let tokens = &marking.places[arc.place as usize];
            if least.iter().any(|(token, least)| tokens.count(&token) >= least) {
                return Ok(None);
            }
        }
        let mut after = marking.clone();
        for arc in &transition.takes {
            let Some(taken) = self.tokens(arc, evaluator)? else { return Ok(None) };
            after.places[arc.place as usize].remove_all(&taken);
        }
        let mut put = Vec::new();
        for arc in &transition.puts {
            let Some(tokens) = self.tokens(arc, evaluator)? else { return Ok(None) };
            put.push((arc.place as usize, tokens));
        }
        for (place, tokens) in put {
            let full = |_: TooMany| Cause::Overflow { place: self.net.places[place].name.clone() };
            after.places[place].add_all(&tokens).map_err(full)?;
        }
        Ok(Some(after))
    }

    /// The tokens of an arc, if all terms have a value.
    fn tokens(&self, arc: &Arc, evaluator: &Evaluator<'_>) -> Result<Option<Bag<Token>>, Cause> {
        defined(evaluator.tokens(&arc.tokens), Some(&self.net.places[arc.place as usize].name))
    }
}
