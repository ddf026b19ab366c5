//! The words of the language.
//!
//! Comments and blanks are no words. Most keywords are not known here: `place`, `take`, `label` and the like mean
//! something only where the grammar asks for them, and are names everywhere else.

use logos::Logos;

use crate::text::{Problem, Span};

/// A kind of word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(super) enum Token {
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
    /// What follows the last word.
    End,
}

/// Finds the end of a comment; `false` if there is none.
fn comment(lexer: &mut logos::Lexer<'_, Token>) -> logos::FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            logos::FilterResult::Skip
        }
        None => logos::FilterResult::Error(()),
    }
}

/// A word and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub token: Token,
    pub span: Span,
}

/// The words of a text, always with one [`Token::End`] at the end, and what in it is no word.
pub(super) fn words(text: &str) -> (Vec<Word>, Vec<Problem>) {
    let mut words = Vec::with_capacity(text.len() / 5);
    let mut problems: Vec<Problem> = Vec::new();
    let mut lexer = Token::lexer(text);
    while let Some(token) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(range.start, range.end);
        match token {
            Ok(token) => words.push(Word { token, span }),
            Err(()) => {
                let slice = lexer.slice();
                // What opens and never closes hides everything after it.
                if slice.starts_with(['"', '\'', '`']) || slice.starts_with("/*") {
                    let rest = if slice.starts_with("/*") || slice.starts_with('`') {
                        text.len() - range.start
                    } else {
                        text[range.start..].find('\n').unwrap_or(text.len() - range.start)
                    };
                    lexer.bump(rest.saturating_sub(slice.len()));
                }
                strange(&mut problems, slice, span);
            }
        }
    }
    words.push(Word { token: Token::End, span: Span::new(text.len(), text.len()) });
    (words, problems)
}

/// Says what is wrong with something that is no word; neighbours are one problem.
fn strange(problems: &mut Vec<Problem>, slice: &str, span: Span) {
    if let Some(last) = problems.last_mut()
        && last.span.end == span.start
        && last.label == STRANGE
    {
        last.span.end = span.end;
        return;
    }
    let opening = Span { start: span.start, end: span.start + 1 };
    problems.push(match slice.chars().next() {
        Some('/') => Problem::new(Span { end: span.start + 2, ..span }, format!("a comment {NEVER_CLOSED}"))
            .label("it begins here")
            .help("close it with `*/`"),
        Some(quote @ ('"' | '\'')) => Problem::new(opening, "a text is not closed on its line")
            .label("it begins here")
            .help(format!("close it with `{quote}`")),
        Some('`') => Problem::new(opening, format!("a quoted name {NEVER_CLOSED}"))
            .label("it begins here")
            .help("close it with a backquote; a backquote inside a name is written twice"),
        Some('$') => Problem::new(span, "a parameter needs a name")
            .label("`$` stands alone")
            .help("parameters are written `$name`"),
        Some('#') => Problem::new(span, "`#` means nothing here").label("comments begin with `//`"),
        _ => Problem::new(span, "this is no part of the language").label(STRANGE),
    });
}

/// What is said of something that hides the rest of the text.
pub(super) const NEVER_CLOSED: &str = "is never closed";

const STRANGE: &str = "these characters may stand only in comments, texts and names in backquotes";
