//! The bindings of a transition that satisfy its guard and find their tokens in a marking.
//!
//! Variables are bound one after the other, to every colour and to every bag that is within its bound. A part of the guard and
//! an arc are looked at as soon as all their variables are bound; that is all that is done to be fast.

use super::super::bounds::{Bound, Held, Occurrence, bounds, occurrences};
use super::super::evaluate::{Evaluator, Undefined};
use super::super::expression::Guard;
use super::super::value::{Bag, Binding, Token, Value};
use super::super::visit::Leaf;
use super::super::{Arc, ColouredNet, Sort, Transition};
use super::Marking;
use crate::semantics::Cause;

/// Bindings that are begun for one transition in one marking at most.
pub(super) const MOST_BINDINGS: usize = 4_000_000;

/// Something without which a binding is not there.
#[derive(Clone, Copy, Debug)]
enum Check<'a> {
    Guard(&'a Guard),
    Takes(&'a Arc),
}

/// What is known of a transition in every marking.
#[derive(Clone, Debug)]
pub(super) struct Prepared<'a> {
    transition: &'a Transition,
    /// What can be judged once so many variables are bound, from none to all.
    checks: Vec<Vec<Check<'a>>>,
    occurrences: Vec<Occurrence>,
}

/// What a variable can be bound to.
enum Candidates {
    Colours(u32),
    Bags(Vec<Bag<u32>>),
}

impl Candidates {
    fn get(&self, index: usize) -> Option<Value> {
        match self {
            Candidates::Colours(count) => (index < *count as usize).then_some(Value::Colour(index as u32)),
            Candidates::Bags(bags) => bags.get(index).cloned().map(Value::Bag),
        }
    }
}

/// Whether something is so under a binding; not if a term has no value.
pub fn defined<T>(value: Result<T, Undefined>, place: Option<&str>) -> Result<Option<T>, Cause> {
    match (value, place) {
        (Ok(value), _) => Ok(Some(value)),
        (Err(Undefined::NoColour), _) => Ok(None),
        (Err(Undefined::TooMany), Some(place)) => Err(Cause::Overflow { place: place.to_string() }),
        (Err(Undefined::TooMany), None) => Err(Cause::BagOverflow),
        (Err(Undefined::Malformed), _) => Err(Cause::Malformed),
    }
}

impl<'a> Prepared<'a> {
    pub fn new(net: &ColouredNet, transition: &'a Transition) -> Prepared<'a> {
        let mut checks = vec![Vec::new(); transition.variables.len() + 1];
        let mut insert = |check: Check<'a>| {
            let mut bound = 0;
            let mut visit = |leaf: Leaf<'_>| bound = bound.max(leaf.variable().map_or(0, |last| last as usize + 1));
            match check {
                Check::Guard(guard) => guard.leaves(&mut visit),
                Check::Takes(arc) => arc.tokens.leaves(&mut visit),
            }
            checks[bound.min(transition.variables.len())].push(check);
        };
        transition.guard.conjuncts().into_iter().for_each(|guard| insert(Check::Guard(guard)));
        transition.takes.iter().for_each(|arc| insert(Check::Takes(arc)));
        Prepared { transition, checks, occurrences: occurrences(net, transition) }
    }

    /// The first variable that nothing bounds: neither the guard, nor what is taken, in any marking.
    pub fn unbounded(&self, net: &ColouredNet) -> Option<usize> {
        let bounds = self.bounds(net, &Marking::empty(net));
        let is_bag = |variable: &usize| matches!(self.transition.variables[*variable].sort, Sort::Bag(_));
        (0..bounds.len()).filter(is_bag).find(|&variable| !bounds[variable].is_known())
    }

    /// What bounds the variables in a marking.
    fn bounds(&self, net: &ColouredNet, marking: &Marking) -> Vec<Bound> {
        let taken = |occurrence: &Occurrence| Some(Bound::within(greatest(occurrence, marking)));
        bounds(net, self.transition, &taken)
    }

    /// The bindings that satisfy the guard and whose tokens are there.
    pub fn bindings(&self, net: &ColouredNet, marking: &Marking) -> Result<Vec<Binding>, Cause> {
        let mut found = Vec::new();
        if !self.holds(0, net, marking, &[])? {
            return Ok(found);
        }
        let candidates = self.candidates(net, marking)?;
        let mut binding: Binding = Vec::new();
        // For each variable that is bound and for the one after them: which candidate is tried next.
        let mut next = vec![0];
        let mut begun = 0;
        loop {
            let value = candidates.get(binding.len()).and_then(|of| of.get(next[binding.len()]));
            match value {
                Some(value) => {
                    begun += 1;
                    if begun > MOST_BINDINGS {
                        return Err(Cause::TooManyBindings(MOST_BINDINGS));
                    }
                    next[binding.len()] += 1;
                    binding.push(value);
                    next.push(0);
                    if self.holds(binding.len(), net, marking, &binding)? {
                        continue;
                    }
                }
                None if binding.len() == candidates.len() => found.push(binding.clone()),
                None => {}
            }
            if binding.pop().is_none() {
                return Ok(found);
            }
            next.pop();
        }
    }

    /// Whether what can be judged once so many variables are bound allows this.
    fn holds(&self, bound: usize, net: &ColouredNet, marking: &Marking, binding: &[Value]) -> Result<bool, Cause> {
        let evaluator = Evaluator::new(net, &self.transition.variables, binding);
        for check in &self.checks[bound] {
            let holds = match check {
                Check::Guard(guard) => defined(evaluator.guard(guard), None)?,
                Check::Takes(arc) => {
                    let place = arc.place as usize;
                    let taken = defined(evaluator.tokens(&arc.tokens), Some(&net.places[place].name))?;
                    taken.map(|taken| taken.is_included_in(&marking.places[place]))
                }
            };
            if holds != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn candidates(&self, net: &ColouredNet, marking: &Marking) -> Result<Vec<Candidates>, Cause> {
        let bounds = self.bounds(net, marking);
        let candidates = self.transition.variables.iter().zip(&bounds).enumerate().map(|(variable, (of, bound))| {
            let length = net.classes[of.sort.class() as usize].len();
            if let Sort::Colour(_) = of.sort {
                return Ok(Candidates::Colours(length));
            }
            let whole = |one: &&Occurrence| one.variable as usize == variable && one.held == Held::Whole;
            let bags = match self.occurrences.iter().find(whole) {
                Some(occurrence) => components(occurrence, marking),
                None => bags_within(bound, length)?,
            };
            Ok(Candidates::Bags(bags.into_iter().filter(|bag| !of.unique || bag.is_set()).collect()))
        });
        candidates.collect()
    }
}

/// The tokens of the place of an occurrence, with their components there and how often they are there.
fn values<'m>(occurrence: &Occurrence, marking: &'m Marking) -> impl Iterator<Item = (Value, u32)> + 'm {
    let component = occurrence.component;
    let tokens = marking.places[occurrence.place as usize].iter();
    tokens.filter_map(move |(token, times): (Token, u32)| Some((token.get(component)?.clone(), times)))
}

/// What bags that are taken there are within.
fn greatest(occurrence: &Occurrence, marking: &Marking) -> Bag<u32> {
    let mut each = std::collections::BTreeMap::<u32, u32>::new();
    let mut see = |colour: u32, times: u32| {
        let most = each.entry(colour).or_insert(0);
        *most = times.max(*most);
    };
    for (value, times) in values(occurrence, marking) {
        match value {
            Value::Colour(colour) => see(colour, times),
            Value::Bag(bag) => bag.iter().for_each(|(colour, times)| see(colour, times)),
        }
    }
    let mut bag = Bag::new();
    for (colour, times) in each {
        // Each colour is added once: this cannot be too many.
        let _ = bag.add(colour, times);
    }
    bag
}

/// The bags that are components there, each once.
fn components(occurrence: &Occurrence, marking: &Marking) -> Vec<Bag<u32>> {
    let mut bags: Vec<Bag<u32>> = values(occurrence, marking)
        .filter_map(|(value, _)| match value {
            Value::Bag(bag) => Some(bag),
            Value::Colour(_) => None,
        })
        .collect();
    bags.sort();
    bags.dedup();
    bags
}

/// All bags of colours of a class of some length that are within a bound.
fn bags_within(bound: &Bound, length: u32) -> Result<Vec<Bag<u32>>, Cause> {
    // Readers and `Semantics::new` see to it that there is a bound.
    let most = bound.most.ok_or(Cause::Malformed)?;
    let limit = u32::try_from(most).unwrap_or(u32::MAX);
    let each: Vec<(u32, u32)> = match &bound.each {
        Some(each) => each.iter().filter(|(colour, _)| *colour < length).collect(),
        None => (0..length).map(|colour| (colour, limit)).collect(),
    };
    // How often each colour is there now: counted up like the digits of a number, the first one fastest.
    let mut counts = vec![0_u32; each.len()];
    let mut sum = 0_u64;
    let mut bags = Vec::new();
    loop {
        let mut bag = Bag::new();
        for ((colour, _), times) in each.iter().zip(&counts) {
            bag.add(*colour, *times).map_err(|_| Cause::BagOverflow)?;
        }
        bags.push(bag);
        if bags.len() > MOST_BINDINGS {
            return Err(Cause::TooManyBindings(MOST_BINDINGS));
        }
        let mut digit = 0;
        loop {
            let Some(&(_, limit)) = each.get(digit) else { return Ok(bags) };
            if counts[digit] < limit && sum < most {
                counts[digit] += 1;
                sum += 1;
                break;
            }
            sum -= u64::from(counts[digit]);
            counts[digit] = 0;
            digit += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bags_within_a_bound() {
        // Bags of at most k of n colours: (n + k) choose k.
        for (length, most, expected) in [(3, 2, 10), (4, 3, 35), (5, 0, 1), (0, 4, 1), (1, 6, 7)] {
            let mut bags = bags_within(&Bound::of_size(most), length).unwrap();
            assert_eq!(bags.len(), expected);
            bags.sort();
            bags.dedup();
            assert_eq!(bags.len(), expected);
            assert!(bags.iter().all(|bag| bag.cardinality() <= most));
        }
        let sets = bags_within(&Bound::within((0..6).collect()), 6).unwrap();
        assert_eq!(sets.len(), 64);
        assert!(sets.iter().all(Bag::is_set));
    }
}
