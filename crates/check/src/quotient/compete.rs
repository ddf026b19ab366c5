//! Which way a quotient is made, if nobody says.
//!
//! What a way is worth shows when it is tried. A little of each is tried in turn; then, in rounds that get longer, leaders
//! are listed on one core while on the other diagrams are tried, and all states besides. Rounds are measured by work and
//! not by time, so that the same way is taken on every machine.

use mandala_diagram::Error;
use mandala_model::system::System;
use mandala_symbolic::variables::Grouping;

use super::builder::{Builder, Ended};
use super::listing::{Listing, Stop};
use crate::explore::candidate::LaidOut;
use crate::explore::portfolio::Portfolio;
use crate::explore::{Analysed, Stopped, SystemStopped, attempt};
use crate::limits::Limits;
use crate::options::Options;
use crate::space::SystemSpace;
use crate::space::{Construction, Quotient};

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

/// In each round, so many times more leaders are listed than in the one before.
const LEADERS_BY_ROUND: u32 = 4;

/// In which rounds those that look for all states take their own rounds; the first is 0.
const ROUNDS_OF_ALL: [u32; 4] = [1, 3, 4, 5];

/// With how much work all states are looked for in the last round.
const LAST_WORK_ON_ALL: u64 = 100_000_000;

/// How many rounds there are, each three times as long as the one before.
const ROUNDS: u32 = 8;

/// So many are without exploring if leaders are listed beside them.
const ROUNDS_BEFORE_EXPLORING: u32 = 3;

/// How many of them there are if all states are known.
const ROUNDS_BESIDES_ALL: u32 = 4;

/// The ways that work on sets of states.
pub(super) struct Diagrams<'r, 'a> {
    pub(super) system: &'a System,
    /// What selects.
    pub(super) selecting: Option<&'r Builder<'a>>,
    /// What explores and lists.
    pub(super) exploring: Option<&'r Builder<'a>>,
    /// Whether all states are as good as representatives: if something is asked, and it does not matter how.
    pub(super) takes_all: bool,
}

/// What looks for all states beside the rounds.
struct All<'w, 'a> {
    portfolio: Portfolio<'w, LaidOut<'a>>,
    /// All states, once they were found.
    found: Option<SystemSpace<'a>>,
}

impl<'a> All<'_, 'a> {
    /// What belongs to a round; nothing if that brings nothing.
    fn round(&mut self, options: &Options, round: u32) -> Ended<'a> {
        if round + 1 == ROUNDS {
            return Some(self.portfolio.last(options, Some(LAST_WORK_ON_ALL)));
        }
        if ROUNDS_OF_ALL.contains(&round) { self.portfolio.round(options) } else { None }
    }
}

impl<'a> Diagrams<'_, 'a> {
    /// Takes whichever way gets to an end first. Nothing if there is none. A little of each way is tried in turn; what
    /// takes longer is listed beside diagrams.
    pub(super) fn compete(&self, options: &Options) -> Ended<'a> {
        if let Some(selected) = self.select(options, FIRST) {
            return Some(selected);
        }
        // Diagrams may need the other half of the memory.
        let half = Options { limits: options.limits.with_memory_divided_by(2), ..options.clone() };
        let listing = self.exploring.and_then(|builder| Some((builder, builder.listing(&half)?)));
        let Some((builder, mut listing)) = listing else {
            let mut analysed = None;
            return self
                .explore(options, FIRST)
                .or_else(|| self.rounds_with_all(options, self.all(options, &mut analysed), 1, 0))
                .or_else(|| self.rest(options));
        };
        match listing.run(options, FIRST_LEADERS) {
            Ok(()) => Some(builder.listed(options, listing)),
            Err(Stop::Unfit) => {
                let mut analysed = None;
                let all = self.all(options, &mut analysed);
                self.rounds_with_all(options, all, 1, 0).or_else(|| self.rest(options))
            }
            Err(Stop::Limit(_)) => self.beside(options, builder, listing),
        }
    }

    /// Takes the only way that there is.
    pub(super) fn alone(&self, options: &Options) -> Ended<'a> {
        (0..ROUNDS).find_map(|round| self.round(options, round)).or_else(|| self.rest(options))
    }

    /// Rounds beside a list of leaders that is taken up. Both do what a round allows, on a core each. Where both come to an
    /// end in the same round the list is taken: so what is found does not depend on the machine.
    fn beside(&self, options: &Options, builder: &Builder<'a>, mut listing: Listing<'_, 'a>) -> Ended<'a> {
        let half = Options { limits: options.limits.with_memory_divided_by(2), ..options.clone() };
        let mut analysed = None;
        let mut all = self.all(options, &mut analysed);
        for round in 1..ROUNDS {
            let limits = Limits { cancel: half.limits.cancel.part(), ..half.limits.clone() };
            let on_diagrams = Options { limits, ..half.clone() };
            let (listed, by_diagrams) = std::thread::scope(|scope| {
                let list = scope.spawn(|| {
                    let ended = listing.run(&half, FIRST_LEADERS * LEADERS_BY_ROUND.pow(round));
                    if ended.is_ok() {
                        on_diagrams.limits.cancel.cancel();
                    }
                    ended
                });
                let by_diagrams = self.with_all(&on_diagrams, &mut all, round, ROUNDS_BEFORE_EXPLORING);
                (list.join(), by_diagrams)
            });
            match (listed, by_diagrams) {
                (Ok(Ok(())), _) => return Some(builder.listed(options, listing)),
                (_, Some(Ok(mut space))) => {
                    options.limits.apply(&mut space.encoded.store, None);
                    return Some(Ok(space));
                }
                (Ok(Err(Stop::Limit(error @ (Error::Time { .. } | Error::Cancelled { .. })))), _) => {
                    return match all.and_then(|all| all.found) {
                        Some(space) => Some(Ok(space)),
                        None => Some(builder.listed_until(options, listing, error)),
                    };
                }
                (_, Some(Err(stopped))) => return Some(Err(stopped)),
                (Ok(Err(Stop::Limit(Error::Work { .. }))), None) => {}
                // The list came to nothing: diagrams go on alone.
                (_, None) => {
                    let rounds = self.rounds_with_all(options, all, round + 1, 0);
                    return rounds.or_else(|| self.rest(options));
                }
            }
        }
        match listing.run(options, u32::MAX) {
            Ok(()) => Some(builder.listed(options, listing)),
            Err(Stop::Limit(error)) => Some(builder.listed_until(options, listing, error)),
            Err(Stop::Unfit) => self.rest(options),
        }
    }

    /// What finds all states beside the rounds.
    fn all<'w>(&self, options: &Options, analysed: &'w mut Option<Analysed<'a>>) -> Option<All<'w, 'a>> {
        let analysed = analysed.insert(Analysed::new(self.system, Grouping::Proven)?);
        Some(All { portfolio: analysed.portfolio(options.hierarchy), found: None })
    }

    /// Rounds that get longer, from one on, with all states in between.
    fn rounds_with_all(
        &self, options: &Options, mut all: Option<All<'_, 'a>>, from: u32, without_exploring: u32,
    ) -> Ended<'a> {
        for round in from..ROUNDS {
            match self.with_all(options, &mut all, round, without_exploring) {
                Some(Err(Stopped::Limit { error: Error::Time { .. }, .. }))
                    if all.as_ref().is_some_and(|all| all.found.is_some()) =>
                {
                    break;
                }
                None => {}
                ended => return ended,
            }
        }
        all.and_then(|all| all.found).map(Ok)
    }

    /// One round on diagrams, and in between a round that looks for all states. All states are enough if something is
    /// asked; if not, they are what is left to say after so many rounds. The first rounds may be without exploring.
    fn with_all(
        &self, options: &Options, all: &mut Option<All<'_, 'a>>, round: u32, without_exploring: u32,
    ) -> Ended<'a> {
        let selects_only = round <= without_exploring;
        let ended = if selects_only { self.select(options, effort(round)) } else { self.round(options, round) };
        if ended.is_some() {
            return ended;
        }
        let all = all.as_mut()?;
        if all.found.is_none() {
            match all.round(options, round)? {
                Ok(space) if !space.is_complete() => return Some(Ok(space)),
                Ok(space) => all.found = Some(self.kept_whole(space)),
                Err(Stopped::Limit { error: Error::Work { .. } | Error::Memory { .. }, .. }) => {}
                Err(stopped) => return Some(Err(stopped)),
            }
        }
        if self.takes_all || round >= ROUNDS_BESIDES_ALL { all.found.take().map(Ok) } else { None }
    }

    /// A space that is whole.
    fn kept_whole(&self, mut space: SystemSpace<'a>) -> SystemSpace<'a> {
        let Some(builder) = self.selecting.or(self.exploring) else { return space };
        let quotient = Quotient {
            construction: Construction::Whole,
            representatives: space.states.clone(),
            left_by_diagrams: None,
            is_canonical: false,
            concrete: Some(space.count()),
            group: builder.known.clone(),
            preserved: Vec::new(),
        };
        space.quotient = Some(Box::new(quotient));
        space
    }

    fn round(&self, options: &Options, round: u32) -> Ended<'a> {
        self.select(options, effort(round)).or_else(|| self.explore(options, effort(round)))
    }

    fn select(&self, options: &Options, effort: Effort) -> Ended<'a> {
        let builder = self.selecting?;
        let work = Some(effort.select);
        let mut tried = builder.layouts.iter().map(|laid_out| match attempt(laid_out, options, work) {
            Ok(space) if self.takes_all => Ok(self.kept_whole(space)),
            all => builder.selected(all, work),
        });
        tried.find(|result| !is_open(result))
    }

    fn explore(&self, options: &Options, effort: Effort) -> Ended<'a> {
        let builder = self.exploring?;
        let mut tried = builder.layouts.iter().map(|layout| builder.explored(options, layout, Some(effort.explore)));
        tried.find(|result| !is_open(result))
    }

    /// What is left to do when rounds have brought no end.
    fn rest(&self, options: &Options) -> Ended<'a> {
        match (self.selecting, self.exploring) {
            (_, Some(builder)) => Some(builder.explored(options, builder.layouts.first()?, None)),
            (Some(builder), None) => Some(builder.selected(builder.whole(options), None)),
            (None, None) => None,
        }
    }
}

/// How much work there is in a round.
fn effort(round: u32) -> Effort {
    let times = 3u64.pow(round);
    Effort { select: FIRST.select * times, explore: FIRST.explore * times }
}

/// Whether there may be more to find with another layout or another way.
fn is_open(result: &Result<SystemSpace<'_>, SystemStopped<'_>>) -> bool {
    matches!(result, Err(Stopped::Limit { error: Error::Work { .. } | Error::Memory { .. }, .. }))
}
