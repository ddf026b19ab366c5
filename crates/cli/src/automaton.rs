//! `mandala automaton`: the automaton of a formula of LTL, for other tools and for `mandala check --automaton`.

use crate::arguments::Automaton;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;
use mandala::automaton::{Words, hanoi};

/// Runs the verb.
pub fn run(arguments: &Automaton) -> Result<Status, Failure> {
    let words = if arguments.negate { Words::Violating } else { Words::Satisfying };
    let written = hanoi(&arguments.formula, words)?;
    match arguments.output.as_str() {
        "-" => output::print(&written)?,
        file => {
            std::fs::write(file, written).map_err(|error| Failure::new(format!("cannot write {file}: {error}")))?;
        }
    }
    Ok(Status::Good)
}
