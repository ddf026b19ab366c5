//! Caches of operations: from two ids to a third. They lose entries rather than grow without bound.

use super::Bits;

/// A map from pairs of numbers to a number, two places a pair. The first key is never 0.
///
/// A new entry takes the first place of its pair and moves the older one to the second, so an entry
/// is lost only when two younger ones fell on the same pair.
pub(crate) struct Cache {
    entries: Vec<[u32; 3]>,
    shift: u32,
    /// Entries lost since the cache last grew.
    lost: usize,
    /// Look-ups that found something, and those that did not.
    hits: u64,
    misses: u64,
}

const SMALLEST: usize = 1 << 11;

impl Cache {
    pub(crate) fn new() -> Cache {
        Cache { entries: vec![[0; 3]; SMALLEST], shift: 64 - SMALLEST.trailing_zeros(), lost: 0, hits: 0, misses: 0 }
    }

    #[inline(always)]
    fn place(&self, a: u32, b: u32) -> usize {
        let key = u64::from(a) << 32 | u64::from(b);
        let mixed = (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> self.shift) as usize
    }

    #[inline(always)]
    pub(crate) fn get(&mut self, a: u32, b: u32) -> Option<u32> {
        let place = self.place(a, b);
        let first = self.entries[place];
        if first[0] == a && first[1] == b {
            self.hits += 1;
            return Some(first[2]);
        }
        let second = self.entries[place ^ 1];
        if second[0] == a && second[1] == b {
            self.hits += 1;
            return Some(second[2]);
        }
        self.misses += 1;
        None
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, a: u32, b: u32, result: u32) {
        let place = self.place(a, b);
        let older = self.entries[place];
        if older[0] != 0 && (older[0] != a || older[1] != b) {
            if self.entries[place ^ 1][0] != 0 {
                self.lost += 1;
            }
            self.entries[place ^ 1] = older;
        }
        self.entries[place] = [a, b, result];
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

    /// Doubles the cache. `Err` if the system has no memory.
    pub(crate) fn grow(&mut self) -> Result<(), ()> {
        let mut entries: Vec<[u32; 3]> = Vec::new();
        entries.try_reserve_exact(self.entries.len() * 2).map_err(|_| ())?;
        entries.resize(self.entries.len() * 2, [0; 3]);
        let old = std::mem::replace(&mut self.entries, entries);
        self.shift -= 1;
        for entry in old {
            if entry[0] != 0 {
                self.put(entry[0], entry[1], entry[2]);
            }
        }
        self.lost = 0;
        Ok(())
    }

    /// Forgets the entries for which `keep` is false.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32, u32, u32) -> bool) {
        for entry in &mut self.entries {
            if entry[0] != 0 && !keep(entry[0], entry[1], entry[2]) {
                *entry = [0; 3];
            }
        }
    }

    /// The entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.entries.iter().copied().filter(|entry| entry[0] != 0)
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
        self.entries.capacity() * size_of::<[u32; 3]>()
    }
}

/// Whether all three ids are marked: the condition under which an entry of two diagrams survives.
pub(crate) fn all_marked(marked: &Bits) -> impl Fn(u32, u32, u32) -> bool + '_ {
    |a, b, result| marked.contains(a as usize) && marked.contains(b as usize) && marked.contains(result as usize)
}
