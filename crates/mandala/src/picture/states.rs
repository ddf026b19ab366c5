//! A graph of states: what each state has, and what happens between them.

use super::Picture;
use super::graph::{Edge, Graph, Mark, Node, Shape, Style};
use crate::state::State;
use crate::walk::{StateEdge, StateGraph};

/// Variables that are written into a state.
const MOST_SHOWN: usize = 6;
/// A node with more letters than this gets only its number.
const LONGEST: usize = 40;

/// A state in few words: the places with tokens, or the values of variables.
fn words(state: &State, changing: &[usize]) -> String {
    let values = changing.iter().map(|&index| (index, state.variables().value_in(index, state.values())));
    let shown = values.filter(|(_, value)| !value.is_letter && (value.number != 0 || value.name.is_some()));
    let parts: Vec<String> = shown
        .take(MOST_SHOWN + 1)
        .map(|(index, value)| {
            let name = &state.variables().names()[index];
            match value.name {
                Some(value) => format!("{name}={value}"),
                None if value.number == 1 => name.clone(),
                None => format!("{name}={}", value.number),
            }
        })
        .collect();
    parts.join(" ")
}

impl StateGraph {
    /// The graph as a picture. States have the variables that are not 0 and not the same in all of them, if these are few,
    /// and their numbers otherwise.
    pub fn picture(&self, title: &str) -> Picture {
        let changing: Vec<usize> = match self.states.first() {
            Some(first) => (0..first.state.values().len())
                .filter(|&index| {
                    self.states.iter().any(|node| node.state.values()[index] != first.state.values()[index])
                })
                .collect(),
            None => Vec::new(),
        };
        let nodes = self.states.iter().enumerate().map(|(number, node)| {
            let words = words(&node.state, &changing);
            let label = if words.is_empty() || words.chars().count() > LONGEST { number.to_string() } else { words };
            let label = if node.is_complete { label } else { format!("{label} …") };
            (label, node.distance == 0, node.is_dead == Some(true))
        });
        of_states(nodes, &self.edges, title)
    }
}

/// A graph of states as a picture: for each state its words, whether it is an initial one, and whether it is dead.
pub(crate) fn of_states(
    states: impl Iterator<Item = (String, bool, bool)>, edges: &[StateEdge], title: &str,
) -> Picture {
    let mut graph = Graph::default();
    for (number, (label, is_first, is_dead)) in states.enumerate() {
        let (shape, mark) = match (is_first, is_dead) {
            (true, _) => (Shape::Round, Mark::Here),
            (false, true) => (Shape::Box, Mark::Dead),
            (false, false) => (Shape::Round, Mark::None),
        };
        graph.nodes.push(Node::new(shape, label).key(number.to_string()).mark(mark));
    }
    for edge in edges {
        let same = graph.edges.iter_mut().find(|one: &&mut Edge| (one.from, one.to) == (edge.from, edge.to));
        match same {
            Some(one) => one.label = format!("{}, {}", one.label, edge.transition),
            None => graph.edges.push(Edge {
                from: edge.from,
                to: edge.to,
                label: edge.transition.clone(),
                style: Style::Arrow,
            }),
        }
    }
    Picture { graph, title: title.to_owned(), written: None, given: None }
}
