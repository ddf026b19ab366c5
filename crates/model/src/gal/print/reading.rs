//! How a formula is read: as text with a pair of parentheses for each operator, so that precedence has no say.
//!
//! That is worth saying where people, or tools, do not agree: `a && b || c`, `f U g U h`, `a -> b -> c`, `!a U b`,
//! `G a && b`, `!x == 1`. Where parentheses are written, or all agree, there is no doubt.

use std::fmt::{self, Display, Formatter};

use super::super::syntax::{Expression, ExpressionKind, Over, Quantifier, TemporalBinary, Unary};
use super::expression::{OverHead, binary_word, quantifier_word, unary_word};

/// A formula with all its parentheses.
pub(in crate::gal) struct Reading<'e>(pub &'e Expression);

impl Display for Reading<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            ExpressionKind::Unary(Unary::Not, operand) => write!(f, "!{}", Part(operand)),
            ExpressionKind::All(list) => joined(f, list, "&&"),
            ExpressionKind::Any(list) => joined(f, list, "||"),
            ExpressionKind::Implies(left, right) => write!(f, "{} -> {}", Part(left), Part(right)),
            ExpressionKind::Equivalent(left, right) => write!(f, "{} <-> {}", Part(left), Part(right)),
            ExpressionKind::TemporalUnary(quantifier, operator, operand) => {
                write!(f, "{}{} {}", quantifier_word(*quantifier), unary_word(*operator), Part(operand))
            }
            ExpressionKind::Over(over, parameters, operand) if *over != Over::Sum => {
                write!(f, "{} {}", OverHead(*over, parameters), Part(operand))
            }
            ExpressionKind::TemporalBinary(quantifier, operator, left, right) => {
                let word = binary_word(*operator);
                // What `A f` and `E f` are read as.
                let is_of_runs = *operator == TemporalBinary::Until && left.kind == ExpressionKind::Truth(false);
                match quantifier {
                    Quantifier::All | Quantifier::Exists if is_of_runs => {
                        write!(f, "{} {}", quantifier_word(*quantifier), Part(right))
                    }
                    Quantifier::None => write!(f, "{} {word} {}", Part(left), Part(right)),
                    _ => write!(f, "{}[{} {word} {}]", quantifier_word(*quantifier), Part(left), Part(right)),
                }
            }
            _ => write!(f, "{}", self.0),
        }
    }
}

/// A formula inside of another.
struct Part<'e>(&'e Expression);

impl Display for Part<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            ExpressionKind::Reference(_)
            | ExpressionKind::Truth(_)
            | ExpressionKind::Deadlock
            | ExpressionKind::Matching(..)
            | ExpressionKind::FireableWith(_)
            | ExpressionKind::FiredWith(_)
            | ExpressionKind::Fired(_)
            | ExpressionKind::Fireable(_) => write!(f, "{}", self.0),
            _ => write!(f, "({})", Reading(self.0)),
        }
    }
}

fn joined(f: &mut Formatter<'_>, list: &[Expression], symbol: &str) -> fmt::Result {
    for (number, part) in list.iter().enumerate() {
        if number > 0 {
            write!(f, " {symbol} ")?;
        }
        write!(f, "{}", Part(part))?;
    }
    Ok(())
}

/// Whether a formula that is written as this text might be read in another way.
pub(in crate::gal) fn is_doubtful(formula: &Expression, text: &str) -> bool {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        let parts = parts(formula);
        let last = parts.len().saturating_sub(1);
        for (place, part) in parts.iter().enumerate() {
            if !is_enclosed(part, text) && surprises(formula, part, place == last, text) {
                return true;
            }
        }
        open.extend(parts);
    }
    false
}

/// Whether people may not agree that this is a part of that, as it stands there without parentheses.
fn surprises(whole: &Expression, part: &Expression, is_last: bool, text: &str) -> bool {
    use ExpressionKind::{All, Any, Compare, Equivalent, Implies, TemporalBinary, TemporalUnary};
    let is_until = |kind: &ExpressionKind| matches!(kind, TemporalBinary(Quantifier::None, ..));
    match (&whole.kind, &part.kind) {
        // That these two are the weakest is agreed upon.
        (Implies(..) | Equivalent(..), All(_) | Any(_)) => false,
        // Brackets are as good as parentheses.
        (TemporalBinary(Quantifier::All | Quantifier::Exists, ..), _) => false,
        (All(_) | Any(_) | Implies(..) | Equivalent(..) | TemporalBinary(..), kind)
            if matches!(kind, All(_) | Any(_) | Implies(..) | Equivalent(..)) || is_until(kind) =>
        {
            true
        }
        (All(_) | Any(_) | Implies(..) | Equivalent(..) | TemporalBinary(..), TemporalUnary(_, _, inner)) => {
            !is_last && !is_enclosed(inner, text) && (!is_word(inner) || is_until(&whole.kind))
        }
        (TemporalBinary(..), ExpressionKind::Unary(Unary::Not, inner)) => !is_last && !is_enclosed(inner, text),
        (ExpressionKind::Unary(Unary::Not, _), Compare(..)) => true,
        _ => false,
    }
}

fn is_word(formula: &Expression) -> bool {
    matches!(formula.kind, ExpressionKind::Reference(_) | ExpressionKind::Truth(_) | ExpressionKind::Deadlock)
}

/// Whether an expression stands in parentheses of its own: these are part of its origin.
fn is_enclosed(expression: &Expression, text: &str) -> bool {
    let span = expression.span();
    let Some(written) = text.get(span.start as usize..span.end as usize) else { return false };
    let mut depth = 0usize;
    for (at, symbol) in written.bytes().enumerate() {
        match symbol {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1 == written.len() && written.starts_with('(');
                }
            }
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// The formulas right inside of a formula.
fn parts(formula: &Expression) -> Vec<&Expression> {
    match &formula.kind {
        ExpressionKind::Unary(Unary::Not, operand)
        | ExpressionKind::TemporalUnary(_, _, operand)
        | ExpressionKind::Over(_, _, operand) => vec![operand],
        ExpressionKind::Implies(left, right)
        | ExpressionKind::Equivalent(left, right)
        | ExpressionKind::TemporalBinary(_, _, left, right) => vec![left, right],
        ExpressionKind::All(list) | ExpressionKind::Any(list) => list.iter().collect(),
        _ => Vec::new(),
    }
}
