//! What `mandala check` prints, for people and as JSON.

use super::contest;
use crate::arguments::{Check, Format};
use crate::ending::Stopped;
use crate::session::{Session, reason_in_words, reason_name};
use crate::style::{Style, paint};
use crate::{output, statistics, trace};
use mandala::{Answer, Answers, Ended, ErrorState, Inequality, Kind, Proof, ProofCase, Question, Verdict};
use serde_json::{Value, json};
use std::time::Instant;

/// Names that are longer than this do not widen the column.
const WIDEST: usize = 50;

/// For people: a line a property, traces, and a summary.
pub fn text(answers: &Answers, saved: &[Option<String>], arguments: &Check) -> String {
    let rows: Vec<[String; 4]> = answers.answers.iter().map(row).collect();
    let width = |column: usize| {
        let longest = rows.iter().map(|row| row[column].chars().count()).filter(|&width| width <= WIDEST);
        longest.max().unwrap_or(0)
    };
    let widths = [0, 1, 2].map(width);
    let mut text = String::new();
    for ((row, answered), saved) in rows.iter().zip(&answers.answers).zip(saved) {
        let [name, kind, verdict, time] = row;
        let blanks = " ".repeat(widths[2].saturating_sub(verdict.chars().count()));
        let verdict = paint(style(&answered.verdict), verdict);
        let line = format!("{name:0$}  {kind:1$}  {verdict}{blanks}  {time}", widths[0], widths[1]);
        text.push_str(line.trim_end());
        text.push('\n');
        if let Some(states) = &answered.answered_on {
            text.push_str(&format!("  {states}\n"));
        }
        if arguments.trace {
            text.push_str(&explanation(answered));
        }
        if let Some(file) = saved {
            text.push_str(&format!("  trace written to {file}\n"));
        }
    }
    if let Some(state) = answers.error_state.as_ref().filter(|state| state.is_reached()) {
        text.push_str(&error_state(state, answers));
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

/// That the error state is reached, and the way there if there is one to be shown.
fn error_state(state: &ErrorState, answers: &Answers) -> String {
    let deadlock = answers.answers.iter().any(|one| one.question.kind() == Kind::Deadlock);
    let deadlock = if deadlock { "; it is not counted as a deadlock" } else { "" };
    format!("the error state {state}{deadlock}\n{}", state.explanation().unwrap_or_default())
}

/// What a verdict looks like on a terminal.
fn style(verdict: &Verdict) -> Style {
    match verdict {
        Verdict::Holds | Verdict::Bounds { .. } | Verdict::Unbounded => Style::Good,
        Verdict::Fails => Style::Bad,
        Verdict::Unknown(_) => Style::Unsure,
    }
}

fn row(answered: &Answer) -> [String; 4] {
    let time = if answered.time.is_zero() { String::new() } else { output::seconds(answered.time) };
    let question = &answered.question;
    [question.name().to_owned(), question.kind().name().to_owned(), answered.verdict_in_words(), time]
}

fn explanation(answered: &Answer) -> String {
    match (answered.trace(), &answered.witness) {
        (None, None) => answered.explanation(),
        _ => format!("{}\n", answered.explanation()),
    }
}

fn summary(answers: &Answers) -> String {
    let count = |is: fn(&Verdict) -> bool| answers.answers.iter().filter(|one| is(&one.verdict)).count();
    let holding = count(|verdict| matches!(verdict, Verdict::Holds | Verdict::Bounds { .. } | Verdict::Unbounded));
    let failing = count(|verdict| matches!(verdict, Verdict::Fails));
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
    let total = plural(answers.answers.len(), "property", "properties");
    let some = if answers.ended == Ended::Enough { "enough after " } else { "" };
    let states = answers.states.as_ref().map_or(String::new(), |states| {
        let states = states.to_string();
        let noun = if states == "1" { "state" } else { "states" };
        format!("{some}{states} {noun}, ")
    });
    let ended = match answers.ended {
        Ended::Done | Ended::Enough => String::new(),
        Ended::Stopped(reason) => format!("; stopped: {}", reason_in_words(reason)),
        Ended::Unbounded => "; the net is not bounded".to_owned(),
    };
    format!("{total}: {} ({states}{}){ended}\n", parts.join(", "), output::seconds(answers.time))
}

/// For scripts.
pub fn json(answers: &Answers, saved: &[Option<String>], model: &str, arguments: &Check) -> String {
    serde_json::to_string_pretty(&object(answers, saved, model, arguments)).unwrap_or_default() + "\n"
}

/// The same as a value.
pub fn object(answers: &Answers, saved: &[Option<String>], model: &str, arguments: &Check) -> Value {
    let results: Vec<Value> =
        answers.answers.iter().zip(saved).map(|(answered, saved)| result(answered, saved.as_deref())).collect();
    let stopped = match answers.ended {
        Ended::Done | Ended::Enough | Ended::Unbounded => None,
        Ended::Stopped(reason) => Some(reason_name(reason)),
    };
    let mut object = json!({
        "model": model,
        "results": results,
        "states": answers.states.as_ref().and_then(|states| output::decimal(states, output::DIGITS)),
        "complete": answers.ended == Ended::Done,
        "seconds": answers.time.as_secs_f64(),
        "stopped": stopped,
    });
    if let Some(state) = &answers.error_state {
        object["error_state"] = crate::error_state::error_state(state);
    }
    if let (true, Some(statistics)) = (arguments.show.stats, &answers.statistics) {
        object["statistics"] = statistics::json(statistics);
    }
    object
}

/// What is said where a limit struck before anything was answered.
pub struct Nothing {
    model: String,
    format: Format,
    /// The questions, as they are named and of which kind; none if they are not known yet.
    questions: Vec<(String, &'static str)>,
    start: Instant,
}

impl Nothing {
    /// Nothing is known yet, not even what is asked.
    pub fn new(arguments: &Check, session: &Session) -> Nothing {
        Nothing::asking(arguments, session, &[])
    }

    /// Nothing is known yet of some questions.
    pub fn asking(arguments: &Check, session: &Session, questions: &[Question]) -> Nothing {
        let questions = questions.iter().map(|question| (question.name().to_owned(), question.kind().name()));
        Nothing {
            model: arguments.model.model.clone(),
            format: arguments.format(),
            questions: questions.collect(),
            start: session.start(),
        }
    }

    /// The answer with nothing in it.
    pub fn told(&self, stopped: &Stopped) -> String {
        let words = stopped.in_words();
        let lines = |line: &dyn Fn(&str, &str) -> String| -> String {
            self.questions.iter().map(|(name, kind)| line(name, kind)).collect()
        };
        match self.format {
            Format::Text => {
                let time = output::seconds(self.start.elapsed());
                let unknown = lines(&|name, kind| format!("{name}  {kind}  unknown\n"));
                let asked = match self.questions.len() {
                    0 => self.model.clone(),
                    1 => "\n1 property".to_owned(),
                    number => format!("\n{number} properties"),
                };
                format!("{unknown}{asked}: unknown ({time}); stopped: {words}\n")
            }
            Format::Mcc if self.questions.is_empty() => "CANNOT_COMPUTE\n".to_owned(),
            Format::Mcc => lines(&|name, _| match contest::is_printed(name) {
                true => String::new(),
                false => format!("FORMULA {name} CANNOT_COMPUTE\n"),
            }),
            Format::Json => {
                let unknown = |(name, kind): &(String, &str)| {
                    json!({
                        "property": name, "kind": kind, "verdict": "unknown", "value": null, "trace": null,
                        "seconds": null, "reason": words,
                    })
                };
                let object = json!({
                    "model": self.model,
                    "results": self.questions.iter().map(unknown).collect::<Vec<Value>>(),
                    "states": null,
                    "complete": false,
                    "seconds": self.start.elapsed().as_secs_f64(),
                    "stopped": reason_name(stopped.reason),
                    "phase": stopped.phase,
                });
                serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
            }
        }
    }
}

fn result(answered: &Answer, saved: Option<&str>) -> Value {
    let (verdict, value) = match &answered.verdict {
        Verdict::Holds => ("true", None),
        Verdict::Fails => ("false", None),
        Verdict::Bounds { greatest, .. } => ("true", Some(*greatest)),
        Verdict::Unbounded => ("true", None),
        Verdict::Unknown(_) => ("unknown", None),
    };
    let trace = answered.trace().map_or(Value::Null, trace::trace);
    let mut object = json!({
        "property": answered.question.name(),
        "kind": answered.question.kind().name(),
        "verdict": verdict,
        "value": value,
        "trace": trace,
        "seconds": answered.time.as_secs_f64(),
    });
    match &answered.verdict {
        Verdict::Unknown(reason) => object["reason"] = json!(reason),
        Verdict::Bounds { least, .. } => object["least"] = json!(least),
        Verdict::Unbounded => object["bounded"] = json!(false),
        _ => {}
    }
    if let Some(count) = &answered.product_states {
        object["product_states"] = count.to_u64().map_or_else(|| json!(count.to_string()), |count| json!(count));
    }
    if let Some(states) = &answered.answered_on {
        object["symmetry"] = json!(states);
    }
    if let Some(Err(reason)) = &answered.trace {
        object["no_trace"] = json!(reason);
    }
    if let Some(witness) = &answered.witness {
        object["witness"] = trace::witness(witness);
    }
    if let Some(shows) = &answered.proof {
        object["proof"] = proof(shows);
    }
    if let Some(file) = saved {
        object["itf"] = json!(file);
    }
    object
}

/// What shows something without the states. Numbers may have more than 64 bits: they are written in decimal.
fn proof(proof: &Proof) -> Value {
    let sum = |sum: &[(i64, String)]| -> Value {
        sum.iter().map(|(times, place)| (place.clone(), json!(times))).collect::<serde_json::Map<_, _>>().into()
    };
    let inequalities = |all: &[Inequality]| -> Value {
        all.iter().map(|one| json!({ "sum": sum(&one.sum), "least": one.least })).collect()
    };
    match proof {
        Proof::MarkedTraps => json!({ "by": "marked traps" }),
        Proof::Cases(cases) => {
            let case = |case: &ProofCase| {
                json!({
                    "assumed": inequalities(&case.assumed),
                    "known": inequalities(&case.known),
                    "sum": sum(&case.sum),
                    "initially": case.initially.to_string(),
                    "needed": case.needed.to_string(),
                })
            };
            json!({ "by": "state equation", "cases": cases.iter().map(case).collect::<Value>() })
        }
    }
}
