//! The types of a system as a graph: an edge from a composite to each type that it holds instances of.

use super::graph::{Edge, Graph, Node, Shape, Style};
use crate::facts::instances;
use mandala_model::system::{System, Type};

/// The types of a system that occur in it.
pub fn graph(system: &System) -> Graph {
    let totals = instances(system);
    let mut graph = Graph::default();
    let mut node_of = vec![None; system.types.len()];
    for index in (0..system.types.len()).rev() {
        if totals[index].is_zero() {
            continue;
        }
        let shape = if matches!(system.types[index], Type::Composite(_)) { Shape::Round } else { Shape::Box };
        node_of[index] = Some(graph.nodes.len());
        graph.nodes.push(Node::new(shape, system.types[index].name()));
    }
    for (index, kind) in system.types.iter().enumerate() {
        let Some(from) = node_of[index] else { continue };
        let mut parts: Vec<(usize, Vec<&str>)> = Vec::new();
        for instance in kind.instances() {
            match parts.iter_mut().find(|(kind, _)| *kind == instance.type_index) {
                Some((_, names)) => names.push(&instance.name),
                None => parts.push((instance.type_index, vec![&instance.name])),
            }
        }
        for (kind, names) in parts {
            let label = match names.as_slice() {
                [name] => (*name).to_owned(),
                [first, .., last] => format!("{} times: {first} to {last}", names.len()),
                [] => String::new(),
            };
            if let Some(to) = node_of[kind] {
                graph.edges.push(Edge { from, to, label, style: Style::Arrow });
            }
        }
    }
    graph
}
