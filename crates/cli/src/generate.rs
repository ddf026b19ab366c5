//! `mandala generate`: classic models of any size.

use crate::arguments::Generate;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;
use mandala::classic::{self, Besides, GenerateError};
use std::fs::File;
use std::io::{self, Write};

/// Runs the verb.
pub fn run(arguments: &Generate) -> Result<Status, Failure> {
    let mut out: Box<dyn Write> = match arguments.output.as_str() {
        "-" => Box::new(io::stdout().lock()),
        file => Box::new(File::create(file).map_err(|error| output::cannot_write(file, &error))?),
    };
    let besides = Besides { servers: arguments.servers, gifts: arguments.gifts };
    match classic::generate_with(arguments.name, &arguments.size, besides, arguments.shape, &mut out) {
        Ok(()) => Ok(Status::Good),
        Err(GenerateError::Write(error)) if arguments.output == "-" => {
            output::written(Err(error)).map(|()| Status::Good)
        }
        Err(GenerateError::Write(error)) => Err(output::cannot_write(&arguments.output, &error)),
        Err(error) => Err(Failure::new(error.to_string())),
    }
}
