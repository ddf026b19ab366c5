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

use crate::reduce::merge;
use crate::reduce::work::Work;

/// Makes one place of those on each cycle of invisible moves.
pub(super) fn cycles(work: &mut Work) -> bool {
    let cycles = merge::cycles(work, |work, node| !work.nodes[node as usize].is_weighty);
    let changed = !cycles.is_empty();
    for parts in cycles {
        let whole = work.merge(parts);
        // Nobody looks at a sum of places that nobody looks at.
        work.nodes[whole as usize].is_weighty = false;
    }
    changed
}
