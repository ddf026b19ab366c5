//! Which questions are asked.

use crate::arguments::Check;
use crate::failure::Failure;
use crate::output;
use mandala::{Model, Question};

/// The questions that the command line asks; all of the model if it asks none.
pub fn choose(arguments: &Check, model: &Model) -> Result<Vec<Question>, Failure> {
    let mut asked = Vec::new();
    let mut filed = Vec::new();
    for file in &arguments.properties {
        filed.extend(model.contest_file(file, arguments.logic.map(Into::into))?);
    }
    for file in &arguments.formulas {
        filed.extend(model.formula_file(file)?);
    }
    if arguments.property.is_empty() {
        asked.extend(filed);
    } else {
        for name in &arguments.property {
            asked.push(match filed.iter().find(|question| question.name() == name) {
                Some(question) => question.clone(),
                None if filed.is_empty() => model.property(name)?,
                None => model.property(name).or_else(|error| match error.unreadable() {
                    Some(_) => Err(error),
                    // A name that is nearly one of those in the files.
                    None => Question::find(name, &filed),
                })?,
            });
        }
    }
    for formula in &arguments.formula {
        asked.push(model.question(formula)?);
        if !arguments.show.quiet && formula.trim() == "deadlock" {
            output::complain(
                "note: `deadlock` alone asks whether every state is one; `--deadlock` asks whether there is one",
            );
        }
        if let (false, Some(reading)) = (arguments.show.quiet, model.reading(formula)) {
            output::complain(&format!("note: `{}` is read as `{reading}`", formula.trim()));
        }
    }
    for file in &arguments.automaton {
        asked.push(model.automaton_file(file)?);
    }
    if arguments.deadlock {
        asked.push(model.deadlock());
    }
    if arguments.live {
        asked.push(model.live()?);
    }
    let nothing_said = arguments.property.is_empty()
        && arguments.formula.is_empty()
        && arguments.properties.is_empty()
        && arguments.formulas.is_empty()
        && arguments.automaton.is_empty()
        && !arguments.deadlock
        && !arguments.live;
    if nothing_said {
        asked.extend(model.properties()?);
    }
    if asked.is_empty() {
        return Err(nothing_asked(arguments, nothing_said));
    }
    match arguments.only {
        Some(number) if !(1..=asked.len()).contains(&number) => {
            Err(Failure::new(format!("there is no question {number}: {} are asked", asked.len())))
        }
        Some(number) => Ok(vec![asked.swap_remove(number - 1)]),
        None => Ok(asked),
    }
}

fn nothing_asked(arguments: &Check, nothing_said: bool) -> Failure {
    if !nothing_said {
        return Failure::new("there is no property in the files that were given");
    }
    let text = format!("{} has no properties of its own", arguments.model.model);
    Failure::with_help(text, "ask something: `--deadlock`, `--formula 'x <= 3'` or `--properties FILE.xml`")
}
