//! The reader of formulas.
//!
//! It takes the signs of Spot and of Spin, and what both have in common with everybody else. From the loosest to the
//! tightest: `->` and `<->` (to the right), `xor`, `|`, `&`, then `U`, `W`, `R`, `M` (to the right), then `!`, `X`, `F`
//! and `G`.

use std::fmt;
use std::ops::Range;

use super::lexer::{Spanned, Token, tokens};
use super::{Atoms, Formula, Formulas};

/// How deeply a formula that is read may be nested.
pub const MAX_DEPTH: u32 = 500;

/// What is wrong with the text of a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// The place: bytes of the text.
    pub span: Range<usize>,
    /// The place in characters, from 1.
    pub column: usize,
}

impl SyntaxError {
    pub(super) fn new(text: &str, span: Range<usize>, message: String) -> SyntaxError {
        SyntaxError { column: text[..span.start].chars().count() + 1, message, span }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for SyntaxError {}

impl Formulas {
    /// Reads a formula. Names that are new become atoms.
    ///
    /// ```
    /// use mandala_logic::{Atoms, Formulas};
    ///
    /// let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    /// let f = formulas.parse("[](p -> <> \"x < 3\")", &mut atoms)?;
    /// assert_eq!(formulas.display(f, &atoms).to_string(), "G(p -> F \"x < 3\")");
    /// let error = formulas.parse("G(p -> )", &mut atoms).unwrap_err();
    /// assert_eq!(error.to_string(), "column 8: expected a formula, found `)`");
    /// # Ok::<(), mandala_logic::SyntaxError>(())
    /// ```
    pub fn parse(&mut self, text: &str, atoms: &mut Atoms) -> Result<Formula, SyntaxError> {
        let tokens = tokens(text, atoms)?;
        let mut parser = Parser { text, tokens, at: 0, depth: 0, formulas: self, atoms };
        let formula = parser.expression(Level::Implication)?;
        match parser.peek() {
            Token::End => Ok(formula),
            Token::Close => Err(parser.error("this bracket was never opened".to_string())),
            _ => Err(parser.expected("an operator or the end of the formula")),
        }
    }
}

/// How tightly a binary operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Implication,
    Xor,
    Or,
    And,
    Until,
}

impl Level {
    fn of(token: &Token) -> Option<Level> {
        match token {
            Token::Implies | Token::Equivalent => Some(Level::Implication),
            Token::Xor => Some(Level::Xor),
            Token::Or => Some(Level::Or),
            Token::And => Some(Level::And),
            Token::Until | Token::WeakUntil | Token::Release | Token::StrongRelease => Some(Level::Until),
            _ => None,
        }
    }

    /// The level of the right operand: operators of the same level group to the right where this is the level itself.
    fn of_right_operand(self) -> Level {
        match self {
            Level::Implication | Level::Until => self,
            Level::Xor => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Until,
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Spanned>,
    at: usize,
    depth: u32,
    formulas: &'a mut Formulas,
    atoms: &'a mut Atoms,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].token.clone();
        // `End` stays the last.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn error(&self, message: String) -> SyntaxError {
        let Spanned { start, end, .. } = self.tokens[self.at];
        SyntaxError::new(self.text, start..end, message)
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let Spanned { start, end, token } = &self.tokens[self.at];
        match token {
            Token::End => self.error(format!("expected {what}, found the end of the text")),
            _ => self.error(format!("expected {what}, found `{}`", &self.text[*start..*end])),
        }
    }

    fn too_deep(&self) -> SyntaxError {
        self.error(format!("this formula is nested more than {MAX_DEPTH} deep"))
    }

    /// Operands and operators that bind at least as tightly as `level`.
    fn expression(&mut self, level: Level) -> Result<Formula, SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        let mut left = self.operand()?;
        while let Some(tightness) = Level::of(self.peek()).filter(|&found| found >= level) {
            left = match self.advance() {
                operator @ (Token::And | Token::Or) => self.list(left, operator, tightness)?,
                operator => {
                    let right = self.expression(tightness.of_right_operand())?;
                    self.combine(left, operator, right)
                }
            };
            if self.formulas.depth(left) > MAX_DEPTH {
                return Err(self.too_deep());
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The rest of `f & g & ...`, made at once because there may be thousands.
    fn list(&mut self, first: Formula, operator: Token, level: Level) -> Result<Formula, SyntaxError> {
        let mut operands = vec![first, self.expression(level.of_right_operand())?];
        while *self.peek() == operator {
            self.advance();
            operands.push(self.expression(level.of_right_operand())?);
        }
        Ok(if operator == Token::And { self.formulas.all(operands) } else { self.formulas.any(operands) })
    }

    fn combine(&mut self, left: Formula, operator: Token, right: Formula) -> Formula {
        match operator {
            Token::Implies => self.formulas.implication(left, right),
            Token::Equivalent => self.formulas.equivalence(left, right),
            Token::Xor => self.formulas.xor(left, right),
            Token::Until => self.formulas.until(left, right),
            Token::WeakUntil => self.formulas.weak_until(left, right),
            Token::Release => self.formulas.release(left, right),
            Token::StrongRelease => self.formulas.strong_release(left, right),
            _ => unreachable!("only binary operators have a level"),
        }
    }

    /// Any number of unary operators, and what they are applied to.
    fn operand(&mut self) -> Result<Formula, SyntaxError> {
        let mut operators = Vec::new();
        while matches!(self.peek(), Token::Not | Token::Next | Token::Finally | Token::Globally) {
            operators.push(self.advance());
        }
        let mut formula = match self.peek().clone() {
            Token::Atom(name) => {
                let atom = self.atoms.intern(&name);
                self.formulas.atom(atom)
            }
            Token::Constant(value) => self.formulas.constant(value),
            Token::Open => {
                let open = self.at;
                self.advance();
                let inner = self.expression(Level::Implication)?;
                if *self.peek() != Token::Close {
                    let column = SyntaxError::new(self.text, self.tokens[open].start..0, String::new()).column;
                    return Err(self.expected(&format!("an operator or `)` for the bracket of column {column}")));
                }
                inner
            }
            _ => return Err(self.expected("a formula")),
        };
        self.advance();
        for operator in operators.into_iter().rev() {
            formula = match operator {
                Token::Not => self.formulas.not(formula),
                Token::Next => self.formulas.next(formula),
                Token::Finally => self.formulas.finally(formula),
                _ => self.formulas.globally(formula),
            };
            if self.formulas.depth(formula) > MAX_DEPTH {
                return Err(self.too_deep());
            }
        }
        Ok(formula)
    }
}
