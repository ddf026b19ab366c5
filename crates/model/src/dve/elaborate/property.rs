//! Assertions: what must hold whenever a process is in a state.

use rustc_hash::FxHashMap;

use super::super::syntax::{Expression, File, Name};
use super::directory::{Directory, ProcessFacts};
use super::simplify::{self, Condition, Number};
use super::value::{Fault, Maker};
use crate::expression::{Boolean, Integer};
use crate::property::{Atom, Formula, Property, Question};
use crate::system::Location;
use crate::text::problems::Problems;

/// The assertions of all processes, as invariants called `P.state`, `P.state.2` and so on.
pub(super) fn assertions(file: &File, directory: &Directory, problems: &mut Problems) -> Vec<Property> {
    let mut properties: Vec<Property> = Vec::new();
    for (process, declared) in file.processes.iter().enumerate() {
        let facts = &directory.processes[process];
        let maker = Maker { directory, process: Some(process) };
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        for (state, expression) in &declared.assertions {
            let Some(formula) = problems.keep(assertion(&maker, facts, state, expression)) else { continue };
            let count = counts.entry(&state.text).or_insert(0);
            *count += 1;
            let name = match count {
                1 => format!("{}.{}", facts.name, state.text),
                _ => format!("{}.{}.{count}", facts.name, state.text),
            };
            properties.push(Property { name, question: Question::Invariant(formula) });
        }
    }
    properties
}

/// Where the process is in the state, the condition holds.
fn assertion(maker: &Maker<'_>, facts: &ProcessFacts, state: &Name, expression: &Expression) -> Result<Formula, Fault> {
    let number = facts.state(state).map_err(Box::new)?;
    let here = formula(simplify::equal(facts.state, number as i32));
    let holds = super::formula::formula(maker, expression)?;
    Ok(Formula::Or(vec![Formula::Not(Box::new(here)), holds]))
}

/// A condition on one state.
pub(super) fn formula(condition: Condition) -> Formula {
    match condition {
        Boolean::Constant(truth) => Formula::Constant(truth),
        Boolean::Compare(comparison, left, right) => {
            Formula::Atom(Atom::Compare(comparison, located(left), located(right)))
        }
        Boolean::Not(operand) => Formula::Not(Box::new(formula(*operand))),
        Boolean::And(operands) => Formula::And(operands.into_iter().map(formula).collect()),
        Boolean::Or(operands) => Formula::Or(operands.into_iter().map(formula).collect()),
    }
}

fn at(variable: u32) -> Location {
    Location { path: Vec::new(), index: variable }
}

fn located(number: Number) -> Integer<Location> {
    match number {
        Integer::Constant(value) => Integer::Constant(value),
        Integer::Variable(variable) => Integer::Variable(at(variable)),
        Integer::Element { first, length, index } => {
            Integer::Element { first: at(first), length, index: Box::new(located(*index)) }
        }
        Integer::Sum(terms) => Integer::Sum(terms.into_iter().map(located).collect()),
        Integer::Unary(operator, operand) => Integer::Unary(operator, Box::new(located(*operand))),
        Integer::Binary(operator, left, right) => {
            Integer::Binary(operator, Box::new(located(*left)), Box::new(located(*right)))
        }
        Integer::Truth(inner) => Integer::Truth(Box::new(condition(*inner))),
    }
}

fn condition(condition_: Condition) -> Boolean<Location> {
    match condition_ {
        Boolean::Constant(truth) => Boolean::Constant(truth),
        Boolean::Compare(comparison, left, right) => Boolean::Compare(comparison, located(left), located(right)),
        Boolean::Not(operand) => Boolean::Not(Box::new(condition(*operand))),
        Boolean::And(operands) => Boolean::And(operands.into_iter().map(condition).collect()),
        Boolean::Or(operands) => Boolean::Or(operands.into_iter().map(condition).collect()),
    }
}
