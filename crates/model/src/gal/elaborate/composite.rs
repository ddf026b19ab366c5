//! `composite` types: from instances and calls to a [`Composite`].

use rustc_hash::FxHashMap;

use super::super::DECLARED;
use super::super::declared::Declared;
use super::super::ledger::{Ledger, Outcome, Stop, complaint};
use super::super::syntax::{
    Call, Choice, CompositeMember, CompositeType, Initial, InstanceDeclaration, Name, Reference, Step, Transition,
};
use super::builder::Builder;
use super::calls::{Caller, refuse_circles};
use super::combine::{self, Maker as _, instance_name};
use super::directory::Directory;
use super::environment::Environment;
use super::meaning::Facts;
use super::member::{STATEMENT, TRANSITION, definition_of, label_text};
use super::steps::{Scoped, chosen, rounds};
use super::symmetry;
use crate::system::{self, Composite, CompositeInitial, Instance, PrioritiesInside, Synchronisation, Type};
use crate::text::{Problem, Span};

/// An instance or an array of instances, with its type.
pub(super) struct Part<'a> {
    pub declaration: &'a InstanceDeclaration,
    pub length: Option<u32>,
    /// The key of its type.
    pub key: usize,
    /// The type, once it is made, and which declared type it is.
    pub type_index: usize,
    pub declared: usize,
}

/// All that has been made so far.
pub(super) struct Made<'m> {
    pub types: &'m [Type],
    pub facts: &'m [Facts],
}

/// The instances of a name: the first, how many if it is an array, and which part declares them.
#[derive(Clone, Copy)]
struct Members {
    first: u32,
    length: Option<u32>,
    part: usize,
}

/// A composite in the making.
struct Maker<'m, 'a> {
    parts: &'m [Part<'a>],
    members: FxHashMap<&'a str, Members>,
    declared: &'m Declared<'a>,
    made: Made<'m>,
    environment: &'m mut Environment<'a>,
    ledger: &'m mut Ledger,
    composite: Composite,
    /// For each synchronisation, where its calls of the composite itself are.
    own_calls: Vec<Vec<(String, Span)>>,
    /// The labels that the composite declares.
    own: usize,
}

/// Makes a composite of a type whose parameters are in the environment and whose instances' types are made.
pub(super) fn composite<'a>(
    (body, own): (&'a CompositeType, usize), name: String, parts: &[Part<'a>], declared: &Declared<'a>, made: Made<'_>,
    environment: &mut Environment<'a>, ledger: &mut Ledger,
) -> (Composite, Facts) {
    let composite = Composite { name, ..Composite::default() };
    let members = FxHashMap::default();
    let mut maker =
        Maker { parts, members, declared, made, environment, ledger, composite, own_calls: Vec::new(), own };
    let _ = maker.instances();
    for member in &body.members {
        // What is wrong with one member has been reported, and does not keep the others from being made.
        let _ = match member {
            CompositeMember::Synchronisation(transition) => maker.combinations(transition),
            CompositeMember::Initial(initial) => maker.initial(initial),
            CompositeMember::Symmetry(declared) => {
                symmetry::symmetry(&mut maker, declared).map(|made| maker.composite.symmetries.push(made))
            }
            _ => Ok(()),
        };
    }
    maker.finish(body)
}

impl<'a> Scoped<'a> for Maker<'_, 'a> {
    fn scope(&mut self) -> (&mut Environment<'a>, &mut Ledger) {
        (self.environment, self.ledger)
    }
}

impl<'a> combine::Maker<'a, Call> for Maker<'_, 'a> {
    fn combination(&mut self, transition: &'a Transition<Call>) -> Outcome<()> {
        if let Some(guard) = &transition.guard
            && let Err(reason) = self.environment.truth(guard)
        {
            return Err(self.environment.explain(reason, self.ledger));
        }
        self.ledger.parts(TRANSITION, transition.name.span())?;
        let label = label_text(transition.label.as_ref(), self.environment, self.ledger)?;
        let mut calls = Vec::new();
        let mut own = Vec::new();
        // A call of what no combination of parameters offers can never succeed, nor can what contains it.
        if !self.steps(&transition.body, &mut calls, &mut own)? {
            return Ok(());
        }
        let name = instance_name(transition, self.environment);
        // There may be very many, each with a call or two.
        calls.shrink_to_fit();
        self.composite.synchronisations.push(Synchronisation { name, label, calls });
        self.own_calls.push(own);
        Ok(())
    }
}

impl<'a> symmetry::Maker<'a> for Maker<'_, 'a> {
    fn thing(&mut self, reference: &Reference) -> Outcome<u32> {
        match self.member(reference)? {
            (_, Some(number)) => Ok(number),
            (members, None) => Err(self.needs_index(reference, members)),
        }
    }

    fn name_of(&self, thing: u32) -> String {
        self.composite.instances.get(thing as usize).map_or(String::new(), |instance| instance.name.clone())
    }

    fn type_of(&self, thing: u32) -> &str {
        let instance = self.composite.instances.get(thing as usize);
        instance.and_then(|instance| self.made.types.get(instance.type_index)).map_or("", Type::name)
    }
}

impl<'a> Maker<'_, 'a> {
    fn instances(&mut self) -> Outcome<()> {
        let mut choices = Vec::new();
        for (part, Part { declaration, length, type_index, .. }) in self.parts.iter().enumerate() {
            if let Some(Type::Net(net)) = self.made.types.get(*type_index)
                && net.has_priorities()
            {
                let inside = PrioritiesInside { net: net.name.clone() };
                let problem = Problem::new(declaration.type_use.name.span(), inside.to_string())
                    .label("an instance of this net")
                    .help("say with `inhibit` arcs when a transition may not fire, or make one net of the whole model");
                self.ledger.report(problem);
            }
            let first = self.composite.instances.len() as u32;
            let name = &declaration.name.text;
            self.members.insert(name, Members { first, length: *length, part });
            let names: Vec<String> = match length {
                None => vec![name.clone()],
                Some(length) => (0..*length).map(|i| format!("{name}[{i}]")).collect(),
            };
            let choice = self.states(part, &declaration.from)?;
            choices.extend(names.iter().map(|_| choice.clone()));
            self.composite.instances.extend(names.into_iter().map(|name| Instance { name, type_index: *type_index }));
        }
        self.composite.initial.push(CompositeInitial { name: String::new(), choices });
        Ok(())
    }

    /// The initial states with some names; the declared one if there are none.
    fn states(&mut self, part: usize, names: &[Name]) -> Outcome<Vec<usize>> {
        let states = self.parts.get(part).and_then(|part| self.made.types.get(part.type_index));
        match states {
            Some(of) => initial_states(of, names, self.ledger),
            None => Ok(vec![0]),
        }
    }

    fn initial(&mut self, initial: &'a Initial<Choice>) -> Outcome<()> {
        let Some(changes) = &initial.changes else {
            if let Some(declared) = self.composite.initial.first_mut() {
                declared.name = initial.name.text.clone();
            }
            return Ok(());
        };
        let Some(declared) = self.composite.initial.first() else { return Err(Stop) };
        self.ledger.things(declared.choices.len() as u64, initial.name.span())?;
        let mut choices = declared.choices.clone();
        for Choice { instance, from } in changes {
            let (members, number) = self.member(instance)?;
            let states = self.states(members.part, from)?;
            let changed = match number {
                Some(number) => number..number + 1,
                None => members.first..members.first + members.length.unwrap_or(1),
            };
            for number in changed {
                if let Some(choice) = choices.get_mut(number as usize) {
                    choice.clone_from(&states);
                }
            }
        }
        self.composite.initial.push(CompositeInitial { name: initial.name.text.clone(), choices });
        Ok(())
    }

    /// The instances that a reference names; a number if it is one of an array, or no array.
    fn member(&mut self, reference: &Reference) -> Outcome<(Members, Option<u32>)> {
        let Some(segment) = reference.single() else {
            let problem = Problem::new(reference.span(), "a composite speaks to its own instances only")
                .label("this is an instance of an instance")
                .help("give the type in between a `synchronization` with a label, and call that");
            return Err(self.ledger.report(problem));
        };
        let name = segment.name.text.as_str();
        let Some(&members) = self.members.get(name) else {
            let names = self.members.keys().copied();
            return Err(self.ledger.report(complaint::unknown(segment.name.span(), "instance", name, names)));
        };
        match (members.length, &segment.index) {
            (None, None) => Ok((members, Some(members.first))),
            (None, Some(_)) => Err(self.ledger.report(complaint::no_array(reference.span(), name))),
            (Some(_), None) => Ok((members, None)),
            (Some(length), Some(index)) => {
                let value = self.environment.constant(index, self.ledger)?;
                match u32::try_from(value).ok().filter(|&value| value < length) {
                    Some(value) => Ok((members, Some(members.first + value))),
                    None => Err(self.ledger.report(complaint::out_of_range(index.span(), name, value, length))),
                }
            }
        }
    }

    /// Reports an array where one of its instances is meant.
    fn needs_index(&mut self, reference: &Reference, members: Members) -> Stop {
        let length = members.length.unwrap_or(0);
        self.ledger.report(complaint::needs_index(reference.span(), &reference.to_string(), length))
    }

    /// Adds the calls of some steps; `false` if one of them can never succeed.
    fn steps(
        &mut self, steps: &'a [Step<Call>], calls: &mut Vec<system::Call>, own: &mut Vec<(String, Span)>,
    ) -> Outcome<bool> {
        let mut possible = true;
        for step in steps {
            match step {
                Step::Do(call) => possible &= self.call(call, calls, own)?,
                Step::For(parameter, inner) => rounds(self, parameter, |maker| {
                    possible &= maker.steps(inner, calls, own)?;
                    Ok(())
                })?,
                Step::If(condition, then, otherwise) => {
                    let chosen = chosen(self, condition, then, otherwise)?;
                    possible &= self.steps(chosen, calls, own)?;
                }
            }
        }
        Ok(possible)
    }

    fn call(&mut self, call: &'a Call, calls: &mut Vec<system::Call>, own: &mut Vec<(String, Span)>) -> Outcome<bool> {
        let span = call.label.name.span();
        self.ledger.parts(STATEMENT, span)?;
        let Some(label) = label_text(Some(&call.label), self.environment, self.ledger)? else {
            let problem = Problem::new(span, "an empty label is no label").label("nothing can be called here");
            return Err(self.ledger.report(problem));
        };
        let (instance, part) = match &call.instance {
            None => {
                own.push((label.clone(), span));
                calls.push(system::Call { instance: None, label });
                return self.offers(self.own, call).map(|()| true);
            }
            Some(reference) => match self.member(reference)? {
                (members, Some(number)) => (number, members.part),
                (members, None) => return Err(self.needs_index(reference, members)),
            },
        };
        let Some(part) = self.parts.get(part) else { return Err(Stop) };
        let offered = self.made.facts.get(part.type_index).is_some_and(|facts| facts.labels.contains(&label));
        if !offered {
            return self.offers(part.declared, call).map(|()| false);
        }
        calls.push(system::Call { instance: Some(instance as usize), label });
        Ok(true)
    }

    /// Reports a call of a label that a type does not declare.
    fn offers(&mut self, declared: usize, call: &Call) -> Outcome<()> {
        match self.declared.types.get(declared) {
            Some(of) => of.offers(&call.label, self.ledger),
            None => Ok(()),
        }
    }

    fn finish(mut self, body: &'a CompositeType) -> (Composite, Facts) {
        self.drop_impossible();
        let callers: Vec<Caller<'_>> = (self.composite.synchronisations.iter().zip(&self.own_calls))
            .filter_map(|(synchronisation, calls)| Some(Caller { label: synchronisation.label.as_deref()?, calls }))
            .collect();
        refuse_circles(&callers, self.ledger);
        self.composite.synchronisations.shrink_to_fit();
        self.composite.instances.shrink_to_fit();
        let mut facts = Facts {
            labels: self.composite.synchronisations.iter().filter_map(|one| one.label.clone()).collect(),
            ..Facts::default()
        };
        let root = Type::Composite(self.composite);
        for member in &body.members {
            if let CompositeMember::Alias(definition) | CompositeMember::Predicate(definition) = member {
                let condition = matches!(member, CompositeMember::Predicate(_));
                let directory = Directory::new(self.made.types, self.made.facts, &root, Some(&facts));
                let mut builder = Builder { names: &directory, environment: self.environment, ledger: self.ledger };
                if let Ok(meaning) = definition_of(&mut builder, definition, condition) {
                    facts.meanings.insert(definition.name.text.clone(), meaning);
                }
            }
        }
        match root {
            Type::Composite(composite) => (composite, facts),
            Type::Net(_) | Type::Queues(_) | Type::Program(_) => (Composite::default(), facts),
        }
    }

    /// Takes out synchronisations that call the composite itself by a label that no combination of parameters has, and
    /// then those that call these.
    fn drop_impossible(&mut self) {
        let synchronisations = &self.composite.synchronisations;
        let mut offering: FxHashMap<&str, usize> = FxHashMap::default();
        for label in synchronisations.iter().filter_map(|one| one.label.as_deref()) {
            *offering.entry(label).or_default() += 1;
        }
        let mut callers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (number, calls) in self.own_calls.iter().enumerate() {
            for (label, _) in calls {
                callers.entry(label).or_default().push(number);
            }
        }
        let mut missing: Vec<&str> = callers.keys().copied().filter(|label| !offering.contains_key(label)).collect();
        let mut keep = vec![true; synchronisations.len()];
        while let Some(label) = missing.pop() {
            for &number in callers.get(label).into_iter().flatten() {
                if !std::mem::replace(&mut keep[number], false) {
                    continue;
                }
                if let Some(label) = synchronisations[number].label.as_deref()
                    && let Some(count) = offering.get_mut(label)
                {
                    *count -= 1;
                    if *count == 0 {
                        missing.push(label);
                    }
                }
            }
        }
        let mut kept = keep.iter();
        self.composite.synchronisations.retain(|_| kept.next().copied().unwrap_or(true));
        let mut kept = keep.iter();
        self.own_calls.retain(|_| kept.next().copied().unwrap_or(true));
    }
}

/// The initial states of a type with some names; the declared one if there are none.
pub(super) fn initial_states(of: &Type, names: &[Name], ledger: &mut Ledger) -> Outcome<Vec<usize>> {
    if names.is_empty() {
        return Ok(vec![0]);
    }
    let known = of.initial_names();
    let mut states = Vec::new();
    for name in names {
        match known.iter().position(|known| *known == name.text) {
            Some(state) => states.push(state),
            None if name.text == DECLARED => states.push(0),
            None => {
                let names = known.iter().copied().filter(|name| !name.is_empty());
                return Err(ledger.report(complaint::unknown(name.span(), "initial state", &name.text, names)));
            }
        }
    }
    states.sort_unstable();
    states.dedup();
    Ok(states)
}
