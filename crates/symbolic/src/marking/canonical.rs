//! Canonical markings: one numbering of the atoms for each orbit of markings.
//!
//! Atoms get *colours* (numbers) that do not depend on how they are numbered: first of what they are, then again and again of
//! the tokens that they are in, together with the colours of the others there. Atoms with a colour of their own are told apart.
//! Those that share one fall into *components*, which no token connects. A component whose colours are all different, looked
//! at by itself, needs no more; otherwise one of its atoms is given a new colour, each of those of the smallest choice in turn,
//! and the least result counts. Components that look the same are alike, so their order does not matter. Where many atoms are
//! alike, the automorphisms of the component (from the `group` crate) say which choices need not be tried.
//!
//! This also counts the automorphisms of the marking, as permutations of its atoms.

use super::entries::{Entries, Word, items, normalise};
use super::palette::{Atom, Palette};
use mandala_group::{ColouredGraph, Orbits, UBig, automorphisms};
use rustc_hash::FxHashMap;

/// Operations for the automorphisms of one component. Beyond, only more choices are tried.
const BUDGET: u64 = 1_000_000;

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
    /// By vertex: the entries with it. A vertex is a turned atom or one that is not fixed.
    touching: Vec<Vec<u32>>,
}

/// Numbers the atoms of a merged marking anew.
pub(super) fn canonise(
    palette: &Palette, turned: &[Option<u32>], atoms: &[(u32, u32)], entries: &Entries,
) -> Canonical {
    let turned_count = turned.iter().flatten().count();
    let mut labelling = Labelling { palette, atoms, entries, turned, turned_count, touching: Vec::new() };
    let mut colours = labelling.first_colours();
    let all: Vec<u32> = (0..colours.len() as u32).collect();
    labelling.refine(&all, &mut colours, None);
    let is_sorted = turned_count == 0 && {
        let mut sorted = colours.clone();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    if is_sorted {
        let key = |vertex: &u32| (atoms[*vertex as usize].0, colours[*vertex as usize]);
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

    fn first_colours(&self) -> Vec<u64> {
        let turned = self.turned.iter().enumerate().filter(|(_, vertex)| vertex.is_some());
        let mut colours: Vec<u64> =
            turned.map(|(atom, _)| mix(1 << 40 | u64::from(self.palette.fixed[atom].0))).collect();
        colours.extend(self.atoms.iter().map(|&(cell, size)| mix(u64::from(cell) << 32 ^ u64::from(size) ^ 7 << 60)));
        colours
    }

    /// The entries with each vertex.
    fn connect(&mut self) {
        let mut touching = vec![Vec::new(); self.turned_count + self.atoms.len()];
        for (at, (entry, key)) in (0_u32..).zip(self.entries.iter()) {
            for item in items(&self.palette.places[entry.place as usize], key) {
                if let Some(vertex) = self.vertex(item.atom()) {
                    let list: &mut Vec<u32> = &mut touching[vertex as usize];
                    if list.last() != Some(&at) {
                        list.push(at);
                    }
                }
            }
        }
        self.touching = touching;
    }

    fn colour(&self, colours: &[u64], atom: Atom) -> u64 {
        self.vertex(atom).map_or_else(|| mix(u64::from(atom) ^ 3 << 50), |vertex| colours[vertex as usize])
    }

    /// Refines the colours of some vertices until no more are told apart. Only some entries are looked at if that is said: all
    /// those with one of the vertices.
    fn refine(&self, vertices: &[u32], colours: &mut [u64], among: Option<&[u32]>) {
        let mut sums = vec![0_u64; colours.len()];
        let mut sorted: Vec<u64> = Vec::with_capacity(vertices.len());
        let mut count = |colours: &[u64]| {
            sorted.clear();
            sorted.extend(vertices.iter().map(|&vertex| colours[vertex as usize]));
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len()
        };
        let mut distinct = count(colours);
        while distinct < vertices.len() {
            sums.iter_mut().for_each(|sum| *sum = 0);
            let mut look = |at: usize| {
                let entry = &self.entries.list[at];
                let shape = &self.palette.places[entry.place as usize];
                let key = self.entries.key(entry);
                let role = |words: &[Word]| words.iter().fold(5_u64, |hash, &word| mix(hash ^ u64::from(word)));
                let mut whole = mix(u64::from(entry.place) << 32 | u64::from(entry.count));
                for item in items(shape, key) {
                    whole = whole.wrapping_add(mix(self.colour(colours, item.atom()) ^ role(item.role())));
                }
                for item in items(shape, key) {
                    if let Some(vertex) = self.vertex(item.atom()) {
                        let sum = &mut sums[vertex as usize];
                        *sum = sum.wrapping_add(mix(whole ^ role(item.role())));
                    }
                }
            };
            match among {
                None => (0..self.entries.list.len()).for_each(&mut look),
                Some(among) => among.iter().for_each(|&at| look(at as usize)),
            }
            let around = |vertex: u32, colours: &[u64]| match self.neighbours(vertex) {
                Some((before, after)) => {
                    mix(colours[before as usize] ^ 0xB).wrapping_add(mix(colours[after as usize] ^ 0xA))
                }
                None => 0,
            };
            let new: Vec<u64> = vertices
                .iter()
                .map(|&vertex| {
                    let sum = sums[vertex as usize].wrapping_add(around(vertex, colours));
                    mix(colours[vertex as usize].wrapping_mul(3) ^ mix(sum))
                })
                .collect();
            vertices.iter().zip(new).for_each(|(&vertex, colour)| colours[vertex as usize] = colour);
            let now = count(colours);
            if now == distinct {
                return;
            }
            distinct = now;
        }
    }

    /// The vertices before and after one in a class that can be turned.
    fn neighbours(&self, vertex: u32) -> Option<(u32, u32)> {
        if vertex as usize >= self.turned_count {
            return None;
        }
        let (first, length) = self.circle(vertex);
        let at = vertex - first;
        Some((first + (at + length - 1) % length, first + (at + 1) % length))
    }

    /// The class of a vertex that can be turned: its first vertex, and how many there are.
    fn circle(&self, vertex: u32) -> (u32, u32) {
        let mut first = 0;
        for class in self.palette.classes.iter().filter(|class| class.is_turned) {
            let length = class.fixed.end - class.fixed.start;
            if vertex < first + length {
                return (first, length);
            }
            first += length;
        }
        (first, 1)
    }

    /// Chooses where each class that can be turned begins, and numbers the rest.
    fn turn(&self, colours: Vec<u64>) -> Canonical {
        let mut shared: FxHashMap<u64, u32> = FxHashMap::default();
        colours.iter().for_each(|&colour| *shared.entry(colour).or_insert(0) += 1);
        let turned = 0..self.turned_count as u32;
        // Where one vertex has its own colour, all of its class have.
        let open = turned.filter(|&vertex| shared[&colours[vertex as usize]] > 1);
        let choice = open.map(|vertex| (shared[&colours[vertex as usize]], colours[vertex as usize])).min();
        let Some((_, colour)) = choice else { return self.number(&colours) };
        let all: Vec<u32> = (0..colours.len() as u32).collect();
        let mut best: Option<(Vec<Word>, Canonical, u32)> = None;
        for vertex in (0..colours.len()).filter(|&vertex| colours[vertex] == colour) {
            let mut colours = colours.clone();
            colours[vertex] = mix(colours[vertex] ^ 0x1D1);
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
    fn number(&self, colours: &[u64]) -> Canonical {
        let all: Vec<u32> = (self.turned_count as u32..colours.len() as u32).collect();
        let mut colours = colours.to_vec();
        let Numbered { ranks, symmetries, .. } = self.label(&all, &mut colours, 0);
        let mut rank = vec![0; colours.len()];
        all.iter().zip(ranks).for_each(|(&vertex, at)| rank[vertex as usize] = at);
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

    /// Numbers some vertices among themselves. No entry connects them with vertices elsewhere that share a colour.
    fn label(&self, vertices: &[u32], colours: &mut [u64], depth: usize) -> Numbered {
        let mut order: Vec<(u64, u32)> = vertices.iter().map(|&vertex| (colours[vertex as usize], vertex)).collect();
        order.sort_unstable();
        let is_shared = |at: usize| {
            at > 0 && order[at - 1].0 == order[at].0 || order.get(at + 1).is_some_and(|next| next.0 == order[at].0)
        };
        let open: Vec<u32> = (0..order.len()).filter(|&at| is_shared(at)).map(|at| order[at].1).collect();
        if open.is_empty() {
            return self.numbered(vertices, colours, order.iter().map(|one| one.1).collect(), UBig::ONE);
        }
        let components = self.components(&open);
        if components.len() > 1 || open.len() < vertices.len() {
            return self.by_components(vertices, colours, order, components, depth);
        }
        self.by_choice(vertices, colours, &order, depth)
    }

    fn by_components(
        &self, vertices: &[u32], colours: &mut [u64], order: Vec<(u64, u32)>, components: Vec<Vec<u32>>, depth: usize,
    ) -> Numbered {
        let mut labelled: Vec<(Vec<u64>, Vec<u32>, UBig)> = components
            .iter()
            .map(|component| {
                let before: Vec<u64> = component.iter().map(|&vertex| colours[vertex as usize]).collect();
                let numbered = self.label(component, colours, depth);
                component.iter().zip(before).for_each(|(&vertex, colour)| colours[vertex as usize] = colour);
                (numbered.form, numbered.order, numbered.symmetries)
            })
            .collect();
        labelled.sort_by(|a, b| a.0.cmp(&b.0));
        let mut symmetries = UBig::ONE;
        for alike in labelled.chunk_by(|a, b| a.0 == b.0) {
            for (count, (.., inside)) in (1_u32..).zip(alike) {
                symmetries *= inside * UBig::from(count);
            }
        }
        // By colour, and then component by component.
        let mut ranks: FxHashMap<u32, u32> = FxHashMap::default();
        let inside = labelled.iter().flat_map(|(_, order, _)| order);
        ranks.extend((1..).zip(inside).map(|(rank, &vertex)| (vertex, rank)));
        let mut order: Vec<(u64, u32, u32)> = order
            .into_iter()
            .map(|(colour, vertex)| (colour, ranks.get(&vertex).copied().unwrap_or(0), vertex))
            .collect();
        order.sort_unstable();
        self.numbered(vertices, colours, order.into_iter().map(|one| one.2).collect(), symmetries)
    }

    /// Gives one vertex a colour of its own, and keeps the least of what comes of it.
    fn by_choice(&self, vertices: &[u32], colours: &mut [u64], order: &[(u64, u32)], depth: usize) -> Numbered {
        let cells: Vec<&[(u64, u32)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
        let Some(cell) = cells.into_iter().filter(|cell| cell.len() > 1).min_by_key(|cell| cell.len()) else {
            return self.numbered(vertices, colours, order.iter().map(|one| one.1).collect(), UBig::ONE);
        };
        let choices = self.choices(vertices, colours, cell, depth);
        let mut among: Vec<u32> =
            vertices.iter().flat_map(|&vertex| self.touching[vertex as usize].iter().copied()).collect();
        among.sort_unstable();
        among.dedup();
        let before: Vec<u64> = vertices.iter().map(|&vertex| colours[vertex as usize]).collect();
        let mut best: Option<(Numbered, u32)> = None;
        for (vertex, weight) in choices {
            colours[vertex as usize] = mix(colours[vertex as usize] ^ 0x1D1);
            self.refine(vertices, colours, Some(&among));
            let found = self.label(vertices, colours, depth + 1);
            vertices.iter().zip(&before).for_each(|(&vertex, &colour)| colours[vertex as usize] = colour);
            match &mut best {
                Some((least, count)) if least.form == found.form => *count += weight,
                Some((least, _)) if least.form < found.form => {}
                best => *best = Some((found, weight)),
            }
        }
        match best {
            Some((found, count)) => Numbered { symmetries: found.symmetries * UBig::from(count), ..found },
            None => self.numbered(vertices, colours, order.iter().map(|one| one.1).collect(), UBig::ONE),
        }
    }

    /// The vertices of a cell that are to be tried, each with how many it stands for.
    fn choices(&self, vertices: &[u32], colours: &[u64], cell: &[(u64, u32)], depth: usize) -> Vec<(u32, u32)> {
        if cell.len() <= 3 && depth < 2 {
            return cell.iter().map(|&(_, vertex)| (vertex, 1)).collect();
        }
        let mut orbits = self.orbits(vertices, colours);
        let mut found: Vec<(u32, u32, u32)> = Vec::new();
        for &(_, vertex) in cell {
            let at = vertices.binary_search(&vertex).unwrap_or(0) as u32;
            let orbit = orbits.find(at);
            match found.iter_mut().find(|one| one.2 == orbit) {
                Some(one) => one.1 += 1,
                None => found.push((vertex, 1, orbit)),
            }
        }
        found.into_iter().map(|(vertex, weight, _)| (vertex, weight)).collect()
    }

    /// Which vertices the automorphisms of a component lead to each other, as far as these are found.
    fn orbits(&self, vertices: &[u32], colours: &[u64]) -> Orbits {
        let index = |vertex: u32| vertices.binary_search(&vertex).ok();
        let mut numbers: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
        let mut number = |key: Vec<u64>| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        let mut kinds: Vec<u32> = vertices.iter().map(|&vertex| number(vec![0, colours[vertex as usize]])).collect();
        let mut edges = Vec::new();
        let mut entries: Vec<u32> =
            vertices.iter().flat_map(|&vertex| self.touching[vertex as usize].iter().copied()).collect();
        entries.sort_unstable();
        entries.dedup();
        for at in entries {
            let entry = &self.entries.list[at as usize];
            let shape = &self.palette.places[entry.place as usize];
            let mut key = vec![1, u64::from(entry.place), u64::from(entry.count)];
            let this = kinds.len() as u32;
            for item in items(shape, self.entries.key(entry)) {
                let role: Vec<u64> = item.role().iter().map(|&word| u64::from(word)).collect();
                match self.vertex(item.atom()).and_then(index) {
                    Some(vertex) => {
                        let kind = number([vec![2], role].concat());
                        edges.push((this, vertex as u32, kind));
                    }
                    None => key.extend([role, vec![self.colour(colours, item.atom())]].concat()),
                }
            }
            kinds.push(number(key));
        }
        let length = kinds.len();
        match ColouredGraph::new(kinds, &edges) {
            Some(graph) => Orbits::under(length, &automorphisms(&graph, BUDGET).generators),
            None => Orbits::new(length),
        }
    }

    /// Some vertices, in parts that no entry connects.
    fn components(&self, vertices: &[u32]) -> Vec<Vec<u32>> {
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        let mut linked = Orbits::new(sorted.len());
        let mut owner: FxHashMap<u32, u32> = FxHashMap::default();
        for (at, &vertex) in (0_u32..).zip(&sorted) {
            for &entry in &self.touching[vertex as usize] {
                let first = *owner.entry(entry).or_insert(at);
                linked.unite(first, at);
            }
        }
        let mut parts: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut index: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, &vertex) in (0_u32..).zip(&sorted) {
            let root = linked.find(at);
            let part = *index.entry(root).or_insert_with(|| {
                parts.push((root, Vec::new()));
                parts.len() - 1
            });
            parts[part].1.push(vertex);
        }
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// Vertices with their order, and what their entries look like with these numbers.
    fn numbered(&self, vertices: &[u32], colours: &[u64], order: Vec<u32>, symmetries: UBig) -> Numbered {
        let mut rank: FxHashMap<u32, u32> = FxHashMap::default();
        rank.extend((0..).zip(&order).map(|(at, &vertex)| (vertex, at)));
        let ranks = vertices.iter().map(|vertex| rank[vertex]).collect();
        let mut entries: Vec<u32> =
            vertices.iter().flat_map(|&vertex| self.touching[vertex as usize].iter().copied()).collect();
        entries.sort_unstable();
        entries.dedup();
        let mut rows: Vec<Vec<u64>> = entries
            .into_iter()
            .map(|at| {
                let entry = &self.entries.list[at as usize];
                let shape = &self.palette.places[entry.place as usize];
                let mut row = vec![u64::from(entry.place), u64::from(entry.count)];
                let named = |item: super::entries::Item<'_>| {
                    let vertex = self.vertex(item.atom()).and_then(|vertex| rank.get(&vertex));
                    match vertex {
                        Some(&rank) => [0, u64::from(rank)],
                        None => [1, self.colour(colours, item.atom())],
                    }
                };
                let mut parts: Vec<Vec<u64>> = items(shape, self.entries.key(entry))
                    .map(|item| item.role().iter().map(|&word| u64::from(word)).chain(named(item)).collect())
                    .collect();
                parts.sort_unstable();
                row.extend(parts.concat());
                row
            })
            .collect();
        rows.sort_unstable();
        let mut form: Vec<u64> = order
            .iter()
            .flat_map(|&vertex| {
                let at = vertex as usize - self.turned_count;
                [u64::from(self.atoms[at].0), u64::from(self.atoms[at].1)]
            })
            .collect();
        rows.into_iter().for_each(|row| {
            form.push(row.len() as u64);
            form.extend(row);
        });
        Numbered { ranks, order, form, symmetries }
    }
}

/// Vertices that are numbered among themselves.
struct Numbered {
    /// By vertex, in the order in which they were given.
    ranks: Vec<u32>,
    /// The vertices in their new order.
    order: Vec<u32>,
    /// What they look like.
    form: Vec<u64>,
    symmetries: UBig,
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
        let mut renamed = Entries::default();
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
