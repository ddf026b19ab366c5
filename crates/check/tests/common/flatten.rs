//! A composite of nets as one net: another way to say what definition 3.3 of the SDD paper says.
//!
//! A synchronisation, with one choice for each of its calls, is one transition that does what all of the chosen do.

use mandala_model::net::{Effect, Initial, Net, Place, Transition};
use mandala_model::system::{Composite, System, Type};

/// The net of a system in which there are nets and composites only.
pub fn flatten(system: &System) -> Option<Net> {
    let mut nets: Vec<Net> = Vec::new();
    for type_ in &system.types {
        nets.push(match type_ {
            Type::Net(net) => net.clone(),
            Type::Composite(composite) => flatten_composite(composite, &nets),
            Type::Queues(_) | Type::Program(_) => return None,
        });
    }
    let mut main = nets.swap_remove(system.main);
    // Several markings stand for one designated initial state; all of one have its name.
    let Type::Composite(composite) = &system.types[system.main] else {
        main.initial = system.begins.iter().map(|&begin| main.initial[begin].clone()).collect();
        return Some(main);
    };
    main.initial.retain(|initial| system.begins.iter().any(|&begin| composite.initial[begin].name == initial.name));
    Some(main)
}

fn flatten_composite(composite: &Composite, nets: &[Net]) -> Net {
    let mut flat = Net { name: composite.name.clone(), ..Net::default() };
    let mut offsets = Vec::new();
    for instance in &composite.instances {
        let inner = &nets[instance.type_index];
        let offset = flat.places.len() as u32;
        offsets.push(offset);
        flat.places.extend(
            inner
                .places
                .iter()
                .map(|place| Place { name: format!("{}:{}", instance.name, place.name), ..place.clone() }),
        );
        for transition in inner.transitions.iter().filter(|transition| transition.label.is_none()) {
            let name = format!("{}:{}", instance.name, transition.name);
            flat.transitions.push(Transition {
                name,
                label: None,
                effects: shifted(&transition.effects, offset),
                priority: 0,
            });
        }
    }
    for synchronisation in &composite.synchronisations {
        for effects in choices(composite, nets, &offsets, synchronisation.calls.as_slice()) {
            let (name, label) = (synchronisation.name.clone(), synchronisation.label.clone());
            flat.transitions.push(Transition { name, label, effects, priority: 0 });
        }
    }
    for initial in &composite.initial {
        let mut markings = vec![Vec::new()];
        for (instance, allowed) in composite.instances.iter().zip(&initial.choices) {
            let inner = &nets[instance.type_index];
            markings = markings
                .iter()
                .flat_map(|marking: &Vec<i32>| {
                    markings_of(inner, allowed).into_iter().map(move |part| [marking.as_slice(), part].concat())
                })
                .collect();
        }
        flat.initial.extend(markings.into_iter().map(|marking| Initial { name: initial.name.clone(), marking }));
    }
    flat
}

/// The markings of the initial states with these numbers; markings of the same one have its name and follow each other.
fn markings_of<'n>(net: &'n Net, allowed: &[usize]) -> Vec<&'n [i32]> {
    let groups: Vec<&[Initial]> = net.initial.chunk_by(|a, b| a.name == b.name).collect();
    allowed.iter().flat_map(|&index| groups[index].iter().map(|initial| initial.marking.as_slice())).collect()
}

fn shifted(effects: &[Effect], offset: u32) -> Vec<Effect> {
    effects.iter().map(|effect| Effect { place: effect.place + offset, ..*effect }).collect()
}

/// For each way to choose transitions for some calls, what they do together.
fn choices(
    composite: &Composite, nets: &[Net], offsets: &[u32], calls: &[mandala_model::system::Call],
) -> Vec<Vec<Effect>> {
    let Some((call, rest)) = calls.split_first() else { return vec![Vec::new()] };
    let first: Vec<Vec<Effect>> = match call.instance {
        Some(instance) => nets[composite.instances[instance].type_index]
            .transitions
            .iter()
            .filter(|transition| transition.label.as_ref() == Some(&call.label))
            .map(|transition| shifted(&transition.effects, offsets[instance]))
            .collect(),
        None => composite
            .synchronisations
            .iter()
            .filter(|synchronisation| synchronisation.label.as_ref() == Some(&call.label))
            .flat_map(|synchronisation| choices(composite, nets, offsets, &synchronisation.calls))
            .collect(),
    };
    let others = choices(composite, nets, offsets, rest);
    first.iter().flat_map(|effects| others.iter().map(move |other| joined(effects, other))).collect()
}

fn joined(left: &[Effect], right: &[Effect]) -> Vec<Effect> {
    let mut all = left.to_vec();
    for effect in right {
        match all.iter_mut().find(|other| other.place == effect.place) {
            None => all.push(*effect),
            Some(other) => {
                other.take += effect.take;
                other.put += effect.put;
                other.read = other.read.max(effect.read);
                other.below = [other.below, effect.below].into_iter().flatten().min();
                other.reset |= effect.reset;
            }
        }
    }
    all.sort_by_key(|effect| effect.place);
    all
}
