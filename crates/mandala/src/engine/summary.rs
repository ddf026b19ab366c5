//! What was found when states were looked for, as owned values.

use super::answers::Asker;
use super::ground::Ground;
use super::reduced::{Found, Smaller, by_siblings};
use super::session::Session;
use super::variable_names::VariableNames;
use super::{named, one_by_one, subject};
use crate::crew::Work;
use crate::error::{Error, ErrorKind};
use crate::error_state::ErrorState;
use crate::figures::{Figures, Growth, Layout, NoFigures, Reduced, Siblings};
use crate::options::Options;
use crate::reason::Reason;
use crate::symmetry::{Group, Quotient};
use mandala_analysis::symmetry::SymmetryGroup;
use mandala_check::answer::Traces;
use mandala_check::explore::explore;
use mandala_check::figures;
use mandala_check::quotient::Subject;
use mandala_check::space::{self, SystemSpace};
use mandala_diagram::{Count, Exactness, Statistics};
use mandala_model::property::Formula;
use mandala_model::system::System;
use mandala_symbolic::encode::{EncodeError, Refusal, SystemEncoding};
use std::time::Duration;

/// What was found when states were looked for.
#[derive(Clone, Debug)]
pub(crate) struct Explored {
    /// Why these are not all, if they are not.
    pub stopped: Option<Reason>,
    /// Why there are infinitely many.
    pub growth: Option<Growth>,
    /// States; those found so far if it was stopped.
    pub states: Option<Count>,
    /// What is known of the error state, if the model has one.
    pub error_state: Option<ErrorState>,
    /// By which symmetries the states are a quotient, if they are.
    pub quotient: Option<Quotient>,
    /// How much smaller the net was made, if it was.
    pub reduced: Option<Reduced>,
    /// The siblings with fewer tokens from which the figures follow, if they do.
    pub siblings: Option<Siblings>,
    /// The size of the diagram.
    pub nodes: Option<usize>,
    /// The most nodes at a time.
    pub peak_nodes: Option<usize>,
    /// The most bytes of diagrams at a time.
    pub peak_bytes: Option<usize>,
    /// How the diagram was laid out.
    pub layout: Option<Layout>,
    /// The contest's figures, if they are known already.
    pub figures: Option<Figures>,
    /// What the engine did.
    pub statistics: Option<Statistics>,
    /// How the exploration state by state went, if several workers took part.
    pub work: Option<Work>,
    /// How long it took.
    pub time: Duration,
}

impl Explored {
    /// What symbolic markings say of a coloured net.
    pub fn symbolic(found: &super::markings::Explored) -> Explored {
        Explored {
            stopped: found.stopped,
            growth: None,
            states: found.states.clone(),
            error_state: None,
            quotient: None,
            reduced: None,
            siblings: None,
            nodes: None,
            peak_nodes: None,
            peak_bytes: None,
            layout: None,
            figures: None,
            statistics: None,
            work: None,
            time: found.time,
        }
    }
}

/// Looks for all states, and calls somebody with what was found.
pub(crate) fn with_states<T>(
    options: &Options, system: &System, then: impl FnOnce(Explored, &mut Asker<'_>) -> T,
) -> Result<T, Error> {
    let session = Session::begin(options)?;
    if session.strategy().is_some() {
        session.refuse_crew("the strategy makes diagrams")?;
    }
    let subject = subject(&session, system)?;
    let smaller = match (session.strategy(), &subject) {
        (Some(strategy), None) => Smaller::new(&session, system).map(|smaller| (smaller, strategy)),
        _ => None,
    };
    if let (Some(strategy), None) = (session.strategy(), &subject)
        && !smaller.as_ref().is_some_and(|(smaller, _)| smaller.is_nothing())
        && let Some((siblings, figures)) = by_siblings(&session, strategy, system)?
    {
        let mut asker = Asker { system, subject: None, ground: Ground::Later, counted: None };
        let explored = Explored {
            states: Some(figures.states.clone()),
            figures: Some(figures.into()),
            siblings: Some(siblings),
            time: session.elapsed(),
            ..summary(&asker)
        };
        return Ok(then(explored, &mut asker));
    }
    let found = match &smaller {
        Some((smaller, strategy)) => smaller.count(&session, *strategy, system)?,
        None => Found::Nothing,
    };
    let (ground, counted) = match found {
        Found::Counted(counted) => (Ground::Later, Some(counted)),
        Found::Whole(ground) => (ground, None),
        Found::Nothing => return on_the_whole(&session, system, subject.as_ref(), then),
    };
    Ok(finish(&session, Asker { system, subject: None, ground, counted }, then))
}

/// Looks for all states of a system, without making it smaller.
fn on_the_whole<'a, T>(
    session: &Session<'_>, system: &'a System, subject: Option<&'a Subject<'a>>,
    then: impl FnOnce(Explored, &mut Asker<'a>) -> T,
) -> Result<T, Error> {
    let explored = subject.map_or(system, Subject::system);
    let mut counted = None;
    let ground = match session.strategy() {
        Some(strategy) => {
            let options = session.diagrams(explored, strategy)?;
            let result = match subject {
                Some(subject) => subject.explore(&options, &[]),
                None => explore(system, &options),
            };
            Ground::new(session, explored, result)?
        }
        None => match one_by_one::find_growth(system) {
            Some(growth) => Ground::Unbounded(growth),
            None => {
                counted = Some(one_by_one::count(session, system, subject)?);
                Ground::OneByOne
            }
        },
    };
    let mut asker = Asker { system, subject, ground, counted: None };
    let mut explored = summary(&asker);
    if let Some(counted) = counted {
        explored.states = Some(counted.states);
        explored.figures = counted.figures;
        explored.stopped = counted.stopped;
        explored.error_state = counted.error_state;
        explored.quotient = counted.quotient;
        explored.work = counted.work;
    } else {
        explored.error_state = asker.error_state(session);
    }
    explored.time = session.elapsed();
    Ok(then(explored, &mut asker))
}

/// Says what was found on a reduced net.
fn finish<T>(session: &Session<'_>, mut asker: Asker<'_>, then: impl FnOnce(Explored, &mut Asker<'_>) -> T) -> T {
    let mut explored = summary(&asker);
    if let Some(counted) = &asker.counted {
        explored.states = counted.states.clone();
        explored.reduced = Some(counted.smaller.facts());
    }
    explored.time = session.elapsed();
    then(explored, &mut asker)
}

fn summary(asker: &Asker<'_>) -> Explored {
    let ground = asker.counted.as_ref().map_or(&asker.ground, |counted| &counted.ground);
    let (stopped, growth) = match ground {
        Ground::Part { reason, .. } => (Some(*reason), None),
        Ground::Unbounded(growth) => (None, Some(growth.clone())),
        Ground::Space(_) | Ground::OneByOne | Ground::Later => (None, None),
    };
    let space = ground.space();
    // Some of the representatives are some of the states.
    let made = space.filter(|space| space.is_complete()).and_then(|space| space.quotient());
    Explored {
        stopped,
        growth,
        states: made.map_or_else(|| space.map(SystemSpace::count), |made| made.concrete.clone()),
        quotient: match (asker.subject, space, made) {
            (Some(subject), Some(space), Some(made)) => Some(quotient(subject, space, made)),
            _ => None,
        },
        error_state: None,
        reduced: None,
        siblings: None,
        nodes: space.map(|space| space.encoded().store.size(space.states()).nodes),
        peak_nodes: space.map(|space| space.peak_nodes),
        peak_bytes: space.map(|space| space.peak_bytes),
        layout: space.map(layout),
        figures: None,
        statistics: space.map(|space| space.encoded().store.statistics()),
        work: None,
        time: Duration::ZERO,
    }
}

fn layout(space: &SystemSpace<'_>) -> Layout {
    let system = space.encoded().encoding.system;
    let variables = if system.is_composite() { variables(system) } else { Count::from(space.layout.variables as u64) };
    Layout { order: space.layout.order.clone(), variables, levels: space.layout.levels }
}

/// How many variables a state has.
pub(crate) fn variables(system: &System) -> Count {
    let exactness = Exactness::default();
    // Numbers of folded systems are long: each is kept until the last type that holds an instance of it.
    let mut last_uses = vec![0; system.types.len()];
    for (index, kind) in system.types.iter().enumerate() {
        kind.instances().iter().for_each(|instance| last_uses[instance.type_index] = index);
    }
    let mut sizes: Vec<Count> = Vec::with_capacity(system.types.len());
    for (index, kind) in system.types.iter().enumerate().take(system.main + 1) {
        let mut size = Count::from(kind.variable_count() as u64);
        for instance in kind.instances() {
            size.add_assign(&sizes[instance.type_index], &exactness);
        }
        for instance in kind.instances() {
            if last_uses[instance.type_index] == index {
                sizes[instance.type_index] = Count::zero();
            }
        }
        sizes.push(size);
    }
    sizes.pop().unwrap_or_else(Count::zero)
}

/// The quotient of a model, with its group in words.
pub fn quotient(
    subject: &Subject<'_>, space: &SystemSpace<'_>, made: &space::Quotient<SystemEncoding<'_>>,
) -> Quotient {
    Quotient {
        construction: made.construction,
        representatives: space.encoded().store.count(&made.representatives),
        left_by_diagrams: made.left_by_diagrams.clone(),
        concrete: made.concrete.clone(),
        is_canonical: made.is_canonical,
        group: group(subject.words(&made.group), &made.group),
    }
}

/// A group that was found, with its parts in words.
pub(crate) fn group(parts: Vec<String>, known: &SymmetryGroup) -> Group {
    Group {
        parts,
        order: Count::from(known.order.clone()),
        is_complete: known.is_complete,
        keeps_initial: known.keeps_initial,
        twins: known.twins,
    }
}

impl Asker<'_> {
    /// What is known of the error state, if the model has one.
    fn error_state(&mut self, session: &Session<'_>) -> Option<ErrorState> {
        self.explored().error_state()?;
        if let Ground::Part { space: Some(space), .. } = &mut self.ground {
            session.extend(space);
        }
        let found = match &mut self.ground {
            Ground::Space(space) | Ground::Part { space: Some(space), .. } => space.error_state(Traces::Unwanted)?,
            _ => return None,
        };
        Some(named::error_state(None, found))
    }

    /// The contest's figures.
    pub fn figures(&mut self, options: &Options) -> Result<Figures, NoFigures> {
        let session = Session::begin(options)?;
        if let Some(figures) = self.counted.as_ref().and_then(|counted| counted.figures(&session, self.system)) {
            return figures;
        }
        self.expand(&session)?;
        self.ground.renew(&session, false);
        let space = match &mut self.ground {
            Ground::Space(space) => space,
            Ground::OneByOne if self.subject.is_some() => return Err(NoFigures::Representatives),
            _ => return Err(NoFigures::Part),
        };
        Ok(space.figures().map_err(|reason| not_counted(&session, reason))?.into())
    }

    /// How many states satisfy a formula about one state.
    pub fn count_where(&mut self, options: &Options, formula: &Formula) -> Result<Count, NoFigures> {
        let session = Session::begin(options)?;
        self.expand(&session)?;
        self.ground.renew(&session, false);
        let formula = self.renamed_formula(formula)?;
        let Ground::Space(space) = &mut self.ground else { return Err(NoFigures::Part) };
        space.count_where(&formula).map_err(|reason| not_counted(&session, reason))
    }

    /// The diagram of the states in the language of Graphviz. An error if it has more than so many nodes, or if there is none.
    pub fn dot(&mut self, options: &Options, most: usize) -> Result<String, Error> {
        let session = Session::begin(options)?;
        self.expand(&session)?;
        let Some(space) = self.ground.complete() else {
            return Err(match self.ground {
                // The states were counted on a reduced net, and those of the net itself are too many.
                Ground::Part { reason, .. } => Error::no_diagram_yet(reason),
                _ => Error::new(ErrorKind::Picture, "there is no diagram of these states"),
            });
        };
        let nodes = space.encoded().store.size(space.states()).nodes;
        if nodes > most {
            let text = format!("a diagram with {nodes} nodes is too large to be looked at");
            return Err(Error::new(ErrorKind::Picture, text));
        }
        let names = VariableNames::of(space);
        let dot = space.encoded().store.dot(space.states());
        let dot = dot.name_inside(|path| names.name(path)).value_inside(|path, value| names.value(path, value));
        Ok(dot.to_string())
    }
}

/// Why a space does not tell: it has not all states, a limit struck, or it is beyond diagrams.
pub(super) fn not_counted(session: &Session<'_>, reason: figures::NoFigures) -> NoFigures {
    match reason {
        figures::NoFigures::Part => NoFigures::Part,
        figures::NoFigures::Representatives => NoFigures::Representatives,
        figures::NoFigures::Refused(Refusal::Encode(EncodeError::Stopped(error))) => match session.reason(&error) {
            Ok(reason) => NoFigures::Stopped(reason),
            Err(error) => error.into(),
        },
        reason => NoFigures::Beyond(reason.to_string()),
    }
}
