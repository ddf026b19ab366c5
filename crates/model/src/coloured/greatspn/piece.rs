//! Pieces of files that hold an expression, and where they are.

use std::borrow::Cow;

use crate::text::xml::Text;
use crate::text::{Problem, Span};

/// A piece of a file.
#[derive(Clone, Debug)]
pub(super) struct Piece<'a> {
    /// What it says, with the entities of XML replaced.
    pub text: Cow<'a, str>,
    /// Where it is.
    pub span: Span,
    /// Where an entity was replaced: the byte of the text after it, and the byte of the file after it.
    replaced: Vec<(u32, u32)>,
}

impl<'a> Piece<'a> {
    /// A piece of a file of plain text.
    pub fn plain(text: &'a str, start: usize) -> Piece<'a> {
        Piece { text: Cow::Borrowed(text), span: Span::new(start, start + text.len()), replaced: Vec::new() }
    }

    /// The value of an attribute in an XML file.
    pub fn attribute(value: Text<'a>, source: &str) -> Piece<'a> {
        let raw = source.get(value.span.start as usize..value.span.end as usize).unwrap_or_default();
        let mut replaced = Vec::new();
        let (mut from, mut length) = (0, 0);
        // An entity stands for one character each; what that takes in the text is found there.
        while let Some(before) = raw[from..].find('&') {
            let Some(entity) = raw[from + before..].find(';') else { break };
            length += before;
            length += value.text.get(length..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            from += before + entity + 1;
            replaced.push((length as u32, value.span.start + from as u32));
        }
        Piece { text: value.text, span: value.span, replaced }
    }

    /// Where some bytes of the text are in the file.
    pub fn place(&self, local: Span) -> Span {
        Span { start: self.byte(local.start), end: self.byte(local.end) }
    }

    fn byte(&self, local: u32) -> u32 {
        let before = self.replaced.partition_point(|&(text, _)| text <= local);
        match before.checked_sub(1).and_then(|index| self.replaced.get(index)) {
            Some(&(text, file)) => file + (local - text),
            None => self.span.start + local,
        }
    }

    /// A problem with this text, as one with the file.
    pub fn lift(&self, mut problem: Problem) -> Problem {
        problem.span = self.place(problem.span);
        if let Some((span, _)) = &mut problem.related {
            *span = self.place(*span);
        }
        problem
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::xml::Cursor;

    #[test]
    fn places_are_found_behind_entities() {
        let source = "<arc mult=\"&lt;x&gt; &#43; &lt;y&gt;\"/>";
        let element = Cursor::new(source).child().expect("XML").expect("an element");
        let value = element.attribute("mult").expect("XML").expect("an attribute");
        let piece = Piece::attribute(value, source);
        assert_eq!(piece.text, "<x> + <y>");
        for (local, expected) in [(0, "&lt;"), (1, "x"), (2, "&gt;"), (4, "&#43;"), (7, "y"), (8, "&gt;")] {
            let place = piece.place(Span::new(local, local + 1));
            assert_eq!(&source[place.start as usize..place.end as usize], expected);
        }
    }
}
