//! The words for what is wrong with names and arrays, in all languages.

use super::{Problem, Span, suggest};

/// A name that was declared before.
pub(crate) fn twice(span: Span, what: &str, name: &str, first: Span) -> Problem {
    Problem::new(span, format!("the {what} `{}` is declared twice", shortened(name)))
        .label("declared again here")
        .related(first, "first declared here")
}

/// A name that means nothing; `candidates` are the names that mean something, and `none` is said where there are none.
pub(crate) fn unknown<'a>(
    span: Span, what: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone, none: String,
) -> Problem {
    let problem = Problem::new(span, format!("there is no {what} `{}`", shortened(name))).label("not found");
    suggested(problem, name, candidates, none)
}

/// A name that means nothing yet, because it is declared further down.
pub(crate) fn too_early(problem: Problem, declared: Span) -> Problem {
    problem.related(declared, "declared here").help("a name may be used only after its declaration: move that up")
}

/// A constant that is given a value from outside, and that the file does not have.
pub(crate) fn undeclared_constant<'a>(
    name: &str, value: i32, candidates: impl Iterator<Item = &'a str> + Clone, none: String,
) -> Problem {
    let message = format!("there is no constant `{}` to be given the value {value}", shortened(name));
    suggested(Problem::new(Span::default(), message).label("in this file"), name, candidates, none)
}

/// A problem with the name that was perhaps meant, or those that there are.
pub(crate) fn suggested<'a>(
    problem: Problem, name: &str, candidates: impl Iterator<Item = &'a str> + Clone, none: String,
) -> Problem {
    if let Some(nearest) = suggest::nearest(name, candidates.clone()) {
        return problem.help(format!("did you mean `{nearest}`?"));
    }
    let mut names: Vec<String> = candidates.take(9).map(|name| format!("`{}`", shortened(name))).collect();
    names.sort();
    match names.len() {
        0 => problem.help(none),
        1 => problem.help(format!("there is only {}", names[0])),
        2..=8 => problem.help(format!("there are {}", names.join(", "))),
        _ => problem,
    }
}

/// `no value`, `1 value`, `2 values`
pub(crate) fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// A name that is not too long to be shown.
pub(crate) fn shortened(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_string(),
    }
}

/// An index that an array does not have.
pub(crate) fn out_of_range(span: Span, name: &str, index: i32, length: u32) -> Problem {
    let name = shortened(name);
    let problem =
        Problem::new(span, format!("`{name}[{index}]` does not exist")).label(format!("the index is {index}"));
    match length {
        0 => problem.help(format!("`{name}` has no elements")),
        1 => problem.help(format!("`{name}` has one element, with the index 0")),
        _ => problem.help(format!("`{name}` has {length} elements, with indices from 0 to {}", length - 1)),
    }
}

/// An array without an index; its length is 0 if it is not known.
pub(crate) fn needs_index(span: Span, name: &str, length: u32) -> Problem {
    let name = shortened(name);
    let problem = Problem::new(span, format!("`{name}` is an array")).label("an index is missing");
    match length {
        0 => problem.help(format!("write `{name}[i]`")),
        _ => problem.help(format!("write `{name}[i]`, with an index from 0 to {}", length - 1)),
    }
}

/// An index on something that is no array.
pub(crate) fn no_array(span: Span, name: &str) -> Problem {
    Problem::new(span, format!("`{}` is no array", shortened(name)))
        .label("it has no elements")
        .help("leave the index out")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_not_shown_whole() {
        let long = "é".repeat(1000);
        let said = [
            twice(Span::default(), "name", &long, Span::default()),
            unknown(Span::default(), "name", "x", [long.as_str()].into_iter(), String::new()),
            undeclared_constant(&long, 1, [].into_iter(), String::new()),
            out_of_range(Span::default(), &long, 3, 2),
            needs_index(Span::default(), &long, 2),
            no_array(Span::default(), &long),
        ];
        for Problem { message, help, .. } in said {
            assert!(message.len() < 250 && help.unwrap_or_default().len() < 250, "{message}");
        }
    }

    #[test]
    fn names_are_listed_if_they_are_few() {
        let names: Vec<String> = (0..9).map(|number| format!("name{number}")).collect();
        let help = |count: usize| {
            let names = names.iter().take(count).map(String::as_str);
            unknown(Span::default(), "place", "p", names, "there are none".to_string()).help
        };
        assert_eq!(help(0).as_deref(), Some("there are none"));
        assert_eq!(help(1).as_deref(), Some("there is only `name0`"));
        assert_eq!(help(2).as_deref(), Some("there are `name0`, `name1`"));
        assert_eq!(help(9), None);
    }
}
