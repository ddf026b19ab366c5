//! The flexible manufacturing system.
//!
//! Parts P1 and P2 (`n` each) wait for their machine (M1 with three servers, M2 with one), are worked
//! on, and are then shipped and returned, or wait for a partner. Two partners join into P12, which
//! goes through M3 (two servers), is shipped, and gives both parts back. Parts P3 (`n`) need M2 to be
//! free when they pass.

use super::{Model, composite, marking, synchronisation, transition};
use mandala_diagram::{Error, Store, Variable};

// Inside a part: the place that joins comes first, then the way of the part, then the free servers of
// its machine.
const JOIN: Variable = 0;
const PART: Variable = 1;
const WAIT: Variable = 2;
const WORK: Variable = 3;
const DONE: Variable = 4;
const SHIPPED: Variable = 5;
const FREE: Variable = 6;

/// One level for the system and one for each kind of part with its machine.
pub fn hierarchical(store: &mut Store, n: i32) -> Result<Model, Error> {
    const P1: Variable = 0;
    const P12: Variable = 1;
    const P2: Variable = 2;
    const P3: Variable = 3;

    // P1 and P2 are alike but for the number of servers.
    let first = marking(store, &[0, n, 0, 0, 0, 0, 3])?;
    let second = marking(store, &[0, n, 0, 0, 0, 0, 1])?;
    let arrive = transition(store, &[(PART, 1, 0), (WAIT, 0, 1)]);
    let begin = transition(store, &[(WAIT, 1, 0), (FREE, 1, 0), (WORK, 0, 1)]);
    let end = transition(store, &[(WORK, 1, 0), (FREE, 0, 1), (DONE, 0, 1)]);
    let ship = transition(store, &[(DONE, 1, 0), (SHIPPED, 0, 1)]);
    let give_back = transition(store, &[(SHIPPED, 1, 0), (PART, 0, 1)]);
    let to_join = transition(store, &[(DONE, 1, 0), (JOIN, 0, 1)]);
    let locals = store.sum([&arrive, &begin, &end, &ship, &give_back, &to_join]);
    let join = transition(store, &[(JOIN, 1, 0)]);
    let part_back = transition(store, &[(PART, 0, 1)]);
    let is_free = transition(store, &[(FREE, 1, 1)]);

    // P12: shipped, joined, waiting, worked on, free servers of M3.
    let pair = marking(store, &[0, 0, 0, 0, 2])?;
    let joined = transition(store, &[(1, 0, 1)]);
    let pair_arrive = transition(store, &[(1, 1, 0), (2, 0, 1)]);
    let pair_begin = transition(store, &[(2, 1, 0), (4, 1, 0), (3, 0, 1)]);
    let pair_end = transition(store, &[(3, 1, 0), (4, 0, 1), (0, 0, 1)]);
    let pair_back = transition(store, &[(0, 1, 0)]);
    let pair_locals = store.sum([&pair_arrive, &pair_begin, &pair_end]);

    // P3: parts, worked on, shipped.
    let third = marking(store, &[n, 0, 0])?;
    let third_begin = transition(store, &[(0, 1, 0), (1, 0, 1)]);
    let third_end = transition(store, &[(1, 1, 0), (2, 0, 1)]);
    let third_back = transition(store, &[(2, 1, 0), (0, 0, 1)]);
    let third_locals = store.sum([&third_end, &third_back]);

    let transitions = vec![
        store.local(P1, &locals),
        store.local(P2, &locals),
        store.local(P12, &pair_locals),
        store.local(P3, &third_locals),
        synchronisation(store, &[(P1, &join), (P2, &join), (P12, &joined)]),
        synchronisation(store, &[(P12, &pair_back), (P1, &part_back), (P2, &part_back)]),
        synchronisation(store, &[(P3, &third_begin), (P2, &is_free)]),
    ];
    let initial = composite(store, &[&first, &pair, &second, &third])?;
    Ok(Model { initial, transitions })
}
