//! How a text is laid out: blanks between words, indentation, empty lines.
//!
//! The words stay what they are, and so do the lines: whoever writes `{ take a; put b; }` on one line means that. What
//! comes out is compared word by word with what went in.

use super::word::{Word, WordKind, words};
use crate::format::Format;
use std::fmt;

/// What one level is indented by.
const INDENT: usize = 4;

/// Why a text was not formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFormatted(String);

impl fmt::Display for NotFormatted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotFormatted {}

/// A text in GAL or `.sn`, laid out as usual. What is laid out already stays as it is; a text in another format is refused.
///
/// ```
/// let text = "net n{\n place a=1 ;\n\n\n transition t{take a;}\n}";
/// let formatted = mandala::language::format(text)?;
/// assert_eq!(formatted, "net n {\n    place a = 1;\n\n    transition t { take a; }\n}\n");
/// assert_eq!(mandala::language::format(&formatted)?, formatted);
/// # Ok::<(), mandala::language::NotFormatted>(())
/// ```
pub fn format(text: &str) -> Result<String, NotFormatted> {
    // The words of other languages may look like words of these, and blanks mean something there.
    if let Some(other) = Format::of_text(text) {
        return Err(NotFormatted(format!("it is in the format `{other}`, and only GAL and `.sn` are laid out")));
    }
    let words = words(text);
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // What is open, with whether it is a brace, and the level of its line.
    let mut open: Vec<(bool, usize)> = Vec::new();
    // Whether a statement goes on that began on a line before.
    let mut goes_on = false;
    for (number, word) in words.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| words[before]);
        let between = &text[before.map_or(0, |before| before.end())..word.start];
        let lines = between.matches('\n').count();
        if is_closing(word) && open.pop().is_none() && word.kind == WordKind::Sign {
            return Err(NotFormatted(format!("`{}` at byte {} closes nothing", word.text, word.start)));
        }
        if lines > 0 || before.is_none() {
            let is_first = before.is_none_or(|before| before.is("{"));
            if before.is_some() {
                let empty = lines > 1 && !is_first && !word.is("}");
                out.push_str(if empty { "\n\n" } else { "\n" });
            }
            let level = open.iter().filter(|(is_brace, _)| *is_brace).count();
            let in_parentheses = open.last().is_some_and(|(is_brace, _)| !is_brace);
            let hangs = (goes_on && !word.is("{") && !word.is("}") && !is_closing(word) && !word.is_comment())
                || in_parentheses;
            out.extend(std::iter::repeat_n(' ', INDENT * (level + usize::from(hangs))));
        } else if let Some(before) = before {
            let two = number.checked_sub(2).map(|at| words[at]);
            out.push_str(&blanks(&words, number, two, before, word, text, &out));
        }
        out.push_str(word.text);
        if is_opening(word) {
            open.push((word.is("{"), 0));
        }
        if !word.is_comment() {
            goes_on = !matches!(word.text, ";" | "{" | "}") && open.last().is_none_or(|(is_brace, _)| *is_brace);
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let same = super::word::words(&out);
    let is_same = same.len() == words.len() && same.iter().zip(&words).all(|(one, other)| one.text == other.text);
    if !open.is_empty() {
        return Err(NotFormatted("something is never closed".to_owned()));
    }
    if is_same { Ok(out) } else { Err(NotFormatted("blanks mean something here that is not understood".to_owned())) }
}

fn is_opening(word: &Word<'_>) -> bool {
    word.kind == WordKind::Sign && matches!(word.text, "{" | "(" | "[")
}

fn is_closing(word: &Word<'_>) -> bool {
    word.kind == WordKind::Sign && matches!(word.text, "}" | ")" | "]")
}

/// What comes between two words of a line.
fn blanks(
    words: &[Word<'_>], number: usize, two: Option<Word<'_>>, before: Word<'_>, word: &Word<'_>, text: &str, out: &str,
) -> String {
    let written = if before.end() == word.start { "" } else { " " };
    let blank = match (before.text, word.text) {
        // Comments behind a line stay in their column, if there is room.
        _ if word.is_comment() => {
            let column = |text: &str| text.rsplit('\n').next().unwrap_or_default().chars().count();
            let room = column(&text[..word.start]).saturating_sub(column(out)).max(1);
            return " ".repeat(room);
        }
        _ if before.is_comment() => " ",
        // Behind a class of numbered colours, as in `c{1..3}`, braces belong to the name.
        ("{", "}") => "",
        (_, "{") | ("{", _) | (_, "}") if is_tight_brace(words, number) => written,
        (_, "{") | ("{", _) | (_, "}") | ("}", _) => match word.text {
            ";" | "," | ")" => "",
            _ => " ",
        },
        (_, ";" | ",") => "",
        (";" | ",", _) => " ",
        ("(" | "[" | "!" | "~" | "." | "@", _) => "",
        (_, ")" | "]" | ".") => "",
        // A call or an index, or something in parentheses of its own: as it is written.
        (_, "(" | "[") if before.kind != WordKind::Sign => written,
        (_, "(" | "[") if matches!(before.text, ")" | "]" | ">") => written,
        ("=" | "+=" | "-=" | "==" | "!=" | "&&" | "||" | "->", _)
        | (_, "=" | "+=" | "-=" | "==" | "!=" | "&&" | "||" | "->") => " ",
        // `<` may begin a tuple, `:` may name what is inside of something, `..` is written either way.
        ("<" | ">" | ":" | ".." | "**" | "*" | "++" | "--" | "^" | "|", _)
        | (_, "<" | ">" | ":" | ".." | "**" | "*" | "++" | "--" | "^" | "|") => written,
        ("-" | "+" | "&", _) if is_prefix(two) => "",
        (_, "-" | "+" | "&") if is_prefix(Some(before)) => match before.text {
            "(" | "[" => "",
            _ => " ",
        },
        _ => " ",
    };
    blank.to_owned()
}

/// Whether a sign before which this stands has nothing to its left: `-1` in `(-1)`.
fn is_prefix(before: Option<Word<'_>>) -> bool {
    before.is_none_or(|before| {
        before.kind == WordKind::Sign && !matches!(before.text, ")" | "]" | ">" | "}")
            || matches!(before.text, "return" | "else")
    })
}

/// Whether the brace at or before a word belongs to a name, or to a value: as in `c{1..3}`, `{a, b}` of `.sn`.
fn is_tight_brace(words: &[Word<'_>], number: usize) -> bool {
    let brace = if words[number].is("{") || words[number].is("}") { number } else { number - 1 };
    let (mut at, mut depth) = (brace, 0i32);
    if words[brace].is("}") {
        // Back to where it opens.
        while depth != -1 && at > 0 {
            at -= 1;
            depth += match words[at].text {
                "}" => 1,
                "{" => -1,
                _ => 0,
            };
        }
    }
    // A body has statements, or is empty.
    let mut inside = 0;
    for word in &words[at + 1..] {
        match word.text {
            "{" => inside += 1,
            "}" if inside == 0 => return true,
            "}" => inside -= 1,
            ";" if inside == 0 => return false,
            _ => {}
        }
    }
    false
}
