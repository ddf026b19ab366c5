//! The graph of all states, as a file for other tools: DOT, JSON, or Aldebaran's `.aut`.

use crate::arguments::Dump;
use crate::failure::Failure;
use crate::output;
use mandala::{Model, Options, Reach, Space, StateEdge, Symmetry};
use serde_json::{Value, json};
use std::path::Path;

/// Formats of graphs of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The language of Graphviz.
    Dot,
    /// One JSON object.
    Json,
    /// Aldebaran's: labelled transitions, and nothing of what is in the states.
    Aut,
}

impl Format {
    /// What the ending of a file says.
    pub fn of_file(file: &str) -> Result<Format, Failure> {
        let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("dot" | "gv") => Ok(Format::Dot),
            Some("json") => Ok(Format::Json),
            Some("aut") => Ok(Format::Aut),
            _ => {
                let text = format!("the ending of {file} does not say in which format the states are to be written");
                Err(Failure::with_help(text, "it is one of .dot, .json and .aut"))
            }
        }
    }
}

/// A graph as it is written.
struct Graph {
    name: String,
    /// What each number of a state stands for; nothing if states are written in words.
    variables: Vec<String>,
    nodes: Vec<Node>,
    edges: Vec<StateEdge>,
}

/// A state as it is written.
struct Node {
    shown: String,
    json: Value,
    is_initial: bool,
    is_dead: bool,
}

/// Writes the graph of the states of a model to the file of the options, if it is not too large. Whether there was nothing to write, or it was written.
pub fn write(dump: &Dump, options: &Options, space: &Space, is_quiet: bool) -> Result<bool, Failure> {
    let Some(file) = &dump.dump else { return Ok(true) };
    let (model, most) = (space.model(), dump.dump_states);
    if space.representatives().is_some_and(|states| states.to_u64().is_none_or(|states| states > most as u64)) {
        return Ok(too_many(most));
    }
    let (graph, what) = match space.symbolic() {
        Some(_) => (of_markings(model, options, most)?, "symbolic marking"),
        None => (of_states(model, most)?, "state"),
    };
    let Some(graph) = graph else { return Ok(too_many(most)) };
    let text = match Format::of_file(file)? {
        Format::Dot => dot(&graph),
        Format::Json => as_json(&graph),
        Format::Aut => aut(&graph),
    };
    output::save(file, &text)?;
    if !is_quiet {
        let (states, steps) = (graph.nodes.len(), graph.edges.len());
        output::complain(&format!(
            "{} and {} written to {file}",
            output::count(states, what),
            output::count(steps, "step")
        ));
    }
    Ok(true)
}

/// The graph of all states, if there are not too many.
fn of_states(model: &Model, most: usize) -> Result<Option<Graph>, Failure> {
    let walk = model.walk()?;
    let reach = Reach { steps: usize::MAX, states: most, edges: most.saturating_mul(50), merge: false };
    let graph = walk.graph(&walk.initial_states()?, reach)?;
    if !graph.is_complete() {
        return Ok(None);
    }
    let variables = graph.states.first().map_or(&[][..], |node| node.state.variables().names()).to_vec();
    let nodes = graph.states.iter().map(|node| Node {
        shown: node.state.to_string(),
        json: json!(node.state.values()),
        is_initial: node.distance == 0,
        is_dead: node.is_dead == Some(true),
    });
    Ok(Some(Graph { name: model.name().to_owned(), variables, nodes: nodes.collect(), edges: graph.edges }))
}

/// The graph of all symbolic markings, if there are not too many.
fn of_markings(model: &Model, options: &Options, most: usize) -> Result<Option<Graph>, Failure> {
    let Some(graph) = model.symbolic_graph(options, most)?.filter(|graph| graph.is_complete) else {
        return Ok(None);
    };
    let nodes = graph.markings.iter().enumerate().map(|(number, node)| Node {
        shown: node.shown.clone(),
        json: json!({ "marking": node.shown, "stands_for": format!("{:#}", node.stands_for) }),
        is_initial: number == 0,
        is_dead: node.is_dead == Some(true),
    });
    let nodes = nodes.collect();
    Ok(Some(Graph { name: model.name().to_owned(), variables: Vec::new(), nodes, edges: graph.edges }))
}

/// Refuses what cannot be dumped, before anything is done.
pub fn refuse(dump: &Dump, options: &Options, model: &Model) -> Result<(), Failure> {
    let Some(file) = &dump.dump else { return Ok(()) };
    Format::of_file(file)?;
    output::can_be_written(file)?;
    if options.symmetry == Symmetry::Off || model.symbolic_graph(options, 0)?.is_some() {
        return Ok(());
    }
    let help = "leave out `--symmetry` to write all states";
    Err(Failure::with_help("the graph of representatives cannot be written to a file", help))
}

/// Says that nothing was written.
fn too_many(most: usize) -> bool {
    output::complain(&format!(
        "stopped: the graph has more than {most} states (or very many steps), and was not written\n  \
         help: `--dump-states` allows more"
    ));
    false
}

fn dot(graph: &Graph) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("digraph \"{}\" {{\n", escaped(&graph.name));
    for (number, node) in graph.nodes.iter().enumerate() {
        let initial = if node.is_initial { ", penwidth=2" } else { "" };
        let dead = if node.is_dead { ", shape=box" } else { "" };
        text.push_str(&format!("  {number} [label=\"{}\"{initial}{dead}];\n", escaped(&node.shown)));
    }
    for edge in &graph.edges {
        text.push_str(&format!("  {} -> {} [label=\"{}\"];\n", edge.from, edge.to, escaped(&edge.transition)));
    }
    text + "}\n"
}

impl Graph {
    fn initial(&self) -> Vec<usize> {
        self.nodes.iter().enumerate().filter(|(_, node)| node.is_initial).map(|(number, _)| number).collect()
    }
}

fn as_json(graph: &Graph) -> String {
    let object = json!({
        "model": graph.name,
        "variables": graph.variables,
        "initial": graph.initial(),
        "states": graph.nodes.iter().map(|node| &node.json).collect::<Vec<&Value>>(),
        "steps": graph.edges.iter().map(|edge| json!([edge.from, edge.transition, edge.to])).collect::<Vec<Value>>(),
    });
    serde_json::to_string(&object).unwrap_or_default() + "\n"
}

/// Aldebaran's format has one initial state: where there are several, a state more leads to each of them by the step `i`, which
/// stands for what cannot be seen.
fn aut(graph: &Graph) -> String {
    let begins = graph.initial();
    let (mut steps, mut states, mut first) =
        (graph.edges.len(), graph.nodes.len(), begins.first().copied().unwrap_or(0));
    let mut more = String::new();
    if begins.len() > 1 {
        first = states;
        states += 1;
        steps += begins.len();
        begins.iter().for_each(|begin| more.push_str(&format!("({first}, \"i\", {begin})\n")));
    }
    let mut text = format!("des ({first}, {steps}, {states})\n{more}");
    for edge in &graph.edges {
        text.push_str(&format!("({}, \"{}\", {})\n", edge.from, edge.transition.replace('"', "'"), edge.to));
    }
    text
}
