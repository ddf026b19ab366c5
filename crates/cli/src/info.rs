//! `mandala info`: what a model is.

mod coloured;
mod composite;
mod net;
mod structure;

use crate::again;
use crate::arguments::Info;
use crate::ending::{self, Stopped};
use crate::failure::Failure;
use crate::input;
use crate::output::{self, Facts};
use crate::session::{Session, reason_name};
use crate::status::Status;
use crate::symmetry;
use mandala::{Declared, Model, ProgramFacts, Shape, Size, Standing};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is known about a model: the same for people and for scripts.
#[derive(Clone, Default)]
pub struct Sheet {
    /// For people: names and what they are.
    facts: Facts,
    /// For people: what comes after.
    tables: String,
    /// For scripts.
    object: Map<String, Value>,
}

impl Sheet {
    /// All of it.
    fn text(self, json: bool) -> String {
        if json {
            serde_json::to_string_pretty(&Value::Object(self.object)).unwrap_or_default() + "\n"
        } else {
            self.facts.text() + &self.tables
        }
    }

    /// The same, where a limit ended the search for more.
    fn stopped(mut self, stopped: &Stopped) -> Sheet {
        self.add("stopped", stopped.in_words(), "stopped", json!(reason_name(stopped.reason)));
        self.object.insert("phase".to_owned(), json!(stopped.phase));
        self
    }

    /// A line for people with a value for scripts.
    pub fn add(&mut self, name: &str, words: impl ToString, key: &str, value: Value) {
        self.facts.add(name, words);
        self.object.insert(key.to_owned(), value);
    }

    /// A table for people with a value for scripts.
    pub fn table(&mut self, text: &str, key: &str, value: Value) {
        self.tables.push('\n');
        self.tables.push_str(text);
        self.object.insert(key.to_owned(), value);
    }
}

/// Runs the verb.
pub fn run(arguments: &Info) -> Result<Status, Failure> {
    if let Some(done) = again::instead(&arguments.model.model, &arguments.again, &[], arguments.json) {
        return done;
    }
    let session = Session::with_limits(&arguments.limits)?;
    let (json, file) = (arguments.json, arguments.model.model.clone());
    let known = Arc::new(Mutex::new(Sheet::default()));
    lock(&known).add("model", &file, "model", json!(file));
    let found = Arc::clone(&known);
    ending::if_stopped(move |stopped| lock(&found).clone().stopped(stopped).text(json));
    let model = input::read(&arguments.model)?;
    let mut sheet = Sheet::default();
    sheet.add("model", model.name(), "model", json!(model.name()));
    // What is known at once is shown if the rest takes too long.
    let mut begun = sheet.clone();
    describe_size(&mut begun, &model.size());
    *lock(&known) = begun;
    ending::enter("looking at the structure and for orders");
    // Where the states begin and which symmetries there are is known of nets that can be unfolded.
    let mut is_known = true;
    match model.facts() {
        mandala::Facts::Coloured(facts) => is_known = coloured::describe(&mut sheet, &facts, &model, &session),
        mandala::Facts::Net(facts) => net::describe(&mut sheet, &facts),
        mandala::Facts::Program(facts) => describe_program(&mut sheet, &facts),
        mandala::Facts::Composite(facts) => composite::describe(&mut sheet, &facts),
    }
    lock(&known).clone_from(&sheet);
    ending::enter("looking for symmetries");
    if is_known {
        describe_initial(&mut sheet, &model);
        describe_symmetries(&mut sheet, &model);
    }
    describe_properties(&mut sheet, &model);
    structure::describe(&mut sheet, &model, arguments.most);
    if arguments.siphons {
        structure::describe_closed(&mut sheet, &model, arguments.most);
    }
    let reason = session.options.reason_to_stop().filter(|_| !is_known);
    if let Some(reason) = reason {
        sheet = sheet.stopped(&Stopped { reason, phase: Some("unfolding the net".to_owned()) });
    }
    output::print(&sheet.text(json))?;
    Ok(if reason.is_some() { Status::Unknown } else { Status::Good })
}

fn lock(sheet: &Mutex<Sheet>) -> MutexGuard<'_, Sheet> {
    sheet.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is known of a model before anything is looked for.
fn describe_size(sheet: &mut Sheet, size: &Size) {
    let (kind, name) = match size.shape {
        Shape::ColouredNet => ("coloured net", "coloured net"),
        Shape::Net => ("place/transition net", "net"),
        Shape::Program => ("program", "program"),
        Shape::Composite => ("composite", "composite"),
    };
    sheet.add("kind", kind, "kind", json!(name));
    match size.shape {
        Shape::Composite => sheet.add("types", size.variables, "types_used", json!(size.variables)),
        Shape::Program => sheet.add("variables", size.variables, "variables", json!(size.variables)),
        Shape::Net | Shape::ColouredNet => sheet.add("places", size.variables, "places", json!(size.variables)),
    }
    sheet.add("transitions", size.transitions, "transitions", json!(size.transitions));
}

fn describe_program(sheet: &mut Sheet, program: &ProgramFacts) {
    sheet.add("kind", "program", "kind", json!("program"));
    let arrays = program.arrays;
    let arrays_in_words = if arrays == 0 { String::new() } else { format!(", {}", output::count(arrays, "array")) };
    let words = format!("{}{arrays_in_words}", program.variables);
    sheet.add("variables", words, "variables", json!(program.variables));
    sheet.add("transitions", program.transitions, "transitions", json!(program.transitions));
    if program.has_transient_states {
        sheet.add("transient", "some states are passed through", "transient", json!(true));
    }
    net::describe_orders(sheet, &program.orders);
}

fn describe_initial(sheet: &mut Sheet, model: &Model) {
    let initial = model.initial_states();
    if initial > 1 {
        sheet.add("begins in", output::count(initial, "initial state"), "initial", json!(initial));
    }
}

/// The symmetries that were found, and those that are declared.
fn describe_symmetries(sheet: &mut Sheet, model: &Model) {
    match model.symmetries() {
        None => sheet.add("symmetry", "none was found", "symmetry", Value::Null),
        Some(group) => {
            for (line, words) in group.words().iter().enumerate() {
                let name = if line == 0 { "symmetry" } else { "" };
                sheet.add(name, words, "symmetry", symmetry::group(&group));
            }
        }
    }
    let declared = model.declared_symmetries();
    if declared.is_empty() {
        return;
    }
    let words: Vec<String> = declared
        .iter()
        .map(|Declared { name, standing }| match standing {
            Standing::Verified => format!("{name} (verified)"),
            Standing::Refuted(broken) => format!("{name} (is none: {broken})"),
            Standing::Unknown => format!("{name} (not verified: the model is too large)"),
        })
        .collect();
    let value = |Declared { name, standing }: &Declared| match standing {
        Standing::Verified => json!({"name": name, "verified": true, "broken": null}),
        Standing::Refuted(broken) => json!({"name": name, "verified": false, "broken": broken}),
        Standing::Unknown => json!({"name": name, "verified": false, "broken": null}),
    };
    let values: Vec<Value> = declared.iter().map(value).collect();
    sheet.add("declared", words.join(", "), "declared_symmetries", Value::Array(values));
}

fn describe_properties(sheet: &mut Sheet, model: &Model) {
    /// More names than this are a nuisance.
    const MOST: usize = 20;
    let names = model.property_names();
    if names.is_empty() {
        return;
    }
    let shown = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    let words = match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    };
    sheet.add("properties", words, "properties", json!(names));
}
