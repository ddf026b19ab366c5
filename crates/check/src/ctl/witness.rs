//! What diagrams know about the states of a model, for those who show why a formula holds or does not.
//!
//! Where the parts of a formula hold is known from its evaluation, or evaluated when it is asked for. Runs to a goal are
//! found by [`way`]. A run that goes on for ever stays among the states from which one does: breadth first from its
//! beginning, until that is met again or a state in which nothing can happen; if neither comes, the search begins anew in
//! one of the last states, which lies deeper in the graph of components. If that is too much work, components are looked
//! for by closures instead, and the run is a longer one.

use mandala_diagram::{Diagram, Error, Store};
use mandala_model::property::Formula;
use mandala_symbolic::encode::{Atom, Encoded, Encoding, StateOf};
use rustc_hash::FxHashMap;

use super::evaluate::Evaluation;

use crate::budget::{Worker, within_budget};
use crate::reduce::{Asked, Id};
use crate::run::{LARGEST, LONGEST, NoTrace, broken};
use crate::steps::Steps;
use crate::trace::{one_of, way, written};
use crate::undecided::Undecided;
use crate::witness::{Claim, Ground, Parts, Walk, WalkOf, Witness, grow};

/// How much work the search for a loop may do, breadth first.
const WORK: u64 = 40_000_000;
/// How often a component may be looked for by closures.
const MOST_TRIES: usize = 1_000;

/// A formula that was evaluated.
pub(super) struct Evaluated<'e, E: Encoding> {
    pub encoded: &'e mut Encoded<E>,
    pub states: &'e Diagram,
    pub steps: &'e Steps,
    /// The reduced formula among others, and where its parts hold.
    pub asked: &'e mut Asked<Atom<E>>,
}

/// What shows that a formula holds, or that it does not; nothing if there is nothing to see.
pub(super) fn find<E: Encoding>(
    evaluated: Evaluated<'_, E>, formula: &Formula<Atom<E>>, holds: bool,
) -> Result<Option<Witness<E::Formalism>>, NoTrace> {
    if evaluated.encoded.encoding.state_size() > LARGEST {
        return Err(NoTrace::TooLarge);
    }
    let semantics = evaluated.encoded.encoding.semantics().map_err(|_| NoTrace::TooLarge)?;
    let parts = Parts::of(formula);
    let initial = evaluated.steps.initial.clone();
    let mut diagrams = Diagrams { evaluated, parts: &parts, ids: FxHashMap::default(), seen: FxHashMap::default() };
    let mut from = initial.clone();
    if !holds && !diagrams.evaluated.steps.is_one {
        let holding = diagrams.among(0, &initial)?;
        from = diagrams.evaluated.encoded.store.difference(&initial, &holding)?;
    }
    if from.is_empty() {
        // There is no run at all.
        return Ok(None);
    }
    grow(&mut diagrams, &semantics, &parts, holds, from)
}

struct Diagrams<'d, 'e, E: Encoding> {
    evaluated: Evaluated<'e, E>,
    parts: &'d Parts<'d, Atom<E>>,
    /// The parts of the formula in the reduced one.
    ids: FxHashMap<usize, Id>,
    /// The states that were written down.
    seen: FxHashMap<StateOf<E>, Diagram>,
}

impl<E: Encoding> Diagrams<'_, '_, E> {
    fn id(&mut self, part: usize) -> Result<Id, NoTrace> {
        if let Some(&id) = self.ids.get(&part) {
            return Ok(id);
        }
        let id = self.evaluated.asked.reduced.include(self.parts.get(part))?;
        self.ids.insert(part, id);
        Ok(id)
    }

    /// Goes on with the evaluation.
    fn evaluate(
        &mut self, with: impl FnOnce(&mut Evaluation<'_, E>) -> Result<Diagram, Undecided>,
    ) -> Result<Diagram, NoTrace> {
        let Evaluated { encoded, states, steps, asked } = &mut self.evaluated;
        Ok(with(&mut Evaluation::new(encoded, states, steps, asked))?)
    }

    /// The states of a set in which a part holds.
    fn among(&mut self, part: usize, set: &Diagram) -> Result<Diagram, NoTrace> {
        let id = self.id(part)?;
        self.evaluate(|evaluation| evaluation.holding(id, set))
    }

    /// The states in which a claim is true.
    fn all(&mut self, claim: Claim) -> Result<Diagram, NoTrace> {
        let id = self.id(claim.part)?;
        let holds = self.evaluate(|evaluation| evaluation.everywhere(id))?;
        if claim.holds {
            Ok(holds)
        } else {
            Ok(self.evaluated.encoded.store.difference(self.evaluated.states, &holds)?)
        }
    }

    /// The states in which the goals are true, and those through which they may be reached.
    fn goals(&mut self, through: Option<Claim>, goals: &[Claim]) -> Result<(Diagram, Diagram), NoTrace> {
        // A run that comes to a goal goes on from there, as far as runs are to go on.
        let mut targets = self.evaluated.steps.running.clone();
        for &goal in goals {
            let set = self.all(goal)?;
            targets = self.evaluated.encoded.store.intersection(&targets, &set)?;
        }
        let through = through.map(|claim| self.all(claim)).transpose()?;
        let Evaluated { encoded, states, steps, .. } = &mut self.evaluated;
        let within = match through {
            Some(through) => encoded.store.union(&through, &targets)?,
            None => states.clone(),
        };
        let within = steps.with_ways(encoded, &within)?;
        Ok((targets, within))
    }

    /// A run through sets of one state each.
    fn run(&mut self, diagrams: Vec<Diagram>, repeats: Option<usize>, shortest: bool) -> Result<WalkOf<Self>, NoTrace> {
        let states = written(self.evaluated.encoded, &diagrams)?;
        for (state, diagram) in states.iter().zip(&diagrams) {
            self.seen.insert(state.clone(), diagram.clone());
        }
        match (diagrams.first(), diagrams.last()) {
            (Some(first), Some(last)) => {
                Ok(Walk { states, first: first.clone(), last: last.clone(), repeats, shortest })
            }
            _ => Err(broken("a run has no state")),
        }
    }
}

impl<E: Encoding> Ground for Diagrams<'_, '_, E> {
    type Semantics = E::Semantics;
    type States = Diagram;

    fn holds(&mut self, claim: Claim, states: &Diagram) -> Result<bool, NoTrace> {
        let holding = self.among(claim.part, states)?;
        Ok(if claim.holds { holding == *states } else { holding.is_empty() })
    }

    fn one(&mut self, states: &Diagram) -> Result<(Diagram, StateOf<E>), NoTrace> {
        let one = one_of(self.evaluated.encoded, states)?;
        let way = self.run(vec![one], None, true)?;
        let state = way.states.into_iter().next().ok_or_else(|| broken("nothing to pick from"))?;
        Ok((way.first, state))
    }

    fn step(&mut self, from: &Diagram, goal: Claim) -> Result<WalkOf<Self>, NoTrace> {
        let goal = self.all(goal)?;
        let Evaluated { encoded, steps, .. } = &mut self.evaluated;
        let goal = encoded.store.intersection(&goal, &steps.running)?;
        let before = steps.before(encoded, &goal)?;
        let before = encoded.store.intersection(&before, from)?;
        let from = one_of(encoded, &before)?;
        let after = steps.after(encoded, &from)?;
        let after = encoded.store.intersection(&after, &goal)?;
        let to = one_of(encoded, &after)?;
        self.run(vec![from, to], None, true)
    }

    fn leads(&mut self, from: &Diagram, through: Option<Claim>, goals: &[Claim]) -> Result<bool, NoTrace> {
        let (targets, within) = self.goals(through, goals)?;
        let Evaluated { encoded, steps, .. } = &mut self.evaluated;
        let from = encoded.store.intersection(from, &within)?;
        let led_to = steps.led_to(encoded, &from, &within)?;
        Ok(!encoded.store.intersection(&led_to, &targets)?.is_empty())
    }

    fn to_goal(&mut self, from: &Diagram, through: Option<Claim>, goals: &[Claim]) -> Result<WalkOf<Self>, NoTrace> {
        let (targets, within) = self.goals(through, goals)?;
        let found = way(self.evaluated.encoded, from, &targets, Some(&within))?;
        self.run(found.diagrams, None, found.shortest)
    }

    fn for_ever(&mut self, from: &Diagram, through: Claim) -> Result<WalkOf<Self>, NoTrace> {
        let through = self.all(through)?;
        let Evaluated { encoded, steps, .. } = &mut self.evaluated;
        let start = one_of(encoded, from)?;
        let led_to = steps.led_to(encoded, &start, &through)?;
        let staying = steps.staying(encoded, &led_to)?;
        let mut rounds = Rounds { encoded, steps, staying: &staying };
        let found = within_budget(&mut rounds, WORK, |rounds| rounds.breadth_first(&start));
        let (diagrams, repeats) = match found {
            Err(NoTrace::Stopped(Error::Work { .. })) => rounds.by_closures(&start)?,
            found => found?,
        };
        self.run(diagrams, Some(repeats), false)
    }

    fn known(&mut self, part: usize, state: &StateOf<E>) -> Option<bool> {
        let state = self.seen.get(state)?.clone();
        let holding = self.among(part, &state).ok()?;
        Some(!holding.is_empty())
    }
}

/// The search for a run that stays in a set, from each of whose states there is one.
struct Rounds<'r, E> {
    encoded: &'r mut Encoded<E>,
    steps: &'r Steps,
    staying: &'r Diagram,
}

/// A run, and the number of the state to which it comes back; if that is the last, nothing can happen there.
type Lasso = (Vec<Diagram>, usize);

impl<E> Worker for Rounds<'_, E> {
    fn store(&mut self) -> &mut Store {
        &mut self.encoded.store
    }
}

impl<E: Encoding> Rounds<'_, E> {
    /// The successors of the states of a set that stay.
    fn after(&mut self, set: &Diagram) -> Result<Diagram, NoTrace> {
        let after = self.steps.after(self.encoded, set)?;
        Ok(self.encoded.store.intersection(&after, self.staying)?)
    }

    /// A shortest way from a state to one of some states. It has at least one step, unless that is impossible. If there is
    /// no way, one to a state that is as far away as can be.
    fn shortest(&mut self, from: &Diagram, targets: &Diagram) -> Result<(Vec<Diagram>, bool), NoTrace> {
        let mut layers = vec![from.clone()];
        let mut seen = self.encoded.store.zero();
        let met = loop {
            let layer = self.after(&layers[layers.len() - 1])?;
            let layer = self.encoded.store.difference(&layer, &seen)?;
            if layer.is_empty() {
                break None;
            }
            if layers.len() > LONGEST {
                return Err(NoTrace::TooLong(layers.len()));
            }
            let met = self.encoded.store.intersection(&layer, targets)?;
            seen = self.encoded.store.union(&seen, &layer)?;
            layers.push(layer);
            if !met.is_empty() {
                break Some(met);
            }
        };
        let last = met.clone().unwrap_or_else(|| layers[layers.len() - 1].clone());
        let mut path = vec![one_of(self.encoded, &last)?];
        for layer in layers[..layers.len() - 1].iter().rev() {
            let before = self.steps.before(self.encoded, &path[path.len() - 1])?;
            let before = self.encoded.store.intersection(&before, layer)?;
            path.push(one_of(self.encoded, &before)?);
        }
        path.reverse();
        Ok((path, met.is_some()))
    }

    /// The states in which nothing can happen.
    fn ends(&mut self) -> Result<Diagram, NoTrace> {
        let before = self.steps.before(self.encoded, self.staying)?;
        Ok(self.encoded.store.difference(self.staying, &before)?)
    }

    fn breadth_first(&mut self, start: &Diagram) -> Result<Lasso, NoTrace> {
        let ends = self.ends()?;
        let mut path = vec![start.clone()];
        loop {
            let here = path[path.len() - 1].clone();
            if self.encoded.store.is_subset(&here, &ends)? {
                let repeats = path.len() - 1;
                return Ok((path, repeats));
            }
            let targets = self.encoded.store.union(&ends, &here)?;
            let (on, _) = self.shortest(&here, &targets)?;
            if on[on.len() - 1] == here {
                return self.shorten(start, on);
            }
            path.extend(on.into_iter().skip(1));
            if path.len() > LONGEST {
                return Err(NoTrace::TooLong(path.len()));
            }
        }
    }

    /// A shortest way into a loop (its last state is its first), and the loop.
    fn shorten(&mut self, start: &Diagram, mut round: Vec<Diagram>) -> Result<Lasso, NoTrace> {
        round.pop();
        if let Some(place) = round.iter().position(|state| state == start) {
            round.rotate_left(place);
            round.push(start.clone());
            return Ok((round, 0));
        }
        let targets = self.encoded.store.union_of(&round)?;
        let (mut path, _) = self.shortest(start, &targets)?;
        let entry = path.pop().ok_or_else(|| broken("a loop is not found again"))?;
        let place = round.iter().position(|state| *state == entry);
        round.rotate_left(place.ok_or_else(|| broken("a loop is not found again"))?);
        round.push(entry);
        let repeats = path.len();
        path.extend(round);
        Ok((path, repeats))
    }

    /// A loop somewhere, by closures, and a way there.
    fn by_closures(&mut self, start: &Diagram) -> Result<Lasso, NoTrace> {
        let mut here = start.clone();
        for _ in 0..MOST_TRIES {
            let next = self.after(&here)?;
            if next.is_empty() {
                let stem = self.way(start, &here)?;
                let repeats = stem.len() - 1;
                return Ok((stem, repeats));
            }
            let further = self.steps.led_to(self.encoded, &next, self.staying)?;
            if self.encoded.store.is_subset(&here, &further)? {
                let mut path = self.way(start, &here)?;
                let repeats = path.len() - 1;
                path.extend(self.way(&next, &here)?);
                return Ok((path, repeats));
            }
            here = one_of(self.encoded, &further)?;
        }
        Err(NoTrace::Unknown("a loop was not found, although there is one".to_owned()))
    }

    /// A way from one of some states to another state, without transient states.
    fn way(&mut self, from: &Diagram, to: &Diagram) -> Result<Vec<Diagram>, NoTrace> {
        let within = self.steps.with_ways(self.encoded, self.staying)?;
        let mut settled = Vec::new();
        for state in way(self.encoded, from, to, Some(&within))?.diagrams {
            if self.encoded.store.is_subset(&state, self.staying)? {
                settled.push(state);
            }
        }
        Ok(settled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::explore;
    use crate::options::Options;
    use crate::run::steps_between;
    use mandala_model::semantics::Semantics;

    /// A run within the states in which `x` is at most 8, by both searches.
    fn stays(text: &str) {
        let read = mandala_model::gal::read("test.gal", text, &[]).unwrap();
        let mut space = explore(&read.system, &Options::default()).unwrap();
        let steps = *space.take_steps().unwrap();
        let within = mandala_model::gal::formula(&read.system, "x <= 8").unwrap();
        let mandala_model::property::Question::Invariant(formula) = &within.question else { panic!("of one state") };
        let states = space.states.clone();
        let within = crate::select::select(&mut space.encoded, formula, &states).unwrap();
        let staying = steps.staying(&mut space.encoded, &within).unwrap();
        let start = steps.initial.clone();
        let semantics = Semantics::new(&read.system).unwrap();
        let mut rounds = Rounds { encoded: &mut space.encoded, steps: &steps, staying: &staying };
        for (diagrams, repeats) in [rounds.breadth_first(&start).unwrap(), rounds.by_closures(&start).unwrap()] {
            let states = written(rounds.encoded, &diagrams).unwrap();
            assert!(states.iter().all(|state| state[0] <= 8), "{states:?}");
            let last = states.len() - 1;
            match repeats == last {
                true => assert!(semantics.is_deadlock(&states[last]).unwrap(), "{states:?}"),
                false => assert_eq!(states[repeats], states[last], "{states:?}"),
            }
            steps_between(&semantics, states).unwrap();
        }
    }

    #[test]
    fn to_where_nothing_can_happen() {
        stays("gal A { int x; int y; transition on [x < 5] { x += 1; } transition other [y < 3] { y += 1; } }");
    }

    #[test]
    fn around_a_loop_further_on() {
        stays(
            "gal A { int x; int y; transition on [x < 20] { x += 1; } transition back [x == 7] { x = 4; }
            transition other [x == 2 && y < 2] { y += 1; } }",
        );
    }

    #[test]
    fn around_a_loop_of_one_state() {
        stays("gal A { int x; transition on [x < 20] { x += 1; } transition stay [x == 6] { x = 6; } }");
    }

    #[test]
    fn through_transient_states() {
        stays(
            "gal A { int x; int y; TRANSIENT = (y == 1); transition on [y == 1 && x < 9] { x += 1; y = 0; }
            transition begin [y == 0] { y = 1; } transition back [y == 1 && x == 7] { x = 4; y = 0; } }",
        );
    }
}
