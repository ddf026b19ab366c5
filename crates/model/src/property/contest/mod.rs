//! The property files of the Model Checking Contest: `<property-set>` with one `<property>` a question.
//!
//! | what is written | question |
//! |---|---|
//! | `<place-bound>` | [`Bounds`](Question::Bounds) of the sum of its places |
//! | `<exists-path><finally>` of a formula without temporal operators | [`Reachable`](Question::Reachable) |
//! | `<all-paths><globally>` of a formula without temporal operators | [`Invariant`](Question::Invariant) |
//! | `<all-paths>` outermost and no other quantifier | [`Ltl`](Question::Ltl) |
//! | a quantifier right above each temporal operator, and none elsewhere | [`Ctl`](Question::Ctl) |
//!
//! `<all-paths>` over one temporal operator and no other is a formula of both logics. `<finally>`, `<globally>` and
//! `<until>` mean the same in both, but `<next>` does not: where nothing can happen, the state repeats in LTL, while
//! CTL has no next state, and all of none are as they should be. The [`Logic`] of the file decides: it is given, or
//! another formula of the file is of one logic only. If neither is so, such a file is refused. What is of neither logic,
//! or not of the logic of its file, is an error.
//!
//! Formulas are built without recursion. Conjunctions right inside of conjunctions become one, and so do disjunctions;
//! apart from that, operators nest at most [`DEEPEST`] deep, so that whoever walks over a formula may recurse.

mod build;
mod formula;
mod logic;
mod names;

pub use build::DEEPEST;
pub use logic::Logic;
pub use names::Groups;

use super::Property;
#[cfg(doc)]
use super::Question;
use crate::system::System;
use crate::text::problems::Problems;
use crate::text::xml::{Cursor, Element, Fault, fault};
use crate::text::{Problem, Span, Unreadable};
use build::Reading;
use names::Names;
use rustc_hash::FxHashMap;

/// Reads the properties of a file, in its order. Places and transitions are those of the main type of `system`; in a
/// composite they are named through its instances, as `ring:peers[1]:state`. `file` is the name of the file, for
/// messages; `logic` is that of its formulas, if it is known (see [`Logic::of_file`]).
pub fn read(file: &str, text: &str, system: &System, logic: Option<Logic>) -> Result<Vec<Property>, Unreadable> {
    read_by(file, text, Names::new(system), logic)
}

/// Reads the properties of a file that has other names for the places and transitions of the main type of `system`.
pub fn read_groups(
    file: &str, text: &str, system: &System, groups: &Groups, logic: Option<Logic>,
) -> Result<Vec<Property>, Unreadable> {
    read_by(file, text, Names::of_groups(system, groups), logic)
}

fn read_by(file: &str, text: &str, names: Names<'_>, logic: Option<Logic>) -> Result<Vec<Property>, Unreadable> {
    let mut problems = Problems::default();
    if u32::try_from(text.len()).is_err() {
        problems.add(Problem::new(Span::default(), "the file is larger than 4 GiB"));
        return problems.or(file, "", None);
    }
    let mut document = Document {
        cursor: Cursor::new(text),
        names,
        problems: &mut problems,
        readings: Vec::new(),
        given: FxHashMap::default(),
    };
    let done = document.read();
    let readings = document.readings;
    let done = problems.keep(done).map(|()| logic::decide(readings, logic, &mut problems));
    problems.or(file, text, done)
}

/// The names of the properties of a file, in its order, whatever they ask.
pub fn names(file: &str, text: &str) -> Result<Vec<String>, Unreadable> {
    let mut problems = Problems::default();
    let found = names_in(text);
    let found = problems.keep(found);
    problems.or(file, text, found)
}

fn names_in(text: &str) -> Result<Vec<String>, Fault> {
    let mut cursor = Cursor::new(text);
    let mut names = Vec::new();
    if cursor.child()?.is_none() {
        return Ok(names);
    }
    while cursor.child()?.is_some() {
        while let Some(child) = cursor.child()? {
            match child.name {
                "id" => names.push(cursor.text()?.text.trim_ascii().to_owned()),
                _ => cursor.skip()?,
            }
        }
    }
    Ok(names)
}

/// A property whose logic is not decided yet.
struct Read {
    name: String,
    reading: Reading,
    /// Its formula.
    span: Span,
}

/// A file being read.
struct Document<'a, 'b> {
    cursor: Cursor<'a>,
    names: Names<'b>,
    problems: &'b mut Problems,
    readings: Vec<Read>,
    /// The names of the properties so far, with their places.
    given: FxHashMap<String, Span>,
}

impl<'a> Document<'a, '_> {
    fn read(&mut self) -> Result<(), Fault> {
        let Some(root) = self.cursor.child()? else {
            let problem = Problem::new(Span::default(), "the file is empty").label("expected `<property-set>`");
            return fault(
                problem.help("a file of properties begins with `<?xml version=\"1.0\"?>` and `<property-set>`"),
            );
        };
        if root.name != "property-set" {
            let problem = Problem::new(root.span, format!("`<{}>` does not begin a file of properties", root.name));
            let help = match root.name {
                "pnml" => "this is a net; give it as the model",
                _ => "only files of the Model Checking Contest are read here",
            };
            return fault(problem.label("expected `<property-set>`").help(help));
        }
        while let Some(child) = self.cursor.child()? {
            if child.name == "property" {
                self.property(child)?;
            } else {
                self.unknown(child, "`<property>`")?;
            }
        }
        // The document may not go on after its outermost element.
        self.cursor.child().map(drop)
    }

    /// A `<property>`, to its end.
    fn property(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let mut name = None;
        let mut formula: Option<(Span, Option<Reading>)> = None;
        while let Some(child) = self.cursor.child()? {
            match child.name {
                "id" => name = Some(self.cursor.text()?),
                "formula" => {
                    let next = formula::read(&mut self.cursor, &mut self.names, self.problems, child)?;
                    if let Some((first, _)) = formula.replace((child.span, next)) {
                        let problem = Problem::new(child.span, "a property with two formulas");
                        self.problems.add(problem.related(first, "the first one"));
                    }
                }
                // `tags` is how earlier years of the contest sorted their formulas.
                "description" | "tags" => self.cursor.skip()?,
                _ => self.unknown(child, "`<id>`, `<description>` or `<formula>`")?,
            }
        }
        let Some(name) = name else {
            self.problems.add(Problem::new(element.span, "a property without a name").label("expected `<id>` in it"));
            return Ok(());
        };
        let text = name.text.trim_ascii().to_owned();
        if let Some(first) = self.given.insert(text.clone(), name.span) {
            let problem = Problem::new(name.span, format!("two properties are called `{text}`"));
            self.problems.add(problem.label("the second one").related(first, "the first one"));
        }
        match formula {
            Some((span, Some(reading))) => self.readings.push(Read { name: text, reading, span }),
            // What is wrong with it has been said.
            Some((_, None)) => {}
            None => {
                let problem = Problem::new(element.span, format!("the property `{text}` has no formula"));
                self.problems.add(problem.label("expected `<formula>` in it"));
            }
        }
        Ok(())
    }

    fn unknown(&mut self, element: Element<'a>, expected: &str) -> Result<(), Fault> {
        let problem = Problem::new(element.span, format!("`<{}>` is not known here", element.name));
        self.problems.add(problem.label(format!("expected {expected}")));
        self.cursor.skip()
    }
}
