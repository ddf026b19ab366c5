//! Where a reader stands in the text, what it expects there, and how it goes on after an error.

use super::super::syntax::Name;
use super::super::token::{Token, Word, Words, is_keyword};
use super::Known;
use crate::text::suggest;
use crate::text::{Problem, Span, Unreadable};

/// How deep expressions may nest.
pub(super) const DEEPEST: u32 = 400;

/// After this many problems, more are not looked for.
const MOST_PROBLEMS: usize = 200;

/// Something could not be read, and that has been reported.
#[derive(Debug)]
pub(super) struct Failed;

pub(super) type Parsed<T> = Result<T, Failed>;

/// A reader and where it stands.
pub(super) struct Parser<'a> {
    text: &'a str,
    words: Vec<Word>,
    position: usize,
    depth: u32,
    problems: Vec<Problem>,
    /// Where the last problem was reported; a second one there would only repeat it.
    reported: Option<usize>,
    hides_the_rest: bool,
    /// The names that are known where a formula is read; elsewhere there are no formulas.
    pub known: Option<Known>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Parser<'a> {
        let Words { words, problems, hides_the_rest } = Words::of(text);
        Parser { text, words, position: 0, depth: 0, problems, reported: None, hides_the_rest, known: None }
    }

    /// The result, if there was no problem.
    pub fn finish<T>(self, file: &str, result: T) -> Result<T, Unreadable> {
        match self.problems.is_empty() {
            true => Ok(result),
            false => Err(Unreadable::new(file, self.text, self.problems)),
        }
    }

    /// Whether so much is wrong that reading on does not help.
    pub fn gives_up(&self) -> bool {
        self.problems.len() >= MOST_PROBLEMS
    }

    fn word(&self, ahead: usize) -> Word {
        // There is always an `End`, which is never passed.
        let last = self.words.len().saturating_sub(1);
        let end = Word { token: Token::End, span: Span::default() };
        self.words.get((self.position + ahead).min(last)).copied().unwrap_or(end)
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

    pub fn is_word(&self, word: &str) -> bool {
        self.is_word_at(0, word)
    }

    fn is_word_at(&self, ahead: usize, word: &str) -> bool {
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

    pub fn report(&mut self, problem: Problem) -> Failed {
        // Where a comment that never closes hides the rest of the text, nothing can be said about its end.
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

    /// Reports that none of some words is here, and which of them was perhaps meant.
    pub fn none_of(&mut self, what: &str, words: &[&str], help: &str) -> Failed {
        let help = match suggest::nearest(self.slice(), words.iter().copied()) {
            Some(word) if self.peek() == Token::Identifier && word != self.slice() => format!("did you mean `{word}`?"),
            _ => help.to_string(),
        };
        let problem = Problem::new(self.span(), format!("expected {what}, found {}", self.found()));
        self.report(problem.label(format!("expected {what}")).help(help))
    }

    /// The next word, as a message names it.
    pub fn found(&self) -> String {
        if self.at_end() {
            return "the end of the text".to_string();
        }
        let slice = self.slice();
        match slice.char_indices().nth(30) {
            Some((end, _)) => format!("`{}...`", &slice[..end]),
            None => format!("`{slice}`"),
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

    /// Whether the next word can be a name.
    pub fn is_name_at(&self, ahead: usize) -> bool {
        self.peek_at(ahead) == Token::Identifier && !is_keyword(self.slice_at(ahead))
    }

    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.peek() == Token::Identifier && is_keyword(self.slice()) {
            let word = self.slice();
            let problem = Problem::new(self.span(), format!("expected {what}, found the keyword `{word}`"))
                .label("this word has a meaning of its own")
                .help("choose another name");
            return Err(self.report(problem));
        }
        if self.peek() != Token::Identifier {
            return Err(self.expected(what));
        }
        let text = self.slice().to_string();
        Ok(Name { text, span: self.bump() })
    }

    /// Names separated by commas, up to a `;`.
    pub fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(Token::Comma) {
            names.push(self.name(what)?);
        }
        self.semicolon()?;
        Ok(names)
    }

    /// Reads something one level deeper.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let here = self.span();
            return Err(self.too_deep(here));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub fn too_deep(&mut self, span: Span) -> Failed {
        let problem = Problem::new(span, format!("this nests deeper than {DEEPEST} levels"))
            .label("too deep here")
            .help("compute the inner parts before, in variables of their own");
        self.report(problem)
    }

    /// Whether a process or the line of the system begins here.
    pub fn at_section(&self) -> bool {
        self.is_word("process") && self.peek_at(1) == Token::Identifier
            || self.is_word("system") && (self.is_word_at(1, "async") || self.is_word_at(1, "sync"))
    }

    /// Skips what could not be read: up to and including a `;`, or up to the end of the enclosing block or the next
    /// section. Skips at least one word that was not consumed before.
    pub fn recover(&mut self, began: usize) {
        let mut open = 0usize;
        while !self.at_end() {
            if self.position > began && self.at_section() {
                return;
            }
            match self.peek() {
                Token::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => open += 1,
                Token::RightBrace if open == 0 && self.position > began => return,
                Token::RightBrace => open = open.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }
}
