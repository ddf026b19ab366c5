//! Weighings, and the exact check of what they show.

use super::{Condition, Equation};

/// Weights of places and factors of conditions that show that no reachable marking meets the conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighing {
    /// Weights of places, those that are not 0.
    pub weights: Vec<(u32, i64)>,
    /// A factor for each condition.
    pub factors: Vec<i64>,
}

impl Weighing {
    /// Whether it shows that no reachable marking meets the conditions: checked in integers, from its definition.
    pub fn refutes(&self, equation: &Equation, conditions: &[Condition]) -> bool {
        self.check(equation, conditions).unwrap_or(false)
    }

    /// Nothing if a number is too large.
    fn check(&self, equation: &Equation, conditions: &[Condition]) -> Option<bool> {
        if self.factors.len() != conditions.len() || self.factors.iter().any(|factor| *factor < 0) {
            return Some(false);
        }
        let mut weights: Vec<i128> = vec![0; equation.initial.len()];
        for &(place, weight) in &self.weights {
            *weights.get_mut(place as usize)? = i128::from(weight);
        }
        // No transition makes it heavier.
        for effect in &equation.effects {
            let mut change: i128 = 0;
            for &(place, by) in effect {
                change = change.checked_add(weights[place as usize].checked_mul(i128::from(by))?)?;
            }
            if change > 0 {
                return Some(false);
            }
        }
        let mut in_the_beginning: i128 = 0;
        for (weight, &tokens) in weights.iter().zip(&equation.initial) {
            in_the_beginning = in_the_beginning.checked_add(weight.checked_mul(i128::from(tokens))?)?;
        }
        // The conditions, with their factors, weigh no more than the places do.
        let mut needed: i128 = 0;
        for (condition, &factor) in conditions.iter().zip(&self.factors) {
            needed = needed.checked_add(i128::from(condition.least).checked_mul(i128::from(factor))?)?;
            for &(place, times) in &condition.terms {
                let weight = weights.get_mut(place as usize)?;
                *weight = weight.checked_sub(i128::from(times).checked_mul(i128::from(factor))?)?;
            }
        }
        Some(weights.iter().all(|weight| *weight >= 0) && in_the_beginning < needed)
    }
}
