//! The NUPN section of a file: its units, and whether they are a tree over the places.
//!
//! The section is a promise of the file's author about the net. What is named in it must exist, and a place or a unit
//! can be in one unit only: anything else is an error. A section that leaves out a place, or a unit, says nothing
//! false, but it is of no use; it is passed over with a note.

use super::document::Document;
use super::draft::{Draft, Names, Unit, UnitSection};
use crate::net;
use crate::pnml::nodes::Node;
use crate::text::problems::Problems;
use crate::text::suggest::did_you_mean;
use crate::text::xml::{Element, Fault, Text};
use crate::text::{Problem, Span};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

impl<'a> Document<'a, '_> {
    /// A `<toolspecific tool="nupn">`, to its end.
    pub(super) fn units(&mut self, element: Element<'a>) -> Result<(), Fault> {
        while let Some(child) = self.file.cursor.child()? {
            if child.name != "structure" {
                self.file.cursor.skip()?;
                continue;
            }
            let section = self.structure(child)?;
            match (&self.draft.units, section) {
                (Some(first), Some(_)) => {
                    let problem =
                        Problem::new(element.span, "a second NUPN section").related(first.span, "the first one");
                    self.file.problems.add(problem.help("a net has one; leave out the other"));
                }
                (None, Some(section)) => self.draft.units = Some(section),
                (_, None) => {}
            }
        }
        Ok(())
    }

    /// A `<structure>`, to its end.
    fn structure(&mut self, element: Element<'a>) -> Result<Option<UnitSection<'a>>, Fault> {
        let root = self.file.problems.keep(element.required("root"));
        let safe = element.attribute("safe")?.is_some_and(|safe| matches!(safe.text.trim_ascii(), "true" | "1"));
        let mut units = Vec::new();
        while let Some(child) = self.file.cursor.child()? {
            if child.name == "unit" {
                units.extend(self.unit(child)?);
            } else {
                self.file.cursor.skip()?;
            }
        }
        let Some(root) = root else { return Ok(None) };
        Ok(Some(UnitSection { span: element.span, root: (trimmed(root.text), root.span), safe, units }))
    }

    /// A `<unit>`, to its end.
    fn unit(&mut self, element: Element<'a>) -> Result<Option<Unit<'a>>, Fault> {
        let id = self.file.problems.keep(element.required("id"));
        let (mut places, mut children) = (Vec::new(), Vec::new());
        while let Some(child) = self.file.cursor.child()? {
            match child.name {
                "places" => places.push(names(self.file.cursor.text()?)),
                "subunits" => children.push(names(self.file.cursor.text()?)),
                _ => self.file.cursor.skip()?,
            }
        }
        let Some(id) = id else { return Ok(None) };
        Ok(Some(Unit { id: trimmed(id.text), span: element.span, places, children }))
    }
}

fn names(text: Text<'_>) -> Names<'_> {
    Names { text: text.text, span: text.span }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_ascii()),
        Cow::Owned(text) => Cow::Owned(text.trim_ascii().to_owned()),
    }
}

/// The units of a draft, if it has them and they are a tree over all its places. Otherwise the reason is added to the
/// problems of the file, or to the notes.
pub(super) fn resolve(draft: &Draft<'_>, problems: &mut Problems, notes: &mut Vec<Problem>) -> Option<net::Units> {
    let section = draft.units.as_ref()?;
    let before = problems.count();
    let tree = Tree::new(section, problems);
    let units = tree.resolve(draft, problems);
    let root = tree.root(problems);
    if problems.count() > before {
        return None;
    }
    let units = net::Units { units, root: root?, safe: section.safe };
    match gap(draft, section, &units) {
        None => Some(units),
        Some(note) => {
            notes.push(note.help("the section is passed over"));
            None
        }
    }
}

/// What a section leaves out, if it does.
fn gap(draft: &Draft<'_>, section: &UnitSection<'_>, units: &net::Units) -> Option<Problem> {
    let mut inside = vec![false; units.units.len()];
    let mut waiting = vec![units.root];
    let mut covered = vec![false; draft.places.len()];
    while let Some(unit) = waiting.pop() {
        // Each unit has one parent at most: nothing waits twice but the root, if it is in a circle.
        if std::mem::replace(&mut inside[unit], true) {
            continue;
        }
        waiting.extend(&units.units[unit].children);
        for &place in &units.units[unit].places {
            covered[place as usize] = true;
        }
    }
    if let Some(unit) = inside.iter().position(|&inside| !inside) {
        let unit = &section.units[unit];
        let note = Problem::new(unit.span, format!("the unit `{}` is not below the root unit", unit.id));
        return Some(note);
    }
    let missing = covered.iter().position(|&covered| !covered)?;
    Some(Problem::new(section.span, format!("the place `{}` is in no unit", draft.nodes.places[missing].id)))
}

/// What units are.
const NESTED: &str = "units nest: each place, and each unit but the root, is in exactly one";

/// The units of a section by their ids.
struct Tree<'s, 'a> {
    section: &'s UnitSection<'a>,
    index: FxHashMap<&'s str, usize>,
}

impl<'s, 'a> Tree<'s, 'a> {
    fn new(section: &'s UnitSection<'a>, problems: &mut Problems) -> Tree<'s, 'a> {
        let mut index: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, unit) in section.units.iter().enumerate() {
            if let Some(first) = index.insert(&unit.id, number) {
                let first = section.units[first].span;
                let problem = Problem::new(unit.span, format!("two units have the id `{}`", unit.id));
                problems.add(problem.related(first, "the first one"));
            }
        }
        Tree { section, index }
    }

    fn root(&self, problems: &mut Problems) -> Option<usize> {
        let (name, span) = &self.section.root;
        let root = self.index.get(name.as_ref()).copied();
        if root.is_none() {
            problems.add(self.unknown(name, *span));
        }
        root
    }

    /// All units, with the problems of those that name what is not there or was named before.
    fn resolve(&self, draft: &Draft<'_>, problems: &mut Problems) -> Vec<net::Unit> {
        let mut place_in: Vec<Option<Span>> = vec![None; draft.places.len()];
        let mut child_in: Vec<Option<Span>> = vec![None; self.section.units.len()];
        if let Some(&root) = self.index.get(self.section.root.0.as_ref()) {
            child_in[root] = Some(self.section.root.1);
        }
        let mut units = Vec::new();
        for unit in &self.section.units {
            let mut resolved = net::Unit { name: unit.id.to_string(), ..net::Unit::default() };
            for (name, span) in unit.places.iter().flat_map(Names::iter) {
                let Some(Node::Place(place)) = draft.nodes.get(name) else {
                    problems.add(unknown_place(draft, name, span, problems.count()));
                    continue;
                };
                match place_in[place as usize].replace(span) {
                    None => resolved.places.push(place),
                    Some(first) => problems.add(twice("place", name, span, first)),
                }
            }
            for (name, span) in unit.children.iter().flat_map(Names::iter) {
                let Some(&child) = self.index.get(name) else {
                    problems.add(self.unknown(name, span));
                    continue;
                };
                match child_in[child].replace(span) {
                    None => resolved.children.push(child),
                    Some(first) if first == self.section.root.1 => {
                        let problem = Problem::new(span, format!("the root unit `{name}` is inside of a unit"));
                        problems.add(problem.related(first, "this makes it the root").help(NESTED));
                    }
                    Some(first) => problems.add(twice("unit", name, span, first)),
                }
            }
            units.push(resolved);
        }
        units
    }

    fn unknown(&self, name: &str, span: Span) -> Problem {
        let problem = Problem::new(span, format!("there is no unit `{name}`"));
        match did_you_mean(name, self.section.units.iter().map(|unit| unit.id.as_ref())) {
            Some(help) => problem.help(help),
            None => problem.help("each unit that is named has a `<unit id=\"…\">` of its own"),
        }
    }
}

fn unknown_place(draft: &Draft<'_>, name: &str, span: Span, problems: usize) -> Problem {
    let problem = Problem::new(span, format!("there is no place `{name}`"));
    // Looking for names like it takes a while in a large net: only for the first problems.
    let near = (problems < 10).then(|| did_you_mean(name, draft.nodes.places.iter().map(|place| place.id.as_ref())));
    match near.flatten() {
        Some(help) => problem.help(help),
        None => problem.help("leave the NUPN section out if it belongs to another net"),
    }
}

fn twice(what: &str, name: &str, span: Span, first: Span) -> Problem {
    let problem = Problem::new(span, format!("the {what} `{name}` is in two units"));
    let problem = problem.label("the second time").related(first, "the first time");
    problem.help(NESTED)
}
