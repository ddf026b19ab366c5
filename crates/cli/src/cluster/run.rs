//! `mandala cluster run`: the same verb on several machines, as one run.

use super::{BETWEEN_LOOKS, Process, TO_END, host};
use crate::arguments::ClusterRun;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::session::addresses;
use crate::status::Status;
use std::process::Stdio;
use std::time::Instant;

/// Runs the verb.
pub fn run(run: &ClusterRun) -> Result<Status, Failure> {
    if !matches!(run.command.first().map(String::as_str), Some("states" | "check")) {
        return Err(Failure::with_help(
            "what runs on several machines is `states` or `check`",
            "as in `mandala cluster run hosts.txt -- states model.pnml`",
        ));
    }
    let hosts = addresses(&run.hosts)?;
    let signal = interrupt::signal();
    let mut processes: Vec<Process> = Vec::with_capacity(hosts.len());
    for process in 0..hosts.len() {
        match start(run, &hosts, process) {
            Ok(started) => processes.push(started),
            Err(failure) => {
                processes.iter_mut().for_each(Process::end);
                return Err(failure);
            }
        }
    }
    let (mut failed, mut ending): (bool, Option<Instant>) = (false, None);
    while processes.iter().any(|process| process.ended.is_none()) {
        std::thread::sleep(BETWEEN_LOOKS);
        for (process, host) in processes.iter_mut().zip(&hosts) {
            let is_answer = |code| Status::of_code(code).is_answer();
            if process.has_just_ended() && !process.code().is_some_and(is_answer) {
                failed = true;
                ending.get_or_insert_with(Instant::now);
                output::complain(&format!("error: the process on {host} has failed"));
            }
        }
        if signal.is_cancelled() {
            ending.get_or_insert_with(Instant::now);
            processes.iter_mut().for_each(Process::let_go);
        }
        if ending.is_some_and(|since| since.elapsed() > TO_END) {
            processes.iter_mut().for_each(Process::end);
        }
    }
    match processes.first().and_then(Process::code) {
        Some(code) if !failed => Ok(Status::of_code(code)),
        // Who was asked to end may not have come to know anything.
        _ if signal.is_cancelled() => Ok(Status::Unknown),
        _ => Ok(Status::Broken),
    }
}

fn start(run: &ClusterRun, hosts: &[String], process: usize) -> Result<Process, Failure> {
    let mut words = vec![run.reach.program.clone()];
    words.extend(run.command.iter().cloned());
    if !run.command.iter().any(|word| word.starts_with("--strategy")) {
        words.extend(["--strategy".to_owned(), "explicit".to_owned()]);
    }
    words.extend(["--hosts".to_owned(), hosts.join(",") + ",", "--process".to_owned(), process.to_string()]);
    words.push("--leash".to_owned());
    // All say the same: one of them is enough.
    let output = if process == 0 { Stdio::inherit() } else { Stdio::null() };
    Process::start(&run.reach, host(&hosts[process]), &words, output, Stdio::inherit())
}
