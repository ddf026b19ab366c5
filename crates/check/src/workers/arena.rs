//! The states that one worker owns, level by level.

use crate::explore::enumerate::state_set::{StateSet, Words};
use crate::limits::Limits;

use super::post::Intake;

/// The states that a worker owns: each once, in the order in which they were found, which is that of their levels.
pub(super) struct Arena<const N: usize> {
    pub(super) states: StateSet<N>,
    /// Where each level begins.
    begins: Vec<usize>,
    limits: Limits,
    /// The level of the states that are sent in the first round.
    first: u64,
    /// Whether states were turned away, because there is no memory for them.
    pub(super) is_full: bool,
}

/// Which of the workers owns a state with this hash.
#[inline(always)]
pub(super) fn owner(hash: u64, workers: usize) -> usize {
    // The table of a worker goes by the most significant bits.
    (((hash & 0xffff_ffff) * workers as u64) >> 32) as usize
}

impl<const N: usize> Arena<N> {
    /// With no states, and the share of a worker of what is allowed.
    pub(super) fn new(limits: &Limits, workers: usize) -> Arena<N> {
        let limits = limits.with_memory_divided_by(workers);
        Arena { states: StateSet::new(), begins: vec![0], limits, first: 0, is_full: false }
    }

    /// Where the states of a level are.
    pub(super) fn level(&self, level: u64) -> std::ops::Range<usize> {
        let begin = |level: u64| self.begins.get(level as usize).copied().unwrap_or(self.states.count);
        begin(level)..begin(level + 1)
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.states.count
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.states.bytes(0)
    }

    /// States of a round are of this level and later ones.
    pub(super) fn count_levels_from(&mut self, level: u64, round: u64) {
        self.first = level.wrapping_sub(round);
    }

    /// Adds states of a level, which is the last one so far or the next. `false` if there is no room for them.
    pub(super) fn add(&mut self, level: u64, states: &[Words<N>]) -> bool {
        while (self.begins.len() as u64) <= level {
            self.begins.push(self.states.count);
        }
        let (used, needed) = (self.states.bytes(0), self.states.bytes(states.len()));
        if self.is_full
            || !self.limits.allow(used as u64, (needed - used) as u64)
            || !self.states.can_number(states.len())
        {
            self.is_full = true;
            return false;
        }
        self.states.reserve(states.len());
        self.states.insert_all(states);
        true
    }
}

impl<const N: usize> Intake for Arena<N> {
    fn take_in(&mut self, round: u64, words: &[u64]) -> bool {
        let (states, _) = words.as_chunks::<N>();
        self.add(self.first.wrapping_add(round), states)
    }
}
