//! Caches of operations: from ids to an id. They lose entries rather than grow without bound.

use super::Bits;

/// A map from `K` numbers to one, two places a pair. The first of the keys is never 0.
///
/// A new entry takes the first place of its pair and moves the older one to the second, so an entry
/// is lost only when two younger ones fell on the same pair.
pub(crate) struct Cache<const K: usize> {
    entries: Vec<Entry<K>>,
    shift: u32,
    /// Entries lost since the cache last grew.
    lost: usize,
    hits: u64,
    misses: u64,
}

#[derive(Clone, Copy)]
pub(crate) struct Entry<const K: usize> {
    pub(crate) key: [u32; K],
    pub(crate) result: u32,
}

impl<const K: usize> Entry<K> {
    const EMPTY: Entry<K> = Entry { key: [0; K], result: 0 };

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.key[0] == 0
    }
}

const SMALLEST: usize = 1 << 11;
const SMALL: usize = 1 << 16;

impl<const K: usize> Cache<K> {
    pub(crate) fn new() -> Cache<K> {
        let entries = vec![Entry::EMPTY; SMALLEST];
        Cache { entries, shift: 64 - SMALLEST.trailing_zeros(), lost: 0, hits: 0, misses: 0 }
    }

    #[inline(always)]
    fn place(&self, key: [u32; K]) -> usize {
        const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut word = u64::from(key[0]) << 32 | u64::from(key[1]);
        for &more in &key[2..] {
            word = word.wrapping_mul(MIX).rotate_left(31) ^ u64::from(more);
        }
        ((word ^ word >> 29).wrapping_mul(MIX) >> self.shift) as usize
    }

    #[inline(always)]
    pub(crate) fn get(&mut self, key: [u32; K]) -> Option<u32> {
        let place = self.place(key);
        for at in [place, place ^ 1] {
            let entry = self.entries[at];
            if entry.key == key {
                self.hits += 1;
                return Some(entry.result);
            }
        }
        self.misses += 1;
        None
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, key: [u32; K], result: u32) {
        let place = self.place(key);
        let older = self.entries[place];
        if !older.is_empty() && older.key != key {
            if !self.entries[place ^ 1].is_empty() {
                self.lost += 1;
            }
            self.entries[place ^ 1] = older;
        }
        self.entries[place] = Entry { key, result };
    }

    /// Whether so many entries were lost that a larger cache would help.
    #[inline(always)]
    pub(crate) fn is_crowded(&self) -> bool {
        self.lost > self.entries.len() / 32
    }

    /// Stops asking for growth until as many entries again are lost.
    pub(crate) fn endure(&mut self) {
        self.lost = 0;
    }

    /// How many bytes the cache has once it has grown.
    pub(crate) fn next_bytes(&self) -> usize {
        (self.entries.len() << self.growth()) * size_of::<Entry<K>>()
    }

    /// How often a growing cache doubles at once: while it is small, twice.
    fn growth(&self) -> u32 {
        if self.entries.len() < SMALL { 2 } else { 1 }
    }

    /// Makes the cache larger, where it is: an allocator that moves pages needs no second copy. `Err` if the system has no
    /// memory.
    pub(crate) fn grow(&mut self) -> Result<(), ()> {
        let growth = self.growth();
        let old = self.entries.len();
        let length = old << growth;
        self.entries.try_reserve_exact(length - old).map_err(|_| ())?;
        self.entries.resize(length, Entry::EMPTY);
        self.shift -= growth;
        // A pair becomes several where its place is in the larger cache: behind all pairs that are still to be moved.
        for first in (0..old).step_by(2).rev() {
            for entry in [first, first + 1].map(|at| std::mem::replace(&mut self.entries[at], Entry::EMPTY)) {
                if !entry.is_empty() {
                    self.put(entry.key, entry.result);
                }
            }
        }
        self.lost = 0;
        Ok(())
    }

    /// Forgets the entries for which `keep` is false.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Entry<K>) -> bool) {
        for entry in &mut self.entries {
            if !entry.is_empty() && !keep(entry) {
                *entry = Entry::EMPTY;
            }
        }
    }

    /// The entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry<K>> + '_ {
        self.entries.iter().filter(|entry| !entry.is_empty())
    }

    /// Forgets everything and the memory with it.
    pub(crate) fn clear(&mut self) {
        let (hits, misses) = (self.hits, self.misses);
        *self = Cache { hits, misses, ..Cache::new() };
    }

    /// Look-ups that found a result.
    pub(crate) fn hits(&self) -> u64 {
        self.hits
    }

    /// Look-ups that did not.
    pub(crate) fn misses(&self) -> u64 {
        self.misses
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<K>>()
    }
}

/// Whether the result and all keys but the first `other` ones are marked.
pub(crate) fn all_marked<const K: usize>(marked: &Bits, other: usize) -> impl Fn(&Entry<K>) -> bool + '_ {
    let alive = |id: u32| marked.contains(id as usize);
    move |entry| alive(entry.result) && entry.key[other..].iter().all(|&id| alive(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_stays_when_the_cache_grows() -> Result<(), ()> {
        let mut cache: Cache<2> = Cache::new();
        let keys = |count: u32| (1..=count).map(|key| [key, key.wrapping_mul(0x9E37_79B9) >> 7]);
        for growth in 0..4 {
            for (key, result) in keys((SMALLEST as u32 / 2) << growth).zip(0..) {
                cache.put(key, result);
            }
            let before: Vec<_> = cache.entries().map(|entry| (entry.key, entry.result)).collect();
            cache.grow()?;
            assert_eq!(cache.entries().count(), before.len());
            for (key, result) in before {
                assert_eq!(cache.get(key), Some(result));
            }
        }
        Ok(())
    }
}
