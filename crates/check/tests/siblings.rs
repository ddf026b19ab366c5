//! Figures of nets with many tokens that follow from siblings with few, against those of the nets themselves.

use crate::common::random::{Random, factor};
use mandala_analysis::polytope::Family;
use mandala_check::explore::{explore, explore_briefly};
use mandala_check::options::Options;
use mandala_check::siblings::figures;
use mandala_model::net::{Effect, Initial, Net, Place, Transition};
use mandala_model::system::{System, Type};

/// Rings through which tokens go, with resources that some steps take and others give back; sometimes with a step that
/// goes elsewhere, so that invariants do not say everything.
fn rings(seed: u64) -> Net {
    let mut random = Random::new(seed);
    let mut net = Net::default();
    let mut marking = Vec::new();
    let number = 16 + random.below(12) as i32;
    let mut add = |net: &mut Net, tokens: i32| {
        net.places.push(Place { name: format!("p{}", net.places.len()), capacity: None });
        marking.push(tokens);
        net.places.len() as u32 - 1
    };
    let resources: Vec<u32> = (0..random.below(3))
        .map(|_| {
            let (times, more) = (random.below(2) as i32 + 1, random.below(3) as i32);
            add(&mut net, number * times + more)
        })
        .collect();
    for _ in 0..1 + random.below(2) {
        let length = 2 + random.below(2);
        let tokens = number * (1 + random.below(2) as i32) + random.below(2) as i32;
        let places: Vec<u32> = (0..length).map(|at| add(&mut net, if at == 0 { tokens } else { 0 })).collect();
        let mut held: Vec<u32> = Vec::new();
        for at in 0..length {
            let mut changes = vec![(places[at], -1), (places[(at + 1) % length], 1)];
            if at + 1 == length {
                changes.extend(held.drain(..).map(|resource| (resource, 1)));
            } else if let Some(&resource) = resources.get(random.below(4))
                && !held.contains(&resource)
            {
                held.push(resource);
                changes.push((resource, -1));
            } else if !held.is_empty() && random.below(3) == 0 {
                changes.push((held.remove(0), 1));
            }
            net.transitions.push(transition(net.transitions.len(), &changes));
        }
        if random.below(4) == 0 {
            let (from, to) = (places[random.below(length)], random.below(net.places.len()) as u32);
            if from != to {
                net.transitions.push(transition(net.transitions.len(), &[(from, -1), (to, 1)]));
            }
        }
        if random.below(4) == 0 {
            // Two at once.
            let (from, to) = (places[0], places[length - 1]);
            net.transitions.push(transition(net.transitions.len(), &[(from, -2), (to, 2)]));
        }
    }
    net.initial = vec![Initial { name: String::new(), marking }];
    net
}

fn transition(number: usize, changes: &[(u32, i32)]) -> Transition {
    let mut effects: Vec<Effect> = changes
        .iter()
        .map(|&(place, change)| Effect { take: (-change).max(0), put: change.max(0), ..Effect::on(place) })
        .collect();
    effects.sort_unstable_by_key(|effect| effect.place);
    Transition { name: format!("t{number}"), effects, ..Transition::default() }
}

#[test]
fn figures_from_siblings_are_those_of_the_net() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..600 * factor() {
        let net = rings(seed);
        let Some(family) = Family::of(&net, &net.initial[0].marking) else {
            none += 1;
            continue;
        };
        let options = Options::default();
        let followed = figures(&family, &net, &options).expect("the siblings are small");
        let system = System { name: String::new(), types: vec![Type::Net(net.clone())], main: 0, begins: vec![0] };
        let Some(mut space) = explore_briefly(&system, &options, 3_000_000) else { continue };
        assert_eq!(space.figures().expect("all states are known"), followed, "seed {seed}: {net:?}");
        found += 1;
    }
    assert!(found > 100 && none > 20, "{found} families, {none} that are none");
}

/// Nets in which not every solution of the invariants is reached are no families.
#[test]
fn solutions_that_are_not_reached_are_noticed() {
    let families = [
        // Tokens leave the first place in pairs: an odd number of them is never elsewhere.
        (vec![40, 0, 0, 0, 20, 0], vec![vec![(0, -2), (1, 2)], vec![(1, -1), (2, 1)]]),
        // Two that wait for what the other leaves: nothing ever fires.
        (
            vec![40, 0, 20, 0, 0, 0],
            vec![vec![(0, -1), (4, -1), (1, 1), (5, 1)], vec![(2, -1), (5, -1), (3, 1), (4, 1)]],
        ),
        // What is made of the first two can be taken apart, but then the second is used up.
        (
            vec![40, 40, 0, 0, 0, 0],
            vec![vec![(0, -1), (1, -1), (2, 1)], vec![(2, -1), (0, 1), (3, 1)], vec![(3, -1), (4, 1)]],
        ),
    ];
    for (marking, changes) in families {
        let places = (0..6).map(|place| Place { name: format!("p{place}"), capacity: None }).collect();
        let transitions = (0..).zip(&changes).map(|(number, changes)| transition(number, changes)).collect();
        let initial = vec![Initial { name: String::new(), marking }];
        let net = Net { places, transitions, initial, ..Net::default() };
        let Some(family) = Family::of(&net, &net.initial[0].marking) else { continue };
        let system = System { name: String::new(), types: vec![Type::Net(net.clone())], main: 0, begins: vec![0] };
        let mut space = explore(&system, &Options::default()).expect("it is small");
        let followed = figures(&family, &net, &Options::default()).expect("the siblings are small");
        assert_eq!(space.figures().expect("all states are known"), followed, "{changes:?}");
        assert_eq!(changes.len(), 3, "not all solutions are reached: {changes:?}");
    }
}
