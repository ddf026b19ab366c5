//! Blocks of which all permutations are symmetries.
//!
//! An involution exchanges two blocks, but does not say which of two exchanged variables belongs to which. Two of them
//! do, if they have exactly one block in common: `g` exchanges A and B, `h` exchanges B and C, and B is what both move.
//! The roles of B are carried over to A by `g` and to C by `h`; and so on with each involution that exchanges a known
//! block with something new. All swaps of blocks are products of these involutions.

use std::collections::BTreeSet;

use mandala_group::Permutation;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Part;

/// `blocks[i][role]` is a variable.
pub(super) type Blocks = Vec<Vec<u32>>;

/// How many partners are tried for an involution before it is thought to have none.
const PATIENCE: usize = 200;

/// Adds full groups on three and more blocks that some involutions generate. Involutions that are products of swaps of
/// what is known already add nothing.
pub(super) fn add(groups: &mut Groups, involutions: &[Permutation]) {
    let pool = if groups.all.is_empty() { involutions.to_vec() } else { groups.remainders(involutions) };
    let mut at: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (index, one) in pool.iter().enumerate() {
        one.support().for_each(|point| at.entry(point).or_default().push(index));
    }
    let mut is_used = vec![false; pool.len()];
    let known = groups.all.len();
    for index in 0..pool.len() {
        if !is_used[index]
            && groups.divide_from(known, &pool[index]) == pool[index]
            && let Some(blocks) = grow(&pool, &at, index, &mut is_used)
        {
            groups.push(Full::new(blocks));
        }
    }
}

/// Adds what generators make of groups, where it has no variable in common with others of the same size.
pub(super) fn add_copies(groups: &mut Groups, generators: &[Permutation]) {
    let size = |blocks: &Blocks| (blocks.len(), blocks.first().map_or(0, Vec::len));
    let mut taken: FxHashMap<(usize, usize), FxHashSet<u32>> = FxHashMap::default();
    for group in &groups.all {
        taken.entry(size(&group.blocks)).or_default().extend(group.owner.keys());
    }
    let mut next = 0;
    while next < groups.all.len() {
        for generator in generators {
            let blocks = &groups.all[next].blocks;
            let taken = taken.entry(size(blocks)).or_default();
            if blocks.iter().flatten().any(|&point| taken.contains(&generator.image(point))) {
                continue;
            }
            let image = |block: &Vec<u32>| block.iter().map(|&point| generator.image(point)).collect();
            let copy: Blocks = blocks.iter().map(image).collect();
            taken.extend(copy.iter().flatten());
            groups.push(Full::new(copy));
        }
        next += 1;
    }
}

/// Full groups in the order in which they were found.
#[derive(Default)]
pub(super) struct Groups {
    all: Vec<Full>,
    /// Which of them have a variable.
    with: FxHashMap<u32, Vec<usize>>,
}

impl Groups {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn push(&mut self, group: Full) {
        let index = self.all.len();
        group.blocks.iter().flatten().for_each(|&point| self.with.entry(point).or_default().push(index));
        self.all.push(group);
    }

    pub fn parts(self) -> Vec<Part> {
        self.all.into_iter().map(Full::part).collect()
    }

    /// What is left of permutations after it is undone how they permute the blocks; what is not the identity.
    pub fn remainders(&self, permutations: &[Permutation]) -> Vec<Permutation> {
        permutations.iter().map(|one| self.divide(one)).filter(|one| !one.is_identity()).collect()
    }

    /// What is left of a permutation after it is undone how it permutes the blocks.
    pub fn divide(&self, permutation: &Permutation) -> Permutation {
        self.divide_from(0, permutation)
    }

    /// The same for the groups from some on. Blocks within blocks can be seen once the outer ones are back in their places:
    /// hence several rounds.
    fn divide_from(&self, first: usize, permutation: &Permutation) -> Permutation {
        const ROUNDS: usize = 4;
        let mut rest = permutation.clone();
        for _ in 0..ROUNDS {
            let mut is_changed = false;
            let mut open = self.moved(first, &rest);
            while let Some(index) = open.pop_first() {
                if let Some(next) = self.all[index].divide(&rest) {
                    rest = next;
                    is_changed = true;
                    open = self.moved(index + 1, &rest);
                }
            }
            if !is_changed {
                break;
            }
        }
        rest
    }

    /// The groups from some on that have variables which a permutation moves.
    fn moved(&self, first: usize, permutation: &Permutation) -> BTreeSet<usize> {
        let with = permutation.support().filter_map(|point| self.with.get(&point));
        with.flatten().copied().filter(|&index| index >= first).collect()
    }
}

/// The full group on some blocks.
pub(super) struct Full {
    blocks: Blocks,
    /// The block of each variable.
    owner: FxHashMap<u32, usize>,
}

impl Full {
    pub fn new(mut blocks: Blocks) -> Full {
        arrange(&mut blocks);
        let owner = blocks
            .iter()
            .enumerate()
            .flat_map(|(index, block)| block.iter().map(move |&point| (point, index)))
            .collect();
        Full { blocks, owner }
    }

    fn part(self) -> Part {
        Part::Full { blocks: self.blocks }
    }

    /// The permutation after it is undone how it permutes the blocks; nothing if it leaves them where they are, or does not
    /// map blocks to blocks.
    fn divide(&self, permutation: &Permutation) -> Option<Permutation> {
        let mut moved: Vec<usize> = permutation.support().filter_map(|point| self.owner.get(&point).copied()).collect();
        moved.sort_unstable();
        moved.dedup();
        let target = |&from: &usize| {
            let block = &self.blocks[from];
            let to = *self.owner.get(&permutation.image(*block.first()?))?;
            block.iter().all(|&point| self.owner.get(&permutation.image(point)) == Some(&to)).then_some((from, to))
        };
        let targets = moved.iter().map(target).collect::<Option<Vec<_>>>()?;
        let other = targets.iter().filter(|(from, to)| from != to);
        let back = other.flat_map(|&(from, to)| self.blocks[to].iter().copied().zip(self.blocks[from].iter().copied()));
        let back = Permutation::from_moves(back.collect()).filter(|back| !back.is_identity())?;
        Some(permutation.then(&back))
    }
}

/// Three and more blocks that an involution and others exchange.
fn grow(pool: &[Permutation], at: &FxHashMap<u32, Vec<usize>>, index: usize, is_used: &mut [bool]) -> Option<Blocks> {
    let first = &pool[index];
    let width = first.moves().len() / 2;
    let mut tried = FxHashSet::default();
    let partners = first.support().flat_map(|point| at.get(&point).into_iter().flatten().copied());
    let mut partners = partners.filter(|&other| other != index && tried.insert(other)).take(PATIENCE);
    let common = partners.find_map(|other| shared_block(first, &pool[other]))?;

    let mut owner: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
    let mut blocks: Blocks = Vec::new();
    let add = |blocks: &mut Blocks, block: Vec<u32>, owner: &mut FxHashMap<u32, (usize, usize)>| {
        for (role, &point) in block.iter().enumerate() {
            owner.insert(point, (blocks.len(), role));
        }
        blocks.push(block);
    };
    add(&mut blocks, common, &mut owner);
    let mut next = 0;
    while next < blocks.len() {
        let block = blocks[next].clone();
        next += 1;
        // An involution that moves the whole block moves its first variable.
        for &other in at.get(&block[0]).map_or(&[][..], Vec::as_slice) {
            let involution = &pool[other];
            if is_used[other] || involution.moves().len() != 2 * width {
                continue;
            }
            let image: Vec<u32> = block.iter().map(|&point| involution.image(point)).collect();
            let is_new = image.iter().zip(&block).all(|(to, from)| to != from && !owner.contains_key(to));
            if is_new {
                add(&mut blocks, image, &mut owner);
                is_used[other] = true;
            } else if let Some(&(target, 0)) = owner.get(&image[0])
                && blocks[target] == image
                && target != next - 1
            {
                is_used[other] = true;
            }
        }
    }
    Some(blocks)
}

/// The block that two involutions have in common, if each moves it as a whole to where the other moves nothing.
fn shared_block(one: &Permutation, other: &Permutation) -> Option<Vec<u32>> {
    let width = one.moves().len() / 2;
    if other.moves().len() != 2 * width {
        return None;
    }
    let common: Vec<u32> = one.support().filter(|&point| !other.fixes(point)).collect();
    let leaves = |point: &u32| other.fixes(one.image(*point)) && one.fixes(other.image(*point));
    (common.len() == width && common.iter().all(leaves)).then_some(common)
}

/// Roles in the order of the variables of the first block, blocks in the order of the variables of the first role.
fn arrange(blocks: &mut Blocks) {
    let Some(least) = blocks.iter().enumerate().min_by_key(|(_, block)| block.iter().min().copied()) else { return };
    let mut roles: Vec<usize> = (0..least.1.len()).collect();
    roles.sort_by_key(|&role| least.1[role]);
    for block in blocks.iter_mut() {
        *block = roles.iter().map(|&role| block[role]).collect();
    }
    blocks.sort_unstable();
}
