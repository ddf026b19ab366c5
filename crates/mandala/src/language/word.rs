//! The words of a text, with its comments, as GAL and `.sn` have them.

/// A word and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub kind: WordKind,
    /// As it is written.
    pub text: &'t str,
    /// Its first byte.
    pub start: usize,
}

/// A kind of word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    /// A name or a keyword, perhaps in backquotes.
    Name,
    /// `$N`
    Parameter,
    /// `42`
    Number,
    /// `"label"`
    Text,
    /// Operators and punctuation.
    Sign,
    /// `// ...`, without the end of the line.
    LineComment,
    /// `/* ... */`
    BlockComment,
}

impl Word<'_> {
    /// The byte after its last.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this sign or keyword.
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Whether it is a comment.
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, WordKind::LineComment | WordKind::BlockComment)
    }
}

/// Signs of more than one letter, the longest first.
const SIGNS: [&str; 16] =
    ["--", "<->", "->", "..", "==", "!=", "<=", ">=", "+=", "-=", "&&", "||", "<<", ">>", "**", "++"];

/// All words of a text.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        if letter.is_whitespace() || letter == '\u{feff}' {
            at += letter.len_utf8();
            continue;
        }
        let (kind, length) = word(letter, rest);
        words.push(Word { kind, text: &rest[..length], start: at });
        at += length;
    }
    words
}

fn word(letter: char, rest: &str) -> (WordKind, usize) {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let run = |from: usize| rest[from..].find(|letter| !is_letter(letter)).map_or(rest.len(), |end| from + end);
    let closed = |quote: char| {
        let mut escaped = false;
        let end = rest.char_indices().skip(1).find(|&(_, letter)| {
            let ends = letter == '\n' || (letter == quote && !escaped);
            escaped = letter == '\\' && !escaped;
            ends
        });
        match end {
            Some((at, letter)) if letter == quote => at + 1,
            Some((at, _)) => at,
            None => rest.len(),
        }
    };
    match letter {
        '/' if rest.starts_with("//") => {
            let end = rest.find('\n').unwrap_or(rest.len());
            (WordKind::LineComment, rest[..end].trim_end().len())
        }
        '/' if rest.starts_with("/*") => (WordKind::BlockComment, rest.find("*/").map_or(rest.len(), |end| end + 2)),
        '`' => (WordKind::Name, rest[1..].find('`').map_or(rest.len(), |end| end + 2)),
        '"' | '\'' => (WordKind::Text, closed(letter)),
        '$' => (WordKind::Parameter, run(1)),
        '0'..='9' => (WordKind::Number, run(0)),
        _ if is_letter(letter) => {
            let mut end = run(0);
            // `Gate.state` is one name.
            while rest[end..].starts_with('.') && rest[end + 1..].starts_with(is_letter) {
                end = run(end + 1);
            }
            (WordKind::Name, end)
        }
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(*sign));
            (WordKind::Sign, sign.map_or(letter.len_utf8(), |sign| sign.len()))
        }
    }
}
