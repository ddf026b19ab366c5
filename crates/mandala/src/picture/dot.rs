//! Graphs in the language of Graphviz.

use super::graph::{Graph, Shape, Style};

/// A graph for Graphviz.
pub fn write(graph: &Graph) -> String {
    let mut text = "digraph {\n  node [fontname=\"Helvetica\", fontsize=12];\n".to_owned();
    text.push_str("  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let label = quoted(&node.label);
        let attributes = match node.shape {
            Shape::Place => format!("shape=circle, width=0.4, label={}, xlabel={label}", quoted(&node.inside)),
            Shape::Box => format!("shape=box, label={label}"),
            Shape::Round => format!("shape=box, style=rounded, label={label}"),
        };
        text.push_str(&format!("  n{index} [{attributes}];\n"));
    }
    for edge in &graph.edges {
        let style = match edge.style {
            Style::Arrow => "",
            Style::Both => ", dir=both",
            Style::Inhibitor => ", arrowhead=odot",
            Style::Reset => ", arrowhead=normalnormal",
            Style::Dashed => ", style=dashed",
        };
        text.push_str(&format!("  n{} -> n{} [label={}{style}];\n", edge.from, edge.to, quoted(&edge.label)));
    }
    text.push_str("}\n");
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
