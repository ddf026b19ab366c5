//! `.net` files as they are written: lines and fields.
//!
//! | lines | fields |
//! |---|---|
//! | `\|0\|` up to `\|` | a comment |
//! | `f 0 2 0 1 0 0 0` | how many marking parameters, places, rate parameters, transitions, groups, and what is for drawings |
//! | a marking parameter | name, value, drawing |
//! | a place | name, marking, drawing, domain |
//! | a rate parameter | name, value, drawing |
//! | a group | name, drawing, priority |
//! | a transition | name, rate, servers, group, number of arcs that take, drawing, guard; then its arcs, one per line |
//! | an arc | weight, number of the place from 1 on, number of lines for its drawing, drawing, function |
//!
//! The arcs that take come first, then the number of those that put and these, and the same for those that inhibit.

use super::assemble::Kind;
use super::lines::{Fields, Lines};
use super::palette::Name;
use super::piece::Piece;
use crate::text::xml::{Fault, fault};
use crate::text::{Problem, Span};

/// The value of a marking parameter that is to be given one later.
const OPEN: i32 = -7134;

/// A place as it is written.
pub(super) struct PlaceDraft<'a> {
    pub name: Name,
    pub marking: (i32, Span),
    pub domain: Option<Piece<'a>>,
}

/// A transition as it is written.
pub(super) struct TransitionDraft<'a> {
    pub name: Name,
    pub group: (u32, Span),
    pub guard: Option<Piece<'a>>,
    pub arcs: Vec<WrittenArc<'a>>,
}

/// An arc as it is written.
pub(super) struct WrittenArc<'a> {
    pub kind: Kind,
    pub weight: (u32, Span),
    pub place: (u32, Span),
    pub function: Option<Piece<'a>>,
}

/// A file as it is written.
#[derive(Default)]
pub(super) struct Draft<'a> {
    pub parameters: Vec<(Name, i64)>,
    pub places: Vec<PlaceDraft<'a>>,
    pub groups: Vec<i32>,
    pub transitions: Vec<TransitionDraft<'a>>,
}

/// Whether a text looks like a `.net` file: a comment between bars, then how much there is of everything.
pub(super) fn is_net(text: &str) -> bool {
    let mut lines = Lines::new(text);
    let starts = lines.next().is_some_and(|line| line.rest().starts_with('|') && line.rest() != "|");
    starts && header(&mut lines).is_ok()
}

/// Passes over the comment; returns the line of numbers after it.
fn header<'a>(lines: &mut Lines<'a>) -> Result<Fields<'a>, Fault> {
    loop {
        let Some(line) = lines.any() else {
            let problem = Problem::new(Span::new(0, 0), "there is no line `|` after which the net begins");
            return fault(problem.label("expected after this").help("is this a `.net` file of GreatSPN?"));
        };
        if line.rest() == "|" {
            break;
        }
    }
    let mut line = lines.expect("`f` and seven numbers")?;
    let (word, span) = line.expect("`f`")?;
    if word != "f" {
        let problem = Problem::new(span, "the net does not begin with `f`");
        return fault(problem.label("expected `f` and seven numbers").help("is this a `.net` file of GreatSPN?"));
    }
    Ok(line)
}

impl<'a> Draft<'a> {
    /// Reads a file.
    pub fn read(text: &'a str) -> Result<Draft<'a>, Fault> {
        let mut lines = Lines::new(text);
        let mut line = header(&mut lines)?;
        let mut draft = Draft::default();
        let parameters = line.count("the number of marking parameters")?;
        let places = line.count("the number of places")?;
        let rates = line.count("the number of rate parameters")?;
        let transitions = line.count("the number of transitions")?;
        let groups = line.count("the number of groups")?;
        // Sets of conflicts and layers follow, if they are there: for drawings only.
        let drawn =
            line.word().is_some_and(|(word, _)| word != "0") || line.word().is_some_and(|(word, _)| word != "0");
        for _ in 0..parameters {
            let mut line = lines.expect("a marking parameter")?;
            let (name, span) = line.expect("the name of a marking parameter")?;
            let (value, at) = line.integer("the value of the marking parameter")?;
            if value == OPEN {
                let problem = Problem::new(at, format!("the marking parameter `{name}` has no value"));
                return fault(problem.label("to be given one").help("write its value here"));
            }
            draft.parameters.push((Name { text: name.to_owned(), span }, i64::from(value)));
        }
        for _ in 0..places {
            draft.places.push(place(lines.expect("a place")?)?);
        }
        for _ in 0..rates {
            lines.expect("a rate parameter")?.expect("the name of a rate parameter")?;
        }
        for _ in 0..groups {
            let mut line = lines.expect("a group")?;
            line.expect("the name of a group")?;
            line.coordinates(2)?;
            draft.groups.push(line.integer("the priority of the group")?.0);
        }
        for _ in 0..transitions {
            draft.transitions.push(transition(&mut lines)?);
        }
        match lines.next() {
            Some(line) if !drawn => {
                let problem = Problem::new(line.span(), "the net goes on after its last transition");
                fault(problem.label(format!("there are {transitions} transitions, as the line of `f` says")))
            }
            _ => Ok(draft),
        }
    }
}

/// A name without the tags for composing nets, which follow a bar.
fn untagged(word: &str, span: Span) -> Name {
    let text = word.split_once('|').map_or(word, |(name, _)| name);
    Name { text: text.to_owned(), span: Span { end: span.start + text.len() as u32, ..span } }
}

fn place(mut line: Fields<'_>) -> Result<PlaceDraft<'_>, Fault> {
    let (name, span) = line.expect("the name of a place")?;
    let marking = line.integer("the marking of the place")?;
    line.coordinates(4)?;
    line.layers()?;
    let domain = match line.is_empty() {
        true => None,
        false => {
            line.coordinates(2)?;
            Some(line.piece())
        }
    };
    Ok(PlaceDraft { name: untagged(name, span), marking, domain })
}

fn transition<'a>(lines: &mut Lines<'a>) -> Result<TransitionDraft<'a>, Fault> {
    let mut line = lines.expect("a transition")?;
    let (name, span) = line.expect("the name of a transition")?;
    let name = untagged(name, span);
    line.expect("the rate of the transition")?;
    line.count("the number of servers, or 0 for any number,")?;
    let (group, at) = line.integer("the group of the transition, or 0 if it is timed,")?;
    let Ok(group) = u32::try_from(group) else {
        return fault(Problem::new(at, "a group below zero").label("expected 0 or the number of a group"));
    };
    let takes = line.count("the number of arcs that take")?;
    line.count("how the transition is drawn")?;
    line.coordinates(6)?;
    line.layers()?;
    let mut guard = None;
    if !line.is_empty() {
        line.coordinates(2)?;
        guard = Some(brackets(line)?);
    }
    let mut arcs = Vec::new();
    for _ in 0..takes {
        arcs.push(arc(lines, Kind::Take)?);
    }
    for (kind, what) in [(Kind::Put, "the number of arcs that put"), (Kind::Inhibit, "the number of arcs that inhibit")]
    {
        for _ in 0..lines.expect(what)?.count(what)? {
            arcs.push(arc(lines, kind)?);
        }
    }
    Ok(TransitionDraft { name, group: (group, at), guard, arcs })
}

/// What is between brackets, which is all that is left of a line.
fn brackets(line: Fields<'_>) -> Result<Piece<'_>, Fault> {
    let rest = line.rest();
    match rest.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) => Ok(Piece::plain(inner, line.span().start as usize + 1)),
        None if rest.ends_with('#') => {
            let problem = Problem::new(line.span(), "a transition that empties places");
            fault(problem.label("`#` is not read").help("reset transitions have no arcs that say what they take"))
        }
        None => fault(Problem::new(line.span(), "a guard is expected here").label("expected `[` and `]`")),
    }
}

fn arc<'a>(lines: &mut Lines<'a>, kind: Kind) -> Result<WrittenArc<'a>, Fault> {
    let mut line = lines.expect("an arc")?;
    // A weight below zero only says how the arc is drawn.
    let (weight, at) = line.integer("the weight of an arc")?;
    let (place, place_at) = line.integer("the number of a place")?;
    let points = line.count("the number of points of the arc")?;
    line.layers()?;
    let function = match line.is_empty() {
        true => None,
        false => {
            line.coordinates(2)?;
            Some(line.piece())
        }
    };
    for _ in 0..points {
        lines.expect("a point of an arc")?.coordinates(2)?;
    }
    let Some(place) = u32::try_from(place).ok().and_then(|place| place.checked_sub(1)) else {
        return fault(Problem::new(place_at, format!("there is no place {place}")).label("places count from 1"));
    };
    Ok(WrittenArc { kind, weight: (weight.unsigned_abs(), at), place: (place, place_at), function })
}
