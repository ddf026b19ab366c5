//! The words of a text, as far as languages have them in common.

use logos::{FilterResult, Lexer, Logos};

use super::{Problem, Span};

/// A kind of word. These are known to every language.
pub(crate) trait Token: Copy + PartialEq {
    const IDENTIFIER: Self;
    const SEMICOLON: Self;
    const LEFT_BRACKET: Self;
    const RIGHT_PARENTHESIS: Self;
    const RIGHT_BRACE: Self;
    /// What follows the last word.
    const END: Self;
}

/// A word and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<T> {
    pub token: T,
    pub span: Span,
}

/// What a text is made of.
#[derive(Debug)]
pub(crate) struct Words<T> {
    /// The words, always with one [`Token::END`] at the end.
    pub words: Vec<Word<T>>,
    /// What is no word.
    pub problems: Vec<Problem>,
    /// Whether something that is never closed, such as a comment, hides the rest of the text.
    pub hides_the_rest: bool,
}

impl<T: Token> Words<T> {
    /// Takes a text apart. `strange` is called for what is no word: it reports that, and may skip more of the text.
    pub fn of<'a>(text: &'a str, mut strange: impl FnMut(&mut Words<T>, &mut Lexer<'a, T>, Span)) -> Words<T>
    where
        T: Logos<'a, Source = str, Extras = (), Error = ()>,
    {
        let mut found =
            Words { words: Vec::with_capacity(text.len() / 5), problems: Vec::new(), hides_the_rest: false };
        let mut lexer = T::lexer(text);
        while let Some(token) = lexer.next() {
            let range = lexer.span();
            let span = Span::new(range.start, range.end);
            match token {
                Ok(token) => found.words.push(Word { token, span }),
                Err(()) => strange(&mut found, &mut lexer, span),
            }
        }
        found.words.push(Word { token: T::END, span: Span::new(text.len(), text.len()) });
        found
    }

    /// Reports something that opens, is never closed, and so hides the rest of the text, which is skipped.
    pub fn never_closed<'a>(&mut self, lexer: &mut Lexer<'a, T>, problem: Problem)
    where
        T: Logos<'a, Source = str>,
    {
        lexer.bump(lexer.remainder().len());
        self.hides_the_rest = true;
        self.problems.push(problem.label("it begins here"));
    }

    /// Lets the last problem hold these characters too, if it is the same one right before them.
    pub fn joins(&mut self, span: Span, label: &str) -> bool {
        match self.problems.last_mut() {
            Some(last) if last.span.end == span.start && last.label == label => {
                last.span.end = span.end;
                true
            }
            _ => false,
        }
    }
}

/// Finds the end of a comment, which may be long; an error if there is none.
pub(crate) fn comment<'a, T>(lexer: &mut Lexer<'a, T>) -> FilterResult<(), ()>
where
    T: Logos<'a, Source = str>,
{
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            FilterResult::Skip
        }
        None => FilterResult::Error(()),
    }
}

/// What is said of a comment without an end; `span` begins where it does.
pub(crate) fn open_comment(span: Span) -> Problem {
    Problem::new(Span { end: span.start + 2, ..span }, "a comment is never closed").help("close it with `*/`")
}
