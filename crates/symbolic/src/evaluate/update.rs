//! A condition and assignments that happen at once.
//!
//! All conditions, values and indices of an [`Update`] are those of the state before it. So one descent does what several
//! statements say, and it can be read backwards ([`invert_assign`](super::invert_assign)).
//!
//! The descent is EvalAssign (thesis, 4.3.1, algorithm 7), for all assignments at once. Values that are met are substituted
//! in all expressions ([`solve_sub`]). At a variable that is assigned, the states below are split by its new value
//! ([`equiv_split`]). At an element of an array whose index is not known yet (the destination is *potent* to the variable),
//! they are split by whether the index means it.

use std::sync::Arc;

use mandala_diagram::{Answer, Diagram, Error, Hom, Inductive, Store, ValueMap, Variable};

use super::condition::condition;
use super::equiv_split::equiv_split;
use super::expression::{Expression, HOLE, and, cell, constant, different, element, equal, or};
use super::invert_assign::invert_assign;
use super::solve_sub::solve_sub;

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// A variable.
    Variable(u32),
    /// An element of an array; [`HOLE`] is one that is known not to be meant, or to have its value.
    Element(Arc<[u32]>, Expression),
}

/// A destination whose index may be known.
pub enum Settled {
    /// This one.
    Destination(Destination),
    /// One that has its value already.
    Done,
    /// None: the index is out of range.
    Missing,
}

impl Destination {
    /// The destination by its index, if that is known.
    pub fn settled(self) -> Settled {
        let Destination::Element(cells, index) = &self else { return Settled::Destination(self) };
        let Some(index) = index.value() else {
            return if index.is_nothing() { Settled::Missing } else { Settled::Destination(self) };
        };
        match cell(cells, index) {
            None => Settled::Missing,
            Some(HOLE) => Settled::Done,
            Some(cell) => Settled::Destination(Destination::Variable(cell)),
        }
    }

    /// The value that is there.
    fn content(&self) -> Expression {
        match self {
            Destination::Variable(variable) => Expression::variable(*variable),
            Destination::Element(cells, index) => element(Arc::clone(cells), index.clone()),
        }
    }

    /// Whether two destinations are one; nothing if no expression says so.
    fn is(&self, other: &Destination) -> Option<Expression> {
        let is_cell = |cells: &[u32], index: &Expression, variable: u32| {
            let at = cells.iter().position(|&cell| cell == variable);
            at.map_or_else(|| constant(0), |at| equal(index.clone(), constant(at as i32)))
        };
        match (self, other) {
            (Destination::Variable(a), Destination::Variable(b)) => Some(constant(i32::from(a == b))),
            (Destination::Variable(variable), Destination::Element(cells, index))
            | (Destination::Element(cells, index), Destination::Variable(variable)) => {
                Some(is_cell(cells, index, *variable))
            }
            (Destination::Element(a, index), Destination::Element(b, other)) if a == b => {
                Some(equal(index.clone(), other.clone()))
            }
            (Destination::Element(a, _), Destination::Element(b, _)) => {
                (!a.iter().any(|cell| b.contains(cell))).then(|| constant(0))
            }
        }
    }

    /// Whether a variable may be meant.
    fn may_be(&self, variable: u32) -> bool {
        match self {
            Destination::Variable(destination) => *destination == variable,
            Destination::Element(cells, _) => cells.contains(&variable),
        }
    }
}

/// A destination and the value that it gets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    /// What is assigned.
    pub destination: Destination,
    /// Its new value.
    pub value: Expression,
}

impl Write {
    fn concerns(&self, variable: u32) -> bool {
        let by_index = match &self.destination {
            Destination::Variable(_) => false,
            Destination::Element(_, index) => index.depends_on(variable),
        };
        by_index || self.destination.may_be(variable) || self.value.depends_on(variable)
    }
}

/// Assignments in the states in which a condition holds. Of several writes to the same destination the last one counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Update {
    /// When it happens.
    pub guard: Expression,
    /// What is assigned.
    pub writes: Vec<Write>,
}

/// What an update does to a variable with some value, in the states below in which its guard holds.
pub(super) struct Outcome {
    /// The new value, unless it stays as it is.
    pub(super) new: Option<Expression>,
    /// What happens to the other variables.
    pub(super) rest: Update,
}

impl Update {
    /// The states that it leaves as they are: what is written is there already, or is written over. Nothing if no
    /// expression says so.
    pub fn keeping(&self) -> Option<Expression> {
        let mut all = vec![self.guard.clone()];
        for (at, Write { destination, value }) in self.writes.iter().enumerate() {
            let later = self.writes[at + 1..].iter().map(|later| destination.is(&later.destination));
            let mut one = later.collect::<Option<Vec<Expression>>>()?;
            one.push(equal(destination.content(), value.clone()));
            all.push(or(one));
        }
        Some(and(all))
    }

    /// The update in its simplest form; nothing if it never happens.
    pub(super) fn simplified(mut self) -> Option<Update> {
        if self.guard.is_never() || self.writes.iter().any(|write| write.value.is_nothing()) {
            return None;
        }
        let mut writes: Vec<Write> = Vec::with_capacity(self.writes.len());
        for Write { destination, value } in self.writes {
            match destination.settled() {
                Settled::Destination(destination) => writes.push(Write { destination, value }),
                Settled::Done => {}
                Settled::Missing => return None,
            }
        }
        // A variable that keeps its value, and that nothing else may assign.
        let keeps = |write: &Write| match write.destination {
            Destination::Variable(variable) => {
                write.value == Expression::variable(variable)
                    && writes.iter().filter(|other| other.destination.may_be(variable)).count() == 1
            }
            Destination::Element(..) => false,
        };
        self.writes = writes.iter().filter(|write| !keeps(write)).cloned().collect();
        Some(self)
    }

    /// Whether it neither reads nor writes a variable.
    pub(super) fn skips(&self, variable: u32) -> bool {
        !self.guard.depends_on(variable) && !self.writes.iter().any(|write| write.concerns(variable))
    }

    /// The variables that may get a value, ascending.
    pub(super) fn written(&self) -> Vec<u32> {
        let mut written: Vec<u32> = Vec::new();
        for write in &self.writes {
            match &write.destination {
                Destination::Variable(variable) => written.push(*variable),
                Destination::Element(cells, _) => written.extend(cells.iter().filter(|cell| **cell != HOLE)),
            }
        }
        written.sort_unstable();
        written.dedup();
        written
    }

    /// Whether a variable may get a value.
    pub(super) fn may_write(&self, variable: u32) -> bool {
        self.writes.iter().any(|write| write.destination.may_be(variable))
    }

    /// What happens if a variable has this value.
    pub(super) fn outcomes(&self, variable: u32, value: i32) -> Vec<Outcome> {
        let mut expressions = vec![self.guard.clone()];
        for write in &self.writes {
            expressions.push(write.value.clone());
            if let Destination::Element(_, index) = &write.destination {
                expressions.push(index.clone());
            }
        }
        let mut all = Vec::new();
        for case in solve_sub(expressions, variable, value) {
            let mut left = case.left.into_iter();
            let mut next = || left.next().unwrap_or_else(|| constant(0));
            let guard = and([case.condition, next()]);
            let writes = self.writes.iter().map(|write| {
                let value = next();
                let destination = match &write.destination {
                    Destination::Element(cells, _) => Destination::Element(Arc::clone(cells), next()),
                    destination => destination.clone(),
                };
                Write { destination, value }
            });
            let writes = writes.collect();
            Update { guard, writes }.meeting(variable, &mut all);
        }
        all
    }

    /// What happens to a variable on which no expression depends any more. The last write that means it counts.
    fn meeting(mut self, variable: u32, all: &mut Vec<Outcome>) {
        for last in (0..self.writes.len()).rev() {
            let Write { destination, value } = &self.writes[last];
            match destination {
                Destination::Variable(destination) if *destination == variable => {
                    let new = Some(value.clone());
                    all.push(Outcome { new, rest: self.without(variable, Some(last)) });
                    return;
                }
                Destination::Variable(_) => {}
                Destination::Element(cells, index) => {
                    let Some(here) = cells.iter().position(|&cell| cell == variable) else { continue };
                    let here = constant(here as i32);
                    let meant = and([self.guard.clone(), equal(index.clone(), here.clone())]);
                    let other = and([self.guard.clone(), different(index.clone(), here)]);
                    let new = Some(value.clone());
                    let hit = Update { guard: meant, writes: self.writes.clone() };
                    all.push(Outcome { new, rest: hit.without(variable, Some(last)) });
                    self.guard = other;
                }
            }
        }
        all.push(Outcome { new: None, rest: self.without(variable, None) });
    }

    /// What is left for the other variables when one is done, and one of the writes with it.
    fn without(&self, variable: u32, done: Option<usize>) -> Update {
        let mut writes = Vec::with_capacity(self.writes.len());
        for (at, write) in self.writes.iter().enumerate() {
            let destination = match &write.destination {
                Destination::Variable(destination) if *destination == variable => continue,
                _ if Some(at) == done => continue,
                Destination::Element(cells, index) if cells.contains(&variable) => {
                    let others = cells.iter().map(|&cell| if cell == variable { HOLE } else { cell });
                    Destination::Element(others.collect(), index.clone())
                }
                destination => destination.clone(),
            };
            writes.push(Write { destination, value: write.value.clone() });
        }
        Update { guard: self.guard.clone(), writes }
    }

    /// The update in the states in which an expression has a value.
    pub(super) fn where_equal(mut self, expression: &Expression, value: i32) -> Update {
        self.guard = and([self.guard, equal(expression.clone(), constant(value))]);
        self
    }
}

/// The update as a homomorphism. States in which a destination or a value is not there are dropped.
pub fn update(store: &mut Store, update: Update) -> Hom {
    let Some(update) = update.simplified() else { return store.null() };
    if update.writes.is_empty() {
        return condition(store, &update.guard);
    }
    if update.guard.value().is_some() {
        let constants = update.writes.iter().map(|write| match (&write.destination, write.value.value()) {
            (Destination::Variable(variable), Some(value)) => Some((*variable, value)),
            _ => None,
        });
        if let Some(constants) = constants.collect::<Option<Vec<_>>>() {
            let links: Vec<Hom> = constants
                .into_iter()
                .map(|(destination, value)| store.value(destination, ValueMap::assign(value)))
                .collect();
            return store.sequence(&links);
        }
    }
    store.inductive(update)
}

impl Inductive for Update {
    fn skips(&self, variable: Variable) -> bool {
        Update::skips(self, variable)
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let mut answers = Vec::new();
        for Outcome { new, rest } in self.outcomes(variable, value) {
            if rest.guard.is_never() {
                continue;
            }
            let known = match &new {
                None => Some(value),
                Some(new) if new.is_nothing() => continue,
                Some(new) => new.value(),
            };
            answers.push(match (known, new) {
                (None, Some(new)) => {
                    let expression = new.clone();
                    equiv_split(store, &expression, move |store, value| {
                        Ok(Answer::to(value, update(store, rest.clone().where_equal(&new, value))))
                    })?
                }
                (known, _) => Answer::to(known.unwrap_or(value), update(store, rest)),
            });
        }
        Ok(Answer::Each(answers))
    }

    fn inverse(&self, store: &mut Store, possible: &Diagram) -> Result<Option<Hom>, Error> {
        Ok(Some(invert_assign(store, self, possible)))
    }
}
