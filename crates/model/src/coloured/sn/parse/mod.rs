//! From text to [`File`], by recursive descent, over the words, names, numbers and formulas of GAL.
//!
//! A construct that cannot be read is reported, skipped to its end, and reading goes on.

mod colours;
mod guard;
mod net;
mod tokens;

use std::ops::{Deref, DerefMut};

use super::syntax::{Amount, File, Member, Net};
use crate::gal;
use crate::gal::syntax::Name;
use crate::gal::token::Token;
use crate::text::cursor::{Failed, Parsed};
use crate::text::{Problem, Span, Unreadable};

/// Reads a file. `file` is its name in error messages.
pub(super) fn parse(file: &str, text: &str) -> Result<File, Unreadable> {
    let mut gal = gal::parse::Parser::new(text);
    gal.coloured = true;
    let mut parser = Parser { gal, closes_tuple: false, braces: 0 };
    let tree = parser.file();
    parser.gal.finish(file, tree)
}

/// A reader: that of GAL, and what symmetric nets have besides.
struct Parser<'a> {
    gal: gal::parse::Parser<'a>,
    /// `x-->` ends with an arrow to the reader of words: its `-` has been used, and its `>` is still to come.
    closes_tuple: bool,
    /// How many braces of bags and lists of colours are open.
    braces: usize,
}

impl<'a> Deref for Parser<'a> {
    type Target = gal::parse::Parser<'a>;

    fn deref(&self) -> &Self::Target {
        &self.gal
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.gal
    }
}

const ITEMS: [&str; 2] = ["net", "property"];
const MEMBERS: [&str; 3] = ["class", "place", "transition"];
const TOO_DEEP: &str = "use fewer parentheses and braces";

impl Parser<'_> {
    fn file(&mut self) -> File {
        let mut file = File::default();
        while !self.at_end() && !self.gives_up() {
            let before = self.position();
            if self.item(&mut file).is_err() {
                self.recover(before);
            }
        }
        file
    }

    fn item(&mut self, file: &mut File) -> Parsed<()> {
        if self.peek() == Token::Parameter {
            let constant = self.constant()?;
            self.semicolon()?;
            file.constants.push(constant);
            return Ok(());
        }
        match if self.peek() == Token::Identifier { self.slice() } else { "" } {
            "net" => file.nets.push(self.net()?),
            "property" => file.properties.push(self.property()?),
            word @ ("gal" | "composite" | "typedef" | "main") => {
                let problem = Problem::new(self.span(), format!("`{word}` is not known here"))
                    .label("this is a word of GAL")
                    .help(
                        "a file with a symmetric net has constants, one `net`, and properties; GAL files end in .gal",
                    );
                return Err(self.report(problem));
            }
            "class" | "place" | "transition" | "colset" | "color" | "colour" | "var" => {
                let help = "classes, places and transitions stand inside of a `net Name { ... }`";
                return Err(self.none_of("a declaration", &[], help));
            }
            _ => {
                let help = "a file declares constants (`$N = 3;`), a `net` and `property`";
                return Err(self.none_of("a declaration", &ITEMS, help));
            }
        }
        Ok(())
    }

    fn net(&mut self) -> Parsed<Net> {
        self.bump();
        let name = self.name("the name of the net")?;
        let mut net = Net { name, classes: Vec::new(), places: Vec::new(), transitions: Vec::new() };
        let members = self.block("this net", Self::member)?;
        for member in members {
            match member {
                Member::Class(class) => net.classes.push(class),
                Member::Place(place) => net.places.push(place),
                Member::Transition(transition) => net.transitions.push(*transition),
            }
        }
        Ok(net)
    }

    /// `{ ... }`, one thing after the other. What cannot be read is passed over.
    fn block<T>(&mut self, what: &str, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let open = self.expect(Token::LeftBrace, "`{`")?;
        let mut list = Vec::new();
        loop {
            if self.eat(Token::RightBrace) {
                return Ok(list);
            }
            if self.at_end() || self.begins_item() || self.gives_up() {
                self.not_closed(what, open);
                return Ok(list);
            }
            let before = self.position();
            match read(self) {
                Ok(thing) => list.push(thing),
                Err(Failed) => self.recover(before),
            }
        }
    }

    /// A list separated by commas up to a closing word, which is consumed.
    fn list<T>(&mut self, close: Token, symbol: &str, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let braces = usize::from(close == Token::RightBrace);
        self.braces += braces;
        let mut list = Vec::new();
        if !self.eat(close) {
            loop {
                list.push(read(self)?);
                if self.closes_tuple && close == Token::Greater {
                    self.closes_tuple = false;
                    break;
                }
                if self.eat(close) {
                    break;
                }
                if !self.eat(Token::Comma) {
                    return Err(self.expected(&format!("`,` or `{symbol}`")));
                }
            }
        }
        self.braces -= braces;
        Ok(list)
    }

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.descend(TOO_DEEP)?;
        let result = read(self);
        self.ascend();
        result
    }

    /// Whether a declaration of the file begins here.
    fn begins_item(&self) -> bool {
        ITEMS.iter().any(|word| self.is_word(word))
            && matches!(self.peek_at(1), Token::Identifier | Token::Quoted | Token::Text)
            && matches!(self.peek_at(2), Token::LeftBrace | Token::LeftBracket)
    }

    /// Skips what could not be read: up to and including a `;` or a block, or up to the end of the enclosing block or
    /// the next declaration. Skips at least one word that was not consumed before.
    fn recover(&mut self, began: usize) {
        self.closes_tuple = false;
        let mut inside = std::mem::take(&mut self.braces);
        let mut open = 0usize;
        while !self.at_end() {
            let declares = MEMBERS.iter().any(|word| self.is_word(word)) && self.is_name_at(1);
            if self.position() > began && (declares || self.begins_item()) {
                return;
            }
            match self.peek() {
                Token::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => open += 1,
                Token::RightBrace => match open {
                    0 if inside > 0 => inside -= 1,
                    0 if self.position() > began => return,
                    0 => {}
                    1 if inside == 0 && self.peek_at(1) != Token::Semicolon => {
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

    /// A number, a parameter, or a calculation in parentheses.
    fn amount(&mut self) -> Parsed<Amount> {
        match self.peek() {
            Token::Number => self.literal(false),
            _ => {
                // Parentheses end what is calculated; a parameter alone is all of it.
                let value = match self.peek() {
                    Token::LeftParenthesis => {
                        let open = self.bump();
                        let mut value = self.integer()?;
                        value.origin = crate::gal::syntax::Origin(self.close_parenthesis(open)?);
                        value
                    }
                    _ => {
                        let name = self.parameter()?;
                        let kind = crate::gal::syntax::ExpressionKind::Parameter(name.text.clone());
                        crate::gal::syntax::Expression::new(kind, name.span())
                    }
                };
                Ok(Amount::Calculated(value))
            }
        }
    }

    /// A number as it is written.
    fn literal(&mut self, negative: bool) -> Parsed<Amount> {
        let number = self.slice().parse::<i64>().ok().map(|number| if negative { -number } else { number });
        match number {
            Some(number) => Ok(Amount::Number(number, self.bump())),
            None => {
                let problem = Problem::new(self.span(), "a number is beyond 64 bits").label("too large");
                Err(self.report(problem))
            }
        }
    }

    /// How far it is to what closes the parenthesis that is next; none if nothing does.
    fn closing(&self) -> Option<usize> {
        let mut open = 0usize;
        for ahead in 0.. {
            match self.peek_at(ahead) {
                Token::LeftParenthesis | Token::LeftBrace | Token::LeftBracket => open += 1,
                Token::RightParenthesis | Token::RightBrace | Token::RightBracket => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        return Some(ahead);
                    }
                }
                Token::Semicolon | Token::End => return None,
                _ => {}
            }
        }
        None
    }

    /// What a name is followed by without a blank.
    fn is_joined(&self, name: &Name, token: Token) -> bool {
        self.peek() == token && self.follows(name.span())
    }

    /// From a place to the end of the last word.
    fn since(&self, start: Span) -> Span {
        start.to(self.last_span())
    }
}
