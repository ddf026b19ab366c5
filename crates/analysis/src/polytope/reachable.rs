//! A proof that all solutions of the invariants of a net are reachable.
//!
//! A *rank* weighs places; it is least, among all solutions, in the initial marking alone. If in every other solution some
//! transition can be fired backwards that makes the rank smaller, then every solution leads back to the initial marking, and is
//! reached from there. That fails in a solution in which each such transition misses a token that firing it backwards needs: for each
//! of them some place is empty. So places are chosen that are empty, for one transition after the other, and each choice must
//! end where no solution is left, or only the initial marking is.
//!
//! All of this is said of markings `v + k u` for all numbers `k` from some number on at once: `k` is one more unknown of the
//! linear programs. Where a solution is left, a transition that can be fired backwards there joins those that make the rank smaller, if
//! there is such a rank.

use super::rational::Rational;
use super::simplex::{Optimum, minimise};

/// A transition as it is fired backwards.
#[derive(Clone, Debug)]
pub(super) struct Backwards {
    /// What firing it forwards changes, by place.
    pub(super) change: Vec<i64>,
    /// The places that must hold a token to fire it backwards. Nothing if one of them must hold more.
    pub(super) needs: Option<Vec<usize>>,
    /// The places that must hold tokens to fire it forwards.
    pub(super) takes: Vec<usize>,
}

/// The solutions of the invariants of a net, for markings `v + k u` with `k` at least a first number.
pub(super) struct Solutions<'s> {
    /// The flows.
    pub(super) flows: &'s [Vec<Rational>],
    /// `v`, at the first number.
    pub(super) begin: &'s [i64],
    /// `u`.
    pub(super) growth: &'s [i64],
    /// The transitions of the net.
    pub(super) transitions: &'s [Backwards],
}

/// How often the transitions that make the rank smaller are changed.
const MOST_ATTEMPTS: usize = 40;

/// How many choices of empty places are looked at for one rank.
const MOST_CHOICES: usize = 3_000;

/// What is left of the solutions in which no transition can be fired backwards.
enum Stuck {
    /// The initial marking alone.
    Initially,
    /// A solution, by place, too.
    Also(Vec<Rational>),
}

impl Solutions<'_> {
    /// Whether a proof was found that all solutions are reachable. Nothing if numbers become too large, or there is no
    /// proof of this kind.
    pub(super) fn are_reachable(&self) -> Option<()> {
        self.is_bounded()?;
        self.initial_is_alone()?;
        let mut smaller = self.producers();
        for _ in 0..MOST_ATTEMPTS {
            let rank = self.rank(&smaller)?;
            match self.stuck(&rank)? {
                Stuck::Initially => return Some(()),
                Stuck::Also(marking) => {
                    let more = self.extended(&smaller, &marking)?;
                    smaller.push(more);
                }
            }
        }
        None
    }

    fn is_marked(&self, place: usize) -> bool {
        self.begin[place] > 0 || self.growth[place] > 0
    }

    fn unmarked(&self) -> Vec<usize> {
        (0..self.begin.len()).filter(|&place| !self.is_marked(place)).collect()
    }

    /// Whether there are only so many tokens for each number.
    fn is_bounded(&self) -> Option<()> {
        let all: Vec<i64> = vec![-1; self.begin.len()];
        match self.least(&vec![false; self.begin.len()], &all, Some(1))? {
            Optimum::At { .. } => Some(()),
            Optimum::Infeasible | Optimum::Unbounded => None,
        }
    }

    /// Whether places that are marked in the beginning hold what they held where all others are empty.
    fn initial_is_alone(&self) -> Option<()> {
        let empty: Vec<bool> = (0..self.begin.len()).map(|place| !self.is_marked(place)).collect();
        for place in (0..self.begin.len()).filter(|&place| self.is_marked(place)) {
            for sign in [1, -1] {
                let mut weights = vec![0; self.begin.len()];
                weights[place] = sign;
                let Optimum::At { value, .. } = self.least_above(&empty, &weights, sign * self.growth[place])? else {
                    return None;
                };
                if value != Rational::from(sign * self.begin[place]) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Transitions by which places that are empty in the beginning get their first tokens, in turn.
    fn producers(&self) -> Vec<usize> {
        let mut has: Vec<bool> = (0..self.begin.len()).map(|place| self.is_marked(place)).collect();
        let mut producers = Vec::new();
        loop {
            let before = producers.len();
            for (index, transition) in self.transitions.iter().enumerate() {
                let can_fire = transition.takes.iter().all(|&place| has[place]) && transition.needs.is_some();
                let mut is_first = false;
                for (place, _) in transition.change.iter().enumerate().filter(|(_, change)| can_fire && **change > 0) {
                    is_first |= !has[place];
                    has[place] = true;
                }
                if is_first {
                    producers.push(index);
                }
            }
            if producers.len() == before {
                return producers;
            }
        }
    }

    /// Weights of places, positive for those that are empty in the beginning and zero for others, with which each of some transitions
    /// makes the marking heavier.
    fn rank(&self, heavier: &[usize]) -> Option<Vec<Rational>> {
        let unmarked = self.unmarked();
        let mut rows = Vec::new();
        let mut right = Vec::new();
        for (row, &transition) in heavier.iter().enumerate() {
            // Weights are one more than the unknowns.
            let change = &self.transitions[transition].change;
            let slack = (0..heavier.len()).map(|at| if at == row { -1 } else { 0 });
            rows.push(unmarked.iter().map(|&place| change[place]).chain(slack).map(Rational::from).collect());
            right.push(Rational::from(1 - unmarked.iter().map(|&place| change[place]).sum::<i64>()));
        }
        let cost = (0..unmarked.len() + heavier.len()).map(|at| i64::from(at < unmarked.len())).map(Rational::from);
        let Optimum::At { point, .. } = minimise(&rows, &right, &cost.collect::<Vec<_>>())? else { return None };
        let mut rank = vec![Rational::ZERO; self.begin.len()];
        for (&place, more) in unmarked.iter().zip(point) {
            rank[place] = more.plus(Rational::ONE)?;
        }
        Some(rank)
    }

    /// One more transition, which can be fired backwards in some marking, and with which there still is a rank.
    fn extended(&self, heavier: &[usize], marking: &[Rational]) -> Option<usize> {
        (0..self.transitions.len()).find(|&index| {
            let can_fire = |needs: &Vec<usize>| needs.iter().all(|&place| marking[place].is_positive());
            let mut more = heavier.to_vec();
            more.push(index);
            !heavier.contains(&index)
                && self.transitions[index].needs.as_ref().is_some_and(can_fire)
                && self.rank(&more).is_some()
        })
    }

    /// What is left where no transition that makes the rank larger can be fired backwards.
    fn stuck(&self, rank: &[Rational]) -> Option<Stuck> {
        let mut needs: Vec<&[usize]> = Vec::new();
        for transition in self.transitions {
            let mut gain = Rational::ZERO;
            for (change, weight) in transition.change.iter().zip(rank) {
                gain = gain.plus(Rational::from(*change).times(*weight)?)?;
            }
            if gain.is_positive() {
                needs.extend(transition.needs.as_deref());
            }
        }
        let mut choices = vec![vec![false; self.begin.len()]];
        let mut looked_at = 0;
        while let Some(empty) = choices.pop() {
            looked_at += 1;
            if looked_at > MOST_CHOICES {
                return None;
            }
            if self.least(&empty, &vec![0; self.begin.len()], None)? == Optimum::Infeasible {
                continue;
            }
            let open = needs.iter().filter(|needs| needs.iter().all(|&place| !empty[place]));
            match open.min_by_key(|needs| needs.len()) {
                Some(places) => choices.extend(places.iter().map(|&place| {
                    let mut more = empty.clone();
                    more[place] = true;
                    more
                })),
                None => {
                    if let Some(marking) = self.other_than_initial(&empty)? {
                        return Some(Stuck::Also(marking));
                    }
                }
            }
        }
        Some(Stuck::Initially)
    }

    /// A solution with some places empty and a token where there is none in the beginning.
    fn other_than_initial(&self, empty: &[bool]) -> Option<Option<Vec<Rational>>> {
        let mut weights = vec![0; self.begin.len()];
        self.unmarked().into_iter().for_each(|place| weights[place] = -1);
        match self.least(empty, &weights, None)? {
            Optimum::At { value, .. } if value.is_zero() => Some(None),
            Optimum::At { point, .. } => Some(Some(point)),
            // There are more of them the larger the number is.
            Optimum::Unbounded => match self.least(empty, &weights, Some(1_000))? {
                Optimum::At { point, .. } => Some(Some(point)),
                Optimum::Infeasible | Optimum::Unbounded => None,
            },
            Optimum::Infeasible => None,
        }
    }

    /// The least value of a sum over the solutions with some places empty: for all numbers, or for one, counted from the first.
    /// The point has the places, and then how far the number is from the first.
    fn least(&self, empty: &[bool], weights: &[i64], number: Option<i64>) -> Option<Optimum> {
        self.program(empty, weights, 0, number)
    }

    /// The same for what a sum is above a multiple of how far the number is from the first.
    fn least_above(&self, empty: &[bool], weights: &[i64], multiple: i64) -> Option<Optimum> {
        self.program(empty, weights, -multiple, None)
    }

    fn program(&self, empty: &[bool], weights: &[i64], of_number: i64, number: Option<i64>) -> Option<Optimum> {
        let kept: Vec<usize> = (0..empty.len()).filter(|&place| !empty[place]).collect();
        let mut rows = Vec::with_capacity(self.flows.len() + 1);
        let mut right = Vec::with_capacity(self.flows.len() + 1);
        for flow in self.flows {
            let mut row: Vec<Rational> = kept.iter().map(|&place| flow[place]).collect();
            row.push(weigh(flow, self.growth)?.negated());
            rows.push(row);
            right.push(weigh(flow, self.begin)?);
        }
        if let Some(number) = number {
            rows.push(kept.iter().map(|_| Rational::ZERO).chain([Rational::ONE]).collect());
            right.push(Rational::from(number));
        }
        let cost = kept.iter().map(|&place| weights[place]).chain([of_number]).map(Rational::from);
        Some(match minimise(&rows, &right, &cost.collect::<Vec<_>>())? {
            Optimum::At { point, value } => {
                let mut marking = vec![Rational::ZERO; empty.len() + 1];
                for (&place, &tokens) in kept.iter().chain([&empty.len()]).zip(&point) {
                    marking[place] = tokens;
                }
                Optimum::At { point: marking, value }
            }
            other => other,
        })
    }
}

/// What a flow makes of numbers of tokens.
pub(super) fn weigh(flow: &[Rational], tokens: &[i64]) -> Option<Rational> {
    let mut sum = Rational::ZERO;
    for (weight, &tokens) in flow.iter().zip(tokens).filter(|(weight, _)| !weight.is_zero()) {
        sum = sum.plus(weight.times(Rational::from(tokens))?)?;
    }
    Some(sum)
}
