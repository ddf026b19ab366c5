//! Redundant transitions: what they do is done by others.

use super::work::{Arc, Work};
use rustc_hash::FxHashMap;

/// What a transition changes: places and by how much, ascending by place.
type Change = Vec<(u32, i64)>;

/// Transitions that change nothing: nothing has to happen for the same marking.
///
/// Back: a step of the reduced net is a step of the net.
pub(super) fn idle(work: &mut Work) -> bool {
    let is_idle = |&event: &u32| work.events[event as usize].arcs.iter().all(|arc| arc.change() == 0);
    let idle: Vec<u32> = work.kept().filter(is_idle).collect();
    idle.iter().for_each(|&event| work.remove_redundant(event));
    !idle.is_empty()
}

/// Transitions that need at least what another needs and change the same.
///
/// Wherever one of them fires, the other leads to the same marking.
///
/// Back: a step of the reduced net is a step of the net.
pub(super) fn twins(work: &mut Work) -> bool {
    let mut by_change: FxHashMap<Change, Vec<u32>> = FxHashMap::default();
    let mut changed = false;
    for event in work.kept().collect::<Vec<_>>() {
        let change = change_of(&work.events[event as usize].arcs);
        let alike = by_change.entry(change).or_default();
        if alike.iter().any(|&other| needs_no_more(work, other, event)) {
            work.remove_redundant(event);
            changed = true;
            continue;
        }
        let before = alike.len();
        let beaten: Vec<u32> = alike.iter().copied().filter(|&other| needs_no_more(work, event, other)).collect();
        alike.retain(|other| !beaten.contains(other));
        alike.push(event);
        changed |= before + 1 > alike.len();
        beaten.into_iter().for_each(|other| work.remove_redundant(other));
    }
    changed
}

fn change_of(arcs: &[Arc]) -> Change {
    arcs.iter().map(|arc| (arc.node, arc.change())).filter(|change| change.1 != 0).collect()
}

/// Whether one transition needs no more than another of any place.
fn needs_no_more(work: &Work, one: u32, other: u32) -> bool {
    let other = &work.events[other as usize];
    work.events[one as usize].arcs.iter().all(|arc| arc.take == 0 || arc.take <= other.take(arc.node))
}

/// Compositions: transitions in whose place others can fire, one after the other, whenever it can.
///
/// Back: a step of the reduced net is a step of the net.
pub(super) fn compositions(work: &mut Work) -> bool {
    let mut by_change: FxHashMap<Change, Vec<u32>> = FxHashMap::default();
    for event in work.kept() {
        by_change.entry(change_of(&work.events[event as usize].arcs)).or_default().push(event);
    }
    let mut changed = false;
    for event in work.kept().collect::<Vec<_>>() {
        if is_composition(work, &by_change, event) {
            work.remove_redundant(event);
            changed = true;
        }
    }
    changed
}

/// How many transitions a composition may have.
const LONGEST: usize = 4;
/// How many beginnings of a composition are tried.
const MOST_TRIED: usize = 200;
/// Transitions of a place that are looked at.
const MOST_OF_PLACE: usize = 24;

fn is_composition(work: &mut Work, by_change: &FxHashMap<Change, Vec<u32>>, event: u32) -> bool {
    let arcs = &work.events[event as usize].arcs;
    let held: FxHashMap<u32, i64> = arcs.iter().filter(|arc| arc.take > 0).map(|arc| (arc.node, arc.take)).collect();
    let rest: FxHashMap<u32, i64> = change_of(arcs).into_iter().collect();
    let mut open = vec![(held, rest, 0usize, vec![event])];
    let mut tried = 0;
    while let Some((held, rest, length, used)) = open.pop() {
        tried += 1;
        let mut change: Change = rest.iter().map(|(&node, &change)| (node, change)).collect();
        change.sort_unstable();
        if !work.spend(16 + 4 * change.len()) || tried > MOST_TRIED {
            return false;
        }
        let fits = |other: u32, held: &FxHashMap<u32, i64>| {
            let arcs = &work.events[other as usize].arcs;
            arcs.iter().all(|arc| arc.take == 0 || held.get(&arc.node).is_some_and(|&tokens| tokens >= arc.take))
        };
        if let Some(others) = by_change.get(&change).filter(|_| length > 0)
            && others.iter().any(|&other| other != event && work.events[other as usize].is_kept() && fits(other, &held))
        {
            return true;
        }
        if length + 2 > LONGEST {
            continue;
        }
        // What comes next takes from a place that is held.
        let mut places: Vec<u32> = held.keys().copied().collect();
        places.sort_unstable();
        let mut next: Vec<u32> = Vec::new();
        for place in places {
            let taking = work.arcs_of(place).filter(|(_, arc)| arc.take > 0).take(MOST_OF_PLACE);
            next.extend(taking.map(|(other, _)| other).filter(|&other| !used.contains(&other) && fits(other, &held)));
        }
        next.sort_unstable();
        next.dedup();
        for other in next {
            let (mut held, mut rest, mut used) = (held.clone(), rest.clone(), used.clone());
            for arc in &work.events[other as usize].arcs {
                let tokens = held.get(&arc.node).copied().unwrap_or(0) + arc.change();
                if tokens > 0 {
                    held.insert(arc.node, tokens)
                } else {
                    held.remove(&arc.node)
                };
                let left = rest.get(&arc.node).copied().unwrap_or(0) - arc.change();
                if left != 0 {
                    rest.insert(arc.node, left)
                } else {
                    rest.remove(&arc.node)
                };
            }
            used.push(other);
            open.push((held, rest, length + 1, used));
        }
    }
    false
}
