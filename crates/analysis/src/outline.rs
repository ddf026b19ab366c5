//! What is known of a net without looking at its markings.
//!
//! A place that is empty stays so until a transition that may fire puts a token there, and a transition may fire only if
//! none of the places it needs is empty for ever. What follows from this alone is true of every reachable marking, also of
//! a net that has infinitely many, or too many to look at: which transitions never fire, and which places never change.
//! Priorities only take runs away, so that it is true of a net with them too.

use mandala_model::net::Net;
use mandala_model::property::{Atom, Formula, Linear, Question};
use mandala_model::system::{Location, System, Type};

/// A net in outline.
pub struct Outline {
    /// Which transitions may fire, as far as can be seen.
    may_fire: Vec<bool>,
    /// The tokens in each place: a number if it is always the same.
    tokens: Vec<Option<i32>>,
}

impl Outline {
    /// The outline of a system that is a net with one initial marking.
    pub fn of(system: &System) -> Option<Outline> {
        let Type::Net(net) = system.main_type() else { return None };
        let [begin] = system.begins[..] else { return None };
        let marking = &net.initial.get(begin)?.marking;
        let may_fire = may_fire(net, marking);
        let mut tokens: Vec<Option<i32>> = marking.iter().copied().map(Some).collect();
        for (transition, _) in net.transitions.iter().zip(&may_fire).filter(|(_, fires)| **fires) {
            for effect in transition.effects.iter().filter(|effect| effect.reset || effect.take != effect.put) {
                tokens[effect.place as usize] = None;
            }
        }
        Some(Outline { may_fire, tokens })
    }

    /// The transitions that never fire: one of the places they need is empty for ever.
    pub fn dead_transitions(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.may_fire).filter(|(_, fires)| !**fires).map(|(index, _)| index)
    }

    /// The answer to a question, if it can be seen here.
    pub fn answer(&self, question: &Question) -> Option<bool> {
        match question {
            Question::Reachable(formula) => (self.truth(formula) == Some(false)).then_some(false),
            Question::Never(formula) => (self.truth(formula) == Some(false)).then_some(true),
            Question::Invariant(formula) => (self.truth(formula) == Some(true)).then_some(true),
            Question::Live(groups) => {
                let never = |group: &Vec<Location>| group.iter().all(|one| self.never_fires(one));
                groups.iter().any(never).then_some(false)
            }
            Question::Bounds(_) | Question::Ctl(_) | Question::Ltl(_) | Question::CtlStar(_) => None,
        }
    }

    fn never_fires(&self, transition: &Location) -> bool {
        transition.path.is_empty() && self.may_fire.get(transition.index as usize) == Some(&false)
    }

    /// The truth of a formula about one state, if it is the same in all.
    fn truth(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Constant(truth) => Some(*truth),
            Formula::Not(inner) => self.truth(inner).map(|truth| !truth),
            Formula::And(parts) => self.combined(parts, true),
            Formula::Or(parts) => self.combined(parts, false),
            Formula::Atom(Atom::Fireable(transitions)) => {
                transitions.iter().all(|one| self.never_fires(one)).then_some(false)
            }
            Formula::Atom(Atom::Compare(comparison, left, right)) => {
                let (left, right) = (self.value(&Linear::of(left).ok()?)?, self.value(&Linear::of(right).ok()?)?);
                Some(comparison.holds(&left, &right))
            }
            Formula::Atom(Atom::Fired(_))
            | Formula::Deadlock
            | Formula::Error
            | Formula::Unary(..)
            | Formula::Binary(..) => None,
        }
    }

    /// All of some formulas, or one of them. `neutral` is the truth that changes nothing.
    fn combined(&self, parts: &[Formula], neutral: bool) -> Option<bool> {
        let mut all = Some(neutral);
        for part in parts {
            match self.truth(part) {
                Some(truth) if truth != neutral => return Some(truth),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }

    /// A sum, if it is always the same.
    fn value(&self, sum: &Linear) -> Option<i64> {
        let mut value = sum.constant;
        for (place, factor) in &sum.terms {
            let tokens = self.tokens.get(place.index as usize).copied().flatten().filter(|_| place.path.is_empty())?;
            value = value.checked_add(i64::from(tokens).checked_mul(*factor)?)?;
        }
        Some(value)
    }
}

/// Which transitions may fire: those that need no place that is empty for ever.
fn may_fire(net: &Net, marking: &[i32]) -> Vec<bool> {
    let mut marked: Vec<bool> = marking.iter().map(|&tokens| tokens > 0).collect();
    let mut fires = vec![false; net.transitions.len()];
    loop {
        let mut changed = false;
        for (transition, fires) in net.transitions.iter().zip(&mut fires).filter(|(_, fires)| !**fires) {
            if transition.effects.iter().all(|effect| effect.needs() == 0 || marked[effect.place as usize]) {
                for effect in transition.effects.iter().filter(|effect| effect.put > 0) {
                    marked[effect.place as usize] = true;
                }
                (*fires, changed) = (true, true);
            }
        }
        if !changed {
            return fires;
        }
    }
}
