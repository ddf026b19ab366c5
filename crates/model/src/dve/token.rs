//! The words of the language.
//!
//! Comments and blanks are no words. Keywords are told from names by [`is_keyword`]; none of them may be a name.

use logos::{Lexer, Logos};

use crate::text::words::{self, Words, comment};
use crate::text::{Problem, Span};

/// A kind of word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    /// `/* ... */`; found by hand because it may be long, and must be closed.
    #[token("/*", comment)]
    Comment,
    /// `name`, `process`
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
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("?")]
    Question,
    #[token("!")]
    Exclamation,
    #[token("->")]
    Arrow,
    #[token("=>")]
    WideArrow,
    #[token("=")]
    Assign,
    /// What C has and this language does not: `+=`, `++` and the like.
    #[token("+=")]
    #[token("-=")]
    #[token("*=")]
    #[token("/=")]
    #[token("%=")]
    #[token("&=")]
    #[token("|=")]
    #[token("^=")]
    #[token("++")]
    #[token("--")]
    OfC,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterOrEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    BitAnd,
    #[token("|")]
    BitOr,
    #[token("^")]
    BitXor,
    #[token("~")]
    Tilde,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    /// What follows the last word.
    End,
}

const KEYWORDS: [&str; 23] = [
    "accept", "and", "assert", "async", "byte", "channel", "commit", "const", "effect", "false", "guard", "imply",
    "init", "int", "not", "or", "process", "property", "state", "sync", "system", "trans", "true",
];

/// Whether a word means something to the language, so that it cannot be a name.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
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
fn strange(found: &mut Words<Token>, lexer: &mut Lexer<'_, Token>, span: Span) {
    if lexer.slice().starts_with("/*") {
        found.never_closed(lexer, words::open_comment(span));
    } else if !found.joins(span, STRANGE) {
        found.problems.push(Problem::new(span, "this is no part of the language").label(STRANGE));
    }
}

const STRANGE: &str = "these characters may stand only in comments";
