//! What formulas ask of a coloured net.

use rustc_hash::FxHashMap;

use super::super::super::property::{Atom, ColouredNets, Count, Firing};
use super::super::super::{Bag, ColouredNet, Sort, Value};
use super::class::no_colour;
use crate::expression::{Comparison, Integer};
use crate::gal::Scope;
use crate::gal::elaborate::{Asked, Environment, Meaning, Names, Reader, Variable};
use crate::gal::ledger::{Ledger, Outcome, complaint};
use crate::gal::syntax::{
    self, ColourName, Expression, ExpressionKind, Name, Pattern, PatternKind, PropertyKind, Reference,
};
use crate::property::{Property, Question};
use crate::text::{Problem, Span, Unreadable};

/// The names of a net.
pub(super) struct Directory<'n> {
    net: &'n ColouredNet,
    places: FxHashMap<&'n str, u32>,
    transitions: FxHashMap<&'n str, u32>,
}

impl<'n> Directory<'n> {
    pub fn of(net: &'n ColouredNet) -> Directory<'n> {
        let mut directory = Directory { net, places: FxHashMap::default(), transitions: FxHashMap::default() };
        for (number, place) in (0..).zip(&net.places) {
            directory.places.entry(&place.name).or_insert(number);
        }
        for (number, transition) in (0..).zip(&net.transitions) {
            directory.transitions.entry(&transition.name).or_insert(number);
        }
        directory
    }

    fn place(&self, name: &str, span: Span, ledger: &mut Ledger) -> Outcome<u32> {
        self.places.get(name).copied().ok_or_else(|| {
            let problem = complaint::unknown(span, "place", name, self.places.keys().copied());
            ledger.report(match self.transitions.contains_key(name) {
                true => complaint::is_transition(problem, name),
                false => problem,
            })
        })
    }

    fn value(
        &self, pattern: &Pattern, sort: Sort, environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Option<Value>> {
        let span = pattern.origin.0;
        match (&pattern.kind, sort) {
            (PatternKind::Any, _) => Ok(None),
            (PatternKind::Colour(name), Sort::Colour(class)) => {
                self.colour(name, class, environment, ledger).map(|colour| Some(Value::Colour(colour)))
            }
            (PatternKind::Bag(members), Sort::Bag(class)) => {
                let mut bag = Bag::new();
                for (times, name) in members {
                    let colour = self.colour(name, class, environment, ledger)?;
                    bag.add(colour, *times).map_err(|_| {
                        ledger.report(Problem::new(name.span(), "a number is beyond 32 bits").label("too many"))
                    })?;
                }
                Ok(Some(Value::Bag(bag)))
            }
            (PatternKind::Colour(_), Sort::Bag(_)) => {
                let problem = Problem::new(span, "a colour where a bag is expected")
                    .label("expected a bag")
                    .help("write `{x, y}`, `{}` for the empty one, or `*` for any");
                Err(ledger.report(problem))
            }
            (PatternKind::Bag(_), Sort::Colour(_)) => {
                let problem = Problem::new(span, "a bag where a colour is expected").label("expected a colour");
                Err(ledger.report(problem))
            }
        }
    }

    fn colour(
        &self, name: &ColourName, class: u32, environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<u32> {
        if let Some(parameter) = parameter_of(name)
            && let (Some(of), Some(colour)) = (environment.class_of(parameter), environment.parameter(parameter))
        {
            let class = &self.net.classes[class as usize].name;
            if of == class {
                return Ok(colour as u32);
            }
            let (shown, of) = (complaint::shortened(parameter), complaint::shortened(of));
            let problem = Problem::new(name.span(), format!("`${shown}` is a colour of `{of}`"))
                .label(format!("expected a colour of `{}`", complaint::shortened(class)));
            return Err(ledger.report(problem));
        }
        let text = match &name.number {
            None => name.text.clone(),
            Some(number) => format!("{}{}", name.text, environment.constant(number, ledger)?),
        };
        let class = &self.net.classes[class as usize];
        class.find(&text).ok_or_else(|| ledger.report(no_colour(name.span(), class, &text)))
    }

    fn firing(&self, firing: &syntax::Firing, environment: &Environment<'_>, ledger: &mut Ledger) -> Outcome<Firing> {
        let name = firing.transition.text.as_str();
        let Some(&transition) = self.transitions.get(name) else {
            let names = self.transitions.keys().copied();
            return Err(ledger.report(complaint::unknown(firing.transition.span(), "transition", name, names)));
        };
        let variables = &self.net.transitions[transition as usize].variables;
        if firing.bindings.is_empty() {
            return Ok(Firing { transition, pattern: Vec::new() });
        }
        let mut pattern = vec![None; variables.len()];
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        for (variable, value) in &firing.bindings {
            let Some(number) = variables.iter().position(|one| one.name == variable.text) else {
                let names = variables.iter().map(|one| one.name.as_str());
                return Err(ledger.report(complaint::missing(
                    variable.span(),
                    name,
                    "variable",
                    &variable.text,
                    names,
                )));
            };
            if let Some(first) = seen.insert(&variable.text, variable.span()) {
                let problem = Problem::new(variable.span(), format!("`{}` is bound twice", variable.text))
                    .label("bound again here")
                    .related(first, "first bound here");
                return Err(ledger.report(problem));
            }
            pattern[number] = self.value(value, variables[number].sort, environment, ledger)?;
        }
        Ok(Firing { transition, pattern })
    }
}

/// The parameter that stands for a colour, if one does.
fn parameter_of(name: &ColourName) -> Option<&str> {
    match &name.number.as_deref()?.kind {
        ExpressionKind::Parameter(parameter) if name.text.is_empty() => Some(parameter),
        _ => None,
    }
}

/// What formulas know beside constants: the classes of a net are ranges of parameters.
fn with_classes<'a>(net: &'a ColouredNet, environment: Environment<'a>) -> Environment<'a> {
    environment.with_classes(net.classes.iter().map(|class| (class.name.as_str(), class.len())))
}

impl Variable for Count {
    /// There are no arrays of places.
    fn offset(&self, _: u32) -> Count {
        self.clone()
    }
}

impl Names for Directory<'_> {
    type Variable = Count;

    fn find(&self, reference: &Reference, _: &Environment<'_>, ledger: &mut Ledger) -> Outcome<Meaning<Count>> {
        let [segment] = &reference.segments[..] else {
            let first = reference.segments.first().map_or("", |first| first.name.text.as_str());
            let help = complaint::kind_in_brackets(first).unwrap_or_else(|| "name a place".to_owned());
            let problem = Problem::new(reference.span(), "a coloured net has no instances")
                .label("`:` goes through instances")
                .help(help);
            return Err(ledger.report(problem));
        };
        let place = self.place(&segment.name.text, segment.name.span(), ledger)?;
        if let Some(index) = &segment.index
            && !self.net.places[place as usize].domain.is_empty()
        {
            let name = complaint::shortened(&segment.name.text);
            let colour = match &index.kind {
                ExpressionKind::Reference(colour) => complaint::shortened(&colour.to_string()),
                ExpressionKind::Number(number) => number.to_string(),
                ExpressionKind::Parameter(parameter) => format!("${}", complaint::shortened(parameter)),
                _ => "...".to_owned(),
            };
            let problem = Problem::new(reference.span(), format!("`{name}` is no array"))
                .label("a place of a coloured net")
                .help(format!("how many of its tokens have a colour is written `{name}({colour})`"));
            return Err(ledger.report(problem));
        }
        Ok(Meaning::Integer(Integer::Variable(Count { place, pattern: Vec::new() })))
    }

    fn matching(
        &self, name: &Name, pattern: &[Pattern], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Integer<Count>> {
        let place = self.place(&name.text, name.span(), ledger)?;
        let domain = &self.net.places[place as usize].domain;
        if pattern.len() != domain.len() {
            let found = complaint::counted(pattern.len(), "component");
            let message = format!("the pattern has {found}, and the place `{}` {}", name.text, domain.len());
            let all = vec!["*"; domain.len()].join(", ");
            let problem = Problem::new(name.span(), message)
                .label(format!("expected {}", complaint::counted(domain.len(), "component")))
                .help(format!("`{0}({all})`, or `{0}` alone, counts all its tokens", complaint::shortened(&name.text)));
            return Err(ledger.report(problem));
        }
        let values: Vec<Outcome<Option<Value>>> =
            pattern.iter().zip(domain).map(|(one, sort)| self.value(one, *sort, environment, ledger)).collect();
        let pattern = values.into_iter().collect::<Outcome<Vec<Option<Value>>>>()?;
        Ok(Integer::Variable(Count { place, pattern }))
    }
}

impl Asked for Directory<'_> {
    type Formalism = ColouredNets;

    fn compare(comparison: Comparison, left: Integer<Count>, right: Integer<Count>) -> Atom {
        Atom::Compare(comparison, left, right)
    }

    fn fireable(
        &self, transitions: &[(Reference, Vec<Expression>)], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Atom> {
        // The parser makes none of these of a formula about a coloured net.
        let named = transitions.iter().filter_map(|(reference, _)| Some(reference.single()?.name.clone()));
        let firings: Vec<syntax::Firing> =
            named.map(|transition| syntax::Firing { transition, bindings: Vec::new() }).collect();
        self.fireable_with(&firings, environment, ledger)
    }

    fn fired(
        &self, transitions: &[(Reference, Vec<Expression>)], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Atom> {
        self.fireable(transitions, environment, ledger).map(as_fired)
    }

    fn fired_with(
        &self, firings: &[syntax::Firing], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Atom> {
        self.fireable_with(firings, environment, ledger).map(as_fired)
    }

    fn fireable_with(
        &self, firings: &[syntax::Firing], environment: &Environment<'_>, ledger: &mut Ledger,
    ) -> Outcome<Atom> {
        let firings: Vec<Outcome<Firing>> =
            firings.iter().map(|firing| self.firing(firing, environment, ledger)).collect();
        firings.into_iter().collect::<Outcome<Vec<Firing>>>().map(Atom::Fireable)
    }
}

/// That what can fire has led to a marking.
fn as_fired(atom: Atom) -> Atom {
    match atom {
        Atom::Fireable(firings) => Atom::Fired(firings),
        other => other,
    }
}

/// A property of a file, unless something is wrong with it.
pub(super) fn property(
    directory: &Directory<'_>, property: &syntax::Property, environment: &Environment<'_>, ledger: &mut Ledger,
) -> Option<Property<ColouredNets>> {
    let environment = with_classes(directory.net, environment.clone());
    let question = Reader::new(directory, &environment, ledger).question(property.kind, &property.formula).ok()?;
    Some(Property { name: property.name.text.clone(), question })
}

/// What a formula asks of a net; its kind is found out if it is not given.
pub(in super::super) fn question_of(
    net: &ColouredNet, scope: &Scope, text: &str, (kind, formula): (Option<PropertyKind>, Expression),
) -> Result<Question<ColouredNets>, Unreadable> {
    let mut ledger = Ledger::new(text.len());
    let (directory, environment) = (Directory::of(net), with_classes(net, scope.environment()));
    let mut reader = Reader::new(&directory, &environment, &mut ledger);
    let question = match kind {
        Some(kind) => reader.question(kind, &formula),
        None => reader.guessed(&formula),
    };
    match question {
        Ok(question) if ledger.is_clean() => Ok(question),
        _ => {
            if ledger.is_clean() {
                ledger.report(Problem::new(formula.span(), "this formula cannot be asked"));
            }
            Err(Unreadable::new("formula", text, ledger.problems()))
        }
    }
}
