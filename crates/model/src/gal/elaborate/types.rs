//! Types with their parameters filled in, each made once.

use rustc_hash::FxHashMap;

use super::super::declared::{Body, Declared};
use super::super::ledger::{Ledger, Outcome, Stop, complaint};
use super::super::syntax::{CompositeMember, CompositeType, Constant, TypeUse};
use super::composite::{Made, Part, composite};
use super::environment::Environment;
use super::meaning::Facts;
use super::member::array_length;
use super::{net, program};
use crate::system::Type;
use crate::text::Problem;

/// Longer names of types are cut.
const LONGEST_NAME: usize = 200;

/// A type counts as so many things: it is that much larger than a variable.
const TYPE: u64 = 50;

/// What makes two uses of a type the same.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    /// Which declared type it is.
    declared: usize,
    /// The values of its parameters.
    values: Vec<i32>,
    /// The types for what it leaves open (numbers of keys).
    arguments: Vec<usize>,
}

/// A step of making types.
enum Work<'a> {
    /// Make the types that this one needs, then this one.
    Open(usize),
    /// All that it needs is made.
    Close(usize, Vec<Part<'a>>),
}

/// The types that are used, and those that are made.
pub(super) struct Types<'d, 'a> {
    declared: &'d Declared<'a>,
    numbers: FxHashMap<Key, usize>,
    keys: Vec<Key>,
    /// The name of each.
    names: Vec<String>,
    /// The type of each key, once it is made.
    indices: Vec<Option<usize>>,
    pub made: Vec<Type>,
    facts: Vec<Facts>,
    /// The default values of the parameters of declared types.
    defaults: FxHashMap<usize, Vec<i32>>,
}

impl<'d, 'a> Types<'d, 'a> {
    pub fn new(declared: &'d Declared<'a>) -> Types<'d, 'a> {
        Types {
            declared,
            numbers: FxHashMap::default(),
            keys: Vec::new(),
            names: Vec::new(),
            indices: Vec::new(),
            made: Vec::new(),
            facts: Vec::new(),
            defaults: FxHashMap::default(),
        }
    }

    /// The first types that were made, with what is known of them.
    pub fn finish(mut self, count: usize) -> (Vec<Type>, Vec<Facts>) {
        self.made.truncate(count);
        self.made.shrink_to_fit();
        self.facts.truncate(count);
        (self.made, self.facts)
    }

    fn number(&mut self, key: Key) -> usize {
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.keys.len();
        self.names.push(self.name_of(&key));
        self.keys.push(key.clone());
        self.numbers.insert(key, number);
        self.indices.push(None);
        number
    }

    /// The number of a use of a type, inside of a type whose templates are filled in or at the top.
    pub fn key(
        &mut self, type_use: &TypeUse, bindings: &[Constant], inside: Option<(&'a CompositeType, usize)>,
        environment: &mut Environment<'a>, ledger: &mut Ledger,
    ) -> Outcome<usize> {
        let name = type_use.name.text.as_str();
        let span = type_use.name.span();
        let open = inside.and_then(|(body, _)| body.templates.iter().position(|template| template.name.text == name));
        let given = open.zip(inside).and_then(|(open, (_, key))| self.keys.get(key)?.arguments.get(open).copied());
        let mut key = match given {
            Some(number) => match self.keys.get(number) {
                Some(key) => key.clone(),
                None => return Err(Stop),
            },
            None => {
                let Some(&declared) = self.declared.type_names.get(name) else {
                    let names = self.declared.type_names.keys().copied();
                    return Err(ledger.report(complaint::unknown(span, "type", name, names)));
                };
                let arguments = self.arguments(declared, type_use, inside, environment, ledger)?;
                Key { declared, values: self.defaults(declared, environment, ledger)?, arguments }
            }
        };
        self.bind(&mut key, bindings, environment, ledger)?;
        Ok(self.number(key))
    }

    fn arguments(
        &mut self, declared: usize, type_use: &TypeUse, inside: Option<(&'a CompositeType, usize)>,
        environment: &mut Environment<'a>, ledger: &mut Ledger,
    ) -> Outcome<Vec<usize>> {
        let Some(of) = self.declared.types.get(declared) else { return Err(Stop) };
        if let Some(problem) = of.misused(type_use) {
            return Err(ledger.report(problem));
        }
        let mut arguments = Vec::new();
        for argument in &type_use.arguments {
            arguments.push(self.key(argument, &[], inside, environment, ledger)?);
        }
        if let Body::Composite(body) = of.body {
            self.satisfy(body, type_use, &arguments, ledger)?;
        }
        Ok(arguments)
    }

    /// Each type has the labels that the interfaces of its template ask for.
    fn satisfy(
        &self, body: &CompositeType, type_use: &TypeUse, arguments: &[usize], ledger: &mut Ledger,
    ) -> Outcome<()> {
        for ((template, argument), key) in body.templates.iter().zip(&type_use.arguments).zip(arguments) {
            let Some(of) = self.keys.get(*key).and_then(|key| self.declared.types.get(key.declared)) else { continue };
            for interface in &template.interfaces {
                let Some(interface) = self.declared.interfaces.get(interface.text.as_str()) else { continue };
                for label in &interface.labels {
                    if !of.labels.contains(&(label.name.text.as_str(), label.parameters.len())) {
                        let of = &of.body.name().text;
                        let message = format!("`{of}` does not satisfy the interface `{}`", interface.name.text);
                        let arguments = complaint::counted(label.parameters.len(), "argument");
                        let missing = format!("it has no label \"{}\" with {arguments}", label.name.text);
                        let problem = Problem::new(argument.name.span(), message).label(missing);
                        return Err(ledger.report(problem.related(label.name.span(), "which is asked for here")));
                    }
                }
            }
        }
        Ok(())
    }

    /// The default values of a type's parameters. A default may use the parameters before it.
    fn defaults(&mut self, declared: usize, environment: &Environment<'a>, ledger: &mut Ledger) -> Outcome<Vec<i32>> {
        if let Some(values) = self.defaults.get(&declared) {
            return Ok(values.clone());
        }
        let Some(of) = self.declared.types.get(declared) else { return Err(Stop) };
        let parameters = of.body.parameters();
        if parameters.is_empty() {
            return Ok(Vec::new());
        }
        let mut environment = environment.clone();
        environment.enter(Vec::new());
        for parameter in parameters {
            let value = environment.constant(&parameter.value, ledger)?;
            environment.push(&parameter.name.text, value);
        }
        let values = environment.innermost(parameters.len());
        self.defaults.insert(declared, values.clone());
        Ok(values)
    }

    fn bind(
        &self, key: &mut Key, bindings: &[Constant], environment: &Environment<'a>, ledger: &mut Ledger,
    ) -> Outcome<()> {
        let Some(of) = self.declared.types.get(key.declared) else { return Err(Stop) };
        let parameters = of.body.parameters();
        for binding in bindings {
            let name = binding.name.text.as_str();
            let position = parameters.iter().position(|parameter| parameter.name.text == name);
            match position.and_then(|position| key.values.get_mut(position)) {
                Some(value) => *value = environment.constant(&binding.value, ledger)?,
                None => {
                    let names = parameters.iter().map(|parameter| parameter.name.text.as_str());
                    let of = &of.body.name().text;
                    return Err(ledger.report(complaint::missing(binding.name.span(), of, "parameter", name, names)));
                }
            }
        }
        Ok(())
    }

    /// Makes a type and all it needs. The types are on a stack, not the calls: they may nest as deep as they like.
    pub fn make(&mut self, key: usize, environment: &mut Environment<'a>, ledger: &mut Ledger) -> Outcome<usize> {
        let mut work = vec![Work::Open(key)];
        while let Some(step) = work.pop() {
            if ledger.is_exhausted() {
                return Err(Stop);
            }
            match step {
                Work::Open(key) if self.index(key).is_some() => {}
                Work::Open(key) => {
                    let body = self.enter(key, environment)?;
                    ledger.things(TYPE, body.name().span())?;
                    match body {
                        Body::Composite(body) => {
                            let parts = self.parts(body, key, environment, ledger)?;
                            let needed: Vec<usize> = parts.iter().rev().map(|part| part.key).collect();
                            work.push(Work::Close(key, parts));
                            work.extend(needed.into_iter().filter(|&key| self.index(key).is_none()).map(Work::Open));
                        }
                        Body::Program(body) => {
                            let (made, facts) = program::program(body, self.name(key), environment, ledger);
                            self.add(key, Type::Program(made), facts);
                        }
                        Body::Net(body) => {
                            let (made, facts) = net::net(body, self.name(key), environment, ledger);
                            self.add(key, made, facts);
                        }
                    }
                }
                Work::Close(key, _) if self.index(key).is_some() => {}
                Work::Close(key, parts) => self.close(key, parts, environment, ledger)?,
            }
        }
        self.index(key).ok_or(Stop)
    }

    fn close(
        &mut self, key: usize, mut parts: Vec<Part<'a>>, environment: &mut Environment<'a>, ledger: &mut Ledger,
    ) -> Outcome<()> {
        let Body::Composite(body) = self.enter(key, environment)? else { return Err(Stop) };
        for member in &body.members {
            if let CompositeMember::Range(range) = member {
                environment.add_local_range(range, ledger)?;
            }
        }
        for part in &mut parts {
            part.type_index = self.index(part.key).ok_or(Stop)?;
            part.declared = self.keys.get(part.key).ok_or(Stop)?.declared;
        }
        let own = self.keys.get(key).ok_or(Stop)?.declared;
        let made = Made { types: &self.made, facts: &self.facts };
        let name = self.name(key);
        let (made, facts) = composite((body, own), name, &parts, self.declared, made, environment, ledger);
        self.add(key, Type::Composite(made), facts);
        Ok(())
    }

    fn index(&self, key: usize) -> Option<usize> {
        self.indices.get(key).copied().flatten()
    }

    fn add(&mut self, key: usize, made: Type, facts: Facts) {
        if let Some(index) = self.indices.get_mut(key) {
            *index = Some(self.made.len());
            self.made.push(made);
            self.facts.push(facts);
        }
    }

    /// Puts the parameters of a type into the environment.
    fn enter(&self, key: usize, environment: &mut Environment<'a>) -> Outcome<Body<'a>> {
        let key = self.keys.get(key).ok_or(Stop)?;
        let body = self.declared.types.get(key.declared).ok_or(Stop)?.body;
        let names = body.parameters().iter().map(|parameter| parameter.name.text.as_str());
        environment.enter(names.zip(key.values.iter().copied()).collect());
        Ok(body)
    }

    /// The instances of a composite, with the keys of their types.
    fn parts(
        &mut self, body: &'a CompositeType, key: usize, environment: &mut Environment<'a>, ledger: &mut Ledger,
    ) -> Outcome<Vec<Part<'a>>> {
        let mut parts = Vec::new();
        for member in &body.members {
            match member {
                CompositeMember::Range(range) => environment.add_local_range(range, ledger)?,
                CompositeMember::Instance(declaration) => {
                    let length = array_length(declaration.length.as_ref(), &declaration.name, environment, ledger)?;
                    let inside = Some((body, key));
                    let key = self.key(&declaration.type_use, &declaration.bindings, inside, environment, ledger)?;
                    ledger.things(1, declaration.name.span())?;
                    parts.push(Part { declaration, length, key, type_index: 0, declared: 0 });
                }
                _ => {}
            }
        }
        Ok(parts)
    }

    /// The name of a type: that which is declared, with types for its templates and those of its parameters that do not
    /// have their default.
    fn name_of(&self, key: &Key) -> String {
        let Some(of) = self.declared.types.get(key.declared) else { return String::new() };
        let mut name = of.body.name().text.clone();
        if !key.arguments.is_empty() {
            let arguments: Vec<String> = key.arguments.iter().map(|&argument| self.name(argument)).collect();
            name.push_str(&format!("<{}>", arguments.join(", ")));
        }
        let defaults = self.defaults.get(&key.declared);
        let differs = |(i, value): (usize, &i32)| defaults.and_then(|defaults| defaults.get(i)) != Some(value);
        let values: Vec<String> = (of.body.parameters().iter())
            .zip(key.values.iter().enumerate())
            .filter(|(_, value)| differs(*value))
            .map(|(parameter, (_, value))| format!("${}={value}", parameter.name.text))
            .collect();
        if !values.is_empty() {
            name.push_str(&format!("({})", values.join(",")));
        }
        match name.len() > LONGEST_NAME {
            true => format!("{}#{}", of.body.name().text, self.keys.len()),
            false => name,
        }
    }

    fn name(&self, key: usize) -> String {
        self.names.get(key).cloned().unwrap_or_default()
    }

    /// Makes the types that the main type does not need, with the defaults of their parameters, only to find what is
    /// wrong with them.
    pub fn make_the_others(&mut self, environment: &mut Environment<'a>, ledger: &mut Ledger) {
        let used: rustc_hash::FxHashSet<usize> = self.keys.iter().map(|key| key.declared).collect();
        for declared in 0..self.declared.types.len() {
            let open = self.declared.types.get(declared).map_or(0, |of| of.body.openings());
            if used.contains(&declared) || open > 0 || ledger.is_exhausted() {
                continue;
            }
            if let Ok(values) = self.defaults(declared, environment, ledger) {
                let key = self.number(Key { declared, values, arguments: Vec::new() });
                let _ = self.make(key, environment, ledger);
            }
        }
    }
}
