//! XML as a sequence of elements and texts with their places.
//!
//! A [`Cursor`] walks over a document from its first byte to its last. It knows the element that it is in; opening one
//! goes down a level, closing it comes up again. Whoever asks for the next child has finished with the one before.
//! Nothing recurses, so a document may nest as deep as it likes. Names are local names: prefixes of namespaces are
//! left out. Entities are the five of XML and characters by number; those that a DTD declares are not expanded.

use super::problems::boundary;
use super::{Problem, Span};
use quick_xml::Reader;
use quick_xml::errors::SyntaxError;
use quick_xml::escape::EscapeError;
use quick_xml::events::Event;
use std::borrow::Cow;

/// What is wrong with a document, if it is no XML. Boxed: it is rare, and results are passed around a lot.
pub(crate) type Fault = Box<Problem>;

/// What to do about a document without an end.
const CUT_OFF: &str = "the file may be cut off; make it or fetch it again";

/// A walk over a document.
pub(crate) struct Cursor<'a> {
    source: &'a str,
    /// Where the reader's first byte is: behind a byte order mark.
    base: usize,
    reader: Reader<&'a [u8]>,
    /// The elements that are open, with their full names.
    open: Vec<(&'a str, Span)>,
    /// The innermost element was written `<like-this/>` and is closed in the next step.
    closes_itself: bool,
    had_root: bool,
}

/// An element, as its first tag has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    /// Its name, without a prefix.
    pub name: &'a str,
    /// Its first tag.
    pub span: Span,
    /// What the tag says after the name.
    attributes: &'a str,
    /// Where that begins.
    attributes_at: usize,
}

/// A piece of text with entities replaced.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Where it is.
    pub span: Span,
}

/// A step of the walk.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// An element opens.
    Open(Element<'a>),
    /// Text inside the innermost element.
    Text(Text<'a>),
    /// The innermost element closes.
    Close,
    /// The document is over.
    End,
}

impl<'a> Cursor<'a> {
    /// Begins at the start of a document.
    pub fn new(source: &'a str) -> Cursor<'a> {
        let body = source.strip_prefix('\u{feff}').unwrap_or(source);
        let mut reader = Reader::from_str(body);
        let settings = reader.config_mut();
        // End tags are checked here, where the place of the first tag is known too.
        settings.check_end_names = false;
        settings.allow_unmatched_ends = true;
        let base = source.len() - body.len();
        Cursor { source, base, reader, open: Vec::new(), closes_itself: false, had_root: false }
    }

    /// Goes one step.
    pub fn step(&mut self) -> Result<Step<'a>, Fault> {
        if self.closes_itself {
            self.closes_itself = false;
            self.open.pop();
            return Ok(Step::Close);
        }
        loop {
            let start = self.position();
            let event = self.reader.read_event();
            let span = Span::new(start, self.position());
            match event {
                Ok(Event::Start(tag)) => return self.opens(span, tag.name().as_ref().len(), 1),
                Ok(Event::Empty(tag)) => {
                    self.closes_itself = true;
                    return self.opens(span, tag.name().as_ref().len(), 2);
                }
                Ok(Event::End(tag)) => return self.closes(span, tag.name().as_ref()),
                Ok(Event::Text(_)) => {
                    if let Some(text) = self.text_at(span, Cow::Borrowed(self.slice(span)))? {
                        return Ok(Step::Text(text));
                    }
                }
                Ok(Event::CData(_)) => {
                    let inner = Span { start: span.start + 9, end: span.end.saturating_sub(3) };
                    if let Some(text) = self.text_at(inner, Cow::Borrowed(self.slice(inner)))? {
                        return Ok(Step::Text(text));
                    }
                }
                Ok(Event::GeneralRef(_)) => {
                    let replaced = unescape(self.slice(span), span)?;
                    if let Some(text) = self.text_at(span, replaced)? {
                        return Ok(Step::Text(text));
                    }
                }
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
                Ok(Event::Eof) => return self.ends(),
                Err(error) => return Err(self.syntax(&error)),
            }
        }
    }

    /// The next child of the innermost element, or `None` when that closes. Text between children is passed over.
    pub fn child(&mut self) -> Result<Option<Element<'a>>, Fault> {
        loop {
            match self.step()? {
                Step::Open(element) => return Ok(Some(element)),
                Step::Text(_) => {}
                Step::Close | Step::End => return Ok(None),
            }
        }
    }

    /// Passes over the rest of the innermost element.
    pub fn skip(&mut self) -> Result<(), Fault> {
        let depth = self.open.len();
        while self.open.len() >= depth && depth > 0 {
            self.step()?;
        }
        Ok(())
    }

    /// The text of the innermost element, to its end. Elements in it are passed over.
    pub fn text(&mut self) -> Result<Text<'a>, Fault> {
        let mut whole: Option<Text<'a>> = None;
        loop {
            match self.step()? {
                Step::Open(_) => self.skip()?,
                Step::Text(next) => match &mut whole {
                    None => whole = Some(next),
                    Some(text) => {
                        text.text.to_mut().push_str(&next.text);
                        text.span = text.span.to(next.span);
                    }
                },
                Step::Close | Step::End => {
                    let here = self.position();
                    let nothing = Text { text: Cow::Borrowed(""), span: Span::new(here, here) };
                    return Ok(whole.unwrap_or(nothing));
                }
            }
        }
    }

    fn position(&self) -> usize {
        self.base + usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX - self.base)
    }

    fn slice(&self, span: Span) -> &'a str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn opens(&mut self, span: Span, name: usize, tail: u32) -> Result<Step<'a>, Fault> {
        let inside = self.slice(Span { start: span.start + 1, end: span.end.saturating_sub(tail) });
        let (full, attributes) = inside.split_at_checked(name).unwrap_or((inside, ""));
        if full.is_empty() {
            return fault(
                Problem::new(span, "a tag without a name").label("expected the name of an element after `<`"),
            );
        }
        if self.open.is_empty() && self.had_root {
            let problem = Problem::new(span, format!("the document goes on with `<{full}>` after its end"));
            return fault(problem.help("an XML document has one outermost element"));
        }
        self.had_root = true;
        self.open.push((full, span));
        let attributes_at = span.start as usize + 1 + full.len();
        Ok(Step::Open(Element { name: local(full), span, attributes, attributes_at }))
    }

    fn closes(&mut self, span: Span, name: &str) -> Result<Step<'a>, Fault> {
        let name = name.trim_ascii_end();
        match self.open.pop() {
            Some((opened, _)) if opened == name => Ok(Step::Close),
            Some((opened, at)) => {
                let problem = Problem::new(span, format!("`</{name}>` where `</{opened}>` was expected"));
                fault(problem.label(format!("expected `</{opened}>`")).related(at, "this is still open"))
            }
            None => fault(Problem::new(span, format!("`</{name}>` closes nothing")).label("no element is open here")),
        }
    }

    fn ends(&mut self) -> Result<Step<'a>, Fault> {
        let Some((name, at)) = self.open.last() else { return Ok(Step::End) };
        let end = self.source.len();
        let problem = Problem::new(Span::new(end, end), format!("the file ends inside of `<{name}>`"));
        let problem = problem.label(format!("expected `</{name}>`")).related(*at, "this is still open");
        fault(problem.help(CUT_OFF))
    }

    /// Text inside an element; blanks outside of all elements are nothing, and anything else there is wrong.
    fn text_at(&self, span: Span, text: Cow<'a, str>) -> Result<Option<Text<'a>>, Fault> {
        if !self.open.is_empty() {
            return Ok(Some(Text { text, span }));
        }
        if text.trim_ascii().is_empty() {
            return Ok(None);
        }
        let skipped = text.len() - text.trim_ascii_start().len();
        let start = span.start as usize + skipped;
        let first = text.trim_ascii_start().chars().next().map_or(0, char::len_utf8);
        let message = if self.had_root { "text after the end of the document" } else { "this is not XML" };
        let problem = Problem::new(Span::new(start, start + first), message).label("expected `<`");
        fault(problem.help("a file of this kind begins with `<?xml version=\"1.0\"?>` or with its outermost element"))
    }

    fn syntax(&self, error: &quick_xml::Error) -> Fault {
        let start = self.base + usize::try_from(self.reader.error_position()).unwrap_or(0);
        let start = boundary(self.source, start);
        let first = self.source[start..].chars().next().map_or(0, char::len_utf8);
        let span = Span::new(start, start + first);
        let (message, expected) = match error {
            quick_xml::Error::Syntax(kind) => match kind {
                SyntaxError::InvalidBangMarkup => ("`<!` begins neither a comment nor CDATA nor a DTD", ""),
                SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => ("this instruction has no end", "`?>`"),
                SyntaxError::UnclosedComment => ("this comment has no end", "`-->`"),
                SyntaxError::UnclosedDoctype => ("this DTD has no end", "`>`"),
                SyntaxError::UnclosedCData => ("this CDATA has no end", "`]]>`"),
                SyntaxError::UnclosedTag => ("this tag has no end", "`>`"),
                SyntaxError::UnclosedSingleQuotedAttributeValue => ("the value of an attribute has no end", "`'`"),
                SyntaxError::UnclosedDoubleQuotedAttributeValue => ("the value of an attribute has no end", "`\"`"),
            },
            other => return Box::new(Problem::new(span, format!("this is not XML: {other}"))),
        };
        let problem = Problem::new(span, message);
        if expected.is_empty() {
            return Box::new(problem);
        }
        Box::new(problem.label(format!("the file ends before {expected}")).help(CUT_OFF))
    }
}

impl<'a> Element<'a> {
    /// The value of an attribute, if the element has it.
    pub fn attribute(&self, name: &str) -> Result<Option<Text<'a>>, Fault> {
        let mut found: Option<Text<'a>> = None;
        let mut rest = self.attributes;
        loop {
            rest = rest.trim_ascii_start();
            if rest.is_empty() {
                return Ok(found);
            }
            let (key, value, span, after) = self.first_attribute(rest)?;
            rest = after;
            if local(key) != name {
                continue;
            }
            if let Some(first) = &found {
                let problem = Problem::new(span, format!("the attribute `{name}` is given twice"));
                return fault(problem.related(first.span, "first given here"));
            }
            found = Some(Text { text: unescape(value, span)?, span });
        }
    }

    /// The value of an attribute that must be there.
    pub fn required(&self, name: &str) -> Result<Text<'a>, Fault> {
        match self.attribute(name)? {
            Some(value) => Ok(value),
            None => {
                let problem = Problem::new(self.span, format!("`<{}>` has no attribute `{name}`", self.name));
                fault(problem.label(format!("expected `{name}=\"…\"`")))
            }
        }
    }

    /// Splits `key="value"` off the attributes: key, raw value, the place of the value, and what follows.
    fn first_attribute(&self, rest: &'a str) -> Result<(&'a str, &'a str, Span, &'a str), Fault> {
        let end_of_tag = self.attributes_at + self.attributes.len();
        let offset = end_of_tag - rest.len();
        let here = Span::new(offset, offset + rest.len());
        let Some((key, after)) = rest.split_once('=').filter(|(key, _)| is_name(key.trim_ascii_end())) else {
            return fault(Problem::new(here, "an attribute without a value").label("expected `name=\"value\"`"));
        };
        let after = after.trim_ascii_start();
        let quote = match after.chars().next() {
            Some(quote @ ('"' | '\'')) => quote,
            _ => return fault(Problem::new(here, "the value of an attribute is not quoted").label("expected `\"`")),
        };
        let Some((value, after)) = after.get(1..).and_then(|body| body.split_once(quote)) else {
            return fault(
                Problem::new(here, "the value of an attribute has no end").label(format!("expected `{quote}`")),
            );
        };
        let end = end_of_tag - after.len() - 1;
        Ok((key.trim_ascii_end(), value, Span::new(end - value.len(), end), after))
    }
}

/// An `Err` with a problem.
pub(crate) fn fault<T>(problem: Problem) -> Result<T, Fault> {
    Err(Box::new(problem))
}

/// A name without the prefix of its namespace.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Whether this may be the name of an attribute, as far as it matters for finding its end.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|letter: char| letter.is_ascii_whitespace() || matches!(letter, '"' | '\'' | '<'))
}

/// Replaces entities.
fn unescape(raw: &str, span: Span) -> Result<Cow<'_, str>, Fault> {
    if !raw.contains('&') {
        return Ok(Cow::Borrowed(raw));
    }
    quick_xml::escape::unescape(raw).map_err(|error| {
        let problem = match error {
            EscapeError::UnrecognizedEntity(_, name) => {
                Problem::new(span, format!("the entity `&{name};` is not known"))
            }
            EscapeError::UnterminatedEntity(_) => Problem::new(span, "`&` without the `;` that ends an entity"),
            EscapeError::InvalidCharRef(_) => Problem::new(span, "there is no character with this number"),
            EscapeError::TooManyNestedEntities => Problem::new(span, "entities inside of entities"),
        };
        let help = "known are &amp; &lt; &gt; &quot; &apos; and characters by number, as &#65;; \
                    what a DTD declares is not expanded";
        Box::new(problem.help(help))
    })
}
