//! State spaces folded by symmetry: one state for each orbit.
//!
//! There are two ways. *Exploring* makes every state that is found the least of its orbit at once, as far as the symmetries
//! that are tried go, and goes on from there: only representatives are ever kept. *Selecting* builds the whole space by
//! saturation, which is closed under the group if the initial states are, and keeps of it what no symmetry makes smaller:
//! nothing is ever moved, and whatever is asked can be answered on the whole space. Where the whole space is small as a
//! diagram, however many states it has, selecting is faster by far.
//!
//! Where parts of the group meet, both may leave several representatives of an orbit. If there are not too many, each is
//! replaced by the leader of its orbit, one by one: then the count is that of the orbits.

use std::time::Instant;

use mandala_diagram::{Count, Diagram, Error, Limits};
use mandala_group::UBig;
use mandala_model::property::Question;
use mandala_model::system::{System, Type};
use mandala_symbolic::encode::{Encoded, Layouts};
use mandala_symbolic::layout::{Content, Layout, Slot};
use mandala_symbolic::plan::{Hierarchy, Plans};
use mandala_symbolic::structure::Structure;
use mandala_symbolic::symmetry::contents::symmetric_contents;
use mandala_symbolic::symmetry::leader::Leaders;
use mandala_symbolic::symmetry::reduction::{Canonise, Reduction};
use mandala_symbolic::symmetry::{Keep, Part, Shape, Symmetries, check, find};
use rustc_hash::FxHashSet;

use crate::layouts::{in_turn, tries};
use crate::portfolio::{LastResorts, OF_NETS, OF_PROGRAMS, portfolio};
use crate::space::{self, Description, HierarchyChoice, Options, Space, Stopped, attempt, attempt_by};

/// Whether, and how, a state space is folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folding {
    /// Not at all.
    #[default]
    Off,
    /// In the way that gets to an end first.
    Automatic,
    /// Only representatives are kept, from the start.
    Explore,
    /// Representatives are selected from the whole space.
    Select,
}

/// How a state space was folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Only representatives were kept: the states of the space are those.
    Explored,
    /// The space is whole.
    Selected,
}

/// A state space up to symmetry.
pub struct Folded {
    /// How it was folded.
    pub way: Way,
    /// What is left of each orbit. The states of a space that was explored may be more: they are what diagrams leave.
    pub representatives: Diagram,
    /// How many were left before the leaders of orbits were looked for one by one, if they were.
    pub left_by_diagrams: Option<Count>,
    /// Whether there is exactly one for each orbit.
    pub is_canonical: bool,
    /// How many states they stand for, if that is known.
    pub concrete: Option<Count>,
    /// The group.
    pub group: Known,
    /// The group on the diagrams of the space.
    pub(crate) canonise: Canonise,
}

/// A group of symmetries that was found.
#[derive(Clone, Debug)]
pub struct Known {
    /// What it does.
    pub shape: Shape,
    /// The names of variables.
    pub names: Vec<String>,
    /// How many symmetries there are (at least, if the search was not complete).
    pub order: UBig,
    /// Whether all symmetries were found.
    pub is_complete: bool,
    /// Whether it leaves the initial states alone.
    pub keeps_initial: bool,
}

/// How many operations it may take to find symmetries, and to see what they do.
const PATIENCE: u64 = 200_000_000;

/// How much work is spent on each layout before the next is tried, to select and to explore; then all of them get more.
const ROUNDS: [(u64, u64); 4] =
    [(40_000, 200_000), (400_000, 2_000_000), (4_000_000, 20_000_000), (40_000_000, 200_000_000)];

/// How much work is spent on counting the states of orbits.
const WORK_FOR_ORBITS: u64 = 5_000_000;

/// So many representatives are looked at one by one, if one symmetry is tried on each; fewer if there are more.
const MOST_ONE_BY_ONE: u64 = 1 << 21;

impl Known {
    /// The symmetries of a system that leave some questions alone. Nothing if there are none but the identity, or if the
    /// system is too large to tell.
    pub fn find(system: &System, initial: bool, questions: &[&Question]) -> Option<Known> {
        let found: Symmetries = find(system, &Keep { initial, questions }, PATIENCE).ok()?;
        if found.generators().is_empty() {
            return None;
        }
        let shape = found.shape(PATIENCE);
        // What is used is verified, whoever made it.
        let parts = check(system, &Keep { initial, questions }, &shape.generators()).ok()?;
        let shape = if parts.iter().all(Result::is_ok) {
            shape
        } else {
            Shape { parts: vec![Part::Other { generators: found.generators().to_vec() }], is_whole: false }
        };
        Some(Known {
            shape,
            names: found.names.clone(),
            order: found.order(),
            is_complete: found.is_complete(),
            keeps_initial: initial,
        })
    }

    /// Whether it leaves a question alone.
    pub fn leaves_alone(&self, system: &System, question: &Question) -> bool {
        let keep = Keep { initial: false, questions: &[question] };
        check(system, &keep, &self.shape.generators()).is_ok_and(|checked| checked.iter().all(Result::is_ok))
    }

    /// The symmetries in words, a line each.
    pub fn words(&self) -> Vec<String> {
        self.shape.describe(&self.names)
    }
}

/// What symmetries are to leave alone, besides what can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The initial states.
    pub initial: bool,
    /// What is asked.
    pub questions: bool,
}

/// Builds a state space up to the symmetries that leave some questions alone. If there are none it is not folded; a
/// composite is not either: it has to be flattened before.
pub fn explore<'a>(system: &'a System, options: &Options, questions: &[&Question]) -> Result<Space<'a>, Stopped<'a>> {
    explore_by(system, options, !questions.is_empty(), &|kept| {
        Known::find(system, kept.initial, if kept.questions { questions } else { &[] })
    })
}

/// Builds a state space up to symmetries that somebody knows; whether something is asked is said beforehand.
pub fn explore_by<'a>(
    system: &'a System, options: &Options, is_asked: bool, known: &dyn Fn(Kept) -> Option<Known>,
) -> Result<Space<'a>, Stopped<'a>> {
    let start = Instant::now();
    let whole = Options { folding: Folding::Off, ..options.clone() };
    let is_composite = matches!(system.types[system.main], Type::Composite(_));
    if options.folding == Folding::Off || is_composite {
        return space::explore(system, &whole);
    }
    if let Some(witness) = space::find_unbounded(system, PATIENCE_FOR_BOUNDS) {
        return Err(Stopped::Unbounded(witness));
    }
    // The whole space answers every question, whatever the symmetries do to it.
    let to_select = Kept { initial: true, questions: false };
    let on_whole = if options.folding == Folding::Explore { None } else { known(to_select) };
    let selecting = on_whole.map(|known| Folder::new(system, known));
    // Where nothing is asked, both ways have the same symmetries.
    let is_same = options.folding == Folding::Automatic && selecting.is_some() && !is_asked;
    let own = match options.folding {
        Folding::Select => None,
        _ if is_same => None,
        _ => known_on_representatives(known).map(|known| Folder::new(system, known)),
    };
    let exploring = if is_same { selecting.as_ref() } else { own.as_ref() };
    let mut space = match fold(&whole, selecting.as_ref(), exploring) {
        Some(space) => space?,
        None => return space::explore(system, &whole),
    };
    space.time = start.elapsed();
    Ok(space)
}

/// How many operations it may take to see that a net is not bounded.
const PATIENCE_FOR_BOUNDS: u64 = 200_000;

/// The symmetries with which only representatives are kept.
fn known_on_representatives(known: &dyn Fn(Kept) -> Option<Known>) -> Option<Known> {
    let all = known(Kept { initial: false, questions: true })?;
    // With symmetries that leave the initial states alone, units can be used and concrete states counted. The group is
    // seldom smaller for it.
    let keeping = known(Kept { initial: true, questions: true }).filter(|keeping| keeping.order == all.order);
    Some(keeping.unwrap_or(all))
}

/// Folds in whichever way gets to an end first. Nothing if there is none.
fn fold<'a>(
    options: &Options, selecting: Option<&Folder<'a>>, exploring: Option<&Folder<'a>>,
) -> Option<Result<Space<'a>, Stopped<'a>>> {
    let is_out_of_work = |result: &Result<Space<'a>, Stopped<'a>>| {
        matches!(result, Err(Stopped::Limit { error: Error::Work { .. }, .. }))
    };
    for (to_select, to_explore) in ROUNDS {
        for (folder, layout) in selecting.iter().flat_map(|folder| folder.layouts.iter().map(move |one| (folder, one)))
        {
            let result = folder.selected(folder.attempt(options, layout, to_select), Some(to_select));
            if !is_out_of_work(&result) {
                return Some(result);
            }
        }
        for (folder, layout) in exploring.iter().flat_map(|folder| folder.layouts.iter().map(move |one| (folder, one)))
        {
            let result = folder.explored(options, layout, Some(to_explore));
            if !is_out_of_work(&result) {
                return Some(result);
            }
        }
    }
    match (selecting, exploring) {
        (_, Some(folder)) => Some(folder.explored(options, folder.layouts.first()?, None)),
        (Some(folder), None) => Some(folder.selected(folder.whole(options), None)),
        (None, None) => None,
    }
}

/// What is needed to fold the space of a system.
struct Folder<'a> {
    system: &'a System,
    known: Known,
    reduction: Reduction,
    leaders: Option<Leaders>,
    /// Layouts in which blocks follow each other.
    layouts: Vec<(Layouts, Description)>,
}

impl<'a> Folder<'a> {
    fn new(system: &'a System, known: Known) -> Folder<'a> {
        let variables = known.names.len();
        let reduction = Reduction::new(&known.shape, variables);
        let leaders = Leaders::new(&known.shape, variables);
        let mut folder = Folder { system, known, reduction, leaders, layouts: Vec::new() };
        folder.layouts = folder.contents().into_iter().map(|contents| folder.by_rank(contents)).collect();
        folder
    }

    /// Diagram variables that the symmetries map to each other, in one way or two.
    fn contents(&self) -> Vec<Vec<Content>> {
        let ranks = &self.reduction.ranks;
        let mut single: Vec<u32> = (0..ranks.len() as u32).collect();
        single.sort_by_key(|&variable| ranks[variable as usize]);
        let single: Vec<Content> = single.into_iter().map(Content::single).collect();
        match &self.system.types[self.system.main] {
            Type::Net(net) if self.known.keeps_initial => {
                let generators = self.known.shape.generators();
                let units = symmetric_contents(net, &Structure::new(net), &generators, &self.reduction);
                if units.len() < single.len() { vec![units, single] } else { vec![single] }
            }
            Type::Net(_) | Type::Program(_) => vec![single],
            Type::Composite(_) => Vec::new(),
        }
    }

    fn by_rank(&self, contents: Vec<Content>) -> (Layouts, Description) {
        let description = Description { order: "by symmetry".to_owned(), variables: contents.len(), levels: 1 };
        let layout = Layout::new(contents.into_iter().map(Slot::Data).collect());
        (Layouts { elementary: [(self.system.main, layout)].into_iter().collect(), ..Layouts::default() }, description)
    }

    /// The whole space, with a layout and so much work.
    fn attempt(
        &self, options: &Options, (layouts, description): &(Layouts, Description), work: u64,
    ) -> Result<Space<'a>, Stopped<'a>> {
        attempt(self.system, options, layouts.clone(), Some(work), description.clone())
    }

    /// The whole space, with more layouts and without a limit.
    fn whole(&self, options: &Options) -> Result<Space<'a>, Stopped<'a>> {
        let (more, rounds): (Vec<Plans>, _) = match &self.system.types[self.system.main] {
            Type::Net(net) => {
                let structure = Structure::new(net);
                let plans = |contents| Plans::of_contents(net, &structure, contents);
                (self.contents().into_iter().map(plans).collect(), OF_NETS)
            }
            Type::Program(program) => (vec![Plans::of_program(program)], OF_PROGRAMS),
            Type::Composite(_) => (Vec::new(), OF_NETS),
        };
        let more = more.iter().map(|plans| tries(self.system, plans, HierarchyChoice::Fixed(Hierarchy::Off)));
        let mut layouts = self.layouts.clone();
        layouts.extend(in_turn(more.collect()));
        portfolio(self.system, options, layouts, &LastResorts { unbounded: &|| None, enumerable: &|| None, rounds })
    }

    /// Only representatives, from the start.
    fn explored(
        &self, options: &Options, layout: &(Layouts, Description), work: Option<u64>,
    ) -> Result<Space<'a>, Stopped<'a>> {
        let mut canonise = None;
        let (layouts, description) = layout.clone();
        let result = attempt_by(self.system, options, layouts, work, description, |encoded| {
            let canonise = canonise.insert(self.canonise(encoded)?);
            self.representatives(encoded, canonise)
        });
        let mut space = match (result, &canonise) {
            // Some of the representatives.
            (Err(Stopped::Limit { error, partial: Some(mut partial) }), Some(canonise)) => {
                let limits = partial.encoded.store.limits();
                partial.encoded.store.set_limits(Limits { work: Some(WORK_FOR_ORBITS), ..Limits::default() });
                let partial = partial.encoded.fold(canonise).is_ok().then_some(partial);
                let partial = partial.map(|mut partial| {
                    partial.encoded.store.set_limits(limits);
                    partial
                });
                return Err(Stopped::Limit { error, partial });
            }
            (result, _) => result?,
        };
        let canonise = match canonise {
            Some(canonise) => canonise,
            None => self.canonise(&mut space.encoded)?,
        };
        space.encoded.fold(&canonise)?;
        let states = space.states.clone();
        space.folded = Some(Box::new(self.folded(&mut space, Way::Explored, &states, canonise)?));
        Ok(space)
    }

    /// The representatives among the whole space.
    fn selected(&self, whole: Result<Space<'a>, Stopped<'a>>, work: Option<u64>) -> Result<Space<'a>, Stopped<'a>> {
        let mut space = whole?;
        let limits = space.encoded.store.limits();
        space.encoded.store.set_limits(Limits { work, ..limits });
        let canonise = self.canonise(&mut space.encoded)?;
        let leading = canonise.leading(&mut space.encoded.store, &space.states.clone())?;
        let mut folded = self.folded(&mut space, Way::Selected, &leading, canonise)?;
        folded.concrete = Some(space.count());
        space.encoded.store.set_limits(Limits { work: None, ..limits });
        space.folded = Some(Box::new(folded));
        Ok(space)
    }

    fn canonise(&self, encoded: &mut Encoded<'_>) -> Result<Canonise, Error> {
        let layout = encoded.layout(self.system.main).cloned().unwrap_or_default();
        // Layouts are made of contents that the symmetries map to each other.
        Ok(self.reduction.on(&mut encoded.store, &layout).unwrap_or_default())
    }

    /// Breadth first, every state replaced by its representative.
    fn representatives(&self, encoded: &mut Encoded<'_>, canonise: &Canonise) -> Result<Diagram, Error> {
        let step = encoded.store.sum(&encoded.relation.clone());
        let initial = encoded.initial.clone();
        let mut known = encoded.store.zero();
        let mut new = canonise.canonise(&mut encoded.store, &initial)?;
        while !new.is_empty() {
            known = encoded.store.union(&known, &new)?;
            let found = (|| {
                let next = encoded.store.apply(&step, &new)?;
                let next = encoded.store.difference(&next, &known)?;
                let next = canonise.canonise(&mut encoded.store, &next)?;
                encoded.store.difference(&next, &known)
            })();
            new = found.map_err(|error| having_reached(error, &known))?;
        }
        Ok(known)
    }

    /// What is known of representatives. If several may be left of an orbit, and not too many in all, each is replaced by
    /// the leader of its orbit.
    fn folded(
        &self, space: &mut Space<'_>, way: Way, representatives: &Diagram, canonise: Canonise,
    ) -> Result<Folded, Error> {
        let mut folded = Folded {
            way,
            representatives: representatives.clone(),
            left_by_diagrams: None,
            is_canonical: self.reduction.is_canonical,
            concrete: None,
            group: self.known.clone(),
            canonise,
        };
        if !folded.is_canonical {
            folded.representatives = folded.canonise.canonise_by_sums(&mut space.encoded.store, representatives)?;
        }
        let count = space.encoded.store.count(representatives);
        let few = space.encoded.store.count(&folded.representatives);
        let tries = self.leaders.as_ref().map_or(1, |leaders| leaders.tries() as u64);
        let is_few = few.to_u64().is_some_and(|count| count.saturating_mul(tries) <= MOST_ONE_BY_ONE);
        let is_of_use = !folded.is_canonical || (way == Way::Explored && self.known.keeps_initial);
        if let (true, Some(leaders)) = (is_few && is_of_use, &self.leaders)
            && let Some((leading, concrete)) = self.one_by_one(&mut space.encoded, &folded.representatives, leaders)?
        {
            if !folded.is_canonical {
                folded.representatives = leading;
                folded.left_by_diagrams = Some(count);
                folded.is_canonical = true;
            }
            folded.concrete = self.known.keeps_initial.then(|| Count::from(concrete));
        } else if is_of_use && self.known.keeps_initial {
            folded.concrete = count_orbits(&mut space.encoded, &folded);
        }
        Ok(folded)
    }

    /// The leaders of the orbits of some states, and how many states these orbits have.
    fn one_by_one(
        &self, encoded: &mut Encoded<'_>, states: &Diagram, leaders: &Leaders,
    ) -> Result<Option<(Diagram, UBig)>, Error> {
        let Some(layout) = encoded.layout(self.system.main).cloned() else { return Ok(None) };
        let (sizes, limits, cancel) = (encoded.sizes(), encoded.store.limits(), encoded.store.cancel());
        let (mut rows, mut concrete) = (FxHashSet::default(), UBig::ZERO);
        for state in encoded.store.states(states) {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled { reached: None });
            }
            if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Error::Time { reached: None });
            }
            let Some(leader) = leaders.leader(&encoded.decode(&state, &sizes)) else { return Ok(None) };
            let Some(row) = layout.row(&leader.state) else { return Ok(None) };
            if rows.insert(row) {
                concrete += leader.orbit;
            }
        }
        let mut rows: Vec<Vec<i32>> = rows.into_iter().collect();
        rows.sort_unstable();
        let mut rows = rows.into_iter();
        let leading = encoded.store.ascending(layout.slots().len(), |row| {
            row.copy_from_slice(&rows.next()?);
            Some(0)
        })?;
        Ok(Some((leading, concrete)))
    }
}

/// How many states there are in the orbits of representatives, if that is soon known.
fn count_orbits(encoded: &mut Encoded<'_>, folded: &Folded) -> Option<Count> {
    let limits = encoded.store.limits();
    encoded.store.set_limits(Limits { work: Some(WORK_FOR_ORBITS), ..limits });
    let all = folded.canonise.orbit(&mut encoded.store, &folded.representatives);
    encoded.store.set_limits(limits);
    all.ok().map(|all| encoded.store.count(&all))
}

/// The error, with what was found until then.
fn having_reached(error: Error, known: &Diagram) -> Error {
    let reached = Some(known.clone());
    match error {
        Error::Memory { used, needed, limit, .. } => Error::Memory { used, needed, limit, reached },
        Error::Time { .. } => Error::Time { reached },
        Error::Work { .. } => Error::Work { reached },
        Error::Cancelled { .. } => Error::Cancelled { reached },
        error => error,
    }
}
