//! Intersection and union of languages.

use rustc_hash::FxHashMap;

use super::{Automaton, MAX_MARKS, State};
use crate::TooLarge;
use crate::condition::Import;

/// A product with more states is not built.
const MAX_STATES: usize = 1_000_000;
/// A product with more edges is not built.
const MAX_EDGES: usize = 5_000_000;

impl Automaton {
    /// An automaton that accepts what both accept: pairs of states, and the marks of both.
    pub fn intersection(&self, other: &Automaton) -> Result<Automaton, TooLarge> {
        if self.marks + other.marks > MAX_MARKS {
            return Err(TooLarge::Marks);
        }
        let mut result = Automaton::with_conditions(self.conditions.clone(), self.marks + other.marks);
        let mut import = Import::default();
        let mut pairs: Vec<(State, State)> = Vec::new();
        let mut known: FxHashMap<(State, State), State> = FxHashMap::default();
        let mut state_of = |pair, pairs: &mut Vec<_>, result: &mut Automaton| {
            *known.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                result.add_state()
            })
        };
        for &left in &self.initial {
            for &right in &other.initial {
                let state = state_of((left, right), &mut pairs, &mut result);
                result.add_initial(state);
            }
        }
        let mut at = 0;
        let mut edges = 0;
        while let Some(&(left, right)) = pairs.get(at) {
            for there in other.edges(right) {
                let theirs = import.copy(&other.conditions, there.condition, &mut result.conditions);
                for here in self.edges(left) {
                    let condition = result.conditions.and(here.condition, theirs);
                    if !condition.is_false() {
                        let target = state_of((here.target, there.target), &mut pairs, &mut result);
                        result.add_edge(at as State, condition, here.marks | there.marks.shifted(self.marks), target);
                    }
                }
            }
            edges += result.edges(at as State).len();
            at += 1;
            if pairs.len() > MAX_STATES || edges > MAX_EDGES {
                return Err(TooLarge::States);
            }
            if result.conditions.is_exhausted() {
                return Err(TooLarge::Conditions);
            }
        }
        Ok(result)
    }

    /// An automaton that accepts what one of them accepts: the states of both. The one with fewer marks carries the
    /// others everywhere.
    pub fn union(&self, other: &Automaton) -> Result<Automaton, TooLarge> {
        let marks = self.marks.max(other.marks);
        let mut result = Automaton::with_conditions(self.conditions.clone(), marks);
        let mut import = Import::default();
        for part in [self, other] {
            let first = result.state_count() as State;
            let missing = result.all_marks().minus(part.all_marks());
            part.states().for_each(|_| {
                result.add_state();
            });
            for state in part.states() {
                for edge in part.edges(state) {
                    let condition = if first == 0 {
                        edge.condition
                    } else {
                        import.copy(&part.conditions, edge.condition, &mut result.conditions)
                    };
                    result.add_edge(first + state, condition, edge.marks | missing, first + edge.target);
                }
            }
            for &state in &part.initial {
                result.add_initial(first + state);
            }
        }
        if result.conditions.is_exhausted() { Err(TooLarge::Conditions) } else { Ok(result) }
    }
}
