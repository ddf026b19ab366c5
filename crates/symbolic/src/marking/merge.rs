//! Merging: atoms whose colours can all be exchanged without changing the marking become one.
//!
//! "Can be exchanged" is an equivalence of colours, so the coarsest atoms are unique. Two atoms are one if every orbit of
//! tokens of the merged atom is made of orbits with the same number, and none of them is missing.

use super::canonical::mix;
use super::entries::{Entries, Word, items, normalise};
use super::palette::{Atom, Palette};

/// Components of places that fingerprints look at.
const MOST_PRINTED: usize = 8;

/// An atom that is not fixed, in the making.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loose {
    pub cell: u32,
    pub size: u32,
    /// Atoms with the same number were one before, and could be exchanged then.
    pub family: u32,
    /// Whether tokens with its colours were taken or put.
    pub is_touched: bool,
}

/// Merges what can be merged: the atoms that are left, and for each atom where it went.
pub(super) fn merge(palette: &Palette, atoms: &[Loose], entries: &mut Entries) -> (Vec<(u32, u32)>, Vec<u32>) {
    let first = palette.fixed_count();
    let prints = fingerprints(palette, atoms, entries);
    let mut groups: Vec<(usize, u32)> = Vec::with_capacity(atoms.len());
    let mut target = Vec::with_capacity(atoms.len());
    let mut merger = Merger {
        palette,
        atoms,
        words: Vec::new(),
        found: Entries::default(),
        scratch: Vec::new(),
        colours: Vec::new(),
    };
    for (at, atom) in atoms.iter().enumerate() {
        let mut alike = |&(other, _): &(usize, u32)| {
            let one = &atoms[other];
            one.cell == atom.cell
                && prints[other] == prints[at]
                && (one.family == atom.family || one.is_touched || atom.is_touched)
                && merger.are_alike(entries, other, at)
        };
        match groups.iter().position(&mut alike) {
            Some(group) => {
                groups[group].1 += atom.size;
                target.push(group as u32);
            }
            None => {
                groups.push((at, atom.size));
                target.push(groups.len() as u32 - 1);
            }
        }
    }
    if groups.len() < atoms.len() {
        let mut merged = Entries::like(entries);
        let mut key: Vec<Word> = Vec::new();
        for (entry, words) in entries.iter() {
            let shape = &palette.places[entry.place as usize];
            key.clear();
            key.extend_from_slice(words);
            for item in key.chunks_exact_mut(shape.stride) {
                if let Some(at) = item[0].checked_sub(first) {
                    item[0] = first + target[at as usize];
                }
            }
            normalise(shape, &mut key, &mut merger.scratch);
            merged.push(entry.place, &key, entry.count);
        }
        merged.keep_one_of_each();
        *entries = merged;
    }
    (groups.iter().map(|&(at, size)| (atoms[at].cell, size)).collect(), target)
}

/// Numbers that are equal for atoms that can be merged: how many tokens each of their colours is in, place by place and
/// component by component. Places with bags, or with many components, are left out.
fn fingerprints(palette: &Palette, atoms: &[Loose], entries: &Entries) -> Vec<u64> {
    let first = palette.fixed_count();
    let size = |atom: Atom| atom.checked_sub(first).map_or(1, |at| u64::from(atoms[at as usize].size));
    let mut prints = vec![0_u64; atoms.len()];
    for (entry, key) in entries.iter() {
        let shape = &palette.places[entry.place as usize];
        if !shape.bags.is_empty() || shape.colours.len() > MOST_PRINTED {
            continue;
        }
        for item in items(shape, key) {
            let Some(at) = item.atom().checked_sub(first) else { continue };
            // The tokens of the orbit that have a given colour here.
            let mut tokens = u64::from(entry.count);
            if shape.colours.len() > 1 {
                let mut seen: [(Atom, u64); MOST_PRINTED] = [(item.atom(), 1); MOST_PRINTED];
                let mut length = 1;
                for other in items(shape, key).filter(|other| other.components() != item.components()) {
                    let found = seen[..length].iter_mut().find(|one| one.0 == other.atom());
                    let used = match found {
                        Some(one) => {
                            one.1 += 1;
                            one.1 - 1
                        }
                        None => {
                            seen[length] = (other.atom(), 1);
                            length += 1;
                            0
                        }
                    };
                    tokens = tokens.wrapping_mul(size(other.atom()).wrapping_sub(used));
                }
            }
            let role = u64::from(entry.place) << 32 | u64::from(item.components());
            prints[at as usize] = prints[at as usize].wrapping_add(mix(role).wrapping_mul(tokens));
        }
    }
    prints
}

struct Merger<'m> {
    palette: &'m Palette,
    atoms: &'m [Loose],
    words: Vec<Word>,
    found: Entries,
    scratch: Vec<Word>,
    colours: Vec<u32>,
}

impl Merger<'_> {
    /// Whether two atoms can be merged.
    fn are_alike(&mut self, entries: &Entries, one: usize, other: usize) -> bool {
        let first = self.palette.fixed_count();
        let (left, right) = (first + one as u32, first + other as u32);
        self.found.clear();
        for (entry, key) in entries.iter() {
            let shape = &self.palette.places[entry.place as usize];
            if !items(shape, key).any(|item| item.atom() == left || item.atom() == right) {
                continue;
            }
            self.words.clear();
            self.words.extend_from_slice(key);
            for item in self.words.chunks_exact_mut(shape.stride).filter(|item| item[0] == right) {
                item[0] = left;
            }
            normalise(shape, &mut self.words, &mut self.scratch);
            self.found.push(entry.place, &self.words, entry.count);
        }
        self.found.sort();
        let sizes = (self.atoms[one].size, self.atoms[other].size);
        let same = |a: &super::entries::Entry, b: &super::entries::Entry| {
            a.place == b.place && self.found.key(a) == self.found.key(b)
        };
        self.found.list.chunk_by(same).all(|orbit| {
            let shape = &self.palette.places[orbit[0].place as usize];
            let colours = items(shape, self.found.key(&orbit[0])).filter(|item| item.atom() == left);
            self.colours.clear();
            self.colours.extend(colours.map(|item| item.colours()));
            orbit.iter().all(|entry| entry.count == orbit[0].count)
                && ways(&self.colours, sizes, orbit.len()) == orbit.len()
        })
    }
}

/// In how many ways items of so many colours each can be divided between two atoms of some sizes, as far as that is no more
/// than a number; otherwise one more.
fn ways(items: &[u32], sizes: (u32, u32), most: usize) -> usize {
    let Some((&colours, rest)) = items.split_first() else { return 1 };
    let (least, greatest) = (colours.saturating_sub(sizes.1), colours.min(sizes.0));
    let mut found = 0;
    for left in least..=greatest {
        found += ways(rest, (sizes.0 - left, sizes.1 - (colours - left)), most - found.min(most));
        if found > most {
            return most + 1;
        }
    }
    found
}
