//! Orbits, state by state: which states become each other when variables are exchanged.
//!
//! A *permutation* says for each variable which variable its value goes to. The orbits of a set of states under some
//! permutations are the classes of the least equivalence that relates each state to its images.
#![allow(dead_code)]

use mandala_model::net::{Effect, Net};
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use std::collections::{HashMap, HashSet};

/// For each variable, the one that its value goes to.
pub type Permutation = Vec<usize>;

/// All states that can be reached, each with its number.
pub fn states(system: &System) -> HashMap<Vec<i32>, usize> {
    let semantics = Semantics::new(system).expect("small enough");
    let mut waiting = Vec::new();
    let mut seen = HashMap::new();
    let mut found = semantics.initial_states().expect("no error");
    loop {
        for state in found {
            let number = seen.len();
            if !seen.contains_key(&state) {
                seen.insert(state.clone(), number);
                waiting.push(state);
            }
        }
        let Some(state) = waiting.pop() else { return seen };
        found = semantics.successors(&state).expect("no error").into_iter().map(|step| step.state).collect();
    }
}

/// How many orbits there are among states, which must contain all images of their members.
pub fn count(states: &HashMap<Vec<i32>, usize>, generators: &[Permutation]) -> usize {
    let mut parents: Vec<usize> = (0..states.len()).collect();
    let mut orbits = states.len();
    for (state, &number) in states {
        for permutation in generators {
            let image = image(state, permutation);
            let other = *states.get(&image).unwrap_or_else(|| panic!("{image:?} is missing, but {state:?} is there"));
            let (a, b) = (root(&mut parents, number), root(&mut parents, other));
            if a != b {
                parents[a] = b;
                orbits -= 1;
            }
        }
    }
    orbits
}

/// The state in which all values have gone where a permutation says.
pub fn image(state: &[i32], permutation: &[usize]) -> Vec<i32> {
    let mut image = vec![0; state.len()];
    for (&value, &to) in state.iter().zip(permutation) {
        image[to] = value;
    }
    image
}

/// Who stands for the class of a number, in a forest of parents.
fn root(parents: &mut [usize], mut number: usize) -> usize {
    while parents[number] != number {
        parents[number] = parents[parents[number]];
        number = parents[number];
    }
    number
}

/// Whether a net stays the same: its transitions but for their names, its capacities, and its initial marking.
pub fn is_symmetry(net: &Net, permutation: &[usize]) -> bool {
    let moved = |effect: &Effect| Effect { place: permutation[effect.place as usize] as u32, ..*effect };
    let sorted = |mut effects: Vec<Effect>| {
        effects.sort_by_key(|effect| effect.place);
        effects
    };
    let all: HashSet<_> = net.transitions.iter().map(|one| (&one.label, one.effects.clone())).collect();
    let images: HashSet<_> =
        net.transitions.iter().map(|one| (&one.label, sorted(one.effects.iter().map(moved).collect()))).collect();
    let capacities = net.places.iter().zip(permutation).all(|(place, &to)| place.capacity == net.places[to].capacity);
    let markings = net.initial.iter().all(|initial| image(&initial.marking, permutation) == initial.marking);
    all == images && capacities && markings
}

/// A permutation of so many variables that is given as cycles.
pub fn from_cycles(cycles: &[Vec<u32>], variables: usize) -> Permutation {
    let mut permutation: Permutation = (0..variables).collect();
    for cycle in cycles {
        for (&one, &next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            permutation[one as usize] = next as usize;
        }
    }
    permutation
}

/// The permutation of the places of a net that a new name for each of them means.
pub fn renaming(net: &Net, rename: impl Fn(&str) -> String) -> Permutation {
    let numbers: HashMap<&str, usize> =
        net.places.iter().enumerate().map(|(number, place)| (place.name.as_str(), number)).collect();
    let to = |name: &str| {
        let new = rename(name);
        *numbers.get(new.as_str()).unwrap_or_else(|| panic!("no place {new}, the new name of {name}"))
    };
    net.places.iter().map(|place| to(&place.name)).collect()
}
