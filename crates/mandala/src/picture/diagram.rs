//! The decision diagram of the reachable states.
//!
//! The diagram library writes it for Graphviz, a line for each node or edge; from these lines comes the graph that is
//! drawn without Graphviz.

use super::graph::{Edge, Graph, Node, Shape, Style};
use std::collections::HashMap;

/// The graph that lines of Graphviz describe.
pub fn graph(dot: &str) -> Graph {
    let mut graph = Graph::default();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut edges = Vec::new();
    for line in dot.lines() {
        let Some((head, attributes)) = line.trim().split_once(" [") else { continue };
        if let Some((from, to)) = head.split_once(" -> ") {
            edges.push((from.to_owned(), to.to_owned(), attributes));
        } else if head != "node" && head != "edge" {
            let shape = if attributes.contains("shape=box") { Shape::Box } else { Shape::Round };
            known.insert(head.to_owned(), graph.nodes.len());
            graph.nodes.push(Node::new(shape, label(attributes)));
        }
    }
    for (from, to, attributes) in edges {
        if let (Some(&from), Some(&to)) = (known.get(&from), known.get(&to)) {
            let style = if attributes.contains("style=dashed") { Style::Dashed } else { Style::Arrow };
            graph.edges.push(Edge { from, to, label: label(attributes), style });
        }
    }
    graph
}

/// The label among some attributes, without its escapes.
fn label(attributes: &str) -> String {
    let Some((_, rest)) = attributes.split_once("label=\"") else { return String::new() };
    let mut text = String::new();
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => text.extend(letters.next().map(|next| if next == 'n' { ' ' } else { next })),
            _ => text.push(letter),
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_a_graph() {
        let dot = "digraph {\n  node [fontsize=12];\n  n3 [label=\"a \\\"b\\\"\"];\n  n1 [shape=box, label=\"1\"];\n  \
                   n3 -> n1 [label=\" 0..=2 \"];\n}\n";
        let graph = graph(dot);
        assert_eq!(graph.nodes.len(), 2);
        assert_eq!(graph.nodes[0].label, "a \"b\"");
        assert_eq!(graph.edges, [Edge { from: 0, to: 1, label: "0..=2".to_owned(), style: Style::Arrow }]);
    }
}
