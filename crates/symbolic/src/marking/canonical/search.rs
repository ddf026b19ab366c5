//! Numbering atoms that refinement leaves alike.
//!
//! They fall into *components* (`components`): what connects two of these depends on their colours only. A component whose
//! colours are all different, looked at by itself, needs no more; otherwise one of its atoms is given a colour of its own, each of
//! those of the smallest choice in turn, and the least result counts. Components that look the same are alike, so their order does
//! not matter. Where many atoms are alike, the automorphisms of the component (from the `group` crate) say which choices need not
//! be tried. They are looked for once: those that fix what was chosen already say the same of later choices.

use super::super::entries::items;
use super::refine::individualise;
use super::{Labelling, NO_VERTEX};
use mandala_group::{ColouredGraph, Group, UBig, automorphisms};
use rustc_hash::FxHashMap;

/// Operations for the automorphisms of one component. Beyond, only more choices are tried.
const BUDGET: u64 = 1_000_000;

/// Vertices that are numbered among themselves.
pub(super) struct Numbered {
    /// The vertices in their new order.
    pub order: Vec<u32>,
    /// What they look like; nothing if that is not wanted.
    form: Vec<u64>,
    pub symmetries: UBig,
}

/// Whether it is wanted what vertices look like with their numbers: where several ways to number them are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Wanted,
    Unwanted,
}

/// The automorphisms of a component that fix what was chosen in it so far.
pub(super) struct Known {
    /// The vertices of the component, ascending: its points.
    vertices: Vec<u32>,
    group: Group,
}

impl Known {
    /// The point of a vertex, if it may be moved.
    fn point(&self, vertex: u32) -> Option<u32> {
        self.vertices.binary_search(&vertex).ok().filter(|&at| at < self.group.degree()).map(|at| at as u32)
    }

    /// Those that fix one vertex more.
    fn fixing(&self, vertex: u32) -> Known {
        let points: Vec<u32> = self.point(vertex).into_iter().collect();
        Known { vertices: self.vertices.clone(), group: self.group.stabiliser(&points) }
    }
}

impl Labelling<'_> {
    /// Numbers some vertices among themselves. What connects them with vertices elsewhere depends only on their colours.
    pub(super) fn label(
        &self, vertices: &[u32], colours: &mut [u32], form: Form, (known, depth): (Option<&Known>, usize),
    ) -> Numbered {
        let mut order: Vec<(u32, u32)> = vertices.iter().map(|&vertex| (colours[vertex as usize], vertex)).collect();
        order.sort_unstable();
        let is_shared = |at: usize| {
            at > 0 && order[at - 1].0 == order[at].0 || order.get(at + 1).is_some_and(|next| next.0 == order[at].0)
        };
        let open: Vec<u32> = (0..order.len()).filter(|&at| is_shared(at)).map(|at| order[at].1).collect();
        if open.is_empty() {
            return self.numbered(colours, order.iter().map(|one| one.1).collect(), UBig::ONE, form);
        }
        let (members, ends) = self.components(&open, colours);
        if ends.len() > 1 || open.len() < vertices.len() {
            return self.by_components(colours, order, (&members, &ends), form, (known, depth));
        }
        self.by_choice(vertices, colours, &order, form, (known, depth))
    }

    /// Numbers components one after the other: some vertices, and where each component ends among these.
    fn by_components(
        &self, colours: &mut [u32], order: Vec<(u32, u32)>, (members, ends): (&[u32], &[usize]), form: Form,
        (known, depth): (Option<&Known>, usize),
    ) -> Numbered {
        let mut labelled: Vec<Numbered> = Vec::with_capacity(ends.len());
        let mut first = 0;
        for &end in ends {
            // Colours are as before afterwards.
            labelled.push(self.label(&members[first..end], colours, Form::Wanted, (known, depth)));
            first = end;
        }
        labelled.sort_by(|a, b| a.form.cmp(&b.form));
        let mut symmetries = UBig::ONE;
        for alike in labelled.chunk_by(|a, b| a.form == b.form) {
            for (count, inside) in (1_u32..).zip(alike) {
                symmetries *= &inside.symmetries * UBig::from(count);
            }
        }
        // By colour, and then component by component.
        let mut ranks = vec![0_u32; colours.len()];
        let inside = labelled.iter().flat_map(|one| &one.order);
        (1..).zip(inside).for_each(|(rank, &vertex)| ranks[vertex as usize] = rank);
        let mut order: Vec<(u32, u32, u32)> =
            order.into_iter().map(|(colour, vertex)| (colour, ranks[vertex as usize], vertex)).collect();
        order.sort_unstable();
        self.numbered(colours, order.into_iter().map(|one| one.2).collect(), symmetries, form)
    }

    /// Gives one vertex a colour of its own, and keeps the least of what comes of it.
    fn by_choice(
        &self, vertices: &[u32], colours: &mut [u32], order: &[(u32, u32)], form: Form,
        (known, depth): (Option<&Known>, usize),
    ) -> Numbered {
        let cells: Vec<&[(u32, u32)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
        let Some(cell) = cells.into_iter().filter(|cell| cell.len() > 1).min_by_key(|cell| cell.len()) else {
            return self.numbered(colours, order.iter().map(|one| one.1).collect(), UBig::ONE, form);
        };
        let found = match known {
            Some(_) => None,
            // A few choices are tried sooner than the automorphisms are found.
            None if cell.len() <= 3 && depth < 2 => None,
            None => self.known(vertices, colours),
        };
        let known = known.or(found.as_ref());
        let among = self.entries_of(vertices);
        let before: Vec<u32> = vertices.iter().map(|&vertex| colours[vertex as usize]).collect();
        let mut best: Option<(Numbered, u32)> = None;
        for (vertex, weight) in choices(known, cell) {
            individualise(vertices, colours, vertex);
            self.refine(vertices, colours, Some(&among));
            let fixing = known.map(|known| known.fixing(vertex));
            let found = self.label(vertices, colours, Form::Wanted, (fixing.as_ref(), depth + 1));
            vertices.iter().zip(&before).for_each(|(&vertex, &colour)| colours[vertex as usize] = colour);
            match &mut best {
                Some((least, count)) if least.form == found.form => *count += weight,
                Some((least, _)) if least.form < found.form => {}
                best => *best = Some((found, weight)),
            }
        }
        match best {
            Some((found, count)) => Numbered { symmetries: found.symmetries * UBig::from(count), ..found },
            None => self.numbered(colours, order.iter().map(|one| one.1).collect(), UBig::ONE, form),
        }
    }

    /// The entries with some vertices.
    pub(super) fn entries_of(&self, vertices: &[u32]) -> Vec<u32> {
        let mut entries: Vec<u32> = vertices.iter().flat_map(|&vertex| self.touching(vertex).iter().copied()).collect();
        entries.sort_unstable();
        entries.dedup();
        entries
    }

    /// The automorphisms of a component, as far as they are found. Nothing if it takes too long to know them all.
    fn known(&self, vertices: &[u32], colours: &[u32]) -> Option<Known> {
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        let index = |vertex: u32| sorted.binary_search(&vertex).ok();
        let mut numbers: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
        let mut number = |key: Vec<u64>| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        let mut kinds: Vec<u32> =
            sorted.iter().map(|&vertex| number(vec![0, u64::from(colours[vertex as usize])])).collect();
        let mut edges = Vec::new();
        for at in self.entries_of(&sorted) {
            let entry = &self.entries.list[at as usize];
            let shape = &self.palette.places[entry.place as usize];
            let mut key = vec![1, u64::from(entry.place), u64::from(entry.count)];
            let mut elsewhere: Vec<Vec<u64>> = Vec::new();
            let this = kinds.len() as u32;
            for item in items(shape, self.entries.key(entry)) {
                let mut role: Vec<u64> = item.role().iter().map(|&word| u64::from(word)).collect();
                let vertex = self.vertex(item.atom());
                match vertex.and_then(index) {
                    Some(vertex) => {
                        role.insert(0, 2);
                        edges.push((this, vertex as u32, number(role)));
                    }
                    None => {
                        role.extend(self.named(item.atom(), colours));
                        elsewhere.push(role);
                    }
                }
            }
            elsewhere.sort_unstable();
            key.extend(elsewhere.concat());
            kinds.push(number(key));
        }
        let graph = ColouredGraph::new(kinds, &edges)?;
        let group = automorphisms(&graph, BUDGET).group(BUDGET)?;
        Some(Known { vertices: sorted, group })
    }

    /// An atom that is not numbered here: a vertex by its colour, or a fixed one by itself.
    fn named(&self, atom: u32, colours: &[u32]) -> [u64; 2] {
        match self.vertex(atom) {
            Some(vertex) => [1, u64::from(colours[vertex as usize])],
            None => [2, u64::from(atom)],
        }
    }

    /// Vertices in their order, and what their entries look like with these numbers.
    fn numbered(&self, colours: &[u32], order: Vec<u32>, symmetries: UBig, form: Form) -> Numbered {
        if form == Form::Unwanted {
            return Numbered { order, form: Vec::new(), symmetries };
        }
        let entries = self.entries_of(&order);
        let mut rank = vec![NO_VERTEX; colours.len()];
        (0..).zip(&order).for_each(|(at, &vertex)| rank[vertex as usize] = at);
        // One row for each entry, one after the other, and then sorted.
        let mut words: Vec<u64> = Vec::with_capacity(8 * entries.len());
        let mut rows: Vec<(usize, usize)> = Vec::with_capacity(entries.len());
        for at in entries {
            let entry = &self.entries.list[at as usize];
            let shape = &self.palette.places[entry.place as usize];
            let start = words.len();
            words.extend([u64::from(entry.place), u64::from(entry.count)]);
            let mut in_bags: Vec<Vec<u64>> = Vec::new();
            for item in items(shape, self.entries.key(entry)) {
                let named = match self.vertex(item.atom()).map(|vertex| rank[vertex as usize]) {
                    Some(rank) if rank != NO_VERTEX => [0, u64::from(rank)],
                    _ => self.named(item.atom(), colours),
                };
                let row = item.role().iter().map(|&word| u64::from(word)).chain(named);
                // The order of those with components does not depend on their numbers.
                if item.components() != 0 { words.extend(row) } else { in_bags.push(row.collect()) }
            }
            in_bags.sort_unstable();
            in_bags.iter().for_each(|row| words.extend(row));
            rows.push((start, words.len()));
        }
        rows.sort_unstable_by(|a, b| words[a.0..a.1].cmp(&words[b.0..b.1]));
        let mut form: Vec<u64> = Vec::with_capacity(words.len() + rows.len() + 2 * order.len());
        for &vertex in &order {
            let at = vertex as usize - self.turned_count;
            form.extend([u64::from(self.atoms[at].0), u64::from(self.atoms[at].1)]);
        }
        for (start, end) in rows {
            form.push((end - start) as u64);
            form.extend_from_slice(&words[start..end]);
        }
        Numbered { order, form, symmetries }
    }
}

/// The vertices of a cell that are to be tried, each with how many it stands for.
fn choices(known: Option<&Known>, cell: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let Some(known) = known else { return cell.iter().map(|&(_, vertex)| (vertex, 1)).collect() };
    let mut orbits = known.group.orbits();
    let mut found: Vec<(u32, u32, Option<u32>)> = Vec::new();
    for &(_, vertex) in cell {
        let orbit = known.point(vertex).map(|point| orbits.find(point));
        match found.iter_mut().find(|one| orbit.is_some() && one.2 == orbit) {
            Some(one) => one.1 += 1,
            None => found.push((vertex, 1, orbit)),
        }
    }
    found.into_iter().map(|(vertex, weight, _)| (vertex, weight)).collect()
}
