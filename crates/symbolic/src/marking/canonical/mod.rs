//! Canonical markings: one numbering of the atoms for each orbit of markings.
//!
//! Atoms get *colours* that do not depend on how they are numbered (`refine`): first of what they are, then again and again of
//! the tokens that they are in, together with the colours of the others there. Atoms with a colour of their own are told apart.
//! Those that share one are numbered by a search (`search`).
//!
//! A colour is a place in an order of all atoms: that of the first atom with this colour. A class of so many atoms with one
//! colour has as many places, and where it is divided its parts share these, also where only some of its atoms are looked at. So
//! colours are never mistaken for each other. The hashes that divide classes only choose among orders that are all as good: if
//! two are the same by chance, a class is not divided, and there is more to search.
//!
//! This also counts the automorphisms of the marking, as permutations of its atoms.

mod components;
mod refine;
mod search;

use super::entries::{Entries, Word, normalise};
use super::palette::{Atom, Palette};
use mandala_group::UBig;
use refine::individualise;
use search::{Form, Numbered};

/// A number that looks random, the same for the same number.
pub(super) fn mix(number: u64) -> u64 {
    let mut number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// A canonical marking in the making.
#[derive(Debug)]
pub(super) struct Canonical {
    /// By atom that is not fixed: its new number, from 0 on.
    pub place_of: Vec<u32>,
    /// By class: by how much its colours are turned back, if it can be turned.
    pub turns: Vec<u32>,
    /// The automorphisms.
    pub symmetries: UBig,
}

/// What is numbered anew: atoms that are not fixed, and before these the atoms of classes that can be turned.
struct Labelling<'l> {
    palette: &'l Palette,
    atoms: &'l [(u32, u32)],
    entries: &'l Entries,
    /// By atom that is fixed: its place among what is numbered.
    turned: &'l [Option<u32>],
    turned_count: usize,
    /// The entries with each vertex, vertex by vertex. A vertex is a turned atom or one that is not fixed.
    touching: Vec<u32>,
    /// By vertex: where these end.
    touching_ends: Vec<u32>,
    /// By entry: a number for its place and count, and where its items end.
    hashes: Vec<(u64, u32)>,
    /// By item of all entries: its vertex or none, a number for an atom that is no vertex, and a number for what it is.
    items: Vec<(u32, u64, u64)>,
}

/// An atom that is no vertex.
const NO_VERTEX: u32 = u32::MAX;

/// Numbers the atoms of a merged marking anew.
pub(super) fn canonise(
    palette: &Palette, turned: &[Option<u32>], atoms: &[(u32, u32)], entries: &Entries,
) -> Canonical {
    let turned_count = turned.iter().flatten().count();
    let mut labelling = Labelling {
        palette,
        atoms,
        entries,
        turned,
        turned_count,
        touching: Vec::new(),
        touching_ends: Vec::new(),
        hashes: Vec::new(),
        items: Vec::new(),
    };
    labelling.hash();
    let mut colours = labelling.first_colours();
    let all: Vec<u32> = (0..colours.len() as u32).collect();
    labelling.refine(&all, &mut colours, None);
    let is_sorted = turned_count == 0 && {
        let mut taken = vec![false; colours.len()];
        colours.iter().all(|&colour| !std::mem::replace(&mut taken[colour as usize], true))
    };
    if is_sorted {
        let key = |vertex: &u32| (atoms[*vertex as usize].0, u64::from(colours[*vertex as usize]));
        return labelling.finish(&key, UBig::ONE);
    }
    labelling.connect();
    labelling.turn(colours)
}

impl Labelling<'_> {
    fn vertex(&self, atom: Atom) -> Option<u32> {
        match atom.checked_sub(self.palette.fixed_count()) {
            Some(at) => Some(self.turned_count as u32 + at),
            None if self.turned_count == 0 => None,
            None => self.turned[atom as usize],
        }
    }

    /// Finds the entries with each vertex.
    fn connect(&mut self) {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(self.items.len());
        let mut first = 0;
        for (at, &(_, end)) in (0..).zip(&self.hashes) {
            let vertices = self.items[first as usize..end as usize].iter().map(|item| item.0);
            pairs.extend(vertices.filter(|&vertex| vertex != NO_VERTEX).map(|vertex| (vertex, at)));
            first = end;
        }
        pairs.sort_unstable();
        pairs.dedup();
        let vertices = self.turned_count + self.atoms.len();
        self.touching_ends = vec![0; vertices];
        pairs.iter().for_each(|pair| self.touching_ends[pair.0 as usize] += 1);
        for vertex in 1..vertices {
            self.touching_ends[vertex] += self.touching_ends[vertex - 1];
        }
        self.touching = pairs.into_iter().map(|pair| pair.1).collect();
    }

    /// The entries with a vertex.
    fn touching(&self, vertex: u32) -> &[u32] {
        let first = vertex.checked_sub(1).map_or(0, |before| self.touching_ends[before as usize]);
        &self.touching[first as usize..self.touching_ends[vertex as usize] as usize]
    }

    /// Chooses where each class that can be turned begins, and numbers the rest.
    fn turn(&self, colours: Vec<u32>) -> Canonical {
        let mut shared = vec![0_u32; colours.len()];
        colours.iter().for_each(|&colour| shared[colour as usize] += 1);
        let turned = 0..self.turned_count as u32;
        // Where one vertex has its own colour, all of its class have.
        let open = turned.filter(|&vertex| shared[colours[vertex as usize] as usize] > 1);
        let choice = open.map(|vertex| (shared[colours[vertex as usize] as usize], colours[vertex as usize])).min();
        let Some((_, colour)) = choice else { return self.number(&colours) };
        let all: Vec<u32> = (0..colours.len() as u32).collect();
        let mut best: Option<(Vec<Word>, Canonical, u32)> = None;
        for vertex in (0..colours.len()).filter(|&vertex| colours[vertex] == colour) {
            let mut colours = colours.clone();
            individualise(&all, &mut colours, vertex as u32);
            self.refine(&all, &mut colours, None);
            let found = self.turn(colours);
            let form = self.form_of_all(&found);
            match &mut best {
                Some((least, _, count)) if *least == form => *count += 1,
                Some((least, ..)) if *least < form => {}
                best => *best = Some((form, found, 1)),
            }
        }
        match best {
            Some((_, found, count)) => Canonical { symmetries: found.symmetries * UBig::from(count), ..found },
            None => self.number(&colours),
        }
    }

    /// The marking with its new numbers.
    fn form_of_all(&self, found: &Canonical) -> Vec<Word> {
        let entries = found.apply(self.palette, self.entries);
        let mut form: Vec<Word> = Vec::new();
        let mut sizes = vec![(0, 0); self.atoms.len()];
        found.place_of.iter().zip(self.atoms).for_each(|(&to, &atom)| sizes[to as usize] = atom);
        sizes.iter().for_each(|&(cell, size)| form.extend([cell, size]));
        for (entry, key) in entries.iter() {
            form.extend([entry.place, key.len() as u32, entry.count]);
            form.extend_from_slice(key);
        }
        form
    }

    /// Numbers the atoms that are not fixed; those of turned classes have colours of their own.
    fn number(&self, colours: &[u32]) -> Canonical {
        let all: Vec<u32> = (self.turned_count as u32..colours.len() as u32).collect();
        let mut colours = colours.to_vec();
        let Numbered { order, symmetries, .. } = self.label(&all, &mut colours, Form::Unwanted, (None, 0));
        let mut rank = vec![0_u32; colours.len()];
        (0..).zip(order).for_each(|(at, vertex)| rank[vertex as usize] = at);
        let first = self.turned_count as u32;
        let key = |vertex: &u32| {
            let vertex = vertex + first;
            (self.atoms[(vertex - first) as usize].0, u64::from(rank[vertex as usize]))
        };
        let mut canonical = self.finish(&key, symmetries);
        // A class that can be turned begins with its least colour.
        let mut begins = 0;
        for (class, turn) in self.palette.classes.iter().zip(&mut canonical.turns) {
            if class.is_turned {
                let length = class.fixed.end - class.fixed.start;
                let least = (0..length).min_by_key(|&at| colours[(begins + at) as usize]);
                *turn = least.unwrap_or(0);
                begins += length;
            }
        }
        canonical
    }

    fn finish(&self, key: &dyn Fn(&u32) -> (u32, u64), symmetries: UBig) -> Canonical {
        let mut order: Vec<u32> = (0..self.atoms.len() as u32).collect();
        order.sort_unstable_by_key(key);
        let mut place_of = vec![0; order.len()];
        (0..).zip(&order).for_each(|(to, &atom)| place_of[atom as usize] = to);
        Canonical { place_of, turns: vec![0; self.palette.classes.len()], symmetries }
    }
}

impl Canonical {
    /// The new number of an atom.
    pub fn atom(&self, palette: &Palette, atom: Atom) -> Atom {
        let first = palette.fixed_count();
        if let Some(at) = atom.checked_sub(first) {
            return first + self.place_of[at as usize];
        }
        let (class, colour) = palette.fixed[atom as usize];
        let turn = self.turns[class as usize];
        if turn == 0 {
            return atom;
        }
        let range = &palette.classes[class as usize].fixed;
        let length = range.end - range.start;
        range.start + (colour + length - turn) % length
    }

    /// The tokens with their new numbers, sorted.
    pub fn apply(&self, palette: &Palette, entries: &Entries) -> Entries {
        let mut renamed = Entries::like(entries);
        let (mut key, mut scratch) = (Vec::new(), Vec::new());
        for (entry, words) in entries.iter() {
            let shape = &palette.places[entry.place as usize];
            key.clear();
            key.extend_from_slice(words);
            key.chunks_exact_mut(shape.stride).for_each(|item| item[0] = self.atom(palette, item[0]));
            normalise(shape, &mut key, &mut scratch);
            renamed.push(entry.place, &key, entry.count);
        }
        renamed.sort();
        renamed
    }
}
