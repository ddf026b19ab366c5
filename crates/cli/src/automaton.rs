//! `mandala automaton`: the automaton of a formula of LTL, for other tools and for `mandala check --automaton`.

use crate::arguments::Automaton;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;
use mandala_logic::{Atoms, Formulas, hoa, translate};

/// Runs the verb.
pub fn run(arguments: &Automaton) -> Result<Status, Failure> {
    let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
    let text = arguments.formula.trim();
    let parsed = formulas.parse(text, &mut atoms).map_err(|error| {
        let help = "atoms are words, or anything between double quotes; operators are X F G U W R M ! && || -> <->";
        Failure::with_help(format!("the formula `{text}` cannot be read: {error}"), help)
    })?;
    let (wanted, name) = match arguments.negate {
        false => (parsed, text.to_owned()),
        true => (formulas.negation(parsed), format!("!({text})")),
    };
    let automaton = translate(&mut formulas, wanted).map_err(|error| Failure::new(error.to_string()))?;
    let written = hoa::write(&automaton, &atoms, &name);
    match arguments.output.as_str() {
        "-" => output::print(&written)?,
        file => {
            std::fs::write(file, written).map_err(|error| Failure::new(format!("cannot write {file}: {error}")))?;
        }
    }
    Ok(Status::Good)
}
