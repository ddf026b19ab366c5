//! `mandala cluster share`: many questions, or many models, each given to one of several machines.
//!
//! Each question is a run of this program on a host, with the limits that were given; its answer is printed when it comes. What a
//! host had that is lost goes to another one.

use super::answer::{Answer, without_answer};
use super::task::{Task, Unit};
use super::{BETWEEN_LOOKS, Process, TO_END, host};
use crate::again::worse;
use crate::arguments::ClusterShare;
use crate::failure::{self, Failure};
use crate::interrupt;
use crate::output;
use crate::status::Status;
use mandala::Cancel;
use std::collections::VecDeque;
use std::io::Read;
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// A host that fails so often in a row is lost.
const STRIKES: u32 = 2;
/// A question that fails on so many hosts is given up.
const ATTEMPTS: usize = 3;
/// So long after its time limit a run is taken for lost.
const GRACE: Duration = Duration::from_secs(10);
/// How long it may take until what an ended process has printed is here.
const TO_READ: Duration = Duration::from_secs(2);

/// Runs the verb.
pub fn run(arguments: &ClusterShare) -> Result<Status, Failure> {
    let task = Task::new(&arguments.command)?;
    let (mut hosts, mut places): (Vec<Host>, Vec<Place>) = (Vec::new(), Vec::new());
    for name in names(&arguments.hosts)? {
        let known = hosts.iter().position(|host| host.name == name);
        places.push(Place { host: known.unwrap_or(hosts.len()), work: None });
        if known.is_none() {
            hosts.push(Host { name, strikes: 0 });
        }
    }
    let sharing = Sharing {
        arguments,
        unread: task.models.iter().cloned().collect(),
        task,
        hosts,
        waiting: VecDeque::new(),
        status: Status::Good,
        counts: Counts::default(),
        signal: interrupt::signal(),
    };
    sharing.run(places)
}

/// The hosts in a file, or with commas in between. One that is there several times has several places.
fn names(hosts: &str) -> Result<Vec<String>, Failure> {
    let is_list = hosts.contains(',') && !std::path::Path::new(hosts).exists();
    let text = match is_list {
        true => hosts.to_owned(),
        false => std::fs::read_to_string(hosts)
            .map_err(|error| Failure::new(format!("cannot read the list of hosts {hosts}: {error}")))?,
    };
    let lines = text.split([',', '\n']).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    // What has several colons and no brackets is an address without a port.
    let name =
        |line: &str| if line.matches(':').count() > 1 && !line.contains(']') { line } else { host(line) }.to_owned();
    let names: Vec<String> = lines.map(name).collect();
    if names.is_empty() { Err(Failure::new("the list of hosts is empty")) } else { Ok(names) }
}

/// A machine.
struct Host {
    name: String,
    /// How often it has failed in a row.
    strikes: u32,
}

impl Host {
    fn is_lost(&self) -> bool {
        self.strikes >= STRIKES
    }
}

/// Where a question can be asked: a host has as many as there are lines with its name.
struct Place {
    host: usize,
    work: Option<Work>,
}

/// A question that is being asked.
struct Work {
    unit: Unit,
    process: Process,
    printed: Receiver<String>,
    said: Receiver<String>,
    since: Instant,
}

/// What has become of the questions.
#[derive(Default)]
struct Counts {
    answered: usize,
    unanswered: usize,
    unreadable: usize,
}

struct Sharing<'a> {
    arguments: &'a ClusterShare,
    task: Task,
    hosts: Vec<Host>,
    /// Models whose questions are not known yet.
    unread: VecDeque<String>,
    waiting: VecDeque<Unit>,
    status: Status,
    counts: Counts,
    signal: Cancel,
}

impl Sharing<'_> {
    fn run(mut self, mut places: Vec<Place>) -> Result<Status, Failure> {
        let (start, mut ending) = (Instant::now(), None::<Instant>);
        loop {
            if self.signal.is_cancelled() {
                let since = *ending.get_or_insert_with(Instant::now);
                let is_late = since.elapsed() > TO_END;
                let at_work = places.iter_mut().filter_map(|place| place.work.as_mut());
                at_work.for_each(|work| if is_late { work.process.end() } else { work.process.let_go() });
            }
            let mut is_quiet = true;
            for place in &mut places {
                if let Some(work) = place.work.take() {
                    place.work = self.look_at(work, place.host)?;
                    is_quiet &= place.work.is_some();
                }
                if place.work.is_none() && ending.is_none() {
                    place.work = self.begin(place.host)?;
                }
            }
            // What has just ended may have left something to those who had nothing to do.
            if is_quiet && places.iter().all(|place| place.work.is_none()) {
                break;
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
        self.give_up_the_rest()?;
        self.report(start.elapsed());
        Ok(self.status)
    }

    /// Asks a question on a host, if there is one for it.
    fn begin(&mut self, host: usize) -> Result<Option<Work>, Failure> {
        if self.hosts[host].is_lost() {
            return Ok(None);
        }
        let Some(unit) = self.next_for(host) else { return Ok(None) };
        let words = self.task.words(&self.arguments.reach.program, &unit)?;
        let name = &self.hosts[host].name;
        let mut process = Process::start(&self.arguments.reach, name, &words, Stdio::piped(), Stdio::piped())?;
        let (printed, said) = (read(process.child.stdout.take()), read(process.child.stderr.take()));
        Ok(Some(Work { unit, process, printed, said, since: Instant::now() }))
    }

    /// The next question that has not failed on a host before.
    fn next_for(&mut self, host: usize) -> Option<Unit> {
        let is_new = |unit: &Unit| unit.failures.iter().all(|(failed, _)| *failed != host);
        loop {
            if let Some(at) = self.waiting.iter().position(is_new) {
                return self.waiting.remove(at);
            }
            let file = self.unread.pop_front()?;
            match self.task.units(&file) {
                Ok(units) => self.waiting.extend(units),
                Err(failure) => {
                    self.status = worse(self.status, failure::report(&failure, self.task.is_json));
                    self.counts.unreadable += 1;
                }
            }
        }
    }

    /// What has become of a question: it is still being asked, or it has an answer, or it goes to somebody else.
    fn look_at(&mut self, mut work: Work, host: usize) -> Result<Option<Work>, Failure> {
        let is_late = self.task.timeout.is_some_and(|limit| work.since.elapsed() > limit + GRACE);
        if is_late {
            work.process.end();
        }
        if !work.process.has_just_ended() && !is_late {
            return Ok(Some(work));
        }
        let text = |from: &Receiver<String>| from.recv_timeout(TO_READ).unwrap_or_default();
        let answer = match is_late {
            true => Err("it has not answered in time".to_owned()),
            false => Answer::read(&text(&work.printed), &text(&work.said), work.process.code(), &work.unit),
        };
        let is_cancelled = self.signal.is_cancelled();
        match answer {
            Ok(answer) if is_cancelled || !answer.is_interrupted() => {
                self.hosts[host].strikes = 0;
                self.counts.answered += 1;
                self.status = worse(self.status, answer.status);
                let name = &self.hosts[host].name;
                output::print(&match self.task.is_json {
                    true => answer.json(&work.unit.file, name),
                    false => answer.text(&work.unit, name),
                })?;
            }
            Ok(_) => self.pass_on(work.unit, host, "it was interrupted".to_owned())?,
            Err(_) if is_cancelled => self.waiting.push_front(work.unit),
            Err(reason) => self.pass_on(work.unit, host, reason)?,
        }
        Ok(None)
    }

    /// A question that a host has not answered goes to another one.
    fn pass_on(&mut self, mut unit: Unit, host: usize, reason: String) -> Result<(), Failure> {
        let (name, was_lost) = (self.hosts[host].name.clone(), self.hosts[host].is_lost());
        self.hosts[host].strikes += 1;
        output::complain(&format!("{name} has not answered: {reason}"));
        if self.hosts[host].is_lost() && !was_lost {
            output::complain(&format!("error: {name} is lost"));
        }
        unit.failures.push((host, reason));
        if unit.failures.len() < ATTEMPTS {
            self.waiting.push_front(unit);
            return Ok(());
        }
        self.give_up(&unit)
    }

    fn give_up(&mut self, unit: &Unit) -> Result<(), Failure> {
        let of = |(host, reason): &(usize, String)| format!("{}: {reason}", self.hosts[*host].name);
        let reason = match unit.failures.last() {
            Some(_) => unit.failures.iter().map(of).collect::<Vec<_>>().join("; "),
            None if self.signal.is_cancelled() => "interrupted".to_owned(),
            None => "no host is left".to_owned(),
        };
        self.counts.unanswered += 1;
        let is_broken = !self.signal.is_cancelled();
        self.status = worse(self.status, if is_broken { Status::Bad } else { Status::Unknown });
        output::print(&without_answer(unit, &reason, self.task.is_json))
    }

    /// What nobody is left for.
    fn give_up_the_rest(&mut self) -> Result<(), Failure> {
        while let Some(unit) = self.waiting.pop_front() {
            self.give_up(&unit)?;
        }
        if !self.unread.is_empty() {
            let left = output::count(self.unread.len(), "model");
            output::complain(&format!("{left} have not been looked at: {}", self.unread.make_contiguous().join(", ")));
            let is_broken = !self.signal.is_cancelled();
            self.status = worse(self.status, if is_broken { Status::Bad } else { Status::Unknown });
        }
        Ok(())
    }

    fn report(&self, time: Duration) {
        let Counts { answered, unanswered, unreadable } = self.counts;
        let left = self.hosts.iter().filter(|host| !host.is_lost()).count();
        let mut text = format!("{answered} answered");
        if unanswered > 0 {
            text += &format!(", {unanswered} not");
        }
        if unreadable > 0 {
            text += &format!(", {} could not be read", output::count(unreadable, "model"));
        }
        let hosts = output::count(self.hosts.len(), "host");
        text += &if left < self.hosts.len() { format!("; {left} of {hosts} left") } else { format!("; {hosts}") };
        output::complain(&format!("{text} ({})", output::seconds(time)));
    }
}

/// Reads what a process prints, to its end.
fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read is missing from the answer, which the reader then notices.
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        // Nobody may wait for it any more.
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}
