//! Dining philosophers: each with the fork to his right.
//!
//! A philosopher is idle, then waits for both forks, takes them in any order, and eats, which puts
//! both back.

use super::{Model, at, composite, marking, synchronisation, transition};
use mandala_diagram::{Diagram, Error, Hom, Store, Variable};

// The fork, which the neighbour needs, comes last and so next to the neighbour.
const IDLE: Variable = 0;
const WAIT_LEFT: Variable = 1;
const WAIT_RIGHT: Variable = 2;
const HAS_LEFT: Variable = 3;
const HAS_RIGHT: Variable = 4;
const FORK: Variable = 5;
const PLACES: Variable = 6;

/// A philosopher with a fork, or a group of them, as its neighbours see it.
struct Group {
    initial: Diagram,
    /// What it does by itself.
    locals: Vec<Hom>,
    /// The first philosopher takes the fork to his left, which is not in the group.
    take_left: Hom,
    /// The first philosopher eats and puts the fork to his left back.
    eat: Hom,
    /// The last fork is taken by the neighbour, or put back.
    get: Hom,
    put: Hom,
}

fn single(store: &mut Store) -> Result<Group, Error> {
    let initial = marking(store, &[1, 0, 0, 0, 0, 1])?;
    let hungry = transition(store, &[(IDLE, 1, 0), (WAIT_LEFT, 0, 1), (WAIT_RIGHT, 0, 1)]);
    let take_right = transition(store, &[(FORK, 1, 0), (WAIT_RIGHT, 1, 0), (HAS_RIGHT, 0, 1)]);
    Ok(Group {
        initial,
        locals: vec![hungry, take_right],
        take_left: transition(store, &[(WAIT_LEFT, 1, 0), (HAS_LEFT, 0, 1)]),
        eat: transition(store, &[(HAS_LEFT, 1, 0), (HAS_RIGHT, 1, 0), (IDLE, 0, 1), (FORK, 0, 1)]),
        get: transition(store, &[(FORK, 1, 0)]),
        put: transition(store, &[(FORK, 0, 1)]),
    })
}

/// A ring of `n` philosophers, one level for the ring and one for a philosopher with his fork.
pub fn ring(store: &mut Store, n: Variable) -> Result<Model, Error> {
    let one = single(store)?;
    let locals = store.sum(&one.locals);
    let mut transitions = Vec::new();
    for i in 0..n {
        let left = (i + n - 1) % n;
        transitions.push(store.local(i, &locals));
        transitions.push(synchronisation(store, &[(i, &one.take_left), (left, &one.get)]));
        transitions.push(synchronisation(store, &[(i, &one.eat), (left, &one.put)]));
    }
    let initial = composite(store, &vec![&one.initial; n as usize])?;
    Ok(Model { initial, transitions })
}

/// `n` philosophers without hierarchy.
pub fn flat(store: &mut Store, n: Variable) -> Result<Model, Error> {
    let mut transitions = Vec::new();
    for i in 0..n {
        let here = i * PLACES;
        let left_fork = (i + n - 1) % n * PLACES + FORK;
        let hungry = at(here, &[(IDLE, 1, 0), (WAIT_LEFT, 0, 1), (WAIT_RIGHT, 0, 1)]);
        transitions.push(transition(store, &hungry));
        let right = at(here, &[(FORK, 1, 0), (WAIT_RIGHT, 1, 0), (HAS_RIGHT, 0, 1)]);
        transitions.push(transition(store, &right));
        let mut left = at(here, &[(WAIT_LEFT, 1, 0), (HAS_LEFT, 0, 1)]);
        left.push((left_fork, 1, 0));
        transitions.push(transition(store, &left));
        let mut eat = at(here, &[(HAS_LEFT, 1, 0), (HAS_RIGHT, 1, 0), (IDLE, 0, 1), (FORK, 0, 1)]);
        eat.push((left_fork, 0, 1));
        transitions.push(transition(store, &eat));
    }
    let tokens: Vec<i32> = (0..n).flat_map(|_| [1, 0, 0, 0, 0, 1]).collect();
    Ok(Model { initial: marking(store, &tokens)?, transitions })
}

/// Two groups side by side, the first to the left of the second.
fn join(store: &mut Store, left: &Group, right: &Group) -> Result<Group, Error> {
    let initial = composite(store, &[&left.initial, &right.initial])?;
    let (left_locals, right_locals) = (store.sum(&left.locals), store.sum(&right.locals));
    let locals = vec![
        store.local(0, &left_locals),
        store.local(1, &right_locals),
        synchronisation(store, &[(0, &left.get), (1, &right.take_left)]),
        synchronisation(store, &[(0, &left.put), (1, &right.eat)]),
    ];
    Ok(Group {
        initial,
        locals,
        take_left: store.local(0, &left.take_left),
        eat: store.local(0, &left.eat),
        get: store.local(1, &right.get),
        put: store.local(1, &right.put),
    })
}

/// The two ends of a group come together.
fn close(store: &mut Store, group: &Group) -> Result<Model, Error> {
    let initial = composite(store, &[&group.initial])?;
    let locals = store.sum(&group.locals);
    let take = store.compose(&group.take_left, &group.get);
    let eat = store.compose(&group.eat, &group.put);
    let transitions = vec![store.local(0, &locals), store.local(0, &take), store.local(0, &eat)];
    Ok(Model { initial, transitions })
}

/// 2^n philosophers, folded: a group of 2^k is two groups of 2^(k-1) (SDD paper, 8.1).
pub fn folded(store: &mut Store, n: u32) -> Result<Model, Error> {
    let mut group = single(store)?;
    for _ in 0..n {
        group = join(store, &group, &group)?;
    }
    close(store, &group)
}

/// Any number of philosophers, folded by its binary digits, the least significant first.
pub fn folded_by_digits(store: &mut Store, digits: &[bool]) -> Result<Model, Error> {
    let mut power = single(store)?;
    let mut group: Option<Group> = None;
    for &digit in digits {
        if digit {
            group = Some(match group {
                None => Group { initial: power.initial.clone(), locals: power.locals.clone(), ..clone(&power) },
                Some(group) => join(store, &group, &power)?,
            });
        }
        power = join(store, &power, &power)?;
    }
    match group {
        Some(group) => close(store, &group),
        None => Ok(Model { initial: store.one(), transitions: Vec::new() }),
    }
}

fn clone(group: &Group) -> Group {
    Group {
        initial: group.initial.clone(),
        locals: group.locals.clone(),
        take_left: group.take_left.clone(),
        eat: group.eat.clone(),
        get: group.get.clone(),
        put: group.put.clone(),
    }
}
