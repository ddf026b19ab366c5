//! Source text, places in it, and what is wrong with it.

pub(crate) mod complaint;
pub(crate) mod cursor;
pub(crate) mod problems;
pub mod suggest;
pub(crate) mod words;
pub(crate) mod xml;

mod render;

use std::borrow::Cow;
use std::fmt;

/// A piece of a source text: bytes `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The piece from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        let bound = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        Span { start: bound(start), end: bound(end) }
    }

    /// The smallest piece that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to write under the place, such as `expected a number`; may be empty.
    pub label: String,
    /// Another place that matters, with what to write under it (as where a name was first declared).
    pub related: Option<(Span, String)>,
    /// How to go on, if that can be said.
    pub help: Option<String>,
}

impl Problem {
    /// A problem at a place.
    pub fn new(span: Span, message: impl Into<String>) -> Problem {
        Problem { message: message.into(), span, label: String::new(), related: None, help: None }
    }

    /// With words under the place.
    pub fn label(mut self, label: impl Into<String>) -> Problem {
        self.label = label.into();
        self
    }

    /// With another place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Problem {
        self.related = Some((span, label.into()));
        self
    }

    /// With a way forward.
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// All of it in one line, as for a note: `net.pnml:12: something is passed over: it changes nothing`.
    pub fn in_a_line(&self, file: &str, source: &str) -> String {
        let before = source.as_bytes().get(..self.span.start as usize).unwrap_or_default();
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let details = [Some(&self.label), self.help.as_ref()].into_iter().flatten().filter(|text| !text.is_empty());
        details.fold(format!("{file}:{line}: {}", self.message), |line, detail| format!("{line}: {detail}"))
    }
}

/// A text that cannot be read, with everything that is wrong with it. Displayed in the style of rustc: file, line and
/// column, the line underlined, what was expected and how to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The name of the file, as the user knows it.
    pub file: String,
    /// Its text.
    pub source: String,
    /// What is wrong; never empty.
    pub problems: Vec<Problem>,
}

impl Unreadable {
    /// A text with some problems, which are put in the order of their places.
    pub fn new(file: &str, source: &str, mut problems: Vec<Problem>) -> Unreadable {
        problems.sort_by_key(|problem| problem.span);
        Unreadable { file: file.to_string(), source: source.to_string(), problems }
    }

    /// The problems in the style of rustc, with the colours of a terminal or without.
    pub fn render(&self, colour: bool) -> String {
        render::problems(self, colour)
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Unreadable {}

/// The text in some bytes: UTF-8, or UTF-16 that begins with its mark (as some shells write it), or Latin-1 where an XML file
/// says so. Other bytes (comments in old encodings, mostly) become U+FFFD, which readers accept in comments and nowhere else.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(units) = utf_16(bytes) {
        return char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if is_latin_1(bytes) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// Whether bytes begin with the mark of UTF-16.
pub fn is_utf_16(bytes: &[u8]) -> bool {
    utf_16(bytes).is_some()
}

/// The units of a text in UTF-16, after its mark.
fn utf_16(bytes: &[u8]) -> Option<impl Iterator<Item = u16> + '_> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2)? {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    Some(bytes[2..].chunks_exact(2).map(move |pair| unit([pair[0], pair[1]])))
}

/// Whether an XML file says that it is in Latin-1, or in what Windows has for it.
fn is_latin_1(bytes: &[u8]) -> bool {
    let first = bytes.split(|&byte| byte == b'>').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first).to_ascii_lowercase();
    let says = |name| first.contains(&format!("encoding=\"{name}\"")) || first.contains(&format!("encoding='{name}'"));
    first.trim_start().starts_with("<?xml") && ["iso-8859-1", "latin1", "latin-1", "windows-1252"].into_iter().any(says)
}
