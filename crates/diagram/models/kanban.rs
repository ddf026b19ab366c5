//! Kanban: four cells, each with `n` tokens over kanban, machine, rework and out.
//!
//! Cell 1 starts by itself; its output starts cells 2 and 3 together; their outputs together start
//! cell 4, which ends by itself.

use super::{Flow, Model, at, composite, marking, synchronisation, transition};
use mandala_diagram::{Error, Store, Variable};

const KANBAN: Variable = 0;
const MACHINE: Variable = 1;
const REWORK: Variable = 2;
const OUT: Variable = 3;
const PLACES: Variable = 4;

const START: &[Flow] = &[(KANBAN, 1, 0), (MACHINE, 0, 1)];
const END: &[Flow] = &[(OUT, 1, 0), (KANBAN, 0, 1)];
const LOCALS: [&[Flow]; 3] =
    [&[(MACHINE, 1, 0), (REWORK, 0, 1)], &[(REWORK, 1, 0), (MACHINE, 0, 1)], &[(MACHINE, 1, 0), (OUT, 0, 1)]];

/// One level for the line and one for a cell.
pub fn hierarchical(store: &mut Store, n: i32) -> Result<Model, Error> {
    let cell = marking(store, &[n, 0, 0, 0])?;
    let (start, end) = (transition(store, START), transition(store, END));
    let locals: Vec<_> = LOCALS.iter().map(|flows| transition(store, flows)).collect();
    let locals = store.sum(&locals);
    let mut transitions = vec![store.local(0, &start), store.local(3, &end)];
    transitions.extend((0..4).map(|cell| store.local(cell, &locals)));
    transitions.push(synchronisation(store, &[(0, &end), (1, &start), (2, &start)]));
    transitions.push(synchronisation(store, &[(1, &end), (2, &end), (3, &start)]));
    Ok(Model { initial: composite(store, &[&cell; 4])?, transitions })
}

/// Without hierarchy.
pub fn flat(store: &mut Store, n: i32) -> Result<Model, Error> {
    let at = |cell: Variable, flows: &[Flow]| at(cell * PLACES, flows);
    let mut all = vec![at(0, START), at(3, END)];
    for cell in 0..4 {
        all.extend(LOCALS.iter().map(|flows| at(cell, flows)));
    }
    all.push([at(0, END), at(1, START), at(2, START)].concat());
    all.push([at(1, END), at(2, END), at(3, START)].concat());
    let transitions = all.iter().map(|flows| transition(store, flows)).collect();
    let tokens: Vec<i32> = (0..4).flat_map(|_| [n, 0, 0, 0]).collect();
    Ok(Model { initial: marking(store, &tokens)?, transitions })
}
