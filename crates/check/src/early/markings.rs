//! Markings that were met, each with a number.
//!
//! A marking is kept as bytes: for each place that holds tokens how many places were passed over, and how many tokens, both in
//! groups of seven bits. Most places of a large net are empty, and most others hold few tokens.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::limits::Limits;

/// Markings by number, from 0 on.
pub(crate) struct Markings {
    bytes: Vec<u8>,
    /// By number: where its bytes end.
    ends: Vec<usize>,
    /// Open addressing; 0 is free, other entries are a number plus one. At most three quarters are used.
    table: Vec<u32>,
    /// The marking that is looked for.
    wanted: Vec<u8>,
    limits: Limits,
}

/// There is no room for another marking.
pub(crate) struct Full;

/// The table begins with so many entries.
const FIRST: usize = 1 << 10;

impl Markings {
    pub fn new(limits: &Limits) -> Markings {
        let table = vec![0; FIRST];
        Markings { bytes: Vec::new(), ends: Vec::new(), table, wanted: Vec::new(), limits: limits.clone() }
    }

    /// The number of a marking, which is added if it is new.
    pub fn number_of(&mut self, marking: &[i32]) -> Result<u32, Full> {
        self.write(marking);
        let slot = self.slot(&self.wanted);
        if let Some(number) = self.table[slot].checked_sub(1) {
            return Ok(number);
        }
        let number = u32::try_from(self.ends.len()).ok().filter(|number| *number < u32::MAX - 1).ok_or(Full)?;
        self.make_room()?;
        let slot = self.slot(&self.wanted);
        self.table[slot] = number + 1;
        self.bytes.extend_from_slice(&self.wanted);
        self.ends.push(self.bytes.len());
        Ok(number)
    }

    fn write(&mut self, marking: &[i32]) {
        self.wanted.clear();
        let mut passed = 0;
        for &tokens in marking {
            if tokens == 0 {
                passed += 1;
                continue;
            }
            put(&mut self.wanted, passed);
            put(&mut self.wanted, tokens as u32);
            passed = 0;
        }
    }

    /// What a marking holds, by place; places after the last are empty.
    pub fn read(&self, number: u32, marking: &mut [i32]) {
        marking.fill(0);
        let mut bytes = self.get(number).iter();
        let mut place = 0;
        while let Some(passed) = take(&mut bytes) {
            place += passed as usize;
            if let (Some(tokens), Some(holds)) = (take(&mut bytes), marking.get_mut(place)) {
                *holds = tokens as i32;
            }
            place += 1;
        }
    }

    fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        &self.bytes[number.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[number]]
    }

    /// Where a marking is in the table, or where it belongs.
    fn slot(&self, wanted: &[u8]) -> usize {
        let mask = self.table.len() - 1;
        let hash = FxBuildHasher.hash_one(wanted);
        let mut slot = (hash ^ (hash >> 32)) as usize & mask;
        while let Some(number) = self.table[slot].checked_sub(1) {
            if self.get(number) == wanted {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn make_room(&mut self) -> Result<(), Full> {
        let now = (self.bytes.capacity() + self.ends.capacity() * 8 + self.table.len() * 4) as u64;
        if self.bytes.capacity() - self.bytes.len() < self.wanted.len() {
            let more = self.bytes.capacity().max(self.wanted.len()).max(1 << 12);
            // What is copied is there twice for a moment.
            if !self.limits.allow(now, 2 * more as u64) {
                return Err(Full);
            }
            self.bytes.reserve_exact(more + self.bytes.capacity() - self.bytes.len());
        }
        if (self.ends.len() + 1) * 4 > self.table.len() * 3 {
            let size = self.table.len() * 2;
            if !self.limits.allow(now, size as u64 * 4 + self.ends.len() as u64 * 8) {
                return Err(Full);
            }
            self.table = vec![0; size];
            for number in 0..self.ends.len() as u32 {
                let slot = self.slot(self.get(number));
                self.table[slot] = number + 1;
            }
        }
        Ok(())
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u32> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.next()?;
        number |= u32::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    #[test]
    fn markings_are_told_apart() {
        let mut markings = Markings::new(&Limits::default());
        let mut known: FxHashMap<Vec<i32>, u32> = FxHashMap::default();
        let mut random: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut below = |bound: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 33) % bound
        };
        for _ in 0..20_000 {
            let tokens = |below: &mut dyn FnMut(u64) -> u64| match below(8) {
                0 => 1,
                1 => below(300) as i32,
                2 => i32::MAX - below(2) as i32,
                _ => 0,
            };
            let marking: Vec<i32> = (0..4).map(|_| tokens(&mut below)).collect();
            let number = markings.number_of(&marking).unwrap_or_else(|Full| panic!("no limit"));
            let mut again = vec![7; marking.len()];
            markings.read(number, &mut again);
            assert_eq!(marking, again);
            let next = known.len() as u32;
            assert_eq!(*known.entry(marking).or_insert(next), number);
        }
        assert_eq!(known.len(), markings.ends.len());
        let limits = Limits { memory: Some(1 << 14), ..Limits::default() };
        let mut few = Markings::new(&limits);
        assert!((0..100_000).any(|tokens| few.number_of(&[tokens]).is_err()), "memory is limited");
    }
}
