//! Names of what is in a system, and where in a state it is.

use super::{Event, Kind, Semantics};
use crate::net::queue::Queue;
use crate::system::{INSIDE, Location};
use std::fmt::Write;

/// Variables that a state in a message names at most.
const MOST_SHOWN: usize = 40;

impl Semantics<'_> {
    /// The names of the variables of a state, in order: `ring:peers[1]:state`.
    pub fn variables(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.size());
        self.collect_variables(self.system.main, &mut String::new(), &mut |name| {
            names.push(name.to_string());
            true
        });
        names
    }

    /// The names of the values of the variables of a state, where they have names.
    pub fn value_names(&self) -> Vec<&[String]> {
        let mut names = Vec::with_capacity(self.size());
        self.collect_value_names(self.system.main, &mut names);
        names
    }

    fn collect_value_names<'n>(&'n self, type_index: usize, names: &mut Vec<&'n [String]>) {
        match &self.types[type_index].kind {
            Kind::Unused => {}
            Kind::Net(net) => names.resize(names.len() + net.places.len(), &[]),
            Kind::Queues(queues) => names.resize(names.len() + queues.size(), &[]),
            Kind::Program(program) => {
                names.extend(program.program.variables.iter().map(|variable| variable.values.as_slice()));
            }
            Kind::Composite(composite) => {
                let instances = &composite.composite.instances;
                instances.iter().for_each(|instance| self.collect_value_names(instance.type_index, names));
            }
        }
    }

    /// The queues of all instances, with the place of each in a state: where it is counted, and its cells.
    pub fn queues(&self) -> &[Queue] {
        &self.queues
    }

    pub(super) fn collect_queues(&self, type_index: usize, at: &mut u32, queues: &mut Vec<Queue>) {
        let prepared = &self.types[type_index];
        match &prepared.kind {
            Kind::Queues(of) => {
                let moved = |one: &Queue| Queue { place: one.place + *at, first: one.first + *at, ..one.clone() };
                queues.extend(of.queues.iter().map(moved));
                *at += prepared.size as u32;
            }
            Kind::Unused | Kind::Net(_) | Kind::Program(_) => *at += prepared.size as u32,
            Kind::Composite(composite) => {
                let instances = &composite.composite.instances;
                instances.iter().for_each(|instance| self.collect_queues(instance.type_index, at, queues));
            }
        }
    }

    /// The name of what happens, with its path: `ring:p[3]:hungry`. What goes through transient states has the names of
    /// all that happens on the way, separated by commas.
    pub fn name(&self, event: &Event) -> String {
        let all = [&event.location].into_iter().chain(&event.through);
        let names: Vec<String> = all.map(|location| self.action_name(location).unwrap_or_default()).collect();
        names.join(", ")
    }

    /// The name of a transition or synchronisation, with its path, if there is one at that location.
    pub fn action_name(&self, location: &Location) -> Option<String> {
        let (type_index, _) = self.resolve(&location.path)?;
        let kind = &self.system.types[type_index];
        // What fails is known by the name of what was tried.
        let attempt = kind.error_state().and_then(|error| error.attempt(location.index));
        let name = kind.event_name(attempt.map_or(location.index, |attempt| attempt.part_of) as usize)?;
        let mut whole = String::new();
        let mut type_index = self.system.main;
        for &step in &location.path {
            let instance = self.system.types[type_index].instances().get(step as usize)?;
            whole = instance.prefix(&whole);
            type_index = instance.type_index;
        }
        Some(whole + name)
    }

    /// Where in a state a variable or place is.
    pub fn index_of(&self, location: &Location) -> Option<usize> {
        let (type_index, offset) = self.resolve(&location.path)?;
        let prepared = &self.types[type_index];
        let index = location.index as usize;
        let here = !matches!(prepared.kind, Kind::Unused | Kind::Composite(_)) && index < prepared.size;
        here.then_some(offset + index)
    }

    /// The type at the end of a path and where in a state it begins.
    pub(super) fn resolve(&self, path: &[u32]) -> Option<(usize, usize)> {
        let (mut type_index, mut offset) = (self.system.main, 0);
        for &step in path {
            let Kind::Composite(composite) = &self.types[type_index].kind else { return None };
            type_index = composite.composite.instances.get(step as usize)?.type_index;
            offset += composite.offsets[step as usize];
        }
        Some((type_index, offset))
    }

    /// A state in words: the variables that are not 0, the first of them if there are many.
    pub fn show(&self, state: &[i32]) -> String {
        let mut shown = String::new();
        let mut count = 0;
        let mut values = state.iter();
        self.collect_variables(self.system.main, &mut String::new(), &mut |name| {
            match values.next() {
                Some(0) => {}
                Some(_) if count == MOST_SHOWN => {
                    shown.push_str(" ...");
                    return false;
                }
                Some(value) => {
                    let space = if count == 0 { "" } else { " " };
                    // Writing to a string does not fail.
                    let _ = write!(shown, "{space}{name}={value}");
                    count += 1;
                }
                None => return false,
            }
            true
        });
        if shown.is_empty() && !state.is_empty() { "with 0 everywhere".to_string() } else { shown }
    }

    /// Visits the names of all variables of a type, until told to stop.
    fn collect_variables(&self, type_index: usize, prefix: &mut String, visit: &mut dyn FnMut(&str) -> bool) -> bool {
        let length = prefix.len();
        match &self.types[type_index].kind {
            Kind::Unused => true,
            Kind::Net(net) => net.places.iter().all(|place| visit_named(prefix, &place.name, visit)),
            Kind::Queues(queues) => queues.variable_names().all(|name| visit_named(prefix, name, visit)),
            Kind::Program(program) => {
                program.program.variables.iter().all(|variable| visit_named(prefix, &variable.name, visit))
            }
            Kind::Composite(composite) => composite.composite.instances.iter().all(|instance| {
                prefix.push_str(&instance.name);
                prefix.push(INSIDE);
                let on = self.collect_variables(instance.type_index, prefix, visit);
                prefix.truncate(length);
                on
            }),
        }
    }
}

fn visit_named(prefix: &mut String, name: &str, visit: &mut dyn FnMut(&str) -> bool) -> bool {
    let length = prefix.len();
    prefix.push_str(name);
    let on = visit(prefix);
    prefix.truncate(length);
    on
}
