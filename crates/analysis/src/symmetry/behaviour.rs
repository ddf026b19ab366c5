//! All that a system says about its behaviour, as terms over the variables of its states.
//!
//! A transition is the term of its effects or statements; a label is the set of what it can choose; a synchronisation is
//! made of the labels that it calls. Names do not occur: what has the same term does the same.

use mandala_model::expression::Part;
use mandala_model::net::Net;
use mandala_model::property::{Atom, Formula, Question};
use mandala_model::system::{Composite, Location, Program, Statement, System, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cases;
use super::domains::{Domains, Owned};
use super::syntax::{Scope, expression, state_formula, state_parts, statements};
use super::terms::{Head, Role, Term, Terms};
use super::{Preserved, Unknown};
use mandala_model::net::Effect;

/// The terms may have this many parts together.
const LARGEST: usize = 20_000_000;

/// An instance of a type somewhere in the system.
struct Instance {
    kind: usize,
    /// Where its variables begin in a state.
    offset: u32,
    /// For a composite, its instances.
    parts: Vec<usize>,
    /// The terms of its transitions or synchronisations.
    events: Vec<Term>,
    /// What happens by itself, in it and in its instances.
    free: Vec<Term>,
}

/// What a term that must not change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Which values belong to which variable.
    Domains,
    /// All that happens by itself.
    Events,
    /// How much places may hold.
    Capacities,
    /// Which states are transient.
    Transient,
    /// The initial states.
    Initial,
    /// A part of the question with this index.
    Question(usize),
    /// Places that always hold the same: their order is to stay.
    Twins,
}

/// The behaviour of a system.
pub(super) struct Behaviour<'s> {
    system: &'s System,
    pub terms: Terms,
    instances: Vec<Instance>,
    /// The terms that a symmetry maps to themselves.
    pub tops: Vec<(Subject, Term)>,
}

impl<'s> Behaviour<'s> {
    /// The behaviour of a system, where some variables have domains.
    pub fn new(system: &'s System, preserved: &Preserved<'_>, domains: &Domains) -> Result<Behaviour<'s>, Unknown> {
        if system.has_queues() {
            return Err(Unknown::Queues);
        }
        let (instances, variables) = instances(system)?;
        let owners = if domains.is_empty() { Vec::new() } else { owners(&instances, system, variables) };
        let terms = Terms::new(variables, |variable| {
            let &(kind, own) = owners.get(variable as usize)?;
            domains.domain(kind, own)
        });
        let mut behaviour = Behaviour { system, terms, instances, tops: Vec::new() };
        let mut labels: Vec<FxHashMap<&'s str, Term>> = vec![FxHashMap::default(); behaviour.instances.len()];
        // Parts come after what they are parts of.
        for index in (0..behaviour.instances.len()).rev() {
            let (events, own) = behaviour.events(index, &labels)?;
            labels[index] = own;
            let instance = &behaviour.instances[index];
            let parts = instance.parts.iter().flat_map(|&part| behaviour.instances[part].free.iter().copied());
            let own = system.types[instance.kind].own_events(index == 0);
            let free = own.into_iter().map(|at| events[at as usize]).chain(parts).collect();
            (behaviour.instances[index].events, behaviour.instances[index].free) = (events, free);
            if behaviour.terms.size() > LARGEST || behaviour.terms.has_too_many_cases() {
                return Err(Unknown::TooLarge);
            }
        }
        behaviour.add_tops(preserved);
        if behaviour.terms.has_too_many_cases() {
            return Err(Unknown::TooLarge);
        }
        Ok(behaviour)
    }

    /// For each variable, the type that has it, and its place there.
    pub fn owners(&self) -> Vec<Owned> {
        owners(&self.instances, self.system, self.terms.variables())
    }

    /// The terms of the transitions or synchronisations of an instance, and of its labels.
    fn events(
        &mut self, index: usize, labels: &[FxHashMap<&'s str, Term>],
    ) -> Result<(Vec<Term>, FxHashMap<&'s str, Term>), Unknown> {
        let system = self.system;
        let kind = &system.types[self.instances[index].kind];
        let names: Vec<Option<&'s str>> = kind.labels();
        let calls: Vec<FxHashSet<&'s str>> = (0..names.len()).map(|event| own_calls(kind, event)).collect();
        let mut open: FxHashMap<&'s str, usize> = FxHashMap::default();
        names.iter().flatten().for_each(|&name| *open.entry(name).or_default() += 1);
        let mut own: FxHashMap<&'s str, Term> = FxHashMap::default();
        let mut events: Vec<Option<Term>> = vec![None; names.len()];
        let mut waiting: Vec<usize> = (0..names.len()).collect();
        while !waiting.is_empty() {
            let before = waiting.len();
            // A label is known when all that has it is.
            let is_ready = |event: &usize| calls[*event].iter().all(|label| open.get(label).copied().unwrap_or(0) == 0);
            let (ready, rest): (Vec<usize>, Vec<usize>) = waiting.into_iter().partition(is_ready);
            waiting = rest;
            if waiting.len() == before {
                return Err(Unknown::Circular);
            }
            let mut finished: Vec<&'s str> = Vec::new();
            for event in ready {
                events[event] = Some(match kind {
                    Type::Queues(_) => return Err(Unknown::Queues),
                    Type::Net(net) => self.net_transition(index, net, event),
                    Type::Program(program) => self.program_transition(index, program, event, &own),
                    Type::Composite(composite) => self.synchronisation(index, composite, event, &own, labels),
                });
                if let Some(name) = names[event]
                    && let Some(left) = open.get_mut(name)
                {
                    *left -= 1;
                    if *left == 0 {
                        finished.push(name);
                    }
                }
            }
            for name in finished {
                let with = (0..names.len()).filter(|&event| names[event] == Some(name));
                let choices = with.filter_map(|event| events[event]).collect();
                own.insert(name, self.terms.set(Head::Word("choice"), choices));
            }
        }
        Ok((events.into_iter().flatten().collect(), own))
    }

    fn net_transition(&mut self, index: usize, net: &Net, event: usize) -> Term {
        let offset = self.instances[index].offset;
        let effects = net.transitions[event].effects.iter().filter(|effect| **effect != Effect::on(effect.place));
        let place = |effect: &Effect| (Role::Effect(Effect { place: 0, ..*effect }), offset + effect.place);
        // What holds a transition back is known by the priorities of all: a symmetry that keeps each of them keeps that too.
        let head = match net.transitions[event].priority {
            0 => Head::Word("transition"),
            priority => Head::Prioritised(priority),
        };
        self.terms.make(head, effects.map(place))
    }

    fn program_transition(
        &mut self, index: usize, program: &Program, event: usize, labels: &FxHashMap<&str, Term>,
    ) -> Term {
        let offset = self.instances[index].offset;
        let transition = &program.transitions[event];
        let variable = |variable: &u32| offset + variable;
        let scope = |is_action| Scope { variable: &variable, is_action };
        let guard = expression(&mut self.terms, Part::Boolean(&transition.guard), &scope(false));
        cases::exclude(&mut self.terms, &transition.guard, &scope(false));
        let body = statements(&mut self.terms, &transition.body, &scope(true), labels);
        self.terms.admit_all();
        self.terms.ordered(Head::Word("action"), [guard, body])
    }

    /// What is sent to different instances has no order; where the composite calls itself all calls have one.
    fn synchronisation(
        &mut self, index: usize, composite: &Composite, event: usize, own: &FxHashMap<&str, Term>,
        labels: &[FxHashMap<&'s str, Term>],
    ) -> Term {
        let calls = &composite.synchronisations[event].calls;
        let is_ordered = calls.iter().any(|call| call.instance.is_none());
        let mut sent: FxHashMap<usize, u32> = FxHashMap::default();
        let mut children = Vec::with_capacity(calls.len());
        for (position, call) in (0..).zip(calls) {
            let known = match call.instance {
                None => own.get(call.label.as_str()),
                Some(part) => labels[self.instances[index].parts[part]].get(call.label.as_str()),
            };
            let term = match known {
                Some(&term) => term,
                None => self.terms.leaf(Head::Word("choice")),
            };
            let before = sent.entry(call.instance.unwrap_or(usize::MAX)).or_default();
            children.push((Role::Position(if is_ordered { position } else { *before }), term));
            *before += 1;
        }
        self.terms.make(Head::Word("synchronisation"), children)
    }

    fn add_tops(&mut self, preserved: &Preserved<'_>) {
        let free = self.instances[0].free.clone();
        let free = self.terms.set(Head::Word("events"), free);
        self.tops.push((Subject::Events, free));
        let system = self.system;
        let (mut capacities, mut transient) = (Vec::new(), Vec::new());
        for instance in &self.instances {
            match &system.types[instance.kind] {
                Type::Net(net) => {
                    let limited = (0..).zip(&net.places).filter_map(|(at, place)| Some((at, place.capacity?)));
                    capacities.extend(limited.map(|(at, most): (u32, i32)| (Role::Value(most), instance.offset + at)));
                }
                Type::Program(program) => {
                    if let Some(condition) = &program.transient {
                        let offset = instance.offset;
                        let scope = Scope { variable: &|variable: &u32| offset + variable, is_action: false };
                        transient.push(expression(&mut self.terms, Part::Boolean(condition), &scope));
                    }
                }
                Type::Queues(_) | Type::Composite(_) => {}
            }
        }
        if !capacities.is_empty() {
            let term = self.terms.make(Head::Word("capacities"), capacities);
            self.tops.push((Subject::Capacities, term));
        }
        if !transient.is_empty() {
            let term = self.terms.set(Head::Word("transient"), transient);
            self.tops.push((Subject::Transient, term));
        }
        for (index, question) in preserved.questions.iter().enumerate() {
            self.add_question(index, question);
        }
        if !self.terms.values().is_empty() {
            self.add_domains();
        }
        if preserved.initial {
            let term = self.initial();
            self.tops.push((Subject::Initial, term));
        }
    }

    /// Which values belong to which variable. Those of variables that are of no use are not renamed.
    fn add_domains(&mut self) {
        let tops: Vec<Term> = self.tops.iter().map(|&(_, top)| top).collect();
        let is_used = self.terms.used_by(&tops);
        let mut domains = Vec::new();
        for variable in 0..self.terms.variables() as u32 {
            let Some(domain) = self.terms.domain(variable) else { continue };
            let values = domain.iter().filter_map(|&(_, value)| self.terms.value(variable, value));
            let is_of_use = values.chain([variable]).any(|point| is_used[point as usize]);
            domains.push(if is_of_use { self.terms.values_of(variable) } else { self.terms.number(variable) });
        }
        let domains = self.terms.set(Head::Word("domains"), domains);
        self.tops.push((Subject::Domains, domains));
    }

    fn add_question(&mut self, index: usize, question: &Question) {
        let Behaviour { terms, instances, tops, .. } = self;
        let instances = &*instances;
        let variable = |location: &Location| {
            let at = end(instances, &location.path);
            at.map_or(0, |at| instances[at].offset + location.index)
        };
        let event = |location: &Location| {
            let at = end(instances, &location.path)?;
            instances[at].events.get(location.index as usize).copied()
        };
        let parts: Vec<Formula> = match question {
            Question::Bounds(value) => {
                let scope = Scope { variable: &variable, is_action: false };
                let term = expression(terms, Part::Integer(value), &scope);
                tops.push((Subject::Question(index), term));
                return;
            }
            Question::Reachable(formula)
            | Question::Invariant(formula)
            | Question::Never(formula)
            | Question::Ctl(formula)
            | Question::Ltl(formula)
            | Question::CtlStar(formula) => state_parts(formula),
            // Each of them by itself is asked for.
            Question::Live(groups) => groups.iter().map(|group| Formula::Atom(Atom::Fireable(group.clone()))).collect(),
        };
        for part in &parts {
            tops.push((Subject::Question(index), state_formula(terms, part, &variable, &event)));
        }
    }

    /// The set of the initial states, each as the values of its variables; of a composite, which each of its instances
    /// may begin in.
    fn initial(&mut self) -> Term {
        let system = self.system;
        // For each instance, the terms of its initial states; parts come after what they are parts of.
        let mut states: Vec<Vec<Term>> = vec![Vec::new(); self.instances.len()];
        for index in (0..self.instances.len()).rev() {
            let instance = &self.instances[index];
            let offset = instance.offset;
            let terms = &mut self.terms;
            let flat = |values: &[i32]| {
                let children = (offset..).zip(values).map(|(variable, &value)| match terms.value(variable, value) {
                    Some(point) => (Role::Part, point),
                    None => (Role::Value(value), variable),
                });
                let children: Vec<(Role, Term)> = children.collect();
                terms.make(Head::Word("state"), children)
            };
            states[index] = match &system.types[instance.kind] {
                kind @ (Type::Net(_) | Type::Queues(_) | Type::Program(_)) => {
                    kind.initial_values().into_iter().map(flat).collect()
                }
                Type::Composite(composite) => {
                    let mut own = Vec::with_capacity(composite.initial.len());
                    for initial in &composite.initial {
                        let mut children = Vec::new();
                        for (&part, choices) in instance.parts.iter().zip(&initial.choices) {
                            let choices = choices.iter().filter_map(|&choice| states[part].get(choice).copied());
                            let choices: Vec<Term> = choices.collect();
                            children.push(terms.set(Head::Word("one of"), choices));
                        }
                        own.push(terms.unordered(Head::Word("state"), children));
                    }
                    own
                }
            };
        }
        let begins = system.begins.iter().filter_map(|&begin| states[0].get(begin).copied()).collect();
        self.terms.set(Head::Word("initial"), begins)
    }

    /// The events of the main type that happen by themselves, with their terms.
    pub fn own_events(&self) -> impl Iterator<Item = (u32, Term)> {
        let main = &self.instances[0];
        let kind = &self.system.types[main.kind];
        kind.own_events(true).into_iter().map(|index| (index, main.events[index as usize]))
    }

    /// From now on, of places that always hold the same, as they begin alike and all transitions do the same to them, the
    /// order must not change: to exchange them changes no state. For each, the first of those that it is the same as.
    pub fn keep_twins(&mut self) -> Vec<(u32, u32)> {
        let Type::Net(net) = &self.system.types[self.instances[0].kind] else { return Vec::new() };
        let tops: Vec<Term> = self.tops.iter().map(|&(_, top)| top).collect();
        let mut said: Vec<Vec<(Term, u32)>> = vec![Vec::new(); net.places.len()];
        let is_used = self.terms.used_by(&tops);
        for term in (0..is_used.len()).filter(|&term| is_used[term]) {
            for &(role, child) in self.terms.children(term as Term) {
                if let Some(said) = said.get_mut(child as usize) {
                    said.push((term as Term, role));
                }
            }
        }
        let mut alike: FxHashMap<Vec<(Term, u32)>, Vec<Term>> = FxHashMap::default();
        for (place, said) in (0..).zip(said) {
            alike.entry(said).or_default().push(place);
        }
        let mut groups: Vec<Vec<Term>> = alike.into_values().filter(|group| group.len() > 1).collect();
        // Symmetries map groups to groups. If some of a group begin otherwise, they may not map twins to twins.
        let begins_as =
            |a: u32, b: u32| net.initial.iter().all(|one| one.marking[a as usize] == one.marking[b as usize]);
        if !groups.iter().all(|group| group.iter().all(|&place| begins_as(place, group[0]))) {
            return Vec::new();
        }
        groups.sort_unstable();
        let mut orders = Vec::with_capacity(groups.len());
        for group in &groups {
            orders.push(self.terms.ordered(Head::Word("twins"), group.iter().copied()));
        }
        if !orders.is_empty() {
            let orders = self.terms.set(Head::Word("all twins"), orders);
            self.tops.push((Subject::Twins, orders));
        }
        groups.iter().flat_map(|group| group[1..].iter().map(|&twin| (twin, group[0]))).collect()
    }

    /// The name of an event that happens by itself and has this term.
    pub fn name_of_event(&self, term: Term) -> String {
        let mut paths = vec![(0, String::new())];
        while let Some((index, path)) = paths.pop() {
            let instance = &self.instances[index];
            let kind = &self.system.types[instance.kind];
            if let Some(at) = instance.events.iter().position(|&event| event == term) {
                return path + kind.event_name(at).unwrap_or_default();
            }
            paths.extend(instance.parts.iter().zip(kind.instances()).map(|(&part, of)| (part, of.prefix(&path))));
        }
        String::new()
    }

    /// The names of the variables, with those of the instances on the way to them.
    pub fn names_of_variables(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.terms.variables()];
        let mut paths = vec![(0, String::new())];
        while let Some((index, path)) = paths.pop() {
            let instance = &self.instances[index];
            let mut put = |at: usize, name: &str| names[instance.offset as usize + at] = format!("{path}{name}");
            let kind = &self.system.types[instance.kind];
            kind.variable_names().into_iter().enumerate().for_each(|(at, name)| put(at, name));
            paths.extend(instance.parts.iter().zip(kind.instances()).map(|(&part, of)| (part, of.prefix(&path))));
        }
        names
    }
}

/// For each variable, the type that has it, and its place there.
fn owners(instances: &[Instance], system: &System, variables: usize) -> Vec<Owned> {
    let mut owners = vec![(0, 0); variables];
    for instance in instances {
        let own = system.types[instance.kind].variable_count();
        for (at, owner) in owners.iter_mut().skip(instance.offset as usize).take(own).enumerate() {
            *owner = (instance.kind, at);
        }
    }
    owners
}

/// The instance at the end of a path.
fn end(instances: &[Instance], path: &[u32]) -> Option<usize> {
    path.iter().try_fold(0, |at, &part| instances[at].parts.get(part as usize).copied())
}

/// The labels of its own type that an event calls.
fn own_calls(kind: &Type, event: usize) -> FxHashSet<&str> {
    let mut labels = FxHashSet::default();
    match kind {
        Type::Net(_) | Type::Queues(_) => {}
        Type::Program(program) => {
            let mut open = vec![program.transitions[event].body.as_slice()];
            while let Some(list) = open.pop() {
                for statement in list {
                    match statement {
                        Statement::If(_, yes, no) => open.extend([yes.as_slice(), no]),
                        Statement::Fixpoint(inner) => open.push(inner),
                        Statement::Call(label) => {
                            labels.insert(label.as_str());
                        }
                        Statement::Assign(..) | Statement::Abort => {}
                    }
                }
            }
        }
        Type::Composite(composite) => {
            let calls = composite.synchronisations[event].calls.iter();
            labels.extend(calls.filter(|call| call.instance.is_none()).map(|call| call.label.as_str()));
        }
    }
    labels
}

/// All instances of a system, what has parts before its parts, and the number of variables.
fn instances(system: &System) -> Result<(Vec<Instance>, usize), Unknown> {
    let sizes = system.sizes();
    let variables = sizes[system.main];
    if variables > LARGEST || system.instance_counts()[system.main] > LARGEST {
        return Err(Unknown::TooLarge);
    }
    let new = |kind, offset| Instance { kind, offset, parts: Vec::new(), events: Vec::new(), free: Vec::new() };
    let mut instances = vec![new(system.main, 0)];
    let mut next = 0;
    while next < instances.len() {
        let Instance { kind, mut offset, .. } = instances[next];
        for part in system.types[kind].instances() {
            let index = instances.len();
            instances[next].parts.push(index);
            instances.push(new(part.type_index, offset));
            offset += sizes[part.type_index] as u32;
        }
        next += 1;
    }
    Ok((instances, variables))
}
