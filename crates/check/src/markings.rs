//! The symbolic markings of a coloured net, one by one: how many there are, and how many ordinary markings they stand for.

use crate::explicit::Ended;
use crate::explicit::states::{Full, States};
use crate::limits::{Limits, Progress};
use mandala_diagram::Count;
use mandala_model::coloured::property::ColouredNets;
use mandala_model::semantics::{RunError, TransitionSystem};
use mandala_symbolic::marking::{Ordinary, SymbolicNet};

/// Limits are looked at after so many symbolic markings.
const PATIENCE: u32 = 64;

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

/// Finds all symbolic markings of a net. What they stand for is counted only if the net was told apart by its initial marking.
pub fn count(net: &SymbolicNet<'_>, limits: &Limits, progress: &Progress) -> Counted {
    let mut search = Search {
        net,
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
    Counted {
        markings: u64::from(search.states.len()),
        firings: search.firings,
        deadlocks: search.deadlocks,
        ordinary: search.ordinary.total(net).map(Count::from),
        bytes: search.states.total_bytes(),
        ended,
    }
}

struct Search<'s, 'n> {
    net: &'s SymbolicNet<'n>,
    limits: &'s Limits,
    progress: &'s Progress,
    states: States,
    /// Symbolic markings whose firings are known: those before this one.
    explored: u32,
    firings: u64,
    deadlocks: u64,
    ordinary: Ordinary,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<(), Ended<ColouredNets>> {
        let wrong = |error: RunError| Ended::Error { error: Box::new(error), trace: None };
        for state in self.net.initial_states().map_err(wrong)? {
            self.reach(&state, None)?;
        }
        while self.explored < self.states.len() {
            if self.explored.is_multiple_of(PATIENCE) {
                self.limits.check()?;
                self.progress.set_states(u64::from(self.states.len()));
            }
            let state = self.states.get(self.explored).to_vec();
            let mut found: Result<u64, Ended<ColouredNets>> = Ok(0);
            let from = Some(self.explored);
            let net = self.net;
            let visited = net.each_step(&state, &mut |_, after| {
                if let Ok(count) = found {
                    found = self.reach(&after, from).map(|()| count + 1);
                }
            });
            visited.map_err(wrong)?;
            let count = found?;
            self.firings += count;
            self.deadlocks += u64::from(count == 0);
            self.explored += 1;
        }
        Ok(())
    }

    fn reach(&mut self, state: &[i32], parent: Option<u32>) -> Result<(), Ended<ColouredNets>> {
        let new = self.states.insert(state, parent).map_err(|full| match full {
            Full::Memory => Ended::Memory,
            Full::States => Ended::States,
        })?;
        if new.is_some() && self.ordinary.add(self.net, state).is_err() {
            return Err(Ended::Memory);
        }
        Ok(())
    }
}
