//! Places, transitions and arcs.

use rustc_hash::FxHashMap;

use super::super::super::bounded::unbounded_bags;
use super::super::super::expression::Tokens;
use super::super::super::{Arc, ColouredNet, Domain, Guard, Place, Sort, Transition, Variable};
use super::super::syntax::{self, ArcKind, SortUse, TransitionDeclaration};
use super::class::{self, Index};
use super::constants::Constants;
use super::scope::{Scope, class_named};
use super::tokens::plain;
use crate::gal::ledger::{Ledger, Outcome, complaint};
use crate::gal::syntax::Name;
use crate::text::{Problem, Span};

/// The net of a declaration. What has problems in it is there all the same, as far as it could be made, so that names mean
/// something; whether there were problems, the ledger knows.
pub(super) fn net(declared: &syntax::Net, constants: &Constants<'_>, ledger: &mut Ledger) -> ColouredNet {
    let mut net = ColouredNet { name: declared.name.text.clone(), ..ColouredNet::default() };
    let mut class_names: FxHashMap<String, u32> = FxHashMap::default();
    let mut spans: FxHashMap<&str, Span> = FxHashMap::default();
    let mut indices: Vec<Index> = Vec::new();
    for class in &declared.classes {
        if let Some(first) = spans.insert(&class.name.text, class.name.span()) {
            ledger.report(complaint::twice(&class.name, "class", first));
            continue;
        }
        let (class, index) = class::class(class, constants, ledger);
        class_names.insert(class.name.clone(), net.classes.len() as u32);
        net.classes.push(class);
        indices.push(index);
    }
    let without_variables = Scope {
        classes: &net.classes,
        indices: &indices,
        class_names: &class_names,
        constants,
        variables: &[],
        variable_names: FxHashMap::default(),
        without_variables: Some("initial markings have no variables: name colours, or `all`"),
    };
    let mut places = Places::default();
    for place in &declared.places {
        if let Some(first) = places.spans.insert(&place.name.text, place.name.span()) {
            ledger.report(complaint::twice(&place.name, "place", first));
            continue;
        }
        let domain = domain(&place.domain, &without_variables, ledger);
        let initial = match (&place.initial, &domain) {
            (Some(initial), Ok(domain)) => without_variables.tokens(initial, domain, ledger).unwrap_or(Tokens::none()),
            _ => Tokens::none(),
        };
        places.numbers.insert(&place.name.text, places.list.len() as u32);
        places.known.push(domain.is_ok());
        let domain = domain.unwrap_or_default();
        places.list.push(Place { name: place.name.text.clone(), domain, initial });
    }
    let mut transitions = Vec::new();
    let mut spans: FxHashMap<&str, Span> = FxHashMap::default();
    for transition in &declared.transitions {
        if let Some(first) = spans.insert(&transition.name.text, transition.name.span()) {
            ledger.report(complaint::twice(&transition.name, "transition", first));
        }
        let (variables, names) = variables(transition, &class_names, ledger);
        let known = variables.len() == transition.variables.len();
        let scope = without_variables.inside(&variables, names);
        let made = self::transition(transition, &scope, &places, known, ledger);
        transitions.push(Transition { variables, ..made });
    }
    net.places = places.list;
    net.transitions = transitions;
    if ledger.is_clean() {
        check_bags(declared, &net, ledger);
    }
    net
}

#[derive(Default)]
struct Places<'d> {
    list: Vec<Place>,
    numbers: FxHashMap<&'d str, u32>,
    spans: FxHashMap<&'d str, Span>,
    /// Whether the domain of a place is known.
    known: Vec<bool>,
}

fn sort(of: &SortUse, names: &FxHashMap<String, u32>, ledger: &mut Ledger) -> Outcome<Sort> {
    let class = class_named(names, &of.class, ledger)?;
    Ok(if of.bag { Sort::Bag(class) } else { Sort::Colour(class) })
}

fn domain(of: &[SortUse], scope: &Scope<'_>, ledger: &mut Ledger) -> Outcome<Domain> {
    let sorts: Vec<Outcome<Sort>> = of.iter().map(|one| sort(one, scope.class_names, ledger)).collect();
    sorts.into_iter().collect()
}

/// The variables of a transition. One of a class that is not known is left out, and so is a second one of its name.
fn variables<'d>(
    declared: &'d TransitionDeclaration, classes: &FxHashMap<String, u32>, ledger: &mut Ledger,
) -> (Vec<Variable>, FxHashMap<&'d str, u32>) {
    let mut variables = Vec::new();
    let mut names = FxHashMap::default();
    let mut spans: FxHashMap<&str, Span> = FxHashMap::default();
    for variable in &declared.variables {
        if let Some(first) = spans.insert(&variable.name.text, variable.name.span()) {
            ledger.report(complaint::twice(&variable.name, "variable", first));
            continue;
        }
        if let (Some(unique), false) = (variable.unique, variable.sort.bag) {
            let problem = Problem::new(unique, "only variables for bags are `unique`")
                .label("a colour is always one")
                .help(format!("write `unique bag {} {}`", variable.sort.class.text, variable.name.text));
            ledger.report(problem);
        }
        if let Ok(sort) = sort(&variable.sort, classes, ledger) {
            names.insert(variable.name.text.as_str(), variables.len() as u32);
            let unique = variable.unique.is_some();
            variables.push(Variable { name: variable.name.text.clone(), sort, unique });
        }
    }
    (variables, names)
}

/// The arcs of a transition, sorted out.
#[derive(Default)]
struct Arcs {
    takes: Vec<Arc>,
    puts: Vec<Arc>,
    inhibitors: Vec<Arc>,
    /// Which places are taken from, and which are read.
    taken: FxHashMap<u32, Span>,
    read: FxHashMap<u32, Span>,
}

/// A transition without its variables; `known` says whether all of these are known.
fn transition(
    declared: &TransitionDeclaration, scope: &Scope<'_>, places: &Places<'_>, known: bool, ledger: &mut Ledger,
) -> Transition {
    let mut made = Transition { name: declared.name.text.clone(), ..Transition::default() };
    // Without its variables, nothing in it would be understood.
    if known {
        let guard = declared.guard.as_ref().map(|guard| scope.guard(guard, ledger));
        made.guard = guard.transpose().ok().flatten().unwrap_or(Guard::Constant(true));
    }
    if let Some(priority) = &declared.priority {
        made.priority = scope.constants.count(priority, "a priority", ledger).unwrap_or(0);
    }
    let mut arcs = Arcs::default();
    for one in &declared.arcs {
        if ledger.is_exhausted() {
            break;
        }
        let Ok(place) = place(&one.place, places, ledger) else { continue };
        if !known || !places.known[place as usize] {
            continue;
        }
        if let Ok(tokens) = tokens_of(one, &places.list[place as usize].domain, scope, ledger) {
            arcs.add(one, place, tokens, ledger);
        }
    }
    (made.takes, made.puts, made.inhibitors) = (arcs.takes, arcs.puts, arcs.inhibitors);
    made
}

fn place(name: &Name, places: &Places<'_>, ledger: &mut Ledger) -> Outcome<u32> {
    places.numbers.get(name.text.as_str()).copied().ok_or_else(|| {
        ledger.report(complaint::unknown(name.span(), "place", &name.text, places.numbers.keys().copied()))
    })
}

fn tokens_of(arc: &syntax::Arc, domain: &[Sort], scope: &Scope<'_>, ledger: &mut Ledger) -> Outcome<Tokens> {
    match (&arc.weight, &arc.tokens) {
        (Some(weight), None) if domain.is_empty() => {
            scope.constants.count(weight, "a number of tokens", ledger).map(plain)
        }
        (None, None) if domain.is_empty() => Ok(Tokens::neutral()),
        (_, None) => Err(ledger.report(scope.no_colours(arc.place.span(), domain))),
        (Some(weight), Some(tokens)) => {
            let problem = Problem::new(weight.span(), "a number before a place counts tokens without colour")
                .label("move this")
                .related(tokens.span, "to before these tokens")
                .help(format!("as in `{} 2<x>`", complaint::shortened(&arc.place.text)));
            Err(ledger.report(problem))
        }
        (None, Some(tokens)) => scope.tokens(tokens, domain, ledger),
    }
}

impl Arcs {
    fn add(&mut self, arc: &syntax::Arc, place: u32, tokens: Tokens, ledger: &mut Ledger) {
        let span = arc.place.span();
        match arc.kind {
            ArcKind::Take => {
                self.taken.entry(place).or_insert(span);
                add(&mut self.takes, place, tokens);
            }
            ArcKind::Put => add(&mut self.puts, place, tokens),
            ArcKind::Inhibit => self.inhibitors.push(Arc { place, tokens }),
            ArcKind::Read => {
                if let Some(&first) = self.read.get(&place) {
                    let problem = Problem::new(span, format!("the place `{}` is read twice", arc.place.text))
                        .label("read again here")
                        .related(first, "first read here");
                    ledger.report(problem.help("write one sum: `read p <x> + <y>`"));
                }
                self.read.entry(place).or_insert(span);
                add(&mut self.takes, place, tokens.clone());
                add(&mut self.puts, place, tokens);
            }
        }
        if let (Some(&taken), Some(&read)) = (self.taken.get(&place), self.read.get(&place)) {
            let message = format!("the place `{}` is read and taken from", arc.place.text);
            let problem = Problem::new(read, message)
                .label("read here")
                .related(taken, "taken from here")
                .help("say what is taken in all with `take`, and what is put back with `put`");
            ledger.report(problem);
        }
    }
}

/// Adds tokens to those of a place: at most one arc per place.
fn add(arcs: &mut Vec<Arc>, place: u32, tokens: Tokens) {
    match arcs.iter_mut().find(|arc| arc.place == place) {
        None => arcs.push(Arc { place, tokens }),
        Some(arc) => {
            let before = std::mem::replace(&mut arc.tokens, Tokens::none());
            arc.tokens = match before {
                Tokens::Sum(mut parts) if parts.len() > 1 => {
                    parts.push(tokens);
                    Tokens::Sum(parts)
                }
                before => Tokens::Sum(vec![before, tokens]),
            };
        }
    }
}

/// Reports variables for bags that nothing bounds.
fn check_bags(declared: &syntax::Net, net: &ColouredNet, ledger: &mut Ledger) {
    for (declared, made) in declared.transitions.iter().zip(&net.transitions) {
        for variable in unbounded_bags(net, made) {
            let Some(written) = declared.variables.get(variable as usize) else { continue };
            let name = complaint::shortened(&written.name.text);
            let problem = Problem::new(written.name.span(), format!("the bag `{name}` is not bounded"))
                .label("it could hold any number of colours")
                .help(format!(
                    "take it from a place, bound it in the guard (`card({name}) <= 2`, or `{name} in ...`), or declare \
                     it `unique`"
                ));
            ledger.report(problem);
        }
    }
}
