//! The state equation: what no marking can satisfy, whatever fires.
//!
//! Every reachable marking is `M0 + C x` for some number of firings `x`, so that a *weighing* of the places that no transition
//! makes heavier stays at or below what it is in the beginning: if `y C <= 0` then `y M <= y M0`. A set of conditions
//! `a M >= b` is met by no reachable marking if some weighing says so: with factors `z >= 0` of the conditions and
//! `y >= z a` (markings are not negative) they would give `y M >= z a M >= z b`, and `z b > y M0` is a contradiction. By the
//! lemma of Farkas there is such a weighing exactly if the state equation has no solution in rational numbers that are not
//! negative (Murata, "Petri nets: properties, analysis and applications", 1989; Esparza and Melzer, "Verification of safety
//! properties using integer programming", 2000).
//!
//! A linear program in floating point *proposes* the weighing; it is rounded to integers, and the three inequalities are
//! checked exactly. So a mistake of the solver can lose a proof and never make one.
//!
//! What the equation alone allows may still be impossible: a trap that is marked in the beginning is so for ever, which is a
//! condition that all markings meet (`trap`).
//!
//! Inhibitor arcs, read arcs, capacities and priorities only take firings away. Reset arcs are no part of the equation: nets
//! that have some are refused.

mod plan;
mod program;
mod trap;
mod weighing;

pub use plan::Plan;
pub use trap::{Traps, holds_a_token};
pub use weighing::Weighing;

use std::time::Instant;

use mandala_model::net::Net;
use rustc_hash::FxHashMap;

/// A condition on a marking: a sum of multiples of places is at least a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Places with their factors, each place once.
    pub terms: Vec<(u32, i64)>,
    /// The number.
    pub least: i64,
}

/// The state equation of a net with one initial marking.
pub struct Equation {
    initial: Vec<i32>,
    /// What transitions do to places, each effect once, without what changes nothing.
    effects: Vec<Vec<(u32, i64)>>,
    /// The effects that change a place, by place.
    of_place: Vec<Vec<u32>>,
    /// The effect of each transition; nothing if it changes nothing.
    of_transition: Vec<Option<u32>>,
}

impl Equation {
    /// The equation of a net that begins with a marking. Nothing if the net has reset arcs.
    pub fn new(net: &Net, initial: &[i32]) -> Option<Equation> {
        let mut effects: Vec<Vec<(u32, i64)>> = Vec::new();
        let mut known: FxHashMap<Vec<(u32, i64)>, u32> = FxHashMap::default();
        let mut of_transition = Vec::with_capacity(net.transitions.len());
        for transition in &net.transitions {
            if transition.effects.iter().any(|effect| effect.reset) {
                return None;
            }
            let change = |effect: &mandala_model::net::Effect| i64::from(effect.put) - i64::from(effect.take);
            let changes = transition.effects.iter().map(|effect| (effect.place, change(effect)));
            let changes: Vec<(u32, i64)> = changes.filter(|(_, change)| *change != 0).collect();
            of_transition.push((!changes.is_empty()).then(|| {
                *known.entry(changes).or_insert_with_key(|changes| {
                    effects.push(changes.clone());
                    effects.len() as u32 - 1
                })
            }));
        }
        let mut of_place: Vec<Vec<u32>> = vec![Vec::new(); net.places.len()];
        for (index, effect) in (0u32..).zip(&effects) {
            for &(place, _) in effect {
                of_place[place as usize].push(index);
            }
        }
        Some(Equation { initial: initial.to_vec(), effects, of_place, of_transition })
    }

    /// A weighing that shows that no reachable marking meets all of some conditions, if one is found before the deadline.
    pub fn refute(&self, conditions: &[Condition], deadline: Instant) -> Option<Weighing> {
        program::propose(self, conditions, deadline)
    }

    /// How often what is to fire, by transition, for a marking that meets some conditions and, of these, one with as much of a sum
    /// as there can be: a solution of the equation, rounded. Whether anything can fire in that order is another question; and
    /// transitions that do the same have their number together. Nothing if there is no solution, or none was found in time.
    pub fn plan(&self, conditions: &[Condition], most_of: &[(u32, i64)], deadline: Instant) -> Option<Plan> {
        plan::plan(self, conditions, most_of, deadline)
    }

    /// Whether the equation is small enough for [`Equation::plan`] and [`Equation::solution`].
    pub fn has_solutions(&self) -> bool {
        plan::is_small(self)
    }

    /// A marking that the equation allows and that meets some conditions, in rational numbers and about: where it comes from a floating
    /// point solver, nothing may be concluded from it. Nothing if there is none, or none was found in time.
    pub fn solution(&self, conditions: &[Condition], deadline: Instant) -> Option<Vec<f64>> {
        plan::marking(self, conditions, deadline)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mandala_model::net::{Effect, Initial, Net, Place, Transition};

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn net(places: usize, transitions: &[&[(u32, i32, i32)]]) -> Net {
        let place = |index: usize| Place { name: format!("p{index}"), capacity: None };
        let transition = |(index, arcs): (usize, &&[(u32, i32, i32)])| Transition {
            name: format!("t{index}"),
            effects: arcs.iter().map(|&(place, take, put)| Effect { take, put, ..Effect::on(place) }).collect(),
            ..Transition::default()
        };
        Net {
            places: (0..places).map(place).collect(),
            transitions: transitions.iter().enumerate().map(transition).collect(),
            initial: vec![Initial { name: String::new(), marking: vec![0; places] }],
            ..Net::default()
        }
    }

    /// Two processes and a lock that one of them holds: both inside at once is refuted, one inside is not.
    #[test]
    fn a_lock_is_held_once() {
        let net = net(
            5,
            &[
                &[(0, 1, 0), (1, 0, 1), (4, 1, 0)],
                &[(0, 0, 1), (1, 1, 0), (4, 0, 1)],
                &[(2, 1, 0), (3, 0, 1), (4, 1, 0)],
                &[(2, 0, 1), (3, 1, 0), (4, 0, 1)],
            ],
        );
        let equation = Equation::new(&net, &[1, 0, 1, 0, 1]).expect("no resets");
        let inside = |place| Condition { terms: vec![(place, 1)], least: 1 };
        let proof = equation.refute(&[inside(1), inside(3)], soon()).expect("a proof");
        assert!(proof.refutes(&equation, &[inside(1), inside(3)]));
        assert!(equation.refute(&[inside(1)], soon()).is_none());
        // A sum, and an upper bound of another.
        let both = Condition { terms: vec![(1, 1), (3, 1)], least: 2 };
        assert!(equation.refute(&[both], soon()).is_some());
        let none = Condition { terms: vec![(0, -1), (1, -1)], least: 0 };
        assert!(equation.refute(&[none], soon()).is_some());
        assert!(!proof.refutes(&equation, &[inside(1)]));
    }

    /// Weighings of random nets: what they exclude is not reached.
    #[test]
    fn what_is_refuted_is_not_reached() {
        let mut random: u64 = 0x1234_5678_9abc_def1;
        let mut below = |bound: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 33) % bound
        };
        let (mut refuted, mut met) = (0, 0);
        for round in 0..400 {
            let places = 2 + below(4) as usize;
            let mut net = net(places, &[]);
            for index in 0..1 + below(5) {
                let mut effects: Vec<Effect> = Vec::new();
                for place in 0..places as u32 {
                    let (take, put) = (below(4).saturating_sub(2) as i32, below(4).saturating_sub(2) as i32);
                    if take + put > 0 {
                        effects.push(Effect { take, put, ..Effect::on(place) });
                    }
                }
                net.transitions.push(Transition { name: format!("t{index}"), effects, ..Transition::default() });
            }
            let initial: Vec<i32> = (0..places).map(|_| below(3) as i32).collect();
            let mut known = vec![initial.clone()];
            let mut next = 0;
            while next < known.len() && known.len() < 400 {
                let marking = known[next].clone();
                next += 1;
                for transition in net.transitions.iter().filter(|one| net.allows(one, &marking)) {
                    let mut after = marking.clone();
                    for effect in &transition.effects {
                        after[effect.place as usize] += effect.put - effect.take;
                    }
                    if !known.contains(&after) {
                        known.push(after);
                    }
                }
            }
            let equation = Equation::new(&net, &initial).expect("no resets");
            for _ in 0..6 {
                let conditions: Vec<Condition> = (0..1 + below(2))
                    .map(|_| {
                        let factors = (0..places as u32).map(|place| (place, below(4) as i64 - 1));
                        let terms: Vec<(u32, i64)> = factors.filter(|(_, factor)| *factor != 0).collect();
                        Condition { terms, least: below(5) as i64 }
                    })
                    .collect();
                let meets = |marking: &Vec<i32>| {
                    let value = |condition: &Condition| -> i64 {
                        condition.terms.iter().map(|(place, factor)| i64::from(marking[*place as usize]) * factor).sum()
                    };
                    conditions.iter().all(|condition| value(condition) >= condition.least)
                };
                let is_met = known.iter().any(meets);
                let proof = equation.refute(&conditions, soon());
                assert!(!(is_met && proof.is_some()), "round {round}: {net:?} {initial:?} {conditions:?}");
                refuted += usize::from(proof.is_some());
                met += usize::from(is_met);
            }
        }
        println!("{refuted} refuted, {met} met");
        assert!(refuted > 100 && met > 100, "{refuted} {met}");
    }
}
