//! Measures of an order that need no diagram.
//!
//! The place of a variable is its distance from the top; top and bottom of an event are the least and the greatest place
//! of its variables. Two variables are neighbours if they share an event. Smaller is better throughout, and none of the
//! measures is right always: the size of a diagram depends on values, which none of them sees.

use super::Connections;
use super::ahead::inversions;
use super::incidence::{Incidence, positions};
use rustc_hash::FxHashSet;

/// What the measures say of an order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// The sum over the events of how many variables there are from top to bottom (SOS).
    pub sum_of_spans: u64,
    /// The sum over the events of the height of the top, counted from the bottom of the diagram (SOT): saturation fires
    /// events low down most cheaply.
    pub sum_of_tops: u64,
    /// The sum of unique and productive spans, after Smith and Ciardo (SOUPS): what events have in common at the bottom
    /// counts once, and what is below the lowest variable that an event changes does not count.
    pub unique_spans: u64,
    /// The greatest distance between neighbours.
    pub bandwidth: u64,
    /// The sum over the variables of the distance to the highest neighbour above.
    pub profile: u64,
    /// The greatest wavefront: of a place, the variables at it or below it that have a neighbour at it or above it, the
    /// variable at the place included.
    pub max_wavefront: u64,
    /// The mean wavefront.
    pub mean_wavefront: f64,
    /// The greatest cut: between two places, the variables above that have neighbours below, or the variables below
    /// that have neighbours above, whichever are fewer. What must be remembered at that level is a function of either.
    pub max_cut: u64,
    /// The mean cut.
    pub mean_cut: f64,
    /// One, and for each variable of a program that comes after one that it should precede the weight of that wish.
    pub inversions: f64,
}

/// Measures an order, in nearly linear time.
pub fn scores(connections: &Connections, order: &[u32]) -> Scores {
    let incidence = Incidence::whole(connections);
    let places = positions(incidence.variables, order);
    let mut scores = Scores { unique_spans: unique_spans(connections, &places), ..Scores::default() };
    // How far up and down each variable sees: the highest top and the lowest bottom of its events.
    let mut highest = places.clone();
    let mut lowest = places.clone();
    for event in incidence.events.iter() {
        let at = || event.iter().map(|&variable| places[variable as usize]);
        let (Some(top), Some(bottom)) = (at().min(), at().max()) else { continue };
        scores.sum_of_spans += u64::from(bottom - top) + 1;
        scores.sum_of_tops += incidence.variables as u64 - u64::from(top);
        scores.bandwidth = scores.bandwidth.max(u64::from(bottom - top));
        for &variable in event {
            let at = variable as usize;
            highest[at] = highest[at].min(top);
            lowest[at] = lowest[at].max(bottom);
        }
    }
    fronts(&mut scores, &places, &highest, &lowest);
    scores.inversions = 1.0 + inversions(&connections.wishes, &places);
    scores
}

/// Profile, wavefronts and cuts.
fn fronts(scores: &mut Scores, places: &[u32], highest: &[u32], lowest: &[u32]) {
    let count = places.len();
    let below = overlaps(count, highest.iter().zip(places));
    let above = overlaps(count, places.iter().zip(lowest));
    let mut wavefronts = 0;
    let mut cuts = 0;
    for (&above, &below) in above.iter().zip(&below) {
        // All who wait below, and the variable at the place itself.
        let wavefront = below + 1;
        let cut = above.min(below);
        wavefronts += wavefront;
        cuts += cut;
        scores.max_wavefront = scores.max_wavefront.max(wavefront);
        scores.max_cut = scores.max_cut.max(cut);
    }
    scores.profile = places.iter().zip(highest).map(|(place, highest)| u64::from(place - highest)).sum();
    scores.mean_wavefront = wavefronts as f64 / count.max(1) as f64;
    scores.mean_cut = cuts as f64 / count.saturating_sub(1).max(1) as f64;
}

/// For each place, how many of the intervals, each without its end, it is in.
fn overlaps<'a>(count: usize, intervals: impl Iterator<Item = (&'a u32, &'a u32)>) -> Vec<u64> {
    let mut changes = vec![0i64; count + 1];
    for (&begin, &end) in intervals {
        changes[begin as usize] += 1;
        changes[end as usize] -= 1;
    }
    let mut inside = 0;
    let mut overlaps = Vec::with_capacity(count);
    for change in changes.iter().take(count) {
        inside += change;
        overlaps.push(inside as u64);
    }
    overlaps
}

const TAKES: u8 = 1;
const PUTS: u8 = 2;
const READS: u8 = 4;

/// What an event does from the bottom up is a path in a tree that the events share; the sum of the lengths of its
/// edges. Events that do the same kind of thing to the same variables count as equal.
fn unique_spans(connections: &Connections, places: &[u32]) -> u64 {
    let mut steps: FxHashSet<(u64, u32, u8)> = FxHashSet::default();
    let mut sum = 0;
    let mut path: Vec<(u32, u8)> = Vec::new();
    for event in &connections.events {
        path.clear();
        for (list, kind) in [(&event.takes, TAKES), (&event.puts, PUTS), (&event.reads, READS)] {
            path.extend(list.iter().filter_map(|&variable| Some((*places.get(variable as usize)?, kind))));
        }
        path.sort_unstable_by(|one, other| other.cmp(one));
        path.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 |= if same { next.1 } else { 0 };
            same
        });
        // A path is known by a hash of what is below; two paths are taken for one another about never.
        let mut below = 0u64;
        let mut from = None;
        for &(place, kind) in path.iter().skip_while(|(_, kind)| *kind == READS) {
            if steps.insert((below, place, kind)) {
                sum += from.map_or(1, |from: u32| u64::from(from - place));
            }
            below = mix(below, place, kind);
            from = Some(place);
        }
    }
    sum
}

fn mix(below: u64, place: u32, kind: u8) -> u64 {
    let step = (u64::from(place) << 3 | u64::from(kind)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (below ^ step).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::{Event, samples};
    use std::collections::BTreeSet;

    /// All measures as they are defined, place by place and pair by pair.
    fn naive(connections: &Connections, order: &[u32]) -> Scores {
        let count = connections.variables;
        let place = |variable: u32| order.iter().position(|&one| one == variable).unwrap_or(count);
        let sets: Vec<BTreeSet<usize>> = connections
            .events
            .iter()
            .map(|event| {
                [&event.takes, &event.puts, &event.reads].into_iter().flatten().map(|&one| place(one)).collect()
            })
            .collect();
        let near = |one: usize, other: usize| sets.iter().any(|set| set.contains(&one) && set.contains(&other));
        let mut scores = Scores::default();
        for set in &sets {
            if let (Some(top), Some(bottom)) = (set.first(), set.last()) {
                scores.sum_of_spans += (bottom - top + 1) as u64;
                scores.sum_of_tops += (count - top) as u64;
            }
        }
        let (mut wavefronts, mut cuts) = (0, 0);
        for at in 0..count {
            for other in 0..at {
                if near(at, other) {
                    scores.bandwidth = scores.bandwidth.max((at - other) as u64);
                }
            }
            scores.profile += (0..at).find(|&other| near(at, other)).map_or(0, |other| (at - other) as u64);
            let wavefront = (at..count).filter(|&low| low == at || (0..=at).any(|high| near(low, high))).count() as u64;
            let below = (at + 1..count).filter(|&low| (0..=at).any(|high| near(low, high))).count() as u64;
            let above = (0..=at).filter(|&high| (at + 1..count).any(|low| near(low, high))).count() as u64;
            wavefronts += wavefront;
            cuts += above.min(below);
            scores.max_wavefront = scores.max_wavefront.max(wavefront);
            scores.max_cut = scores.max_cut.max(above.min(below));
        }
        scores.mean_wavefront = wavefronts as f64 / count.max(1) as f64;
        scores.mean_cut = cuts as f64 / count.saturating_sub(1).max(1) as f64;
        scores.unique_spans = naive_unique(connections, order);
        // The samples wish for nothing.
        scores.inversions = 1.0;
        scores
    }

    /// Distinct bottom parts of events, each counted by the length of its uppermost step.
    fn naive_unique(connections: &Connections, order: &[u32]) -> u64 {
        let mut parts: BTreeSet<Vec<(usize, [bool; 3])>> = BTreeSet::new();
        for event in &connections.events {
            let mut path = Vec::new();
            for (place, variable) in order.iter().enumerate().rev() {
                let kinds = [&event.takes, &event.puts, &event.reads].map(|list| list.contains(variable));
                let productive = kinds[0] || kinds[1];
                if productive || (kinds[2] && !path.is_empty()) {
                    path.push((place, kinds));
                    parts.insert(path.clone());
                }
            }
        }
        let step = |part: &Vec<(usize, [bool; 3])>| match part.as_slice() {
            [.., below, last] => (below.0 - last.0) as u64,
            _ => 1,
        };
        parts.iter().map(step).sum()
    }

    #[test]
    fn as_defined() {
        for seed in 0..300 {
            let connections = samples::random(seed);
            let order = samples::shuffled(connections.variables, seed + 1000);
            assert_eq!(scores(&connections, &order), naive(&connections, &order), "seed {seed}");
        }
    }

    #[test]
    fn of_a_path() {
        let connections = samples::path(10);
        let order: Vec<u32> = (0..10).collect();
        let scores = scores(&connections, &order);
        assert_eq!((scores.sum_of_spans, scores.bandwidth, scores.profile), (18, 1, 9));
        assert_eq!((scores.max_wavefront, scores.max_cut, scores.mean_cut), (2, 1, 1.0));
        assert_eq!(scores.sum_of_tops, (2..=10).sum::<u64>());
    }

    #[test]
    fn equal_bottoms_count_once() {
        // Both put to 3 and take from 2; they differ at the top only.
        let event = |top: u32| Event { takes: vec![2, top], puts: vec![3], reads: vec![4] };
        let connections = Connections { variables: 5, events: vec![event(0), event(1)], ..Connections::default() };
        assert_eq!(scores(&connections, &[0, 1, 2, 3, 4]).unique_spans, 1 + 1 + 1 + 2);
    }
}
