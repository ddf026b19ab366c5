//! Letters between workers, on timely dataflow.
//!
//! All workers build the same dataflow: what a worker puts in goes to the worker that it is for, and is taken in there. Letters
//! with states carry a time, the number of the round in which they are sent; timely's progress tracking says when all letters of
//! a round have been taken in, whoever sent them. All else needs no time: a letter from one worker to another is never overtaken.
//!
//! timely has no back-pressure. Here whoever takes states in says so, and a worker that has sent a certain number of words which
//! nobody has taken in yet waits, and takes in what was sent to itself meanwhile.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use super::connect::Faults;

/// What one worker sends to another.
#[derive(Clone, Debug, Default)]
struct Letter {
    from: u32,
    to: u32,
    kind: u32,
    words: Vec<u64>,
}

/// What is in a letter.
mod kind {
    /// No letter at all.
    pub(super) const NOTHING: u32 = 0;
    /// States.
    pub(super) const STATES: u32 = 5;
    /// How many words of states were taken in.
    pub(super) const TAKEN: u32 = 1;
    /// What a worker contributes to what all of them gather.
    pub(super) const GATHERED: u32 = 2;
    /// There is no point in going on with this round.
    pub(super) const HALT: u32 = 3;
    /// Nothing: the sender is alive.
    pub(super) const ALIVE: u32 = 4;
}

impl Accountable for Letter {
    fn record_count(&self) -> i64 {
        // timely takes the default for a container with nothing in it.
        i64::from(self.kind != kind::NOTHING)
    }
}

impl ContainerBytes for Letter {
    fn from_bytes(bytes: Bytes) -> Letter {
        let word = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[8 * at..8 * at + 8]);
            u64::from_le_bytes(eight)
        };
        let (head, length) = (word(0), word(1));
        let (from, to) = (head as u32 & 0xffff, (head >> 16) as u32 & 0xffff);
        Letter { from, to, kind: (head >> 32) as u32, words: (0..length as usize).map(|at| word(at + 2)).collect() }
    }

    fn length_in_bytes(&self) -> usize {
        8 * (self.words.len() + 2)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let head = u64::from(self.from) | u64::from(self.to) << 16 | u64::from(self.kind) << 32;
        // timely gives room for as many bytes as was asked for, and writes to memory.
        let mut put = |word: u64| drop(writer.write_all(&word.to_le_bytes()));
        put(head);
        put(self.words.len() as u64);
        self.words.iter().for_each(|&word| put(word));
    }
}

/// Gives each letter to the worker that it is for, at once.
struct ByAddress;

impl Distributor<Letter> for ByAddress {
    fn partition<T: Clone, P: Push<Message<T, Letter>>>(&mut self, letter: &mut Letter, time: &T, pushers: &mut [P]) {
        let pusher = &mut pushers[letter.to as usize];
        Message::push_at(letter, time.clone(), pusher);
        pusher.done();
    }

    fn flush<T: Clone, P: Push<Message<T, Letter>>>(&mut self, _: &T, _: &mut [P]) {}
}

/// Who takes states in, word by word.
pub(super) trait Intake {
    /// States of a round. `false` if there is no room for them.
    fn take_in(&mut self, round: u64, words: &[u64]) -> bool;
}

/// What has come in and waits to be looked at.
#[derive(Default)]
struct Desk {
    /// For each worker, words of states that it sent and that it has not been told were taken in.
    taken: Vec<u64>,
    /// For each worker, words that were sent to it and that nobody has taken in yet.
    on_the_way: Vec<u64>,
    /// For each worker, what it gathered and nobody has asked for yet.
    gathered: Vec<Vec<Vec<u64>>>,
    halted: bool,
    /// Whether something came in since the last look.
    touched: bool,
}

impl Desk {
    fn is_touched(&mut self) -> bool {
        std::mem::take(&mut self.touched)
    }
}

/// How many letters and words were sent, and how long nothing could be done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traffic {
    pub(super) letters: u64,
    pub(super) words: u64,
    pub(super) waiting: Duration,
}

/// Somebody is lost: the run is over.
#[derive(Debug)]
pub(super) struct Lost;

/// So many words may be on their way from one worker to another.
const WINDOW: u64 = 1 << 19;
/// A worker that has nothing to do looks around after so long.
const NAP: Duration = Duration::from_millis(20);
/// So often it looks again at once before it rests,
const SPINS: u32 = 100;
/// for so long.
const SHORT_NAP: Duration = Duration::from_micros(100);
/// A worker says that it is alive at least so often, where others are in other processes.
const ALIVE_EVERY: Duration = Duration::from_secs(2);

/// The letters of one worker.
pub(super) struct Post<'w> {
    worker: &'w mut Worker,
    input: InputHandle<u64, CapacityContainerBuilder<Letter>>,
    probe: ProbeHandle<u64>,
    desk: Rc<RefCell<Desk>>,
    faults: Arc<Faults>,
    pub(super) traffic: Traffic,
    last_alive: Instant,
    has_halted: bool,
    /// How often it waited since something came in.
    idle: u32,
}

impl<'w> Post<'w> {
    /// The post of a worker whose states are taken in by `intake`.
    pub(super) fn new<I: Intake + 'static>(
        worker: &'w mut Worker, intake: Rc<RefCell<I>>, faults: &Arc<Faults>,
    ) -> Post<'w> {
        let peers = worker.peers();
        let desk = Rc::new(RefCell::new(Desk {
            taken: vec![0; peers],
            on_the_way: vec![0; peers],
            gathered: vec![Vec::new(); peers],
            halted: false,
            touched: false,
        }));
        let desk_of_operator = Rc::clone(&desk);
        let mut input = InputHandle::<u64, CapacityContainerBuilder<Letter>>::new();
        let probe = worker.dataflow(|scope| {
            let letters = scope.input_from(&mut input);
            let taken = letters.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                DistributorPact(|_| ByAddress),
                "letters",
                move |_, _| {
                    move |input, _| {
                        input.for_each(|time, letter| {
                            receive(std::mem::take(letter), *time.time(), &intake, &desk_of_operator);
                        });
                    }
                },
            );
            taken.probe().0
        });
        let faults = Arc::clone(faults);
        Post {
            worker,
            input,
            probe,
            desk,
            faults,
            traffic: Traffic::default(),
            last_alive: Instant::now(),
            has_halted: false,
            idle: 0,
        }
    }

    /// The number of this worker.
    pub(super) fn index(&self) -> usize {
        self.worker.index()
    }

    /// How many workers there are.
    pub(super) fn peers(&self) -> usize {
        self.worker.peers()
    }

    fn send(&mut self, to: usize, kind: u32, words: Vec<u64>) {
        debug_assert!(self.peers() > 1, "nobody writes to himself alone");
        let from = self.index() as u32;
        self.input.send_batch(&mut Letter { from, to: to as u32, kind, words });
    }

    /// Sends a letter without words to all others.
    fn tell_all(&mut self, kind: u32) {
        for to in (0..self.peers()).filter(|&to| to != self.index()).collect::<Vec<_>>() {
            self.send(to, kind, Vec::new());
        }
    }

    /// Sends states to a worker, once there is room for them on the way.
    pub(super) fn send_states(&mut self, to: usize, words: Vec<u64>) -> Result<(), Lost> {
        if words.is_empty() {
            return Ok(());
        }
        while !self.is_halted() && self.desk.borrow().on_the_way[to] > WINDOW {
            self.wait()?;
        }
        self.desk.borrow_mut().on_the_way[to] += words.len() as u64;
        self.traffic.letters += 1;
        self.traffic.words += words.len() as u64;
        self.send(to, kind::STATES, words);
        Ok(())
    }

    /// Takes in what is there.
    pub(super) fn step(&mut self) -> Result<(), Lost> {
        self.worker.step();
        self.acknowledge();
        if self.faults.is_lost() { Err(Lost) } else { Ok(()) }
    }

    /// The same, but there is nothing else to do.
    fn wait(&mut self) -> Result<(), Lost> {
        let start = Instant::now();
        self.worker.step_or_park(Some(NAP));
        // timely does not park while something of its own is left to do, which may be for long if others are slow.
        self.idle = if self.desk.borrow_mut().is_touched() { 0 } else { self.idle + 1 };
        if self.idle > SPINS {
            std::thread::sleep(SHORT_NAP);
        }
        self.traffic.waiting += start.elapsed();
        self.acknowledge();
        if self.faults.is_lost() { Err(Lost) } else { Ok(()) }
    }

    /// Tells others what was taken in; and that this worker is alive, where that cannot be seen.
    fn acknowledge(&mut self) {
        for to in 0..self.peers() {
            let taken = std::mem::take(&mut self.desk.borrow_mut().taken[to]);
            if taken > 0 {
                self.send(to, kind::TAKEN, vec![taken]);
            }
        }
        if self.faults.has_others() && self.last_alive.elapsed() >= ALIVE_EVERY {
            self.last_alive = Instant::now();
            self.tell_all(kind::ALIVE);
        }
    }

    /// Tells all that there is no point in going on with this round.
    pub(super) fn halt(&mut self) {
        if !std::mem::replace(&mut self.has_halted, true) {
            self.desk.borrow_mut().halted = true;
            self.tell_all(kind::HALT);
        }
    }

    /// Whether somebody said so.
    pub(super) fn is_halted(&self) -> bool {
        self.desk.borrow().halted
    }

    /// Ends the round: what is sent from here on is of the next one. Comes back when all states of the round have been taken in,
    /// whoever sent them, with what each worker contributes, in the order of the workers.
    pub(super) fn end_round(&mut self, contribution: Vec<u64>) -> Result<Vec<Vec<u64>>, Lost> {
        if self.peers() == 1 {
            return self.gather(contribution);
        }
        let next = self.input.time() + 1;
        self.input.advance_to(next);
        let all = self.gather(contribution)?;
        while self.probe.less_than(&next) {
            self.wait()?;
        }
        Ok(all)
    }

    /// What each worker contributes, in the order of the workers.
    pub(super) fn gather(&mut self, contribution: Vec<u64>) -> Result<Vec<Vec<u64>>, Lost> {
        if self.peers() == 1 {
            return Ok(vec![contribution]);
        }
        for to in 0..self.peers() {
            self.send(to, kind::GATHERED, contribution.clone());
        }
        while self.desk.borrow().gathered.iter().any(Vec::is_empty) {
            self.wait()?;
        }
        Ok(self.desk.borrow_mut().gathered.iter_mut().map(|queue| queue.remove(0)).collect())
    }

    /// Ends: no more letters. All workers must end after the same gathering.
    pub(super) fn close(self) -> Result<Traffic, Lost> {
        let Post { worker, input, faults, traffic, .. } = self;
        input.close();
        while worker.has_dataflows() {
            if faults.is_lost() {
                return Err(Lost);
            }
            worker.step_or_park(Some(NAP));
        }
        Ok(traffic)
    }
}

/// Nobody takes states in.
struct Nothing;

impl Intake for Nothing {
    fn take_in(&mut self, _: u64, _: &[u64]) -> bool {
        true
    }
}

/// What each worker contributes, in the order of the workers, while nothing is explored.
pub(super) fn gather_once(
    worker: &mut Worker, faults: &Arc<Faults>, contribution: Vec<u64>,
) -> Result<Vec<Vec<u64>>, Lost> {
    let mut post = Post::new(worker, Rc::new(RefCell::new(Nothing)), faults);
    let all = post.gather(contribution)?;
    post.close()?;
    Ok(all)
}

/// The last that workers say to each other: who has heard of all need not fear for connections that end.
pub(super) fn part(worker: &mut Worker, faults: &Arc<Faults>) -> Result<(), Lost> {
    let mut post = Post::new(worker, Rc::new(RefCell::new(Nothing)), faults);
    post.gather(Vec::new())?;
    faults.finish();
    post.close().map(drop)
}

/// What becomes of a letter.
fn receive<I: Intake>(letter: Letter, round: u64, intake: &Rc<RefCell<I>>, desk: &Rc<RefCell<Desk>>) {
    let from = letter.from as usize;
    let mut desk = desk.borrow_mut();
    desk.touched = true;
    match letter.kind {
        kind::STATES => {
            desk.taken[from] += letter.words.len() as u64;
            if !intake.borrow_mut().take_in(round, &letter.words) {
                desk.halted = true;
            }
        }
        kind::TAKEN => {
            let taken = letter.words.first().copied().unwrap_or(0);
            desk.on_the_way[from] = desk.on_the_way[from].saturating_sub(taken);
        }
        kind::GATHERED => desk.gathered[from].push(letter.words),
        kind::HALT => desk.halted = true,
        _ => {}
    }
}
