//! Whether an automaton accepts any word, and which.

use std::collections::VecDeque;

use super::{Lasso, Letter};
use crate::automaton::{Automaton, Components, Edge, Marks, State};

impl Automaton {
    /// Whether it accepts no word.
    pub fn is_empty(&self) -> bool {
        let components = Components::new(self);
        !(0..components.all().len()).any(|number| components.is_accepting(number))
    }

    /// A word that it accepts, if there is one: a shortest way into an accepting component, and ways from mark to mark
    /// there.
    pub fn accepted_word(&self) -> Option<Lasso> {
        let components = Components::new(self);
        let accepts = |state: State| components.of(state).is_some_and(|number| components.is_accepting(number));
        let (stem, entry) = match self.initial().iter().find(|&&state| accepts(state)) {
            Some(&state) => (Vec::new(), state),
            None => self.way(self.initial(), |_, _| true, |edge| accepts(edge.target))?,
        };
        let inside =
            |source: State, edge: &Edge| components.together(source, entry) && components.together(edge.target, entry);
        let mut round = Vec::new();
        let mut at = entry;
        let mut missing = self.all_marks();
        let met = |edges: &[Edge]| edges.iter().fold(Marks::NONE, |met, edge| met | edge.marks);
        while !missing.is_empty() {
            let (way, end) = self.way(&[at], inside, |edge| !(edge.marks & missing).is_empty())?;
            missing = missing.minus(met(&way));
            round.extend(way);
            at = end;
        }
        if at != entry || round.is_empty() {
            let (way, _) = self.way(&[at], inside, |edge| edge.target == entry)?;
            round.extend(way);
        }
        let letters = |edges: &[Edge]| edges.iter().map(|edge| self.letter_of(edge)).collect();
        Some(Lasso::new(letters(&stem), letters(&round)))
    }

    /// A word that leads from a state around a cycle and back, again and again.
    pub(crate) fn cycle_word(&self, state: State, components: &Components) -> Option<Lasso> {
        let inside = |_: State, edge: &Edge| components.together(edge.target, state);
        let (round, _) = self.way(&[state], inside, |edge| edge.target == state)?;
        Some(Lasso::new(Vec::new(), round.iter().map(|edge| self.letter_of(edge)).collect()))
    }

    /// A shortest way, over edges that are allowed, that ends with an edge that is wanted; and the state where it ends.
    fn way(
        &self, from: &[State], allowed: impl Fn(State, &Edge) -> bool, wanted: impl Fn(&Edge) -> bool,
    ) -> Option<(Vec<Edge>, State)> {
        let mut reached: Vec<Option<(State, Edge)>> = vec![None; self.state_count()];
        let mut seen = vec![false; self.state_count()];
        let mut open: VecDeque<State> = from.iter().copied().collect();
        from.iter().for_each(|&state| seen[state as usize] = true);
        while let Some(state) = open.pop_front() {
            for edge in self.edges(state).iter().filter(|edge| allowed(state, edge)) {
                if wanted(edge) {
                    let mut way = vec![*edge];
                    let mut at = state;
                    while let Some((before, edge)) = reached[at as usize] {
                        way.push(edge);
                        at = before;
                    }
                    way.reverse();
                    return Some((way, edge.target));
                }
                if !std::mem::replace(&mut seen[edge.target as usize], true) {
                    reached[edge.target as usize] = Some((state, *edge));
                    open.push_back(edge.target);
                }
            }
        }
        None
    }

    /// A letter that an edge takes: atoms hold only where they must.
    fn letter_of(&self, edge: &Edge) -> Letter {
        let cube = self.conditions().any_cube(edge.condition).unwrap_or_default();
        cube.into_iter().filter_map(|(atom, value)| value.then_some(atom)).collect()
    }
}
