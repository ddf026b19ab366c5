//! The flexible manufacturing system.
//!
//! Parts P1 and P2 (`n` each) wait for their machine (M1 with three servers, M2 with one), are worked
//! on, and are then shipped and returned, or wait for a partner. Two partners join into P12, which
//! goes through M3 (two servers), is shipped, and gives both parts back. Parts P3 (`n`) need M2 to be
//! free when they pass.

use super::{Model, composite, marking, synchronisation, transition};
use mandala_diagram::{Error, Store, Variable};

// Inside a part: the place that joins comes first, then the way of the part.
const JOIN: Variable = 0;
const PART: Variable = 1;
const WAIT: Variable = 2;
const WORK: Variable = 3;
const DONE: Variable = 4;
const SHIPPED: Variable = 5;

/// One level for the system and one for each kind of part and each machine.
pub fn hierarchical(store: &mut Store, n: i32) -> Result<Model, Error> {
    // Levels: P1, M1, P2, M2, P12, M3, P3.
    const P1: Variable = 0;
    const M1: Variable = 1;
    const P12: Variable = 2;
    const M3: Variable = 3;
    const P2: Variable = 4;
    const M2: Variable = 5;
    const P3: Variable = 6;

    let part = marking(store, &[0, n, 0, 0, 0, 0])?;
    let pair = marking(store, &[0, 0, 0, 0])?;
    let third = marking(store, &[0, n, 0, 0])?;
    let servers = [3, 1, 2].map(|servers| marking(store, &[servers, 0]));
    let [m1, m2, m3] = servers;
    let (m1, m2, m3) = (m1?, m2?, m3?);

    let serve = transition(store, &[(0, 1, 0), (1, 0, 1)]);
    let release = transition(store, &[(1, 1, 0), (0, 0, 1)]);
    let is_free = transition(store, &[(0, 1, 1)]);

    let arrive = transition(store, &[(PART, 1, 0), (WAIT, 0, 1)]);
    let begin = transition(store, &[(WAIT, 1, 0), (WORK, 0, 1)]);
    let end = transition(store, &[(WORK, 1, 0), (DONE, 0, 1)]);
    let ship = transition(store, &[(DONE, 1, 0), (SHIPPED, 0, 1)]);
    let give_back = transition(store, &[(SHIPPED, 1, 0), (PART, 0, 1)]);
    let to_join = transition(store, &[(DONE, 1, 0), (JOIN, 0, 1)]);
    let join = transition(store, &[(JOIN, 1, 0)]);
    let part_back = transition(store, &[(PART, 0, 1)]);
    let locals = store.sum([&arrive, &ship, &give_back, &to_join]);

    // P12: joined, waiting, worked on, shipped.
    let joined = transition(store, &[(0, 0, 1)]);
    let pair_arrive = transition(store, &[(0, 1, 0), (1, 0, 1)]);
    let pair_begin = transition(store, &[(1, 1, 0), (2, 0, 1)]);
    let pair_end = transition(store, &[(2, 1, 0), (3, 0, 1)]);
    let pair_back = transition(store, &[(3, 1, 0)]);

    // P3: parts, worked on, shipped; the first place is not used.
    let third_begin = transition(store, &[(1, 1, 0), (2, 0, 1)]);
    let third_end = transition(store, &[(2, 1, 0), (3, 0, 1)]);
    let third_back = transition(store, &[(3, 1, 0), (1, 0, 1)]);

    let mut transitions = vec![store.local(P1, &locals), store.local(P2, &locals), store.local(P12, &pair_arrive)];
    let third_locals = store.sum([&third_end, &third_back]);
    transitions.push(store.local(P3, &third_locals));
    for (part, machine, begin, end) in
        [(P1, M1, &begin, &end), (P2, M2, &begin, &end), (P12, M3, &pair_begin, &pair_end)]
    {
        transitions.push(synchronisation(store, &[(part, begin), (machine, &serve)]));
        transitions.push(synchronisation(store, &[(part, end), (machine, &release)]));
    }
    transitions.push(synchronisation(store, &[(P1, &join), (P2, &join), (P12, &joined)]));
    transitions.push(synchronisation(store, &[(P12, &pair_back), (P1, &part_back), (P2, &part_back)]));
    transitions.push(synchronisation(store, &[(P3, &third_begin), (M2, &is_free)]));
    let initial = composite(store, &[&part, &m1, &pair, &m3, &part, &m2, &third])?;
    Ok(Model { initial, transitions })
}
