//! Resources: places that are held while something goes on.

use super::work::Work;

/// A transition that takes a token from a place `p` and one from a resource `r` and puts one into `h`, where `h` starts empty and
/// is filled by nothing else, and whoever takes from `h` gives back to `r`: `x = p + h` with `h <= m0(r)`, and `r = m0(r) - h`.
///
/// If all `x` tokens stay in `p` until a transition wants some in `h`, as in a chain, all of `r` is free whenever one is wanted,
/// and again afterwards: it forbids nothing, also to those that only read it. Every run of the reduced net is then one of the
/// net, and leaves `h` empty; and then `h` may be filled as far as the resource goes.
///
/// Back: before a step of the reduced net, the transition brings to `h` what that step takes there.
pub(super) fn resources(work: &mut Work) -> bool {
    let mut changed = false;
    for resource in work.alive().collect::<Vec<_>>() {
        if work.nodes[resource as usize].is_alive
            && let Some((place, held)) = held_by(work, resource)
        {
            let most = work.nodes[resource as usize].tokens;
            work.remove_lazy(resource, held, most);
            work.limit(held, most);
            work.merge(vec![place, held]);
            changed = true;
        }
    }
    changed
}

/// The place from which tokens are taken together with a resource, and the place where they are then.
fn held_by(work: &Work, resource: u32) -> Option<(u32, u32)> {
    let most = work.nodes[resource as usize].tokens;
    let mut taker = None;
    for (event, arc) in work.arcs_of(resource) {
        if arc.take > most {
            return None;
        }
        if arc.change() < 0 {
            if taker.is_some() || (arc.take, arc.put) != (1, 0) {
                return None;
            }
            taker = Some(event);
        }
    }
    let taker = taker?;
    let arcs = &work.events[taker as usize].arcs;
    if arcs.len() != 3 {
        return None;
    }
    let place = arcs.iter().find(|arc| arc.node != resource && (arc.take, arc.put) == (1, 0))?.node;
    let held = arcs.iter().find(|arc| (arc.take, arc.put) == (0, 1))?.node;
    if work.nodes[held as usize].tokens != 0 {
        return None;
    }
    // Whoever takes from where tokens are held gives as much of the resource back, and nobody else does.
    let gives_back = work.arcs_of(held).all(|(event, arc)| {
        let back = work.events[event as usize].arc(resource).map_or((0, 0), |arc| (arc.take, arc.put));
        event == taker || arc.put == 0 && arc.take <= most && back == (0, arc.take)
    });
    let is_its_own = work.arcs_of(resource).all(|(event, arc)| {
        arc.change() <= 0 || work.events[event as usize].take(held) == arc.change() && arc.take == 0
    });
    (gives_back && is_its_own).then_some((place, held))
}
