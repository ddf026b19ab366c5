//! What a file in DVE means, straight from what is written: a plain interpreter of the syntax tree, made from the
//! description of the language (`docs/reference/dve.md`) and not from the elaboration, which it is compared with.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::super::syntax::{
    Binary, Declaration, Direction, Effect, Expression, File, Initial, Kind, Sync, Transition, Unary, Variable, Width,
};

/// A state of a system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Error,
    Proper(Configuration),
}

/// Where the processes are, what the variables hold, and which messages wait.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration {
    places: Vec<usize>,
    memory: Vec<i32>,
    buffers: BTreeMap<String, VecDeque<Vec<i32>>>,
}

#[derive(Clone, Copy, Debug)]
enum Meaning {
    Constant(i32),
    Variable { first: usize, length: Option<usize>, width: Width },
}

type Scope = BTreeMap<String, Meaning>;

/// A value does not exist or does not fit.
#[derive(Debug)]
struct Failure;

type Tried<T> = Result<T, Failure>;

/// A system that can be run.
pub struct Machine<'f> {
    file: &'f File,
    globals: Scope,
    locals: Vec<Scope>,
    initial: State,
}

/// What takes part in a step: a process and its transition.
type Part<'f> = (usize, &'f Transition);

impl<'f> Machine<'f> {
    pub fn new(file: &'f File) -> Machine<'f> {
        let mut machine = Machine { file, globals: Scope::new(), locals: Vec::new(), initial: State::Error };
        let mut begin = Configuration::default();
        let mut proper = true;
        for declaration in &file.declarations {
            match declaration {
                Declaration::Variable(variable) => proper &= machine.declare(None, variable, &mut begin).is_ok(),
                Declaration::Channel(channel) => {
                    let size = channel.buffer.as_ref().map_or(0, |size| machine.constant(None, size));
                    if size > 0 {
                        begin.buffers.insert(channel.name.text.clone(), VecDeque::new());
                    }
                }
            }
        }
        for (number, process) in file.processes.iter().enumerate() {
            machine.locals.push(Scope::new());
            for variable in &process.variables {
                proper &= machine.declare(Some(number), variable, &mut begin).is_ok();
            }
            begin.places.push(machine.state(number, &process.initial[0].text));
        }
        if proper {
            machine.initial = State::Proper(begin);
        }
        machine
    }

    pub fn initial(&self) -> State {
        self.initial.clone()
    }

    fn declare(&mut self, process: Option<usize>, variable: &Variable, begin: &mut Configuration) -> Tried<()> {
        let length = variable.length.as_ref().map(|length| self.constant(process, length) as usize);
        let given: Vec<&Expression> = match &variable.initial {
            None => Vec::new(),
            Some(Initial::One(value)) => vec![value],
            Some(Initial::List(values, _)) => values.iter().collect(),
        };
        let first = begin.memory.len();
        begin.memory.resize(first + length.unwrap_or(1), 0);
        let mut outcome = Ok(());
        for (index, value) in given.into_iter().enumerate() {
            let value = self.number(process, value, &Configuration::default());
            match value.and_then(|value| fitting(value, variable.width)) {
                Ok(value) => begin.memory[first + index] = value,
                Err(failure) => outcome = Err(failure),
            }
        }
        let meaning = match (variable.constant, length) {
            (true, None) => Meaning::Constant(begin.memory[first]),
            _ => Meaning::Variable { first, length, width: variable.width },
        };
        let scope = process.map_or(&mut self.globals, |process| &mut self.locals[process]);
        scope.insert(variable.name.text.clone(), meaning);
        outcome
    }

    fn constant(&self, process: Option<usize>, expression: &Expression) -> i32 {
        self.number(process, expression, &Configuration::default()).expect("a constant")
    }

    fn state(&self, process: usize, name: &str) -> usize {
        self.file.processes[process].states.iter().position(|state| state.text == name).expect("a state")
    }

    fn process(&self, name: &str) -> usize {
        self.file.processes.iter().position(|process| process.name.text == name).expect("a process")
    }

    fn meaning(&self, process: Option<usize>, name: &str) -> Meaning {
        let local = process.and_then(|process| self.locals[process].get(name));
        *local.or_else(|| self.globals.get(name)).expect("a declaration")
    }

    /// All steps from a state, one state for each.
    pub fn steps(&self, state: &State) -> Vec<State> {
        let State::Proper(now) = state else { return Vec::new() };
        let synchronous = self.file.system.as_ref().is_some_and(|line| line.synchronous);
        let groups = if synchronous { self.all_together(now) } else { self.alone_or_in_pairs(now) };
        let mut after = Vec::new();
        for group in groups {
            let guards = group.iter().map(|(process, transition)| match &transition.guard {
                Some(guard) => self.number(Some(*process), guard, now).map(|value| value != 0),
                None => Ok(true),
            });
            let guards: Vec<Tried<bool>> = guards.collect();
            if guards.iter().any(|guard| matches!(guard, Ok(false))) {
                continue;
            }
            // Where no guard is false, one without a value is a failure.
            let result = guards.into_iter().collect::<Tried<Vec<bool>>>().and_then(|_| match synchronous {
                true => self.move_together(&group, now),
                false => self.taken(&group, now),
            });
            after.push(result.map_or(State::Error, State::Proper));
        }
        after
    }

    /// The transitions that begin where a process is.
    fn beginning(&self, process: usize, now: &Configuration) -> impl Iterator<Item = Part<'f>> {
        let place = now.places[process];
        let facts = &self.file.processes[process];
        let here = move |transition: &&Transition| facts.states[place].text == transition.from.text;
        facts.transitions.iter().filter(here).map(move |transition| (process, transition))
    }

    fn is_committed(&self, process: usize, now: &Configuration) -> bool {
        let facts = &self.file.processes[process];
        facts.commit.iter().any(|state| state.text == facts.states[now.places[process]].text)
    }

    fn alone_or_in_pairs(&self, now: &Configuration) -> Vec<Vec<Part<'f>>> {
        let processes = 0..self.file.processes.len();
        let mut groups: Vec<Vec<Part<'f>>> = Vec::new();
        for part in processes.clone().flat_map(|process| self.beginning(process, now)) {
            let Some(sync) = &part.1.sync else {
                groups.push(vec![part]);
                continue;
            };
            match (now.buffers.get(&sync.channel.text), sync.direction) {
                (Some(waiting), Direction::Send) if waiting.len() < self.capacity(sync) => groups.push(vec![part]),
                (Some(waiting), Direction::Receive) if !waiting.is_empty() => groups.push(vec![part]),
                (None, Direction::Send) => {
                    for other in processes.clone().filter(|other| *other != part.0) {
                        let receives = |receiver: &Part<'_>| {
                            receiver.1.sync.as_ref().is_some_and(|other| {
                                other.direction == Direction::Receive && other.channel.text == sync.channel.text
                            })
                        };
                        groups.extend(self.beginning(other, now).filter(receives).map(|other| vec![part, other]));
                    }
                }
                _ => {}
            }
        }
        if processes.clone().any(|process| self.is_committed(process, now)) {
            groups.retain(|group| group.iter().all(|(process, _)| self.is_committed(*process, now)));
        }
        groups
    }

    fn capacity(&self, sync: &Sync) -> usize {
        let size = self.file.declarations.iter().find_map(|declaration| match declaration {
            Declaration::Channel(channel) if channel.name.text == sync.channel.text => channel.buffer.as_ref(),
            _ => None,
        });
        size.map_or(0, |size| self.constant(None, size) as usize)
    }

    /// The types of what a channel carries; none if they are not declared.
    fn carried(&self, sync: &Sync) -> Vec<Width> {
        let carries = self.file.declarations.iter().find_map(|declaration| match declaration {
            Declaration::Channel(channel) if channel.name.text == sync.channel.text => channel.carries.clone(),
            _ => None,
        });
        carries.unwrap_or_default()
    }

    /// What one process does alone, or a sender with its receiver.
    fn taken(&self, group: &[Part<'f>], now: &Configuration) -> Tried<Configuration> {
        let mut state = now.clone();
        let (sender, transition) = group[0];
        if let Some(sync) = &transition.sync {
            let (receiver, received) = match group.get(1) {
                Some((receiver, transition)) => (*receiver, transition.sync.as_ref().expect("a receiver")),
                None => (sender, sync),
            };
            let message = match sync.direction {
                Direction::Send => Some(self.message(sender, sync, &state)?),
                Direction::Receive => None,
            };
            if let Some(waiting) = state.buffers.get_mut(&sync.channel.text) {
                match message {
                    Some(message) => waiting.push_back(message),
                    None => {
                        let message = waiting.pop_front().expect("a message");
                        self.receive(receiver, received, message, &mut state)?;
                    }
                }
            } else if let Some(message) = message {
                self.receive(receiver, received, message, &mut state)?;
            }
        }
        // The receiver goes first.
        for (process, transition) in group.iter().rev() {
            self.effects(*process, transition, &mut state)?;
        }
        Ok(state)
    }

    fn message(&self, process: usize, sync: &Sync, state: &Configuration) -> Tried<Vec<i32>> {
        let carried = self.carried(sync);
        let mut message = Vec::new();
        for (position, value) in sync.values.iter().enumerate() {
            let value = self.number(Some(process), value, state)?;
            message.push(carried.get(position).map_or(Ok(value), |width| fitting(value, *width))?);
        }
        Ok(message)
    }

    fn receive(&self, process: usize, sync: &Sync, message: Vec<i32>, state: &mut Configuration) -> Tried<()> {
        sync.values.iter().zip(message).try_for_each(|(target, value)| self.store(process, target, value, state))
    }

    fn effects(&self, process: usize, transition: &Transition, state: &mut Configuration) -> Tried<()> {
        state.places[process] = self.state(process, &transition.to.text);
        for Effect { target, value } in &transition.effects {
            let value = self.number(Some(process), value, state)?;
            self.store(process, target, value, state)?;
        }
        Ok(())
    }

    fn store(&self, process: usize, target: &Expression, value: i32, state: &mut Configuration) -> Tried<()> {
        let (place, width) = match &target.kind {
            Kind::Variable(name) => self.place(self.meaning(Some(process), &name.text), None)?,
            Kind::Element(name, index) => {
                let index = self.number(Some(process), index, state)?;
                self.place(self.meaning(Some(process), &name.text), Some(index))?
            }
            other => panic!("nothing can be stored in {other:?}"),
        };
        state.memory[place] = fitting(value, width)?;
        Ok(())
    }

    fn place(&self, meaning: Meaning, index: Option<i32>) -> Tried<(usize, Width)> {
        match (meaning, index) {
            (Meaning::Variable { first, length: None, width }, None) => Ok((first, width)),
            (Meaning::Variable { first, length: Some(length), width }, Some(index)) => match usize::try_from(index) {
                Ok(index) if index < length => Ok((first + index, width)),
                _ => Err(Failure),
            },
            other => panic!("{other:?}"),
        }
    }

    fn all_together(&self, now: &Configuration) -> Vec<Vec<Part<'f>>> {
        let mut groups = vec![Vec::new()];
        for process in 0..self.file.processes.len() {
            let mut longer = Vec::new();
            for group in &groups {
                for part in self.beginning(process, now) {
                    longer.push(group.iter().copied().chain([part]).collect());
                }
            }
            groups = longer;
        }
        groups
    }

    /// What all processes do at once. Who changes what another reads or changes makes it fail.
    fn move_together(&self, group: &[Part<'f>], now: &Configuration) -> Tried<Configuration> {
        let used: Vec<(BTreeSet<usize>, BTreeSet<usize>)> = group.iter().map(|part| self.used(*part)).collect();
        for (one, (_, changed)) in used.iter().enumerate() {
            for (other, (read, written)) in used.iter().enumerate() {
                if one != other && changed.iter().any(|place| read.contains(place) || written.contains(place)) {
                    return Err(Failure);
                }
            }
        }
        let mut state = now.clone();
        for (process, transition) in group {
            self.effects(*process, transition, &mut state)?;
        }
        Ok(state)
    }

    /// The places that the effects of a transition read, and those that they change, as far as the text tells. A process
    /// that goes to another state changes a place of its own, beyond the variables.
    fn used(&self, (process, transition): Part<'f>) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        for Effect { target, value } in &transition.effects {
            self.read(process, value, &mut read);
            let (name, index) = match &target.kind {
                Kind::Variable(name) => (name, None),
                Kind::Element(name, index) => (name, Some(&**index)),
                other => panic!("nothing can be stored in {other:?}"),
            };
            if let Some(index) = index {
                self.read(process, index, &mut read);
            }
            written.extend(self.places(process, self.meaning(Some(process), &name.text), index));
        }
        if transition.from.text != transition.to.text {
            written.insert(usize::MAX - process);
        }
        (read, written)
    }

    fn read(&self, process: usize, expression: &Expression, read: &mut BTreeSet<usize>) {
        let mut add = |meaning: Meaning, index: Option<&Expression>| {
            read.extend(self.places(process, meaning, index));
            if let Some(index) = index {
                self.read(process, index, read);
            }
        };
        match &expression.kind {
            Kind::Number(_) | Kind::Truth(_) => {}
            Kind::Variable(name) => add(self.meaning(Some(process), &name.text), None),
            Kind::Element(name, index) => add(self.meaning(Some(process), &name.text), Some(index)),
            Kind::State(other, _) => _ = read.insert(usize::MAX - self.process(&other.text)),
            Kind::Foreign(other, name, index) => {
                add(self.locals[self.process(&other.text)][&name.text], index.as_deref());
            }
            Kind::Unary(_, operand) => self.read(process, operand, read),
            Kind::Chain(first, rest) => {
                self.read(process, first, read);
                rest.iter().for_each(|(_, operand)| self.read(process, operand, read));
            }
            Kind::Temporal(..) | Kind::Until(..) => panic!("no formulas here"),
        }
    }

    /// One place if it is known which, all places of an array if not.
    fn places(&self, process: usize, meaning: Meaning, index: Option<&Expression>) -> Vec<usize> {
        let Meaning::Variable { first, length, .. } = meaning else { return Vec::new() };
        let mut read = BTreeSet::new();
        if let Some(index) = index {
            self.read(process, index, &mut read);
        }
        match (length, index) {
            (Some(_), Some(index)) if read.is_empty() => vec![first + self.constant(Some(process), index) as usize],
            (Some(length), _) => (first..first + length).collect(),
            (None, _) => vec![first],
        }
    }

    fn number(&self, process: Option<usize>, expression: &Expression, state: &Configuration) -> Tried<i32> {
        let load = |meaning: Meaning, index: Option<&Expression>, of: Option<usize>| match (meaning, index) {
            (Meaning::Constant(value), _) => Ok(value),
            (meaning, index) => {
                let index = index.map(|index| self.number(of, index, state)).transpose()?;
                Ok(state.memory[self.place(meaning, index)?.0])
            }
        };
        Ok(match &expression.kind {
            Kind::Number(value) => *value,
            Kind::Truth(truth) => i32::from(*truth),
            Kind::Variable(name) => load(self.meaning(process, &name.text), None, process)?,
            Kind::Element(name, index) => load(self.meaning(process, &name.text), Some(index), process)?,
            Kind::State(other, name) => {
                let other = self.process(&other.text);
                i32::from(state.places[other] == self.state(other, &name.text))
            }
            Kind::Foreign(other, name, index) => {
                let meaning = self.locals[self.process(&other.text)][&name.text];
                load(meaning, index.as_deref(), process)?
            }
            Kind::Unary(operator, operand) => {
                let operand = self.number(process, operand, state)?;
                match operator {
                    Unary::Minus => operand.wrapping_neg(),
                    Unary::BitNot => !operand,
                    Unary::Not => i32::from(operand == 0),
                }
            }
            Kind::Chain(first, rest) => {
                let mut left = self.number(process, first, state)?;
                for (operator, right) in rest {
                    let right = || self.number(process, right, state);
                    left = match operator {
                        // The right side is looked at only if the left does not settle the matter.
                        Binary::And => i32::from(left != 0 && right()? != 0),
                        Binary::Or => i32::from(left != 0 || right()? != 0),
                        Binary::Imply => i32::from(left == 0 || right()? != 0),
                        operator => calculated(*operator, left, right()?)?,
                    };
                }
                left
            }
            Kind::Temporal(..) | Kind::Until(..) => panic!("no formulas here"),
        })
    }
}

fn fitting(value: i32, width: Width) -> Tried<i32> {
    let fits = match width {
        Width::Byte => u8::try_from(value).is_ok(),
        Width::Int => i16::try_from(value).is_ok(),
    };
    if fits { Ok(value) } else { Err(Failure) }
}

fn calculated(operator: Binary, left: i32, right: i32) -> Tried<i32> {
    Ok(match operator {
        Binary::BitOr => left | right,
        Binary::BitAnd => left & right,
        Binary::BitXor => left ^ right,
        Binary::Equal => i32::from(left == right),
        Binary::NotEqual => i32::from(left != right),
        Binary::Less => i32::from(left < right),
        Binary::LessOrEqual => i32::from(left <= right),
        Binary::Greater => i32::from(left > right),
        Binary::GreaterOrEqual => i32::from(left >= right),
        Binary::ShiftLeft => left.wrapping_shl(right as u32),
        Binary::ShiftRight => left.wrapping_shr(right as u32),
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide | Binary::Remainder if right == 0 => return Err(Failure),
        Binary::Divide => left.wrapping_div(right),
        Binary::Remainder => left.wrapping_rem(right),
        Binary::And | Binary::Or | Binary::Imply => panic!("looked at before"),
    })
}
