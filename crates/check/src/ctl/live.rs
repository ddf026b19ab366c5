//! Whether transitions can always fire again.
//!
//! A transition can always fire again if all states lead to one in which it can fire: a closure from there, and nearly
//! always a fast one, because it begins with many states. With many transitions these are many closures.
//!
//! But a run that goes on can come, from any state, to a *bottom* component: states that lead to each other and to nothing
//! else. A transition can always fire again exactly if it can fire in each bottom component. Where the only initial state
//! can be reached from all states, all of them are one component, and it is enough that the transition can fire at all.
//! Otherwise components are found one by one, each from a state that leads to none of those before. A closure that begins
//! with one state may take long, so there is a limit on the work, and on the number of components.

use mandala_diagram::{Diagram, Error, Store};
use mandala_model::formalism::Formalism;
use mandala_model::property::Formula;
use mandala_symbolic::encode::{Action, EncodeError, Encoded, Encoding, Refusal};

use crate::answer::{Answer, Traces, Verdict};
use crate::budget::{Worker, within_budget};
use crate::space::Space;
use crate::steps::Steps;
use crate::trace::to_targets;
use crate::undecided::Undecided;

/// With more transitions than this, components are looked for.
const FEW_TRANSITIONS: usize = 64;

/// How many bottom components are looked at, and how much work that may be.
const MOST_COMPONENTS: usize = 64;
const WORK: u64 = 5_000_000;

impl<E: Encoding> Space<E> {
    /// Whether of each of some groups of transitions one can fire again from every state.
    pub(crate) fn answer_live(&mut self, transitions: &[Vec<Action<E>>], traces: Traces) -> Answer<E::Formalism> {
        if transitions.is_empty() {
            return Answer::plain(Verdict::Holds);
        }
        if !self.is_complete() {
            // Where nothing can happen, nothing ever will, but for what could be called there.
            let called = Formula::Atom(E::Formalism::can_fire(&transitions[0]));
            let never = Formula::And(vec![Formula::Deadlock, Formula::Not(Box::new(called))]);
            return self.search(&never, Verdict::Fails, Verdict::Holds, traces);
        }
        if let Some(reason) = self.events_are_unknown(&Formula::Deadlock) {
            return Answer::unknown(reason);
        }
        match self.never_again(transitions) {
            Ok(None) => Answer::plain(Verdict::Holds),
            Ok(Some(states)) => {
                let trace = (traces == Traces::Wanted).then(|| to_targets(&mut self.encoded, &states));
                Answer { trace, ..Answer::plain(Verdict::Fails) }
            }
            Err(reason) => Answer::unknown(reason),
        }
    }

    /// States from which none of some group of transitions can ever fire again, if there are any.
    fn never_again(&mut self, transitions: &[Vec<Action<E>>]) -> Result<Option<Diagram>, Undecided> {
        let steps = self.take_steps()?;
        let search = Search { encoded: &mut self.encoded, states: &self.states, steps: &steps };
        let found = search.never_again(transitions);
        self.steps = Some(steps);
        found
    }
}

struct Search<'s, E> {
    encoded: &'s mut Encoded<E>,
    states: &'s Diagram,
    steps: &'s Steps,
}

impl<E> Worker for Search<'_, E> {
    fn store(&mut self) -> &mut Store {
        &mut self.encoded.store
    }
}

impl<E: Encoding> Search<'_, E> {
    fn never_again(mut self, transitions: &[Vec<Action<E>>]) -> Result<Option<Diagram>, Undecided> {
        let dead = self.steps.find_dead(self.encoded)?;
        if !dead.is_empty() {
            // Nothing happens there, but a transition that waits to be called may be ready.
            for group in transitions {
                let ready = self.firing(group, &dead)?;
                let never = self.encoded.store.difference(&dead, &ready)?;
                if !never.is_empty() {
                    return Ok(Some(never));
                }
            }
        }
        let mut firing = Vec::with_capacity(transitions.len());
        for group in transitions {
            let fires = self.firing(group, self.states)?;
            if fires.is_empty() {
                return Ok(Some(self.steps.initial.clone()));
            }
            firing.push(fires);
        }
        if firing.len() > FEW_TRANSITIONS
            && let Some(found) = self.within_limits(&firing)?
        {
            return Ok(found);
        }
        for fires in &firing {
            let never = self.not_leading_to(fires, self.states)?;
            if !never.is_empty() {
                return Ok(Some(never));
            }
        }
        Ok(None)
    }

    /// The states of a set in which one of some transitions can fire.
    fn firing(&mut self, group: &[Action<E>], set: &Diagram) -> Result<Diagram, Undecided> {
        let mut fires = self.encoded.store.zero();
        for transition in group {
            let more = E::enabled(self.encoded, transition, set)?;
            fires = self.encoded.store.union(&fires, &more)?;
        }
        Ok(fires)
    }

    /// What components tell, if that is found within the limits.
    fn within_limits(&mut self, firing: &[Diagram]) -> Result<Option<Option<Diagram>>, Undecided> {
        match within_budget(self, WORK, |search| search.by_components(firing)) {
            Err(Undecided::Select(Refusal::Encode(EncodeError::Stopped(Error::Work { .. })))) => Ok(None),
            found => found,
        }
    }

    /// A bottom component in which not all transitions can fire, or that there is none; nothing if there are too many.
    fn by_components(&mut self, firing: &[Diagram]) -> Result<Option<Option<Diagram>>, Undecided> {
        let mut rest = self.states.clone();
        if self.steps.is_one {
            rest = self.not_leading_to(&self.steps.initial, &rest)?;
        }
        for _ in 0..MOST_COMPONENTS {
            if rest.is_empty() {
                return Ok(Some(None));
            }
            let bottom = self.bottom(&rest)?;
            for fires in firing {
                if self.encoded.store.intersection(fires, &bottom)?.is_empty() {
                    return Ok(Some(Some(bottom)));
                }
            }
            rest = self.not_leading_to(&bottom, &rest)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::explore;
    use crate::options::Options;
    use crate::tests::formulas::events;
    use crate::tests::random::{Leaves, flat, nested, small};
    use mandala_symbolic::encode::SystemEncoding;

    /// Components and transitions one by one tell the same.
    #[test]
    fn components_tell_the_same() {
        let mut counts = [0; 2];
        for seed in 0..2u64 {
            let generate = |number: u64| match seed {
                0 => flat(number, Leaves::Both),
                _ => nested(number, Leaves::Both),
            };
            for (number, system, _) in small(0..700, 200, generate) {
                let mut space = explore(&system, &Options::default()).unwrap();
                let (steps, states) = (*space.take_steps().unwrap(), space.states.clone());
                let mut firing = Vec::new();
                for event in events(&system).iter().take(2) {
                    let fires = SystemEncoding::enabled(&mut space.encoded, event, &states);
                    firing.extend(fires.ok().filter(|fires| !fires.is_empty()));
                }
                let mut search = Search { encoded: &mut space.encoded, states: &states, steps: &steps };
                let found = search.by_components(&firing).unwrap();
                let mut is_live = true;
                for fires in &firing {
                    is_live &= search.not_leading_to(fires, &states).unwrap().is_empty();
                }
                let Some(found) = found else { continue };
                assert_eq!(found.is_none(), is_live, "number {number} of {system:?}");
                counts[usize::from(is_live)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}
