//! Boolean expressions: labels over atoms, acceptance over sets.

use super::HoaError;
use super::lexer::{Placed, Token};

/// How deeply expressions may be nested.
const MAX_DEPTH: usize = 200;

/// The tokens of a text, one after the other.
pub(super) struct Tokens<'a> {
    pub text: &'a str,
    tokens: Vec<Placed>,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str, tokens: Vec<Placed>) -> Tokens<'a> {
        Tokens { text, tokens, at: 0 }
    }

    pub fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    /// Where the next token starts.
    pub fn place(&self) -> usize {
        self.tokens[self.at].start
    }

    pub fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].token.clone();
        // `EndOfText` stays the last.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes the next token if it is this sign.
    pub fn take(&mut self, sign: char) -> bool {
        let found = *self.peek() == Token::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, sign: char) -> Result<(), HoaError> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    pub fn integer(&mut self, what: &str) -> Result<u32, HoaError> {
        match *self.peek() {
            Token::Integer(number) => {
                self.advance();
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub fn error(&self, message: String) -> HoaError {
        HoaError::new(self.text, self.place(), message)
    }

    pub fn expected(&self, what: &str) -> HoaError {
        let found = match self.peek() {
            Token::Header(name) => format!("`{name}:`"),
            Token::Identifier(name) => format!("`{name}`"),
            Token::Alias(name) => format!("`@{name}`"),
            Token::String(_) => "a string".to_string(),
            Token::Integer(number) => format!("{number}"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Body => "`--BODY--`".to_string(),
            Token::End => "`--END--`".to_string(),
            Token::Abort => "`--ABORT--`".to_string(),
            Token::EndOfText => "the end of the text".to_string(),
        };
        self.error(format!("expected {what}, found {found}"))
    }
}

/// What the operators of expressions make.
pub(super) trait Algebra {
    /// The values of expressions.
    type Value;
    /// A value that is no constant, bracket or negation.
    fn leaf(&mut self, tokens: &mut Tokens<'_>) -> Result<Self::Value, HoaError>;
    /// True or false.
    fn constant(&mut self, value: bool) -> Self::Value;
    /// Negation, or nothing if these expressions have none.
    fn not(&mut self, value: Self::Value) -> Option<Self::Value>;
    /// Conjunction.
    fn and(&mut self, left: Self::Value, right: Self::Value) -> Self::Value;
    /// Disjunction.
    fn or(&mut self, left: Self::Value, right: Self::Value) -> Self::Value;
}

/// Reads an expression.
pub(super) fn expression<A: Algebra>(
    tokens: &mut Tokens<'_>, algebra: &mut A, depth: usize,
) -> Result<A::Value, HoaError> {
    let mut value = conjunction(tokens, algebra, depth)?;
    while tokens.take('|') {
        let right = conjunction(tokens, algebra, depth)?;
        value = algebra.or(value, right);
    }
    Ok(value)
}

fn conjunction<A: Algebra>(tokens: &mut Tokens<'_>, algebra: &mut A, depth: usize) -> Result<A::Value, HoaError> {
    let mut value = operand(tokens, algebra, depth)?;
    while tokens.take('&') {
        let right = operand(tokens, algebra, depth)?;
        value = algebra.and(value, right);
    }
    Ok(value)
}

fn operand<A: Algebra>(tokens: &mut Tokens<'_>, algebra: &mut A, depth: usize) -> Result<A::Value, HoaError> {
    if depth > MAX_DEPTH {
        return Err(tokens.error(format!("this expression is nested more than {MAX_DEPTH} deep")));
    }
    match tokens.peek() {
        Token::Sign('(') => {
            tokens.advance();
            let value = expression(tokens, algebra, depth + 1)?;
            tokens.expect(')')?;
            Ok(value)
        }
        Token::Sign('!') => {
            let place = tokens.place();
            tokens.advance();
            let value = operand(tokens, algebra, depth + 1)?;
            let message = "there is no negation in acceptance conditions".to_string();
            algebra.not(value).ok_or_else(|| HoaError::new(tokens.text, place, message))
        }
        Token::Identifier(name) if name == "t" || name == "f" => {
            let value = name == "t";
            tokens.advance();
            Ok(algebra.constant(value))
        }
        _ => algebra.leaf(tokens),
    }
}
