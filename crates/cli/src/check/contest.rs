//! The Model Checking Contest: the lines that it wants as answers.

use super::show;
use crate::arguments::{Check, Format};
use crate::ending;
use crate::failure::Failure;
use crate::output;
use crate::session::Session;
use crate::status::Status;
use mandala::contest::{self, Examination, Examined, Value};
use mandala::{Answer, Answers, Listener, Model, Options, Told, Verdict};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// How an answer was found, as the contest calls it.
fn techniques(by_diagrams: bool) -> &'static str {
    if by_diagrams {
        "TECHNIQUES SEQUENTIAL_PROCESSING DECISION_DIAGRAMS TOPOLOGICAL"
    } else {
        "TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT"
    }
}

/// The names of those whose lines were printed before all answers were known.
static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Prints lines as verdicts come, for those who want answers in the contest's format and nothing else.
pub fn as_they_come(options: &Options, arguments: &Check) -> Options {
    if arguments.format() != Format::Mcc || arguments.trace {
        return options.clone();
    }
    let hear = |told: &Told| {
        let value = match &told.verdict {
            Verdict::Holds => Value::Truth(true),
            Verdict::Fails => Value::Truth(false),
            Verdict::Bounds { greatest, .. } => Value::Number(*greatest),
            Verdict::Unbounded => Value::Infinite,
            Verdict::Unknown(_) => return,
        };
        let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
        if !printed.contains(&told.question) && output::print_early(&line(&told.question, &value, told.by_diagrams)) {
            printed.insert(told.question.clone());
        }
    };
    Options { verdicts: Listener::new(hear), ..options.clone() }
}

/// Whether the line of a question was printed.
pub fn is_printed(name: &str) -> bool {
    PRINTED.lock().unwrap_or_else(PoisonError::into_inner).contains(name)
}

/// A line for each question that was not printed before.
pub fn lines(answers: &Answers) -> String {
    let values = answers.answers.iter().map(contest::value).filter(|(name, _)| !is_printed(name));
    values.map(|(name, value)| line(&name, &value, answers.by_diagrams)).collect()
}

fn line(name: &str, value: &Value, by_diagrams: bool) -> String {
    match value {
        Value::Unknown(_) => format!("FORMULA {name} CANNOT_COMPUTE\n"),
        value => format!("FORMULA {name} {value} {}\n", techniques(by_diagrams)),
    }
}

/// Does an examination and prints what the contest wants.
pub fn examine(
    examination: Examination, options: &Options, session: &Session, model: &Model, arguments: &Check,
) -> Result<Status, Failure> {
    let line_of_progress = session.show_progress();
    ending::enter("looking for answers");
    // Others have one value for all that they ask.
    let options = if examination.has_file() { &as_they_come(options, arguments) } else { options };
    let (examined, answers) = model.examine(examination).options(options).run_with_answers()?;
    drop(line_of_progress);
    // From here on no line comes before the others.
    ending::claim();
    output::print(&match (examination, arguments.format()) {
        (_, Format::Json) => json(examination, &examined, answers.as_ref(), model, session, arguments),
        (Examination::StateSpace, _) => figures(&examined),
        _ => text(&examined, answers.filter(|_| arguments.trace).as_ref()),
    })?;
    Ok(match examined.holds {
        Some(true) => Status::Good,
        Some(false) => Status::Fails,
        None => Status::Unknown,
    })
}

/// A line for each value, and what shows it where that is wanted.
fn text(examined: &Examined, answers: Option<&Answers>) -> String {
    let new = examined.values.iter().filter(|(name, _)| !is_printed(name));
    let lines = new.map(|(name, value)| line(name, value, examined.by_diagrams));
    let explanation = |answers: &Answers| answers.answers.iter().map(Answer::explanation).collect::<Vec<String>>();
    match answers.map(explanation) {
        // Each value has its question.
        Some(shown) if shown.len() == examined.values.len() => {
            lines.zip(shown).map(|(line, shown)| line + &shown).collect()
        }
        Some(shown) => lines.chain(shown).collect(),
        None => lines.collect(),
    }
}

/// For scripts: the values as the contest has them, and the answers to the questions that were asked for them.
fn json(
    examination: Examination, examined: &Examined, answers: Option<&Answers>, model: &Model, session: &Session,
    arguments: &Check,
) -> String {
    let values = examined.values.iter().map(|(name, value)| {
        let value = match value {
            Value::Unknown(_) => serde_json::Value::Null,
            Value::Truth(truth) => json!(truth),
            value => json!(value.to_string()),
        };
        (name.clone(), value)
    });
    let mut object = match answers {
        Some(answers) => show::object(answers, &vec![None; answers.answers.len()], model.name(), arguments),
        None => json!({
            "model": model.name(), "results": [], "states": null, "complete": examined.holds.is_some(),
            "seconds": session.elapsed().as_secs_f64(), "stopped": null,
        }),
    };
    object["examination"] = json!(examination.name());
    object["values"] = serde_json::Value::Object(values.collect());
    serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
}

/// The lines of the examination `StateSpace`: all figures, or at least the number of states.
fn figures(examined: &Examined) -> String {
    let known = |value: &Value| !matches!(value, Value::Unknown(_));
    let line = |(name, value): &(String, Value)| {
        // The contest writes -1 for what was not computed.
        let value = if known(value) { value.to_string() } else { "-1".to_owned() };
        format!("STATE_SPACE {name} {value} {}\n", techniques(examined.by_diagrams))
    };
    match examined.values.first() {
        Some((_, states)) if known(states) => {
            let wanted = if examined.holds.is_some() { examined.values.len() } else { 1 };
            examined.values.iter().take(wanted).map(line).collect()
        }
        _ => "CANNOT_COMPUTE\n".to_owned(),
    }
}
