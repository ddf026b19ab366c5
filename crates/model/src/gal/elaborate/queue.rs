//! Queues of `net` types: letters, words, and arcs that take and put them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::super::ledger::{Ledger, Outcome};
use super::super::syntax::{
    Arc, ArcKind, Expression, ExpressionKind, Letters, Name, NetMember, NetType, QueueDeclaration, Reference, Word,
};
use super::builder::Meaning;
use super::environment::Environment;
use super::member::array_length;
use super::net::{Firing, Maker};
use crate::net::queue::{Move, QueueNet};
use crate::net::{Net, Place};
use crate::system::Type;
use crate::text::suggest::nearest;
use crate::text::{Problem, Span};

/// A queue may have so many letters.
const MOST_LETTERS: usize = 10_000;

/// The queues of a net in the making.
#[derive(Default)]
pub(super) struct Queues {
    /// Their places, ascending, and their letters.
    places: Vec<(u32, Vec<String>)>,
    /// What each transition does to them.
    pub moves: Vec<Vec<Move>>,
    /// The words in each initial state, by place.
    pub words: Vec<BTreeMap<u32, Vec<u32>>>,
}

impl Queues {
    /// The queue at a place.
    pub fn at(&self, place: u32) -> Option<u32> {
        self.places.binary_search_by_key(&place, |queue| queue.0).ok().map(|at| at as u32)
    }

    /// The net with its queues, or without if there are none.
    pub fn finish(self, net: Net) -> Type {
        if self.places.is_empty() {
            return Type::Net(net);
        }
        let mut made = QueueNet::new(net, self.places, self.moves);
        for (initial, words) in made.net.initial.iter_mut().zip(self.words) {
            for queue in &made.queues {
                let word = words.get(&queue.place).into_iter().flatten();
                let cells = initial.marking[queue.range()].iter_mut();
                cells.zip(word).for_each(|(cell, &letter)| *cell = letter as i32);
            }
        }
        Type::Queues(made)
    }
}

impl<'a> Maker<'_, 'a> {
    /// A queue or an array of queues.
    pub(super) fn queue(&mut self, declaration: &'a QueueDeclaration) -> Outcome<()> {
        let name = &declaration.name;
        let Some(capacity) = &declaration.capacity else {
            let problem = Problem::new(name.span(), format!("the queue `{}` has no capacity", name.text))
                .label("how many letters may it hold?")
                .help("say so at the end: `capacity 3`");
            return Err(self.ledger.report(problem));
        };
        let most = self.amount(capacity, "capacity")?;
        let length = array_length(declaration.length.as_ref(), name, self.environment, self.ledger)?;
        let count = length.unwrap_or(1);
        self.ledger.elements(u64::from(count).saturating_mul(most as u64), capacity.span())?;
        self.ledger.things(1, name.span())?;
        let letters = self.declared_letters(declaration)?;
        let first = self.net.places.len() as u32;
        let number = self.queues.places.len() as u32;
        for at in 0..count {
            let name = if length.is_some() { format!("{}[{at}]", name.text) } else { name.text.clone() };
            self.net.places.push(Place { name, capacity: Some(most) });
            self.queues.places.push((first + at, letters.clone()));
        }
        let word = match &declaration.word {
            Some(word) => self.word(word, number)?,
            None => Vec::new(),
        };
        self.tokens.extend((0..count).map(|_| word.len() as i32));
        if self.queues.words.is_empty() {
            self.queues.words.push(BTreeMap::new());
        }
        let declared = &mut self.queues.words[0];
        (first..first + count).for_each(|place| drop(declared.insert(place, word.clone())));
        if let Some(length) = length {
            self.names.insert(name, Meaning::Array { first, length });
        }
        Ok(())
    }

    fn declared_letters(&mut self, declaration: &QueueDeclaration) -> Outcome<Vec<String>> {
        let mut letters: Vec<String> = Vec::new();
        for declared in &declaration.letters {
            let (more, span) = match declared {
                Letters::One(letter) => (vec![letter_name(letter, self.environment, self.ledger)?], letter.span()),
                Letters::Between(first, last) => {
                    let span = first.span().to(last.span());
                    let least = self.environment.constant(first, self.ledger)?;
                    let most = self.environment.constant(last, self.ledger)?;
                    let count = i64::from(most) - i64::from(least) + 1;
                    self.ledger.elements(count.max(0) as u64, span)?;
                    (
                        if count > MOST_LETTERS as i64 {
                            Vec::new()
                        } else {
                            (least..=most).map(|one| one.to_string()).collect()
                        },
                        span,
                    )
                }
            };
            for letter in more {
                if letters.contains(&letter) {
                    let problem = Problem::new(span, format!("the letter `{letter}` is declared twice"))
                        .label("for the second time");
                    return Err(self.ledger.report(problem));
                }
                letters.push(letter);
            }
        }
        if letters.is_empty() || letters.len() > MOST_LETTERS {
            let problem = Problem::new(
                declaration.name.span(),
                format!("the queue `{}` has no letters, or too many", declaration.name.text),
            )
            .label("what may it hold?")
            .help(format!("list names or numbers: `{{ ping, pong }}` or `{{ 0 .. 3 }}`, at most {MOST_LETTERS}"));
            return Err(self.ledger.report(problem));
        }
        Ok(letters)
    }

    /// Gives the cells of queues their variables, behind all places, and refuses what nets with queues do not have.
    pub(super) fn number_cells(&mut self, body: &'a NetType) {
        if self.queues.places.is_empty() {
            return;
        }
        let single = body.members.iter().filter_map(|member| match member {
            NetMember::Queue(queue) if queue.length.is_none() => Some((queue.name.text.as_str(), &queue.name)),
            _ => None,
        });
        let single: FxHashMap<&str, &'a Name> = single.collect();
        let mut next = self.net.places.len() as u32;
        for (place, letters) in &self.queues.places {
            let Some(one) = self.net.places.get(*place as usize) else { continue };
            let capacity = one.capacity.unwrap_or(0) as u32;
            self.names.add_cells(next..next + capacity, letters.clone());
            if let Some(name) = single.get(one.name.as_str()) {
                self.names.insert(name, Meaning::Queue { length: *place, first: next, capacity });
            }
            next += capacity;
        }
        for member in &body.members {
            const APART: &str = "put the queue into a net of its own, and make both instances of a composite";
            let (span, what, help) = match member {
                NetMember::Transition(transition) => match &transition.priority {
                    Some(priority) => {
                        (priority.span(), "priorities", "say with `inhibit` arcs when a transition may not fire")
                    }
                    None => continue,
                },
                NetMember::Symmetry(symmetry) => (symmetry.name.span(), "declared symmetries", APART),
                NetMember::Unit(unit) => (unit.name.span(), "units", APART),
                _ => continue,
            };
            let problem = Problem::new(span, format!("a net with queues has no {what}"))
                .label("not in a net with queues")
                .help(help);
            self.ledger.report(problem);
        }
    }

    /// The letters of a word that a queue may hold.
    pub(super) fn word(&mut self, word: &Word, queue: u32) -> Outcome<Vec<u32>> {
        let Some((place, letters)) = self.queues.places.get(queue as usize) else { return Ok(Vec::new()) };
        let most = self.net.places.get(*place as usize).and_then(|place| place.capacity).unwrap_or(0);
        if word.letters.len() > most as usize {
            let problem = Problem::new(word.origin.0, "a queue holds more letters than it may")
                .label(format!("{} letters, and the capacity is {most}", word.letters.len()));
            return Err(self.ledger.report(problem));
        }
        word.letters.iter().map(|one| letter(one, letters, self.environment, self.ledger)).collect()
    }

    /// What an arc does to the word of a queue; how many letters it is about.
    pub(super) fn letters(&mut self, arc: &Arc, queue: u32, weight: i32, firing: &mut Firing) -> Outcome<i32> {
        let names = match (arc.kind, &arc.letters) {
            (ArcKind::Take, None) => {
                self.ledger.parts(weight as u64, arc.place.span())?;
                vec![None; weight as usize]
            }
            (ArcKind::Read | ArcKind::Inhibit | ArcKind::Reset, None) => return Ok(weight),
            (ArcKind::Take | ArcKind::Put | ArcKind::Read, Some(list)) if !list.is_empty() && arc.weight.is_none() => {
                let known = self.queues.places.get(queue as usize).map_or(&[][..], |(_, letters)| letters);
                let mut numbers = Vec::with_capacity(list.len());
                for one in list {
                    numbers.push(Some(letter(one, known, self.environment, self.ledger)?));
                }
                numbers
            }
            (kind, _) => {
                let word = kind.word();
                let help = match kind {
                    ArcKind::Take => {
                        format!("write `{word} {0}(a, b);`, or `{word} 2 {0};` for any letters", arc.place)
                    }
                    ArcKind::Put => format!("write `{word} {0}(a, b);`: the last one comes to the end", arc.place),
                    ArcKind::Read => {
                        format!("write `{word} {0}(a);` for what is at the front, or `{word} 2 {0};`", arc.place)
                    }
                    _ => format!("`{word}` is about how many letters there are"),
                };
                let problem = Problem::new(arc.place.span(), format!("this is not what `{word}` does to a queue"))
                    .label("a queue")
                    .help(help);
                return Err(self.ledger.report(problem));
            }
        };
        let count = names.len() as i32;
        let one = match arc.kind {
            ArcKind::Put => Move { queue, put: names.into_iter().flatten().collect(), ..Move::default() },
            ArcKind::Take => Move { queue, take: names.len() as u32, front: names, ..Move::default() },
            _ => Move { queue, front: names, ..Move::default() },
        };
        let known = firing.moves.get(&queue).cloned().unwrap_or(Move { queue, ..Move::default() });
        // What is read is at the front before anything is taken.
        let both = if arc.kind == ArcKind::Read { one.then(&known) } else { known.then(&one) };
        let Some(both) = both else {
            let problem = Problem::new(arc.place.span(), "two different letters are asked for at one place of a queue")
                .label("this and an arc before ask for different letters");
            return Err(self.ledger.report(problem));
        };
        firing.moves.insert(queue, both);
        Ok(count)
    }
}

/// The name of a letter: a name, or a number.
fn letter_name(expression: &Expression, environment: &Environment<'_>, ledger: &mut Ledger) -> Outcome<String> {
    if let ExpressionKind::Reference(reference) = &expression.kind
        && let Some(segment) = reference.single()
        && segment.index.is_none()
    {
        return Ok(segment.name.text.clone());
    }
    Ok(environment.constant(expression, ledger)?.to_string())
}

/// The number of a letter.
pub(super) fn letter(
    expression: &Expression, letters: &[String], environment: &Environment<'_>, ledger: &mut Ledger,
) -> Outcome<u32> {
    let name = letter_name(expression, environment, ledger)?;
    if let Some(at) = letters.iter().position(|one| *one == name) {
        return Ok(at as u32 + 1);
    }
    let problem =
        Problem::new(expression.span(), format!("`{name}` is no letter of this queue")).label("expected a letter");
    let problem = match nearest(&name, letters.iter().map(String::as_str)) {
        Some(meant) => problem.help(format!("did you mean `{meant}`?")),
        None => {
            let some: Vec<&str> = letters.iter().take(8).map(String::as_str).collect();
            let more = if letters.len() > some.len() { ", ..." } else { "" };
            problem.help(format!("its letters are {}{more}", some.join(", ")))
        }
    };
    Err(ledger.report(problem))
}

/// A letter where a number is wanted.
pub(super) fn no_number(span: Span) -> Problem {
    Problem::new(span, "the letters of a queue are no numbers")
        .label("a letter")
        .help("ask whether a letter is there with `==` or `!=`, as in `q[0] == a`; `q` itself is how many there are")
}

/// A letter at a place that is not constant.
pub(super) fn no_fixed_place(span: Span) -> Problem {
    Problem::new(span, "the place of a letter in a queue must be constant")
        .label("this is not constant")
        .help("ask for each place: `exists ($i : 0..2) (q[$i] == a)`")
}

/// Letters for what is no queue.
pub(super) fn no_queue(span: Span, target: &Reference) -> Problem {
    Problem::new(span, format!("`{target}` is no queue"))
        .label("letters are for queues")
        .help("declare it: `queue q { a, b } capacity 3;`")
}

/// A number for a queue.
pub(super) fn no_word(span: Span) -> Problem {
    Problem::new(span, "a queue holds a word, not a number")
        .label("expected letters")
        .help("write them in brackets, from the front: `q = [a, b];`")
}
