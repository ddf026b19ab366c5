//! Labels that call each other: no call may lead back to itself.

use rustc_hash::FxHashMap;

use super::super::ledger::Ledger;
use crate::text::{Problem, Span};

/// Something with a label and what it calls.
pub(super) struct Caller<'c> {
    /// Its label.
    pub label: &'c str,
    /// The labels that it calls, with where.
    pub calls: &'c [(String, Span)],
}

/// Where a search stands: a label, and which of its calls comes next.
struct Visit {
    label: usize,
    next: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Reports a circle of calls, if there is one.
pub(super) fn refuse_circles(callers: &[Caller<'_>], ledger: &mut Ledger) {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut labels: Vec<&str> = Vec::new();
    let mut calls: Vec<Vec<(usize, Span)>> = Vec::new();
    for caller in callers {
        let called = caller.calls.iter().map(|(label, span)| (label.as_str(), Some(*span)));
        let all = std::iter::once((caller.label, None)).chain(called);
        let mut from = None;
        for (label, span) in all {
            let number = *numbers.entry(label).or_insert_with(|| {
                labels.push(label);
                calls.push(Vec::new());
                labels.len() - 1
            });
            match (from, span) {
                (Some(from), Some(span)) => {
                    let list: &mut Vec<(usize, Span)> = &mut calls[from];
                    list.push((number, span));
                }
                _ => from = Some(number),
            }
        }
    }
    let mut marks = vec![Mark::New; labels.len()];
    for start in 0..labels.len() {
        if marks[start] == Mark::New
            && let Some((circle, span)) = search(start, &calls, &mut marks)
        {
            let way: Vec<String> = circle.iter().take(8).map(|&label| format!("\"{}\"", labels[label])).collect();
            let more = if circle.len() > 8 { " -> ..." } else { "" };
            let problem = Problem::new(span, "a label calls itself, in a circle")
                .label("this call closes the circle")
                .help(format!("the calls go {}{more} and then on from the first", way.join(" -> ")));
            ledger.report(problem);
            return;
        }
    }
}

/// A circle that can be reached from a label, and the call that closes it.
fn search(start: usize, calls: &[Vec<(usize, Span)>], marks: &mut [Mark]) -> Option<(Vec<usize>, Span)> {
    let mut way = vec![Visit { label: start, next: 0 }];
    marks[start] = Mark::Open;
    while let Some(visit) = way.last_mut() {
        let Some(&(label, span)) = calls[visit.label].get(visit.next) else {
            marks[visit.label] = Mark::Done;
            way.pop();
            continue;
        };
        visit.next += 1;
        match marks[label] {
            Mark::Done => {}
            Mark::New => {
                marks[label] = Mark::Open;
                way.push(Visit { label, next: 0 });
            }
            Mark::Open => {
                let circle = way.iter().map(|visit| visit.label).skip_while(|&open| open != label).collect();
                return Some((circle, span));
            }
        }
    }
    None
}
