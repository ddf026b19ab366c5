//! Whether a marking that meets a condition is reached: those first that seem nearest to it.
//!
//! Each marking has the distance of the one it was found from, and its own is worked out when it is its turn; what is found by a
//! transition that seems to help comes first (Helmert, "The Fast Downward planning system", 2006). Where nothing is left, no
//! marking meets the condition.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::board::Board;
use super::goals::Condition;
use super::markings::Markings;
use super::relaxed::{NEVER, Relaxed};
use super::runs::Random;
use crate::limits::Limits;

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A run to a marking that meets the condition.
    Met(Vec<u32>),
    /// No marking does.
    Never,
    /// The work was done before.
    Unknown,
    /// A place came to hold more tokens than can be counted.
    Overflow,
}

/// Where more transitions than this can fire, not all of them are followed.
const MANY: usize = 48;
/// Those that help are, and so many others.
const SOME: usize = 12;

/// How a marking was found: from which one, and by which transition.
#[derive(Clone, Copy)]
struct Origin {
    from: u32,
    transition: u32,
}

/// A search for a condition.
pub(crate) struct Search<'r, 'n, 's> {
    board: Board<'r, 'n>,
    condition: &'s Condition,
    relaxed: &'s mut Relaxed<'n>,
    markings: Markings,
    origins: Vec<Origin>,
    queue: BinaryHeap<Reverse<(u64, u32, u32)>>,
    random: Random,
    /// Whether transitions were not followed.
    is_partial: bool,
}

impl<'r, 'n, 's> Search<'r, 'n, 's> {
    /// A search from a marking.
    pub fn new(
        board: Board<'r, 'n>, condition: &'s Condition, relaxed: &'s mut Relaxed<'n>, seed: u64, limits: &Limits,
    ) -> Search<'r, 'n, 's> {
        Search {
            board,
            condition,
            relaxed,
            markings: Markings::new(&limits.with_memory_divided_by(4)),
            origins: Vec::new(),
            queue: BinaryHeap::new(),
            random: Random::new(seed),
            is_partial: false,
        }
    }

    /// Searches with so much work.
    pub fn run(mut self, work: u64, limits: &Limits) -> Outcome {
        (self.board.work, self.relaxed.work) = (0, 0);
        let outcome = self.search(work, limits);
        self.relaxed.work += self.board.work;
        outcome
    }

    fn search(&mut self, work: u64, limits: &Limits) -> Outcome {
        if self.board.holds(self.condition) {
            return Outcome::Met(Vec::new());
        }
        let Ok(start) = self.markings.number_of(&self.board.marking) else { return Outcome::Unknown };
        self.origins.push(Origin { from: start, transition: 0 });
        self.queue.push(Reverse((0, 0, start)));
        let mut marking = self.board.marking.clone();
        while let Some(Reverse((_, _, number))) = self.queue.pop() {
            if self.board.work + self.relaxed.work >= work || limits.check().is_err() {
                return Outcome::Unknown;
            }
            self.markings.read(number, &mut marking);
            self.board.go_to(&marking);
            let distance = self.relaxed.distance(&self.board, self.condition);
            if distance == NEVER {
                continue;
            }
            if let Some(outcome) = self.expand(number, distance) {
                return outcome;
            }
        }
        if self.is_partial { Outcome::Unknown } else { Outcome::Never }
    }

    /// Finds what comes after a marking; what was found if the search is over.
    fn expand(&mut self, number: u32, distance: u64) -> Option<Outcome> {
        let mut undo = Vec::new();
        for (transition, is_helpful) in self.followed() {
            if self.board.fire(transition, Some(&mut undo)).is_err() {
                return Some(Outcome::Overflow);
            }
            self.board.work += self.board.marking.len() as u64 / 8 + 1;
            let Ok(next) = self.markings.number_of(&self.board.marking) else { return Some(Outcome::Unknown) };
            if next as usize == self.origins.len() {
                self.origins.push(Origin { from: number, transition });
                if self.board.holds(self.condition) {
                    return Some(Outcome::Met(self.run_to(next)));
                }
                let key = distance.saturating_mul(2) + u64::from(!is_helpful);
                let any = self.random.below(1 << 20) as u32;
                self.queue.push(Reverse((key, any, next)));
            }
            self.board.undo(&mut undo);
        }
        None
    }

    /// The transitions that are followed from here, and whether they seem to help.
    fn followed(&mut self) -> Vec<(u32, bool)> {
        let helpful = &self.relaxed.helpful;
        let with_help = |&one: &u32| (one, helpful.binary_search(&one).is_ok());
        let enabled = &self.board.enabled;
        if enabled.len() <= MANY {
            return enabled.iter().map(with_help).collect();
        }
        self.is_partial = true;
        let mut followed: Vec<(u32, bool)> = enabled.iter().map(with_help).filter(|one| one.1).collect();
        for _ in 0..SOME {
            followed.push((enabled[self.random.below(enabled.len())], false));
        }
        followed
    }

    /// The transitions that lead to a marking.
    fn run_to(&self, mut number: u32) -> Vec<u32> {
        let mut run = Vec::new();
        while number != 0 {
            let origin = self.origins[number as usize];
            run.push(origin.transition);
            number = origin.from;
        }
        run.reverse();
        run
    }
}
