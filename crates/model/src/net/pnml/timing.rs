//! Priorities and times, as tools write them into place/transition nets.
//!
//! They change which markings can be reached: of two transitions that could fire, the one of lower priority may not, and
//! neither may a timed one beside one that is immediate. PIPE says of each transition whether it is `<timed>`, and its
//! `<priority>` orders the immediate ones: the greatest goes first, and all timed ones come last, whatever their priority.
//! So immediate transitions have the priority that is written, and timed ones have less than all of these.
//!
//! Where nothing is said of time, it is not known whether the greatest or the least priority goes first: then all
//! transitions must have the same. Where all are alike, it makes no difference, and the net is what it would be without.

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
    /// Its priority, written as an attribute.
    pub attribute: Option<Text<'a>>,
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

/// The priorities of the transitions. Refuses a net where it is not clear what they mean.
pub(super) fn priorities(draft: &Draft<'_>, notes: &mut Vec<Problem>, problems: &mut Problems) -> Vec<u32> {
    let help = "no tool is known that goes by this attribute: leave it out, or write `<priority>` as PIPE does";
    differ(draft, problems, "the transitions have different priorities", help, |one| one.timing.attribute.as_ref());
    if draft.transitions.iter().all(|one| one.timing.timed.is_none()) {
        let help = "nothing says whether the greatest or the least number goes first; if it is the greatest, write \
                    `<timed><value>false</value></timed>` into each transition, as PIPE does";
        differ(draft, problems, "the transitions have different priorities", help, |one| one.timing.priority.as_ref());
        return vec![0; draft.transitions.len()];
    }
    note_ignored(draft, notes);
    let is_said = draft.transitions.iter().any(|one| !is_timed(one) && one.timing.priority.is_some());
    let mut given: Vec<Option<u32>> = Vec::with_capacity(draft.transitions.len());
    for one in &draft.transitions {
        given.push(problems.keep(by_pipe(one, is_said)).flatten());
    }
    let shift = u32::from(given.contains(&None) && given.contains(&Some(0)));
    given.into_iter().map(|given| given.map_or(0, |priority| priority + shift)).collect()
}

/// The priority of an immediate transition, nothing for a timed one. If no transition says its priority, all have the same.
fn by_pipe(one: &Transition<'_>, is_said: bool) -> Result<Option<u32>, Box<Problem>> {
    let Some(timed) = &one.timing.timed else {
        let problem = Problem::new(one.span, "some transitions are timed or immediate, and others say nothing");
        let help = "an immediate transition goes before a timed one: write `<timed><value>true</value></timed>` or \
                    `<timed><value>false</value></timed>`";
        return Err(Box::new(problem.label(format!("`{}` says nothing of it", one.id)).help(help)));
    };
    match plain(&timed.text) {
        "true" => return Ok(None),
        "false" => {}
        _ => {
            let problem = Problem::new(timed.span, "it is not clear whether this transition is timed");
            return Err(Box::new(problem.label("expected `true` or `false`")));
        }
    }
    match &one.timing.priority {
        None if !is_said => Ok(Some(0)),
        None => {
            let problem = Problem::new(one.span, "some immediate transitions have priorities and others do not");
            Err(Box::new(problem.label(format!("`{}` has none", one.id)).help("give each of them a `<priority>`")))
        }
        Some(said) => match plain(&said.text).parse::<u32>() {
            Ok(priority) if priority < u32::MAX => Ok(Some(priority)),
            _ => {
                let expected = format!("expected a whole number from 0 to {}", u32::MAX - 1);
                Err(Box::new(Problem::new(said.span, "this is no priority").label(expected)))
            }
        },
    }
}

fn is_timed(one: &Transition<'_>) -> bool {
    one.timing.timed.as_ref().is_some_and(|timed| plain(&timed.text) == "true")
}

/// Says so if timed transitions have different priorities, by which they do not go.
fn note_ignored(draft: &Draft<'_>, notes: &mut Vec<Problem>) {
    let said = |one: &Transition<'_>| one.timing.priority.as_ref().map(|text| plain(&text.text).to_owned());
    let mut timed = draft.transitions.iter().filter(|one| is_timed(one));
    let Some(first) = timed.next() else { return };
    if let Some(other) = timed.find(|one| said(one) != said(first)) {
        let place = other.timing.priority.as_ref().map_or(other.span, |text| text.span);
        let note = Problem::new(place, "the `<priority>` of timed transitions is passed over");
        notes.push(note.label("only immediate transitions are ordered by their priorities"));
    }
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
