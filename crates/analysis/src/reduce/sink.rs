//! Sinks: places that only lose tokens, one at a time.

use super::work::Work;

/// A transition that takes a token from a place and does nothing else, where no other transition changes the place:
/// `p <= m0(p)`, as `p + s = m0(p)` with tokens `s` that are nowhere.
///
/// All tokens stay until the end of a run, and then any number of them goes: what others read of the place is as if nothing
/// went.
///
/// Back: a step of the reduced net is a step of the net.
pub(super) fn sinks(work: &mut Work) -> bool {
    let mut changed = false;
    for event in work.kept().collect::<Vec<_>>() {
        let [arc] = work.events[event as usize].arcs[..] else { continue };
        if (arc.take, arc.put) != (1, 0) || !work.events[event as usize].is_kept() {
            continue;
        }
        let others = work.arcs_of(arc.node).any(|(other, arc)| {
            arc.change() != 0 && !(work.events[other as usize].arcs.len() == 1 && (arc.take, arc.put) == (1, 0))
        });
        if !others {
            let same: Vec<u32> =
                work.arcs_of(arc.node).filter(|(_, arc)| arc.change() != 0).map(|(other, _)| other).collect();
            same.iter().for_each(|&other| work.remove_redundant(other));
            let slack = work.slack();
            work.merge(vec![arc.node, slack]);
            changed = true;
        }
    }
    changed
}
