//! The Model Checking Contest: the lines that it wants as answers.

use crate::failure::Failure;
use crate::output;
use crate::session::Session;
use crate::status::Status;
use mandala::contest::{self, Examination, Examined, Value};
use mandala::{Answers, Model, Options};

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
    examination: Examination, options: &Options, session: &Session, model: &Model,
) -> Result<Status, Failure> {
    let line_of_progress = session.show_progress();
    let examined = model.examine(examination).options(options).run()?;
    drop(line_of_progress);
    output::print(&match examination {
        Examination::StateSpace => figures(&examined),
        _ => examined.values.iter().map(|(name, value)| line(name, value, examined.by_diagrams)).collect(),
    })?;
    Ok(match examined.holds {
        Some(true) => Status::Good,
        Some(false) => Status::Fails,
        None => Status::Unknown,
    })
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
