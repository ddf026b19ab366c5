//! From a system to the set of its states: layouts that compete, and states one by one where diagrams do not help.

mod analysed;
mod attempt;
pub(crate) mod candidate;
pub(crate) mod enumerate;
pub(crate) mod layouts;
mod learn;
pub(crate) mod portfolio;
mod stopped;

use std::time::Instant;

use mandala_analysis::order::Heuristic;
use mandala_analysis::structure::Structure;
use mandala_analysis::structure::cover::{PATIENCE, Witness, unbounded};
use mandala_diagram::Error;
use mandala_model::system::{System, Type};
use mandala_symbolic::encode::{EncodeError, Layouts};
use mandala_symbolic::plan::Hierarchy;
use mandala_symbolic::variables::{Grouping, composite_connections};

pub(crate) use analysed::Analysed;
pub(crate) use attempt::{attempt, attempt_by, enough};
pub use stopped::{Stopped, SystemStopped};

use crate::options::{HierarchyChoice, Options, OrderChoice};
use crate::space::SystemSpace;
use candidate::LaidOut;
use layouts::described;
use portfolio::{Enumerable, LastResorts, OF_NETS, Portfolio};

/// How many operations are spent at first on finding out whether a net is bounded.
const FIRST_DOUBT: u64 = 200_000;

/// Builds the state space of a system.
pub fn explore<'a>(system: &'a System, options: &Options) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    let start = Instant::now();
    let Some(analysed) = Analysed::new(system, options.grouping) else {
        let space = explore_composite(system, options)?;
        return Ok(SystemSpace { time: start.elapsed(), ..space });
    };
    match analysed.find_growth(FIRST_DOUBT) {
        Some(witness) => Err(Stopped::Unbounded(witness)),
        None => explore_analysed(system, analysed, options, start),
    }
}

/// Builds the state space of a net or a program that was analysed before.
fn explore_analysed<'a>(
    system: &'a System, mut analysed: Analysed<'a>, options: &Options, start: Instant,
) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    let space = match explore_flat(system, &analysed, options) {
        Err(Stopped::Encode(EncodeError::BrokenPromise { .. })) => {
            analysed.distrust();
            explore_flat(system, &analysed, options)?
        }
        result => result?,
    };
    Ok(SystemSpace { time: start.elapsed(), ..space })
}

/// Builds the state space of a reduced net, or that of the net that it was made from: whichever comes to an end first, if the
/// reduced net has not far fewer variables. Fewer are not always better: other orders come to mind for other variables.
pub fn explore_either<'a>(
    reduced: &'a System, whole: &'a System, options: &Options,
) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    let start = Instant::now();
    let competing = Analysed::new(reduced, options.grouping).filter(|_| options.order == OrderChoice::Automatic);
    let Some(mut analysed) = competing else { return explore(reduced, options) };
    if let Some(witness) = analysed.find_growth(FIRST_DOUBT) {
        return Err(Stopped::Unbounded(witness));
    }
    // To analyse both takes time. A net with hardly more places has hardly more variables, too; with more places, that is found
    // out when the first round was not enough: places that are exclusive share a variable.
    let (places, left) = (whole.main_type().variable_count(), reduced.main_type().variable_count());
    let (is_close, may_be_close) = (2 * places < 3 * left, places < 4 * left);
    let variables = analysed.variables();
    let is_as_good = |other: &Analysed<'a>| 2 * other.variables() < 3 * variables;
    let analyse = || Analysed::new(whole, options.grouping).filter(is_as_good);
    let others: Vec<Analysed<'a>> = if is_close { analyse().into_iter().collect() } else { Vec::new() };
    let late = || if may_be_close && !is_close { analyse() } else { None };
    match analysed.portfolio_with(&others, late, options.hierarchy).run(options) {
        Err(Stopped::Encode(EncodeError::BrokenPromise { .. })) => {
            analysed.distrust();
            explore_analysed(reduced, analysed, options, start)
        }
        // What one of them cannot do, the other may.
        Err(Stopped::Encode(_) | Stopped::Undefined) => explore_analysed(reduced, analysed, options, start),
        result => result.map(|space| SystemSpace { time: start.elapsed(), ..space }),
    }
}

/// The state space of a net or a program if the most promising layout finds all of it with so much work; nothing else is tried.
pub fn explore_briefly<'a>(system: &'a System, options: &Options, work: u64) -> Option<SystemSpace<'a>> {
    let start = Instant::now();
    let analysed = Analysed::new(system, options.grouping)?;
    let mut space = analysed.portfolio(options.hierarchy).last(options, Some(work)).ok()?;
    space.time = start.elapsed();
    Some(space)
}

/// A run that shows that a net is not bounded, if so many operations find one.
pub fn find_unbounded(system: &System, budget: u64) -> Option<Witness> {
    match system.main_type() {
        Type::Net(net) if !Structure::new(net).is_bounded() => unbounded(net, &system.begins, budget),
        Type::Net(_) | Type::Queues(_) | Type::Program(_) | Type::Composite(_) => None,
    }
}

/// The state space of a bounded net or of a program, state by state; nothing if it does not lend itself to that.
pub fn enumerate<'a>(system: &'a System, options: &Options) -> Option<Result<SystemSpace<'a>, SystemStopped<'a>>> {
    let mut enumerable = Analysed::new(system, Grouping::Proven)?.enumerable()?;
    Some(match enumerable.run(options, usize::MAX) {
        Ok(()) => enumerable.into_space(options),
        Err(error) => Err(error.into()),
    })
}

/// How much work is done in the order in which a composite is written before others are tried: whoever writes one thinks
/// about its order, and a large one takes its time in any.
fn first_work_of_composite(system: &System) -> u64 {
    const WORK: u64 = 2_000_000;
    const WORK_AN_ITEM: u64 = 10_000;
    let items = system.types.iter().map(|kind| kind.instances().len() + kind.event_count());
    WORK + WORK_AN_ITEM * items.sum::<usize>() as u64
}

/// Builds the state space of a composite: as declared, and if that is hard with its instances in other orders.
fn explore_composite<'a>(system: &'a System, options: &Options) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    let ordered = |heuristic: Heuristic| {
        let composites = system.types.iter().enumerate().filter_map(|(index, kind)| match kind {
            Type::Composite(composite) => Some((index, heuristic.order(&composite_connections(composite), &[]))),
            _ => None,
        });
        let layouts = Layouts { composites: composites.collect(), ..Layouts::default() };
        LaidOut::composite(system, layouts, heuristic.to_string())
    };
    match &options.order {
        OrderChoice::Heuristic(heuristic) => attempt(&ordered(*heuristic), options, None),
        OrderChoice::Given(instances) => {
            let composites = [(system.main, instances.clone())].into_iter().collect();
            let layouts = Layouts { composites, ..Layouts::default() };
            attempt(&LaidOut::composite(system, layouts, "given".to_owned()), options, None)
        }
        OrderChoice::Automatic => {
            let declared = LaidOut::composite(system, Layouts::default(), Heuristic::Declared.to_string());
            match enough(options, attempt(&declared, options, Some(first_work_of_composite(system)))) {
                Err(Stopped::Limit { error: Error::Work { .. }, .. }) => {}
                result => return result,
            }
            let mut tries: Vec<LaidOut<'a>> = Vec::new();
            for &heuristic in Heuristic::all() {
                let candidate = ordered(heuristic);
                if tries.iter().all(|known| known.layouts.composites != candidate.layouts.composites) {
                    tries.push(candidate);
                }
            }
            Portfolio::new(tries, LastResorts::none(OF_NETS)).run(options)
        }
    }
}

/// Builds the state space of a system without parts.
fn explore_flat<'a>(
    system: &'a System, analysed: &Analysed<'a>, options: &Options,
) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
    let hierarchy = match options.hierarchy {
        HierarchyChoice::Automatic => Hierarchy::Off,
        HierarchyChoice::Fixed(hierarchy) => hierarchy,
    };
    let plans = &analysed.plans[0];
    let single = |name: &str, order: &[u32]| {
        let laid_out = described(system, plans, name.to_owned(), order, hierarchy);
        // Whether there is an end is asked at length only if it does not come soon.
        match enough(options, attempt(&laid_out, options, Some(FIRST_WORK))) {
            Err(Stopped::Limit { error: Error::Work { .. }, .. }) => {}
            result => return result,
        }
        match analysed.find_growth(PATIENCE) {
            Some(witness) => Err(Stopped::Unbounded(witness)),
            None => attempt(&laid_out, options, None),
        }
    };
    match &options.order {
        OrderChoice::Heuristic(heuristic) => single(heuristic.name(), &plans.order(*heuristic)),
        OrderChoice::Given(places) => single("given", &plans.order_of_places(places)),
        OrderChoice::Automatic => analysed.portfolio(options.hierarchy).run(options),
    }
}

/// How much work is done before boundedness is doubted.
const FIRST_WORK: u64 = 1_000_000;
