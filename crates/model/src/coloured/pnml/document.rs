//! From the text of a file to a draft of its net.

use super::draft::{Arc, Draft, Place, Transition};
use super::tree::Node;
use crate::pnml::file::{File, NodeKind};
use crate::pnml::kinds::{self, Kind};
use crate::pnml::nodes::Ends;
use crate::pnml::timing::Timing;
use crate::text::Problem;
use crate::text::problems::Problems;
use crate::text::xml::{Element, Fault, Text};

/// A file being read.
pub(super) struct Document<'a, 'p> {
    file: File<'a, 'p>,
    draft: Draft<'a>,
}

impl<'a, 'p> Document<'a, 'p> {
    /// A file before its first byte is read.
    pub fn new(text: &'a str, problems: &'p mut Problems) -> Document<'a, 'p> {
        Document { file: File::new(text, problems), draft: Draft::default() }
    }

    /// Reads all of it. `None` if it is no XML, or nothing of the kind: what is wrong is among the problems then.
    pub fn read(mut self) -> Option<Draft<'a>> {
        let done = self.document();
        self.file.problems.keep(done)?;
        Some(Draft { nodes: self.file.nodes, notes: self.file.notes, ..self.draft })
    }

    fn document(&mut self) -> Result<(), Fault> {
        let Some(element) = self.file.net()? else { return Ok(()) };
        self.net(element)?;
        self.file.end(element)
    }

    /// A `<net>` with all its pages, to its end.
    fn net(&mut self, element: Element<'a>) -> Result<(), Fault> {
        if let Some(written) = element.attribute("type")?
            && !self.is_symmetric(&written)
        {
            return self.file.cursor.skip();
        }
        if let Some(id) = element.attribute("id")? {
            self.draft.name = id.text;
        }
        let mut open_pages = 0;
        while let Some(child) = self.file.inside_net(&mut open_pages)? {
            match child.name {
                "place" => self.place(child)?,
                "transition" => self.transition(child)?,
                "arc" => self.arc(child)?,
                "referencePlace" | "referenceTransition" => self.file.reference(child)?,
                "declaration" => self.declaration(child)?,
                name if name.ends_with("Arc") => self.file.unusual_arc(child)?,
                _ => self.file.other(child, &["name", "graphics", "toolspecific", "labels", "finalmarkings"])?,
            }
        }
        Ok(())
    }

    fn is_symmetric(&mut self, written: &Text<'a>) -> bool {
        let name = written.text.trim_ascii();
        if kinds::is_place_transition(name) {
            let problem = Problem::new(written.span, format!("a net of type `{name}` is no symmetric net"));
            let problem = problem.label("a net whose tokens have no colours");
            self.file.problems.add(problem.help("read it as a place/transition net"));
            return false;
        }
        if !name.is_empty() && !kinds::is_coloured(name) {
            let note = Problem::new(written.span, format!("the type `{name}` is not known"));
            self.file.notes.push(note.label("read as a symmetric net"));
        }
        true
    }

    /// A `<place>`, to its end.
    fn place(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let is_new = self.file.node(element, NodeKind::Place);
        self.file.ages(element)?;
        let (mut sort, mut marking) = (None, None);
        let mut given = Vec::new();
        let before = self.file.problems.count();
        while let Some(child) = self.file.cursor.child()? {
            self.file.once(child, &["type", "hlinitialMarking"], &mut given);
            match child.name {
                "type" => sort = self.structure(child)?,
                "hlinitialMarking" => marking = self.structure(child)?,
                "initialMarking" => self.uncoloured(child, "hlinitialMarking")?,
                "toolspecific" => self.file.tool_of_node()?,
                _ => self.file.other(child, &["name", "graphics"])?,
            }
        }
        // Where something else is wrong, this may be why there is none.
        if sort.is_none() && self.file.problems.count() == before {
            let problem = Problem::new(element.span, "a place without a `<type>`").label("which tokens does it hold?");
            let help = "write `<type><structure><usersort declaration=\"…\"/></structure></type>` inside of it";
            self.file.problems.add(problem.help(help));
        }
        if is_new {
            self.draft.places.push(Place { sort, marking });
        }
        Ok(())
    }

    /// A `<transition>`, to its end.
    fn transition(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let is_new = self.file.node(element, NodeKind::Transition);
        let mut timing = Timing { attribute: element.attribute("priority")?, ..Timing::default() };
        let mut guard = None;
        let mut given = Vec::new();
        while let Some(child) = self.file.cursor.child()? {
            self.file.once(child, &["condition", "priority", "timed", "delay"], &mut given);
            match child.name {
                "condition" => guard = self.structure(child)?,
                "priority" => timing.priority = Some(self.file.said(child)?),
                "timed" => timing.timed = Some(self.file.said(child)?),
                "delay" => self.file.delay(child)?,
                "toolspecific" => self.file.tool_of_node()?,
                _ => self.file.other(child, &["name", "graphics", "orientation", "label"])?,
            }
        }
        if is_new {
            self.draft.transitions.push(Transition { guard, timing });
        }
        Ok(())
    }

    /// An `<arc>`, to its end.
    fn arc(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let source = self.file.problems.keep(element.required("source"));
        let target = self.file.problems.keep(element.required("target"));
        let mut kind = self.file.kind(element.attribute("type")?);
        let mut tokens = None;
        let mut given = Vec::new();
        while let Some(child) = self.file.cursor.child()? {
            self.file.once(child, &["hlinscription", "type", "arctype"], &mut given);
            match child.name {
                "hlinscription" => tokens = self.structure(child)?,
                "inscription" => self.uncoloured(child, "hlinscription")?,
                "type" | "arctype" => kind = self.file.kind_inside(child)?.or(kind),
                "toolspecific" => self.file.tool_of_node()?,
                _ => self.file.other(child, &["graphics", "name", "arcpath"])?,
            }
        }
        if let (Some(source), Some(target)) = (source, target) {
            let ends = Ends { source, target, kind: kind.unwrap_or(Kind::Normal), span: element.span };
            self.draft.arcs.push(Arc { ends, tokens });
        }
        Ok(())
    }

    /// A `<declaration>`, to its end.
    fn declaration(&mut self, element: Element<'a>) -> Result<(), Fault> {
        for list in self.structures(element)? {
            let tree = &self.draft.tree;
            match tree.name(list) {
                "declarations" => self.draft.declarations.extend(tree.children(list)),
                name => {
                    let problem = Problem::new(tree.element(list).span, format!("`<{name}>` is not known here"));
                    self.file.problems.add(problem.label("expected `<declarations>`"));
                }
            }
        }
        Ok(())
    }

    /// The term of a label, to its end. `None` if there is none: if the label says something else, that is a problem.
    fn structure(&mut self, element: Element<'a>) -> Result<Option<Node>, Fault> {
        let terms = self.structures(element)?;
        if let Some(second) = terms.get(1) {
            let span = self.draft.tree.element(*second).span;
            let problem = Problem::new(span, format!("a second term in one `<{}>`", element.name));
            let first = self.draft.tree.element(terms[0]).span;
            self.file.problems.add(problem.related(first, "the first one").help("an `<add>` makes one of several"));
        }
        Ok(terms.first().copied())
    }

    /// What stands in the `<structure>` of a label, to its end.
    fn structures(&mut self, element: Element<'a>) -> Result<Vec<Node>, Fault> {
        let mut terms = Vec::new();
        let mut text = None;
        let mut given = Vec::new();
        while let Some(child) = self.file.cursor.child()? {
            self.file.once(child, &["structure"], &mut given);
            match child.name {
                "structure" => {
                    let before = self.file.problems.count();
                    let inside = self.draft.tree.read(&mut self.file)?;
                    if inside.is_empty() && self.file.problems.count() == before {
                        let problem = Problem::new(child.span, "a `<structure>` with nothing in it");
                        let problem = problem.label("expected a term inside of it");
                        self.file
                            .problems
                            .add(problem.help(format!("leave the `<{}>` out if it says nothing", element.name)));
                    }
                    terms.extend(inside);
                }
                "text" => text = Some(self.file.cursor.text()?).filter(|text| !text.text.trim_ascii().is_empty()),
                _ => self.file.other(child, &["graphics", "toolspecific", "name"])?,
            }
        }
        if let (true, Some(text)) = (given.is_empty(), text) {
            let problem = Problem::new(text.span, format!("a `<{}>` that is given by words only", element.name));
            let problem = problem.label("this is for people");
            self.file.problems.add(problem.help("what it means is written in a `<structure>`"));
        }
        Ok(terms)
    }

    /// Something that only place/transition nets have.
    fn uncoloured(&mut self, element: Element<'a>, instead: &str) -> Result<(), Fault> {
        let problem = Problem::new(element.span, format!("`<{}>` belongs to a place/transition net", element.name));
        self.file.problems.add(problem.help(format!("in a coloured net this is written `<{instead}>`")));
        self.file.cursor.skip()
    }
}
