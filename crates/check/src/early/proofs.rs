//! What the state equation proves of goals and extremes, and what its solutions propose.

use std::time::Instant;

use mandala_analysis::equation::Equation;

use super::Early;
use super::branch::Branch;
use super::goals::Condition;
use super::proof::Proof;
use super::refute::Refuter;
use super::runs::{Random, Way};
use crate::limits::Limits;

/// With fewer systems of inequalities it is not looked at what their solutions are not.
pub(super) const FEWEST_FOR_BRANCHES: u32 = 32;
/// Nor with more than this: branches are as deep as there are systems.
const MOST_FOR_BRANCHES: u32 = 1_000;

impl Early<'_> {
    /// Looks for proofs by the state equation, with so many systems of inequalities for each goal.
    pub(super) fn refute(&mut self, systems: u32, deadline: Instant, limits: &Limits) {
        let (wanted, extremes) = (self.wanted(), self.wanted_extremes());
        if self.is_lost() || (wanted.is_empty() && extremes.is_empty()) {
            return;
        }
        let equation = self.equation.get_or_insert_with(|| Equation::new(self.net, self.initial));
        let Some(equation) = equation.as_ref() else { return };
        let mut refuter = Refuter::new(self.net, &self.goals, equation, 0, deadline);
        for goal in wanted {
            if limits.check().is_err() || Instant::now() >= deadline {
                return;
            }
            if self.tried[goal] >= systems {
                continue;
            }
            refuter.budget = systems;
            let condition = &self.goals.conditions[goal];
            self.refuted[goal] = match condition {
                Condition::Any(parts) if parts.len() > systems as usize => {
                    refuter.refutes_from(parts, &mut self.refuted_parts[goal], systems)
                }
                _ => refuter.refutes(condition),
            };
            if self.refuted[goal] {
                self.proofs[goal] = Proof::of_cases(std::mem::take(&mut refuter.cases));
            }
            self.tried[goal] = systems;
        }
        for place in extremes {
            let Some(seen) = &self.sightings else { return };
            if limits.check().is_err() || Instant::now() >= deadline {
                return;
            }
            let (sum, (least, greatest)) = (self.goals.extremes[place], seen.extremes[place]);
            let attempt = (least, greatest, systems);
            if self.tried_extremes[place].replace(attempt) == Some(attempt) {
                continue;
            }
            refuter.budget = systems;
            let less = least.checked_sub(1).map(|less| Condition::AtMost(sum, less));
            let more = greatest.checked_add(1).map(|more| Condition::AtLeast(sum, more));
            let mut refutes = |condition: Option<Condition>| condition.is_some_and(|one| refuter.refutes(&one));
            let (is_least, is_most) = self.proven[place];
            self.proven[place] = (is_least || refutes(less), is_most || refutes(more));
        }
    }

    /// Looks for proofs with what solutions of the state equation are not, for each goal in turn, with more systems in each round.
    pub(super) fn refute_by_branches(&mut self, systems: u32, deadline: Instant, limits: &Limits) {
        let wanted = self.wanted();
        if self.is_lost() || wanted.is_empty() {
            return;
        }
        let equation = self.equation.get_or_insert_with(|| Equation::new(self.net, self.initial));
        let Some(equation) = equation.as_ref() else { return };
        if !equation.has_solutions() {
            return;
        }
        let refuter = Refuter::new(self.net, &self.goals, equation, 0, deadline);
        for budget in [systems / 8, systems.min(MOST_FOR_BRANCHES)] {
            for &goal in &wanted {
                if limits.check().is_err() || Instant::now() >= deadline {
                    return;
                }
                if self.refuted[goal] || self.branched[goal] >= budget {
                    continue;
                }
                let mut branch = Branch::new(&refuter, self.initial, &mut self.known, budget);
                if branch.refutes(&refuter.goals.conditions[goal]) {
                    self.refuted[goal] = true;
                    self.proofs[goal] = Proof::of_cases(branch.cases);
                }
                self.branched[goal] = budget;
            }
        }
    }

    /// Looks for parts of formulas that no marking meets, or whose negation none meets, of those that runs have not seen to change.
    pub(super) fn refute_facts(&mut self, systems: u32, deadline: Instant, limits: &Limits) {
        let open = self.facts.iter().filter_map(|fact| match (self.is_met(fact.holds), self.is_met(fact.fails)) {
            (None, Some(true)) => Some(fact.holds),
            (Some(true), None) => Some(fact.fails),
            _ => None,
        });
        let open: Vec<usize> = open.collect();
        let equation = self.equation.get_or_insert_with(|| Equation::new(self.net, self.initial));
        let Some(equation) = equation.as_ref() else { return };
        let mut refuter = Refuter::new(self.net, &self.goals, equation, 0, deadline);
        for goal in open {
            if limits.check().is_err() || Instant::now() >= deadline {
                return;
            }
            if self.tried[goal] < systems {
                refuter.budget = systems;
                self.refuted[goal] = refuter.refutes(&self.goals.conditions[goal]);
                self.tried[goal] = systems;
            }
        }
    }

    /// Plans for what was neither seen nor refuted: solutions of the state equation.
    pub(super) fn plans(&mut self, deadline: Instant, limits: &Limits) -> Vec<Way> {
        let (wanted, extremes) = (self.wanted(), self.wanted_extremes());
        let Some(Some(equation)) = &self.equation else { return Vec::new() };
        let refuter = Refuter::new(self.net, &self.goals, equation, 0, deadline);
        let mut random = Random::new(self.rounds);
        let mut plans = Vec::new();
        let is_over = || limits.check().is_err() || Instant::now() >= deadline;
        for goal in wanted {
            if is_over() {
                return plans;
            }
            let conditions = refuter.choose(&self.goals.conditions[goal], &mut |count| random.below(count));
            let plan = equation.plan(&conditions, &[], deadline).filter(|plan| !plan.is_empty());
            plans.extend(plan.map(|plan| Way::Planned(plan, Some(goal))));
        }
        for place in extremes {
            let sum = &self.goals.sums[self.goals.extremes[place] as usize];
            let (is_least, is_most) = self.proven[place];
            for (factor, is_known) in [(1, is_most), (-1, is_least)] {
                if is_over() {
                    return plans;
                }
                if !is_known {
                    let most_of: Vec<(u32, i64)> = sum.iter().map(|&(place, times)| (place, factor * times)).collect();
                    let plan = equation.plan(&[], &most_of, deadline).filter(|plan| !plan.is_empty());
                    plans.extend(plan.map(|plan| Way::Planned(plan, None)));
                }
            }
        }
        plans
    }
}
