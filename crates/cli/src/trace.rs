//! Traces: how something comes about, step by step.

use std::fmt;

use crate::output::count;
use mandala_check::run::Trace;
use mandala_model::semantics::Semantics;
use mandala_model::system::Type;
use serde_json::{Map, Value, json};

/// Longer traces are not shown to people.
const LONGEST: usize = 10_000;
/// Variables of the initial state, or changes of a step, that people are shown.
const MOST_CHANGES: usize = 40;

/// A trace, with the names of variables and transitions.
pub struct Named {
    initial: Vec<(String, NamedValue)>,
    steps: Vec<NamedStep>,
    /// Whether there is no shorter one.
    pub shortest: bool,
    /// The number of the step with which it goes on when it is over, for ever; the first is 0. With as many steps as
    /// the number says, the last state is repeated.
    repeats: Option<usize>,
}

struct NamedStep {
    transition: String,
    changes: Vec<Change>,
    /// Why it leads to the error state, if it does.
    mishap: Option<String>,
    /// The instances that moved, those whose variables have changed, if the model has instances.
    parts: Option<Vec<String>>,
}

/// The instances to which some variables belong, each once.
fn instances(changes: &[Change]) -> Vec<String> {
    let mut instances: Vec<&str> = Vec::new();
    for change in changes {
        let end = change.variable.rfind(':').unwrap_or(0);
        if instances.last() != Some(&&change.variable[..end]) {
            instances.push(&change.variable[..end]);
        }
    }
    instances.into_iter().map(str::to_owned).collect()
}

/// Whether the state where a trace begins is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It is.
    Shown,
    /// It is known from before.
    Known,
}

struct Change {
    /// Its place in a state.
    index: usize,
    variable: String,
    before: NamedValue,
    after: NamedValue,
}

/// A value, and what it is called.
struct NamedValue {
    value: i32,
    name: Option<String>,
}

impl NamedValue {
    fn new(value: i32, names: &[String]) -> NamedValue {
        let name = usize::try_from(value).ok().and_then(|value| names.get(value)).cloned();
        NamedValue { value, name }
    }
}

impl fmt::Display for NamedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => write!(f, "{}", self.value),
        }
    }
}

impl Named {
    /// A trace of a system with names.
    pub fn new(semantics: &Semantics<'_>, trace: &Trace, shortest: bool) -> Named {
        let (variables, value_names) = (semantics.variables(), semantics.value_names());
        let system = semantics.system();
        let is_composite = matches!(system.types.get(system.main), Some(Type::Composite(_)));
        let mut state = &trace.initial;
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let changed = state.iter().zip(&step.state).enumerate().filter(|(_, (before, after))| before != after);
            let changes = changed.map(|(index, (&before, &after))| Change {
                index,
                variable: variables[index].clone(),
                before: NamedValue::new(before, value_names[index]),
                after: NamedValue::new(after, value_names[index]),
            });
            let changes: Vec<Change> = changes.collect();
            let parts = is_composite.then(|| instances(&changes));
            let mishap = semantics.is_error_state(&step.state).then(|| semantics.mishap(&step.event, state));
            let mishap = mishap.flatten().map(|mishap| mishap.to_string());
            steps.push(NamedStep { transition: semantics.name(&step.event), changes, mishap, parts });
            state = &step.state;
        }
        let initial = trace.initial.iter().zip(&value_names).map(|(&value, names)| NamedValue::new(value, names));
        let initial = variables.into_iter().zip(initial).collect();
        Named { initial, steps, shortest, repeats: None }
    }

    /// The same trace, which goes on for ever with one of its steps.
    pub fn with_loop(self, repeats: Option<usize>) -> Named {
        Named { repeats, ..self }
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
        match self.steps.len() {
            0 => "already at the start".to_owned(),
            steps => format!("after {} ({})", count(steps, "step"), self.quality()),
        }
    }

    /// Whether it could be shorter, in words.
    fn quality(&self) -> &'static str {
        if self.shortest { "shortest" } else { "may not be shortest" }
    }

    /// The steps for people, one a line.
    pub fn text(&self) -> String {
        self.lines("  ", 1, Start::Shown)
    }

    /// The steps for people, one a line, each after the same space; the first has this number.
    pub fn lines(&self, space: &str, first: usize, start: Start) -> String {
        if self.steps.len() > LONGEST {
            return format!("{space}too long to be shown; `--json` shows all of it\n");
        }
        let number_width = (first + self.steps.len()).saturating_sub(1).to_string().len();
        let name_width = self.steps.iter().map(|step| step.transition.chars().count()).max().unwrap_or(0).clamp(5, 40);
        let mut text = String::new();
        if start == Start::Shown {
            let marked = self.initial.iter().filter(|(_, value)| value.value != 0 || value.name.is_some());
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

    /// The trace for scripts.
    pub fn json(&self) -> Value {
        let initial: Map<String, Value> =
            self.initial.iter().map(|(name, value)| (name.clone(), json!(value.value))).collect();
        let steps = self.steps.iter().map(|step| {
            let changes = step
                .changes
                .iter()
                .map(|change| (change.variable.clone(), json!([change.before.value, change.after.value])));
            let mut object = json!({"transition": step.transition, "changes": changes.collect::<Map<String, Value>>()});
            if let Some(mishap) = &step.mishap {
                object["error"] = json!(mishap);
            }
            if let Some(parts) = &step.parts {
                object["parts"] = json!(parts);
            }
            object
        });
        json!({
            "initial": initial,
            "steps": steps.collect::<Vec<Value>>(),
            "loop": self.repeats,
            "shortest": self.shortest,
        })
    }
}

/// What an interchange format needs to know of a trace.
impl Named {
    /// The names of the variables.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.initial.iter().map(|(name, _)| name.as_str())
    }

    /// The number of the step with which it goes on when it is over.
    pub fn repeats(&self) -> Option<usize> {
        self.repeats
    }

    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Visits all states with what has led there.
    pub fn each_state(&self, mut visit: impl FnMut(Option<&str>, &[i32])) {
        let mut state: Vec<i32> = self.initial.iter().map(|(_, value)| value.value).collect();
        visit(None, &state);
        for step in &self.steps {
            for change in &step.changes {
                state[change.index] = change.after.value;
            }
            visit(Some(&step.transition), &state);
        }
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
