//! Names for everything in a system, each different from the others of its kind.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::syntax::Reference;
use super::reference;
use crate::net::Net;
use crate::net::queue::QueueNet;
use crate::system::{System, Type};

/// The labels of a type.
pub(super) type Labels<'s> = FxHashSet<&'s str>;

/// Makes names different.
#[derive(Default)]
pub(crate) struct Unique {
    seen: FxHashSet<String>,
    /// The number that was last put behind a name.
    numbers: FxHashMap<String, u64>,
}

impl Unique {
    /// The name, or one like it that has not been there before.
    pub fn add(&mut self, name: &str) -> String {
        let name = if name.is_empty() { "_" } else { name };
        if self.seen.insert(name.to_string()) {
            return name.to_string();
        }
        let number = self.numbers.entry(name.to_string()).or_insert(1);
        loop {
            *number += 1;
            let other = format!("{name}#{number}");
            if self.seen.insert(other.clone()) {
                return other;
            }
        }
    }
}

/// One variable, place or instance, or an array of them.
pub(super) struct Group {
    pub name: String,
    pub first: usize,
    pub length: Option<usize>,
}

/// The variables, places or instances of a type, as they are declared.
pub(super) struct Things {
    pub groups: Vec<Group>,
    /// For each thing, its group.
    group_of: Vec<usize>,
}

impl Things {
    /// Groups `name[0]`, `name[1]` and so on into arrays. `alike` says whether two things can be in one array, `is_array` whether a
    /// thing begins an array that must stay one, because it is asked for its elements by computed indices.
    fn of<'s>(
        names: &[&'s str], empty: &[(usize, &'s str)], alike: impl Fn(usize, usize) -> bool,
        is_array: impl Fn(usize) -> bool,
    ) -> Things {
        let mut things = Things { groups: Vec::new(), group_of: Vec::with_capacity(names.len()) };
        let mut taken = FxHashMap::<&str, usize>::default();
        for name in names {
            let base = element(name).map_or(*name, |(base, _)| base);
            // How many groups would like this name: a second one must do without.
            if element(name).is_none_or(|(_, index)| index == 0) {
                *taken.entry(base).or_default() += 1;
            }
        }
        let mut unique = Unique::default();
        let mut empty = empty.iter().peekable();
        let mut at = 0;
        while at < names.len() {
            while let Some((_, name)) = empty.next_if(|(first, _)| *first <= at) {
                things.groups.push(Group { name: unique.add(name), first: at, length: Some(0) });
            }
            let run = match element(names[at]) {
                Some((base, 0)) if taken.get(base) == Some(&1) || is_array(at) => {
                    let goes_on = |&i: &usize| i == 0 || element(names[at + i]) == Some((base, i)) && alike(at, at + i);
                    Some((base, (0..names.len() - at).take_while(goes_on).count()))
                }
                _ => None,
            };
            let (name, length) = match run {
                Some((base, length)) => (unique.add(base), Some(length)),
                None => (unique.add(names[at]), None),
            };
            let count = length.unwrap_or(1);
            things.group_of.extend(std::iter::repeat_n(things.groups.len(), count));
            things.groups.push(Group { name, first: at, length });
            at += count;
        }
        for (_, name) in empty {
            things.groups.push(Group { name: unique.add(name), first: at, length: Some(0) });
        }
        things
    }

    /// A thing by its name.
    pub fn reference(&self, thing: usize) -> Reference {
        let group = self.group_of.get(thing).and_then(|&group| self.groups.get(group));
        match group {
            Some(Group { name, length: None, .. }) => reference(name, None),
            Some(Group { name, first, .. }) => reference(name, i32::try_from(thing - first).ok()),
            None => reference("?", None),
        }
    }

    /// The array that holds a thing: its name, and the index of the thing.
    pub fn array(&self, thing: usize) -> Option<(&str, usize)> {
        let group = self.group_of.get(thing).and_then(|&group| self.groups.get(group))?;
        group.length.map(|_| (group.name.as_str(), thing - group.first))
    }
}

/// `name[3]` taken apart.
fn element(name: &str) -> Option<(&str, usize)> {
    let (base, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    let number = index.parse::<usize>().ok()?;
    (number.to_string() == index && !base.is_empty()).then_some((base, number))
}

/// The names of a system.
pub(super) struct Tables {
    types: Vec<String>,
    things: Vec<Things>,
    transitions: Vec<Vec<String>>,
    labels: Vec<FxHashSet<String>>,
    /// For a type that does not exist.
    nothing: Things,
}

impl Tables {
    pub fn of(system: &System) -> Tables {
        let nothing = Things { groups: Vec::new(), group_of: Vec::new() };
        let mut tables =
            Tables { types: Vec::new(), things: Vec::new(), transitions: Vec::new(), labels: Vec::new(), nothing };
        let mut unique = Unique::default();
        for of in &system.types {
            let (name, things) = named(of);
            tables.types.push(unique.add(name));
            tables.things.push(things);
            let mut names = Unique::default();
            let transitions = transitions(of);
            tables.transitions.push(transitions.iter().map(|(name, _)| names.add(name)).collect());
            tables.labels.push(transitions.iter().filter_map(|(_, label)| label.map(str::to_string)).collect());
        }
        tables
    }

    pub fn type_name(&self, index: usize) -> &str {
        self.types.get(index).map_or("", String::as_str)
    }

    pub fn things(&self, index: usize) -> &Things {
        self.things.get(index).unwrap_or(&self.nothing)
    }

    pub fn transition(&self, of: usize, index: usize) -> &str {
        self.transitions.get(of).and_then(|names| names.get(index)).map_or("", String::as_str)
    }

    pub fn offers(&self, of: usize, label: &str) -> bool {
        self.labels.get(of).is_some_and(|labels| labels.contains(label))
    }
}

fn named(of: &Type) -> (&str, Things) {
    match of {
        Type::Net(net) => {
            let alike = |one: usize, other: usize| net.places[one].capacity == net.places[other].capacity;
            (&net.name, places(net, alike))
        }
        Type::Queues(queues @ QueueNet { net, .. }) => {
            let letters = |place: usize| queues.queue_at(place as u32).map(|queue| &queue.letters);
            let word = |place: usize| queues.queue_at(place as u32).map(|queue| &net.initial[0].marking[queue.range()]);
            let alike = |one: usize, other: usize| {
                net.places[one].capacity == net.places[other].capacity
                    && letters(one) == letters(other)
                    && word(one) == word(other)
            };
            (&net.name, places(net, alike))
        }
        Type::Program(program) => {
            let names: Vec<&str> = program.variables.iter().map(|variable| variable.name.as_str()).collect();
            let mut array_of = vec![None; names.len()];
            for (number, array) in program.arrays.iter().enumerate() {
                let elements = array_of.iter_mut().skip(array.first as usize).take(array.length as usize);
                elements.for_each(|element| *element = Some(number));
            }
            let alike = |one: usize, other: usize| array_of[one].is_some() && array_of[one] == array_of[other];
            let arrays = program.arrays.iter().filter(|array| array.length == 0);
            let empty: Vec<(usize, &str)> = arrays.map(|array| (array.first as usize, array.name.as_str())).collect();
            let is_array = |one: usize| array_of[one].is_some();
            (&program.name, Things::of(&names, &empty, alike, is_array))
        }
        Type::Composite(composite) => {
            let names: Vec<&str> = composite.instances.iter().map(|instance| instance.name.as_str()).collect();
            let choice = |number: usize| composite.initial.first().and_then(|initial| initial.choices.get(number));
            let alike = |one: usize, other: usize| {
                composite.instances[one].type_index == composite.instances[other].type_index
                    && choice(one) == choice(other)
            };
            (&composite.name, Things::of(&names, &[], alike, |_| false))
        }
    }
}

/// The places of a net.
fn places(net: &Net, alike: impl Fn(usize, usize) -> bool) -> Things {
    let names: Vec<&str> = net.places.iter().map(|place| place.name.as_str()).collect();
    Things::of(&names, &[], alike, |_| false)
}

fn transitions(of: &Type) -> Vec<(&str, Option<&str>)> {
    of.event_names().zip(of.labels()).collect()
}
