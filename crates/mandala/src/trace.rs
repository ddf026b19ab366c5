//! Traces: how something comes about, step by step, with the names of transitions and variables.

use crate::words::count;
use std::fmt;

/// Longer traces are not shown to people.
const LONGEST: usize = 10_000;
/// Variables of the initial state, or changes of a step, that people are shown.
const MOST_CHANGES: usize = 40;

/// A way through the states, with names. It may go on for ever.
///
/// Displayed, it has a line for each step: the number, the transition and what it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The variables of a state, with their values where the trace begins.
    pub initial: Vec<(String, Value)>,
    /// What happens.
    pub steps: Vec<Step>,
    /// Whether there is no shorter one.
    pub shortest: bool,
    /// The number of the step with which it goes on when it is over, for ever; the first is 0. With as many steps as
    /// the number says, the last state is repeated.
    pub repeats: Option<usize>,
}

/// What happens, and what it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of what happens.
    pub transition: String,
    /// The variables that it changes.
    pub changes: Vec<Change>,
    /// Why it leads to the error state of the model, if it does.
    pub mishap: Option<String>,
    /// The instances that moved, those whose variables have changed, if the model has instances.
    pub instances: Option<Vec<String>>,
}

/// A variable that gets another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its place in a state: an index into [`Trace::initial`].
    pub index: usize,
    /// Its name.
    pub variable: String,
    /// Its value before.
    pub before: Value,
    /// Its value afterwards.
    pub after: Value,
}

/// A value, and what it is called. Displayed, it is its name, or else the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The value.
    pub number: i32,
    /// What it is called, if it has a name, as the states of a process do.
    pub name: Option<String>,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => write!(f, "{}", self.number),
        }
    }
}

/// Whether the state where a trace begins is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// It is.
    Shown,
    /// It is known from before.
    Known,
}

impl Trace {
    /// Whether it is too long to be shown to people.
    pub fn is_too_long(&self) -> bool {
        self.steps.len() > LONGEST
    }

    /// How many steps it has, and whether it could be shorter, in words.
    pub fn length(&self) -> String {
        if let Some(repeats) = self.repeats {
            return match (repeats, self.steps.len() - repeats) {
                (0, 0) => "its only state for ever".to_owned(),
                (0, round) => format!("{} for ever", count(round, "step")),
                (_, 0) => format!("{}, then its last state for ever", count(repeats, "step")),
                (_, round) => format!("{}, then {} for ever", count(repeats, "step"), count(round, "step")),
            };
        }
        let quality = if self.shortest { "shortest" } else { "may not be shortest" };
        match self.steps.len() {
            0 => "already at the start".to_owned(),
            steps => format!("after {} ({quality})", count(steps, "step")),
        }
    }

    /// All states, from the first to the last, with what has led to each.
    pub fn states(&self) -> impl Iterator<Item = (Option<&str>, Vec<i32>)> {
        let first: Vec<i32> = self.initial.iter().map(|(_, value)| value.number).collect();
        let mut state = first.clone();
        let others = self.steps.iter().map(move |step| {
            step.changes.iter().for_each(|change| state[change.index] = change.after.number);
            (Some(step.transition.as_str()), state.clone())
        });
        [(None, first)].into_iter().chain(others)
    }

    /// The steps for people, one on each line, each after the same space; the first has this number.
    pub(crate) fn lines(&self, space: &str, first: usize, start: Start) -> String {
        if self.is_too_long() {
            return format!("{space}too long to be shown\n");
        }
        let number_width = (first + self.steps.len()).saturating_sub(1).to_string().len();
        let name_width = self.steps.iter().map(|step| step.transition.chars().count()).max().unwrap_or(0).clamp(5, 40);
        let mut text = String::new();
        if start == Start::Shown {
            let marked = self.initial.iter().filter(|(_, value)| value.number != 0 || value.name.is_some());
            let shown = list(marked.map(|(name, value)| format!("{name} = {value}")));
            let shown = if shown.is_empty() { "0 everywhere".to_owned() } else { shown };
            text.push_str(&format!("{space}{:number_width$}  {:name_width$}  {shown}\n", "", "start"));
        }
        for (place, step) in self.steps.iter().enumerate() {
            if self.repeats == Some(place) {
                text.push_str(&format!("{space}again and again:\n"));
            }
            let changes = step.changes.iter();
            let changes =
                list(changes.map(|change| format!("{} {} -> {}", change.variable, change.before, change.after)));
            let changes = match &step.mishap {
                Some(mishap) => format!("the error state: {mishap}"),
                None if changes.is_empty() => "(no change)".to_owned(),
                None => changes,
            };
            let (number, transition) = (first + place, &step.transition);
            text.push_str(&format!("{space}{number:number_width$}  {transition:name_width$}  {changes}\n"));
        }
        match self.repeats {
            Some(repeats) if repeats == self.steps.len() => {
                text.push_str(&format!("{space}nothing can happen: the last state repeats for ever\n"));
            }
            Some(_) => text.push_str(&format!("{space}and so on for ever\n")),
            None => {}
        }
        text
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines("  ", 1, Start::Shown))
    }
}

/// Some words, with commas between them.
fn list(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    let mut text = words.iter().take(MOST_CHANGES).cloned().collect::<Vec<_>>().join(", ");
    if words.len() > MOST_CHANGES {
        text.push_str(&format!(", and {} more", words.len() - MOST_CHANGES));
    }
    text
}
