//! Firing the transitions of a net with queues: tokens as in any net, and then the words.

use super::error::Failure;
use super::net;
use crate::net::queue::QueueNet;

/// The state after these transitions have fired together, in this order, if they may.
pub(super) fn fire(queues: &QueueNet, together: &[u32], state: &[i32]) -> Result<Option<Vec<i32>>, Failure> {
    let Some(moves) = queues.together(together) else { return Ok(None) };
    let is_reset = |place: u32| {
        let effects = together.iter().flat_map(|&one| &queues.net.transitions[one as usize].effects);
        effects.filter(|effect| effect.place == place).any(|effect| effect.reset)
    };
    // Too many tokens in a place are an error only if the words allow the firing.
    if !queues.words_allow(&moves, state) {
        return Ok(None);
    }
    let Some(after) = net::fire(&queues.net, together, state)? else { return Ok(None) };
    Ok(Some(queues.moved(&moves, state, after, is_reset)))
}
