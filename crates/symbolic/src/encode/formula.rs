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

    /// The variable whose value is asked for first, if the expression depends on any. An element with an index that is not known
    /// yet depends on its variable whatever value that has: the index is first.
    fn first(&self) -> Option<u32> {
        let expression = &self.expression;
        let support = expression.support();
        let is_left = |one: &&u32| !expression.with(**one, 0).depends_on(**one);
        let is_changed = |one: &&u32| expression.with(**one, 0) != *expression;
        let some = support.iter().find(is_left).or_else(|| support.iter().find(is_changed));
        some.or(support.first()).copied()
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
        let Some(some) = spread.first() else { return Ok(set.clone()) };
        if let Some(path) = spread.path() {
            let path = path.to_vec();
            if let Some(local) = self.local_expression(&path, spread) {
                let selector = condition(&mut self.store, &local);
                let Some(types) = self.encoding.system.types_on(&path) else { return Ok(self.store.zero()) };
                let lifted = self.lifted(&types, &path, selector);
                return Ok(self.store.apply(&lifted, set)?);
            }
        }
        let mut all = self.store.zero();
        self.by_values(spread, some, set, &mut |encoded, left, part| {
            let more = encoded.select_spread(left, part)?;
            all = encoded.store.union(&all, &more)?;
            Ok(())
        })?;
        Ok(all)
    }

    /// Looks at the parts of a set in which a variable has each of its values, with what is left of an expression there: where its
    /// variables belong to different parts of a system, or to a net.
    fn by_values(
        &mut self, spread: &Spread, variable: u32, set: &Diagram,
        look: &mut dyn FnMut(&mut Self, &Spread, &Diagram) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let left =
            |value| Spread { expression: spread.expression.with(variable, value), locations: spread.locations.clone() };
        let location = &spread.locations[variable as usize];
        if let Some(letters) = self.letters_at(location) {
            for letter in 0..=letters {
                let part = self.holding(location, letter, set)?;
                look(self, &left(letter), &part)?;
            }
            return Ok(());
        }
        let (weight, constant) = self.weight(&[(location.clone(), 1)]).ok_or(Refusal::Unknown)?;
        let Some((least, most)) = self.store.extremes(set, &weight) else { return Ok(()) };
        if most.saturating_sub(least) > MOST_VALUES {
            return Err(Refusal::TooManyValues);
        }
        for weighed in least..=most {
            let Ok(value) = i32::try_from(weighed + constant) else { continue };
            let selector = self.store.weighing(&weight, weighed, weighed);
            let part = self.store.apply(&selector, set)?;
            look(self, &left(value), &part)?;
        }
        Ok(())
    }

    /// The expression over the diagram variables of the program that all of its variables are in, if it is one.
    fn local_expression(&self, path: &[u32], spread: &Spread) -> Option<Expression> {
        let &last = self.encoding.system.types_on(path)?.last()?;
        let Type::Program(program) = &self.encoding.system.types[last] else { return None };
        let evaluated = evaluated(program, self.encoding.types[last].layout.as_ref()?)?;
        let slot = |number: u32| evaluated.slot(spread.locations[number as usize].index);
        spread.expression.over(&slot)
    }

    /// The least and the greatest value that an expression has in a set. Nothing if it has no value in any of the states.
    pub(super) fn extremes_of_values(
        &mut self, expression: &Integer<Location>, set: &Diagram,
    ) -> Result<Option<(i32, i32)>, Refusal> {
        let spread = Spread::new(expression.parts(), |number, numbers| {
            Expression::of_integer(&expression.over(&number), numbers, WithoutValue::IsNothing)
        });
        self.extremes_of_spread(&spread, set)
    }

    fn extremes_of_spread(&mut self, spread: &Spread, set: &Diagram) -> Result<Option<(i32, i32)>, Refusal> {
        if set.is_empty() || spread.expression.is_nothing() {
            return Ok(None);
        }
        if let Some(local) = self.local_expression(&[], spread) {
            let values = values(&mut self.store, &local)?;
            let found = self.store.apply(&values, set)?;
            let found = self.store.values(&found, RESULT);
            return Ok(found.first().copied().zip(found.last().copied()));
        }
        let Some(some) = spread.first() else { return Ok(spread.expression.value().map(|value| (value, value))) };
        let mut extremes: Option<(i32, i32)> = None;
        self.by_values(spread, some, set, &mut |encoded, left, part| {
            let more = encoded.extremes_of_spread(left, part)?;
            extremes = match (extremes, more) {
                (Some((low, high)), Some((least, most))) => Some((low.min(least), high.max(most))),
                (some, none) => some.or(none),
            };
            Ok(())
        })?;
        Ok(extremes)
    }
}
