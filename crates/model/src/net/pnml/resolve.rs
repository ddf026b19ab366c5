//! From a draft to a net: references followed, arcs at their places and transitions.

use super::draft::{Arc, Draft, Kind, Node};
use super::{Reading, timing, units};
use crate::net::{Effect, Initial, Net, Place, Transition};
use crate::text::problems::Problems;
use crate::text::suggest::did_you_mean;
use crate::text::xml::Text;
use crate::text::{Problem, Span};

/// The net of a draft, as far as nothing is wrong with it.
pub(super) fn net(mut draft: Draft<'_>, problems: &mut Problems) -> Reading {
    let references = follow_references(&draft, problems);
    let mut notes = std::mem::take(&mut draft.notes);
    let units = units::resolve(&draft, problems, &mut notes);
    let priorities = timing::priorities(&draft, &mut notes, problems);
    let effects = effects(&draft, &references, problems);
    let initial = initial(&draft, problems);
    let places = draft.places.iter().map(|place| Place { name: place.id.to_string(), capacity: place.capacity });
    let places = places.collect();
    let transitions = draft.transitions.into_iter().zip(effects).zip(priorities);
    let transitions = transitions.map(|((transition, effects), priority)| Transition {
        name: transition.id.into_owned(),
        label: transition.label,
        effects,
        priority,
    });
    let transitions = transitions.collect();
    Reading {
        net: Net { name: draft.name.into_owned(), places, transitions, initial, units, symmetries: Vec::new() },
        notes,
    }
}

/// How far a reference has been followed.
#[derive(Clone, Copy)]
enum Followed {
    Not,
    OnTheWay,
    /// To what it stands for, if that is anything.
    To(Option<Node>),
}

/// What each reference stands for in the end: a place or a transition, or nothing if something is wrong with it.
fn follow_references(draft: &Draft<'_>, problems: &mut Problems) -> Vec<Option<Node>> {
    let mut followed = vec![Followed::Not; draft.references.len()];
    for start in 0..draft.references.len() {
        let mut way = Vec::new();
        let mut current = start;
        let end = loop {
            let reference = &draft.references[current];
            match followed[current] {
                Followed::To(end) => break end,
                Followed::OnTheWay => {
                    problems.add(Problem::new(reference.span, "references go in a circle").label("this one is in it"));
                    break None;
                }
                Followed::Not => followed[current] = Followed::OnTheWay,
            }
            way.push(current);
            match draft.nodes.get(&reference.target) {
                Some(Node::Reference(next)) => current = *next as usize,
                Some(node) => break Some(*node),
                None => {
                    problems.add(unknown_node(draft, &reference.target, reference.span, problems.count()));
                    break None;
                }
            }
        };
        for step in way {
            let reference = &draft.references[step];
            let fits = end.is_none_or(|node| reference.place == matches!(node, Node::Place(_)));
            if !fits {
                let (is, expected) = if reference.place { ("transition", "place") } else { ("place", "transition") };
                let problem = Problem::new(reference.span, format!("`{}` is a {is}", reference.target));
                problems.add(problem.label(format!("expected the id of a {expected}")));
            }
            followed[step] = Followed::To(end.filter(|_| fits));
        }
    }
    let end = |followed| if let Followed::To(end) = followed { end } else { None };
    followed.into_iter().map(end).collect()
}

/// An arc between a place and a transition, in whichever direction.
struct Link {
    transition: u32,
    place: u32,
    arc: u32,
    /// From the transition to the place.
    out: bool,
}

/// The effects of each transition.
fn effects(draft: &Draft<'_>, references: &[Option<Node>], problems: &mut Problems) -> Vec<Vec<Effect>> {
    let mut links = Vec::with_capacity(draft.arcs.len());
    for (arc, number) in draft.arcs.iter().zip(0..) {
        links.extend(link(draft, references, arc, number, problems));
    }
    links.sort_unstable_by_key(|link| (link.transition, link.place, link.arc));
    let mut effects = vec![Vec::new(); draft.transitions.len()];
    for group in links.chunk_by(|a, b| (a.transition, a.place) == (b.transition, b.place)) {
        let mut effect = Effect::on(group[0].place);
        for link in group {
            let arc = &draft.arcs[link.arc as usize];
            if add(&mut effect, arc, link.out).is_none() {
                let problem = Problem::new(arc.span, "the weights of arcs add up to more than a number can be");
                let problem = problem.label(format!("expected a sum up to {}", i32::MAX));
                problems.add(problem.help("there are several arcs from the same node to the same node"));
            }
        }
        effects[group[0].transition as usize].push(effect);
    }
    effects
}

/// Adds an arc to an effect. `None` if a sum is too large.
fn add(effect: &mut Effect, arc: &Arc<'_>, out: bool) -> Option<()> {
    match arc.kind {
        Kind::Normal if out => effect.put = effect.put.checked_add(arc.weight)?,
        Kind::Normal => effect.take = effect.take.checked_add(arc.weight)?,
        Kind::Read => effect.read = effect.read.max(arc.weight),
        Kind::Inhibitor => effect.below = Some(effect.below.map_or(arc.weight, |below| below.min(arc.weight))),
        Kind::Reset => effect.reset = true,
    }
    Some(())
}

/// What an arc connects. `None` if something is wrong with it.
fn link(
    draft: &Draft<'_>, references: &[Option<Node>], arc: &Arc<'_>, number: u32, problems: &mut Problems,
) -> Option<Link> {
    let mut end = |id: &Text<'_>| match draft.nodes.get(&id.text) {
        // What is wrong with a reference has been said.
        Some(Node::Reference(reference)) => references.get(*reference as usize).copied().flatten(),
        Some(node) => Some(*node),
        None => {
            problems.add(unknown_node(draft, &id.text, id.span, problems.count()));
            None
        }
    };
    let (source, target) = (end(&arc.source), end(&arc.target));
    match (source?, target?) {
        (Node::Place(place), Node::Transition(transition)) => Some(Link { transition, place, arc: number, out: false }),
        (Node::Transition(transition), Node::Place(place)) => {
            if arc.kind != Kind::Normal {
                let problem = Problem::new(arc.span, "an arc of this type goes from a place to a transition");
                let problem = problem.label(format!("`{}` is a transition", arc.source.text));
                problems.add(problem.help("exchange source and target"));
                return None;
            }
            Some(Link { transition, place, arc: number, out: true })
        }
        (source, _) => {
            let kind = if matches!(source, Node::Place(_)) { "places" } else { "transitions" };
            let problem = Problem::new(arc.span, format!("an arc between two {kind}"));
            let problem = problem.label(format!("`{}` and `{}` are both {kind}", arc.source.text, arc.target.text));
            problems.add(problem.help("an arc goes from a place to a transition or from a transition to a place"));
            None
        }
    }
}

/// The initial markings.
fn initial(draft: &Draft<'_>, problems: &mut Problems) -> Vec<Initial> {
    let first = draft.places.iter().map(|place| place.tokens).collect();
    let mut initial = vec![Initial { name: draft.first_marking.to_string(), marking: first }];
    for marking in &draft.markings {
        let mut tokens = vec![0; draft.places.len()];
        for (name, span, count) in &marking.tokens {
            match draft.nodes.get(name) {
                Some(Node::Place(place)) => tokens[*place as usize] = *count,
                _ => problems.add(unknown_node(draft, name, *span, problems.count())),
            }
        }
        initial.push(Initial { name: marking.name.to_string(), marking: tokens });
    }
    initial
}

/// The problem of an id that no node has.
fn unknown_node(draft: &Draft<'_>, id: &str, span: Span, problems: usize) -> Problem {
    let problem = Problem::new(span, format!("no place or transition has the id `{id}`"));
    // Looking for names like it takes a while in a large net: only for the first problems.
    let known = draft.places.iter().map(|place| &place.id);
    let known = known.chain(draft.transitions.iter().map(|transition| &transition.id));
    match (problems < 10).then(|| did_you_mean(id, known.map(AsRef::as_ref))).flatten() {
        Some(help) => problem.help(help),
        None => problem,
    }
}
