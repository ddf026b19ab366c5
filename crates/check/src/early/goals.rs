//! What runs through a net look for: conditions on markings, and sums whose extremes are asked for.

use mandala_model::expression::{Comparison, Integer};
use mandala_model::net::Net;
use mandala_model::property::{Atom, Formula, Linear};
use mandala_model::system::Location;
use rustc_hash::FxHashMap;

/// A condition on a marking. Negations stand nowhere but in what is compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    Constant(bool),
    /// A sum is at least a number.
    AtLeast(u32, i64),
    /// A sum is at most a number.
    AtMost(u32, i64),
    /// One transition of a group can fire.
    Fires(u32),
    /// None of a group can.
    NoneFires(u32),
    /// Nothing can fire.
    Dead,
    /// Something can fire.
    Alive,
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// A sum of multiples of places, each place once, in ascending order.
pub(crate) type Sum = Vec<(u32, i64)>;

/// The number of a goal.
pub(crate) type GoalIndex = usize;

/// Conditions that are looked for, over sums and groups of transitions that they share.
#[derive(Debug, Default)]
pub(crate) struct Goals {
    pub sums: Vec<Sum>,
    pub groups: Vec<Vec<u32>>,
    pub conditions: Vec<Condition>,
    /// Sums whose extremes are asked for.
    pub extremes: Vec<u32>,
    known_sums: FxHashMap<Sum, u32>,
    known_groups: FxHashMap<Vec<u32>, u32>,
    known_conditions: FxHashMap<Condition, GoalIndex>,
}

impl Goals {
    /// Looks for a marking that satisfies a formula about one state, or for one that does not. Nothing if it is about something
    /// else than places and transitions of the net.
    pub fn add(&mut self, net: &Net, formula: &Formula, holds: bool) -> Option<GoalIndex> {
        let condition = self.condition(net, formula, holds)?;
        if let Some(&known) = self.known_conditions.get(&condition) {
            return Some(known);
        }
        let index = self.conditions.len();
        self.known_conditions.insert(condition.clone(), index);
        self.conditions.push(condition);
        Some(index)
    }

    /// Asks for the extremes of a sum: its number, and what is to be added to them.
    pub fn add_extremes(&mut self, net: &Net, quantity: &Integer<Location>) -> Option<(u32, i64)> {
        let (sum, constant) = self.linear(net, &Linear::of(quantity).ok()?)?;
        if !self.extremes.contains(&sum) {
            self.extremes.push(sum);
        }
        Some((sum, constant))
    }

    /// The condition that a formula is, or that it is not.
    pub fn condition(&mut self, net: &Net, formula: &Formula, holds: bool) -> Option<Condition> {
        Some(match formula {
            Formula::Constant(truth) => Condition::Constant(*truth == holds),
            // Nets have no error state.
            Formula::Error => Condition::Constant(!holds),
            Formula::Deadlock => {
                if holds {
                    Condition::Dead
                } else {
                    Condition::Alive
                }
            }
            Formula::Not(inner) => self.condition(net, inner, !holds)?,
            Formula::And(parts) | Formula::Or(parts) => {
                let parts = parts.iter().map(|part| self.condition(net, part, holds)).collect::<Option<Vec<_>>>()?;
                let is_all = matches!(formula, Formula::And(_)) == holds;
                combined(parts, is_all)
            }
            Formula::Atom(Atom::Fireable(transitions)) => {
                let mut group = Vec::with_capacity(transitions.len());
                for one in transitions {
                    let exists = one.path.is_empty() && (one.index as usize) < net.transitions.len();
                    group.push(exists.then_some(one.index)?);
                }
                group.sort_unstable();
                group.dedup();
                let next = self.groups.len() as u32;
                let index = *self.known_groups.entry(group.clone()).or_insert(next);
                if index == next {
                    self.groups.push(group);
                }
                if holds { Condition::Fires(index) } else { Condition::NoneFires(index) }
            }
            Formula::Atom(Atom::Compare(comparison, left, right)) => {
                let difference = Linear::of(left).ok()?.plus(Linear::of(right).ok()?, -1).ok()?;
                let (sum, constant) = self.linear(net, &difference)?;
                let bound = constant.checked_neg()?;
                let (above, below) = (bound.checked_add(1)?, bound.checked_sub(1)?);
                match if holds { *comparison } else { comparison.negated() } {
                    Comparison::GreaterOrEqual => Condition::AtLeast(sum, bound),
                    Comparison::Greater => Condition::AtLeast(sum, above),
                    Comparison::LessOrEqual => Condition::AtMost(sum, bound),
                    Comparison::Less => Condition::AtMost(sum, below),
                    Comparison::Equal => {
                        Condition::All(vec![Condition::AtLeast(sum, bound), Condition::AtMost(sum, bound)])
                    }
                    Comparison::NotEqual => {
                        Condition::Any(vec![Condition::AtLeast(sum, above), Condition::AtMost(sum, below)])
                    }
                }
            }
            Formula::Atom(Atom::Fired(_)) | Formula::Unary(..) | Formula::Binary(..) => return None,
        })
    }

    /// The number of a sum, and its constant.
    fn linear(&mut self, net: &Net, linear: &Linear) -> Option<(u32, i64)> {
        let mut sum = Sum::with_capacity(linear.terms.len());
        for (place, factor) in &linear.terms {
            let exists = place.path.is_empty() && (place.index as usize) < net.places.len();
            sum.push((exists.then_some(place.index)?, *factor));
        }
        let next = self.sums.len() as u32;
        let index = *self.known_sums.entry(sum.clone()).or_insert(next);
        if index == next {
            self.sums.push(sum);
        }
        Some((index, linear.constant))
    }
}

/// All of some conditions, or one of them.
fn combined(parts: Vec<Condition>, is_all: bool) -> Condition {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Condition::Constant(truth) if truth == is_all => {}
            Condition::Constant(truth) => return Condition::Constant(truth),
            Condition::All(inner) if is_all => flat.extend(inner),
            Condition::Any(inner) if !is_all => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Condition::Constant(is_all),
        1 => flat.remove(0),
        _ if is_all => Condition::All(flat),
        _ => Condition::Any(flat),
    }
}
