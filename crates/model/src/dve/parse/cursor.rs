//! Where the reader of the language stands, its names, and how it goes on after an error.

use std::ops::{Deref, DerefMut};

use super::super::syntax::Name;
use super::super::token::{Token, is_keyword, words};
use super::NamesInScope;
use crate::text::cursor::{Cursor, Failed, Parsed};
use crate::text::{Problem, Span};

/// How deep expressions may nest.
pub(super) const DEEPEST: u32 = 400;

/// A reader: a [`Cursor`] that knows the language.
pub(super) struct Parser<'a> {
    cursor: Cursor<'a, Token>,
    depth: u32,
    /// The names that are known where a formula is read; elsewhere there are no formulas.
    pub names: Option<NamesInScope>,
}

impl<'a> Deref for Parser<'a> {
    type Target = Cursor<'a, Token>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Parser<'a> {
        Parser { cursor: Cursor::new(text, words(text)), depth: 0, names: None }
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
            if self.position() > began && self.at_section() {
                return;
            }
            match self.peek() {
                Token::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => open += 1,
                Token::RightBrace if open == 0 && self.position() > began => return,
                Token::RightBrace => open = open.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }
}
