//! Representatives one by one.
//!
//! Where the orbits are few, however large, their leaders can be listed: from the leader of each orbit one step at a time,
//! and on to the leader of where it leads. Of the transitions that symmetries of a state map to each other one is enough,
//! so that of a thousand that can fire in a state of forty people, all in the same hall, a handful is looked at.

use mandala_analysis::symmetry::Points;
use mandala_analysis::symmetry::events::Events;
use mandala_analysis::symmetry::leader::Leaders;
use mandala_diagram::Error;
use mandala_group::{Permutation, UBig};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System};

use crate::explicit::states::{Full, States};
use crate::options::Options;

/// The leaders found so far. It can be stopped and taken up again.
pub(crate) struct Listing<'l, 'a> {
    semantics: Semantics<'a>,
    leaders: &'l Leaders,
    /// Symmetries that may leave a state alone, and what they permute.
    symmetries: Vec<Permutation>,
    points: &'l Points,
    events: Events,
    states: States,
    /// How many states the orbits have together.
    pub(crate) concrete: UBig,
    /// How many of the leaders have been expanded.
    expanded: u32,
    memory: Option<usize>,
}

/// Why a listing does not go on.
pub(crate) enum Stop {
    /// A limit was met.
    Limit(Error),
    /// It cannot be done: something has no value, or a leader is too hard to find.
    Unfit,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Limit(error)
    }
}

impl<'l, 'a> Listing<'l, 'a> {
    /// A list with nothing but the leaders of the initial states, under the group that some symmetries generate. Nothing
    /// if the system cannot be listed.
    pub(crate) fn new(
        system: &'a System, leaders: &'l Leaders, points: &'l Points, symmetries: Vec<Permutation>, options: &Options,
    ) -> Option<Self> {
        if system.is_composite() || system.has_transient_states() {
            return None;
        }
        let semantics = Semantics::new(system).ok()?;
        let events = Events::new(system, points, &symmetries).ok()??;
        let states = States::new(Some(semantics.size()), &options.limits);
        let memory = options.limits.memory;
        let mut listing = Listing {
            semantics,
            leaders,
            symmetries,
            points,
            events,
            states,
            concrete: UBig::ZERO,
            expanded: 0,
            memory,
        };
        for state in listing.semantics.initial_states().ok()? {
            listing.reach(&state).ok()?;
        }
        Some(listing)
    }

    /// Goes on until all leaders are found, or more than `most`. After [`Error::Work`] it can be taken up again.
    pub(crate) fn run(&mut self, options: &Options, most: u32) -> Result<(), Stop> {
        while self.expanded < self.states.len() {
            if self.states.len() > most {
                return Err(Stop::Limit(Error::Work { reached: None }));
            }
            self.expand(options)?;
        }
        Ok(())
    }

    fn expand(&mut self, options: &Options) -> Result<(), Stop> {
        let state = self.states.get(self.expanded).to_vec();
        let leaves_alone: Vec<bool> = self.symmetries.iter().map(|one| self.points.leaves_alone(&state, one)).collect();
        let mut location = Location::default();
        let mut found = Vec::new();
        for event in self.events.leading(&leaves_alone) {
            location.index = event;
            let steps = self.semantics.steps_of(&state, &location).map_err(|_| Stop::Unfit)?;
            found.extend(steps.into_iter().map(|step| step.state));
        }
        for state in found {
            // Half of a state is done again if this is taken up.
            options.limits.check()?;
            self.reach(&state)?;
        }
        options.limits.check()?;
        self.expanded += 1;
        Ok(())
    }

    fn reach(&mut self, state: &[i32]) -> Result<(), Stop> {
        let leader = self.leaders.leader(state).ok_or(Stop::Unfit)?;
        let inserted = self.states.insert(&leader.state, None).map_err(|full| match full {
            Full::States => Stop::Unfit,
            Full::Memory => {
                let used = self.states.total_bytes() as usize;
                Stop::Limit(Error::Memory { used, needed: used, limit: self.memory, reached: None })
            }
        })?;
        if inserted.is_some() {
            self.concrete += leader.orbit;
        }
        Ok(())
    }

    /// The leaders found.
    pub(crate) fn states(&self) -> impl Iterator<Item = &[i32]> {
        (0..self.states.len()).map(|id| self.states.get(id))
    }
}
