//! Formulas from their elements, without recursion.
//!
//! The elements that are open are *frames*; each collects the *parts* that its children have become. When an element
//! closes, its parts become one part of its parent. A conjunction right inside of a conjunction has no parts of its
//! own: they go to the outer one, so that long chains neither nest nor are copied from level to level.

use super::build::{Part, Reading, build, is_operator, quantify, reading};
use super::names::{Kind, Names};
use crate::property::Quantifier;
use crate::text::Problem;
use crate::text::problems::Problems;
use crate::text::suggest::did_you_mean;
use crate::text::xml::{Cursor, Element, Fault, Text, fault};

/// An element that is open.
struct Frame<'a> {
    element: Element<'a>,
    /// What its children have become.
    parts: Vec<Part>,
    children: usize,
    /// The frame that collects the parts of this one: itself, but for chains of conjunctions and disjunctions.
    collects: usize,
}

/// A formula being read.
struct Reader<'c, 'a, 'n> {
    cursor: &'c mut Cursor<'a>,
    names: &'c mut Names<'n>,
    problems: &'c mut Problems,
    frames: Vec<Frame<'a>>,
    /// How many quantifiers there are so far.
    quantifiers: usize,
}

/// Reads a `<formula>`, to its end. `None` if something is wrong with it, which is among the problems then.
pub(super) fn read<'a>(
    cursor: &mut Cursor<'a>, names: &mut Names<'_>, problems: &mut Problems, element: Element<'a>,
) -> Result<Option<Reading>, Fault> {
    let frame = Frame { element, parts: Vec::new(), children: 0, collects: 0 };
    let mut reader = Reader { cursor, names, problems, frames: vec![frame], quantifiers: 0 };
    loop {
        match reader.cursor.child()? {
            Some(child) => reader.opens(child)?,
            None => {
                let Some(frame) = reader.frames.pop() else { return Ok(None) };
                if reader.frames.is_empty() {
                    return Ok(reader.problems.keep(reading(frame.element.span, frame.parts)).flatten());
                }
                reader.closes(frame);
            }
        }
    }
}

impl<'a> Reader<'_, 'a, '_> {
    fn opens(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let part = match element.name {
            "place" => self.name(Kind::Place)?,
            "transition" => self.name(Kind::Transition)?,
            "integer-constant" => self.constant()?,
            name if is_operator(name) => {
                self.quantifiers += usize::from(quantifier(name).is_some());
                self.push_frame(element);
                return Ok(());
            }
            _ => {
                self.problems.add(unknown(element));
                self.cursor.skip()?;
                Part::Wrong
            }
        };
        self.push_part(part);
        Ok(())
    }

    fn push_frame(&mut self, element: Element<'a>) {
        let chains = matches!(element.name, "conjunction" | "disjunction");
        let outer = self.frames.last().filter(|outer| chains && outer.element.name == element.name);
        let collects = outer.map_or(self.frames.len(), |outer| outer.collects);
        self.frames.push(Frame { element, parts: Vec::new(), children: 0, collects });
    }

    fn push_part(&mut self, part: Part) {
        let Some(parent) = self.frames.last_mut() else { return };
        parent.children += 1;
        let collects = parent.collects;
        if let Some(frame) = self.frames.get_mut(collects) {
            frame.parts.push(part);
        }
    }

    fn closes(&mut self, frame: Frame<'a>) {
        let index = self.frames.len();
        let Element { name, span, .. } = frame.element;
        if frame.collects != index && frame.children > 0 {
            // Its parts are where they belong already.
            if let Some(parent) = self.frames.last_mut() {
                parent.children += 1;
            }
            return;
        }
        let built = match quantifier(name) {
            Some(quantifier) => quantify(quantifier, span, frame.parts, self.quantifiers == 1 && index == 1),
            None => build(name, span, frame.parts),
        };
        let part = self.problems.keep(built).unwrap_or(Part::Wrong);
        self.push_part(part);
    }

    fn name(&mut self, kind: Kind) -> Result<Part, Fault> {
        let written = self.cursor.text()?;
        Ok(match self.names.find(&written, kind) {
            Ok(all) if kind == Kind::Place => Part::Place(all),
            Ok(all) => Part::Transition(self.names.with_failing(all)),
            Err(problem) => {
                self.problems.add(problem);
                Part::Wrong
            }
        })
    }

    fn constant(&mut self) -> Result<Part, Fault> {
        let written = self.cursor.text()?;
        Ok(self.problems.keep(number(&written)).map_or(Part::Wrong, Part::constant))
    }
}

fn quantifier(name: &str) -> Option<Quantifier> {
    match name {
        "all-paths" => Some(Quantifier::All),
        "exists-path" => Some(Quantifier::Exists),
        _ => None,
    }
}

fn number(written: &Text<'_>) -> Result<i32, Fault> {
    let digits = written.text.trim_ascii();
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return fault(Problem::new(written.span, "a constant that is not a number").label("expected a number"));
    }
    digits.parse().or_else(|_| {
        let problem = Problem::new(written.span, "a constant that is too large");
        fault(problem.label(format!("expected a number from {} to {}", i32::MIN, i32::MAX)))
    })
}

fn unknown(element: Element<'_>) -> Problem {
    let problem = Problem::new(element.span, format!("`<{}>` is not known in formulas", element.name));
    match did_you_mean(element.name, super::build::OPERATORS.iter().copied()) {
        Some(help) => problem.help(help),
        None => problem.label("not supported"),
    }
}
