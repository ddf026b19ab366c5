//! States as diagrams and back, and what can be measured of them.

use mandala_diagram::{Assignments, Contribution, Diagram, Error, State, Value, Weight};
use mandala_model::system::{Location, Type};

use super::EncodedSystem;
use crate::layout::Layout;

impl EncodedSystem<'_> {
    /// Whether a promise of the file was broken somewhere in a set: a unit holds more than its only token.
    pub(super) fn breaks_promises(&self, set: &Diagram) -> bool {
        let violations = self.encoding.types[self.encoding.system.main].layout.as_ref().and_then(Layout::violations);
        violations.is_some_and(|weight| self.store.extremes(set, &weight).is_some_and(|(_, most)| most > 0))
    }

    /// Whether a variable of a type is a cell of a queue.
    fn is_cell(&self, type_index: usize, variable: u32) -> bool {
        let Type::Queues(queues) = &self.encoding.system.types[type_index] else { return false };
        queues.queue_of_cell(variable).is_some()
    }

    /// How many letters may be in a cell of a queue; nothing if the variable is none.
    pub(super) fn letters_at(&self, location: &Location) -> Option<i32> {
        let &type_index = self.encoding.system.types_on(&location.path)?.last()?;
        let Type::Queues(queues) = &self.encoding.system.types[type_index] else { return None };
        queues.queue_of_cell(location.index).map(|queue| queue.letters.len() as i32)
    }

    /// The states of a set in which a cell of a queue holds a letter, or nothing for 0.
    pub(super) fn holding(&mut self, location: &Location, letter: i32, set: &Diagram) -> Result<Diagram, Error> {
        let types = self.encoding.system.types_on(&location.path).unwrap_or_default();
        let layout = types.last().and_then(|&last| self.encoding.types[last].layout.as_ref());
        let holding = layout.and_then(|layout| layout.holding(&mut self.store, location.index, letter));
        let Some(holding) = holding else { return Ok(self.store.zero()) };
        let lifted = self.lifted(&types, &location.path, holding);
        self.store.apply(&lifted, set)
    }

    /// A linear expression over variables and places as a weight and a constant; nothing if there is no such variable, or if
    /// it is a cell of a queue.
    pub fn weight(&self, terms: &[(Location, i64)]) -> Option<(Weight, i64)> {
        self.weight_at(self.encoding.system.main, 0, terms)
    }

    fn weight_at(&self, type_index: usize, depth: usize, terms: &[(Location, i64)]) -> Option<(Weight, i64)> {
        if let Some(layout) = &self.encoding.types[type_index].layout {
            let own: Vec<(u32, i64)> = terms.iter().map(|(location, times)| (location.index, *times)).collect();
            let is_cell = |&(variable, _): &(u32, i64)| self.is_cell(type_index, variable);
            return (!own.iter().any(is_cell)).then(|| layout.weight(&own));
        }
        let Type::Composite(composite) = &self.encoding.system.types[type_index] else { return None };
        let mut sorted: Vec<&(Location, i64)> = terms.iter().collect();
        sorted.sort_by_key(|(location, _)| location.path.get(depth).copied());
        let (mut constant, mut contributions) = (0, Vec::new());
        for group in sorted.chunk_by(|a, b| a.0.path.get(depth) == b.0.path.get(depth)) {
            let instance = *group.first()?.0.path.get(depth)?;
            let inner: Vec<(Location, i64)> = group.iter().map(|term| (*term).clone()).collect();
            let below = composite.instances.get(instance as usize)?.type_index;
            let (weight, plus) = self.weight_at(below, depth + 1, &inner)?;
            constant += plus;
            contributions
                .push((self.encoding.types[type_index].slots[instance as usize], Contribution::Inside(weight)));
        }
        Some((Weight::new(contributions), constant))
    }

    /// The weight that adds up all tokens of a marking, if the system is small enough to write it out.
    pub fn tokens(&self) -> (Weight, i64) {
        let mut weights: Vec<(Weight, i64)> = Vec::with_capacity(self.encoding.types.len());
        for (index, coded) in self.encoding.types.iter().enumerate() {
            let weight = match (&coded.layout, &self.encoding.system.types[index]) {
                (Some(layout), kind) => {
                    // The letters of a queue are its tokens, and its place counts them.
                    let counted = match kind {
                        Type::Queues(queues) => queues.net.places.len(),
                        kind => kind.variable_count(),
                    };
                    layout.weight(&(0..counted as u32).map(|variable| (variable, 1)).collect::<Vec<_>>())
                }
                (None, Type::Composite(composite)) => {
                    let mut constant = 0i64;
                    let mut contributions = Vec::new();
                    for (number, instance) in composite.instances.iter().enumerate() {
                        let (weight, plus) = &weights[instance.type_index];
                        constant = constant.saturating_add(*plus);
                        contributions.push((coded.slots[number], Contribution::Inside(weight.clone())));
                    }
                    (Weight::new(contributions), constant)
                }
                (None, _) => (Weight::new([]), 0),
            };
            weights.push(weight);
        }
        weights.swap_remove(self.encoding.system.main)
    }

    /// The greatest value of a variable (the most tokens in a place) in the states of a set.
    pub fn greatest_value(&self, set: &Diagram) -> Option<i32> {
        let mut greatest: Option<i32> = None;
        // The states of each type, wherever an instance of it is.
        let mut sets: Vec<Vec<Diagram>> = vec![Vec::new(); self.encoding.types.len()];
        sets[self.encoding.system.main].push(set.clone());
        for index in (0..self.encoding.types.len()).rev() {
            let own = std::mem::take(&mut sets[index]);
            match (&self.encoding.types[index].layout, &self.encoding.system.types[index]) {
                (Some(layout), _) => {
                    layout.extents(&self.store, &own, &mut |_, _, most| greatest = greatest.max(Some(most)));
                }
                (None, Type::Composite(composite)) => {
                    let mut extents = self.store.extents(&own);
                    for (instance, slot) in composite.instances.iter().zip(&self.encoding.types[index].slots) {
                        let labels = extents.remove(slot).map(|extent| extent.labels).unwrap_or_default();
                        sets[instance.type_index].extend(labels);
                    }
                }
                (None, _) => {}
            }
        }
        greatest
    }

    /// A state as a set. Nothing if a unit holds more than its token.
    pub fn encode(&mut self, state: &[i32]) -> Result<Option<Diagram>, Error> {
        self.encode_at(self.encoding.system.main, state)
    }

    /// The state of an instance of a type as a set.
    fn encode_at(&mut self, type_index: usize, state: &[i32]) -> Result<Option<Diagram>, Error> {
        if let Some(layout) = &self.encoding.types[type_index].layout {
            return layout.encode(&mut self.store, state);
        }
        let Type::Composite(composite) = &self.encoding.system.types[type_index] else { return Ok(None) };
        let mut parts: Vec<(u32, usize, &[i32])> = Vec::with_capacity(composite.instances.len());
        let mut rest = state;
        for (instance, &slot) in composite.instances.iter().zip(&self.encoding.types[type_index].slots) {
            let (own, others) = rest.split_at(self.encoding.sizes[instance.type_index].min(rest.len()));
            parts.push((slot, instance.type_index, own));
            rest = others;
        }
        parts.sort_unstable_by_key(|part| part.0);
        let mut below = self.store.one();
        for (slot, type_index, own) in parts.into_iter().rev() {
            let Some(label) = self.encode_at(type_index, own)? else { return Ok(None) };
            below = self.store.assign_set(slot, &label, &below)?;
        }
        Ok(Some(below))
    }

    /// A state of the store as the sequence of values of all variables of the system.
    pub fn decode(&self, state: &State) -> Vec<i32> {
        let mut values = vec![0; self.encoding.sizes[self.encoding.system.main]];
        self.decode_into(self.encoding.system.main, state.assignments(), &mut values);
        values
    }

    fn decode_into(&self, type_index: usize, assignments: Assignments<'_>, values: &mut [i32]) {
        if let Some(layout) = &self.encoding.types[type_index].layout {
            return layout.decode(assignments, values);
        }
        let Type::Composite(composite) = &self.encoding.system.types[type_index] else { return };
        let slots = &self.encoding.types[type_index].slots;
        let mut values_of: Vec<Option<(usize, &mut [i32])>> = slots.iter().map(|_| None).collect();
        let mut rest = values;
        for (instance, &slot) in composite.instances.iter().zip(slots) {
            let (own, others) = rest.split_at_mut(self.encoding.sizes[instance.type_index]);
            values_of[slot as usize] = Some((instance.type_index, own));
            rest = others;
        }
        for assignment in assignments {
            let own = values_of.get_mut(assignment.variable as usize).and_then(Option::take);
            if let (Value::State(inner), Some((type_index, own))) = (assignment.value, own) {
                self.decode_into(type_index, inner, own);
            }
        }
    }
}
