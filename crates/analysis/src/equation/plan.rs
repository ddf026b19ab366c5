//! Solutions of the state equation, as plans for runs.

use std::time::Instant;

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};

use super::{Condition, Equation};

/// A program with more transitions and places than this is not solved.
const LARGEST: usize = 20_000;
/// Nothing is to fire more often than this.
const MOST_FIRINGS: f64 = 1e6;
/// What a firing costs, so that a plan has no more of them than it needs.
const COST: f64 = 1e-4;

/// How often transitions are to fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// For each transition, the number of what it does among all that transitions do.
    kinds: Vec<Option<u32>>,
    /// How often something of each kind is to fire.
    firings: Vec<u32>,
}

impl Plan {
    /// Whether a transition is still to fire.
    pub fn has(&self, transition: u32) -> bool {
        self.kinds[transition as usize].is_some_and(|kind| self.firings[kind as usize] > 0)
    }

    /// A transition has fired.
    pub fn fired(&mut self, transition: u32) {
        if let Some(kind) = self.kinds[transition as usize] {
            let left = &mut self.firings[kind as usize];
            *left = left.saturating_sub(1);
        }
    }

    /// How many firings are planned.
    pub fn len(&self) -> u64 {
        self.firings.iter().map(|times| u64::from(*times)).sum()
    }

    /// Whether nothing is to fire.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

pub(super) fn plan(
    equation: &Equation, conditions: &[Condition], most_of: &[(u32, i64)], deadline: Instant,
) -> Option<Plan> {
    let firings = firings(equation, conditions, most_of, deadline)?;
    // Rounded up: to fire a little more is better than to stop before the end.
    let firings = firings.iter().map(|&one| (one - 1e-6).max(0.0).ceil() as u32).collect();
    Some(Plan { kinds: equation.of_transition.clone(), firings })
}

pub(super) fn is_small(equation: &Equation) -> bool {
    equation.effects.len() + equation.initial.len() <= LARGEST
}

/// The marking of a solution, by place.
pub(super) fn marking(equation: &Equation, conditions: &[Condition], deadline: Instant) -> Option<Vec<f64>> {
    let firings = firings(equation, conditions, &[], deadline)?;
    let mut marking: Vec<f64> = equation.initial.iter().map(|&tokens| f64::from(tokens)).collect();
    for (effect, times) in equation.effects.iter().zip(firings).filter(|(_, times)| *times != 0.0) {
        effect.iter().for_each(|&(place, by)| marking[place as usize] += by as f64 * times);
    }
    Some(marking)
}

/// How often something of each kind fires in a solution, in rational numbers.
fn firings(
    equation: &Equation, conditions: &[Condition], most_of: &[(u32, i64)], deadline: Instant,
) -> Option<Vec<f64>> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() || !is_small(equation) {
        return None;
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut wish = vec![0.0; equation.initial.len()];
    most_of.iter().for_each(|&(place, factor)| wish[place as usize] += factor as f64);
    let cost = |effect: &Vec<(u32, i64)>| {
        COST - effect.iter().map(|&(place, by)| wish[place as usize] * by as f64).sum::<f64>()
    };
    let firings: Vec<Variable> =
        equation.effects.iter().map(|effect| problem.add_var(cost(effect), (0.0, MOST_FIRINGS))).collect();
    let by_place = |place: u32| {
        let effects = &equation.of_place[place as usize];
        effects.iter().map(move |&index| {
            let by = equation.effects[index as usize].iter().find(|one| one.0 == place).map_or(0, |one| one.1);
            (index as usize, by as f64)
        })
    };
    for (place, &tokens) in (0u32..).zip(&equation.initial) {
        if equation.of_place[place as usize].iter().any(|&index| takes(&equation.effects[index as usize], place)) {
            let terms: Vec<(Variable, f64)> = by_place(place).map(|(index, by)| (firings[index], by)).collect();
            problem.add_constraint(&terms[..], ComparisonOp::Ge, -f64::from(tokens));
        }
    }
    for condition in conditions {
        let mut terms: Vec<f64> = vec![0.0; firings.len()];
        let mut least = condition.least as f64;
        for &(place, factor) in &condition.terms {
            least -= factor as f64 * f64::from(equation.initial[place as usize]);
            by_place(place).for_each(|(index, by)| terms[index] += by * factor as f64);
        }
        let terms = firings.iter().zip(terms).filter(|(_, factor)| *factor != 0.0);
        let terms: Vec<(Variable, f64)> = terms.map(|(&variable, factor)| (variable, factor)).collect();
        if terms.is_empty() {
            if least > 0.0 {
                return None;
            }
            continue;
        }
        problem.add_constraint(&terms[..], ComparisonOp::Ge, least);
    }
    problem.set_time_limit(left);
    let Ok(SolveOutcome::Solution(solution)) = problem.solve() else { return None };
    Some(firings.iter().map(|&one| solution.var_value(one)).collect())
}

fn takes(effect: &[(u32, i64)], place: u32) -> bool {
    effect.iter().any(|&(other, by)| other == place && by < 0)
}
