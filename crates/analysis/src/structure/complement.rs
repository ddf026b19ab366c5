//! Places whose tokens follow from those of another.
//!
//! Two places are complements if every transition gives to the one what it takes from the other: `m(p) + m(q)` is
//! constant. They are equal, but for a difference, if every transition changes them alike: `m(p) - m(q)` is constant.
//! Both are read off the rows of the matrix of changes, in time linear in its size.

use super::incidence::{Incidence, tokens};
use mandala_model::net::Net;
use rustc_hash::FxHashMap;

/// Pairs `(p, q, c)`, `p < q`, with `m(p) + m(q) = c` in every reachable marking. A place is second in at most one
/// pair, so all second places can be left out at once: taken in ascending order, each follows from one that is known.
pub fn complements(net: &Net) -> Vec<(u32, u32, i32)> {
    related(net, true)
}

/// Pairs `(p, q, c)`, `p < q`, with `m(q) = m(p) + c` in every reachable marking. A place is second in at most one
/// pair, and then it is first in none.
pub fn equal_places(net: &Net) -> Vec<(u32, u32, i32)> {
    related(net, false)
}

/// For each place, the first one with the opposite (or else the same) changes and a constant that all initial markings
/// agree on. Places that never change are left to others: their value is a constant.
fn related(net: &Net, opposite: bool) -> Vec<(u32, u32, i32)> {
    let incidence = Incidence::new(net);
    // By changes: the first place of each difference to the initial markings.
    let mut first: FxHashMap<Vec<(u32, i64)>, Vec<u32>> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (place, row) in (0..).zip(incidence.by_place()) {
        if row.is_empty() || incidence.inexact[place as usize] {
            continue;
        }
        let key = if opposite { row.iter().map(|&(change, gain)| (change, -gain)).collect() } else { row.clone() };
        let others = first.get(&key).into_iter().flatten();
        let partner = others.filter_map(|&other| Some((other, constant(net, other, place, opposite)?))).next();
        if let Some((other, constant)) = partner {
            pairs.push((other, place, constant));
        }
        if opposite || partner.is_none() {
            first.entry(row).or_default().push(place);
        }
    }
    pairs
}

/// The sum, or else the difference, of two places in the initial markings; `None` if those do not agree on it.
fn constant(net: &Net, first: u32, second: u32, sum: bool) -> Option<i32> {
    let mut values = net.initial.iter().map(|initial| {
        let (first, second) = (tokens(&initial.marking, first), tokens(&initial.marking, second));
        if sum { first + second } else { second - first }
    });
    let value = values.next()?;
    values.all(|other| other == value).then(|| i32::try_from(value).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::net::{Effect, Initial, Place, Transition};

    /// A net of three places: each transition moves tokens from place 0 to place 1 and adds as many to place 2.
    fn net(markings: &[[i32; 3]], weights: &[i32]) -> Net {
        let transition = |&weight: &i32| Transition {
            effects: vec![
                Effect { take: weight, ..Effect::on(0) },
                Effect { put: weight, ..Effect::on(1) },
                Effect { put: weight + 1, take: 1, ..Effect::on(2) },
            ],
            ..Transition::default()
        };
        Net {
            places: ["a", "b", "c"].iter().map(|&name| Place { name: name.into(), capacity: None }).collect(),
            transitions: weights.iter().map(transition).collect(),
            initial: markings.iter().map(|m| Initial { name: String::new(), marking: m.to_vec() }).collect(),
            ..Net::default()
        }
    }

    #[test]
    fn complements_and_equal_places_are_found() {
        let net = net(&[[5, 1, 4]], &[1, 2]);
        assert_eq!(complements(&net), vec![(0, 1, 6), (0, 2, 9)]);
        assert_eq!(equal_places(&net), vec![(1, 2, 3)]);
    }

    #[test]
    fn initial_markings_must_agree() {
        let net = net(&[[5, 1, 4], [4, 2, 4]], &[1]);
        assert_eq!(complements(&net), vec![(0, 1, 6)]);
        assert_eq!(equal_places(&net), vec![]);
    }

    #[test]
    fn a_reset_place_follows_from_nothing() {
        let mut net = net(&[[5, 1, 4]], &[1, 2]);
        net.transitions[0].effects[1].reset = true;
        assert_eq!(complements(&net), vec![(0, 2, 9)]);
        assert_eq!(equal_places(&net), vec![]);
    }
}
