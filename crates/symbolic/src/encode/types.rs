//! The homomorphisms of a type: what it does by itself, and what it does when it is sent labels.

use std::collections::BTreeSet;

use mandala_diagram::{Diagram, Error, Hom, Store, Variable};
use mandala_model::net::queue::{Move, QueueNet};
use mandala_model::net::{Effect, Net};
use mandala_model::system::{Composite, Program, ProgramTransition, happens_by_itself};
use rustc_hash::{FxHashMap, FxHashSet};

use super::priority::HeldBack;
use super::{Coded, EncodeError, overflow};
use crate::demand::{Choices, Sent, Sequence, TooManyChoices};
use crate::evaluate::transition::{Evaluated, Meaning};
use crate::layout::Layout;
use crate::program::{self, Beyond, Reason};
use crate::step::Step;

/// The transitions with a label.
fn with_label<'b>(labels: impl Iterator<Item = &'b Option<String>>, label: &str) -> Vec<u32> {
    let labelled = labels.enumerate().filter(|(_, own)| own.as_deref() == Some(label));
    labelled.map(|(index, _)| index as u32).collect()
}

/// All bags with one of each list, where `place` says at which place of a bag an item is put: sorted, or in the order of the
/// lists. Lists that occur several times give the same bags in many ways: those are counted once, as they come.
fn bags(lists: &[Vec<u32>], most: usize, place: impl Fn(&[u32], u32) -> usize) -> Option<BTreeSet<Vec<u32>>> {
    let mut bags = BTreeSet::from([Vec::new()]);
    for list in lists {
        let larger = bags.iter().flat_map(|bag: &Vec<u32>| {
            let place = &place;
            list.iter().map(move |&item| {
                let at = place(bag, item);
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

/// What something does to states, and in which states it can happen, if that is known.
#[derive(Clone)]
pub(super) struct Doing {
    pub(super) successor: Hom,
    pub(super) guard: Result<Hom, Beyond>,
}

/// Any one of some steps.
fn any_of(store: &mut Store, layout: &Layout, steps: &[Step]) -> Result<Doing, Error> {
    let mut all = |guard: bool| -> Result<Hom, Error> {
        let mut homs = Vec::with_capacity(steps.len());
        for step in steps {
            homs.push(if guard { layout.hom(store, &step.guard())? } else { layout.hom(store, step)? });
        }
        Ok(store.sum(&homs))
    };
    Ok(Doing { successor: all(false)?, guard: Ok(all(true)?) })
}

/// A net, perhaps with queues.
#[derive(Clone, Copy)]
pub(super) enum Fires<'n> {
    Net(&'n Net),
    Queues(&'n QueueNet),
}

impl<'n> Fires<'n> {
    /// The net, or the one that counts the letters of queues.
    fn net(self) -> &'n Net {
        match self {
            Fires::Net(net) | Fires::Queues(QueueNet { net, .. }) => net,
        }
    }

    /// What transitions do together; nothing if they never can.
    pub(super) fn step(self, transitions: &[u32]) -> Result<Option<Step>, EncodeError> {
        let step = match self {
            Fires::Net(net) => Step::of_bag(net, transitions),
            Fires::Queues(queues) => Step::of_sequence(queues, transitions),
        };
        step.map_err(|_| overflow(self.net()))
    }

    /// All that can be sent by one of each list: bags, or sequences where the order matters.
    fn choices(self, lists: &[Vec<u32>]) -> Option<BTreeSet<Vec<u32>>> {
        match self {
            Fires::Net(_) => bags(lists, MOST_PRODUCTS, |bag, item| bag.partition_point(|&other| other < item)),
            Fires::Queues(_) => bags(lists, MOST_PRODUCTS, |sequence, _| sequence.len()),
        }
    }

    /// What a transition does to the words of queues.
    fn moves(self, transition: usize) -> &'n [Move] {
        match self {
            Fires::Net(_) => &[],
            Fires::Queues(queues) => queues.moves.get(transition).map_or(&[], Vec::as_slice),
        }
    }
}

fn coded(layout: Layout, sent: Vec<(Sequence, Doing)>, locals: Vec<Hom>) -> Coded {
    Coded { layout: Some(layout), sent: sent.into_iter().collect(), locals, ..Coded::default() }
}

pub(super) fn encode_net(
    store: &mut Store, fires: Fires<'_>, layout: Layout, demand: impl Iterator<Item = Sequence>, is_main: bool,
) -> Result<Coded, EncodeError> {
    let net = fires.net();
    let labels = || net.transitions.iter().map(|transition| &transition.label);
    let mut sent = Vec::new();
    for sequence in demand {
        let choices: Vec<Vec<u32>> = sequence.iter().map(|label| with_label(labels(), label)).collect();
        let bags = fires.choices(&choices).ok_or_else(|| too_many(&net.name, &sequence))?;
        let mut steps = Vec::new();
        for bag in &bags {
            steps.extend(fires.step(bag)?);
        }
        sent.push((sequence, any_of(store, &layout, &steps)?));
    }
    let held_back = match is_main {
        true => HeldBack::new(store, net, &layout)?,
        false => HeldBack::default(),
    };
    let mut locals = Vec::new();
    // Of transitions that do the same, of which unfolded nets have many, one is enough for the relation.
    let mut known: FxHashSet<(&[Effect], &[Move], u32)> = FxHashSet::default();
    for (index, transition) in net.transitions.iter().enumerate() {
        if happens_by_itself(transition.label.as_deref(), is_main)
            && known.insert((&transition.effects, fires.moves(index), transition.priority))
            && let Some(step) = fires.step(&[index as u32])?
        {
            let firing = layout.hom(store, &step)?;
            locals.push(held_back.unless(store, transition.priority, firing));
        }
    }
    let mut result = coded(layout, sent, locals);
    result.held_back = held_back;
    for initial in &net.initial {
        let layout = result.layout.as_ref().map(|layout| layout.encode(store, &initial.marking)).transpose()?;
        result.initial.push(layout.flatten().ok_or_else(|| EncodeError::BrokenPromise { net: net.name.clone() })?);
    }
    Ok(result)
}

pub(super) fn encode_program(
    store: &mut Store, program: &Program, layout: Layout, demand: impl Iterator<Item = Sequence>, is_main: bool,
) -> Result<Coded, EncodeError> {
    let labels = || program.transitions.iter().map(|transition| &transition.label);
    let mut sent = Vec::new();
    for sequence in demand {
        let choices: Vec<Vec<u32>> = sequence.iter().map(|label| with_label(labels(), label)).collect();
        let doing = match steps_in_sequence(program, &layout, &sequence, &choices)? {
            Some(steps) => any_of(store, &layout, &steps)?,
            None => doing_in_sequence(store, program, &layout, &sequence, &choices)?,
        };
        sent.push((sequence, doing));
    }
    let mut locals = Vec::new();
    let mut failing = Vec::new();
    for (index, transition) in program.transitions.iter().enumerate() {
        if happens_by_itself(transition.label.as_deref(), is_main) {
            match form(store, program, &layout, index as u32)? {
                Form::Steps(steps) => locals.push(any_of(store, &layout, &steps)?.successor),
                // What has no value can be looked for among the reachable states, once.
                Form::Evaluated(_, meaning) if is_main => {
                    locals.push(meaning.successor);
                    failing.push(meaning.failing);
                }
                Form::Evaluated(_, meaning) => locals.push(meaning.or_undefined(store)),
            }
        }
    }
    let null = store.null();
    failing.retain(|failing| *failing != null);
    let mut result = coded(layout, sent, locals);
    result.failing = failing;
    for initial in &program.initial {
        let state = result.layout.as_ref().map(|layout| layout.encode(store, &initial.values)).transpose()?.flatten();
        result.initial.extend(state);
    }
    Ok(result)
}

/// The steps of a transition: many only if its expressions cannot be evaluated, because its layout has levels.
fn steps_of(program: &Program, layout: &Layout, index: u32) -> Result<Vec<Step>, Beyond> {
    let transition = &program.transitions[index as usize];
    match program::steps(program, transition, program::FEW_STEPS) {
        Err(Beyond { reason: Reason::Alternatives, .. }) if evaluated(program, layout).is_none() => {
            program::steps(program, transition, program::MOST_STEPS)
        }
        steps => steps,
    }
}

/// Each of the choices, one after the other, as steps; nothing if one of them goes beyond steps.
fn steps_in_sequence(
    program: &Program, layout: &Layout, sequence: &Sequence, choices: &[Vec<u32>],
) -> Result<Option<Vec<Step>>, EncodeError> {
    let mut steps = vec![Step::default()];
    for choice in choices {
        let mut next = Vec::new();
        for &index in choice {
            match steps_of(program, layout, index) {
                Ok(steps) => next.extend(steps),
                Err(_) => return Ok(None),
            }
        }
        if steps.len().saturating_mul(next.len()) > MOST_PRODUCTS {
            return Err(too_many(&program.name, sequence));
        }
        let Ok(both) = Step::in_sequence(&steps, &next) else { return Ok(None) };
        steps = both;
    }
    Ok(Some(steps))
}

/// Each of the choices, one after the other.
fn doing_in_sequence(
    store: &mut Store, program: &Program, layout: &Layout, sequence: &Sequence, choices: &[Vec<u32>],
) -> Result<Doing, EncodeError> {
    let mut links = Vec::with_capacity(choices.len());
    let mut first = Vec::new();
    for choice in choices {
        let mut all = Vec::with_capacity(choice.len());
        for &index in choice {
            all.push(doing(store, program, layout, index)?);
        }
        let any = sum_of(store, all);
        links.push(any.successor);
        first.push(any.guard);
    }
    let guard = match (first.len(), evaluated(program, layout)) {
        (1, _) => first.remove(0),
        // Whether the second can fire depends on what the first one does.
        (_, Some(evaluated)) => Ok(evaluated.fires(store, choices)),
        (_, None) => {
            Err(Beyond { transition: sequence.join(", "), span: Default::default(), reason: Reason::Sequence })
        }
    };
    Ok(Doing { successor: store.sequence(&links), guard })
}

/// The form in which a transition of a program is encoded.
enum Form<'p> {
    /// Any one of some steps.
    Steps(Vec<Step>),
    /// By evaluating its expressions.
    Evaluated(Evaluated<'p>, Meaning),
}

/// The form of a transition of a program: steps where these are enough.
fn form<'p>(store: &mut Store, program: &'p Program, layout: &Layout, index: u32) -> Result<Form<'p>, EncodeError> {
    let beyond = match steps_of(program, layout, index) {
        Ok(steps) => return Ok(Form::Steps(steps)),
        Err(beyond) => beyond,
    };
    let evaluated = evaluated(program, layout).ok_or_else(|| error_of(program, beyond.clone()))?;
    let because = |reason| error_of(program, Beyond { reason, ..beyond.clone() });
    let meaning = evaluated.transition(store, index).map_err(because)?;
    Ok(Form::Evaluated(evaluated, meaning))
}

/// What a transition of a program does, and when it can.
pub(super) fn doing(store: &mut Store, program: &Program, layout: &Layout, index: u32) -> Result<Doing, EncodeError> {
    Ok(match form(store, program, layout, index)? {
        Form::Steps(steps) => any_of(store, layout, &steps)?,
        Form::Evaluated(evaluated, meaning) => {
            let guard = evaluated.enabled(store, index, &meaning);
            Doing { successor: meaning.or_undefined(store), guard: Ok(guard) }
        }
    })
}

/// Keeps the states in which a transition of a program can fire, if some conditions say which these are.
pub(super) fn guard_by_conditions(
    store: &mut Store, program: &Program, layout: &Layout, index: u32,
) -> Result<Hom, EncodeError> {
    match form(store, program, layout, index)? {
        Form::Steps(steps) => any_of(store, layout, &steps)?.guard,
        Form::Evaluated(_, meaning) => meaning.guard.ok_or_else(|| {
            let ProgramTransition { name, span, .. } = &program.transitions[index as usize];
            Beyond { transition: name.clone(), span: *span, reason: Reason::Abort }
        }),
    }
    .map_err(|beyond| error_of(program, beyond))
}

/// A program as its expressions are evaluated; nothing if its layout has levels.
pub(super) fn evaluated<'p>(program: &'p Program, layout: &Layout) -> Option<Evaluated<'p>> {
    Some(Evaluated::new(program, layout.single_slots(program.variables.len())?))
}

fn error_of(program: &Program, beyond: Beyond) -> EncodeError {
    EncodeError::Beyond { program: program.name.clone(), beyond }
}

/// What a composite does if its instances are sent sequences of labels. With the composite, where its instances are.
pub(super) fn sent_hom(
    store: &mut Store, (composite, slots): (&Composite, &[u32]), types: &[Coded], sent: &Sent,
) -> Doing {
    let mut links: Vec<(u32, Hom, Result<Hom, Beyond>)> = Vec::with_capacity(sent.len());
    for (instance, sequence) in sent {
        let coded = &types[composite.instances[*instance as usize].type_index];
        let slot = slots[*instance as usize];
        let nothing = || Doing { successor: store.null(), guard: Ok(store.null()) };
        let Doing { successor, guard } = coded.sent.get(sequence).cloned().unwrap_or_else(nothing);
        links.push((slot, store.local(slot, &successor), guard.map(|guard| store.local(slot, &guard))));
    }
    links.sort_by_key(|(slot, ..)| *slot);
    let successor = store.sequence(links.iter().map(|(_, successor, _)| successor));
    let guards: Result<Vec<Hom>, Beyond> = links.into_iter().map(|(.., guard)| guard).collect();
    Doing { successor, guard: guards.map(|guards| store.sequence(&guards)) }
}

/// Any one of several.
pub(super) fn sum_of(store: &mut Store, all: Vec<Doing>) -> Doing {
    let successors: Vec<Hom> = all.iter().map(|doing| doing.successor.clone()).collect();
    let guards: Result<Vec<Hom>, Beyond> = all.into_iter().map(|doing| doing.guard).collect();
    Doing { successor: store.sum(&successors), guard: guards.map(|guards| store.sum(&guards)) }
}

/// The homomorphisms of a composite whose instances are, from top to bottom, in this order.
pub(super) fn encode_composite(
    store: &mut Store, composite: &Composite, order: &[u32], types: &[Coded], demand: impl Iterator<Item = Sequence>,
    is_main: bool,
) -> Result<Coded, EncodeError> {
    let mut slots = vec![0; order.len()];
    for (slot, &instance) in order.iter().enumerate() {
        slots[instance as usize] = slot as Variable;
    }
    let mut result = Coded::default();
    let choices = Choices::new(composite);
    let sum = |store: &mut Store, sent: &[Sent]| {
        let all = sent.iter().map(|sent| sent_hom(store, (composite, &slots), types, sent)).collect();
        sum_of(store, all)
    };
    for sequence in demand {
        let sent = choices.of_sequence(&sequence).map_err(EncodeError::TooManyChoices)?;
        let doing = sum(store, &sent);
        result.sent.insert(sequence, doing);
    }
    let mut insides: FxHashMap<usize, Hom> = FxHashMap::default();
    for (slot, &instance) in order.iter().enumerate() {
        let type_index = composite.instances[instance as usize].type_index;
        let locals = &types[type_index].locals;
        if !locals.is_empty() {
            let inside = insides.entry(type_index).or_insert_with(|| store.sum(locals));
            result.locals.push(store.local(slot as Variable, inside));
        }
    }
    for (index, synchronisation) in composite.synchronisations.iter().enumerate() {
        if happens_by_itself(synchronisation.label.as_deref(), is_main) {
            let sent = choices.of_synchronisation(index).map_err(EncodeError::TooManyChoices)?;
            result.locals.push(sum(store, &sent).successor);
        }
    }
    for initial in &composite.initial {
        let mut state = store.one();
        for (slot, &instance) in order.iter().enumerate().rev() {
            let coded = &types[composite.instances[instance as usize].type_index];
            let choices = &initial.choices[instance as usize];
            let chosen: Vec<&Diagram> = choices.iter().filter_map(|&choice| coded.initial.get(choice)).collect();
            let label = store.union_of(chosen)?;
            state = store.assign_set(slot as Variable, &label, &state)?;
        }
        result.initial.push(state);
    }
    result.slots = slots;
    Ok(result)
}
