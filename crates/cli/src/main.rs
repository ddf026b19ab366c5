//! The `mandala` command.
//!
//! A verb reads its arguments ([`arguments`]), reads the model ([`input`]), asks the library what is wanted within limits
//! that the user may cut short ([`session`], [`interrupt`]), and prints what it found: for people, or as JSON. What scripts rely on is the
//! JSON and the exit status ([`status`]).

#![forbid(unsafe_code)]

mod again;
mod arguments;
mod automaton;
mod check;
mod cluster;
mod convert;
mod draw;
mod ending;
mod error_state;
mod explore;
mod failure;
mod format;
mod generate;
mod info;
mod input;
mod interrupt;
mod itf;
mod lsp;
mod output;
mod progress;
mod session;
mod shell;
mod simulate;
mod states;
mod statistics;
mod status;
mod style;
mod symmetry;
mod trace;
mod usage;

use arguments::{Arguments, Verb};
use clap::Parser;
use failure::Failure;
use status::Status;
use std::process::ExitCode;

// The allocator of glibc gives memory back at once, and lets large blocks grow in place: half of the memory at the same speed.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Diagrams bring their own stack; this is for readers and writers of deeply nested models.
const STACK_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage::report(error),
    };
    let work = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || run(arguments));
    let status = match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // The panic has been reported by its hook.
        Ok(Err(_)) => Status::Broken,
        Err(error) => failure::report(&Failure::new(format!("cannot start a thread: {error}")), false),
    };
    status.into()
}

fn run(arguments: Arguments) -> Status {
    let wants_json = arguments.verb.wants_json();
    let result = match arguments.verb {
        Verb::States(arguments) => states::run(&arguments),
        Verb::Check(arguments) => check::run(&arguments),
        Verb::Info(arguments) => info::run(&arguments),
        Verb::Convert(arguments) => convert::run(&arguments),
        Verb::Draw(arguments) => draw::run(&arguments),
        Verb::Explore(arguments) => explore::run(&arguments),
        Verb::Simulate(arguments) => simulate::run(&arguments),
        Verb::Format(arguments) => format::run(&arguments),
        Verb::Generate(arguments) => generate::run(&arguments),
        Verb::Automaton(arguments) => automaton::run(&arguments),
        Verb::Cluster(arguments) => cluster::run(&arguments),
        Verb::Lsp => lsp::run(),
        Verb::Completions(arguments) => shell::completions(&arguments),
        Verb::Man(arguments) => shell::man(&arguments),
    };
    result.unwrap_or_else(|failure| failure::report(&failure, wants_json))
}
