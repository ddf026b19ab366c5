//! Texts that are being edited, and places in them as editors count: lines, and units of UTF-16 in a line.

use mandala::{Format, Model, Reader, Span};
use serde_json::{Value, json};
use std::ops::Range;
use std::path::Path;

/// A text that is open in the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// How the editor calls it.
    pub uri: String,
    /// Its text.
    pub text: String,
    /// Its version.
    pub version: i64,
}

impl Document {
    /// The format of the text: by its ending, or by its content.
    pub fn format(&self) -> Option<Format> {
        let ending = Path::new(&self.uri).extension().map(|ending| ending.to_string_lossy().into_owned());
        ending.and_then(|ending| Format::of_ending(&ending)).or_else(|| Format::of_text(&self.text))
    }

    /// Whether what is known of words applies to it.
    pub fn has_outline(&self) -> bool {
        matches!(self.format(), None | Some(Format::Gal | Format::Sn))
    }

    /// The model, or what is wrong with it.
    pub fn model(&self) -> Result<Model, mandala::Error> {
        let reader = self.format().map_or_else(Reader::new, |format| Reader::new().format(format));
        reader.parse(&self.text)
    }

    /// What is wrong with the text, for the editor.
    pub fn diagnostics(&self) -> Vec<Value> {
        let Err(error) = self.model() else { return Vec::new() };
        let Some(unreadable) = error.unreadable() else {
            return vec![diagnostic(json!({"start": self.position(0), "end": self.position(0)}), &error.to_string())];
        };
        let shown = unreadable.problems.iter().map(|problem| {
            let mut text = problem.message.clone();
            if !problem.label.is_empty() {
                text.push_str(&format!(": {}", problem.label));
            }
            if let Some(help) = &problem.help {
                text.push_str(&format!("\nhelp: {help}"));
            }
            let mut value = diagnostic(self.range(span(problem.span)), &text);
            if let Some((at, label)) = &problem.related {
                let location = json!({"uri": self.uri, "range": self.range(span(*at))});
                value["relatedInformation"] = json!([{"location": location, "message": label}]);
            }
            value
        });
        shown.collect()
    }

    /// The byte that a position of the editor means.
    pub fn offset(&self, position: &Value) -> usize {
        let number = |name: &str| position[name].as_u64().unwrap_or(0) as usize;
        let (line, mut units) = (number("line"), number("character"));
        let mut start = 0;
        for _ in 0..line {
            match self.text[start..].find('\n') {
                Some(end) => start += end + 1,
                None => return self.text.len(),
            }
        }
        for (at, letter) in self.text[start..].char_indices() {
            if units == 0 || letter == '\n' {
                return start + at;
            }
            units = units.saturating_sub(letter.len_utf16());
        }
        self.text.len()
    }

    /// A byte as a position of the editor.
    pub fn position(&self, offset: usize) -> Value {
        let offset = (0..=offset.min(self.text.len())).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        let before = &self.text[..offset];
        let line = before.rsplit('\n').next().unwrap_or_default();
        json!({"line": before.matches('\n').count(), "character": line.encode_utf16().count()})
    }

    /// A piece of the text as a range of the editor.
    pub fn range(&self, range: Range<usize>) -> Value {
        json!({"start": self.position(range.start), "end": self.position(range.end)})
    }

    /// Changes a part of the text, or all of it.
    pub fn change(&mut self, change: &Value) {
        let Some(text) = change["text"].as_str() else { return };
        if change["range"].is_object() {
            let (start, end) = (self.offset(&change["range"]["start"]), self.offset(&change["range"]["end"]));
            self.text.replace_range(start..end.max(start), text);
        } else {
            self.text = text.to_owned();
        }
    }
}

fn span(span: Span) -> Range<usize> {
    span.start as usize..(span.end as usize).max(span.start as usize + 1)
}

fn diagnostic(range: Value, message: &str) -> Value {
    json!({"range": range, "severity": 1, "source": "mandala", "message": message})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document { uri: "file:///a.gal".to_owned(), text: text.to_owned(), version: 1 }
    }

    #[test]
    fn places_are_counted_as_editors_count() {
        let document = document("ab\nc😀d\n");
        for (offset, line, character) in [(0, 0, 0), (2, 0, 2), (3, 1, 0), (4, 1, 1), (8, 1, 3), (9, 1, 4), (10, 2, 0)]
        {
            let position = json!({"line": line, "character": character});
            assert_eq!(document.position(offset), position);
            assert_eq!(document.offset(&position), offset);
        }
        assert_eq!(document.offset(&json!({"line": 0, "character": 99})), 2);
        assert_eq!(document.offset(&json!({"line": 99, "character": 0})), 10);
    }

    #[test]
    fn parts_are_changed() {
        let mut document = document("int x;\nint y;\n");
        let range = json!({"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 5}});
        document.change(&json!({"range": range, "text": "zz"}));
        assert_eq!(document.text, "int x;\nint zz;\n");
        document.change(&json!({"text": "all"}));
        assert_eq!(document.text, "all");
    }
}
