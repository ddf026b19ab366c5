//! What has been found wrong so far, and how much has been made.
//!
//! A short file can stand for something enormous: a transition with ten parameters, types that double their size. What
//! is made is counted, and too much of it is an error like others.

pub(crate) mod complaint;

use rustc_hash::FxHashSet;

use crate::text::{Problem, Span};

/// How many combinations of parameters, variables, instances and rounds of loops a model may have, beside those that are
/// written out.
const MOST_THINGS: u64 = 10_000_000;

/// An element of an array, or an instance, counts as so many things: it is that much larger than a round of a loop.
const ELEMENT: u64 = 8;

/// What is written out is counted at most so often for each of its letters: an element has at least two, as in `0,`.
const THINGS_A_LETTER: u64 = 4;

/// How many operators and operands the expressions of a model may have after parameters are filled in, beside those that
/// are written out.
const MOST_PARTS: u64 = 6_000_000;

/// An expression that is written out is counted at most so often for each of its letters.
const PARTS_A_LETTER: u64 = 10;

const TOO_LARGE: &str = "a model may have about a million variables, transitions and statements beside those that are \
                         written out: use smaller arrays and ranges, or guards that exclude combinations by their \
                         first parameters";

/// After this many problems, more are not looked for.
const MOST_PROBLEMS: usize = 200;
/// More notes nobody reads.
const MOST_NOTES: usize = 5;

/// Something could not be made, and that has been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop;

pub(crate) type Outcome<T> = Result<T, Stop>;

/// Problems and counts.
#[derive(Default)]
pub(crate) struct Ledger {
    problems: Vec<Problem>,
    /// What may be meant in another way, and is no problem.
    notes: Vec<Problem>,
    /// Places at which something has been reported. A type with many bindings would repeat it for each.
    reported: FxHashSet<Span>,
    things: u64,
    parts: u64,
    /// How many letters are written.
    letters: u64,
    exhausted: bool,
}

impl Ledger {
    /// A ledger for a text of some length.
    pub fn new(letters: usize) -> Ledger {
        Ledger { letters: letters as u64, ..Ledger::default() }
    }

    /// One that has counted as much, and knows of no problems.
    pub fn apart(&self) -> Ledger {
        Ledger { things: self.things, parts: self.parts, letters: self.letters, ..Ledger::default() }
    }

    /// Reports something that has no place of its own.
    pub fn report_at_the_top(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub fn report(&mut self, problem: Problem) -> Stop {
        if self.problems.len() < MOST_PROBLEMS && self.reported.insert(problem.span) {
            self.problems.push(problem);
        }
        Stop
    }

    /// Says what may be meant in another way than it is read.
    pub fn note(&mut self, note: Problem) {
        if self.notes.len() < MOST_NOTES && self.notes.iter().all(|other| other.span != note.span) {
            self.notes.push(note);
        }
    }

    /// The notes so far, which are taken away.
    pub fn take_notes(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.notes)
    }

    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    pub fn problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Counts combinations, variables and the like.
    pub fn things(&mut self, more: u64, span: Span) -> Outcome<()> {
        self.things = self.things.saturating_add(more);
        self.enough(self.things <= self.most_things(), span, || "the limit is exceeded here".to_string())
    }

    /// Counts the elements of an array.
    pub fn elements(&mut self, count: u64, span: Span) -> Outcome<()> {
        self.things = self.things.saturating_add(count.saturating_mul(ELEMENT));
        self.enough(self.things <= self.most_things(), span, || format!("{count} elements"))
    }

    /// Counts parts of expressions.
    pub fn parts(&mut self, more: u64, span: Span) -> Outcome<()> {
        self.parts = self.parts.saturating_add(more);
        self.enough(self.parts <= self.most_parts(), span, || "the limit is exceeded here".to_string())
    }

    /// Says of what will be counted one by one, with so many parts each, whether it will be too much. It is not counted.
    pub fn foresee(&mut self, count: u64, parts: u64, span: Span, what: &str) -> Outcome<()> {
        let enough = self.things.saturating_add(count) <= self.most_things()
            && self.parts.saturating_add(count.saturating_mul(parts)) <= self.most_parts();
        self.enough(enough, span, || format!("{count} {what}"))
    }

    fn most_things(&self) -> u64 {
        MOST_THINGS + self.letters.saturating_mul(THINGS_A_LETTER)
    }

    fn most_parts(&self) -> u64 {
        MOST_PARTS + self.letters.saturating_mul(PARTS_A_LETTER)
    }

    fn enough(&mut self, enough: bool, span: Span, label: impl FnOnce() -> String) -> Outcome<()> {
        if enough {
            return Ok(());
        }
        // Everything after this would exceed the limit as well: one report says it all.
        if !self.exhausted {
            self.exhausted = true;
            let problem = Problem::new(span, "this makes the model too large").label(label()).help(TOO_LARGE);
            self.report(problem);
        }
        Err(Stop)
    }

    /// Whether a limit was exceeded, so that going on is of no use.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted || self.problems.len() >= MOST_PROBLEMS
    }
}
