//! `mandala convert`: a model in another format.

use crate::arguments::{Convert, Language};
use crate::failure::Failure;
use crate::status::Status;
use crate::{input, output};
use mandala_model::flatten::{Flat, flatten};
use mandala_model::gal;
use mandala_model::net::pnml;
use mandala_model::system::{System, Type};
use std::path::Path;

/// Runs the verb.
pub fn run(arguments: &Convert) -> Result<Status, Failure> {
    let language = arguments.to.map_or_else(|| language_of(&arguments.out), Ok)?;
    let mut model = input::read(&arguments.model.model, &arguments.model.defines)?;
    if arguments.flatten {
        let Flat { system, renaming } = flatten(&model.system)?;
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for property in &model.properties {
            match renaming.property(property) {
                Some(property) => kept.push(property),
                None => lost.push(property.name.as_str()),
            }
        }
        if !lost.is_empty() {
            let names = lost.join(", ");
            output::complain(&format!("note: left out, because they ask about what only happens when called: {names}"));
        }
        model.system = system;
        model.properties = kept;
    }
    let text = match language {
        Language::Gal => gal::write(&model.system, &model.properties),
        Language::Pnml => as_pnml(&model.system)?,
    };
    output::save(&arguments.out, &text)?;
    if language == Language::Pnml && !model.properties.is_empty() {
        output::complain("note: PNML has no place for properties; they are left out");
    }
    Ok(Status::Good)
}

/// The language that the ending of a file stands for.
fn language_of(file: &str) -> Result<Language, Failure> {
    let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("gal") => Ok(Language::Gal),
        Some("pnml" | "xml") => Ok(Language::Pnml),
        _ => {
            let (text, help) = match file {
                "-" => (
                    "standard output has no ending that says which format to write".to_owned(),
                    "say `--to gal` or `--to pnml`",
                ),
                file => (
                    format!("the ending of {file} does not say which format to write"),
                    "end its name in `.gal` or `.pnml`, or say `--to gal` or `--to pnml`",
                ),
            };
            Err(Failure::with_help(text, help))
        }
    }
}

fn as_pnml(system: &System) -> Result<String, Failure> {
    match system.types.get(system.main) {
        Some(Type::Net(net)) => Ok(pnml::write(net)),
        Some(Type::Program(_)) => {
            Err(Failure::with_help("this model is a program, and PNML has only nets", "`--to gal` writes any model"))
        }
        _ => Err(Failure::with_help(
            "this model is a composite, and PNML has only nets without parts",
            "`--flatten` makes one net of it",
        )),
    }
}
