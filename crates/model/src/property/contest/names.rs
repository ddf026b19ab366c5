//! What the names in a formula stand for.

use crate::system::{Location, System, Type};
use crate::text::Problem;
use crate::text::suggest::did_you_mean;
use crate::text::xml::Text;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Names that stand for several places or transitions of the main type of a system each, as those of a coloured net do for
/// what they are unfolded into. They take the place of the names of the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// Names of places, with the places.
    pub places: Vec<(String, Range<u32>)>,
    /// Names of transitions, with the transitions.
    pub transitions: Vec<(String, Range<u32>)>,
}

/// What a name is expected to be the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A place, or a variable.
    Place,
    /// A transition, or a synchronisation.
    Transition,
}

/// The names of a system. Tables are made for the types that formulas speak of.
pub(super) struct Names<'s> {
    system: &'s System,
    tables: FxHashMap<usize, Table<'s>>,
    /// How often a name like an unknown one was looked for. That takes a while in a large system.
    suggested: usize,
}

/// The names of a type.
#[derive(Default)]
struct Table<'s> {
    places: FxHashMap<&'s str, Range<u32>>,
    transitions: FxHashMap<&'s str, Range<u32>>,
    /// Instances, with the indices of their types.
    instances: FxHashMap<&'s str, (u32, usize)>,
}

impl<'s> Names<'s> {
    /// The names of a system.
    pub fn new(system: &'s System) -> Names<'s> {
        Names { system, tables: FxHashMap::default(), suggested: 0 }
    }

    /// The names of a system of which the main type has other names.
    pub fn of_groups(system: &'s System, groups: &'s Groups) -> Names<'s> {
        let all =
            |names: &'s [(String, Range<u32>)]| names.iter().map(|(name, all)| (name.as_str(), all.clone())).collect();
        let (places, transitions) = (all(&groups.places), all(&groups.transitions));
        let table = Table { places, transitions, instances: FxHashMap::default() };
        Names { system, tables: [(system.main, table)].into_iter().collect(), suggested: 0 }
    }

    /// What a name stands for.
    pub fn find(&mut self, written: &Text<'_>, kind: Kind) -> Result<Vec<Location>, Problem> {
        let mut rest = written.text.trim_ascii();
        let mut path = Vec::new();
        let mut current = self.system.main;
        loop {
            let table = self.table(current);
            if let Some(all) = table.of(kind).get(rest) {
                return Ok(all.clone().map(|index| Location { path: path.clone(), index }).collect());
            }
            let inner = rest.split_once(':').and_then(|(name, rest)| Some((table.instances.get(name)?, rest)));
            let Some((&(instance, type_index), inner)) = inner else {
                return Err(self.unknown(written, current, rest, kind));
            };
            path.push(instance);
            current = type_index;
            rest = inner;
        }
    }

    /// Transitions, with those that are their failing: one can fire where one of these can.
    pub fn with_failing(&self, mut transitions: Vec<Location>) -> Vec<Location> {
        let error = self.system.error_state().into_iter();
        let by_itself = transitions.iter().filter(|transition| transition.path.is_empty());
        let failing = error.flat_map(|error| by_itself.clone().flat_map(|one| error.failing_of(one.index)));
        let failing: Vec<Location> = failing.map(|index| Location { path: Vec::new(), index }).collect();
        transitions.extend(failing);
        transitions
    }

    fn table(&mut self, type_index: usize) -> &Table<'s> {
        let system = self.system;
        self.tables
            .entry(type_index)
            .or_insert_with(|| system.types.get(type_index).map(Table::new).unwrap_or_default())
    }

    fn unknown(&mut self, written: &Text<'_>, type_index: usize, rest: &str, kind: Kind) -> Problem {
        let what = if kind == Kind::Place { "place" } else { "transition" };
        let system = &self.system.name;
        let problem = Problem::new(written.span, format!("there is no {what} `{}`", written.text.trim_ascii()));
        let problem = problem.label(format!("not a {what} of `{system}`"));
        self.suggested += 1;
        if self.suggested > 10 {
            return problem;
        }
        let table = self.table(type_index);
        let (other, called) = match kind {
            Kind::Place => (&table.transitions, "a transition"),
            Kind::Transition => (&table.places, "a place"),
        };
        if other.contains_key(rest) {
            return problem.help(format!("`{rest}` is {called}"));
        }
        // A set of names has no order, but messages are always the same.
        let mut known: Vec<&str> = table.of(kind).keys().chain(table.instances.keys()).copied().collect();
        known.sort_unstable();
        match did_you_mean(rest, known) {
            Some(help) => problem.help(help),
            None => problem.help("these properties may have been written for another model"),
        }
    }
}

impl<'s> Table<'s> {
    fn new(of: &'s Type) -> Table<'s> {
        let instances = of.instances().iter().zip(0..);
        Table {
            places: numbered(of.variable_names().into_iter()),
            transitions: numbered(of.event_names()),
            instances: instances.map(|(one, index)| (one.name.as_str(), (index, one.type_index))).collect(),
        }
    }

    fn of(&self, kind: Kind) -> &FxHashMap<&'s str, Range<u32>> {
        match kind {
            Kind::Place => &self.places,
            Kind::Transition => &self.transitions,
        }
    }
}

fn numbered<'s>(names: impl Iterator<Item = &'s str>) -> FxHashMap<&'s str, Range<u32>> {
    names.zip(0..).map(|(name, index)| (name, index..index + 1)).collect()
}
