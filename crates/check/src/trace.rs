//! Ways from an initial state to a state that is looked for.
//!
//! First breadth first, within a budget of work: the trace is then a shortest one. If the budget does not do, by
//! chaining: transitions are applied one after the other, each to everything found so far, which needs far fewer rounds,
//! and the trace may be longer than it had to be; what can be left out of it at little cost is (`shorten`). In both cases the sets found on the way are kept, a state is picked from
//! the last of them, and predecessors are picked back to an initial state. What happened between two states is found again
//! by the meaning of the system, state by state: every trace is replayed as it is made.

use mandala_diagram::{Diagram, Error, Hom};
use mandala_symbolic::encode::{Encoded, Encoding, StateOf};

use crate::budget::within_budget;
use crate::lift;
use crate::run::{Found, LARGEST, LONGEST, NoTrace, broken, named};
use crate::shorten::shortened;

/// How much work breadth-first search may do at least, and at most.
const BREADTH_FIRST_WORK: (u64, u64) = (600_000, 20_000_000);
/// In between, so many times what it took to find the states.
const TIMES_THE_STATES: u64 = 4;
/// Traces with more values than this, all their states together, are not written down.
const MOST_VALUES: usize = 200_000_000;

/// A way from the initial states to one of the targets, all of which are reachable.
pub fn to_targets<E: Encoding>(encoded: &mut Encoded<E>, targets: &Diagram) -> Result<Found<E::Formalism>, NoTrace> {
    let work = breadth_first_work(encoded);
    to_targets_with(encoded, targets, work)
}

/// Such a way; as much work may be spent on a shortest one.
pub fn to_targets_with<E: Encoding>(
    encoded: &mut Encoded<E>, targets: &Diagram, work: u64,
) -> Result<Found<E::Formalism>, NoTrace> {
    if encoded.encoding.state_size() > LARGEST {
        return Err(NoTrace::TooLarge);
    }
    let from = encoded.initial.clone();
    let Path { diagrams, shortest } = way_with(encoded, &from, targets, None, work)?;
    let semantics = encoded.encoding.semantics().map_err(|_| NoTrace::TooLarge)?;
    let states = match &encoded.orbit {
        None => written(encoded, &diagrams)?,
        Some(_) => lift::run(encoded, &semantics, &diagrams)?,
    };
    let mut trace = named(&semantics, states)?;
    if !shortest && encoded.orbit.is_none() {
        trace = shortened(encoded, &semantics, trace, targets);
    }
    Ok(Found { trace, shortest, repeats: None })
}

/// A way through the states.
pub(crate) struct Path {
    /// Sets of one state each, including transient states.
    pub diagrams: Vec<Diagram>,
    /// Whether there is no shorter one.
    pub shortest: bool,
}

/// A way from one of some states to one of the targets, of which there is one, through the states of a set.
pub(crate) fn way<E: Encoding>(
    encoded: &mut Encoded<E>, from: &Diagram, targets: &Diagram, within: Option<&Diagram>,
) -> Result<Path, NoTrace> {
    let work = breadth_first_work(encoded);
    way_with(encoded, from, targets, within, work)
}

/// Whoever has found the states soon does not want to wait long for a shortest way.
fn breadth_first_work<E: Encoding>(encoded: &Encoded<E>) -> u64 {
    let (least, most) = BREADTH_FIRST_WORK;
    encoded.store.statistics().made_nodes.saturating_mul(TIMES_THE_STATES).clamp(least, most)
}

fn way_with<E: Encoding>(
    encoded: &mut Encoded<E>, from: &Diagram, targets: &Diagram, within: Option<&Diagram>, work: u64,
) -> Result<Path, NoTrace> {
    match within_budget(encoded, work, |encoded| breadth_first(encoded, from, targets, within)) {
        Ok(diagrams) => Ok(Path { diagrams, shortest: true }),
        Err(NoTrace::Stopped(Error::Work { .. })) => {
            Ok(Path { diagrams: chaining(encoded, from, targets, within)?, shortest: false })
        }
        Err(error) => Err(error),
    }
}

/// The states of some sets of one state each, value by value.
pub(crate) fn written<E: Encoding>(encoded: &Encoded<E>, diagrams: &[Diagram]) -> Result<Vec<StateOf<E>>, NoTrace> {
    if diagrams.len().saturating_mul(encoded.encoding.state_size()) > MOST_VALUES {
        return Err(NoTrace::TooLong(diagrams.len() - 1));
    }
    let mut states = Vec::with_capacity(diagrams.len());
    for diagram in diagrams {
        let state = encoded.store.pick(diagram).ok_or_else(|| broken("a step has no state"))?;
        states.push(E::decode(encoded, &state));
    }
    Ok(states)
}

/// One state of a set, as a set.
pub(crate) fn one_of<E: Encoding>(encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, NoTrace> {
    let state = encoded.store.pick(set).ok_or_else(|| broken("nothing to pick from"))?;
    Ok(encoded.store.diagram_of(&state)?)
}

/// The states of a set that are in another, if there is one.
fn inside<E: Encoding>(encoded: &mut Encoded<E>, set: Diagram, within: Option<&Diagram>) -> Result<Diagram, Error> {
    match within {
        Some(within) => encoded.store.intersection(&set, within),
        None => Ok(set),
    }
}

fn breadth_first<E: Encoding>(
    encoded: &mut Encoded<E>, from: &Diagram, targets: &Diagram, within: Option<&Diagram>,
) -> Result<Vec<Diagram>, NoTrace> {
    let step = encoded.store.sum(&encoded.relation);
    let mut seen = inside(encoded, from.clone(), within)?;
    let mut layers = vec![seen.clone()];
    let zero = encoded.store.zero();
    loop {
        let layer = &layers[layers.len() - 1];
        let met = encoded.store.intersection(layer, targets)?;
        if met != zero {
            return backwards(encoded, &step, &seen, &layers, &met);
        }
        let next = encoded.store.apply(&step, layer)?;
        let next = inside(encoded, next, within)?;
        let next = encoded.store.difference(&next, &seen)?;
        if next == zero {
            return Err(broken("a target that was reached is not found again"));
        }
        if layers.len() > LONGEST {
            return Err(NoTrace::TooLong(layers.len()));
        }
        seen = encoded.store.union(&seen, &next)?;
        layers.push(next);
    }
}

/// A state of each layer, each a successor of the one before, ending in one of the states that were met in the last.
/// `seen` has all layers: a step is turned around once for all of them.
fn backwards<E: Encoding>(
    encoded: &mut Encoded<E>, step: &Hom, seen: &Diagram, layers: &[Diagram], met: &Diagram,
) -> Result<Vec<Diagram>, NoTrace> {
    let back = encoded.store.predecessors(step, seen)?;
    let mut path = vec![one_of(encoded, met)?];
    for layer in layers[..layers.len() - 1].iter().rev() {
        let before = encoded.store.apply(&back, &path[path.len() - 1])?;
        let before = encoded.store.intersection(&before, layer)?;
        path.push(one_of(encoded, &before)?);
    }
    path.reverse();
    Ok(path)
}

fn chaining<E: Encoding>(
    encoded: &mut Encoded<E>, from: &Diagram, targets: &Diagram, within: Option<&Diagram>,
) -> Result<Vec<Diagram>, NoTrace> {
    let relation = encoded.relation.clone();
    let zero = encoded.store.zero();
    // What was known before a transition was applied that found something new.
    let mut history: Vec<(Diagram, usize)> = Vec::new();
    let mut known = inside(encoded, from.clone(), within)?;
    loop {
        let start = known.clone();
        for (number, transition) in relation.iter().enumerate() {
            let next = encoded.store.apply(transition, &known)?;
            let next = inside(encoded, next, within)?;
            let all = encoded.store.union(&known, &next)?;
            if all != known {
                history.push((known, number));
                known = all;
            }
        }
        let met = encoded.store.intersection(&known, targets)?;
        if met != zero {
            return unchain(encoded, &relation, &known, &history, &met);
        }
        if known == start {
            return Err(broken("a target that was reached is not found again"));
        }
    }
}

/// A way through what was known, backwards. `all` is what was known in the end: each transition is turned around once.
fn unchain<E: Encoding>(
    encoded: &mut Encoded<E>, relation: &[Hom], all: &Diagram, history: &[(Diagram, usize)], met: &Diagram,
) -> Result<Vec<Diagram>, NoTrace> {
    let mut turned: Vec<Option<Hom>> = vec![None; relation.len()];
    let mut path = vec![one_of(encoded, met)?];
    for (known, number) in history.iter().rev() {
        let state = path[path.len() - 1].clone();
        if encoded.store.is_subset(&state, known)? {
            continue;
        }
        let back = match &turned[*number] {
            Some(back) => back.clone(),
            None => encoded.store.predecessors(&relation[*number], all)?,
        };
        turned[*number].get_or_insert_with(|| back.clone());
        let before = encoded.store.apply(&back, &state)?;
        let before = encoded.store.intersection(&before, known)?;
        path.push(one_of(encoded, &before)?);
        if path.len() > LONGEST {
            return Err(NoTrace::TooLong(path.len()));
        }
    }
    path.reverse();
    Ok(path)
}
