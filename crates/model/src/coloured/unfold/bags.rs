//! Bags by numbers, so that every component of a token is one, and all bags up to a size.

use crate::coloured::value::{Bag, Value};
use crate::coloured::{Sort, Variable};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// A colour, or the number of a bag.
pub(super) type Number = u32;

/// The bags that were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Bags {
    bags: Vec<Bag<u32>>,
    numbers: FxHashMap<Bag<u32>, Number>,
}

impl Bags {
    /// The number of a bag.
    pub fn number(&mut self, bag: &Bag<u32>) -> Number {
        if let Some(&number) = self.numbers.get(bag) {
            return number;
        }
        let number = self.bags.len() as Number;
        self.bags.push(bag.clone());
        self.numbers.insert(bag.clone(), number);
        number
    }

    /// The number of a value.
    pub fn number_of(&mut self, value: &Value) -> Number {
        match value {
            Value::Colour(colour) => *colour,
            Value::Bag(bag) => self.number(bag),
        }
    }

    /// The number of a value, if it has one.
    pub fn find(&self, value: &Value) -> Option<Number> {
        match value {
            Value::Colour(colour) => Some(*colour),
            Value::Bag(bag) => self.numbers.get(bag).copied(),
        }
    }

    /// Compares the values that numbers of one sort stand for.
    pub fn compare(&self, sorts: &[Sort], one: &[Number], other: &[Number]) -> Ordering {
        let pairs = sorts.iter().zip(one.iter().zip(other));
        let mut pairs = pairs.map(|(sort, (&one, &other))| match sort {
            Sort::Colour(_) => one.cmp(&other),
            Sort::Bag(_) => self.value(*sort, one).cmp(&self.value(*sort, other)),
        });
        pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// The value that a number stands for.
    pub fn value(&self, sort: Sort, number: Number) -> Value {
        match sort {
            Sort::Colour(_) => Value::Colour(number),
            // A variable that is not bound yet may have any number.
            Sort::Bag(_) => Value::Bag(self.bags.get(number as usize).cloned().unwrap_or_default()),
        }
    }

    /// The values that numbers stand for.
    pub fn values(&self, sorts: impl Iterator<Item = Sort>, numbers: &[Number]) -> Vec<Value> {
        sorts.zip(numbers).map(|(sort, &number)| self.value(sort, number)).collect()
    }

    /// The values of the variables of a transition.
    pub fn binding(&self, variables: &[Variable], numbers: &[Number]) -> Vec<Value> {
        self.values(variables.iter().map(|variable| variable.sort), numbers)
    }
}

/// All bags of up to so many colours out of `colours`, or all such sets, smaller ones first.
pub(super) struct BagsUpTo {
    colours: u32,
    unique: bool,
    most: u32,
    /// The colours of the bag at hand, in ascending order.
    chosen: Option<Vec<u32>>,
}

impl BagsUpTo {
    /// Bags (sets, if `unique`) of at most `most` of the colours `0..colours`.
    pub fn new(colours: u32, most: u32, unique: bool) -> BagsUpTo {
        let most = if unique { most.min(colours) } else { most };
        let most = if colours == 0 { 0 } else { most };
        BagsUpTo { colours, unique, most, chosen: Some(Vec::new()) }
    }

    /// The next choice of as many colours, or the first with one more.
    fn advance(&mut self, mut chosen: Vec<u32>) -> Option<Vec<u32>> {
        let size = chosen.len();
        let step = u32::from(self.unique);
        for at in (0..size).rev() {
            let room = if self.unique { (size - at) as u32 } else { 1 };
            if chosen[at] + room < self.colours {
                let first = chosen[at] + 1;
                for (offset, colour) in chosen[at..].iter_mut().enumerate() {
                    *colour = first + step * offset as u32;
                }
                return Some(chosen);
            }
        }
        let next = size as u32 + 1;
        (next <= self.most).then(|| (0..next).map(|offset| step * offset).collect())
    }
}

impl Iterator for BagsUpTo {
    type Item = Bag<u32>;

    fn next(&mut self) -> Option<Bag<u32>> {
        let chosen = self.chosen.take()?;
        let bag = chosen.iter().copied().collect();
        self.chosen = self.advance(chosen);
        Some(bag)
    }
}

#[cfg(test)]
mod tests {
    use super::BagsUpTo;
    use std::collections::BTreeSet;

    #[test]
    fn every_bag_comes_once() {
        for colours in 0..5_u32 {
            for most in 0..5_u32 {
                for unique in [false, true] {
                    let all: Vec<_> = BagsUpTo::new(colours, most, unique).collect();
                    let distinct: BTreeSet<_> = all.iter().cloned().collect();
                    assert_eq!(all.len(), distinct.len());
                    assert!(all.iter().all(|bag| bag.cardinality() <= u64::from(most) && (!unique || bag.is_set())));
                    assert_eq!(all.len() as u64, count(colours, most, unique), "{colours} {most} {unique}");
                }
            }
        }
    }

    /// How many there are: with colour 0 or without it.
    fn count(colours: u32, most: u32, unique: bool) -> u64 {
        match (colours, most) {
            (0, _) | (_, 0) => 1,
            _ => count(colours - 1, most, unique) + count(if unique { colours - 1 } else { colours }, most - 1, unique),
        }
    }
}
