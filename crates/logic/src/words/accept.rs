//! Whether an automaton accepts a word.

use super::Lasso;
use crate::automaton::{Automaton, Components, State};
use crate::condition::Condition;

impl Lasso {
    /// Whether an automaton accepts the word: whether there is a cycle with all marks among the pairs of a state and a
    /// position.
    pub fn is_accepted_by(&self, automaton: &Automaton) -> bool {
        self.is_accepted_from(automaton, automaton.initial())
    }

    /// Whether an automaton accepts the word from one of some states.
    pub fn is_accepted_from(&self, automaton: &Automaton, states: &[State]) -> bool {
        let length = self.letters.len();
        let pair = |state: State, position: usize| (state as usize * length + position) as State;
        let mut runs = Automaton::new(automaton.mark_count());
        (0..automaton.state_count() * length).for_each(|_| {
            runs.add_state();
        });
        for state in automaton.states() {
            for edge in automaton.edges(state) {
                for (position, letter) in self.letters.iter().enumerate() {
                    if automaton.conditions().satisfied(edge.condition, |atom| letter.holds(atom)) {
                        let target = pair(edge.target, self.after(position));
                        runs.add_edge(pair(state, position), Condition::TRUE, edge.marks, target);
                    }
                }
            }
        }
        states.iter().for_each(|&state| runs.add_initial(pair(state, 0)));
        let components = Components::new(&runs);
        (0..components.all().len()).any(|number| components.is_accepting(number))
    }
}
