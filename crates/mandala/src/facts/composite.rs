//! What a composite is: its types, and how many instances of each there are.

use crate::engine;
use crate::model::Shape;
use mandala_diagram::{Count, Exactness};
use mandala_model::system::System;

/// What a composite is.
#[derive(Clone, Debug)]
pub struct CompositeFacts {
    /// The types that occur in it, the whole first.
    pub types: Vec<TypeFacts>,
    /// How deep they are nested.
    pub levels: usize,
    /// How many variables a state has.
    pub variables: Count,
}

/// A type that occurs in a composite.
#[derive(Clone, Debug)]
pub struct TypeFacts {
    /// Its name.
    pub name: String,
    /// What it is made of.
    pub shape: Shape,
    /// How many places or variables it has by itself.
    pub variables: usize,
    /// How many transitions or synchronisations.
    pub transitions: usize,
    /// The types of its instances, and how many it has of each.
    pub parts: Vec<(String, usize)>,
    /// How often it occurs in the whole.
    pub instances: Count,
}

impl CompositeFacts {
    pub(super) fn new(system: &System) -> CompositeFacts {
        let totals = instances(system);
        let used = (0..system.types.len()).rev().filter(|&index| !totals[index].is_zero());
        CompositeFacts {
            types: used.map(|index| type_facts(system, index, &totals[index])).collect(),
            levels: system.levels(),
            variables: engine::variables(system),
        }
    }
}

fn type_facts(system: &System, index: usize, instances: &Count) -> TypeFacts {
    let kind = &system.types[index];
    TypeFacts {
        name: kind.name().to_owned(),
        shape: Shape::of(kind),
        variables: kind.variable_count(),
        transitions: kind.event_count(),
        parts: parts(system, index),
        instances: instances.clone(),
    }
}

/// The instances of a composite by type.
fn parts(system: &System, index: usize) -> Vec<(String, usize)> {
    let mut kinds: Vec<(usize, usize)> = Vec::new();
    for instance in system.types[index].instances() {
        match kinds.iter_mut().find(|(kind, _)| *kind == instance.type_index) {
            Some((_, number)) => *number += 1,
            None => kinds.push((instance.type_index, 1)),
        }
    }
    kinds.into_iter().map(|(kind, number)| (system.types[kind].name().to_owned(), number)).collect()
}

/// How often each type occurs in the whole.
pub fn instances(system: &System) -> Vec<Count> {
    let exactness = Exactness::default();
    let mut totals = vec![Count::zero(); system.types.len()];
    if let Some(main) = totals.get_mut(system.main) {
        *main = Count::one();
    }
    // A composite comes after the types of its instances.
    for index in (0..system.types.len()).rev() {
        let times = totals[index].clone();
        if times.is_zero() {
            continue;
        }
        for instance in system.types[index].instances() {
            totals[instance.type_index].add_assign(&times, &exactness);
        }
    }
    totals
}
