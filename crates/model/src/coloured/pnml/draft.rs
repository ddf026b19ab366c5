//! A symmetric net as its file writes it: nodes by their ids, terms as elements.

use super::tree::{Node, Tree};
use crate::pnml::nodes::{Ends, Nodes};
use crate::pnml::timing::Timing;
use crate::text::Problem;
use std::borrow::Cow;

/// What a file says of a net.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub name: Cow<'a, str>,
    pub nodes: Nodes<'a>,
    /// All terms, sorts and declarations.
    pub tree: Tree<'a>,
    /// Each declaration.
    pub declarations: Vec<Node>,
    /// What the file says of each place, in the order of `nodes`.
    pub places: Vec<Place>,
    /// The same of the transitions.
    pub transitions: Vec<Transition<'a>>,
    pub arcs: Vec<Arc<'a>>,
    pub notes: Vec<Problem>,
}

/// A place. It has a sort, if nothing is wrong with it.
#[derive(Debug)]
pub(super) struct Place {
    pub sort: Option<Node>,
    pub marking: Option<Node>,
}

/// A transition.
#[derive(Debug)]
pub(super) struct Transition<'a> {
    pub guard: Option<Node>,
    pub timing: Timing<'a>,
}

/// An arc.
#[derive(Debug)]
pub(super) struct Arc<'a> {
    pub ends: Ends<'a>,
    pub tokens: Option<Node>,
}
