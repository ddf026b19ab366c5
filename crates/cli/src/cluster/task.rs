//! What is shared among hosts: models, the questions about each, and the words that ask one of them elsewhere.

use crate::again::without;
use crate::arguments::{Again, Arguments, Check, Engine, Format, Model, Verb};
use crate::check::questions;
use crate::failure::Failure;
use crate::input;
use clap::Parser;
use std::ffi::OsString;
use std::time::Duration;

/// What is to be done.
pub struct Task {
    /// The verb and its arguments, as they were given.
    words: Vec<OsString>,
    /// The files of the models.
    pub models: Vec<String>,
    /// What is asked of each; nothing if its states are counted.
    check: Option<Box<Check>>,
    /// Whether answers are objects.
    pub is_json: bool,
    /// The time limit of each question.
    pub timeout: Option<Duration>,
}

/// A question about a model, or that for its states.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file of the model.
    pub file: String,
    /// Which of the questions about it; nothing if its states are counted.
    pub question: Option<Asked>,
    /// On which hosts it failed, and what was said there.
    pub failures: Vec<(usize, String)>,
}

/// One of several questions.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its number; the first is 1.
    pub number: usize,
    pub name: String,
    pub kind: &'static str,
}

impl Task {
    /// What these words ask for.
    pub fn new(command: &[String]) -> Result<Task, Failure> {
        let words = std::iter::once("mandala").chain(command.iter().map(String::as_str));
        let parsed = Arguments::try_parse_from(words).map_err(|error| {
            let text = error.render().to_string();
            Failure::new(text.trim_end().trim_start_matches("error: ").to_owned())
        })?;
        match parsed.verb {
            Verb::States(states) => {
                refuse(&[(states.dump.dump.is_some(), "--dump")])?;
                Task::with(command, (&states.model, &states.again, &states.engine), states.show.json)
            }
            Verb::Check(check) => {
                let is_json = check.format() == Format::Json;
                refuse(&[
                    (check.examination.is_some(), "--examination"),
                    (check.itf.is_some(), "--itf"),
                    (check.draw.is_some(), "--draw"),
                    (check.trace && !is_json, "--trace without --json"),
                ])?;
                let task = Task::with(command, (&check.model, &check.again, &check.engine), is_json)?;
                Ok(Task { check: Some(Box::new(check)), ..task })
            }
            _ => Err(Failure::with_help(
                "what is shared among hosts is `check` or `states`",
                "as in `mandala cluster share hosts.txt -- check model.pnml --properties LTLFireability.xml`",
            )),
        }
    }

    fn with(
        command: &[String], (model, again, engine): (&Model, &Again, &Engine), is_json: bool,
    ) -> Result<Task, Failure> {
        let is_format = |word: &String| word == "--format" || word.starts_with("--format=");
        refuse(&[
            (again.watch, "--watch"),
            (command.iter().any(is_format), "--format"),
            (model.model == "-", "-"),
            (engine.crew.hosts.is_some(), "--hosts"),
            (engine.crew.checkpoint.is_some(), "--checkpoint"),
        ])?;
        let models = std::iter::once(&model.model).chain(&again.more).cloned().collect();
        let is_ours = |word: &&String| !matches!(word.as_str(), "--json" | "--quiet" | "-q");
        let words = command.iter().filter(is_ours).map(OsString::from).collect();
        Ok(Task { words, models, check: None, is_json, timeout: engine.limits.timeout })
    }

    /// What is to be found out about a model.
    pub fn units(&self, file: &str) -> Result<Vec<Unit>, Failure> {
        let unit = |question| Unit { file: file.to_owned(), question, failures: Vec::new() };
        let Some(check) = &self.check else { return Ok(vec![unit(None)]) };
        let model =
            Model { model: file.to_owned(), defines: check.model.defines.clone(), format_in: check.model.format_in };
        let asked = questions::choose(check, &input::read(&model)?)?;
        let numbered = (1..).zip(&asked).map(|(number, question)| {
            let (name, kind) = (question.name().to_owned(), question.kind().name());
            unit(Some(Asked { number, name, kind }))
        });
        Ok(numbered.collect())
    }

    /// The words that ask it on a host.
    pub fn words(&self, program: &str, unit: &Unit) -> Result<Vec<String>, Failure> {
        let models: Vec<&str> = self.models.iter().map(String::as_str).collect();
        let words = without(&self.words, &models, &unit.file)
            .ok_or_else(|| Failure::new("the models stand apart: write them one after the other"))?;
        let mut all = vec![program.to_owned()];
        all.extend(words.into_iter().map(|word| word.to_string_lossy().into_owned()));
        if let Some(asked) = &unit.question {
            all.extend(["--only".to_owned(), asked.number.to_string()]);
        }
        all.extend(["--json".to_owned(), "--quiet".to_owned(), "--leash".to_owned()]);
        Ok(all)
    }
}

fn refuse(options: &[(bool, &str)]) -> Result<(), Failure> {
    match options.iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => Err(Failure::new(format!("`{option}` is not for what is shared among hosts"))),
        None => Ok(()),
    }
}
