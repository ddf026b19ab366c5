//! The words for what is wrong.

pub(crate) use crate::text::complaint::{counted, needs_index, no_array, out_of_range, shortened, too_early};

use super::super::syntax::{Binary, Name, PropertyKind};
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

/// What is said where operators on bits seem to join conditions.
pub(crate) fn of_bits(mut operators: impl Iterator<Item = Binary>) -> Option<&'static str> {
    operators.find_map(|operator| match operator {
        Binary::BitAnd => Some("`&` is for bits; \"and\" is written `&&`"),
        Binary::BitOr => Some("`|` is for bits; \"or\" is written `||`"),
        _ => None,
    })
}

/// What a name means that is no variable, but a word of another language.
pub(crate) fn other_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "TRUE" => "it is written `true`",
        "FALSE" => "it is written `false`",
        "dead" | "Dead" | "DEAD" | "terminated" | "stuck" | "end" | "timeout" | "Deadlock" | "DEADLOCK" => {
            "where nothing can happen is asked with `deadlock`"
        }
        _ => return None,
    })
}

/// A variable where a constant is expected.
pub(crate) fn not_constant(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{name}` is not a constant"))
        .label("its value changes while the system runs")
        .help("only numbers, constants and parameters (`$N`) may be used here")
}

/// A name where a constant is expected; whether it names something else is not known.
pub(crate) fn no_constant(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("there is no constant `{}`", shortened(name)))
        .label("only numbers, constants and parameters (`$N`) may be used here")
}

/// A problem with the name that was perhaps meant; `none` is said where there is nothing to be meant.
pub(crate) fn suggested<'a>(
    problem: Problem, name: &str, candidates: impl Iterator<Item = &'a str> + Clone, none: &str,
) -> Problem {
    complaint::suggested(problem, name, candidates, none.to_owned())
}

/// The name of a transition where a variable or a place is expected.
pub(crate) fn is_transition(problem: Problem, name: &str) -> Problem {
    problem.help(format!("this is a transition: write `fireable({})`", shortened(name)))
}

/// What is said of `bounds: x`, in which the kind of a question looks like an instance.
pub(crate) fn kind_in_brackets(instance: &str) -> Option<String> {
    let kind = PropertyKind::ALL.into_iter().find(|kind| kind.word() == instance)?;
    Some(format!("a kind of question is written in brackets: `[{}] : ...`", kind.word()))
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
