//! The linear program that proposes a weighing.
//!
//! Of a large net few places take part in a proof. So the program begins with the transitions around the places that the
//! conditions name; those that make the proposed weighing heavier are added, with their places, until there is none.

use std::time::Instant;

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Condition, Equation, Weighing};

/// How many transitions are added at a time.
const MORE: usize = 400;
/// How often.
const MOST_ROUNDS: usize = 60;
/// A program with more rows than this is not solved.
const MOST_ROWS: usize = 20_000;
/// What is smaller than this is a rounding error.
const TINY: f64 = 1e-7;

/// A weighing that was checked, if the program proposes one.
pub(super) fn propose(equation: &Equation, conditions: &[Condition], deadline: Instant) -> Option<Weighing> {
    // What markings that are not negative cannot meet needs no program.
    if let Some(alone) = conditions.iter().position(cannot_be) {
        let factors = (0..conditions.len()).map(|index| i64::from(index == alone)).collect();
        return Some(Weighing { weights: Vec::new(), factors }).filter(|one| one.refutes(equation, conditions));
    }
    let mut rows = Rows::new(equation);
    for (place, _) in conditions.iter().flat_map(|condition| &condition.terms) {
        rows.add_around(*place);
    }
    for _ in 0..MOST_ROUNDS {
        if rows.list.len() > MOST_ROWS {
            return None;
        }
        let proposed = solve(equation, conditions, &rows, deadline)?;
        let more = rows.violated(&proposed.weights);
        if more.is_empty() {
            return proposed.rounded(equation, conditions);
        }
        more.into_iter().for_each(|effect| rows.add(effect));
    }
    None
}

/// Whether no marking at all meets a condition.
fn cannot_be(condition: &Condition) -> bool {
    condition.least > 0 && condition.terms.iter().all(|(_, factor)| *factor <= 0)
}

/// The transitions that the program knows.
struct Rows<'e> {
    equation: &'e Equation,
    list: Vec<u32>,
    known: FxHashSet<u32>,
}

impl<'e> Rows<'e> {
    fn new(equation: &'e Equation) -> Rows<'e> {
        Rows { equation, list: Vec::new(), known: FxHashSet::default() }
    }

    fn add(&mut self, effect: u32) {
        if self.known.insert(effect) {
            self.list.push(effect);
        }
    }

    fn add_around(&mut self, place: u32) {
        let around = self.equation.of_place.get(place as usize).map_or(&[][..], Vec::as_slice);
        around.iter().for_each(|&effect| self.add(effect));
    }

    /// Transitions that make a weighing heavier and are not known yet: those that do it most.
    fn violated(&self, weights: &FxHashMap<u32, f64>) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut found: Vec<(f64, u32)> = Vec::new();
        for (&place, _) in weights.iter().filter(|(_, weight)| weight.abs() > TINY) {
            for &index in &self.equation.of_place[place as usize] {
                if self.known.contains(&index) || !seen.insert(index) {
                    continue;
                }
                let effect = &self.equation.effects[index as usize];
                let change = effect.iter().map(|(place, by)| weights.get(place).copied().unwrap_or(0.0) * *by as f64);
                let change: f64 = change.sum();
                if change > TINY {
                    found.push((change, index));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(MORE);
        found.into_iter().map(|(_, index)| index).collect()
    }
}

/// What the solver says.
struct Proposed {
    weights: FxHashMap<u32, f64>,
    factors: Vec<f64>,
}

/// The best weighing as far as some transitions are concerned. Nothing if there is none, or if it shows nothing.
fn solve(equation: &Equation, conditions: &[Condition], rows: &Rows<'_>, deadline: Instant) -> Option<Proposed> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return None;
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let factors: Vec<Variable> =
        conditions.iter().map(|one| problem.add_var(-(one.least as f64), (0.0, 1.0))).collect();
    let sum: Vec<(Variable, f64)> = factors.iter().map(|&factor| (factor, 1.0)).collect();
    problem.add_constraint(&sum[..], ComparisonOp::Eq, 1.0);
    // What the conditions say of each place.
    let mut named: FxHashMap<u32, Vec<(Variable, f64)>> = FxHashMap::default();
    for (condition, &factor) in conditions.iter().zip(&factors) {
        for &(place, times) in &condition.terms {
            named.entry(place).or_default().push((factor, -(times as f64)));
        }
    }
    let mut places: Vec<u32> = named.keys().copied().collect();
    places.extend(rows.list.iter().flat_map(|&row| equation.effects[row as usize].iter().map(|(place, _)| *place)));
    places.sort_unstable();
    places.dedup();
    let mut weights: FxHashMap<u32, Variable> = FxHashMap::default();
    for &place in &places {
        let tokens = f64::from(equation.initial[place as usize]);
        let least = if named.contains_key(&place) { f64::NEG_INFINITY } else { 0.0 };
        // Of two weighings that show the same the lighter is taken: it is the simpler one.
        let weight = problem.add_var(tokens + 1e-4, (least, f64::INFINITY));
        if let Some(terms) = named.get(&place) {
            let mut terms = terms.clone();
            terms.push((weight, 1.0));
            problem.add_constraint(&terms[..], ComparisonOp::Ge, 0.0);
        }
        weights.insert(place, weight);
    }
    for &row in &rows.list {
        let effect = equation.effects[row as usize].iter();
        let terms: Vec<(Variable, f64)> = effect.map(|(place, by)| (weights[place], *by as f64)).collect();
        problem.add_constraint(&terms[..], ComparisonOp::Le, 0.0);
    }
    problem.set_time_limit(left);
    let solution = match problem.solve() {
        Ok(SolveOutcome::Solution(solution)) => solution,
        Ok(SolveOutcome::Interrupted(_)) | Err(_) => return None,
    };
    let proposed = Proposed {
        weights: weights.iter().map(|(&place, &weight)| (place, solution.var_value(weight))).collect(),
        factors: factors.iter().map(|&factor| solution.var_value(factor)).collect(),
    };
    let beginning =
        proposed.weights.iter().map(|(&place, weight)| weight * f64::from(equation.initial[place as usize]));
    let needed = conditions.iter().zip(&proposed.factors).map(|(one, factor)| one.least as f64 * factor);
    (beginning.sum::<f64>() < needed.sum::<f64>() - TINY).then_some(proposed)
}

impl Proposed {
    /// The weighing in integers, if one of some denominators makes it exact.
    fn rounded(&self, equation: &Equation, conditions: &[Condition]) -> Option<Weighing> {
        let denominators =
            (1..=24).chain([30, 36, 48, 60, 72, 84, 90, 120, 180, 210, 240, 360, 420, 720, 840, 2520, 5040]);
        let largest = self.weights.values().chain(&self.factors).fold(0.0_f64, |most, one| most.max(one.abs()));
        for denominator in denominators.map(f64::from) {
            if largest * denominator > 1e15 {
                return None;
            }
            let round = |value: f64| (value * denominator).round() as i64;
            let is_near =
                |value: f64| (value * denominator - (value * denominator).round()).abs() < 1e-4 * denominator.sqrt();
            if !self.weights.values().chain(&self.factors).all(|&value| is_near(value)) {
                continue;
            }
            let weights = self.weights.iter().map(|(&place, &weight)| (place, round(weight)));
            let mut weights: Vec<(u32, i64)> = weights.filter(|(_, weight)| *weight != 0).collect();
            weights.sort_unstable();
            let factors = self.factors.iter().map(|&factor| round(factor)).collect();
            let weighing = Weighing { weights, factors };
            if weighing.refutes(equation, conditions) {
                return Some(weighing);
            }
        }
        None
    }
}
