//! The flexible manufacturing system.
//!
//! Parts P1 and P2 (`n` each) wait for their machine (M1 with three servers, M2 with one), are worked
//! on, and are then shipped and returned, or wait for a partner. Two partners join into P12, which
//! goes through M3 (two servers), is shipped, and gives both parts back. Parts P3 (`n`) need M2 to be
//! free when they pass.

use super::{Flow, Model, at, composite, marking, synchronisation, transition};
use mandala_diagram::{Error, Store, Variable};

const P1: Variable = 0;
const P12: Variable = 1;
const P2: Variable = 2;
const P3: Variable = 3;
/// The first place of each kind of part, without hierarchy.
const FIRST: [Variable; 4] = [0, 7, 12, 19];

// Inside P1 and P2: the place that joins comes first, then the way of the part, then the free servers
// of its machine.
const JOIN: Variable = 0;
const PART: Variable = 1;
const WAIT: Variable = 2;
const WORK: Variable = 3;
const DONE: Variable = 4;
const SHIPPED: Variable = 5;
const FREE: Variable = 6;

const LOCALS: [&[Flow]; 6] = [
    &[(PART, 1, 0), (WAIT, 0, 1)],
    &[(WAIT, 1, 0), (FREE, 1, 0), (WORK, 0, 1)],
    &[(WORK, 1, 0), (FREE, 0, 1), (DONE, 0, 1)],
    &[(DONE, 1, 0), (SHIPPED, 0, 1)],
    &[(SHIPPED, 1, 0), (PART, 0, 1)],
    &[(DONE, 1, 0), (JOIN, 0, 1)],
];
const LEAVE: &[Flow] = &[(JOIN, 1, 0)];
const COME_BACK: &[Flow] = &[(PART, 0, 1)];
const IS_FREE: &[Flow] = &[(FREE, 1, 1)];

// Inside P12: shipped, joined, waiting, worked on, free servers of M3.
const PAIR_LOCALS: [&[Flow]; 3] =
    [&[(1, 1, 0), (2, 0, 1)], &[(2, 1, 0), (4, 1, 0), (3, 0, 1)], &[(3, 1, 0), (4, 0, 1), (0, 0, 1)]];
const PAIR_UP: &[Flow] = &[(1, 0, 1)];
const PART_AGAIN: &[Flow] = &[(0, 1, 0)];

// Inside P3: parts, worked on, shipped.
const THIRD_LOCALS: [&[Flow]; 2] = [&[(1, 1, 0), (2, 0, 1)], &[(2, 1, 0), (0, 0, 1)]];
const THIRD_BEGIN: &[Flow] = &[(0, 1, 0), (1, 0, 1)];

/// What happens inside one kind of part.
fn locals() -> Vec<(Variable, &'static [Flow])> {
    let mut all = Vec::new();
    for part in [P1, P2] {
        all.extend(LOCALS.map(|flows| (part, flows)));
    }
    all.extend(PAIR_LOCALS.map(|flows| (P12, flows)));
    all.extend(THIRD_LOCALS.map(|flows| (P3, flows)));
    all
}

/// What happens in several kinds of parts together.
const SYNCHRONISATIONS: [&[(Variable, &[Flow])]; 3] = [
    &[(P1, LEAVE), (P2, LEAVE), (P12, PAIR_UP)],
    &[(P12, PART_AGAIN), (P1, COME_BACK), (P2, COME_BACK)],
    &[(P3, THIRD_BEGIN), (P2, IS_FREE)],
];

/// The initial marking of each kind of part.
fn markings(n: i32) -> [Vec<i32>; 4] {
    [vec![0, n, 0, 0, 0, 0, 3], vec![0, 0, 0, 0, 2], vec![0, n, 0, 0, 0, 0, 1], vec![n, 0, 0]]
}

/// One level for the system and one for each kind of part with its machine.
pub fn hierarchical(store: &mut Store, n: i32) -> Result<Model, Error> {
    let mut transitions = Vec::new();
    for part in [P1, P2, P12, P3] {
        let inside = locals().into_iter().filter(|&(of, _)| of == part);
        let inside: Vec<_> = inside.map(|(_, flows)| transition(store, flows)).collect();
        let inside = store.sum(&inside);
        transitions.push(store.local(part, &inside));
    }
    for parts in SYNCHRONISATIONS {
        let inside: Vec<_> = parts.iter().map(|&(part, flows)| (part, transition(store, flows))).collect();
        let inside: Vec<_> = inside.iter().map(|(part, hom)| (*part, hom)).collect();
        transitions.push(synchronisation(store, &inside));
    }
    let mut parts = Vec::new();
    for tokens in markings(n) {
        parts.push(marking(store, &tokens)?);
    }
    let parts: Vec<_> = parts.iter().collect();
    Ok(Model { initial: composite(store, &parts)?, transitions })
}

/// Without hierarchy.
pub fn flat(store: &mut Store, n: i32) -> Result<Model, Error> {
    let at = |&(part, flows): &(Variable, &[Flow])| at(FIRST[part as usize], flows);
    let mut all: Vec<Vec<Flow>> = locals().iter().map(at).collect();
    all.extend(SYNCHRONISATIONS.iter().map(|parts| parts.iter().flat_map(at).collect()));
    let transitions = all.iter().map(|flows| transition(store, flows)).collect();
    Ok(Model { initial: marking(store, &markings(n).concat())?, transitions })
}
