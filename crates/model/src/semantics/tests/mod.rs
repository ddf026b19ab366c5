//! Each rule on systems made by hand.

mod composites;
mod expressions;
mod nets;
mod programs;

use super::*;
use crate::expression::{Boolean, Comparison, Integer};
use crate::net::{Effect, Initial, Place, Transition};
use crate::system::{
    Call, CompositeInitial, Instance, Location, ProgramInitial, ProgramTransition, Statement, Synchronisation, Target,
    Type, Variable,
};
use crate::text::Span;

/// A net with places `p0`, `p1`, ... and one initial marking.
fn net(marking: &[i32], transitions: Vec<Transition>) -> Net {
    Net {
        name: "net".into(),
        places: (0..marking.len()).map(|i| Place { name: format!("p{i}"), capacity: None }).collect(),
        transitions,
        initial: vec![Initial { name: String::new(), marking: marking.to_vec() }],
        ..Net::default()
    }
}

fn transition(name: &str, label: Option<&str>, effects: &[Effect]) -> Transition {
    Transition { name: name.into(), label: label.map(Into::into), effects: effects.to_vec(), priority: 0 }
}

fn take(place: u32, tokens: i32) -> Effect {
    Effect { take: tokens, ..Effect::on(place) }
}

fn put(place: u32, tokens: i32) -> Effect {
    Effect { put: tokens, ..Effect::on(place) }
}

/// A program with variables `v0`, `v1`, ...
fn program(values: &[i32], transitions: Vec<ProgramTransition>) -> Program {
    Program {
        name: "program".into(),
        variables: (0..values.len()).map(|i| Variable::new(format!("v{i}"))).collect(),
        transitions,
        initial: vec![ProgramInitial { name: String::new(), values: values.to_vec() }],
        ..Program::default()
    }
}

fn action(name: &str, label: Option<&str>, guard: Boolean<u32>, body: Vec<Statement>) -> ProgramTransition {
    ProgramTransition { name: name.into(), label: label.map(Into::into), guard, body, span: Span::default() }
}

fn constant(value: i32) -> Integer<u32> {
    Integer::Constant(value)
}

fn variable(index: u32) -> Integer<u32> {
    Integer::Variable(index)
}

fn element(first: u32, length: u32, index: Integer<u32>) -> Integer<u32> {
    Integer::Element { first, length, index: Box::new(index) }
}

fn compare(left: Integer<u32>, comparison: Comparison, right: i32) -> Boolean<u32> {
    Boolean::Compare(comparison, left, constant(right))
}

fn set(index: u32, value: Integer<u32>) -> Statement {
    Statement::Assign(Target::Variable(index), value)
}

fn add(index: u32, value: i32) -> Statement {
    set(index, Integer::Sum(vec![variable(index), constant(value)]))
}

const ALWAYS: Boolean<u32> = Boolean::Constant(true);

fn call(instance: Option<usize>, label: &str) -> Call {
    Call { instance, label: label.into() }
}

fn synchronisation(name: &str, label: Option<&str>, calls: Vec<Call>) -> Synchronisation {
    Synchronisation { name: name.into(), label: label.map(Into::into), calls }
}

/// A composite of instances `i0`, `i1`, ... that begin in the first initial state of their types.
fn composite(types: &[usize], synchronisations: Vec<Synchronisation>) -> Composite {
    let instances = types.iter().enumerate();
    Composite {
        name: "composite".into(),
        instances: instances.map(|(i, &type_index)| Instance { name: format!("i{i}"), type_index }).collect(),
        synchronisations,
        initial: vec![CompositeInitial { name: String::new(), choices: vec![vec![0]; types.len()] }],
        ..Composite::default()
    }
}

/// A system whose last type is the main one.
fn system(types: Vec<Type>) -> System {
    System { name: "system".into(), main: types.len() - 1, types, begins: vec![0] }
}

/// The successors of a state, as names and states.
fn successors(system: &System, state: &[i32]) -> Vec<(String, Vec<i32>)> {
    let semantics = Semantics::new(system).unwrap();
    let steps = semantics.successors(state).unwrap();
    steps.into_iter().map(|step| (semantics.name(&step.event), step.state)).collect()
}

/// What goes wrong in a state.
fn error(system: &System, state: &[i32]) -> RunError {
    Semantics::new(system).unwrap().successors(state).unwrap_err()
}

fn step(name: &str, state: &[i32]) -> (String, Vec<i32>) {
    (name.to_string(), state.to_vec())
}
