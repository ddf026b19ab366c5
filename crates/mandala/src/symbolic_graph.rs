//! The graph of the symbolic markings of a coloured net: its quotient by exchanging colours.

use crate::engine::{deep, markings};
use crate::error::{Error, ErrorKind};
use crate::model::Model;
use crate::options::Options;
use crate::picture::{Picture, of_states};
use crate::walk::StateEdge;
use mandala_analysis::coloured::partition::Initial;
use mandala_diagram::Count;
use mandala_model::coloured::ColouredNet;
use mandala_model::semantics::{RunError, TransitionSystem};
use mandala_symbolic::marking::SymbolicNet;
use std::collections::HashMap;

/// Symbolic markings of a coloured net, and the symbolic firings between them. The first one is the initial marking.
#[derive(Clone, Debug, Default)]
pub struct SymbolicGraph {
    /// The symbolic markings.
    pub markings: Vec<SymbolicNode>,
    /// The firings between them: for each transition that leads from one to another, one.
    pub edges: Vec<StateEdge>,
    /// Whether these are all that can be reached.
    pub is_complete: bool,
}

/// A symbolic marking of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicNode {
    /// The marking as the papers write it: `waiting(People#1) + inside(People#0), |People#1| = 2`.
    pub shown: String,
    /// How many ordinary markings it stands for.
    pub stands_for: Count,
    /// Whether nothing can happen in it; not known if it was not looked at.
    pub is_dead: Option<bool>,
}

impl Model {
    /// The graph of the symbolic markings of a coloured net, with so many of them at most. Nothing if the options do not ask for
    /// symbolic markings, or if the model is no coloured net.
    ///
    /// ```
    /// use mandala::{Model, Options, Symbolic};
    ///
    /// let model = Model::parse("net lights {
    ///     class Light = l{1..5};
    ///     place on : Light;
    ///     place off : Light = <all>;
    ///     transition switch (Light x) { take off<x>; put on<x>; }
    /// }", mandala::Format::Sn)?;
    /// let options = Options { symbolic: Symbolic::List, ..Options::default() };
    /// let graph = model.symbolic_graph(&options, 100)?.expect("symbolic markings");
    /// assert_eq!(graph.markings[0].shown, "off(Light#0), |Light#0| = 5");
    /// assert_eq!((graph.markings.len(), graph.edges.len()), (6, 5));
    /// # Ok::<(), mandala::Error>(())
    /// ```
    pub fn symbolic_graph(&self, options: &Options, most: usize) -> Result<Option<SymbolicGraph>, Error> {
        let Some(coloured) = self.coloured() else { return Ok(None) };
        if markings::way(options, &coloured.net)?.is_none() {
            return Ok(None);
        }
        deep(|| graph(options, &coloured.net, most)).map(Some)
    }
}

fn graph(options: &Options, net: &ColouredNet, most: usize) -> Result<SymbolicGraph, Error> {
    let symbolic = SymbolicNet::new(net, markings::source(options), Initial::Matters, &[])
        .map_err(|refusal| Error::new(ErrorKind::Other, refusal.to_string()))?;
    let wrong = |error: RunError| Error::new(ErrorKind::Model, format!("the model has an error: {error}"));
    let node = |state: &Vec<i32>| -> Result<SymbolicNode, Error> {
        let stands_for =
            symbolic.represented(state).map_err(|cause| Error::new(ErrorKind::Other, cause.to_string()))?;
        Ok(SymbolicNode { shown: symbolic.show(state), stands_for: Count::from(stands_for), is_dead: None })
    };
    let mut graph = SymbolicGraph { is_complete: true, ..SymbolicGraph::default() };
    let mut states = symbolic.initial_states().map_err(wrong)?;
    states.truncate(most);
    let mut numbers: HashMap<Vec<i32>, usize> = states.iter().cloned().zip(0..).collect();
    for state in &states {
        graph.markings.push(node(state)?);
    }
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        if let Some(reason) = options.reason_to_stop() {
            let text = format!("{reason} when {} symbolic markings were known", states.len());
            return Err(Error::new(ErrorKind::Other, text).stopped_by(Some(reason)));
        }
        let steps = symbolic.successors(&state).map_err(wrong)?;
        graph.markings[next].is_dead = Some(steps.is_empty());
        let mut edges: Vec<StateEdge> = Vec::new();
        for step in steps {
            let to = match numbers.get(&step.state) {
                Some(&to) => to,
                None if states.len() >= most => {
                    graph.is_complete = false;
                    continue;
                }
                None => {
                    graph.markings.push(node(&step.state)?);
                    numbers.insert(step.state.clone(), states.len());
                    states.push(step.state);
                    states.len() - 1
                }
            };
            let transition = net.transitions[step.event.transition as usize].name.clone();
            let edge = StateEdge { from: next, to, transition };
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        graph.edges.append(&mut edges);
        next += 1;
    }
    Ok(graph)
}

impl SymbolicGraph {
    /// The graph as a picture, each symbolic marking as the papers write it.
    pub fn picture(&self, title: &str) -> Picture {
        let nodes = self.markings.iter().enumerate();
        let nodes = nodes.map(|(number, node)| (node.shown.clone(), number == 0, node.is_dead == Some(true)));
        of_states(nodes, &self.edges, title)
    }
}
