//! The states found so far: all their numbers one after the other, and a hash table of their ids.

use crate::limits::Limits;
use mandala_model::formalism::Formalism;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// The parent of an initial state.
const NONE: u32 = u32::MAX;

pub(crate) struct States {
    records: Records,
    numbers: Vec<i32>,
    /// By id: the state from which it was first reached.
    parents: Vec<u32>,
    /// Open addressing; 0 is free, other entries are an id plus one. At most three quarters are used.
    table: Vec<u32>,
    /// For how many states there is room.
    room: usize,
    limits: Limits,
    most_states: u64,
}

/// Where the numbers of each state are.
enum Records {
    /// All states have so many.
    Fixed(usize),
    /// By id: where they end.
    Any(Vec<usize>),
}

/// What there is too little of for another state.
pub(crate) enum Full {
    Memory,
    States,
}

impl States {
    /// For states of so many numbers; of any number, if they differ in that.
    pub fn new(size: Option<usize>, limits: &Limits) -> States {
        States {
            records: size.map_or_else(|| Records::Any(Vec::new()), Records::Fixed),
            numbers: Vec::new(),
            parents: Vec::new(),
            table: Vec::new(),
            room: 0,
            limits: limits.clone(),
            // Ids plus one must fit into 32 bits, and one id means that there is no parent.
            most_states: limits.states.unwrap_or(u64::MAX).min(u64::from(u32::MAX) - 2),
        }
    }

    pub fn len(&self) -> u32 {
        self.parents.len() as u32
    }

    pub fn get(&self, id: u32) -> &[i32] {
        let id = id as usize;
        match &self.records {
            Records::Fixed(size) => &self.numbers[id * size..(id + 1) * size],
            Records::Any(ends) => &self.numbers[id.checked_sub(1).map_or(0, |before| ends[before])..ends[id]],
        }
    }

    /// A state as its formalism has it.
    pub fn read<F: Formalism>(&self, id: u32) -> F::State {
        F::State::from(self.get(id).to_vec())
    }

    /// The state from which it was first reached, unless it is initial.
    pub fn parent(&self, id: u32) -> Option<u32> {
        Some(self.parents[id as usize]).filter(|&parent| parent != NONE)
    }

    /// The id of a state that is known.
    pub fn find(&self, state: &[i32]) -> Option<u32> {
        if self.table.is_empty() { None } else { self.table[self.slot(state)].checked_sub(1) }
    }

    /// Bytes for all of this.
    pub fn total_bytes(&self) -> u64 {
        match self.records {
            Records::Fixed(_) => self.bytes(self.room),
            Records::Any(_) => (self.others(self.room) + self.numbers.capacity() as u64).saturating_mul(4),
        }
    }

    /// Adds a state. The id it gets if it is new, `None` if it is known.
    pub fn insert(&mut self, state: &[i32], parent: Option<u32>) -> Result<Option<u32>, Full> {
        debug_assert!(!matches!(self.records, Records::Fixed(size) if size != state.len()));
        if !self.table.is_empty() && self.table[self.slot(state)] != 0 {
            return Ok(None);
        }
        let id = self.len();
        if u64::from(id) >= self.most_states {
            return Err(Full::States);
        }
        if id as usize == self.room {
            self.grow()?;
        }
        if self.numbers.capacity() - self.numbers.len() < state.len() {
            self.lengthen(state.len())?;
        }
        let slot = self.slot(state);
        self.table[slot] = id + 1;
        self.numbers.extend_from_slice(state);
        if let Records::Any(ends) = &mut self.records {
            ends.push(self.numbers.len());
        }
        self.parents.push(parent.unwrap_or(NONE));
        Ok(Some(id))
    }

    /// The id of a state, which is added if it is new.
    pub fn number_of(&mut self, state: &[i32], parent: Option<u32>) -> Result<u32, Full> {
        if !self.table.is_empty()
            && let Some(id) = self.table[self.slot(state)].checked_sub(1)
        {
            return Ok(id);
        }
        let id = self.len();
        self.insert(state, parent).map(|new| new.unwrap_or(id))
    }

    /// Where a state is in the table, or where it belongs.
    fn slot(&self, state: &[i32]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = FxBuildHasher.hash_one(state) as usize & mask;
        while let Some(id) = self.table[slot].checked_sub(1) {
            if self.get(id) == state {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Makes room for more states: twice as many, or as the memory allows.
    fn grow(&mut self) -> Result<(), Full> {
        let first = (1 << 16) / self.size().max(64);
        let wishes = [(self.room * 2).max(first), self.room + self.room / 4, self.room + self.room / 16, self.room + 1];
        let now = self.total_bytes();
        let fits = |room: &usize| *room > self.room && self.limits.allow(now, self.bytes(*room).saturating_sub(now));
        let room = wishes.into_iter().find(fits).ok_or(Full::Memory)?;
        let more = room - self.parents.len();
        self.numbers.reserve_exact(more * self.size());
        if let Records::Any(ends) = &mut self.records {
            ends.reserve_exact(more);
        }
        self.parents.reserve_exact(more);
        self.room = room;
        if table_length(room) > self.table.len() {
            // The old one is not needed any more: it must not be there beside the new one.
            self.table = Vec::new();
            self.table = vec![0; table_length(room)];
            for id in 0..self.len() {
                let slot = self.slot(self.get(id));
                self.table[slot] = id + 1;
            }
        }
        Ok(())
    }

    /// Makes room for the numbers of one more state, which is longer than those before it made expect.
    fn lengthen(&mut self, more: usize) -> Result<(), Full> {
        let used = self.numbers.len();
        let now = self.total_bytes();
        let fits = |more: &usize| {
            let bytes = (self.others(self.room) + (used + more) as u64).saturating_mul(4);
            self.limits.allow(now, bytes.saturating_sub(now))
        };
        let wishes = [more.max(used / 2), more.max(used / 16), more];
        let more = wishes.into_iter().find(fits).ok_or(Full::Memory)?;
        self.numbers.reserve_exact(more);
        Ok(())
    }

    /// Numbers per state; where states differ in that, as many as one found so far has on average.
    fn size(&self) -> usize {
        match &self.records {
            Records::Fixed(size) => *size,
            Records::Any(ends) => self.numbers.len().checked_div(ends.len()).unwrap_or(0),
        }
    }

    /// Bytes for so many states.
    fn bytes(&self, room: usize) -> u64 {
        let numbers = match self.records {
            Records::Fixed(size) => (room as u64).saturating_mul(size as u64),
            Records::Any(_) => {
                let more = (room - self.parents.len()) as u64;
                let expected = more.saturating_mul(self.size() as u64).saturating_add(self.numbers.len() as u64);
                expected.max(self.numbers.capacity() as u64)
            }
        };
        numbers.saturating_add(self.others(room)).saturating_mul(4)
    }

    /// What so many states need besides their numbers, in units of four bytes.
    fn others(&self, room: usize) -> u64 {
        // Where a state ends is said with eight bytes.
        let each = if matches!(self.records, Records::Any(_)) { 3 } else { 1 };
        (each * room as u64).saturating_add(table_length(room) as u64)
    }
}

fn table_length(room: usize) -> usize {
    (room + room / 3 + 1).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The states `0`, `0 1`, `0 1 2`, ...
    fn state(number: i32) -> Vec<i32> {
        (0..=number % 97).chain([number]).collect()
    }

    #[test]
    fn states_of_any_length() {
        let mut states = States::new(None, &Limits::default());
        for number in 0..5000 {
            assert!(matches!(states.insert(&state(number), None), Ok(Some(id)) if id == number as u32));
            assert!(matches!(states.insert(&state(number / 2), None), Ok(None)));
        }
        for number in 0..5000 {
            assert_eq!(states.get(number as u32), state(number));
            assert_eq!(states.find(&state(number)), Some(number as u32));
        }
        assert_eq!(states.find(&[]), None);
    }

    #[test]
    fn states_of_any_length_keep_within_the_memory() {
        let limits = Limits { memory: Some(200_000), ..Limits::default() };
        let mut states = States::new(None, &limits);
        let mut number = 0;
        while states.insert(&state(number), None).is_ok() {
            number += 1;
            assert!(states.total_bytes() <= 200_000);
        }
        // A state has fifty numbers on average.
        assert!((600..1000).contains(&number), "{number}");
    }
}
