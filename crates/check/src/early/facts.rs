//! Formulas made simpler by what is the same in all markings.
//!
//! A part of a formula that is about one state and that no marking meets is false wherever it stands, and one whose negation none
//! meets is true. What temporal operators make of constants follows, and what is left is about fewer places.

use mandala_model::net::Net;
use mandala_model::property::{BinaryOperator, Formula, Quantifier, UnaryOperator};

use super::goals::{GoalIndex, Goals};

/// A part of a formula, about one state, with the goals that say whether it ever holds, and whether it ever does not.
#[derive(Debug)]
pub(super) struct Fact {
    pub formula: Formula,
    pub holds: GoalIndex,
    pub fails: GoalIndex,
}

/// How many parts of formulas are looked at.
const MOST: usize = 600;

/// Adds the parts of a formula that are about one state, the larger ones first.
pub(super) fn collect(net: &Net, goals: &mut Goals, formula: &Formula, facts: &mut Vec<Fact>) {
    let mut open = vec![formula];
    let mut next = 0;
    while let (Some(&formula), true) = (open.get(next), facts.len() < MOST) {
        next += 1;
        match formula {
            Formula::Not(f) | Formula::Unary(_, _, f) => open.push(f),
            Formula::And(parts) | Formula::Or(parts) => open.extend(parts),
            Formula::Binary(_, _, f, g) => open.extend([&**f, &**g]),
            Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => {}
        }
        let is_new = || facts.iter().all(|fact| fact.formula != *formula);
        let is_asked = !formula.is_temporal() && !matches!(formula, Formula::Constant(_) | Formula::Not(_));
        if is_asked
            && is_new()
            && let (Some(holds), Some(fails)) = (goals.add(net, formula, true), goals.add(net, formula, false))
        {
            facts.push(Fact { formula: formula.clone(), holds, fails });
        }
    }
}

/// A formula of CTL or LTL with what is known of its parts about one state.
pub(super) fn simplified(formula: &Formula, truth: &impl Fn(&Formula) -> Option<bool>) -> Formula {
    if let Some(known) = truth(formula) {
        return Formula::Constant(known);
    }
    match formula {
        Formula::Not(f) => negated(simplified(f, truth)),
        Formula::And(parts) => combined(parts, true, truth),
        Formula::Or(parts) => combined(parts, false, truth),
        Formula::Unary(quantifier, operator, f) => unary(*quantifier, *operator, simplified(f, truth)),
        Formula::Binary(quantifier, operator, f, g) => {
            binary(*quantifier, *operator, simplified(f, truth), simplified(g, truth))
        }
        Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => formula.clone(),
    }
}

fn negated(formula: Formula) -> Formula {
    match formula {
        Formula::Constant(truth) => Formula::Constant(!truth),
        Formula::Not(inner) => *inner,
        other => Formula::Not(Box::new(other)),
    }
}

/// All of some formulas, or one of them. `neutral` is the truth that changes nothing.
fn combined(parts: &[Formula], neutral: bool, truth: &impl Fn(&Formula) -> Option<bool>) -> Formula {
    let mut left: Vec<Formula> = Vec::with_capacity(parts.len());
    for part in parts {
        match simplified(part, truth) {
            Formula::Constant(truth) if truth == neutral => {}
            Formula::Constant(truth) => return Formula::Constant(truth),
            part if left.contains(&part) => {}
            part => left.push(part),
        }
    }
    match left.len() {
        0 => Formula::Constant(neutral),
        1 => left.remove(0),
        _ if neutral => Formula::And(left),
        _ => Formula::Or(left),
    }
}

fn unary(quantifier: Quantifier, operator: UnaryOperator, f: Formula) -> Formula {
    let is_settled = match (&f, operator) {
        (Formula::Constant(_), UnaryOperator::Finally | UnaryOperator::Globally) => true,
        // There may be no next state, for those who ask for one.
        (Formula::Constant(truth), UnaryOperator::Next) => match quantifier {
            Quantifier::None => true,
            Quantifier::All => *truth,
            Quantifier::Exists => !truth,
        },
        (Formula::Unary(inner, same, _), _) => {
            *inner == quantifier && *same == operator && operator != UnaryOperator::Next
        }
        _ => false,
    };
    if is_settled { f } else { Formula::Unary(quantifier, operator, Box::new(f)) }
}

fn binary(quantifier: Quantifier, operator: BinaryOperator, f: Formula, g: Formula) -> Formula {
    use BinaryOperator::{Release, StrongRelease, Until, WeakUntil};
    let constant = |formula: &Formula| match formula {
        Formula::Constant(truth) => Some(*truth),
        _ => None,
    };
    match (operator, constant(&f), constant(&g)) {
        (Until | WeakUntil, _, Some(true)) | (Until, _, Some(false)) | (Until | WeakUntil, Some(false), _) => g,
        (Until, Some(true), _) => unary(quantifier, UnaryOperator::Finally, g),
        (WeakUntil, Some(true), _) => Formula::Constant(true),
        (WeakUntil, _, Some(false)) => unary(quantifier, UnaryOperator::Globally, f),
        (Release | StrongRelease, Some(true), _)
        | (Release | StrongRelease, _, Some(false))
        | (Release, _, Some(true)) => g,
        (StrongRelease, Some(false), _) => Formula::Constant(false),
        (StrongRelease, _, Some(true)) => unary(quantifier, UnaryOperator::Finally, f),
        (Release, Some(false), _) => unary(quantifier, UnaryOperator::Globally, g),
        _ => Formula::Binary(quantifier, operator, Box::new(f), Box::new(g)),
    }
}
