//! The words for what is wrong.

use super::super::syntax::Name;
use crate::text::suggest;
use crate::text::{Problem, Span};

/// A name that was declared before.
pub(in crate::gal) fn twice(name: &Name, what: &str, first: Span) -> Problem {
    Problem::new(name.span(), format!("the {what} `{}` is declared twice", name.text))
        .label("declared again here")
        .related(first, "first declared here")
}

/// A name that means nothing; `candidates` are the names that mean something.
pub(in crate::gal) fn unknown<'a>(
    span: Span, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let problem = Problem::new(span, format!("there is no {what} `{}`", shortened(name))).label("not found");
    suggested(problem, what, name, candidates)
}

/// A name that a type does not have.
pub(in crate::gal) fn missing<'a>(
    span: Span, type_name: &str, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let message = format!("`{}` has no {what} `{}`", shortened(type_name), shortened(name));
    suggested(Problem::new(span, message).label("not found"), what, name, candidates)
}

/// A problem with the name that was perhaps meant, or those that there are.
fn suggested<'a>(
    problem: Problem, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    match suggest::nearest(name, candidates.clone()) {
        Some(nearest) => problem.help(format!("did you mean `{nearest}`?")),
        None => match listed(what, candidates) {
            Some(list) => problem.help(list),
            None => problem,
        },
    }
}

/// `1 argument`, `2 arguments`
pub(in crate::gal) fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// The candidates, if they are few.
fn listed<'a>(what: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut names: Vec<String> = candidates.take(9).map(|name| format!("`{}`", shortened(name))).collect();
    names.sort();
    match names.len() {
        0 => Some(format!("there is no {what} at all")),
        1 => Some(format!("there is only {}", names[0])),
        2..=8 => Some(format!("there are {}", names.join(", "))),
        _ => None,
    }
}

/// A name that is not too long to be shown.
pub(in crate::gal) fn shortened(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_string(),
    }
}

/// An index that an array does not have.
pub(in crate::gal) fn out_of_range(span: Span, name: &str, index: i32, length: u32) -> Problem {
    let problem =
        Problem::new(span, format!("`{name}[{index}]` does not exist")).label(format!("the index is {index}"));
    match length {
        0 => problem.help(format!("`{name}` has no elements")),
        1 => problem.help(format!("`{name}` has one element, with the index 0")),
        _ => problem.help(format!("`{name}` has {length} elements, with indices from 0 to {}", length - 1)),
    }
}

/// An array without an index.
pub(in crate::gal) fn needs_index(span: Span, name: &str, length: u32) -> Problem {
    let problem = Problem::new(span, format!("`{name}` is an array")).label("an index is missing");
    match length {
        0 => problem,
        _ => problem.help(format!("write `{name}[i]`, with an index from 0 to {}", length - 1)),
    }
}

/// An index on something that is no array.
pub(in crate::gal) fn no_array(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{name}` is no array")).label("it has no elements").help("leave the index out")
}

/// An integer where a condition is expected.
pub(in crate::gal) fn no_condition(span: Span) -> Problem {
    Problem::new(span, "expected a condition, found an integer")
        .label("this is an integer")
        .help("compare it with something, such as `... != 0`")
}

/// A variable where a constant is expected.
pub(in crate::gal) fn not_constant(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{name}` is not a constant"))
        .label("its value changes while the system runs")
        .help("only numbers, constants and parameters (`$N`) may be used here")
}

/// A name for an expression where a variable is expected.
pub(in crate::gal) fn not_assignable(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{name}` cannot be changed"))
        .label("this is a name for an expression")
        .help("change the variables of the expression instead")
}
