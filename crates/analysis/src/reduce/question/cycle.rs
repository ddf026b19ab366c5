//! Cycles of invisible moves: their places become one.
//!
//! A move takes one token from a place and puts it into another, and does nothing else. The moves of a cycle bring any token of it
//! to any of its places, and nobody sees that, so that all distributions of its tokens are alike to whoever looks at other
//! places: each can do what another can, after some moves. What is left of the moves is one transition that needs a token of
//! the sum and leaves it there, so that runs that move on for ever are still there, and no marking looks dead that is not.
//! (Where only markings count, that one is taken away by another rule.)
//!
//! Back: before a step of the reduced net, moves bring the tokens to where the transition of the net wants them. Finding these
//! takes a search, which is not made: this rule is for answers without runs.

use crate::reduce::merge::components;
use crate::reduce::work::Work;

/// Makes one place of those on each cycle of invisible moves.
pub(super) fn cycles(work: &mut Work) -> bool {
    let is_visible = |work: &Work, node: u32| work.nodes[node as usize].is_weighty;
    let moves: Vec<(u32, u32)> = work
        .kept()
        .filter_map(|event| work.events[event as usize].as_move())
        .filter(|&(from, to)| !is_visible(work, from) && !is_visible(work, to))
        .collect();
    let mut nodes: Vec<u32> = moves.iter().flat_map(|&(from, to)| [from, to]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let position = |node: u32| nodes.partition_point(|&other| other < node) as u32;
    let mut to = vec![Vec::new(); nodes.len()];
    for (from, target) in moves {
        to[position(from) as usize].push(position(target));
    }
    let mut changed = false;
    for component in components(&to).into_iter().filter(|component| component.len() > 1) {
        let mut parts: Vec<u32> = component.into_iter().map(|position| nodes[position as usize]).collect();
        parts.sort_unstable();
        let whole = work.merge(parts);
        // Nobody looks at a sum of places that nobody looks at.
        work.nodes[whole as usize].is_weighty = false;
        changed = true;
    }
    changed
}
