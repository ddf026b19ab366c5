//! State spaces: from a system to the set of its states.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mandala_analysis::order::Heuristic;
use mandala_analysis::structure::Structure;
use mandala_analysis::structure::cover::{PATIENCE, Witness, unbounded};
use mandala_diagram::{Cancel, Count, Diagram, Error, Limits, Progress, Store, Strategy};
use mandala_model::net::Net;
use mandala_model::property::Question;
use mandala_model::system::{Program, System, Type};
use mandala_symbolic::encode::{EncodeError, Encoded, Layouts};
use mandala_symbolic::plan::{Hierarchy, Plans};
use mandala_symbolic::variables::{Grouping, composite_connections};

use crate::answer::{Known, Traces, Verdict};
use crate::ctl::Steps;
use crate::enumerate::Enumerable;
use crate::fold::{Folded, Folding};
use crate::layouts::{described, in_turn, tries};
use crate::ltl::FiniteRuns;
use crate::portfolio::{LastResorts, OF_NETS, OF_PROGRAMS, portfolio};

/// How a state space is built.
#[derive(Clone, Debug)]
pub struct Options {
    /// The order in which transitions are applied.
    pub strategy: Strategy,
    /// The order of variables.
    pub order: OrderChoice,
    /// The levels that a flat net gets.
    pub hierarchy: HierarchyChoice,
    /// What diagram variables may stand for.
    pub grouping: Grouping,
    /// Whether one state is kept for each orbit, in [`fold::explore`](crate::fold::explore).
    pub folding: Folding,
    /// What becomes of runs that end, where a question is about runs.
    pub finite_runs: FiniteRuns,
    /// What is asked, if some states may be enough to answer it: then no more are looked for than that takes. Where one of
    /// these needs all states, all are looked for.
    pub goals: Arc<[Question]>,
    /// The most bytes for diagrams.
    pub memory: Option<usize>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// What stops it from outside.
    pub cancel: Cancel,
    /// Where to see how far it is.
    pub progress: Progress,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::Saturation,
            order: OrderChoice::Automatic,
            hierarchy: HierarchyChoice::Automatic,
            grouping: Grouping::Promised,
            folding: Folding::Off,
            finite_runs: FiniteRuns::default(),
            goals: Arc::default(),
            memory: None,
            deadline: None,
            cancel: Cancel::default(),
            progress: Progress::default(),
        }
    }
}

/// Which order variables have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderChoice {
    /// Several are tried, each a little; the one that moves is kept.
    Automatic,
    /// That of a heuristic.
    Heuristic(Heuristic),
    /// This one: places, variables or the instances of the main composite by their index, from top to bottom. Places
    /// that share a diagram variable stand where the first of them stands.
    Given(Vec<u32>),
}

/// Which levels a flat net gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HierarchyChoice {
    /// Where it pays.
    Automatic,
    /// These.
    Fixed(Hierarchy),
}

/// The reachable states of a system.
pub struct Space<'a> {
    /// The system as diagrams.
    pub encoded: Encoded<'a>,
    /// Its reachable states, those that are passed through included.
    pub reached: Diagram,
    /// Those that count: without the transient ones.
    pub states: Diagram,
    /// What becomes of runs that end, where a question is about runs.
    pub finite_runs: FiniteRuns,
    /// How it was folded, if it was.
    pub folded: Option<Box<Folded>>,
    /// How it was laid out.
    pub layout: Description,
    /// How long it took.
    pub time: Duration,
    /// The most nodes that were in the store at a time.
    pub peak_nodes: usize,
    /// The most bytes that were in use at a time.
    pub peak_bytes: usize,
    /// What formulas of CTL need to know, once one was asked.
    pub(crate) steps: Option<Box<Steps>>,
}

/// How a state space was laid out, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The order, by the name of its heuristic.
    pub order: String,
    /// How many diagram variables the main type has.
    pub variables: usize,
    /// How many levels.
    pub levels: usize,
}

/// Why there is no state space.
pub enum Stopped<'a> {
    /// The system cannot be put into diagrams.
    Encode(EncodeError),
    /// The net is not bounded: this run can be repeated for ever, and leaves more tokens each time.
    Unbounded(Witness),
    /// A limit struck, or the user did.
    Limit {
        /// Which.
        error: Error,
        /// What was found until then: a subset of the reachable states.
        partial: Option<Box<Space<'a>>>,
    },
    /// The states found so far answer all that was asked.
    Enough(Box<Space<'a>>),
    /// Something has no value: a number beyond 32 bits, a division by zero, an index out of range.
    Undefined,
}

impl From<EncodeError> for Stopped<'_> {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::Stopped(error) => Stopped::from(error),
            error => Stopped::Encode(error),
        }
    }
}

impl From<Error> for Stopped<'_> {
    fn from(error: Error) -> Self {
        Stopped::Limit { error, partial: None }
    }
}

impl fmt::Display for Stopped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Encode(error) => write!(f, "{error}"),
            Stopped::Unbounded(_) => write!(f, "the net is not bounded: it has infinitely many markings"),
            Stopped::Limit { error, partial: Some(partial) } => {
                write!(f, "{error} (at least {} states)", partial.count())
            }
            Stopped::Limit { error, partial: None } => write!(f, "{error}"),
            Stopped::Enough(space) => write!(f, "{} states are enough to answer all that was asked", space.count()),
            Stopped::Undefined => write!(
                f,
                "something has no value in a state that is reached: a number beyond 32 bits, a division by zero or an index out of range"
            ),
        }
    }
}

impl fmt::Debug for Stopped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Stopped<'_> {}

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
            match attempt(system, options, layouts, Some(first_work_of_composite(system)), description) {
                Err(stopped @ Stopped::Limit { error: Error::Work { .. }, .. }) => {
                    if let stopped @ Stopped::Enough(_) = enough(options, stopped) {
                        return Err(stopped);
                    }
                }
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
        match attempt(system, options, layouts.clone(), Some(FIRST_WORK), description.clone()) {
            Err(stopped @ Stopped::Limit { error: Error::Work { .. }, .. }) => {
                if let stopped @ Stopped::Enough(_) = enough(options, stopped) {
                    return Err(stopped);
                }
            }
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

/// Builds the state space with one layout.
pub(crate) fn attempt<'a>(
    system: &'a System, options: &Options, layouts: Layouts, work: Option<u64>, description: Description,
) -> Result<Space<'a>, Stopped<'a>> {
    attempt_by(system, options, layouts, work, description, |encoded| {
        let (initial, relation) = (encoded.initial.clone(), encoded.relation.clone());
        encoded.store.reachable(&initial, &relation, options.strategy)
    })
}

/// Builds the state space with one layout, in some way.
pub(crate) fn attempt_by<'a>(
    system: &'a System, options: &Options, layouts: Layouts, work: Option<u64>, mut description: Description,
    reach: impl FnOnce(&mut Encoded<'a>) -> Result<Diagram, Error>,
) -> Result<Space<'a>, Stopped<'a>> {
    let start = Instant::now();
    let mut store = Store::new();
    store.set_cancel(&options.cancel);
    store.set_progress(&options.progress);
    store.set_limits(Limits { memory: options.memory, deadline: options.deadline, work });
    let mut encoded = Encoded::new(system, store, layouts)?;
    if description.variables == 0 {
        description.variables = encoded.sizes()[system.main];
        description.levels = system.levels();
    }
    let (reached, stop) = match reach(&mut encoded) {
        Ok(reached) => (reached, None),
        Err(error) => match error.reached().cloned() {
            Some(reached) => (reached, Some(error)),
            None => return Err(error.into()),
        },
    };
    if encoded.store.is_undefined(&reached) || fails(&mut encoded, &reached, stop.is_some())? {
        return Err(Stopped::Undefined);
    }
    if encoded.breaks_promises(&reached) {
        return Err(EncodeError::BrokenPromise { net: system.name.clone() }.into());
    }
    let statistics = encoded.store.statistics();
    let mut space = Space {
        encoded,
        states: reached.clone(),
        reached,
        finite_runs: options.finite_runs,
        folded: None,
        layout: description,
        time: start.elapsed(),
        peak_nodes: statistics.peak_nodes,
        peak_bytes: statistics.peak_bytes,
        steps: None,
    };
    if let Some(error) = stop {
        return Err(Stopped::Limit { error, partial: Some(Box::new(space)) });
    }
    space.encoded.store.set_limits(Limits { memory: options.memory, deadline: options.deadline, work: None });
    let transient = space.encoded.transient(&space.reached)?;
    space.states = space.encoded.store.difference(&space.reached, &transient)?;
    Ok(space)
}

/// Whether work that is not done on diagrams goes on: nobody has stopped it, and there is time left.
pub(crate) fn goes_on(cancel: &Cancel, deadline: Option<Instant>) -> Result<(), Error> {
    if cancel.is_cancelled() {
        return Err(Error::Cancelled { reached: None });
    }
    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        return Err(Error::Time { reached: None });
    }
    Ok(())
}

/// How much work is spent on finding out whether something has no value in states that were found until a limit struck.
const LAST_WORK: u64 = 200_000;

/// Whether something has no value in one of some reachable states.
fn fails(encoded: &mut Encoded<'_>, reached: &Diagram, is_partial: bool) -> Result<bool, Error> {
    if is_partial {
        encoded.store.set_limits(Limits { work: Some(LAST_WORK), ..Limits::default() });
    }
    for failing in encoded.failing.clone() {
        match encoded.store.apply(&failing, reached) {
            Ok(failed) if failed.is_empty() => {}
            Ok(_) => return Ok(true),
            Err(_) if is_partial => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// How much work is spent on finding out whether some states are enough.
const WORK_OF_A_LOOK: u64 = 500_000;

/// Looks whether the states that were found until the limit on work struck answer all that is asked; then they are enough.
pub(crate) fn enough<'a>(options: &Options, stopped: Stopped<'a>) -> Stopped<'a> {
    match stopped {
        Stopped::Limit { error: error @ Error::Work { .. }, partial: Some(mut space) } if !options.goals.is_empty() => {
            let limits = Limits { memory: options.memory, deadline: options.deadline, work: None };
            space.encoded.store.set_limits(Limits { work: Some(WORK_OF_A_LOOK), ..limits });
            let is_enough = options.goals.iter().all(|goal| space.is_answered(goal));
            space.encoded.store.set_limits(limits);
            if is_enough { Stopped::Enough(space) } else { Stopped::Limit { error, partial: Some(space) } }
        }
        stopped => stopped,
    }
}

impl Space<'_> {
    /// Whether some of the states answer a question.
    fn is_answered(&mut self, question: &Question) -> bool {
        !matches!(self.answer(question, Known::Some, Traces::Unwanted).verdict, Verdict::Unknown(_))
    }

    /// How many states there are.
    pub fn count(&self) -> Count {
        self.encoded.store.count(&self.states)
    }
}
