//! What is said of arguments that are none: often they are those of other tools.

use crate::status::Status;
use crate::{failure, output};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

/// Says what is wrong with the arguments, or shows the help that they ask for.
pub fn report(mut error: clap::Error) -> ExitCode {
    let help = help(&error);
    if help.is_some() {
        // What only looks alike, or could be a value, is not meant.
        for kind in
            [ContextKind::Suggested, ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::Usage]
        {
            error.remove(kind);
        }
    }
    if error.use_stderr() && std::env::args().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        let text = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let _ = output::print(&failure::object("usage", text, help.as_deref(), &[]));
    }
    // Nobody can be told if this fails.
    let _ = error.print();
    if let Some(help) = help {
        output::complain(&format!("  help: {help}"));
    }
    ExitCode::from(if error.use_stderr() { Status::Bad } else { Status::Good }.code())
}

/// How to go on.
fn help(error: &clap::Error) -> Option<String> {
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(given)) => Some(given.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => verb(given(ContextKind::InvalidSubcommand)?),
        ErrorKind::UnknownArgument => {
            let verb = std::env::args().nth(1).unwrap_or_default();
            option(&verb, given(ContextKind::InvalidArg)?)
        }
        _ => None,
    }
}

/// What to write, where a model stands in place of a verb, or a verb of another tool.
fn verb(given: &str) -> Option<String> {
    let meant = match given {
        file if Path::new(file).exists() => {
            return Some(format!(
                "say what to do with it: `mandala check {file}`, `mandala states {file}`, `mandala info {file}`"
            ));
        }
        "verify" | "prove" | "test" | "run" | "mc" | "modelcheck" | "model-check" | "ask" => "check",
        "count" | "reach" | "reachability" | "statespace" | "state-space" | "build" => "states",
        "show" | "print" | "stats" | "inspect" | "analyse" | "analyze" => "info",
        "gui" | "play" | "ui" | "open" => "explore",
        "picture" | "plot" | "render" | "dot" => "draw",
        "export" | "translate" | "unfold" | "flatten" => "convert",
        "walk" | "random" => "simulate",
        _ => return None,
    };
    Some(format!("this is `mandala {meant}`"))
}

/// What to write in place of an option of another tool.
fn option(verb: &str, given: &str) -> Option<String> {
    let name = given.split('=').next().unwrap_or(given);
    let help = match (verb, name) {
        ("check", "--ltl" | "--ctl" | "--spec" | "--invariant" | "--inv" | "--query" | "--ef" | "--ag") => {
            "a formula of any kind is asked with `-f`: `-f 'AG x <= 3'`, `-f 'G F x == 1'`"
        }
        ("check", "--counterexample" | "--counter-example" | "--witness" | "--path" | "--cex") => {
            "what shows a verdict is shown with `--trace`"
        }
        ("states" | "check" | "draw", "-v" | "--verbose" | "--debug") => "what the engine did is shown with `--stats`",
        ("states" | "check", "--depth" | "--bound" | "--max-states" | "--limit") => {
            "a run is limited by `--timeout` and `--memory`: what is known by then is printed"
        }
        ("info", "--invariants" | "--semiflows" | "--p-invariants" | "--t-invariants") => {
            "invariants are listed without an option; `--most 50` lists more of them"
        }
        ("info", "--traps") => "siphons and traps are listed with `--siphons`",
        ("simulate", "--random" | "-r" | "--length") => "so many steps at random are taken with `--steps 20`",
        ("simulate", number) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            return Some(format!("so many steps at random are taken with `--steps {number}`"));
        }
        ("convert", "-o" | "--output") => "the file to write follows the model: `mandala convert model.gal out.pnml`",
        ("draw", file) if !file.starts_with('-') => return Some(format!("the file to write is said with `-o {file}`")),
        _ => return None,
    };
    Some(help.to_owned())
}
