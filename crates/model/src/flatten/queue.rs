//! Nets with queues as programs: a queue is an array of its letters, and what is taken from its front makes the others move
//! up.

use super::program::{Piece, all_of, can_be_counted, of_net};
use super::{CannotFlatten, MOST_COMBINATIONS, net};
use crate::expression::{Boolean, Comparison, Integer};
use crate::net::queue::{Move, Queue, QueueNet};
use crate::system::{Array, Program, ProgramInitial, ProgramTransition, Statement, Target, Variable};
use crate::text::Span;

/// The program with the same states and the same transitions.
pub(crate) fn program(queues: &QueueNet) -> Result<Program, CannotFlatten> {
    can_be_counted(&queues.net)?;
    let (variables, arrays) = variables(queues, 0, "");
    let mut transitions = Vec::with_capacity(queues.net.transitions.len());
    for (index, transition) in (0..).zip(&queues.net.transitions) {
        let piece = together(queues, 0, &[index])?.unwrap_or_else(Piece::never);
        transitions.push(ProgramTransition {
            name: transition.name.clone(),
            label: transition.label.clone(),
            guard: all_of(piece.guards),
            body: piece.body,
            span: Span::default(),
        });
    }
    let initial = queues.net.initial.iter();
    let initial = initial.map(|one| ProgramInitial { name: one.name.clone(), values: one.marking.clone() }).collect();
    Ok(Program { name: queues.net.name.clone(), variables, arrays, transitions, initial, ..Program::default() })
}

/// The variables of a net with queues: its places, and arrays of cells.
pub(super) fn variables(queues: &QueueNet, offset: usize, prefix: &str) -> (Vec<Variable>, Vec<Array>) {
    let variables = queues.variable_names().map(|name| Variable::new(format!("{prefix}{name}")));
    let arrays = queues.queues.iter().map(|queue| Array {
        name: format!("{prefix}{}", queues.name_of(queue)),
        first: queue.first + offset as u32,
        length: queue.capacity(),
    });
    (variables.collect(), arrays.collect())
}

/// What transitions do together, in this order, as a guarded action with variables moved; nothing if they never can.
pub(super) fn together(queues: &QueueNet, offset: usize, transitions: &[u32]) -> Result<Option<Piece>, CannotFlatten> {
    let Some(moves) = queues.together(transitions) else { return Ok(None) };
    let mut all = vec![net::Combination::new()];
    for &transition in transitions {
        let effects = net::shifted(&queues.net.transitions[transition as usize], offset);
        all = net::product(&all, &[effects])?;
    }
    let Some(effects) = all.pop() else { return Ok(None) };
    let counted = of_net(&queues.net, offset, &effects);
    let mut piece = Piece { guards: counted.guards, ..Piece::default() };
    for (number, queue) in (0..).zip(&queues.queues) {
        let place = queue.place + offset as u32;
        let reset = effects.get(&place).is_some_and(|effect| effect.reset);
        let one = moves.iter().find(|one| one.queue == number);
        act(queue, offset as u32, one, reset, &mut piece);
    }
    // Letters first: where one is put depends on how many there are.
    piece.body.extend(counted.body);
    Ok(Some(piece))
}

/// What happens to the letters of one queue.
fn act(queue: &Queue, offset: u32, one: Option<&Move>, reset: bool, piece: &mut Piece) {
    let (first, capacity) = (queue.first + offset, queue.capacity());
    let cell = |at: u32| Integer::Variable(first + at);
    let mut assign = |at: u32, value| piece.body.push(Statement::Assign(Target::Variable(first + at), value));
    let take = one.map_or(0, |one| one.take).min(capacity);
    if reset || take > 0 {
        let kept = if reset { 0 } else { capacity - take };
        (0..kept).for_each(|at| assign(at, cell(at + take)));
        (kept..capacity).for_each(|at| assign(at, Integer::Constant(0)));
    }
    let Some(one) = one else { return };
    for (at, letter) in (0..).zip(&one.front) {
        piece.guards.push(match letter {
            Some(_) if at >= capacity => Boolean::Constant(false),
            Some(letter) => Boolean::Compare(Comparison::Equal, cell(at), Integer::Constant(*letter as i32)),
            None => continue,
        });
    }
    for (at, &letter) in (0..).zip(&one.put) {
        let index = match reset {
            true => Integer::Constant(at),
            false => {
                let behind = Integer::Constant(at - one.take as i32);
                Integer::Sum(vec![Integer::Variable(queue.place + offset), behind])
            }
        };
        let target = Target::Element { first, length: capacity, index };
        piece.body.push(Statement::Assign(target, Integer::Constant(letter as i32)));
    }
}

/// All sequences of transitions that have some labels.
pub(super) fn sequences(queues: &QueueNet, labels: &[String]) -> Result<Vec<Vec<u32>>, CannotFlatten> {
    let mut sequences = vec![Vec::new()];
    for label in labels {
        let numbered = (0..).zip(&queues.net.transitions);
        let with_label: Vec<u32> =
            numbered.filter(|(_, one)| one.label.as_ref() == Some(label)).map(|(index, _)| index).collect();
        if sequences.len().saturating_mul(with_label.len()) > MOST_COMBINATIONS {
            return Err(CannotFlatten::TooManyCombinations);
        }
        let longer = sequences.iter().flat_map(|sequence: &Vec<u32>| {
            with_label.iter().map(move |&next| [sequence.as_slice(), &[next]].concat())
        });
        sequences = longer.collect();
    }
    Ok(sequences)
}
