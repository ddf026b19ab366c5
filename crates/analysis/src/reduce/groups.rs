//! Places that exclude each other, in the reduced net.
//!
//! Of places of which at most one holds a token, and that one token at most, the same is true if some of them become one. A
//! place that was made of places of different groups is in none.

use super::Equation;
use mandala_model::net::{Net, Unit, Units};
use rustc_hash::FxHashMap;

/// Where the places of a net have gone.
pub(super) struct Groups<'a> {
    places: usize,
    /// The place of the reduced net of each node that is left; the greatest number for others.
    place_of: &'a [u32],
    /// The whole of which a node was a part.
    whole_of: FxHashMap<u32, u32>,
    /// How many parts a whole has.
    parts: FxHashMap<u32, usize>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(net: &Net, equations: &[Equation], nodes: usize, place_of: &'a [u32]) -> Groups<'a> {
        let (mut whole_of, mut parts_of) = (FxHashMap::default(), FxHashMap::default());
        whole_of.reserve(nodes - net.places.len());
        for equation in equations {
            if let Equation::Sum { whole, parts } = equation {
                parts_of.insert(*whole, parts.len());
                whole_of.extend(parts.iter().map(|&part| (part, *whole)));
            }
        }
        Groups { places: net.places.len(), place_of, whole_of, parts: parts_of }
    }

    /// The places of the reduced net that are made of places of a group alone, ascending.
    fn group(&self, places: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut inside: FxHashMap<u32, usize> = FxHashMap::default();
        let mut open: Vec<u32> = places.iter().copied().filter(|&place| (place as usize) < self.places).collect();
        while let Some(node) = open.pop() {
            match self.whole_of.get(&node) {
                Some(whole) => {
                    let known = inside.entry(*whole).or_default();
                    *known += 1;
                    if self.parts.get(whole) == Some(known) {
                        open.push(*whole);
                    }
                }
                None => found.extend(Some(self.place_of[node as usize]).filter(|&place| place != u32::MAX)),
            }
        }
        found.sort_unstable();
        found
    }

    pub(super) fn units(&self, units: &Units) -> Units {
        let unit = |unit: &Unit| Unit { places: self.group(&unit.places), ..unit.clone() };
        Units { units: units.units.iter().map(unit).collect(), ..units.clone() }
    }

    pub(super) fn exclusive(&self, groups: &[Vec<u32>]) -> Vec<Vec<u32>> {
        groups.iter().map(|group| self.group(group)).filter(|group| group.len() > 1).collect()
    }
}
