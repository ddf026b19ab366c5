//! Upper bounds of places.
//!
//! - A semiflow with a constant sum `c` bounds a place of weight `w` by `c / w`.
//! - A place holds at most what it had initially and what transitions ever give it. That is finite if they fire only so
//!   often, and a transition that takes from a place fires at most as often as what the place ever gets suffices for.
//!   This bounds the parts of a net where tokens only move forward.
//! - A capacity bounds its place, if it is kept initially. A place of a unit holds at most one token.

use super::incidence::{Incidence, tokens};
use super::semiflow::Semiflows;
use super::unit::Unit;
use mandala_model::net::{Net, Place};

/// By place, the most tokens that it may hold in a reachable marking, where semiflows or arcs show it.
pub fn bounds(net: &Net, semiflows: &Semiflows) -> Vec<Option<i32>> {
    let mut bounds = local(net);
    for flow in &semiflows.flows {
        let totals = net.initial.iter().map(|initial| flow.total(&initial.marking));
        let Some(most) = totals.collect::<Option<Vec<i64>>>().and_then(|totals| totals.into_iter().max()) else {
            continue;
        };
        for &(place, weight) in &flow.weights {
            if let Ok(bound) = i32::try_from(most / weight) {
                lower(&mut bounds, place, bound);
            }
        }
    }
    bounds
}

/// The same bounds, lowered to one for places of proven units.
pub fn bounds_with_units(net: &Net, semiflows: &Semiflows, units: &[Unit]) -> Vec<Option<i32>> {
    let mut bounds = bounds(net, semiflows);
    for unit in units.iter().filter(|unit| unit.proven) {
        unit.places.iter().for_each(|&place| lower(&mut bounds, place, 1));
    }
    bounds
}

/// Whether every place has a bound.
pub fn is_structurally_bounded(bounds: &[Option<i32>]) -> bool {
    bounds.iter().all(Option::is_some)
}

/// The bounds that arcs and capacities show.
fn local(net: &Net) -> Vec<Option<i32>> {
    let supplies = supplies(net, &Incidence::new(net));
    let bound = |(index, place): (u32, &Place)| {
        let supply = supplies[index as usize].and_then(|supply| i32::try_from(supply).ok());
        let initial = i32::try_from(most_initially(net, index)).ok();
        let capacity = place.capacity.zip(initial).map(|(capacity, initial)| capacity.max(initial));
        [supply, capacity].into_iter().flatten().min()
    };
    (0..).zip(&net.places).map(bound).collect()
}

fn most_initially(net: &Net, place: u32) -> i64 {
    net.initial.iter().map(|initial| tokens(&initial.marking, place)).max().unwrap_or(0)
}

/// By place, how many tokens it ever has or gets in a run, where that is limited.
fn supplies(net: &Net, incidence: &Incidence) -> Vec<Option<i64>> {
    let rows = incidence.by_place();
    let mut firings: Vec<Option<i64>> = vec![None; incidence.changes.len()];
    let mut supplies: Vec<Option<i64>> = vec![None; incidence.places];
    let unlimited = |row: &Vec<(u32, i64)>| row.iter().filter(|&&(_, gain)| gain > 0).count();
    let mut waiting: Vec<usize> = rows.iter().map(unlimited).collect();
    let mut ready: Vec<u32> = (0..incidence.places as u32).filter(|&place| waiting[place as usize] == 0).collect();
    while let Some(place) = ready.pop() {
        let supply = supply(&rows[place as usize], &firings, most_initially(net, place));
        supplies[place as usize] = supply;
        let Some(supply) = supply else { continue };
        for &(change, gain) in rows[place as usize].iter().filter(|&&(_, gain)| gain < 0) {
            let times = supply / gain.saturating_neg();
            let known = &mut firings[change as usize];
            if known.is_none() {
                for &(place, gain) in &incidence.changes[change as usize] {
                    if gain > 0 {
                        waiting[place as usize] -= 1;
                        if waiting[place as usize] == 0 {
                            ready.push(place);
                        }
                    }
                }
            }
            *known = Some(known.map_or(times, |known| known.min(times)));
        }
    }
    // A transition may have been limited further since a place counted it.
    for (row, (place, supplied)) in rows.iter().zip((0..).zip(&mut supplies)) {
        if supplied.is_some() {
            *supplied = supply(row, &firings, most_initially(net, place));
        }
    }
    supplies
}

/// What a place has initially and gets if changes happen so often; `None` if that is unlimited.
fn supply(row: &[(u32, i64)], firings: &[Option<i64>], initial: i64) -> Option<i64> {
    let gains = row.iter().filter(|&&(_, gain)| gain > 0);
    gains
        .map(|&(change, gain)| firings[change as usize]?.checked_mul(gain))
        .try_fold(initial, |sum, got| sum.checked_add(got?))
}

fn lower(bounds: &mut [Option<i32>], place: u32, bound: i32) {
    if let Some(known) = bounds.get_mut(place as usize) {
        *known = Some(known.map_or(bound, |known| known.min(bound)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::semiflow::semiflows;
    use super::*;
    use mandala_model::net::{Effect, Initial, Transition};

    fn net(capacity: Option<i32>) -> Net {
        let move_two = vec![
            Effect { take: 1, ..Effect::on(0) },
            Effect { put: 2, ..Effect::on(1) },
            Effect { put: 1, ..Effect::on(2) },
        ];
        let back = vec![Effect { put: 1, ..Effect::on(0) }, Effect { take: 2, ..Effect::on(1) }];
        let transition = |effects| Transition { effects, ..Transition::default() };
        Net {
            places: [None, None, capacity].map(|capacity| Place { name: "p".into(), capacity }).to_vec(),
            transitions: vec![transition(move_two), transition(back)],
            initial: vec![Initial { name: String::new(), marking: vec![1, 5, 0] }],
            ..Net::default()
        }
    }

    #[test]
    fn semiflows_bound_by_weight() {
        let net = net(None);
        let bounds = bounds(&net, &semiflows(&net, 1000));
        assert_eq!(bounds, vec![Some(3), Some(7), None]);
        assert!(!is_structurally_bounded(&bounds));
    }

    #[test]
    fn a_capacity_bounds() {
        let net = net(Some(4));
        let bounds = bounds(&net, &semiflows(&net, 1000));
        assert_eq!(bounds, vec![Some(3), Some(7), Some(4)]);
        assert!(is_structurally_bounded(&bounds));
    }

    #[test]
    fn a_place_that_only_loses_keeps_its_initial_bound() {
        let mut net = net(None);
        net.transitions.truncate(1);
        assert_eq!(bounds(&net, &semiflows(&net, 1000))[0], Some(1));
    }
}
