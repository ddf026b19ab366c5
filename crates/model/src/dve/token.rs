//! The words of the language.
//!
//! Comments and blanks are no words. Keywords are told from names by [`is_keyword`]; none of them may be a name.

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

/// Finds the end of a comment; an error if there is none.
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

/// What a text is made of.
pub(super) struct Words {
    /// The words, always with one [`Token::End`] at the end.
    pub words: Vec<Word>,
    /// What is no word.
    pub problems: Vec<Problem>,
    /// Whether a comment that is never closed hides the rest of the text.
    pub hides_the_rest: bool,
}

impl Words {
    /// Takes a text apart.
    pub fn of(text: &str) -> Words {
        let mut found =
            Words { words: Vec::with_capacity(text.len() / 4), problems: Vec::new(), hides_the_rest: false };
        let mut lexer = Token::lexer(text);
        while let Some(token) = lexer.next() {
            let range = lexer.span();
            let span = Span::new(range.start, range.end);
            match token {
                Ok(token) => found.words.push(Word { token, span }),
                Err(()) if lexer.slice().starts_with("/*") => {
                    lexer.bump(lexer.remainder().len());
                    found.hides_the_rest = true;
                    found.problems.push(
                        Problem::new(span, "a comment is never closed")
                            .label("it begins here")
                            .help("close it with `*/`"),
                    );
                }
                Err(()) => found.strange(span),
            }
        }
        found.words.push(Word { token: Token::End, span: Span::new(text.len(), text.len()) });
        found
    }

    /// Notes characters that are no word; neighbours are one problem.
    fn strange(&mut self, span: Span) {
        match self.problems.last_mut() {
            Some(last) if last.span.end == span.start && last.label == STRANGE => last.span.end = span.end,
            _ => self.problems.push(Problem::new(span, "this is no part of the language").label(STRANGE)),
        }
    }
}

const STRANGE: &str = "these characters may stand only in comments";
