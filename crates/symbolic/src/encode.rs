//! A system as diagrams: its initial states, what it does, and when it can.

use std::collections::BTreeSet;
use std::fmt;

use mandala_diagram::{Contribution, Diagram, Error, Hom, Store, Value, Variable, Weight};
use mandala_model::net::Net;
use mandala_model::system::{Composite, Location, Program, System, Type};
use rustc_hash::FxHashMap;

use crate::demand::{Choices, Sent, Sequence, TooManyChoices, demands};
use crate::layout::{Content, Layout, Slot};
use crate::program::{self, Beyond};
use crate::step::Step;

/// A system whose states are diagrams of a store.
///
/// A state of an elementary type is laid out by a [`Layout`]; a state of a composite has one variable an instance, whose
/// value is the state of the instance.
pub struct Encoded<'a> {
    /// The system.
    pub system: &'a System,
    /// Where its diagrams are.
    pub store: Store,
    /// The initial states.
    pub initial: Diagram,
    /// What it does by itself; the union of all of them is the transition relation.
    pub relation: Vec<Hom>,
    types: Vec<Coded>,
}

/// A type as diagrams.
struct Coded {
    /// Where the variables of an elementary type are.
    layout: Option<Layout>,
    /// The designated initial states.
    initial: Vec<Diagram>,
    /// What it does when it is sent a sequence of labels.
    successors: FxHashMap<Sequence, Hom>,
    /// When it can.
    guards: FxHashMap<Sequence, Hom>,
    /// What it does by itself.
    locals: Vec<Hom>,
}

/// Why a system has no diagrams.
#[derive(Clone, Debug)]
pub enum EncodeError {
    /// A program does what cannot be evaluated on diagrams yet.
    Beyond {
        /// The type.
        program: String,
        /// What goes beyond, and where.
        beyond: Beyond,
    },
    /// Too many combinations of choices.
    TooManyChoices(TooManyChoices),
    /// Transitions that fire together would take or put more tokens than a 32-bit number says.
    Overflow {
        /// The type.
        net: String,
    },
    /// More than one token in a unit of which the file says that it holds one at most, already initially.
    BrokenPromise {
        /// The net.
        net: String,
    },
    /// A limit struck.
    Stopped(Error),
}

impl From<Error> for EncodeError {
    fn from(error: Error) -> EncodeError {
        EncodeError::Stopped(error)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Beyond { program, beyond } => write!(
                f,
                "transition {} of {program} has {}, which cannot be evaluated on diagrams yet",
                beyond.transition, beyond.reason
            ),
            EncodeError::TooManyChoices(choices) => {
                write!(f, "{} of {} has too many combinations of choices", choices.what, choices.composite)
            }
            EncodeError::Overflow { net } => {
                write!(f, "transitions of {net} that fire together move more tokens than 32 bits can say")
            }
            EncodeError::BrokenPromise { net } => {
                write!(f, "a unit of {net} that is said to be safe holds more than one token initially")
            }
            EncodeError::Stopped(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for EncodeError {}

/// The label of what happens by itself in the main type although it has a label: time.
const ELAPSE: &str = "elapse";

impl<'a> Encoded<'a> {
    /// A system in a store. `layouts` says how elementary types are laid out; those it does not name have a slot a
    /// variable, as declared.
    pub fn new(
        system: &'a System, mut store: Store, mut layouts: FxHashMap<usize, Layout>,
    ) -> Result<Encoded<'a>, EncodeError> {
        let demands = demands(system).map_err(EncodeError::TooManyChoices)?;
        let mut types: Vec<Coded> = Vec::with_capacity(system.types.len());
        for (index, demand) in demands.iter().enumerate() {
            let demand = demand.iter().cloned();
            let is_main = index == system.main;
            let coded = match &system.types[index] {
                Type::Net(net) => {
                    let layout = layouts.remove(&index).unwrap_or_else(|| declared(net.places.len()));
                    encode_net(&mut store, net, layout, demand, is_main)?
                }
                Type::Program(program) => {
                    let layout = layouts.remove(&index).unwrap_or_else(|| declared(program.variables.len()));
                    encode_program(&mut store, program, layout, demand, is_main)?
                }
                Type::Composite(composite) => encode_composite(&mut store, composite, &types, demand, is_main)?,
            };
            types.push(coded);
        }
        let main = &types[system.main];
        let relation = main.locals.clone();
        let begins: Vec<&Diagram> = system.begins.iter().map(|&begin| &main.initial[begin]).collect();
        let initial = store.union_of(begins)?;
        Ok(Encoded { system, store, initial, relation, types })
    }

    /// The layout of an elementary type.
    pub fn layout(&self, type_index: usize) -> Option<&Layout> {
        self.types[type_index].layout.as_ref()
    }

    /// The types on the way to a location, the main type first.
    fn types_on(&self, path: &[u32]) -> Option<Vec<usize>> {
        let mut types = vec![self.system.main];
        for &instance in path {
            let Type::Composite(composite) = &self.system.types[*types.last()?] else { return None };
            types.push(composite.instances.get(instance as usize)?.type_index);
        }
        Some(types)
    }

    /// A homomorphism of the type at the end of a path as one of the main type.
    fn lifted(&mut self, path: &[u32], hom: Hom) -> Hom {
        path.iter().rev().fold(hom, |inside, &instance| self.store.local(instance, &inside))
    }

    /// Keeps the states in which a transition or synchronisation can fire; nothing if there is none at this location.
    pub fn guard(&mut self, location: &Location) -> Result<Option<Hom>, EncodeError> {
        let Some(types) = self.types_on(&location.path) else { return Ok(None) };
        let Some(&last) = types.last() else { return Ok(None) };
        let place = location.index as usize;
        let guard = match &self.system.types[last] {
            Type::Net(net) if place < net.transitions.len() => {
                let step = Step::of_bag(net, &[location.index]).map_err(|_| overflow(net))?;
                self.sum_of_steps(last, step.iter().map(Step::guard).collect())
            }
            Type::Program(program) if place < program.transitions.len() => {
                let steps = steps_of(program, place)?;
                self.sum_of_steps(last, steps.iter().map(Step::guard).collect())
            }
            Type::Composite(composite) if place < composite.synchronisations.len() => {
                let sent = Choices::new(composite).of_synchronisation(place).map_err(EncodeError::TooManyChoices)?;
                let guards: Vec<Hom> =
                    sent.iter().map(|sent| sent_hom(&mut self.store, composite, &self.types, sent, false)).collect();
                self.store.sum(&guards)
            }
            _ => return Ok(None),
        };
        Ok(Some(self.lifted(&location.path, guard)))
    }

    fn sum_of_steps(&mut self, type_index: usize, steps: Vec<Step>) -> Hom {
        let Some(layout) = &self.types[type_index].layout else { return self.store.null() };
        let homs: Vec<Hom> = steps.iter().map(|step| layout.hom(&mut self.store, step)).collect();
        self.store.sum(&homs)
    }

    /// Where everything is that a system does by itself: transitions and synchronisations of its instances. Nothing if
    /// there are more than `most`.
    pub fn events(&self, most: usize) -> Option<Vec<Location>> {
        let mut counts: Vec<usize> = Vec::with_capacity(self.system.types.len());
        for (index, kind) in self.system.types.iter().enumerate() {
            let own = own_events(kind, index == self.system.main).len();
            let below = match kind {
                Type::Composite(composite) => composite
                    .instances
                    .iter()
                    .fold(0usize, |sum, instance| sum.saturating_add(counts[instance.type_index])),
                _ => 0,
            };
            counts.push(own.saturating_add(below));
        }
        if counts[self.system.main] > most {
            return None;
        }
        let mut events = Vec::with_capacity(counts[self.system.main]);
        let mut open = vec![(self.system.main, Vec::new())];
        while let Some((index, path)) = open.pop() {
            let kind = &self.system.types[index];
            let own = own_events(kind, path.is_empty() && index == self.system.main);
            events.extend(own.into_iter().map(|place| Location { path: path.clone(), index: place }));
            if let Type::Composite(composite) = kind {
                for (place, instance) in composite.instances.iter().enumerate().rev() {
                    if counts[instance.type_index] > 0 {
                        let mut path = path.clone();
                        path.push(place as u32);
                        open.push((instance.type_index, path));
                    }
                }
            }
        }
        Some(events)
    }

    /// The states of a set in which nothing can happen.
    pub fn dead(&mut self, set: &Diagram) -> Result<Diagram, EncodeError> {
        let mut selectors: Vec<Vec<Hom>> = Vec::with_capacity(self.types.len());
        for index in 0..self.system.types.len() {
            let kind = &self.system.types[index];
            let mut all = Vec::new();
            if let Type::Composite(composite) = kind {
                for (place, instance) in composite.instances.iter().enumerate() {
                    let inside = self.store.sequence(&selectors[instance.type_index]);
                    all.push(self.store.local(place as Variable, &inside));
                }
            }
            for place in own_events(kind, index == self.system.main) {
                let guard = self.guard_of(index, place)?;
                all.push(self.store.not(&guard));
            }
            selectors.push(all);
        }
        let mut dead = set.clone();
        for selector in &selectors[self.system.main] {
            dead = self.store.apply(selector, &dead)?;
        }
        Ok(dead)
    }

    /// The condition of an event of a type, in the states of the type.
    fn guard_of(&mut self, type_index: usize, place: u32) -> Result<Hom, EncodeError> {
        match &self.system.types[type_index] {
            Type::Net(net) => {
                let step = Step::of_bag(net, &[place]).map_err(|_| overflow(net))?;
                Ok(self.sum_of_steps(type_index, step.iter().map(Step::guard).collect()))
            }
            Type::Program(program) => {
                let steps = steps_of(program, place as usize)?;
                Ok(self.sum_of_steps(type_index, steps.iter().map(Step::guard).collect()))
            }
            Type::Composite(composite) => {
                let choices = Choices::new(composite);
                let sent = choices.of_synchronisation(place as usize).map_err(EncodeError::TooManyChoices)?;
                let guards: Vec<Hom> =
                    sent.iter().map(|sent| sent_hom(&mut self.store, composite, &self.types, sent, false)).collect();
                Ok(self.store.sum(&guards))
            }
        }
    }

    /// The states of a set that satisfy TRANSIENT somewhere.
    pub fn transient(&mut self, set: &Diagram) -> Result<Diagram, EncodeError> {
        let mut selectors: Vec<Hom> = Vec::with_capacity(self.types.len());
        for index in 0..self.system.types.len() {
            let selector = match &self.system.types[index] {
                Type::Program(Program { transient: Some(condition), name, .. }) => {
                    let steps = program::conditions(condition, true).map_err(|reason| EncodeError::Beyond {
                        program: name.clone(),
                        beyond: Beyond { transition: "TRANSIENT".to_owned(), span: Default::default(), reason },
                    })?;
                    self.sum_of_steps(index, steps)
                }
                Type::Composite(composite) => {
                    let mut all = Vec::new();
                    for (place, instance) in composite.instances.iter().enumerate() {
                        all.push(self.store.local(place as Variable, &selectors[instance.type_index]));
                    }
                    self.store.sum(&all)
                }
                _ => self.store.null(),
            };
            selectors.push(selector);
        }
        Ok(self.store.apply(&selectors[self.system.main], set)?)
    }

    /// Whether a promise of the file was broken somewhere in a set: a unit holds more than its only token.
    pub fn breaks_promises(&self, set: &Diagram) -> bool {
        let violations = self.types[self.system.main].layout.as_ref().and_then(Layout::violations);
        violations.is_some_and(|weight| self.store.extremes(set, &weight).is_some_and(|(_, most)| most > 0))
    }

    /// A linear expression over variables and places as a weight and a constant.
    pub fn weight(&self, terms: &[(Location, i64)]) -> Option<(Weight, i64)> {
        self.weight_at(self.system.main, 0, terms)
    }

    fn weight_at(&self, type_index: usize, depth: usize, terms: &[(Location, i64)]) -> Option<(Weight, i64)> {
        if let Some(layout) = &self.types[type_index].layout {
            let own: Vec<(u32, i64)> = terms.iter().map(|(location, times)| (location.index, *times)).collect();
            return Some(layout.weight(&own));
        }
        let Type::Composite(composite) = &self.system.types[type_index] else { return None };
        let mut sorted: Vec<&(Location, i64)> = terms.iter().collect();
        sorted.sort_by_key(|(location, _)| location.path.get(depth).copied());
        let (mut constant, mut contributions) = (0, Vec::new());
        for group in sorted.chunk_by(|a, b| a.0.path.get(depth) == b.0.path.get(depth)) {
            let instance = *group.first()?.0.path.get(depth)?;
            let inner: Vec<(Location, i64)> = group.iter().map(|term| (*term).clone()).collect();
            let below = composite.instances.get(instance as usize)?.type_index;
            let (weight, plus) = self.weight_at(below, depth + 1, &inner)?;
            constant += plus;
            contributions.push((instance, Contribution::Inside(weight)));
        }
        Some((Weight::new(contributions), constant))
    }

    /// The weight that adds up all tokens of a marking, if the system is small enough to write it out.
    pub fn tokens(&self) -> (Weight, i64) {
        let mut weights: Vec<(Weight, i64)> = Vec::with_capacity(self.types.len());
        for (index, coded) in self.types.iter().enumerate() {
            let weight = match (&coded.layout, &self.system.types[index]) {
                (Some(layout), kind) => {
                    let variables = match kind {
                        Type::Net(net) => net.places.len(),
                        Type::Program(program) => program.variables.len(),
                        Type::Composite(_) => 0,
                    };
                    layout.weight(&(0..variables as u32).map(|variable| (variable, 1)).collect::<Vec<_>>())
                }
                (None, Type::Composite(composite)) => {
                    let mut constant = 0i64;
                    let mut contributions = Vec::new();
                    for (place, instance) in composite.instances.iter().enumerate() {
                        let (weight, plus) = &weights[instance.type_index];
                        constant = constant.saturating_add(*plus);
                        contributions.push((place as u32, Contribution::Inside(weight.clone())));
                    }
                    (Weight::new(contributions), constant)
                }
                (None, _) => (Weight::new([]), 0),
            };
            weights.push(weight);
        }
        weights.swap_remove(self.system.main)
    }

    /// The greatest value of a variable (the most tokens in a place) in the states of a set.
    pub fn greatest_value(&self, set: &Diagram) -> Option<i32> {
        let mut greatest: Option<i32> = None;
        // The states of each type, wherever an instance of it is.
        let mut sets: Vec<Vec<Diagram>> = vec![Vec::new(); self.types.len()];
        sets[self.system.main].push(set.clone());
        for index in (0..self.types.len()).rev() {
            let own = std::mem::take(&mut sets[index]);
            match (&self.types[index].layout, &self.system.types[index]) {
                (Some(layout), _) => {
                    layout.extents(&self.store, &own, &mut |_, _, most| greatest = greatest.max(Some(most)));
                }
                (None, Type::Composite(composite)) => {
                    for (instance, extent) in self.store.extents(&own) {
                        if let Some(instance) = composite.instances.get(instance as usize) {
                            sets[instance.type_index].extend(extent.labels);
                        }
                    }
                }
                (None, _) => {}
            }
        }
        greatest
    }

    /// A state of the store as the sequence of values of all variables of the system.
    pub fn decode(&self, state: &mandala_diagram::State, sizes: &[usize]) -> Vec<i32> {
        let mut values = vec![0; sizes[self.system.main]];
        self.decode_into(self.system.main, state.assignments(), sizes, &mut values);
        values
    }

    fn decode_into(
        &self, type_index: usize, assignments: mandala_diagram::Assignments<'_>, sizes: &[usize], values: &mut [i32],
    ) {
        if let Some(layout) = &self.types[type_index].layout {
            return layout.decode(assignments, values);
        }
        let Type::Composite(composite) = &self.system.types[type_index] else { return };
        let mut rest = values;
        for (instance, assignment) in composite.instances.iter().zip(assignments) {
            let (own, others) = rest.split_at_mut(sizes[instance.type_index]);
            if let Value::State(inner) = assignment.value {
                self.decode_into(instance.type_index, inner, sizes, own);
            }
            rest = others;
        }
    }

    /// The diagram of a state that is given by the values of all variables of the system.
    pub fn encode(&mut self, values: &[i32], sizes: &[usize]) -> Result<Option<Diagram>, Error> {
        self.encode_at(self.system.main, values, sizes)
    }

    fn encode_at(&mut self, type_index: usize, values: &[i32], sizes: &[usize]) -> Result<Option<Diagram>, Error> {
        if let Some(layout) = &self.types[type_index].layout {
            return layout.encode(&mut self.store, values);
        }
        let system = self.system;
        let Type::Composite(composite) = &system.types[type_index] else { return Ok(None) };
        let mut below = self.store.one();
        let mut rest = values;
        for (place, instance) in composite.instances.iter().enumerate().rev() {
            let (others, own) = rest.split_at(rest.len() - sizes[instance.type_index]);
            let Some(label) = self.encode_at(instance.type_index, own, sizes)? else { return Ok(None) };
            below = self.store.assign_set(place as Variable, &label, &below)?;
            rest = others;
        }
        Ok(Some(below))
    }

    /// How many variables a state of each type has; `usize::MAX` for too many to say.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = Vec::with_capacity(self.system.types.len());
        for kind in &self.system.types {
            sizes.push(match kind {
                Type::Net(net) => net.places.len(),
                Type::Program(program) => program.variables.len(),
                Type::Composite(composite) => composite
                    .instances
                    .iter()
                    .fold(0usize, |sum, instance| sum.saturating_add(sizes[instance.type_index])),
            });
        }
        sizes
    }
}

fn overflow(net: &Net) -> EncodeError {
    EncodeError::Overflow { net: net.name.clone() }
}

fn steps_of(program: &Program, place: usize) -> Result<Vec<Step>, EncodeError> {
    program::steps(program, &program.transitions[place])
        .map_err(|beyond| EncodeError::Beyond { program: program.name.clone(), beyond })
}

/// A slot a variable, in the order of declaration.
pub fn declared(variables: usize) -> Layout {
    Layout::new((0..variables as u32).map(|variable| Slot::Data(Content::single(variable))).collect())
}

fn is_spontaneous(label: &Option<String>, is_main: bool) -> bool {
    match label {
        None => true,
        Some(label) => is_main && label == ELAPSE,
    }
}

/// The transitions or synchronisations of a type that happen by themselves.
fn own_events(kind: &Type, is_main: bool) -> Vec<u32> {
    fn places<'b>(
        labels: impl Iterator<Item = &'b Option<String>>, free: impl Fn(&Option<String>) -> bool,
    ) -> Vec<u32> {
        labels.enumerate().filter(|(_, label)| free(label)).map(|(place, _)| place as u32).collect()
    }
    match kind {
        Type::Net(net) => {
            places(net.transitions.iter().map(|transition| &transition.label), |label| is_spontaneous(label, is_main))
        }
        Type::Program(program) => places(program.transitions.iter().map(|transition| &transition.label), |label| {
            is_spontaneous(label, is_main)
        }),
        Type::Composite(composite) => {
            places(composite.synchronisations.iter().map(|s| &s.label), |label| is_spontaneous(label, is_main))
        }
    }
}

/// The transitions with a label.
fn with_label<'b>(labels: impl Iterator<Item = &'b Option<String>>, label: &str) -> Vec<u32> {
    let labelled = labels.enumerate().filter(|(_, own)| own.as_deref() == Some(label));
    labelled.map(|(place, _)| place as u32).collect()
}

/// All bags with one of each list, sorted. Lists that occur several times give the same bags in many ways: those are
/// counted once, as they come.
fn bags(lists: &[Vec<u32>], most: usize) -> Option<BTreeSet<Vec<u32>>> {
    let mut bags = BTreeSet::from([Vec::new()]);
    for list in lists {
        let larger = bags.iter().flat_map(|bag: &Vec<u32>| {
            list.iter().map(move |&item| {
                let at = bag.partition_point(|&other| other < item);
                [&bag[..at], &[item], &bag[at..]].concat()
            })
        });
        bags = larger.collect();
        if bags.len() > most {
            return None;
        }
    }
    Some(bags)
}

const MOST_PRODUCTS: usize = 100_000;

fn too_many(name: &str, sequence: &Sequence) -> EncodeError {
    EncodeError::TooManyChoices(TooManyChoices { composite: name.to_owned(), what: sequence.join(", ") })
}

fn coded(store: &mut Store, layout: Layout, sent: Vec<(Sequence, Vec<Step>)>, locals: &[Vec<Step>]) -> Coded {
    let mut all = |steps: &[Step], guard: bool| {
        let homs: Vec<Hom> = steps
            .iter()
            .map(|step| if guard { layout.hom(store, &step.guard()) } else { layout.hom(store, step) })
            .collect();
        store.sum(&homs)
    };
    let mut result = Coded {
        layout: None,
        initial: Vec::new(),
        successors: Default::default(),
        guards: Default::default(),
        locals: Vec::new(),
    };
    result.locals = locals.iter().filter(|steps| !steps.is_empty()).map(|steps| all(steps, false)).collect();
    for (sequence, steps) in sent {
        result.successors.insert(sequence.clone(), all(&steps, false));
        result.guards.insert(sequence, all(&steps, true));
    }
    result.layout = Some(layout);
    result
}

fn encode_net(
    store: &mut Store, net: &Net, layout: Layout, demand: impl Iterator<Item = Sequence>, is_main: bool,
) -> Result<Coded, EncodeError> {
    let labels = || net.transitions.iter().map(|transition| &transition.label);
    let step = |bag: &[u32]| Step::of_bag(net, bag).map_err(|_| overflow(net));
    let mut sent = Vec::new();
    for sequence in demand {
        let choices: Vec<Vec<u32>> = sequence.iter().map(|label| with_label(labels(), label)).collect();
        let bags = bags(&choices, MOST_PRODUCTS).ok_or_else(|| too_many(&net.name, &sequence))?;
        let mut steps = Vec::new();
        for bag in &bags {
            steps.extend(step(bag)?);
        }
        sent.push((sequence, steps));
    }
    let mut locals = Vec::new();
    for (place, transition) in net.transitions.iter().enumerate() {
        if is_spontaneous(&transition.label, is_main) {
            locals.push(step(&[place as u32])?.into_iter().collect());
        }
    }
    let mut result = coded(store, layout, sent, &locals);
    for initial in &net.initial {
        let layout = result.layout.as_ref().map(|layout| layout.encode(store, &initial.marking)).transpose()?;
        result.initial.push(layout.flatten().ok_or_else(|| EncodeError::BrokenPromise { net: net.name.clone() })?);
    }
    Ok(result)
}

fn encode_program(
    store: &mut Store, program: &Program, layout: Layout, demand: impl Iterator<Item = Sequence>, is_main: bool,
) -> Result<Coded, EncodeError> {
    let labels = || program.transitions.iter().map(|transition| &transition.label);
    let mut sent = Vec::new();
    for sequence in demand {
        let mut steps = vec![Step::default()];
        for label in &sequence {
            let mut choices = Vec::new();
            for place in with_label(labels(), label) {
                choices.extend(steps_of(program, place as usize)?);
            }
            if steps.len().saturating_mul(choices.len()) > MOST_PRODUCTS {
                return Err(too_many(&program.name, &sequence));
            }
            steps = steps.iter().flat_map(|step| choices.iter().filter_map(|next| step.then(next))).collect();
        }
        sent.push((sequence, steps));
    }
    let mut locals = Vec::new();
    for (place, transition) in program.transitions.iter().enumerate() {
        if is_spontaneous(&transition.label, is_main) {
            locals.push(steps_of(program, place)?);
        }
    }
    let mut result = coded(store, layout, sent, &locals);
    for initial in &program.initial {
        let state = result.layout.as_ref().map(|layout| layout.encode(store, &initial.values)).transpose()?.flatten();
        result.initial.extend(state);
    }
    Ok(result)
}

/// What a composite does (or when it can) if its instances are sent sequences of labels.
fn sent_hom(store: &mut Store, composite: &Composite, types: &[Coded], sent: &Sent, change: bool) -> Hom {
    let mut links = Vec::with_capacity(sent.len());
    for (instance, sequence) in sent {
        let coded = &types[composite.instances[*instance as usize].type_index];
        let homs = if change { &coded.successors } else { &coded.guards };
        let inside = homs.get(sequence).cloned().unwrap_or_else(|| store.null());
        links.push(store.local(*instance, &inside));
    }
    store.sequence(&links)
}

fn encode_composite(
    store: &mut Store, composite: &Composite, types: &[Coded], demand: impl Iterator<Item = Sequence>, is_main: bool,
) -> Result<Coded, EncodeError> {
    let mut result = Coded {
        layout: None,
        initial: Vec::new(),
        successors: Default::default(),
        guards: Default::default(),
        locals: Vec::new(),
    };
    let choices = Choices::new(composite);
    let sum = |store: &mut Store, sent: &[Sent], change: bool| {
        let homs: Vec<Hom> = sent.iter().map(|sent| sent_hom(store, composite, types, sent, change)).collect();
        store.sum(&homs)
    };
    for sequence in demand {
        let sent = choices.of_sequence(&sequence).map_err(EncodeError::TooManyChoices)?;
        result.successors.insert(sequence.clone(), sum(store, &sent, true));
        result.guards.insert(sequence, sum(store, &sent, false));
    }
    let mut insides: FxHashMap<usize, Hom> = FxHashMap::default();
    for (place, instance) in composite.instances.iter().enumerate() {
        let locals = &types[instance.type_index].locals;
        if !locals.is_empty() {
            let inside = insides.entry(instance.type_index).or_insert_with(|| store.sum(locals));
            result.locals.push(store.local(place as Variable, inside));
        }
    }
    for (place, synchronisation) in composite.synchronisations.iter().enumerate() {
        if is_spontaneous(&synchronisation.label, is_main) {
            let sent = choices.of_synchronisation(place).map_err(EncodeError::TooManyChoices)?;
            result.locals.push(sum(store, &sent, true));
        }
    }
    for initial in &composite.initial {
        let mut state = store.one();
        for (place, choices) in initial.choices.iter().enumerate().rev() {
            let coded = &types[composite.instances[place].type_index];
            let chosen: Vec<&Diagram> = choices.iter().filter_map(|&choice| coded.initial.get(choice)).collect();
            let label = store.union_of(chosen)?;
            state = store.assign_set(place as Variable, &label, &state)?;
        }
        result.initial.push(state);
    }
    Ok(result)
}
