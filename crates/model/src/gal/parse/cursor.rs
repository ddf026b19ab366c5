//! Where the reader of the language stands, its names and blocks, and how it goes on after an error.

use std::ops::{Deref, DerefMut};

use super::super::syntax::{Name, Origin};
use super::super::token::{Token, words};
use crate::text::Problem;
use crate::text::cursor::{Cursor, Failed, Parsed};

/// How deep expressions, blocks and types may nest.
const DEEPEST: usize = 500;

/// A reader: a [`Cursor`] that knows the language.
pub(crate) struct Parser<'a> {
    cursor: Cursor<'a, Token>,
    depth: usize,
    /// Whether temporal operators and the like may be used here.
    pub formula: bool,
    /// Whether `U` ends the expression (in `A[f U g]`) instead of being part of it.
    pub until_ends: bool,
    /// Whether formulas speak of a coloured net, so that names may be followed by colours in parentheses.
    pub coloured: bool,
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

/// Words that begin a declaration of a file, and so end a type that is not closed.
const TYPES: [&str; 6] = ["gal", "GAL", "net", "composite", "interface", "property"];

/// Words that begin a large declaration inside a type.
const MEMBERS: [&str; 6] = ["transition", "synchronization", "synchronisation", "predicate", "initial", "symmetry"];

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Parser<'a> {
        Parser { cursor: Cursor::new(text, words(text)), depth: 0, formula: false, until_ends: false, coloured: false }
    }

    /// Whether the next word can be a name.
    pub fn is_name_at(&self, ahead: usize) -> bool {
        matches!(self.peek_at(ahead), Token::Identifier | Token::Quoted)
    }

    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        let slice = self.slice();
        let text = match self.peek() {
            Token::Identifier => slice.to_string(),
            Token::Quoted => slice.get(1..slice.len().saturating_sub(1)).unwrap_or("").replace("``", "`"),
            _ => return Err(self.expected(what)),
        };
        if text.is_empty() {
            let problem = Problem::new(self.span(), "a name is empty").label("expected a name");
            return Err(self.report(problem));
        }
        Ok(Name { text, origin: Origin(self.bump()) })
    }

    /// `$name`, without the dollar sign.
    pub fn parameter(&mut self) -> Parsed<Name> {
        if self.peek() != Token::Parameter {
            let failed = self.expected("a parameter such as `$i`");
            return Err(failed);
        }
        let text = self.slice().trim_start_matches('$').to_string();
        Ok(Name { text, origin: Origin(self.bump()) })
    }

    /// `"text"`, without quotes and escapes.
    pub fn quoted_text(&mut self, what: &str) -> Parsed<Name> {
        if self.peek() != Token::Text {
            return Err(self.expected(what));
        }
        let slice = self.slice();
        let inside = slice.get(1..slice.len().saturating_sub(1)).unwrap_or("");
        Ok(Name { text: unescape(inside), origin: Origin(self.bump()) })
    }

    /// Reads something one level deeper.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.descend("give the inner parts names of their own, with `alias` or `predicate`")?;
        let result = read(self);
        self.ascend();
        result
    }

    /// Goes one level deeper, if that is not too deep.
    pub fn descend(&mut self, help: &str) -> Parsed<()> {
        if self.depth >= DEEPEST {
            let problem = Problem::new(self.span(), format!("this nests deeper than {DEEPEST} levels"))
                .label("too deep here")
                .help(help);
            return Err(self.report(problem));
        }
        self.depth += 1;
        Ok(())
    }

    /// Comes back up.
    pub fn ascend(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Reads `{ ... }`, one thing after the other; `open` is the name of what the braces enclose.
    pub fn block<T>(&mut self, what: &str, read: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.block_before(what, Self::at_type, read)
    }

    /// The same, where something else may show as well that the block is not closed.
    pub fn block_before<T>(
        &mut self, what: &str, is_outside: impl Fn(&Self) -> bool, mut read: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let open = self.expect(Token::LeftBrace, "`{`")?;
        let mut list = Vec::new();
        loop {
            if self.eat(Token::RightBrace) {
                return Ok(exact(list));
            }
            if self.at_end() || is_outside(self) || self.gives_up() {
                return Err(self.not_closed(what, open));
            }
            let before = self.position();
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
                return Ok(exact(list));
            }
            if !self.eat(Token::Comma) {
                return Err(self.expected(&format!("`,` or `{symbol}`")));
            }
        }
    }

    /// Whether a declaration of a type begins here.
    pub fn at_type(&self) -> bool {
        self.is_name_at(1)
            && TYPES.iter().any(|word| self.is_word(word))
            && matches!(self.peek_at(2), Token::LeftBrace | Token::LeftParenthesis | Token::Less | Token::LeftBracket)
    }

    /// Whether a large declaration inside a type begins here.
    pub fn at_member(&self) -> bool {
        MEMBERS.iter().any(|word| self.is_word(word)) && self.is_name_at(1)
    }

    /// Skips what could not be read: up to and including a `;` or a block, or up to the end of the enclosing block or
    /// the next declaration. Skips at least one word that was not consumed before.
    pub fn recover(&mut self, began: usize) {
        let mut open = 0usize;
        while !self.at_end() {
            if self.position() > began && (self.at_type() || self.at_member()) {
                return;
            }
            match self.peek() {
                Token::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => open += 1,
                Token::RightBrace => match open {
                    0 if self.position() > began => return,
                    0 => {}
                    1 => {
                        self.bump();
                        // `x = {0, 1};` ends here.
                        self.eat(Token::Semicolon);
                        return;
                    }
                    _ => open -= 1,
                },
                _ => {}
            }
            self.bump();
        }
    }
}

/// A list without room for more. Most lists of a file are short, and a list that grows begins with room for four.
fn exact<T>(mut list: Vec<T>) -> Vec<T> {
    list.shrink_to_fit();
    list
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
