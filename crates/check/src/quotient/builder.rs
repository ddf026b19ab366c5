//! Each way to make a quotient of a space.

use mandala_analysis::structure::Structure;
use mandala_analysis::symmetry::SymmetryGroup;
use mandala_analysis::symmetry::leader::Leaders;
use mandala_diagram::{Count, Diagram, Error, Store};
use mandala_group::UBig;
use mandala_model::system::{System, Type};
use mandala_symbolic::canonise::contents::symmetric_contents;
use mandala_symbolic::canonise::reduction::{Canonise, Reduction};
use mandala_symbolic::encode::{EncodedSystem, Layouts, SystemEncoding};
use mandala_symbolic::layout::{Content, Layout, Slot};
use mandala_symbolic::plan::{Hierarchy, Plans};
use rustc_hash::FxHashSet;

use super::listing::{Listing, Stop};
use crate::budget::{after_a_limit, within_budget};
use crate::explore::candidate::LaidOut;
use crate::explore::layouts::{in_turn, tries};
use crate::explore::portfolio::{LastResorts, OF_NETS, OF_PROGRAMS, Portfolio};
use crate::explore::{Stopped, SystemStopped, attempt_by};
use crate::limits::Limits;
use crate::options::{HierarchyChoice, Options};
use crate::space::{Construction, Quotient};
use crate::space::{Coverage, Description, SystemSpace};

/// How much work is spent on counting the states of orbits.
const WORK_FOR_ORBITS: u64 = 5_000_000;

/// So many representatives are looked at one by one, if one symmetry is tried on each; fewer if there are more.
const MOST_ONE_BY_ONE: u64 = 1 << 21;

/// A finished strategy, or a fatal limit.
pub(super) type Ended<'a> = Option<Result<SystemSpace<'a>, SystemStopped<'a>>>;

/// What is needed to make a quotient of the space of a system.
pub(super) struct Builder<'a> {
    pub(super) system: &'a System,
    pub(super) known: SymmetryGroup,
    reduction: Reduction,
    leaders: Option<Leaders>,
    /// Layouts in which blocks follow each other.
    pub(super) layouts: Vec<LaidOut<'a>>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(system: &'a System, known: SymmetryGroup) -> Builder<'a> {
        let reduction = Reduction::new(&known.shape, &known.points);
        let leaders = Leaders::new(&known.shape, &known.points);
        let mut builder = Builder { system, known, reduction, leaders, layouts: Vec::new() };
        builder.layouts = builder.contents().into_iter().map(|contents| builder.by_rank(contents)).collect();
        builder
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
        match self.system.main_type() {
            Type::Net(net) if self.known.keeps_initial => {
                let generators = self.known.shape.generators();
                let units = symmetric_contents(net, &Structure::new(net), &generators, &self.reduction);
                if units.len() < single.len() { vec![units, single] } else { vec![single] }
            }
            Type::Net(_) | Type::Program(_) => vec![single],
            Type::Queues(_) | Type::Composite(_) => Vec::new(),
        }
    }

    fn by_rank(&self, contents: Vec<Content>) -> LaidOut<'a> {
        let description = Description { order: "by symmetry".to_owned(), variables: contents.len(), levels: 1 };
        let layout = Layout::new(contents.into_iter().map(Slot::Data).collect());
        let layouts = Layouts { elementary: [(self.system.main, layout)].into_iter().collect(), ..Layouts::default() };
        LaidOut { system: self.system, layouts, description, model: 0 }
    }

    /// The whole space, with more layouts and without a limit.
    pub(super) fn whole(&self, options: &Options) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
        let (more, rounds): (Vec<Plans>, _) = match self.system.main_type() {
            Type::Net(net) => {
                let structure = Structure::new(net);
                let plans = |contents| Plans::of_contents(net, &structure, contents);
                (self.contents().into_iter().map(plans).collect(), OF_NETS)
            }
            Type::Program(program) => (vec![Plans::of_program(program)], OF_PROGRAMS),
            Type::Queues(_) | Type::Composite(_) => (Vec::new(), OF_NETS),
        };
        let more = more.iter().map(|plans| tries(self.system, plans, HierarchyChoice::Fixed(Hierarchy::Off)));
        let mut layouts = self.layouts.clone();
        layouts.extend(in_turn(more.collect()));
        Portfolio::new(layouts, LastResorts::none(rounds)).run(options)
    }

    /// The leaders of all orbits, one by one; or, if that cannot be done, by exploring.
    pub(super) fn list(&self, options: &Options) -> Ended<'a> {
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
    pub(super) fn listed_until(
        &self, options: &Options, listing: Listing<'_, 'a>, error: Error,
    ) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
        let options = Options { limits: options.limits.without_end(), ..options.clone() };
        let partial = self.listed(&options, listing).ok().map(|mut space| {
            space.coverage = Coverage::Part;
            Box::new(space)
        });
        Err(Stopped::Limit { error, partial })
    }

    /// What is known of some of the representatives.
    fn part(&self, space: &SystemSpace<'a>) -> Quotient<SystemEncoding<'a>> {
        Quotient {
            construction: Construction::Explored,
            representatives: space.states.clone(),
            left_by_diagrams: None,
            is_canonical: false,
            concrete: None,
            group: self.known.clone(),
            preserved: Vec::new(),
        }
    }

    pub(super) fn listing(&self, options: &Options) -> Option<Listing<'_, 'a>> {
        Listing::new(self.system, self.leaders.as_ref()?, &self.known.points, self.known.shape.generators(), options)
    }

    /// The space of leaders that were listed.
    pub(super) fn listed(
        &self, options: &Options, listing: Listing<'_, 'a>,
    ) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
        let Some(laid_out) = self.layouts.last() else { return Err(Error::Work { reached: None }.into()) };
        let mut space = attempt_by(laid_out, options, None, |encoded| {
            let layout = encoded.layout(self.system.main).cloned().unwrap_or_default();
            let rows = listing.states().map(|state| layout.row(state)).collect::<Option<_>>();
            diagram_of(&mut encoded.store, &layout, rows.ok_or(Error::Work { reached: None })?)
        })?;
        let canonise = self.canonise(&mut space.encoded)?;
        let representatives = space.states.clone();
        space.encoded.make_quotient_among(&canonise, &representatives)?;
        space.quotient = Some(Box::new(Quotient {
            construction: Construction::Listed,
            representatives,
            left_by_diagrams: None,
            is_canonical: true,
            concrete: self.known.keeps_initial.then(|| Count::from(listing.concrete)),
            group: self.known.clone(),
            preserved: Vec::new(),
        }));
        Ok(space)
    }

    /// Only representatives, from the start.
    pub(super) fn explored(
        &self, options: &Options, laid_out: &LaidOut<'a>, work: Option<u64>,
    ) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
        let mut canonise = None;
        let result = attempt_by(laid_out, options, work, |encoded| {
            let canonise = canonise.insert(self.canonise(encoded)?);
            self.representatives(encoded, canonise)
        });
        let mut space = match (result, &canonise) {
            // Some of the representatives.
            (Err(Stopped::Limit { error, partial: Some(mut partial) }), Some(canonise)) => {
                let is_made =
                    after_a_limit(&mut partial.encoded, WORK_FOR_ORBITS, |encoded| encoded.make_quotient(canonise));
                let partial = is_made.is_ok().then_some(partial).map(|mut partial| {
                    partial.quotient = Some(Box::new(self.part(&partial)));
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
        space.encoded.make_quotient(&canonise)?;
        let states = space.states.clone();
        space.quotient = Some(Box::new(self.quotient(&mut space, Construction::Explored, &states, &canonise)?));
        Ok(space)
    }

    /// The representatives among the whole space.
    pub(super) fn selected(
        &self, whole: Result<SystemSpace<'a>, SystemStopped<'a>>, work: Option<u64>,
    ) -> Result<SystemSpace<'a>, SystemStopped<'a>> {
        let mut space = whole?;
        if !space.is_complete() {
            return Ok(space);
        }
        let mut quotient = within_budget(&mut space, work.unwrap_or(u64::MAX), |space| {
            let canonise = self.canonise(&mut space.encoded)?;
            let leading = canonise.leading(&mut space.encoded.store, &space.states.clone())?;
            self.quotient(space, Construction::Selected, &leading, &canonise)
        })?;
        quotient.concrete = Some(space.count());
        space.quotient = Some(Box::new(quotient));
        Ok(space)
    }

    fn canonise(&self, encoded: &mut EncodedSystem<'_>) -> Result<Canonise, Error> {
        let layout = encoded.layout(self.system.main).cloned().unwrap_or_default();
        // Layouts are made of contents that the symmetries map to each other.
        Ok(self.reduction.on(&mut encoded.store, &layout).unwrap_or_default())
    }

    /// Breadth first, every state replaced by its representative.
    fn representatives(&self, encoded: &mut EncodedSystem<'_>, canonise: &Canonise) -> Result<Diagram, Error> {
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
    fn quotient(
        &self, space: &mut SystemSpace<'a>, construction: Construction, representatives: &Diagram, canonise: &Canonise,
    ) -> Result<Quotient<SystemEncoding<'a>>, Error> {
        let mut quotient = Quotient {
            construction,
            representatives: representatives.clone(),
            left_by_diagrams: None,
            is_canonical: self.reduction.is_canonical,
            concrete: None,
            group: self.known.clone(),
            preserved: Vec::new(),
        };
        if !quotient.is_canonical {
            quotient.representatives = canonise.canonise_by_sums(&mut space.encoded.store, representatives)?;
        }
        let count = space.encoded.store.count(representatives);
        let few = space.encoded.store.count(&quotient.representatives);
        let tries = self.leaders.as_ref().map_or(1, |leaders| leaders.tries() as u64);
        let is_few = few.to_u64().is_some_and(|count| count.saturating_mul(tries) <= MOST_ONE_BY_ONE);
        let is_of_use = !quotient.is_canonical || (construction == Construction::Explored && self.known.keeps_initial);
        if let (true, Some(leaders)) = (is_few && is_of_use, &self.leaders)
            && let Some((leading, concrete)) =
                self.one_by_one(&mut space.encoded, &quotient.representatives, leaders)?
        {
            if !quotient.is_canonical {
                quotient.representatives = leading;
                quotient.left_by_diagrams = Some(count);
                quotient.is_canonical = true;
            }
            quotient.concrete = self.known.keeps_initial.then(|| Count::from(concrete));
        } else if is_of_use && self.known.keeps_initial {
            quotient.concrete = count_orbits(&mut space.encoded, canonise, &quotient.representatives);
        }
        Ok(quotient)
    }

    /// The leaders of the orbits of some states, and how many states these orbits have.
    fn one_by_one(
        &self, encoded: &mut EncodedSystem<'_>, states: &Diagram, leaders: &Leaders,
    ) -> Result<Option<(Diagram, UBig)>, Error> {
        let Some(layout) = encoded.layout(self.system.main).cloned() else { return Ok(None) };
        let (deadline, cancel) = (encoded.store.limits().deadline, encoded.store.cancel());
        let limits = Limits { deadline, cancel, ..Limits::default() };
        let (mut rows, mut concrete) = (FxHashSet::default(), UBig::ZERO);
        for state in encoded.store.states(states) {
            limits.check()?;
            let Some(leader) = leaders.leader(&encoded.decode(&state)) else { return Ok(None) };
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
fn count_orbits(encoded: &mut EncodedSystem<'_>, canonise: &Canonise, representatives: &Diagram) -> Option<Count> {
    let all = encoded.store.within_budget(WORK_FOR_ORBITS, |store| canonise.orbit(store, representatives));
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
