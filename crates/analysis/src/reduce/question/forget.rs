//! Places that nothing needs.

use crate::reduce::work::Work;

/// Invisible places from which no transition takes: they forbid nothing, and nobody looks at them.
///
/// Back: a step of the reduced net is a step of the net.
pub(super) fn never_needed(work: &mut Work) -> bool {
    let mut changed = false;
    for node in work.alive().collect::<Vec<_>>() {
        if !work.nodes[node as usize].is_weighty && work.arcs_of(node).all(|(_, arc)| arc.take == 0) {
            forget(work, node);
            changed = true;
        }
    }
    changed
}

/// Takes a place away, with its arcs.
pub(super) fn forget(work: &mut Work, node: u32) {
    for index in std::mem::take(&mut work.nodes[node as usize].events) {
        work.events[index as usize].arcs.retain(|arc| arc.node != node);
    }
    work.nodes[node as usize].is_alive = false;
}
