//! Traces: how something comes about, step by step, with the names of transitions and variables.

use crate::words::count;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

/// Of longer traces people are shown how they begin and how they end.
const LONGEST: usize = 100;
/// So many steps at each end.
const AT_EACH_END: usize = 20;
/// Lists of variables with more letters are cut.
const MOST_LETTERS: usize = 240;

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

impl Step {
    /// The changes that people are shown: a queue changes as a whole, not letter by letter.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| !change.after.is_letter)
    }

    /// What it changes, for people; if that is much, the beginning.
    pub fn in_words(&self) -> String {
        if let Some(mishap) = &self.mishap {
            return format!("the error state: {mishap}");
        }
        let changes = self.shown();
        let changes = list(changes.map(|change| format!("{} {} -> {}", change.variable, change.before, change.after)));
        if changes.is_empty() { "(no change)".to_owned() } else { changes }
    }
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
    /// What it is called, if it has a name, as the states of a process do. A queue, whose value is its length, is called
    /// by its word: `[ping, pong]`.
    pub name: Option<String>,
    /// Whether it is a letter of a queue, which people see in the word of the queue: 0 behind its end.
    pub is_letter: bool,
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

    /// The steps that people are not shown.
    fn left_out(&self) -> Range<usize> {
        if self.steps.len() <= LONGEST { 0..0 } else { AT_EACH_END..self.steps.len() - AT_EACH_END }
    }

    /// Where it begins: all that is not 0, or, if that is too much, what the steps change that people are shown.
    pub fn start_in_words(&self) -> String {
        let words = |(name, value): &(String, Value)| format!("{name} = {value}");
        let is_marked = |(_, value): &&(String, Value)| !value.is_letter && (value.number != 0 || value.name.is_some());
        let marked: Vec<&(String, Value)> = self.initial.iter().filter(is_marked).collect();
        if marked.is_empty() {
            return "0 everywhere".to_owned();
        }
        let letters: usize = marked.iter().map(|(name, value)| name.len() + value.to_string().len() + 5).sum();
        if letters <= MOST_LETTERS || self.steps.is_empty() {
            return list(marked.into_iter().map(words));
        }
        let left_out = self.left_out();
        let shown = self.steps.iter().enumerate().filter(|(place, _)| !left_out.contains(place));
        let changed: HashSet<usize> = shown.flat_map(|(_, step)| &step.changes).map(|change| change.index).collect();
        let matters = |(index, one): &(usize, &(String, Value))| changed.contains(index) && is_marked(one);
        let mattering: Vec<String> =
            self.initial.iter().enumerate().filter(matters).map(|(_, one)| words(one)).collect();
        let others = marked.len() - mattering.len();
        let text = list(mattering.into_iter());
        match (text.is_empty(), others) {
            (_, 0) => text,
            (true, others) => format!("{} that are not 0 and do not change here", count(others, "variable")),
            (false, others) => format!("{text}, and {others} that do not change here"),
        }
    }

    /// The steps for people, one on each line, each after the same space; the first has this number.
    pub(crate) fn lines(&self, space: &str, first: usize, start: Start) -> String {
        let left_out = self.left_out();
        let number_width = (first + self.steps.len()).saturating_sub(1).to_string().len();
        let is_shown = |place: &usize| !left_out.contains(place);
        let names = (0..self.steps.len()).filter(is_shown).map(|place| self.steps[place].transition.chars().count());
        let name_width = names.max().unwrap_or(0).clamp(5, 40);
        let mut text = String::new();
        if start == Start::Shown {
            let shown = self.start_in_words();
            text.push_str(&format!("{space}{:number_width$}  {:name_width$}  {shown}\n", "", "start"));
        }
        for (place, step) in self.steps.iter().enumerate() {
            if self.repeats == Some(place) {
                text.push_str(&format!("{space}again and again:\n"));
            }
            if place == left_out.start && !left_out.is_empty() {
                let steps = left_out.len();
                text.push_str(&format!("{space}... {steps} steps are left out; in JSON and in ITF none is\n"));
            }
            if left_out.contains(&place) {
                continue;
            }
            let changes = step.in_words();
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

/// Some words, with commas between them, and how many more there are.
fn list(words: impl Iterator<Item = String>) -> String {
    let (mut text, mut left) = (String::new(), 0);
    for word in words {
        if left > 0 || text.len() + word.len() > MOST_LETTERS && !text.is_empty() {
            left += 1;
            continue;
        }
        text.push_str(if text.is_empty() { "" } else { ", " });
        text.push_str(&word);
    }
    if left > 0 {
        text.push_str(&format!(", and {left} more"));
    }
    text
}
