//! Priorities and times, as tools write them into place/transition nets.
//!
//! They change which markings can be reached: of two transitions that could fire, the one of lower priority may not, and
//! neither may a timed one beside one that is immediate. PIPE says of each transition whether it is `<timed>`, and its
//! `<priority>` orders the immediate ones: the greatest goes first, and all timed ones come last, whatever their priority.
//! So immediate transitions have the priority that is written, and timed ones have less than all of these.
//!
//! Where nothing is said of time, it is not known whether the greatest or the least priority goes first: then all
//! transitions must have the same. Where all are alike, it makes no difference, and the net is what it would be without.

use super::file::File;
use super::nodes::Named;
use crate::text::Problem;
use crate::text::problems::Problems;
use crate::text::xml::{Element, Fault, Step, Text};

/// What a transition is said to be, beyond what a place/transition net has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timing<'a> {
    /// Its priority.
    pub priority: Option<Text<'a>>,
    /// Its priority, written as an attribute.
    pub attribute: Option<Text<'a>>,
    /// Whether it is timed, or immediate.
    pub timed: Option<Text<'a>>,
}

impl<'a> File<'a, '_> {
    /// A `<delay>` as TINA writes it, to its end: an interval of MathML. From 0 on, without an end, it says nothing.
    pub(crate) fn delay(&mut self, element: Element<'a>) -> Result<(), Fault> {
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
    pub(crate) fn ages(&mut self, element: Element<'a>) -> Result<(), Fault> {
        let Some(invariant) = element.attribute("invariant")? else { return Ok(()) };
        let text: String = invariant.text.split_ascii_whitespace().collect();
        if !text.is_empty() && text != "<inf" {
            let problem = Problem::new(invariant.span, "timed nets are not supported");
            self.problems.add(problem.label("the ages that tokens may have here"));
        }
        Ok(())
    }
}

/// A transition, and what is said of it.
pub(crate) type Said<'t> = (&'t Named<'t>, &'t Timing<'t>);

/// The priorities of the transitions. Refuses a net where it is not clear what they mean.
pub(crate) fn priorities(transitions: &[Said<'_>], notes: &mut Vec<Problem>, problems: &mut Problems) -> Vec<u32> {
    let help = "no tool is known that goes by this attribute: leave it out, or write `<priority>` as PIPE does";
    let message = "the transitions have different priorities";
    differ(transitions.iter().map(|(node, timing)| (*node, timing.attribute.as_ref())), problems, message, help);
    if transitions.iter().all(|(_, timing)| timing.timed.is_none()) {
        let help = "nothing says whether the greatest or the least number goes first; if it is the greatest, write \
                    `<timed><value>false</value></timed>` into each transition, as PIPE does";
        differ(transitions.iter().map(|(node, timing)| (*node, timing.priority.as_ref())), problems, message, help);
        return vec![0; transitions.len()];
    }
    note_ignored(transitions, notes);
    let is_said = transitions.iter().any(|one| !is_timed(one) && one.1.priority.is_some());
    let mut given: Vec<Option<u32>> = Vec::with_capacity(transitions.len());
    for one in transitions {
        given.push(problems.keep(by_pipe(one, is_said)).flatten());
    }
    let shift = u32::from(given.contains(&None) && given.contains(&Some(0)));
    given.into_iter().map(|given| given.map_or(0, |priority| priority + shift)).collect()
}

/// The priority of an immediate transition, nothing for a timed one. If no transition says its priority, all have the same.
fn by_pipe((node, timing): &Said<'_>, is_said: bool) -> Result<Option<u32>, Box<Problem>> {
    let Some(timed) = &timing.timed else {
        let problem = Problem::new(node.span, "some transitions are timed or immediate, and others say nothing");
        let help = "an immediate transition goes before a timed one: write `<timed><value>true</value></timed>` or \
                    `<timed><value>false</value></timed>`";
        return Err(Box::new(problem.label(format!("`{}` says nothing of it", node.id)).help(help)));
    };
    match plain(&timed.text) {
        "true" => return Ok(None),
        "false" => {}
        _ => {
            let problem = Problem::new(timed.span, "it is not clear whether this transition is timed");
            return Err(Box::new(problem.label("expected `true` or `false`")));
        }
    }
    match &timing.priority {
        None if !is_said => Ok(Some(0)),
        None => {
            let problem = Problem::new(node.span, "some immediate transitions have priorities and others do not");
            Err(Box::new(problem.label(format!("`{}` has none", node.id)).help("give each of them a `<priority>`")))
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

fn is_timed((_, timing): &Said<'_>) -> bool {
    timing.timed.as_ref().is_some_and(|timed| plain(&timed.text) == "true")
}

/// Says so if timed transitions have different priorities, by which they do not go.
fn note_ignored(transitions: &[Said<'_>], notes: &mut Vec<Problem>) {
    let said = |one: &Said<'_>| one.1.priority.as_ref().map(|text| plain(&text.text).to_owned());
    let mut timed = transitions.iter().filter(|one| is_timed(one));
    let Some(first) = timed.next() else { return };
    if let Some(other) = timed.find(|one| said(one) != said(first)) {
        let place = other.1.priority.as_ref().map_or(other.0.span, |text| text.span);
        let note = Problem::new(place, "the `<priority>` of timed transitions is passed over");
        notes.push(note.label("only immediate transitions are ordered by their priorities"));
    }
}

fn differ<'d, 'a: 'd>(
    mut said: impl Iterator<Item = (&'d Named<'a>, Option<&'d Text<'a>>)>, problems: &mut Problems, message: &str,
    help: &str,
) {
    let value = |said: Option<&'d Text<'a>>| said.map(|text| plain(&text.text));
    let Some((first, of_first)) = said.next() else { return };
    let Some((other, of_other)) = said.find(|&(_, said)| value(said) != value(of_first)) else { return };
    let place = |node: &Named<'_>, said: Option<&Text<'_>>| said.map_or(node.span, |text| text.span);
    let words = |node: &Named<'_>, said| {
        value(said).map_or_else(|| format!("`{}` says nothing of it", node.id), |value| value.to_owned())
    };
    let problem = Problem::new(place(other, of_other), message).label(words(other, of_other));
    problems.add(problem.related(place(first, of_first), words(first, of_first)).help(help));
}

/// A number or a word without what does not matter: `1`, `1.0` and ` 1 ` are the same.
fn plain(text: &str) -> &str {
    let text = text.trim_ascii();
    match text.split_once('.') {
        Some((whole, rest)) if !rest.is_empty() && rest.bytes().all(|byte| byte == b'0') => whole,
        _ => text,
    }
}
