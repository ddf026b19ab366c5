//! Orders in files: one name of a variable per line, from the top of the diagram to its bottom.
//!
//! Empty lines and what follows a `#` (at the start of a line or after a space) are left out, unless the whole line is
//! the name of a variable.

use super::Order;
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a file is no order of the variables. Displayed as one message a problem, with how to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderFileError {
    /// What is wrong, by line; never empty.
    pub problems: Vec<OrderFileProblem>,
}

/// One thing that is wrong with the file of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderFileProblem {
    /// A line names no variable.
    Unknown {
        /// The line, from 1.
        line: usize,
        /// What it says.
        name: String,
        /// A variable with nearly that name.
        similar: Option<String>,
    },
    /// A variable is named again.
    Repeated {
        /// The line, from 1.
        line: usize,
        /// The variable.
        name: String,
        /// The line where it was named first.
        first: usize,
    },
    /// Variables that no line names.
    Missing {
        /// Their names, as declared.
        names: Vec<String>,
    },
}

/// Reads an order. Every variable must be named, once; variables of the same name are meant in turn.
pub fn read(text: &str, names: &[String]) -> Result<Order, OrderFileError> {
    let mut variables: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (variable, name) in names.iter().enumerate().rev() {
        variables.entry(name.trim()).or_default().push(variable as u32);
    }
    let mut order = Vec::with_capacity(names.len());
    let mut problems = Vec::new();
    let mut lines: FxHashMap<&str, usize> = FxHashMap::default();
    for (line, content) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let whole = content.trim();
        let name = if variables.contains_key(whole) { whole } else { without_comment(whole) };
        let line = line + 1;
        match variables.get_mut(name).map(Vec::pop) {
            _ if name.is_empty() && !variables.contains_key("") => {}
            Some(Some(variable)) => {
                lines.insert(name, line);
                order.push(variable);
            }
            Some(None) => {
                let first = lines.get(name).copied().unwrap_or(line);
                problems.push(OrderFileProblem::Repeated { line, name: name.to_string(), first });
            }
            None => problems.push(unknown(line, name, names, problems.len())),
        }
    }
    let mut missing: Vec<u32> = variables.into_values().flatten().collect();
    missing.sort_unstable();
    if !missing.is_empty() {
        let missing = missing.into_iter().filter_map(|variable| names.get(variable as usize).cloned());
        problems.push(OrderFileProblem::Missing { names: missing.collect() });
    }
    if problems.is_empty() { Ok(order) } else { Err(OrderFileError { problems }) }
}

/// Writes an order as [`read`] reads it.
pub fn write(order: &[u32], names: &[String]) -> String {
    let mut text = String::new();
    for name in order.iter().filter_map(|&variable| names.get(variable as usize)) {
        text.push_str(name);
        text.push('\n');
    }
    text
}

fn without_comment(line: &str) -> &str {
    let comment = line
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|&at| at == 0 || line.get(..at).is_some_and(|before| before.ends_with(char::is_whitespace)));
    comment.and_then(|at| line.get(..at)).unwrap_or(line).trim_end()
}

fn unknown(line: usize, name: &str, names: &[String], earlier: usize) -> OrderFileProblem {
    /// A file for another model has nothing but unknown names: looking for similar ones would be slow and no help.
    const LOOKED_UP: usize = 10;
    let similar = if earlier < LOOKED_UP { similar(name, names) } else { None };
    OrderFileProblem::Unknown { line, name: name.to_string(), similar }
}

/// The first of the names at the least edit distance, if that is small.
fn similar(name: &str, names: &[String]) -> Option<String> {
    let near = |other: &&String| other.len().abs_diff(name.len()) <= 2 && name.len() <= 100;
    let (distance, best) =
        names.iter().filter(near).map(|other| (distance(name, other), other)).min_by_key(|one| one.0)?;
    (distance <= 2 && distance < name.len()).then(|| best.clone())
}

/// How many characters must be changed, added or removed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (above, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (column, &against) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != against);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

impl fmt::Display for OrderFileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderFileProblem::Unknown { line, name, similar: Some(similar) } => {
                write!(f, "line {line}: there is no variable `{name}`; did you mean `{similar}`?")
            }
            OrderFileProblem::Unknown { line, name, similar: None } => {
                write!(f, "line {line}: there is no variable `{name}`; remove the line, or comment it out with `#`")
            }
            OrderFileProblem::Repeated { line, name, first } => {
                write!(f, "line {line}: `{name}` has its place at line {first} already; remove one of the two lines")
            }
            OrderFileProblem::Missing { names } => missing(f, names),
        }
    }
}

fn missing(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    const SHOWN: usize = 10;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (are, lines) =
        if names.len() == 1 { ("variable is", "a line for it") } else { ("variables are", "a line for each") };
    write!(f, "{} {are} missing: {}{more}; add {lines}", names.len(), shown.join(", "))
}

impl fmt::Display for OrderFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        for (index, problem) in self.problems.iter().take(SHOWN).enumerate() {
            write!(f, "{}{problem}", if index == 0 { "" } else { "\n" })?;
        }
        match self.problems.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more problems"),
        }
    }
}

impl std::error::Error for OrderFileError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::samples;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn comments_and_empty_lines_are_left_out() {
        let text = "\u{feff}# top\nb\r\n\n  a  # the first\n\tc#1\n# end";
        assert_eq!(read(text, &names(&["a", "b", "c#1"])), Ok(vec![1, 0, 2]));
    }

    #[test]
    fn what_is_written_is_read() {
        let all: Vec<String> = (0..100).map(|one| format!("{}p {one}", if one % 7 == 0 { "#" } else { "" })).collect();
        let order = samples::shuffled(100, 4);
        assert_eq!(read(&write(&order, &all), &all), Ok(order));
    }

    #[test]
    fn equal_names_are_meant_in_turn() {
        assert_eq!(read("x\ny\nx\n", &names(&["x", "x", "y"])), Ok(vec![0, 2, 1]));
    }

    #[test]
    fn each_problem_says_where_and_how_to_go_on() {
        let Err(error) = read("left\nrihgt\nleft\nzzz\n", &names(&["left", "right", "up"])) else { panic!("accepted") };
        assert_eq!(
            error.to_string(),
            "line 2: there is no variable `rihgt`; did you mean `right`?\n\
             line 3: `left` has its place at line 1 already; remove one of the two lines\n\
             line 4: there is no variable `zzz`; remove the line, or comment it out with `#`\n\
             2 variables are missing: `right`, `up`; add a line for each"
        );
        let Err(error) = read("", &names(&["a"])) else { panic!("accepted") };
        assert_eq!(error.to_string(), "1 variable is missing: `a`; add a line for it");
    }

    #[test]
    fn long_lists_are_cut() {
        let all: Vec<String> = (0..500).map(|one| format!("p{one}")).collect();
        let text: String = (0..500).map(|one| format!("other place {one}\n")).collect();
        let Err(error) = read(&text, &all) else { panic!("accepted") };
        assert_eq!(error.problems.len(), 501);
        assert_eq!(error.to_string().lines().count(), 21);
        let Err(error) = read("", &all) else { panic!("accepted") };
        assert!(error.to_string().ends_with("`p9` and 490 more; add a line for each"));
    }
}
