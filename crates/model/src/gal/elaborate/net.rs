//! `net` types: from places and arcs to a [`Net`].

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::super::ledger::{Ledger, Outcome, complaint};
use super::super::syntax::{
    Arc, ArcKind, Change, Expression, Given, Initial, NetMember, NetType, PlaceDeclaration, Reference, Step,
    Transition, Unit, Values,
};
use super::builder::{Builder, Meaning};
use super::combine::{self, Maker as _, instance_name};
use super::environment::Environment;
use super::meaning::Facts;
use super::member::{LocalNames, TRANSITION, array_length, array_values, definition_of, label_text, set};
use super::queue::{self, Queues};
use super::steps::{Scoped, chosen, rounds};
use super::symmetry;
use crate::expression::Integer;
use crate::net::queue::Move;
use crate::net::{self, Effect, Net, Place, Units};
use crate::system::Type;
use crate::text::{Problem, Span};

/// A net in the making.
pub(super) struct Maker<'m, 'a> {
    pub(super) names: LocalNames<'a>,
    pub(super) environment: &'m mut Environment<'a>,
    pub(super) ledger: &'m mut Ledger,
    pub(super) net: Net,
    pub(super) tokens: Vec<i32>,
    pub(super) queues: Queues,
}

/// What a transition does, in the making.
#[derive(Default)]
pub(super) struct Firing {
    effects: FxHashMap<u32, Effect>,
    /// By queue.
    pub(super) moves: BTreeMap<u32, Move>,
}

/// Makes a net of a type whose parameters are in the environment.
pub(super) fn net<'a>(
    body: &'a NetType, name: String, environment: &mut Environment<'a>, ledger: &mut Ledger,
) -> (Type, Facts) {
    let net = Net { name, ..Net::default() };
    let queues = Queues::default();
    let mut maker = Maker { names: LocalNames::default(), environment, ledger, net, tokens: Vec::new(), queues };
    let mut facts = Facts::default();
    // What is wrong with one member has been reported, and does not keep the others from being made.
    for member in &body.members {
        let _ = match member {
            NetMember::Range(range) => maker.environment.add_local_range(range, maker.ledger),
            NetMember::Place(place) => maker.place(place).inspect_err(|_| maker.names.fail(&place.name)),
            NetMember::Queue(queue) => maker.queue(queue).inspect_err(|_| maker.names.fail(&queue.name)),
            _ => Ok(()),
        };
    }
    maker.number_cells(body);
    for member in &body.members {
        if let NetMember::Alias(definition) | NetMember::Predicate(definition) = member {
            let condition = matches!(member, NetMember::Predicate(_));
            match definition_of(&mut maker.builder(), definition, condition) {
                Ok(meaning) => {
                    maker.names.insert(&definition.name, meaning.clone());
                    facts.define(&definition.name.text, meaning);
                }
                Err(_) => maker.names.fail(&definition.name),
            }
        }
    }
    for member in &body.members {
        if let NetMember::Transition(transition) = member {
            let _ = maker.combinations(transition);
        }
    }
    maker.initial_states(body);
    for member in &body.members {
        if let NetMember::Symmetry(declared) = member
            && let Ok(made) = symmetry::symmetry(&mut maker, declared)
        {
            maker.net.symmetries.push(made);
        }
    }
    let _ = maker.units(body);
    facts.labels = maker.net.transitions.iter().filter_map(|transition| transition.label.clone()).collect();
    (maker.queues.finish(maker.net), facts)
}

impl<'a> Scoped<'a> for Maker<'_, 'a> {
    fn scope(&mut self) -> (&mut Environment<'a>, &mut Ledger) {
        (self.environment, self.ledger)
    }
}

impl<'a> combine::Maker<'a, Arc> for Maker<'_, 'a> {
    fn combination(&mut self, transition: &'a Transition<Arc>) -> Outcome<()> {
        if let Some(guard) = &transition.guard
            && let Err(reason) = self.environment.truth(guard)
        {
            return Err(self.environment.explain(reason, self.ledger));
        }
        self.ledger.parts(TRANSITION, transition.name.span())?;
        let label = label_text(transition.label.as_ref(), self.environment, self.ledger)?;
        let priority = match &transition.priority {
            Some(priority) => self.amount(priority, "priority")? as u32,
            None => 0,
        };
        let mut firing = Firing::default();
        self.steps(&transition.body, &mut firing)?;
        self.queues.moves.push(firing.moves.into_values().collect());
        let mut effects: Vec<Effect> =
            firing.effects.into_values().filter(|effect| *effect != Effect::on(effect.place)).collect();
        effects.sort_by_key(|effect| effect.place);
        let name = instance_name(transition, self.environment);
        self.net.transitions.push(net::Transition { name, label, effects, priority });
        Ok(())
    }
}

impl<'a> symmetry::Maker<'a> for Maker<'_, 'a> {
    fn thing(&mut self, reference: &Reference) -> Outcome<u32> {
        let meaning = self.builder().reference(reference)?;
        symmetry::variable(meaning, reference, self.ledger)
    }

    fn name_of(&self, thing: u32) -> String {
        self.net.places.get(thing as usize).map_or(String::new(), |one| one.name.clone())
    }
}

impl<'a> Maker<'_, 'a> {
    fn builder(&mut self) -> Builder<'_, 'a, LocalNames<'a>> {
        Builder { names: &self.names, environment: self.environment, ledger: self.ledger }
    }

    fn place(&mut self, declaration: &'a PlaceDeclaration) -> Outcome<()> {
        let name = &declaration.name;
        let first = self.net.places.len() as u32;
        let capacity = match &declaration.capacity {
            Some(capacity) => Some(self.amount(capacity, "capacity")?),
            None => None,
        };
        let length = array_length(declaration.length.as_ref(), name, self.environment, self.ledger)?;
        let tokens = match (length, &declaration.values) {
            (Some(length), values) => array_values(values, name, length, self.environment, self.ledger)?,
            (None, Values::One(value)) => vec![self.environment.constant(value, self.ledger)?],
            (None, _) => vec![0],
        };
        for (i, &count) in tokens.iter().enumerate() {
            let span = match &declaration.values {
                Values::One(value) => value.span(),
                Values::List(list) => list.get(i).map_or(name.span(), Expression::span),
                Values::None => name.span(),
            };
            check_tokens(count, capacity, span, self.ledger)?;
        }
        self.ledger.things(1, name.span())?;
        match length {
            None => {
                self.net.places.push(Place { name: name.text.clone(), capacity });
                self.names.insert(name, Meaning::Integer(Integer::Variable(first)));
            }
            Some(length) => {
                let names = (0..length).map(|i| Place { name: format!("{}[{i}]", name.text), capacity });
                self.net.places.extend(names);
                self.names.insert(name, Meaning::Array { first, length });
            }
        }
        self.tokens.extend(tokens);
        Ok(())
    }

    /// A constant that is not negative.
    pub(super) fn amount(&mut self, expression: &Expression, what: &str) -> Outcome<i32> {
        let amount = self.environment.constant(expression, self.ledger)?;
        if amount >= 0 {
            return Ok(amount);
        }
        let problem =
            Problem::new(expression.span(), format!("a {what} is negative")).label(format!("this is {amount}"));
        Err(self.ledger.report(problem))
    }

    /// The place that a reference names.
    fn place_of(&mut self, reference: &Reference) -> Outcome<u32> {
        match self.builder().reference(reference)? {
            Meaning::Integer(Integer::Variable(place)) if (place as usize) < self.net.places.len() => Ok(place),
            Meaning::Queue { length, .. } => Ok(length),
            Meaning::Array { length, .. } => {
                Err(self.ledger.report(complaint::needs_index(reference.span(), &reference.to_string(), length)))
            }
            Meaning::Integer(Integer::Element { .. }) => {
                let problem = Problem::new(reference.span(), "an arc cannot depend on the marking")
                    .label("the index is not constant")
                    .help("use a parameter of the transition as index");
                Err(self.ledger.report(problem))
            }
            _ => {
                let problem =
                    Problem::new(reference.span(), format!("`{reference}` is no place")).label("expected a place");
                Err(self.ledger.report(problem))
            }
        }
    }

    fn steps(&mut self, steps: &'a [Step<Arc>], firing: &mut Firing) -> Outcome<()> {
        for step in steps {
            match step {
                Step::Do(arc) => self.arc(arc, firing)?,
                Step::For(parameter, inner) => rounds(self, parameter, |maker| maker.steps(inner, firing))?,
                Step::If(condition, then, otherwise) => {
                    let chosen = chosen(self, condition, then, otherwise)?;
                    self.steps(chosen, firing)?;
                }
            }
        }
        Ok(())
    }

    fn arc(&mut self, arc: &'a Arc, firing: &mut Firing) -> Outcome<()> {
        self.ledger.parts(1, arc.place.span())?;
        let place = self.place_of(&arc.place)?;
        let mut weight = match &arc.weight {
            Some(weight) => self.amount(weight, "weight")?,
            None => 1,
        };
        match self.queues.at(place) {
            Some(queue) => weight = self.letters(arc, queue, weight, firing)?,
            None if arc.letters.is_some() => {
                return Err(self.ledger.report(queue::no_queue(arc.place.span(), &arc.place)));
            }
            None => {}
        }
        let effect = firing.effects.entry(place).or_insert(Effect::on(place));
        let sum = |tokens: i32| tokens.checked_add(weight);
        let total = match arc.kind {
            ArcKind::Take => sum(effect.take).map(|total| effect.take = total),
            ArcKind::Put => sum(effect.put).map(|total| effect.put = total),
            ArcKind::Read => {
                effect.read = effect.read.max(weight);
                Some(())
            }
            ArcKind::Inhibit => {
                effect.below = Some(effect.below.map_or(weight, |below| below.min(weight)));
                Some(())
            }
            ArcKind::Reset => {
                effect.reset = true;
                Some(())
            }
        };
        match total {
            Some(()) => Ok(()),
            None => {
                let problem = Problem::new(arc.place.span(), "the weights of these arcs are beyond 32 bits")
                    .label("together with the arcs before this one");
                Err(self.ledger.report(problem))
            }
        }
    }

    fn initial_states(&mut self, body: &'a NetType) {
        self.net.initial.push(net::Initial { name: String::new(), marking: self.tokens.clone() });
        self.queues.words.resize(1, BTreeMap::new());
        for member in &body.members {
            if let NetMember::Initial(initial) = member {
                let _ = self.initial_state(initial);
            }
        }
    }

    fn initial_state(&mut self, initial: &'a Initial<Change>) -> Outcome<()> {
        let Some(changes) = &initial.changes else {
            if let Some(declared) = self.net.initial.first_mut() {
                declared.name = initial.name.text.clone();
            }
            return Ok(());
        };
        self.ledger.things(self.tokens.len() as u64, initial.name.span())?;
        let mut marking = self.tokens.clone();
        let mut words = self.queues.words.first().cloned().unwrap_or_default();
        for change in changes {
            let place = self.place_of(&change.target)?;
            let given = match (&change.value, self.queues.at(place)) {
                (Given::Number(given), None) => given,
                (Given::Word(word), Some(queue)) => {
                    let letters = self.word(word, queue)?;
                    marking[place as usize] = letters.len() as i32;
                    words.insert(place, letters);
                    continue;
                }
                (Given::Word(word), None) => {
                    return Err(self.ledger.report(queue::no_queue(word.origin.0, &change.target)));
                }
                (Given::Number(given), Some(_)) => return Err(self.ledger.report(queue::no_word(given.span()))),
            };
            let value = self.environment.constant(given, self.ledger)?;
            let capacity = self.net.places.get(place as usize).and_then(|place| place.capacity);
            check_tokens(value, capacity, given.span(), self.ledger)?;
            let meaning = Meaning::Integer(Integer::Variable(place));
            set(&mut marking, &change.target, meaning, (value, given.span()), self.ledger)?;
        }
        self.queues.words.push(words);
        self.net.initial.push(net::Initial { name: initial.name.text.clone(), marking });
        Ok(())
    }

    fn units(&mut self, body: &'a NetType) -> Outcome<()> {
        let declared: Vec<&'a Unit> = (body.members.iter())
            .filter_map(|member| match member {
                NetMember::Unit(unit) => Some(unit),
                _ => None,
            })
            .collect();
        let root = body.members.iter().find_map(|member| match member {
            NetMember::Root(name, safe) => Some((name, *safe)),
            _ => None,
        });
        let Some((root, safe)) = root else {
            let Some(unit) = declared.first() else { return Ok(()) };
            let problem = Problem::new(unit.name.span(), "the units have no root")
                .label("a unit")
                .help("say which unit holds all others: `root name;`, or `safe root name;` if they are safe");
            return Err(self.ledger.report(problem));
        };
        let numbers: FxHashMap<&str, usize> =
            declared.iter().enumerate().map(|(number, unit)| (unit.name.text.as_str(), number)).collect();
        let mut units = Units { safe, ..Units::default() };
        let number = |name: &super::super::syntax::Name, ledger: &mut Ledger| {
            let names = numbers.keys().copied();
            let unknown = || complaint::unknown(name.span(), "unit", &name.text, names);
            numbers.get(name.text.as_str()).copied().ok_or_else(|| ledger.report(unknown()))
        };
        for unit in &declared {
            let places: Outcome<Vec<u32>> = unit.places.iter().map(|place| self.place_of(place)).collect();
            let children: Outcome<Vec<usize>> = unit.children.iter().map(|child| number(child, self.ledger)).collect();
            units.units.push(net::Unit { name: unit.name.text.clone(), places: places?, children: children? });
        }
        units.root = number(root, self.ledger)?;
        if !is_tree(&units) {
            let problem = Problem::new(root.span(), "the units do not form a tree")
                .label("this unit should hold all others, each once")
                .help("each unit but the root is nested in exactly one other: `unit all { unit left; unit right; }`");
            return Err(self.ledger.report(problem));
        }
        self.net.units = Some(units);
        Ok(())
    }
}

/// Whether every unit is reached from the root in exactly one way.
fn is_tree(units: &Units) -> bool {
    let mut reached = vec![false; units.units.len()];
    let mut open = vec![units.root];
    while let Some(number) = open.pop() {
        match reached.get_mut(number) {
            Some(reached) if !*reached => *reached = true,
            _ => return false,
        }
        open.extend(units.units.get(number).into_iter().flat_map(|unit| &unit.children));
    }
    reached.into_iter().all(|reached| reached)
}

/// Tokens are not negative, and not more than the place may hold.
fn check_tokens(tokens: i32, capacity: Option<i32>, span: Span, ledger: &mut Ledger) -> Outcome<()> {
    if tokens < 0 {
        let problem =
            Problem::new(span, "a place holds a negative number of tokens").label(format!("this is {tokens}"));
        return Err(ledger.report(problem));
    }
    match capacity {
        Some(most) if tokens > most => {
            let problem = Problem::new(span, "a place holds more tokens than it may")
                .label(format!("{tokens} tokens, and the capacity is {most}"));
            Err(ledger.report(problem))
        }
        _ => Ok(()),
    }
}
