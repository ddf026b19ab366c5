//! How problems look: the style of rustc, by the crate annotate-snippets.
//!
//! The renderer gets only the lines that a problem speaks of, and of a very long line only the part around the place.
//! So a problem costs the same in a short file and in a file that is one line of a megabyte.

use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Renderer, Snippet, normalize_untrusted_str,
};

use super::{Problem, Span, Unreadable};

/// More problems than this are only counted.
const SHOWN: usize = 20;

/// Two places further apart than this (in bytes) are shown as two pieces of source.
const NEAR: usize = 10_000;

/// Of a line longer than this, only the part around the place is shown.
const LONGEST_LINE: usize = 2_000;

/// How much of a long line is shown on each side of where the place begins.
const AROUND: usize = 60;

/// All problems, or the first of them and how many more there are.
pub(super) fn problems(unreadable: &Unreadable, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let page = Page { file: &unreadable.file, source: &unreadable.source };
    let mut text = String::new();
    for problem in unreadable.problems.iter().take(SHOWN) {
        if !text.is_empty() {
            text.push('\n');
        }
        let mut corrections = Vec::new();
        let mut rendered = renderer.render(&[page.group(problem, &mut corrections)]);
        for Correction { shown, meant } in corrections {
            rendered = rendered.replacen(&shown, &meant, 1);
        }
        text.push_str(&rendered);
        text.push('\n');
    }
    match unreadable.problems.len().saturating_sub(SHOWN) {
        0 => {}
        1 => text.push_str("\nand 1 more error\n"),
        more => text.push_str(&format!("\nand {more} more errors\n")),
    }
    text
}

/// A place in a line that is shown in part: what the renderer says of it, and where it is.
struct Correction {
    shown: String,
    meant: String,
}

/// A source text, with the name that is shown for it.
struct Page<'a> {
    file: &'a str,
    source: &'a str,
}

impl<'a> Page<'a> {
    fn group(&self, problem: &'a Problem, corrections: &mut Vec<Correction>) -> Group<'a> {
        let mut group = Group::with_title(Level::ERROR.primary_title(normalize_untrusted_str(&problem.message)));
        let place = self.clamp(problem.span);
        let primary = (place.clone(), AnnotationKind::Primary, problem.label.as_str());
        match &problem.related {
            None => group = group.elements(self.piece(&[primary], corrections)),
            Some((span, label)) => {
                let other = self.clamp(*span);
                let near = place.start.abs_diff(other.start) < NEAR;
                let related = (other, AnnotationKind::Context, label.as_str());
                group = match near {
                    true => group.elements(self.piece(&[primary, related], corrections)),
                    false => group
                        .elements(self.piece(&[primary], corrections))
                        .elements(self.piece(&[related], corrections)),
                };
            }
        }
        match &problem.help {
            Some(help) => group.element(Level::HELP.message(normalize_untrusted_str(help))),
            None => group,
        }
    }

    /// The lines that hold some places, with the places marked.
    fn piece(
        &self, places: &[(Range<usize>, AnnotationKind, &'a str)], corrections: &mut Vec<Correction>,
    ) -> Vec<Element<'a>> {
        let start = places.iter().map(|(place, ..)| self.line_start(place.start)).min().unwrap_or(0);
        let end = places.iter().map(|(place, ..)| self.line_end(place.end)).max().unwrap_or(0);
        let lines = &self.source[start..end];
        let line = 1 + self.source[..start].bytes().filter(|&byte| byte == b'\n').count();
        if lines.split('\n').any(|line| line.len() > LONGEST_LINE) {
            return places.iter().map(|place| self.cut(place, corrections)).collect();
        }
        let marks =
            places.iter().map(|(place, kind, label)| mark(place.start - start..place.end - start, *kind, label));
        vec![Snippet::source(lines).line_start(line).path(self.file).annotations(marks).into()]
    }

    /// The part of a long line around a place.
    fn cut(
        &self, (place, kind, label): &(Range<usize>, AnnotationKind, &'a str), corrections: &mut Vec<Correction>,
    ) -> Element<'a> {
        let line_start = self.line_start(place.start);
        let line = 1 + self.source[..line_start].bytes().filter(|&byte| byte == b'\n').count();
        let column = 1 + self.source[line_start..place.start].chars().count();
        let start = self.boundary(place.start.saturating_sub(AROUND)).max(line_start);
        let end = self.boundary(place.start + AROUND).min(self.line_end(place.start));
        let before = if start > line_start { "... " } else { "" };
        let after = if end < self.line_end(place.start) { " ..." } else { "" };
        let text = format!("{before}{}{after}", &self.source[start..end]);
        let marked = place.start - start + before.len()..place.end.min(end) - start + before.len();
        let shown = 1 + text.get(..marked.start).map_or(0, |before| before.chars().count());
        let origin = |column: usize| format!("{}:{line}:{column}", self.file);
        corrections.push(Correction { shown: origin(shown), meant: origin(column) });
        Snippet::source(text).line_start(line).path(self.file).annotation(mark(marked, *kind, label)).into()
    }

    /// A place that is certainly inside the source, and between characters.
    fn clamp(&self, span: Span) -> Range<usize> {
        let start = self.boundary(span.start as usize);
        let end = self.boundary(span.end as usize).max(start);
        // A place of many lines (an unfinished block, say) is shown by its first.
        start..end.min(self.line_end(start).max(start))
    }

    /// The last boundary between characters that is not behind a byte.
    fn boundary(&self, byte: usize) -> usize {
        (0..=byte.min(self.source.len())).rev().find(|&byte| self.source.is_char_boundary(byte)).unwrap_or(0)
    }

    fn line_start(&self, byte: usize) -> usize {
        self.source[..byte].rfind('\n').map_or(0, |newline| newline + 1)
    }

    fn line_end(&self, byte: usize) -> usize {
        self.source[byte..].find('\n').map_or(self.source.len(), |newline| byte + newline)
    }
}

fn mark<'a>(place: Range<usize>, kind: AnnotationKind, label: &str) -> Annotation<'a> {
    let annotation = kind.span(place);
    match label {
        "" => annotation,
        label => annotation.label(normalize_untrusted_str(label)),
    }
}
