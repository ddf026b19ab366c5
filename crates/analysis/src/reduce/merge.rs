//! Agglomeration: places between which tokens move freely become one.
//!
//! A *move* is a transition that takes one token from a place, puts it into another, and does nothing else.

use super::work::Work;
use rustc_hash::FxHashMap;

/// The places on each cycle of moves between places of some kind, ascending.
pub(super) fn cycles(work: &Work, is_of_kind: impl Fn(&Work, u32) -> bool) -> Vec<Vec<u32>> {
    let moves: Vec<(u32, u32)> = work
        .kept()
        .filter_map(|event| work.events[event as usize].as_move())
        .filter(|&(from, to)| is_of_kind(work, from) && is_of_kind(work, to))
        .collect();
    let mut nodes: Vec<u32> = moves.iter().flat_map(|&(from, to)| [from, to]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let position = |node: u32| nodes.partition_point(|&other| other < node) as u32;
    let mut to = vec![Vec::new(); nodes.len()];
    for (from, target) in moves {
        to[position(from) as usize].push(position(target));
    }
    let places = |component: Vec<u32>| {
        let mut places: Vec<u32> = component.into_iter().map(|position| nodes[position as usize]).collect();
        places.sort_unstable();
        places
    };
    components(&to).into_iter().filter(|component| component.len() > 1).map(places).collect()
}

/// Loop agglomeration: places on a cycle of moves become one, `x = p1 + ... + pn`.
///
/// The moves of a cycle bring any token of it to any of its places, so that with one distribution of `x` tokens every other
/// is reachable, and a transition that needs some of them can wait until they are where it wants them (Berthomieu, Le Botlan,
/// Dal Zilio: "Counting Petri net markings from reduction equations", rule LOOP).
///
/// Back: before a step of the reduced net, moves bring the tokens to where the transition of the net wants them.
pub(super) fn loops(work: &mut Work) -> bool {
    let cycles = cycles(work, |_, _| true);
    let changed = !cycles.is_empty();
    for parts in cycles {
        work.merge(parts);
    }
    changed
}

/// The strongly connected components of a graph (Tarjan), without recursion.
fn components(to: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; to.len()];
    let mut low = vec![0u32; to.len()];
    let mut is_open = vec![false; to.len()];
    let (mut stack, mut path, mut found, mut next) = (Vec::new(), Vec::new(), Vec::new(), 0u32);
    for root in 0..to.len() as u32 {
        if number[root as usize] != NEW {
            continue;
        }
        path.push((root, 0usize));
        while let Some(&mut (node, ref mut arc)) = path.last_mut() {
            let here = node as usize;
            if *arc == 0 {
                (number[here], low[here], is_open[here]) = (next, next, true);
                stack.push(node);
                next += 1;
            }
            if let Some(&target) = to[here].get(*arc) {
                *arc += 1;
                if number[target as usize] == NEW {
                    path.push((target, 0));
                } else if is_open[target as usize] {
                    low[here] = low[here].min(number[target as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[here]);
            }
            if low[here] == number[here] {
                let first = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let component: Vec<u32> = stack.split_off(first);
                component.iter().for_each(|&member| is_open[member as usize] = false);
                found.push(component);
            }
        }
    }
    found
}

/// Chain agglomeration: a place that starts empty, and that is filled by nothing but a move, is added to the place from
/// which that move takes, `x = p + q`; and so are all that are filled from there.
///
/// If all `x` tokens stay in `p` until a transition wants some in `q`, every run of the reduced net is one of the net, and
/// leaves `q` empty, because nothing but the move fills it; then the move makes any distribution of `x` (the same paper, rule
/// CHAIN, where `p` may have other consumers). A transition that puts back into `q` what it takes there would fill it.
///
/// Back: before a step of the reduced net, the move brings to `q` what the transition takes there.
pub(super) fn chains(work: &mut Work) -> bool {
    let mut parent: FxHashMap<u32, u32> = FxHashMap::default();
    for node in work.alive().collect::<Vec<_>>() {
        if let Some(from) = filled_from(work, node) {
            parent.insert(node, from);
        }
    }
    if parent.is_empty() {
        return false;
    }
    // Trees of places, by their roots. Where there is no root, the places are on a cycle and never marked: not ours.
    let mut trees: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut root_of: FxHashMap<u32, Option<u32>> = FxHashMap::default();
    let mut filled: Vec<u32> = parent.keys().copied().collect();
    filled.sort_unstable();
    for &node in &filled {
        let mut path = Vec::new();
        let mut here = node;
        let root = loop {
            if let Some(&known) = root_of.get(&here) {
                break known;
            }
            let Some(&above) = parent.get(&here) else { break Some(here) };
            // What is met again before its root is known is on a cycle.
            root_of.insert(here, None);
            path.push(here);
            here = above;
        };
        for visited in path {
            root_of.insert(visited, root);
        }
        if let Some(root) = root {
            trees.entry(root).or_default().push(node);
        }
    }
    let mut roots: Vec<(u32, Vec<u32>)> = trees.into_iter().collect();
    roots.sort_unstable();
    let changed = !roots.is_empty();
    for (root, mut parts) in roots {
        parts.push(root);
        parts.sort_unstable();
        work.merge(parts);
    }
    changed
}

/// The place from which a place is filled by moves alone, if it starts empty.
fn filled_from(work: &Work, node: u32) -> Option<u32> {
    if work.nodes[node as usize].tokens != 0 {
        return None;
    }
    let mut source = None;
    for (event, arc) in work.arcs_of(node) {
        if arc.put > 0 {
            let (from, _) = work.events[event as usize].as_move()?;
            if source.is_some_and(|other| other != from) {
                return None;
            }
            source = Some(from);
        }
    }
    source
}
