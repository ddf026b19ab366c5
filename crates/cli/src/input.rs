//! Models as they come: a file, a folder of the Model Checking Contest, or standard input.

use crate::arguments;
use crate::ending;
use crate::failure::Failure;
use crate::output;
use mandala::{Model, Reader};

/// A constant that is given another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The constant, without its dollar sign.
    pub name: String,
    /// Its value.
    pub value: i32,
}

impl std::str::FromStr for Define {
    type Err = String;

    fn from_str(text: &str) -> Result<Define, String> {
        let wrong = || "it is written as NAME=VALUE, as in `-D N=100`".to_owned();
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let name = name.trim().trim_start_matches('$');
        if name.is_empty() {
            return Err(wrong());
        }
        let value = value.trim();
        let number = value.parse().map_err(|_| format!("`{value}` is not a whole number of 32 bits"))?;
        Ok(Define { name: name.to_owned(), value: number })
    }
}

/// Reads a model, and says what in its file is worth a note.
pub fn read(arguments: &arguments::Model) -> Result<Model, Failure> {
    ending::enter("reading the model");
    let mut reader = Reader::new();
    if let Some(format) = arguments.format_in {
        reader = reader.format(format.into());
    }
    let reader = arguments.defines.iter().fold(reader, |reader, define| reader.define(&define.name, define.value));
    let model = reader.read(&arguments.model)?;
    ending::enter("preparing");
    for note in model.notes() {
        output::complain(&format!("note: {note}"));
    }
    Ok(model)
}
