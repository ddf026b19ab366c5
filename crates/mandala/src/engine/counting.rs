//! Symbolic markings of coloured nets on diagrams: by counting colours, and as tensors.

use super::markings::{self, Explored};
use super::session::Session;
use crate::error::{Error, ErrorKind};
use crate::subclasses::SymbolicMarkings;
use mandala_analysis::coloured::partition::{Initial, Partition, Symmetry};
use mandala_check::explore::Stopped;
use mandala_check::options::QuotientChoice;
use mandala_check::quotient::counted;
use mandala_check::tensors;
use mandala_diagram::{Count, Strategy};
use mandala_model::coloured::counting::{Counted, Obstacle};
use mandala_model::coloured::{ColouredNet, unfold};
use mandala_model::system::Type;
use mandala_symbolic::tensors::CannotTensor;
use std::cell::Cell;
use std::time::Duration;

/// What is done between two looks at the limits counts as so much work.
const WORK_OF_A_LOOK: u64 = 1_000;

/// Why it was left, where work is counted.
const MORE_WORK: &str = "counting colours takes more work";

/// Finds all symbolic markings by counting colours, perhaps with so much work at most. A net for which that cannot be done is a
/// reason, not an error.
pub(crate) fn counted(
    session: &Session<'_>, net: &ColouredNet, work: Option<u64>,
) -> Result<Result<Explored, String>, Error> {
    let options = session.options;
    let looks = Cell::new(0);
    let go_on = |_: &unfold::Progress| {
        looks.set(looks.get() + WORK_OF_A_LOOK);
        work.is_none_or(|work| looks.get() <= work) && options.reason_to_stop().is_none()
    };
    let counted = match counted::count(net, &unfold::Limits { bytes: options.bytes_for_models()?, go_on: &go_on }) {
        Ok(counted) => counted,
        Err(refusal) => return Ok(Err(refusal.to_string())),
    };
    let mut diagrams = session.diagrams(&counted.system, session.strategy().unwrap_or(Strategy::Saturation))?;
    diagrams.quotient = QuotientChoice::Automatic;
    diagrams.limits.work = work;
    let found = Partition::find(net, markings::source(options), Initial::Matters, &[]);
    let differences = differences(net, &found, &|class| subclasses_counted(net, &counted, class));
    let mut explored = nothing_yet("counting", words(net, &counted));
    explored.symbolic.is_unique = differences.is_empty();
    explored.symbolic.how.extend(differences);
    match counted::explore_counted(&counted, &diagrams) {
        Ok(found) => {
            explored.states = found.ordinary;
            explored.symbolic.markings = found.symbolic;
            explored.symbolic.is_unique &= found.is_canonical;
            explored.symbolic.bytes = found.space.peak_bytes as u64;
            match found.stopped {
                Some(mandala_diagram::Error::Work { .. }) => return Ok(Err(MORE_WORK.to_owned())),
                Some(error) => explored.stopped = Some(session.reason(&error)?),
                None => {}
            }
        }
        Err(Stopped::Limit { error: mandala_diagram::Error::Work { .. }, .. }) => return Ok(Err(MORE_WORK.to_owned())),
        Err(Stopped::Limit { error, .. }) => explored.stopped = Some(session.reason(&error)?),
        Err(stopped) => return Err(Error::new(ErrorKind::Model, stopped.to_string())),
    }
    explored.time = session.elapsed();
    Ok(Ok(explored))
}

/// What is known before anything was found.
pub(super) fn nothing_yet(engine: &'static str, how: Vec<String>) -> Explored {
    let symbolic = SymbolicMarkings {
        engine,
        markings: Count::zero(),
        is_unique: true,
        firings: None,
        deadlocks: None,
        bytes: 0,
        classes: Vec::new(),
        how,
    };
    Explored { states: None, symbolic, stopped: None, time: Duration::ZERO }
}

/// What was counted, and what is left, a line each.
fn words(net: &ColouredNet, counted: &Counted) -> Vec<String> {
    let name = |class: u32| &net.classes[class as usize].name;
    let left = match &counted.system.types[0] {
        Type::Net(net) => format!("a net of {} places and {} transitions", net.places.len(), net.transitions.len()),
        Type::Program(program) => {
            format!("a program of {} variables and {} transitions", program.variables.len(), program.transitions.len())
        }
        Type::Queues(_) => "a net with queues".to_owned(),
        Type::Composite(_) => "a composite".to_owned(),
    };
    let names: Vec<String> = counted.classes.iter().map(|&class| format!("`{}`", name(class))).collect();
    let mut lines = vec![format!("the colours of {} are counted: {left}", names.join(", "))];
    let others = counted.obstacles.iter();
    lines.extend(others.map(|(class, obstacle)| format!("not those of `{}`: {obstacle}", name(*class))));
    lines
}

/// Where an engine on diagrams tells more colours apart than the list of symbolic markings does, in words. It has the static
/// subclasses that arcs, guards and the initial marking name, one by one; it does not see that several together name nothing in
/// particular, or that an order is used only in a way that leaves some colours alike. `here` is the number of its subclasses, of
/// a class for which that is known.
fn differences(net: &ColouredNet, found: &Partition, here: &dyn Fn(u32) -> Option<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    for ((class, of), found) in (0..).zip(&net.classes).zip(&found.classes) {
        let Some(here) = here(class) else { continue };
        let name = &of.name;
        match found.symmetry {
            Symmetry::Exchanged if here != found.cells.len() => lines.push(format!(
                "`{name}` has the {here} subclasses that are named one by one, not {}",
                found.cells.len()
            )),
            Symmetry::Turned => lines.push(format!("`{name}` is not turned")),
            Symmetry::Exchanged | Symmetry::None => {}
        }
    }
    lines
}

/// How many subclasses of a class are counted, or are told apart where it is not; nothing if its symmetries are used otherwise.
fn subclasses_counted(net: &ColouredNet, counted: &Counted, class: u32) -> Option<usize> {
    if counted.classes.contains(&class) {
        return Some(counted.cells.iter().filter(|cell| cell.class == class).count());
    }
    let obstacle = counted.obstacles.iter().find(|one| one.0 == class)?;
    let is_told_apart = matches!(obstacle.1, Obstacle::Ordered | Obstacle::AllDifferent);
    is_told_apart.then(|| net.classes[class as usize].len() as usize)
}

/// Finds all symbolic markings as tensors. A net for which that cannot be done is a reason, not an error.
pub(crate) fn as_tensors(session: &Session<'_>, net: &ColouredNet) -> Result<Result<Explored, CannotTensor>, Error> {
    let mut explored = nothing_yet("tensors", Vec::new());
    match tensors::explore(net, &session.limits(None)) {
        Ok(found) => {
            explored.symbolic.markings = found.count;
            let of = |class: u32| found.cells.iter().find(|one| one.class == class);
            let here =
                |class: u32| Some(of(class).map_or(net.classes[class as usize].len() as usize, |one| one.cells.len()));
            let partition = Partition::find(net, markings::source(session.options), Initial::Matters, &[]);
            let differences = differences(net, &partition, &here);
            explored.symbolic.is_unique = found.is_unique && differences.is_empty();
            explored.states = found.ordinary;
            explored.symbolic.how.push(format!("tensors in {} nodes, {} at most", found.nodes, found.peak_nodes));
            explored.symbolic.how.extend(differences);
        }
        Err(CannotTensor::Limit(error)) => explored.stopped = Some(session.reason(&error)?),
        Err(refusal) => return Ok(Err(refusal)),
    }
    explored.time = session.elapsed();
    Ok(Ok(explored))
}
