//! Orders of variables: from what was asked for to what is done.

use crate::error::{Error, ErrorKind};
use crate::input::{self, Content};
use crate::options::Order;
use mandala_analysis::order::{Heuristic, file};
use mandala_check::options::OrderChoice;
use mandala_model::system::{System, Type};
use mandala_model::text::suggest::nearest;
use std::path::Path;

/// The order that is meant, for a system.
pub fn choose(order: &Order, system: &System) -> Result<OrderChoice, Error> {
    match order {
        Order::Auto => Ok(OrderChoice::Automatic),
        Order::Heuristic(heuristic) => Ok(OrderChoice::Heuristic(*heuristic)),
        Order::Names(names) => given(&names.join("\n"), "the order", system),
        Order::File(file) => {
            exists(file)?;
            given(&input::text(file, Content::Order)?, file, system)
        }
    }
}

/// A file that is not there may be the name of a heuristic with a mistake in it.
fn exists(file: &str) -> Result<(), Error> {
    if file == input::STANDARD_INPUT || Path::new(file).exists() {
        return Ok(());
    }
    let names: Vec<&str> = Heuristic::all().iter().map(|heuristic| heuristic.name()).chain(["auto"]).collect();
    let text = format!("there is no order called `{file}`, and no such file");
    let help = match nearest(file, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("choose one of {}, or a file with one name of a place per line", names.join(", ")),
    };
    Err(Error::with_help(ErrorKind::Order, text, help))
}

fn given(text: &str, source: &str, system: &System) -> Result<OrderChoice, Error> {
    let kind = system.main_type();
    let what = match kind {
        Type::Net(_) | Type::Queues(_) => "place",
        Type::Program(_) => "variable",
        Type::Composite(_) => "instance",
    };
    let instances = kind.instances().iter().map(|instance| instance.name.as_str());
    let mut names: Vec<String> = kind.variable_names().into_iter().chain(instances).map(str::to_owned).collect();
    if let Type::Queues(queues) = kind {
        // The letters of a queue are where the queue is.
        names.truncate(queues.net.places.len());
    }
    let order = file::read(text, &names).map_err(|error| {
        Error::with_help(
            ErrorKind::Order,
            format!("{source} is not an order of the {what}s of this model\n{error}"),
            format!("the file must name each {what} once, one per line, from the top of the diagram to its bottom"),
        )
    })?;
    Ok(OrderChoice::Given(order))
}
