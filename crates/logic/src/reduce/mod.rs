//! Smaller automata that accept the same words.
//!
//! [`prune`] drops states that are on no accepting run, [`tidy_marks`] drops marks that say nothing, [`merge_equal`]
//! merges states with the same edges, and [`merge_similar`] merges states of which each can do what the other can,
//! forwards or backwards. [`reduce`] does all of it until nothing changes; [`minimal_weak`] finds the smallest
//! deterministic automaton of an obligation.

mod bisimulation;
mod marks;
mod prune;
mod simulation;
mod weak;

pub(crate) use bisimulation::classes;
pub use bisimulation::merge_equal;
pub use marks::tidy_marks;
pub use prune::prune;
pub use simulation::merge_similar;
pub use weak::minimal_weak;

use crate::TooLarge;
use crate::automaton::{Automaton, Components};

/// An automaton that accepts the same words and is mostly smaller.
pub fn reduce(automaton: Automaton) -> Result<Automaton, TooLarge> {
    let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
    let mut automaton = prune(merge_equal(tidy_marks(prune(automaton))));
    loop {
        let before = size(&automaton);
        automaton = tidy_marks(prune(merge_similar(automaton)));
        if size(&automaton) >= before && automaton.mark_count() > 0 {
            let other = tidy_marks(prune(merge_similar(with_marked_ways(automaton.clone()))));
            if size(&other) < before {
                automaton = other;
            }
        }
        if automaton.conditions().is_exhausted() {
            return Err(TooLarge::Conditions);
        }
        if size(&automaton) >= before {
            return Ok(automaton);
        }
    }
}

/// The automaton with all marks on edges between components. A run has finitely many of them, so that their marks say
/// nothing, but other states may be similar.
fn with_marked_ways(mut automaton: Automaton) -> Automaton {
    let components = Components::new(&automaton);
    let all = automaton.all_marks();
    for state in automaton.states() {
        for edge in &mut automaton.edges_mut()[state as usize] {
            if !components.together(state, edge.target) {
                edge.marks = all;
            }
        }
    }
    automaton
}
