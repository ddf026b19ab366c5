//! Where the reader of an expression stands, and numbers.
//!
//! GreatSPN has two languages for expressions. Its old tools read the one of `.net` files (`[d(x)=C1 and x<>y]`, `<S-!x>`), its
//! editor the one of projects (`x in C1 && x != y`, `<All-x++>`). Most of it is the same, and read by the same functions; where
//! a word means something else, the [`Dialect`] decides.

use rustc_hash::FxHashMap;

use super::palette::{Name, Palette};
use super::piece::Piece;
use super::token::{Token, words};
use crate::text::cursor::{Cursor, Failed, Parsed};
use crate::text::problems::Problems;
use crate::text::{Problem, Span};

/// Which of the two languages an expression is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// That of the files `.net` and `.def`.
    Net,
    /// That of the editor's projects.
    Editor,
}

/// What an expression may name.
pub(super) struct Setting<'s> {
    pub dialect: Dialect,
    /// The colour classes, as far as they are known.
    pub palette: &'s Palette,
    /// What numbers stand for: marking parameters, constants, templates.
    pub constants: &'s FxHashMap<String, i64>,
}

/// A place in an expression.
pub(super) struct Parser<'p, 's> {
    pub cursor: Cursor<'p, Token>,
    pub setting: &'s Setting<'s>,
    piece: &'p Piece<'p>,
    depth: usize,
}

/// How deep parentheses are nested at most.
const DEEPEST: usize = 100;

/// What numbers of tokens there are.
const RANGE: &str = "numbers go up to 2147483647";

/// Reads all of a piece. What is wrong is added to the problems.
pub(super) fn read<T>(
    piece: &Piece<'_>, setting: &Setting<'_>, problems: &mut Problems,
    inside: impl FnOnce(&mut Parser<'_, '_>) -> Parsed<T>,
) -> Option<T> {
    let cursor = Cursor::new(&piece.text, words(&piece.text));
    let mut parser = Parser { cursor, setting, piece, depth: 0 };
    let result = inside(&mut parser).and_then(|result| match parser.cursor.at_end() {
        true => Ok(result),
        false => Err(parser.cursor.expected("the end of the expression")),
    });
    match parser.cursor.finish("", result) {
        Ok(result) => result.ok(),
        Err(unreadable) => {
            unreadable.problems.into_iter().for_each(|problem| problems.add(piece.lift(problem)));
            None
        }
    }
}

impl Parser<'_, '_> {
    /// Where some words are in the file.
    pub fn place(&self, local: Span) -> Span {
        self.piece.place(local)
    }

    /// Where everything from a word on up to here is in the file.
    pub fn since(&self, start: Span) -> Span {
        self.place(start.to(self.cursor.last_span()))
    }

    pub fn is_editor(&self) -> bool {
        self.setting.dialect == Dialect::Editor
    }

    /// A name.
    pub fn name(&mut self, what: &str) -> Parsed<Name> {
        let text = self.cursor.slice().to_owned();
        let span = self.cursor.expect(Token::Identifier, what)?;
        Ok(Name { text, span: self.place(span) })
    }

    /// Something in parentheses, if these are not nested too deep.
    pub fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            let problem = Problem::new(self.cursor.span(), "this is nested too deep");
            return Err(self.cursor.report(problem.label(format!("more than {DEEPEST} levels"))));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Reports something that GreatSPN knows and that is not read.
    pub fn unsupported(&mut self, what: &str, help: &str) -> Failed {
        let problem = Problem::new(self.cursor.span(), format!("{what} is not read")).label("not understood here");
        self.cursor.report(problem.help(help))
    }

    /// A number as it is written, from 0 on.
    pub fn literal(&mut self) -> Parsed<i64> {
        if self.cursor.peek() != Token::Number {
            return Err(self.cursor.expected("a number"));
        }
        self.cursor.number(false, RANGE).map(i64::from)
    }

    /// The value of the next word, if it stands for a number.
    fn constant(&self) -> Option<i64> {
        match self.cursor.peek() {
            Token::Identifier => self.setting.constants.get(self.cursor.slice()).copied(),
            _ => None,
        }
    }

    /// Whether a number begins here.
    pub fn at_number(&self) -> bool {
        self.cursor.peek() == Token::Number || self.constant().is_some()
    }

    /// A number or the name of one.
    pub fn number(&mut self) -> Parsed<i64> {
        if let Some(value) = self.constant() {
            self.cursor.bump();
            return Ok(value);
        }
        if self.cursor.peek() == Token::Identifier {
            let name = self.cursor.slice();
            let known = self.setting.constants.keys().map(String::as_str);
            let none = "there are no constants".to_owned();
            let problem = crate::text::complaint::unknown(self.cursor.span(), "constant", name, known, none);
            return Err(self.cursor.report(problem));
        }
        self.literal()
    }

    /// A sum of products of numbers, as the editor has them.
    pub fn integer(&mut self) -> Parsed<i64> {
        let start = self.cursor.span();
        let mut sum = self.product()?;
        loop {
            let value = match self.cursor.peek() {
                Token::Plus => {
                    self.cursor.bump();
                    sum.checked_add(self.product()?)
                }
                Token::Minus => {
                    self.cursor.bump();
                    sum.checked_sub(self.product()?)
                }
                _ => return Ok(sum),
            };
            sum = self.in_range(start, value)?;
        }
    }

    fn product(&mut self) -> Parsed<i64> {
        let start = self.cursor.span();
        let mut product = self.factor()?;
        loop {
            let value = match self.cursor.peek() {
                Token::Star => {
                    self.cursor.bump();
                    product.checked_mul(self.factor()?)
                }
                Token::Slash => {
                    self.cursor.bump();
                    product.checked_div(self.factor()?)
                }
                _ => return Ok(product),
            };
            product = self.in_range(start, value)?;
        }
    }

    fn factor(&mut self) -> Parsed<i64> {
        match self.cursor.peek() {
            Token::Minus => {
                let start = self.cursor.bump();
                let value = self.nested(Parser::factor)?.checked_neg();
                self.in_range(start, value)
            }
            Token::LeftParenthesis => {
                let open = self.cursor.bump();
                let value = self.nested(Parser::integer)?;
                self.cursor.close_parenthesis(open)?;
                Ok(value)
            }
            Token::Other => Err(self.unsupported("a number that depends on the marking", CONSTANT)),
            Token::Identifier if self.cursor.peek_at(1) == Token::LeftBracket => {
                Err(self.unsupported(&format!("the function `{}`", self.cursor.slice()), CONSTANT))
            }
            _ => self.number(),
        }
    }

    fn in_range(&mut self, start: Span, value: Option<i64>) -> Parsed<i64> {
        value.ok_or_else(|| {
            let span = start.to(self.cursor.last_span());
            let problem = Problem::new(span, "this has no value").label("too large, or divided by zero");
            self.cursor.report(problem)
        })
    }

    /// A number of tokens: something from 0 to what a place can hold.
    pub fn amount(&mut self) -> Parsed<u32> {
        let start = self.cursor.span();
        let value = match (self.setting.dialect, self.cursor.peek()) {
            (Dialect::Editor, _) => self.integer()?,
            (Dialect::Net, Token::Bar) => self.cardinality()?,
            (Dialect::Net, _) => self.number()?,
        };
        if let Ok(amount) = i32::try_from(value)
            && let Ok(amount) = u32::try_from(amount)
        {
            return Ok(amount);
        }
        let span = start.to(self.cursor.last_span());
        let problem = Problem::new(span, "this is no number of tokens").label(format!("this is {value}"));
        Err(self.cursor.report(problem.help("a number from 0 to 2147483647 is expected")))
    }

    /// `|C|` or `|C.C1|`: the number of colours of a class or of a subclass.
    fn cardinality(&mut self) -> Parsed<i64> {
        let palette = self.setting.palette;
        self.cursor.bump();
        let first = self.name("the name of a class")?;
        let second = match self.cursor.eat(Token::Dot) {
            true => Some(self.name("the name of a subclass")?),
            false => None,
        };
        let count = |class: u32, subclass: &str| {
            let index = palette.subclass(class, subclass)?;
            let ranges = palette.classes[class as usize].ranges(Some(index));
            Some(ranges.iter().map(|&(first, end)| i64::from(end - first)).sum())
        };
        let found = match (palette.class(&first.text), &second) {
            (Some(class), None) => Some(i64::from(palette.classes[class as usize].len())),
            (Some(class), Some(second)) => count(class, &second.text),
            (None, None) => (0..palette.classes.len() as u32).find_map(|class| count(class, &first.text)),
            (None, Some(_)) => None,
        };
        let Some(value) = found else {
            let problem = Problem::new(self.cursor.last_span(), "there is no such class or subclass");
            return Err(self.cursor.report(problem.label("not found")));
        };
        self.cursor.expect(Token::Bar, "`|`")?;
        Ok(value)
    }
}

/// What is read where a number is expected.
const CONSTANT: &str =
    "what an arc takes or puts may depend on the binding, but not on the marking or on the order of colours";
