//! From a file to the program it describes: names are resolved, and processes become transitions of one program.

mod bounds;
mod complaint;
mod declare;
mod define;
mod defined;
mod directory;
mod foresee;
mod formula;
mod interval;
mod program;
mod property;
mod reads;
mod simplify;
mod step;
#[cfg(test)]
mod tests;
mod value;

pub(super) use directory::Directory;

use super::parse::{NamesInScope, parse_formula};
use super::syntax::File;
use crate::gal::{Scope, Specification};
use crate::property::Property;
use crate::system::{System, Type};
use crate::text::problems::Problems;
use crate::text::{Problem, Unreadable};

/// Makes the system that a file describes, and says what its names mean there. `defines` gives constants other values.
pub(super) fn elaborate(
    mut file: File, name: &str, source: &str, defines: &[(String, i32)],
) -> Result<(Specification, Directory), Unreadable> {
    let mut problems = Problems::default();
    define::define(&mut file, defines, &mut problems);
    let model = model(&file, name, source, &mut problems);
    problems.or(name, source, model)
}

fn model(file: &File, name: &str, source: &str, problems: &mut Problems) -> Option<(Specification, Directory)> {
    refuse_property(file, problems);
    let mut directory = declare::declare(file, problems);
    let steps = step::steps(file, &mut directory, source.len(), problems);
    let properties = property::assertions(file, &directory, problems);
    if problems.count() > 0 {
        return None;
    }
    let name = system_name(name);
    let program = program::program(&directory, &steps, &bounds::Bounds::of(&directory, &steps), name, problems);
    let system = System { name: name.to_string(), types: vec![Type::Program(program)], main: 0, begins: vec![0] };
    Some((
        Specification { system, properties, scope: Scope::default(), broken: Vec::new(), notes: Vec::new() },
        directory,
    ))
}

/// A process that watches the others is an automaton for a property, which nothing here can ask.
fn refuse_property(file: &File, problems: &mut Problems) {
    let Some(property) = file.system.as_ref().and_then(|line| line.property.as_ref()) else { return };
    let problem = Problem::new(property.span, "a process as a property is not supported")
        .label("this process watches the others")
        .help("leave the process and `property` out, and ask for a formula of LTL instead");
    problems.add(problem);
}

/// The name of a file without folders and ending.
fn system_name(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let name = name.strip_suffix(".dve").unwrap_or(name);
    if name.is_empty() { "system" } else { name }
}

/// Reads a formula about the system whose names these are.
pub(super) fn formula(directory: &Directory, text: &str) -> Result<Property, Unreadable> {
    let processes = directory.processes.iter().map(|process| process.name.clone()).collect();
    let variables = directory.globals.names().map(str::to_string).collect();
    let read = parse_formula(text, NamesInScope { processes, variables })?;
    let mut problems = Problems::default();
    let maker = value::Maker { directory, process: None };
    let question = read.and_then(|read| problems.keep(formula::question(&maker, &read)));
    let name = text.trim().trim_end_matches(';').to_string();
    problems.or("formula", text, question.map(|question| Property { name, question }))
}
