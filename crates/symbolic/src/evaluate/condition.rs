//! The states in which an expression holds.

use mandala_diagram::{Answer, Error, Hom, Inductive, Label, Store, Variable};

use super::expression::{Expression, and};
use super::solve_sub::solve_sub;

/// Keeps the states in which a condition holds.
pub fn condition(store: &mut Store, condition: &Expression) -> Hom {
    match condition.value() {
        Some(0) => store.null(),
        Some(_) => store.identity(),
        None if condition.is_nothing() => store.null(),
        None => store.inductive(Condition(condition.clone())),
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Condition(Expression);

impl Inductive for Condition {
    fn skips(&self, variable: Variable) -> bool {
        !self.0.depends_on(variable)
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let mut moves = Vec::new();
        for case in solve_sub(vec![self.0.clone()], variable, value) {
            // Both look at what is below only.
            let both = and([case.condition, case.left[0].clone()]);
            if !both.is_never() {
                moves.push(condition(store, &both));
            }
        }
        Ok(match moves.len() {
            0 => Answer::Drop,
            1 => Answer::Keep(moves.remove(0)),
            _ => Answer::Move(moves.into_iter().map(|below| (Label::Value(value), below)).collect()),
        })
    }

    fn is_selector(&self) -> bool {
        true
    }
}
