//! The words of GreatSPN's expressions, in files of all ages.

use logos::{Lexer, Logos};

use crate::text::words::{self, Words};
use crate::text::{Problem, Span};

/// A kind of word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
pub(super) enum Token {
    /// `x`, `and`, `S`
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Identifier,
    /// `42`
    #[regex(r"[0-9]+")]
    Number,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("(")]
    LeftParenthesis,
    #[token(")")]
    RightParenthesis,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    Dots,
    #[token("+")]
    Plus,
    #[token("++")]
    PlusPlus,
    #[token("-")]
    Minus,
    #[token("--")]
    MinusMinus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("|")]
    Bar,
    #[token("!")]
    Exclamation,
    #[token("^")]
    Caret,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("<>")]
    #[token("!=")]
    #[token("/=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterOrEqual,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("->")]
    Implies,
    #[token("<->")]
    Equivalent,
    /// What GreatSPN knows in places that are not read here.
    #[token("#")]
    #[token("@")]
    #[token("%")]
    #[token(":")]
    #[token("?")]
    Other,
    /// What follows the last word.
    End,
}

impl words::Token for Token {
    const IDENTIFIER: Token = Token::Identifier;
    const SEMICOLON: Token = Token::Semicolon;
    const LEFT_BRACKET: Token = Token::LeftBracket;
    const RIGHT_PARENTHESIS: Token = Token::RightParenthesis;
    const RIGHT_BRACE: Token = Token::RightBrace;
    const END: Token = Token::End;
}

/// Takes a text apart.
pub(super) fn words(text: &str) -> Words<Token> {
    Words::of(text, strange)
}

/// Says what is wrong with something that is no word.
fn strange(found: &mut Words<Token>, _: &mut Lexer<'_, Token>, span: Span) {
    if !found.joins(span, STRANGE) {
        found.problems.push(Problem::new(span, "this is no part of an expression").label(STRANGE));
    }
}

const STRANGE: &str = "these characters mean nothing here";
