//! What has been found wrong so far, and how much has been made.
//!
//! A short file can stand for something enormous: a transition with ten parameters, types that double their size. What
//! is made is counted, and too much of it is an error like others.

pub(super) mod complaint;

use rustc_hash::FxHashSet;

use crate::text::{Problem, Span};

/// How many combinations of parameters, variables, instances and unrolled statements a model may have, beside those
/// that are written out.
const MOST_THINGS: u64 = 10_000_000;

/// How many operators and operands the expressions of a model may have after parameters are filled in, beside those that
/// are written out.
const MOST_PARTS: u64 = 6_000_000;

/// An expression that is written out is counted at most so often for each of its letters.
const PARTS_A_LETTER: u64 = 10;

/// After this many problems, more are not looked for.
const MOST_PROBLEMS: usize = 200;

/// Something could not be made, and that has been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop;

pub(super) type Outcome<T> = Result<T, Stop>;

/// Problems and counts.
#[derive(Default)]
pub(super) struct Ledger {
    problems: Vec<Problem>,
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

    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    pub fn problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Counts combinations, variables and the like.
    pub fn things(&mut self, more: u64, span: Span) -> Outcome<()> {
        self.things = self.things.saturating_add(more);
        let what = "combinations of parameters, variables, instances and unrolled statements";
        self.enough(self.things <= MOST_THINGS + self.letters, span, MOST_THINGS, what)
    }

    /// Counts parts of expressions.
    pub fn parts(&mut self, more: u64, span: Span) -> Outcome<()> {
        self.parts = self.parts.saturating_add(more);
        let most = MOST_PARTS + self.letters.saturating_mul(PARTS_A_LETTER);
        self.enough(self.parts <= most, span, MOST_PARTS, "operators and operands, with parameters filled in")
    }

    fn enough(&mut self, enough: bool, span: Span, limit: u64, what: &str) -> Outcome<()> {
        if enough {
            return Ok(());
        }
        // Everything after this would exceed the limit as well: one report says it all.
        if !self.exhausted {
            self.exhausted = true;
            let problem = Problem::new(span, format!("the model has more than {} million {what}", limit / 1_000_000))
                .label("the limit is exceeded here")
                .help("use smaller arrays and ranges, or guards that exclude combinations by their first parameters");
            self.report(problem);
        }
        Err(Stop)
    }

    /// Whether a limit was exceeded, so that going on is of no use.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted || self.problems.len() >= MOST_PROBLEMS
    }
}
