//! A net as its file writes it: nodes by their ids, nothing resolved.

use super::timing::Timing;
use crate::text::xml::Text;
use crate::text::{Problem, Span};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// What a file says of a net.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub name: Cow<'a, str>,
    pub places: Vec<Place<'a>>,
    pub transitions: Vec<Transition<'a>>,
    pub references: Vec<Reference<'a>>,
    pub arcs: Vec<Arc<'a>>,
    /// The nodes by their ids.
    pub nodes: FxHashMap<Cow<'a, str>, Node>,
    pub units: Option<UnitSection<'a>>,
    /// Further initial markings, as this project writes them.
    pub markings: Vec<Marking<'a>>,
    /// The name of the first initial marking.
    pub first_marking: Cow<'a, str>,
    pub notes: Vec<Problem>,
}

/// What an id stands for: an index into one of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Place(u32),
    Transition(u32),
    Reference(u32),
}

impl Draft<'_> {
    /// Where a node is declared.
    pub fn span_of(&self, node: Node) -> Span {
        match node {
            Node::Place(index) => self.places.get(index as usize).map(|place| place.span),
            Node::Transition(index) => self.transitions.get(index as usize).map(|transition| transition.span),
            Node::Reference(index) => self.references.get(index as usize).map(|reference| reference.span),
        }
        .unwrap_or_default()
    }
}

/// A place.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub id: Cow<'a, str>,
    pub span: Span,
    pub tokens: i32,
    pub capacity: Option<i32>,
}

/// A transition.
#[derive(Debug)]
pub(super) struct Transition<'a> {
    pub id: Cow<'a, str>,
    pub span: Span,
    pub label: Option<String>,
    pub timing: Timing<'a>,
}

/// A node that stands for another one, elsewhere.
#[derive(Debug)]
pub(super) struct Reference<'a> {
    pub span: Span,
    pub target: Cow<'a, str>,
    /// Whether it is a `<referencePlace>`; a `<referenceTransition>` otherwise.
    pub place: bool,
}

/// An arc.
#[derive(Debug)]
pub(super) struct Arc<'a> {
    pub source: Text<'a>,
    pub target: Text<'a>,
    pub span: Span,
    pub weight: i32,
    pub kind: Kind,
}

/// What an arc means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Read,
    Inhibitor,
    Reset,
}

/// An initial marking.
#[derive(Debug)]
pub(super) struct Marking<'a> {
    pub name: Cow<'a, str>,
    /// Places with their tokens; the others are empty.
    pub tokens: Vec<(Cow<'a, str>, Span, i32)>,
}

/// A NUPN section.
#[derive(Debug)]
pub(super) struct UnitSection<'a> {
    pub span: Span,
    pub root: (Cow<'a, str>, Span),
    pub safe: bool,
    pub units: Vec<Unit<'a>>,
}

/// A unit of a NUPN section.
#[derive(Debug)]
pub(super) struct Unit<'a> {
    pub id: Cow<'a, str>,
    pub span: Span,
    pub places: Vec<Names<'a>>,
    pub children: Vec<Names<'a>>,
}

/// A list of names, separated by blanks.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'a> {
    pub text: Cow<'a, str>,
    pub span: Span,
}

impl Names<'_> {
    /// Each name with its place in the source.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Span)> {
        let base = self.text.as_ptr() as usize;
        // Where entities were replaced, text and source are not aligned; the whole list is the place then.
        let aligned = matches!(self.text, Cow::Borrowed(_));
        self.text.split_ascii_whitespace().map(move |name| {
            let start = self.span.start as usize + (name.as_ptr() as usize - base);
            (name, if aligned { Span::new(start, start + name.len()) } else { self.span })
        })
    }
}
