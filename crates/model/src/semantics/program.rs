//! Running the actions of a program.

use super::error::{Failure, Work};
use super::evaluate::{WithoutValue, element, on_state};
use super::{Cause, Prepared, PreparedProgram, States, distinct};
use crate::expression::{Boolean, Integer};
use crate::system::{Statement, Target};

/// How deep statements and calls may be nested.
const MOST_NESTED: u32 = 250;

/// What one transition does to a state.
pub(super) fn fire(
    prepared: &Prepared<'_>, program: &PreparedProgram<'_>, index: u32, local: &[i32], work: &mut Work,
) -> Result<States, Failure> {
    let mut run = Run { prepared, program, work };
    run.fire(index, local, MOST_NESTED).map_err(|cause| Failure::of(index, cause))
}

/// What a sequence of labels does to a state: one after the other, each the choice of a transition.
pub(super) fn call(
    prepared: &Prepared<'_>, program: &PreparedProgram<'_>, labels: &[u32], local: &[i32], work: &mut Work,
) -> Result<States, Failure> {
    let Some((first, rest)) = labels.split_first() else { return Ok(vec![local.to_vec()]) };
    let mut states = choose(prepared, program, *first, &[local], work)?;
    for &label in rest {
        states = choose(prepared, program, label, &states, work)?;
    }
    Ok(states)
}

/// What any transition with a label does to any of these states.
fn choose<S: AsRef<[i32]>>(
    prepared: &Prepared<'_>, program: &PreparedProgram<'_>, label: u32, states: &[S], work: &mut Work,
) -> Result<States, Failure> {
    let mut all = Vec::new();
    for state in states {
        for &transition in &prepared.labelled[label as usize] {
            all.append(&mut fire(prepared, program, transition, state.as_ref(), work)?);
        }
        limit(&all)?;
    }
    Ok(distinct(all))
}

/// Whether a boolean expression outside of actions holds.
pub(super) fn holds(condition: &Boolean<u32>, local: &[i32]) -> Result<bool, Cause> {
    on_state(local, WithoutValue::IsFalse).boolean(condition)
}

fn limit(states: &States) -> Result<(), Cause> {
    if states.len() > Work::MOST_STATES { Err(Cause::TooManyStates(Work::MOST_STATES)) } else { Ok(()) }
}

struct Run<'r, 'a> {
    prepared: &'r Prepared<'a>,
    program: &'r PreparedProgram<'a>,
    work: &'r mut Work,
}

impl Run<'_, '_> {
    fn fire(&mut self, index: u32, local: &[i32], depth: u32) -> Result<States, Cause> {
        let transition = &self.program.program.transitions[index as usize];
        if !holds(&transition.guard, local)? {
            return Ok(Vec::new());
        }
        self.block(&transition.body, vec![local.to_vec()], depth)
    }

    /// The states that a block leads to from any of these.
    fn block(&mut self, body: &[Statement], mut states: States, depth: u32) -> Result<States, Cause> {
        let depth = depth.checked_sub(1).ok_or(Cause::TooDeep)?;
        for statement in body {
            if states.is_empty() {
                break;
            }
            let mut next = Vec::with_capacity(states.len());
            for state in states {
                self.work.step()?;
                self.statement(statement, state, &mut next, depth)?;
                limit(&next)?;
            }
            states = distinct(next);
        }
        Ok(states)
    }

    fn statement(
        &mut self, statement: &Statement, mut state: Vec<i32>, next: &mut States, depth: u32,
    ) -> Result<(), Cause> {
        match statement {
            Statement::Assign(target, value) => {
                assign(target, value, &mut state)?;
                next.push(state);
            }
            Statement::If(condition, then, otherwise) => {
                let branch = if on_state(&state, WithoutValue::IsError).boolean(condition)? { then } else { otherwise };
                next.append(&mut self.block(branch, vec![state], depth)?);
            }
            Statement::Abort => {}
            Statement::Fixpoint(body) => next.append(&mut self.fixpoint(body, state, depth)?),
            Statement::Call(label) => {
                let called = self.program.labels.get(label.as_str());
                for &transition in called.map_or(&[][..], |&label| &self.prepared.labelled[label as usize]) {
                    next.append(&mut self.fire(transition, &state, depth)?);
                }
            }
        }
        Ok(())
    }

    /// Repeats a block until the set of states stays the same. One earlier set is kept to compare with, replaced after
    /// 1, 2, 4, ... rounds: sets that repeat themselves in a circle of whatever length meet it (Brent's method).
    fn fixpoint(&mut self, body: &[Statement], state: Vec<i32>, depth: u32) -> Result<States, Cause> {
        let mut states = vec![state];
        let mut earlier = states.clone();
        let (mut rounds, mut until) = (0u64, 1u64);
        loop {
            self.work.step()?;
            let next = self.block(body, states.clone(), depth)?;
            if next == states {
                return Ok(states);
            }
            if next == earlier {
                return Err(Cause::Oscillates);
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

fn assign(target: &Target, value: &Integer<u32>, state: &mut [i32]) -> Result<(), Cause> {
    let (variable, value) = {
        let evaluator = on_state(state, WithoutValue::IsError);
        let variable = match target {
            Target::Variable(variable) => *variable as usize,
            Target::Element { first, length, index } => {
                *first as usize + element(evaluator.integer(index)?, *length)? as usize
            }
        };
        (variable, evaluator.integer(value)?)
    };
    *state.get_mut(variable).ok_or(Cause::Unknown)? = value;
    Ok(())
}
