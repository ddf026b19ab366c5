//! Several layouts, each tried a little.
//!
//! No order of variables wins everywhere, and what an order is worth shows when it is used. So layouts compete in rounds:
//! each may do a certain amount of work, the same for all; who finishes has won, and who does not may come back in the
//! next round, which has fewer places and more work. Work is counted in nodes, not in seconds, and of several that finish
//! in one round the most promising wins: the result does not depend on the machine, nor on how many of its cores are used.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mandala_diagram::{Cancel, Error};
use mandala_model::system::System;
use mandala_symbolic::encode::Layouts;
use mandala_symbolic::structure::cover::Witness;

use crate::space::{Description, Options, Space, Stopped, attempt};

/// How much work each candidate may do in a round, and how many candidates take part. The one that is left in the end
/// runs without a limit.
const ROUNDS: [(u64, usize); 4] = [(100_000, 32), (600_000, 20), (4_000_000, 8), (20_000_000, 3)];

/// How many candidates run at a time.
const MOST_AT_A_TIME: usize = 2;

/// The round before which it is asked, at length, whether there is an end to find at all.
const DOUBT: usize = 2;

/// Tries layouts, the most promising first. `doubt` finds out whether the system is unbounded.
pub(crate) fn portfolio<'a>(
    system: &'a System, options: &Options, layouts: Vec<(Layouts, Description)>, doubt: &dyn Fn() -> Option<Witness>,
) -> Result<Space<'a>, Stopped<'a>> {
    let mut candidates: Vec<usize> = (0..layouts.len()).collect();
    let mut failure = None;
    for (number, (work, places)) in ROUNDS.into_iter().enumerate() {
        candidates.truncate(places);
        if number == DOUBT
            && let Some(witness) = doubt()
        {
            return Err(Stopped::Unbounded(witness));
        }
        if candidates.is_empty() {
            break;
        }
        let mut found: Vec<(usize, f64)> = Vec::new();
        for (candidate, result) in round(system, options, &layouts, &candidates, work) {
            match result {
                Err(Stopped::Limit { error: Error::Work { .. }, partial }) => {
                    let states = partial.and_then(|partial| partial.count().log10()?.to_f64());
                    found.push((candidate, states.unwrap_or(0.0)));
                }
                Err(stopped @ Stopped::Limit { error: Error::Memory { .. }, .. }) => failure = Some(stopped),
                result => return result,
            }
        }
        candidates = ranked(found);
    }
    match candidates.first() {
        Some(&last) => {
            let (layout, description) = &layouts[last];
            attempt(system, options, layout.clone(), None, description.clone())
        }
        None => Err(failure.unwrap_or(Stopped::Overflow)),
    }
}

/// Candidates by their place before and by how many states they found.
fn ranked(found: Vec<(usize, f64)>) -> Vec<usize> {
    let mut by_states: Vec<usize> = (0..found.len()).collect();
    by_states.sort_by(|&a, &b| found[b].1.total_cmp(&found[a].1));
    let mut places: Vec<(usize, usize)> = (0..found.len()).map(|place| (place, place)).collect();
    for (rank, &place) in by_states.iter().enumerate() {
        places[place].0 += rank;
    }
    places.sort_unstable();
    places.into_iter().map(|(_, place)| found[place].0).collect()
}

/// Runs candidates with a limit on their work: all of them, or those up to the first that does not end at that limit.
fn round<'a>(
    system: &'a System, options: &Options, layouts: &[(Layouts, Description)], candidates: &[usize], work: u64,
) -> Vec<(usize, Result<Space<'a>, Stopped<'a>>)> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_AT_A_TIME).min(candidates.len());
    let cancels: Vec<Cancel> = candidates.iter().map(|_| options.cancel.part()).collect();
    let next = AtomicUsize::new(0);
    let decided = AtomicUsize::new(usize::MAX);
    let results = Mutex::new(Vec::new());
    let run = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= candidates.len() || place > decided.load(Ordering::Relaxed) {
                return;
            }
            let (layout, description) = &layouts[candidates[place]];
            let options = Options {
                cancel: cancels[place].clone(),
                memory: options.memory.map(|bytes| bytes / workers),
                ..options.clone()
            };
            let result = attempt(system, &options, layout.clone(), Some(work), description.clone());
            let goes_on =
                matches!(&result, Err(Stopped::Limit { error: Error::Work { .. } | Error::Memory { .. }, .. }));
            if !goes_on {
                // Those that are less promising are not needed any more.
                decided.fetch_min(place, Ordering::Relaxed);
                cancels[place + 1..].iter().for_each(Cancel::cancel);
            }
            if let Ok(mut results) = results.lock() {
                results.push((place, result));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(run);
        }
        run();
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(place, _)| *place);
    results.retain(|(place, _)| *place <= decided.load(Ordering::Relaxed));
    results.into_iter().map(|(place, result)| (candidates[place], result)).collect()
}
