//! A net as a graph: places are circles, transitions boxes.

use super::graph::{Edge, Graph, Node, Shape, Style};
use mandala_model::net::{Effect, Net};

/// The graph of a net.
pub fn graph(net: &Net) -> Graph {
    let marking = net.initial.first().map_or(&[][..], |initial| &initial.marking);
    let mut graph = Graph::default();
    for (index, place) in net.places.iter().enumerate() {
        let inside = match marking.get(index) {
            None | Some(0) => String::new(),
            Some(tokens) => tokens.to_string(),
        };
        let label = match place.capacity {
            Some(most) => format!("{} ≤ {most}", place.name),
            None => place.name.clone(),
        };
        let begins = !inside.is_empty();
        graph.nodes.push(Node::new(Shape::Place, label).inside(inside).begins(begins));
    }
    for transition in &net.transitions {
        let node = graph.nodes.len();
        let called = transition.label.clone().filter(|label| *label != transition.name);
        let priority = (transition.priority > 0).then(|| format!("priority {}", transition.priority));
        let more: Vec<String> = called.into_iter().chain(priority).collect();
        let label = match more.as_slice() {
            [] => transition.name.clone(),
            more => format!("{} ({})", transition.name, more.join(", ")),
        };
        graph.nodes.push(Node::new(Shape::Box, label));
        for effect in &transition.effects {
            graph.edges.extend(arcs(effect, node));
        }
    }
    graph
}

/// The arcs between a place and a transition.
fn arcs(effect: &Effect, transition: usize) -> Vec<Edge> {
    let place = effect.place as usize;
    let weight = |weight: i32| if weight == 1 { String::new() } else { weight.to_string() };
    let towards = |label, style| Edge { from: place, to: transition, label, style };
    let mut arcs = Vec::new();
    if effect.take > 0 && effect.take == effect.put && !effect.reset {
        arcs.push(towards(weight(effect.take), Style::Both));
    } else {
        if effect.take > 0 {
            arcs.push(towards(weight(effect.take), Style::Arrow));
        }
        if effect.put > 0 {
            arcs.push(Edge { from: transition, to: place, label: weight(effect.put), style: Style::Arrow });
        }
    }
    if effect.read > effect.take {
        arcs.push(towards(weight(effect.read), Style::Both));
    }
    if let Some(below) = effect.below {
        arcs.push(towards(weight(below), Style::Inhibitor));
    }
    if effect.reset {
        arcs.push(towards(String::new(), Style::Reset));
    }
    arcs
}
