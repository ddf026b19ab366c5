//! A net as its file writes it: nodes by their ids, nothing resolved.

use crate::pnml::nodes::{Ends, Nodes};
use crate::pnml::timing::Timing;
use crate::text::{Problem, Span};
use std::borrow::Cow;

/// What a file says of a net.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub name: Cow<'a, str>,
    /// What the file says of each place, in the order of `nodes`.
    pub places: Vec<Place>,
    /// The same of the transitions.
    pub transitions: Vec<Transition<'a>>,
    pub arcs: Vec<Arc<'a>>,
    pub nodes: Nodes<'a>,
    pub units: Option<UnitSection<'a>>,
    /// Further initial markings, as this project writes them.
    pub markings: Vec<Marking<'a>>,
    /// The name of the first initial marking.
    pub first_marking: Cow<'a, str>,
    pub notes: Vec<Problem>,
}

/// A place.
#[derive(Debug)]
pub(super) struct Place {
    pub called: Option<String>,
    pub tokens: i32,
    pub capacity: Option<i32>,
}

/// A transition.
#[derive(Debug)]
pub(super) struct Transition<'a> {
    pub called: Option<String>,
    pub label: Option<String>,
    pub timing: Timing<'a>,
}

/// An arc.
#[derive(Debug)]
pub(super) struct Arc<'a> {
    pub ends: Ends<'a>,
    pub weight: i32,
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
