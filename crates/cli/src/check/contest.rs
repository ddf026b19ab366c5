//! The Model Checking Contest: the lines that it wants as answers.

use super::show;
use crate::arguments::{Check, Format};
use crate::ending;
use crate::failure::Failure;
use crate::output;
use crate::session::Session;
use crate::status::Status;
use mandala::contest::{self, Examination, Examined, Value};
use mandala::{Answer, Answers, Model, Options};
use serde_json::json;

/// How an answer was found, as the contest calls it.
fn techniques(by_diagrams: bool) -> &'static str {
    if by_diagrams {
        "TECHNIQUES SEQUENTIAL_PROCESSING DECISION_DIAGRAMS TOPOLOGICAL"
    } else {
        "TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT"
    }
}

/// A line for each question.
pub fn lines(answers: &Answers) -> String {
    answers.answers.iter().map(contest::value).map(|(name, value)| line(&name, &value, answers.by_diagrams)).collect()
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
    let (examined, answers) = model.examine(examination).options(options).run_with_answers()?;
    drop(line_of_progress);
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
    let lines = examined.values.iter().map(|(name, value)| line(name, value, examined.by_diagrams));
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
