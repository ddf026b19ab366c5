//! From a file to the system it describes: parameters, ranges, templates and loops are filled in, names are resolved.
//!
//! A type with values for its parameters (and types for its templates) is made once, however often it is used. Types are
//! made on a stack of their own, so that a tower of twenty thousand types is no deeper than one.

mod builder;
mod calls;
mod combine;
mod composite;
mod directory;
mod environment;
mod formula;
mod hotbit;
mod meaning;
mod member;
mod net;
mod program;
mod queue;
mod steps;
mod symmetry;
mod types;

pub(crate) use builder::{Meaning, Names, Variable};
pub(crate) use environment::Environment;
pub use environment::Scope;
pub(super) use formula::question_of;
pub(crate) use formula::{Asked, Reader};

use environment::NoValue;
use types::Types;

use super::check;
use super::declared::Declared;
use super::ledger::{Ledger, Outcome, complaint};
use super::syntax::{File, Main, TypeUse};
use crate::property::Property;
use crate::system::System;
use crate::text::{Problem, Span, Unreadable};

/// A system and what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The system.
    pub system: System,
    /// The properties that the file asks for.
    pub properties: Vec<Property>,
    /// Its constants and ranges.
    pub scope: Scope,
    /// Properties that mean nothing with the values that constants were given, with what is wrong with each.
    pub broken: Vec<(String, Vec<Problem>)>,
    /// What is worth a note.
    pub notes: Vec<Problem>,
}

/// Fills in all parameters of a file and resolves its names. `name` and `source` are those of the file, for error
/// messages; `defines` gives constants (or parameters of the main type) other values.
pub fn elaborate(
    file: &File, name: &str, source: &str, defines: &[(String, i32)],
) -> Result<Specification, Unreadable> {
    let mut ledger = Ledger::new(source.len());
    match model(file, defines, &mut ledger) {
        Ok(model) if ledger.is_clean() => Ok(model),
        _ => {
            if ledger.is_clean() {
                ledger.report(Problem::new(Span::default(), "this file cannot be made into a system"));
            }
            Err(Unreadable::new(name, source, ledger.problems()))
        }
    }
}

fn model(file: &File, defines: &[(String, i32)], ledger: &mut Ledger) -> Outcome<Specification> {
    let declared = Declared::of(file, ledger);
    check::check(&declared, ledger);
    let mut environment = constants(&declared, defines, ledger);
    let mut notes = Vec::new();
    let Some(main) = main_type(&declared, &mut notes, ledger) else { return Err(super::ledger::Stop) };
    let main = with_defines(main, &declared, defines, ledger);
    if !ledger.is_clean() {
        return Err(super::ledger::Stop);
    }
    let mut types = Types::new(&declared);
    let main_key = types.key(&main.type_use, &main.bindings, None, &mut environment, ledger)?;
    let index = types.make(main_key, &mut environment, ledger)?;
    let needed = types.made.len();
    types.make_the_others(&mut environment, ledger);
    let begins = match types.made.get(index) {
        Some(of) => composite::initial_states(of, &main.from, ledger)?,
        None => vec![0],
    };
    let (made, facts) = types.finish(needed);
    let asked = formula::Asking { properties: &declared.properties, may_be_broken: !defines.is_empty() };
    let (properties, broken) = formula::properties(asked, &made, &facts, index, &mut environment, ledger);
    let name = declared.model.unwrap_or(&main.type_use.name).text.clone();
    let scope = environment.scope();
    Ok(Specification { system: System { name, types: made, main: index, begins }, properties, scope, broken, notes })
}

/// The constants and ranges of the file.
fn constants<'a>(declared: &Declared<'a>, defines: &[(String, i32)], ledger: &mut Ledger) -> Environment<'a> {
    let mut environment = Environment::default();
    for constant in &declared.constants {
        let defined = defines.iter().rev().find(|(name, _)| *name == constant.name.text);
        let value = match defined {
            Some((_, value)) => Ok(*value),
            None => environment.value(&constant.value).map_err(|reason| match reason {
                NoValue::Parameter(span, name) => {
                    let problem = environment.unknown_parameter(span, &name);
                    let later = declared.constants.iter().find(|later| later.name.text == name);
                    ledger.report(match later {
                        Some(later) => complaint::too_early(problem, later.name.span()),
                        None => problem,
                    })
                }
                reason => environment.explain(reason, ledger),
            }),
        };
        if let Ok(value) = value {
            environment.define(&constant.name.text, value);
        }
    }
    for range in &declared.ranges {
        if let Ok(bounds) = environment.bounds(&range.least, &range.greatest, ledger) {
            environment.define_range(&range.name.text, bounds);
        }
    }
    environment
}

/// The main type: the one that the file names, or the last it declares.
fn main_type(declared: &Declared<'_>, notes: &mut Vec<Problem>, ledger: &mut Ledger) -> Option<Main> {
    if let Some(main) = declared.main {
        return Some(main.clone());
    }
    let Some(last) = declared.types.last() else {
        let problem = Problem::new(Span::default(), "the file declares no type")
            .help("declare one, such as `gal counter { int x = 0; transition up [x < 3] { x += 1; } }`");
        ledger.report(problem);
        return None;
    };
    let name = last.body.name().clone();
    if declared.types.len() > 1 {
        let note = Problem::new(name.span(), "the file does not say which type is the system");
        notes.push(note.label(format!("the last one is taken: `main {};`", name.text)));
    }
    Some(Main { type_use: TypeUse { name, arguments: Vec::new() }, bindings: Vec::new(), from: Vec::new() })
}

/// The main type with those of the given values that are meant for its parameters. What is meant for nothing is
/// reported.
fn with_defines(mut main: Main, declared: &Declared<'_>, defines: &[(String, i32)], ledger: &mut Ledger) -> Main {
    use super::syntax::{Constant, Expression, ExpressionKind, Name};
    let of = declared.type_names.get(main.type_use.name.text.as_str()).and_then(|&index| declared.types.get(index));
    let parameters = of.map_or(&[][..], |of| of.body.parameters());
    for (name, value) in defines {
        if declared.constants.iter().any(|constant| constant.name.text == *name) {
            continue;
        }
        if parameters.iter().any(|parameter| parameter.name.text == *name) {
            main.bindings.retain(|binding| binding.name.text != *name);
            let value = Expression::plain(ExpressionKind::Number(*value));
            main.bindings.push(Constant { name: Name::new(name.as_str()), value });
            continue;
        }
        let constants = declared.constants.iter().map(|constant| constant.name.text.as_str());
        let names = constants.chain(parameters.iter().map(|parameter| parameter.name.text.as_str()));
        ledger.report_at_the_top(complaint::undeclared_constant(name, *value, names));
    }
    main
}
