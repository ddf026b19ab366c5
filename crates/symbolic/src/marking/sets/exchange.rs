//! Exchanges of free dynamic subclasses that leave a shape alone.
//!
//! Markings of one shape whose sizes differ by such an exchange are the same symbolic marking. Of these the least is kept, as
//! lists of sizes are compared. Where any two of some free subclasses can be exchanged by themselves, that one is sorted.

use super::super::entries::items;
use super::super::{Marking, SymbolicNet};
use super::Refusal;
use super::shape::MANY;
use super::sizes::{Ranges, split_first};
use mandala_group::{ColouredGraph, Group, Permutation, UBig, automorphisms};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// Operations for the automorphisms of a shape.
const BUDGET: u64 = 10_000_000;

/// Exchanges that are tried one by one at most.
const MOST_ELEMENTS: usize = 5040;

/// What can be exchanged.
#[derive(Clone, Debug)]
pub(super) enum Exchange {
    /// Nothing.
    Nothing,
    /// The free subclasses of each list, in any way.
    Sorted(Vec<Vec<u32>>),
    /// By these permutations: for each free subclass which one takes its place.
    By(Vec<Vec<u32>>),
}

impl Exchange {
    /// What can be exchanged in a shape that has so many automorphisms.
    pub fn of(symbolic: &SymbolicNet<'_>, marking: &Marking, symmetries: &UBig) -> Result<Exchange, Refusal> {
        let free: Vec<u32> =
            (0..).zip(&marking.atoms).filter(|(_, atom)| atom.1 == MANY).map(|(atom, _)| atom).collect();
        if *symmetries == UBig::ONE || free.len() < 2 {
            return Ok(Exchange::Nothing);
        }
        let found = graph(symbolic, marking).map(|graph| automorphisms(&graph, BUDGET));
        let found = found.filter(|found| found.complete).ok_or(Refusal::Exchanges)?;
        let restricted = found.generators.iter().map(|generator| {
            let image = |&atom: &u32| free.binary_search(&generator.image(atom)).ok().map(|at| at as u32);
            free.iter().map(image).collect::<Option<Vec<u32>>>().and_then(|images| Permutation::from_images(&images))
        });
        let restricted: Vec<Permutation> = restricted.collect::<Option<_>>().ok_or(Refusal::Exchanges)?;
        if restricted.iter().all(Permutation::is_identity) {
            return Ok(Exchange::Nothing);
        }
        let group = Group::new(&restricted, BUDGET).ok_or(Refusal::Exchanges)?;
        let mut orbits = group.orbits();
        let mut lists: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for at in group.generators().iter().flat_map(Permutation::support).collect::<std::collections::BTreeSet<_>>() {
            lists.entry(orbits.find(at)).or_default().push(at);
        }
        let mut lists: Vec<Vec<u32>> = lists.into_values().collect();
        lists.sort_unstable();
        let exchanged = |pair: &[u32]| {
            let swap = Permutation::from_cycles(&[[pair[0], pair[1]]]);
            swap.is_some_and(|swap| group.contains(&swap))
        };
        if lists.iter().all(|list| list.windows(2).all(exchanged)) {
            return Ok(Exchange::Sorted(lists));
        }
        let elements = group.elements(MOST_ELEMENTS).ok_or(Refusal::Exchanges)?;
        let count = free.len() as u32;
        Ok(Exchange::By(elements.iter().map(|one| (0..count).map(|at| one.image(at)).collect()).collect()))
    }

    /// Whether a free subclass can be exchanged with another.
    pub fn moves(&self, free: u32) -> bool {
        match self {
            Exchange::Nothing => false,
            Exchange::Sorted(lists) => lists.iter().any(|list| list.contains(&free)),
            Exchange::By(elements) => elements.iter().any(|images| images[free as usize] != free),
        }
    }

    /// Brings boxes of sizes into their least form. `position` says where the size of a free subclass is in a box; those that
    /// are exchanged have a place there.
    pub fn least(
        &self, position: &[Option<u32>], given: Ranges, emit: &mut dyn FnMut(&Ranges) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let at = |free: u32| position[free as usize].map_or(0, |at| at as usize);
        let moved: Vec<u32> = match self {
            Exchange::Nothing => return emit(&given),
            Exchange::Sorted(_) => Vec::new(),
            Exchange::By(_) => (0..position.len() as u32).filter(|&free| self.moves(free)).collect(),
        };
        let mut open = vec![given];
        while let Some(mut one) = open.pop() {
            let split = match self {
                Exchange::Nothing => None,
                Exchange::Sorted(lists) => lists.iter().find_map(|list| overlapping(&one, list, &at)),
                Exchange::By(_) => moved.iter().map(|&free| at(free)).find(|&at| one[at].0 < one[at].1),
            };
            if let Some(split) = split {
                split_first(one, split, &mut open);
                continue;
            }
            match self {
                Exchange::Nothing => {}
                Exchange::Sorted(lists) => {
                    for list in lists {
                        let mut sizes: Vec<(i64, i64)> = list.iter().map(|&free| one[at(free)]).collect();
                        sizes.sort_unstable();
                        list.iter().zip(sizes).for_each(|(&free, size)| one[at(free)] = size);
                    }
                }
                Exchange::By(elements) => {
                    let images = elements.iter().map(|images| {
                        let mut image = one.clone();
                        moved.iter().for_each(|&free| image[at(free)] = one[at(images[free as usize])]);
                        image
                    });
                    one = images.min().unwrap_or_default();
                }
            }
            emit(&one)?;
        }
        ControlFlow::Continue(())
    }

    /// How many lists of sizes the exchanges make of one.
    pub fn orbit(&self, position: &[Option<u32>], sizes: &[i64]) -> UBig {
        let size = |free: u32| position[free as usize].map_or(0, |at| sizes[at as usize]);
        match self {
            Exchange::Nothing => UBig::ONE,
            Exchange::Sorted(lists) => {
                let mut number = UBig::ONE;
                for list in lists {
                    let mut own: Vec<i64> = list.iter().map(|&free| size(free)).collect();
                    own.sort_unstable();
                    let mut place = 0_u32;
                    for alike in own.chunk_by(|a, b| a == b) {
                        for count in 1..=alike.len() as u32 {
                            place += 1;
                            number = number * UBig::from(place) / UBig::from(count);
                        }
                    }
                }
                number
            }
            Exchange::By(elements) => {
                let stays = |images: &&Vec<u32>| (0..).zip(*images).all(|(free, &image)| size(free) == size(image));
                UBig::from(elements.len() / elements.iter().filter(stays).count().max(1))
            }
        }
    }
}

/// A range of a list that overlaps with another one, if these are not single numbers.
fn overlapping(sizes: &[(i64, i64)], list: &[u32], at: &dyn Fn(u32) -> usize) -> Option<usize> {
    let mut sorted: Vec<(i64, i64, usize)> =
        list.iter().map(|&free| (sizes[at(free)].0, sizes[at(free)].1, at(free))).collect();
    sorted.sort_unstable();
    let mut before: Option<(i64, i64, usize)> = None;
    for one in sorted {
        if let Some(last) = before.filter(|last| one.0 <= last.1) {
            if last.0 < last.1 {
                return Some(last.2);
            }
            if one.0 < one.1 {
                return Some(one.2);
            }
        }
        before = Some(before.map_or(one, |last| if last.1 > one.1 { last } else { one }));
    }
    None
}

/// The shape as a graph: its dynamic subclasses first, then its tokens.
fn graph(symbolic: &SymbolicNet<'_>, marking: &Marking) -> Option<ColouredGraph> {
    let first = symbolic.palette.fixed_count();
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut number = |key: Vec<u32>| {
        let next = numbers.len() as u32;
        *numbers.entry(key).or_insert(next)
    };
    let mut kinds: Vec<u32> = marking.atoms.iter().map(|&(cell, size)| number(vec![0, cell, size])).collect();
    let mut edges = Vec::new();
    for (entry, key) in marking.entries.iter() {
        let shape = &symbolic.palette.places[entry.place as usize];
        let mut kind = vec![1, entry.place, entry.count];
        let this = kinds.len() as u32;
        for item in items(shape, key) {
            match item.atom().checked_sub(first) {
                Some(atom) => edges.push((this, atom, number([&[2], item.role()].concat()))),
                None => kind.extend([&[item.atom()], item.role()].concat()),
            }
        }
        kinds.push(number(kind));
    }
    ColouredGraph::new(kinds, &edges)
}
