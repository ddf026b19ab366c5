//! `mandala format`: models laid out as usual.

use crate::arguments::FormatFiles;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;
use mandala::Format;
use std::io::Read;
use std::path::Path;

/// Runs the verb.
pub fn run(arguments: &FormatFiles) -> Result<Status, Failure> {
    let mut status = Status::Good;
    for file in &arguments.files {
        is_ours(file)?;
        let text = read(file)?;
        let formatted = mandala::language::format(&text).map_err(|error| {
            Failure::with_help(
                format!("{file} cannot be formatted: {error}"),
                "`mandala info` shows what is wrong with it",
            )
        })?;
        if arguments.check {
            if formatted != text {
                output::complain(&format!("{file} is laid out otherwise"));
                status = Status::Fails;
            }
        } else if file == "-" {
            output::print(&formatted)?;
        } else if formatted != text {
            output::save(file, &formatted)?;
        }
    }
    Ok(status)
}

/// Files are written anew, so only those whose names say that they are texts of these languages.
fn is_ours(file: &str) -> Result<(), Failure> {
    let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().into_owned());
    match ending.and_then(|ending| Format::of_ending(&ending)) {
        Some(Format::Gal | Format::Sn) => Ok(()),
        None if file == "-" => Ok(()),
        _ => Err(Failure::with_help(
            format!("{file} is not formatted: its name ends neither in `.gal` nor in `.sn`"),
            "`mandala format - < FILE` lays out a text of GAL or `.sn` with any name",
        )),
    }
}

fn read(file: &str) -> Result<String, Failure> {
    let cannot = |error: std::io::Error| Failure::new(format!("cannot read {file}: {error}"));
    if file == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(cannot)?;
        return Ok(text);
    }
    std::fs::read_to_string(file).map_err(cannot)
}
