//! Rings of blocks: one rotation, and perhaps a reflection, generate everything.

use std::collections::VecDeque;

use mandala_group::Permutation;
use rustc_hash::FxHashSet;

use super::Part;

/// So many points are moved by the elements of a group of which all are looked at. Larger rings are recognised from their
/// generators alone.
const MOST_LISTED: u64 = 1_000_000;

/// The ring whose rotations, and perhaps reflections, are what some permutations generate; nothing if they do something
/// else, or if it takes more than so many operations to see.
pub(super) fn find(generators: &[Permutation], budget: u64) -> Option<Part> {
    if !may_be_ring(generators) {
        return None;
    }
    match elements(generators, budget.min(MOST_LISTED)) {
        Listed::All(elements) => among(&elements),
        Listed::NoRing => None,
        Listed::TooMany => generated(generators, budget),
    }
}

/// Whether each of some permutations moves enough to be a rotation or a reflection: the former move all variables of a ring, and
/// the latter leave at most two alone of each role.
fn may_be_ring(generators: &[Permutation]) -> bool {
    let mut variables: Vec<u32> = generators.iter().flat_map(Permutation::support).collect();
    variables.sort_unstable();
    variables.dedup();
    generators.iter().all(|one| 3 * one.moves().len() >= variables.len())
}

/// The ring whose rotations and reflections are these.
fn among(elements: &[Permutation]) -> Option<Part> {
    let rotation = elements.iter().filter(|one| is_even(one)).max_by_key(|one| cycle_length(one))?;
    let length = cycle_length(rotation);
    let is_ring = elements.len() == length;
    let reflection = elements.iter().find(|one| is_reflection(rotation, one));
    let is_turned = elements.len() == 2 * length && reflection.is_some();
    if length < 3 || !(is_ring || is_turned) {
        return None;
    }
    let blocks = blocks(rotation, length);
    Some(Part::Ring { blocks, reflection: if is_turned { reflection.cloned() } else { None } })
}

/// The ring with a rotation among some generators, or among the products of two of them, if all others are its
/// rotations and reflections.
fn generated(generators: &[Permutation], budget: u64) -> Option<Part> {
    let size: usize = generators.iter().map(|one| one.moves().len()).sum();
    let work = (generators.len() + 1) * size;
    if work as u64 > budget {
        return None;
    }
    let products = generators.iter().flat_map(|one| generators.iter().map(|other| one.then(other)));
    let candidates = generators.iter().cloned().chain(products);
    let rotation = candidates.filter(is_even).max_by_key(cycle_length)?;
    let turns = Turns::new(&rotation);
    let mut reflection: Option<Permutation> = None;
    for one in generators.iter().filter(|one| !turns.contain(one)) {
        match &reflection {
            None if is_reflection(&rotation, one) => reflection = Some(one.clone()),
            Some(first) if turns.contain(&one.then(first)) => {}
            _ => return None,
        }
    }
    let length = cycle_length(&rotation);
    (length >= 3).then(|| Part::Ring { blocks: blocks(&rotation, length), reflection })
}

/// The powers of a rotation.
struct Turns {
    cycles: Vec<Vec<u32>>,
    /// Of each point of the cycles its cycle and its place there, in ascending order of points.
    places: Vec<(u32, (usize, usize))>,
}

impl Turns {
    fn new(rotation: &Permutation) -> Turns {
        let cycles = rotation.cycles();
        let places = cycles.iter().enumerate();
        let mut places: Vec<(u32, (usize, usize))> = places
            .flat_map(|(cycle, points)| points.iter().enumerate().map(move |(at, &point)| (point, (cycle, at))))
            .collect();
        places.sort_unstable();
        Turns { cycles, places }
    }

    fn place(&self, point: u32) -> Option<(usize, usize)> {
        let at = self.places.binary_search_by_key(&point, |&(point, _)| point).ok()?;
        Some(self.places[at].1)
    }

    /// Whether a permutation is a power of the rotation: it moves everything as far as it moves one point.
    fn contain(&self, one: &Permutation) -> bool {
        let Some(first) = self.cycles.first().and_then(|cycle| cycle.first()) else { return one.is_identity() };
        let Some((0, steps)) = self.place(one.image(*first)) else { return false };
        let is_turned = |points: &Vec<u32>| {
            let images = points.iter().cycle().skip(steps);
            points.iter().zip(images).all(|(&point, &image)| one.image(point) == image)
        };
        self.cycles.iter().all(is_turned) && one.support().all(|point| self.place(point).is_some())
    }
}

/// Whether a permutation turns a ring over.
fn is_reflection(rotation: &Permutation, one: &Permutation) -> bool {
    if one.is_identity() || !one.then(one).is_identity() {
        return false;
    }
    let turned = rotation.inverse();
    rotation.conjugate(one) == turned && *one != turned
}

/// The elements of a group, as far as they matter.
enum Listed {
    All(Vec<Permutation>),
    /// They are more than a ring has.
    NoRing,
    /// They move too many points together.
    TooMany,
}

/// All elements, unless they move more than so many points together.
fn elements(generators: &[Permutation], budget: u64) -> Listed {
    let mut budget = budget;
    // A ring has not more rotations and reflections than twice its variables.
    let mut variables: Vec<u32> = generators.iter().flat_map(Permutation::support).collect();
    variables.sort_unstable();
    variables.dedup();
    let most = 2 * variables.len();
    let mut known = FxHashSet::default();
    let mut open = VecDeque::from([Permutation::identity()]);
    let mut elements = vec![Permutation::identity()];
    known.insert(Permutation::identity());
    while let Some(one) = open.pop_front() {
        for generator in generators {
            let product = one.then(generator);
            let Some(left) = budget.checked_sub(product.moves().len() as u64 + 1) else { return Listed::TooMany };
            budget = left;
            if known.insert(product.clone()) {
                open.push_back(product.clone());
                elements.push(product);
            }
            if elements.len() > most {
                return Listed::NoRing;
            }
        }
    }
    Listed::All(elements)
}

/// Whether all cycles are equally long.
fn is_even(one: &Permutation) -> bool {
    let cycles = one.cycles();
    cycles.windows(2).all(|pair| pair[0].len() == pair[1].len())
}

fn cycle_length(one: &Permutation) -> usize {
    one.cycles().first().map_or(1, Vec::len)
}

/// The blocks that a rotation maps to each other. The first has the least variable of each cycle.
fn blocks(rotation: &Permutation, length: usize) -> Vec<Vec<u32>> {
    let cycles = rotation.cycles();
    (0..length).map(|index| cycles.iter().map(|cycle| cycle[index]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step around a ring of so many points, so many times.
    fn turn(length: u32, steps: u32) -> Permutation {
        Permutation::from_images(&(0..length).map(|point| (point + steps) % length).collect::<Vec<_>>()).unwrap()
    }

    fn reflected(length: u32) -> Permutation {
        Permutation::from_images(&(0..length).map(|point| (length - point) % length).collect::<Vec<_>>()).unwrap()
    }

    /// So many blocks, and whether the ring can be turned over.
    fn found(generators: &[Permutation]) -> Option<(usize, bool)> {
        match find(generators, 10_000_000)? {
            Part::Ring { blocks, reflection } => Some((blocks.len(), reflection.is_some())),
            _ => None,
        }
    }

    #[test]
    fn large_rings_are_recognised_from_their_generators() {
        for length in [30, 20_000] {
            assert_eq!(found(&[turn(length, 1)]), Some((length as usize, false)));
            // Each of these alone turns by a part of the ring only.
            assert_eq!(found(&[turn(length, 2), turn(length, 5)]), Some((length as usize, false)));
            assert_eq!(found(&[turn(length, 2)]), Some((length as usize / 2, false)));
            assert_eq!(found(&[turn(length, 1), reflected(length)]), Some((length as usize, true)));
            let other = turn(length, 3).then(&reflected(length));
            assert_eq!(found(&[reflected(length), other, turn(length, 1)]), Some((length as usize, true)));
            let swap = Permutation::from_cycles(&[[0, 1]]).unwrap();
            assert_eq!(found(&[turn(length, 1), swap]), None);
        }
    }
}
