//! EquivSplit: the classes of states that agree on the value of an expression.
//!
//! EquivSplit (thesis, 4.2, algorithms 4 and 5; GAL paper, 4.2, algorithm 1) descends a diagram with an expression. At a
//! variable each arc substitutes its value, what is left of the expression goes on below, and classes with the same value
//! are united on the way up. The papers return all classes, each with its value. Here they are made one by one:
//! [`values`] is the set of the values that the expression has, and the class of a value is a selector, the
//! [`condition`](super::condition) that the expression has it. So a closure goes on inside each class, level by level,
//! where a list of classes would have to be closed as a whole.

use mandala_diagram::{Answer, Error, Guessed, Hom, Inductive, Store, Variable};

use super::condition::condition;
use super::expression::Expression;
use super::solve_sub::solve_sub;

/// Splits the states below an arc by the value of an expression. `then` says what becomes of the arc in the states in which
/// the expression has a value, and must keep only these.
pub fn equiv_split(
    store: &mut Store, expression: &Expression,
    then: impl Fn(&mut Store, i32) -> Result<Answer, Error> + Send + Sync + 'static,
) -> Result<Answer, Error> {
    Ok(Answer::Guess(values(store, expression)?, Guessed::new(then)))
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
        for case in solve_sub(vec![self.0.clone()], variable, value) {
            let (condition, values) = (condition(store, &case.condition), values(store, &case.left[0])?);
            all.push(store.sequence([&condition, &values]));
        }
        Ok(Answer::Whole(store.sum(&all)))
    }
}
