//! `mandala cluster run`: the same verb on several machines, as one run.

use crate::arguments::{Cluster, ClusterDeed, ClusterRun};
use crate::failure::Failure;
use crate::output;
use crate::session::addresses;
use crate::status::Status;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often it is looked whether a process has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
/// How long the others may take to end by themselves after the first that failed.
const TO_END: Duration = Duration::from_secs(10);

/// Runs the verb.
pub fn run(arguments: &Cluster) -> Result<Status, Failure> {
    let ClusterDeed::Run(run) = &arguments.deed;
    if !matches!(run.command.first().map(String::as_str), Some("states" | "check")) {
        return Err(Failure::with_help(
            "what runs on several machines is `states` or `check`",
            "as in `mandala cluster run hosts.txt -- states model.pnml`",
        ));
    }
    let hosts = addresses(&run.hosts)?;
    let mut processes: Vec<Process> = Vec::with_capacity(hosts.len());
    for process in 0..hosts.len() {
        match start(run, &hosts, process) {
            Ok(child) => processes.push(Process { child, ended: None }),
            Err(error) => {
                processes.iter_mut().for_each(Process::end);
                return Err(Failure::new(format!("cannot start `{}` for {}: {error}", run.ssh, hosts[process])));
            }
        }
    }
    let mut failed: Option<Instant> = None;
    while processes.iter().any(|process| process.ended.is_none()) {
        std::thread::sleep(BETWEEN_LOOKS);
        for (process, host) in processes.iter_mut().zip(&hosts) {
            if process.has_just_failed() {
                failed.get_or_insert_with(Instant::now);
                output::complain(&format!("error: the process on {host} has failed"));
            }
        }
        if failed.is_some_and(|since| since.elapsed() > TO_END) {
            processes.iter_mut().for_each(Process::end);
        }
    }
    match processes.first().and_then(|first| first.ended).and_then(|ended| ended.code()) {
        Some(code) if failed.is_none() => Ok(Status::of_code(code)),
        _ => Ok(Status::Broken),
    }
}

/// A process on a host.
struct Process {
    child: Child,
    ended: Option<ExitStatus>,
}

impl Process {
    /// Whether it has ended since the last look, with nothing that could be an answer.
    fn has_just_failed(&mut self) -> bool {
        if self.ended.is_some() {
            return false;
        }
        self.ended = self.child.try_wait().ok().flatten();
        self.ended.is_some_and(|ended| ended.code().is_none_or(|code| !Status::of_code(code).is_answer()))
    }

    fn end(&mut self) {
        // It may have ended by itself meanwhile.
        let _ = self.child.kill();
    }
}

fn start(run: &ClusterRun, hosts: &[String], process: usize) -> std::io::Result<Child> {
    let host = hosts[process].rsplit_once(':').map_or(hosts[process].as_str(), |(host, _)| host);
    let mut words = vec![run.program.clone()];
    words.extend(run.command.iter().cloned());
    if !run.command.iter().any(|word| word.starts_with("--strategy")) {
        words.extend(["--strategy".to_owned(), "explicit".to_owned()]);
    }
    words.extend(["--hosts".to_owned(), hosts.join(",") + ",", "--process".to_owned(), process.to_string()]);
    let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    // All say the same: one of them is enough.
    let output = if process == 0 { Stdio::inherit() } else { Stdio::null() };
    Command::new(&run.ssh).arg(host.trim_matches(['[', ']'])).arg(line).stdin(Stdio::null()).stdout(output).spawn()
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:,=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
