//! The numbers of a project that have a name: constants, and templates with the value they were last given.

use rustc_hash::FxHashMap;

use super::palette::{Name, Palette};
use super::parse::{self, Dialect, Setting};
use super::piece::Piece;
use super::token::{Token, words};
use crate::text::Problem;
use crate::text::complaint;
use crate::text::problems::Problems;

/// A whole number with a name, as it is written.
pub(super) struct Parameter<'a> {
    pub name: Name,
    pub value: Piece<'a>,
}

/// Their values, some of which are given from outside. What has none is among the problems.
pub(super) fn values(
    parameters: &[Parameter<'_>], defines: &[(String, i32)], problems: &mut Problems,
) -> FxHashMap<String, i64> {
    let mut values: FxHashMap<String, i64> = FxHashMap::default();
    for (name, value) in defines {
        if parameters.iter().any(|parameter| parameter.name.text == *name) {
            values.insert(name.clone(), i64::from(*value));
        } else {
            let names = parameters.iter().map(|parameter| parameter.name.text.as_str());
            let none = "the net has no constants or templates that are whole numbers".to_owned();
            problems.add(complaint::undeclared_constant(name, *value, names, none));
        }
    }
    let mut open: Vec<(&Parameter<'_>, Vec<String>)> = parameters
        .iter()
        .filter(|parameter| !values.contains_key(&parameter.name.text))
        .map(|parameter| (parameter, names(&parameter.value.text)))
        .collect();
    // One may be defined by others, in any order; what is left in the end is defined by itself, or by nothing.
    loop {
        let is_ready = |(_, names): &(_, Vec<String>)| names.iter().all(|name| values.contains_key(name));
        let (ready, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(is_ready);
        let stuck = ready.is_empty();
        for (parameter, names) in if stuck { &rest } else { &ready } {
            let is_parameter = |name: &String| parameters.iter().any(|parameter| parameter.name.text == *name);
            if stuck && names.iter().all(is_parameter) {
                let problem = Problem::new(parameter.value.span, format!("`{}` has no value", parameter.name.text));
                problems.add(problem.label("this leads back to itself, or to what has no value"));
                continue;
            }
            if let Some(value) = value(parameter, &values, problems) {
                values.insert(parameter.name.text.clone(), value);
            }
        }
        if stuck {
            return values;
        }
        open = rest;
    }
}

/// The names in an expression.
fn names(text: &str) -> Vec<String> {
    let words = words(text).words;
    let words = (0..words.len()).filter_map(|index| words.get(index));
    let names = words.filter(|word| word.token == Token::Identifier);
    names.filter_map(|word| Some(text.get(word.span.start as usize..word.span.end as usize)?.to_owned())).collect()
}

fn value(parameter: &Parameter<'_>, values: &FxHashMap<String, i64>, problems: &mut Problems) -> Option<i64> {
    let Parameter { name, value } = parameter;
    if value.text.trim_ascii().is_empty() {
        let problem = Problem::new(name.span, format!("`{}` has no value", name.text));
        problems.add(problem.label("a whole number is to be given").help(format!("define it, as `{}=3`", name.text)));
        return None;
    }
    let none = Palette::default();
    let setting = Setting { dialect: Dialect::Editor, palette: &none, constants: values };
    parse::read(value, &setting, problems, |parser| parser.integer())
}
