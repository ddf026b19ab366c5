//! What is counted on the way.

use mandala_group::UBig;

use super::words::{Reader, Writer};

/// What is counted on the way, of one worker or of all.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) states: u64,
    pub(super) transitions: u64,
    pub(super) deadlocks: u64,
    /// How many states the orbits of the states that were expanded have together, where there is symmetry.
    pub(super) ordinary: UBig,
    /// The greatest value of a variable, and the greatest sum, of the states that were expanded.
    pub(super) most: Option<(i32, i64)>,
    /// A state in which nothing can happen: the least one of the first level in which there is one.
    pub(super) dead: Option<(u64, Vec<i32>)>,
    /// The error state, and its level.
    pub(super) error: Option<(u64, Vec<i32>)>,
}

impl Tally {
    #[inline]
    pub(super) fn see(&mut self, most: i32, sum: i64) {
        let (known, all) = self.most.unwrap_or((most, sum));
        self.most = Some((known.max(most), all.max(sum)));
    }

    pub(super) fn see_deadlock(&mut self, level: u64, values: Vec<i32>) {
        least(&mut self.dead, Some((level, values)));
    }

    /// With what another worker has counted.
    pub(super) fn join(&mut self, other: Tally) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.deadlocks += other.deadlocks;
        self.ordinary += other.ordinary;
        if let Some((most, sum)) = other.most {
            self.see(most, sum);
        }
        least(&mut self.dead, other.dead);
        least(&mut self.error, other.error);
    }

    pub(super) fn write(&self, words: &mut Writer) {
        [self.states, self.transitions, self.deadlocks].into_iter().for_each(|number| words.number(number));
        let bytes = self.ordinary.to_le_bytes();
        words.numbers(&bytes.iter().map(|&byte| u64::from(byte)).collect::<Vec<_>>());
        words.number(u64::from(self.most.is_some()));
        let (most, sum) = self.most.unwrap_or_default();
        words.number(most as u32 as u64);
        words.number(sum as u64);
        for state in [&self.dead, &self.error] {
            words.number(state.as_ref().map_or(0, |state| state.0));
            words.values(state.as_ref().map(|state| &state.1[..]));
        }
    }

    pub(super) fn read(words: &mut Reader<'_>) -> Tally {
        let (states, transitions, deadlocks) = (words.number(), words.number(), words.number());
        let bytes: Vec<u8> = words.numbers().into_iter().map(|byte| byte as u8).collect();
        let is_some = words.number() != 0;
        let most = (words.number() as u32 as i32, words.number() as i64);
        let mut state = || {
            let level = words.number();
            words.values().map(|values| (level, values))
        };
        let (dead, error) = (state(), state());
        let ordinary = UBig::from_le_bytes(&bytes);
        Tally { states, transitions, deadlocks, ordinary, most: is_some.then_some(most), dead, error }
    }
}

/// Keeps the less of two, if there are two.
pub(super) fn least<T: Ord>(one: &mut Option<T>, other: Option<T>) {
    if let Some(other) = other
        && one.as_ref().is_none_or(|one| other < *one)
    {
        *one = Some(other);
    }
}
