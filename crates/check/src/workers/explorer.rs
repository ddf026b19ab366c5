//! One worker: it owns some of the states, and does with them what is to be done with each.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use mandala_model::property::Systems;
use timely::worker::Worker;

use super::arena::{Arena, owner};
use super::asked::{Asked, Seen};
use super::checkpoint::{self, Chain, Title};
use super::connect::Faults;
use super::machine::{Hands, Machine, Trouble};
use super::outgoing::Outgoing;
use super::post::{Lost, Post};
use super::tally::Tally;
use super::words::{Reader, Writer};
use crate::explicit::Ended;
use crate::explore::enumerate::state_set::{Words, hash};
use crate::limits::{Limits, Progress};

/// So many states are expanded between two looks at what has come in.
const SLICE: usize = 512;
/// Letters have about so many words.
const LETTER: usize = 1 << 12;

/// What all workers do.
pub(super) struct Task<'t, 'a> {
    pub(super) machine: &'t Machine<'a>,
    pub(super) asked: &'t Asked<'t>,
    pub(super) limits: &'t Limits,
    pub(super) progress: &'t Progress,
    /// Where checkpoints are written, if they are.
    pub(super) keeping: Option<Keeping<'t>>,
    /// How many states a level may have at most.
    pub(super) alone_while: Option<u64>,
}

/// Where and when checkpoints are written.
#[derive(Clone, Copy)]
pub(super) struct Keeping<'t> {
    pub(super) folder: &'t Path,
    pub(super) every: u64,
    pub(super) fingerprint: u64,
    pub(super) generation: u64,
    /// Whether this worker removes files of earlier generations.
    pub(super) cleans_up: bool,
}

/// From where a run goes on.
pub(super) struct Resumed {
    /// The level whose states are to be expanded next.
    pub(super) level: u64,
    /// What workers of the earlier run have written, as far as this worker reads it.
    pub(super) chains: Vec<Chain>,
}

/// Why a run is over, as all workers agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It came to its end, or a limit struck.
    Ended(Ended<Systems>),
    /// These columns have no room for these values.
    Narrow(Vec<(usize, i32)>),
    /// In the state with these values, of this level, there is an error of the model.
    Error(u64, Vec<i32>),
    /// A checkpoint cannot be written or read, and why.
    Failed(String),
    /// A level has more states than a lone worker should have.
    Wide,
}

/// What a worker knows when the run is over: the same for all workers, but for what is its own.
pub(super) struct Conclusion {
    pub(super) end: End,
    /// Of all workers.
    pub(super) tally: Tally,
    pub(super) seen: Vec<Seen>,
    /// How many levels there are.
    pub(super) levels: u64,
    /// By worker.
    pub(super) shares: Vec<Share>,
    /// The ways to the states that are to be shown: states of one level each.
    pub(super) ways: Vec<Option<Vec<Vec<i32>>>>,
}

/// What one worker had to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// How many states it owns.
    pub states: u64,
    /// Bytes that these take.
    pub bytes: u64,
    /// How many letters with states it sent to others.
    pub letters: u64,
    /// How many bytes of states were in them.
    pub sent: u64,
    /// How long it could do nothing but wait.
    pub waiting: Duration,
}

struct Explorer<'t, 'a, const N: usize> {
    task: &'t Task<'t, 'a>,
    hands: Hands<'t, 'a, N>,
    post: Post<'t>,
    arena: Rc<RefCell<Arena<N>>>,
    /// States that are not yet sent.
    outgoing: Outgoing<N>,
    tally: Tally,
    seen: Vec<Seen>,
    /// What the states of this level are missing.
    narrow: Vec<(usize, i32)>,
    /// The least state of this level in which there is an error.
    failing: Option<Vec<i32>>,
    stopped: Option<Ended<Systems>>,
    /// Why a checkpoint could not be read.
    failure: Option<String>,
    counted: u64,
    /// The last level in a checkpoint of this run.
    kept: Option<u64>,
}

/// Runs a worker until all of them come to an end.
pub(super) fn run<const N: usize>(
    task: &Task<'_, '_>, resumed: Option<Resumed>, worker: &mut Worker, faults: &Arc<Faults>,
) -> Result<Conclusion, Lost> {
    let peers = worker.peers();
    let arena = Rc::new(RefCell::new(Arena::<N>::new(task.limits, peers)));
    let post = Post::new(worker, Rc::clone(&arena), faults);
    let explorer = Explorer {
        task,
        hands: task.machine.hands(),
        post,
        arena,
        outgoing: Outgoing::new(peers),
        tally: Tally::default(),
        seen: task.asked.nothing_seen(),
        narrow: Vec::new(),
        failing: None,
        stopped: None,
        failure: None,
        counted: 0,
        kept: None,
    };
    explorer.run(resumed)
}

impl<const N: usize> Explorer<'_, '_, N> {
    fn run(mut self, resumed: Option<Resumed>) -> Result<Conclusion, Lost> {
        let first = match resumed {
            Some(resumed) => match self.resume(resumed)? {
                Ok(level) => level,
                Err(end) => return self.finish(end, 0),
            },
            None => {
                self.begin();
                0
            }
        };
        let mut level = first;
        let end = loop {
            if level > first
                && let Some(reason) = self.keep(level)?
            {
                break End::Failed(reason);
            }
            let width = self.arena.borrow().level(level).len() as u64;
            if self.task.alone_while.is_some_and(|most| width > most) {
                break End::Wide;
            }
            if self.task.asked.looks_at_states() {
                self.look(level)?;
                if self.task.asked.is_settled(&self.seen) {
                    break End::Ended(Ended::Answered);
                }
            }
            if let Some(end) = self.expand_level(level)? {
                break end;
            }
            level += 1;
        };
        self.finish(end, level)
    }

    /// Takes the initial states that this worker owns.
    fn begin(&mut self) {
        let (index, peers) = (self.post.index(), self.post.peers());
        // That there are initial states was found out before.
        let initial = self.task.machine.semantics.initial_states().unwrap_or_default();
        let mut own = Vec::new();
        for values in initial {
            match self.hands.write_leader(&values) {
                Ok(state) if owner(hash(&state), peers) == index => own.push(state),
                Ok(_) => {}
                Err(trouble) => self.note(trouble, || values),
            }
        }
        let mut arena = self.arena.borrow_mut();
        arena.count_levels_from(1, 0);
        arena.add(0, &own);
    }

    /// Takes in what an earlier run has found, as if it were found now. The level to go on with.
    fn resume(&mut self, mut resumed: Resumed) -> Result<Result<u64, End>, Lost> {
        self.arena.borrow_mut().count_levels_from(0, 0);
        for chain in &resumed.chains {
            let mut notes = Reader::new(chain.notes());
            notes.numbers();
            self.tally.join(Tally::read(&mut notes));
            self.seen.iter_mut().for_each(|seen| seen.join(Seen::read(&mut notes)));
        }
        // States are counted where they are now.
        self.tally.states = 0;
        for level in 0..=resumed.level {
            for chain in &mut resumed.chains {
                let read = chain.next_level(|words| {
                    let mut states: Vec<Words<N>> =
                        words.chunks_exact(N).map(|words| std::array::from_fn(|word| words[word])).collect();
                    self.post.step()?;
                    self.check();
                    // They are of this level, and would be sent to the next.
                    self.distribute_at(level, &mut states).map_err(Interrupted::from)
                });
                match read {
                    Ok(()) => {}
                    Err(Interrupted::Lost) => return Err(Lost),
                    Err(Interrupted::Unreadable(error)) => {
                        self.failure = Some(format!("a checkpoint cannot be read: {error}"));
                        self.post.halt();
                    }
                }
            }
            self.send_all()?;
            let contribution = self.contribution(1);
            let all = self.post.end_round(contribution)?;
            if let Some(end) = self.conclude(level, &all) {
                return Ok(Err(end));
            }
        }
        self.report_progress();
        Ok(Ok(resumed.level))
    }

    /// Writes a checkpoint, if it is time for one. Why it could not be written, if somebody could not.
    fn keep(&mut self, level: u64) -> Result<Option<String>, Lost> {
        let Some(keeping) = self.task.keeping.filter(|keeping| level.is_multiple_of(keeping.every.max(1))) else {
            return Ok(None);
        };
        let first = self.kept.map_or(0, |kept| kept + 1);
        let (worker, peers) = (self.post.index() as u64, self.post.peers() as u64);
        let title = Title { generation: keeping.generation, peers, worker, first, level };
        let mut notes = Writer::default();
        notes.numbers(&self.task.machine.packing().to_words());
        self.tally.write(&mut notes);
        self.seen.iter().for_each(|seen| seen.write(&mut notes));
        let arena = Rc::clone(&self.arena);
        let counts: Vec<u64> = (first..=level).map(|level| arena.borrow().level(level).len() as u64).collect();
        let (mut next, end) = (arena.borrow().level(first).start, arena.borrow().level(level).end);
        let (limits, mut stopped) = (self.task.limits, None);
        let mut states = std::iter::from_fn(|| {
            if let Err(error) = limits.check() {
                stopped = Some(error.into());
                return Some(Err(io::ErrorKind::Interrupted.into()));
            }
            let until = end.min(next + LETTER);
            let arena = arena.borrow();
            let words: Vec<u64> = (next..until).flat_map(|number| *arena.states.get(number)).collect();
            next = until;
            (!words.is_empty()).then_some(Ok(words))
        });
        let mut lost = false;
        let post = &mut self.post;
        let mut tick = || lost |= post.step().is_err();
        let written = checkpoint::write(
            keeping.folder,
            keeping.fingerprint,
            &title,
            N,
            &notes.done(),
            &counts,
            &mut states,
            &mut tick,
        );
        if lost {
            return Err(Lost);
        }
        let is_stopped = stopped.is_some();
        self.stopped = self.stopped.take().or(stopped);
        let mut words = Writer::default();
        words.number(u64::from(is_stopped));
        words.text(&written.err().filter(|_| !is_stopped).map_or(String::new(), |error| {
            format!("cannot write a checkpoint into {}: {error}", keeping.folder.display())
        }));
        let all = self.post.gather(words.done())?;
        let mut readers: Vec<Reader<'_>> = all.iter().map(|words| Reader::new(words)).collect();
        if readers.iter_mut().fold(false, |stopped, reader| stopped | (reader.number() != 0)) {
            // A limit ends the run before this checkpoint is whole: what was written before stays.
            return Ok(None);
        }
        let reason = readers.iter_mut().map(Reader::text).find(|reason| !reason.is_empty());
        if reason.is_none() && self.kept.is_none() && keeping.cleans_up {
            checkpoint::remove_before(keeping.folder, keeping.generation);
        }
        self.kept = Some(level);
        Ok(reason)
    }

    fn note(&mut self, trouble: Trouble, values: impl FnOnce() -> Vec<i32>) {
        match trouble {
            Trouble::Narrow(column, value) => {
                // One more for each column and direction is enough.
                self.narrow.push((column, value));
                if self.narrow.len() > 1000 {
                    self.narrow = extremes(&self.narrow);
                }
            }
            Trouble::Error => {
                let values = values();
                if self.failing.as_ref().is_none_or(|least| values < *least) {
                    self.failing = Some(values);
                }
            }
        }
    }

    /// Looks at the states of a level, and tells the others what was seen.
    fn look(&mut self, level: u64) -> Result<(), Lost> {
        let range = self.arena.borrow().level(level);
        let semantics = &self.task.machine.semantics;
        for number in range {
            if number % SLICE == 0 {
                self.post.step()?;
                self.check();
            }
            if self.stopped.is_some() || self.post.is_halted() {
                break;
            }
            let state = *self.arena.borrow().states.get(number);
            self.task.asked.look(semantics, &self.hands.read(&state), level, &mut self.seen);
        }
        let mut words = Writer::default();
        self.seen.iter().for_each(|seen| seen.write(&mut words));
        let all = self.post.gather(words.done())?;
        for (worker, words) in all.iter().enumerate() {
            let mut reader = Reader::new(words);
            for seen in &mut self.seen {
                let other = Seen::read(&mut reader);
                if worker != self.post.index() {
                    seen.join(other);
                }
            }
        }
        Ok(())
    }

    /// Whether a limit has struck.
    fn check(&mut self) {
        if self.stopped.is_none() {
            if self.arena.borrow().is_full {
                self.stopped = Some(Ended::Memory);
            } else if let Err(error) = self.task.limits.check() {
                self.stopped = Some(error.into());
            }
        }
        if self.stopped.is_some() || self.post.is_halted() {
            self.post.halt();
        }
    }

    /// Expands the states of a level. Why this is the end, if it is.
    fn expand_level(&mut self, level: u64) -> Result<Option<End>, Lost> {
        let range = self.arena.borrow().level(level);
        let mut next = range.start;
        let mut successors = Vec::new();
        let mut slice: Vec<Words<N>> = Vec::with_capacity(SLICE);
        while next < range.end {
            self.post.step()?;
            self.check();
            if self.post.is_halted() {
                break;
            }
            let end = range.end.min(next + SLICE);
            slice.clear();
            slice.extend((next..end).map(|number| *self.arena.borrow().states.get(number)));
            for state in &slice {
                self.expand(state, level, &mut successors);
            }
            self.distribute_at(level + 1, &mut successors)?;
            self.report_progress();
            next = end;
        }
        self.send_all()?;
        self.check();
        let contribution = self.contribution(range.len() as u64);
        let all = self.post.end_round(contribution)?;
        self.report_progress();
        Ok(self.conclude(level, &all))
    }

    fn expand(&mut self, state: &Words<N>, level: u64, successors: &mut Vec<Words<N>>) {
        let before = successors.len();
        match self.hands.expand(state, successors) {
            Ok(events) => {
                self.tally.transitions += events;
                let (most, sum) = self.hands.figures(state);
                if successors.len() == before {
                    let values = self.hands.read(state);
                    if self.task.machine.semantics.is_error_state(&values) {
                        self.tally.error.get_or_insert((level, values));
                        return;
                    }
                    self.tally.deadlocks += 1;
                    self.tally.see_deadlock(level, values);
                }
                self.tally.see(most, sum);
            }
            Err(trouble) => {
                successors.truncate(before);
                let values = self.hands.read(state);
                self.note(trouble, || values);
            }
        }
        if self.task.machine.leaders.is_some() {
            self.tally.ordinary += self.hands.orbit(state);
        }
    }

    /// Sends what is not yet sent.
    fn send_all(&mut self) -> Result<(), Lost> {
        for to in 0..self.post.peers() {
            let words = self.outgoing.take(to);
            self.post.send_states(to, words)?;
        }
        Ok(())
    }

    /// Gives each state of a level to its owner.
    fn distribute_at(&mut self, level: u64, successors: &mut Vec<Words<N>>) -> Result<(), Lost> {
        let (index, peers) = (self.post.index(), self.post.peers());
        if peers == 1 {
            self.arena.borrow_mut().add(level, successors);
            successors.clear();
            return Ok(());
        }
        self.outgoing.sort(successors);
        successors.clear();
        self.arena.borrow_mut().add(level, self.outgoing.of(index));
        self.outgoing.clear(index);
        for to in (0..peers).filter(|&to| to != index) {
            if self.outgoing.of(to).len() * N >= LETTER {
                let words = self.outgoing.take(to);
                self.post.send_states(to, words)?;
            }
        }
        Ok(())
    }

    fn report_progress(&mut self) {
        let states = self.arena.borrow().len() as u64;
        self.task.progress.add_states(states - self.counted);
        self.counted = states;
    }

    /// What this worker says at the end of a level.
    fn contribution(&self, expanded: u64) -> Vec<u64> {
        let mut words = Writer::default();
        words.number(expanded);
        words.number(match &self.stopped {
            None => 0,
            Some(Ended::Deadline) => 1,
            Some(Ended::Cancelled) => 2,
            Some(_) => 3,
        });
        let narrow = extremes(&self.narrow);
        words.number(narrow.len() as u64);
        for (column, value) in narrow {
            words.number(column as u64);
            words.number(value as u32 as u64);
        }
        words.values(self.failing.as_deref());
        words.text(self.failure.as_deref().unwrap_or_default());
        words.done()
    }

    /// What all say at the end of a level.
    fn conclude(&mut self, level: u64, all: &[Vec<u64>]) -> Option<End> {
        let (mut expanded, mut stopped, mut narrow, mut failing) = (0, 0, Vec::new(), None::<Vec<i32>>);
        for words in all {
            let mut reader = Reader::new(words);
            expanded += reader.number();
            stopped = stopped.max(reader.number());
            for _ in 0..reader.number() {
                narrow.push((reader.number() as usize, reader.number() as u32 as i32));
            }
            failing = [failing, reader.values()].into_iter().flatten().min();
            let failure = reader.text();
            if !failure.is_empty() {
                return Some(End::Failed(failure));
            }
        }
        match stopped {
            0 => {}
            1 => return Some(End::Ended(Ended::Deadline)),
            2 => return Some(End::Ended(Ended::Cancelled)),
            _ => return Some(End::Ended(Ended::Memory)),
        }
        if !narrow.is_empty() {
            return Some(End::Narrow(extremes(&narrow)));
        }
        if let Some(values) = failing {
            return Some(End::Error(level, values));
        }
        (expanded == 0).then_some(End::Ended(Ended::Complete))
    }

    /// Adds up what all know.
    fn finish(mut self, end: End, levels: u64) -> Result<Conclusion, Lost> {
        let mut words = Writer::default();
        self.tally.states = self.arena.borrow().len() as u64;
        self.tally.write(&mut words);
        let share = Share {
            states: self.tally.states,
            bytes: self.arena.borrow().bytes() as u64,
            letters: self.post.traffic.letters,
            sent: self.post.traffic.words * 8,
            waiting: self.post.traffic.waiting,
        };
        for number in [share.states, share.bytes, share.letters, share.sent, share.waiting.as_micros() as u64] {
            words.number(number);
        }
        let all = self.post.gather(words.done())?;
        let (mut tally, mut shares) = (Tally::default(), Vec::new());
        for words in &all {
            let mut reader = Reader::new(words);
            tally.join(Tally::read(&mut reader));
            shares.push(Share {
                states: reader.number(),
                bytes: reader.number(),
                letters: reader.number(),
                sent: reader.number(),
                waiting: Duration::from_micros(reader.number()),
            });
        }
        let mut ways = Vec::new();
        for (level, values) in self.task.asked.shown(&end, &tally, &self.seen) {
            ways.push(self.way_to(level, values)?);
        }
        self.post.close()?;
        if matches!(end, End::Narrow(_) | End::Wide) {
            // All of them are found again.
            self.task.progress.add_states(self.counted.wrapping_neg());
        }
        Ok(Conclusion { end, tally, seen: self.seen, levels, shares, ways })
    }

    /// A way to a state of a level, state by state, from an initial one: of the states of each level that lead there, the least
    /// is taken, so that it does not matter how many workers there are. Nothing if a limit strikes.
    fn way_to(&mut self, level: u64, values: Vec<i32>) -> Result<Option<Vec<Vec<i32>>>, Lost> {
        let mut way = VecDeque::from([values]);
        for level in (0..level).rev() {
            let target = self.hands.write(&way[0]).ok();
            let least = target.and_then(|target| self.least_before(level, &target));
            let is_over = self.task.limits.without_memory().check().is_err();
            let mut words = Writer::default();
            words.number(u64::from(is_over));
            words.values(least.as_deref());
            let all = self.post.gather(words.done())?;
            let mut readers: Vec<Reader<'_>> = all.iter().map(|words| Reader::new(words)).collect();
            let is_over = readers.iter_mut().fold(false, |over, reader| over | (reader.number() != 0));
            let Some(least) = readers.iter_mut().filter_map(Reader::values).min().filter(|_| !is_over) else {
                return Ok(None);
            };
            way.push_front(least);
        }
        Ok(Some(way.into()))
    }

    /// Of the states of a level that this worker owns and that lead to a state, the least.
    fn least_before(&mut self, level: u64, target: &Words<N>) -> Option<Vec<i32>> {
        let range = self.arena.borrow().level(level);
        let mut successors = Vec::new();
        let mut least: Option<Vec<i32>> = None;
        let limits = self.task.limits.without_memory();
        for number in range {
            if number % SLICE == 0 && (self.post.step().is_err() || limits.check().is_err()) {
                return None;
            }
            let state = *self.arena.borrow().states.get(number);
            successors.clear();
            if self.hands.expand(&state, &mut successors).is_ok() && successors.contains(target) {
                let values = self.hands.read(&state);
                if least.as_ref().is_none_or(|least| values < *least) {
                    least = Some(values);
                }
            }
        }
        least
    }
}

/// Why states of an earlier run are not all taken in.
enum Interrupted {
    Lost,
    Unreadable(io::Error),
}

impl From<io::Error> for Interrupted {
    fn from(error: io::Error) -> Interrupted {
        Interrupted::Unreadable(error)
    }
}

impl From<Lost> for Interrupted {
    fn from(_: Lost) -> Interrupted {
        Interrupted::Lost
    }
}

/// The least and the greatest value of each column.
fn extremes(narrow: &[(usize, i32)]) -> Vec<(usize, i32)> {
    let mut sorted = narrow.to_vec();
    sorted.sort_unstable();
    let mut kept = Vec::new();
    for group in sorted.chunk_by(|a, b| a.0 == b.0) {
        kept.push(group[0]);
        if group.len() > 1 {
            kept.push(group[group.len() - 1]);
        }
    }
    kept
}
