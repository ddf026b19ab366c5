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
    let mut takers = Takers::default();
    for event in work.kept().collect::<Vec<_>>() {
        if is_composition(work, &by_change, &mut takers, event) {
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

/// The first transitions that take from places, found once for each place: between two places with a thousand arcs each, to
/// look through all of them for each transition would be without end.
#[derive(Default)]
struct Takers {
    of_place: FxHashMap<u32, Vec<u32>>,
    /// Arcs that were looked at.
    looked: usize,
}

impl Takers {
    fn of(&mut self, work: &Work, place: u32) -> &[u32] {
        let takers = self.of_place.get(&place);
        // Transitions only go: as long as these are there, they are the first ones.
        if !takers.is_some_and(|takers| takers.iter().all(|&event| work.events[event as usize].is_kept())) {
            let arcs = work.arcs_of(place).inspect(|_| self.looked += 1);
            let taking = arcs.filter(|(_, arc)| arc.take > 0).take(MOST_OF_PLACE).map(|(event, _)| event).collect();
            self.of_place.insert(place, taking);
        }
        &self.of_place[&place]
    }
}

fn is_composition(work: &mut Work, by_change: &FxHashMap<Change, Vec<u32>>, takers: &mut Takers, event: u32) -> bool {
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
            let taking = takers.of(work, place).iter().copied();
            next.extend(taking.filter(|&other| !used.contains(&other) && fits(other, &held)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::net::{Effect, Net, Place, Transition};

    /// Moves from each of some places to each of as many others, and on to one place; and straight to the latter.
    fn between(places: u32) -> Net {
        let moves = |from: u32, to: u32| Transition {
            effects: vec![Effect { take: 1, ..Effect::on(from) }, Effect { put: 1, ..Effect::on(to) }],
            ..Transition::default()
        };
        let last = 2 * places;
        let across = (0..places).flat_map(|from| (0..places).map(move |to| (from, places + to)));
        let on = (0..places).map(|from| (places + from, last));
        let straight = (0..places).map(|from| (from, last));
        Net {
            places: (0..=last).map(|_| Place { name: String::new(), capacity: None }).collect(),
            transitions: across.chain(on).chain(straight).map(|(from, to)| moves(from, to)).collect(),
            ..Net::default()
        }
    }

    #[test]
    fn arcs_are_looked_at_a_few_times_however_many_a_place_has() {
        for places in [5, 40, 160] {
            let net = between(places);
            let marking = vec![0; net.places.len()];
            let mut work = Work::new(&net, &marking, u64::MAX.into(), true).expect("a plain net");
            let by_change: FxHashMap<Change, Vec<u32>> =
                work.kept().map(|event| (change_of(&work.events[event as usize].arcs), vec![event])).collect();
            let mut takers = Takers::default();
            let found = work.kept().collect::<Vec<_>>();
            let found = found.into_iter().filter(|&event| is_composition(&mut work, &by_change, &mut takers, event));
            assert_eq!(found.count(), places as usize, "the straight ones are compositions");
            let arcs = 2 * net.transitions.len();
            assert!(takers.looked <= arcs, "{} arcs looked at, of {arcs}", takers.looked);
        }
    }
}
