//! How far across the layers each node is: near its neighbours, and not on top of another.

use super::Spot;

/// How often the layers are gone through.
const SWEEPS: usize = 16;
/// How much more the straightness of a long edge counts than the place of a node.
const BEND_WEIGHT: f64 = 4.0;

/// The middle of each spot. Neighbours have a gap between them, at least.
pub fn across(spots: &[Spot], rows: &[Vec<usize>], gap: f64) -> Vec<f64> {
    let mut x = vec![0.0; spots.len()];
    for row in rows {
        let mut end = 0.0;
        for &spot in row {
            x[spot] = end + spots[spot].left;
            end = x[spot] + spots[spot].right + gap;
        }
    }
    for sweep in 0..SWEEPS {
        for step in 0..rows.len() {
            let layer = if sweep % 2 == 0 { step } else { rows.len() - 1 - step };
            let row = &rows[layer];
            let wishes: Vec<f64> = row.iter().map(|&spot| wish(spots, &x, spot, sweep)).collect();
            let places = fit(spots, row, &wishes, gap);
            row.iter().zip(places).for_each(|(&spot, place)| x[spot] = place);
        }
    }
    x
}

/// Where a spot wants to be: amid its neighbours, of one side first and of both in the end.
fn wish(spots: &[Spot], x: &[f64], spot: usize, sweep: usize) -> f64 {
    let (above, below) = (&spots[spot].above, &spots[spot].below);
    let mean = |others: &mut dyn Iterator<Item = &usize>| {
        let (mut sum, mut count) = (0.0, 0.0);
        for &other in others {
            sum += x[other];
            count += 1.0;
        }
        if count == 0.0 { x[spot] } else { sum / count }
    };
    let both = sweep + 4 >= SWEEPS;
    match (both, sweep.is_multiple_of(2)) {
        (true, _) => mean(&mut above.iter().chain(below)),
        (false, true) if !above.is_empty() => mean(&mut above.iter()),
        (false, true) => mean(&mut below.iter()),
        (false, false) if !below.is_empty() => mean(&mut below.iter()),
        (false, false) => mean(&mut above.iter()),
    }
}

/// The places nearest to the wishes that keep the order and the distances of a row: a regression by pooling neighbours
/// that get into each other's way.
fn fit(spots: &[Spot], row: &[usize], wishes: &[f64], gap: f64) -> Vec<f64> {
    // Distances are taken out first: what is left must only not descend.
    let mut offsets = Vec::with_capacity(row.len());
    let mut offset = 0.0;
    for (index, &spot) in row.iter().enumerate() {
        if index > 0 {
            offset += spots[row[index - 1]].right + gap + spots[spot].left;
        }
        offsets.push(offset);
    }
    // Of each pool: the mean of its wishes, their weight, how many there are.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (index, &spot) in row.iter().enumerate() {
        let weight = if spots[spot].is_bend { BEND_WEIGHT } else { 1.0 };
        let mut pool = (wishes[index] - offsets[index], weight, 1);
        while let Some(&(mean, weight, count)) = pools.last() {
            if mean <= pool.0 {
                break;
            }
            pools.pop();
            let total = weight + pool.1;
            pool = ((mean * weight + pool.0 * pool.1) / total, total, count + pool.2);
        }
        pools.push(pool);
    }
    let values = pools.into_iter().flat_map(|(mean, _, count)| std::iter::repeat_n(mean, count));
    values.zip(offsets).map(|(value, offset)| value + offset).collect()
}
