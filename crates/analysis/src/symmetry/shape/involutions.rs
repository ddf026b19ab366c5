//! Elements of order two of a group.

use std::collections::BTreeMap;

use mandala_group::Permutation;
use rustc_hash::{FxHashMap, FxHashSet};

/// Of so many permutations all products of two are looked at.
const FEW: usize = 50;
/// If all pairs of involutions move more points together, they stay as they are.
const MOST_TO_SHORTEN: usize = 20_000_000;
/// So many involutions of products are kept, those that move least.
const MOST: usize = 100;
/// A class whose involutions move more points together is mostly left incomplete.
pub(super) const LARGEST: usize = 100_000;

/// Powers of some permutations that have order two, or products of two such that move less; those that move few points
/// come first.
pub(super) fn among(generators: &[Permutation]) -> Vec<Permutation> {
    let mut pool: Vec<Permutation> = generators.iter().filter_map(half_turn).collect();
    if pool.len() * pool.iter().map(|one| one.moves().len()).sum::<usize>() <= MOST_TO_SHORTEN {
        shorten(&mut pool);
    }
    pool.sort_unstable();
    pool.dedup();
    pool.sort_by_key(|one| one.moves().len());
    pool
}

/// Powers of order two of some permutations and of products of two of them, where these are few.
pub(super) fn among_products(generators: &[Permutation]) -> Vec<Permutation> {
    if generators.len() > FEW {
        return among(generators);
    }
    let products = generators.iter().flat_map(|one| generators.iter().map(|other| one.then(other)));
    let all: Vec<Permutation> = generators.iter().cloned().chain(products).collect();
    let mut pool: Vec<Permutation> = all.iter().filter_map(half_turn).collect();
    pool.extend(among(generators));
    pool.sort_unstable();
    pool.dedup();
    pool.sort_by_key(|one| one.moves().len());
    pool.truncate(MOST);
    pool
}

/// Multiplies involutions by others that commute with them, as long as they move less then.
fn shorten(pool: &mut [Permutation]) {
    let mut movers = Movers::of(pool);
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for index in 0..pool.len() {
            let mut others = movers.may_shorten(pool, index, 0);
            while let Some(other) = others.pop() {
                let product = pool[index].then(&pool[other]);
                let is_involution = product.then(&product).is_identity() && !product.is_identity();
                if is_involution && product.moves().len() < pool[index].moves().len() {
                    movers.replace(index, &pool[index], &product);
                    pool[index] = product;
                    others = movers.may_shorten(pool, index, other + 1);
                    is_changed = true;
                }
            }
        }
    }
}

/// Which permutations of a pool move a point.
struct Movers {
    by_point: FxHashMap<u32, Vec<usize>>,
}

impl Movers {
    fn of(pool: &[Permutation]) -> Movers {
        let mut by_point: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (index, one) in pool.iter().enumerate() {
            one.support().for_each(|point| by_point.entry(point).or_default().push(index));
        }
        Movers { by_point }
    }

    /// The others, from some on, whose product with one may move less than it, the first last. What only one of two factors
    /// moves is moved by their product, so it takes others most of whose points are moved by both.
    fn may_shorten(&self, pool: &[Permutation], index: usize, from: usize) -> Vec<usize> {
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for others in pool[index].support().filter_map(|point| self.by_point.get(&point)) {
            let others = others.iter().filter(|&&other| other >= from && other != index);
            others.for_each(|&other| *common.entry(other).or_default() += 1);
        }
        let is_mostly_common = |&(other, common): &(usize, usize)| 2 * common > pool[other].moves().len();
        common.into_iter().rev().filter(is_mostly_common).map(|(other, _)| other).collect()
    }

    fn replace(&mut self, index: usize, old: &Permutation, new: &Permutation) {
        for point in old.support() {
            self.by_point.entry(point).or_default().retain(|&other| other != index);
        }
        new.support().for_each(|point| self.by_point.entry(point).or_default().push(index));
    }
}

/// Involutions with all that they become when generators rename the points, but not many more than move so many points
/// together. What takes more than the budget is left out.
pub(super) fn class(
    seeds: &[Permutation], generators: &[Permutation], largest: usize, budget: &mut u64,
) -> Vec<Permutation> {
    let mut class = seeds.to_vec();
    let mut known: FxHashSet<Permutation> = class.iter().cloned().collect();
    let mut next = 0;
    while next < class.len() && class.len() * class[next].moves().len() < largest {
        for generator in generators {
            let Some(left) = budget.checked_sub(class[next].moves().len() as u64) else { return class };
            *budget = left;
            let renamed = class[next].conjugate(generator);
            if known.insert(renamed.clone()) {
                class.push(renamed);
            }
        }
        next += 1;
    }
    class.sort_unstable();
    class
}

/// The power of a permutation that has order two, if its order is even and not too large.
fn half_turn(one: &Permutation) -> Option<Permutation> {
    let cycles = one.cycles();
    let order = u64::try_from(one.order()).ok().filter(|order| order % 2 == 0)?;
    let half = order / 2;
    let moves = cycles.iter().flat_map(|cycle| {
        let step = (half % cycle.len() as u64) as usize;
        (0..cycle.len()).map(move |index| (cycle[index], cycle[(index + step) % cycle.len()]))
    });
    Permutation::from_moves(moves.collect()).filter(|power| !power.is_identity())
}
