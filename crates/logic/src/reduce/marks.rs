//! Marks that say nothing.

use crate::automaton::{Automaton, Component, Components, Edge, Marks, State};

/// The automaton with as few marks as are easily found to be enough.
///
/// What marks say is a matter of each component. Edges that are not inside an accepting component need none. In an
/// accepting one, a mark that no cycle avoids says nothing, nor does one that is wherever another is; the others get
/// the first numbers, and the numbers that are left over are put everywhere.
pub fn tidy_marks(mut automaton: Automaton) -> Automaton {
    let components = Components::new(&automaton);
    let needed: Vec<Option<Vec<u32>>> = (0..components.all().len())
        .map(|number| {
            let component = &components.all()[number];
            components.is_accepting(number).then(|| needed_marks(&automaton, component, &components))
        })
        .collect();
    let most = needed.iter().flatten().map(|marks| marks.len() as u32).max().unwrap_or(0);
    let rejects = components.all().iter().zip(&needed).any(|(component, marks)| component.is_cyclic && marks.is_none());
    let count = most.max(u32::from(rejects));
    let all = Marks::first(count);
    for state in automaton.states() {
        let marks_of = |edge: &Edge| {
            let inside = components.together(state, edge.target);
            let needed = components.of(state).filter(|_| inside).and_then(|number| needed[number].as_ref());
            needed.map_or(Marks::NONE, |needed| {
                let kept: Marks =
                    (0u32..).zip(needed).filter(|&(_, &old)| edge.marks.contains(old)).map(|(new, _)| new).collect();
                kept | all.minus(Marks::first(needed.len() as u32))
            })
        };
        for edge in &mut automaton.edges_mut()[state as usize] {
            edge.marks = marks_of(edge);
        }
    }
    automaton.set_mark_count(count);
    automaton.merge_edges();
    automaton
}

/// The marks of which a component needs to meet each infinitely often, and then meets all.
fn needed_marks(automaton: &Automaton, component: &Component, components: &Components) -> Vec<u32> {
    let inside = |&state: &State| {
        automaton.edges(state).iter().filter(move |edge| components.together(state, edge.target)).map(|edge| edge.marks)
    };
    let sets: Vec<Marks> = component.states.iter().flat_map(inside).collect();
    let mut needed: Vec<u32> =
        automaton.all_marks().iter().filter(|&mark| automaton.can_avoid(component, components, mark)).collect();
    // Whatever has `stronger` has `mark`.
    let follows = |mark: u32, stronger: u32| sets.iter().all(|set| !set.contains(stronger) || set.contains(mark));
    let mut index = 0;
    while index < needed.len() {
        let mark = needed[index];
        if needed.iter().any(|&stronger| stronger != mark && follows(mark, stronger)) {
            needed.remove(index);
        } else {
            index += 1;
        }
    }
    needed
}
