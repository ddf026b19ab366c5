//! Nets whose markings are all solutions of their invariants.
//!
//! What the invariants of a net say holds of all its markings. In some nets that is all that can be said: every solution of the
//! invariants is reached (`reachable` has the proof). Then the markings are the integer points of a polytope, and
//! how many there are, for initial markings `v + k u` that differ in `k` alone, is a polynomial of `k` from some `k` on
//! (`chamber`). It is known once it is known for a few small `k`: siblings of the net with few tokens, which are explored as any net.
//! So are the pairs of a marking and a transition that can fire in it, because these are the markings from which what the transition
//! needs is taken away.
//!
//! The polynomial has as its degree at most how many places there are beyond the number of invariants. One sibling more is counted than
//! that takes, and must agree.

mod chamber;
mod flows;
mod rational;
mod reachable;
mod simplex;

use dashu_int::IBig;
use mandala_model::net::{Net, Transition};
use rational::Rational;
use reachable::{Backwards, Solutions, weigh};
use simplex::{Optimum, minimise};
use std::ops::RangeInclusive;

/// Nets with more places or transitions are not looked at.
const MOST_PLACES: usize = 40;
const MOST_TRANSITIONS: usize = 200;

/// A net as one of many that differ in their tokens alone. Their markings are all solutions of their invariants.
#[derive(Clone, Debug)]
pub struct Family {
    /// What all of them have in the beginning.
    begin: Vec<i64>,
    /// What each has more of than the one before.
    growth: Vec<i64>,
    /// Which of them the net is.
    number: i64,
    /// The first that is counted by the polynomial.
    first: i64,
    /// The degree of the polynomial.
    degree: i64,
    flows: Vec<Vec<Rational>>,
}

impl Family {
    /// The family of a net with many tokens, if its markings are all solutions of its invariants and that can be shown.
    pub fn of(net: &Net, marking: &[i32]) -> Option<Family> {
        let is_small = net.places.len() <= MOST_PLACES && net.transitions.len() <= MOST_TRANSITIONS;
        let is_plain = net.places.iter().all(|place| place.capacity.is_none()) && net.transitions.iter().all(is_plain);
        let (number, begin, growth) = if is_small && is_plain { split(marking)? } else { return None };
        let places = net.places.len();
        let transitions: Vec<Backwards> = net.transitions.iter().map(|one| backwards(one, places)).collect();
        let changes: Vec<Vec<i64>> = transitions.iter().map(|transition| transition.change.clone()).collect();
        let flows = flows::flows(places, &changes)?;
        let degree = (places - flows.len()) as i64;
        if number <= degree {
            return None;
        }
        let mut shifts: Vec<Vec<i64>> = net.transitions.iter().map(|one| needs(one, places)).collect();
        shifts.sort_unstable();
        shifts.dedup();
        let first = chamber::first_number(&flows, &begin, &growth, &shifts)?;
        let family = Family { begin, growth, number, first, degree, flows };
        // There must be something to gain.
        if family.samples().end().checked_mul(2)? > number {
            return None;
        }
        let at_first: Vec<i64> = family.marking(first)?.into_iter().map(i64::from).collect();
        let solutions =
            Solutions { flows: &family.flows, begin: &at_first, growth: &family.growth, transitions: &transitions };
        solutions.are_reachable()?;
        Some(family)
    }

    /// The initial marking of one of them.
    pub fn marking(&self, number: i64) -> Option<Vec<i32>> {
        let tokens =
            |(&begin, &growth): (&i64, &i64)| i32::try_from(growth.checked_mul(number)?.checked_add(begin)?).ok();
        self.begin.iter().zip(&self.growth).map(tokens).collect()
    }

    /// Which of them the net is.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// Those that are to be counted.
    pub fn samples(&self) -> RangeInclusive<i64> {
        self.first..=self.first + self.degree + 1
    }

    /// What is true of the net, from what is true of the samples: how many markings it has, or how many pairs of a marking and a
    /// transition that can fire in it. Nothing if the last sample does not agree with those before it.
    pub fn extrapolate(&self, samples: &[IBig]) -> Option<IBig> {
        if samples.len() != usize::try_from(self.degree).ok()? + 2 {
            return None;
        }
        // Newton's formula: the sum of binomials of the distance times differences.
        let distance = self.number - self.first;
        let (mut differences, mut binomial, mut sum) = (samples.to_vec(), IBig::ONE, IBig::ZERO);
        for order in 0..=self.degree {
            sum += &binomial * &differences[0];
            binomial = binomial * IBig::from(distance - order) / IBig::from(order + 1);
            differences = differences.windows(2).map(|pair| &pair[1] - &pair[0]).collect();
        }
        (differences == [IBig::ZERO]).then_some(sum)
    }

    /// The most tokens in a place of the net.
    pub fn most_in_place(&self) -> Option<i64> {
        let one = |place| self.most(&(0..self.begin.len()).map(|at| i64::from(at == place)).collect::<Vec<_>>());
        (0..self.begin.len()).map(one).try_fold(0, |most, one| Some(one?.max(most)))
    }

    /// The most tokens in a marking of the net.
    pub fn most_in_marking(&self) -> Option<i64> {
        self.most(&vec![1; self.begin.len()])
    }

    /// The most of a sum over all solutions. The corners of the polytope are integer points.
    fn most(&self, weights: &[i64]) -> Option<i64> {
        let marking: Vec<i64> = self.marking(self.number)?.into_iter().map(i64::from).collect();
        let right: Option<Vec<Rational>> = self.flows.iter().map(|flow| weigh(flow, &marking)).collect();
        let cost: Vec<Rational> = weights.iter().map(|weight| Rational::from(-weight)).collect();
        match minimise(&self.flows, &right?, &cost)? {
            Optimum::At { value, .. } => value.negated().integer(),
            Optimum::Infeasible | Optimum::Unbounded => None,
        }
    }
}

/// Whether a transition fires by itself wherever there are enough tokens.
fn is_plain(transition: &Transition) -> bool {
    transition.label.is_none()
        && transition.priority == 0
        && transition.effects.iter().all(|effect| effect.below.is_none() && !effect.reset)
}

/// What a transition needs, by place.
fn needs(transition: &Transition, places: usize) -> Vec<i64> {
    let mut needs = vec![0; places];
    for effect in &transition.effects {
        needs[effect.place as usize] = i64::from(effect.needs());
    }
    needs
}

fn backwards(transition: &Transition, places: usize) -> Backwards {
    let (mut change, mut takes, mut needs) = (vec![0; places], Vec::new(), Some(Vec::new()));
    for effect in &transition.effects {
        let (place, gain) = (effect.place as usize, i64::from(effect.put) - i64::from(effect.take));
        change[place] = gain;
        if effect.needs() > 0 {
            takes.push(place);
        }
        // What is there after it has fired.
        match i64::from(effect.needs()) + gain {
            0 => {}
            1 => needs.iter_mut().for_each(|needs| needs.push(place)),
            _ => needs = None,
        }
    }
    Backwards { change, needs, takes }
}

/// A marking as `v + k u` with few tokens in `v` and `u`: the number, `v` and `u`.
fn split(marking: &[i32]) -> Option<(i64, Vec<i64>, Vec<i64>)> {
    const MOST_TIMES: i64 = 12;
    let tokens: Vec<i64> = marking.iter().copied().map(i64::from).collect();
    let numbers = tokens.iter().flat_map(|&most| (1..=MOST_TIMES).map(move |times| most / times));
    let split = |number: i64| {
        let growth: Vec<i64> = tokens.iter().map(|tokens| tokens / number).collect();
        let begin: Vec<i64> = tokens.iter().map(|tokens| tokens % number).collect();
        (number, begin, growth)
    };
    let few = |(number, begin, growth): &(i64, Vec<i64>, Vec<i64>)| {
        (begin.iter().sum::<i64>() + growth.iter().sum::<i64>(), -number)
    };
    numbers.filter(|&number| number > 1).map(split).min_by_key(few)
}
