//! Where a reader stands in a text, and what it expects there, as far as languages have that in common.

use super::words::{MOST_PROBLEMS, Row, Token, Word, Words};
use super::{Problem, Span, Unreadable, suggest};

/// Something could not be read, and that has been reported.
#[derive(Debug)]
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// A text and a place in it.
pub(crate) struct Cursor<'a, T> {
    pub text: &'a str,
    words: Row<T>,
    position: usize,
    problems: Vec<Problem>,
    /// Where the last problem was reported; a second one there would only repeat it.
    reported: Option<usize>,
    hides_the_rest: bool,
}

impl<'a, T: Token> Cursor<'a, T> {
    /// The beginning of a text.
    pub fn new(text: &'a str, words: Words<T>) -> Cursor<'a, T> {
        let Words { words, problems, hides_the_rest } = words;
        Cursor { text, words, position: 0, problems, reported: None, hides_the_rest }
    }

    /// The result, if there was no problem.
    pub fn finish<R>(&mut self, file: &str, result: R) -> Result<R, Unreadable> {
        match self.is_clean() {
            true => Ok(result),
            false => Err(Unreadable::new(file, self.text, std::mem::take(&mut self.problems))),
        }
    }

    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether so much is wrong that reading on does not help.
    pub fn gives_up(&self) -> bool {
        self.problems.len() >= MOST_PROBLEMS
    }

    fn word(&self, ahead: usize) -> Word<T> {
        // There is always an end, which is never passed.
        let last = self.words.len().saturating_sub(1);
        let end = Word { token: T::END, span: Span::default() };
        self.words.get((self.position + ahead).min(last)).unwrap_or(end)
    }

    pub fn peek(&self) -> T {
        self.word(0).token
    }

    pub fn peek_at(&self, ahead: usize) -> T {
        self.word(ahead).token
    }

    /// Where the next word is.
    pub fn span(&self) -> Span {
        self.word(0).span
    }

    /// Where the last word was.
    pub fn last_span(&self) -> Span {
        self.position.checked_sub(1).and_then(|last| self.words.get(last)).map_or(Span::default(), |word| word.span)
    }

    pub fn at_end(&self) -> bool {
        self.peek() == T::END
    }

    /// How many words have been passed.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Passes a word.
    pub fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.position += 1;
        }
        span
    }

    fn piece(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The text of the next word.
    pub fn slice(&self) -> &'a str {
        self.slice_at(0)
    }

    pub fn slice_at(&self, ahead: usize) -> &'a str {
        self.piece(self.word(ahead).span)
    }

    /// The text of the word before the next one.
    pub fn slice_before(&self) -> &'a str {
        self.piece(self.last_span())
    }

    /// Whether the next word is this one (never if it is quoted).
    pub fn is_word(&self, word: &str) -> bool {
        self.is_word_at(0, word)
    }

    pub fn is_word_at(&self, ahead: usize, word: &str) -> bool {
        self.peek_at(ahead) == T::IDENTIFIER && self.slice_at(ahead) == word
    }

    pub fn eat(&mut self, token: T) -> bool {
        let found = self.peek() == token;
        if found {
            self.bump();
        }
        found
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub fn report(&mut self, problem: Problem) -> Failed {
        // Where something that is never closed hides the rest of the text, nothing can be said about its end.
        let hidden = self.at_end() && self.hides_the_rest;
        if self.reported != Some(self.position) && !self.gives_up() && !hidden {
            self.problems.push(problem);
        }
        self.reported = Some(self.position);
        Failed
    }

    fn unexpected(&self, what: &str) -> Problem {
        let message = format!("expected {what}, found {}", self.found());
        Problem::new(self.span(), message).label(format!("expected {what}"))
    }

    /// Reports that something else was expected here.
    pub fn expected(&mut self, what: &str) -> Failed {
        self.report(self.unexpected(what))
    }

    /// Reports that something else was expected here, with a way forward if there is one.
    pub fn expected_with(&mut self, what: &str, help: Option<String>) -> Failed {
        let problem = self.unexpected(what);
        self.report(match help {
            Some(help) => problem.help(help),
            None => problem,
        })
    }

    /// Reports that none of some words is here, and which of them was perhaps meant.
    pub fn none_of(&mut self, what: &str, words: &[&str], help: &str) -> Failed {
        let help = match suggest::nearest(self.slice(), words.iter().copied()) {
            Some(word) if self.peek() == T::IDENTIFIER && word != self.slice() => format!("did you mean `{word}`?"),
            _ => help.to_string(),
        };
        self.report(self.unexpected(what).help(help))
    }

    /// Reports that something in braces is not closed here.
    pub fn not_closed(&mut self, what: &str, open: Span) -> Failed {
        let problem = Problem::new(self.span(), format!("{what} is never closed, found {}", self.found()))
            .label("expected `}`")
            .related(open, "it begins here");
        self.report(problem)
    }

    /// The next word, as a message names it.
    pub fn found(&self) -> String {
        if self.at_end() {
            return "the end of the text".to_string();
        }
        let slice = self.slice();
        match slice.char_indices().nth(30) {
            Some((end, _)) => format!("`{}...`", &slice[..end]),
            None => format!("`{}`", slice.trim_matches('`')),
        }
    }

    pub fn expect(&mut self, token: T, what: &str) -> Parsed<Span> {
        match self.peek() == token {
            true => Ok(self.bump()),
            false => Err(self.expected(what)),
        }
    }

    /// A `;`. One that is missing at the end of a line is reported, and taken as written.
    pub fn semicolon(&mut self) -> Parsed<()> {
        self.semicolon_with(None)
    }

    /// The same, with a way forward where something else stands in its place.
    pub fn semicolon_with(&mut self, help: Option<String>) -> Parsed<()> {
        if self.eat(T::SEMICOLON) {
            return Ok(());
        }
        let last = self.last_span();
        let between = self.piece(Span { start: last.end, end: self.span().start });
        if self.at_end() || self.peek() == T::RIGHT_BRACE || between.contains('\n') {
            let here = Span { start: last.end.saturating_sub(1), end: last.end };
            self.report(Problem::new(here, "a `;` is missing").label("expected `;` after this"));
            return Ok(());
        }
        Err(self.expected_with("`;`", help))
    }

    /// A number of 32 bits; `help` says which numbers there are.
    pub fn number(&mut self, negative: bool, help: &str) -> Parsed<i32> {
        let size = self.slice().parse::<i64>().ok();
        let value = size.map(|size| if negative { -size } else { size }).and_then(|value| i32::try_from(value).ok());
        match value {
            Some(value) => {
                self.bump();
                Ok(value)
            }
            None => {
                let problem = Problem::new(self.span(), "a number is beyond 32 bits").label("too large").help(help);
                Err(self.report(problem))
            }
        }
    }

    /// The `)` of a parenthesis; returns where the whole is.
    pub fn close_parenthesis(&mut self, open: Span) -> Parsed<Span> {
        if self.peek() != T::RIGHT_PARENTHESIS {
            let problem = Problem::new(self.span(), format!("expected `)`, found {}", self.found()))
                .label("expected `)` or an operator")
                .related(open, "for this parenthesis");
            return Err(self.report(problem));
        }
        Ok(open.to(self.bump()))
    }

    /// Nothing, or reports a second index.
    pub fn one_dimension(&mut self) -> Parsed<()> {
        if self.peek() != T::LEFT_BRACKET {
            return Ok(());
        }
        let problem = Problem::new(self.span(), "arrays have one dimension")
            .label("a second index")
            .help("write `t[i * columns + j]`");
        Err(self.report(problem))
    }
}
