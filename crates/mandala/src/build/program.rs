//! Programs in code.
//!
//! A program is written down in GAL and read again: so conditions and values mean what they mean in a file, and what is
//! wrong with them is said in the same words.

use super::{check_names, wrong};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::model::{Model, Reader};
use mandala_model::system::Type;
use std::fmt::Write;

/// A program in the making: variables and actions by name. See [the module](super) for an example.
#[derive(Clone, Debug, Default)]
pub struct Program {
    name: String,
    variables: Vec<(String, Initial)>,
    actions: Vec<Action>,
}

#[derive(Clone, Debug)]
enum Initial {
    Variable(i32),
    Array(Vec<i32>),
}

/// An action in the making: when it may be taken, and what it does.
#[derive(Clone, Debug)]
#[must_use = "it is part of a program when that is told"]
pub struct Action {
    name: String,
    condition: String,
    assignments: Vec<(String, String)>,
}

impl Program {
    /// A program without variables.
    pub fn new(name: impl Into<String>) -> Program {
        Program { name: name.into(), ..Program::default() }
    }

    /// Adds a variable with the value that it has in the beginning.
    pub fn variable(&mut self, name: impl Into<String>, value: i32) -> &mut Program {
        self.variables.push((name.into(), Initial::Variable(value)));
        self
    }

    /// Adds an array with the values that its elements have in the beginning; they are called `name[0]`, `name[1]` and so
    /// on.
    pub fn array(&mut self, name: impl Into<String>, values: &[i32]) -> &mut Program {
        self.variables.push((name.into(), Initial::Array(values.to_vec())));
        self
    }

    /// Adds an action.
    pub fn action(&mut self, action: Action) -> &mut Program {
        self.actions.push(action);
        self
    }

    /// The model. An error if names are there twice or missing, or a condition or a value cannot be read.
    pub fn build(&self) -> Result<Model, Error> {
        let names = || [self.name.as_str()].into_iter();
        let variables = || self.variables.iter().map(|(name, _)| name.as_str());
        let actions = || self.actions.iter().map(|action| action.name.as_str());
        check_names(variables(), "variable")?;
        check_names(actions(), "action")?;
        if let Some(name) = names().chain(variables()).chain(actions()).find(|name| name.contains(['`', '\n'])) {
            return Err(wrong(format!("`{name}` has a backquote or a line break, which no name has")));
        }
        let model = Reader::new().format(Format::Gal).parse(&self.written()).map_err(|error| {
            Error::new(ErrorKind::Build, format!("the program `{}` cannot be built\n{error}", self.name))
        })?;
        self.is_as_meant(&model)?;
        Ok(model)
    }

    /// The program in GAL.
    fn written(&self) -> String {
        let mut text = format!("gal `{}` {{\n", self.name);
        for (name, initial) in &self.variables {
            // Writing into a text does not fail.
            let _ = match initial {
                Initial::Variable(value) => writeln!(text, "  int `{name}` = {value};"),
                Initial::Array(values) => {
                    let list: Vec<String> = values.iter().map(i32::to_string).collect();
                    writeln!(text, "  array [{}] `{name}` = ({});", values.len(), list.join(", "))
                }
            };
        }
        for action in &self.actions {
            let _ = writeln!(text, "  transition `{}` [{}] {{", action.name, action.condition);
            for (target, value) in &action.assignments {
                let _ = writeln!(text, "    {target} = {value};");
            }
            text.push_str("  }\n");
        }
        text.push_str("}\n");
        text
    }

    /// Whether what was read has as many parts as were meant: a condition such as `true] { } transition t [true` is none.
    fn is_as_meant(&self, model: &Model) -> Result<(), Error> {
        let system = model.system()?;
        let Type::Program(program) = system.main_type() else {
            return Err(wrong(format!("`{}` is no program", self.name)));
        };
        let as_meant = system.types.len() == 1
            && model.properties()?.is_empty()
            && program.transient.is_none()
            && program.transitions.len() == self.actions.len()
            && program.transitions.iter().zip(&self.actions).all(|(transition, action)| {
                transition.name == action.name
                    && transition.label.is_none()
                    && transition.body.len() == action.assignments.len()
            });
        if as_meant { Ok(()) } else { Err(wrong("a condition or a value is more than an expression")) }
    }
}

impl Action {
    /// An action that can always be taken and does nothing.
    pub fn new(name: impl Into<String>) -> Action {
        Action { name: name.into(), condition: "true".to_owned(), assignments: Vec::new() }
    }

    /// It is taken only if this holds: `x < 3 && at[0] == 1`.
    pub fn when(mut self, condition: impl Into<String>) -> Action {
        self.condition = condition.into();
        self
    }

    /// Gives a variable or an element of an array a value, after what was said before: `set("x", "x + 1")`.
    pub fn set(mut self, target: impl Into<String>, value: impl Into<String>) -> Action {
        self.assignments.push((target.into(), value.into()));
        self
    }
}
