//! Constants that are given other values than the file gives them.

use super::super::syntax::{Declaration, Expression, File, Initial, Kind, Variable};
use super::complaint;
use crate::text::problems::Problems;
use crate::text::{Problem, Span};

/// Writes other values into the global constants of a file. What is meant for no constant is reported.
pub(super) fn define(file: &mut File, defines: &[(String, i32)], problems: &mut Problems) {
    for (name, value) in defines {
        let constant = file.declarations.iter_mut().find_map(|declaration| match declaration {
            Declaration::Variable(variable) if is_constant(variable) && variable.name.text == *name => Some(variable),
            _ => None,
        });
        match constant {
            Some(constant) => {
                let expression = Expression { kind: Kind::Number(*value), span: constant.name.span, depth: 1 };
                constant.initial = Some(Initial::One(expression));
            }
            None => problems.add(no_constant(file, name, *value)),
        }
    }
}

/// Whether this is a constant; an array is none.
fn is_constant(variable: &Variable) -> bool {
    variable.constant && variable.length.is_none()
}

fn no_constant(file: &File, name: &str, value: i32) -> Problem {
    let cannot = |span: Span, label: String, help: &str| {
        Problem::new(span, format!("`{}` cannot be given the value {value}", complaint::shortened(name)))
            .label(label)
            .help(help)
    };
    let globals = file.declarations.iter().filter_map(|declaration| match declaration {
        Declaration::Variable(variable) => Some(variable),
        Declaration::Channel(_) => None,
    });
    if let Some(variable) = globals.clone().find(|variable| variable.name.text == name) {
        let label = if variable.constant { "this is an array" } else { "this is not a constant" };
        return cannot(variable.name.span, label.to_string(), "only constants such as `const byte N = 3;` can");
    }
    for process in &file.processes {
        if let Some(local) = process.variables.iter().find(|local| local.name.text == name) {
            let label = format!("this belongs to the process `{}`", process.name.shown());
            return cannot(local.name.span, label, "only constants outside of processes can: move it there");
        }
    }
    let names = globals.filter(|variable| is_constant(variable)).map(|variable| variable.name.text.as_str());
    complaint::undeclared_constant(name, value, names)
}
