//! What a group of symmetries does: interchangeable blocks, rings of blocks, and products of these.
//!
//! Blocks are lists of variables, all of the same length: what is at the same place of two of them plays the same
//! *role*. A swap of two blocks exchanges the variables role by role and leaves all others alone. Where groups interact,
//! as where clients and servers both move the requests, a variable is in a block of each. Where one variable belongs to
//! several of the things that are interchangeable, as a message from one process to another, there are no blocks, but
//! *indices*.
//!
//! Each part is a subgroup of the group by construction, and together the parts generate all of it.

mod full;
mod indices;
mod involutions;
mod pairs;
mod ring;
pub(super) mod words;

use full::Groups;
use indices::Indices;

use mandala_group::{Automorphisms, Group, Orbits, Permutation, UBig};
use rustc_hash::{FxHashMap, FxHashSet};

/// The parts of a group of symmetries.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Parts that generate the group, in the order of their least variables.
    pub parts: Vec<Part>,
    /// Whether the orders of the parts multiply to the order of the group: each symmetry is then in one way a product of
    /// symmetries, one of each part.
    pub is_whole: bool,
}

/// A part of a group of symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// All permutations of some blocks.
    Full {
        /// `blocks[i][role]` is a variable.
        blocks: Vec<Vec<u32>>,
    },
    /// All permutations of some indices, where variables have several of them.
    Indices {
        /// Each exchanges an index with the next.
        swaps: Vec<Permutation>,
    },
    /// All rotations of a ring of blocks: each goes to the place of the next, and the last to that of the first.
    Ring {
        /// `blocks[i][role]` is a variable.
        blocks: Vec<Vec<u32>>,
        /// If the ring can also be turned over, one way to do that. Roles may change, as left becomes right.
        reflection: Option<Permutation>,
    },
    /// Something else.
    Other {
        /// What generates it.
        generators: Vec<Permutation>,
    },
}

impl Part {
    /// Permutations that generate the part: swaps of neighbouring blocks, one step around the ring and the reflection,
    /// or the generators as they are.
    pub fn generators(&self) -> Vec<Permutation> {
        match self {
            Part::Full { blocks } => blocks.windows(2).map(|pair| swap(&pair[0], &pair[1])).collect(),
            Part::Ring { blocks, reflection } => [rotation(blocks)].into_iter().chain(reflection.clone()).collect(),
            Part::Indices { swaps: generators } | Part::Other { generators } => generators.clone(),
        }
    }

    /// The same among other variables.
    fn renamed(&self, by: &Permutation) -> Part {
        let images =
            |blocks: &[Vec<u32>]| blocks.iter().map(|block| block.iter().map(|&one| by.image(one)).collect()).collect();
        let conjugates = |all: &[Permutation]| all.iter().map(|one| one.conjugate(by)).collect();
        match self {
            Part::Full { blocks } => Part::Full { blocks: images(blocks) },
            Part::Indices { swaps } => Part::Indices { swaps: conjugates(swaps) },
            Part::Ring { blocks, reflection } => {
                let reflection = reflection.as_ref().map(|one| one.conjugate(by));
                Part::Ring { blocks: images(blocks), reflection }
            }
            Part::Other { generators } => Part::Other { generators: conjugates(generators) },
        }
    }

    /// Its blocks, if it has some.
    pub fn blocks(&self) -> &[Vec<u32>] {
        match self {
            Part::Full { blocks } | Part::Ring { blocks, .. } => blocks,
            Part::Indices { .. } | Part::Other { .. } => &[],
        }
    }

    /// All of its symmetries, the identity first; nothing if there are more than so many.
    pub fn elements(&self, most: usize) -> Option<Vec<Permutation>> {
        /// How many operations it may take to find the order of a part.
        const PATIENCE: u64 = 10_000_000;
        let mut elements = Group::new(&self.generators(), PATIENCE)?.elements(most)?;
        elements.sort_unstable();
        Some(elements)
    }

    /// The variables that it moves, in ascending order.
    pub fn variables(&self) -> Vec<u32> {
        let mut variables: Vec<u32> = match self {
            Part::Full { blocks } | Part::Ring { blocks, .. } => blocks.iter().flatten().copied().collect(),
            Part::Indices { swaps: generators } | Part::Other { generators } => {
                generators.iter().flat_map(Permutation::support).collect()
            }
        };
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// How many symmetries it has; nothing if more than so many operations are needed to know.
    pub fn order(&self, budget: u64) -> Option<UBig> {
        match self {
            Part::Full { blocks } => Some(factorial(blocks.len())),
            Part::Indices { swaps } => Some(factorial(swaps.len() + 1)),
            Part::Ring { blocks, reflection } => {
                Some(UBig::from(blocks.len() * if reflection.is_some() { 2 } else { 1 }))
            }
            Part::Other { generators } => Group::new(generators, budget).map(|group| group.order()),
        }
    }
}

/// The permutation that exchanges two blocks role by role.
pub fn swap(one: &[u32], other: &[u32]) -> Permutation {
    let there = one.iter().copied().zip(other.iter().copied());
    let back = other.iter().copied().zip(one.iter().copied());
    Permutation::from_moves(there.chain(back).collect()).unwrap_or_default()
}

/// The permutation that maps each block to the next, and the last to the first.
pub fn rotation(blocks: &[Vec<u32>]) -> Permutation {
    let next = blocks.iter().cycle().skip(1);
    let moves = blocks.iter().zip(next).flat_map(|(block, next)| block.iter().copied().zip(next.iter().copied()));
    Permutation::from_moves(moves.collect()).unwrap_or_default()
}

impl Shape {
    /// What the group does that was found.
    pub fn of(found: &Automorphisms, budget: u64) -> Shape {
        Shape::from_components(&found.generators, budget, |component| {
            found.complete.then(|| {
                let moved: FxHashSet<u32> = component.iter().flat_map(Permutation::support).collect();
                let levels = found.base.iter().zip(&found.lengths).filter(|(base, _)| moved.contains(base));
                levels.fold(UBig::ONE, |order, (_, &length)| order * UBig::from(length))
            })
        })
    }

    /// What the group does that some permutations generate. Whether this is all of it is not looked at.
    pub fn from_generators(generators: &[Permutation], budget: u64) -> Shape {
        Shape::from_components(generators, budget, |_| None)
    }

    /// The parts of each independent component of the group, of which the order may be known.
    fn from_components(
        generators: &[Permutation], budget: u64, order: impl Fn(&[Permutation]) -> Option<UBig>,
    ) -> Shape {
        let mut parts = Vec::new();
        let mut is_whole = true;
        for component in components(generators) {
            let order = order(&component);
            let size = component.iter().map(|one| one.moves().len()).sum::<usize>();
            let is_large = size > LARGE;
            let peeled = if is_large { peel(&component, budget) } else { None };
            let peeled = peeled.filter(|own| order.is_some() && product(own, budget) == order);
            let is_too_large = is_large && size.saturating_mul(component.len()) > LARGEST_TO_RECOGNISE;
            // Parts that get into each other's way are no help to anyone.
            let clear = peeled.or_else(|| {
                if is_too_large {
                    return None;
                }
                [Rest::IsLookedAt, Rest::Stays].into_iter().find_map(|rest| {
                    let mut own = recognise(&component, budget, rest);
                    own.extend(copies(&own, &component));
                    let is_clear = own.iter().any(|part| matches!(part, Part::Other { .. }))
                        || order.as_ref().is_none_or(|order| product(&own, budget).as_ref() == Some(order));
                    is_clear.then_some(own)
                })
            });
            let own = clear.unwrap_or_else(|| vec![Part::Other { generators: component.clone() }]);
            let is_as_it_was = matches!(own.as_slice(), [Part::Other { generators }] if *generators == component);
            is_whole &= order.is_some_and(|order| is_as_it_was || product(&own, budget) == Some(order));
            parts.extend(own);
        }
        parts.sort_by_cached_key(|part| part.variables().first().copied());
        for index in 0..parts.len() {
            if let Some(blocks) = aligned(&parts, index) {
                parts[index] = Part::Full { blocks };
            }
        }
        align_copies(&mut parts);
        Shape { parts, is_whole }
    }

    /// Permutations that generate the group.
    pub fn generators(&self) -> Vec<Permutation> {
        self.parts.iter().flat_map(Part::generators).collect()
    }

    /// The product of the orders of the parts; nothing if it takes more than so many operations for a part.
    pub fn order(&self, budget: u64) -> Option<UBig> {
        product(&self.parts, budget)
    }
}

/// The product of the orders of some parts.
fn product(parts: &[Part], budget: u64) -> Option<UBig> {
    parts.iter().try_fold(UBig::ONE, |order, part| Some(order * part.order(budget)?))
}

fn factorial(number: usize) -> UBig {
    (1..=number).fold(UBig::ONE, |product, factor| product * UBig::from(factor))
}

/// How the unrecognised remainder of a group is treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// It is looked at by itself.
    IsLookedAt,
    /// It stays as it is.
    Stays,
}

/// The parts of what some permutations generate that have to do with each other.
fn recognise(generators: &[Permutation], budget: u64, rest: Rest) -> Vec<Part> {
    let ring = ring::find(generators, budget);
    if let Some(Part::Ring { blocks, .. }) = &ring
        && blocks.len() > 3
    {
        return ring.into_iter().collect();
    }
    // What the search finds is mostly swaps already.
    let mut groups = Groups::default();
    let pool = involutions::among(generators);
    full::add(&mut groups, &pool);
    full::add_copies(&mut groups, generators);
    pairs::add(&mut groups, &pool, generators);
    full::add_copies(&mut groups, generators);
    if groups.remainders(generators).is_empty() {
        return groups.parts();
    }
    if ring.is_some() {
        return ring.into_iter().collect();
    }
    let mut recognised = Recognised::default();
    let mut left = budget;
    let pool = involutions::among_products(generators);
    for size in pool.chunk_by(|one, other| one.moves().len() == other.moves().len()) {
        let seeds = recognised.involutions(size);
        if seeds.is_empty() {
            continue;
        }
        let class = involutions::class(&seeds, generators, involutions::LARGEST, &mut left);
        full::add(&mut recognised.groups, &class);
        full::add_copies(&mut recognised.groups, generators);
        let rest = recognised.involutions(&class);
        recognised.indices.extend(Indices::find(&rest));
        let seeds = recognised.involutions(&seeds);
        pairs::add(&mut recognised.groups, &seeds, generators);
        full::add_copies(&mut recognised.groups, generators);
        if recognised.remainders(generators).is_empty() {
            break;
        }
    }
    let mut parts = Vec::new();
    let size = |generators: &[Permutation]| generators.iter().map(|one| one.moves().len()).sum::<usize>();
    for piece in components(&recognised.remainders(generators)) {
        // What is left may be plain to see once the rest is out of the way.
        if rest == Rest::IsLookedAt && size(&piece) < size(generators) {
            parts.extend(recognise(&piece, budget, rest));
        } else {
            parts.push(ring::find(&piece, budget).unwrap_or(Part::Other { generators: piece }));
        }
    }
    parts.extend(recognised.groups.parts());
    parts.extend(recognised.indices.into_iter().map(Indices::part));
    parts
}

/// Where generators move more points together, plain swaps are looked for first.
const LARGE: usize = 20_000;

/// Of large components with more generators, times the points that these move together, no more is looked for.
const LARGEST_TO_RECOGNISE: usize = 10_000_000;

/// The parts of what some permutations generate, if these are full groups that can be seen one after the other: first those
/// of the smallest swaps, then those of what is left when these are undone. It is seen soon, and not always.
fn peel(generators: &[Permutation], budget: u64) -> Option<Vec<Part>> {
    let mut left = generators.to_vec();
    let mut parts = Vec::new();
    while !left.is_empty() {
        let pool = involutions::among(&left);
        let least = pool.first()?.moves().len();
        let smallest: Vec<Permutation> = pool.into_iter().take_while(|one| one.moves().len() == least).collect();
        let mut groups = Groups::default();
        full::add(&mut groups, &involutions::class(&smallest, &left, LARGEST_TO_PEEL, &mut budget.min(MOST_TO_PEEL)));
        let rest = groups.remainders(&left);
        let size = |all: &[Permutation]| all.iter().map(|one| one.moves().len()).sum::<usize>();
        if groups.is_empty() || size(&rest) >= size(&left) {
            return None;
        }
        parts.extend(groups.parts());
        left = rest;
    }
    Some(parts)
}

/// All swaps of a kind are looked for if these move no more points together.
const LARGEST_TO_PEEL: usize = 1_000_000;

/// How many operations it may take to find more swaps of a kind.
const MOST_TO_PEEL: u64 = 50_000_000;

/// Groups that have been recognised.
#[derive(Default)]
struct Recognised {
    groups: Groups,
    indices: Vec<Indices>,
}

impl Recognised {
    /// What is left of a permutation after it is undone how it permutes blocks and indices.
    fn divide(&self, permutation: &Permutation) -> Permutation {
        let rest = self.groups.divide(permutation);
        if self.indices.is_empty() {
            return rest;
        }
        self.groups.divide(&self.indices.iter().fold(rest, |rest, indices| indices.divide(rest)))
    }

    fn remainders(&self, permutations: &[Permutation]) -> Vec<Permutation> {
        permutations.iter().map(|one| self.divide(one)).filter(|one| !one.is_identity()).collect()
    }

    /// What is left of involutions, where that is an involution.
    fn involutions(&self, involutions: &[Permutation]) -> Vec<Permutation> {
        let mut rest = self.remainders(involutions);
        rest.retain(|one| one.then(one).is_identity());
        rest.sort_unstable();
        rest.dedup();
        rest
    }
}

/// What generators make of parts, where it has no variable in common with the part or another copy of it. Full groups
/// have their copies already.
fn copies(parts: &[Part], generators: &[Permutation]) -> Vec<Part> {
    let mut copies: Vec<Part> = Vec::new();
    for part in parts.iter().filter(|part| !matches!(part, Part::Full { .. })) {
        let mut taken: FxHashSet<u32> = part.variables().into_iter().collect();
        let mut own = vec![part.clone()];
        let mut next = 0;
        while next < own.len() {
            let variables = own[next].variables();
            for generator in generators {
                if variables.iter().any(|&variable| taken.contains(&generator.image(variable))) {
                    continue;
                }
                taken.extend(variables.iter().map(|&variable| generator.image(variable)));
                own.push(own[next].renamed(generator));
            }
            next += 1;
        }
        // A copy that was found by itself, or as a copy of another, does not count twice.
        for copy in own.into_iter().skip(1) {
            if !parts.iter().chain(&copies).any(|other| other.variables() == copy.variables()) {
                copies.push(copy);
            }
        }
    }
    copies
}

/// Two blocks as the other parts see them. Which of two exchanged variables belongs to which block is a choice, and what
/// the other parts map to each other is to be in the same block. Nothing if there are other than two blocks, or if it
/// cannot be so.
fn aligned(parts: &[Part], index: usize) -> Option<Vec<Vec<u32>>> {
    let Part::Full { blocks } = &parts[index] else { return None };
    let [first, second] = blocks.as_slice() else { return None };
    let exchange = swap(first, second);
    let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
    let others: Vec<Permutation> = others
        .flat_map(|(_, part)| part.generators())
        .filter(|other| other.then(&exchange) == exchange.then(other))
        .collect();
    let mut blocks = vec![Vec::with_capacity(first.len()), Vec::with_capacity(first.len())];
    let (mut taken, mut other_side) = (FxHashSet::default(), FxHashSet::default());
    for &start in first {
        let mut open = if taken.contains(&start) || other_side.contains(&start) { Vec::new() } else { vec![start] };
        while let Some(variable) = open.pop() {
            if other_side.contains(&variable) {
                return None;
            }
            if taken.insert(variable) {
                let partner = exchange.image(variable);
                other_side.insert(partner);
                blocks[0].push(variable);
                blocks[1].push(partner);
                open.extend(others.iter().map(|other| other.image(variable)));
            }
        }
    }
    Some(blocks)
}

/// Lists the blocks of parts in the order in which other parts map them to each other, where blocks lie within blocks: the
/// machines of one cluster as those of another.
fn align_copies(parts: &mut [Part]) {
    let by_variables: FxHashMap<Vec<u32>, usize> = (0..parts.len()).map(|at| (parts[at].variables(), at)).collect();
    let generators: Vec<Permutation> = parts.iter().flat_map(Part::generators).collect();
    let mut is_aligned = vec![false; parts.len()];
    for start in 0..parts.len() {
        if std::mem::replace(&mut is_aligned[start], true) {
            continue;
        }
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let (Part::Full { blocks }, variables) = (&parts[at], parts[at].variables()) else { continue };
            let Some(&some) = blocks.first().and_then(|block| block.first()) else { continue };
            let mut images = Vec::new();
            for generator in generators.iter().filter(|one| variables.binary_search(&one.image(some)).is_err()) {
                let image = parts[at].renamed(generator);
                let copy = by_variables.get(&image.variables()).copied().filter(|&copy| !is_aligned[copy]);
                if let Some(copy) = copy.filter(|&copy| is_same_group(&image, &parts[copy])) {
                    is_aligned[copy] = true;
                    images.push((copy, image));
                }
            }
            for (copy, image) in images {
                parts[copy] = image;
                open.push(copy);
            }
        }
    }
}

/// Whether two parts exchange the same blocks in the same way, whatever their order.
fn is_same_group(one: &Part, other: &Part) -> bool {
    let (Part::Full { blocks: own }, Part::Full { blocks }) = (one, other) else { return false };
    let exchanges = |two: &[Vec<u32>]| {
        let holds = |variable: u32| blocks.iter().position(|block| block.contains(&variable));
        let (first, second) = (holds(two[0][0])?, holds(two[1][0])?);
        (first != second).then(|| swap(&blocks[first], &blocks[second]))
    };
    own.len() == blocks.len() && own.windows(2).all(|two| exchanges(two) == Some(swap(&two[0], &two[1])))
}

/// Permutations in groups that have no moved point in common.
fn components(generators: &[Permutation]) -> Vec<Vec<Permutation>> {
    let last = generators.iter().filter_map(|one| one.moves().last()).map(|&(point, _)| point as usize + 1).max();
    let mut linked = Orbits::new(last.unwrap_or(0));
    for one in generators {
        one.moves().windows(2).for_each(|pair| linked.unite(pair[0].0, pair[1].0));
    }
    let mut components: std::collections::BTreeMap<u32, Vec<Permutation>> = std::collections::BTreeMap::new();
    for one in generators {
        if let Some(&(point, _)) = one.moves().first() {
            components.entry(linked.find(point)).or_default().push(one.clone());
        }
    }
    components.into_values().collect()
}
