//! Witnesses of CTL with names: what shows a claim, and below it what shows that in turn.

use crate::trace::{Start, Trace};
use crate::words::count;
use std::fmt;

/// Formulas are not written out beyond this many letters for people.
const LONGEST_FORMULA: usize = 160;

/// What shows the verdict about a formula of CTL: a tree of claims about parts of the formula.
///
/// Displayed, it says what is claimed, the run that shows it, and below that what shows what is true there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The claims; the first is about the whole formula, and the others are named as children.
    pub claims: Vec<Claim>,
    /// The state of which the first claim speaks, as a trace without steps.
    pub start: Option<Trace>,
}

/// A claim about a part of the formula in some state, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The part of the formula.
    pub formula: String,
    /// Whether it holds.
    pub holds: bool,
    /// Whether it is the formula that was asked.
    pub is_whole: bool,
    /// Of which state it speaks: that after so many steps of the run of the claim above.
    pub at: usize,
    /// What shows it.
    pub shown: Shown,
    /// The claims that it follows from, as indices into [`Witness::claims`].
    pub children: Vec<usize>,
}

/// What shows a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The state itself.
    State,
    /// What is claimed of the parts.
    Parts,
    /// A run.
    Run {
        /// The run.
        run: Trace,
        /// What is true all the way.
        through: Option<String>,
        /// What is true in the end.
        goals: Vec<String>,
    },
    /// All runs, or none: there is none to show.
    ByNoRun,
    /// It is left out, and why.
    LeftOut(String),
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if !self.claims.is_empty() {
            self.write(0, Place { depth: 1, first: 1, where_: "" }, &mut text);
        }
        f.write_str(&text)
    }
}

impl Witness {
    /// Trees are not deep: they were cut.
    fn write(&self, number: usize, place: Place, text: &mut String) {
        let claim = &self.claims[number];
        let space = "  ".repeat(place.depth);
        let said = if claim.is_whole { "it".to_owned() } else { quoted(&claim.formula) };
        let said = format!("{space}{}{said} {}", place.where_, verb(claim.holds));
        // A run has the state where it begins in its first line.
        let start = match &self.start {
            Some(start) if number == 0 => start.lines(&space, 1, Start::Shown),
            _ => String::new(),
        };
        let below = |first: usize, where_: &'static str| Place { depth: place.depth + 1, first, where_ };
        match &claim.shown {
            Shown::State => {
                text.push_str(&format!("{start}{said}\n"));
            }
            Shown::Parts => {
                text.push_str(&format!("{start}{said} because\n"));
                claim.children.iter().for_each(|&child| self.write(child, below(place.first, ""), text));
            }
            Shown::ByNoRun => {
                let runs = if claim.holds { "on all runs" } else { "on no run" };
                text.push_str(&format!("{said}: {runs}, so that there is none to show\n"));
            }
            Shown::LeftOut(reason) => text.push_str(&format!("{said}; what shows it is left out: {reason}\n")),
            Shown::Run { run, through, goals } => {
                text.push_str(&format!("{said}: {}:\n", reason(run, through.as_deref(), goals, claim.holds)));
                let start = if number == 0 { Start::Shown } else { Start::Known };
                text.push_str(&run.lines(&space, place.first, start));
                for &child in &claim.children {
                    let other = &self.claims[child];
                    let is_last = run.repeats.is_none() && other.at == run.steps.len();
                    if is_last && matches!(other.shown, Shown::State) {
                        // This was said.
                        continue;
                    }
                    let where_ = if is_last { "there " } else { "where it begins " };
                    self.write(child, below(place.first + other.at, where_), text);
                }
            }
        }
    }
}

/// Where a claim is written.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    /// The number of its first step.
    first: usize,
    /// Of which state it speaks.
    where_: &'static str,
}

/// How a run shows a claim. What it says of the states on the way and at the end has the same truth as the claim.
fn reason(run: &Trace, through: Option<&str>, goals: &[String], holds: bool) -> String {
    if run.repeats == Some(0) && run.steps.is_empty() {
        return format!("{} {}, and it stays so", quoted(through.unwrap_or_default()), verb(holds));
    }
    if run.repeats.is_some() {
        let always = if holds { "always holds" } else { "never holds" };
        return format!("{} {always} on a run of {}", quoted(through.unwrap_or_default()), run.length());
    }
    let goal = match (goals, holds) {
        ([f, g], true) => format!("{} and {} hold", quoted(f), quoted(g)),
        ([f, g], false) => format!("neither {} nor {} holds", quoted(f), quoted(g)),
        _ => format!("{} {}", quoted(goals.first().map_or("", String::as_str)), verb(holds)),
    };
    match (run.steps.len(), through) {
        (0, _) => format!("already here {goal}"),
        (_, None) => format!("{} {goal}", run.length()),
        (_, Some(through)) => format!("{} {}, and {} {goal}", quoted(through), on_the_way(holds), run.length()),
    }
}

fn on_the_way(holds: bool) -> &'static str {
    if holds { "holds on the way" } else { "does not hold on the way" }
}

fn verb(holds: bool) -> &'static str {
    if holds { "holds" } else { "does not hold" }
}

/// A formula as it is named in a sentence; a long one is cut.
fn quoted(formula: &str) -> String {
    let letters = formula.chars().count();
    if letters <= LONGEST_FORMULA {
        return format!("`{formula}`");
    }
    let start: String = formula.chars().take(LONGEST_FORMULA).collect();
    format!("`{start}...` (and {} more)", count(letters - LONGEST_FORMULA, "letter"))
}
