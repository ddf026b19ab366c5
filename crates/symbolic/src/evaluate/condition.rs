//! The states in which an expression holds, and the values that it has.

use mandala_diagram::{Answer, Error, Hom, Inductive, Label, Store, Variable};

use super::expression::{Expression, and, cases};

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
        for case in cases(vec![self.0.clone()], variable, value) {
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

/// The variable that holds the value of an expression.
pub const RESULT: Variable = u32::MAX - 1;

/// Makes of each state the value of an expression in it: a state of its own, with the variable [`RESULT`] only. States in
/// which the expression has no value are left out.
pub fn values(store: &mut Store, expression: &Expression) -> Result<Hom, Error> {
    match expression.value() {
        _ if expression.is_nothing() => Ok(store.null()),
        Some(value) => {
            let result = store.state(&[(RESULT, value)])?;
            Ok(store.constant(&result))
        }
        None => Ok(store.inductive(Values(expression.clone()))),
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Values(Expression);

impl Inductive for Values {
    fn skips(&self, _: Variable) -> bool {
        // Nothing stays of the state.
        false
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let mut all = Vec::new();
        for case in cases(vec![self.0.clone()], variable, value) {
            let (condition, values) = (condition(store, &case.condition), values(store, &case.left[0])?);
            all.push(store.sequence([&condition, &values]));
        }
        Ok(Answer::Whole(store.sum(&all)))
    }
}
