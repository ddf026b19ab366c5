//! What is done to the tensors of a symbolic marking whose vectors of sizes are known.

use super::words::{Counts, END, Tensor, Words, elements, flat};
use mandala_model::coloured::evaluate::{Evaluator, Undefined};
use mandala_model::coloured::{Arc, ColouredNet, Sort, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc as Shared;

/// What is done to all tensors alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Plan {
    /// How many dynamic subclasses each cell has before.
    pub counts: Counts,
    /// For each cell and each dynamic subclass afterwards, which it was before.
    pub maps: Vec<Vec<u32>>,
    /// Two dynamic subclasses of a cell that must have equal slices.
    pub equal: Option<(usize, u32, u32)>,
    /// A transition, and what its variables are bound to.
    pub fired: Option<(u32, Vec<u32>)>,
}

/// What a plan means for each place.
#[derive(Debug)]
pub(super) struct Planned {
    /// For each place what is done to it, if it is concerned.
    pub places: Vec<Option<OnPlace>>,
}

/// What is done to the tensor of a place.
#[derive(Debug)]
pub(super) struct OnPlace {
    dimensions: Vec<usize>,
    maps: Vec<Vec<usize>>,
    /// Positions, and two indices whose slices must be equal there.
    equal: Option<(Vec<usize>, usize, usize)>,
    changes: Vec<Change>,
}

/// What happens to an element.
#[derive(Debug)]
struct Change {
    at: usize,
    take: i32,
    below: Option<i32>,
    put: i32,
}

/// All plans that were made, by number.
#[derive(Debug, Default)]
pub(super) struct Plans {
    numbers: FxHashMap<Plan, Option<u32>>,
    plans: Vec<Shared<Planned>>,
    nets: FxHashMap<Counts, Shared<ColouredNet>>,
}

impl Words {
    /// The number of a plan; nothing if its transition has no such binding.
    pub fn plan(&self, plan: Plan) -> Option<u32> {
        let mut plans = self.plans.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(number) = plans.numbers.get(&plan) {
            return *number;
        }
        let after: Counts = plan.maps.iter().map(|map| map.len() as u32).collect();
        let net = plans.nets.entry(after.clone()).or_insert_with(|| Shared::new(self.with(&after))).clone();
        let places = self.on_places(&plan, &after, &net);
        let number = places.map(|places| {
            plans.plans.push(Shared::new(Planned { places }));
            plans.plans.len() as u32 - 1
        });
        plans.numbers.insert(plan, number);
        number
    }

    /// The plan with a number.
    pub fn planned(&self, number: u32) -> Shared<Planned> {
        self.plans.lock().unwrap_or_else(std::sync::PoisonError::into_inner).plans[number as usize].clone()
    }

    fn on_places(&self, plan: &Plan, after: &[u32], net: &ColouredNet) -> Option<Vec<Option<OnPlace>>> {
        let mut changes = match &plan.fired {
            Some((transition, binding)) => self.changes(net, *transition, binding, after)?,
            None => self.net.places.iter().map(|_| Vec::new()).collect(),
        };
        let mut places = Vec::new();
        for (place, changes) in self.net.places.iter().zip(&mut changes) {
            let mut dimensions = Vec::new();
            let mut maps = Vec::new();
            for sort in &place.domain {
                dimensions.push(self.dimension(sort.class(), &plan.counts));
                maps.push(match self.symmetric[sort.class() as usize] {
                    None => (0..self.net.classes[sort.class() as usize].len() as usize).collect(),
                    Some(class) => {
                        let of_cell = |cell: usize| {
                            let offset = self.offset(cell, &plan.counts);
                            plan.maps[cell].iter().map(move |&index| offset + index as usize)
                        };
                        self.cells_of(class).flat_map(of_cell).collect::<Vec<usize>>()
                    }
                });
            }
            let equal = plan.equal.and_then(|(cell, one, other)| {
                let class = Sort::Colour(self.class_of(cell));
                let positions = (0..).zip(&place.domain).filter(|(_, sort)| **sort == class).map(|(at, _)| at);
                let positions: Vec<usize> = positions.collect();
                let offset = self.offset(cell, &plan.counts);
                (!positions.is_empty()).then_some((positions, offset + one as usize, offset + other as usize))
            });
            let is_same = dimensions.iter().zip(&maps).all(|(&dimension, map)| map.iter().copied().eq(0..dimension));
            let changes = std::mem::take(changes);
            let is_concerned = !is_same || equal.is_some() || !changes.is_empty();
            places.push(is_concerned.then_some(OnPlace { dimensions, maps, equal, changes }));
        }
        Some(places)
    }

    /// What a transition does to the elements of each tensor; nothing if it has no such binding.
    fn changes(&self, net: &ColouredNet, transition: u32, binding: &[u32], after: &[u32]) -> Option<Vec<Vec<Change>>> {
        let transition = &net.transitions[transition as usize];
        let binding: Vec<Value> = binding.iter().map(|&colour| Value::Colour(colour)).collect();
        let evaluator = Evaluator::new(net, &transition.variables, &binding);
        if !self.defined(evaluator.guard(&transition.guard))? {
            return None;
        }
        let mut changes: Vec<FxHashMap<usize, Change>> = net.places.iter().map(|_| FxHashMap::default()).collect();
        let mut each = |arcs: &[Arc], change: &dyn Fn(&mut Change, i32)| -> Option<()> {
            for arc in arcs {
                let place = &net.places[arc.place as usize];
                let dimensions: Vec<usize> =
                    place.domain.iter().map(|sort| self.dimension(sort.class(), after)).collect();
                for (token, times) in self.defined(evaluator.tokens(&arc.tokens))?.iter() {
                    let (Some(at), Ok(times)) = (flat(&dimensions, &token), i32::try_from(times)) else {
                        self.give_up();
                        return None;
                    };
                    let known = changes[arc.place as usize].entry(at);
                    change(known.or_insert(Change { at, take: 0, below: None, put: 0 }), times);
                }
            }
            Some(())
        };
        each(&transition.takes, &|change, times| change.take = change.take.saturating_add(times))?;
        each(&transition.puts, &|change, times| change.put = change.put.saturating_add(times))?;
        each(&transition.inhibitors, &|change, times| {
            change.below = Some(change.below.map_or(times, |below| below.min(times)));
        })?;
        Some(changes.into_iter().map(|changes| changes.into_values().collect()).collect())
    }

    /// A value, if there is one. That it is too large is noted.
    fn defined<T>(&self, value: Result<T, Undefined>) -> Option<T> {
        if matches!(value, Err(Undefined::TooMany | Undefined::Malformed)) {
            self.give_up();
        }
        value.ok()
    }
}

impl OnPlace {
    /// The tensor afterwards, if it allows what is planned.
    pub fn apply(&self, words: &Words, values: &[i32]) -> Option<Vec<i32>> {
        let before = Tensor { dimensions: self.dimensions.clone(), values: values.to_vec() };
        if before.values.len() != elements(&before.dimensions)? {
            return None;
        }
        if let Some((positions, one, other)) = &self.equal
            && !before.has_alike(positions, *one, *other, false)
        {
            return None;
        }
        let dimensions: Vec<usize> = self.maps.iter().map(Vec::len).collect();
        if elements(&dimensions).is_none() {
            words.give_up();
            return None;
        }
        let maps: Vec<&[usize]> = self.maps.iter().map(Vec::as_slice).collect();
        let mut after = before.mapped(&maps).values;
        for change in &self.changes {
            let tokens = after[change.at];
            if tokens < change.take || change.below.is_some_and(|below| tokens >= below) {
                return None;
            }
            let Some(tokens) = (tokens - change.take).checked_add(change.put) else {
                words.give_up();
                return None;
            };
            after[change.at] = tokens;
        }
        debug_assert!(after.iter().all(|&value| value > END));
        Some(after)
    }
}
