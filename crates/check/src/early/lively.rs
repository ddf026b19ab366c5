//! Whether transitions can always fire again, without the states.
//!
//! They can where the structure of the net shows it. They cannot if some marking is reached from where no tokens come to what a transition
//! needs, even if none were used up: runs at random look for one.

use mandala_analysis::structure::commoner::{Lively, commoner};
use mandala_model::net::Net;
use mandala_model::property::Question;

use super::board::{Board, Rules};
use super::relaxed::Relaxed;
use super::runs::Random;
use crate::limits::Limits;

/// How many operations it may take to see it in the structure.
const OPERATIONS: u64 = 2_000_000;
/// A run with more steps begins anew.
const LONGEST: u64 = 1 << 14;

/// What is known of groups of transitions of which each shall always have one that can fire again.
pub(crate) struct Again {
    groups: Vec<Vec<u32>>,
    /// Whether the structure was looked at.
    is_seen: bool,
    /// Whether all of them can.
    pub truth: Option<bool>,
    /// A run to a marking after which some group never fires.
    pub run: Option<Vec<u32>>,
}

impl Again {
    /// The groups of a question, if it is one about this.
    pub fn new(net: &Net, question: &Question) -> Option<Again> {
        let Question::Live(groups) = question else { return None };
        let member = |one: &mandala_model::system::Location| {
            (one.path.is_empty() && (one.index as usize) < net.transitions.len()).then_some(one.index)
        };
        let groups = groups.iter().map(|group| group.iter().map(member).collect::<Option<Vec<u32>>>());
        Some(Again { groups: groups.collect::<Option<_>>()?, is_seen: false, truth: None, run: None })
    }

    /// Looks at the structure, once, and then for a run, with so much work. Whether something can always fire is said, if that is seen.
    pub fn look(&mut self, rules: &Rules<'_>, initial: &[i32], work: u64, seed: u64, limits: &Limits) -> bool {
        if self.truth.is_some() {
            return false;
        }
        let mut is_never_dead = false;
        if !std::mem::replace(&mut self.is_seen, true) {
            let lively = commoner(rules.net, initial, OPERATIONS);
            is_never_dead = lively.is_some();
            if lively == Some(Lively::Live) && self.groups.iter().all(|group| !group.is_empty()) {
                self.truth = Some(true);
                return is_never_dead;
            }
        }
        if let Some(run) = self.stuck(rules, work, seed, limits) {
            (self.truth, self.run) = (Some(false), Some(run));
        }
        is_never_dead
    }

    /// A run to a marking after which some group never fires.
    fn stuck(&self, rules: &Rules<'_>, work: u64, seed: u64, limits: &Limits) -> Option<Vec<u32>> {
        let mut random = Random::new(seed);
        let mut relaxed = Relaxed::new(rules.net);
        let mut spent = 0;
        while spent < work {
            let mut board = Board::new(rules);
            let mut run = Vec::new();
            // It is looked more often in the beginning, and there first.
            let mut next_look = 0;
            while (run.len() as u64) < LONGEST {
                if run.len() == next_look {
                    next_look = (2 * next_look).max(1);
                    relaxed.work = 0;
                    relaxed.spread(&board);
                    spent += relaxed.work;
                    if self.groups.iter().any(|group| group.iter().all(|&one| relaxed.never_fires(one))) {
                        return Some(run);
                    }
                    if spent + board.work > work || limits.check().is_err() {
                        break;
                    }
                }
                if board.enabled.is_empty() {
                    return (!self.groups.is_empty()).then_some(run);
                }
                let transition = board.enabled[random.below(board.enabled.len())];
                if board.fire(transition, None).is_err() {
                    return None;
                }
                run.push(transition);
            }
            spent += board.work + 1;
            if limits.check().is_err() {
                return None;
            }
        }
        None
    }
}
