//! Nets with queues as they are written.

use super::super::syntax::{
    Arc, ArcKind, Change, Expression, ExpressionKind, Given, Initial, Letters, Name, NetMember, NetType, Origin,
    QueueDeclaration, Reference, Segment, Step, Word,
};
use super::names::Things;
use super::{net_type, number, reference};
use crate::net::queue::{Move, Queue, QueueNet};

/// A net with queues: the net that counts letters, in which queues and what is done to them take the place of places.
pub(super) fn queue_net(queues: &QueueNet, name: Name, things: &Things) -> NetType {
    let mut counted = net_type(&queues.net, name, things);
    let mut moves = queues.moves.iter();
    for member in &mut counted.members {
        match member {
            NetMember::Place(place) => {
                let group = things.groups.iter().find(|group| group.name == place.name.text);
                let queue = group.and_then(|group| queues.queue_at(group.first as u32));
                let Some(queue) = queue else { continue };
                let word = word(queue, &queues.net.initial[0].marking);
                *member = NetMember::Queue(QueueDeclaration {
                    name: place.name.clone(),
                    length: place.length.take(),
                    letters: queue.letters.iter().map(|one| Letters::One(letter(one))).collect(),
                    word: (!word.letters.is_empty()).then_some(word),
                    capacity: place.capacity.take(),
                });
            }
            NetMember::Transition(transition) => {
                let moves = moves.next().map_or(&[][..], Vec::as_slice);
                for one in moves {
                    act(one, queues, things, &mut transition.body);
                }
            }
            NetMember::Initial(initial) => words(initial, queues, things),
            _ => {}
        }
    }
    counted
}

/// What happens to the letters of a queue, instead of what happens to their number.
fn act(one: &Move, queues: &QueueNet, things: &Things, body: &mut Vec<Step<Arc>>) {
    let queue = &queues.queues[one.queue as usize];
    let place = things.reference(queue.place as usize);
    body.retain(|step| {
        let Step::Do(arc) = step else { return true };
        let counts = matches!(arc.kind, ArcKind::Take | ArcKind::Put) && arc.letters.is_none();
        !(counts && arc.place == place)
    });
    let name = |number: u32| letter(queue.letter(number as i32).unwrap_or("?"));
    let mut add = |kind, letters: Option<Vec<Expression>>| {
        body.push(Step::Do(Arc { kind, weight: None, place: place.clone(), letters }));
    };
    if one.front.len() > one.take as usize {
        add(ArcKind::Read, Some(one.front.iter().map(|letter| name(letter.unwrap_or(0))).collect()));
    }
    for letter in &one.front[..one.take as usize] {
        add(ArcKind::Take, letter.map(|letter| vec![name(letter)]));
    }
    if !one.put.is_empty() {
        add(ArcKind::Put, Some(one.put.iter().map(|&letter| name(letter)).collect()));
    }
}

/// The words of an initial state instead of how long they are.
fn words(initial: &mut Initial<Change>, queues: &QueueNet, things: &Things) {
    let Some(changes) = &mut initial.changes else { return };
    let states = &queues.net.initial;
    let Some(state) = states.iter().find(|state| state.name == initial.name.text) else { return };
    let targets: Vec<Reference> = queues.queues.iter().map(|queue| things.reference(queue.place as usize)).collect();
    changes.retain(|change| !targets.contains(&change.target) && !is_unknown(&change.target));
    for (queue, target) in queues.queues.iter().zip(targets) {
        if state.marking[queue.range()] != states[0].marking[queue.range()] {
            changes.push(Change { target, value: Given::Word(word(queue, &state.marking)) });
        }
    }
}

/// Whether a reference is that of a cell, which has no name by itself.
fn is_unknown(target: &Reference) -> bool {
    target.segments.iter().any(|segment| segment.name.text == "?")
}

fn word(queue: &Queue, state: &[i32]) -> Word {
    let letters = state[queue.range()].iter().map_while(|&cell| queue.letter(cell)).map(letter);
    Word { letters: letters.collect(), origin: Origin::default() }
}

/// A letter: a number, or a name.
pub(super) fn letter(name: &str) -> Expression {
    match name.parse::<i32>() {
        Ok(value) if value.to_string() == name => number(value),
        _ => Expression::plain(ExpressionKind::Reference(reference(name, None))),
    }
}

/// The cell of a queue: the name of the queue, also if it is an element of an array, and an index.
pub(super) fn cell(queues: &QueueNet, variable: u32, things: &Things) -> Option<(Segment, Queue)> {
    let queue = queues.queue_of_cell(variable)?;
    let place = things.reference(queue.place as usize);
    let name = match place.single()? {
        Segment { index: None, name } => name.clone(),
        segment => Name::new(Reference { segments: vec![segment.clone()], origin: Origin::default() }.to_string()),
    };
    let index = i32::try_from(variable - queue.first).ok()?;
    Some((Segment { name, index: Some(Box::new(number(index))) }, queue.clone()))
}
