//! Which of some things equals a given one.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// The numbers of things in a list, by hash: unlike a map, it does not hold the things a second time. Open addressing with
/// linear probing, at most three quarters full.
pub(crate) struct Index {
    places: Vec<u32>,
    used: usize,
}

/// A place that holds no number.
const EMPTY: u32 = u32::MAX;

const SMALLEST: usize = 1 << 6;

impl Index {
    pub(crate) fn new() -> Index {
        Index { places: vec![EMPTY; SMALLEST], used: 0 }
    }

    /// The number of the thing that equals this one.
    pub(crate) fn find<T: Hash + Eq>(&self, things: &[T], thing: &T) -> Option<u32> {
        let mut place = self.first_place(thing);
        loop {
            match self.places[place] {
                EMPTY => return None,
                number if things[number as usize] == *thing => return Some(number),
                _ => place = self.next_place(place),
            }
        }
    }

    /// Adds a thing that is not there yet, by its number.
    pub(crate) fn insert<T: Hash>(&mut self, things: &[T], number: u32) {
        if 4 * (self.used + 1) > 3 * self.places.len() {
            let larger = vec![EMPTY; 2 * self.places.len()];
            let old = std::mem::replace(&mut self.places, larger);
            old.into_iter().filter(|&number| number != EMPTY).for_each(|number| self.put(things, number));
        }
        self.put(things, number);
        self.used += 1;
    }

    fn put<T: Hash>(&mut self, things: &[T], number: u32) {
        let mut place = self.first_place(&things[number as usize]);
        while self.places[place] != EMPTY {
            place = self.next_place(place);
        }
        self.places[place] = number;
    }

    fn first_place<T: Hash>(&self, thing: &T) -> usize {
        FxBuildHasher.hash_one(thing) as usize & (self.places.len() - 1)
    }

    fn next_place(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }

    /// Forgets all numbers.
    pub(crate) fn clear(&mut self) {
        self.places.fill(EMPTY);
        self.used = 0;
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_by_what_they_are() {
        let things: Vec<String> = (0..5_000).map(|number| format!("{}", number * 7919 % 10_007)).collect();
        let mut index = Index::new();
        for number in 0..things.len() as u32 {
            assert_eq!(index.find(&things, &things[number as usize]), None);
            index.insert(&things, number);
        }
        for (number, thing) in things.iter().enumerate() {
            assert_eq!(index.find(&things, &thing.clone()), Some(number as u32));
        }
        assert_eq!(index.find(&things, &"none".to_owned()), None);
        index.clear();
        assert_eq!(index.find(&things, &things[0]), None);
    }
}
