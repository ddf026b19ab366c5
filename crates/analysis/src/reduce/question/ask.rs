//! What questions look at, and how they are asked of a reduced net.

use super::Keeps;
use crate::reduce::Equation;
use mandala_model::expression::{BinaryOperator as Arithmetic, Comparison, Integer};
use mandala_model::net::Net;
use mandala_model::property::{Atom, Formula, Linear, Quantifier, Question, UnaryOperator};
use mandala_model::system::Location;
use rustc_hash::FxHashMap;

/// What questions look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// What they ask of runs.
    pub keeps: Keeps,
    /// The places that they look at, ascending.
    pub places: Vec<u32>,
}

impl Look {
    /// What a question about a net looks at. Nothing if it asks what a reduced net cannot say.
    pub fn at(net: &Net, question: &Question) -> Option<Look> {
        let mut places = Vec::new();
        let keeps = match question {
            Question::Reachable(formula) | Question::Never(formula) | Question::Invariant(formula) => {
                look_at(net, formula, &mut places)?;
                of_state(question, formula)
            }
            Question::Bounds(sum) => {
                look_at_sum(net, &Linear::of(sum).ok()?, &mut places)?;
                Keeps::Markings
            }
            Question::Ctl(formula) => {
                look_at(net, formula, &mut places)?;
                of_branches(formula)
            }
            Question::Ltl(formula) => {
                look_at(net, formula, &mut places)?;
                of_runs(formula)
            }
            Question::Live(_) | Question::CtlStar(_) => return None,
        };
        places.sort_unstable();
        places.dedup();
        Some(Look { keeps, places })
    }

    /// What both look at.
    pub fn and(mut self, other: &Look) -> Look {
        self.keeps = self.keeps.max(other.keeps);
        self.places.extend(&other.places);
        self.places.sort_unstable();
        self.places.dedup();
        self
    }
}

/// What is asked with a formula about one state. A deadlock is known of maximal runs, but not whether a marking that is no
/// deadlock can be left.
fn of_state(question: &Question, formula: &Formula) -> Keeps {
    let is_deadlock = match (question, formula) {
        (Question::Reachable(_) | Question::Never(_), Formula::Deadlock) => true,
        (Question::Invariant(_), Formula::Not(inner)) => **inner == Formula::Deadlock,
        _ => false,
    };
    match mentions_deadlock(formula) {
        false => Keeps::Markings,
        true if is_deadlock => Keeps::Runs,
        true => Keeps::Steps,
    }
}

/// What is asked with a formula of CTL.
fn of_branches(formula: &Formula) -> Keeps {
    if mentions_deadlock(formula) || mentions_next(formula) {
        Keeps::Steps
    } else if is_of_markings(formula) {
        Keeps::Markings
    } else {
        Keeps::Branches
    }
}

/// What is asked with a formula of LTL.
fn of_runs(formula: &Formula) -> Keeps {
    if mentions_deadlock(formula) || mentions_next(formula) {
        return Keeps::Steps;
    }
    match formula {
        Formula::Unary(Quantifier::None, UnaryOperator::Globally, inner) if !inner.is_temporal() => Keeps::Markings,
        _ if !formula.is_temporal() => Keeps::Markings,
        _ => Keeps::Runs,
    }
}

/// Whether a formula of CTL only asks about the initial marking and which markings can be reached.
fn is_of_markings(formula: &Formula) -> bool {
    match formula {
        Formula::Unary(Quantifier::Exists, UnaryOperator::Finally, inner)
        | Formula::Unary(Quantifier::All, UnaryOperator::Globally, inner) => !inner.is_temporal(),
        Formula::Not(inner) => is_of_markings(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(is_of_markings),
        Formula::Constant(_) | Formula::Atom(_) => true,
        Formula::Unary(..) | Formula::Binary(..) | Formula::Deadlock | Formula::Error => false,
    }
}

fn mentions_deadlock(formula: &Formula) -> bool {
    any(formula, &|part| matches!(part, Formula::Deadlock))
}

fn mentions_next(formula: &Formula) -> bool {
    any(formula, &|part| matches!(part, Formula::Unary(_, UnaryOperator::Next, _)))
}

/// Whether something is true of a formula or of a part of it.
fn any(formula: &Formula, is: &impl Fn(&Formula) -> bool) -> bool {
    is(formula)
        || match formula {
            Formula::Not(inner) | Formula::Unary(_, _, inner) => any(inner, is),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| any(part, is)),
            Formula::Binary(_, _, left, right) => any(left, is) || any(right, is),
            Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => false,
        }
}

/// The places that a formula looks at. Nothing if it looks at something else.
fn look_at(net: &Net, formula: &Formula, places: &mut Vec<u32>) -> Option<()> {
    let unchanged = formula.map(&mut |atom: &Atom| {
        match atom {
            Atom::Compare(_, left, right) => {
                look_at_sum(net, &Linear::of(left).ok()?.plus(Linear::of(right).ok()?, -1).ok()?, places)?;
            }
            Atom::Fireable(transitions) => {
                for one in transitions {
                    let transition = net.transitions.get(one.index as usize).filter(|_| one.path.is_empty())?;
                    let needed = transition.effects.iter().filter(|effect| effect.needs() > 0);
                    places.extend(needed.map(|effect| effect.place));
                }
            }
            Atom::Fired(_) => return None,
        }
        Some(Formula::<Atom>::Constant(true))
    });
    unchanged.map(|_| ())
}

fn look_at_sum(net: &Net, sum: &Linear, places: &mut Vec<u32>) -> Option<()> {
    for (place, _) in &sum.terms {
        let is_known = place.path.is_empty() && (place.index as usize) < net.places.len();
        places.push(is_known.then_some(place.index)?);
    }
    Some(())
}

/// What the places of a net hold, in terms of those of the reduced net.
#[derive(Clone, Debug)]
pub(super) struct Values {
    /// By node: the place of the reduced net; the greatest number for those that are gone.
    place_of: Vec<u32>,
    /// What is gone and follows from others: terms by node, and a constant.
    follows: FxHashMap<u32, (Vec<(u32, i64)>, i64)>,
}

impl Values {
    pub(super) fn new(equations: &[Equation], place_of: Vec<u32>) -> Values {
        let mut follows = FxHashMap::default();
        for equation in equations {
            // Of a multiple nothing is asked: such places were never visible.
            if let Equation::Follows { place, factor: 1, terms, constant } = equation {
                follows.insert(*place, (terms.clone(), *constant));
            }
        }
        Values { place_of, follows }
    }

    /// A sum over places of the net, over those of the reduced net.
    fn sum(&self, sum: &Linear) -> Option<Linear> {
        let mut known = Linear { terms: Vec::new(), constant: sum.constant };
        let mut open: Vec<(u32, i64)> = sum.terms.iter().map(|(place, factor)| (place.index, *factor)).collect();
        while let Some((place, factor)) = open.pop() {
            match *self.place_of.get(place as usize)? {
                // A place follows from places that were there when it was taken away, so that this ends.
                u32::MAX => {
                    let (terms, constant) = self.follows.get(&place)?;
                    known.constant = known.constant.checked_add(constant.checked_mul(factor)?)?;
                    for &(other, times) in terms {
                        open.push((other, times.checked_mul(factor)?));
                    }
                }
                index => {
                    let term = Linear { terms: vec![(Location { path: Vec::new(), index }, factor)], constant: 0 };
                    known = known.plus(term, 1).ok()?;
                }
            }
        }
        Some(known)
    }
}

/// A question about a net, asked of the reduced net.
pub(super) fn rewritten(net: &Net, values: &Values, question: &Question) -> Option<Question> {
    let state = |formula: &Formula| {
        formula.map(&mut |atom: &Atom| match atom {
            Atom::Compare(comparison, left, right) => {
                let difference = Linear::of(left).ok()?.plus(Linear::of(right).ok()?, -1).ok()?;
                compared(*comparison, values.sum(&difference)?)
            }
            Atom::Fireable(transitions) => {
                let can_fire = |one: &Location| {
                    let transition = net.transitions.get(one.index as usize)?;
                    let needs = transition.effects.iter().filter(|effect| effect.needs() > 0).map(|effect| {
                        let place = Location { path: Vec::new(), index: effect.place };
                        let constant = -i64::from(effect.needs());
                        compared(Comparison::GreaterOrEqual, values.sum(&Linear { terms: vec![(place, 1)], constant })?)
                    });
                    Some(all(needs.collect::<Option<Vec<_>>>()?))
                };
                let parts: Vec<Formula> = transitions.iter().map(can_fire).collect::<Option<_>>()?;
                let is_sure = parts.contains(&Formula::Constant(true));
                let mut parts: Vec<Formula> =
                    parts.into_iter().filter(|part| *part != Formula::Constant(false)).collect();
                Some(match parts.len() {
                    _ if is_sure => Formula::Constant(true),
                    0 => Formula::Constant(false),
                    1 => parts.remove(0),
                    _ => Formula::Or(parts),
                })
            }
            Atom::Fired(_) => None,
        })
    };
    Some(match question {
        Question::Reachable(formula) => Question::Reachable(state(formula)?),
        Question::Never(formula) => Question::Never(state(formula)?),
        Question::Invariant(formula) => Question::Invariant(state(formula)?),
        Question::Ctl(formula) => Question::Ctl(state(formula)?),
        Question::Ltl(formula) => Question::Ltl(state(formula)?),
        Question::Bounds(sum) => {
            let sum = values.sum(&Linear::of(sum).ok()?)?;
            let constant = i32::try_from(sum.constant).ok()?;
            let mut terms = written(&sum.terms)?;
            terms.push(Integer::Constant(constant));
            Question::Bounds(Integer::Sum(terms))
        }
        Question::Live(_) | Question::CtlStar(_) => return None,
    })
}

/// All of some conditions.
fn all(parts: Vec<Formula>) -> Formula {
    if parts.contains(&Formula::Constant(false)) {
        return Formula::Constant(false);
    }
    let mut parts: Vec<Formula> = parts.into_iter().filter(|part| *part != Formula::Constant(true)).collect();
    match parts.len() {
        0 => Formula::Constant(true),
        1 => parts.remove(0),
        _ => Formula::And(parts),
    }
}

/// A sum compared with 0.
fn compared(comparison: Comparison, sum: Linear) -> Option<Formula> {
    if sum.terms.is_empty() {
        return Some(Formula::Constant(comparison.holds(&sum.constant, &0)));
    }
    let bound = i32::try_from(sum.constant.checked_neg()?).ok()?;
    let mut terms = written(&sum.terms)?;
    let left = if terms.len() == 1 { terms.remove(0) } else { Integer::Sum(terms) };
    Some(Formula::Atom(Atom::Compare(comparison, left, Integer::Constant(bound))))
}

/// Multiples of places as expressions.
fn written(terms: &[(Location, i64)]) -> Option<Vec<Integer<Location>>> {
    let write = |(place, factor): &(Location, i64)| {
        let place = Integer::Variable(place.clone());
        Some(match i32::try_from(*factor).ok()? {
            1 => place,
            factor => Integer::Binary(Arithmetic::Multiply, Box::new(Integer::Constant(factor)), Box::new(place)),
        })
    };
    terms.iter().map(write).collect()
}
