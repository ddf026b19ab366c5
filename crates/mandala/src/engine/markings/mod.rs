//! Coloured nets up to exchanging colours, by symbolic markings and without unfolding them.

mod questions;
mod traces;

pub(crate) use questions::answer;

use super::counting;
use super::session::Session;
use crate::error::{Error, ErrorKind};
use crate::options::{Note, Options, Partition, Symbolic, Symmetries, Symmetry, SymmetryOfFormula};
use crate::reason::Reason;
use crate::subclasses::{ClassOfColours, SymbolicMarkings};
use mandala_analysis::coloured::partition::{self, Initial, Source};
use mandala_check::{explicit, markings};
use mandala_diagram::Count;
use mandala_model::coloured::ColouredNet;
use mandala_model::coloured::property::ColouredNets;
use mandala_symbolic::marking::{SymbolicNet, sets};
use std::time::Duration;

/// Symbolic markings that are found one by one at most, if nothing is said.
const PATIENCE: u64 = 2_000_000;

/// So many are listed before another engine is tried.
const FEW: u64 = 5_000;

/// Shapes of symbolic markings that are found before another engine is tried, and at most.
const FEW_SHAPES: u64 = 2_000;
const MANY_SHAPES: u64 = 200_000;

/// How much work is done to count colours before all is listed; and a part of the time, if there is a limit.
const WORK_TO_COUNT: u64 = 20_000_000;
const PART_TO_COUNT: u32 = 5;

/// The same, where the net is unfolded otherwise.
const WORK_TO_COUNT_BRIEFLY: u64 = 10_000_000;
const PART_TO_COUNT_BRIEFLY: u32 = 10;

/// Which engine takes a coloured net; nothing if it is unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The best one, and others after it.
    Auto,
    /// One symbolic marking after the other.
    List,
    /// Those that differ only in sizes together, in diagrams.
    Sets,
    /// By counting colours in local states.
    Counting,
    /// As tensors in diagrams.
    Tensors,
}

/// Which way some options want for a net; `None` if it is to be unfolded.
pub(crate) fn way(options: &Options, net: &ColouredNet) -> Result<Option<Way>, Error> {
    match options.symbolic {
        Symbolic::Off => Ok(None),
        Symbolic::Auto => {
            let wanted = options.symmetry == Symmetry::Auto
                && options.symmetries == Symmetries::Found
                && options.symmetry_of_formula == SymmetryOfFormula::Auto;
            // Of rings alone, diagrams of the unfolded net make more.
            let found = || partition::Partition::find(net, source(options), Initial::Ignored, &[]);
            Ok((wanted && found().has_exchanges()).then_some(Way::Auto))
        }
        Symbolic::List => Ok(Some(Way::List)),
        Symbolic::Sets => Ok(Some(Way::Sets)),
        Symbolic::Counting => Ok(Some(Way::Counting)),
        Symbolic::Tensors => Ok(Some(Way::Tensors)),
    }
}

/// Which static subclasses some options want.
pub(crate) fn source(options: &Options) -> Source {
    match options.partition {
        Partition::Found => Source::Found,
        Partition::Declared => Source::Declared,
    }
}

/// What was found when symbolic markings were looked for.
pub(crate) struct Explored {
    /// Ordinary markings, if they were counted.
    pub states: Option<Count>,
    /// The symbolic ones.
    pub symbolic: SymbolicMarkings,
    /// Why these are not all.
    pub stopped: Option<Reason>,
    /// How long it took.
    pub time: Duration,
}

/// Finds all symbolic markings. Nothing if another way is to be taken.
pub(crate) fn states(options: &Options, net: &ColouredNet, way: Way) -> Result<Option<Explored>, Error> {
    let session = Session::begin(options)?;
    match way {
        Way::Counting => {
            return match counting::counted(&session, net, None)? {
                Ok(explored) => Ok(Some(explored)),
                Err(refusal) => refused(options, way, &refusal),
            };
        }
        Way::Tensors => {
            return match counting::as_tensors(&session, net)? {
                Ok(explored) => Ok(Some(explored)),
                Err(refusal) => refused(options, way, &refusal.to_string()),
            };
        }
        Way::Auto | Way::List | Way::Sets => {}
    }
    let symbolic = match SymbolicNet::new(net, source(options), Initial::Matters, &[]) {
        Ok(symbolic) => symbolic,
        Err(refusal) => return refused(options, way, &refusal.to_string()),
    };
    match way {
        Way::Auto => automatically(&session, &symbolic),
        Way::Sets => match in_sets(&session, &symbolic, None)? {
            Ok(explored) => Ok(Some(explored)),
            Err(reason) => refused(options, way, &reason),
        },
        Way::List | Way::Counting | Way::Tensors => listed(&session, &symbolic, None),
    }
}

/// Lists a few symbolic markings; if there are more, finds them in sets, by counting, or as a long list, whichever comes to an
/// end. Nothing if none does.
fn automatically(session: &Session<'_>, symbolic: &SymbolicNet<'_>) -> Result<Option<Explored>, Error> {
    let (options, net) = (session.options, symbolic.net());
    if let Some(explored) = listed(session, symbolic, Some(FEW))? {
        return Ok(Some(explored));
    }
    if let Ok(explored) = in_sets(session, symbolic, Some(FEW_SHAPES))? {
        return Ok(Some(explored));
    }
    let briefly = Options { timeout: options.timeout.map(|time| time / PART_TO_COUNT), ..options.clone() };
    if let Ok(mut explored) = counting::counted(&Session::begin(&briefly)?, net, Some(WORK_TO_COUNT))?
        && explored.stopped.is_none()
    {
        explored.time = session.elapsed();
        return Ok(Some(explored));
    }
    if let Some(explored) = listed(session, symbolic, Some(PATIENCE))? {
        return Ok(Some(explored));
    }
    if let Ok(explored) = in_sets(session, symbolic, Some(MANY_SHAPES))? {
        return Ok(Some(explored));
    }
    if let Ok(explored) = counting::counted(session, net, None)? {
        return Ok(Some(explored));
    }
    refused(options, Way::Auto, &format!("there are more than {PATIENCE} symbolic markings"))
}

/// Finds all symbolic markings one by one; nothing if there are more than so many.
fn listed(session: &Session<'_>, symbolic: &SymbolicNet<'_>, most: Option<u64>) -> Result<Option<Explored>, Error> {
    let counted =
        markings::count(symbolic, session.options.crew.workers_here(), &session.limits(most), session.progress());
    if let explicit::Ended::Error { error, .. } = &counted.ended {
        return Err(Error::new(ErrorKind::Model, format!("the model has an error: {error}")));
    }
    if counted.ended == explicit::Ended::States && most.is_some() {
        return Ok(None);
    }
    Ok(Some(Explored {
        states: counted.ordinary,
        symbolic: SymbolicMarkings {
            engine: "list",
            markings: Count::from(counted.markings),
            is_unique: true,
            firings: Some(Count::from(counted.firings)),
            deadlocks: Some(Count::from(counted.deadlocks)),
            bytes: counted.bytes,
            classes: classes(symbolic.net(), symbolic.partition()),
            how: Vec::new(),
        },
        stopped: reason_of(session, &counted.ended),
        time: session.elapsed(),
    }))
}

/// Finds all symbolic markings in sets, of so many shapes at most. A net for which that cannot be done is a reason, not an
/// error.
fn in_sets(
    session: &Session<'_>, symbolic: &SymbolicNet<'_>, most: Option<u64>,
) -> Result<Result<Explored, String>, Error> {
    let mut explored = counting::nothing_yet("sets", Vec::new());
    explored.symbolic.classes = classes(symbolic.net(), symbolic.partition());
    match mandala_check::sets::explore(symbolic, &session.limits(most)) {
        Ok((found, bytes)) => {
            explored.states = found.ordinary;
            explored.symbolic.markings = found.markings;
            explored.symbolic.firings = Some(found.firings);
            explored.symbolic.deadlocks = Some(found.deadlocks);
            explored.symbolic.bytes = bytes as u64;
            let how = format!("{} shapes, with sizes in {} nodes", found.shapes, found.nodes);
            explored.symbolic.how.push(how);
        }
        Err(sets::Stopped::Limit(mandala_diagram::Error::Work { .. }, _)) => {
            return Ok(Err("there are too many shapes".to_owned()));
        }
        Err(sets::Stopped::Limit(error, markings)) => {
            explored.symbolic.markings = markings;
            explored.stopped = Some(session.reason(&error)?);
        }
        Err(sets::Stopped::Refused(refusal)) => return Ok(Err(refusal.to_string())),
        Err(sets::Stopped::Model(error)) => {
            return Err(Error::new(ErrorKind::Model, format!("the model has an error: {error}")));
        }
    }
    explored.time = session.elapsed();
    Ok(Ok(explored))
}

fn refused<T>(options: &Options, way: Way, reason: &str) -> Result<Option<T>, Error> {
    match way {
        Way::Auto => {
            options.notes.hear(&Note::Unfolded(reason.to_owned()));
            Ok(None)
        }
        Way::List | Way::Sets | Way::Counting | Way::Tensors => {
            let help = "`--symbolic off` unfolds the net instead";
            Err(Error::with_help(ErrorKind::Other, reason.to_owned(), help))
        }
    }
}

fn reason_of(session: &Session<'_>, ended: &explicit::Ended<ColouredNets>) -> Option<Reason> {
    use explicit::Ended;
    session.reason_of(&match ended {
        Ended::Complete | Ended::Answered | Ended::Error { .. } => return None,
        Ended::States => Ended::States,
        Ended::Memory => Ended::Memory,
        Ended::Deadline => Ended::Deadline,
        Ended::Cancelled => Ended::Cancelled,
    })
}

/// The classes of a net with their static subclasses, in words.
pub(crate) fn classes(net: &ColouredNet, partition: &partition::Partition) -> Vec<ClassOfColours> {
    net.classes.iter().zip(&partition.classes).map(|(class, found)| ClassOfColours::new(class, found)).collect()
}

/// The static subclasses of a net where its ordinary markings are counted.
pub(crate) fn subclasses(net: &ColouredNet) -> Vec<ClassOfColours> {
    classes(net, &partition::Partition::find(net, Source::Found, Initial::Matters, &[]))
}

/// How many tokens and bindings there are to unfold, before any is left out; nothing if there are bags.
fn size(net: &ColouredNet) -> Option<u64> {
    let places = net.places.iter().map(|place| net.size(&place.domain));
    let transitions = net
        .transitions
        .iter()
        .map(|transition| net.size(&transition.variables.iter().map(|variable| variable.sort).collect::<Vec<_>>()));
    places.chain(transitions).try_fold(0u64, |sum, size| sum.checked_add(size?))
}

/// All markings of a net that is large when it is unfolded, if colours can be counted and that is quick.
pub(crate) fn counted_briefly(options: &Options, net: &ColouredNet) -> Result<Option<Explored>, Error> {
    /// Fewer tokens and bindings are quickly unfolded.
    const LARGE: u64 = 100_000;
    let is_wanted = options.symbolic == Symbolic::Auto && options.symmetry == Symmetry::Off;
    if !is_wanted || size(net).is_none_or(|size| size < LARGE) {
        return Ok(None);
    }
    let briefly = Options { timeout: options.timeout.map(|time| time / PART_TO_COUNT_BRIEFLY), ..options.clone() };
    let found = counting::counted(&Session::begin(&briefly)?, net, Some(WORK_TO_COUNT_BRIEFLY))?;
    Ok(found.ok().filter(|found| found.stopped.is_none() && found.states.is_some()))
}
