//! Whether transitions can always fire again.
//!
//! A run that goes on can come, from any state, to a *bottom* component: states that lead to each other and to nothing
//! else. A transition can always fire again exactly if it can fire in each bottom component. Where the only initial state
//! can be reached from all states, all of them are one component, and it is enough that the transition can fire at all.
//! Otherwise components are found one by one, each from a state that leads to none of those before. Where there are too
//! many of them, each transition is asked by itself for the states that lead to it.

use mandala_diagram::{Diagram, Error};
use mandala_model::property::Formula;
use mandala_model::system::Location;
use mandala_symbolic::encode::Encoded;

use super::Undecided;
use super::steps::Steps;
use crate::answer::{Answer, Known, Traces, Verdict};
use crate::select::select;
use crate::space::Space;
use crate::trace::to_targets;

/// How many bottom components are looked at.
const MOST_COMPONENTS: usize = 64;

impl Space<'_> {
    /// Whether each of some transitions can fire again from every state.
    pub(crate) fn answer_live(&mut self, transitions: &[Location], known: Known, traces: Traces) -> Answer {
        if transitions.is_empty() {
            return Answer { verdict: Verdict::True, trace: None };
        }
        if known == Known::Some {
            // Where nothing can happen, nothing ever will.
            return self.search(&Formula::Deadlock, Verdict::False, Verdict::True, known, traces);
        }
        if let Some(reason) = self.events_are_unknown(&Formula::Deadlock) {
            return Answer::unknown(reason);
        }
        match self.never_again(transitions) {
            Ok(None) => Answer { verdict: Verdict::True, trace: None },
            Ok(Some(states)) => {
                let trace = (traces == Traces::Wanted).then(|| to_targets(&mut self.encoded, &states));
                Answer { verdict: Verdict::False, trace }
            }
            Err(reason) => Answer::unknown(reason),
        }
    }

    /// States from which one of some transitions can never fire again, if there are any.
    fn never_again(&mut self, transitions: &[Location]) -> Result<Option<Diagram>, Undecided> {
        let steps = self.take_steps()?;
        let search = Search { encoded: &mut self.encoded, states: &self.states, steps: &steps };
        let found = search.never_again(transitions);
        self.steps = Some(steps);
        found
    }
}

struct Search<'s, 'a> {
    encoded: &'s mut Encoded<'a>,
    states: &'s Diagram,
    steps: &'s Steps,
}

impl Search<'_, '_> {
    fn never_again(mut self, transitions: &[Location]) -> Result<Option<Diagram>, Undecided> {
        let dead = self.steps.find_dead(self.encoded)?;
        if !dead.is_empty() {
            return Ok(Some(dead));
        }
        let mut firing = Vec::with_capacity(transitions.len());
        for transition in transitions {
            let fires = select(self.encoded, &Formula::Fireable(vec![transition.clone()]), self.states)?;
            if fires.is_empty() {
                return Ok(Some(self.steps.initial.clone()));
            }
            firing.push(fires);
        }
        let mut rest = self.states.clone();
        if self.steps.is_one {
            rest = self.not_leading_to(&self.steps.initial, &rest)?;
        }
        for _ in 0..MOST_COMPONENTS {
            if rest.is_empty() {
                return Ok(None);
            }
            let bottom = self.bottom(&rest)?;
            for fires in &firing {
                if self.encoded.store.intersection(fires, &bottom)?.is_empty() {
                    return Ok(Some(bottom));
                }
            }
            rest = self.not_leading_to(&bottom, &rest)?;
        }
        for fires in &firing {
            let never = self.not_leading_to(fires, &rest)?;
            if !never.is_empty() {
                return Ok(Some(never));
            }
        }
        Ok(None)
    }

    /// The states of a set that do not lead to some goals.
    fn not_leading_to(&mut self, goals: &Diagram, set: &Diagram) -> Result<Diagram, Undecided> {
        let leading = self.steps.leading(self.encoded, goals, self.states)?;
        Ok(self.encoded.store.difference(set, &leading)?)
    }

    /// A bottom component that some state of a set leads to.
    fn bottom(&mut self, set: &Diagram) -> Result<Diagram, Undecided> {
        let mut from = set.clone();
        loop {
            let state = self.one_of(&from)?;
            let after = self.steps.led_to(self.encoded, &state, self.states)?;
            let around = self.steps.leading(self.encoded, &state, &after)?;
            from = self.encoded.store.difference(&after, &around)?;
            if from.is_empty() {
                return Ok(after);
            }
        }
    }

    /// One state of a set, as a set; nothing of nothing.
    fn one_of(&mut self, set: &Diagram) -> Result<Diagram, Error> {
        match self.encoded.store.pick(set) {
            Some(state) => self.encoded.store.diagram_of(&state),
            None => Ok(set.clone()),
        }
    }
}
