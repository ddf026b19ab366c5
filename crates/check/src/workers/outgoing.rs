//! States on the way to their owners: sorted into letters, and most of those that were sent a moment ago left out.

use crate::explore::enumerate::state_set::{Words, hash};

use super::arena::owner;

/// So many states that were sent before are remembered, not to be sent again.
const REMEMBERED: usize = 1 << 13;

/// States that are to go to the workers, one bag for each.
pub(super) struct Outgoing<const N: usize> {
    bags: Vec<Bag<N>>,
    /// Some of the states that went last, each at the place that its hash says.
    recent: Vec<Words<N>>,
}

/// States for one worker.
#[derive(Clone, Default)]
struct Bag<const N: usize> {
    /// The first of these;
    states: Vec<Words<N>>,
    /// so many of them.
    filled: usize,
}

impl<const N: usize> Outgoing<N> {
    /// Nothing yet for any of the workers.
    pub(super) fn new(workers: usize) -> Outgoing<N> {
        let mut recent = vec![[0; N]; if workers > 1 { REMEMBERED } else { 0 }];
        // What is at a place at first must not be a state that belongs there: it would be taken for one that was sent.
        let zero = place(hash(&[0; N]));
        let elsewhere = (1..).map(|word| [word; N]).find(|state: &Words<N>| place(hash(state)) != zero);
        if let (Some(first), Some(elsewhere)) = (recent.get_mut(zero), elsewhere) {
            *first = elsewhere;
        }
        Outgoing { bags: vec![Bag::default(); workers], recent }
    }

    /// Puts each state into the bag of its owner, but for those that were sent a moment ago.
    pub(super) fn sort(&mut self, states: &[Words<N>]) {
        let workers = self.bags.len();
        self.bags.iter_mut().for_each(|bag| bag.make_room(states.len()));
        for state in states {
            let hash = hash(state);
            let remembered = &mut self.recent[place(hash)];
            let is_new = *remembered != *state;
            *remembered = *state;
            // It is put there in any case, and counts or not: a branch would be mispredicted every other time.
            let bag = &mut self.bags[owner(hash, workers)];
            bag.states[bag.filled] = *state;
            bag.filled += usize::from(is_new);
        }
    }

    /// The states for a worker.
    pub(super) fn of(&self, worker: usize) -> &[Words<N>] {
        let bag = &self.bags[worker];
        &bag.states[..bag.filled]
    }

    /// Forgets them.
    pub(super) fn clear(&mut self, worker: usize) {
        self.bags[worker].filled = 0;
    }

    /// Takes them out, as words.
    pub(super) fn take(&mut self, worker: usize) -> Vec<u64> {
        let Bag { mut states, filled } = std::mem::take(&mut self.bags[worker]);
        states.truncate(filled);
        states.into_flattened()
    }
}

impl<const N: usize> Bag<N> {
    fn make_room(&mut self, more: usize) {
        if self.states.len() < self.filled + more {
            self.states.resize(self.filled + more, [0; N]);
        }
    }
}

/// Where a state with this hash is remembered.
#[inline(always)]
fn place(hash: u64) -> usize {
    hash as usize % REMEMBERED
}
