//! Composites of nets as one net.
//!
//! A synchronisation becomes one transition per combination of the transitions that it can call. Transitions that fire
//! together on one net (definition 3.3 of the SDD paper) become one that takes and puts what all of them do.

use super::renaming::Renaming;
use super::{CannotFlatten, MOST, MOST_COMBINATIONS, Names};
use crate::net::{Effect, Initial, Net, Place, Transition};
use crate::system::{Choices, Composite, Location, Sent, System, Type, happens_by_itself};
use std::collections::BTreeMap;

/// What one combination of transitions that fire together does, by place.
pub(super) type Combination = BTreeMap<u32, Effect>;

/// The net, without initial markings, and where everything has gone.
pub(super) fn flatten(system: &System, sizes: &[usize]) -> Result<(Net, Renaming), CannotFlatten> {
    let net = Net { name: system.name.clone(), ..Net::default() };
    let mut flat = Flattening { system, sizes, net, renaming: Renaming::default(), names: Names::default() };
    flat.walk(system.main, 0, &mut Vec::new(), "")?;
    Ok((flat.net, flat.renaming))
}

/// The markings of a net as its initial states.
pub(super) fn initial(states: Vec<(String, Vec<i32>)>) -> Vec<Initial> {
    states.into_iter().map(|(name, marking)| Initial { name, marking }).collect()
}

struct Flattening<'a> {
    system: &'a System,
    sizes: &'a [usize],
    net: Net,
    renaming: Renaming,
    names: Names,
}

impl<'a> Flattening<'a> {
    /// Adds the places of an instance, and what it does by itself.
    fn walk(&mut self, index: usize, offset: usize, path: &mut Vec<u32>, prefix: &str) -> Result<(), CannotFlatten> {
        self.renaming.offsets.insert(path.clone(), offset);
        let is_main = path.is_empty();
        let own = |label: &Option<String>| happens_by_itself(label.as_deref(), is_main);
        match &self.system.types[index] {
            Type::Net(net) => {
                let places = net.places.iter();
                let places = places.map(|place| Place { name: format!("{prefix}{}", place.name), ..place.clone() });
                self.net.places.extend(places);
                for (number, transition) in (0..).zip(&net.transitions) {
                    if own(&transition.label) {
                        let combination = shifted(transition, offset);
                        self.add(path, number, &format!("{prefix}{}", transition.name), vec![combination])?;
                    }
                }
            }
            Type::Queues(_) | Type::Program(_) => {}
            Type::Composite(composite) => {
                let mut inner = offset;
                for (number, instance) in (0..).zip(&composite.instances) {
                    path.push(number);
                    self.walk(instance.type_index, inner, path, &instance.prefix(prefix))?;
                    path.pop();
                    inner += self.sizes[instance.type_index];
                }
                let choices = Choices::new(composite);
                for (number, synchronisation) in composite.synchronisations.iter().enumerate() {
                    if own(&synchronisation.label) {
                        let sent = choices.of_synchronisation(number)?;
                        let combinations = self.sent(composite, offset, &sent)?;
                        self.add(path, number as u32, &format!("{prefix}{}", synchronisation.name), combinations)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds one transition per combination.
    fn add(
        &mut self, path: &[u32], index: u32, name: &str, combinations: Vec<Combination>,
    ) -> Result<(), CannotFlatten> {
        let several = combinations.len() > 1;
        let mut indices = Vec::new();
        for (number, combination) in combinations.into_iter().enumerate() {
            if self.net.transitions.len() >= MOST {
                return Err(CannotFlatten::TooManyTransitions);
            }
            let name = self.names.add(if several { format!("{name}/{}", number + 1) } else { name.to_owned() });
            indices.push(self.net.transitions.len() as u32);
            let effects = combination.into_values().collect();
            self.net.transitions.push(Transition { name, effects, ..Transition::default() });
        }
        self.renaming.fires.insert(Location { path: path.to_vec(), index }, indices);
        Ok(())
    }

    /// The combinations of transitions that do one of several choices of calls to a composite.
    fn sent(&self, composite: &Composite, offset: usize, choices: &[Sent]) -> Result<Vec<Combination>, CannotFlatten> {
        let mut offsets = Vec::with_capacity(composite.instances.len());
        let mut inner = offset;
        for instance in &composite.instances {
            offsets.push(inner);
            inner += self.sizes[instance.type_index];
        }
        let mut all = Vec::new();
        for choice in choices {
            let mut combinations = vec![Combination::new()];
            for (instance, labels) in choice {
                let at = *instance as usize;
                let more = self.called(composite.instances[at].type_index, offsets[at], labels)?;
                combinations = product(&combinations, &more)?;
            }
            all.extend(combinations);
        }
        Ok(all)
    }

    /// The combinations of transitions of an instance that have a sequence of labels.
    fn called(&self, index: usize, offset: usize, labels: &[String]) -> Result<Vec<Combination>, CannotFlatten> {
        match &self.system.types[index] {
            Type::Net(net) => {
                let mut combinations = vec![Combination::new()];
                for label in labels {
                    let with_label = net.transitions.iter().filter(|one| one.label.as_ref() == Some(label));
                    let more: Vec<Combination> = with_label.map(|transition| shifted(transition, offset)).collect();
                    combinations = product(&combinations, &more)?;
                }
                Ok(combinations)
            }
            Type::Queues(_) | Type::Program(_) => Ok(Vec::new()),
            Type::Composite(composite) => {
                let choices = Choices::new(composite).of_sequence(labels)?;
                self.sent(composite, offset, &choices)
            }
        }
    }
}

/// What a transition does, with its places moved.
pub(super) fn shifted(transition: &Transition, offset: usize) -> Combination {
    let moved = transition.effects.iter().map(|effect| {
        let place = effect.place + offset as u32;
        (place, Effect { place, ..*effect })
    });
    moved.collect()
}

/// Each of some combinations together with each of some others.
pub(super) fn product(some: &[Combination], others: &[Combination]) -> Result<Vec<Combination>, CannotFlatten> {
    if some.len().saturating_mul(others.len()) > MOST_COMBINATIONS {
        return Err(CannotFlatten::TooManyCombinations);
    }
    some.iter().flat_map(|one| others.iter().map(move |other| together(one, other))).collect()
}

/// What two combinations do together.
fn together(one: &Combination, other: &Combination) -> Result<Combination, CannotFlatten> {
    let overflow = || CannotFlatten::TooManyTokens;
    let mut combination = one.clone();
    for (&place, effect) in other {
        let both = combination.entry(place).or_insert(Effect::on(place));
        both.take = both.take.checked_add(effect.take).ok_or_else(overflow)?;
        both.put = both.put.checked_add(effect.put).ok_or_else(overflow)?;
        both.read = both.read.max(effect.read);
        both.below = [both.below, effect.below].into_iter().flatten().min();
        both.reset |= effect.reset;
    }
    Ok(combination)
}
