//! `mandala completions` and `mandala man`: what shells and readers of manuals want to know of the command line.

use crate::arguments::{Arguments, Completions, Man};
use crate::failure::Failure;
use crate::output;
use crate::status::Status;
use clap::{Command, CommandFactory};
use std::path::Path;

/// Writes what a shell needs to complete what is typed.
pub fn completions(arguments: &Completions) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "mandala", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Status::Good)
}

/// Writes the manual, or a page of it.
pub fn man(arguments: &Man) -> Result<Status, Failure> {
    let mut command = Arguments::command();
    command.build();
    if let Some(folder) = &arguments.into {
        for (name, page) in pages(&command)? {
            output::save(&Path::new(folder).join(format!("{name}.1")).to_string_lossy(), &page)?;
        }
        return Ok(Status::Good);
    }
    let named = match &arguments.verb {
        None => Some(command.clone()),
        Some(verb) => command.get_subcommands().find(|one| one.get_name() == verb).map(|one| of_verb(one.clone())),
    };
    let Some(named) = named else {
        let verbs: Vec<&str> =
            command.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect();
        let verb = arguments.verb.as_deref().unwrap_or_default();
        let text = format!("there is no verb `{verb}`");
        return Err(Failure::with_help(text, format!("there are {}", verbs.join(", "))));
    };
    output::print(&page(named)?)?;
    Ok(Status::Good)
}

/// All pages, by their names.
fn pages(command: &Command) -> Result<Vec<(String, String)>, Failure> {
    let mut all = vec![("mandala".to_owned(), page(command.clone())?)];
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        all.push((format!("mandala-{}", verb.get_name()), page(of_verb(verb.clone()))?));
    }
    Ok(all)
}

/// A verb as a command of its own, called `mandala-VERB` in the manual.
fn of_verb(verb: Command) -> Command {
    let name: &'static str = Box::leak(format!("mandala-{}", verb.get_name()).into_boxed_str());
    verb.name(name).display_name(name)
}

fn page(command: Command) -> Result<String, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut text)
        .map_err(|error| Failure::new(format!("cannot write the manual: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
