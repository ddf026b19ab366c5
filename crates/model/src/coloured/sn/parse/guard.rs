//! Guards: `x != y && (card(B) < 3 || x in urgent)`.

use super::super::syntax::{Guard, GuardKind, Operand};
use super::Parser;
use crate::expression::Comparison;
use crate::gal::token::Token;
use crate::text::Problem;
use crate::text::cursor::{Failed, Parsed};

impl Parser<'_> {
    pub(super) fn guard(&mut self) -> Parsed<Guard> {
        self.deeper(|parser| {
            let start = parser.span();
            let first = parser.conjunction()?;
            if parser.peek() != Token::OrOr {
                return Ok(first);
            }
            let mut parts = vec![first];
            while parser.eat(Token::OrOr) {
                parts.push(parser.conjunction()?);
            }
            Ok(Guard { kind: GuardKind::Any(parts), span: parser.since(start) })
        })
    }

    fn conjunction(&mut self) -> Parsed<Guard> {
        let start = self.span();
        let first = self.condition()?;
        if self.peek() != Token::AndAnd {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(Token::AndAnd) {
            parts.push(self.condition()?);
        }
        Ok(Guard { kind: GuardKind::All(parts), span: self.since(start) })
    }

    fn condition(&mut self) -> Parsed<Guard> {
        self.deeper(|parser| {
            let start = parser.span();
            let kind = match parser.peek() {
                Token::Not => {
                    parser.bump();
                    GuardKind::Not(Box::new(parser.condition()?))
                }
                Token::LeftParenthesis if parser.holds_condition() => {
                    let open = parser.bump();
                    let mut inside = parser.guard()?;
                    inside.span = parser.close_parenthesis(open)?;
                    return Ok(inside);
                }
                Token::Identifier if parser.is_truth() => {
                    let truth = parser.is_word("true");
                    parser.bump();
                    GuardKind::Truth(truth)
                }
                _ => parser.comparison()?,
            };
            parser.no_other_operator()?;
            Ok(Guard { kind, span: parser.since(start) })
        })
    }

    /// Whether `true` or `false` stands here for itself, and is no colour.
    fn is_truth(&self) -> bool {
        (self.is_word("true") || self.is_word("false"))
            && !self.is_word_at(1, "in")
            && !matches!(
                self.peek_at(1),
                Token::Equal
                    | Token::NotEqual
                    | Token::Less
                    | Token::LessOrEqual
                    | Token::Greater
                    | Token::GreaterOrEqual
                    | Token::Plus
                    | Token::Minus
            )
    }

    /// Whether the parenthesis that is next holds a condition, and not colours.
    fn holds_condition(&self) -> bool {
        use Token::*;
        let Some(end) = self.closing() else { return true };
        (1..end).any(|ahead| {
            let operator = matches!(
                self.peek_at(ahead),
                Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual | Not | AndAnd | OrOr | Assign | Arrow
            );
            operator || ["in", "true", "false"].iter().any(|word| self.is_word_at(ahead, word))
        })
    }

    fn comparison(&mut self) -> Parsed<GuardKind> {
        let left = self.operand()?;
        let arrow = std::mem::replace(&mut self.closes_tuple, false);
        let comparison = match self.peek() {
            _ if arrow => Comparison::Greater,
            Token::Equal => Comparison::Equal,
            Token::NotEqual => Comparison::NotEqual,
            Token::Less => Comparison::Less,
            Token::LessOrEqual => Comparison::LessOrEqual,
            Token::Greater => Comparison::Greater,
            Token::GreaterOrEqual => Comparison::GreaterOrEqual,
            Token::Identifier if self.is_word("in") => {
                let Operand::Colours(left) = left else {
                    let problem = Problem::new(self.span(), "a number is in no set")
                        .label("expected a comparison")
                        .help("compare it, as in `card(B) < 3`");
                    return Err(self.report(problem));
                };
                self.bump();
                let right = self.bag()?;
                self.no_second(false)?;
                return Ok(GuardKind::In(left, right));
            }
            Token::Assign => {
                let problem = Problem::new(self.span(), "expected a comparison, found `=`")
                    .label("this assigns")
                    .help("\"equals\" is written `==`");
                return Err(self.report(problem));
            }
            _ => return Err(self.expected("a comparison such as `==`, or `in`")),
        };
        if !arrow {
            self.bump();
        }
        if comparison == Comparison::Less && self.peek() == Token::Greater {
            let help = "\"not equal\" is written `!=`".to_owned();
            return Err(self.expected_with("a colour or a variable", Some(help)));
        }
        let right = self.operand()?;
        let chained = std::mem::replace(&mut self.closes_tuple, false);
        self.no_second(chained)?;
        Ok(GuardKind::Compare(comparison, left, right))
    }

    /// Reports a second comparison.
    fn no_second(&mut self, chained: bool) -> Parsed<()> {
        use Token::*;
        let second = matches!(self.peek(), Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual);
        if !second && !chained {
            return Ok(());
        }
        let problem = Problem::new(self.span(), "comparisons cannot be chained")
            .label("a second comparison")
            .help("write `x != y && y != z`");
        Err(self.report(problem))
    }

    fn operand(&mut self) -> Parsed<Operand> {
        if self.is_word("card") && self.peek_at(1) == Token::LeftParenthesis {
            self.bump();
            let open = self.bump();
            let bag = self.bag()?;
            self.close_parenthesis(open)?;
            return Ok(Operand::Cardinality(bag));
        }
        self.bag().map(Operand::Colours)
    }

    /// Reports the words and signs of other languages for "and", "or" and "implies".
    fn no_other_operator(&mut self) -> Parsed<()> {
        let help = match (self.peek(), self.slice()) {
            (Token::And, _) | (Token::Identifier, "and" | "AND") | (Token::Junctor, "/\\") => "\"and\" is written `&&`",
            (Token::Or, _) | (Token::Identifier, "or" | "OR") | (Token::Junctor, _) => "\"or\" is written `||`",
            (Token::Arrow, _) => "`a -> b` is written `!a || b` in a guard",
            _ => return Ok(()),
        };
        let problem = Problem::new(self.span(), format!("expected `&&` or `||`, found {}", self.found()));
        let failed: Failed = self.report(problem.label("not an operator of guards").help(help));
        Err(failed)
    }
}
