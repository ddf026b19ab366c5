//! `mandala cluster`: several machines, which are reached by ssh or whatever else starts a command on a host.

mod answer;
mod run;
mod share;
mod task;

use crate::arguments::{Cluster, ClusterDeed, Reach};
use crate::failure::Failure;
use crate::status::Status;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

/// How often it is looked whether a process has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// How long processes may take to end by themselves when they have to.
const TO_END: Duration = Duration::from_secs(10);

/// Runs the verb.
pub fn run(arguments: &Cluster) -> Result<Status, Failure> {
    match &arguments.deed {
        ClusterDeed::Run(arguments) => run::run(arguments),
        ClusterDeed::Share(arguments) => share::run(arguments),
    }
}

/// A process on a host, as what reaches it here.
struct Process {
    child: Child,
    /// As long as this is there, the process goes on: it ends with what it knows when its standard input ends.
    leash: Option<ChildStdin>,
    ended: Option<ExitStatus>,
}

impl Process {
    /// Starts a command on a host. What it prints is to be read from the child, or goes nowhere.
    fn start(reach: &Reach, host: &str, words: &[String], output: Stdio, error: Stdio) -> Result<Process, Failure> {
        let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let mut parts = reach.ssh.split_whitespace();
        let mut command = Command::new(parts.next().unwrap_or_default());
        command.args(parts).arg(host).arg(line).stdin(Stdio::piped()).stdout(output).stderr(error);
        // Ctrl-C is for this program, which then ends the others.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let cannot = |error| Failure::new(format!("cannot start `{}` for {host}: {error}", reach.ssh));
        let mut child = command.spawn().map_err(cannot)?;
        let leash = child.stdin.take();
        Ok(Process { child, leash, ended: None })
    }

    /// Whether it has ended since the last look.
    fn has_just_ended(&mut self) -> bool {
        if self.ended.is_some() {
            return false;
        }
        self.ended = self.child.try_wait().ok().flatten();
        self.ended.is_some()
    }

    /// Its exit status, if it has ended by itself.
    fn code(&self) -> Option<i32> {
        self.ended.and_then(|ended| ended.code())
    }

    /// Asks it to end with what it knows.
    fn let_go(&mut self) {
        self.leash = None;
    }

    /// Ends it.
    fn end(&mut self) {
        self.let_go();
        // It may have ended by itself meanwhile.
        let _ = self.child.kill();
    }
}

/// The host of an address, without its port.
fn host(address: &str) -> &str {
    address.rsplit_once(':').map_or(address, |(host, _)| host).trim_matches(['[', ']'])
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:,=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
