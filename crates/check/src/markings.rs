//! The symbolic markings of a coloured net, one by one: how many there are, and how many ordinary markings they stand for.
//!
//! Several workers fire from the markings of a batch, and one after the other what they reached is kept, in the order of the
//! markings it was reached from: what is found, and its order, does not depend on how many they are.

use crate::explicit::Ended;
use crate::explicit::states::{Full, States};
use crate::limits::{Limits, Progress};
use mandala_diagram::Count;
use mandala_model::coloured::property::ColouredNets;
use mandala_model::semantics::{RunError, TransitionSystem};
use mandala_symbolic::marking::{Ordinary, SymbolicNet, Weight};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// So many symbolic markings are a batch at most, and so few are not worth a worker.
const BATCH: u32 = 2048;
const FEW: u32 = 32;

/// When so many numbers of markings wait to be kept, the batch ends. (That there are more than that is by one marking of each
/// worker at most.)
const MOST_WAITING: usize = 1 << 20;

/// How long the ordinary markings of what was found are counted, if a limit ended the search.
const A_MOMENT: Duration = Duration::from_millis(200);

/// What was found. If the search did not end with [`Ended::Complete`], all of it is about what was found so far.
#[derive(Clone, Debug)]
pub struct Counted {
    /// How many symbolic markings there are.
    pub markings: u64,
    /// How many symbolic firings.
    pub firings: u64,
    /// In how many symbolic markings nothing can happen.
    pub deadlocks: u64,
    /// How many ordinary markings they stand for, if the numbers are not too large.
    pub ordinary: Option<Count>,
    /// Bytes for the symbolic markings.
    pub bytes: u64,
    /// Why the search ended.
    pub ended: Ended<ColouredNets>,
}

/// Finds all symbolic markings of a net, with so many workers. What they stand for is counted only if the net was told apart by
/// its initial marking.
pub fn count(net: &SymbolicNet<'_>, workers: usize, limits: &Limits, progress: &Progress) -> Counted {
    let mut search = Search {
        net,
        workers: workers.max(1),
        limits,
        progress,
        states: States::new(None, limits),
        explored: 0,
        firings: 0,
        deadlocks: 0,
        ordinary: Ordinary::default(),
    };
    let ended = match search.run() {
        Ok(()) => Ended::Complete,
        Err(ended) => ended,
    };
    let (ordinary, ended) = search.ordinary(ended);
    Counted {
        markings: u64::from(search.states.len()),
        firings: search.firings,
        deadlocks: search.deadlocks,
        ordinary,
        bytes: search.states.total_bytes(),
        ended,
    }
}

struct Search<'s, 'n> {
    net: &'s SymbolicNet<'n>,
    workers: usize,
    limits: &'s Limits,
    progress: &'s Progress,
    states: States,
    /// Symbolic markings whose firings are known: those before this one.
    explored: u32,
    firings: u64,
    deadlocks: u64,
    ordinary: Ordinary,
}

/// What a worker found for one symbolic marking.
struct Expanded {
    marking: u32,
    firings: u64,
    /// What was not known before the batch.
    new: Vec<(Vec<i32>, Weight)>,
    ended: Option<Ended<ColouredNets>>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<(), Ended<ColouredNets>> {
        for state in self.net.initial_states().map_err(wrong)? {
            if self.insert(&state, None)? && self.ordinary.add_state(self.net, &state).is_err() {
                return Err(Ended::Memory);
            }
        }
        while self.explored < self.states.len() {
            self.limits.check()?;
            self.progress.set_states(u64::from(self.states.len()));
            let end = self.states.len().min(self.explored.saturating_add(BATCH));
            for expanded in self.expand(end) {
                self.keep(expanded)?;
            }
        }
        Ok(())
    }

    /// Fires from symbolic markings from the next one on, as far as that goes: at least from one.
    fn expand(&self, end: u32) -> Vec<Expanded> {
        let (next, waiting) = (AtomicU32::new(self.explored), AtomicUsize::new(0));
        let work = || {
            let mut found = Vec::new();
            while waiting.load(Ordering::Relaxed) < MOST_WAITING {
                let marking = next.fetch_add(1, Ordering::Relaxed);
                if marking >= end {
                    break;
                }
                let expanded = self.fire(marking);
                waiting.fetch_add(expanded.new.iter().map(|one| one.0.len()).sum(), Ordering::Relaxed);
                let is_over = expanded.ended.is_some();
                found.push(expanded);
                if is_over {
                    next.store(end, Ordering::Relaxed);
                }
            }
            found
        };
        let others = ((end - self.explored) / FEW).min(self.workers as u32 - 1);
        let mut found = thread::scope(|scope| {
            let handles: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
            let mut found = work();
            for handle in handles {
                found.extend(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            found
        });
        // Each worker has ended what it began: all from the first one on are there.
        found.sort_unstable_by_key(|one| one.marking);
        found
    }

    /// Fires from one symbolic marking.
    fn fire(&self, marking: u32) -> Expanded {
        let mut expanded = Expanded { marking, firings: 0, new: Vec::new(), ended: None };
        if let Err(error) = self.limits.check() {
            expanded.ended = Some(error.into());
            return expanded;
        }
        let state = self.states.get(marking).to_vec();
        let visited = self.net.each_step(&state, &mut |reached| {
            expanded.firings += 1;
            if self.states.find(&reached.state).is_none() {
                let weight = reached.weight();
                expanded.new.push((reached.state, weight));
            }
        });
        expanded.ended = visited.err().map(wrong);
        expanded
    }

    /// Keeps what was found for the next symbolic marking.
    fn keep(&mut self, expanded: Expanded) -> Result<(), Ended<ColouredNets>> {
        for (state, weight) in expanded.new {
            if self.insert(&state, Some(expanded.marking))? {
                self.ordinary.add(weight);
            }
        }
        if let Some(ended) = expanded.ended {
            return Err(ended);
        }
        self.firings += expanded.firings;
        self.deadlocks += u64::from(expanded.firings == 0);
        self.explored += 1;
        Ok(())
    }

    /// Keeps a symbolic marking: whether it is new.
    fn insert(&mut self, state: &[i32], parent: Option<u32>) -> Result<bool, Ended<ColouredNets>> {
        let new = self.states.insert(state, parent).map_err(|full| match full {
            Full::Memory => Ended::Memory,
            Full::States => Ended::States,
        })?;
        Ok(new.is_some())
    }

    /// How many ordinary markings there are, and why that is not all: counting them may meet a limit as well.
    fn ordinary(&self, ended: Ended<ColouredNets>) -> (Option<Count>, Ended<ColouredNets>) {
        let begun = Instant::now();
        let go_on = || match ended {
            Ended::Complete => self.limits.check().is_ok(),
            _ => begun.elapsed() < A_MOMENT,
        };
        let ordinary = self.ordinary.total(self.net, &go_on).map(Count::from);
        let struck = if ordinary.is_none() { self.limits.check().err() } else { None };
        match (struck, &ended) {
            (Some(error), Ended::Complete) => (None, error.into()),
            _ => (ordinary, ended),
        }
    }
}

fn wrong(error: RunError) -> Ended<ColouredNets> {
    Ended::Error { error: Box::new(error), trace: None }
}
