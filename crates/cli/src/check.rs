//! `mandala check`: whether properties hold.

mod contest;
pub mod questions;
mod show;

use crate::again;
use crate::arguments::{Check, Format};
use crate::ending;
use crate::failure::Failure;
use crate::input;
use crate::itf;
use crate::output;
use crate::session::Session;
use crate::status::Status;
use mandala::{Answers, Kind, Options};

/// Runs the verb.
pub fn run(arguments: &Check) -> Result<Status, Failure> {
    let files: Vec<&str> = arguments.formulas.iter().chain(&arguments.properties).map(String::as_str).collect();
    let is_json = arguments.format() == Format::Json;
    if let Some(done) = again::instead(&arguments.model.model, &arguments.again, &files, is_json) {
        return done;
    }
    let session = Session::begin(&arguments.engine, &arguments.show)?;
    let options = Options {
        finite_runs: arguments.finite_runs.into(),
        fairness: arguments.fair.clone(),
        traces: arguments.traces(),
        ..session.options.clone()
    };
    for file in arguments.itf.iter().chain(&arguments.draw) {
        output::can_be_written(file)?;
    }
    let nothing = show::Nothing::new(arguments, &session);
    ending::if_stopped(move |stopped| nothing.told(stopped));
    let model = input::read(&arguments.model)?;
    if let Some(examination) = arguments.examination {
        return contest::examine(examination, &options, &session, &model, arguments);
    }
    session.prepare(&model)?;
    let questions = questions::choose(arguments, &model)?;
    let nothing = show::Nothing::asking(arguments, &session, &questions);
    ending::if_stopped(move |stopped| nothing.told(stopped));
    ending::enter("looking for answers");
    let line = session.show_progress();
    // Of a deadlock the contest asks the contrary.
    let is_plain = questions.iter().all(|question| question.kind() != Kind::Deadlock);
    let options = if is_plain { contest::as_they_come(&options, arguments) } else { options };
    let answers = model.ask(questions).options(&options).run()?;
    drop(line);
    // What cannot be saved is said after the answers.
    let mut unsaved = None;
    let saved = match &arguments.itf {
        Some(file) => save_traces(&answers, file, &arguments.model.model).unwrap_or_else(|failure| {
            unsaved = Some(failure);
            vec![None; answers.answers.len()]
        }),
        None => vec![None; answers.answers.len()],
    };
    if let Some(file) = &arguments.draw {
        unsaved = unsaved.or(draw_traces(&answers, file).err());
    }
    ending::claim();
    output::print(&match arguments.format() {
        Format::Text => show::text(&answers, &saved, arguments),
        Format::Json => show::json(&answers, &saved, model.name(), arguments),
        Format::Mcc => contest::lines(&answers),
    })?;
    match unsaved {
        Some(Failure::Message { text, help }) => {
            output::complain(&format!("error: {text}"));
            help.iter().for_each(|help| output::complain(&format!("  help: {help}")));
            Ok(Status::Bad)
        }
        _ => Ok(status(&answers)),
    }
}

/// Writes traces to files in the Informal Trace Format. The file for each answer that has a trace.
fn save_traces(answers: &Answers, named: &str, model: &str) -> Result<Vec<Option<String>>, Failure> {
    let questions = answers.answers.len();
    let mut saved = Vec::with_capacity(questions);
    for (number, answer) in answers.answers.iter().enumerate() {
        saved.push(match answer.trace() {
            Some(trace) => {
                let shows = format!("{}: {}", answer.question.name(), answer.shown());
                let file = itf::file(named, number, questions);
                let text = serde_json::to_string_pretty(&itf::document(trace, model, &shows)).unwrap_or_default();
                output::save(&file, &(text + "\n"))?;
                Some(file)
            }
            None => None,
        });
    }
    Ok(saved)
}

/// Draws traces into files.
fn draw_traces(answers: &Answers, named: &str) -> Result<(), Failure> {
    let questions = answers.answers.len();
    for (number, answer) in answers.answers.iter().enumerate() {
        if let Some(trace) = answer.trace() {
            let file = itf::file(named, number, questions);
            output::save(&file, &trace.svg())?;
            output::complain(&format!("{}: trace drawn to {file}", answer.question.name()));
        }
    }
    Ok(())
}

fn status(answers: &Answers) -> Status {
    if answers.is_any_false() {
        Status::Fails
    } else if answers.is_any_unknown() {
        Status::Unknown
    } else {
        Status::Good
    }
}
