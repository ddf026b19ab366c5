//! The homomorphisms of a type: what it does by itself, and what it does when it is sent labels.

use std::collections::BTreeSet;

use mandala_diagram::{Diagram, Hom, Store, Variable};
use mandala_model::net::Net;
use mandala_model::system::{Composite, Program};
use rustc_hash::FxHashMap;

use super::{Coded, EncodeError, is_spontaneous, overflow, steps_of};
use crate::demand::{Choices, Sent, Sequence, TooManyChoices};
use crate::layout::Layout;
use crate::step::Step;

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
    let locals = locals.iter().filter(|steps| !steps.is_empty()).map(|steps| all(steps, false)).collect();
    let mut result = Coded { locals, ..Coded::default() };
    for (sequence, steps) in sent {
        result.successors.insert(sequence.clone(), all(&steps, false));
        result.guards.insert(sequence, all(&steps, true));
    }
    result.layout = Some(layout);
    result
}

pub(super) fn encode_net(
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

pub(super) fn encode_program(
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

/// What a composite does (or when it can) if its instances are sent sequences of labels. With the composite, where its
/// instances are.
pub(super) fn sent_hom(
    store: &mut Store, (composite, slots): (&Composite, &[u32]), types: &[Coded], sent: &Sent, change: bool,
) -> Hom {
    let mut links: Vec<(u32, Hom)> = Vec::with_capacity(sent.len());
    for (instance, sequence) in sent {
        let coded = &types[composite.instances[*instance as usize].type_index];
        let homs = if change { &coded.successors } else { &coded.guards };
        let inside = homs.get(sequence).cloned().unwrap_or_else(|| store.null());
        let slot = slots[*instance as usize];
        links.push((slot, store.local(slot, &inside)));
    }
    links.sort_by_key(|(slot, _)| *slot);
    store.sequence(links.iter().map(|(_, link)| link))
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
    let sum = |store: &mut Store, sent: &[Sent], change: bool| {
        let homs: Vec<Hom> =
            sent.iter().map(|sent| sent_hom(store, (composite, &slots), types, sent, change)).collect();
        store.sum(&homs)
    };
    for sequence in demand {
        let sent = choices.of_sequence(&sequence).map_err(EncodeError::TooManyChoices)?;
        result.successors.insert(sequence.clone(), sum(store, &sent, true));
        result.guards.insert(sequence, sum(store, &sent, false));
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
    for (place, synchronisation) in composite.synchronisations.iter().enumerate() {
        if is_spontaneous(&synchronisation.label, is_main) {
            let sent = choices.of_synchronisation(place).map_err(EncodeError::TooManyChoices)?;
            result.locals.push(sum(store, &sent, true));
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
