//! Priorities and times, as tools write them into nets that have no such thing.
//!
//! They change which markings can be reached: of two transitions that could fire, the one of lower priority may not, and
//! neither may a timed one beside one that is immediate. Where all transitions are alike in this, it makes no
//! difference, and the net is what it would be without.

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

/// Refuses a net whose transitions differ in priority, or in whether they are timed.
pub(crate) fn compare<'d, 'a: 'd>(
    transitions: impl Iterator<Item = (&'d Named<'a>, &'d Timing<'a>)> + Clone, problems: &mut Problems,
) {
    let help = "nets in PNML have no priorities, and leaving them out would make another net; \
                give all transitions the same, or say with inhibitor arcs when one may not fire";
    let priorities = transitions.clone().map(|(node, timing)| (node, timing.priority.as_ref()));
    differ(priorities, problems, "the transitions have different priorities", help);
    let help = "an immediate transition goes before a timed one, and leaving that out would make another net; \
                make all of them timed, or all immediate";
    let timed = transitions.map(|(node, timing)| (node, timing.timed.as_ref()));
    differ(timed, problems, "some transitions are timed and others are not", help);
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
