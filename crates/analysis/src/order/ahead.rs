//! FORCE with weights and directions, for programs: what the GAL paper (4.4) makes of FORCE.
//!
//! Where an index is known before the array is met, an element is one variable; where it is not, every element has to be
//! looked at in two ways, for all values that come later. So what an index depends on wants to be above the array, and
//! much; what is read together wants to be close, a little. Variables move to the weighted mean of where they are wanted,
//! as in FORCE, and the order is kept that leaves the least to be wished for.

use super::incidence::{by_position, positions};
use super::{Connections, Order, Wish};

/// Rounds without a better order after which the search ends.
const PATIENCE: usize = 10;

/// The most rounds.
const ROUNDS: usize = 200;

/// So much more an index weighs that comes after its array than one that is a place further away from it.
const INVERSION: f64 = 8.0;

/// The order that leaves the least to be wished for, of those that are met from some starts.
pub fn look_ahead<'s>(connections: &Connections, starts: impl IntoIterator<Item = &'s [u32]>) -> Order {
    let mut best: Option<(f64, Vec<u32>)> = None;
    for start in starts {
        let mut current = positions(connections.variables, start);
        let mut stale = 0;
        for _ in 0..ROUNDS {
            for candidate in [current.clone(), lifted(connections, &current)] {
                let cost = cost(&connections.wishes, &candidate);
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, candidate));
                    stale = 0;
                }
            }
            stale += 1;
            if stale > PATIENCE {
                break;
            }
            current = pull(connections, &current);
        }
    }
    best.map_or_else(|| (0..connections.variables as u32).collect(), |(_, positions)| by_position(&positions))
}

/// How many variables come after one that they should precede, by weight.
pub fn inversions(wishes: &[Wish], positions: &[u32]) -> f64 {
    let inverted = |wish: &Wish| {
        let top = wish.below.iter().map(|&one| positions[one as usize]).min().unwrap_or(u32::MAX);
        wish.above.iter().filter(|&&one| positions[one as usize] > top).count() as f64 * wish.weight
    };
    wishes.iter().map(inverted).sum()
}

fn cost(wishes: &[Wish], positions: &[u32]) -> f64 {
    let span = |wish: &Wish| {
        let at = || wish.above.iter().chain(&wish.below).map(|&one| positions[one as usize]);
        match (at().min(), at().max()) {
            (Some(top), Some(bottom)) => f64::from(bottom - top) * wish.weight,
            _ => 0.0,
        }
    };
    let variables = positions.len() as f64;
    wishes.iter().map(span).sum::<f64>() + INVERSION * variables.sqrt() * inversions(wishes, positions)
}

/// One round: where each variable stands after it has moved to where it is wanted.
fn pull(connections: &Connections, positions: &[u32]) -> Vec<u32> {
    let place = |one: u32| f64::from(positions[one as usize]);
    let mut wanted = vec![(0.0, 0.0); positions.len()];
    let mut want = |one: u32, at: f64, weight: f64| {
        let (sum, weights) = &mut wanted[one as usize];
        *sum += at * weight;
        *weights += weight;
    };
    for Wish { above, below, weight } in &connections.wishes {
        let all = above.len() + below.len();
        let centre = above.iter().chain(below).map(|&one| place(one)).sum::<f64>() / all.max(1) as f64;
        let top = below.iter().map(|&one| place(one)).fold(f64::INFINITY, f64::min);
        for &one in above {
            want(one, centre.min(top - 1.0), *weight);
        }
        let bottom = above.iter().map(|&one| place(one)).fold(f64::NEG_INFINITY, f64::max);
        for &one in below {
            want(one, centre.max(bottom + 1.0), *weight);
        }
    }
    let wish = |one: u32| match wanted[one as usize] {
        (_, 0.0) => place(one),
        (sum, weights) => sum / weights,
    };
    sorted(positions, wish)
}

/// Every variable that comes after one that it should precede, moved up to just before it.
fn lifted(connections: &Connections, positions: &[u32]) -> Vec<u32> {
    let mut lifted: Vec<f64> = positions.iter().map(|&place| f64::from(place)).collect();
    for Wish { above, below, weight } in &connections.wishes {
        if *weight < Wish::STRONG {
            continue;
        }
        let top = below.iter().map(|&one| f64::from(positions[one as usize])).fold(f64::INFINITY, f64::min);
        for &one in above.iter().filter(|one| !below.contains(one)) {
            let place = &mut lifted[one as usize];
            *place = place.min(top - 0.5);
        }
    }
    sorted(positions, |one| lifted[one as usize])
}

/// Positions by where variables want to be; those that want the same keep their order.
fn sorted(positions: &[u32], wish: impl Fn(u32) -> f64) -> Vec<u32> {
    let mut wishes: Vec<(f64, u32)> = by_position(positions).into_iter().map(|one| (wish(one), one)).collect();
    wishes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut moved = vec![0; positions.len()];
    for (position, (_, variable)) in (0u32..).zip(wishes) {
        moved[variable as usize] = position;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three indices that are declared after the array that they are indices of.
    #[test]
    fn indices_come_before_their_array() {
        let below: Vec<u32> = (0..5).collect();
        let wishes = (5..8).map(|index| Wish { above: vec![index], below: below.clone(), weight: Wish::STRONG });
        let connections = Connections { variables: 8, wishes: wishes.collect(), ..Connections::default() };
        let declared: Vec<u32> = (0..8).collect();
        let order = look_ahead(&connections, [&*declared]);
        assert_eq!(inversions(&connections.wishes, &positions(8, &order)), 0.0);
        assert!(order[..3].iter().all(|&one| one >= 5), "{order:?}");
    }
}
