//! The words for what is wrong.

use super::super::syntax::{Name, Width};
use crate::text::suggest;
use crate::text::{Problem, Span};

/// A name that was declared before.
pub(super) fn twice(name: &Name, what: &str, first: Span) -> Problem {
    Problem::new(name.span, format!("the {what} `{}` is declared twice", name.text))
        .label("declared again here")
        .related(first, "first declared here")
        .help("choose another name for one of them")
}

/// A name that means nothing; `candidates` are the names that mean something.
pub(super) fn unknown<'a>(
    span: Span, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let problem = Problem::new(span, format!("there is no {what} `{name}`")).label("not found");
    suggested(problem, what, name, candidates)
}

/// A name that a process does not have.
pub(super) fn missing<'a>(
    span: Span, process: &str, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let message = format!("the process `{process}` has no {what} `{name}`");
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

/// The candidates, if they are few.
fn listed<'a>(what: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut names: Vec<String> = candidates.take(9).map(|name| format!("`{name}`")).collect();
    names.sort();
    match names.len() {
        0 => Some(format!("no {what} is declared; declare it first")),
        1 => Some(format!("there is only {}", names[0])),
        2..=8 => Some(format!("there are {}", names.join(", "))),
        _ => None,
    }
}

/// `1 value`, `2 values`
pub(super) fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// An index that an array does not have.
pub(super) fn out_of_range(span: Span, name: &str, index: i32, length: u32) -> Problem {
    let problem =
        Problem::new(span, format!("`{name}[{index}]` does not exist")).label(format!("the index is {index}"));
    match length {
        1 => problem.help(format!("`{name}` has one element, with the index 0")),
        _ => problem.help(format!("`{name}` has {length} elements, with indices from 0 to {}", length - 1)),
    }
}

/// An array without an index.
pub(super) fn needs_index(span: Span, name: &str, length: u32) -> Problem {
    Problem::new(span, format!("`{name}` is an array"))
        .label("an index is missing")
        .help(format!("write `{name}[i]`, with an index from 0 to {}", length.saturating_sub(1)))
}

/// An index on something that is no array.
pub(super) fn no_array(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{name}` is no array")).label("it has no elements").help("leave the index out")
}

/// A channel where a value is expected.
pub(super) fn no_value(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{name}` is a channel, not a variable"))
        .label("a channel has no value")
        .help(format!("send and receive with `sync {name}!e` and `sync {name}?x`"))
}

/// A value that does not fit its type.
pub(super) fn too_large(span: Span, value: i32, width: Width) -> Problem {
    let (least, greatest) = width.bounds();
    let problem = Problem::new(span, format!("{value} does not fit into `{}`", width.word()))
        .label(format!("the values of `{}` go from {least} to {greatest}", width.word()));
    match width {
        Width::Byte if (-32768..=32767).contains(&value) => problem.help("declare it as `int`"),
        _ => problem.help("use a value within this range"),
    }
}
