//! Runs that stay in a set for ever.
//!
//! Such a run ends in the set, or it goes on, and then it comes to a cycle: to a strongly connected part of the set. So the
//! states that are looked for are those that lead, within the set, to an end or to a cycle, and to lead somewhere is one
//! closure. What remains is to find cycles without taking the set apart state by state or step by step.
//!
//! A cycle has its transitions. One of them, `t`, is *recurrent* if some run within the set fires it again and again, and
//! the states in which such a run does so are the greatest
//!
//! > `Z = { s : s fires t, and comes within the set to Z }`
//!
//! where coming to Z is a closure again (E. A. Emerson and C.-L. Lei, 1986, with `t` for their fairness). All that lead to
//! Z are found, and in the rest no cycle has `t`: so one transition after the other is decided, each with fewer to go
//! through, and when none is left the rest has no cycle. A transition that is recurrent is so nearly always after one or
//! two rounds; one that is not may take a round for each time that it can fire. So those that take longer wait until all
//! others are decided. In a net, most need no round at all: where no transition takes from a place what others put there,
//! the others are not recurrent.
//!
//! To take away the states without a successor, again and again, leads to the same set, and is faster where few steps do.
//! It is tried first, and once for each transition that is decided.

use mandala_diagram::Diagram;
use mandala_symbolic::encode::{Change, Encoded, Encoding};

use super::{Steps, defined};
use crate::undecided::Undecided;

/// How often states without a successor are taken away before cycles are looked for in a net.
const FIRST_STEPS: usize = 12;

/// The same for other systems: of these places tell nothing, and a transition backwards is dear.
const FIRST_STEPS_OF_OTHERS: usize = 500;

/// How many rounds a transition may take while others are not decided.
const FIRST_ROUNDS: usize = 3;

/// The counters (places of a net) that each transition of the relation changes, where the formalism has some.
pub(super) struct Effects(Vec<Vec<(u32, Change)>>);

impl Effects {
    pub fn of<E: Encoding>(encoded: &Encoded<E>) -> Option<Effects> {
        E::changes(encoded).map(Effects)
    }

    /// Keeps, of some transitions, those that may be recurrent as far as places tell: what one puts another takes.
    fn balanced(&self, transitions: &mut Vec<usize>) {
        let places = self.0.iter().flatten().map(|change| change.0 as usize + 1).max().unwrap_or(0);
        loop {
            let mut moved = vec![[false; 2]; places];
            for (place, direction) in transitions.iter().flat_map(|&transition| &self.0[transition]) {
                moved[*place as usize][0] |= *direction != Change::Down;
                moved[*place as usize][1] |= *direction != Change::Up;
            }
            let before = transitions.len();
            transitions.retain(|&transition| {
                self.0[transition].iter().all(|(place, direction)| match direction {
                    Change::Up => moved[*place as usize][1],
                    Change::Down => moved[*place as usize][0],
                    Change::Either => true,
                })
            });
            if transitions.len() == before {
                return;
            }
        }
    }
}

/// What became of a transition.
enum Recurrence {
    /// No run fires it again and again.
    No,
    /// From these states a run does.
    From(Diagram),
    /// It takes longer to know.
    Open,
}

impl Steps {
    /// The states of a set from which some run stays in it for ever, without end.
    pub(super) fn endless<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        if let Some(moves) = self.moves(encoded)? {
            let round = self.going_round(encoded, moves, set)?;
            return if round.is_empty() { Ok(round) } else { self.leading(encoded, &round, set) };
        }
        let first_steps = if self.effects.is_some() { FIRST_STEPS } else { FIRST_STEPS_OF_OTHERS };
        self.endless_after(encoded, set, first_steps)
    }

    /// The same, with so many steps before cycles are looked for.
    fn endless_after<E: Encoding>(
        &self, encoded: &mut Encoded<E>, set: &Diagram, first_steps: usize,
    ) -> Result<Diagram, Undecided> {
        let (mut rest, is_all) = self.without_last(encoded, set.clone(), first_steps)?;
        // A transition into transient states is only a part of a step.
        if is_all || !self.is_direct() {
            let (rest, _) = self.without_last(encoded, rest, usize::MAX)?;
            return Ok(rest);
        }
        let mut found = encoded.store.zero();
        let mut open: Vec<usize> = (0..self.backwards(encoded)?.len()).collect();
        for rounds in [FIRST_ROUNDS, usize::MAX] {
            self.retain_possible(encoded, &rest, &mut open)?;
            let mut place = 0;
            while let Some(&transition) = open.get(place) {
                match self.recurrence(encoded, transition, &open, &rest, rounds)? {
                    Recurrence::Open => {
                        place += 1;
                        continue;
                    }
                    Recurrence::No => {}
                    Recurrence::From(states) => {
                        let leading = self.leading(encoded, &states, &rest)?;
                        found = encoded.store.union(&found, &leading)?;
                        rest = encoded.store.difference(&rest, &leading)?;
                    }
                }
                open.remove(place);
                let (left, is_all) = self.without_last(encoded, rest, 1)?;
                if is_all {
                    return Ok(encoded.store.union(&found, &left)?);
                }
                rest = left;
                self.retain_possible(encoded, &rest, &mut open)?;
                place = place.min(open.len());
            }
        }
        Ok(found)
    }

    /// A set without the states that have no successor in it, taken away so many times; whether there are none left.
    fn without_last<E: Encoding>(
        &self, encoded: &mut Encoded<E>, mut set: Diagram, times: usize,
    ) -> Result<(Diagram, bool), Undecided> {
        for _ in 0..times {
            let before = self.before(encoded, &set)?;
            let next = encoded.store.intersection(&before, &set)?;
            if next == set {
                return Ok((set, true));
            }
            set = next;
        }
        Ok((set, false))
    }

    /// Keeps, of some transitions, those that fire within a set and may be recurrent there.
    fn retain_possible<E: Encoding>(
        &self, encoded: &mut Encoded<E>, set: &Diagram, transitions: &mut Vec<usize>,
    ) -> Result<(), Undecided> {
        let mut possible = Vec::with_capacity(transitions.len());
        for &transition in &*transitions {
            if !self.firing(encoded, transition, set, set)?.is_empty() {
                possible.push(transition);
            }
        }
        *transitions = possible;
        if let Some(effects) = &self.effects {
            effects.balanced(transitions);
        }
        Ok(())
    }

    /// The states of a set from which a transition leads to some targets.
    fn firing<E: Encoding>(
        &self, encoded: &mut Encoded<E>, transition: usize, targets: &Diagram, set: &Diagram,
    ) -> Result<Diagram, Undecided> {
        let back = &self.backwards(encoded)?[transition];
        let before = defined(encoded, |encoded| encoded.store.apply(back, targets))?;
        Ok(encoded.store.intersection(&before, set)?)
    }

    /// Where a transition is recurrent within a set of states, if only these transitions are.
    fn recurrence<E: Encoding>(
        &self, encoded: &mut Encoded<E>, transition: usize, transitions: &[usize], set: &Diagram, rounds: usize,
    ) -> Result<Recurrence, Undecided> {
        let mut states = self.firing(encoded, transition, set, set)?;
        for _ in 0..rounds {
            if states.is_empty() {
                return Ok(Recurrence::No);
            }
            let backwards = self.backwards(encoded)?;
            let backwards = transitions.iter().map(|&transition| &backwards[transition]);
            let leading = defined(encoded, |encoded| encoded.store.reachable_within(&states, backwards, set))?;
            let next = self.firing(encoded, transition, &leading, &states)?;
            if next == states {
                return Ok(Recurrence::From(states));
            }
            states = next;
        }
        Ok(Recurrence::Open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::explore;
    use crate::options::Options;
    use crate::select::select;
    use crate::tests::formulas::{events, state_formula, variables};
    use crate::tests::random::{Leaves, Random, flat, nested, small};
    use mandala_model::system::System;

    /// Cycles lead to the same states as taking away those without a successor; in how many cases some and not all are
    /// left.
    fn agree(seeds: u64, generate: impl Fn(u64) -> System) -> u64 {
        let mut some = 0;
        for (seed, system, _) in small(0..seeds, 500, generate) {
            let mut random = Random::new(seed);
            let (variables, events) = (variables(&system), events(&system));
            let mut space = explore(&system, &Options::default()).unwrap();
            let steps = *space.take_steps().unwrap();
            for _ in 0..4 {
                let formula = state_formula(&mut random, &variables, &events, 2);
                let set = select(&mut space.encoded, &formula, &space.states).unwrap();
                let (expected, _) = steps.without_last(&mut space.encoded, set.clone(), usize::MAX).unwrap();
                let found = steps.endless_after(&mut space.encoded, &set, 0).unwrap();
                assert!(found == expected, "seed {seed}: {formula:?} of {system:?}");
                let found = steps.endless(&mut space.encoded, &set).unwrap();
                assert!(found == expected, "by laps, seed {seed}: {formula:?} of {system:?}");
                some += u64::from(!found.is_empty() && found != set);
            }
        }
        some
    }

    #[test]
    fn cycles_of_nets() {
        assert!(agree(1500, |seed| flat(seed, Leaves::Nets)) > 100);
    }

    #[test]
    fn cycles_of_programs_and_composites() {
        assert!(agree(800, |seed| flat(seed, Leaves::Programs)) > 50);
        assert!(agree(800, |seed| nested(seed, Leaves::Both)) > 50);
    }

    /// Two cycles that a long way connects, and a long way to nowhere: decided without a step for each state.
    #[test]
    fn long_ways() {
        let text = "gal A { int x; int y; transition up [x < 200] { x += 1; } transition back [x == 3] { x = 0; }
            transition far [x == 150] { x = 140; } transition side [x == 20 && y < 90] { y += 1; } } main A;";
        let read = mandala_model::gal::read("test.gal", text, &[]).unwrap();
        let mut space = explore(&read.system, &Options::default()).unwrap();
        let steps = *space.take_steps().unwrap();
        let states = space.states.clone();
        let found = steps.endless_after(&mut space.encoded, &states, FIRST_STEPS).unwrap();
        // All with x up to 150: y is 0 up to x = 20, and anything up to 90 from there.
        assert_eq!(space.encoded.store.count(&found).to_u64(), Some(20 + 131 * 91));
    }
}
