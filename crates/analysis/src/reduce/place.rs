//! Redundant places: they follow from others, and never are the only ones that forbid a transition.
//!
//! If `factor * p = sum of y(q) * q + b` holds in the initial marking and every transition changes both sides alike, it holds
//! in every reachable marking. If all `y` are at least 0 and what each transition needs of the `q` makes the right side large
//! enough for what it needs of `p`, then `p` forbids nothing (Berthomieu, Le Botlan, Dal Zilio, rule for redundant places).
//! A place that no transition needs forbids nothing anyway, and then the `y` may be negative.
//!
//! Back: a step of the reduced net is a step of the net.

use super::work::{Work, implies};
use rustc_hash::FxHashMap;

/// Changes by transition, or multiples by place.
type Row = Vec<(u32, i64)>;

/// Places that are changed alike, up to a factor.
pub(super) fn duplicates(work: &mut Work) -> bool {
    let mut by_row: FxHashMap<Vec<(u32, i64)>, u32> = FxHashMap::default();
    let mut changed = false;
    for node in work.alive().collect::<Vec<_>>() {
        let row = work.row(node);
        let unit = row.iter().fold(0, |divisor, change| gcd(divisor, change.1));
        if unit == 0 {
            continue;
        }
        let reduced: Vec<(u32, i64)> = row.iter().map(|change| (change.0, change.1 / unit)).collect();
        let Some(&other) = by_row.get(&reduced) else {
            by_row.insert(reduced, node);
            continue;
        };
        let other_unit = work.row(other).iter().fold(0, |divisor, change| gcd(divisor, change.1));
        if follows(work, node, other_unit, &[(other, unit)]) {
            changed = true;
        } else if follows(work, other, unit, &[(node, other_unit)]) {
            by_row.insert(reduced, node);
            changed = true;
        }
    }
    changed
}

/// Takes a place away if `factor * place` is the sum of the terms and a constant and it forbids nothing.
fn follows(work: &mut Work, place: u32, factor: i64, terms: &[(u32, i64)]) -> bool {
    if work.nodes[place as usize].is_weighty && !work.couples && terms.len() > 1 {
        return false;
    }
    let Some(constant) = constant(work, place, factor, terms) else { return false };
    let divisor = terms.iter().fold(gcd(factor, constant), |divisor, term| gcd(divisor, term.1)).max(1);
    let factor = factor / divisor;
    // A polynomial of a fraction has no integer coefficients.
    if factor != 1 && work.nodes[place as usize].is_weighty {
        return false;
    }
    let terms: Vec<(u32, i64)> = terms.iter().map(|term| (term.0, term.1 / divisor)).collect();
    let constant = constant / divisor;
    let forbids = work
        .arcs_of(place)
        .any(|(event, arc)| !implies(&work.events[event as usize], factor, &terms, constant, arc.take));
    if !forbids {
        work.remove_place(place, factor, terms, constant);
    }
    !forbids
}

fn constant(work: &Work, place: u32, factor: i64, terms: &[(u32, i64)]) -> Option<i64> {
    let mut constant = factor.checked_mul(work.nodes[place as usize].tokens)?;
    for &(node, times) in terms {
        constant = constant.checked_sub(times.checked_mul(work.nodes[node as usize].tokens)?)?;
    }
    Some(constant)
}

pub(super) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// How many places a combination may have.
const LONGEST: usize = 8;
/// How many beginnings of a combination are tried for a place.
const MOST_TRIED: usize = 400;
/// Places of a transition that are looked at.
const MOST_OF_TRANSITION: usize = 24;

/// Places that follow from several others. Combinations are searched for one place after the other, each of which makes the
/// two sides agree on one more transition; whether they forbid nothing is looked at in the end.
pub(super) fn combinations(work: &mut Work) -> bool {
    let mut changed = false;
    for node in work.alive().collect::<Vec<_>>() {
        if work.budget == 0 {
            break;
        }
        changed |= combination(work, node);
    }
    changed
}

fn combination(work: &mut Work, place: u32) -> bool {
    let is_needed = work.arcs_of(place).any(|(_, arc)| arc.take > 0);
    // What is left to agree on, and the terms so far.
    let mut open: Vec<(Row, Row)> = vec![(work.row(place), Vec::new())];
    let mut tried = 0;
    while let Some((rest, terms)) = open.pop() {
        tried += 1;
        if !work.spend(8 * (rest.len() + 1)) || tried > MOST_TRIED {
            return false;
        }
        // The transition that the fewest places change.
        let next = rest.iter().min_by_key(|(event, _)| work.events[*event as usize].arcs.len());
        let Some(&(event, change)) = next else {
            if !terms.is_empty() && follows(work, place, 1, &terms) {
                return true;
            }
            continue;
        };
        if terms.len() >= LONGEST {
            continue;
        }
        let arcs: Vec<(u32, i64)> = work.events[event as usize]
            .arcs
            .iter()
            .map(|arc| (arc.node, arc.change()))
            .filter(|&(node, by)| {
                by != 0
                    && node != place
                    && change % by == 0
                    && (!is_needed || change / by > 0)
                    && terms.iter().all(|term| term.0 != node)
            })
            .take(MOST_OF_TRANSITION)
            .collect();
        for (node, by) in arcs.into_iter().rev() {
            let row = work.row(node);
            if !work.spend(row.len()) {
                return false;
            }
            let times = change / by;
            let Some(rest) = minus(&rest, &row, times) else { continue };
            let mut terms = terms.clone();
            terms.push((node, times));
            open.push((rest, terms));
        }
    }
    false
}

/// One row minus a multiple of another.
fn minus(a: &[(u32, i64)], b: &[(u32, i64)], times: i64) -> Option<Vec<(u32, i64)>> {
    let mut result = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let at = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => x.0.min(y.0),
            (Some(x), None) => x.0,
            (None, Some(y)) => y.0,
            (None, None) => break,
        };
        let mut value = 0i64;
        if let Some(x) = a.get(i).filter(|x| x.0 == at) {
            value = x.1;
            i += 1;
        }
        if let Some(y) = b.get(j).filter(|y| y.0 == at) {
            value = value.checked_sub(y.1.checked_mul(times)?)?;
            j += 1;
        }
        if value != 0 {
            result.push((at, value));
        }
    }
    Some(result)
}
