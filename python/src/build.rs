//! Models that are built in Python.

use crate::error::{MandalaError, raised};
use crate::model::Model;
use mandala::build::{self, Action, Transition};
use pyo3::prelude::*;

/// Name, tokens, and the most tokens.
type Place = (String, i32, Option<i32>);
/// Name, arcs (how, place, weight), and the priority.
type NetTransition = (String, Vec<(String, String, i32)>, u32);
/// Name, condition, and assignments.
type ProgramAction = (String, Option<String>, Vec<(String, String)>);

/// A net.
#[pyfunction]
pub fn build_net(name: &str, places: Vec<Place>, transitions: Vec<NetTransition>) -> PyResult<Model> {
    let mut net = build::Net::new(name);
    for (place, tokens, capacity) in places {
        match capacity {
            Some(most) => net.place_with_capacity(place, tokens, most),
            None => net.place(place, tokens),
        };
    }
    for (name, arcs, priority) in transitions {
        let mut transition = Transition::new(name).priority(priority);
        for (how, place, weight) in arcs {
            transition = match how.as_str() {
                "take" => transition.take(place, weight),
                "put" => transition.put(place, weight),
                "read" => transition.read(place, weight),
                "inhibit" => transition.inhibit(place, weight),
                "reset" => transition.reset(place),
                other => return Err(MandalaError::new_err(format!("`{other}` is no kind of arc"))),
            };
        }
        net.transition(transition);
    }
    net.build().map(Model::from).map_err(|error| raised(&error))
}

/// A program.
#[pyfunction]
pub fn build_program(
    name: &str, variables: Vec<(String, Vec<i32>, bool)>, actions: Vec<ProgramAction>,
) -> PyResult<Model> {
    let mut program = build::Program::new(name);
    for (variable, values, is_array) in variables {
        match values.as_slice() {
            [value] if !is_array => program.variable(variable, *value),
            _ => program.array(variable, &values),
        };
    }
    for (name, condition, assignments) in actions {
        let mut action = Action::new(name);
        if let Some(condition) = condition {
            action = action.when(condition);
        }
        for (target, value) in assignments {
            action = action.set(target, value);
        }
        program.action(action);
    }
    program.build().map(Model::from).map_err(|error| raised(&error))
}
