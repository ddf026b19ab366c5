//! Names in a whole system: `ring:peers[1]:state`.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::ledger::{Ledger, Outcome, complaint};
use super::super::syntax::{Expression, Reference, Segment};
use super::builder::{Meaning, Names, size};
use super::combine::with_arguments;
use super::environment::Environment;
use super::meaning::{Facts, map};
use crate::expression::Integer;
use crate::property::contest::Groups;
use crate::system::{Location, Type};
use crate::text::{Problem, Span};

/// The names of a type and of everything in it.
pub(super) struct Directory<'s> {
    /// The types that instances may have.
    types: &'s [Type],
    /// What is known of them, as far as it is.
    facts: &'s [Facts],
    /// Where names begin.
    root: &'s Type,
    root_facts: Option<&'s Facts>,
    tables: RefCell<FxHashMap<usize, Rc<Table<'s>>>>,
    /// Other names for what is in the root.
    also: Option<&'s Groups>,
}

/// The number of the root among tables.
const ROOT: usize = usize::MAX;

/// The names of one type.
struct Table<'s> {
    /// Variables, places or instances.
    things: FxHashMap<&'s str, u32>,
    /// Arrays of them: the first and how many there are.
    arrays: FxHashMap<&'s str, (u32, u32)>,
    /// Transitions or synchronisations.
    transitions: FxHashMap<&'s str, u32>,
    /// Those with arguments, by their names without.
    instances: FxHashMap<&'s str, Vec<u32>>,
}

impl<'s> Table<'s> {
    fn of(of: &'s Type) -> Table<'s> {
        let instances = of.instances().iter().map(|instance| instance.name.as_str());
        Table::made(of.variable_names().into_iter().chain(instances), of.event_names())
    }

    fn made(things: impl Iterator<Item = &'s str>, transitions: impl Iterator<Item = &'s str>) -> Table<'s> {
        let mut table = Table {
            things: FxHashMap::default(),
            arrays: FxHashMap::default(),
            transitions: FxHashMap::default(),
            instances: FxHashMap::default(),
        };
        for (number, name) in (0u32..).zip(things) {
            table.things.entry(name).or_insert(number);
            // `name[0]`, `name[1]` and so on, one after the other, are an array.
            if let Some((base, index)) = name.strip_suffix(']').and_then(|name| name.rsplit_once('['))
                && let Ok(index) = index.parse::<u32>()
            {
                let array = table.arrays.entry(base).or_insert((number, 0));
                if index == array.1 && number == array.0.saturating_add(index) {
                    array.1 += 1;
                }
            }
        }
        table.arrays.retain(|_, array| array.1 > 0);
        for (number, name) in (0u32..).zip(transitions) {
            table.transitions.entry(name).or_insert(number);
            if let Some((base, _)) = name.split_once('(') {
                table.instances.entry(base).or_default().push(number);
            }
        }
        table
    }

    /// A name of nothing that has a value.
    fn unknown(&self, span: Span, what: &str, name: &str) -> Problem {
        let problem = complaint::unknown(span, what, name, self.names());
        if self.transitions.contains_key(name) || self.instances.contains_key(name) {
            return complaint::is_transition(problem, name);
        }
        if let Some(help) = complaint::other_word(name) {
            return problem.help(help);
        }
        // `Lift.floor` is `floor` where Lift is the system itself.
        if let Some((_, last)) = name.rsplit_once('.')
            && (self.things.contains_key(last) || self.arrays.contains_key(last))
        {
            return problem.help(format!("did you mean `{}`?", complaint::shortened(last)));
        }
        if let Some(whole) = self.names().filter(|whole| is_cut_short(name, whole)).min() {
            let whole = complaint::shortened(whole);
            return problem.help(format!("a name with blanks or signs in it is written in backquotes: `{whole}`"));
        }
        match complaint::kind_in_brackets(name) {
            Some(help) if what == "instance" => problem.help(help),
            _ => problem,
        }
    }

    /// The names of transitions, without arguments.
    fn transition_names(&self) -> impl Iterator<Item = &'s str> + Clone {
        self.instances.keys().chain(self.transitions.keys().filter(|name| !name.contains('('))).copied()
    }

    fn names(&self) -> impl Iterator<Item = &'s str> + Clone {
        self.arrays.keys().chain(self.things.keys().filter(|name| !name.ends_with(']'))).copied()
    }
}

/// Whether a name is what a reader of words finds of another one that has blanks or signs in it.
fn is_cut_short(name: &str, whole: &str) -> bool {
    let is_sign = |one: char| !one.is_alphanumeric() && !matches!(one, '_' | '.' | '[' | '(' | ':');
    whole.strip_prefix(name).is_some_and(|rest| rest.starts_with(is_sign))
}

/// The instance to which a reference has been resolved so far.
struct Resolved<'s> {
    path: Vec<u32>,
    number: usize,
    at: &'s Type,
}

impl<'s> Directory<'s> {
    pub fn new(types: &'s [Type], facts: &'s [Facts], root: &'s Type, root_facts: Option<&'s Facts>) -> Directory<'s> {
        Directory { types, facts, root, root_facts, tables: RefCell::default(), also: None }
    }

    /// The same, with other names for places and transitions of the root.
    pub fn also(self, names: &'s Groups) -> Directory<'s> {
        Directory { also: Some(names), ..self }
    }

    fn table(&self, resolved: &Resolved<'s>) -> Rc<Table<'s>> {
        let mut tables = self.tables.borrow_mut();
        let also = self.also.filter(|_| resolved.number == ROOT);
        let make = || {
            let mut table = Table::of(resolved.at);
            for (name, range) in also.into_iter().flat_map(|also| &also.places) {
                table.things.entry(name).or_insert(range.start);
            }
            for (name, range) in also.into_iter().flat_map(|also| &also.transitions) {
                table.transitions.entry(name).or_insert(range.start);
            }
            Rc::new(table)
        };
        tables.entry(resolved.number).or_insert_with(make).clone()
    }

    fn facts_at(&self, resolved: &Resolved<'s>) -> Option<&'s Facts> {
        match resolved.number {
            ROOT => self.root_facts,
            number => self.facts.get(number),
        }
    }

    /// Follows the instances of a reference.
    fn follow(
        &self, instances: &[Segment], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Resolved<'s>> {
        let mut resolved = Resolved { path: Vec::new(), number: ROOT, at: self.root };
        for segment in instances {
            let Type::Composite(composite) = resolved.at else {
                let problem =
                    Problem::new(segment.name.span(), format!("there is no instance `{}`", segment.name.text))
                        .label("this is inside of a type that has no instances");
                let help = complaint::kind_in_brackets(&segment.name.text).filter(|_| resolved.path.is_empty());
                return Err(ledger.report(match help {
                    Some(help) => problem.help(help),
                    None => problem,
                }));
            };
            let number = self.number(&resolved, segment, "instance", environment, ledger)?;
            let Some(instance) = composite.instances.get(number as usize) else {
                return Err(ledger.report(complaint::unknown(
                    segment.name.span(),
                    "instance",
                    &segment.name.text,
                    std::iter::empty(),
                )));
            };
            resolved.path.push(number);
            resolved.number = instance.type_index;
            resolved.at = self.types.get(instance.type_index).unwrap_or(self.root);
        }
        Ok(resolved)
    }

    /// The number of a variable or instance with a constant index or none.
    fn number(
        &self, resolved: &Resolved<'s>, segment: &Segment, what: &str, environment: &Environment<'_>,
        ledger: &mut Ledger,
    ) -> Outcome<u32> {
        let table = self.table(resolved);
        let name = segment.name.text.as_str();
        let span = segment.name.span();
        match (&segment.index, table.arrays.get(name)) {
            (Some(index), Some(&(first, length))) => {
                let value = environment.constant(index, ledger)?;
                match u32::try_from(value).ok().filter(|&value| value < length) {
                    Some(value) => Ok(first + value),
                    None => Err(ledger.report(complaint::out_of_range(index.span(), name, value, length))),
                }
            }
            (None, Some(&(_, length))) if !table.things.contains_key(name) => {
                Err(ledger.report(complaint::needs_index(span, name, length)))
            }
            (Some(_), None) if table.things.contains_key(name) => Err(ledger.report(complaint::no_array(span, name))),
            _ => match table.things.get(name) {
                Some(&number) => Ok(number),
                None => Err(ledger.report(table.unknown(span, what, name))),
            },
        }
    }

    /// What is called so inside of the first instance that has it, where nothing outside is.
    fn inside_of_an_instance(&self, resolved: &Resolved<'s>, segment: &Segment) -> Option<String> {
        let name = segment.name.text.as_str();
        let table = self.table(resolved);
        if segment.index.is_some() || table.things.contains_key(name) || table.arrays.contains_key(name) {
            return None;
        }
        let has = |kind: usize| self.types.get(kind).is_some_and(|kind| kind.variable_names().contains(&name));
        let instance = resolved.at.instances().iter().find(|instance| has(instance.type_index))?;
        Some(format!("{}:{}", complaint::shortened(&instance.name), complaint::shortened(name)))
    }

    /// The transitions that a reference names, with arguments or with all of them.
    pub fn transitions(
        &self, reference: &Reference, arguments: &[Expression], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Vec<Location>> {
        let Some((last, instances)) = reference.segments.split_last() else { return Ok(Vec::new()) };
        let resolved = self.follow(instances, environment, ledger)?;
        let values: Outcome<Vec<i32>> =
            arguments.iter().map(|argument| environment.constant(argument, ledger)).collect();
        let name = with_arguments(&last.name.text, &values?);
        let table = self.table(&resolved);
        let location = |&index: &u32| Location { path: resolved.path.clone(), index };
        if let Some(number) = table.transitions.get(name.as_str()) {
            return Ok(vec![location(number)]);
        }
        match table.instances.get(name.as_str()) {
            Some(numbers) => Ok(numbers.iter().map(location).collect()),
            None => {
                let names = table.transition_names();
                Err(ledger.report(complaint::unknown(reference.span(), "transition", &name, names)))
            }
        }
    }

    fn no_variable(&self, name: &str, span: Span, ledger: &mut Ledger) -> super::super::ledger::Stop {
        let problem = Problem::new(span, format!("`{name}` is an instance, not a variable"))
            .label("this has no value")
            .help(format!("name a variable of it: `{name}:variable`"));
        ledger.report(problem)
    }
}

impl Names for Directory<'_> {
    type Variable = Location;

    fn letters(&self, variable: &Location) -> Option<&[String]> {
        let mut at = self.root;
        for &instance in &variable.path {
            at = self.types.get(at.instances().get(instance as usize)?.type_index)?;
        }
        let Type::Queues(queues) = at else { return None };
        queues.queue_of_cell(variable.index).map(|queue| queue.letters.as_slice())
    }

    fn find(
        &self, reference: &Reference, environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Meaning<Location>> {
        let Some((last, instances)) = reference.segments.split_last() else {
            return Ok(Meaning::Integer(Integer::Constant(0)));
        };
        let resolved = self.follow(instances, environment, ledger)?;
        let name = last.name.text.as_str();
        if let Some((instance, inside)) = name.split_once('.') {
            let table = self.table(&resolved);
            let is_instance = table.things.contains_key(instance) || table.arrays.contains_key(instance);
            if is_instance && matches!(resolved.at, Type::Composite(_)) && !table.things.contains_key(name) {
                let problem = Problem::new(last.name.span(), format!("`{name}` is one name, with a dot in it"))
                    .label("no variable is called so")
                    .help(format!("what is inside of an instance is named with `:`, as in `{instance}:{inside}`"));
                return Err(ledger.report(problem));
            }
        }
        if let Some(meaning) = self.facts_at(&resolved).and_then(|facts| facts.meanings.get(name)) {
            ledger.parts(size(meaning), reference.span())?;
            return Ok(map(meaning, &|location: &Location| {
                let path = resolved.path.iter().chain(&location.path).copied().collect();
                Location { path, index: location.index }
            }));
        }
        if matches!(resolved.at, Type::Composite(_)) {
            if let Some(whole) = self.inside_of_an_instance(&resolved, last) {
                let problem = Problem::new(last.name.span(), format!("there is no instance or predicate `{name}`"));
                let problem = problem.label("not found").help(format!("did you mean `{whole}`?"));
                return Err(ledger.report(problem));
            }
            self.number(&resolved, last, "instance or predicate", environment, ledger)?;
            return Err(self.no_variable(name, reference.span(), ledger));
        }
        let table = self.table(&resolved);
        let location = |index| Location { path: resolved.path.clone(), index };
        if let Some(&(first, length)) = table.arrays.get(name)
            && (last.index.is_some() || !table.things.contains_key(name))
        {
            return Ok(Meaning::Array { first: location(first), length });
        }
        match table.things.get(name) {
            Some(&index) => Ok(Meaning::Integer(Integer::Variable(location(index)))),
            None if OPERATORS.contains(&name) => Err(ledger.report(without_operand(last.name.span(), name))),
            None => Err(ledger.report(table.unknown(last.name.span(), "variable", name))),
        }
    }
}

/// The words of temporal operators, which are names where nothing follows them.
const OPERATORS: [&str; 9] = ["X", "F", "G", "AX", "AF", "AG", "EX", "EF", "EG"];

/// A temporal operator that nothing follows.
fn without_operand(span: Span, word: &str) -> Problem {
    Problem::new(span, format!("`{word}` has no operand"))
        .label("an operator, and no variable has this name")
        .help(format!("say of what, as in `{word} (x == 1)`"))
}
