//! Conditions that no marking meets, by the state equation and what its solutions are not.
//!
//! A solution of the equation need not be a marking that is reached. One that leaves a trap empty that is marked in the beginning
//! is not: that the trap holds a token is added. One that does not satisfy the condition, because that is more than
//! inequalities (one of several, that none of a group can fire, a deadlock), is excluded by the alternatives of a part that it
//! does not satisfy, one after the other. In the end the equation has no solution, which is checked exactly, or one
//! that nothing speaks against, and then nothing is shown (branch and cut, after Esparza and Melzer).

use std::time::Instant;

use mandala_analysis::equation::{Condition as Inequality, Traps, holds_a_token};
use rustc_hash::FxHashMap;

use super::goals::Condition;
use super::proof::ProofCase;
use super::refute::Refuter;

/// What a solver calls less than this is nothing.
const TINY: f64 = 1e-6;
/// How many inequalities about single transitions are added at a time.
const AT_A_TIME: usize = 200;

/// What is known for all conditions.
#[derive(Default)]
pub(crate) struct Known {
    traps: Option<Traps>,
    /// Whether places hold at most one token, as far as somebody asked.
    safe: FxHashMap<u32, bool>,
}

/// Looks for a proof that a condition is met by no marking.
pub(crate) struct Branch<'b, 'n> {
    pub refuter: &'b Refuter<'n>,
    pub initial: &'n [i32],
    pub known: &'b mut Known,
    /// How many systems of inequalities may still be looked at.
    budget: u32,
    /// What shows what is refuted.
    pub cases: Vec<ProofCase>,
}

/// Inequalities that a marking would meet, and what else.
#[derive(Clone, Default)]
struct Case<'c> {
    /// What distinguishes it.
    assumed: Vec<Inequality>,
    /// What holds in all reachable markings of it.
    added: Vec<Inequality>,
    open: Vec<Open<'c>>,
}

impl Case<'_> {
    fn inequalities(&self) -> Vec<Inequality> {
        self.assumed.iter().chain(&self.added).cloned().collect()
    }
}

/// What is no inequality.
#[derive(Clone, Copy)]
enum Open<'c> {
    Any(&'c [Condition]),
    /// One of these can fire.
    Fires(&'c [u32]),
    /// None of these can.
    NoneFires(&'c [u32]),
    /// Nothing can.
    Dead,
}

/// One of several things of which one has to hold.
enum Alternative<'c> {
    Condition(&'c Condition),
    Inequalities(Vec<Inequality>),
}

impl<'b, 'n> Branch<'b, 'n> {
    /// With so many systems of inequalities.
    pub fn new(refuter: &'b Refuter<'n>, initial: &'n [i32], known: &'b mut Known, budget: u32) -> Branch<'b, 'n> {
        Branch { refuter, initial, known, budget, cases: Vec::new() }
    }

    /// Whether it is shown that no reachable marking meets a condition.
    pub fn refutes(&mut self, condition: &'n Condition) -> bool {
        let mut case = Case::default();
        !self.take(&mut case, condition) || self.is_empty(case)
    }

    /// Adds a condition to a case: whether it can hold at all.
    fn take<'c>(&self, case: &mut Case<'c>, condition: &'c Condition) -> bool
    where
        'n: 'c,
    {
        let goals = self.refuter.goals;
        match condition {
            Condition::Constant(truth) => return *truth,
            Condition::All(parts) => return parts.iter().all(|part| self.take(case, part)),
            Condition::Any(parts) => case.open.push(Open::Any(parts)),
            Condition::AtLeast(sum, bound) => case.assumed.push(self.refuter.at_least(*sum, *bound)),
            Condition::AtMost(sum, bound) => case.assumed.extend(self.refuter.at_most(*sum, *bound)),
            Condition::Fires(group) => match goals.groups[*group as usize][..] {
                [] => return false,
                [only] => case.assumed.extend(self.refuter.needs(only)),
                ref several => case.open.push(Open::Fires(several)),
            },
            Condition::NoneFires(group) => {
                let group = &goals.groups[*group as usize];
                case.open.push(Open::NoneFires(group));
                return self.forbid_single(case, group.iter().copied());
            }
            Condition::Dead => {
                case.open.push(Open::Dead);
                return self.forbid_single(case, 0..self.refuter.net.transitions.len() as u32);
            }
            Condition::Alive => {}
        }
        true
    }

    /// Adds what has to hold so that transitions cannot fire, where that is one inequality: whether they can be forbidden at all.
    fn forbid_single(&self, case: &mut Case<'_>, transitions: impl Iterator<Item = u32>) -> bool {
        for transition in transitions {
            let mut ways = self.forbidden(transition);
            match ways.len() {
                0 => return false,
                1 => case.assumed.extend(ways.pop()),
                _ => {}
            }
        }
        true
    }

    /// Whether no reachable marking is in a case, as far as is shown.
    fn is_empty(&mut self, mut case: Case<'_>) -> bool {
        loop {
            if self.budget == 0 || Instant::now() >= self.refuter.deadline {
                return false;
            }
            self.budget -= 1;
            let (equation, deadline) = (self.refuter.equation, self.refuter.deadline);
            let inequalities = case.inequalities();
            let Some(solution) = equation.solution(&inequalities, deadline) else {
                let Some(weighing) = equation.refute(&inequalities, deadline) else { return false };
                self.cases.push(ProofCase { assumed: case.assumed, added: case.added, weighing });
                return true;
            };
            let traps = self.known.traps.get_or_insert_with(|| Traps::new(self.refuter.net, self.initial));
            if let Some(trap) = traps.left_empty(&solution) {
                case.added.push(holds_a_token(&trap));
                continue;
            }
            let cuts = self.cuts(&case, &solution);
            if !cuts.is_empty() {
                case.added.extend(cuts);
                continue;
            }
            let Some(alternatives) = self.not_satisfied(&case, &solution) else { return false };
            if alternatives.len() > self.budget as usize {
                return false;
            }
            return alternatives.into_iter().all(|alternative| {
                let mut case = case.clone();
                let is_possible = match alternative {
                    Alternative::Condition(condition) => self.take(&mut case, condition),
                    Alternative::Inequalities(more) => {
                        case.assumed.extend(more);
                        true
                    }
                };
                !is_possible || self.is_empty(case)
            });
        }
    }

    /// What forbids transitions that can fire in a solution and should not, where that takes one token from places that hold at most one:
    /// of these one is empty.
    fn cuts(&mut self, case: &Case<'_>, solution: &[f64]) -> Vec<Inequality> {
        let mut cuts = Vec::new();
        for transition in self.not_to_fire(case) {
            if cuts.len() >= AT_A_TIME {
                break;
            }
            let effects = &self.refuter.net.transitions[transition as usize].effects;
            let plain = effects.iter().all(|effect| {
                let has_room = self.refuter.net.places[effect.place as usize].capacity.is_none();
                effect.below.is_none() && effect.needs() <= 1 && has_room
            });
            let needed: Vec<u32> =
                effects.iter().filter(|effect| effect.needs() > 0).map(|effect| effect.place).collect();
            let tokens: f64 = needed.iter().map(|&place| solution[place as usize]).sum();
            let most = needed.len() as i64 - 1;
            if plain && tokens > most as f64 + TINY && needed.iter().all(|&place| self.is_safe(place)) {
                cuts.push(Inequality { terms: needed.iter().map(|&place| (place, -1)).collect(), least: -most });
            }
        }
        cuts
    }

    /// Whether the equation shows that a place holds at most one token.
    fn is_safe(&mut self, place: u32) -> bool {
        let (equation, deadline) = (self.refuter.equation, self.refuter.deadline);
        let two = Inequality { terms: vec![(place, 1)], least: 2 };
        *self.known.safe.entry(place).or_insert_with(|| equation.refute(&[two], deadline).is_some())
    }

    /// The transitions that cannot fire in a case.
    fn not_to_fire(&self, case: &Case<'_>) -> Vec<u32> {
        let mut all = Vec::new();
        for open in &case.open {
            match open {
                Open::NoneFires(group) => all.extend_from_slice(group),
                Open::Dead => all.extend(0..self.refuter.net.transitions.len() as u32),
                Open::Any(_) | Open::Fires(_) => {}
            }
        }
        all
    }

    /// The alternatives of what a solution does not satisfy in a case, as few as there are; nothing if it satisfies all.
    fn not_satisfied<'c>(&self, case: &Case<'c>, solution: &[f64]) -> Option<Vec<Alternative<'c>>>
    where
        'n: 'c,
    {
        let mut best: Option<Vec<Alternative<'c>>> = None;
        let mut offer = |alternatives: Vec<Alternative<'c>>| {
            if best.as_ref().is_none_or(|best| alternatives.len() < best.len()) {
                best = Some(alternatives);
            }
        };
        for open in &case.open {
            match *open {
                Open::Any(parts) => {
                    if !parts.iter().any(|part| self.is_satisfied(part, solution)) {
                        offer(parts.iter().map(Alternative::Condition).collect());
                    }
                }
                Open::Fires(group) => {
                    let needs = group.iter().map(|&one| self.refuter.needs(one));
                    if !needs.clone().any(|needs| all_meet(&needs, solution)) {
                        offer(needs.map(Alternative::Inequalities).collect());
                    }
                }
                Open::NoneFires(_) | Open::Dead => {}
            }
        }
        for transition in self.not_to_fire(case) {
            let ways = self.forbidden(transition);
            if !ways.iter().any(|way| meets(way, solution)) {
                offer(ways.into_iter().map(|way| Alternative::Inequalities(vec![way])).collect());
            }
        }
        best
    }

    fn is_satisfied(&self, condition: &Condition, solution: &[f64]) -> bool {
        let group = |group: u32| &self.refuter.goals.groups[group as usize];
        let fires = |one: &u32| all_meet(&self.refuter.needs(*one), solution);
        let cannot = |one: u32| self.forbidden(one).iter().any(|way| meets(way, solution));
        match condition {
            Condition::Constant(truth) => *truth,
            Condition::AtLeast(sum, bound) => meets(&self.refuter.at_least(*sum, *bound), solution),
            Condition::AtMost(sum, bound) => {
                self.refuter.at_most(*sum, *bound).is_none_or(|most| meets(&most, solution))
            }
            Condition::Fires(number) => group(*number).iter().any(fires),
            Condition::NoneFires(number) => group(*number).iter().all(|&one| cannot(one)),
            Condition::Dead => (0..self.refuter.net.transitions.len() as u32).all(cannot),
            Condition::Alive => true,
            Condition::All(parts) => parts.iter().all(|part| self.is_satisfied(part, solution)),
            Condition::Any(parts) => parts.iter().any(|part| self.is_satisfied(part, solution)),
        }
    }

    /// What of one has to hold so that a transition cannot fire.
    fn forbidden(&self, transition: u32) -> Vec<Inequality> {
        let net = self.refuter.net;
        let mut ways = Vec::new();
        for effect in &net.transitions[transition as usize].effects {
            let at_least = |tokens: i64| Inequality { terms: vec![(effect.place, 1)], least: tokens };
            if effect.needs() > 0 {
                ways.push(Inequality { terms: vec![(effect.place, -1)], least: 1 - i64::from(effect.needs()) });
            }
            ways.extend(effect.below.map(|below| at_least(i64::from(below))));
            if let Some(most) = net.places[effect.place as usize].capacity {
                // Nets with reset arcs have no equation.
                ways.push(at_least(i64::from(most) - i64::from(effect.put) + i64::from(effect.take) + 1));
            }
        }
        ways
    }
}

fn meets(inequality: &Inequality, solution: &[f64]) -> bool {
    let value: f64 = inequality.terms.iter().map(|&(place, factor)| factor as f64 * solution[place as usize]).sum();
    value >= inequality.least as f64 - TINY
}

fn all_meet(inequalities: &[Inequality], solution: &[f64]) -> bool {
    inequalities.iter().all(|one| meets(one, solution))
}
