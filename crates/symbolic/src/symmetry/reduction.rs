//! Which symmetries are tried on a state, and in which order states are compared: H and < of the thesis (3.2).
//!
//! Blocks that can be permuted at will are sorted by exchanging neighbours: whatever is not sorted has two neighbours in
//! the wrong order, if all blocks list their variables alike in the order of comparison. Of a circle all rotations are
//! tried. Parts of a group on different variables do not disturb each other. Where they meet, a state that none of these
//! symmetries makes smaller may still not be the least of its orbit.

use mandala_diagram::{Diagram, Error, Hom, Store};

use super::action::Action;
use super::apply::{apply, reduce};
use super::compare::{Kept, select};
use super::shape::{Part, Shape, rotation, swap};
use crate::layout::Layout;

/// How a group is used on diagrams.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// For each variable of the model, when it is compared.
    pub ranks: Vec<u32>,
    /// Symmetries in the order in which they are tried. A symmetry may be there more than once.
    tried: Vec<usize>,
    /// The symmetries, by the images of variables.
    symmetries: Vec<Vec<u32>>,
    /// Whether what none of them makes smaller is known to be the least of its orbit.
    pub is_canonical: bool,
    /// Whether trying all of them once is enough.
    is_sorted_at_once: bool,
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
        for part in &shape.parts {
            let first = reduction.symmetries.len();
            match part {
                Part::Full { blocks } => {
                    let swaps = (1..blocks.len()).map(|at| swap(&blocks[at - 1], &blocks[at], variables));
                    reduction.symmetries.extend(swaps);
                    // Insertion, from the last block on.
                    for from in (0..blocks.len().saturating_sub(1)).rev() {
                        reduction.tried.extend(first + from..reduction.symmetries.len());
                    }
                }
                Part::Ring { blocks } => {
                    let rotations = (1..blocks.len()).map(|by| rotation(blocks, by, variables));
                    reduction.symmetries.extend(rotations);
                    reduction.tried.extend(first..reduction.symmetries.len());
                    reduction.is_sorted_at_once &= blocks.len() <= 2;
                }
                Part::Other { generators } => {
                    match part.elements(variables, MOST_ELEMENTS) {
                        Some(elements) => reduction.symmetries.extend(elements.into_iter().skip(1)),
                        None => {
                            reduction.symmetries.extend(generators.iter().cloned());
                            reduction.is_canonical = false;
                        }
                    }
                    reduction.tried.extend(first..reduction.symmetries.len());
                    reduction.is_sorted_at_once = false;
                }
            }
            let mut own = vec![false; variables];
            for images in &reduction.symmetries[first..] {
                for (variable, &image) in images.iter().enumerate() {
                    own[variable] |= image != variable as u32;
                }
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
        let actions: Vec<Action> =
            self.symmetries.iter().map(|images| Action::new(layout, images)).collect::<Option<_>>()?;
        let ranks = layout.ranks(&self.ranks);
        let mut steps = Canonise {
            tried: self.tried.clone(),
            reduce: Vec::new(),
            lead: Vec::new(),
            apply: Vec::new(),
            is_sorted_at_once: self.is_sorted_at_once,
        };
        for action in &actions {
            steps.reduce.push(reduce(store, action, &ranks));
            steps.lead.push(select(store, action, &ranks, Kept::Leading));
            steps.apply.push(apply(store, action));
        }
        Some(steps)
    }
}

/// A reduction on diagrams.
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

/// For each variable, when it is compared: so that every part of the group sees its blocks listed alike.
fn ranks(shape: &Shape, variables: usize) -> Vec<u32> {
    // Parts with many blocks first: their blocks are small, and each is compared as a whole.
    let mut parts: Vec<&Vec<Vec<u32>>> = shape
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Full { blocks } | Part::Ring { blocks } => Some(blocks),
            Part::Other { .. } => None,
        })
        .collect();
    parts.sort_by_key(|blocks| std::cmp::Reverse(blocks.len()));
    let mut roles: Vec<u32> = (0..variables as u32).collect();
    for _ in 0..=parts.len() {
        for part in &parts {
            let Some(first) = part.first() else { continue };
            for at in 0..first.len() {
                let least = part.iter().map(|block| roles[block[at] as usize]).min().unwrap_or(0);
                part.iter().for_each(|block| roles[block[at] as usize] = least);
            }
        }
    }
    let mut keys: Vec<Vec<u32>> = vec![vec![u32::MAX; parts.len() + 1]; variables];
    for (at, part) in parts.iter().enumerate() {
        for (index, block) in part.iter().enumerate() {
            // The role comes after the first part.
            block.iter().for_each(|&variable| keys[variable as usize][if at == 0 { 0 } else { at + 1 }] = index as u32);
        }
    }
    for (variable, role) in roles.into_iter().enumerate() {
        let at = 1.min(parts.len());
        keys[variable][at] = role;
    }
    let mut order: Vec<u32> = (0..variables as u32).collect();
    order.sort_by_key(|&variable| (&keys[variable as usize], variable));
    let mut ranks = vec![0; variables];
    for (rank, variable) in order.into_iter().enumerate() {
        ranks[variable as usize] = rank as u32;
    }
    ranks
}
