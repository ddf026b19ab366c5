//! Integers, conditions and formulas, by precedence.
//!
//! From weak to strong: `<->`, `->`, `||`, `&&`, `U W R M`, comparisons, `|`, `^`, `&`, shifts, `+ -`, `* / %`, `**`.
//! `!` and the temporal operators on one formula take everything down to a comparison: `! a > 1` is `!(a > 1)`.

use super::super::ledger::complaint;
use super::super::syntax::{
    Binary, Expression, ExpressionKind, Origin, Quantifier, Reference, Segment, TemporalBinary, TemporalUnary, Unary,
};
use super::super::token::Token;
use super::formula::until;
use super::{Parsed, Parser};
use crate::expression::Comparison;
use crate::text::Problem;

const EQUIVALENT: u8 = 1;
const IMPLIES: u8 = 2;
const ANY: u8 = 3;
const ALL: u8 = 4;
const UNTIL: u8 = 5;
pub(super) const COMPARE: u8 = 7;
/// The precedence of the weakest operator on integers.
const INTEGER: u8 = 8;
/// That of products.
pub(super) const PRODUCT: u8 = INTEGER + 5;
const POWER: u8 = INTEGER + 6;

const NUMBERS: &str = "integers go from -2147483648 to 2147483647";

/// Longer chains of operators that are not sums would make a tree as deep as they are long.
const LONGEST_CHAIN: usize = 300;

/// An operator between two operands.
enum Infix {
    Equivalent,
    Implies,
    Any,
    All,
    Until(TemporalBinary),
    Compare(Comparison),
    Integer(Binary),
}

impl Infix {
    fn precedence(&self) -> u8 {
        match self {
            Infix::Equivalent => EQUIVALENT,
            Infix::Implies => IMPLIES,
            Infix::Any => ANY,
            Infix::All => ALL,
            Infix::Until(_) => UNTIL,
            Infix::Compare(_) => COMPARE,
            Infix::Integer(operator) => INTEGER + operator.precedence(),
        }
    }
}

impl Parser<'_> {
    /// Any expression.
    pub fn expression(&mut self) -> Parsed<Expression> {
        self.operators(0)
    }

    /// An integer, without comparisons.
    pub fn integer(&mut self) -> Parsed<Expression> {
        self.operators(INTEGER)
    }

    /// A formula, in which temporal operators and the like may be used.
    pub fn formula(&mut self) -> Parsed<Expression> {
        self.formula = true;
        let formula = self.expression();
        self.formula = false;
        formula
    }

    /// An expression whose operators bind at least this strongly.
    pub fn operators(&mut self, weakest: u8) -> Parsed<Expression> {
        self.deeper(|parser| {
            let mut left = parser.prefix()?;
            while let Some(operator) = parser.infix() {
                if operator.precedence() < weakest {
                    break;
                }
                left = parser.right_of(left, operator)?;
            }
            Ok(left)
        })
    }

    fn infix(&self) -> Option<Infix> {
        Some(match self.peek() {
            Token::DoubleArrow => Infix::Equivalent,
            Token::Arrow => Infix::Implies,
            Token::OrOr => Infix::Any,
            Token::AndAnd => Infix::All,
            Token::Equal => Infix::Compare(Comparison::Equal),
            Token::Assign if self.formula => Infix::Compare(Comparison::Equal),
            Token::NotEqual => Infix::Compare(Comparison::NotEqual),
            Token::Less => Infix::Compare(Comparison::Less),
            Token::LessOrEqual => Infix::Compare(Comparison::LessOrEqual),
            Token::Greater => Infix::Compare(Comparison::Greater),
            Token::GreaterOrEqual => Infix::Compare(Comparison::GreaterOrEqual),
            Token::Or => Infix::Integer(Binary::BitOr),
            Token::Caret => Infix::Integer(Binary::BitXor),
            Token::And => Infix::Integer(Binary::BitAnd),
            Token::ShiftLeft => Infix::Integer(Binary::ShiftLeft),
            Token::ShiftRight => Infix::Integer(Binary::ShiftRight),
            Token::Plus => Infix::Integer(Binary::Add),
            Token::Minus => Infix::Integer(Binary::Subtract),
            Token::Star => Infix::Integer(Binary::Multiply),
            Token::Slash => Infix::Integer(Binary::Divide),
            Token::Percent => Infix::Integer(Binary::Remainder),
            Token::Power => Infix::Integer(Binary::Power),
            Token::Identifier if self.formula && !self.until_ends => Infix::Until(until(self.slice())?),
            _ => return None,
        })
    }

    /// The rest of an expression, from an operator on.
    fn right_of(&mut self, left: Expression, operator: Infix) -> Parsed<Expression> {
        let start = left.span();
        let precedence = operator.precedence();
        let kind = match operator {
            Infix::All => ExpressionKind::All(self.flat(left, Token::AndAnd, precedence)?),
            Infix::Any => ExpressionKind::Any(self.flat(left, Token::OrOr, precedence)?),
            Infix::Integer(operator) => self.chain(left, operator)?,
            Infix::Compare(comparison) => {
                self.bump();
                let right = self.operators(precedence + 1)?;
                self.single_comparison(&left, comparison, &right)?;
                ExpressionKind::Compare(comparison, Box::new(left), Box::new(right))
            }
            Infix::Implies => {
                self.bump();
                ExpressionKind::Implies(Box::new(left), Box::new(self.operators(precedence)?))
            }
            Infix::Equivalent => {
                self.bump();
                ExpressionKind::Equivalent(Box::new(left), Box::new(self.operators(precedence)?))
            }
            Infix::Until(until) => {
                self.bump();
                let right = self.operators(precedence)?;
                ExpressionKind::TemporalBinary(Quantifier::None, until, Box::new(left), Box::new(right))
            }
        };
        Ok(Expression::new(kind, start.to(self.last_span())))
    }

    fn flat(&mut self, first: Expression, token: Token, precedence: u8) -> Parsed<Vec<Expression>> {
        let mut list = vec![first];
        while self.eat(token) {
            list.push(self.operators(precedence + 1)?);
        }
        Ok(list)
    }

    fn chain(&mut self, first: Expression, operator: Binary) -> Parsed<ExpressionKind> {
        let mut rest = Vec::new();
        let precedence = operator.precedence();
        while let Some(Infix::Integer(operator)) = self.infix() {
            if operator.precedence() != precedence {
                break;
            }
            if rest.len() >= LONGEST_CHAIN && !matches!(operator, Binary::Add | Binary::Subtract) {
                let problem = Problem::new(self.span(), format!("more than {LONGEST_CHAIN} operators in a row"))
                    .label("this is the one too many")
                    .help("only `+`, `-`, `&&` and `||` may go on for ever; use parentheses or an alias");
                return Err(self.report(problem));
            }
            self.bump();
            rest.push((operator, self.operators(INTEGER + precedence + 1)?));
        }
        Ok(ExpressionKind::Chain(Box::new(first), rest))
    }

    /// `a < b < c` is not what it seems.
    fn single_comparison(&mut self, left: &Expression, first: Comparison, right: &Expression) -> Parsed<()> {
        let Some(Infix::Compare(second)) = self.infix() else { return Ok(()) };
        let bits = match &right.kind {
            ExpressionKind::Chain(_, rest) => complaint::of_bits(rest.iter().map(|(operator, _)| *operator)),
            _ => None,
        };
        let is_token = self.coloured && (first, second) == (Comparison::Less, Comparison::Greater);
        let help = match (&left.kind, bits) {
            (ExpressionKind::Reference(place), _) if is_token => {
                let colour = self.text.get(right.span().start as usize..right.span().end as usize).unwrap_or("...");
                let (place, colour) = (complaint::shortened(&place.to_string()), complaint::shortened(colour));
                format!("how many tokens have a colour is written `{place}({colour})`")
            }
            (_, Some(bits)) => bits.to_owned(),
            _ if matches!(self.peek(), Token::Assign | Token::Equal) && self.peek_at(1) == Token::Greater => {
                "\"implies\" is written `->`".to_owned()
            }
            _ => "write `a < b && b < c`, or put one comparison in parentheses to use it as 0 or 1".to_owned(),
        };
        let problem = Problem::new(self.span(), "comparisons cannot be chained").label("a second comparison");
        Err(self.report(problem.help(help)))
    }

    fn prefix(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Minus => self.negative()?,
            Token::Tilde => {
                self.bump();
                ExpressionKind::Unary(Unary::BitNot, Box::new(self.operators(POWER)?))
            }
            Token::Not => {
                self.bump();
                ExpressionKind::Unary(Unary::Not, Box::new(self.operators(COMPARE)?))
            }
            Token::Number => ExpressionKind::Number(self.number(false, NUMBERS)?),
            Token::Parameter => ExpressionKind::Parameter(self.parameter()?.text),
            Token::LeftParenthesis => return self.parenthesised(),
            Token::LeftBracket | Token::Less if self.formula && self.temporal_sign(0).is_some() => {
                let operator = self.temporal_sign(0).unwrap_or(TemporalUnary::Globally);
                self.right_of_sign(operator)?
            }
            Token::Text if self.formula => self.text_as_atom()?,
            Token::Identifier | Token::Quoted => self.word_or_reference()?,
            _ => {
                let help = self.other_expression();
                return Err(self.expected_with("an expression", help));
            }
        };
        Ok(Expression::new(kind, start.to(self.last_span())))
    }

    /// A minus sign: that of a number, or the operator.
    fn negative(&mut self) -> Parsed<ExpressionKind> {
        self.bump();
        if self.peek() == Token::Number && self.peek_at(1) != Token::Power {
            return Ok(ExpressionKind::Number(self.number(true, NUMBERS)?));
        }
        Ok(ExpressionKind::Unary(Unary::Minus, Box::new(self.operators(POWER)?)))
    }

    fn parenthesised(&mut self) -> Parsed<Expression> {
        let open = self.bump();
        let until_ends = std::mem::replace(&mut self.until_ends, false);
        let inside = self.expression();
        self.until_ends = until_ends;
        let mut inside = inside?;
        if self.peek() != Token::RightParenthesis
            && let Some(help) = self.other_operator()
        {
            let problem = Problem::new(self.span(), format!("expected `)`, found {}", self.found()))
                .label("expected `)` or an operator")
                .related(open, "for this parenthesis")
                .help(help);
            return Err(self.report(problem));
        }
        inside.origin = Origin(self.close_parenthesis(open)?);
        Ok(inside)
    }

    fn word_or_reference(&mut self) -> Parsed<ExpressionKind> {
        if self.peek() == Token::Identifier {
            match self.slice() {
                "true" | "True" if !self.is_indexed() => {
                    self.bump();
                    return Ok(ExpressionKind::Truth(true));
                }
                "false" | "False" if !self.is_indexed() => {
                    self.bump();
                    return Ok(ExpressionKind::Truth(false));
                }
                _ if self.formula => {
                    if let Some(kind) = self.formula_word()? {
                        return Ok(kind);
                    }
                }
                _ => {}
            }
        }
        let reference = self.reference()?;
        match (self.formula || self.coloured) && self.peek() == Token::LeftParenthesis {
            true => self.matching(reference),
            false => Ok(ExpressionKind::Reference(reference)),
        }
    }

    fn is_indexed(&self) -> bool {
        self.peek_at(1) == Token::LeftBracket
    }

    /// `ring:peers[1]:state`
    pub fn reference(&mut self) -> Parsed<Reference> {
        let start = self.span();
        let mut segments = vec![self.segment()?];
        while self.peek() == Token::Colon && self.is_name_at(1) {
            self.bump();
            segments.push(self.segment()?);
        }
        Ok(Reference { segments, origin: Origin(start.to(self.last_span())) })
    }

    fn segment(&mut self) -> Parsed<Segment> {
        let name = self.name("a name")?;
        let mut index = None;
        if self.eat(Token::LeftBracket) {
            if self.peek() == Token::Star && self.peek_at(1) == Token::RightBracket {
                let help =
                    "for all elements write `forall ($i : 0..3) ...[$i]`, and for their sum `sum ($i : 0..3) ...[$i]`";
                return Err(self.expected_with("an index", Some(help.to_owned())));
            }
            let formula = std::mem::replace(&mut self.formula, false);
            let inside = self.integer();
            self.formula = formula;
            index = Some(Box::new(inside?));
            if formula && is_of_ctl(&name.text) && self.peek() != Token::RightBracket {
                let help = format!("what is asked stands in parentheses: `{} (...)`", name.text);
                return Err(self.expected_with("`]`", Some(help)));
            }
            self.expect(Token::RightBracket, "`]`")?;
            self.one_dimension()?;
        }
        Ok(Segment { name, index })
    }
}

/// Whether a word is an operator of CTL with one operand.
fn is_of_ctl(word: &str) -> bool {
    matches!(word, "AG" | "AF" | "AX" | "EG" | "EF" | "EX" | "G" | "F" | "X")
}
