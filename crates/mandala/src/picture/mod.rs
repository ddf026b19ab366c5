//! Models as pictures.
//!
//! What is drawn becomes a [`graph`], which is laid out in [`layers`] and written as [`svg`], or left to Graphviz as
//! [`dot`].

mod around;
mod coloured;
mod diagram;
mod dot;
mod given;
mod graph;
mod hierarchy;
mod layers;
mod measure;
mod net;
mod states;
mod svg;
mod trace;

pub use around::Around;
pub(crate) use states::of_states;

use crate::error::{Error, ErrorKind};
use crate::model::Model;
use graph::Graph;
use mandala_model::net::Net;
use mandala_model::system::Type;
use mandala_model::text::suggest::did_you_mean;

/// A picture: nodes with labels and edges between them.
///
/// ```
/// let model = mandala::Model::parse(
///     "net tap { place water = 0; transition drip { put water; } transition dry { take water; } }",
///     mandala::Format::Gal,
/// )?;
/// let picture = model.picture()?;
/// assert_eq!(picture.nodes(), 3);
/// assert!(picture.svg().starts_with("<svg"));
/// # Ok::<(), mandala::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    graph: Graph,
    title: String,
    /// How Graphviz has it, if that is not the graph as it is.
    written: Option<String>,
    /// Where its nodes are, if somebody has said so.
    given: Option<Vec<(f64, f64)>>,
}

impl Picture {
    /// A diagram that is written for Graphviz already.
    pub(crate) fn of_diagram(dot: String, title: &str) -> Picture {
        Picture { graph: diagram::graph(&dot), title: title.to_owned(), written: Some(dot), given: None }
    }

    /// How many nodes it has. Beyond some hundreds nobody sees anything.
    pub fn nodes(&self) -> usize {
        self.graph.nodes.len()
    }

    /// As a picture that every browser shows.
    pub fn svg(&self) -> String {
        let given = self.given.as_ref().and_then(|given| given::place(&self.graph, given));
        let placed = given.unwrap_or_else(|| layers::place(&self.graph));
        svg::write(&self.graph, &placed, &self.title)
    }

    /// In the language of Graphviz.
    pub fn dot(&self) -> String {
        self.written.clone().unwrap_or_else(|| dot::write(&self.graph))
    }
}

impl Model {
    /// A net with its places and transitions: where its file has put them, if it has.
    pub fn picture(&self) -> Result<Picture, Error> {
        let (graph, names) = self.graph_of_net()?;
        Ok(Picture { given: self.positions(names.into_iter()), ..self.drawn(graph) })
    }

    /// The part of a net to which so many arcs lead, in whichever direction, from some of its places and transitions. Where more
    /// would follow, a label ends with an ellipsis.
    pub fn picture_around(&self, named: &[impl AsRef<str>], arcs: usize) -> Result<Picture, Error> {
        let (graph, names) = self.graph_of_net()?;
        let mut near = Vec::with_capacity(named.len());
        for name in named.iter().map(AsRef::as_ref) {
            let found = names.iter().position(|one| *one == name).ok_or_else(|| {
                let text = format!("the net has no place and no transition `{name}`");
                match did_you_mean(name, names.iter().map(|one| one.as_str())) {
                    Some(help) => Error::with_help(ErrorKind::Picture, text, help),
                    None => Error::new(ErrorKind::Picture, text),
                }
            })?;
            near.push(found);
        }
        Ok(self.drawn(around::within(graph, &near, arcs)))
    }

    /// A net as a graph, with the names of its nodes.
    fn graph_of_net(&self) -> Result<(Graph, Vec<&String>), Error> {
        let refused = |text: &str, help: &str| Err(Error::with_help(ErrorKind::Picture, text, help));
        if let Some(coloured) = self.coloured() {
            let (places, transitions) = (&coloured.net.places, &coloured.net.transitions);
            let names = places.iter().map(|one| &one.name).chain(transitions.iter().map(|one| &one.name));
            return Ok((coloured::graph(&coloured.net), names.collect()));
        }
        match self.system()?.main_type() {
            Type::Net(net) => Ok((net::graph(net), names(net))),
            Type::Queues(queues) => Ok((net::graph_of_queues(queues), names(&queues.net))),
            Type::Program(_) => refused("this model is a program, not a net", "its states have a diagram"),
            Type::Composite(_) => refused("this model is a composite, not a net", "its hierarchy has a picture"),
        }
    }

    /// The types of a composite, and how many instances of each it has.
    pub fn hierarchy(&self) -> Result<Picture, Error> {
        Ok(self.drawn(hierarchy::graph(self.system()?)))
    }

    pub(crate) fn drawn(&self, graph: Graph) -> Picture {
        Picture { graph, title: self.name().to_owned(), written: None, given: None }
    }
}

/// The names of a net's places, and then of its transitions.
fn names(net: &Net) -> Vec<&String> {
    net.places.iter().map(|one| &one.name).chain(net.transitions.iter().map(|one| &one.name)).collect()
}
