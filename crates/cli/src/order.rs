//! `--order` and `--hierarchy`: from what was written to what is done.

use crate::failure::Failure;
use crate::input::{self, Content};
use mandala_analysis::order::{Heuristic, file};
use mandala_check::options::{HierarchyChoice, OrderChoice};
use mandala_model::system::{System, Type};
use mandala_model::text::suggest::nearest;
use mandala_symbolic::plan::Hierarchy;
use std::path::Path;

/// How many neighbours a group has if nothing is said.
const GROUP: usize = 8;

/// The order that an argument means, for a system.
pub fn choose(argument: &str, system: &System) -> Result<OrderChoice, Failure> {
    if argument == "auto" {
        return Ok(OrderChoice::Automatic);
    }
    match argument.parse::<Heuristic>() {
        Ok(heuristic) => Ok(OrderChoice::Heuristic(heuristic)),
        Err(_) => Ok(OrderChoice::Given(read(argument, system)?)),
    }
}

/// The order in a file.
fn read(argument: &str, system: &System) -> Result<Vec<u32>, Failure> {
    let names: Vec<&str> = Heuristic::all().iter().map(|heuristic| heuristic.name()).chain(["auto"]).collect();
    if argument != "-" && !Path::new(argument).exists() {
        let text = format!("there is no order called `{argument}`, and no such file");
        let help = match nearest(argument, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("choose one of {}, or a file with one name of a place a line", names.join(", ")),
        };
        return Err(Failure::with_help(text, help));
    }
    let (names, what): (Vec<String>, &str) = match system.types.get(system.main) {
        Some(Type::Net(net)) => (net.places.iter().map(|place| place.name.clone()).collect(), "place"),
        Some(Type::Program(program)) => {
            (program.variables.iter().map(|variable| variable.name.clone()).collect(), "variable")
        }
        Some(Type::Composite(composite)) => {
            (composite.instances.iter().map(|instance| instance.name.clone()).collect(), "instance")
        }
        None => (Vec::new(), "place"),
    };
    let text = input::text(argument, Content::Order)?;
    file::read(&text, &names).map_err(|error| {
        Failure::with_help(
            format!("{argument} is not an order of the {what}s of this model\n{error}"),
            format!("the file must name each {what} once, one a line, from the top of the diagram to its bottom"),
        )
    })
}

/// Reads `--hierarchy`.
pub fn hierarchy(text: &str) -> Result<HierarchyChoice, String> {
    match text {
        "auto" => return Ok(HierarchyChoice::Automatic),
        "off" => return Ok(HierarchyChoice::Fixed(Hierarchy::Off)),
        "units" => return Ok(HierarchyChoice::Fixed(Hierarchy::Units)),
        "semiflows" => return Ok(HierarchyChoice::Fixed(Hierarchy::Semiflows)),
        "communities" => return Ok(HierarchyChoice::Fixed(Hierarchy::Communities)),
        "balanced" => return Ok(HierarchyChoice::Fixed(Hierarchy::Balanced(GROUP))),
        _ => {}
    }
    let size = text.strip_prefix("balanced:").and_then(|size| size.parse().ok()).filter(|&size| size >= 2);
    let size = size.ok_or(
        "it is `auto`, `off`, `units`, `semiflows`, `communities`, `balanced` or `balanced:SIZE` with a size from 2",
    )?;
    Ok(HierarchyChoice::Fixed(Hierarchy::Balanced(size)))
}
