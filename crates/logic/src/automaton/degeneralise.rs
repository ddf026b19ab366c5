//! From many marks to one.

use rustc_hash::FxHashMap;

use super::{Automaton, Components, Marks, State};

impl Automaton {
    /// An automaton with one mark that accepts the same words.
    ///
    /// States are copied once for each mark, and a copy waits for its mark: an edge moves on past all marks that it has
    /// in turn, and is marked when it has come past the last. Edges between components start again at the first.
    pub fn degeneralise(&self) -> Automaton {
        let mut result = Automaton::with_conditions(self.conditions.clone(), 1);
        let components = Components::new(self);
        let mut copies: Vec<(State, u32)> = Vec::new();
        let mut known: FxHashMap<(State, u32), State> = FxHashMap::default();
        let mut state_of = |copy, copies: &mut Vec<_>, result: &mut Automaton| {
            *known.entry(copy).or_insert_with(|| {
                copies.push(copy);
                result.add_state()
            })
        };
        for &initial in &self.initial {
            let state = state_of((initial, 0), &mut copies, &mut result);
            result.add_initial(state);
        }
        let mut at = 0;
        while let Some(&(state, waiting)) = copies.get(at) {
            for edge in self.edges(state) {
                let (next, marks) = if components.together(state, edge.target) {
                    self.wait(waiting, edge.marks)
                } else {
                    (0, Marks::NONE)
                };
                let target = state_of((edge.target, next), &mut copies, &mut result);
                result.add_edge(at as State, edge.condition, marks, target);
            }
            at += 1;
        }
        result.merge_edges();
        result
    }

    /// What is waited for after an edge with some marks, and the edge's mark.
    fn wait(&self, mut waiting: u32, marks: Marks) -> (u32, Marks) {
        while waiting < self.marks && marks.contains(waiting) {
            waiting += 1;
        }
        if waiting < self.marks {
            return (waiting, Marks::NONE);
        }
        // All were met: what the edge has of the next round counts as well, but not a whole round.
        waiting = (0..self.marks).find(|&mark| !marks.contains(mark)).unwrap_or(0);
        (waiting, Marks::one(0))
    }
}
