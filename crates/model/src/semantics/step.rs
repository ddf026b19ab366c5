//! Steps from state to state.

use super::error::{Failure, Work};
use super::{Cause, Kind, Prepared, RunError, Semantics, States, program};
use crate::formalism::Formalism;
use crate::property::Systems;
use crate::system::{Event, Location};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A step of a model of some formalism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<F: Formalism = Systems> {
    /// What happens.
    pub event: F::Event,
    /// The state afterwards.
    pub state: F::State,
}

/// Something that may happen by itself, and where.
struct Candidate<'c> {
    path: &'c [u32],
    index: u32,
    type_index: usize,
    offset: usize,
}

impl Candidate<'_> {
    fn location(&self) -> Location {
        Location { path: self.path.to_vec(), index: self.index }
    }
}

/// Whether a walk goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    On,
    Stop,
}

type Visit<'v> = dyn FnMut(&Candidate<'_>) -> Result<Walk, RunError> + 'v;

impl Semantics<'_> {
    /// All steps from a state. One event may lead to several states; each pair of them is listed once, and the steps of
    /// one event follow each other.
    pub fn successors(&self, state: &[i32]) -> Result<Vec<Step>, RunError> {
        self.steps_until(state, |_| Walk::On)
    }

    /// Whether nothing can happen in a state. In the error state nothing can either, although it is not called a deadlock.
    pub fn is_deadlock(&self, state: &[i32]) -> Result<bool, RunError> {
        let found = self.steps_until(state, |steps| if steps.is_empty() { Walk::On } else { Walk::Stop })?;
        Ok(found.is_empty())
    }

    /// The steps from a state, event by event, until those found so far are enough.
    fn steps_until(&self, state: &[i32], enough: impl Fn(&[Step]) -> Walk) -> Result<Vec<Step>, RunError> {
        self.check_size(state)?;
        let mut steps = Vec::new();
        self.each_candidate(state, &mut |candidate| {
            let states = self.fire_candidate(candidate, state)?;
            if !states.is_empty() {
                self.settle(&candidate.location(), states, &mut steps)?;
            }
            Ok(enough(&steps))
        })?;
        Ok(steps)
    }

    /// Whether a transition or synchronisation can fire, be it by itself or, if it has a label, when it is called alone.
    pub fn enabled(&self, state: &[i32], location: &Location) -> Result<bool, RunError> {
        Ok(!self.steps_of(state, location)?.is_empty())
    }

    /// The steps from a state that begin with a transition or synchronisation, be it by itself or, if it has a label, when
    /// it is called alone.
    pub fn steps_of(&self, state: &[i32], location: &Location) -> Result<Vec<Step>, RunError> {
        self.check_size(state)?;
        let unknown = || self.error(Cause::Unknown, state);
        let (type_index, offset) = self.resolve(&location.path).ok_or_else(unknown)?;
        if location.index as usize >= self.system.types[type_index].event_count() {
            return Err(unknown());
        }
        let candidate = Candidate { path: &location.path, index: location.index, type_index, offset };
        if self.is_held_back(&candidate, state) {
            return Ok(Vec::new());
        }
        let states = self.fire_candidate(&candidate, state)?;
        let mut steps = Vec::new();
        self.settle(location, states, &mut steps)?;
        Ok(steps)
    }

    /// Whether a state is transient.
    pub fn is_transient(&self, state: &[i32]) -> Result<bool, RunError> {
        self.check_size(state)?;
        self.type_is_transient(self.system.main, state).map_err(|cause| self.error(cause, state))
    }

    fn type_is_transient(&self, type_index: usize, local: &[i32]) -> Result<bool, Cause> {
        let prepared = &self.types[type_index];
        if !prepared.transient {
            return Ok(false);
        }
        match &prepared.kind {
            Kind::Program(program) => match &program.program.transient {
                Some(transient) => program::holds(transient, local),
                None => Ok(false),
            },
            Kind::Composite(composite) => {
                for (instance, &offset) in composite.composite.instances.iter().zip(&composite.offsets) {
                    let size = self.types[instance.type_index].size;
                    if self.type_is_transient(instance.type_index, &local[offset..offset + size])? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Kind::Net(_) | Kind::Queues(_) | Kind::Unused => Ok(false),
        }
    }

    /// Adds the steps of an event that leads to these states, going on from the transient ones.
    fn settle(&self, location: &Location, states: States, steps: &mut Vec<Step>) -> Result<(), RunError> {
        if !self.types[self.system.main].transient {
            steps.extend(states.into_iter().map(|state| {
                let event = Event { location: location.clone(), through: Vec::new() };
                Step { event, state }
            }));
            return Ok(());
        }
        let mut seen: FxHashSet<Vec<i32>> = states.iter().cloned().collect();
        let mut waiting: VecDeque<(Vec<i32>, Vec<Location>)> =
            states.into_iter().map(|state| (state, Vec::new())).collect();
        while let Some((state, through)) = waiting.pop_front() {
            if !self.is_transient(&state)? {
                steps.push(Step { event: Event { location: location.clone(), through }, state });
                continue;
            }
            self.each_candidate(&state, &mut |candidate| {
                for next in self.fire_candidate(candidate, &state)? {
                    if seen.len() > Work::MOST_STATES {
                        return Err(self.error(Cause::TooManyStates(Work::MOST_STATES), &state));
                    }
                    if seen.insert(next.clone()) {
                        let further = through.iter().cloned().chain([candidate.location()]).collect();
                        waiting.push_back((next, further));
                    }
                }
                Ok(Walk::On)
            })?;
        }
        Ok(())
    }

    /// The states that are not transient among these and those that come out of the others.
    pub(super) fn settled(&self, states: States) -> Result<States, RunError> {
        let mut steps = Vec::new();
        self.settle(&Location::default(), states, &mut steps)?;
        Ok(steps.into_iter().map(|step| step.state).collect())
    }

    fn fire_candidate(&self, candidate: &Candidate<'_>, state: &[i32]) -> Result<States, RunError> {
        let Candidate { path, index, type_index, offset } = *candidate;
        let local = &state[offset..offset + self.types[type_index].size];
        let fired = self.fire(type_index, index, local, &mut Work::default());
        let mut states = fired.map_err(|failure| self.failed(failure, path, index, state))?;
        if local.len() < state.len() {
            for changed in &mut states {
                let mut whole = state.to_vec();
                whole[offset..offset + changed.len()].copy_from_slice(changed);
                *changed = whole;
            }
        }
        Ok(states)
    }

    /// Whether a transition may not fire because another one of a higher priority may.
    fn is_held_back(&self, candidate: &Candidate<'_>, state: &[i32]) -> bool {
        // Only where the main type is a net are there priorities.
        let Prepared { kind: Kind::Net(net), ahead, .. } = &self.types[candidate.type_index] else { return false };
        !ahead.is_empty() && ahead.hold_back(net, net.transitions[candidate.index as usize].priority, state)
    }

    /// Visits what may happen by itself in a state, as far as no priority holds it back.
    fn each_candidate(&self, state: &[i32], visit: &mut Visit<'_>) -> Result<(), RunError> {
        let main = self.system.main;
        match &self.types[main] {
            Prepared { kind: Kind::Net(net), ahead, own, .. } if !ahead.is_empty() => {
                let least = ahead.least(net, state);
                for &index in own.iter().filter(|&&index| net.transitions[index as usize].priority >= least) {
                    if visit(&Candidate { path: &[], index, type_index: main, offset: 0 })? == Walk::Stop {
                        break;
                    }
                }
                Ok(())
            }
            _ => self.candidates_of(main, 0, &mut Vec::new(), visit).map(|_| ()),
        }
    }

    fn candidates_of(
        &self, type_index: usize, offset: usize, path: &mut Vec<u32>, visit: &mut Visit<'_>,
    ) -> Result<Walk, RunError> {
        let prepared = &self.types[type_index];
        for &index in &prepared.own {
            if visit(&Candidate { path, index, type_index, offset })? == Walk::Stop {
                return Ok(Walk::Stop);
            }
        }
        if let Kind::Composite(composite) = &prepared.kind {
            for (number, instance) in composite.composite.instances.iter().enumerate() {
                if !self.types[instance.type_index].acts {
                    continue;
                }
                path.push(number as u32);
                let walk = self.candidates_of(instance.type_index, offset + composite.offsets[number], path, visit)?;
                path.pop();
                if walk == Walk::Stop {
                    return Ok(Walk::Stop);
                }
            }
        }
        Ok(Walk::On)
    }

    fn check_size(&self, state: &[i32]) -> Result<(), RunError> {
        let cause = Cause::NotAState { expected: self.size(), found: state.len() };
        if state.len() == self.size() { Ok(()) } else { Err(self.error(cause, state)) }
    }

    fn failed(&self, failure: Failure, path: &[u32], index: u32, state: &[i32]) -> RunError {
        let inner = failure.path.into_iter().rev();
        let location = match failure.index {
            Some(index) => Location { path: path.iter().copied().chain(inner).collect(), index },
            None => Location { path: path.to_vec(), index },
        };
        RunError { transition: self.action_name(&location), ..self.error(failure.cause, state) }
    }

    /// An error that no transition is to blame for.
    pub(super) fn error(&self, cause: Cause, state: &[i32]) -> RunError {
        RunError { transition: None, state: state.to_vec(), shown: self.show(state), cause }
    }
}
