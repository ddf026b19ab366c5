//! The decision diagram of the reachable states.
//!
//! The diagram library writes it for Graphviz, a line a node or edge; from these lines comes the graph that is drawn
//! without Graphviz.

use super::graph::{Edge, Graph, Node, Shape, Style};
use crate::arguments::Draw;
use crate::failure::Failure;
use crate::session::Session;
use crate::states::refused;
use mandala_check::explore::Stopped;
use mandala_check::space::SystemSpace;
use mandala_model::system::{System, Type};
use mandala_symbolic::layout::{Content, Slot};
use std::collections::HashMap;

/// The diagram in the language of Graphviz.
pub fn dot(arguments: &Draw, session: &Session, system: &System) -> Result<String, Failure> {
    let strategy = arguments.engine.strategy.of_diagrams().ok_or_else(|| {
        Failure::with_help("the strategy `explicit` makes no diagram", "choose `--strategy saturation`")
    })?;
    let options = session.options(system, &arguments.engine, strategy)?;
    let line = session.show_progress();
    let space = match mandala_check::explore::explore(system, &options) {
        Ok(space) => space,
        Err(Stopped::Limit { error, .. }) => {
            return Err(Failure::new(format!("the diagram was not finished: {}", session.reason(&error)?)));
        }
        Err(stopped) => return Err(refused(session, system, &stopped)),
    };
    drop(line);
    let nodes = space.encoded.store.size(&space.states).nodes;
    if nodes > arguments.most {
        let text = format!("a diagram with {nodes} nodes is too large to be looked at");
        return Err(Failure::with_help(text, format!("`--most {nodes}` draws it all the same")));
    }
    let names = names(&space, system);
    let name = |variable: u32| names.get(variable as usize).cloned().unwrap_or_else(|| format!("x{variable}"));
    Ok(space.encoded.store.dot(&space.states).name(name).to_string())
}

/// The names of the variables of the main type, by their number, where variables below have no other meaning.
fn names(space: &SystemSpace<'_>, system: &System) -> Vec<String> {
    let kind = system.types.get(system.main);
    let name_of = |variable: u32| match kind {
        Some(Type::Net(net)) => net.places.get(variable as usize).map(|place| place.name.as_str()),
        Some(Type::Program(program)) => program.variables.get(variable as usize).map(|variable| variable.name.as_str()),
        _ => None,
    };
    let Some(layout) = space.encoded.layout(system.main) else { return Vec::new() };
    let slot = |slot: &Slot| match slot {
        Slot::Data(Content::Number(followers)) => followers.first().and_then(|first| name_of(first.variable)),
        _ => None,
    };
    let unit = |slot: &Slot| match slot {
        Slot::Data(Content::Unit { places, .. }) => {
            let names: Vec<&str> = places.iter().filter_map(|&place| name_of(place)).collect();
            Some(names.join("|"))
        }
        _ => None,
    };
    if layout.depth() > 0 {
        return Vec::new();
    }
    let slots = layout.slots().iter().enumerate();
    slots
        .map(|(number, one)| slot(one).map(str::to_owned).or_else(|| unit(one)).unwrap_or_else(|| format!("x{number}")))
        .collect()
}

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
            graph.nodes.push(Node { shape, label: label(attributes), inside: String::new() });
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
