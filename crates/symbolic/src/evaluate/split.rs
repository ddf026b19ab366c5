//! The states of a set by the value of an expression.
//!
//! The result of [`split`] is a set of states with one variable more on top, [`RESULT`]: below each of its values are the
//! states in which the expression has this value. States in which it has none are left out.

use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Label, Store, Variable};

use super::action::condition;
use super::expression::{Expression, cases};

/// The variable that holds the value of an expression.
pub const RESULT: Variable = u32::MAX - 1;

/// Puts the value of an expression before each state.
pub fn split(store: &mut Store, expression: &Expression) -> Result<Hom, Error> {
    if expression.is_nothing() {
        return Ok(store.null());
    }
    match expression.value() {
        Some(value) => before(store, RESULT, value),
        None => Ok(store.inductive(Split(expression.clone()))),
    }
}

/// Puts a variable with a value before each state.
pub(super) fn before(store: &mut Store, variable: Variable, value: i32) -> Result<Hom, Error> {
    let state = store.state(&[(variable, value)])?;
    Ok(store.prepend(&state))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Split(Expression);

impl Inductive for Split {
    fn skips(&self, _: Variable) -> bool {
        // The result is on top of every variable.
        false
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let under = store.inductive(Under { variable, value });
        let mut all = Vec::new();
        for case in cases([&self.0], variable, value) {
            let [left] = &case.left;
            let (condition, split) = (condition(store, &case.condition), split(store, left)?);
            all.push(store.sequence([&condition, &split, &under]));
        }
        Ok(Answer::Whole(store.sum(&all)))
    }
}

/// Puts a variable with a value behind the result.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Under {
    variable: Variable,
    value: i32,
}

impl Inductive for Under {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, _: Variable, result: i32) -> Result<Answer, Error> {
        let before = before(store, self.variable, self.value)?;
        Ok(Answer::Move(vec![(Label::Value(result), before)]))
    }
}

/// Makes the result the value of a variable that comes next.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct ResultAs(pub(super) Variable);

impl Inductive for ResultAs {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, _: Variable, result: i32) -> Result<Answer, Error> {
        Ok(Answer::Whole(before(store, self.0, result)?))
    }

    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(store.zero())
    }
}

/// The states that have a result, without it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct WithResult(pub(super) i32);

impl Inductive for WithResult {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, _: Variable, result: i32) -> Result<Answer, Error> {
        Ok(if result == self.0 { Answer::Whole(store.identity()) } else { Answer::Drop })
    }
}
