//! The order of nodes in their layers: few crossings.

use super::Spot;

/// How often the layers are gone through.
const SWEEPS: usize = 24;

/// The spots by layer, from left to right.
pub fn order(spots: &[Spot]) -> Vec<Vec<usize>> {
    let layers = spots.iter().map(|spot| spot.layer + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers];
    for spot in depth_first(spots) {
        rows[spots[spot].layer].push(spot);
    }
    let mut best = rows.clone();
    let mut least = crossings(spots, &best);
    for sweep in 0..SWEEPS {
        if least == 0 {
            break;
        }
        let downwards = sweep % 2 == 0;
        let mut places = places(spots.len(), &rows);
        for step in 1..layers {
            let layer = if downwards { step } else { layers - 1 - step };
            let row = &mut rows[layer];
            let middle = |spot: usize| {
                let neighbours = if downwards { &spots[spot].above } else { &spots[spot].below };
                match neighbours.len() {
                    0 => places[spot] as f64,
                    count => neighbours.iter().map(|&other| places[other] as f64).sum::<f64>() / count as f64,
                }
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|&spot| (middle(spot), spot)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            *row = keyed.into_iter().map(|(_, spot)| spot).collect();
            row.iter().enumerate().for_each(|(place, &spot)| places[spot] = place);
        }
        let now = crossings(spots, &rows);
        if now < least {
            least = now;
            best.clone_from(&rows);
        }
    }
    best
}

/// All spots, so that what hangs together stays together.
fn depth_first(spots: &[Spot]) -> Vec<usize> {
    let mut order = Vec::with_capacity(spots.len());
    let mut seen = vec![false; spots.len()];
    for start in 0..spots.len() {
        let mut open = vec![start];
        while let Some(spot) = open.pop() {
            if !std::mem::replace(&mut seen[spot], true) {
                order.push(spot);
                open.extend(spots[spot].below.iter().rev());
            }
        }
    }
    order
}

fn places(count: usize, rows: &[Vec<usize>]) -> Vec<usize> {
    let mut places = vec![0; count];
    for row in rows {
        row.iter().enumerate().for_each(|(place, &spot)| places[spot] = place);
    }
    places
}

/// How many pairs of edges cross.
pub fn crossings(spots: &[Spot], rows: &[Vec<usize>]) -> u64 {
    let places = places(spots.len(), rows);
    let mut total = 0;
    for pair in rows.windows(2) {
        // Counts, by place in the lower row, how many edges from the left end there or before (a Fenwick tree).
        let mut tree = vec![0u64; pair[1].len() + 1];
        let mut before = 0;
        for &spot in &pair[0] {
            let mut ends: Vec<usize> = spots[spot].below.iter().map(|&other| places[other] + 1).collect();
            for &end in &ends {
                let mut at = end;
                let mut not_right = 0;
                while at > 0 {
                    not_right += tree[at];
                    at &= at - 1;
                }
                total += before - not_right;
            }
            before += ends.len() as u64;
            for end in ends.drain(..) {
                let mut at = end;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
            }
        }
    }
    total
}
