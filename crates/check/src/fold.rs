//! State spaces folded by symmetry: one state for each orbit.
//!
//! There are three ways. *Exploring* makes every state that is found the least of its orbit at once, as far as the symmetries
//! that are tried go, and goes on from there: only representatives are ever kept. *Selecting* builds the whole space by
//! saturation, which is closed under the group if the initial states are, and keeps of it what no symmetry makes smaller:
//! nothing is ever moved, and whatever is asked can be answered on the whole space. Where the whole space is small as a
//! diagram, however many states it has, selecting is faster by far. *Listing* finds the leaders of orbits one by one, which
//! is best where orbits are few and diagrams of them are not small.
//!
//! Where parts of the group meet, both may leave several representatives of an orbit. If there are not too many, each is
//! replaced by the leader of its orbit, one by one: then the count is that of the orbits.

use std::time::Instant;

use mandala_diagram::{Cancel, Count, Diagram, Error, Limits, Store};
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
use mandala_symbolic::symmetry::{Keep, Part, Points, Shape, Symmetries, find};
use rustc_hash::FxHashSet;

use crate::layouts::{in_turn, tries};
use crate::listing::{Listing, Stop};
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
    /// Representatives are found one by one.
    List,
}

/// How a state space was folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Only representatives were kept: the states of the space are those.
    Explored,
    /// The space is whole.
    Selected,
    /// The states of the space are the leaders of orbits, found one by one.
    Listed,
    /// The space is whole, and nothing was selected from it: that would have taken too long.
    Whole,
}

impl Way {
    /// Whether all states are there, so that everything can be asked of them.
    pub fn is_whole(self) -> bool {
        matches!(self, Way::Selected | Way::Whole)
    }
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
    /// What it permutes: variables, and values of some.
    pub points: Points,
    /// The names of variables.
    pub names: Vec<String>,
    /// How many symmetries there are (at least, if the search was not complete).
    pub order: UBig,
    /// Whether all symmetries were found.
    pub is_complete: bool,
    /// Whether it leaves the initial states alone.
    pub keeps_initial: bool,
    /// How many places always hold the same as another: to exchange them would change no state.
    pub twins: usize,
}

/// How many operations it may take to find symmetries, and to see what they do.
const PATIENCE: u64 = 200_000_000;

/// How much work each layout may do before the next one is tried, to select and to explore.
#[derive(Clone, Copy)]
struct Effort {
    select: u64,
    explore: u64,
}

/// What is done before anything is listed beside diagrams.
const FIRST: Effort = Effort { select: 40_000, explore: 80_000 };

/// How many leaders are listed until then.
const FIRST_LEADERS: u32 = 300;

/// How many rounds there are, each three times as long as the one before.
const ROUNDS: u32 = 8;

/// So many are without exploring if leaders are listed beside them.
const ROUNDS_BEFORE_EXPLORING: u32 = 3;

/// How many of them there are if all states are known.
const ROUNDS_BESIDES_ALL: u32 = 4;

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
        let parts = found.points.check(system, &Keep { initial, questions }, &shape.generators()).ok()?;
        let shape = if parts.iter().all(Result::is_ok) {
            shape
        } else {
            Shape { parts: vec![Part::Other { generators: found.generators().to_vec() }], is_whole: false }
        };
        Some(Known {
            shape,
            points: found.points.clone(),
            names: found.names.clone(),
            order: found.order(),
            is_complete: found.is_complete(),
            keeps_initial: initial,
            twins: found.twins.len(),
        })
    }

    /// Whether it leaves a question alone.
    pub fn leaves_alone(&self, system: &System, question: &Question) -> bool {
        let keep = Keep { initial: false, questions: &[question] };
        self.points
            .check(system, &keep, &self.shape.generators())
            .is_ok_and(|checked| checked.iter().all(Result::is_ok))
    }

    /// The symmetries in words, a line each.
    pub fn words(&self) -> Vec<String> {
        self.shape.describe(&self.points, &self.names)
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
    let selects = matches!(options.folding, Folding::Automatic | Folding::Select);
    let on_whole = if selects { known(Kept { initial: true, questions: false }) } else { None };
    let selecting = on_whole.map(|known| Folder::new(system, known));
    // Where nothing is asked, both ways have the same symmetries.
    let is_same = options.folding == Folding::Automatic && selecting.is_some() && !is_asked;
    let own = match options.folding {
        Folding::Select => None,
        _ if is_same => None,
        _ => known_on_representatives(is_asked, known).map(|known| Folder::new(system, known)),
    };
    let exploring = if is_same { selecting.as_ref() } else { own.as_ref() };
    let folded = match (options.folding, exploring) {
        (Folding::List, Some(folder)) => folder.list(&whole),
        (folding, _) => {
            let is_automatic = folding == Folding::Automatic;
            let takes_all = is_asked && is_automatic;
            let diagrams = Diagrams { system, selecting: selecting.as_ref(), exploring, takes_all };
            if is_automatic { diagrams.compete(&whole) } else { diagrams.alone(&whole) }
        }
    };
    let mut space = match folded {
        Some(space) => space?,
        None => return space::explore(system, &whole),
    };
    space.time = start.elapsed();
    Ok(space)
}

/// How many operations it may take to see that a net is not bounded.
const PATIENCE_FOR_BOUNDS: u64 = 200_000;

/// The symmetries with which only representatives are kept. With those that leave the initial states alone, units can be
/// used and concrete states counted. If something is asked they are used where they are no fewer than all; if not, where
/// there are some.
fn known_on_representatives(is_asked: bool, known: &dyn Fn(Kept) -> Option<Known>) -> Option<Known> {
    let keeping = known(Kept { initial: true, questions: true });
    if !is_asked && keeping.is_some() {
        return keeping;
    }
    let all = known(Kept { initial: false, questions: true })?;
    Some(keeping.filter(|keeping| keeping.order == all.order).unwrap_or(all))
}

/// A way that came to an end, or met a limit that ends all.
type Ended<'a> = Option<Result<Space<'a>, Stopped<'a>>>;

/// The ways that work on sets of states.
struct Diagrams<'r, 'a> {
    system: &'a System,
    selecting: Option<&'r Folder<'a>>,
    exploring: Option<&'r Folder<'a>>,
    /// Whether all states are as good as representatives: if something is asked, and it does not matter how.
    takes_all: bool,
}

impl<'a> Diagrams<'_, 'a> {
    /// Folds in whichever way gets to an end first. Nothing if there is none. A little of each way is tried in turn; what
    /// takes longer is listed beside diagrams.
    fn compete(&self, options: &Options) -> Ended<'a> {
        if let Some(selected) = self.select(options, FIRST) {
            return Some(selected);
        }
        // Diagrams may need the other half of the memory.
        let half = Options { memory: options.memory.map(|bytes| bytes / 2), ..options.clone() };
        let listing = self.exploring.and_then(|folder| Some((folder, folder.listing(&half)?)));
        let Some((folder, mut listing)) = listing else {
            return self
                .explore(options, FIRST)
                .or_else(|| self.rounds_with_all(options, 0))
                .or_else(|| self.rest(options));
        };
        match listing.run(options, FIRST_LEADERS) {
            Ok(()) => Some(folder.listed(options, listing)),
            Err(Stop::Unfit) => self.rounds_with_all(options, 0).or_else(|| self.rest(options)),
            Err(Stop::Limit(_)) => self.beside(options, folder, listing),
        }
    }

    /// Folds in the only way that there is.
    fn alone(&self, options: &Options) -> Ended<'a> {
        (0..ROUNDS).find_map(|round| self.round(options, round)).or_else(|| self.rest(options))
    }

    /// Rounds beside a list of leaders that is taken up.
    fn beside(&self, options: &Options, folder: &Folder<'a>, mut listing: Listing<'_, 'a>) -> Ended<'a> {
        let [to_list, on_diagrams] = std::array::from_fn(|_| {
            let memory = options.memory.map(|bytes| bytes / 2);
            Options { cancel: options.cancel.part(), memory, ..options.clone() }
        });
        let (by_diagrams, listed) = std::thread::scope(|scope| {
            let list = scope.spawn(|| {
                let ended = listing.run(&to_list, u32::MAX);
                if ended.is_ok() {
                    on_diagrams.cancel.cancel();
                }
                ended
            });
            let by_diagrams = self.rounds_with_all(&on_diagrams, ROUNDS_BEFORE_EXPLORING);
            if by_diagrams.is_some() {
                to_list.cancel.cancel();
            }
            (by_diagrams, list.join())
        });
        match (by_diagrams, listed) {
            // Then diagrams were cancelled, if perhaps too late.
            (_, Ok(Ok(()))) => Some(folder.listed(options, listing)),
            (Some(Ok(mut space)), _) => {
                space.encoded.store.set_limits(limits(options));
                Some(Ok(space))
            }
            (Some(Err(stopped)), _) => Some(Err(stopped)),
            (None, Ok(Err(Stop::Limit(error)))) => Some(folder.listed_until(options, listing, error)),
            (None, _) => self.rest(options),
        }
    }

    /// Rounds that get longer. In between, as much time is spent on all states as on representatives until then. All states
    /// are enough if something is asked; if not, they are what is left to say after so many rounds, or at the end of time.
    /// The first rounds may be without exploring.
    fn rounds_with_all(&self, options: &Options, without_exploring: u32) -> Ended<'a> {
        let start = Instant::now();
        let mut all: Option<Space<'a>> = None;
        for round in 1..ROUNDS {
            let selects_only = round <= without_exploring;
            let ended = if selects_only { self.select(options, effort(round)) } else { self.round(options, round) };
            match ended {
                Some(Err(Stopped::Limit { error: Error::Time { .. }, .. })) if all.is_some() => break,
                Some(ended) => return Some(ended),
                None => {}
            }
            if all.is_none() {
                let soon = Instant::now() + start.elapsed();
                let deadline = options.deadline.map_or(soon, |deadline| deadline.min(soon));
                let found = space::explore(self.system, &Options { deadline: Some(deadline), ..options.clone() });
                all = found.ok().map(|mut space| {
                    space.encoded.store.set_limits(limits(options));
                    self.unfolded(space)
                });
            }
            if all.is_some() && (self.takes_all || round >= ROUNDS_BESIDES_ALL) {
                break;
            }
        }
        all.map(Ok)
    }

    /// A space that is whole.
    fn unfolded(&self, mut space: Space<'a>) -> Space<'a> {
        let Some(folder) = self.selecting.or(self.exploring) else { return space };
        let folded = Folded {
            way: Way::Whole,
            representatives: space.states.clone(),
            left_by_diagrams: None,
            is_canonical: false,
            concrete: Some(space.count()),
            group: folder.known.clone(),
            canonise: Canonise::default(),
        };
        space.folded = Some(Box::new(folded));
        space
    }

    fn round(&self, options: &Options, round: u32) -> Ended<'a> {
        self.select(options, effort(round)).or_else(|| self.explore(options, effort(round)))
    }

    fn select(&self, options: &Options, effort: Effort) -> Ended<'a> {
        let folder = self.selecting?;
        let work = Some(effort.select);
        let mut tried = folder.layouts.iter().map(|(layouts, description)| {
            let all = attempt(folder.system, options, layouts.clone(), work, description.clone());
            match all {
                Ok(mut space) if self.takes_all => {
                    space.encoded.store.set_limits(limits(options));
                    Ok(self.unfolded(space))
                }
                all => folder.selected(all, work),
            }
        });
        tried.find(|result| !is_open(result))
    }

    fn explore(&self, options: &Options, effort: Effort) -> Ended<'a> {
        let folder = self.exploring?;
        let mut tried = folder.layouts.iter().map(|layout| folder.explored(options, layout, Some(effort.explore)));
        tried.find(|result| !is_open(result))
    }

    /// What is left to do when rounds have brought no end.
    fn rest(&self, options: &Options) -> Ended<'a> {
        match (self.selecting, self.exploring) {
            (_, Some(folder)) => Some(folder.explored(options, folder.layouts.first()?, None)),
            (Some(folder), None) => Some(folder.selected(folder.whole(options), None)),
            (None, None) => None,
        }
    }
}

/// What may be asked of a space once it is there.
fn limits(options: &Options) -> Limits {
    Limits { memory: options.memory, deadline: options.deadline, work: None }
}

/// How much work there is in a round.
fn effort(round: u32) -> Effort {
    let times = 3u64.pow(round);
    Effort { select: FIRST.select * times, explore: FIRST.explore * times }
}

/// Whether there may be more to find with another layout or another way.
fn is_open(result: &Result<Space<'_>, Stopped<'_>>) -> bool {
    matches!(result, Err(Stopped::Limit { error: Error::Work { .. } | Error::Memory { .. }, .. }))
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
        let reduction = Reduction::new(&known.shape, &known.points);
        let leaders = Leaders::new(&known.shape, &known.points);
        let mut folder = Folder { system, known, reduction, leaders, layouts: Vec::new() };
        folder.layouts = folder.contents().into_iter().map(|contents| folder.by_rank(contents)).collect();
        folder
    }

    /// Diagram variables that the symmetries map to each other, in one way or two.
    fn contents(&self) -> Vec<Vec<Content>> {
        let ranks = &self.reduction.ranks;
        let mut single: Vec<u32> = (0..self.known.points.variables() as u32).collect();
        // Variables that hold numbers of blocks are often indices, and best known before the elements that they mean.
        let have_values = self.known.points.have_values();
        let is_own = |variable: u32| have_values && self.reduction.blocks[variable as usize] != u32::MAX;
        single.sort_by_key(|&variable| (is_own(variable), ranks[variable as usize]));
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

    /// The leaders of all orbits, one by one; or, if that cannot be done, by exploring.
    fn list(&self, options: &Options) -> Ended<'a> {
        if let Some(mut listing) = self.listing(options) {
            match listing.run(options, u32::MAX) {
                Ok(()) => return Some(self.listed(options, listing)),
                Err(Stop::Limit(error)) => return Some(self.listed_until(options, listing, error)),
                Err(Stop::Unfit) => {}
            }
        }
        Some(self.explored(options, self.layouts.first()?, None))
    }

    /// The space of the leaders that were found until a limit struck.
    fn listed_until(
        &self, options: &Options, listing: Listing<'_, 'a>, error: Error,
    ) -> Result<Space<'a>, Stopped<'a>> {
        let options = Options { deadline: None, cancel: Cancel::default(), ..options.clone() };
        let partial = self.listed(&options, listing).ok().map(Box::new);
        Err(Stopped::Limit { error, partial })
    }

    fn listing(&self, options: &Options) -> Option<Listing<'_, 'a>> {
        Listing::new(self.system, self.leaders.as_ref()?, &self.known.points, self.known.shape.generators(), options)
    }

    /// The space of leaders that were listed.
    fn listed(&self, options: &Options, listing: Listing<'_, 'a>) -> Result<Space<'a>, Stopped<'a>> {
        let (layouts, description) = self.layouts.last().cloned().unwrap_or_default();
        let mut space = attempt_by(self.system, options, layouts, None, description, |encoded| {
            let layout = encoded.layout(self.system.main).cloned().unwrap_or_default();
            let rows = listing.states().map(|state| layout.row(state)).collect::<Option<_>>();
            diagram_of(&mut encoded.store, &layout, rows.ok_or(Error::Work { reached: None })?)
        })?;
        let canonise = self.canonise(&mut space.encoded)?;
        let representatives = space.states.clone();
        space.encoded.fold_onto(&canonise, &representatives)?;
        space.folded = Some(Box::new(Folded {
            way: Way::Listed,
            representatives,
            left_by_diagrams: None,
            is_canonical: true,
            concrete: self.known.keeps_initial.then(|| Count::from(listing.concrete)),
            group: self.known.clone(),
            canonise,
        }));
        Ok(space)
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
        let leading = diagram_of(&mut encoded.store, &layout, rows.into_iter().collect())?;
        Ok(Some((leading, concrete)))
    }
}

/// States, given by the values of slots.
fn diagram_of(store: &mut Store, layout: &Layout, mut rows: Vec<Vec<i32>>) -> Result<Diagram, Error> {
    rows.sort_unstable();
    let mut rows = rows.into_iter();
    store.ascending(layout.slots().len(), |row| {
        row.copy_from_slice(&rows.next()?);
        Some(0)
    })
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
