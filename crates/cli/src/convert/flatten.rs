//! Composites of nets as one net.
//!
//! Every place of every instance becomes a place, named through its instances. Whatever happens by itself becomes a
//! transition: a synchronisation becomes one for each way to choose the transitions that it calls. Transitions that fire
//! together on one net (definition 3.3 of the SDD paper) become one that takes and puts what all of them do.

use super::rename::Renaming;
use crate::failure::Failure;
use mandala_model::net::{Effect, Initial, Net, Place, Transition};
use mandala_model::system::{Composite, Location, System, Type};
use mandala_symbolic::demand::{Choices, Sent, TooManyChoices};
use std::collections::{BTreeMap, HashSet};

/// Larger nets are not written.
const MOST: usize = 1_000_000;
/// Synchronisations with more ways than this are not written out.
const MOST_WAYS: usize = 100_000;
/// Composites that are nested deeper are not written out.
const DEEPEST: usize = 1_000;
/// What happens by itself in the main type although it has a label.
const ELAPSE: &str = "elapse";

/// What transitions that fire together do, by place.
type Way = BTreeMap<u32, Effect>;

/// A system as one net, and where everything has gone. A system that is one net already stays as it is.
pub fn flatten(system: &System) -> Result<(System, Renaming), Failure> {
    let sizes = sizes(system)?;
    let mut flat = Flattening {
        system,
        sizes,
        net: Net { name: system.name.clone(), ..Net::default() },
        renaming: Renaming::default(),
        names: HashSet::new(),
    };
    flat.walk(system.main, 0, &mut Vec::new(), "")?;
    for &begin in &system.begins {
        for marking in flat.markings(system.main, begin)? {
            let name = format!("initial{}", flat.net.initial.len() + 1);
            flat.net.initial.push(Initial { name, marking });
        }
    }
    if let [only] = flat.net.initial.as_mut_slice() {
        only.name.clear();
    }
    let begins = (0..flat.net.initial.len()).collect();
    let flat_system = System { name: system.name.clone(), types: vec![Type::Net(flat.net)], main: 0, begins };
    Ok((flat_system, flat.renaming))
}

/// How many places each type has. Refuses what is too large, too deep or no net.
fn sizes(system: &System) -> Result<Vec<usize>, Failure> {
    let mut sizes: Vec<usize> = Vec::with_capacity(system.types.len());
    let mut levels: Vec<usize> = Vec::with_capacity(system.types.len());
    let mut programs: Vec<Option<&str>> = Vec::with_capacity(system.types.len());
    for kind in &system.types {
        let (size, level, program) = match kind {
            Type::Net(net) => (net.places.len(), 0, None),
            Type::Program(program) => (program.variables.len(), 0, Some(program.name.as_str())),
            Type::Composite(composite) => {
                let parts = || composite.instances.iter().map(|instance| instance.type_index);
                let size = parts().fold(0usize, |sum, part| sum.saturating_add(sizes[part]));
                let level = parts().map(|part| levels[part]).max().unwrap_or(0) + 1;
                (size, level, parts().find_map(|part| programs[part]))
            }
        };
        sizes.push(size);
        levels.push(level);
        programs.push(program);
    }
    if let Some(program) = programs[system.main] {
        return Err(Failure::with_help(
            format!("only nets are flattened so far, and `{program}` is a program"),
            "without `--flatten`, `--to gal` writes any model",
        ));
    }
    if sizes[system.main] > MOST || levels[system.main] > DEEPEST {
        return Err(Failure::new("the model is too large to be written as one net"));
    }
    Ok(sizes)
}

struct Flattening<'a> {
    system: &'a System,
    sizes: Vec<usize>,
    net: Net,
    renaming: Renaming,
    /// Names of transitions so far.
    names: HashSet<String>,
}

impl<'a> Flattening<'a> {
    /// Adds the places of an instance, and what it does by itself.
    fn walk(&mut self, index: usize, offset: usize, path: &mut Vec<u32>, prefix: &str) -> Result<(), Failure> {
        self.renaming.offsets.insert(path.clone(), offset);
        let is_main = path.is_empty();
        let own = |label: &Option<String>| label.is_none() || (is_main && label.as_deref() == Some(ELAPSE));
        match &self.system.types[index] {
            Type::Net(net) => {
                let places = net.places.iter();
                let places = places.map(|place| Place { name: format!("{prefix}{}", place.name), ..place.clone() });
                self.net.places.extend(places);
                for (number, transition) in (0..).zip(&net.transitions) {
                    if own(&transition.label) {
                        let way = shifted(transition, offset);
                        self.add(path, number, &format!("{prefix}{}", transition.name), vec![way])?;
                    }
                }
            }
            Type::Program(_) => {}
            Type::Composite(composite) => {
                let mut inner = offset;
                for (number, instance) in (0..).zip(&composite.instances) {
                    path.push(number);
                    self.walk(instance.type_index, inner, path, &format!("{prefix}{}:", instance.name))?;
                    path.pop();
                    inner += self.sizes[instance.type_index];
                }
                let choices = Choices::new(composite);
                for (number, synchronisation) in composite.synchronisations.iter().enumerate() {
                    if own(&synchronisation.label) {
                        let sent = choices.of_synchronisation(number).map_err(too_many)?;
                        let ways = self.sent(composite, offset, &sent)?;
                        self.add(path, number as u32, &format!("{prefix}{}", synchronisation.name), ways)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a transition a way.
    fn add(&mut self, path: &[u32], index: u32, name: &str, ways: Vec<Way>) -> Result<(), Failure> {
        let several = ways.len() > 1;
        let mut indices = Vec::new();
        for (number, way) in ways.into_iter().enumerate() {
            if self.net.transitions.len() >= MOST {
                return Err(Failure::new("the model has too many transitions to be written as one net"));
            }
            let wanted = if several { format!("{name}/{}", number + 1) } else { name.to_owned() };
            let name = self.unique(wanted);
            indices.push(self.net.transitions.len() as u32);
            self.net.transitions.push(Transition { name, label: None, effects: way.into_values().collect() });
        }
        self.renaming.fires.insert(Location { path: path.to_vec(), index }, indices);
        Ok(())
    }

    fn unique(&mut self, name: String) -> String {
        let mut unique = name.clone();
        let mut number = 2;
        while !self.names.insert(unique.clone()) {
            unique = format!("{name}/{number}");
            number += 1;
        }
        unique
    }

    /// The ways to do one of several choices of calls to a composite.
    fn sent(&self, composite: &Composite, offset: usize, choices: &[Sent]) -> Result<Vec<Way>, Failure> {
        let mut offsets = Vec::with_capacity(composite.instances.len());
        let mut inner = offset;
        for instance in &composite.instances {
            offsets.push(inner);
            inner += self.sizes[instance.type_index];
        }
        let mut all = Vec::new();
        for choice in choices {
            let mut ways = vec![Way::new()];
            for (instance, labels) in choice {
                let at = *instance as usize;
                let more = self.called(composite.instances[at].type_index, offsets[at], labels)?;
                ways = product(&ways, &more)?;
            }
            all.extend(ways);
        }
        Ok(all)
    }

    /// The ways to do a sequence of labels to an instance.
    fn called(&self, index: usize, offset: usize, labels: &[String]) -> Result<Vec<Way>, Failure> {
        match &self.system.types[index] {
            Type::Net(net) => {
                let mut ways = vec![Way::new()];
                for label in labels {
                    let with_label = net.transitions.iter().filter(|one| one.label.as_ref() == Some(label));
                    let more: Vec<Way> = with_label.map(|transition| shifted(transition, offset)).collect();
                    ways = product(&ways, &more)?;
                }
                Ok(ways)
            }
            Type::Program(_) => Ok(Vec::new()),
            Type::Composite(composite) => {
                let choices = Choices::new(composite).of_sequence(labels).map_err(too_many)?;
                self.sent(composite, offset, &choices)
            }
        }
    }

    /// The markings that a designated initial state of a type stands for.
    fn markings(&self, index: usize, initial: usize) -> Result<Vec<Vec<i32>>, Failure> {
        let composite = match &self.system.types[index] {
            Type::Net(net) => {
                return Ok(net.initial.get(initial).map(|initial| initial.marking.clone()).into_iter().collect());
            }
            Type::Program(_) => return Ok(Vec::new()),
            Type::Composite(composite) => composite,
        };
        let mut wholes = vec![Vec::new()];
        let choices = composite.initial.get(initial).map_or(&[][..], |initial| &initial.choices);
        for (instance, choices) in composite.instances.iter().zip(choices) {
            let mut parts = Vec::new();
            for &choice in choices {
                parts.extend(self.markings(instance.type_index, choice)?);
            }
            if wholes.len().saturating_mul(parts.len()) > MOST_WAYS {
                return Err(Failure::new("the model has too many initial states to be written as one net"));
            }
            let pairs = wholes.iter().flat_map(|whole| parts.iter().map(move |part| [whole.as_slice(), part].concat()));
            wholes = pairs.collect();
        }
        Ok(wholes)
    }
}

fn too_many(choices: TooManyChoices) -> Failure {
    Failure::new(format!("{} of {} has too many combinations of choices", choices.what, choices.composite))
}

/// What a transition does, with its places moved.
fn shifted(transition: &Transition, offset: usize) -> Way {
    let moved = transition.effects.iter().map(|effect| {
        let place = effect.place + offset as u32;
        (place, Effect { place, ..*effect })
    });
    moved.collect()
}

/// Each of some ways together with each of some others.
fn product(some: &[Way], others: &[Way]) -> Result<Vec<Way>, Failure> {
    if some.len().saturating_mul(others.len()) > MOST_WAYS {
        return Err(Failure::new("a synchronisation has too many combinations of choices to be written out"));
    }
    some.iter().flat_map(|one| others.iter().map(move |other| together(one, other))).collect()
}

/// What two ways do together.
fn together(one: &Way, other: &Way) -> Result<Way, Failure> {
    let overflow = || Failure::new("transitions that fire together move more tokens than 32 bits can say");
    let mut way = one.clone();
    for (&place, effect) in other {
        let both = way.entry(place).or_insert(Effect::on(place));
        both.take = both.take.checked_add(effect.take).ok_or_else(overflow)?;
        both.put = both.put.checked_add(effect.put).ok_or_else(overflow)?;
        both.read = both.read.max(effect.read);
        both.below = [both.below, effect.below].into_iter().flatten().min();
        both.reset |= effect.reset;
    }
    Ok(way)
}
