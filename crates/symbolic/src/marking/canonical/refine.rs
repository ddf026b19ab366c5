//! Colours of atoms, refined until no more are told apart.

use super::super::entries::items;
use super::{Labelling, NO_VERTEX, mix};

/// A number for a colour, to be mixed.
fn print(colour: u32) -> u64 {
    u64::from(colour).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Gives one of some vertices a colour of its own, before all others of its class.
pub(super) fn individualise(vertices: &[u32], colours: &mut [u32], chosen: u32) {
    let colour = colours[chosen as usize];
    for &vertex in vertices.iter().filter(|&&vertex| vertex != chosen) {
        if colours[vertex as usize] == colour {
            colours[vertex as usize] += 1;
        }
    }
}

impl Labelling<'_> {
    /// Works out what refinement looks at again and again.
    pub(super) fn hash(&mut self) {
        let (mut hashes, mut all) = (Vec::with_capacity(self.entries.list.len()), Vec::new());
        for (entry, key) in self.entries.iter() {
            for item in items(&self.palette.places[entry.place as usize], key) {
                let role = item.role().iter().fold(5_u64, |hash, &word| mix(hash ^ u64::from(word)));
                all.push(match self.vertex(item.atom()) {
                    Some(vertex) => (vertex, 0, role),
                    None => (NO_VERTEX, mix(u64::from(item.atom()) ^ 3 << 50), role),
                });
            }
            hashes.push((mix(u64::from(entry.place) << 32 | u64::from(entry.count)), all.len() as u32));
        }
        (self.hashes, self.items) = (hashes, all);
    }

    /// Colours of what atoms are.
    pub(super) fn first_colours(&self) -> Vec<u32> {
        let turned = self.turned.iter().enumerate().filter(|(_, vertex)| vertex.is_some());
        let turned = turned.map(|(atom, _)| (0, self.palette.fixed[atom].0, 0));
        let kinds: Vec<(u32, u32, u32)> =
            turned.chain(self.atoms.iter().map(|&(cell, size)| (1, cell, size))).collect();
        let mut order: Vec<usize> = (0..kinds.len()).collect();
        order.sort_unstable_by_key(|&vertex| kinds[vertex]);
        let mut colours = vec![0; kinds.len()];
        let mut first = 0;
        for (at, &vertex) in order.iter().enumerate() {
            if kinds[vertex] != kinds[order[first]] {
                first = at;
            }
            colours[vertex] = first as u32;
        }
        colours
    }

    /// Refines the colours of some vertices until no more are told apart. Only some entries are looked at if that is said: all
    /// those with one of the vertices.
    pub(super) fn refine(&self, vertices: &[u32], colours: &mut [u32], among: Option<&[u32]>) {
        let mut sums = vec![0_u64; colours.len()];
        // Colour, what is seen around it, vertex.
        let mut order: Vec<(u32, u64, u32)> =
            vertices.iter().map(|&vertex| (colours[vertex as usize], 0, vertex)).collect();
        order.sort_unstable();
        let mut classes = order.chunk_by(|a, b| a.0 == b.0).count();
        while classes < vertices.len() {
            sums.iter_mut().for_each(|sum| *sum = 0);
            match among {
                None => (0..self.entries.list.len()).for_each(|at| self.look(at, colours, &mut sums)),
                Some(among) => among.iter().for_each(|&at| self.look(at as usize, colours, &mut sums)),
            }
            for one in &mut order {
                let around = self.neighbours(one.2).map_or(0, |(before, after)| {
                    let (before, after) = (print(colours[before as usize]), print(colours[after as usize]));
                    mix(before ^ 0xB).wrapping_add(mix(after ^ 0xA))
                });
                one.1 = sums[one.2 as usize].wrapping_add(around);
            }
            order.sort_unstable();
            // The parts of a class share its places, in the order of what was seen.
            let (mut found, mut first) = (0, 0);
            for at in 0..order.len() {
                let is_new = at == 0 || order[at].0 != order[at - 1].0;
                if is_new {
                    first = at;
                }
                if is_new || order[at].1 != order[at - 1].1 {
                    found += 1;
                    colours[order[at].2 as usize] = order[at].0 + (at - first) as u32;
                } else {
                    colours[order[at].2 as usize] = colours[order[at - 1].2 as usize];
                }
            }
            if found == classes {
                return;
            }
            classes = found;
            order.iter_mut().for_each(|one| one.0 = colours[one.2 as usize]);
        }
    }

    /// Adds what an entry looks like to all vertices in it.
    fn look(&self, at: usize, colours: &[u32], sums: &mut [u64]) {
        let first = at.checked_sub(1).map_or(0, |before| self.hashes[before].1);
        let (mut whole, end) = self.hashes[at];
        let items = &self.items[first as usize..end as usize];
        for &(vertex, fixed, role) in items {
            let colour = if vertex == NO_VERTEX { fixed } else { print(colours[vertex as usize]) };
            whole = whole.wrapping_add(mix(colour ^ role));
        }
        for &(vertex, _, role) in items.iter().filter(|item| item.0 != NO_VERTEX) {
            let sum = &mut sums[vertex as usize];
            *sum = sum.wrapping_add(mix(whole ^ role));
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
}
