//! P-semiflows: weighted sums of places that no transition changes; and T-semiflows, the same with rows and columns exchanged.
//!
//! A semiflow is a vector `y ≥ 0` of integer weights, not all zero, with `y·C = 0`. Then `y·m = y·m₀` in every marking
//! `m` that can be reached from `m₀`. Those of minimal support (with weights that have no common divisor) generate all
//! others.
//!
//! A place that a reset arc empties loses as many tokens as it happens to have, so it is in no semiflow, unless its
//! tokens are known whenever the reset fires. Transitions that can plainly never fire do not count.

use super::elimination::{Limits, eliminate};
use super::incidence::{Incidence, tokens};
use mandala_model::net::Net;

/// A weighted sum of places that no transition changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Semiflow {
    /// Places and their weights, all positive, in ascending order of places.
    pub weights: Vec<(u32, i64)>,
}

/// Semiflows of a net, each of minimal support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semiflows {
    /// Those that were found.
    pub flows: Vec<Semiflow>,
    /// Whether these are all of minimal support.
    pub complete: bool,
}

/// A budget for [`semiflows`] that finds them all in most nets where they are not too many to list; it takes less than a
/// second.
pub const PATIENCE: u64 = 20_000_000;

/// The P-semiflows of minimal support, or those found before the budget was spent.
pub fn semiflows(net: &Net, budget: u64) -> Semiflows {
    let limits = Limits { budget, most_weight: i64::MAX, markings: Vec::new(), most_total: i64::MAX };
    let outcome = eliminate(&Incidence::new(net), &limits);
    let flows = outcome.flows.into_iter().map(|weights| Semiflow { weights }).collect();
    Semiflows { flows, complete: outcome.complete }
}

/// The T-semiflows of minimal support, or those found before the budget was spent: how often each transition fires in some
/// runs that end where they begin, with transitions instead of places. One that empties places is in none.
pub fn t_semiflows(net: &Net, budget: u64) -> Semiflows {
    let mut rows: Vec<Vec<(u32, i64)>> = vec![Vec::new(); net.places.len()];
    let mut inexact = vec![false; net.transitions.len()];
    for (index, transition) in (0..).zip(&net.transitions) {
        for effect in &transition.effects {
            inexact[index as usize] |= effect.reset;
            let change = i64::from(effect.put) - i64::from(effect.take);
            if let (true, Some(row)) = (change != 0, rows.get_mut(effect.place as usize)) {
                row.push((index, change));
            }
        }
    }
    rows.retain(|row| !row.is_empty());
    rows.sort();
    rows.dedup();
    let limits = Limits { budget, most_weight: i64::MAX, markings: Vec::new(), most_total: i64::MAX };
    let outcome = eliminate(&Incidence { places: net.transitions.len(), changes: rows, inexact }, &limits);
    let flows = outcome.flows.into_iter().map(|weights| Semiflow { weights }).collect();
    Semiflows { flows, complete: outcome.complete }
}

impl Semiflow {
    /// The weighted sum in a marking; `None` if it does not fit.
    pub fn total(&self, marking: &[i32]) -> Option<i64> {
        weighted(&self.weights, marking)
    }

    /// The weighted sum in every reachable marking of a net. `None` if initial markings differ in it.
    pub fn constant(&self, net: &Net) -> Option<i64> {
        let mut totals = net.initial.iter().map(|initial| self.total(&initial.marking));
        let first = totals.next()??;
        totals.all(|total| total == Some(first)).then_some(first)
    }
}

/// A weighted sum of the tokens in a marking; `None` if it does not fit.
pub(crate) fn weighted(weights: &[(u32, i64)], marking: &[i32]) -> Option<i64> {
    weights.iter().try_fold(0i64, |sum, &(place, weight)| sum.checked_add(weight.checked_mul(tokens(marking, place))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::net::{Effect, Initial, Place, Transition};

    /// A net from lists of (place, tokens taken, tokens put).
    fn net(markings: &[&[i32]], transitions: &[&[(u32, i32, i32)]]) -> Net {
        let effect = |&(place, take, put): &(u32, i32, i32)| Effect { take, put, ..Effect::on(place) };
        let transition = |effects: &&[(u32, i32, i32)]| Transition {
            effects: effects.iter().map(effect).collect(),
            ..Transition::default()
        };
        Net {
            places: markings[0].iter().map(|_| Place { name: String::new(), capacity: None }).collect(),
            transitions: transitions.iter().map(transition).collect(),
            initial: markings.iter().map(|m| Initial { name: String::new(), marking: m.to_vec() }).collect(),
            ..Net::default()
        }
    }

    fn flow(weights: &[(u32, i64)]) -> Semiflow {
        Semiflow { weights: weights.to_vec() }
    }

    #[test]
    fn weights_are_as_small_as_they_can_be() {
        let net = net(&[&[6, 0, 0]], &[&[(0, 4, 0), (1, 0, 6)], &[(1, 3, 0), (2, 0, 1)]]);
        let found = semiflows(&net, 1000);
        assert_eq!(found, Semiflows { flows: vec![flow(&[(0, 3), (1, 2), (2, 6)])], complete: true });
        assert_eq!(found.flows[0].constant(&net), Some(18));
    }

    #[test]
    fn every_choice_of_a_fork_and_a_join_is_a_flow() {
        let fork: &[(u32, i32, i32)] = &[(0, 1, 0), (1, 0, 1), (2, 0, 1)];
        let join: &[(u32, i32, i32)] = &[(0, 0, 1), (1, 1, 0), (2, 1, 0)];
        let found = semiflows(&net(&[&[1, 0, 0]], &[fork, join]), 1000);
        assert_eq!(found, Semiflows { flows: vec![flow(&[(0, 1), (1, 1)]), flow(&[(0, 1), (2, 1)])], complete: true });
    }

    #[test]
    fn transitions_that_undo_each_other() {
        let fill: &[(u32, i32, i32)] = &[(0, 2, 0), (1, 0, 1)];
        let empty: &[(u32, i32, i32)] = &[(0, 0, 1), (1, 1, 0)];
        let top_up: &[(u32, i32, i32)] = &[(0, 0, 1)];
        let idle: &[(u32, i32, i32)] = &[(1, 1, 1)];
        let mut net = net(&[&[2, 0]], &[fill, empty, top_up, idle]);
        let flows = vec![flow(&[(0, 1), (1, 1), (2, 1)]), flow(&[(3, 1)])];
        assert_eq!(t_semiflows(&net, 1000), Semiflows { flows, complete: true });
        net.transitions[1].effects[1].reset = true;
        assert_eq!(t_semiflows(&net, 1000).flows, vec![flow(&[(3, 1)])]);
    }

    #[test]
    fn a_spent_budget_is_told_and_what_was_found_is_true() {
        let net = net(&[&[1, 0, 1, 1]], &[&[(0, 1, 0), (1, 0, 1)], &[(0, 0, 1), (1, 1, 0), (2, 1, 2)]]);
        let found = semiflows(&net, 0);
        assert!(!found.complete);
        assert_eq!(found.flows, vec![flow(&[(3, 1)])]);
    }

    #[test]
    fn a_reset_place_is_in_no_flow() {
        let mut net = net(&[&[1, 1]], &[&[(0, 1, 0), (1, 0, 1)]]);
        assert_eq!(semiflows(&net, 1000).flows.len(), 1);
        net.transitions[0].effects[1].reset = true;
        assert_eq!(semiflows(&net, 1000).flows, vec![]);
        net.transitions[0].effects[1].below = Some(1);
        assert_eq!(semiflows(&net, 1000).flows.len(), 1);
    }

    #[test]
    fn initial_markings_may_disagree() {
        let net = net(&[&[1, 0], &[1, 1]], &[&[(0, 1, 0), (1, 0, 1)]]);
        let found = semiflows(&net, 1000);
        assert_eq!(found.flows[0].constant(&net), None);
        assert_eq!(found.flows[0].total(&[3, 4]), Some(7));
    }
}
