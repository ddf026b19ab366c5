//! The words for what is wrong.

pub(super) use crate::text::complaint::{counted, needs_index, no_array, out_of_range, shortened, too_early};

use super::super::syntax::{Initial, Name, Variable, Width};
use super::value::Fault;
use crate::system::Misfit;
use crate::text::{Problem, Span, complaint};

/// A name that was declared before.
pub(super) fn twice(name: &Name, what: &str, first: Span) -> Problem {
    complaint::twice(name.span, what, &name.text, first).help("choose another name for one of them")
}

/// A message of which it matters in which order its values are read and stored, about which versions of DiVinE differ.
pub(super) fn unclear_message(span: Span, label: &str) -> Problem {
    Problem::new(span, "what this message passes depends on the order in which its values are stored")
        .label(label.to_string())
        .help("pass the values in two steps, or through variables that nothing else of the message uses")
}

/// A name that means nothing; `candidates` are the names that mean something.
pub(super) fn unknown<'a>(
    span: Span, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    complaint::unknown(span, what, name, candidates, none_declared(what))
}

/// A name that a process does not have.
pub(super) fn missing<'a>(
    span: Span, process: &str, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let message = format!("the process `{}` has no {what} `{}`", shortened(process), shortened(name));
    complaint::suggested(Problem::new(span, message).label("not found"), name, candidates, none_declared(what))
}

/// A constant that is given a value from outside, and that the file does not have.
pub(super) fn undeclared_constant<'a>(
    name: &str, value: i32, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    complaint::undeclared_constant(name, value, candidates, none_declared("constant"))
}

fn none_declared(what: &str) -> String {
    format!("no {what} is declared; declare it first")
}

/// A channel where a value is expected.
pub(super) fn no_value(span: Span, name: &str) -> Problem {
    let name = shortened(name);
    Problem::new(span, format!("`{name}` is a channel, not a variable"))
        .label("a channel has no value")
        .help(format!("send and receive with `sync {name}!e` and `sync {name}?x`"))
}

/// A constant whose value does not fit its type, or is none. A variable would lead to the error state; but a constant may
/// be the length of an array, and nothing can be said of such a system.
pub(super) fn no_constant(constant: &Variable, misfit: &Misfit) -> Fault {
    let Some(Initial::One(expression)) = &constant.initial else {
        return Box::new(Problem::new(constant.name.span, "this constant has no value"));
    };
    let Some(value) = misfit.value else {
        let problem = Problem::new(expression.span, "this constant has no value").label("something is divided by 0");
        return Box::new(problem);
    };
    let (least, greatest) = constant.width.bounds();
    let word = constant.width.word();
    let problem = Problem::new(expression.span, format!("{value} does not fit into `{word}`"))
        .label(format!("the values of `{word}` go from {least} to {greatest}"));
    Box::new(match constant.width {
        Width::Byte if Width::Int.range().holds(value) => problem.help("declare it as `int`"),
        _ => problem.help("use a value within this range"),
    })
}
