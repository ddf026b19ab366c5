//! Which way a space is folded, if nobody says.
//!
//! What a way is worth shows when it is tried. A little of each is tried in turn; then leaders are listed on one core, while
//! on the other diagrams are tried in rounds that get longer, and all states besides: whoever comes to an end first is
//! taken.

use std::time::Instant;

use mandala_diagram::{Error, Limits};
use mandala_model::system::System;

use super::folder::{Ended, Folder};
use super::listing::{Listing, Stop};
use crate::explore::{Stopped, attempt, explore};
use crate::options::Options;
use crate::quotient::{Folded, Way};
use crate::space::Space;

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

/// The ways that work on sets of states.
pub(super) struct Diagrams<'r, 'a> {
    pub(super) system: &'a System,
    /// What selects.
    pub(super) selecting: Option<&'r Folder<'a>>,
    /// What explores and lists.
    pub(super) exploring: Option<&'r Folder<'a>>,
    /// Whether all states are as good as representatives: if something is asked, and it does not matter how.
    pub(super) takes_all: bool,
}

impl<'a> Diagrams<'_, 'a> {
    /// Folds in whichever way gets to an end first. Nothing if there is none. A little of each way is tried in turn; what
    /// takes longer is listed beside diagrams.
    pub(super) fn compete(&self, options: &Options) -> Ended<'a> {
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
    pub(super) fn alone(&self, options: &Options) -> Ended<'a> {
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
                match explore(self.system, &Options { deadline: Some(deadline), ..options.clone() }) {
                    Ok(mut space) => {
                        space.encoded.store.set_limits(limits(options));
                        if !space.is_complete() {
                            return Some(Ok(space));
                        }
                        all = Some(self.unfolded(space));
                    }
                    Err(Stopped::Limit { .. }) => {}
                    Err(stopped) => return Some(Err(stopped)),
                }
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
            preserved: Vec::new(),
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
            match attempt(folder.system, options, layouts.clone(), work, description.clone()) {
                Ok(space) if self.takes_all => Ok(self.unfolded(space)),
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
