//! What `mandala check` prints, for people and as JSON.

use super::answers::{Answered, Answers, Ended};
use super::questions::Kind;
use crate::arguments::Check;
use crate::error_state::Told;
use crate::{output, statistics};
use mandala_check::answer::Verdict;
use serde_json::{Value, json};

/// Names that are longer than this do not widen the column.
const WIDEST: usize = 50;

/// For people: a line a property, traces, and a summary.
pub fn text(answers: &Answers, arguments: &Check) -> String {
    let rows: Vec<[String; 4]> = answers.answered.iter().map(row).collect();
    let width = |column: usize| {
        let longest = rows.iter().map(|row| row[column].chars().count()).filter(|&width| width <= WIDEST);
        longest.max().unwrap_or(0)
    };
    let widths = [0, 1, 2].map(width);
    let mut text = String::new();
    for (row, answered) in rows.iter().zip(&answers.answered) {
        let [name, kind, verdict, time] = row;
        let line = format!("{name:0$}  {kind:1$}  {verdict:2$}  {time}", widths[0], widths[1], widths[2]);
        text.push_str(line.trim_end());
        text.push('\n');
        if let Some(folded) = &answered.folded {
            text.push_str(&format!("  {folded}\n"));
        }
        if arguments.trace {
            text.push_str(&trace(answered));
        }
        if let Some(file) = &answered.saved {
            text.push_str(&format!("  trace written to {file}\n"));
        }
    }
    if let Some(told) = answers.error_state.as_ref().filter(|told| told.is_reached()) {
        text.push_str(&error_state(told, answers));
    }
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    text.push_str(&summary(answers));
    if let (true, Some(statistics)) = (arguments.show.stats, &answers.statistics) {
        text.push('\n');
        text.push_str(&statistics::text(statistics));
    }
    text
}

fn row(answered: &Answered) -> [String; 4] {
    let verdict = match &answered.verdict {
        Verdict::True if answered.asked.kind == Kind::Deadlock => "there is none".to_owned(),
        Verdict::False if answered.asked.kind == Kind::Deadlock => "there is one".to_owned(),
        Verdict::True => "holds".to_owned(),
        Verdict::False => "does not hold".to_owned(),
        Verdict::Bounds { least, greatest } if least == greatest => format!("always {least}"),
        Verdict::Bounds { least, greatest } => format!("from {least} to {greatest}"),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    };
    let time = if answered.time.is_zero() { String::new() } else { output::seconds(answered.time) };
    [answered.asked.name.clone(), answered.asked.kind.name().to_owned(), verdict, time]
}

/// That the error state is reached, and the way there if there is one to be shown.
fn error_state(told: &Told, answers: &Answers) -> String {
    let deadlock = answers.answered.iter().any(|one| one.asked.kind == Kind::Deadlock);
    let deadlock = if deadlock { "; it is not counted as a deadlock" } else { "" };
    format!("the error state {}{deadlock}\n{}", told.words(), told.way().unwrap_or_default())
}

fn trace(answered: &Answered) -> String {
    match (&answered.trace, &answered.witness) {
        (_, Some(witness)) => format!("{}\n", witness.text()),
        (None, None) => String::new(),
        (Some(Err(reason)), None) => format!("  {reason}\n"),
        (Some(Ok(trace)), None) => format!("  {}, {}:\n{}\n", answered.shown(), trace.length(), trace.text()),
    }
}

fn summary(answers: &Answers) -> String {
    let count = |is: fn(&Verdict) -> bool| answers.answered.iter().filter(|one| is(&one.verdict)).count();
    let holding = count(|verdict| matches!(verdict, Verdict::True | Verdict::Bounds { .. }));
    let failing = count(|verdict| matches!(verdict, Verdict::False));
    let unknown = count(|verdict| matches!(verdict, Verdict::Unknown(_)));
    let mut parts = Vec::new();
    let plural = |number: usize, one: &str, more: &str| format!("{number} {}", if number == 1 { one } else { more });
    if holding > 0 {
        parts.push(plural(holding, "holds", "hold"));
    }
    if failing > 0 {
        parts.push(plural(failing, "does not hold", "do not hold"));
    }
    if unknown > 0 {
        parts.push(format!("{unknown} unknown"));
    }
    let total = plural(answers.answered.len(), "property", "properties");
    let some = if answers.ended == Ended::Enough { "enough after " } else { "" };
    let states = answers.states.as_ref().map_or(String::new(), |states| format!("{some}{states} states, "));
    let ended = match answers.ended {
        Ended::Done | Ended::Enough => String::new(),
        Ended::Stopped(reason) => format!("; stopped: {reason}"),
        Ended::Unbounded => "; the net is not bounded".to_owned(),
    };
    format!("{total}: {} ({states}{}){ended}\n", parts.join(", "), output::seconds(answers.time))
}

/// For scripts.
pub fn json(answers: &Answers, model: &str, arguments: &Check) -> String {
    let results: Vec<Value> = answers.answered.iter().map(result).collect();
    let stopped = match answers.ended {
        Ended::Done | Ended::Enough | Ended::Unbounded => None,
        Ended::Stopped(reason) => Some(reason.name()),
    };
    let mut object = json!({
        "model": model,
        "results": results,
        "seconds": answers.time.as_secs_f64(),
        "stopped": stopped,
    });
    if let Some(told) = &answers.error_state {
        object["error_state"] = told.json();
    }
    if let (true, Some(statistics)) = (arguments.show.stats, &answers.statistics) {
        object["statistics"] = statistics::json(statistics);
    }
    serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
}

fn result(answered: &Answered) -> Value {
    let (verdict, value) = match &answered.verdict {
        Verdict::True => ("true", None),
        Verdict::False => ("false", None),
        Verdict::Bounds { greatest, .. } => ("true", Some(*greatest)),
        Verdict::Unknown(_) => ("unknown", None),
    };
    let trace = match &answered.trace {
        Some(Ok(trace)) => trace.json(),
        _ => Value::Null,
    };
    let mut object = json!({
        "property": answered.asked.name,
        "kind": answered.asked.kind.name(),
        "verdict": verdict,
        "value": value,
        "trace": trace,
    });
    match &answered.verdict {
        Verdict::Unknown(reason) => object["reason"] = json!(reason),
        Verdict::Bounds { least, .. } => object["least"] = json!(least),
        _ => {}
    }
    if let Some(folded) = &answered.folded {
        object["symmetry"] = json!(folded);
    }
    if let Some(Err(reason)) = &answered.trace {
        object["no_trace"] = json!(reason);
    }
    if let Some(witness) = &answered.witness {
        object["witness"] = witness.json();
    }
    if let Some(file) = &answered.saved {
        object["itf"] = json!(file);
    }
    object
}
