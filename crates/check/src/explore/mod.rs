//! From a system to the set of its states: layouts that compete, and states one by one where diagrams do not help.

mod attempt;
pub(crate) mod enumerate;
pub(crate) mod layouts;
pub(crate) mod portfolio;
mod stopped;

use std::time::Instant;

use mandala_analysis::order::Heuristic;
use mandala_analysis::structure::Structure;
use mandala_analysis::structure::cover::{PATIENCE, Witness, unbounded};
use mandala_diagram::Error;
use mandala_model::net::Net;
use mandala_model::system::{Program, System, Type};
use mandala_symbolic::encode::{EncodeError, Layouts};
use mandala_symbolic::plan::{Hierarchy, Plans};
use mandala_symbolic::variables::{Grouping, composite_connections};

pub(crate) use attempt::{attempt, attempt_by, enough};
pub use stopped::Stopped;

use crate::options::{HierarchyChoice, Options, OrderChoice};
use crate::space::{Description, Space};
use enumerate::Enumerable;
use layouts::{described, in_turn, tries};
use portfolio::{LastResorts, OF_NETS, OF_PROGRAMS, portfolio};

/// How many operations are spent at first on finding out whether a net is bounded.
const FIRST_DOUBT: u64 = 200_000;

/// Builds the state space of a system.
pub fn explore<'a>(system: &'a System, options: &Options) -> Result<Space<'a>, Stopped<'a>> {
    let start = Instant::now();
    let mut space = match &system.types[system.main] {
        Type::Net(net) => {
            let structure = Structure::new(net);
            if let Some(witness) = find_growth(system, net, &structure, FIRST_DOUBT) {
                return Err(Stopped::Unbounded(witness));
            }
            match explore_net(system, net, &structure, options, options.grouping) {
                Err(Stopped::Encode(EncodeError::BrokenPromise { .. })) => {
                    explore_net(system, net, &structure, options, Grouping::Proven)?
                }
                result => result?,
            }
        }
        Type::Program(program) => explore_program(system, program, options)?,
        Type::Composite(_) => explore_composite(system, options)?,
    };
    space.time = start.elapsed();
    Ok(space)
}

/// A run that shows that a net is not bounded, if so many operations find one.
pub fn find_unbounded(system: &System, budget: u64) -> Option<Witness> {
    match &system.types[system.main] {
        Type::Net(net) => find_growth(system, net, &Structure::new(net), budget),
        Type::Program(_) | Type::Composite(_) => None,
    }
}

fn find_growth(system: &System, net: &Net, structure: &Structure, budget: u64) -> Option<Witness> {
    if structure.is_bounded() { None } else { unbounded(net, &system.begins, budget) }
}

/// The state space of a bounded net or of a program, state by state; nothing if it does not lend itself to that.
pub fn enumerate<'a>(system: &'a System, options: &Options) -> Option<Result<Space<'a>, Stopped<'a>>> {
    let mut enumerable = match &system.types[system.main] {
        Type::Net(net) => {
            let structure = Structure::new(net);
            let plans = Plans::new(net, &structure, Grouping::Proven);
            Enumerable::of_net(system, net, &structure, &plans)?
        }
        Type::Program(program) => Enumerable::of_program(system, program, &Plans::of_program(program))?,
        Type::Composite(_) => return None,
    };
    Some(match enumerable.run(options, usize::MAX) {
        Ok(()) => enumerable.into_space(system, options),
        Err(error) => Err(error.into()),
    })
}

fn declared_order() -> Description {
    Description { order: Heuristic::Declared.to_string(), ..Description::default() }
}

/// How much work is done in the order in which a composite is written before others are tried: whoever writes one thinks
/// about its order, and a large one takes its time in any.
fn first_work_of_composite(system: &System) -> u64 {
    const WORK: u64 = 2_000_000;
    const WORK_AN_ITEM: u64 = 10_000;
    let items = system.types.iter().map(|kind| match kind {
        Type::Composite(composite) => composite.instances.len() + composite.synchronisations.len(),
        Type::Net(net) => net.transitions.len(),
        Type::Program(program) => program.transitions.len(),
    });
    WORK + WORK_AN_ITEM * items.sum::<usize>() as u64
}

/// Builds the state space of a composite: as declared, and if that is hard with its instances in other orders.
fn explore_composite<'a>(system: &'a System, options: &Options) -> Result<Space<'a>, Stopped<'a>> {
    let ordered = |heuristic: Heuristic| {
        let composites = system.types.iter().enumerate().filter_map(|(index, kind)| match kind {
            Type::Composite(composite) => Some((index, heuristic.order(&composite_connections(composite), &[]))),
            _ => None,
        });
        let layouts = Layouts { composites: composites.collect(), ..Layouts::default() };
        (layouts, Description { order: heuristic.to_string(), ..Description::default() })
    };
    match &options.order {
        OrderChoice::Heuristic(heuristic) => {
            let (layouts, description) = ordered(*heuristic);
            attempt(system, options, layouts, None, description)
        }
        OrderChoice::Given(instances) => {
            let composites = [(system.main, instances.clone())].into_iter().collect();
            let description = Description { order: "given".to_owned(), ..Description::default() };
            attempt(system, options, Layouts { composites, ..Layouts::default() }, None, description)
        }
        OrderChoice::Automatic => {
            let (layouts, description) = (Layouts::default(), declared_order());
            let first = attempt(system, options, layouts, Some(first_work_of_composite(system)), description);
            match enough(options, first) {
                Err(Stopped::Limit { error: Error::Work { .. }, .. }) => {}
                result => return result,
            }
            let mut tries: Vec<(Layouts, Description)> = Vec::new();
            for &heuristic in Heuristic::all() {
                let candidate = ordered(heuristic);
                if tries.iter().all(|known| known.0.composites != candidate.0.composites) {
                    tries.push(candidate);
                }
            }
            portfolio(system, options, tries, &NO_RESORTS)
        }
    }
}

fn explore_net<'a>(
    system: &'a System, net: &Net, structure: &Structure, options: &Options, grouping: Grouping,
) -> Result<Space<'a>, Stopped<'a>> {
    let mut plans = vec![Plans::new(net, structure, grouping)];
    if grouping == Grouping::Promised && plans[0].relies_on_promises() {
        // Other variables, other orders: a second chance.
        plans.push(Plans::new(net, structure, Grouping::Proven));
    }
    let resorts = LastResorts {
        unbounded: &|| find_growth(system, net, structure, PATIENCE),
        enumerable: &|| Enumerable::of_net(system, net, structure, plans.last()?),
        rounds: OF_NETS,
    };
    explore_flat(system, &plans, options, &resorts)
}

fn explore_program<'a>(system: &'a System, program: &Program, options: &Options) -> Result<Space<'a>, Stopped<'a>> {
    let plans = [Plans::of_program(program)];
    let enumerable = || Enumerable::of_program(system, program, &plans[0]);
    let resorts = LastResorts { enumerable: &enumerable, rounds: OF_PROGRAMS, ..NO_RESORTS };
    explore_flat(system, &plans, options, &resorts)
}

/// What is left to try for a system of which nothing more is known.
const NO_RESORTS: LastResorts<'static> = LastResorts { unbounded: &|| None, enumerable: &|| None, rounds: OF_NETS };

/// Builds the state space of a system without parts. The first plans are those to follow, the others are for the
/// portfolio.
fn explore_flat<'a>(
    system: &'a System, plans: &[Plans], options: &Options, resorts: &LastResorts<'_>,
) -> Result<Space<'a>, Stopped<'a>> {
    let hierarchy = match options.hierarchy {
        HierarchyChoice::Automatic => Hierarchy::Off,
        HierarchyChoice::Fixed(hierarchy) => hierarchy,
    };
    let single = |name: &str, order: &[u32]| {
        let (layouts, description) = described(system, &plans[0], name.to_owned(), order, hierarchy);
        // Whether there is an end is asked at length only if it does not come soon.
        match enough(options, attempt(system, options, layouts.clone(), Some(FIRST_WORK), description.clone())) {
            Err(Stopped::Limit { error: Error::Work { .. }, .. }) => {}
            result => return result,
        }
        match (resorts.unbounded)() {
            Some(witness) => Err(Stopped::Unbounded(witness)),
            None => attempt(system, options, layouts, None, description),
        }
    };
    match &options.order {
        OrderChoice::Heuristic(heuristic) => single(heuristic.name(), &plans[0].order(*heuristic)),
        OrderChoice::Given(places) => single("given", &plans[0].order_of_places(places)),
        OrderChoice::Automatic => {
            let layouts = plans.iter().map(|plans| tries(system, plans, options.hierarchy)).collect();
            portfolio(system, options, in_turn(layouts), resorts)
        }
    }
}

/// How much work is done before boundedness is doubted.
const FIRST_WORK: u64 = 1_000_000;
