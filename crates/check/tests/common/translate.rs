//! Nets as programs: each place a variable, each transition a guarded action.
//!
//! Both mean the same where no instance is called twice in one step.

use super::build;
use mandala_model::expression::{Boolean, Comparison};
use mandala_model::net::{Effect, Net, Transition};
use mandala_model::system::{Program, ProgramInitial, Statement, System, Type, Variable};

/// The system with programs in place of nets.
pub fn with_programs(system: &System) -> System {
    let translated = system.types.iter().map(|type_| match type_ {
        Type::Net(net) => Type::Program(program(net)),
        other => other.clone(),
    });
    System { types: translated.collect(), ..system.clone() }
}

/// Whether no instance, at any level, is called twice in one step.
pub fn calls_are_single(system: &System) -> bool {
    system.types.iter().all(|type_| match type_ {
        Type::Composite(composite) => composite.synchronisations.iter().all(|synchronisation| {
            let mut called: Vec<Option<usize>> = synchronisation.calls.iter().map(|call| call.instance).collect();
            called.sort_unstable();
            called.windows(2).all(|pair| pair[0] != pair[1]) && !called.contains(&None)
        }),
        _ => true,
    })
}

fn program(net: &Net) -> Program {
    let transitions = net.transitions.iter().map(|transition| {
        let guards = transition.effects.iter().flat_map(|effect| guards(effect, net));
        let guards = guards.chain(not_held_back(net, transition));
        let body = transition.effects.iter().filter_map(change).collect();
        build::action(&transition.name, transition.label.as_deref(), Boolean::And(guards.collect()), body)
    });
    Program {
        name: net.name.clone(),
        variables: net.places.iter().map(|place| Variable::new(place.name.clone())).collect(),
        transitions: transitions.collect(),
        initial: net
            .initial
            .iter()
            .map(|initial| ProgramInitial { name: initial.name.clone(), values: initial.marking.clone() })
            .collect(),
        ..Program::default()
    }
}

fn guards(effect: &Effect, net: &Net) -> Vec<Boolean<u32>> {
    let mut all = vec![build::compare(effect.place, Comparison::GreaterOrEqual, effect.needs())];
    all.extend(effect.below.map(|bound| build::compare(effect.place, Comparison::Less, bound)));
    all.extend(net.places[effect.place as usize].capacity.map(|most| match effect.reset {
        true => Boolean::Constant(effect.put <= most),
        false => build::compare(effect.place, Comparison::LessOrEqual, most - effect.put + effect.take),
    }));
    all
}

/// That no transition with a higher priority may fire by itself.
fn not_held_back(net: &Net, transition: &Transition) -> Vec<Boolean<u32>> {
    let higher = net.transitions.iter().filter(|other| other.priority > transition.priority);
    let higher = higher.filter(|other| other.label.as_deref().is_none_or(|label| label == "elapse"));
    let all = |other: &Transition| other.effects.iter().flat_map(|effect| guards(effect, net)).collect();
    higher.map(|other| Boolean::Not(Box::new(Boolean::And(all(other))))).collect()
}

fn change(effect: &Effect) -> Option<Statement> {
    match effect.reset {
        true => Some(build::set(effect.place, effect.put)),
        false => (effect.put != effect.take).then(|| build::add(effect.place, effect.put - effect.take)),
    }
}
