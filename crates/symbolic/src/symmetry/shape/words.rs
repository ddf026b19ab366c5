//! Shapes in words: "5 interchangeable clients", "a ring of 8".

use super::{Part, Shape};

/// So many roles are named, and then no more.
const ROLES: usize = 4;

impl Shape {
    /// A line for each part, with names that the blocks have in common, given the names of the variables.
    pub fn describe(&self, names: &[String]) -> Vec<String> {
        self.parts.iter().map(|part| part.describe(names)).collect()
    }
}

impl Part {
    /// The part in words, given the names of the variables.
    pub fn describe(&self, names: &[String]) -> String {
        self.describe_as(names, "variables")
    }

    /// The part in words, given the names of what it permutes and a word for these, in the plural.
    pub fn describe_as(&self, names: &[String], things: &str) -> String {
        match self {
            Part::Full { blocks } => format!("{} interchangeable {}", blocks.len(), what(blocks, names, things)),
            Part::Indices { swaps } => {
                format!("{} interchangeable indices of {} {things}", swaps.len() + 1, self.variables().len())
            }
            Part::Ring { blocks, reflection } => {
                let turned = if reflection.is_some() { ", which can be turned over" } else { "" };
                format!("a ring of {} {}{turned}", blocks.len(), what(blocks, names, things))
            }
            Part::Other { generators } => {
                let count = self.variables().len();
                let word = if generators.len() == 1 { "symmetry" } else { "symmetries" };
                format!("{} other {word} on {count} {things}", generators.len())
            }
        }
    }
}

/// What the blocks are: their common name if they have one, else what their roles are called.
fn what(blocks: &[Vec<u32>], names: &[String], things: &str) -> String {
    let roles = blocks.first().map_or(0, Vec::len);
    let patterns: Vec<(String, String)> = (0..roles)
        .map(|role| {
            let all: Vec<&str> =
                blocks.iter().filter_map(|block| names.get(block[role] as usize)).map(String::as_str).collect();
            common(&all)
        })
        .collect();
    let listed = patterns.iter().take(ROLES).map(|(prefix, suffix)| format!("{prefix}*{suffix}")).collect::<Vec<_>>();
    let more = if roles > ROLES { ", …" } else { "" };
    let listed = format!("{}{more}", listed.join(", "));
    let stem = patterns.first().map_or("", |(prefix, _)| stem(prefix));
    // Shorter words are seldom names of things.
    if roles > 1
        && stem.len() > 2
        && patterns.iter().all(|(prefix, suffix)| prefix == &patterns[0].0 && !suffix.is_empty())
    {
        return format!("{} ({listed})", plural(stem));
    }
    match roles {
        1 if stem.is_empty() => things.to_string(),
        1 => format!("{things} ({listed})"),
        _ => format!("blocks of {roles} {things} ({listed})"),
    }
}

/// The longest beginning and the longest end that names have in common. A number is not cut in two.
fn common(names: &[&str]) -> (String, String) {
    let Some(first) = names.first() else { return Default::default() };
    let shortest = names.iter().map(|name| name.chars().count()).min().unwrap_or(0);
    let alike = |one: &mut dyn Iterator<Item = char>, other: &mut dyn Iterator<Item = char>| {
        one.zip(other).take_while(|(one, other)| one == other).count()
    };
    let mut prefix = names.iter().map(|name| alike(&mut first.chars(), &mut name.chars())).min().unwrap_or(0);
    let letters: Vec<char> = first.chars().collect();
    while prefix > 0 && letters[prefix - 1].is_ascii_digit() {
        prefix -= 1;
    }
    let mut suffix =
        names.iter().map(|name| alike(&mut first.chars().rev(), &mut name.chars().rev())).min().unwrap_or(0);
    suffix = suffix.min(shortest - prefix.min(shortest));
    while suffix > 0 && letters[letters.len() - suffix].is_ascii_digit() {
        suffix -= 1;
    }
    (letters[..prefix].iter().collect(), letters[letters.len() - suffix..].iter().collect())
}

/// What a beginning of names is a name of.
fn stem(prefix: &str) -> &str {
    let last = prefix.rsplit('.').find(|piece| !piece.is_empty()).unwrap_or(prefix);
    last.trim_matches(|letter: char| !letter.is_alphabetic())
}

fn plural(word: &str) -> String {
    match word.chars().last() {
        Some('s') => word.to_string(),
        _ => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn blocks_are_called_by_what_their_names_have_in_common() {
        let all = names(&["client[0].idle", "client[0].busy", "client[1].idle", "client[1].busy"]);
        let part = Part::Full { blocks: vec![vec![0, 1], vec![2, 3]] };
        assert_eq!(part.describe(&all), "2 interchangeable clients (client[*].idle, client[*].busy)");
    }

    #[test]
    fn numbers_are_not_cut_in_two() {
        let all = names(&["Think_10", "Fork_10", "Think_11", "Fork_11", "Think_12", "Fork_12"]);
        let part = Part::Ring { blocks: vec![vec![0, 1], vec![2, 3], vec![4, 5]], reflection: None };
        assert_eq!(part.describe(&all), "a ring of 3 blocks of 2 variables (Think_*, Fork_*)");
    }
}
