//! From a draft to a net: references followed, arcs at their places and transitions.

use super::draft::{Arc, Draft};
use super::{Called, Reading, units};
use crate::net::{Effect, Initial, Net, Place, Transition};
use crate::pnml::kinds::Kind;
use crate::pnml::nodes::{Link, Node};
use crate::pnml::timing;
use crate::text::Problem;
use crate::text::problems::Problems;

/// The net of a draft, as far as nothing is wrong with it.
pub(super) fn net(mut draft: Draft<'_>, problems: &mut Problems) -> Reading {
    let mut notes = std::mem::take(&mut draft.notes);
    let units = units::resolve(&draft, problems, &mut notes);
    let timings = draft.nodes.transitions.iter().zip(draft.transitions.iter().map(|transition| &transition.timing));
    let priorities = timing::priorities(&timings.collect::<Vec<_>>(), &mut notes, problems);
    let effects = effects(&draft, problems);
    let initial = initial(&draft, problems);
    let called = Called {
        places: draft.places.iter_mut().map(|place| place.called.take()).collect(),
        transitions: draft.transitions.iter_mut().map(|transition| transition.called.take()).collect(),
    };
    let places = draft.nodes.places.into_iter().zip(draft.places);
    let places = places.map(|(node, place)| Place { name: node.id.into_owned(), capacity: place.capacity }).collect();
    let transitions = draft.nodes.transitions.into_iter().zip(draft.transitions).zip(effects).zip(priorities);
    let transitions = transitions.map(|(((node, transition), effects), priority)| Transition {
        name: node.id.into_owned(),
        label: transition.label,
        effects,
        priority,
    });
    let transitions = transitions.collect();
    let net = Net { name: draft.name.into_owned(), places, transitions, initial, units, ..Net::default() };
    Reading { net, called, notes }
}

/// The effects of each transition.
fn effects(draft: &Draft<'_>, problems: &mut Problems) -> Vec<Vec<Effect>> {
    let nodes = draft.nodes.resolve(problems);
    let mut links = Vec::with_capacity(draft.arcs.len());
    for arc in &draft.arcs {
        links.extend(nodes.link(&arc.ends, problems).map(|link| (link, arc)));
    }
    // Arcs of the same ends stay in the order of the file.
    links.sort_by_key(|(link, _)| (link.transition, link.place));
    let mut effects = vec![Vec::new(); draft.transitions.len()];
    for group in links.chunk_by(|(a, _), (b, _)| (a.transition, a.place) == (b.transition, b.place)) {
        let Link { transition, place, .. } = group[0].0;
        let mut effect = Effect::on(place);
        for (link, arc) in group {
            if add(&mut effect, arc, link.out).is_none() {
                let problem = Problem::new(arc.ends.span, "the weights of arcs add up to more than a number can be");
                let problem = problem.label(format!("expected a sum up to {}", i32::MAX));
                problems.add(problem.help("there are several arcs from the same node to the same node"));
            }
        }
        effects[transition as usize].push(effect);
    }
    effects
}

/// Adds an arc to an effect. `None` if a sum is too large.
fn add(effect: &mut Effect, arc: &Arc<'_>, out: bool) -> Option<()> {
    match arc.ends.kind {
        Kind::Normal if out => effect.put = effect.put.checked_add(arc.weight)?,
        Kind::Normal => effect.take = effect.take.checked_add(arc.weight)?,
        Kind::Read => effect.read = effect.read.max(arc.weight),
        Kind::Inhibitor => effect.below = Some(effect.below.map_or(arc.weight, |below| below.min(arc.weight))),
        Kind::Reset => effect.reset = true,
    }
    Some(())
}

/// The initial markings.
fn initial(draft: &Draft<'_>, problems: &mut Problems) -> Vec<Initial> {
    let first = draft.places.iter().map(|place| place.tokens).collect();
    let mut initial = vec![Initial { name: draft.first_marking.to_string(), marking: first }];
    for marking in &draft.markings {
        let mut tokens = vec![0; draft.places.len()];
        for (name, span, count) in &marking.tokens {
            match draft.nodes.get(name) {
                Some(Node::Place(place)) => tokens[place as usize] = *count,
                _ => problems.add(draft.nodes.unknown(name, *span, problems.count())),
            }
        }
        initial.push(Initial { name: marking.name.to_string(), marking: tokens });
    }
    initial
}
