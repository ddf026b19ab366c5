//! The slotted ring protocol: `n` nodes of eight places A to H, marked C and E.

use super::{Flow, Model, at, composite, marking, synchronisation, transition};
use mandala_diagram::{Error, Store, Variable};

const A: Variable = 0;
const B: Variable = 1;
const C: Variable = 2;
const D: Variable = 3;
const E: Variable = 4;
const F: Variable = 5;
const G: Variable = 6;
const H: Variable = 7;
const PLACES: Variable = 8;

const LOCALS: [&[Flow]; 6] = [
    &[(A, 1, 0), (D, 0, 1)],
    &[(A, 1, 0), (B, 0, 1)],
    &[(B, 1, 0), (D, 0, 1)],
    &[(B, 1, 0), (H, 0, 1)],
    &[(F, 1, 0), (H, 1, 0), (C, 0, 1), (E, 0, 1)],
    &[(D, 1, 0), (F, 1, 0), (C, 0, 1), (G, 0, 1)],
];
/// A free slot goes to the right neighbour; a used one does.
const FREE: (&[Flow], &[Flow]) = (&[(E, 1, 0), (F, 0, 1)], &[(C, 1, 0), (B, 0, 1)]);
const USED: (&[Flow], &[Flow]) = (&[(G, 1, 0), (F, 0, 1)], &[(C, 1, 0), (A, 0, 1)]);
const MARKING: [i32; 8] = [0, 0, 1, 0, 1, 0, 0, 0];

/// One level for the ring and one for a node.
pub fn hierarchical(store: &mut Store, n: Variable) -> Result<Model, Error> {
    let node = marking(store, &MARKING)?;
    let locals: Vec<_> = LOCALS.iter().map(|flows| transition(store, flows)).collect();
    let locals = store.sum(&locals);
    let pairs = [FREE, USED].map(|(here, next)| (transition(store, here), transition(store, next)));
    let mut transitions = Vec::new();
    for i in 0..n {
        transitions.push(store.local(i, &locals));
        for (here, next) in &pairs {
            transitions.push(synchronisation(store, &[(i, here), ((i + 1) % n, next)]));
        }
    }
    Ok(Model { initial: composite(store, &vec![&node; n as usize])?, transitions })
}

/// Without hierarchy.
pub fn flat(store: &mut Store, n: Variable) -> Result<Model, Error> {
    let at = |node: Variable, flows: &[Flow]| at(node * PLACES, flows);
    let mut transitions = Vec::new();
    for i in 0..n {
        for flows in LOCALS {
            transitions.push(transition(store, &at(i, flows)));
        }
        for (here, next) in [FREE, USED] {
            let flows = [at(i, here), at((i + 1) % n, next)].concat();
            transitions.push(transition(store, &flows));
        }
    }
    let tokens: Vec<i32> = (0..n).flat_map(|_| MARKING).collect();
    Ok(Model { initial: marking(store, &tokens)?, transitions })
}
