//! Conditions of formulas on the states of a system.

use std::collections::BTreeSet;

use mandala_diagram::Diagram;
use mandala_model::expression::{Boolean, Integer, Parts};
use mandala_model::system::{Location, Type};

use super::types::evaluated;
use super::{EncodedSystem, Refusal};
use crate::evaluate::condition::condition;
use crate::evaluate::equiv_split::{RESULT, values};
use crate::evaluate::expression::{Expression, WithoutValue};

/// So many values of one variable are tried one by one.
const MOST_VALUES: i64 = 1 << 16;

/// An expression over numbers that stand for variables of a system.
struct Spread {
    expression: Expression,
    /// What the numbers stand for, ascending.
    locations: Vec<Location>,
}

impl Spread {
    /// An expression with these parts; `make` makes it, given the number of each variable.
    fn new(parts: Parts<'_, Location>, make: impl FnOnce(&dyn Fn(&Location) -> u32, &[u32]) -> Expression) -> Spread {
        let mut locations: BTreeSet<Location> = BTreeSet::new();
        for (first, length) in parts.filter_map(|(part, _)| part.read()) {
            locations.extend((0..length).map(|next| Location { path: first.path.clone(), index: first.index + next }));
        }
        // In this order the elements of an array follow each other.
        let locations: Vec<Location> = locations.into_iter().collect();
        let number = |location: &Location| locations.binary_search(location).unwrap_or(usize::MAX) as u32;
        let numbers: Vec<u32> = (0..locations.len() as u32).collect();
        Spread { expression: make(&number, &numbers), locations }
    }

    /// The part that all variables are in, if there is one.
    fn path(&self) -> Option<&[u32]> {
        let mut paths = self.expression.support().iter().map(|&number| &self.locations[number as usize].path);
        let first = paths.next()?;
        paths.all(|path| path == first).then_some(first)
    }
}

impl EncodedSystem<'_> {
    /// The states of a set in which a condition holds. Comparisons of what has no value are false.
    pub(super) fn satisfying(&mut self, holds: &Boolean<Location>, set: &Diagram) -> Result<Diagram, Refusal> {
        let spread = Spread::new(holds.parts(), |number, numbers| {
            Expression::of_boolean(&holds.over(&number), numbers, WithoutValue::IsFalse)
        });
        self.select_spread(&spread, set)
    }

    fn select_spread(&mut self, spread: &Spread, set: &Diagram) -> Result<Diagram, Refusal> {
        let expression = &spread.expression;
        if expression.is_never() || set.is_empty() {
            return Ok(self.store.zero());
        }
        let support = expression.support();
        // An element with an index that is not known yet depends on its variable whatever value that has: the index is first.
        let is_left = |one: &&u32| !expression.with(**one, 0).depends_on(**one);
        let is_changed = |one: &&u32| expression.with(**one, 0) != *expression;
        let some = support.iter().find(is_left).or_else(|| support.iter().find(is_changed)).or(support.first());
        let Some(&some) = some else { return Ok(set.clone()) };
        if let Some(path) = spread.path() {
            let path = path.to_vec();
            if let Some(local) = self.local_expression(&path, spread) {
                let selector = condition(&mut self.store, &local);
                let Some(types) = self.encoding.system.types_on(&path) else { return Ok(self.store.zero()) };
                let lifted = self.lifted(&types, &path, selector);
                return Ok(self.store.apply(&lifted, set)?);
            }
        }
        // Variables of different parts, or of a net: one of them, value by value.
        let location = &spread.locations[some as usize];
        if let Some(letters) = self.letters_at(location) {
            let mut all = self.store.zero();
            for letter in 0..=letters {
                let part = self.holding(location, letter, set)?;
                let left = Spread { expression: expression.with(some, letter), locations: spread.locations.clone() };
                let more = self.select_spread(&left, &part)?;
                all = self.store.union(&all, &more)?;
            }
            return Ok(all);
        }
        let unknown = || Refusal::Unknown;
        let (weight, constant) = self.weight(&[(location.clone(), 1)]).ok_or_else(unknown)?;
        let Some((least, most)) = self.store.extremes(set, &weight) else { return Ok(self.store.zero()) };
        if most.saturating_sub(least) > MOST_VALUES {
            return Err(Refusal::TooManyValues);
        }
        let mut all = self.store.zero();
        for weighed in least..=most {
            let Ok(value) = i32::try_from(weighed + constant) else { continue };
            let selector = self.store.weighing(&weight, weighed, weighed);
            let part = self.store.apply(&selector, set)?;
            let left = Spread { expression: expression.with(some, value), locations: spread.locations.clone() };
            let more = self.select_spread(&left, &part)?;
            all = self.store.union(&all, &more)?;
        }
        Ok(all)
    }

    /// The expression over the diagram variables of the program that all of its variables are in, if it is one.
    fn local_expression(&self, path: &[u32], spread: &Spread) -> Option<Expression> {
        let &last = self.encoding.system.types_on(path)?.last()?;
        let Type::Program(program) = &self.encoding.system.types[last] else { return None };
        let evaluated = evaluated(program, self.encoding.types[last].layout.as_ref()?)?;
        let slot = |number: u32| evaluated.slot(spread.locations[number as usize].index);
        spread.expression.over(&slot)
    }

    /// The least and the greatest value that an expression of the main program has in a set. Nothing if the system is no
    /// program, or if the expression has no value in any of the states.
    pub(super) fn extremes_of_values(
        &mut self, expression: &Integer<Location>, set: &Diagram,
    ) -> Result<Option<(i32, i32)>, Refusal> {
        let spread = Spread::new(expression.parts(), |number, numbers| {
            Expression::of_integer(&expression.over(&number), numbers, WithoutValue::IsNothing)
        });
        let Some(local) = self.local_expression(&[], &spread) else { return Ok(None) };
        let values = values(&mut self.store, &local)?;
        let found = self.store.apply(&values, set)?;
        let found = self.store.values(&found, RESULT);
        Ok(found.first().copied().zip(found.last().copied()))
    }
}
