//! FORCE (Aloul, Markov and Sakallah, 2003): events pull their variables together.
//!
//! The centre of an event is the mean place of its variables, and each variable moves to the mean of the centres of its
//! events. The variables are sorted by where they want to be, and again, until the sum of the spans of the events no
//! longer shrinks. The result depends on the start: FORCE smooths an order, it does not unfold one.

use super::incidence::{Incidence, by_position, positions};
use super::{Connections, Order, declared::declared};

/// Rounds without a better order after which the search ends.
const PATIENCE: usize = 6;

/// FORCE from the declared order.
pub fn force(connections: &Connections) -> Order {
    force_from(connections, &declared(connections))
}

/// FORCE from a given order: the best order seen, by the sum of spans; the start if nothing is better.
pub fn force_from(connections: &Connections, start: &[u32]) -> Order {
    let incidence = Incidence::whole(connections);
    let mut current = positions(connections.variables, start);
    let mut least = spans(&incidence, &current);
    let mut best = current.clone();
    let mut stale = 0;
    for _ in 0..rounds(&incidence) {
        current = pull(&incidence, &current);
        let sum = spans(&incidence, &current);
        if sum < least {
            stale = 0;
            least = sum;
            best.clone_from(&current);
        } else {
            stale += 1;
            if stale == PATIENCE {
                break;
            }
        }
    }
    by_position(&best)
}

/// A multiple of the logarithm of the number of variables, fewer where a round is long.
fn rounds(incidence: &Incidence) -> usize {
    const WORK: usize = 60_000_000;
    let logarithm = (incidence.variables + 2).ilog2() as usize;
    let round = incidence.events.entries() + 10 * incidence.variables + 1;
    (20 * logarithm).min((WORK / round).max(8))
}

/// One round: where each variable stands after it has moved towards its events.
fn pull(incidence: &Incidence, positions: &[u32]) -> Vec<u32> {
    let place = |variable: u32| u64::from(positions[variable as usize]);
    let centre = |event: &[u32]| event.iter().map(|&one| place(one)).sum::<u64>() as f64 / event.len().max(1) as f64;
    let centres: Vec<f64> = incidence.events.iter().map(centre).collect();
    let wish = |variable: u32| {
        let events = incidence.of_variable.row(variable);
        match events.len() {
            0 => place(variable) as f64,
            count => events.iter().map(|&event| centres[event as usize]).sum::<f64>() / count as f64,
        }
    };
    let mut wishes: Vec<(f64, u32)> = by_position(positions).into_iter().map(|one| (wish(one), one)).collect();
    // A stable sort: variables that want the same place keep their order.
    wishes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut moved = vec![0; positions.len()];
    for (position, (_, variable)) in (0u32..).zip(wishes) {
        moved[variable as usize] = position;
    }
    moved
}

/// The sum over the events of how far apart their variables are.
fn spans(incidence: &Incidence, positions: &[u32]) -> u64 {
    let span = |event: &[u32]| {
        let (least, greatest) = event
            .iter()
            .map(|&one| positions[one as usize])
            .fold((u32::MAX, 0), |(low, high), at| (low.min(at), high.max(at)));
        u64::from(greatest.saturating_sub(least))
    };
    incidence.events.iter().map(span).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::samples;
    use crate::order::score::scores;

    #[test]
    fn never_worse_than_the_start() {
        for seed in 0..100 {
            let connections = samples::random(seed);
            let start = samples::shuffled(connections.variables, seed);
            let before = scores(&connections, &start).sum_of_spans;
            assert!(scores(&connections, &force_from(&connections, &start)).sum_of_spans <= before);
        }
    }

    #[test]
    fn straightens_a_path_that_is_a_little_out_of_order() {
        let connections = samples::path(100);
        let mut start = declared(&connections);
        for pair in start.chunks_mut(3) {
            pair.reverse();
        }
        assert_eq!(scores(&connections, &force_from(&connections, &start)).sum_of_spans, 2 * 99);
    }

    #[test]
    fn brings_partners_together() {
        // Variable i and variable i + 50 share the only event of both.
        let connections = samples::from_sets(100, &(0..50).map(|one| vec![one, one + 50]).collect::<Vec<_>>());
        assert_eq!(scores(&connections, &force(&connections)).sum_of_spans, 100);
    }

    #[test]
    fn shortens_a_shuffled_path() {
        let (connections, _) = samples::hidden_path(200, 5);
        let before = scores(&connections, &declared(&connections)).sum_of_spans;
        assert!(scores(&connections, &force(&connections)).sum_of_spans * 4 < before);
    }
}
