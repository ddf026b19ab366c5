//! From the text of a file to a draft of its net.

use super::called;
use super::draft::{Draft, Marking, Place, Transition};
use crate::pnml::file::{File, NodeKind};
use crate::pnml::labels::number;
use crate::pnml::timing::Timing;
use crate::pnml::{OURS, kinds};
use crate::text::Problem;
use crate::text::problems::Problems;
use crate::text::xml::{Element, Fault, Text};

/// A file being read.
pub(super) struct Document<'a, 'p> {
    pub file: File<'a, 'p>,
    pub draft: Draft<'a>,
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
            && !self.is_place_transition(&written)
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
                "toolspecific" => self.tool(child)?,
                "declaration" => self.coloured(child)?,
                name if name.ends_with("Arc") => self.file.unusual_arc(child)?,
                _ => self.file.other(child, &["name", "graphics", "token", "labels", "finalmarkings"])?,
            }
        }
        Ok(())
    }

    fn is_place_transition(&mut self, written: &Text<'a>) -> bool {
        let name = written.text.trim_ascii();
        if kinds::is_coloured(name) {
            let problem = Problem::new(written.span, format!("a net of type `{name}` is no place/transition net"));
            let problem = problem.label("a net whose tokens have colours");
            self.file
                .problems
                .add(problem.help("read it as a coloured net, or unfold it into a place/transition net first"));
            return false;
        }
        if !name.is_empty() && !kinds::is_place_transition(name) {
            let note = Problem::new(written.span, format!("the type `{name}` is not known"));
            self.file.notes.push(note.label("read as a place/transition net"));
        }
        true
    }

    /// A `<place>`, to its end.
    fn place(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let is_new = self.file.node(element, NodeKind::Place);
        let mut tokens = match element.attribute("initialMarking")? {
            Some(written) => self.file.problems.keep(number(&written, "an initial marking")),
            None => None,
        };
        self.file.ages(element)?;
        let (mut called, mut capacity) = (None, None);
        let mut given = Vec::new();
        while let Some(child) = self.file.cursor.child()? {
            self.file.once(child, &["initialMarking", "capacity"], &mut given);
            match child.name {
                "initialMarking" => {
                    let written = self.file.label("an initial marking")?;
                    tokens = self.file.number(written.as_ref(), "an initial marking").or(tokens);
                }
                "capacity" => {
                    let written = self.file.label("a capacity")?;
                    let most = self.file.number(written.as_ref(), "a capacity");
                    // Where it is written as a `<value>`, 0 says that there is no limit (PIPE).
                    let unlimited = written.is_some_and(|label| label.in_value) && most == Some(0);
                    capacity = most.filter(|_| !unlimited);
                }
                "name" => called = called::name(&self.file.said(child)?.text).or(called),
                "type" | "hlinitialMarking" => self.coloured(child)?,
                "toolspecific" => self.file.tool_of_node()?,
                _ => self.file.other(child, &["graphics"])?,
            }
        }
        let tokens = tokens.unwrap_or(0);
        if capacity.is_some_and(|most| tokens > most) {
            let problem = Problem::new(element.span, "more tokens in the initial marking than the capacity allows");
            self.file.problems.add(problem.help("raise the capacity or take tokens out of the initial marking"));
        }
        if is_new {
            self.draft.places.push(Place { called, tokens, capacity });
        }
        Ok(())
    }

    /// A `<transition>`, to its end.
    fn transition(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let is_new = self.file.node(element, NodeKind::Transition);
        let (mut called, mut label) = (None, None);
        let mut timing = Timing { attribute: element.attribute("priority")?, ..Timing::default() };
        let mut given = Vec::new();
        while let Some(child) = self.file.cursor.child()? {
            self.file.once(child, &["priority", "timed", "delay"], &mut given);
            match child.name {
                "toolspecific" if is_ours(child)? => {
                    while let Some(detail) = self.file.cursor.child()? {
                        let text = self.file.cursor.text()?;
                        label = (detail.name == "label").then(|| text.text.into_owned()).or(label);
                    }
                }
                "name" => called = called::name(&self.file.said(child)?.text).or(called),
                "condition" => self.coloured(child)?,
                "priority" => timing.priority = Some(self.file.said(child)?),
                "timed" => timing.timed = Some(self.file.said(child)?),
                "delay" => self.file.delay(child)?,
                "toolspecific" => self.file.tool_of_node()?,
                _ => self.file.other(child, &["graphics", "orientation", "label"])?,
            }
        }
        if is_new {
            self.draft.transitions.push(Transition { called, label, timing });
        }
        Ok(())
    }

    /// A `<toolspecific>` of a net or a page, to its end.
    fn tool(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let tool = element.attribute("tool")?.map(|tool| tool.text);
        match tool.as_deref().map(str::trim_ascii) {
            Some("nupn") => self.units(element),
            Some(OURS) => self.markings(),
            _ => self.file.cursor.skip(),
        }
    }

    /// Further initial markings, as this project writes them.
    fn markings(&mut self) -> Result<(), Fault> {
        while let Some(list) = self.file.cursor.child()? {
            if let Some(first) = list.attribute("first")? {
                self.draft.first_marking = first.text;
            }
            while let Some(marking) = self.file.cursor.child()? {
                let name = self.file.problems.keep(marking.required("name"));
                let mut tokens = Vec::new();
                while let Some(entry) = self.file.cursor.child()? {
                    let place = self.file.problems.keep(entry.required("place"));
                    let count = self.file.cursor.text()?;
                    let count = self.file.problems.keep(number(&count, "an initial marking"));
                    if let (Some(place), Some(count)) = (place, count) {
                        tokens.push((place.text, place.span, count));
                    }
                }
                let name = name.map(|name| name.text).unwrap_or_default();
                self.draft.markings.push(Marking { name, tokens });
            }
        }
        Ok(())
    }

    /// Something that only coloured nets have.
    pub fn coloured(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let problem = Problem::new(element.span, format!("`<{}>` belongs to a coloured net", element.name));
        self.file
            .problems
            .add(problem.help("give the net the type of a coloured net, or unfold it into a place/transition net"));
        self.file.cursor.skip()
    }
}

fn is_ours(element: Element<'_>) -> Result<bool, Fault> {
    Ok(element.attribute("tool")?.is_some_and(|tool| tool.text == OURS))
}
