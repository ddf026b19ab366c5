//! Applying a symmetry, `apply` of the thesis (3.3.2): to all states, or to those that it makes smaller.
//!
//! The slots get their new values on one way down. Where the value that a slot gets lies further down, it is guessed from
//! those that are there (this is EquivSplit with the `swap` of the thesis, 4.4), and the comparison goes on with the
//! guess: what it shows not to get smaller is not moved any further.

use std::cmp::Ordering;

use mandala_diagram::{Answer, Error, Hom, Inductive, Store, Variable};

use super::action::{Action, Renaming};
use super::compare::{Comparison, Selected, Side, select};
use crate::evaluate::equiv_split::equiv_split;
use crate::evaluate::expression::Expression;

/// Applies a symmetry to all states.
pub fn apply(store: &mut Store, action: &Action) -> Hom {
    moving(store, Moving::new(action, Comparison { open: Vec::new(), then: Ordering::Less }))
}

/// Applies a symmetry to the states that it makes smaller and keeps the others: equation 3.7 of the thesis, where the
/// comparisons are made on the way down and nothing is swapped above the first difference.
pub fn reduce(store: &mut Store, action: &Action, ranks: &[u32]) -> Hom {
    let smaller = moving(store, Moving::new(action, Comparison::new(action, ranks)));
    let leading = select(store, action, ranks, Selected::Leading);
    store.sum([&smaller, &leading])
}

/// What is left to do of a symmetry, on the states that it makes smaller.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Moving {
    comparison: Comparison,
    /// What slots further down get.
    writes: Vec<(Variable, Side)>,
    /// What slots further down were guessed to hold.
    guessed: Vec<(Variable, i32)>,
}

impl Moving {
    fn new(action: &Action, comparison: Comparison) -> Moving {
        let writes = action.moves.iter().map(|one| (one.to, Side::Slot(one.from, one.renaming.clone())));
        Moving { comparison, writes: writes.collect(), guessed: Vec::new() }
    }

    /// What is left where a slot has a value; nothing if the image is not smaller.
    fn know(mut self, slot: Variable, value: i32) -> Option<Moving> {
        self.comparison.know(slot, value);
        for (_, side) in &mut self.writes {
            side.know(slot, value);
        }
        (self.comparison.verdict().is_none_or(|image| image == Ordering::Less)).then_some(self)
    }

    /// What is left where a slot further down holds a value, by a guess.
    fn guess(self, slot: Variable, value: i32) -> Option<Moving> {
        let mut guessed = self.know(slot, value)?;
        guessed.guessed.push((slot, value));
        guessed.guessed.sort_unstable();
        Some(guessed)
    }
}

fn moving(store: &mut Store, left: Moving) -> Hom {
    if left.writes.is_empty() && left.guessed.is_empty() && left.comparison.verdict().is_some() {
        return if left.comparison.then == Ordering::Less { store.identity() } else { store.null() };
    }
    store.inductive(left)
}

impl Inductive for Moving {
    fn skips(&self, variable: Variable) -> bool {
        !self.comparison.depends_on(variable)
            && !self.writes.iter().any(|(slot, side)| *slot == variable || side.is_of(variable))
            && !self.guessed.iter().any(|(slot, _)| *slot == variable)
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let mut left = self.clone();
        if let Some(at) = left.guessed.iter().position(|(slot, _)| *slot == variable)
            && left.guessed.remove(at).1 != value
        {
            return Ok(Answer::Drop);
        }
        let Some(mut left) = left.know(variable, value) else { return Ok(Answer::Drop) };
        let Some(at) = left.writes.iter().position(|(slot, _)| *slot == variable) else {
            return Ok(Answer::Keep(moving(store, left)));
        };
        match left.writes.remove(at).1 {
            Side::Value(value) => Ok(Answer::to(value, moving(store, left))),
            Side::Slot(from, renaming) => guess(store, from, renaming, left),
        }
    }
}

/// A slot gets what is further down.
fn guess(store: &mut Store, from: Variable, renaming: Renaming, left: Moving) -> Result<Answer, Error> {
    equiv_split(store, &Expression::variable(from), move |store, value| {
        Ok(match left.clone().guess(from, value) {
            Some(left) => Answer::to(renaming.apply(value), moving(store, left)),
            None => Answer::Drop,
        })
    })
}
