//! States in machine words, each once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// A state.
pub(crate) type Words<const N: usize> = [u64; N];

/// So many states are looked up together.
const BATCH: usize = 32;

/// So many states are in a block of memory.
const BLOCK: usize = 1 << 16;

/// An odd number with no pattern in its bits.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hash of a state: its most significant bits say where in a table it is.
#[inline(always)]
pub(crate) fn hash<const N: usize>(state: &Words<N>) -> u64 {
    state.iter().fold(0u64, |hash, &word| {
        let product = u128::from(hash ^ word) * u128::from(MIX);
        (product >> 64) as u64 ^ product as u64
    })
}

/// A table of zeros in memory that was written to. A page that is only read at first is the one page of zeros that all share, and to
/// write to it later interrupts all other threads.
fn zeros(length: usize) -> Vec<u32> {
    // The compiler must not ask for memory that is zero anyway.
    let mut table = std::hint::black_box(Vec::with_capacity(length));
    table.resize(length, 0);
    table
}

/// Markings in the order in which they were found, each once.
pub(crate) struct StateSet<const N: usize> {
    blocks: Vec<Vec<Words<N>>>,
    pub(crate) count: usize,
    /// Open addressing: 0, or one more than the number of a state.
    table: Vec<u32>,
}

impl<const N: usize> StateSet<N> {
    pub(crate) fn new() -> StateSet<N> {
        StateSet { blocks: Vec::new(), count: 0, table: vec![0; 1 << 12] }
    }

    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> &Words<N> {
        &self.blocks[number / BLOCK][number % BLOCK]
    }

    /// Where in the table to begin to look.
    #[inline(always)]
    fn slot(&self, state: &Words<N>) -> usize {
        (hash(state) >> (u64::BITS - self.table.len().trailing_zeros())) as usize
    }

    /// Adds states. There is room for them in the table.
    pub(crate) fn insert_all(&mut self, states: &[Words<N>]) {
        for batch in states.chunks(BATCH) {
            // Most of the time is spent waiting for memory: for all of a batch at once.
            let mut slots = [0; BATCH];
            let mut numbers = [0; BATCH];
            for (place, state) in batch.iter().enumerate() {
                slots[place] = self.slot(state);
                numbers[place] = self.table[slots[place]];
            }
            let mut seen = 0;
            for &number in numbers[..batch.len()].iter().filter(|number| **number != 0) {
                seen ^= self.get(number as usize - 1)[0];
            }
            std::hint::black_box(seen);
            for (state, slot) in batch.iter().zip(slots) {
                self.insert(state, slot);
            }
        }
    }

    #[inline(always)]
    fn insert(&mut self, state: &Words<N>, mut slot: usize) {
        loop {
            match self.table[slot] {
                0 => break,
                number if self.get(number as usize - 1) == state => return,
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
        if self.count.is_multiple_of(BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        self.blocks[self.count / BLOCK].push(*state);
        self.count += 1;
        self.table[slot] = self.count as u32;
    }

    /// Whether so many more states can have a number.
    pub(crate) fn can_number(&self, more: usize) -> bool {
        self.count + more < u32::MAX as usize
    }

    /// Bytes in use once so many more states are known.
    pub(crate) fn bytes(&self, more: usize) -> usize {
        (self.count + more + BLOCK) * size_of::<Words<N>>() + self.table_for(more) * size_of::<u32>()
    }

    /// How large the table is to be if so many more states are to fit.
    fn table_for(&self, more: usize) -> usize {
        let needed = (self.count + more) / 3 * 4 + 1;
        self.table.len().max(needed.next_power_of_two())
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        let length = self.table_for(more);
        if length == self.table.len() {
            return;
        }
        // The old table is not needed to make the new one.
        self.table = Vec::new();
        self.table = zeros(length);
        for number in 0..self.count {
            let mut slot = self.slot(self.get(number));
            while self.table[slot] != 0 {
                slot = (slot + 1) & (self.table.len() - 1);
            }
            self.table[slot] = number as u32 + 1;
        }
    }

    /// All states, in ascending order: each block is sorted, and then they are merged.
    pub(crate) fn into_ascending(mut self) -> impl Iterator<Item = Words<N>> {
        self.table = Vec::new();
        self.blocks.iter_mut().for_each(|block| block.sort_unstable());
        let blocks = self.blocks;
        let mut next: BinaryHeap<Reverse<(Words<N>, u32, u32)>> =
            (0..).zip(&blocks).map(|(block, states)| Reverse((states[0], block, 1))).collect();
        std::iter::from_fn(move || {
            let mut first = next.peek_mut()?;
            let Reverse((state, block, place)) = *first;
            match blocks[block as usize].get(place as usize) {
                Some(&state) => *first = Reverse((state, block, place + 1)),
                None => {
                    PeekMut::pop(first);
                }
            }
            Some(state)
        })
    }
}
