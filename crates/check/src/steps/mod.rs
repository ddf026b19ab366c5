//! Steps between the states of a space, backwards and forwards.

mod cycles;
mod laps;

use std::cell::OnceCell;

use mandala_diagram::{Diagram, Hom, Strategy};
use mandala_symbolic::encode::{Encoded, Encoding};

use crate::run::FiniteRuns;
use crate::undecided::Undecided;
use cycles::Effects;
use laps::Moves;

/// What all formulas about a space need to know. States are those that count; the transient ones are between them.
pub(crate) struct Steps {
    /// Where runs begin.
    pub initial: Diagram,
    /// Whether there is only one such state: then every state is reached from it.
    pub is_one: bool,
    /// Where runs end that count.
    pub ends: Diagram,
    /// Where runs begin that count.
    pub running: Diagram,
    /// Whether there are transient states from which no state comes out.
    pub traps: bool,
    states: Diagram,
    /// The transient states.
    pub transient: Diagram,
    reached: Diagram,
    forwards: Vec<Hom>,
    /// One step back, for one step; once it was needed.
    back: OnceCell<Hom>,
    /// One step back, for closures within sets of reachable states; once it was needed.
    backwards: OnceCell<Vec<Hom>>,
    effects: Option<Effects>,
    /// What transitions do to each variable, once it was needed, if that tells all.
    moves: OnceCell<Option<Moves>>,
    /// Transitions that change nothing.
    idle: Vec<Hom>,
    /// What runs must meet to count: if they are among the first again and again, then among the second.
    pub obligations: Vec<(Diagram, Diagram)>,
}

impl Steps {
    /// Of the reachable states, and those of them that count.
    pub fn new<E: Encoding>(
        encoded: &mut Encoded<E>, reached: &Diagram, states: &Diagram, finite_runs: FiniteRuns,
        obligations: Vec<(Diagram, Diagram)>,
    ) -> Result<Steps, Undecided> {
        let forwards = encoded.relation.clone();
        let idle = forwards.iter().filter(|transition| encoded.store.is_selector(transition)).cloned().collect();
        let (zero, transient) = (encoded.store.zero(), encoded.store.difference(reached, states)?);
        let mut steps = Steps {
            initial: encoded.initial.clone(),
            is_one: false,
            ends: zero.clone(),
            running: states.clone(),
            traps: false,
            states: states.clone(),
            transient,
            reached: reached.clone(),
            forwards,
            back: OnceCell::new(),
            backwards: OnceCell::new(),
            effects: Effects::of(encoded),
            moves: OnceCell::new(),
            idle,
            obligations,
        };
        let dead = steps.find_dead(encoded)?;
        if steps.transient != zero {
            let leaving = steps.led_back(encoded, &steps.states, reached)?;
            steps.traps = leaving != *reached;
            let begins = encoded.store.intersection(&steps.initial, &steps.states)?;
            let passed = encoded.store.intersection(&steps.initial, &steps.transient)?;
            let come_out = steps.come_out(encoded, &passed)?;
            steps.initial = encoded.store.union(&begins, &come_out)?;
        }
        let some_end = !dead.is_empty();
        if finite_runs == FiniteRuns::Stutter {
            steps.ends = dead;
        }
        if finite_runs == FiniteRuns::Ignore && some_end || !steps.obligations.is_empty() {
            steps.running = steps.kept_in(encoded, states)?;
        }
        steps.is_one = encoded.store.count(&steps.initial).to_u64() == Some(1);
        Ok(steps)
    }

    /// Where nothing can happen.
    pub fn find_dead<E: Encoding>(&self, encoded: &mut Encoded<E>) -> Result<Diagram, Undecided> {
        if self.transient.is_empty() {
            return Ok(E::dead(encoded, &self.states)?);
        }
        let alive = self.before(encoded, &self.states)?;
        Ok(encoded.store.difference(&self.states, &alive)?)
    }

    /// The states that have a successor in a set.
    pub fn before<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        if self.transient.is_empty() {
            return self.one_back(encoded, set);
        }
        let on_the_way = encoded.store.union(set, &self.transient)?;
        let on_the_way = self.led_back(encoded, set, &on_the_way)?;
        let before = self.one_back(encoded, &on_the_way)?;
        Ok(encoded.store.intersection(&before, &self.states)?)
    }

    /// The reachable states from which one transition leads to a set.
    fn one_back<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        let back = match self.back.get() {
            Some(back) => back,
            None => {
                let all = encoded.store.sum(&self.forwards);
                let back = encoded.store.predecessors(&all, &self.reached)?;
                self.back.get_or_init(|| back)
            }
        };
        defined(encoded, |encoded| encoded.store.apply(back, set))
    }

    /// The reachable states from which transitions lead to a set, all within a bound.
    fn led_back<E: Encoding>(
        &self, encoded: &mut Encoded<E>, set: &Diagram, bound: &Diagram,
    ) -> Result<Diagram, Undecided> {
        let backwards = self.backwards(encoded)?;
        defined(encoded, |encoded| encoded.store.reachable_within(set, backwards, bound))
    }

    /// Each transition, one step back.
    pub(super) fn backwards<E: Encoding>(&self, encoded: &mut Encoded<E>) -> Result<&[Hom], Undecided> {
        if let Some(backwards) = self.backwards.get() {
            return Ok(backwards);
        }
        let mut backwards = Vec::with_capacity(self.forwards.len());
        for transition in &self.forwards {
            backwards.push(encoded.store.backwards(transition, &self.reached)?);
        }
        Ok(self.backwards.get_or_init(|| backwards))
    }

    /// What each transition does to each variable, if that tells all.
    fn moves<E: Encoding>(&self, encoded: &mut Encoded<E>) -> Result<Option<&Moves>, Undecided> {
        if let Some(moves) = self.moves.get() {
            return Ok(moves.as_ref());
        }
        // A transition into transient states is only a part of a step.
        let moves = if self.is_direct() { Moves::of(encoded, &self.forwards, &self.reached)? } else { None };
        Ok(self.moves.get_or_init(|| moves).as_ref())
    }

    /// The successors of the states of a set.
    pub fn after<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        let step = encoded.store.sum(&self.forwards);
        let after = encoded.store.apply(&step, set)?;
        if self.transient.is_empty() {
            return Ok(after);
        }
        let counts = encoded.store.intersection(&after, &self.states)?;
        let passed = encoded.store.intersection(&after, &self.transient)?;
        let come_out = self.come_out(encoded, &passed)?;
        Ok(encoded.store.union(&counts, &come_out)?)
    }

    /// The states that come next on runs, after those of a set: successors, and where runs end and repeat their last state
    /// that state.
    pub fn next<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        let after = self.after(encoded, set)?;
        let repeated = encoded.store.intersection(set, &self.ends)?;
        Ok(encoded.store.union(&after, &repeated)?)
    }

    /// The states that come just before those of a set on runs.
    pub fn previous<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        let before = self.before(encoded, set)?;
        let repeated = encoded.store.intersection(set, &self.ends)?;
        Ok(encoded.store.union(&before, &repeated)?)
    }

    /// The states that come out of transient ones.
    fn come_out<E: Encoding>(&self, encoded: &mut Encoded<E>, passed: &Diagram) -> Result<Diagram, Undecided> {
        let passed = encoded.store.reachable_within(passed, &self.forwards, &self.transient)?;
        let step = encoded.store.sum(&self.forwards);
        let after = encoded.store.apply(&step, &passed)?;
        Ok(encoded.store.intersection(&after, &self.states)?)
    }

    /// A set of states with all that lies between states.
    pub fn with_ways<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        Ok(encoded.store.union(set, &self.transient)?)
    }

    /// The states from which a run through `through` leads to `goals`, these included.
    pub fn leading<E: Encoding>(
        &self, encoded: &mut Encoded<E>, goals: &Diagram, through: &Diagram,
    ) -> Result<Diagram, Undecided> {
        let bound = encoded.store.union(goals, through)?;
        let bound = self.with_ways(encoded, &bound)?;
        let leading = self.led_back(encoded, goals, &bound)?;
        Ok(encoded.store.intersection(&leading, &self.states)?)
    }

    /// The states to which a run through `through` leads from `start`, a part of it.
    pub fn led_to<E: Encoding>(
        &self, encoded: &mut Encoded<E>, start: &Diagram, through: &Diagram,
    ) -> Result<Diagram, Undecided> {
        let bound = self.with_ways(encoded, through)?;
        let led = encoded.store.reachable_within(start, &self.forwards, &bound)?;
        Ok(encoded.store.intersection(&led, &self.states)?)
    }

    /// The states to which runs lead from `start`.
    pub fn reachable<E: Encoding>(&self, encoded: &mut Encoded<E>, start: &Diagram) -> Result<Diagram, Undecided> {
        if encoded.store.is_subset(&self.initial, start)? {
            return Ok(self.states.clone());
        }
        let reached = encoded.store.reachable(start, &self.forwards, Strategy::Saturation)?;
        Ok(encoded.store.intersection(&reached, &self.states)?)
    }

    /// The states of a set in which something can happen that changes nothing.
    fn idle<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        let mut idle = encoded.store.zero();
        for transition in &self.idle {
            let more = encoded.store.apply(transition, set)?;
            idle = encoded.store.union(&idle, &more)?;
        }
        Ok(idle)
    }

    /// The states from which some run stays in a set for ever.
    pub fn staying<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        let set = encoded.store.intersection(set, &self.running)?;
        if set == self.running {
            return Ok(set);
        }
        self.kept_in(encoded, &set)
    }

    /// Whether some run stays in a set for ever.
    pub fn can_stay<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<bool, Undecided> {
        let set = encoded.store.intersection(set, &self.running)?;
        if set.is_empty() || set == self.running {
            return Ok(!set.is_empty());
        }
        if !self.obligations.is_empty() {
            return Ok(!self.kept_in(encoded, &set)?.is_empty());
        }
        let ends = encoded.store.intersection(&self.ends, &set)?;
        if !ends.is_empty() || !self.idle(encoded, &set)?.is_empty() {
            return Ok(true);
        }
        let staying = match self.moves(encoded)? {
            Some(moves) => self.going_round(encoded, moves, &set)?,
            None => self.kept_in(encoded, &set)?,
        };
        Ok(!staying.is_empty())
    }

    /// The states from which some run stays in a set for ever, whatever is known of runs.
    fn kept_in<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        let mut ends = encoded.store.intersection(&self.ends, set)?;
        if !self.obligations.is_empty() {
            let fair = self.meeting_obligations(encoded, set)?;
            ends = encoded.store.union(&ends, &fair)?;
            return self.leading(encoded, &ends, set);
        }
        self.going_on(encoded, set, ends)
    }

    /// Those states of a set in which runs go on for ever that meet all obligations again and again, and never leave the set;
    /// and perhaps some from which these can be reached.
    fn meeting_obligations<E: Encoding>(&self, encoded: &mut Encoded<E>, set: &Diagram) -> Result<Diagram, Undecided> {
        let mut left = set.clone();
        loop {
            let nowhere = encoded.store.zero();
            let start = left.clone();
            left = self.going_on(encoded, &left, nowhere)?;
            for (when, then) in &self.obligations {
                let met = encoded.store.intersection(&left, then)?;
                let can_meet = self.leading(encoded, &met, &left)?;
                let free = encoded.store.difference(&left, when)?;
                left = encoded.store.union(&can_meet, &free)?;
            }
            if left == start {
                return Ok(left);
            }
        }
    }

    /// The states from which some run stays in a set for ever, or comes to one of some states where that is enough.
    fn going_on<E: Encoding>(
        &self, encoded: &mut Encoded<E>, set: &Diagram, ends: Diagram,
    ) -> Result<Diagram, Undecided> {
        let idle = self.idle(encoded, set)?;
        let ends = encoded.store.union(&ends, &idle)?;
        let kept = if ends.is_empty() { ends } else { self.leading(encoded, &ends, set)? };
        // No step leads from the rest to what is kept.
        let rest = encoded.store.difference(set, &kept)?;
        let more = self.endless(encoded, &rest)?;
        Ok(encoded.store.union(&kept, &more)?)
    }

    /// Whether each transition leads from a state to a state, and not to a transient one.
    pub(super) fn is_direct(&self) -> bool {
        self.transient.is_empty()
    }
}

/// A result, unless it is ⊤.
pub(super) fn defined<E: Encoding>(
    encoded: &mut Encoded<E>, operation: impl FnOnce(&mut Encoded<E>) -> Result<Diagram, mandala_diagram::Error>,
) -> Result<Diagram, Undecided> {
    let result = operation(encoded)?;
    if encoded.store.is_undefined(&result) { Err(Undecided::Undefined) } else { Ok(result) }
}
