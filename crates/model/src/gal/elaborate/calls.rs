//! Labels that call each other: no call may lead back to itself.

use rustc_hash::FxHashMap;

use super::super::circle;
use super::super::ledger::Ledger;
use crate::text::{Problem, Span};

/// Something with a label and what it calls.
pub(super) struct Caller<'c> {
    /// Its label.
    pub label: &'c str,
    /// The labels that it calls, with where.
    pub calls: &'c [(String, Span)],
}

/// Reports circles of calls.
pub(super) fn refuse_circles(callers: &[Caller<'_>], ledger: &mut Ledger) {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    for caller in callers {
        let next = numbers.len();
        numbers.entry(caller.label).or_insert(next);
    }
    let mut steps = vec![Vec::new(); numbers.len()];
    for caller in callers {
        // A label without calls of its own cannot be part of a circle.
        let called = caller.calls.iter().filter_map(|(label, span)| Some((*numbers.get(label.as_str())?, *span)));
        steps[numbers[caller.label]].extend(called);
    }
    let circles = circle::find(&steps);
    if circles.is_empty() {
        return;
    }
    let mut labels = vec![""; numbers.len()];
    numbers.iter().for_each(|(label, &number)| labels[number] = label);
    for (circle, span) in circles {
        let way = circle::words(&circle, |label| format!("\"{}\"", labels[label]));
        let problem = Problem::new(span, "a label calls itself, in a circle")
            .label("this call closes the circle")
            .help(format!("the calls go {way}, and would never end: leave one of them out"));
        ledger.report(problem);
    }
}
