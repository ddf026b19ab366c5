//! Exploration state by state by several workers: threads of this process, and of others on other machines.
//!
//! Each state has an owner, which follows from a hash of the state. A worker keeps the states that it owns in one table over an
//! arena of packed words (`arena`), expands them level by level, and sends each successor to its owner (`post`, on timely
//! dataflow). A level is a round of letters: when all of them have been taken in, everybody knows its states of the next level.
//! What is found (numbers, levels, answers, traces) does not depend on how many workers there are, nor on who was faster.
//!
//! - `machine`: states in words, and what happens from one.
//! - `arena`: the states of a worker, level by level.
//! - `outgoing`: states on the way to their owners.
//! - `post`: letters between workers; `words` is what they are written with.
//! - `checkpoint`: states in files; `resume` says from which of them a run goes on.
//! - `connect`: other processes, and what is known of those that are lost.
//! - `explorer`: what a worker does; `tally` is what it counts, `asked` what it is asked.

mod arena;
mod asked;
mod checkpoint;
mod connect;
mod explorer;
mod machine;
mod outgoing;
mod post;
mod resume;
mod tally;
mod words;

pub use asked::{Until, is_about_states};
pub use checkpoint::Checkpoints;
pub use connect::Hosts;
pub use explorer::Share;

use std::fmt;
use std::hash::Hasher;
use std::net::TcpListener;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use mandala_analysis::symmetry::leader::Leaders;
use mandala_group::UBig;
use mandala_model::property::Question;
use mandala_model::semantics::{RunError, Semantics};
use mandala_model::system::{System, Type};
use rustc_hash::FxHasher;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::{CommsGuard, initialize_networking_from_sockets};
use timely::communication::{Allocator, AllocatorBuilder, Config, Hooks, initialize_from};
use timely::worker::Worker;

use crate::answer::Traces;
use crate::explicit::{Ended, Outcome};
use crate::limits::{Limits, Progress};
use crate::run::{FiniteRuns, NoTrace, Trace, broken, replay};
use asked::Asked;
use checkpoint::Segment;
use connect::Faults;
use explorer::{Conclusion, End, Keeping, Resumed, Task};
use machine::{Machine, Packing};
use post::Lost;

/// The stack of a worker.
const STACK_BYTES: usize = 64 << 20;

/// A state has at most so many words.
const MOST_WORDS: usize = 128;

/// Who works.
#[derive(Clone, Debug)]
pub struct Crew {
    /// How many workers this process has.
    pub workers: usize,
    /// The processes, if there are others.
    pub hosts: Option<Hosts>,
    /// Where checkpoints are written and read, if they are.
    pub checkpoints: Option<Checkpoints>,
    /// A level with more states than this ends the run ([`Failure::Wide`]): then others are of use, who would mostly wait before.
    pub alone_while: Option<u64>,
}

impl Crew {
    /// So many workers of this process, and nobody else.
    pub fn of(workers: usize) -> Crew {
        Crew { workers, hosts: None, checkpoints: None, alone_while: None }
    }

    fn process(&self) -> usize {
        self.hosts.as_ref().map_or(0, |hosts| hosts.process)
    }
}

/// What is asked, and how far to go.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The questions.
    pub questions: Vec<Question>,
    /// What becomes of runs that end.
    pub finite_runs: FiniteRuns,
    /// How far to go.
    pub until: Until,
    /// Whether answers come with traces.
    pub traces: Traces,
}

/// What was found.
#[derive(Debug)]
pub struct Findings {
    /// What an exploration by one would have found. A way to a deadlock is not among it.
    pub outcome: Outcome,
    /// How many ordinary states there are, where one state stands for its orbit.
    pub ordinary: Option<UBig>,
    /// How it went.
    pub report: Report,
}

/// How a run went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// How many levels there are, the initial states included.
    pub levels: u64,
    /// How many bits a state has.
    pub bits: u32,
    /// How many bytes a packed state has.
    pub bytes_of_state: u64,
    /// By worker.
    pub shares: Vec<Share>,
    /// How often everything began anew, because a value had no room.
    pub restarts: u32,
    /// The level from which it went on, if it began with a checkpoint.
    pub resumed: Option<u64>,
    /// Files of checkpoints that were passed over, and why.
    pub passed_over: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

/// Why nothing was found.
#[derive(Debug)]
pub enum Failure {
    /// A state takes more words than can be kept.
    TooLarge,
    /// There are queues, whose words are not packed.
    Queues,
    /// There is a state of whose orbit no leader is found.
    NoLeader,
    /// The initial states cannot be made.
    Model(Box<RunError>),
    /// Somebody is lost, or was never there, and why.
    Lost(String),
    /// A checkpoint cannot be written or read, and why.
    Checkpoint(String),
    /// A level has more states than a lone worker should have.
    Wide,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::TooLarge => write!(f, "a state takes more than {MOST_WORDS} words"),
            Failure::Queues => write!(f, "states with queues are explored by one worker"),
            Failure::NoLeader => write!(f, "the state that stands for an orbit is too hard to find"),
            Failure::Model(error) => write!(f, "{error}"),
            Failure::Lost(reason) | Failure::Checkpoint(reason) => write!(f, "{reason}"),
            Failure::Wide => write!(f, "a level has more states than one worker should explore"),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        Failure::Model(Box::new(error))
    }
}

/// Explores the states of a system; up to symmetry, if there are leaders.
pub fn explore(
    system: &System, leaders: Option<Arc<Leaders>>, assignment: Assignment, crew: &Crew, limits: &Limits,
    progress: &Progress,
) -> Result<Findings, Failure> {
    let start = Instant::now();
    if system.types.iter().any(|kind| matches!(kind, Type::Queues(_))) {
        return Err(Failure::Queues);
    }
    let semantics = Semantics::new(system).map_err(|_| Failure::TooLarge)?;
    let fingerprint = fingerprint(system, &assignment, leaders.is_some());
    let (segments, passed_over) = match &crew.checkpoints {
        Some(checkpoints) => checkpoint::inventory(checkpoints, fingerprint),
        None => (Vec::new(), Vec::new()),
    };
    let faults = Arc::new(Faults::none(crew.hosts.is_some()));
    let (builders, connections) = allocators(crew, fingerprint, limits, &faults).map_err(Failure::Lost)?;
    let job = Arc::new(Job {
        system: system.clone(),
        packing: Packing::new(&semantics, leaders.as_deref())?,
        leaders: leaders.clone(),
        assignment,
        limits: limits.clone(),
        progress: progress.clone(),
        crew: crew.clone(),
        fingerprint,
        segments,
        faults,
    });
    let worker_of = {
        let job = Arc::clone(&job);
        move |allocator: Allocator| {
            let alarm = Alarm(Arc::clone(&job.faults));
            let mut worker = Worker::new(timely::WorkerConfig::default(), allocator, None);
            // timely's threads have small stacks, and expressions may be nested deeply.
            let result = stacker::grow(STACK_BYTES, || job.work(&mut worker));
            if result.is_ok() {
                alarm.disarm();
            }
            result
        }
    };
    // timely's threads own what they work with.
    let guards = initialize_from(builders, Box::new(()), worker_of).map_err(Failure::Lost)?;
    let (mut ran, mut failure) = (None, None);
    for result in guards.join() {
        let panicked = |_| Err(Failure::Lost("a worker of this process has panicked".to_owned()));
        match result.unwrap_or_else(panicked) {
            Ok(one) => ran = Some(one),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match (failure, ran) {
        (Some(failure), _) => {
            // The threads of connections may wait for somebody who is lost: they end with the process.
            std::mem::forget(connections);
            Err(failure)
        }
        (None, Some(ran)) => {
            connections.into_iter().for_each(part_from);
            let mut findings = found(&semantics, leaders.as_deref(), &job.assignment, ran, start.elapsed())?;
            findings.report.passed_over = passed_over;
            Ok(findings)
        }
        (None, None) => Err(Failure::Lost("there are no workers".to_owned())),
    }
}

/// What a run is about, as a number: checkpoints are of the same run, and all of its processes agree on it.
fn fingerprint(system: &System, assignment: &Assignment, quotient: bool) -> u64 {
    struct Hashed(FxHasher);
    impl fmt::Write for Hashed {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let mut hashed = Hashed(FxHasher::default());
    let version = env!("CARGO_PKG_VERSION");
    // Writing to a hash does not fail.
    let _ = fmt::Write::write_fmt(&mut hashed, format_args!("{version} {quotient} {assignment:?} {system:?}"));
    hashed.0.finish()
}

/// The connections to other processes, for as long as they are needed, and the address of this one.
type Connections = (CommsGuard, TcpListener);

/// Ends the connections when all is said. One whose other side is lost at the very end does not end by itself.
fn part_from((guard, listener): Connections) {
    drop(listener);
    let (tell, told) = mpsc::channel();
    let end = move || {
        drop(guard);
        // Nobody may be waiting any more.
        let _ = tell.send(());
    };
    if thread::Builder::new().spawn(end).is_ok() {
        let _ = told.recv_timeout(connect::TO_PART);
    }
}

/// What timely's workers are made of, and what keeps the connections to other processes.
fn allocators(
    crew: &Crew, fingerprint: u64, limits: &Limits, faults: &Arc<Faults>,
) -> Result<(Vec<AllocatorBuilder>, Option<Connections>), String> {
    let Some(hosts) = &crew.hosts else {
        let config = if crew.workers < 2 { Config::Thread } else { Config::Process(crew.workers) };
        return Ok((config.try_build()?.0, None));
    };
    // All processes have the same number of workers.
    let (links, listener) = connect::connect(hosts, fingerprint.wrapping_add(crew.workers as u64), limits, faults)?;
    let hooks = Hooks::default();
    let threads = ProcessBuilder::new_typed_vector(crew.workers, hooks.refill.clone(), hooks.spill.clone());
    let (builders, guard) = initialize_networking_from_sockets(threads, links, hosts.process, crew.workers, hooks)
        .map_err(|error| error.to_string())?;
    Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Some((guard, listener))))
}

/// What all workers of a process share.
struct Job {
    system: System,
    packing: Packing,
    leaders: Option<Arc<Leaders>>,
    assignment: Assignment,
    limits: Limits,
    progress: Progress,
    crew: Crew,
    fingerprint: u64,
    /// Files of an earlier run.
    segments: Vec<Segment>,
    faults: Arc<Faults>,
}

/// Tells the other workers of this process if this one is gone: they would wait for it for ever.
struct Alarm(Arc<Faults>);

impl Alarm {
    fn disarm(self) {
        std::mem::forget(self);
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.0.lose(|| "a worker of this process is lost".to_owned());
    }
}

/// A run that came to an end, as a worker knows it.
struct Ran {
    conclusion: Conclusion,
    bits: u32,
    words: usize,
    restarts: u32,
    resumed: Option<u64>,
}

impl Job {
    /// What a worker does: explores, and again with wider columns if need be. All workers come to the same conclusions.
    fn work(&self, worker: &mut Worker) -> Result<Ran, Failure> {
        let semantics = Semantics::new(&self.system).map_err(|_| Failure::TooLarge)?;
        let Assignment { questions, finite_runs, until, traces } = &self.assignment;
        let asked = Asked::new(questions, *finite_runs, *until, *traces);
        let lost = |Lost| Failure::Lost(self.faults.reason());
        let resume::Found { mut generation, packing, mut resumed } =
            resume::find(self, &semantics, worker).map_err(lost)?;
        let (mut packing, mut restarts) = (packing.unwrap_or_else(|| self.packing.clone()), 0);
        let folder = self.crew.checkpoints.as_ref().map(|kept| checkpoint::folder(kept, self.crew.process()));
        let from = resumed.as_ref().map(|resumed| resumed.level);
        loop {
            generation += 1;
            let keeping = folder.as_deref().zip(self.crew.checkpoints.as_ref()).map(|(folder, kept)| Keeping {
                folder,
                every: kept.every,
                fingerprint: self.fingerprint,
                generation,
                cleans_up: worker.index().is_multiple_of(self.crew.workers),
            });
            let machine = Machine::new(&semantics, packing, self.leaders.as_deref());
            let (limits, progress) = (&self.limits, &self.progress);
            let alone_while = self.crew.alone_while;
            let task = Task { machine: &machine, asked: &asked, limits, progress, keeping, alone_while };
            let conclusion = with_width(&task, resumed.take(), worker, &self.faults)?.map_err(lost)?;
            packing = match &conclusion.end {
                End::Narrow(narrow) => machine.packing().widened(narrow).ok_or(Failure::TooLarge)?,
                End::Error(_, values) if semantics.successors(values).is_ok() => {
                    if machine.packing().is_plain() {
                        return Err(Failure::NoLeader);
                    }
                    // The fast way gave up on something that has an end.
                    Packing::any(&semantics, self.leaders.as_deref())?
                }
                End::Error(..) | End::Ended(_) | End::Failed(_) | End::Wide => {
                    let (bits, words) = (machine.packing().bits(), machine.packing().words());
                    post::part(worker, &self.faults).map_err(lost)?;
                    let resumed = from.filter(|_| restarts == 0);
                    return Ok(Ran { conclusion, bits, words, restarts, resumed });
                }
            };
            restarts += 1;
        }
    }
}

/// Runs a worker on states of as many words as it takes.
fn with_width(
    task: &Task<'_, '_>, resumed: Option<Resumed>, worker: &mut Worker, faults: &Arc<Faults>,
) -> Result<Result<Conclusion, Lost>, Failure> {
    Ok(match task.machine.packing().words() {
        0 | 1 => explorer::run::<1>(task, resumed, worker, faults),
        2 => explorer::run::<2>(task, resumed, worker, faults),
        3 => explorer::run::<3>(task, resumed, worker, faults),
        4 => explorer::run::<4>(task, resumed, worker, faults),
        5 | 6 => explorer::run::<6>(task, resumed, worker, faults),
        7 | 8 => explorer::run::<8>(task, resumed, worker, faults),
        9..=16 => explorer::run::<16>(task, resumed, worker, faults),
        17..=32 => explorer::run::<32>(task, resumed, worker, faults),
        33..=MOST_WORDS => explorer::run::<MOST_WORDS>(task, resumed, worker, faults),
        _ => return Err(Failure::TooLarge),
    })
}

/// What the end of a run says.
fn found(
    semantics: &Semantics<'_>, leaders: Option<&Leaders>, assignment: &Assignment, ran: Ran, time: Duration,
) -> Result<Findings, Failure> {
    let asked = Asked::new(&assignment.questions, assignment.finite_runs, assignment.until, assignment.traces);
    let Ran { conclusion, bits, words, restarts, resumed } = ran;
    let Conclusion { end, tally, seen, levels, shares, ways } = conclusion;
    let no_way = || NoTrace::Stopped(mandala_diagram::Error::Time { reached: None });
    let mut ways = ways.into_iter().map(|way| along(semantics, leaders, way.ok_or_else(no_way)?));
    let ended = match end {
        End::Ended(ended) => ended,
        End::Error(_, values) => match semantics.successors(&values) {
            Err(error) => Ended::Error { error: Box::new(error), trace: ways.next().and_then(Result::ok) },
            Ok(_) => return Err(Failure::NoLeader),
        },
        End::Narrow(_) => return Err(Failure::TooLarge),
        End::Failed(reason) => return Err(Failure::Checkpoint(reason)),
        End::Wide => return Err(Failure::Wide),
    };
    let to_error = tally.error.as_ref().and_then(|_| ways.next()).and_then(Result::ok);
    let complete = ended == Ended::Complete;
    let outcome = Outcome {
        states: tally.states,
        transitions: tally.transitions,
        most_in_place: tally.most.map(|most| most.0),
        most_in_marking: tally.most.map(|most| most.1),
        deadlocks: tally.deadlocks,
        first_deadlock: None,
        to_error,
        answers: asked.answers(semantics, &seen, complete, &mut ways),
        ended,
    };
    let bytes_of_state = 8 * words as u64;
    let report = Report { levels, bits, bytes_of_state, shares, restarts, resumed, passed_over: Vec::new(), time };
    Ok(Findings { outcome, ordinary: leaders.map(|_| tally.ordinary), report })
}

/// The trace along states that follow each other, or along those that stand for their orbits, replayed.
fn along(semantics: &Semantics<'_>, leaders: Option<&Leaders>, way: Vec<Vec<i32>>) -> Result<Trace, NoTrace> {
    let run = |error: RunError| NoTrace::Broken(error.to_string());
    let stands_for = |state: &[i32], leader: &[i32]| match leaders {
        Some(leaders) => leaders.leader(state).is_some_and(|found| found.state == leader),
        None => state == leader,
    };
    let mut way = way.into_iter();
    let first = way.next().ok_or_else(|| broken("the trace has no state"))?;
    let initial = semantics.initial_states().map_err(run)?.into_iter().find(|state| stands_for(state, &first));
    let initial = initial.ok_or_else(|| broken("the trace does not begin in an initial state"))?;
    let mut trace: Trace = Trace { initial, steps: Vec::new() };
    for next in way {
        let last: &Vec<i32> = trace.last();
        let steps = semantics.successors(last).map_err(run)?;
        let step = steps.into_iter().find(|step| stands_for(&step.state, &next));
        trace.steps.push(step.ok_or_else(|| broken("two states of the trace do not follow each other"))?);
    }
    replay(semantics, &trace).map_err(|mismatch| NoTrace::Broken(mismatch.to_string()))?;
    Ok(trace)
}
