//! Priorities and times, as tools write them into nets that have no such thing.
//!
//! They change which markings can be reached: of two transitions that could fire, the one of lower priority may not, and
//! neither may a timed one beside one that is immediate. Where all transitions are alike in this, it makes no
//! difference, and the net is what it would be without.

use super::document::Document;
use super::draft::{Draft, Transition};
use super::labels::label;
use crate::text::Problem;
use crate::text::problems::Problems;
use crate::text::xml::{Element, Fault, Step, Text};

/// What a transition is said to be, beyond what a place/transition net has.
#[derive(Debug, Default)]
pub(super) struct Timing<'a> {
    /// Its priority.
    pub priority: Option<Text<'a>>,
    /// Whether it is timed, or immediate.
    pub timed: Option<Text<'a>>,
}

impl<'a> Document<'a, '_> {
    /// The text of a label of a transition, wherever it is written, to its end.
    pub(super) fn said(&mut self, element: Element<'a>) -> Result<Option<Text<'a>>, Fault> {
        let said = label(&mut self.cursor)?.map(|label| label.map_or_else(|bare| bare, |label| label.text));
        Ok(Some(said.unwrap_or(Text { text: "".into(), span: element.span })))
    }

    /// A `<delay>` as TINA writes it, to its end: an interval of MathML. From 0 on, without an end, it says nothing.
    pub(super) fn delay(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let mut ends = Vec::new();
        let mut is_closed = false;
        let mut depth = 0_usize;
        loop {
            match self.cursor.step()? {
                Step::Open(child) if child.name == "graphics" => self.cursor.skip()?,
                Step::Open(child) => {
                    depth += 1;
                    if let Some(closure) = child.attribute("closure")? {
                        is_closed = closure.text.trim_ascii().starts_with("closed");
                    }
                }
                Step::Text(text) if text.text.trim_ascii().is_empty() => {}
                Step::Text(text) => ends.push(text.text.trim_ascii().to_owned()),
                Step::Close | Step::End if depth == 0 => break,
                Step::Close | Step::End => depth -= 1,
            }
        }
        let is_any_time = is_closed && matches!(ends.as_slice(), [from, to] if from == "0" && to == "infty");
        if !is_any_time {
            let problem = Problem::new(element.span, "timed nets are not supported").label("when the transition fires");
            self.problems
                .add(problem.help("only the interval from 0 to infinity says nothing; others can be left out by hand"));
        }
        Ok(())
    }

    /// The ages that tokens may have in a place, as TAPAAL writes them.
    pub(super) fn ages(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let Some(invariant) = element.attribute("invariant")? else { return Ok(()) };
        let text: String = invariant.text.split_ascii_whitespace().collect();
        if !text.is_empty() && text != "<inf" {
            let problem = Problem::new(invariant.span, "timed nets are not supported");
            self.problems.add(problem.label("the ages that tokens may have here"));
        }
        Ok(())
    }
}

/// Refuses a net whose transitions differ in priority, or in whether they are timed.
pub(super) fn compare(draft: &Draft<'_>, problems: &mut Problems) {
    let help = "a place/transition net has no priorities, and leaving them out would make another net; \
                give all transitions the same, or say with inhibitor arcs when one may not fire";
    differ(draft, problems, "the transitions have different priorities", help, |one| one.timing.priority.as_ref());
    let help = "an immediate transition goes before a timed one, and leaving that out would make another net; \
                make all of them timed, or all immediate";
    differ(draft, problems, "some transitions are timed and others are not", help, |one| one.timing.timed.as_ref());
}

fn differ<'d, 'a>(
    draft: &'d Draft<'a>, problems: &mut Problems, message: &str, help: &str,
    said: impl Fn(&'d Transition<'a>) -> Option<&'d Text<'a>>,
) {
    let Some(first) = draft.transitions.first() else { return };
    let value = |one: &'d Transition<'a>| said(one).map(|text| plain(&text.text));
    let Some(other) = draft.transitions.iter().find(|&one| value(one) != value(first)) else { return };
    let place = |one: &'d Transition<'a>| said(one).map_or(one.span, |text| text.span);
    let words = |one| value(one).map_or_else(|| format!("`{}` says nothing of it", one.id), |value| value.to_owned());
    let problem = Problem::new(place(other), message).label(words(other));
    problems.add(problem.related(place(first), words(first)).help(help));
}

/// A number or a word without what does not matter: `1`, `1.0` and ` 1 ` are the same.
fn plain(text: &str) -> &str {
    let text = text.trim_ascii();
    match text.split_once('.') {
        Some((whole, rest)) if !rest.is_empty() && rest.bytes().all(|byte| byte == b'0') => whole,
        _ => text,
    }
}
