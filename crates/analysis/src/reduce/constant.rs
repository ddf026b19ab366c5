//! Places that never change, and transitions that never fire.

use super::work::Work;

/// Constant places: no transition changes them, so that `p = m0(p)`. A transition that needs more of one never fires; to
/// the others it means nothing.
///
/// Back: a step of the reduced net is a step of the net.
pub(super) fn constants(work: &mut Work) -> bool {
    let mut changed = false;
    let mut open: Vec<u32> = work.alive().collect();
    while let Some(node) = open.pop() {
        if !work.nodes[node as usize].is_alive || work.arcs_of(node).any(|(_, arc)| arc.change() != 0) {
            continue;
        }
        let tokens = work.nodes[node as usize].tokens;
        let too_much = |work: &Work, event: u32| work.events[event as usize].take(node) > tokens;
        for event in work.nodes[node as usize].events.clone() {
            if too_much(work, event) {
                // Whatever it would change may be constant now.
                open.extend(work.events[event as usize].arcs.iter().map(|arc| arc.node));
                work.remove_dead(event);
            }
        }
        work.remove_place(node, 1, Vec::new(), tokens);
        changed = true;
    }
    changed
}

/// Transitions that need a place that never holds a token: tokens are never taken away, and a transition fires once each
/// place that it needs may hold one.
pub(super) fn never_enabled(work: &mut Work) -> bool {
    let mut marked: Vec<bool> = work.nodes.iter().map(|node| node.tokens > 0).collect();
    let mut missing: Vec<usize> = Vec::with_capacity(work.events.len());
    let mut ready = Vec::new();
    for (index, event) in (0u32..).zip(&work.events) {
        let needed = event.arcs.iter().filter(|arc| arc.take > 0 && !marked[arc.node as usize]).count();
        missing.push(needed);
        if event.is_kept() && needed == 0 {
            ready.push(index);
        }
    }
    while let Some(index) = ready.pop() {
        for arc in work.events[index as usize].arcs.iter().filter(|arc| arc.put > 0) {
            if !std::mem::replace(&mut marked[arc.node as usize], true) {
                for &other in &work.nodes[arc.node as usize].events {
                    let event = &work.events[other as usize];
                    if event.take(arc.node) > 0 {
                        missing[other as usize] -= 1;
                        if missing[other as usize] == 0 && event.is_kept() {
                            ready.push(other);
                        }
                    }
                }
            }
        }
    }
    let dead: Vec<u32> = work.kept().filter(|&event| missing[event as usize] > 0).collect();
    dead.iter().for_each(|&event| work.remove_dead(event));
    !dead.is_empty()
}
