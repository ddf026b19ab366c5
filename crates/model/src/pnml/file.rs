//! A PNML file being read: what is around its net, ids, and elements that change nothing.

use super::kinds::{self, Kind};
use super::labels::{self, Label, number};
use super::nodes::Nodes;
use crate::text::problems::Problems;
use crate::text::xml::{Cursor, Element, Fault, Step, Text, fault};
use crate::text::{Problem, Span};

/// A file being read.
pub(crate) struct File<'a, 'p> {
    pub cursor: Cursor<'a>,
    pub problems: &'p mut Problems,
    /// What is passed over although it may matter to the author of the file.
    pub notes: Vec<Problem>,
    pub nodes: Nodes<'a>,
    /// The names of elements that were passed over and noted already.
    noted: Vec<&'a str>,
    length: usize,
}

/// The kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Place,
    Transition,
}

impl<'a, 'p> File<'a, 'p> {
    /// A file before its first byte is read.
    pub fn new(text: &'a str, problems: &'p mut Problems) -> File<'a, 'p> {
        let (cursor, nodes) = (Cursor::new(text), Nodes::default());
        File { cursor, problems, notes: Vec::new(), nodes, noted: Vec::new(), length: text.len() }
    }

    /// The next element of a net, on whatever page it is: pages, of which so many are open, are gone into. Nothing at the end of
    /// the net.
    pub fn inside_net(&mut self, open_pages: &mut usize) -> Result<Option<Element<'a>>, Fault> {
        loop {
            match self.cursor.child()? {
                Some(child) if child.name == "page" => *open_pages += 1,
                Some(child) => return Ok(Some(child)),
                None if *open_pages == 0 => return Ok(None),
                None => *open_pages -= 1,
            }
        }
    }

    /// Goes to the net of the file. If there is none, that is a problem.
    pub fn net(&mut self) -> Result<Option<Element<'a>>, Fault> {
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
        while let Some(child) = self.cursor.child()? {
            match child.name {
                "net" => return Ok(Some(child)),
                _ => self.other(child, &["name", "toolspecific"])?,
            }
        }
        // The document may not go on after its outermost element.
        self.cursor.child()?;
        let end = Span::new(self.length, self.length);
        self.problems.add(Problem::new(end, "there is no net in this file").label("expected `<net …>` before this"));
        Ok(None)
    }

    /// What follows after the net, to the end of the file.
    pub fn end(&mut self, net: Element<'a>) -> Result<(), Fault> {
        while let Some(child) = self.cursor.child()? {
            match child.name {
                "net" => {
                    self.cursor.skip()?;
                    let problem = Problem::new(child.span, "another net in the same file");
                    let problem = problem.label("one net is read from a file").related(net.span, "the first one");
                    self.problems.add(problem.help("put each net into a file of its own"));
                }
                _ => self.other(child, &["name", "toolspecific"])?,
            }
        }
        // The document may not go on after its outermost element.
        self.cursor.child().map(|_| ())
    }

    /// Gives the id of an element to a node. Whether that can be done: not if there is none, or if it is taken.
    pub fn node(&mut self, element: Element<'a>, kind: NodeKind) -> bool {
        let Some(id) = self.id(element) else { return false };
        let added = match kind {
            NodeKind::Place => self.nodes.add_place(id, element.span),
            NodeKind::Transition => self.nodes.add_transition(id, element.span),
        };
        self.problems.keep(added.map_err(Box::new)).is_some()
    }

    /// A `<referencePlace>` or `<referenceTransition>`, to its end.
    pub fn reference(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let target = self.problems.keep(element.required("ref"));
        if let Some(id) = self.id(element) {
            let target = target.unwrap_or(Text { text: "".into(), span: element.span });
            let added = self.nodes.add_reference(id, target, element.name == "referencePlace");
            self.problems.keep(added.map_err(Box::new));
        }
        while let Some(child) = self.cursor.child()? {
            self.other(child, &["name", "graphics", "toolspecific"])?;
        }
        Ok(())
    }

    /// The id of an element, if it has one.
    pub fn id(&mut self, element: Element<'a>) -> Option<Text<'a>> {
        let id = self.problems.keep(element.required("id"))?;
        if id.text.trim_ascii().is_empty() {
            let problem = Problem::new(id.span, format!("the id of a `<{}>` is empty", element.name));
            self.problems.add(problem.label("expected a name"));
            return None;
        }
        Some(id)
    }

    /// An element like `<inhibitorArc>`, to its end.
    pub fn unusual_arc(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let problem = Problem::new(element.span, format!("`<{}>` is not supported", element.name));
        self.problems.add(problem.help("arcs are written `<arc id=\"…\" source=\"…\" target=\"…\">`"));
        self.cursor.skip()
    }

    /// The kind of an arc that is written somewhere.
    pub fn kind(&mut self, written: Option<Text<'a>>) -> Option<Kind> {
        written.and_then(|text| self.problems.keep(kinds::kind(&text)))
    }

    /// The kind of an arc that is written in a `<type>` or an `<arctype>`, to its end.
    pub fn kind_inside(&mut self, element: Element<'a>) -> Result<Option<Kind>, Fault> {
        let value = element.attribute("value")?;
        let inside = self.said(element)?;
        Ok(self.kind(value.or(Some(inside))))
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

    /// The text of a label, in whichever element, to its end.
    pub fn said(&mut self, element: Element<'a>) -> Result<Text<'a>, Fault> {
        let said = labels::label(&mut self.cursor)?.map(|label| label.map_or_else(|bare| bare, |label| label.text));
        Ok(said.unwrap_or(Text { text: "".into(), span: element.span }))
    }

    /// The number in a label.
    pub fn number(&mut self, label: Option<&Label<'a>>, what: &str) -> Option<i32> {
        label.and_then(|label| self.problems.keep(number(&label.text, what)))
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
            self.notes.push(Problem::new(element.span, format!("`<{}>` is passed over", element.name)).label(why));
        }
    }

    /// Says once that text between elements is passed over.
    pub fn note_text(&mut self, text: &Text<'a>) {
        let message = "text between elements is passed over";
        if !self.notes.iter().any(|note| note.message == message) {
            self.notes.push(Problem::new(text.span, message).label("expected an element"));
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

/// What changes nothing in a net, although it may matter to the author of the file, and why.
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
