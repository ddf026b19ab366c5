//! From a formula about the states of a system to a formula about words.

use std::fmt;

use mandala_logic::Formulas;
use mandala_model::property::{BinaryOperator, Formula, Quantifier, UnaryOperator};

/// Why a formula is none of LTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotLtl {
    /// It has a quantifier.
    Quantified,
    /// Operators are nested too deeply.
    TooDeep,
}

impl fmt::Display for NotLtl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotLtl::Quantified => write!(f, "the formula has a quantifier, and formulas of LTL have none"),
            NotLtl::TooDeep => write!(f, "the operators of the formula are nested too deeply"),
        }
    }
}

/// How deep operators may be nested.
const DEEPEST: u32 = 1000;

/// How deep operators of CTL* may be nested, each of which may need an automaton of its own.
const DEEPEST_STAR: u32 = 200;

/// A formula of LTL whose largest parts about one state have become what `atom` makes of them.
pub fn read<A: Clone, E: From<NotLtl>>(
    formula: &Formula<A>, formulas: &mut Formulas,
    atom: &mut impl FnMut(&mut Formulas, &Formula<A>) -> Result<mandala_logic::Formula, E>,
) -> Result<mandala_logic::Formula, E> {
    check_depth(formula, Quantified::Refused)?;
    translated(formula, formulas, atom)
}

/// The same of a formula of CTL*: what is quantified speaks of one state.
pub fn read_star<A: Clone, E: From<NotLtl>>(
    formula: &Formula<A>, formulas: &mut Formulas,
    atom: &mut impl FnMut(&mut Formulas, &Formula<A>) -> Result<mandala_logic::Formula, E>,
) -> Result<mandala_logic::Formula, E> {
    check_depth(formula, Quantified::Allowed)?;
    translated(formula, formulas, atom)
}

/// Whether a formula speaks of one state. Formulas that were checked only.
fn is_of_one_state<A>(formula: &Formula<A>) -> bool {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => true,
        Formula::Not(inner) => is_of_one_state(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(is_of_one_state),
        Formula::Unary(quantifier, ..) | Formula::Binary(quantifier, ..) => *quantifier != Quantifier::None,
    }
}

/// Whether quantifiers may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantified {
    Refused,
    Allowed,
}

fn check_depth<A>(formula: &Formula<A>, quantified: Quantified) -> Result<(), NotLtl> {
    let deepest = if quantified == Quantified::Allowed { DEEPEST_STAR } else { DEEPEST };
    let mut open = vec![(formula, 0)];
    while let Some((formula, depth)) = open.pop() {
        if depth > deepest {
            return Err(NotLtl::TooDeep);
        }
        let depth = depth + 1;
        match formula {
            Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => {}
            Formula::Not(inner) => open.push((inner, depth)),
            Formula::And(parts) | Formula::Or(parts) => open.extend(parts.iter().map(|part| (part, depth))),
            Formula::Unary(quantifier, ..) | Formula::Binary(quantifier, ..)
                if *quantifier != Quantifier::None && quantified == Quantified::Refused =>
            {
                return Err(NotLtl::Quantified);
            }
            Formula::Unary(_, _, inner) => open.push((inner, depth)),
            Formula::Binary(_, _, left, right) => open.extend([(&**left, depth), (&**right, depth)]),
        }
    }
    Ok(())
}

fn translated<A: Clone, E>(
    formula: &Formula<A>, formulas: &mut Formulas,
    atom: &mut impl FnMut(&mut Formulas, &Formula<A>) -> Result<mandala_logic::Formula, E>,
) -> Result<mandala_logic::Formula, E> {
    if is_of_one_state(formula) {
        return match formula {
            Formula::Constant(value) => Ok(formulas.constant(*value)),
            formula => atom(formulas, formula),
        };
    }
    match formula {
        Formula::Not(inner) => {
            let inner = translated(inner, formulas, atom)?;
            Ok(formulas.not(inner))
        }
        Formula::And(parts) | Formula::Or(parts) => {
            // What is said about one state in several parts is one proposition.
            let (now, later): (Vec<&Formula<A>>, Vec<&Formula<A>>) =
                parts.iter().partition(|part| is_of_one_state(part));
            let now: Vec<Formula<A>> = now.into_iter().cloned().collect();
            let is_all = matches!(formula, Formula::And(_));
            let mut all = Vec::with_capacity(later.len() + 1);
            if !now.is_empty() {
                let now = if is_all { Formula::And(now) } else { Formula::Or(now) };
                all.push(atom(formulas, &now)?);
            }
            for part in later {
                all.push(translated(part, formulas, atom)?);
            }
            Ok(if is_all { formulas.all(all) } else { formulas.any(all) })
        }
        Formula::Unary(_, operator, inner) => {
            let inner = translated(inner, formulas, atom)?;
            Ok(match operator {
                UnaryOperator::Next => formulas.next(inner),
                UnaryOperator::Finally => formulas.finally(inner),
                UnaryOperator::Globally => formulas.globally(inner),
            })
        }
        Formula::Binary(_, operator, left, right) => {
            let left = translated(left, formulas, atom)?;
            let right = translated(right, formulas, atom)?;
            Ok(match operator {
                BinaryOperator::Until => formulas.until(left, right),
                BinaryOperator::WeakUntil => formulas.weak_until(left, right),
                BinaryOperator::Release => formulas.release(left, right),
                BinaryOperator::StrongRelease => formulas.strong_release(left, right),
            })
        }
        // Formulas about one state.
        Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => atom(formulas, formula),
    }
}
