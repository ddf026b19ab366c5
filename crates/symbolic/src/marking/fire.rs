//! Firing: the marking is split as the binding needs it, and what is taken and put is taken and put.

use super::binding::Firing;
use super::entries::{Entries, Item, Word, items, normalise};
use super::merge::Loose;
use super::palette::{Atom, PlaceShape};
use super::scene::Scene;

/// What is needed to fire, kept from one firing to the next.
#[derive(Debug, Default)]
pub(super) struct Fire {
    /// By atom of the marking that is not fixed: what it was split into.
    children: Vec<Vec<Atom>>,
    /// By atom that is not fixed: how many of its colours the token in the making has.
    used: Vec<u32>,
    key: Vec<Word>,
    scratch: Vec<Word>,
    split: Entries,
    /// The tokens afterwards.
    pub after: Entries,
    /// The atoms afterwards.
    pub atoms: Vec<Loose>,
}

/// A number is too large: the place.
pub(super) struct TooMany(pub u32);

impl Fire {
    /// Makes the marking after a firing.
    pub fn fire(&mut self, marking: &Entries, originals: usize, firing: &Firing<'_, '_>) -> Result<(), TooMany> {
        let scene = firing.scene;
        let first = scene.palette.fixed_count();
        self.children.iter_mut().for_each(Vec::clear);
        self.children.resize(originals.max(self.children.len()), Vec::new());
        for (part, atom) in scene.parts.iter().zip(first..) {
            self.children[(part.parent - first) as usize].push(atom);
        }
        self.used.clear();
        self.used.resize(scene.parts.len(), 0);
        self.split.clear();
        let mut is_sorted = true;
        for (entry, key) in marking.iter() {
            let shape = &scene.palette.places[entry.place as usize];
            let is_split =
                |item: Item<'_>| item.atom().checked_sub(first).is_some_and(|at| self.children[at as usize].len() > 1);
            if items(shape, key).any(is_split) {
                is_sorted = false;
                self.key.clear();
                self.expand(scene, shape, key, entry.place, entry.count);
            } else {
                self.split.push(entry.place, key, entry.count);
            }
        }
        if !is_sorted {
            self.split.sort();
        }
        self.exchange(firing)?;
        self.atoms.clear();
        self.atoms.extend(scene.parts.iter().map(|part| Loose {
            cell: part.cell,
            size: part.size,
            family: part.parent,
            is_touched: false,
        }));
        for (entry, key) in firing.takes.iter().chain(firing.puts.iter()) {
            for item in items(&scene.palette.places[entry.place as usize], key) {
                if let Some(at) = item.atom().checked_sub(first) {
                    self.atoms[at as usize].is_touched = true;
                }
            }
        }
        Ok(())
    }

    /// Adds the orbits that an orbit of tokens becomes when atoms are split.
    fn expand(&mut self, scene: &Scene<'_>, shape: &PlaceShape, rest: &[Word], place: u32, count: u32) {
        let Some((item, rest)) = rest.split_at_checked(shape.stride) else {
            if shape.bags.is_empty() {
                self.split.push(place, &self.key, count);
            } else {
                let mut key = self.key.clone();
                normalise(shape, &mut key, &mut self.scratch);
                self.split.push(place, &key, count);
            }
            return;
        };
        let length = self.key.len();
        let first = scene.palette.fixed_count();
        let Some(at) = item[0].checked_sub(first) else {
            self.key.extend_from_slice(item);
            self.expand(scene, shape, rest, place, count);
            self.key.truncate(length);
            return;
        };
        if shape.bags.is_empty() || item[1] != 0 {
            // One colour: of which part?
            for child in 0..self.children[at as usize].len() {
                let atom = self.children[at as usize][child];
                let part = (atom - first) as usize;
                if self.used[part] < scene.parts[part].size {
                    self.used[part] += 1;
                    self.key.push(atom);
                    self.key.extend_from_slice(&item[1..]);
                    self.expand(scene, shape, rest, place, count);
                    self.key.truncate(length);
                    self.used[part] -= 1;
                }
            }
        } else {
            self.divide(scene, shape, item, 0, item[2], rest, place, count);
        }
    }

    /// Divides some colours of a bag among the parts of their atom.
    #[allow(clippy::too_many_arguments, reason = "the state of a search that goes over items and parts of atoms")]
    fn divide(
        &mut self, scene: &Scene<'_>, shape: &PlaceShape, item: &[Word], child: usize, colours: u32, rest: &[Word],
        place: u32, count: u32,
    ) {
        let first = scene.palette.fixed_count();
        let at = (item[0] - first) as usize;
        let Some(&atom) = self.children[at].get(child) else {
            if colours == 0 {
                self.expand(scene, shape, rest, place, count);
            }
            return;
        };
        let free = |fire: &Fire, atom: Atom| {
            let part = (atom - first) as usize;
            scene.parts[part].size - fire.used[part]
        };
        let later: u64 = self.children[at][child + 1..].iter().map(|&atom| u64::from(free(self, atom))).sum();
        let least = u64::from(colours).saturating_sub(later) as u32;
        let part = (atom - first) as usize;
        for here in least..=colours.min(free(self, atom)) {
            let length = self.key.len();
            if here > 0 {
                self.key.extend([atom, 0, here]);
                self.key.extend_from_slice(&item[3..]);
            }
            self.used[part] += here;
            self.divide(scene, shape, item, child + 1, colours - here, rest, place, count);
            self.used[part] -= here;
            self.key.truncate(length);
        }
    }

    /// Takes and puts.
    fn exchange(&mut self, firing: &Firing<'_, '_>) -> Result<(), TooMany> {
        self.after.clear();
        for (entry, key) in self.split.iter() {
            // What is taken is there.
            let count = entry.count.saturating_sub(firing.takes.count(entry.place, key));
            let put = firing.puts.count(entry.place, key);
            let count = count.checked_add(put).filter(|&count| count <= i32::MAX as u32).ok_or(TooMany(entry.place))?;
            if count > 0 {
                self.after.push(entry.place, key, count);
            }
        }
        let kept = self.after.list.len();
        for (entry, key) in firing.puts.iter() {
            if self.split.count(entry.place, key) == 0 {
                let count = Some(entry.count).filter(|&count| count <= i32::MAX as u32).ok_or(TooMany(entry.place))?;
                self.after.push(entry.place, key, count);
            }
        }
        if self.after.list.len() > kept {
            self.after.sort();
        }
        Ok(())
    }
}
