//! Slices: what cannot help to reach a marking of the visible places is left out.
//!
//! A transition *helps* if it changes a visible place, or puts more tokens than it takes into a place that helps; a place helps
//! if it is visible, or if a transition that helps needs it. From a run to a marking take all steps away that do not help: each
//! of them leaves the visible places alone and takes tokens from places that help, or puts none there, so that all other steps
//! are still possible and change the visible places as before.
//!
//! This keeps markings and no more: a run that ends here may go on in the net.
//!
//! Back: a step of the reduced net is a step of the net, because it needs no place that is gone.

use super::forget::forget;
use crate::reduce::work::Work;

/// Leaves out what does not help.
pub(super) fn slice(work: &mut Work) -> bool {
    let mut places: Vec<bool> = work.nodes.iter().map(|node| node.is_alive && node.is_weighty).collect();
    let mut events = vec![false; work.events.len()];
    let mut open: Vec<u32> = work.alive().filter(|&node| places[node as usize]).collect();
    while let Some(node) = open.pop() {
        let is_visible = work.nodes[node as usize].is_weighty;
        for (event, arc) in work.arcs_of(node) {
            let helps = if is_visible { arc.change() != 0 } else { arc.change() > 0 };
            if helps && !std::mem::replace(&mut events[event as usize], true) {
                for needed in work.events[event as usize].arcs.iter().filter(|arc| arc.take > 0) {
                    if !std::mem::replace(&mut places[needed.node as usize], true) {
                        open.push(needed.node);
                    }
                }
            }
        }
    }
    let useless: Vec<u32> = work.kept().filter(|&event| !events[event as usize]).collect();
    useless.iter().for_each(|&event| work.remove_dead(event));
    let unneeded: Vec<u32> = work.alive().filter(|&node| !places[node as usize]).collect();
    unneeded.iter().for_each(|&node| forget(work, node));
    !useless.is_empty() || !unneeded.is_empty()
}
