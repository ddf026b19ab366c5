//! What processes do in one step: one alone, two on a channel, or all together.
//!
//! In a step on a channel the value is passed first, then the effects of the receiver take place, then those of the
//! sender. A buffer takes a message at its end and gives one from its beginning; places without a message hold 0.

use rustc_hash::FxHashMap;

use super::super::syntax::{Direction, File, Sync, Transition, Width};
use super::directory::{Buffer, Directory};
use super::simplify::{self, Condition, Number};
use super::value::{Fault, Maker};
use super::{complaint, reads};
use crate::expression::{Comparison, Integer};
use crate::system::Target;
use crate::text::problems::Problems;
use crate::text::{Problem, Span};

/// A value that moves on in its buffer counts as so many letters.
const MOVED: u64 = 20;

/// A variable gets a value.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub target: Target,
    /// The type into which the value must fit; `None` if it surely does.
    pub width: Option<Width>,
    pub value: Number,
}

impl Assignment {
    fn of(variable: u32, value: Number) -> Assignment {
        Assignment { target: Target::Variable(variable), width: None, value }
    }
}

/// A process goes from one state to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub process: usize,
    pub from: u32,
    pub to: u32,
}

/// A step.
#[derive(Debug)]
pub(super) struct Step {
    pub name: String,
    pub span: Span,
    /// Who takes part.
    pub moves: Vec<Move>,
    /// What must hold beside the guards: that nobody else is in a commit state, that a buffer is not full.
    pub conditions: Vec<Condition>,
    /// The guards of those who take part.
    pub guards: Vec<Condition>,
    pub effects: Vec<Assignment>,
    /// Whether two processes change the same, or one reads what the other changes, so that the step is an error.
    pub conflict: bool,
}

/// A transition of a process, as it is written.
struct Half {
    name: String,
    span: Span,
    way: Move,
    guard: Condition,
    message: Option<Message>,
    effects: Vec<Assignment>,
}

/// What a transition has to do with a channel.
struct Message {
    channel: usize,
    content: Content,
}

enum Content {
    Send(Vec<Number>),
    Receive(Vec<(Target, Width)>),
}

/// All steps of a system; those that can never be taken because of commit states are left out.
pub(super) fn steps(file: &File, directory: &mut Directory, letters: usize, problems: &mut Problems) -> Vec<Step> {
    let mut halves = Vec::new();
    for (process, declared) in file.processes.iter().enumerate() {
        for transition in &declared.transitions {
            let half = half(directory, process, transition, problems);
            halves.extend(half);
        }
    }
    if problems.count() > 0 {
        return Vec::new();
    }
    let mut builder = Builder {
        directory,
        uncommitted: uncommitted(directory),
        names: FxHashMap::default(),
        steps: Vec::new(),
        // Pairs of senders and receivers may be many more than there are transitions.
        room: 10_000_000 + 2 * letters as u64,
    };
    let built = match file.system.as_ref().is_some_and(|line| line.synchronous) {
        true => {
            refuse_commit(file, problems);
            builder.synchronous(&halves, problems)
        }
        false => builder.asynchronous(&halves),
    };
    let steps = builder.steps;
    problems.keep(built);
    steps
}

/// Commit states say which process goes first, which means nothing where all go together.
fn refuse_commit(file: &File, problems: &mut Problems) {
    for state in file.processes.iter().flat_map(|process| &process.commit) {
        let problem = Problem::new(state.span, "commit states in a synchronous system are not supported");
        problems.add(problem.label("a commit state").help("leave `commit` out, or make the system `async`"));
    }
}

/// For each process, that it is in no commit state.
fn uncommitted(directory: &Directory) -> Vec<Option<Condition>> {
    let mut conditions = Vec::new();
    for process in &directory.processes {
        let numbers = (0..).zip(&process.commit).filter(|(_, commit)| **commit).map(|(number, _)| number);
        let list: Vec<Condition> =
            numbers.map(|number| simplify::not(simplify::equal(process.state, number))).collect();
        conditions.push(if list.is_empty() { None } else { Some(simplify::all(list)) });
    }
    conditions
}

/// A transition with its names resolved; everything wrong with it is reported.
fn half(directory: &mut Directory, process: usize, transition: &Transition, problems: &mut Problems) -> Option<Half> {
    let facts = &directory.processes[process];
    let from = problems.keep(facts.state(&transition.from).map_err(Box::new));
    let to = problems.keep(facts.state(&transition.to).map_err(Box::new));
    let name = format!("{}.{}_{}", facts.name, transition.from.text, transition.to.text);
    let maker = Maker { directory, process: Some(process) };
    let guard = match &transition.guard {
        Some(guard) => maker.keep(guard, maker.condition(guard), problems),
        None => Some(Condition::Constant(true)),
    };
    let mut effects = Vec::new();
    for effect in &transition.effects {
        let target = problems.keep(maker.target(&effect.target));
        let value = maker.keep(&effect.value, maker.number(&effect.value), problems);
        if let (Some((target, width)), Some(value)) = (target, value) {
            effects.push(Assignment { target, width: Some(width), value });
        }
    }
    let message = match &transition.sync {
        Some(sync) => Some(message(directory, process, sync, problems)?),
        None => None,
    };
    let way = Move { process, from: from?, to: to? };
    Some(Half { name, span: transition.span, way, guard: guard?, message, effects })
}

/// What a transition sends or receives; everything wrong with it is reported.
fn message(directory: &mut Directory, process: usize, sync: &Sync, problems: &mut Problems) -> Option<Message> {
    let channel = problems.keep(directory.channel(&sync.channel).map_err(Box::new));
    let maker = Maker { directory, process: Some(process) };
    let content = match sync.direction {
        Direction::Send => {
            let number = |value| maker.keep(value, maker.number(value), problems);
            Content::Send(sync.values.iter().filter_map(number).collect())
        }
        Direction::Receive => {
            let mut targets: Vec<(Target, Width)> = Vec::new();
            for value in &sync.values {
                let Some((target, width)) = problems.keep(maker.target(value)) else { continue };
                if let Target::Element { index, .. } = &target
                    && reads::depends(index, targets.iter().map(|(earlier, _)| earlier))
                {
                    problems.add(complaint::unclear_message(value.span, "the index depends on a value before it"));
                }
                targets.push((target, width));
            }
            Content::Receive(targets)
        }
    };
    let channel = channel?;
    let facts = &mut directory.channels[channel];
    let (values, span) = *facts.values.get_or_insert((sync.values.len(), sync.channel.span));
    if values != sync.values.len() {
        let (carried, found) = (complaint::counted(values, "value"), complaint::counted(sync.values.len(), "value"));
        let problem =
            Problem::new(sync.channel.span, format!("the channel `{}` carries {carried}", sync.channel.shown()))
                .label(format!("{found} here"))
                .related(span, format!("{carried} here"));
        problems.add(problem.help("all who send and receive on a channel must agree"));
    }
    Some(Message { channel, content })
}

struct Builder<'d> {
    directory: &'d Directory,
    uncommitted: Vec<Option<Condition>>,
    /// How often a name was given.
    names: FxHashMap<String, u32>,
    steps: Vec<Step>,
    /// How many more letters of source may be written out.
    room: u64,
}

impl Builder<'_> {
    fn asynchronous(&mut self, halves: &[Half]) -> Result<(), Fault> {
        let mut receivers: FxHashMap<usize, Vec<&Half>> = FxHashMap::default();
        for half in halves {
            if let Some(Message { channel, content: Content::Receive(_) }) = &half.message {
                receivers.entry(*channel).or_default().push(half);
            }
        }
        for half in halves {
            let Some(Message { channel, content }) = &half.message else {
                self.alone(half)?;
                continue;
            };
            if let Some(buffer) = &self.directory.channels[*channel].buffer {
                self.buffered(half, buffer, content)?;
            } else if let Content::Send(values) = content {
                for receiver in receivers.get(channel).into_iter().flatten() {
                    self.pair(half, receiver, *channel, values)?;
                }
            }
        }
        Ok(())
    }

    fn alone(&mut self, half: &Half) -> Result<(), Fault> {
        let effects = self.effects(half).collect();
        self.add(half.name.clone(), &[half], Vec::new(), effects)
    }

    fn buffered(&mut self, half: &Half, buffer: &Buffer, content: &Content) -> Result<(), Fault> {
        let count = || Integer::Variable(buffer.count);
        let capacity = Integer::Constant(buffer.capacity as i32);
        let mut effects = Vec::new();
        let condition = match content {
            Content::Send(values) => {
                for (storage, value) in buffer.arrays.iter().zip(values) {
                    let target = Target::Element { first: storage.first, length: buffer.capacity, index: count() };
                    effects.push(Assignment { target, width: Some(storage.width), value: value.clone() });
                }
                effects.push(Assignment::of(buffer.count, simplify::sum(vec![count(), Integer::Constant(1)])));
                simplify::compare(Comparison::Less, count(), capacity)
            }
            Content::Receive(targets) => {
                for (storage, (target, width)) in buffer.arrays.iter().zip(targets) {
                    let value = Integer::Variable(storage.first);
                    effects.push(Assignment { target: target.clone(), width: Some(*width), value });
                }
                let moved = u64::from(buffer.capacity) * buffer.arrays.len() as u64;
                self.room(moved * MOVED, || {
                    Problem::new(half.span, "there are too many who receive from buffers of this size")
                        .label(format!("this moves up to {moved} values on in their buffer"))
                        .help("use smaller buffers")
                })?;
                for storage in &buffer.arrays {
                    let last = storage.first + buffer.capacity - 1;
                    effects.extend((storage.first..last).map(|at| Assignment::of(at, Integer::Variable(at + 1))));
                    effects.push(Assignment::of(last, Integer::Constant(0)));
                }
                effects.push(Assignment::of(buffer.count, simplify::sum(vec![count(), Integer::Constant(-1)])));
                simplify::compare(Comparison::Greater, count(), Integer::Constant(0))
            }
        };
        effects.extend(self.effects(half));
        self.add(half.name.clone(), &[half], vec![condition], effects)
    }

    fn pair(&mut self, sender: &Half, receiver: &Half, channel: usize, values: &[Number]) -> Result<(), Fault> {
        let Some(Message { content: Content::Receive(targets), .. }) = &receiver.message else { return Ok(()) };
        if sender.way.process == receiver.way.process {
            return Ok(());
        }
        let facts = &self.directory.channels[channel];
        let mut effects = Vec::new();
        for (position, (value, (target, width))) in values.iter().zip(targets).enumerate() {
            if reads::depends(value, targets[..position].iter().map(|(earlier, _)| earlier)) {
                let label = format!("value {} is read from where the receiver stores one before it", position + 1);
                let problem = complaint::unclear_message(sender.span, &label);
                return Err(Box::new(problem.related(receiver.span, "the receiver")));
            }
            let carried = facts.carries.as_ref().and_then(|carries| carries.get(position));
            // The value must fit into what the channel carries, and into what receives it.
            let width = carried.map_or(*width, |carried| carried.narrower(*width));
            effects.push(Assignment { target: target.clone(), width: Some(width), value: value.clone() });
        }
        effects.extend(self.effects(receiver));
        effects.extend(self.effects(sender));
        let name = format!("{}.{}.{}", sender.name, facts.name, receiver.name);
        self.add(name, &[sender, receiver], Vec::new(), effects)
    }

    /// The change of state and the effects of a transition.
    fn effects<'h>(&self, half: &'h Half) -> impl Iterator<Item = Assignment> + use<'h> {
        let Move { process, from, to } = half.way;
        let state = self.directory.processes[process].state;
        let change = (from != to).then(|| Assignment::of(state, Integer::Constant(to as i32)));
        change.into_iter().chain(half.effects.iter().cloned())
    }

    fn synchronous(&mut self, halves: &[Half], problems: &mut Problems) -> Result<(), Fault> {
        for half in halves {
            if let Some(message) = &half.message {
                let channel = &self.directory.channels[message.channel];
                let message = "channels in a synchronous system are not supported";
                let problem = Problem::new(half.span, message)
                    .label(format!("this uses `{}`", complaint::shortened(&channel.name)));
                let problem = problem.related(channel.span, "the channel");
                problems.add(problem.help("pass the value in a global variable, or make the system `async`"));
            }
        }
        let mut of_process: Vec<Vec<&Half>> = vec![Vec::new(); self.directory.processes.len()];
        for half in halves {
            of_process[half.way.process].push(half);
        }
        if of_process.iter().any(Vec::is_empty) || problems.count() > 0 {
            return Ok(());
        }
        let combinations = of_process.iter().fold(1u64, |product, list| product.saturating_mul(list.len() as u64));
        if combinations > self.room {
            let of_first = &of_process[0];
            let span = of_first.iter().fold(of_first[0].span, |span, half| span.to(half.span));
            let problem = Problem::new(span, "there are too many ways in which the processes can move together")
                .label(format!("with those of the other processes, {combinations} combinations"))
                .help("in a synchronous system all processes move in each step: use fewer transitions, or `system async;`");
            return Err(Box::new(problem));
        }
        let mut digits = vec![0; of_process.len()];
        loop {
            let chosen: Vec<&Half> = of_process.iter().zip(&digits).map(|(list, &digit)| list[digit]).collect();
            self.together(&chosen)?;
            let movable = |&position: &usize| digits[position] + 1 < of_process[position].len();
            let Some(position) = (0..digits.len()).rev().find(movable) else { return Ok(()) };
            digits[position] += 1;
            digits[position + 1..].fill(0);
        }
    }

    fn together(&mut self, halves: &[&Half]) -> Result<(), Fault> {
        let parts: Vec<Vec<Assignment>> = halves.iter().map(|half| self.effects(half).collect()).collect();
        let conflict = reads::conflict(&parts);
        let names: Vec<&str> = halves.iter().map(|half| half.name.as_str()).collect();
        self.add(names.join("."), halves, Vec::new(), parts.into_iter().flatten().collect())?;
        if let Some(step) = self.steps.last_mut() {
            step.conflict = conflict;
        }
        Ok(())
    }

    /// Adds a step, unless commit states forbid it for ever.
    fn add(
        &mut self, name: String, halves: &[&Half], mut conditions: Vec<Condition>, effects: Vec<Assignment>,
    ) -> Result<(), Fault> {
        let committed = |half: &&Half| self.directory.processes[half.way.process].commit[half.way.from as usize];
        let (all, any) = (halves.iter().all(committed), halves.iter().any(committed));
        if any && !all {
            return Ok(());
        }
        let span = halves[0].span;
        let letters: u64 = halves.iter().map(|half| u64::from(half.span.end - half.span.start)).sum();
        self.room(letters + name.len() as u64, || too_many(span))?;
        if !any {
            let others = self.uncommitted.iter().enumerate();
            let others = others.filter(|(process, _)| halves.iter().all(|half| half.way.process != *process));
            conditions.extend(others.filter_map(|(_, condition)| condition.clone()));
            self.room(conditions.len() as u64 * 8, || too_many(span))?;
        }
        let name = self.unique(name);
        let moves = halves.iter().map(|half| half.way).collect();
        let guards = halves.iter().map(|half| half.guard.clone()).collect();
        self.steps.push(Step { name, span, moves, conditions, guards, effects, conflict: false });
        Ok(())
    }

    /// The name, or one like it that has not been there before.
    fn unique(&mut self, name: String) -> String {
        let count = self.names.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name}.{count}") }
    }

    fn room(&mut self, letters: u64, problem: impl FnOnce() -> Problem) -> Result<(), Fault> {
        match self.room.checked_sub(letters) {
            Some(room) => {
                self.room = room;
                Ok(())
            }
            None => Err(Box::new(problem())),
        }
    }
}

fn too_many(span: Span) -> Problem {
    Problem::new(span, "there are too many ways in which processes can act together")
        .label("the limit is exceeded here")
        .help("use more channels, with fewer processes on each of them, and fewer processes with commit states")
}
