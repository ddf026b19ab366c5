//! Markings and events as people write them.

use super::super::property::Event;
use super::{Marking, Semantics};

/// Tokens that a marking in a message names at most.
const MOST_SHOWN: usize = 40;

impl Semantics<'_> {
    /// A marking in words: `Fork(3): 1, Thinking(2): 1`, the first tokens if there are many.
    pub fn show(&self, marking: &Marking) -> String {
        let mut shown: Vec<String> = Vec::new();
        for (place, tokens) in self.net.places.iter().zip(&marking.places) {
            for (token, times) in tokens.iter() {
                if shown.len() == MOST_SHOWN {
                    return shown.join(", ") + ", ...";
                }
                let token = match place.domain.as_slice() {
                    [] => String::new(),
                    domain => format!("({})", self.net.show(domain, &token)),
                };
                shown.push(format!("{}{token}: {times}", place.name));
            }
        }
        if shown.is_empty() { "without tokens".to_string() } else { shown.join(", ") }
    }

    /// A state, which is a marking written as numbers, in words.
    pub fn show_state(&self, state: &[i32]) -> String {
        Marking::from_numbers(self.net, state).map_or_else(String::new, |marking| self.show(&marking))
    }

    /// An event in words: `take(p=3, f=4)`; nothing but the transition if it has no variables.
    pub fn name(&self, event: &Event) -> String {
        let Some(transition) = self.net.transitions.get(event.transition as usize) else { return String::new() };
        let bound = transition.variables.iter().zip(&event.binding);
        let bound: Vec<String> = bound
            .map(|(variable, value)| format!("{}={}", variable.name, self.net.show_value(variable.sort, value)))
            .collect();
        match bound.as_slice() {
            [] => transition.name.clone(),
            bound => format!("{}({})", transition.name, bound.join(", ")),
        }
    }
}
