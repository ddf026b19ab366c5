//! Symmetries of a composite as symmetries of its instances.
//!
//! A permutation of the variables may move instances as wholes: every variable of one goes to the same variable of another.
//! What permutes instances is said with the names of the instances; what changes something inside of them is said with the
//! names of variables.

use mandala_group::Permutation;
use mandala_model::system::System;

use super::shape::words::each_once;
use super::{Part, Points, Shape};

/// The parts of a group of symmetries in words, a line each, given what they permute and the names of the variables.
pub fn describe(system: &System, shape: &Shape, points: &Points, names: &[String]) -> Vec<String> {
    if !system.is_composite() {
        return shape.describe(points, names);
    }
    let instances: Vec<String> = system.main_type().instances().iter().map(|instance| instance.name.clone()).collect();
    let ends = ends(system);
    let whole = Points::of_variables(instances.len());
    let words = |part: &Part| match over_instances(system, &ends, part) {
        Some(moved) => part.with_values(moved.describe_as(&whole, &instances, "instances"), points, names),
        None => part.describe(points, names),
    };
    each_once(shape.parts.iter().map(words))
}

/// Where the variables of each instance of the main type end in a state.
fn ends(system: &System) -> Vec<u32> {
    let sizes_of_types = system.sizes();
    let sizes = system.main_type().instances().iter().map(|instance| sizes_of_types[instance.type_index] as u32);
    sizes
        .scan(0u32, |end, size| {
            *end = end.saturating_add(size);
            Some(*end)
        })
        .collect()
}

/// The permutation of the instances of the main type, a composite, that does what a permutation of the variables does;
/// nothing if some instance does not go as a whole to the place of another.
pub fn of_instances(system: &System, permutation: &Permutation) -> Option<Permutation> {
    if !system.is_composite() {
        return None;
    }
    let ends = ends(system);
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let offsets: Vec<(u32, u32)> = starts.zip(&ends).map(|(start, &end)| (start, end - start)).collect();
    let mut moves = Vec::new();
    for (from, &(offset, size)) in (0..).zip(&offsets) {
        if !(offset..offset + size).any(|variable| !permutation.fixes(variable)) {
            continue;
        }
        let target = permutation.image(offset);
        let to = offsets.partition_point(|&(start, _)| start <= target).checked_sub(1)?;
        let is_whole =
            offsets[to] == (target, size) && (0..size).all(|at| permutation.image(offset + at) == target + at);
        if !is_whole {
            return None;
        }
        moves.push((from, to as u32));
    }
    Permutation::from_moves(moves)
}

/// What a part does to instances, if it permutes these as wholes. Whether a ring can be turned over stays as it is: what is
/// left and right inside of an instance may be exchanged then.
fn over_instances(system: &System, ends: &[u32], part: &Part) -> Option<Part> {
    let moved = |all: &[Permutation]| all.iter().map(|one| of_instances(system, one)).collect::<Option<Vec<_>>>();
    match part {
        Part::Indices { swaps } => Some(Part::Indices { swaps: moved(swaps)? }),
        Part::Other { generators } => Some(Part::Other { generators: moved(generators)? }),
        Part::Full { blocks } => {
            moved(&part.generators())?;
            Some(Part::Full { blocks: instances_of(ends, blocks) })
        }
        Part::Ring { blocks, reflection } => {
            moved(&[super::shape::rotation(blocks)])?;
            Some(Part::Ring { blocks: instances_of(ends, blocks), reflection: reflection.clone() })
        }
    }
}

/// The instances in blocks of variables, each once.
fn instances_of(ends: &[u32], blocks: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let of = |block: &Vec<u32>| {
        let mut instances: Vec<u32> = Vec::new();
        // Values come after all variables.
        for &variable in block.iter().filter(|&&point| ends.last().is_some_and(|&end| point < end)) {
            let instance = ends.partition_point(|&end| end <= variable) as u32;
            if !instances.contains(&instance) {
                instances.push(instance);
            }
        }
        instances
    };
    blocks.iter().map(of).collect()
}
