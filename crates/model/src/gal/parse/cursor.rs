//! Where a reader stands in the text, what it expects there, and how it goes on after an error.

use super::super::syntax::{Name, Place};
use super::super::token::{NEVER_CLOSED, Token, Word, words};
use crate::text::suggest;
use crate::text::{Problem, Span, Unreadable};

/// How deep expressions, blocks and types may nest.
const DEEPEST: usize = 500;

/// After this many problems, more are not looked for.
const MOST_PROBLEMS: usize = 1000;

/// Something could not be read, and that has been reported.
#[derive(Debug)]
pub(super) struct Failed;

pub(super) type Parsed<T> = Result<T, Failed>;

/// A reader and where it stands.
pub(super) struct Parser<'a> {
    pub text: &'a str,
    words: Vec<Word>,
    position: usize,
    depth: usize,
    problems: Vec<Problem>,
    /// Where the last problem was reported; a second one there would only repeat it.
    reported: Option<usize>,
    /// Whether a comment or a name is never closed.
    hides_the_rest: bool,
    /// Whether temporal operators and the like may be used here.
    pub formula: bool,
    /// Whether `U` ends the expression (in `A[f U g]`) instead of being part of it.
    pub until_ends: bool,
}

/// Words that begin a declaration of a file, and so end a type that is not closed.
const TYPES: [&str; 6] = ["gal", "GAL", "net", "composite", "interface", "property"];

/// Words that begin a large declaration inside a type.
const MEMBERS: [&str; 5] = ["transition", "synchronization", "synchronisation", "predicate", "initial"];

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Parser<'a> {
        let (words, problems) = words(text);
        let hides_the_rest = problems.iter().any(|problem| problem.message.ends_with(NEVER_CLOSED));
        Parser {
            text,
            words,
            position: 0,
            depth: 0,
            problems,
            reported: None,
            hides_the_rest,
            formula: false,
            until_ends: false,
        }
    }

    /// The result, if there was no problem.
    pub fn finish<T>(self, file: &str, result: T) -> Result<T, Unreadable> {
        match self.problems.is_empty() {
            true => Ok(result),
            false => Err(Unreadable::new(file, self.text, self.problems)),
        }
    }

    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether so much is wrong that reading on does not help.
    pub fn gives_up(&self) -> bool {
        self.problems.len() >= MOST_PROBLEMS
    }

    fn word(&self, ahead: usize) -> Word {
        // There is always an `End`, which is never passed.
        let last = self.words.len().saturating_sub(1);
        self.words
            .get((self.position + ahead).min(last))
            .copied()
            .unwrap_or(Word { token: Token::End, span: Span::default() })
    }

    pub fn peek(&self) -> Token {
        self.word(0).token
    }

    pub fn peek_at(&self, ahead: usize) -> Token {
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
        self.peek() == Token::End
    }

    pub fn position(&self) -> usize {
        self.position
    }

    pub fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.position += 1;
        }
        span
    }

    fn slice_at(&self, ahead: usize) -> &'a str {
        let span = self.word(ahead).span;
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The text of the next word.
    pub fn slice(&self) -> &'a str {
        self.slice_at(0)
    }

    /// The text of the word before the next one.
    pub fn slice_before(&self) -> &'a str {
        let span = self.last_span();
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Whether the next word is this one (never if it is quoted).
    pub fn is_word(&self, word: &str) -> bool {
        self.is_word_at(0, word)
    }

    pub fn is_word_at(&self, ahead: usize, word: &str) -> bool {
        self.peek_at(ahead) == Token::Identifier && self.slice_at(ahead) == word
    }

    pub fn eat(&mut self, token: Token) -> bool {
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

    /// Whether the next word can be a name.
    pub fn is_name_at(&self, ahead: usize) -> bool {
        matches!(self.peek_at(ahead), Token::Identifier | Token::Quoted)
    }

    pub fn report(&mut self, problem: Problem) -> Failed {
        // Where something that never closes hides the rest of the text, nothing can be said about its end.
        let hidden = self.at_end() && self.hides_the_rest;
        if self.reported != Some(self.position) && !self.gives_up() && !hidden {
            self.problems.push(problem);
        }
        self.reported = Some(self.position);
        Failed
    }

    /// Reports that something else was expected here.
    pub fn expected(&mut self, what: &str) -> Failed {
        let problem = Problem::new(self.span(), format!("expected {what}, found {}", self.found()));
        self.report(problem.label(format!("expected {what}")))
    }

    /// The next word, as a message names it.
    pub fn found(&self) -> String {
        match self.peek() {
            Token::End => "the end of the text".to_string(),
            _ => {
                let slice = self.slice();
                match slice.char_indices().nth(30) {
                    Some((end, _)) => format!("`{}...`", &slice[..end]),
                    None => format!("`{}`", slice.trim_matches('`')),
                }
            }
        }
    }

    pub fn expect(&mut self, token: Token, what: &str) -> Parsed<Span> {
        match self.peek() == token {
            true => Ok(self.bump()),
            false => Err(self.expected(what)),
        }
    }

    /// A `;`. One that is missing at the end of a line is reported, and taken as written.
    pub fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(Token::Semicolon) {
            return Ok(());
        }
        let last = self.last_span();
        let between = self.text.get(last.end as usize..self.span().start as usize).unwrap_or("");
        if self.at_end() || self.peek() == Token::RightBrace || between.contains('\n') {
            let here = Span { start: last.end.saturating_sub(1), end: last.end };
            self.report(Problem::new(here, "a `;` is missing").label("expected `;` after this"));
            return Ok(());
        }
        Err(self.expected("`;`"))
    }

    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        let slice = self.slice();
        let text = match self.peek() {
            Token::Identifier => slice.to_string(),
            Token::Quoted => slice.get(1..slice.len().saturating_sub(1)).unwrap_or("").replace("``", "`"),
            _ => return Err(self.expected(what)),
        };
        if text.is_empty() {
            return Err(self.report(Problem::new(self.span(), "a name is empty").label("expected a name")));
        }
        Ok(Name { text, place: Place(self.bump()) })
    }

    /// `$name`, without the dollar sign.
    pub fn parameter(&mut self) -> Parsed<Name> {
        if self.peek() != Token::Parameter {
            let failed = self.expected("a parameter such as `$i`");
            return Err(failed);
        }
        let text = self.slice().trim_start_matches('$').to_string();
        Ok(Name { text, place: Place(self.bump()) })
    }

    /// `"text"`, without quotes and escapes.
    pub fn quoted_text(&mut self, what: &str) -> Parsed<Name> {
        if self.peek() != Token::Text {
            return Err(self.expected(what));
        }
        let slice = self.slice();
        let inside = slice.get(1..slice.len().saturating_sub(1)).unwrap_or("");
        Ok(Name { text: unescape(inside), place: Place(self.bump()) })
    }

    /// Reads something one level deeper.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let problem = Problem::new(self.span(), format!("this nests deeper than {DEEPEST} levels"))
                .label("too deep here")
                .help("give the inner parts names of their own, with `alias` or `predicate`");
            return Err(self.report(problem));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads `{ ... }`, one thing after the other; `open` is the name of what the braces enclose.
    pub fn block<T>(&mut self, what: &str, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let open = self.expect(Token::LeftBrace, "`{`")?;
        let mut list = Vec::new();
        loop {
            if self.eat(Token::RightBrace) {
                return Ok(list);
            }
            if self.at_end() || self.at_type() || self.gives_up() {
                let problem = Problem::new(self.span(), format!("{what} is never closed, found {}", self.found()))
                    .label("expected `}`")
                    .related(open, "it begins here");
                return Err(self.report(problem));
            }
            let before = self.position;
            match read(self) {
                Ok(thing) => list.push(thing),
                Err(Failed) => self.recover(before),
            }
        }
    }

    /// Reads a list separated by commas up to a closing word, which is consumed.
    pub fn list<T>(
        &mut self, close: Token, symbol: &str, mut read: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut list = Vec::new();
        if self.eat(close) {
            return Ok(list);
        }
        loop {
            list.push(read(self)?);
            if self.eat(close) {
                return Ok(list);
            }
            if !self.eat(Token::Comma) {
                return Err(self.expected(&format!("`,` or `{symbol}`")));
            }
        }
    }

    /// Whether a declaration of a type begins here.
    fn at_type(&self) -> bool {
        self.is_name_at(1)
            && TYPES.iter().any(|word| self.is_word(word))
            && matches!(self.peek_at(2), Token::LeftBrace | Token::LeftParenthesis | Token::Less | Token::LeftBracket)
    }

    /// Skips what could not be read: up to and including a `;` or a block, or up to the end of the enclosing block or
    /// the next declaration. Skips at least one word that was not consumed before.
    pub fn recover(&mut self, began: usize) {
        let mut open = 0usize;
        while !self.at_end() {
            let declares = MEMBERS.iter().any(|word| self.is_word(word)) && self.is_name_at(1);
            if self.position > began && (self.at_type() || declares) {
                return;
            }
            match self.peek() {
                Token::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => open += 1,
                Token::RightBrace => match open {
                    0 if self.position > began => return,
                    0 => {}
                    1 => {
                        self.bump();
                        return;
                    }
                    _ => open -= 1,
                },
                _ => {}
            }
            self.bump();
        }
    }

    /// Reports that none of some words is here, and which of them was perhaps meant.
    pub fn none_of(&mut self, what: &str, words: &[&str], help: &str) -> Failed {
        let help = match suggest::nearest(self.slice(), words.iter().copied()) {
            Some(word) if self.peek() == Token::Identifier && word != self.slice() => format!("did you mean `{word}`?"),
            _ => help.to_string(),
        };
        let problem = Problem::new(self.span(), format!("expected {what}, found {}", self.found()));
        self.report(problem.label(format!("expected {what}")).help(help))
    }
}

fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_string();
    }
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some('r') => result.push('\r'),
                Some(other) => result.push(other),
                None => {}
            },
            _ => result.push(character),
        }
    }
    result
}
