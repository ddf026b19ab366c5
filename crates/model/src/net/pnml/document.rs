//! From the text of a file to a draft of its net.

use super::draft::{Draft, Marking, Node, Place, Reference, Transition};
use super::labels::{self, Label, number};
use super::timing::Timing;
use crate::text::problems::Problems;
use crate::text::xml::{Cursor, Element, Fault, Step, Text, fault};
use crate::text::{Problem, Span};
use std::collections::hash_map::Entry;

/// A file being read.
pub(super) struct Document<'a, 'p> {
    pub cursor: Cursor<'a>,
    pub draft: Draft<'a>,
    pub problems: &'p mut Problems,
    /// The names of elements that were passed over and noted already.
    noted: Vec<&'a str>,
    length: usize,
}

/// How the types of coloured nets end, as the standard and tools write them.
const COLOURED: [&str; 5] = ["symmetricnet", "highlevelnet", "hlpn", "hlcorestructure", "pt-hlpng"];

/// How the types of place/transition nets end.
const PLACE_TRANSITION: [&str; 7] =
    ["ptnet", "ptnetb", "p/t net", "ptnet.pntd", "coremodel", "epnml-1.1", "stochasticpetrinet"];

impl<'a, 'p> Document<'a, 'p> {
    /// A file before its first byte is read.
    pub fn new(text: &'a str, problems: &'p mut Problems) -> Document<'a, 'p> {
        let draft = Draft::default();
        Document { cursor: Cursor::new(text), draft, problems, noted: Vec::new(), length: text.len() }
    }

    /// Reads all of it. `None` if it is no XML, or nothing of the kind: what is wrong is among the problems then.
    pub fn read(mut self) -> Option<Draft<'a>> {
        let done = self.document();
        self.problems.keep(done).map(|()| self.draft)
    }

    fn document(&mut self) -> Result<(), Fault> {
        let Some(root) = self.cursor.child()? else {
            let problem = Problem::new(Span::new(0, 0), "the file is empty").label("expected `<pnml>`");
            return fault(problem.help("a PNML file begins with `<?xml version=\"1.0\"?>` and `<pnml …>`"));
        };
        if root.name != "pnml" {
            let problem = Problem::new(root.span, format!("`<{}>` does not begin a PNML file", root.name));
            let help = match root.name {
                "property-set" => "this is a file of properties; give it with the net that it speaks of",
                _ => "only PNML files are read here",
            };
            return fault(problem.label("expected `<pnml>`").help(help));
        }
        let mut first: Option<Span> = None;
        while let Some(child) = self.cursor.child()? {
            match (child.name, first) {
                ("net", None) => {
                    first = Some(child.span);
                    self.net(child)?;
                }
                ("net", Some(first)) => {
                    self.cursor.skip()?;
                    let problem = Problem::new(child.span, "another net in the same file");
                    let problem = problem.label("one net is read from a file").related(first, "the first one");
                    self.problems.add(problem.help("put each net into a file of its own"));
                }
                _ => self.other(child, &["name", "toolspecific"])?,
            }
        }
        // The document may not go on after its outermost element.
        self.cursor.child()?;
        if first.is_none() {
            let end = Span::new(self.length, self.length);
            self.problems
                .add(Problem::new(end, "there is no net in this file").label("expected `<net …>` before this"));
        }
        Ok(())
    }

    /// A `<net>` with all its pages, to its end.
    fn net(&mut self, element: Element<'a>) -> Result<(), Fault> {
        if let Some(written) = element.attribute("type")?
            && !self.is_place_transition(&written)
        {
            return self.cursor.skip();
        }
        if let Some(id) = element.attribute("id")? {
            self.draft.name = id.text;
        }
        let mut open_pages = 0_usize;
        loop {
            let Some(child) = self.cursor.child()? else {
                if open_pages == 0 {
                    return Ok(());
                }
                open_pages -= 1;
                continue;
            };
            match child.name {
                "page" => open_pages += 1,
                "place" => self.place(child)?,
                "transition" => self.transition(child)?,
                "arc" => self.arc(child)?,
                "referencePlace" | "referenceTransition" => self.reference(child)?,
                "toolspecific" => self.tool(child)?,
                "declaration" => self.coloured(child)?,
                name if name.ends_with("Arc") => {
                    let problem = Problem::new(child.span, format!("`<{name}>` is not supported"));
                    self.problems.add(problem.help("arcs are written `<arc id=\"…\" source=\"…\" target=\"…\">`"));
                    self.cursor.skip()?;
                }
                _ => self.other(child, &["name", "graphics", "token", "labels", "finalmarkings"])?,
            }
        }
    }

    fn is_place_transition(&mut self, written: &Text<'a>) -> bool {
        let name = written.text.trim_ascii();
        let lower = name.to_ascii_lowercase();
        let one_of = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
        if one_of(&COLOURED) {
            let problem = Problem::new(written.span, format!("nets of type `{name}` are not supported yet"));
            let problem = problem.label("a net whose tokens have colours");
            self.problems.add(problem.help("unfold it into a place/transition net first"));
            return false;
        }
        if !name.is_empty() && !one_of(&PLACE_TRANSITION) {
            let note = Problem::new(written.span, format!("the type `{name}` is not known"));
            self.draft.notes.push(note.label("read as a place/transition net"));
        }
        true
    }

    /// A `<place>`, to its end.
    fn place(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let index = u32::try_from(self.draft.places.len()).unwrap_or(u32::MAX);
        let id = self.node(element, Node::Place(index))?;
        let mut tokens = match element.attribute("initialMarking")? {
            Some(written) => self.problems.keep(number(&written, "an initial marking")),
            None => None,
        };
        self.ages(element)?;
        let mut capacity = None;
        let mut given = Vec::new();
        while let Some(child) = self.cursor.child()? {
            self.once(child, &["initialMarking", "capacity"], &mut given);
            match child.name {
                "initialMarking" => {
                    let written = self.label("an initial marking")?;
                    tokens = self.number(written.as_ref(), "an initial marking").or(tokens);
                }
                "capacity" => {
                    let written = self.label("a capacity")?;
                    let most = self.number(written.as_ref(), "a capacity");
                    // Where it is written as a `<value>`, 0 says that there is no limit (PIPE).
                    let unlimited = written.is_some_and(|label| label.in_value) && most == Some(0);
                    capacity = most.filter(|_| !unlimited);
                }
                "type" | "hlinitialMarking" => self.coloured(child)?,
                "toolspecific" => self.tool_of_node()?,
                _ => self.other(child, &["name", "graphics"])?,
            }
        }
        let tokens = tokens.unwrap_or(0);
        if capacity.is_some_and(|most| tokens > most) {
            let problem = Problem::new(element.span, "more tokens in the initial marking than the capacity allows");
            self.problems.add(problem.help("raise the capacity or take tokens out of the initial marking"));
        }
        if let Some(id) = id {
            self.draft.places.push(Place { id: id.text, span: element.span, tokens, capacity });
        }
        Ok(())
    }

    /// A `<transition>`, to its end.
    fn transition(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let index = u32::try_from(self.draft.transitions.len()).unwrap_or(u32::MAX);
        let id = self.node(element, Node::Transition(index))?;
        let mut label = None;
        let mut timing = Timing { attribute: element.attribute("priority")?, ..Timing::default() };
        let mut given = Vec::new();
        while let Some(child) = self.cursor.child()? {
            self.once(child, &["priority", "timed", "delay"], &mut given);
            match child.name {
                "toolspecific" if is_ours(child)? => {
                    while let Some(detail) = self.cursor.child()? {
                        let text = self.cursor.text()?;
                        label = (detail.name == "label").then(|| text.text.into_owned()).or(label);
                    }
                }
                "condition" => self.coloured(child)?,
                "priority" => timing.priority = self.said(child)?,
                "timed" => timing.timed = self.said(child)?,
                "delay" => self.delay(child)?,
                "toolspecific" => self.tool_of_node()?,
                _ => self.other(child, &["name", "graphics", "orientation", "label"])?,
            }
        }
        if let Some(id) = id {
            self.draft.transitions.push(Transition { id: id.text, span: element.span, label, timing });
        }
        Ok(())
    }

    /// A `<referencePlace>` or `<referenceTransition>`, to its end.
    fn reference(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let index = u32::try_from(self.draft.references.len()).unwrap_or(u32::MAX);
        let target = self.problems.keep(element.required("ref"));
        let id = self.node(element, Node::Reference(index))?;
        while let Some(child) = self.cursor.child()? {
            self.other(child, &["name", "graphics", "toolspecific"])?;
        }
        if id.is_some() {
            let target = target.unwrap_or(Text { text: "".into(), span: element.span });
            let place = element.name == "referencePlace";
            self.draft.references.push(Reference { span: target.span, target: target.text, place });
        }
        Ok(())
    }

    /// Gives the id of an element to a node. `None` if there is none, or if it is taken.
    fn node(&mut self, element: Element<'a>, node: Node) -> Result<Option<Text<'a>>, Fault> {
        let Some(id) = self.problems.keep(element.required("id")) else { return Ok(None) };
        if id.text.trim_ascii().is_empty() {
            let problem = Problem::new(id.span, format!("the id of a `<{}>` is empty", element.name));
            self.problems.add(problem.label("expected a name"));
            return Ok(None);
        }
        let taken = match self.draft.nodes.entry(id.text.clone()) {
            Entry::Vacant(free) => {
                free.insert(node);
                None
            }
            Entry::Occupied(taken) => Some(*taken.get()),
        };
        match taken {
            None => Ok(Some(id)),
            Some(taken) => {
                let first = self.draft.span_of(taken);
                let problem = Problem::new(id.span, format!("two nodes have the id `{}`", id.text));
                let problem = problem.label("the second one").related(first, "the first one");
                self.problems.add(problem.help("give one of them another id, and its arcs too"));
                Ok(None)
            }
        }
    }

    /// A `<toolspecific>` of a net or a page, to its end.
    fn tool(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let tool = element.attribute("tool")?.map(|tool| tool.text);
        match tool.as_deref().map(str::trim_ascii) {
            Some("nupn") => self.units(element),
            Some(OURS) => self.markings(),
            _ => self.cursor.skip(),
        }
    }

    /// Further initial markings, as this project writes them.
    fn markings(&mut self) -> Result<(), Fault> {
        while let Some(list) = self.cursor.child()? {
            if let Some(first) = list.attribute("first")? {
                self.draft.first_marking = first.text;
            }
            while let Some(marking) = self.cursor.child()? {
                let name = self.problems.keep(marking.required("name"));
                let mut tokens = Vec::new();
                while let Some(entry) = self.cursor.child()? {
                    let place = self.problems.keep(entry.required("place"));
                    let count = self.cursor.text()?;
                    let count = self.problems.keep(number(&count, "an initial marking"));
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

    /// The text of a label. `what` names it for messages.
    pub fn label(&mut self, what: &str) -> Result<Option<Label<'a>>, Fault> {
        let label = labels::label(&mut self.cursor)?;
        if let Some(Err(bare)) = &label {
            let problem = Problem::new(bare.span, format!("{what} outside of `<text>`"));
            self.problems.add(problem.label("expected `<text>…</text>` around this"));
        }
        Ok(label.and_then(Result::ok))
    }

    fn number(&mut self, label: Option<&Label<'a>>, what: &str) -> Option<i32> {
        label.and_then(|label| self.problems.keep(number(&label.text, what)))
    }

    /// Something that only coloured nets have.
    pub fn coloured(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let problem = Problem::new(element.span, format!("`<{}>` belongs to a coloured net", element.name));
        self.problems.add(problem.help("coloured nets are not supported yet; unfold it into a place/transition net"));
        self.cursor.skip()
    }

    /// Passes over an element that is known to change nothing: without a word if it is one of some, and else with a note
    /// if it is of those that matter elsewhere. All others may mean anything, and are refused.
    pub fn other(&mut self, element: Element<'a>, silent: &[&str]) -> Result<(), Fault> {
        let name = element.name;
        if silent.contains(&name) {
            return self.cursor.skip();
        }
        match HARMLESS.iter().find(|(harmless, _)| *harmless == name) {
            Some((_, why)) => self.note(element, why),
            None => {
                let problem = Problem::new(element.span, format!("`<{name}>` is not known here"));
                let problem = problem.label("this may change what the net means");
                self.problems.add(
                    problem.help("leave it out if it does not; what only one tool needs goes into a `<toolspecific>`"),
                );
            }
        }
        self.cursor.skip()
    }

    /// Says once that an element is passed over.
    fn note(&mut self, element: Element<'a>, why: &str) {
        if !self.noted.contains(&element.name) {
            self.noted.push(element.name);
            self.draft
                .notes
                .push(Problem::new(element.span, format!("`<{}>` is passed over", element.name)).label(why));
        }
    }

    /// A `<toolspecific>` of a place, a transition or an arc, to its end. Other tools may pass over it, says the standard;
    /// but some write into it what changes the net.
    pub fn tool_of_node(&mut self) -> Result<(), Fault> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.cursor.step()? {
                Step::Open(child) => {
                    depth += 1;
                    if TELLING.contains(&child.name.to_ascii_lowercase().as_str()) {
                        self.note(child, "inside of what one tool writes for itself");
                    }
                }
                Step::Close | Step::End => depth -= 1,
                Step::Text(_) => {}
            }
        }
        Ok(())
    }

    /// Refuses one of some elements where it is written a second time: which one counts is not said.
    pub fn once(&mut self, element: Element<'a>, names: &[&str], given: &mut Vec<Element<'a>>) {
        if !names.contains(&element.name) {
            return;
        }
        if let Some(first) = given.iter().find(|first| first.name == element.name) {
            let problem = Problem::new(element.span, format!("a second `<{}>`", element.name));
            self.problems.add(problem.related(first.span, "the first one").help("leave out one of them"));
        }
        given.push(element);
    }
}

/// What changes nothing in a place/transition net, although it may matter to the author of the file, and why.
const HARMLESS: [(&str, &str); 9] = [
    ("rate", "how fast a transition is, which changes no marking that can be reached"),
    ("infiniteServer", "how fast a transition is, which changes no marking that can be reached"),
    ("tagged", "a token to be followed, which changes no marking"),
    ("definition", "a parameter of rates"),
    ("stategroup", "a name for some markings"),
    ("unit", "a unit of measure"),
    ("description", "a comment"),
    ("comment", "a comment"),
    ("documentation", "a comment"),
];

/// Elements inside of `<toolspecific>` that would change a net, in lower case.
const TELLING: [&str; 9] =
    ["priority", "inhibitor", "arctype", "guard", "delay", "capacity", "reset", "subprocess", "condition"];

/// What this project calls itself in `<toolspecific>`.
pub(super) const OURS: &str = "mandala";

fn is_ours(element: Element<'_>) -> Result<bool, Fault> {
    Ok(element.attribute("tool")?.is_some_and(|tool| tool.text == OURS))
}
