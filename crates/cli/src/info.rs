//! `mandala info`: what a model is.

mod composite;
mod net;

pub use composite::{instances, type_name, variables};

use crate::arguments::Info;
use crate::failure::Failure;
use crate::input;
use crate::output;
use crate::output::Facts;
use crate::status::Status;
use crate::symmetry;
use mandala_check::fold::declared::{self, Source, Verified};
use mandala_check::quotient::Kept;
use mandala_model::property::Property;
use mandala_model::system::{Program, System, Type};
use mandala_symbolic::plan::Plans;
use serde_json::{Map, Value, json};

/// What is known about a model: the same for people and for scripts.
#[derive(Default)]
pub struct Sheet {
    /// For people: names and what they are.
    facts: Facts,
    /// For people: what comes after.
    tables: String,
    /// For scripts.
    object: Map<String, Value>,
}

impl Sheet {
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
    let model = input::read(&arguments.model.model, &arguments.model.defines)?;
    let system = &model.system;
    let mut sheet = Sheet::default();
    sheet.add("model", &system.name, "model", json!(system.name));
    match system.types.get(system.main) {
        Some(Type::Net(net)) => net::describe(&mut sheet, net),
        Some(Type::Program(program)) => describe_program(&mut sheet, program),
        Some(Type::Composite(_)) | None => composite::describe(&mut sheet, system),
    }
    describe_initial(&mut sheet, system);
    describe_symmetries(&mut sheet, system);
    describe_properties(&mut sheet, &model.properties);
    let text = if arguments.json {
        serde_json::to_string_pretty(&Value::Object(sheet.object)).unwrap_or_default() + "\n"
    } else {
        sheet.facts.text() + &sheet.tables
    };
    output::print(&text)?;
    Ok(Status::Good)
}

fn describe_program(sheet: &mut Sheet, program: &Program) {
    sheet.add("kind", "program", "kind", json!("program"));
    let arrays = program.arrays.len();
    let arrays_in_words = if arrays == 0 { String::new() } else { format!(", {}", output::count(arrays, "array")) };
    let words = format!("{}{arrays_in_words}", program.variables.len());
    sheet.add("variables", words, "variables", json!(program.variables.len()));
    sheet.add("transitions", program.transitions.len(), "transitions", json!(program.transitions.len()));
    if program.transient.is_some() {
        sheet.add("transient", "some states are passed through", "transient", json!(true));
    }
    net::describe_orders(sheet, &Plans::of_program(program));
}

fn describe_initial(sheet: &mut Sheet, system: &System) {
    if system.begins.len() > 1 {
        let words = output::count(system.begins.len(), "initial state");
        sheet.add("begins in", words, "initial", json!(system.begins.len()));
    }
}

/// The symmetries that were found, and those that are declared.
fn describe_symmetries(sheet: &mut Sheet, system: &System) {
    let known = |initial| declared::known(system, Source::Found, Kept { initial, questions: false }, &[]);
    let is_program = matches!(system.types[system.main], Type::Program(_));
    // A program often begins with the number of some process in a variable.
    match known(true).or_else(|| is_program.then(|| known(false))?) {
        None => sheet.add("symmetry", "none was found", "symmetry", Value::Null),
        Some(known) => {
            for (line, words) in symmetry::words(system, &known).iter().enumerate() {
                let name = if line == 0 { "symmetry" } else { "" };
                sheet.add(name, words, "symmetry", symmetry::group_json(system, &known));
            }
        }
    }
    let declared = declared::verify(system);
    if declared.is_empty() {
        return;
    }
    let words: Vec<String> = declared
        .iter()
        .map(|(name, verified)| match verified {
            Verified::Yes => format!("{name} (verified)"),
            Verified::No(broken) => format!("{name} (is none: {broken})"),
            Verified::Unknown => format!("{name} (not verified: the model is too large)"),
        })
        .collect();
    let value = |(name, verified): &(String, Verified)| match verified {
        Verified::Yes => json!({"name": name, "verified": true, "broken": null}),
        Verified::No(broken) => json!({"name": name, "verified": true, "broken": broken.to_string()}),
        Verified::Unknown => json!({"name": name, "verified": false, "broken": null}),
    };
    let values: Vec<Value> = declared.iter().map(value).collect();
    sheet.add("declared", words.join(", "), "declared_symmetries", Value::Array(values));
}

fn describe_properties(sheet: &mut Sheet, properties: &[Property]) {
    /// More names than this are a nuisance.
    const MOST: usize = 20;
    if properties.is_empty() {
        return;
    }
    let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
    let shown = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    let words = match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    };
    sheet.add("properties", words, "properties", json!(names));
}
