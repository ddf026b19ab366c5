//! `mandala draw`: a model as a picture.

use crate::arguments::{Draw, PictureFormat, Strategy};
use crate::failure::Failure;
use crate::session::{Session, reason_in_words};
use crate::status::Status;
use crate::{arguments, input, output};
use mandala::{Model, Picture, Reach, Shape};
use std::path::Path;

/// Runs the verb.
pub fn run(arguments: &Draw) -> Result<Status, Failure> {
    let format = arguments.format.map_or_else(|| format_of(&arguments.output), Ok)?;
    output::can_be_written(&arguments.output)?;
    let session = Session::begin(&arguments.engine, &arguments.show)?;
    let model = input::read(&arguments.model)?;
    let what = arguments.what.unwrap_or_else(|| usual(model.shape()));
    let picture = match what {
        _ if !arguments.around.is_empty() && what != arguments::Picture::Net => {
            let help = "`--what net` draws the net; `mandala explore` shows what is around a state";
            return Err(Failure::with_help("`--around` is for pictures of nets", help));
        }
        arguments::Picture::Net => net(&model, arguments)?,
        arguments::Picture::Hierarchy => model.hierarchy()?,
        arguments::Picture::Diagram => diagram(arguments, &session, &model)?,
        arguments::Picture::States => states(arguments, &session, &model)?,
    };
    // A diagram was measured before; here it may have its terminals as well.
    let is_measured = what == arguments::Picture::Diagram && format == PictureFormat::Dot;
    if picture.nodes() > arguments.most && !is_measured {
        let nodes = picture.nodes();
        return Err(too_large(format!("a picture with {nodes} nodes is too large to be looked at"), nodes));
    }
    if what == arguments::Picture::Net && picture.nodes() > LARGE && !arguments.show.quiet {
        let nodes = picture.nodes();
        output::complain(&format!("note: a picture with {nodes} nodes is hard to read; `--around PLACE` draws a part"));
    }
    output::save(
        &arguments.output,
        &match format {
            PictureFormat::Dot => picture.dot(),
            PictureFormat::Svg => picture.svg(),
        },
    )?;
    Ok(Status::Good)
}

fn too_large(text: String, nodes: usize) -> Failure {
    Failure::with_help(text, format!("`--most {nodes}` draws it all the same"))
}

/// Beyond so many nodes of a net nobody follows its arcs.
const LARGE: usize = 120;

fn net(model: &Model, arguments: &Draw) -> Result<Picture, Failure> {
    let picture = match arguments.around.as_slice() {
        [] => model.picture(),
        named => return Ok(model.picture_around(named, arguments.arcs)?),
    };
    picture.map_err(|error| match model.shape() {
        Shape::Program => Failure::with_help(error.message(), "`--what diagram` draws the diagram of its states"),
        _ => Failure::with_help(error.message(), "`--what hierarchy` draws its types"),
    })
}

fn diagram(arguments: &Draw, session: &Session, model: &Model) -> Result<Picture, Failure> {
    if arguments.engine.strategy == Strategy::Explicit {
        return Err(Failure::with_help("the strategy `explicit` makes no diagram", "choose `--strategy saturation`"));
    }
    let line = session.show_progress();
    let space = model.states().options(&session.options).symmetry(mandala::Symmetry::Off).run()?;
    drop(line);
    if let Some(reason) = space.stopped() {
        let text = format!("the diagram was not finished: {}", reason_in_words(reason));
        return Err(Failure::Stopped { reason, text, help: None });
    }
    match space.nodes() {
        Some(nodes) if nodes > arguments.most => {
            Err(too_large(format!("a diagram with {nodes} nodes is too large to be looked at"), nodes))
        }
        _ => Ok(space.picture(arguments.most)?),
    }
}

/// All states, or all symbolic markings, if they are no more than a picture may have.
fn states(arguments: &Draw, session: &Session, model: &Model) -> Result<Picture, Failure> {
    let help = "`--most N` draws up to N; `mandala explore` shows those around one";
    if let Some(graph) = model.symbolic_graph(&session.options, arguments.most)? {
        if !graph.is_complete {
            let text = format!("a picture with more than {} states is too large to be looked at", arguments.most);
            return Err(Failure::with_help(text, help));
        }
        return Ok(graph.picture(model.name()));
    }
    let walk = model.walk()?;
    let most = arguments.most.saturating_add(1);
    let reach = Reach { states: most, edges: most.saturating_mul(50), ..Reach::default() };
    let graph = walk.graph(&walk.initial_states()?, reach)?;
    if graph.states.len() > arguments.most {
        let text = format!("a picture with more than {} states is too large to be looked at", arguments.most);
        return Err(Failure::with_help(text, help));
    }
    Ok(graph.picture(model.name()))
}

/// What is drawn if nothing is said.
fn usual(shape: Shape) -> arguments::Picture {
    match shape {
        Shape::Net | Shape::ColouredNet => arguments::Picture::Net,
        Shape::Program => arguments::Picture::Diagram,
        Shape::Composite => arguments::Picture::Hierarchy,
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
