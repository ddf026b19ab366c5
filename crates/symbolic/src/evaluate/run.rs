//! Statements run on one state after the other.
//!
//! This is what statements mean, on the values of diagram variables: as `semantics` of the model crate says it, with
//! expressions that are simplified already. Programs whose bodies have too many paths are enumerated so, and
//! [`judge`](super::judge) asks it what no expression says.

use std::sync::Arc;

use mandala_model::system::{Program, Statement, Target};
use rustc_hash::FxHashMap;

use super::expression::{Expression, cell, constant};
use super::path::Reader;
use super::update::{Destination, Settled};

/// How deep statements and calls may be nested.
const MOST_NESTED: u32 = 250;

/// Steps that a run may take.
const MOST_STEPS: u64 = 4_000_000;

/// States that a run may lead to.
const MOST_STATES: usize = 1 << 20;

/// An error of the model: something has no value, a fixpoint never ends, calls go in circles, or there are too many
/// states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure;

/// Transitions of a program, and those that they call.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Runner {
    transitions: Vec<Action>,
}

/// A transition.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
struct Action {
    guard: Option<Expression>,
    body: Body,
}

/// Statements one after the other.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Body {
    statements: Vec<Code>,
    /// Whether a state has at most one state after it, whatever it is.
    is_function: bool,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Code {
    /// A variable, or an element of an array, and the value that it gets.
    Assign(Destination, Expression),
    /// An index that is out of range.
    Missing,
    If(Expression, Body, Body),
    Abort,
    Fixpoint(Body),
    /// Any one of these transitions of the runner.
    Call(Vec<usize>),
}

impl Body {
    /// Whether a state has at most one state after it, whatever it is.
    pub fn is_function(&self) -> bool {
        self.is_function
    }
}

/// Makes a [`Runner`].
pub struct Compiler<'r, 'p> {
    reader: &'r Reader<'p>,
    runner: Runner,
    /// Where the transitions of the program are in the runner.
    functions: FxHashMap<u32, usize>,
    /// Variables that are read or written.
    support: Vec<u32>,
}

impl<'r, 'p> Compiler<'r, 'p> {
    /// A compiler that knows no transition yet.
    pub fn new(reader: &'r Reader<'p>) -> Compiler<'r, 'p> {
        Compiler { reader, runner: Runner::default(), functions: FxHashMap::default(), support: Vec::new() }
    }

    /// Where a transition of the program is in the runner.
    pub fn transition(&mut self, index: u32) -> usize {
        if let Some(&known) = self.functions.get(&index) {
            return known;
        }
        let at = self.runner.transitions.len();
        self.functions.insert(index, at);
        // Whoever calls itself finds its number taken, and no function there.
        self.runner.transitions.push(Action::default());
        let program: &Program = self.reader.program;
        let transition = &program.transitions[index as usize];
        let guard = self.seen(self.reader.condition(&transition.guard));
        let body = self.body(&transition.body);
        self.runner.transitions[at] = Action { guard: Some(guard), body };
        at
    }

    /// Some statements.
    pub fn body(&mut self, statements: &[Statement]) -> Body {
        let statements: Vec<Code> = statements.iter().map(|statement| self.code(statement)).collect();
        let is_function = statements.iter().all(|code| match code {
            Code::Assign(..) | Code::Missing | Code::Abort => true,
            Code::If(_, yes, no) => yes.is_function && no.is_function,
            Code::Fixpoint(body) => body.is_function,
            Code::Call(called) => match called[..] {
                [] => true,
                [only] => self.runner.transitions[only].body.is_function,
                _ => false,
            },
        });
        Body { statements, is_function }
    }

    fn code(&mut self, statement: &Statement) -> Code {
        match statement {
            Statement::Abort => Code::Abort,
            Statement::Fixpoint(body) => Code::Fixpoint(self.body(body)),
            Statement::If(holds, yes, no) => {
                let holds = self.seen(self.reader.decision(holds));
                Code::If(holds, self.body(yes), self.body(no))
            }
            Statement::Assign(target, value) => {
                let value = self.seen(self.reader.value(value));
                match self.destination(target) {
                    Settled::Destination(destination) => Code::Assign(destination, value),
                    Settled::Done | Settled::Missing => Code::Missing,
                }
            }
            Statement::Call(label) => {
                let transitions = &self.reader.program.transitions;
                let called = (0u32..).zip(transitions).filter(|(_, callee)| callee.label.as_ref() == Some(label));
                Code::Call(called.map(|(index, _)| self.transition(index)).collect())
            }
        }
    }

    fn destination(&mut self, target: &Target) -> Settled {
        let (cells, index) = match target {
            Target::Variable(variable) => (Arc::from([self.reader.slots[*variable as usize]]), constant(0)),
            Target::Element { first, length, index } => {
                (self.reader.cells(*first, *length), self.seen(self.reader.value(index)))
            }
        };
        self.support.extend(&cells[..]);
        Destination::Element(cells, index).settled()
    }

    fn seen(&mut self, expression: Expression) -> Expression {
        self.support.extend(expression.support());
        expression
    }

    /// The runner, and the variables on which it depends or which it changes, ascending.
    pub fn done(mut self) -> (Runner, Vec<u32>) {
        self.support.sort_unstable();
        self.support.dedup();
        (self.runner, self.support)
    }
}

/// Counts the steps of a run.
#[derive(Default)]
struct Work(u64);

impl Work {
    fn step(&mut self) -> Result<(), Failure> {
        self.0 += 1;
        if self.0 > MOST_STEPS { Err(Failure) } else { Ok(()) }
    }
}

type States = Vec<Vec<i32>>;

impl Body {
    fn collect_written(&self, written: &mut Vec<u32>) {
        for code in &self.statements {
            match code {
                Code::Assign(Destination::Variable(variable), _) => written.push(*variable),
                Code::Assign(Destination::Element(cells, _), _) => written.extend(&cells[..]),
                Code::If(_, yes, no) => [yes, no].into_iter().for_each(|body| body.collect_written(written)),
                Code::Fixpoint(body) => body.collect_written(written),
                Code::Missing | Code::Abort | Code::Call(_) => {}
            }
        }
    }
}

impl Runner {
    /// The variables that transitions may assign, ascending.
    pub fn written(&self) -> Vec<u32> {
        let mut written = Vec::new();
        self.transitions.iter().for_each(|transition| transition.body.collect_written(&mut written));
        written.sort_unstable();
        written.dedup();
        written
    }

    /// Whether a transition leads to at most one state, whatever the state before is.
    pub fn is_function(&self, transition: usize) -> bool {
        self.transitions[transition].body.is_function
    }

    /// What a transition that is a function makes of a state; `false` if there is no state after it.
    pub fn fire_in_place(&self, transition: usize, state: &mut [i32]) -> Result<bool, Failure> {
        self.call(transition, state, &mut Work::default(), MOST_NESTED)
    }

    /// The states after a transition.
    pub fn fire(&self, transition: usize, state: &[i32]) -> Result<States, Failure> {
        self.choices(&[transition], state, &mut Work::default(), MOST_NESTED)
    }

    /// Whether transitions can fire one after the other: any one of each list.
    pub fn fires(&self, sequence: &[Vec<usize>], state: &[i32]) -> Result<bool, Failure> {
        let mut states = vec![state.to_vec()];
        for choices in sequence {
            let mut next = Vec::new();
            for state in &states {
                next.append(&mut self.choices(choices, state, &mut Work::default(), MOST_NESTED)?);
            }
            states = distinct(next)?;
        }
        Ok(!states.is_empty())
    }

    /// Whether a body leads from a state to the same state and to no other.
    pub fn keeps(&self, body: &Body, state: &[i32]) -> Result<bool, Failure> {
        let states = self.block(body, vec![state.to_vec()], &mut Work::default(), MOST_NESTED)?;
        Ok(matches!(&states[..], [only] if only == state))
    }

    /// Whether a body, repeated until nothing changes, comes to an end.
    pub fn ends(&self, body: &Body, state: &[i32]) -> bool {
        self.repeat(body, vec![state.to_vec()], &mut Work::default(), MOST_NESTED).is_ok()
    }

    fn call(&self, transition: usize, state: &mut [i32], work: &mut Work, depth: u32) -> Result<bool, Failure> {
        let Action { guard, body } = &self.transitions[transition];
        if guard.as_ref().is_none_or(|guard| guard.on(state) != Some(1)) {
            return Ok(false);
        }
        self.run(body, state, work, depth)
    }

    /// Runs a body that is a function; `false` if there is no state after it.
    fn run(&self, body: &Body, state: &mut [i32], work: &mut Work, depth: u32) -> Result<bool, Failure> {
        let depth = depth.checked_sub(1).ok_or(Failure)?;
        for code in &body.statements {
            work.step()?;
            let goes_on = match code {
                Code::Assign(destination, value) => assign(destination, value, state).map(|()| true)?,
                Code::Missing => return Err(Failure),
                Code::If(holds, yes, no) => {
                    let branch = if holds.on(state).ok_or(Failure)? != 0 { yes } else { no };
                    self.run(branch, state, work, depth)?
                }
                Code::Abort => false,
                Code::Fixpoint(body) => match &self.repeat(body, vec![state.to_vec()], work, depth)?[..] {
                    [last] => {
                        state.copy_from_slice(last);
                        true
                    }
                    _ => false,
                },
                Code::Call(called) => match called.first() {
                    Some(only) => self.call(*only, state, work, depth)?,
                    None => false,
                },
            };
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The states that a body leads to from any of these.
    fn block(&self, body: &Body, mut states: States, work: &mut Work, depth: u32) -> Result<States, Failure> {
        if body.is_function {
            let mut after = Vec::with_capacity(states.len());
            for mut state in states {
                if self.run(body, &mut state, work, depth)? {
                    after.push(state);
                }
            }
            return distinct(after);
        }
        let depth = depth.checked_sub(1).ok_or(Failure)?;
        for code in &body.statements {
            let mut next = Vec::with_capacity(states.len());
            for mut state in states {
                work.step()?;
                match code {
                    Code::Assign(destination, value) => {
                        assign(destination, value, &mut state)?;
                        next.push(state);
                    }
                    Code::Missing => return Err(Failure),
                    Code::If(holds, yes, no) => {
                        let branch = if holds.on(&state).ok_or(Failure)? != 0 { yes } else { no };
                        next.append(&mut self.block(branch, vec![state], work, depth)?);
                    }
                    Code::Abort => {}
                    Code::Fixpoint(body) => next.append(&mut self.repeat(body, vec![state], work, depth)?),
                    Code::Call(called) => next.append(&mut self.choices(called, &state, work, depth)?),
                }
                if next.len() > MOST_STATES {
                    return Err(Failure);
                }
            }
            states = distinct(next)?;
        }
        Ok(states)
    }

    fn choices(&self, called: &[usize], state: &[i32], work: &mut Work, depth: u32) -> Result<States, Failure> {
        let mut all = Vec::new();
        for &transition in called {
            let Action { guard, body } = &self.transitions[transition];
            if guard.as_ref().is_some_and(|guard| guard.on(state) == Some(1)) {
                all.append(&mut self.block(body, vec![state.to_vec()], work, depth)?);
            }
        }
        distinct(all)
    }

    /// Repeats a body until the set of states stays the same. One earlier set is kept to compare with, replaced after
    /// 1, 2, 4, ... rounds: sets that repeat themselves in a circle of whatever length meet it (Brent's method).
    fn repeat(&self, body: &Body, mut states: States, work: &mut Work, depth: u32) -> Result<States, Failure> {
        let mut earlier = states.clone();
        let (mut rounds, mut until) = (0u64, 1u64);
        loop {
            work.step()?;
            let next = self.block(body, states.clone(), work, depth)?;
            if next == states {
                return Ok(states);
            }
            if next == earlier {
                return Err(Failure);
            }
            rounds += 1;
            if rounds == until {
                earlier.clone_from(&next);
                until *= 2;
            }
            states = next;
        }
    }
}

/// Each state once, in ascending order.
fn distinct(mut states: States) -> Result<States, Failure> {
    states.sort_unstable();
    states.dedup();
    if states.len() > MOST_STATES { Err(Failure) } else { Ok(states) }
}

fn assign(destination: &Destination, value: &Expression, state: &mut [i32]) -> Result<(), Failure> {
    let variable = match destination {
        Destination::Variable(variable) => *variable,
        Destination::Element(cells, index) => index.on(state).and_then(|index| cell(cells, index)).ok_or(Failure)?,
    };
    state[variable as usize] = value.on(state).ok_or(Failure)?;
    Ok(())
}
