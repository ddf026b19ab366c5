//! `mandala draw`: a model as a picture.
//!
//! What is drawn becomes a [`graph`], which is laid out in [`layers`] and written as [`svg`], or left to Graphviz as
//! [`dot`].

mod diagram;
mod dot;
mod graph;
mod hierarchy;
mod layers;
mod net;
mod svg;

use crate::arguments::{Draw, Picture, PictureFormat};
use crate::failure::Failure;
use crate::session::Session;
use crate::status::Status;
use crate::{input, output};
use graph::Graph;
use mandala_model::system::{System, Type};
use std::path::Path;

/// Runs the verb.
pub fn run(arguments: &Draw) -> Result<Status, Failure> {
    let format = arguments.format.map_or_else(|| format_of(&arguments.output), Ok)?;
    let session = Session::begin(&arguments.engine, &arguments.show);
    let model = input::read(&arguments.model.model, &arguments.model.defines)?;
    let system = &model.system;
    let graph = match arguments.what.unwrap_or_else(|| usual(system)) {
        Picture::Net => net::graph(system)?,
        Picture::Hierarchy => hierarchy::graph(system),
        Picture::Diagram => {
            let text = diagram::dot(arguments, &session, system)?;
            if format == PictureFormat::Dot {
                output::save(&arguments.output, &text)?;
                return Ok(Status::Good);
            }
            diagram::graph(&text)
        }
    };
    check_size(&graph, arguments)?;
    let text = match format {
        PictureFormat::Dot => dot::write(&graph),
        PictureFormat::Svg => svg::write(&graph, &layers::place(&graph), &system.name),
    };
    output::save(&arguments.output, &text)?;
    Ok(Status::Good)
}

fn check_size(graph: &Graph, arguments: &Draw) -> Result<(), Failure> {
    if graph.nodes.len() <= arguments.most {
        return Ok(());
    }
    let text = format!("a picture with {} nodes is too large to be looked at", graph.nodes.len());
    Err(Failure::with_help(text, format!("`--most {}` draws it all the same", graph.nodes.len())))
}

/// What is drawn if nothing is said.
fn usual(system: &System) -> Picture {
    match system.types.get(system.main) {
        Some(Type::Net(_)) => Picture::Net,
        Some(Type::Program(_)) => Picture::Diagram,
        _ => Picture::Hierarchy,
    }
}

fn format_of(file: &str) -> Result<PictureFormat, Failure> {
    let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("svg") => Ok(PictureFormat::Svg),
        Some("dot" | "gv") => Ok(PictureFormat::Dot),
        None if file == "-" => Ok(PictureFormat::Svg),
        _ => Err(Failure::with_help(
            format!("the ending of {file} does not say which kind of picture to write"),
            "end its name in `.svg` or `.dot`, or say `--format svg` or `--format dot`",
        )),
    }
}
