//! What is said of a coloured net holds in the markings that it reaches.

#[path = "../../model/tests/common/random_coloured.rs"]
mod random_coloured;

use mandala_analysis::coloured::{ColourInvariant, exclusive_places, invariants};
use mandala_analysis::structure::unit::{PATIENCE, units};
use mandala_model::coloured::semantics::{Marking, Semantics};
use mandala_model::coloured::unfold::{Limits, unfold};
use mandala_model::coloured::{ColouredNet, Value};
use random_coloured::Bags;
use std::collections::{BTreeMap, BTreeSet};

/// Markings that are looked at per net.
const MOST_MARKINGS: usize = 200;

/// Some of the markings that a net reaches, the initial one first. None if it goes wrong somewhere.
fn reached(net: &ColouredNet) -> Option<Vec<Marking>> {
    let semantics = Semantics::new(net).ok()?;
    let initial = semantics.initial_marking().ok()?;
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut list = vec![initial];
    let mut next = 0;
    while next < list.len() && list.len() < MOST_MARKINGS {
        for (_, after) in semantics.steps(&list[next]).ok()? {
            if seen.insert(after.clone()) {
                list.push(after);
            }
        }
        next += 1;
    }
    Some(list)
}

/// How often an invariant sees each tuple of colours.
fn seen_through(net: &ColouredNet, invariant: &ColourInvariant, marking: &Marking) -> BTreeMap<Vec<u32>, u64> {
    let mut seen = BTreeMap::new();
    for selection in &invariant.selections {
        for (token, count) in marking.places[selection.place as usize].iter() {
            let colours = selection.components.iter().zip(&invariant.classes).map(|(&(at, steps), &class)| {
                let Value::Colour(colour) = token[at as usize] else { panic!("a bag is no colour") };
                net.classes[class as usize].shift(colour, steps).expect("a colour")
            });
            let colours = colours.collect();
            *seen.entry(colours).or_default() += u64::from(count);
        }
    }
    seen
}

/// Panics if a marking refutes something; how many invariants that change something, and groups, were looked at.
fn check(net: &ColouredNet, markings: &[Marking]) -> (usize, usize) {
    let invariants = invariants(net);
    for invariant in &invariants {
        let constant = seen_through(net, invariant, &markings[0]);
        for marking in markings {
            assert_eq!(seen_through(net, invariant, marking), constant, "{invariant:?} of {net:#?}");
        }
    }
    let moving = invariants.iter().filter(|invariant| invariant.selections.len() > 1).count();
    let Ok(mut unfolding) = unfold(net, &Limits::default()) else { return (moving, 0) };
    let groups = exclusive_places(net, &unfolding.net, &unfolding.origins);
    unfolding.net.exclusive.clone_from(&groups);
    let units: Vec<Vec<u32>> = units(&unfolding.net, PATIENCE / 100).into_iter().map(|unit| unit.places).collect();
    for marking in markings {
        let tokens = |&place: &u32| {
            let (place, token) = unfolding.origins.token(place).expect("it comes from somewhere");
            marking.places[place as usize].count(&token)
        };
        for group in groups.iter().chain(&units) {
            assert!(group.iter().map(tokens).sum::<u32>() <= 1, "{group:?} of {net:#?}");
        }
    }
    (moving, groups.len())
}

#[test]
fn invariants_and_units_of_random_nets_hold_in_their_markings() {
    let (mut moving, mut groups) = (0, 0);
    for seed in 0..4_000 {
        let bags = if seed % 3 == 0 { Bags::With } else { Bags::Without };
        let net = random_coloured::net(seed, bags);
        let Some(markings) = reached(&net) else { continue };
        let (more_moving, more_groups) = check(&net, &markings);
        moving += more_moving;
        groups += more_groups;
    }
    println!("{moving} invariants of more than one selection, {groups} groups");
    assert!(moving > 300 && groups > 50, "{moving} invariants, {groups} groups");
}
