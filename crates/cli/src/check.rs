//! `mandala check`: whether properties hold.

mod answers;
mod contest;
mod questions;
mod show;

use crate::arguments::{Check, Format};
use crate::failure::Failure;
use crate::input;
use crate::output;
use crate::session::Session;
use crate::status::Status;
pub use contest::techniques;

use answers::Answers;

/// Runs the verb.
pub fn run(arguments: &Check) -> Result<Status, Failure> {
    let session = Session::begin(&arguments.engine, &arguments.show);
    let model = input::read(&arguments.model.model, &arguments.model.defines)?;
    if let Some(examination) = arguments.examination {
        return contest::examine(examination, arguments, &session, &model);
    }
    let questions = questions::choose(arguments, &model)?;
    let line = session.show_progress();
    let mut answers = Answers::find(arguments, &session, &model.system, questions)?;
    drop(line);
    if let Some(file) = &arguments.itf {
        answers.save_traces(file, &arguments.model.model)?;
    }
    output::print(&match arguments.format() {
        Format::Text => show::text(&answers, arguments),
        Format::Json => show::json(&answers, &model.system.name, arguments),
        Format::Mcc => contest::lines(&answers),
    })?;
    Ok(answers.status())
}
