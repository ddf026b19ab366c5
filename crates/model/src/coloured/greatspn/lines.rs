//! Files of lines and fields.

use super::piece::Piece;
use crate::text::xml::{Fault, fault};
use crate::text::{Problem, Span};

/// The lines of a file, one after the other.
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
}

/// What is left of a line.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Lines<'a> {
        Lines { text, at: 0 }
    }

    /// The next line, blank or not.
    pub fn any(&mut self) -> Option<Fields<'a>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = Fields { rest: &rest[..length], at: self.at };
        self.at = (self.at + length + 1).min(self.text.len());
        Some(line)
    }

    /// The next line that is not blank.
    pub fn next(&mut self) -> Option<Fields<'a>> {
        loop {
            let line = self.any()?;
            if !line.is_empty() {
                return Some(line);
            }
        }
    }

    /// The next line that is not blank; `what` is expected there.
    pub fn expect(&mut self, what: &str) -> Result<Fields<'a>, Fault> {
        self.next().ok_or_else(|| {
            let end = Span::new(self.text.len(), self.text.len());
            let problem = Problem::new(end, format!("the file ends where {what} is expected"));
            Box::new(problem.label(format!("expected {what}")).help("the file may be cut off"))
        })
    }

    /// From here on.
    pub fn offset(&self) -> usize {
        self.at
    }
}

impl<'a> Fields<'a> {
    pub fn is_empty(&self) -> bool {
        self.rest.trim_ascii().is_empty()
    }

    /// What is left, without blanks around it.
    pub fn piece(&self) -> Piece<'a> {
        let skipped = self.rest.len() - self.rest.trim_ascii_start().len();
        Piece::plain(self.rest.trim_ascii(), self.at + skipped)
    }

    /// What is left, as it is, without blanks around it.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_ascii()
    }

    /// Where what is left is.
    pub fn span(&self) -> Span {
        self.piece().span
    }

    /// Where the line begins.
    pub fn start(&self) -> usize {
        self.at
    }

    /// The next field, if there is one.
    pub fn word(&mut self) -> Option<(&'a str, Span)> {
        let skipped = self.rest.len() - self.rest.trim_ascii_start().len();
        let begin = &self.rest[skipped..];
        let length = begin.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(begin.len());
        let span = Span::new(self.at + skipped, self.at + skipped + length);
        self.rest = &begin[length..];
        self.at += skipped + length;
        (length > 0).then(|| (&begin[..length], span))
    }

    /// The next field; `what` is expected there.
    pub fn expect(&mut self, what: &str) -> Result<(&'a str, Span), Fault> {
        self.word().ok_or_else(|| {
            let span = Span::new(self.at, self.at);
            Box::new(
                Problem::new(span, format!("the line ends where {what} is expected")).label(format!("expected {what}")),
            )
        })
    }

    /// A whole number.
    pub fn integer(&mut self, what: &str) -> Result<(i32, Span), Fault> {
        let (word, span) = self.expect(what)?;
        match word.parse() {
            Ok(number) => Ok((number, span)),
            Err(_) => fault(Problem::new(span, format!("{what} is expected here")).label("expected a whole number")),
        }
    }

    /// A number from 0 on.
    pub fn count(&mut self, what: &str) -> Result<u32, Fault> {
        let (number, span) = self.integer(what)?;
        u32::try_from(number)
            .or_else(|_| fault(Problem::new(span, format!("{what} below zero")).label("expected a number from 0 on")))
    }

    /// Passes over coordinates.
    pub fn coordinates(&mut self, how_many: usize) -> Result<(), Fault> {
        for _ in 0..how_many {
            let (word, span) = self.expect("a coordinate")?;
            if word.parse::<f64>().is_err() {
                return fault(Problem::new(span, "a coordinate is expected here").label("expected a number"));
            }
        }
        Ok(())
    }

    /// Passes over the layers of a drawing, up to the 0 that ends them.
    pub fn layers(&mut self) -> Result<(), Fault> {
        while self.integer("a layer, or the 0 after the last one")?.0 != 0 {}
        Ok(())
    }
}
