//! Units: groups of places that never hold more than one token together.
//!
//! A diagram needs one variable for all places of a unit, whose value says which of them is marked. Every subset of a
//! unit is a unit, so units that overlap can be made disjoint: the first takes the places they share.

use super::choice::{choose, largest_first, score};
use super::component::{Kind, Search};
use super::elimination::{Limits, eliminate};
use super::incidence::{Incidence, Live, live};
use mandala_model::net::Net;
use rustc_hash::FxHashMap;

/// Places that hold at most one token in total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The places, ascending.
    pub places: Vec<u32>,
    /// Whether the structure of the net proves it; otherwise the file says so.
    pub proven: bool,
    /// Whether the places hold exactly one token in every reachable marking.
    pub exactly_one: bool,
}

/// A budget for [`units`] that suffices for nets of some thousands of places; it takes less than a second.
pub const PATIENCE: u64 = 100_000_000;

/// Operations for a first search from a place.
const QUICK: u64 = 4_000;

/// Disjoint units, proven, chosen so that few of them cover many places. A place that is in none may hold more than one
/// token, as far as is known. Places that are never marked are together a unit of their own. The groups that a net expects to
/// exclude each other are verified and taken first; if they leave no place out, nothing is searched.
pub fn units(net: &Net, budget: u64) -> Vec<Unit> {
    let markings: Vec<Vec<i32>> = net.initial.iter().map(|initial| initial.marking.clone()).collect();
    let mut fires = vec![true; net.transitions.len()];
    let mut found = Candidates::default();
    if !net.exclusive.is_empty() {
        found = expected(net, &markings);
        if covered(&found.chosen) == net.places.len() {
            return found.chosen;
        }
    }
    loop {
        let live = live(net, &fires);
        let left = budget.saturating_sub(found.spent);
        found.add(candidates(net, &live, &markings, left / 2), net.places.len());
        // What needs two tokens of a unit never fires, and without it there may be more units.
        fires = live.transitions;
        if left == 0 || !exclude(net, &found.units, &mut fires) {
            return found.chosen;
        }
    }
}

/// The groups that are expected to be units, as far as they are, and with places that are never marked.
fn expected(net: &Net, markings: &[Vec<i32>]) -> Candidates {
    let live = live(net, &vec![true; net.transitions.len()]);
    let incidence = Incidence::of(net, &live.transitions);
    let search = Search::new(&incidence, markings);
    let exist = |places: &&Vec<u32>| places.iter().all(|&place| (place as usize) < net.places.len());
    let groups = net.exclusive.iter().filter(exist).cloned().filter_map(|places| proven(&search, places));
    let mut found = Candidates { units: groups.chain([never_marked(&live)]).collect(), ..Candidates::default() };
    found.choose(net.places.len());
    found
}

/// How many places are in units that are disjoint.
fn covered(units: &[Unit]) -> usize {
    units.iter().map(|unit| unit.places.len()).sum()
}

/// The places that are never marked, as a unit.
fn never_marked(live: &Live) -> Unit {
    let dead = (0..).zip(&live.places).filter(|(_, live)| !**live).map(|(place, _)| place).collect();
    Unit { places: dead, proven: true, exactly_one: false }
}

/// Units that may overlap, and disjoint ones chosen from them.
#[derive(Default)]
struct Candidates {
    units: Vec<Unit>,
    chosen: Vec<Unit>,
    /// Operations spent.
    spent: u64,
}

impl Candidates {
    /// Takes over more units, and what was chosen from them if that is better.
    fn add(&mut self, more: Candidates, places: usize) {
        self.units.extend(more.units);
        self.spent += more.spent;
        self.better(more.chosen, places);
        self.choose(places);
    }

    /// Chooses anew from all units; whether that is better than what was chosen before.
    fn choose(&mut self, places: usize) -> bool {
        self.better(choose(&self.units, places), places)
    }

    /// Takes over a choice if it is better.
    fn better(&mut self, chosen: Vec<Unit>, places: usize) -> bool {
        let better = score(&chosen, places) < score(&self.chosen, places);
        if better {
            self.chosen = chosen;
        }
        better
    }
}

/// Units under the assumption that only what is live happens. Which components go together best is hard to foresee, so
/// there are three ways to find some: from the places that are marked initially, from places as they are declared, and
/// by the elimination first.
fn candidates(net: &Net, live: &Live, markings: &[Vec<i32>], budget: u64) -> Candidates {
    let incidence = Incidence::of(net, &live.transitions);
    let mut search = Search::new(&incidence, markings);
    let dead = vec![never_marked(live)];
    let limits = Limits { budget: budget / 8, most_weight: 1, markings: markings.to_vec(), most_total: 1 };
    let outcome = eliminate(&incidence, &limits);
    let supports = outcome.flows.into_iter().map(|flow| flow.into_iter().map(|(place, _)| place).collect());
    let listed = dead.iter().cloned().chain(supports.filter_map(|places| proven(&search, places))).collect();

    let marked = search.marked_first();
    let declared: Vec<u32> = (0..search.places()).collect();
    let mut found = Candidates { spent: outcome.spent, ..Candidates::default() };
    for (seeds, units) in [(&marked, listed), (&marked, dead.clone()), (&declared, dead)] {
        found.add(complete(&mut search, seeds, units, budget / 4), incidence.places);
    }
    found
}

/// Searches units for places that have none yet, and chooses.
fn complete(search: &mut Search, seeds: &[u32], units: Vec<Unit>, budget: u64) -> Candidates {
    let mut found = Candidates { units, ..Candidates::default() };
    prefer_others(search, &found.units);
    patient(search, seeds, budget, &mut found);
    found.choose(search.places() as usize);
    improve(search, seeds, budget / 4, &mut found);
    found
}

/// Searches a component for each place that no other covers, with more and more patience. No round takes more than a
/// part of the budget: a few long searches may succeed where many short ones did not.
fn patient(search: &mut Search, seeds: &[u32], budget: u64, found: &mut Candidates) {
    let end = found.spent + budget;
    let mut allowance = QUICK;
    while allowance < budget && found.spent < end {
        round(search, seeds, allowance, (end - found.spent) / 4, found);
        allowance *= 8;
    }
}

/// Searches for units that fit the chosen ones better, as long as that leads to fewer variables.
fn improve(search: &mut Search, seeds: &[u32], budget: u64, found: &mut Candidates) {
    let end = found.spent + budget;
    let places = search.places() as usize;
    while found.spent < end {
        let large: Vec<Unit> = found.chosen.iter().filter(|unit| unit.places.len() > 1).cloned().collect();
        prefer_others(search, &large);
        round(search, seeds, 16 * QUICK, budget, found);
        if !found.choose(places) {
            break;
        }
    }
}

/// Makes a search prefer the places that are in none of these units.
fn prefer_others(search: &mut Search, units: &[Unit]) {
    search.uncover();
    units.iter().flat_map(|unit| &unit.places).for_each(|&place| search.cover(place));
}

/// Searches a component for each place that is not covered, until the budget is spent: one half for each kind.
fn round(search: &mut Search, seeds: &[u32], allowance: u64, budget: u64, found: &mut Candidates) {
    for kind in [Kind::Exact, Kind::Losing] {
        let end = found.spent + budget / 2;
        for &place in seeds {
            if search.is_covered(place) || found.spent >= end {
                continue;
            }
            search.budget = allowance;
            let places = search.component(place, kind);
            found.spent += allowance - search.budget + 1;
            if let Some(unit) = places.and_then(|places| proven(search, places)) {
                unit.places.iter().for_each(|&place| search.cover(place));
                found.units.push(unit);
            }
        }
    }
}

/// The places as a unit, if they are one.
fn proven(search: &Search, places: Vec<u32>) -> Option<Unit> {
    let exactly_one = search.verify(&places)?;
    Some(Unit { places, proven: true, exactly_one })
}

/// Takes out of `fires` what needs two tokens of a unit; whether there was any.
fn exclude(net: &Net, units: &[Unit], fires: &mut [bool]) -> bool {
    let mut of_place: Vec<Vec<u32>> = vec![Vec::new(); net.places.len()];
    for (index, unit) in (0..).zip(units) {
        unit.places.iter().for_each(|&place| of_place[place as usize].push(index));
    }
    let mut excluded = false;
    for (transition, fires) in net.transitions.iter().zip(fires).filter(|(_, fires)| **fires) {
        let mut needs = FxHashMap::<u32, i64>::default();
        for effect in transition.effects.iter().filter(|effect| effect.needs() > 0) {
            for &unit in of_place.get(effect.place as usize).into_iter().flatten() {
                *needs.entry(unit).or_default() += i64::from(effect.needs());
            }
        }
        if needs.values().any(|&needs| needs > 1) {
            *fires = false;
            excluded = true;
        }
    }
    excluded
}

/// The units that a net declares (NUPN), each with its own places only. None if the file does not promise that they are
/// safe.
pub fn declared_units(net: &Net) -> Vec<Unit> {
    let Some(declared) = net.units.as_ref().filter(|units| units.safe) else {
        return Vec::new();
    };
    let unit = |places: &[u32]| Unit { places: places.to_vec(), proven: false, exactly_one: false };
    let candidates: Vec<Unit> = declared.units.iter().map(|declared| unit(&declared.places)).collect();
    largest_first(&candidates, net.places.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::net::{Effect, Initial, Place, Transition, Units};

    /// A net from lists of (place, tokens taken, tokens put).
    fn net(marking: &[i32], transitions: &[&[(u32, i32, i32)]]) -> Net {
        let effect = |&(place, take, put): &(u32, i32, i32)| Effect { take, put, ..Effect::on(place) };
        let transition = |effects: &&[(u32, i32, i32)]| Transition {
            effects: effects.iter().map(effect).collect(),
            ..Transition::default()
        };
        Net {
            places: marking.iter().map(|_| Place { name: String::new(), capacity: None }).collect(),
            transitions: transitions.iter().map(transition).collect(),
            initial: vec![Initial { name: String::new(), marking: marking.to_vec() }],
            ..Net::default()
        }
    }

    fn unit(places: &[u32], exactly_one: bool) -> Unit {
        Unit { places: places.to_vec(), proven: true, exactly_one }
    }

    #[test]
    fn a_token_that_moves_is_a_unit() {
        let ring = net(&[1, 0, 0], &[&[(0, 1, 0), (1, 0, 1)], &[(1, 1, 0), (2, 0, 1)], &[(0, 0, 1), (2, 1, 0)]]);
        assert_eq!(units(&ring, 10_000), vec![unit(&[0, 1, 2], true)]);
    }

    #[test]
    fn two_tokens_are_no_unit() {
        let ring = net(&[1, 1], &[&[(0, 1, 0), (1, 0, 1)], &[(0, 0, 1), (1, 1, 0)]]);
        assert_eq!(units(&ring, 10_000), vec![]);
    }

    #[test]
    fn a_token_that_gets_lost_leaves_at_most_one() {
        let chain = net(&[1, 0], &[&[(0, 1, 0), (1, 0, 1)], &[(1, 1, 0)]]);
        assert_eq!(units(&chain, 1_000_000), vec![unit(&[0, 1], false)]);
    }

    #[test]
    fn what_needs_two_tokens_of_a_unit_is_left_out() {
        // The second transition would fill place 2 without end if it could fire.
        let ring = net(
            &[1, 0, 1, 0],
            &[
                &[(0, 1, 0), (1, 0, 1), (2, 1, 0), (3, 0, 1)],
                &[(0, 1, 1), (1, 1, 1), (2, 0, 1)],
                &[(0, 0, 1), (1, 1, 0), (2, 0, 1), (3, 1, 0)],
            ],
        );
        assert_eq!(units(&ring, 1_000_000), vec![unit(&[0, 1], true), unit(&[2, 3], true)]);
    }

    #[test]
    fn all_initial_markings_count() {
        let mut ring = net(&[1, 0], &[&[(0, 1, 0), (1, 0, 1)], &[(0, 0, 1), (1, 1, 0)]]);
        ring.initial.push(Initial { name: "none".into(), marking: vec![0, 0] });
        assert_eq!(units(&ring, 10_000), vec![unit(&[0, 1], false)]);
        ring.initial.push(Initial { name: "both".into(), marking: vec![1, 1] });
        assert_eq!(units(&ring, 10_000), vec![]);
    }

    #[test]
    fn declared_units_are_taken_only_if_safe() {
        let mut net = net(&[1, 0, 0], &[]);
        let own = |places: &[u32]| mandala_model::net::Unit { places: places.to_vec(), ..Default::default() };
        net.units = Some(Units { units: vec![own(&[0]), own(&[2, 1])], root: 0, safe: true });
        let promised = |places: &[u32]| Unit { proven: false, ..unit(places, false) };
        assert_eq!(declared_units(&net), vec![promised(&[1, 2]), promised(&[0])]);
        if let Some(units) = &mut net.units {
            units.safe = false;
        }
        assert_eq!(declared_units(&net), vec![]);
    }
}
