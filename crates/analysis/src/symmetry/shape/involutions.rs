//! Elements of order two of a group.

use mandala_group::Permutation;
use rustc_hash::FxHashSet;

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
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for index in 0..pool.len() {
            for other in (0..pool.len()).filter(|&other| other != index) {
                let product = pool[index].then(&pool[other]);
                let is_involution = product.then(&product).is_identity() && !product.is_identity();
                if is_involution && product.moves().len() < pool[index].moves().len() {
                    pool[index] = product;
                    is_changed = true;
                }
            }
        }
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
