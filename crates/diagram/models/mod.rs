//! The classic models of the SDD paper, built through the library: for benchmarks, tests and examples.
//!
//! Each function gives the initial states and the transitions of a model; the paper's tables 1 and 2
//! and `docs/benchmarks.md` say what comes out.
#![allow(dead_code)]

pub mod fms;
pub mod kanban;
pub mod philosophers;
pub mod slotted_ring;
pub mod states;

use mandala_diagram::{Diagram, Error, Hom, Store, ValueMap, Variable};

/// Initial states and transitions.
pub struct Model {
    /// The initial states.
    pub initial: Diagram,
    /// The transitions: the states are those of the closure of `initial` under them.
    pub transitions: Vec<Hom>,
}

/// What a transition takes from a place and what it gives to it.
pub type Flow = (Variable, i32, i32);

/// A transition of a net: enough tokens in each place, then their exchange.
pub fn transition(store: &mut Store, flows: &[Flow]) -> Hom {
    let mut links = Vec::new();
    for &(place, take, give) in flows {
        links.push(store.value(place, ValueMap::at_least(take)));
        links.push(store.value(place, ValueMap::add(give - take)));
    }
    store.sequence(&links)
}

/// The flows of a part whose first place is `first`.
pub fn at(first: Variable, flows: &[Flow]) -> Vec<Flow> {
    flows.iter().map(|&(place, take, give)| (first + place, take, give)).collect()
}

/// A synchronisation of parts: what happens inside each of them.
pub fn synchronisation(store: &mut Store, parts: &[(Variable, &Hom)]) -> Hom {
    let links: Vec<Hom> = parts.iter().map(|(part, inside)| store.local(*part, inside)).collect();
    store.sequence(&links)
}

/// A marking, places in the order of their numbers.
pub fn marking(store: &mut Store, tokens: &[i32]) -> Result<Diagram, Error> {
    let assignments: Vec<_> = tokens.iter().enumerate().map(|(place, &n)| (place as Variable, n)).collect();
    store.state(&assignments)
}

/// States of parts, in the order of their numbers.
pub fn composite(store: &mut Store, parts: &[&Diagram]) -> Result<Diagram, Error> {
    let mut state = store.one();
    for (part, label) in parts.iter().enumerate().rev() {
        state = store.assign_set(part as Variable, label, &state)?;
    }
    Ok(state)
}
