//! `mandala convert`: a model in another format.

use crate::arguments::{Convert, Language};
use crate::ending;
use crate::failure::Failure;
use crate::session::Session;
use crate::status::Status;
use crate::{input, output};
use mandala::{Model, Shape};
use std::path::Path;

/// Runs the verb.
pub fn run(arguments: &Convert) -> Result<Status, Failure> {
    let language = arguments.to.map_or_else(|| language_of(&arguments.out), Ok)?;
    output::can_be_written(&arguments.out)?;
    let session = Session::with_limits(&arguments.limits)?;
    let mut model = input::read(&arguments.model)?;
    ending::enter("converting");
    if arguments.flatten {
        let (flat, lost) = model.flatten()?;
        if !lost.is_empty() {
            let names = lost.join(", ");
            output::complain(&format!("note: left out, because they ask about what only happens when called: {names}"));
        }
        model = flat;
    }
    if arguments.unfold_bags {
        model = model.unfold_bags()?;
    }
    if arguments.unfold {
        model.prepare(&session.options)?;
        model = model.unfold()?;
    }
    let mut equations = Vec::new();
    if arguments.reduce {
        let properties = model.property_names().len();
        (model, equations) = model.reduce()?;
        if model.property_names().len() < properties {
            output::complain("note: properties ask about the places of the net, and are left out");
        }
    }
    let text = match language {
        Language::Gal => model.to_gal()?,
        Language::Pnml => as_pnml(&model)?,
        Language::Sn => model.to_sn()?,
    };
    ending::enter("writing");
    output::save(&arguments.out, &with_comments(language, &equations, text))?;
    if language == Language::Pnml && !model.property_names().is_empty() {
        output::complain("note: PNML has no place for properties; they are left out");
    }
    Ok(Status::Good)
}

/// A text with lines of comments, after the first line of XML and before anything else.
fn with_comments(language: Language, lines: &[String], text: String) -> String {
    if lines.is_empty() {
        return text;
    }
    // A name may have line breaks, which would end a comment.
    let lines = lines.iter().map(|line| line.replace(['\n', '\r'], " "));
    if language != Language::Pnml {
        let comments: String = lines.map(|line| format!("// {line}\n")).collect();
        return comments + &text;
    }
    // Two hyphens would end the comment.
    let comments: String = lines.map(|line| format!("<!-- {} -->\n", line.replace("--", "- -"))).collect();
    match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("<?xml") => format!("{first}\n{comments}{rest}"),
        _ => comments + &text,
    }
}

/// The language that the ending of a file stands for.
fn language_of(file: &str) -> Result<Language, Failure> {
    let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("gal") => Ok(Language::Gal),
        Some("pnml" | "xml") => Ok(Language::Pnml),
        Some("sn") => Ok(Language::Sn),
        _ => {
            let (text, help) = match file {
                "-" => (
                    "standard output has no ending that says which format to write".to_owned(),
                    "say `--to gal`, `--to pnml` or `--to sn`",
                ),
                file => (
                    format!("the ending of {file} does not say which format to write"),
                    "end its name in `.gal`, `.pnml` or `.sn`, or say `--to gal`, `--to pnml` or `--to sn`",
                ),
            };
            Err(Failure::with_help(text, help))
        }
    }
}

fn as_pnml(model: &Model) -> Result<String, Failure> {
    model.to_pnml().map_err(|error| match model.shape() {
        Shape::Composite => Failure::with_help(error.message(), "`--flatten` makes one net of it"),
        Shape::ColouredNet => Failure::with_help(
            error.message(),
            "`--to sn` writes any coloured net, and with `--unfold` it is a place/transition net",
        ),
        _ => Failure::with_help(error.message(), "`--to gal` writes any model"),
    })
}
