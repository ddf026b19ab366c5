//! Formulas: expressions with temporal operators.
//!
//! `G`, `F`, `X` (and `[]`, `<>`), alone or with the quantifiers `A` and `E`, take everything down to a comparison:
//! `G x < 3` is `G (x < 3)`. `U`, `W`, `R` and `M` bind more strongly than `&&`. A name that the system knows is that
//! name, even if it is `G`. `a -> b` is an implication, unless `a` is a process: `P->x` is a variable of it.

use rustc_hash::FxHashSet;

use super::super::syntax::{Expression, Kind, Name, UNTIL};
use super::super::token::Token;
use super::cursor::DEEPEST;
use super::{Parsed, Parser};
use crate::property::{BinaryOperator, Quantifier, UnaryOperator};

/// The names of a system.
#[derive(Debug, Default)]
pub(in crate::dve) struct NamesInScope {
    pub processes: FxHashSet<String>,
    pub variables: FxHashSet<String>,
}

/// An operator on one formula, with its quantifier.
type Temporal = (Quantifier, UnaryOperator);

impl Parser<'_> {
    /// A formula, to the end of the text.
    pub fn formula(&mut self) -> Option<Expression> {
        let formula = self.expression().ok()?;
        self.eat(Token::Semicolon);
        if !self.at_end() {
            self.expected("an operator or the end of the formula");
        }
        Some(formula)
    }

    /// Whether a name before `->` is that of a process.
    pub fn is_process(&self, name: &Name) -> bool {
        self.names.as_ref().is_none_or(|names| names.processes.contains(&name.text))
    }

    fn is_a_name(&self) -> bool {
        self.names
            .as_ref()
            .is_none_or(|names| names.variables.contains(self.slice()) || names.processes.contains(self.slice()))
    }

    /// The temporal operators that follow, and how many words they are.
    pub fn temporal(&self) -> Option<(Vec<Temporal>, usize)> {
        self.names.as_ref()?;
        match (self.peek(), self.peek_at(1)) {
            (Token::LeftBracket, Token::RightBracket) => {
                return Some((vec![(Quantifier::None, UnaryOperator::Globally)], 2));
            }
            (Token::Less, Token::Greater) => return Some((vec![(Quantifier::None, UnaryOperator::Finally)], 2)),
            (Token::Identifier, _) if !self.is_a_name() => {}
            _ => return None,
        }
        let mut operators = Vec::new();
        let mut quantifier = Quantifier::None;
        for letter in self.slice().chars() {
            let operator = match letter {
                'A' if quantifier == Quantifier::None => {
                    quantifier = Quantifier::All;
                    continue;
                }
                'E' if quantifier == Quantifier::None => {
                    quantifier = Quantifier::Exists;
                    continue;
                }
                'G' => UnaryOperator::Globally,
                'F' => UnaryOperator::Finally,
                'X' => UnaryOperator::Next,
                _ => return None,
            };
            operators.push((std::mem::replace(&mut quantifier, Quantifier::None), operator));
        }
        let complete = quantifier == Quantifier::None && operators.len() <= 8;
        complete.then_some((operators, 1))
    }

    pub fn right_of_temporal(&mut self, (operators, words): (Vec<Temporal>, usize)) -> Parsed<Expression> {
        let start = self.span();
        (0..words).for_each(|_| {
            self.bump();
        });
        let mut formula = self.operators(UNTIL + 1)?;
        if formula.depth as usize + operators.len() >= DEEPEST as usize {
            return Err(self.too_deep(start));
        }
        for (quantifier, operator) in operators.into_iter().rev() {
            let depth = formula.depth + 1;
            let span = start.to(formula.span);
            formula = Expression { kind: Kind::Temporal(quantifier, operator, Box::new(formula)), span, depth };
        }
        Ok(formula)
    }

    /// The operator on two formulas that follows, if one does.
    pub fn until(&self) -> Option<BinaryOperator> {
        if self.peek() != Token::Identifier || self.names.is_none() || self.is_a_name() {
            return None;
        }
        match self.slice() {
            "U" => Some(BinaryOperator::Until),
            "W" => Some(BinaryOperator::WeakUntil),
            "R" | "V" => Some(BinaryOperator::Release),
            "M" => Some(BinaryOperator::StrongRelease),
            _ => None,
        }
    }

    /// `f U g U h` is `f U (g U h)`.
    pub fn right_of_until(&mut self, left: Expression, operator: BinaryOperator) -> Parsed<Expression> {
        self.bump();
        let right = self.operators(UNTIL)?;
        let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth) + 1);
        if depth >= DEEPEST {
            return Err(self.too_deep(span));
        }
        Ok(Expression { kind: Kind::Until(operator, Box::new(left), Box::new(right)), span, depth })
    }
}
