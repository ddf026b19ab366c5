//! What can happen in a system, and where.

use std::cmp::Reverse;

use mandala_diagram::{Diagram, Hom};
use mandala_model::system::{Location, Program, Type};
use rustc_hash::FxHashMap;

use super::types::{Fires, doing, evaluated, guard_by_conditions, sent_hom, sum_of};
use super::{EncodeError, EncodedSystem, SystemEncoding};
use crate::demand::Choices;
use crate::program::{self, Beyond};
use crate::step::Step;

/// So many conditions are looked at in one go: one by one, each of them goes through all of the diagram, and all at once
/// they would be another sum at each variable.
const TOGETHER: usize = 32;

impl SystemEncoding<'_> {
    /// Where everything is that a system does by itself: transitions and synchronisations of its instances. Nothing if
    /// there are more than `most`.
    pub(super) fn events(&self, most: usize) -> Option<Vec<Location>> {
        let mut counts: Vec<usize> = Vec::with_capacity(self.system.types.len());
        for (index, kind) in self.system.types.iter().enumerate() {
            let own = kind.own_events(index == self.system.main).len();
            let below = kind.instances().iter().map(|instance| counts[instance.type_index]);
            counts.push(below.fold(own, usize::saturating_add));
        }
        if counts[self.system.main] > most {
            return None;
        }
        let mut events = Vec::with_capacity(counts[self.system.main]);
        let mut open = vec![(self.system.main, Vec::new())];
        while let Some((index, path)) = open.pop() {
            let kind = &self.system.types[index];
            let own = kind.own_events(path.is_empty() && index == self.system.main);
            events.extend(own.into_iter().map(|number| Location { path: path.clone(), index: number }));
            for (number, instance) in kind.instances().iter().enumerate().rev() {
                if counts[instance.type_index] > 0 {
                    let mut path = path.clone();
                    path.push(number as u32);
                    open.push((instance.type_index, path));
                }
            }
        }
        Some(events)
    }
}

impl EncodedSystem<'_> {
    /// A homomorphism of the type at the end of a path as one of the main type.
    pub(super) fn lifted(&mut self, types: &[usize], path: &[u32], hom: Hom) -> Hom {
        path.iter().zip(types).rev().fold(hom, |inside, (&instance, &type_index)| {
            let slot = self.encoding.types[type_index].slots[instance as usize];
            self.store.local(slot, &inside)
        })
    }

    /// Keeps the states in which a transition or synchronisation can fire; nothing if there is none at this location.
    pub fn guard(&mut self, location: &Location) -> Result<Option<Hom>, EncodeError> {
        let Some(types) = self.encoding.system.types_on(&location.path) else { return Ok(None) };
        let Some(&last) = types.last() else { return Ok(None) };
        if location.index as usize >= self.encoding.system.types[last].event_count() {
            return Ok(None);
        }
        let mut guard = self.guard_of(last, location.index)?;
        if let Type::Net(net) = &self.encoding.system.types[last] {
            let priority = net.transitions[location.index as usize].priority;
            guard = self.encoding.types[last].held_back.unless(&mut self.store, priority, guard);
        }
        Ok(Some(self.lifted(&types, &location.path, guard)))
    }

    fn sum_of_steps(&mut self, type_index: usize, steps: Vec<Step>) -> Result<Hom, EncodeError> {
        let Some(layout) = &self.encoding.types[type_index].layout else { return Ok(self.store.null()) };
        let mut homs = Vec::with_capacity(steps.len());
        for step in &steps {
            homs.push(layout.hom(&mut self.store, step)?);
        }
        Ok(self.store.sum(&homs))
    }

    /// The states of a set in which nothing can happen. Priorities do not matter: where something is held back, that which
    /// holds it back can happen.
    pub(super) fn dead_by_guards(&mut self, set: &Diagram) -> Result<Diagram, EncodeError> {
        let mut selectors: Vec<Vec<Hom>> = Vec::with_capacity(self.encoding.types.len());
        for index in 0..self.encoding.system.types.len() {
            let kind = &self.encoding.system.types[index];
            let mut all = Vec::new();
            if let Type::Composite(composite) = kind {
                let mut insides: FxHashMap<usize, Hom> = FxHashMap::default();
                let mut links: Vec<(u32, Hom)> = Vec::with_capacity(composite.instances.len());
                for (instance, &slot) in composite.instances.iter().zip(&self.encoding.types[index].slots) {
                    let below = instance.type_index;
                    if !selectors[below].is_empty() {
                        let inside = insides.entry(below).or_insert_with(|| self.store.sequence(&selectors[below]));
                        links.push((slot, self.store.local(slot, inside)));
                    }
                }
                // They commute. From the bottom up, each is put before a chain that stays as it is.
                links.sort_unstable_by_key(|(slot, _)| Reverse(*slot));
                all.push(self.store.sequence(links.iter().map(|(_, link)| link)));
            }
            let mut guards = Vec::new();
            for number in kind.own_events(index == self.encoding.system.main) {
                guards.push(match (kind, &self.encoding.types[index].layout) {
                    // To judge all states one by one is not worth it: it is known as well which states have successors.
                    (Type::Program(program), Some(layout)) => {
                        guard_by_conditions(&mut self.store, program, layout, number)?
                    }
                    _ => self.guard_of(index, number)?,
                });
            }
            for some in guards.chunks(TOGETHER) {
                let any = self.store.sum(some);
                all.push(self.store.not(&any));
            }
            selectors.push(all);
        }
        let mut dead = set.clone();
        for selector in &selectors[self.encoding.system.main] {
            dead = self.store.apply(selector, &dead)?;
        }
        Ok(dead)
    }

    /// The condition of an event of a type, in the states of the type, whatever its priority.
    fn guard_of(&mut self, type_index: usize, number: u32) -> Result<Hom, EncodeError> {
        match &self.encoding.system.types[type_index] {
            Type::Net(net) => {
                let step = Fires::Net(net).step(&[number])?;
                self.sum_of_steps(type_index, step.iter().map(Step::guard).collect())
            }
            Type::Queues(queues) => {
                let step = Fires::Queues(queues).step(&[number])?;
                self.sum_of_steps(type_index, step.iter().map(Step::guard).collect())
            }
            Type::Program(program) => {
                let Some(layout) = &self.encoding.types[type_index].layout else { return Ok(self.store.null()) };
                let doing = doing(&mut self.store, program, layout, number)?;
                doing.guard.map_err(|beyond| EncodeError::Beyond { program: program.name.clone(), beyond })
            }
            Type::Composite(composite) => {
                let slots = &self.encoding.types[type_index].slots;
                let choices = Choices::new(composite);
                let sent = choices.of_synchronisation(number as usize).map_err(EncodeError::TooManyChoices)?;
                let all = sent
                    .iter()
                    .map(|sent| sent_hom(&mut self.store, (composite, slots), &self.encoding.types, sent))
                    .collect();
                let doing = sum_of(&mut self.store, all);
                doing.guard.map_err(|beyond| EncodeError::Beyond { program: composite.name.clone(), beyond })
            }
        }
    }

    /// The states of a set that satisfy TRANSIENT somewhere.
    pub(super) fn satisfying_transient(&mut self, set: &Diagram) -> Result<Diagram, EncodeError> {
        let mut selectors: Vec<Hom> = Vec::with_capacity(self.encoding.types.len());
        for index in 0..self.encoding.system.types.len() {
            let selector = match &self.encoding.system.types[index] {
                Type::Program(program @ Program { transient: Some(condition), .. }) => {
                    match (program::conditions(condition, true), &self.encoding.types[index].layout) {
                        (Ok(steps), _) => self.sum_of_steps(index, steps)?,
                        (Err(reason), layout) => {
                            let evaluated = layout.as_ref().and_then(|layout| evaluated(program, layout));
                            let evaluated = evaluated.ok_or_else(|| EncodeError::Beyond {
                                program: program.name.clone(),
                                beyond: Beyond { transition: "TRANSIENT".to_owned(), span: Default::default(), reason },
                            })?;
                            evaluated.condition(&mut self.store, condition)
                        }
                    }
                }
                Type::Composite(composite) => {
                    let mut all = Vec::new();
                    for (instance, &slot) in composite.instances.iter().zip(&self.encoding.types[index].slots) {
                        all.push(self.store.local(slot, &selectors[instance.type_index]));
                    }
                    self.store.sum(&all)
                }
                _ => self.store.null(),
            };
            selectors.push(selector);
        }
        Ok(self.store.apply(&selectors[self.encoding.system.main], set)?)
    }
}
