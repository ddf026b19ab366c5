//! Which symmetries are tried on a state, and in which order states are compared: H and < of the thesis (3.2).
//!
//! Blocks that can be permuted at will are sorted by exchanging neighbours: whatever is not sorted has two neighbours in
//! the wrong order, if all blocks list their variables alike in the order of comparison. Of a circle all rotations are
//! tried. Parts of a group on different variables do not disturb each other. Where they meet (clients and servers, and a
//! request that belongs to one of each), a state that none of these symmetries makes smaller may still not be the least of
//! its orbit. There, states are compared first by what the other parts cannot change: a server by how many requests it
//! has. This alone tells most orbits apart.

use mandala_diagram::{Diagram, Error, Hom, Store};
use mandala_group::Permutation;

use super::action::Action;
use super::apply::{apply, reduce};
use super::compare::{Kept, select};
use super::leader::roles;
use super::shape::{Part, Shape};
use crate::layout::Layout;

/// How a group is used on diagrams.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// For each variable of the model, when it is compared.
    pub ranks: Vec<u32>,
    /// Symmetries in the order in which they are tried. A symmetry may be there more than once.
    tried: Vec<usize>,
    symmetries: Vec<Tried>,
    /// Whether what none of them makes smaller is known to be the least of its orbit.
    pub is_canonical: bool,
    /// Whether trying all of them once is enough.
    is_sorted_at_once: bool,
}

/// A symmetry that is tried.
#[derive(Clone, Debug)]
struct Tried {
    symmetry: Permutation,
    /// By how much these sums of variables grow is compared first, in this order.
    growth: Vec<Vec<(u32, i64)>>,
}

/// The most symmetries of a part that are all tried.
const MOST_ELEMENTS: usize = 500;

impl Reduction {
    /// For the group that the parts of a shape generate.
    pub fn new(shape: &Shape, variables: usize) -> Reduction {
        let mut reduction = Reduction {
            ranks: ranks(shape, variables),
            tried: Vec::new(),
            symmetries: Vec::new(),
            is_canonical: true,
            is_sorted_at_once: true,
        };
        let mut moved = vec![false; variables];
        let plain = |symmetry| Tried { symmetry, growth: Vec::new() };
        let roles = roles(&blocks(shape), variables);
        for part in by_number_of_blocks(shape) {
            let first = reduction.symmetries.len();
            match part {
                Part::Full { blocks } => {
                    let meets = blocks.iter().flatten().any(|&variable| moved[variable as usize]);
                    let tried = part.generators().into_iter().zip(blocks.windows(2)).map(|(symmetry, two)| Tried {
                        symmetry,
                        growth: if meets { growth(&two[0], &two[1], &roles) } else { Vec::new() },
                    });
                    reduction.symmetries.extend(tried);
                    // Insertion, from the last block on.
                    for from in (first..reduction.symmetries.len()).rev() {
                        reduction.tried.extend(from..reduction.symmetries.len());
                    }
                }
                part => {
                    match part.elements(MOST_ELEMENTS) {
                        Some(elements) => reduction.symmetries.extend(elements.into_iter().skip(1).map(plain)),
                        None => {
                            reduction.symmetries.extend(part.generators().into_iter().map(plain));
                            reduction.is_canonical = false;
                        }
                    }
                    reduction.tried.extend(first..reduction.symmetries.len());
                    reduction.is_sorted_at_once = false;
                }
            }
            let mut own = vec![false; variables];
            for variable in reduction.symmetries[first..].iter().flat_map(|tried| tried.symmetry.support()) {
                own[variable as usize] = true;
            }
            for (moved, own) in moved.iter_mut().zip(own) {
                reduction.is_canonical &= !(*moved && own);
                *moved |= own;
            }
        }
        reduction.is_sorted_at_once &= reduction.is_canonical;
        reduction
    }

    /// The reduction on the diagrams of a layout; nothing if it does not fit.
    pub fn on(&self, store: &mut Store, layout: &Layout) -> Option<Canonise> {
        let actions = self.symmetries.iter().map(|tried| Action::new(layout, &tried.symmetry));
        let actions: Vec<Action> = actions.collect::<Option<_>>()?;
        let ranks = layout.ranks(&self.ranks);
        let mut steps = Canonise {
            tried: self.tried.clone(),
            reduce: Vec::new(),
            lead: Vec::new(),
            apply: Vec::new(),
            is_sorted_at_once: self.is_sorted_at_once,
        };
        for (action, tried) in actions.iter().zip(&self.symmetries) {
            let (mut reduces, mut leads) = (reduce(store, action, &ranks), select(store, action, &ranks, Kept::Leading));
            let applies = apply(store, action);
            for sum in tried.growth.iter().rev() {
                let (weight, constant) = layout.weight(sum);
                let mut growing = |low, high| store.weighing(&weight, low, high);
                let shrinks = growing(i64::MIN, -1 - constant);
                let stays = growing(-constant, -constant);
                let grows = growing(1 - constant, i64::MAX);
                let smaller = store.compose(&applies, &shrinks);
                let (again, later) = (store.compose(&reduces, &stays), store.compose(&leads, &stays));
                reduces = store.sum([&smaller, &again, &grows]);
                leads = store.sum([&later, &grows]);
            }
            steps.reduce.push(reduces);
            steps.lead.push(leads);
            steps.apply.push(applies);
        }
        Some(steps)
    }
}

/// A reduction on diagrams.
#[derive(Default)]
pub struct Canonise {
    tried: Vec<usize>,
    reduce: Vec<Hom>,
    lead: Vec<Hom>,
    apply: Vec<Hom>,
    is_sorted_at_once: bool,
}

impl Canonise {
    /// Each state replaced by one of its orbit that none of the symmetries makes smaller: algorithm 3 of the thesis.
    pub fn canonise(&self, store: &mut Store, set: &Diagram) -> Result<Diagram, Error> {
        let mut set = set.clone();
        loop {
            let before = set.clone();
            for &at in &self.tried {
                set = store.apply(&self.reduce[at], &set)?;
            }
            if self.is_sorted_at_once || set == before {
                return Ok(set);
            }
        }
    }

    /// The states of a set that none of the symmetries makes smaller.
    pub fn leading(&self, store: &mut Store, set: &Diagram) -> Result<Diagram, Error> {
        let mut set = set.clone();
        for lead in &self.lead {
            set = store.apply(lead, &set)?;
        }
        Ok(set)
    }

    /// The orbits of the states of a set.
    pub fn orbit(&self, store: &mut Store, set: &Diagram) -> Result<Diagram, Error> {
        let closure = store.closure(&self.apply);
        store.apply(&closure, set)
    }
}

/// The parts of a shape, those with many blocks first: their blocks are small, and each is compared as a whole.
fn by_number_of_blocks(shape: &Shape) -> Vec<&Part> {
    let mut parts: Vec<&Part> = shape.parts.iter().collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.blocks().len()));
    parts
}

/// The blocks of the parts, in this order.
fn blocks(shape: &Shape) -> Vec<&[Vec<u32>]> {
    by_number_of_blocks(shape).into_iter().map(Part::blocks).filter(|blocks| !blocks.is_empty()).collect()
}

/// How much less a block has of each role than its neighbour.
fn growth(block: &[u32], next: &[u32], roles: &[u32]) -> Vec<Vec<(u32, i64)>> {
    let mut sums: Vec<(u32, Vec<(u32, i64)>)> = Vec::new();
    let role = |variable: u32| roles[variable as usize];
    let terms = block.iter().map(|&variable| (variable, -1)).chain(next.iter().map(|&variable| (variable, 1)));
    let mut terms: Vec<(u32, i64)> = terms.collect();
    terms.sort_by_key(|&(variable, _)| (role(variable), variable));
    for term in terms {
        match sums.last_mut() {
            Some((last, sum)) if *last == role(term.0) => sum.push(term),
            _ => sums.push((role(term.0), vec![term])),
        }
    }
    sums.into_iter().map(|(_, sum)| sum).collect()
}

/// For each variable, when it is compared: so that every part of the group sees its blocks listed alike. First comes the
/// block of the first part, then the role, then the blocks of the others.
fn ranks(shape: &Shape, variables: usize) -> Vec<u32> {
    let parts = blocks(shape);
    let mut keys: Vec<(u32, u32, Vec<u32>)> =
        roles(&parts, variables).into_iter().map(|role| (u32::MAX, role, vec![u32::MAX; parts.len()])).collect();
    for (at, part) in parts.iter().enumerate() {
        for (index, block) in part.iter().enumerate() {
            for &variable in block {
                let (first, _, others) = &mut keys[variable as usize];
                *(if at == 0 { first } else { &mut others[at] }) = index as u32;
            }
        }
    }
    let mut order: Vec<u32> = (0..variables as u32).collect();
    order.sort_by_key(|&variable| (&keys[variable as usize], variable));
    let mut ranks = vec![0; variables];
    for (rank, variable) in order.into_iter().enumerate() {
        ranks[variable as usize] = rank as u32;
    }
    ranks
}
