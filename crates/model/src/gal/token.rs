//! The words of the language.
//!
//! Comments and blanks are no words. Most keywords are not known here: `place`, `take`, `label` and the like mean
//! something only where the grammar asks for them, and are names everywhere else.

use logos::{Lexer, Logos};

use crate::text::words::{self, Words, comment};
use crate::text::{Problem, Span};

/// A kind of word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    /// `/* ... */`; found by hand because it may be long, and must be closed.
    #[token("/*", comment)]
    Comment,
    /// `name`, `Gate.state`, `t.0`
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*")]
    Identifier,
    /// `` `any name` ``, where a backquote is written twice
    #[regex(r"`([^`]|``)*`")]
    Quoted,
    /// `$N`
    #[regex(r"\$[A-Za-z_][A-Za-z0-9_]*")]
    Parameter,
    /// `42`
    #[regex(r"[0-9]+")]
    Number,
    /// `"label"` or `'label'`
    #[regex(r#""([^"\\\n]|\\.)*""#)]
    #[regex(r"'([^'\\\n]|\\.)*'")]
    Text,
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
    #[token("..")]
    DotDot,
    #[token("=")]
    Assign,
    #[token("+=")]
    AssignPlus,
    #[token("-=")]
    AssignMinus,
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
    #[token("**")]
    Power,
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("^")]
    Caret,
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
    #[token("!")]
    Not,
    #[token("->")]
    Arrow,
    #[token("<->")]
    DoubleArrow,
    /// `/\` and `\/`, which other languages have for `&&` and `||`: no operators here, but known well enough to say so
    #[token("/\\")]
    #[token("\\/")]
    Junctor,
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
fn strange(found: &mut Words<Token>, lexer: &mut Lexer<'_, Token>, span: Span) {
    let opening = Span { start: span.start, end: span.start + 1 };
    let problem = match lexer.slice().chars().next() {
        Some('/') => return found.never_closed(lexer, words::open_comment(span)),
        Some('`') => {
            let problem = Problem::new(opening, "a quoted name is never closed")
                .help("close it with a backquote; a backquote inside a name is written twice");
            return found.never_closed(lexer, problem);
        }
        Some(quote @ ('"' | '\'')) => {
            // Where the text should have ended is not known: it takes the line with it.
            let rest = lexer.remainder();
            let before = lexer.source().get(..span.start as usize).unwrap_or("");
            let is_prime = quote == '\'' && before.ends_with(|last: char| last.is_ascii_alphanumeric() || last == ']');
            lexer.bump(rest.find('\n').unwrap_or(rest.len()));
            let problem = Problem::new(opening, "a text is not closed on its line").label("it begins here");
            problem.help(match is_prime {
                true => "if this is the next value of a variable: that is assigned, as in `x = x + 1;`".to_owned(),
                false => format!("close it with `{quote}`"),
            })
        }
        _ if found.joins(span, STRANGE) => return,
        Some('$') if found.joins(span, ALONE) => return,
        Some('$') => Problem::new(span, "a parameter needs a name").label(ALONE).help("parameters are written `$name`"),
        Some('#') if found.joins(span, HASH) => return,
        Some('#') => hash(lexer, span),
        sign => {
            let problem = Problem::new(span, "this is no part of the language").label(STRANGE);
            match sign {
                Some('?') => problem.help("a choice between values is a statement: `if (x == 1) { ... } else { ... }`"),
                Some('\\') => problem.help(
                    "operators are `&&`, `||` and `!`, quantifiers `forall ($i : 0..3)` and `exists ($i : 0..3)`",
                ),
                _ => problem,
            }
        }
    };
    found.problems.push(problem);
}

/// Says what is wrong with a `#`. At the beginning of a line it takes the line with it: that is a comment of another language.
fn hash(lexer: &mut Lexer<'_, Token>, span: Span) -> Problem {
    let problem = Problem::new(span, "`#` means nothing here").label(HASH);
    let before = lexer.source().get(..span.start as usize).unwrap_or("");
    let is_first = before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty());
    if !is_first {
        return problem;
    }
    let rest = lexer.remainder().split('\n').next().unwrap_or("");
    lexer.bump(rest.len());
    match rest.trim_start().starts_with("define") {
        true => problem.help("constants begin with `$`: `$N = 3;`"),
        false => problem,
    }
}

const ALONE: &str = "`$` stands alone";
const HASH: &str = "comments begin with `//`";
const STRANGE: &str = "these characters may stand only in comments, texts and names in backquotes";
