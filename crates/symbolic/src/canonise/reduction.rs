//! Which symmetries are tried on a state, and in which order states are compared: H and < of the thesis (3.2).
//!
//! Blocks that can be permuted at will are sorted by exchanging neighbours: whatever is not sorted has two neighbours in
//! the wrong order, if all blocks list their variables alike in the order of comparison. Of a circle all rotations are
//! tried. Parts of a group on different variables do not disturb each other, nor do blocks within blocks, if the inner ones
//! are sorted first. Where they meet otherwise (clients and servers, and a
//! request that belongs to one of each), a state that none of these symmetries makes smaller may still not be the least of
//! its orbit. What is left then can be compared once more, first by what the other parts cannot change: a server by how
//! many requests it has. This alone tells most orbits apart, but it is expensive: to count is to look at all variables.

use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Store, Variable};
use mandala_group::Permutation;

use super::action::Action;
use super::apply::{apply, reduce};
use super::compare::{Selected, select};
use crate::layout::Layout;
use mandala_analysis::symmetry::coordinates::Coordinates;
use mandala_analysis::symmetry::points::Points;
use mandala_analysis::symmetry::shape::{Part, Shape};

/// How a group is used on diagrams.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// For each variable of the model, when it is compared.
    pub ranks: Vec<u32>,
    /// For each variable of the model, the block that it follows the others of in this order; the greatest number if it is in
    /// none.
    pub blocks: Vec<u32>,
    /// Symmetries in the order in which they are tried. A symmetry may be there more than once.
    tried: Vec<usize>,
    symmetries: Vec<Tried>,
    /// Whether what none of them makes smaller is known to be the least of its orbit.
    pub is_canonical: bool,
    /// Whether trying all of them once is enough.
    is_sorted_at_once: bool,
    points: Points,
}

/// A symmetry that is tried.
#[derive(Clone, Debug)]
struct Tried {
    symmetry: Permutation,
    /// By how much these sums of variables grow can be compared first, in this order.
    growth: Vec<Vec<(u32, i64)>>,
}

/// The most symmetries of a part that are all tried.
const MOST_ELEMENTS: usize = 500;

impl Reduction {
    /// For the group that the parts of a shape generate.
    pub fn new(shape: &Shape, points: &Points) -> Reduction {
        let variables = points.count();
        let coordinates = Coordinates::new(shape, variables);
        let (ranks, blocks) = ranks(shape, coordinates.as_ref(), variables);
        let mut reduction = Reduction {
            ranks,
            blocks,
            tried: Vec::new(),
            symmetries: Vec::new(),
            // What a variable with renamed values holds depends on all blocks at once.
            is_canonical: !points.have_values(),
            is_sorted_at_once: true,
            points: points.clone(),
        };
        let (mut moved, mut moved_by_others) = (vec![false; variables], vec![false; variables]);
        let plain = |symmetry| Tried { symmetry, growth: Vec::new() };
        let is_nested = coordinates.as_ref().is_some_and(Coordinates::is_nested);
        for part in in_turn(shape, coordinates.as_ref()) {
            let first = reduction.symmetries.len();
            match part {
                Part::Full { blocks } => {
                    // Without coordinates, blocks may not be listed alike.
                    reduction.is_canonical &= coordinates.is_some();
                    let met = blocks.iter().flatten().any(|&variable| moved[variable as usize]);
                    let met = coordinates.as_ref().filter(|_| met && !is_nested);
                    let tried = part.generators().into_iter().zip(blocks.windows(2)).map(|(symmetry, two)| Tried {
                        symmetry,
                        growth: met.map_or(Vec::new(), |coordinates| growth(&two[0], &two[1], coordinates, points)),
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
            let is_full = matches!(part, Part::Full { .. });
            for ((moved, by_others), own) in moved.iter_mut().zip(&mut moved_by_others).zip(own) {
                reduction.is_canonical &= !(*moved && own) || (is_full && is_nested && !*by_others);
                *moved |= own;
                *by_others |= own && !is_full;
            }
        }
        reduction.is_sorted_at_once &= reduction.is_canonical;
        reduction
    }

    /// The reduction on the diagrams of a layout; nothing if it does not fit.
    pub fn on(&self, store: &mut Store, layout: &Layout) -> Option<Canonise> {
        let actions = self.symmetries.iter().map(|tried| Action::new(layout, &self.points, &tried.symmetry));
        let actions: Vec<Action> = actions.collect::<Option<_>>()?;
        let ranks = layout.ranks(&self.ranks);
        let mut steps = Canonise {
            tried: self.tried.clone(),
            reduce: Vec::new(),
            by_sums: Vec::new(),
            lead: Vec::new(),
            apply: Vec::new(),
            is_sorted_at_once: self.is_sorted_at_once,
        };
        for (action, tried) in actions.iter().zip(&self.symmetries) {
            let (reduces, applies) = (reduce(store, action, &ranks), apply(store, action));
            let mut by_sums = reduces.clone();
            for sum in tried.growth.iter().rev() {
                let (weight, constant) = layout.weight(sum);
                let shrinks = store.weighing(&weight, i64::MIN, -1 - constant);
                let stays = store.weighing(&weight, -constant, -constant);
                let grows = store.weighing(&weight, 1 - constant, i64::MAX);
                let (smaller, again) = (store.compose(&applies, &shrinks), store.compose(&by_sums, &stays));
                by_sums = store.sum([&smaller, &again, &grows]);
            }
            steps.reduce.push(reduces);
            steps.by_sums.push(by_sums);
            steps.lead.push(select(store, action, &ranks, Selected::Leading));
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
    by_sums: Vec<Hom>,
    lead: Vec<Hom>,
    apply: Vec<Hom>,
    is_sorted_at_once: bool,
}

impl Canonise {
    /// Each state replaced by one of its orbit that none of the symmetries makes smaller: algorithm 3 of the thesis.
    pub fn canonise(&self, store: &mut Store, set: &Diagram) -> Result<Diagram, Error> {
        self.repeat(&self.reduce, store, set)
    }

    /// The same with states that are compared first by sums of variables, where parts of the group meet. Of the orbits
    /// of a set fewer states are left, but not those that are left by the other.
    pub fn canonise_by_sums(&self, store: &mut Store, set: &Diagram) -> Result<Diagram, Error> {
        self.repeat(&self.by_sums, store, set)
    }

    fn repeat(&self, reduce: &[Hom], store: &mut Store, set: &Diagram) -> Result<Diagram, Error> {
        let mut set = set.clone();
        loop {
            let before = set.clone();
            for &at in &self.tried {
                set = store.apply(&reduce[at], &set)?;
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
        let orbits = self.orbits(store);
        store.apply(&orbits, set)
    }

    /// [`orbit`](Canonise::orbit) as a homomorphism.
    pub fn orbits(&self, store: &mut Store) -> Hom {
        store.closure(&self.apply)
    }

    /// [`canonise`](Canonise::canonise) as a homomorphism.
    pub fn representative(&self, store: &mut Store) -> Hom {
        let round = self.tried.iter().map(|&at| &self.reduce[at]);
        let mut canonise = store.sequence(round);
        if !self.is_sorted_at_once {
            canonise = store.fixpoint(&canonise);
        }
        let orbit = self.orbits(store);
        store.inductive(Representative { canonise, orbit })
    }

    /// Replaces states by those of their orbits that are in a set, as a homomorphism.
    pub fn representative_among(&self, store: &mut Store, representatives: &Diagram) -> Hom {
        let orbit = self.orbits(store);
        let among = store.intersect(representatives);
        let canonise = store.compose(&among, &orbit);
        store.inductive(Representative { canonise, orbit })
    }
}

/// Replaces states by representatives of their orbits. What can be replaced by a state is taken to be all of its orbit:
/// states of an orbit have the same future.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Representative {
    canonise: Hom,
    orbit: Hom,
}

impl Inductive for Representative {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let first = store.state(&[(variable, value)])?;
        let first = store.prepend(&first);
        Ok(Answer::Whole(store.compose(&self.canonise, &first)))
    }

    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(store.one())
    }

    fn inverse(&self, store: &mut Store, possible: &Diagram) -> Result<Option<Hom>, Error> {
        let possible = store.intersect(possible);
        Ok(Some(store.sequence([&self.orbit, &possible])))
    }
}

/// The parts of a shape: those inside the blocks of others first, and then those with many blocks, for their blocks are
/// small and each is compared as a whole.
fn in_turn<'s>(shape: &'s Shape, coordinates: Option<&Coordinates>) -> Vec<&'s Part> {
    let depth = |part: &Part| match (coordinates, part.blocks()) {
        (Some(coordinates), blocks) => coordinates.depth_of(blocks),
        _ => 0,
    };
    let mut parts: Vec<&Part> = shape.parts.iter().collect();
    parts.sort_by_cached_key(|part| std::cmp::Reverse((depth(part), part.blocks().len())));
    parts
}

/// How much more of each role the next block has. Values that are renamed say nothing of this.
fn growth(block: &[u32], next: &[u32], coordinates: &Coordinates, points: &Points) -> Vec<Vec<(u32, i64)>> {
    let role = |variable: u32| coordinates.variables[variable as usize].role;
    let terms = block.iter().map(|&variable| (variable, -1)).chain(next.iter().map(|&variable| (variable, 1)));
    let is_number = |variable: u32| points.value(variable).is_none() && points.values_of(variable).is_empty();
    let mut terms: Vec<(u32, i64)> = terms.filter(|&(variable, _)| is_number(variable)).collect();
    terms.sort_by_key(|&(variable, _)| (role(variable), variable));
    terms.chunk_by(|a, b| role(a.0) == role(b.0)).map(<[_]>::to_vec).collect()
}

/// For each variable, when it is compared: so that every part of the group sees its blocks listed alike. First comes the
/// first point that a variable lies at, the outermost, and the others where blocks lie within blocks; then its role, then
/// its other points. In circles, blocks follow each other. Also the number of the first of these, by which variables are
/// grouped, or the greatest number.
fn ranks(shape: &Shape, coordinates: Option<&Coordinates>, variables: usize) -> (Vec<u32>, Vec<u32>) {
    let mut keys: Vec<(Vec<u32>, u32, Vec<u32>)> = vec![(vec![u32::MAX], 0, Vec::new()); variables];
    for part in shape.parts.iter().filter(|part| matches!(part, Part::Ring { .. })) {
        for (number, block) in part.blocks().iter().enumerate() {
            block.iter().for_each(|&variable| keys[variable as usize].0 = vec![number as u32]);
        }
    }
    let is_nested = coordinates.is_some_and(Coordinates::is_nested);
    for (variable, key) in keys.iter_mut().enumerate() {
        key.1 = variable as u32;
        let Some(coordinates) = coordinates else { continue };
        let lies = &coordinates.variables[variable];
        key.1 = lies.role;
        let mut points = coordinates.points(lies);
        if !points.is_empty() {
            let others = if is_nested { Vec::new() } else { points.split_off(1) };
            // Points of one kind and number come at the same place in all blocks.
            let places = |points: &[u32]| points.iter().flat_map(|&point| coordinates.place_of(point)).collect();
            (key.0, key.2) = (places(&points), places(&others));
        }
    }
    let mut order: Vec<u32> = (0..variables as u32).collect();
    order.sort_by_key(|&variable| (&keys[variable as usize], variable));
    let (mut ranks, mut blocks, mut block) = (vec![0; variables], vec![0; variables], 0);
    for (rank, &variable) in order.iter().enumerate() {
        let before = rank.checked_sub(1).map(|before| &keys[order[before] as usize].0);
        block += u32::from(before.is_some_and(|before| *before != keys[variable as usize].0));
        ranks[variable as usize] = rank as u32;
        let is_moved = keys[variable as usize].0 != [u32::MAX];
        blocks[variable as usize] = if is_moved { block } else { u32::MAX };
    }
    (ranks, blocks)
}
