//! The graph of all states, as a file for other tools: DOT, JSON, or Aldebaran's `.aut`.

use crate::arguments::{Dump, States};
use crate::failure::Failure;
use crate::output;
use mandala::{Model, Reach, Shape, StateGraph};
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

/// Writes the graph of the states of a model to the file of the options, if it is not too large. `states` is how many there
/// are, if that is known. Whether there was nothing to write, or it was written.
pub fn write(arguments: &States, dump: &Dump, model: &Model, states: Option<u64>) -> Result<bool, Failure> {
    let Some(file) = &dump.dump else { return Ok(true) };
    let most = dump.dump_states;
    if states.is_some_and(|states| states > most as u64) {
        return Ok(too_many(most));
    }
    let walk = model.walk()?;
    let reach = Reach { steps: usize::MAX, states: most, edges: most.saturating_mul(50), merge: false };
    let graph = walk.graph(&walk.initial_states()?, reach)?;
    if !graph.is_complete() {
        return Ok(too_many(most));
    }
    let text = match Format::of_file(file)? {
        Format::Dot => dot(&graph, model.name()),
        Format::Json => as_json(&graph, model.name()),
        Format::Aut => aut(&graph),
    };
    output::save(file, &text)?;
    if !arguments.show.json {
        let (states, steps) = (graph.states.len(), graph.edges.len());
        output::complain(&format!(
            "{} and {} written to {file}",
            output::count(states, "state"),
            output::count(steps, "step")
        ));
    }
    Ok(true)
}

/// Refuses what cannot be dumped, before anything is done.
pub fn refuse(arguments: &States, dump: &Dump, model: &Model) -> Result<(), Failure> {
    let Some(file) = &dump.dump else { return Ok(()) };
    Format::of_file(file)?;
    output::can_be_written(file)?;
    if arguments.engine.symmetry == crate::arguments::Symmetry::Off {
        return Ok(());
    }
    let help = "leave out `--symmetry` to write all states";
    Err(match model.shape() {
        Shape::ColouredNet => Failure::with_help("symbolic markings cannot be written to a file yet", help),
        _ => Failure::with_help("the graph of representatives cannot be written to a file", help),
    })
}

/// Says that nothing was written.
fn too_many(most: usize) -> bool {
    output::complain(&format!(
        "stopped: the graph has more than {most} states (or very many steps), and was not written\n  \
         help: `--dump-states` allows more"
    ));
    false
}

fn dot(graph: &StateGraph, name: &str) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("digraph \"{}\" {{\n", escaped(name));
    for (number, node) in graph.states.iter().enumerate() {
        let mut style = String::new();
        if node.distance == 0 {
            style.push_str(", penwidth=2");
        }
        if node.is_dead == Some(true) {
            style.push_str(", shape=box");
        }
        text.push_str(&format!("  {number} [label=\"{}\"{style}];\n", escaped(&node.state.to_string())));
    }
    for edge in &graph.edges {
        text.push_str(&format!("  {} -> {} [label=\"{}\"];\n", edge.from, edge.to, escaped(&edge.transition)));
    }
    text + "}\n"
}

fn as_json(graph: &StateGraph, name: &str) -> String {
    let variables: &[String] = graph.states.first().map_or(&[], |node| node.state.variables().names());
    let states = graph.states.iter().map(|node| json!(node.state.values()));
    let initial = graph.states.iter().enumerate().filter(|(_, node)| node.distance == 0).map(|(number, _)| number);
    let object = json!({
        "model": name,
        "variables": variables,
        "initial": initial.collect::<Vec<usize>>(),
        "states": states.collect::<Vec<Value>>(),
        "steps": graph.edges.iter().map(|edge| json!([edge.from, edge.transition, edge.to])).collect::<Vec<Value>>(),
    });
    serde_json::to_string(&object).unwrap_or_default() + "\n"
}

/// Aldebaran's format has one initial state: where there are several, a state more leads to each of them by the step `i`, which
/// stands for what cannot be seen.
fn aut(graph: &StateGraph) -> String {
    let begins: Vec<usize> =
        graph.states.iter().enumerate().filter(|(_, node)| node.distance == 0).map(|(number, _)| number).collect();
    let (mut steps, mut states, mut first) =
        (graph.edges.len(), graph.states.len(), begins.first().copied().unwrap_or(0));
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
