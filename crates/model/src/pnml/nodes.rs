//! The nodes of a net by their ids, and what arcs connect.

use super::kinds::Kind;
use crate::text::problems::Problems;
use crate::text::suggest::did_you_mean;
use crate::text::xml::Text;
use crate::text::{Problem, Span};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::hash_map::Entry;

/// The places, transitions and references of a file.
#[derive(Debug, Default)]
pub(crate) struct Nodes<'a> {
    /// Places in the order of the file.
    pub places: Vec<Named<'a>>,
    /// Transitions in the order of the file.
    pub transitions: Vec<Named<'a>>,
    references: Vec<Reference<'a>>,
    by_id: FxHashMap<Cow<'a, str>, Node>,
}

/// A place or a transition.
#[derive(Debug)]
pub(crate) struct Named<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its first tag.
    pub span: Span,
}

/// A node that stands for another one, elsewhere.
#[derive(Debug)]
struct Reference<'a> {
    target: Text<'a>,
    /// Whether it is a `<referencePlace>`; a `<referenceTransition>` otherwise.
    place: bool,
}

/// What an id stands for: an index into one of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Place(u32),
    Transition(u32),
    Reference(u32),
}

/// What an arc connects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub transition: u32,
    pub place: u32,
    /// From the transition to the place.
    pub out: bool,
}

/// An arc as its file writes it.
#[derive(Debug)]
pub(crate) struct Ends<'a> {
    pub source: Text<'a>,
    pub target: Text<'a>,
    pub kind: Kind,
    /// The first tag of the arc.
    pub span: Span,
}

impl<'a> Nodes<'a> {
    /// The node with an id.
    pub fn get(&self, id: &str) -> Option<Node> {
        self.by_id.get(id).copied()
    }

    /// Adds a place.
    pub fn add_place(&mut self, id: Text<'a>, span: Span) -> Result<(), Problem> {
        self.claim(&id, Node::Place(index(self.places.len())))?;
        self.places.push(Named { id: id.text, span });
        Ok(())
    }

    /// Adds a transition.
    pub fn add_transition(&mut self, id: Text<'a>, span: Span) -> Result<(), Problem> {
        self.claim(&id, Node::Transition(index(self.transitions.len())))?;
        self.transitions.push(Named { id: id.text, span });
        Ok(())
    }

    /// Adds a reference to a place, or to a transition.
    pub fn add_reference(&mut self, id: Text<'a>, target: Text<'a>, place: bool) -> Result<(), Problem> {
        self.claim(&id, Node::Reference(index(self.references.len())))?;
        self.references.push(Reference { target, place });
        Ok(())
    }

    /// Gives an id to a node.
    fn claim(&mut self, id: &Text<'a>, node: Node) -> Result<(), Problem> {
        let taken = match self.by_id.entry(id.text.clone()) {
            Entry::Vacant(free) => {
                free.insert(node);
                return Ok(());
            }
            Entry::Occupied(taken) => *taken.get(),
        };
        let problem = Problem::new(id.span, format!("two nodes have the id `{}`", id.text));
        let problem = problem.label("the second one").related(self.span_of(taken), "the first one");
        Err(problem.help("give one of them another id, and its arcs too"))
    }

    /// Where a node is declared.
    fn span_of(&self, node: Node) -> Span {
        match node {
            Node::Place(index) => self.places.get(index as usize).map(|place| place.span),
            Node::Transition(index) => self.transitions.get(index as usize).map(|transition| transition.span),
            Node::Reference(index) => self.references.get(index as usize).map(|reference| reference.target.span),
        }
        .unwrap_or_default()
    }

    /// The problem of an id that no node has.
    pub fn unknown(&self, id: &str, span: Span, problems: usize) -> Problem {
        let problem = Problem::new(span, format!("no place or transition has the id `{id}`"));
        // Looking for names like it takes a while in a large net: only for the first problems.
        let known = self.places.iter().chain(&self.transitions).map(|node| node.id.as_ref());
        match (problems < 10).then(|| did_you_mean(id, known)).flatten() {
            Some(help) => problem.help(help),
            None => problem,
        }
    }

    /// Follows all references to their ends, after which arcs can be asked what they connect.
    pub fn resolve(&self, problems: &mut Problems) -> Resolved<'_, 'a> {
        Resolved { nodes: self, references: self.follow_references(problems) }
    }

    /// What each reference stands for in the end: a place or a transition, or nothing if something is wrong with it.
    fn follow_references(&self, problems: &mut Problems) -> Vec<Option<Node>> {
        let mut followed = vec![Followed::Not; self.references.len()];
        for start in 0..self.references.len() {
            let mut way = Vec::new();
            let mut current = start;
            let end = loop {
                let target = &self.references[current].target;
                match followed[current] {
                    Followed::To(end) => break end,
                    Followed::OnTheWay => {
                        problems.add(Problem::new(target.span, "references go in a circle").label("this one is in it"));
                        break None;
                    }
                    Followed::Not => followed[current] = Followed::OnTheWay,
                }
                way.push(current);
                match self.get(&target.text) {
                    Some(Node::Reference(next)) => current = next as usize,
                    Some(node) => break Some(node),
                    None => {
                        problems.add(self.unknown(&target.text, target.span, problems.count()));
                        break None;
                    }
                }
            };
            for step in way {
                let Reference { target, place } = &self.references[step];
                let fits = end.is_none_or(|node| *place == matches!(node, Node::Place(_)));
                if !fits {
                    let (is, expected) = if *place { ("transition", "place") } else { ("place", "transition") };
                    let problem = Problem::new(target.span, format!("`{}` is a {is}", target.text));
                    problems.add(problem.label(format!("expected the id of a {expected}")));
                }
                followed[step] = Followed::To(end.filter(|_| fits));
            }
        }
        let end = |followed| if let Followed::To(end) = followed { end } else { None };
        followed.into_iter().map(end).collect()
    }
}

/// How far a reference has been followed.
#[derive(Clone, Copy)]
enum Followed {
    Not,
    OnTheWay,
    /// To what it stands for, if that is anything.
    To(Option<Node>),
}

/// Nodes whose references have been followed.
pub(crate) struct Resolved<'n, 'a> {
    nodes: &'n Nodes<'a>,
    references: Vec<Option<Node>>,
}

impl Resolved<'_, '_> {
    /// What an arc connects. `None` if something is wrong with it.
    pub fn link(&self, arc: &Ends<'_>, problems: &mut Problems) -> Option<Link> {
        let mut end = |id: &Text<'_>| match self.nodes.get(&id.text) {
            // What is wrong with a reference has been said.
            Some(Node::Reference(reference)) => self.references.get(reference as usize).copied().flatten(),
            Some(node) => Some(node),
            None => {
                problems.add(self.nodes.unknown(&id.text, id.span, problems.count()));
                None
            }
        };
        let (source, target) = (end(&arc.source), end(&arc.target));
        match (source?, target?) {
            (Node::Place(place), Node::Transition(transition)) => Some(Link { transition, place, out: false }),
            (Node::Transition(transition), Node::Place(place)) => {
                if arc.kind != Kind::Normal {
                    let problem = Problem::new(arc.span, "an arc of this type goes from a place to a transition");
                    let problem = problem.label(format!("`{}` is a transition", arc.source.text));
                    problems.add(problem.help("exchange source and target"));
                    return None;
                }
                Some(Link { transition, place, out: true })
            }
            (source, _) => {
                let kind = if matches!(source, Node::Place(_)) { "places" } else { "transitions" };
                let problem = Problem::new(arc.span, format!("an arc between two {kind}"));
                let problem = problem.label(format!("`{}` and `{}` are both {kind}", arc.source.text, arc.target.text));
                problems.add(problem.help("an arc goes from a place to a transition or from a transition to a place"));
                None
            }
        }
    }
}

/// A position in a list. Files are no longer than 4 GiB, so they have fewer nodes than that.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
