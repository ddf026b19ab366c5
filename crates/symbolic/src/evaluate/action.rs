//! Conditions and assignments as homomorphisms.

use std::sync::Arc;

use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Label, Store, ValueMap, Variable};

use super::expression::{Expression, HOLE, cases, constant, different, element, equal};
use super::split::{RESULT, ResultAs, WithResult, before, split};

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
        for case in cases([&self.0], variable, value) {
            let [left] = case.left;
            // Both look at what is below only.
            let both = super::expression::and([case.condition, left]);
            if both.value() != Some(0) && !both.is_nothing() {
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

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A variable.
    Variable(u32),
    /// An element of an array, or [`HOLE`] where it is known not to be meant.
    Element(Arc<[u32]>, Expression),
}

impl Place {
    /// The place where the index is known; nothing if it is out of range.
    fn settled(self) -> Option<Place> {
        match self {
            Place::Element(cells, index) => match element(Arc::clone(&cells), index.clone()).kind() {
                super::expression::Kind::Nothing => None,
                super::expression::Kind::Variable(variable) => Some(Place::Variable(*variable)),
                _ => Some(Place::Element(cells, index)),
            },
            place => Some(place),
        }
    }
}

/// Gives a place the value of an expression. States in which the place or the value is not there are dropped.
pub fn assign(store: &mut Store, place: Place, value: &Expression) -> Hom {
    let Some(place) = place.settled() else { return store.null() };
    if value.is_nothing() {
        return store.null();
    }
    match (&place, value.value()) {
        (Place::Variable(variable), Some(value)) => store.value(*variable, ValueMap::assign(value)),
        _ => store.inductive(Assign { place, value: value.clone() }),
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Assign {
    place: Place,
    value: Expression,
}

/// What becomes of an arc in some case.
enum Become {
    /// It has this value, and this goes on below.
    Known(i32, Hom),
    /// This makes all of it from what is below.
    Whole(Hom),
}

impl Inductive for Assign {
    fn skips(&self, variable: Variable) -> bool {
        let is_place = match &self.place {
            Place::Variable(place) => *place == variable,
            Place::Element(cells, index) => cells.contains(&variable) || index.depends_on(variable),
        };
        !is_place && !self.value.depends_on(variable)
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let index = match &self.place {
            Place::Variable(_) => constant(0),
            Place::Element(_, index) => index.clone(),
        };
        let mut all = Vec::new();
        for case in cases([&self.value, &index], variable, value) {
            let [new, index] = case.left;
            let holds = condition(store, &case.condition);
            match &self.place {
                Place::Variable(place) if *place == variable => all.push(write(store, variable, &holds, &new)?),
                Place::Variable(place) => {
                    let rest = assign(store, Place::Variable(*place), &new);
                    all.push(Become::Known(value, store.sequence([&holds, &rest])));
                }
                Place::Element(cells, _) => {
                    let here = cells.iter().position(|&cell| cell == variable);
                    if let Some(here) = here {
                        let meant = condition(store, &equal(index.clone(), constant(here as i32)));
                        let holds = store.sequence([&holds, &meant]);
                        all.push(write(store, variable, &holds, &new)?);
                    }
                    let others: Arc<[u32]> =
                        cells.iter().map(|&cell| if cell == variable { HOLE } else { cell }).collect();
                    let not_here = match here {
                        Some(here) => condition(store, &different(index.clone(), constant(here as i32))),
                        None => store.identity(),
                    };
                    let rest = assign(store, Place::Element(others, index), &new);
                    all.push(Become::Known(value, store.sequence([&holds, &not_here, &rest])));
                }
            }
        }
        answer(store, variable, all)
    }

    /// InvertAssign (thesis, 4.3.3), by the values that the expression has in the possible states.
    fn inverse(&self, store: &mut Store, possible: &Diagram) -> Result<Option<Hom>, Error> {
        let mut all = Vec::new();
        match &self.place {
            Place::Variable(variable) => unassign(store, *variable, &self.value, possible, &mut all)?,
            Place::Element(cells, index) => {
                for (at, &cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != HOLE) {
                    let here = condition(store, &equal(index.clone(), constant(at as i32)));
                    let part = store.apply(&here, possible)?;
                    unassign(store, cell, &self.value, &part, &mut all)?;
                }
            }
        }
        Ok(Some(store.sum(&all)))
    }
}

/// Before a variable got the value of an expression: for each value, the possible states in which the expression has it,
/// with any value that the variable has in them.
fn unassign(
    store: &mut Store, variable: Variable, value: &Expression, possible: &Diagram, all: &mut Vec<Hom>,
) -> Result<(), Error> {
    let split = split(store, value)?;
    let by_value = store.apply(&split, possible)?;
    for new in store.values(&by_value, RESULT) {
        let with = store.inductive(WithResult(new));
        let states = store.apply(&with, &by_value)?;
        let before: Vec<(i32, i32)> = store.values(&states, variable).into_iter().map(|old| (new, old)).collect();
        let (before, states) = (store.value(variable, ValueMap::relation(before)), store.intersect(&states));
        all.push(store.sequence([&before, &states]));
    }
    Ok(())
}

/// The variable gets a value, in the states below in which a condition holds.
fn write(store: &mut Store, variable: Variable, holds: &Hom, value: &Expression) -> Result<Become, Error> {
    if let Some(value) = value.value() {
        return Ok(Become::Known(value, holds.clone()));
    }
    // The value depends on what is below: the states there are split by it.
    let (split, named) = (split(store, value)?, store.inductive(ResultAs(variable)));
    Ok(Become::Whole(store.sequence([holds, &split, &named])))
}

fn answer(store: &mut Store, variable: Variable, all: Vec<Become>) -> Result<Answer, Error> {
    if all.iter().all(|case| matches!(case, Become::Known(..))) {
        let known = all.into_iter().filter_map(|case| match case {
            Become::Known(value, below) => Some((Label::Value(value), below)),
            Become::Whole(_) => None,
        });
        return Ok(Answer::Move(known.collect()));
    }
    let mut homs = Vec::with_capacity(all.len());
    for case in all {
        homs.push(match case {
            Become::Known(value, below) => {
                let before = before(store, variable, value)?;
                store.sequence([&below, &before])
            }
            Become::Whole(hom) => hom,
        });
    }
    Ok(Answer::Whole(store.sum(&homs)))
}
