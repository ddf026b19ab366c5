//! States and edges that no accepting run has.

use crate::automaton::{Automaton, Components, Edge, State};

/// The automaton without the states that cannot be reached, or from which no run accepts. If nothing is left of it, one
/// state without edges stays.
pub fn prune(mut automaton: Automaton) -> Automaton {
    let components = Components::new(&automaton);
    let mut useful: Vec<bool> = Vec::new();
    // Edges lead to earlier components, so these are settled before.
    for (number, component) in components.all().iter().enumerate() {
        let leads_on = |edge: &Edge| components.of(edge.target).is_some_and(|target| target < number && useful[target]);
        let goes_on = component.states.iter().any(|&state| automaton.edges(state).iter().any(leads_on));
        useful.push(goes_on || components.is_accepting(number));
    }
    let keep: Vec<bool> =
        automaton.states().map(|state| components.of(state).is_some_and(|number| useful[number])).collect();
    if keep.iter().all(|&keep| keep) && !keep.is_empty() {
        return automaton;
    }
    restrict(&mut automaton, &keep);
    if automaton.initial().is_empty() {
        let mut empty = Automaton::new(0);
        let only = empty.add_state();
        empty.add_initial(only);
        return empty;
    }
    automaton
}

/// Keeps some of the states, under new numbers.
fn restrict(automaton: &mut Automaton, keep: &[bool]) {
    let mut next = 0;
    let number: Vec<Option<State>> = keep
        .iter()
        .map(|&keep| {
            next += State::from(keep);
            keep.then(|| next - 1)
        })
        .collect();
    let (_, edges, initial) = automaton.parts_mut();
    let mut index = 0;
    edges.retain(|_| {
        index += 1;
        keep[index - 1]
    });
    for edges in edges.iter_mut() {
        *edges = edges
            .iter()
            .filter_map(|edge| number[edge.target as usize].map(|target| Edge { target, ..*edge }))
            .collect();
    }
    *initial = initial.iter().filter_map(|&state| number[state as usize]).collect();
}
