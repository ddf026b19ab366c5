//! What shows that no reachable marking meets a condition, without the markings.
//!
//! It can be checked by hand: that the cases are all there are, that no transition makes a sum greater, and what it is in the beginning.

use mandala_analysis::equation::{Condition as Inequality, Weighing};
use mandala_model::property::{Formula, Quantifier, Question};

/// Longer proofs are not kept.
const MOST_CASES: usize = 200;

/// What shows that no reachable marking meets a condition.
#[derive(Clone, Debug)]
pub enum Proof {
    /// A marking that meets it would be in one of these cases, and no reachable marking is.
    Cases(Vec<ProofCase>),
    /// Of deadlocks: every siphon holds a trap that is marked in the beginning.
    MarkedTraps,
}

/// The answer to a question that no run and no state would show, but only a proof, if there is one.
pub(super) fn unseen(question: &Question) -> Option<bool> {
    match question {
        Question::Reachable(_) => Some(false),
        Question::Invariant(_) | Question::Never(_) | Question::Ltl(_) | Question::Live(_) => Some(true),
        Question::Ctl(formula) => unseen_of(formula),
        Question::Bounds(_) | Question::CtlStar(_) => None,
    }
}

/// The same of a formula of CTL: that an operator with `A` holds, or that one with `E` does not.
fn unseen_of(formula: &Formula) -> Option<bool> {
    let mut is_negated = false;
    let mut formula = formula;
    while let Formula::Not(inner) = formula {
        (is_negated, formula) = (!is_negated, inner);
    }
    match formula {
        Formula::Unary(quantifier, ..) | Formula::Binary(quantifier, ..) => {
            Some((*quantifier == Quantifier::All) != is_negated)
        }
        _ => None,
    }
}

/// A case, and why no reachable marking is in it: no transition makes the weighed sum of the tokens greater, and in this case it would
/// be greater than in the beginning.
#[derive(Clone, Debug)]
pub struct ProofCase {
    /// What holds in this case.
    pub assumed: Vec<Inequality>,
    /// What holds in all reachable markings of it: that traps hold a token, and that of places with at most one token each one is empty
    /// where a transition that needs all of them cannot fire.
    pub added: Vec<Inequality>,
    /// The weights, and a factor for each of the assumed and then of the added inequalities.
    pub weighing: Weighing,
}

impl ProofCase {
    /// The weighed sum in the beginning, and what it would have to be at least; nothing if that is too large a number.
    pub fn weights(&self, initial: &[i32]) -> Option<(i128, i128)> {
        let mut in_the_beginning: i128 = 0;
        for &(place, weight) in &self.weighing.weights {
            let tokens = i128::from(*initial.get(place as usize)?);
            in_the_beginning = in_the_beginning.checked_add(i128::from(weight).checked_mul(tokens)?)?;
        }
        let mut needed: i128 = 0;
        for (condition, factor) in self.used() {
            needed = needed.checked_add(i128::from(condition.least).checked_mul(i128::from(factor))?)?;
        }
        Some((in_the_beginning, needed))
    }

    /// The inequalities that matter, with their factors.
    pub fn used(&self) -> impl Iterator<Item = (&Inequality, i64)> {
        let all = self.assumed.iter().chain(&self.added).zip(self.weighing.factors.iter().copied());
        all.filter(|(_, factor)| *factor != 0)
    }
}

impl Proof {
    /// A proof by cases, if there are some and not too many.
    pub(super) fn of_cases(cases: Vec<ProofCase>) -> Option<Proof> {
        (1..=MOST_CASES).contains(&cases.len()).then_some(Proof::Cases(cases))
    }
}
