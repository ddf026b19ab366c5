//! What the graph of all states knows, for those who show why a formula holds or does not.
//!
//! Runs to a goal are shortest ones. A run that goes on for ever takes a shortest way to where it can: to a state in which
//! nothing can happen, or to one on a loop, and then a shortest loop; a fair one to where it can be fair, and then past all
//! that it is obliged to.

use std::rc::Rc;

use mandala_model::formalism::Formalism;
use mandala_model::property::Formula;
use mandala_model::semantics::TransitionSystem;
use rustc_hash::FxHashMap;

use super::ctl::{Failure, Labelling, Labels};
use super::fair::Obliged;
use crate::run::{AtomIn, FiniteRuns, NoTrace, StateIn, broken};
use crate::witness::{Claim, Ground, Parts, Walk, WalkOf, Witness, grow};

/// What shows that a formula holds, or that it does not; nothing if there is nothing to see.
pub(super) fn find<T: TransitionSystem>(
    labelling: &Labelling<'_, T>, formula: &Formula<AtomIn<T>>, holds: bool,
) -> Result<Option<Witness<T::Formalism>>, NoTrace> {
    let parts = Parts::of(formula);
    let running = labelling.running()?;
    let mut graph = Labelled { labelling, parts: &parts, labels: FxHashMap::default(), running };
    let labels = graph.labels(0)?;
    let is_one = |id: &u32| labelling.states.parent(*id).is_none() && labels[*id as usize] == holds;
    let from: Vec<u32> = (0..labelling.states.len()).filter(is_one).collect();
    if from.is_empty() {
        return Ok(None);
    }
    grow(&mut graph, labelling.semantics, &parts, holds, from)
}

struct Labelled<'l, T: TransitionSystem> {
    labelling: &'l Labelling<'l, T>,
    parts: &'l Parts<'l, AtomIn<T>>,
    /// By part: where it holds, as far as that was asked.
    labels: FxHashMap<usize, Rc<Labels>>,
    /// Where runs begin that count, if not everywhere.
    running: Option<Labels>,
}

impl<F: Formalism> From<Failure<F>> for NoTrace {
    fn from(failure: Failure<F>) -> NoTrace {
        NoTrace::Unknown(match failure {
            Failure::Limit(_) => "a limit struck before it was found".to_owned(),
            Failure::Error(error) => error.to_string(),
            Failure::NotCtl => "a temporal operator without a quantifier is not CTL".to_owned(),
        })
    }
}

/// A state that a search has not met.
const UNSEEN: u32 = u32::MAX;

/// A search breadth first: in which order states were met, and from where.
struct Search {
    order: Vec<u32>,
    from: Vec<u32>,
}

impl Search {
    /// The way to a state that was met. A state where the search began comes from itself.
    fn way_to(&self, state: u32) -> Vec<u32> {
        let mut way = vec![state];
        let mut at = state;
        while self.from[at as usize] != at {
            at = self.from[at as usize];
            way.push(at);
        }
        way.reverse();
        way
    }
}

impl<T: TransitionSystem> Labelled<'_, T> {
    fn labels(&mut self, part: usize) -> Result<Rc<Labels>, NoTrace> {
        if let Some(labels) = self.labels.get(&part) {
            return Ok(labels.clone());
        }
        let labels = Rc::new(self.labelling.label(self.parts.get(part))?);
        self.labels.insert(part, labels.clone());
        Ok(labels)
    }

    /// Where a claim is true.
    fn all(&mut self, claim: Claim) -> Result<impl Fn(u32) -> bool + use<T>, NoTrace> {
        let labels = self.labels(claim.part)?;
        Ok(move |state: u32| labels[state as usize] == claim.holds)
    }

    fn all_of(&mut self, claims: &[Claim]) -> Result<impl Fn(u32) -> bool + use<T>, NoTrace> {
        let all = claims.iter().map(|&claim| self.all(claim)).collect::<Result<Vec<_>, NoTrace>>()?;
        Ok(move |state: u32| all.iter().all(|holds| holds(state)))
    }

    /// Whether a run ends in a state, and counts.
    fn is_end(&self, state: u32) -> bool {
        self.labelling.runs.finite == FiniteRuns::Stutter && self.successors(state).is_empty()
    }

    /// Whether a run that comes to a state may go on from there, as far as runs are to go on.
    fn is_running(&self, state: u32) -> bool {
        self.running.as_ref().is_none_or(|running| running[state as usize])
    }

    fn successors(&self, state: u32) -> &[u32] {
        self.labelling.graph.successors(state)
    }

    /// Looks for a state breadth first, going on from states of some kind only.
    fn search(
        &self, begin: &[u32], through: impl Fn(u32) -> bool, goal: impl Fn(u32) -> bool,
    ) -> Result<(Search, Option<u32>), NoTrace> {
        let count = self.labelling.states.len() as usize;
        let mut search = Search { order: begin.to_vec(), from: vec![UNSEEN; count] };
        for &state in begin {
            search.from[state as usize] = state;
        }
        let mut next = 0;
        while let Some(&state) = search.order.get(next) {
            self.labelling.limits.check().map_err(Failure::<T::Formalism>::from)?;
            if goal(state) && self.is_running(state) {
                return Ok((search, Some(state)));
            }
            if through(state) {
                for &to in self.successors(state) {
                    if search.from[to as usize] == UNSEEN {
                        search.from[to as usize] = state;
                        search.order.push(to);
                    }
                }
            }
            next += 1;
        }
        Ok((search, None))
    }

    fn way(&self, ids: Vec<u32>, repeats: Option<usize>, shortest: bool) -> Result<WalkOf<Self>, NoTrace> {
        let (Some(&first), Some(&last)) = (ids.first(), ids.last()) else { return Err(broken("a run has no state")) };
        let states = ids.iter().map(|&id| self.labelling.states.read::<T::Formalism>(id)).collect();
        Ok(Walk { states, first: vec![first], last: vec![last], repeats, shortest })
    }

    /// A run that goes on for ever through states of some kind, and is fair: a shortest way to where it can be, and around there
    /// past everything that it is obliged to.
    fn fair_run(&self, start: u32, through: &impl Fn(u32) -> bool, obliged: &Obliged) -> Result<WalkOf<Self>, NoTrace> {
        let within = (0..self.labelling.states.len()).map(through).collect();
        let components = self.labelling.fair_components(&within)?;
        let mut number_of = vec![None; within.len()];
        for (number, states) in components.iter().enumerate() {
            states.iter().for_each(|&state| number_of[state as usize] = Some(number));
        }
        let (search, end) = self.search(&[start], through, |state| number_of[state as usize].is_some())?;
        let lost = || broken("a fair run is not found again");
        let end = end.ok_or_else(lost)?;
        let mut way = search.way_to(end);
        let repeats = way.len() - 1;
        if self.successors(end).is_empty() {
            return self.way(way, Some(repeats), false);
        }
        let inside = |state: u32| number_of[state as usize] == number_of[end as usize];
        let members = &components[number_of[end as usize].ok_or_else(lost)?];
        for obligation in obliged.of(members.iter().copied()) {
            let is_met = |state: u32| inside(state) && obliged.is_met(obligation, state);
            if !way[repeats..].iter().any(|&state| is_met(state)) {
                let (search, met) = self.search(&way[way.len() - 1..], inside, is_met)?;
                way.extend(search.way_to(met.ok_or_else(lost)?).into_iter().skip(1));
            }
        }
        let last = way[way.len() - 1];
        let round = match last == end {
            true => self.round(end, &inside)?.ok_or_else(lost)?,
            false => {
                let (search, met) = self.search(&[last], inside, |state| state == end)?;
                search.way_to(met.ok_or_else(lost)?)
            }
        };
        way.extend(round.into_iter().skip(1));
        self.way(way, Some(repeats), false)
    }

    /// A shortest way from a state back to it, through states of some kind.
    fn round(&self, state: u32, through: &impl Fn(u32) -> bool) -> Result<Option<Vec<u32>>, NoTrace> {
        let before = |other: u32| through(other) && self.successors(other).contains(&state);
        let (search, end) = self.search(&[state], through, before)?;
        Ok(end.map(|end| search.way_to(end).into_iter().chain([state]).collect()))
    }

    /// The states of some kind, met in this order, from which a way of at least one step leads back to them.
    fn on_loops(&self, order: &[u32], through: &impl Fn(u32) -> bool) -> Vec<bool> {
        let mut components = Components {
            numbers: vec![0; self.labelling.states.len() as usize],
            lowest: vec![0; self.labelling.states.len() as usize],
            on_loop: vec![false; self.labelling.states.len() as usize],
            stack: Vec::new(),
            next: 1,
        };
        for &root in order {
            if components.numbers[root as usize] == 0 && through(root) {
                components.visit(root, |state| self.successors(state), through);
            }
        }
        components.on_loop
    }
}

/// Strongly connected components, after Tarjan, with a stack of our own.
struct Components {
    /// When a state was met, from 1; 0 if it was not.
    numbers: Vec<u32>,
    /// The least number that can be reached among those on the stack; the greatest of all once a component is done.
    lowest: Vec<u32>,
    on_loop: Vec<bool>,
    stack: Vec<u32>,
    next: u32,
}

impl Components {
    fn visit<'g>(&mut self, root: u32, successors: impl Fn(u32) -> &'g [u32], through: &impl Fn(u32) -> bool) {
        let mut way: Vec<(u32, usize)> = Vec::new();
        self.meet(root);
        way.push((root, 0));
        while let Some((state, place)) = way.last_mut() {
            let at = *state as usize;
            let Some(&to) = successors(*state).get(*place) else {
                let (lowest, state) = (self.lowest[at], *state);
                way.pop();
                if let Some((before, _)) = way.last() {
                    let before = *before as usize;
                    self.lowest[before] = self.lowest[before].min(lowest);
                }
                if lowest == self.numbers[at] {
                    self.close(state);
                }
                continue;
            };
            *place += 1;
            if to as usize == at {
                self.on_loop[at] |= through(to);
            } else if self.numbers[to as usize] != 0 {
                self.lowest[at] = self.lowest[at].min(self.lowest[to as usize]);
            } else if through(to) {
                self.meet(to);
                way.push((to, 0));
            }
        }
    }

    fn meet(&mut self, state: u32) {
        self.numbers[state as usize] = self.next;
        self.lowest[state as usize] = self.next;
        self.next += 1;
        self.stack.push(state);
    }

    /// A component is complete: all that was met since this state.
    fn close(&mut self, first: u32) {
        let start = self.stack.iter().rposition(|&state| state == first).unwrap_or(0);
        let is_loop = self.stack.len() - start > 1;
        for state in self.stack.drain(start..) {
            self.lowest[state as usize] = u32::MAX;
            self.on_loop[state as usize] |= is_loop;
        }
    }
}

impl<T: TransitionSystem> Ground for Labelled<'_, T> {
    type Semantics = T;
    type States = Vec<u32>;

    fn holds(&mut self, claim: Claim, states: &Vec<u32>) -> Result<bool, NoTrace> {
        let holds = self.all(claim)?;
        Ok(states.iter().all(|&state| holds(state)))
    }

    fn one(&mut self, states: &Vec<u32>) -> Result<(Vec<u32>, StateIn<T>), NoTrace> {
        let &first = states.first().ok_or_else(|| broken("nothing to pick from"))?;
        Ok((vec![first], self.labelling.states.read::<T::Formalism>(first)))
    }

    fn step(&mut self, from: &Vec<u32>, goal: Claim) -> Result<WalkOf<Self>, NoTrace> {
        let holds = self.all(goal)?;
        for &state in from {
            if let Some(&to) = self.successors(state).iter().find(|&&to| holds(to) && self.is_running(to)) {
                return self.way(vec![state, to], None, true);
            }
        }
        Err(broken("a step is not found again"))
    }

    fn leads(&mut self, from: &Vec<u32>, through: Option<Claim>, goals: &[Claim]) -> Result<bool, NoTrace> {
        let (through, goal) = (through.map(|claim| self.all(claim)).transpose()?, self.all_of(goals)?);
        let goes_on = |state: u32| through.as_ref().is_none_or(|through| through(state));
        Ok(self.search(from, goes_on, goal)?.1.is_some())
    }

    fn to_goal(&mut self, from: &Vec<u32>, through: Option<Claim>, goals: &[Claim]) -> Result<WalkOf<Self>, NoTrace> {
        let (through, goal) = (through.map(|claim| self.all(claim)).transpose()?, self.all_of(goals)?);
        let goes_on = |state: u32| through.as_ref().is_none_or(|through| through(state));
        let (search, met) = self.search(from, goes_on, goal)?;
        let met = met.ok_or_else(|| broken("a state that was reached is not found again"))?;
        self.way(search.way_to(met), None, true)
    }

    fn for_ever(&mut self, from: &Vec<u32>, through: Claim) -> Result<WalkOf<Self>, NoTrace> {
        let through = self.all(through)?;
        let &start = from.first().ok_or_else(|| broken("nothing to pick from"))?;
        if let Some(obliged) = self.labelling.obliged {
            return self.fair_run(start, &through, obliged);
        }
        let (search, _) = self.search(&[start], &through, |_| false)?;
        let on_loop = self.on_loops(&search.order, &through);
        let is_end = |state: u32| through(state) && (on_loop[state as usize] || self.is_end(state));
        let end = search.order.iter().copied().find(|&state| is_end(state));
        let end = end.ok_or_else(|| broken("a run that goes on for ever is not found again"))?;
        let mut way = search.way_to(end);
        let repeats = way.len() - 1;
        if let Some(round) = self.round(end, &through)? {
            way.extend(round.into_iter().skip(1));
        }
        self.way(way, Some(repeats), false)
    }

    fn known(&mut self, part: usize, state: &StateIn<T>) -> Option<bool> {
        let id = self.labelling.states.find(state.as_ref())?;
        Some(self.labels(part).ok()?[id as usize])
    }
}
