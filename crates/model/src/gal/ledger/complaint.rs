//! The words for what is wrong.

pub(crate) use crate::text::complaint::{counted, needs_index, no_array, out_of_range, shortened, too_early};

use super::super::syntax::Name;
use crate::text::{Problem, Span, complaint};

/// A name that was declared before.
pub(crate) fn twice(name: &Name, what: &str, first: Span) -> Problem {
    complaint::twice(name.span(), what, &name.text, first)
}

/// A name that means nothing; `candidates` are the names that mean something.
pub(crate) fn unknown<'a>(
    span: Span, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    complaint::unknown(span, what, name, candidates, none_at_all(what))
}

/// A name that a type does not have.
pub(crate) fn missing<'a>(
    span: Span, type_name: &str, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let message = format!("`{}` has no {what} `{}`", shortened(type_name), shortened(name));
    complaint::suggested(Problem::new(span, message).label("not found"), name, candidates, none_at_all(what))
}

/// A constant that is given a value from outside, and that the file does not have.
pub(crate) fn undeclared_constant<'a>(
    name: &str, value: i32, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    complaint::undeclared_constant(name, value, candidates, none_at_all("constant"))
}

fn none_at_all(what: &str) -> String {
    format!("there is no {what} at all")
}

/// An integer where a condition is expected.
pub(crate) fn no_condition(span: Span) -> Problem {
    Problem::new(span, "expected a condition, found an integer")
        .label("this is an integer")
        .help("compare it with something, such as `... != 0`")
}

/// A variable where a constant is expected.
pub(crate) fn not_constant(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{name}` is not a constant"))
        .label("its value changes while the system runs")
        .help("only numbers, constants and parameters (`$N`) may be used here")
}

/// A name for an expression where a variable is expected.
pub(crate) fn not_assignable(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{name}` cannot be changed"))
        .label("this is a name for an expression")
        .help("change the variables of the expression instead")
}

/// A name for an expression where only variables (or places) themselves have a meaning.
pub(crate) fn no_variable(span: Span, name: &str, things: &str) -> Problem {
    Problem::new(span, format!("`{name}` is no {things}"))
        .label("this is a name for an expression")
        .help(format!("name the {things} itself"))
}
