//! Conditions that no marking meets, by the state equation.
//!
//! A condition is taken apart: what must hold becomes one system of inequalities, and only if that has a solution the first of
//! the alternatives is split, as long as the budget lasts. What is no inequality (that nothing of a group can fire, that nothing
//! can fire at all) is left out, which can only lose a proof.

use std::time::Instant;

use mandala_analysis::equation::{Condition as Inequality, Equation};
use mandala_model::net::Net;

use super::goals::{Condition, Goals};
use super::proof::ProofCase;

/// Looks for proofs that conditions are met by no marking.
pub(crate) struct Refuter<'n> {
    pub net: &'n Net,
    pub goals: &'n Goals,
    pub equation: &'n Equation,
    /// How many systems of inequalities may still be looked at.
    pub budget: u32,
    pub deadline: Instant,
    /// What showed what was last refuted.
    pub cases: Vec<ProofCase>,
}

impl<'n> Refuter<'n> {
    /// With so many systems of inequalities.
    pub fn new(net: &'n Net, goals: &'n Goals, equation: &'n Equation, budget: u32, deadline: Instant) -> Refuter<'n> {
        Refuter { net, goals, equation, budget, deadline, cases: Vec::new() }
    }

    /// Whether it is shown that no reachable marking meets a condition.
    pub fn refutes(&mut self, condition: &Condition) -> bool {
        self.cases.clear();
        self.split(&mut Vec::new(), Vec::new(), vec![condition])
    }

    /// The same of very many conditions, one after the other from one on, each with a budget of its own.
    pub fn refutes_from(&mut self, parts: &[Condition], next: &mut usize, budget: u32) -> bool {
        while let Some(part) = parts.get(*next) {
            self.budget = budget;
            if Instant::now() >= self.deadline || !self.refutes(part) {
                return false;
            }
            *next += 1;
        }
        // Too many to be shown.
        self.cases.clear();
        true
    }

    /// Whether no marking meets some inequalities, some more, and all of some conditions.
    fn split(&mut self, known: &mut Vec<Inequality>, more: Vec<Inequality>, conditions: Vec<&Condition>) -> bool {
        let before = known.len();
        known.extend(more);
        let is_refuted = self.split_further(known, before, conditions);
        known.truncate(before);
        is_refuted
    }

    /// The same, where `before` of the inequalities have been looked at.
    fn split_further(&mut self, known: &mut Vec<Inequality>, before: usize, mut open: Vec<&Condition>) -> bool {
        // What is one of several, to be looked at one by one.
        let mut choices: Vec<&Condition> = Vec::new();
        while let Some(condition) = open.pop() {
            match condition {
                Condition::Constant(false) => return true,
                Condition::All(parts) => open.extend(parts),
                Condition::AtLeast(sum, bound) => known.push(self.at_least(*sum, *bound)),
                Condition::AtMost(sum, bound) => known.extend(self.at_most(*sum, *bound)),
                Condition::Fires(group) => match self.goals.groups[*group as usize][..] {
                    [] => return true,
                    [only] => known.extend(self.needs(only)),
                    _ => choices.push(condition),
                },
                Condition::Any(_) => choices.push(condition),
                Condition::Constant(true) | Condition::NoneFires(_) | Condition::Dead | Condition::Alive => {}
            }
        }
        if known.len() > before {
            if self.budget == 0 || Instant::now() >= self.deadline {
                return false;
            }
            self.budget -= 1;
            if let Some(weighing) = self.equation.refute(known, self.deadline) {
                self.cases.push(ProofCase { assumed: known.clone(), added: Vec::new(), weighing });
                return true;
            }
        }
        choices.sort_by_key(|choice| self.alternatives(choice));
        let Some((first, rest)) = choices.split_first() else { return false };
        if self.alternatives(first) > self.budget as usize {
            return false;
        }
        match first {
            Condition::Any(parts) => parts.iter().all(|part| {
                let mut conditions = rest.to_vec();
                conditions.push(part);
                self.split(known, Vec::new(), conditions)
            }),
            Condition::Fires(group) => {
                let members = &self.goals.groups[*group as usize];
                members.iter().all(|&one| self.split(known, self.needs(one), rest.to_vec()))
            }
            _ => false,
        }
    }

    /// The inequalities of a condition where one of each of its alternatives is chosen; what is no inequality is left out.
    pub fn choose(&self, condition: &Condition, choose: &mut impl FnMut(usize) -> usize) -> Vec<Inequality> {
        let mut chosen = Vec::new();
        let mut open = vec![condition];
        while let Some(condition) = open.pop() {
            match condition {
                Condition::All(parts) => open.extend(parts),
                Condition::Any(parts) => open.extend(parts.get(choose(parts.len()))),
                Condition::AtLeast(sum, bound) => chosen.push(self.at_least(*sum, *bound)),
                Condition::AtMost(sum, bound) => chosen.extend(self.at_most(*sum, *bound)),
                Condition::Fires(group) => {
                    let members = &self.goals.groups[*group as usize];
                    chosen.extend(members.get(choose(members.len())).map(|&one| self.needs(one)).unwrap_or_default());
                }
                Condition::Constant(_) | Condition::NoneFires(_) | Condition::Dead | Condition::Alive => {}
            }
        }
        chosen
    }

    fn alternatives(&self, condition: &Condition) -> usize {
        match condition {
            Condition::Any(parts) => parts.len(),
            Condition::Fires(group) => self.goals.groups[*group as usize].len(),
            _ => 1,
        }
    }

    pub fn at_least(&self, sum: u32, bound: i64) -> Inequality {
        Inequality { terms: self.goals.sums[sum as usize].clone(), least: bound }
    }

    pub fn at_most(&self, sum: u32, bound: i64) -> Option<Inequality> {
        let terms = self.goals.sums[sum as usize].iter().map(|&(place, factor)| Some((place, factor.checked_neg()?)));
        Some(Inequality { terms: terms.collect::<Option<_>>()?, least: bound.checked_neg()? })
    }

    /// What a transition asks for to fire.
    pub fn needs(&self, transition: u32) -> Vec<Inequality> {
        let mut all = Vec::new();
        for effect in &self.net.transitions[transition as usize].effects {
            if effect.needs() > 0 {
                all.push(Inequality { terms: vec![(effect.place, 1)], least: i64::from(effect.needs()) });
            }
            if let Some(below) = effect.below {
                all.push(Inequality { terms: vec![(effect.place, -1)], least: 1 - i64::from(below) });
            }
        }
        all
    }
}
