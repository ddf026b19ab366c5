//! Vertices in parts that can be numbered one by one.
//!
//! Two vertices are *linked* if some token has both, and what is linked is numbered together. But where a place has pairs of
//! nearly all vertices of two colours, it says more which pairs are missing: then those are linked, and not the others. (A graph
//! and its complement have the same automorphisms.) Whether vertices of different parts are in a token together depends on their
//! colours only, in both cases: so parts that look the same can be exchanged.

use super::super::entries::items;
use super::{Labelling, NO_VERTEX};
use mandala_group::Orbits;

/// Parts with fewer vertices are not divided by what is missing: numbering them is quick.
const FEW: usize = 6;

/// Place, count, components of both vertices, colours of both: what pairs have in common.
type Kind = (u32, u32, u32, u32, u32, u32);

/// A token with two vertices and nothing else: its kind, the vertices, and its entry.
type Pair = (Kind, u32, u32, u32);

impl Labelling<'_> {
    /// Some vertices, part by part, and where each part ends.
    pub(super) fn components(&self, vertices: &[u32], colours: &[u32]) -> (Vec<u32>, Vec<usize>) {
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        let mut linked = Orbits::new(sorted.len());
        self.link(&sorted, &mut linked, &[]);
        let (members, ends) = parts(&sorted, &mut linked);
        if ends.len() > 1 || sorted.len() < FEW {
            return (members, ends);
        }
        let pairs = self.pairs(&sorted, colours);
        let cell = |colour: u32| sorted.iter().filter(move |&&vertex| colours[vertex as usize] == colour);
        let is_dense = |alike: &&[Pair]| {
            let (.., one, other) = alike[0].0;
            let most = cell(one).count() * (cell(other).count() - usize::from(one == other));
            2 * alike.len() > most
        };
        let dense: Vec<&[Pair]> = pairs.chunk_by(|a, b| a.0 == b.0).filter(is_dense).collect();
        if dense.is_empty() {
            return (members, ends);
        }
        let mut linked = Orbits::new(sorted.len());
        let point = |vertex: u32| sorted.partition_point(|&before| before < vertex) as u32;
        let mut passed_over: Vec<u32> = Vec::new();
        for alike in dense {
            passed_over.extend(alike.iter().map(|pair| pair.3));
            let (.., one, other) = alike[0].0;
            for &left in cell(one) {
                for &right in cell(other).filter(|&&right| right != left) {
                    if alike.binary_search_by(|pair| (pair.1, pair.2).cmp(&(left, right))).is_err() {
                        linked.unite(point(left), point(right));
                    }
                }
            }
        }
        passed_over.sort_unstable();
        self.link(&sorted, &mut linked, &passed_over);
        parts(&sorted, &mut linked)
    }

    /// Links what is in a token together, but for some entries.
    fn link(&self, sorted: &[u32], linked: &mut Orbits, passed_over: &[u32]) {
        let mut owner = vec![NO_VERTEX; self.entries.list.len()];
        for (at, &vertex) in (0_u32..).zip(sorted) {
            for &entry in self.touching(vertex) {
                match &mut owner[entry as usize] {
                    first if *first == NO_VERTEX => *first = at,
                    _ if passed_over.binary_search(&entry).is_ok() => {}
                    first => linked.unite(*first, at),
                }
            }
        }
    }

    /// The tokens with two of some vertices and nothing else, by kind.
    fn pairs(&self, sorted: &[u32], colours: &[u32]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for at in self.entries_of(sorted) {
            let entry = &self.entries.list[at as usize];
            let shape = &self.palette.places[entry.place as usize];
            let mut both = items(shape, self.entries.key(entry));
            let (Some(one), Some(other), None, true) = (both.next(), both.next(), both.next(), shape.bags.is_empty())
            else {
                continue;
            };
            let inside = |atom| self.vertex(atom).filter(|vertex| sorted.binary_search(vertex).is_ok());
            if let (Some(left), Some(right)) = (inside(one.atom()), inside(other.atom()))
                && left != right
            {
                let colour = |vertex: u32| colours[vertex as usize];
                let roles = (one.components(), other.components());
                let kind = (entry.place, entry.count, roles.0, roles.1, colour(left), colour(right));
                pairs.push((kind, left, right, at));
            }
        }
        pairs.sort_unstable();
        pairs
    }
}

/// Vertices part by part, and where each part ends.
fn parts(sorted: &[u32], linked: &mut Orbits) -> (Vec<u32>, Vec<usize>) {
    let mut parts: Vec<(u32, u32)> = (0..).zip(sorted).map(|(at, &vertex)| (linked.find(at), vertex)).collect();
    parts.sort_unstable();
    let mut ends = Vec::with_capacity(parts.len());
    for part in parts.chunk_by(|a, b| a.0 == b.0) {
        ends.push(ends.last().unwrap_or(&0) + part.len());
    }
    (parts.into_iter().map(|one| one.1).collect(), ends)
}
