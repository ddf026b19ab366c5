//! Expressions, by precedence; see [`Binary::precedence`].

use super::super::syntax::{Binary, Expression, Kind, Name, UNTIL, Unary};
use super::super::token::Token;
use super::cursor::DEEPEST;
use super::{Parsed, Parser};
use crate::text::Span;

const NUMBERS: &str = "a `byte` goes up to 255 and an `int` up to 32767; only between them numbers may be larger";

impl Parser<'_> {
    /// Any expression.
    pub fn expression(&mut self) -> Parsed<Expression> {
        self.operators(1)
    }

    /// An expression whose operators bind at least this strongly.
    pub fn operators(&mut self, weakest: u8) -> Parsed<Expression> {
        self.deeper(|parser| {
            let mut left = parser.prefix()?;
            loop {
                match parser.infix() {
                    Some(operator) if operator.precedence() >= weakest => {
                        left = parser.chain(left, operator.precedence())?;
                    }
                    Some(_) => return Ok(left),
                    None => match parser.until().filter(|_| weakest <= UNTIL) {
                        Some(operator) => left = parser.right_of_until(left, operator)?,
                        None => return Ok(left),
                    },
                }
            }
        })
    }

    /// The operator that follows, if one does.
    fn infix(&self) -> Option<Binary> {
        Some(match self.peek() {
            Token::OrOr => Binary::Or,
            Token::AndAnd => Binary::And,
            Token::BitOr => Binary::BitOr,
            Token::BitAnd => Binary::BitAnd,
            Token::BitXor => Binary::BitXor,
            Token::Equal => Binary::Equal,
            Token::NotEqual => Binary::NotEqual,
            Token::Less => Binary::Less,
            Token::LessOrEqual => Binary::LessOrEqual,
            Token::Greater => Binary::Greater,
            Token::GreaterOrEqual => Binary::GreaterOrEqual,
            Token::ShiftLeft => Binary::ShiftLeft,
            Token::ShiftRight => Binary::ShiftRight,
            Token::Plus => Binary::Add,
            Token::Minus => Binary::Subtract,
            Token::Star => Binary::Multiply,
            Token::Slash => Binary::Divide,
            Token::Percent => Binary::Remainder,
            Token::Arrow if self.names.is_some() => Binary::Imply,
            Token::Identifier => match self.slice() {
                "and" => Binary::And,
                "or" => Binary::Or,
                "imply" => Binary::Imply,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The operators of one precedence that follow, with their operands.
    fn chain(&mut self, first: Expression, precedence: u8) -> Parsed<Expression> {
        let start = first.span;
        let mut rest: Vec<(Binary, Expression)> = Vec::new();
        // A chain of sums, or of one logical operator, becomes flat; others are as deep as they are long.
        let (mut deepest, mut turns) = (first.depth, 0);
        while let Some(operator) = self.infix().filter(|operator| operator.precedence() == precedence) {
            let same = rest.last().is_some_and(|(last, _)| *last == operator);
            let flat = matches!(operator, Binary::Add | Binary::Subtract)
                || matches!(operator, Binary::And | Binary::Or) && same;
            turns += u32::from(!flat);
            self.bump();
            let right = self.operators(precedence + 1)?;
            deepest = deepest.max(right.depth);
            if deepest.saturating_add(turns) >= DEEPEST {
                return Err(self.too_deep(right.span));
            }
            rest.push((operator, right));
        }
        let span = start.to(self.last_span());
        Ok(Expression { kind: Kind::Chain(Box::new(first), rest), span, depth: deepest + turns + 1 })
    }

    fn prefix(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let operator = match self.peek() {
            Token::Minus => Unary::Minus,
            Token::Tilde => Unary::BitNot,
            Token::Exclamation => Unary::Not,
            Token::Identifier if self.slice() == "not" => Unary::Not,
            _ => match self.temporal() {
                Some(operators) => return self.right_of_temporal(operators),
                None => return self.operand(),
            },
        };
        self.bump();
        if operator == Unary::Minus && self.peek() == Token::Number {
            let number = self.number(true, NUMBERS)?;
            return Ok(Expression { kind: Kind::Number(number), span: start.to(self.last_span()), depth: 1 });
        }
        let operand = self.deeper(Parser::prefix)?;
        let span = start.to(self.last_span());
        let depth = operand.depth + 1;
        if depth >= DEEPEST {
            return Err(self.too_deep(start));
        }
        Ok(Expression { kind: Kind::Unary(operator, Box::new(operand)), span, depth })
    }

    fn operand(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Number => Kind::Number(self.number(false, NUMBERS)?),
            Token::LeftParenthesis => return self.parenthesised(),
            Token::Identifier => match self.slice() {
                "true" | "false" => {
                    let truth = self.slice() == "true";
                    self.bump();
                    Kind::Truth(truth)
                }
                _ => return self.reference(),
            },
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expression { kind, span: start.to(self.last_span()), depth: 1 })
    }

    fn parenthesised(&mut self) -> Parsed<Expression> {
        let open = self.bump();
        let mut inside = self.expression()?;
        inside.span = self.close_parenthesis(open)?;
        Ok(inside)
    }

    /// `x`, `x[e]`, `P.s`, `P->x`, `P->x[e]`
    pub fn reference(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let name = self.name("an expression")?;
        let (kind, depth) = match self.peek() {
            Token::Dot => {
                self.bump();
                // In formulas, `P.state` is what traces show: no state is called so.
                let is_state = self.names.is_some() && self.peek() == Token::Identifier && self.slice() == "state";
                let state = match is_state {
                    true => Name { text: self.slice().to_string(), span: self.bump() },
                    false => self.name("the name of a state")?,
                };
                (Kind::State(name, state), 1)
            }
            Token::Arrow if self.is_process(&name) => {
                self.bump();
                let variable = self.name("the name of a variable")?;
                let index = self.index()?;
                let depth = index.as_ref().map_or(0, |index| index.depth);
                (Kind::Foreign(name, variable, index.map(Box::new)), depth + 1)
            }
            _ => match self.index()? {
                Some(index) => {
                    let depth = index.depth + 1;
                    (Kind::Element(name, Box::new(index)), depth)
                }
                None => (Kind::Variable(name), 1),
            },
        };
        let span: Span = start.to(self.last_span());
        if depth >= DEEPEST {
            return Err(self.too_deep(span));
        }
        Ok(Expression { kind, span, depth })
    }

    /// `[e]`, if it is there.
    fn index(&mut self) -> Parsed<Option<Expression>> {
        if !self.eat(Token::LeftBracket) {
            return Ok(None);
        }
        let index = self.expression()?;
        self.expect(Token::RightBracket, "`]`")?;
        self.one_dimension()?;
        Ok(Some(index))
    }
}
