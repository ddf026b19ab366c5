//! Any system as GAL text that reads as the same system.
//!
//! The system is turned back into a [`File`], which is printed. Nets become `net` types; names that the language has no
//! words for are put in backquotes. What is read again is equal, with these exceptions: expressions are simplified as
//! the reader simplifies all expressions; names that occur twice among their kind, and empty ones, are changed; a
//! transition that can never fire because its guard is false, or because it calls a label that nobody has, is gone.

pub(crate) mod expression;
mod names;
mod queue;

use expression::Writer;
pub(crate) use names::Unique;
use names::{Labels, Tables, Things};

use super::syntax::{
    Action, Arc, ArcKind, Assignment, Call, Change, Choice, CompositeMember, CompositeType, Expression, ExpressionKind,
    File, Given, Initial, InstanceDeclaration, Item, Label, Listed, Main, Name, NetMember, NetType, Origin,
    PlaceDeclaration, ProgramMember, ProgramType, Property, PropertyKind, Reference, Row, RowList, Segment, Step,
    Symmetry, SymmetryKind, Transition, TypeUse, Unit, Values, VariableDeclaration,
};
use crate::expression::Boolean;
use crate::net::{Effect, Net};
use crate::property;
use crate::symmetry::{DeclaredGroup, DeclaredSymmetry};
use crate::system::{Composite, Program, Statement, System, Target, Type};
use std::collections::BTreeSet;

/// The name for the initial state that has none.
const DECLARED: &str = super::DECLARED;

/// Writes a system and what is asked of it.
pub fn write(system: &System, properties: &[property::Property]) -> String {
    let tables = Tables::of(system);
    let mut items = Vec::new();
    let main = tables.type_name(system.main);
    if system.name != main && !system.name.is_empty() {
        items.push(Item::Model(Name::new(system.name.as_str())));
    }
    for (index, of) in system.types.iter().enumerate() {
        let name = Name::new(tables.type_name(index));
        items.push(match of {
            Type::Program(program) => Item::Program(program_type(program, name, tables.things(index))),
            Type::Net(net) => Item::Net(net_type(net, name, tables.things(index))),
            Type::Queues(queues) => Item::Net(queue::queue_net(queues, name, tables.things(index))),
            Type::Composite(composite) => Item::Composite(composite_type(composite, name, index, system, &tables)),
        });
    }
    let type_use = TypeUse { name: Name::new(main), arguments: Vec::new() };
    let from = system.types.get(system.main).map_or(Vec::new(), |of| from(of, &system.begins));
    items.push(Item::Main(Main { type_use, bindings: Vec::new(), from }));
    let mut names = Unique::default();
    for one in properties {
        let name = Name::new(names.add(&one.name));
        let writer = Writer { tables: &tables, system, error: system.error_state() };
        items.push(Item::Property(question(name, &one.question, &writer)));
    }
    File { items }.to_string()
}

/// What is written for a formula that is nested too deeply.
pub(crate) const TOO_DEEP: &str = "...";
/// Formulas that are nested more deeply than this are not written.
const DEEPEST_FORMULA: usize = 300;

/// Writes formulas about a system, as they are read by [`formula`](super::formula). One that nobody could read, because it
/// is nested hundreds deep, is written as `...`.
pub fn write_formulas(system: &System, formulas: &[&property::Formula]) -> Vec<String> {
    let tables = Tables::of(system);
    let writer = Writer { tables: &tables, system, error: None };
    let write = |formula: &&property::Formula| match is_too_deep(formula) {
        true => TOO_DEEP.to_owned(),
        false => writer.formula(formula).to_string(),
    };
    formulas.iter().map(write).collect()
}

pub(crate) fn is_too_deep<A>(formula: &property::Formula<A>) -> bool {
    use property::Formula;
    let mut open = vec![(formula, 0)];
    while let Some((formula, depth)) = open.pop() {
        if depth > DEEPEST_FORMULA {
            return true;
        }
        let depth = depth + 1;
        match formula {
            Formula::Not(f) | Formula::Unary(_, _, f) => open.push((f, depth)),
            Formula::Binary(_, _, f, g) => open.extend([(&**f, depth), (&**g, depth)]),
            Formula::And(parts) | Formula::Or(parts) => open.extend(parts.iter().map(|part| (part, depth))),
            Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => {}
        }
    }
    false
}

fn question(name: Name, question: &property::Question, writer: &Writer<'_>) -> Property {
    use property::Question;
    let (kind, formula) = match question {
        Question::Bounds(integer) => {
            return Property { name, kind: PropertyKind::Bounds, formula: writer.integer(integer) };
        }
        Question::Reachable(formula) => (PropertyKind::Reachable, formula),
        Question::Invariant(formula) => (PropertyKind::Invariant, formula),
        Question::Never(formula) => (PropertyKind::Never, formula),
        Question::Ctl(formula) => (PropertyKind::Ctl, formula),
        Question::Live(transitions) => {
            let all = transitions.iter().map(|group| <Question>::always_again(group)).collect();
            let formula = writer.formula(&property::Formula::And(all));
            return Property { name, kind: PropertyKind::Ctl, formula };
        }
        Question::Ltl(formula) => (PropertyKind::Ltl, formula),
        Question::CtlStar(formula) => (PropertyKind::CtlStar, formula),
    };
    Property { name, kind, formula: writer.formula(formula) }
}

fn number(value: i32) -> Expression {
    Expression::plain(ExpressionKind::Number(value))
}

fn reference(name: &str, index: Option<i32>) -> Reference {
    let index = index.map(|index| Box::new(number(index)));
    Reference { segments: vec![Segment { name: Name::new(name), index }], origin: Origin::default() }
}

fn label(text: &str) -> Label {
    Label { name: Name::new(text), arguments: Vec::new() }
}

/// The names of some initial states of a type; none for the declared one alone.
fn from(of: &Type, states: &[usize]) -> Vec<Name> {
    if states == [0] {
        return Vec::new();
    }
    let names = of.initial_names();
    let named = |state: usize| names.get(state).copied().filter(|name| !name.is_empty()).unwrap_or(DECLARED);
    states.iter().map(|&state| Name::new(named(state))).collect()
}

/// Initial states: the values of the first, and the others as changes of it.
fn initials<'s>(states: impl Iterator<Item = (&'s str, &'s [i32])>, things: &Things) -> Vec<Initial<Change>> {
    let mut first: &[i32] = &[];
    let mut initials = Vec::new();
    for (i, (name, values)) in states.enumerate() {
        if i == 0 {
            first = values;
            if !name.is_empty() {
                initials.push(Initial { name: Name::new(name), changes: None });
            }
            continue;
        }
        let changed = first.iter().zip(values).enumerate().filter(|(_, (before, after))| before != after);
        let changes = changed.map(|(thing, (_, &value))| {
            let value = Given::Number(number(value));
            Change { target: things.reference(thing), value }
        });
        initials.push(Initial { name: Name::new(name), changes: Some(changes.collect()) });
    }
    initials
}

/// Declared symmetries: a row a block, or a row a permutation.
fn symmetries(declared: &[DeclaredSymmetry], things: &Things) -> Vec<Symmetry> {
    let mut names = Unique::default();
    let list = |members: &Vec<u32>| {
        let reference = |&thing: &u32| Listed { loops: Vec::new(), reference: things.reference(thing as usize) };
        RowList { members: members.iter().map(reference).collect(), origin: Origin::default() }
    };
    let row = |lists: &[Vec<u32>]| Step::Do(Row { lists: lists.iter().map(list).collect() });
    let symmetry = |one: &DeclaredSymmetry| {
        let blocks = |blocks: &[Vec<u32>]| blocks.iter().map(|block| row(std::slice::from_ref(block))).collect();
        let (kind, body) = match &one.group {
            DeclaredGroup::Interchangeable(all) => (SymmetryKind::Interchangeable, blocks(all)),
            DeclaredGroup::Ring(all) => (SymmetryKind::Ring, blocks(all)),
            DeclaredGroup::Generated(permutations) => {
                // The permutation that changes nothing has no cycles, and so no row.
                let cycles = permutations.iter().filter(|cycles| !cycles.is_empty());
                (SymmetryKind::Generated, cycles.map(|cycles| row(cycles)).collect())
            }
        };
        Symmetry { name: Name::new(names.add(&one.name)), kind, body }
    };
    declared.iter().map(symmetry).collect()
}

fn program_type(program: &Program, name: Name, things: &Things) -> ProgramType {
    let declared = program.initial.first().map_or(&[][..], |initial| &initial.values);
    let mut members = Vec::new();
    for group in &things.groups {
        let values = declared.get(group.first..group.first + group.length.unwrap_or(1)).unwrap_or(&[]);
        let (length, values) = match group.length {
            None => (None, Values::One(number(values.first().copied().unwrap_or(0)))),
            Some(length) => {
                let values = Values::List(values.iter().map(|&value| number(value)).collect());
                (Some(number(i32::try_from(length).unwrap_or(i32::MAX))), values)
            }
        };
        let name = Name::new(group.name.as_str());
        members.push(ProgramMember::Variable(VariableDeclaration { name, hotbit: None, length, values }));
    }
    let writer = expression::Local { things };
    if let Some(transient) = &program.transient {
        members.push(ProgramMember::Transient(writer.boolean(transient)));
    }
    let mut names = Unique::default();
    let labels: Labels<'_> = program.transitions.iter().filter_map(|transition| transition.label.as_deref()).collect();
    for transition in &program.transitions {
        let guard = match &transition.guard {
            Boolean::Constant(true) => None,
            guard => Some(Box::new(writer.boolean(guard))),
        };
        members.push(ProgramMember::Transition(Transition {
            name: Name::new(names.add(&transition.name)),
            parameters: Vec::new(),
            guard,
            priority: None,
            label: transition.label.as_deref().map(label),
            body: steps(&transition.body, &writer, &labels),
        }));
    }
    let states = program.initial.iter().map(|initial| (initial.name.as_str(), &initial.values[..]));
    members.extend(initials(states, things).into_iter().map(ProgramMember::Initial));
    members.extend(symmetries(&program.symmetries, things).into_iter().map(ProgramMember::Symmetry));
    ProgramType { name, parameters: Vec::new(), members }
}

fn steps(body: &[Statement], writer: &expression::Local<'_>, labels: &Labels<'_>) -> Vec<Step<Action>> {
    let step = |statement: &Statement| match statement {
        Statement::Assign(target, value) => {
            let target = match target {
                Target::Variable(variable) => writer.things.reference(*variable as usize),
                Target::Element { first, index, .. } => writer.element(*first, writer.integer(index)),
            };
            Step::Do(Action::Assign(target, Assignment::Set, writer.integer(value)))
        }
        Statement::If(condition, then, otherwise) => {
            Step::If(writer.boolean(condition), steps(then, writer, labels), steps(otherwise, writer, labels))
        }
        Statement::Fixpoint(inner) => Step::Do(Action::Fixpoint(steps(inner, writer, labels))),
        Statement::Call(text) if labels.contains(text.as_str()) => Step::Do(Action::Call(label(text))),
        Statement::Call(_) | Statement::Abort => Step::Do(Action::Abort(Origin::default())),
    };
    body.iter().map(step).collect()
}

fn net_type(net: &Net, name: Name, things: &Things) -> NetType {
    let declared = net.initial.first().map_or(&[][..], |initial| &initial.marking);
    let mut members = Vec::new();
    for group in &things.groups {
        let tokens = declared.get(group.first..group.first + group.length.unwrap_or(1)).unwrap_or(&[]);
        let values = match group.length {
            _ if tokens.iter().all(|&count| count == 0) => Values::None,
            None => tokens.first().map_or(Values::None, |&count| Values::One(number(count))),
            Some(_) => Values::List(tokens.iter().map(|&count| number(count)).collect()),
        };
        let capacity = net.places.get(group.first).and_then(|place| place.capacity).map(number);
        let length = group.length.map(|length| number(i32::try_from(length).unwrap_or(i32::MAX)));
        members.push(NetMember::Place(PlaceDeclaration {
            name: Name::new(group.name.as_str()),
            length,
            values,
            capacity,
        }));
    }
    let mut names = Unique::default();
    for transition in &net.transitions {
        members.push(NetMember::Transition(Transition {
            name: Name::new(names.add(&transition.name)),
            parameters: Vec::new(),
            guard: None,
            priority: priority(net, transition.priority).map(Box::new),
            label: transition.label.as_deref().map(label),
            body: transition.effects.iter().flat_map(|effect| arcs(effect, things)).map(Step::Do).collect(),
        }));
    }
    let states = net.initial.iter().map(|initial| (initial.name.as_str(), &initial.marking[..]));
    members.extend(initials(states, things).into_iter().map(NetMember::Initial));
    members.extend(symmetries(&net.symmetries, things).into_iter().map(NetMember::Symmetry));
    members.extend(units(net, things));
    NetType { name, parameters: Vec::new(), members }
}

/// A priority, if it is one. The language has 32 bits with a sign: where that is too little, those of all transitions are
/// numbered from 0 in their order, which is all that matters.
fn priority(net: &Net, priority: u32) -> Option<Expression> {
    let value = if net.transitions.iter().all(|transition| i32::try_from(transition.priority).is_ok()) {
        priority
    } else {
        let below = net.transitions.iter().map(|transition| transition.priority).filter(|&other| other < priority);
        below.collect::<BTreeSet<u32>>().len() as u32
    };
    (value > 0).then(|| number(i32::try_from(value).unwrap_or(i32::MAX)))
}

fn arcs(effect: &Effect, things: &Things) -> Vec<Arc> {
    let mut arcs = Vec::new();
    let mut add = |kind: ArcKind, weight: i32| {
        let weight = (weight != 1 && kind != ArcKind::Reset).then(|| number(weight));
        arcs.push(Arc { kind, weight, place: things.reference(effect.place as usize), letters: None });
    };
    if effect.take > 0 {
        add(ArcKind::Take, effect.take);
    }
    if effect.read > 0 {
        add(ArcKind::Read, effect.read);
    }
    if let Some(bound) = effect.below {
        add(ArcKind::Inhibit, bound);
    }
    if effect.reset {
        add(ArcKind::Reset, 1);
    }
    if effect.put > 0 {
        add(ArcKind::Put, effect.put);
    }
    arcs
}

fn units(net: &Net, things: &Things) -> Vec<NetMember> {
    let Some(units) = &net.units else { return Vec::new() };
    let mut unique = Unique::default();
    let names: Vec<String> = units.units.iter().map(|unit| unique.add(&unit.name)).collect();
    let name = |number: usize| Name::new(names.get(number).map_or("", String::as_str));
    let mut members: Vec<NetMember> = (units.units.iter().enumerate())
        .map(|(number, unit)| {
            NetMember::Unit(Unit {
                name: name(number),
                places: unit.places.iter().map(|&place| things.reference(place as usize)).collect(),
                children: unit.children.iter().map(|&child| name(child)).collect(),
            })
        })
        .collect();
    members.push(NetMember::Root(name(units.root), units.safe));
    members
}

fn composite_type(composite: &Composite, name: Name, index: usize, system: &System, tables: &Tables) -> CompositeType {
    let things = tables.things(index);
    let mut members = Vec::new();
    let instance_type =
        |number: usize| composite.instances.get(number).and_then(|one| system.types.get(one.type_index));
    let declared = composite.initial.first().map_or(&[][..], |initial| &initial.choices);
    for group in &things.groups {
        let Some(instance) = composite.instances.get(group.first) else { continue };
        let states = declared.get(group.first).map_or(&[0][..], Vec::as_slice);
        let type_use = TypeUse { name: Name::new(tables.type_name(instance.type_index)), arguments: Vec::new() };
        members.push(CompositeMember::Instance(InstanceDeclaration {
            type_use,
            length: group.length.map(|length| number(i32::try_from(length).unwrap_or(i32::MAX))),
            name: Name::new(group.name.as_str()),
            bindings: Vec::new(),
            from: instance_type(group.first).map_or(Vec::new(), |of| from(of, states)),
        }));
    }
    let mut names = Unique::default();
    let own: Labels<'_> = composite.synchronisations.iter().filter_map(|one| one.label.as_deref()).collect();
    for synchronisation in &composite.synchronisations {
        let offered = |call: &crate::system::Call| match call.instance {
            None => own.contains(call.label.as_str()),
            Some(instance) => {
                composite.instances.get(instance).is_some_and(|one| tables.offers(one.type_index, &call.label))
            }
        };
        if !synchronisation.calls.iter().all(offered) {
            continue;
        }
        let body = synchronisation.calls.iter().map(|call| {
            Step::Do(Call { instance: call.instance.map(|one| things.reference(one)), label: label(&call.label) })
        });
        members.push(CompositeMember::Synchronisation(Transition {
            name: Name::new(names.add(&synchronisation.name)),
            parameters: Vec::new(),
            guard: None,
            priority: None,
            label: synchronisation.label.as_deref().map(label),
            body: body.collect(),
        }));
    }
    for (i, initial) in composite.initial.iter().enumerate() {
        if i == 0 && initial.name.is_empty() {
            continue;
        }
        let changes = (i > 0).then(|| {
            let changed =
                declared.iter().zip(&initial.choices).enumerate().filter(|(_, (before, after))| before != after);
            let choice = |(number, (_, states)): (usize, (_, &Vec<usize>))| Choice {
                instance: things.reference(number),
                from: match instance_type(number).map_or(Vec::new(), |of| from(of, states)) {
                    names if names.is_empty() => vec![Name::new(DECLARED)],
                    names => names,
                },
            };
            changed.map(choice).collect()
        });
        members.push(CompositeMember::Initial(Initial { name: Name::new(initial.name.as_str()), changes }));
    }
    members.extend(symmetries(&composite.symmetries, things).into_iter().map(CompositeMember::Symmetry));
    CompositeType { name, templates: Vec::new(), parameters: Vec::new(), members }
}
