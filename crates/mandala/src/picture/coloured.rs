//! A coloured net as a graph: places with their domains, transitions with their guards, arcs with their expressions.

use super::graph::{Edge, Graph, Node, Shape, Style};
use mandala_model::coloured::sn::Shown;
use mandala_model::coloured::{Arc, ColouredNet, Tokens};

/// How many letters of a marking fit into a circle.
const ROOM: usize = 3;

/// The graph of a coloured net.
pub fn graph(net: &ColouredNet) -> Graph {
    let shown = Shown::new(net);
    let mut graph = Graph::default();
    for place in &net.places {
        let domain = shown.domain(&place.domain);
        let label = if domain.is_empty() { place.name.clone() } else { format!("{}: {domain}", place.name) };
        let initial = if place.initial == Tokens::none() { String::new() } else { shown.initial(place) };
        let begins = !initial.is_empty();
        // Few markings fit into a circle.
        let (label, inside) =
            if initial.len() <= ROOM { (label, initial) } else { (format!("{label} = {initial}"), String::new()) };
        graph.nodes.push(Node::new(Shape::Place, label).inside(inside).begins(begins));
    }
    for transition in &net.transitions {
        let node = graph.nodes.len();
        let guard = shown.guard(transition);
        let mut label = transition.name.clone();
        if !guard.is_empty() {
            label.push_str(&format!(" [{guard}]"));
        }
        if transition.priority != 0 {
            label.push_str(&format!(" priority {}", transition.priority));
        }
        graph.nodes.push(Node::new(Shape::Box, label));
        let arc = |arc: &Arc, style| {
            let label = shown.tokens(transition, &arc.tokens);
            Edge { from: arc.place as usize, to: node, label, style }
        };
        // What is taken and put back is one edge.
        let is_read = |one: &Arc, others: &[Arc]| others.contains(one);
        graph.edges.extend(transition.takes.iter().map(|one| match is_read(one, &transition.puts) {
            true => arc(one, Style::Both),
            false => arc(one, Style::Arrow),
        }));
        graph.edges.extend(transition.inhibitors.iter().map(|one| arc(one, Style::Inhibitor)));
        let put = |one: &Arc| {
            let edge = arc(one, Style::Arrow);
            Edge { from: node, to: edge.from, ..edge }
        };
        graph.edges.extend(transition.puts.iter().filter(|one| !is_read(one, &transition.takes)).map(put));
    }
    graph
}
