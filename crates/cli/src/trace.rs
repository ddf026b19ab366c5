//! Traces: how something comes about, step by step.

use std::fmt;

use mandala_check::explicit::Trace;
use mandala_model::semantics::Semantics;
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
}

struct Change {
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
        let mut state = &trace.initial;
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let values = variables.iter().zip(&value_names).zip(state.iter().zip(&step.state));
            let changed = values.filter(|(_, (before, after))| before != after);
            let changes = changed.map(|((variable, names), (&before, &after))| Change {
                variable: variable.clone(),
                before: NamedValue::new(before, names),
                after: NamedValue::new(after, names),
            });
            steps.push(NamedStep { transition: semantics.name(&step.event), changes: changes.collect() });
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
            let plural = |number: usize| if number == 1 { "1 step".to_owned() } else { format!("{number} steps") };
            return match self.steps.len() - repeats {
                0 => format!("{}, then its last state for ever", plural(repeats)),
                round => format!("{}, then {} for ever", plural(repeats), plural(round)),
            };
        }
        let length = match self.steps.len() {
            0 => return "already at the start".to_owned(),
            1 => "after 1 step".to_owned(),
            steps => format!("after {steps} steps"),
        };
        format!("{length} ({})", if self.shortest { "shortest" } else { "may not be shortest" })
    }

    /// The steps for people, one a line.
    pub fn text(&self) -> String {
        if self.steps.len() > LONGEST {
            return "  too long to be shown; `--json` shows all of it\n".to_owned();
        }
        let number_width = self.steps.len().to_string().len();
        let name_width = self.steps.iter().map(|step| step.transition.chars().count()).max().unwrap_or(0).clamp(5, 40);
        let marked = self.initial.iter().filter(|(_, value)| value.value != 0 || value.name.is_some());
        let shown = list(marked.map(|(name, value)| format!("{name} = {value}")));
        let shown = if shown.is_empty() { "0 everywhere".to_owned() } else { shown };
        let mut text = format!("  {:number_width$}  {:name_width$}  {shown}\n", "", "start");
        for (number, step) in (1..).zip(&self.steps) {
            if self.repeats == Some(number - 1) {
                text.push_str("  again and again:\n");
            }
            let changes = step.changes.iter();
            let changes =
                list(changes.map(|change| format!("{} {} -> {}", change.variable, change.before, change.after)));
            let changes = if changes.is_empty() { "(no change)".to_owned() } else { changes };
            text.push_str(&format!("  {number:number_width$}  {:name_width$}  {changes}\n", step.transition));
        }
        if self.repeats == Some(self.steps.len()) {
            text.push_str("  nothing can happen: the last state repeats for ever\n");
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
            json!({"transition": step.transition, "changes": changes.collect::<Map<String, Value>>()})
        });
        json!({
            "initial": initial,
            "steps": steps.collect::<Vec<Value>>(),
            "loop": self.repeats,
            "shortest": self.shortest,
        })
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
