//! Shapes in words: "5 interchangeable clients", "a ring of 8".

use super::{Part, Shape};
use crate::symmetry::points::Points;

/// So many roles are named, and then no more.
const ROLES: usize = 4;

impl Shape {
    /// A line for each part, with names that the blocks have in common, given what is permuted and the names of the
    /// variables.
    pub fn describe(&self, points: &Points, names: &[String]) -> Vec<String> {
        each_once(self.parts.iter().map(|part| part.describe(points, names)))
    }
}

impl Part {
    /// The part in words, given what is permuted and the names of the variables.
    pub fn describe(&self, points: &Points, names: &[String]) -> String {
        self.with_values(self.describe_as(points, names, "variables"), points, names)
    }

    /// The part in words, given what is permuted, the names of it and a word for these, in the plural.
    pub fn describe_as(&self, points: &Points, names: &[String], things: &str) -> String {
        let of_variables = |point: &u32| points.value(*point).is_none();
        let all = self.variables();
        let count = all.iter().filter(|point| of_variables(point)).count();
        let blocks: Vec<Vec<u32>> =
            self.blocks().iter().map(|block| block.iter().copied().filter(of_variables).collect()).collect();
        match self {
            Part::Full { blocks } if count == 0 => format!("{} interchangeable values", blocks.len()),
            Part::Ring { blocks, .. } if count == 0 => format!("{} values in a ring", blocks.len()),
            // Rotations and reflections of three are all permutations.
            Part::Ring { blocks: three, reflection: Some(_) } if three.len() == 3 => {
                format!("3 interchangeable {}", what(&blocks, names, things))
            }
            Part::Full { .. } => format!("{} interchangeable {}", blocks.len(), what(&blocks, names, things)),
            Part::Indices { swaps } => format!("{} interchangeable indices of {count} {things}", swaps.len() + 1),
            Part::Ring { reflection, .. } => {
                let turned = if reflection.is_some() { ", which can be turned over" } else { "" };
                format!("a ring of {} {}{turned}", blocks.len(), what(&blocks, names, things))
            }
            Part::Other { generators } => {
                let word = if generators.len() == 1 { "symmetry" } else { "symmetries" };
                let (count, on) = if count == 0 { (all.len(), "values") } else { (count, things) };
                format!("{} other {word} on {count} {on}", generators.len())
            }
        }
    }

    /// Words for the part, and of which variables it renames values.
    pub fn with_values(&self, words: String, points: &Points, names: &[String]) -> String {
        let all = self.variables();
        let values = renamed(&all, points, names);
        if values.is_empty() {
            words
        } else if all.iter().all(|&point| points.value(point).is_some()) {
            format!("{words} of {values}")
        } else {
            format!("{words}; values of {values} are renamed along with them")
        }
    }
}

/// Lines in their order, each once, with how often it was there.
pub(in super::super) fn each_once(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for line in lines {
        match counted.iter_mut().find(|(known, _)| *known == line) {
            Some((_, count)) => *count += 1,
            None => counted.push((line, 1)),
        }
    }
    let words = |(line, count)| if count == 1 { line } else { format!("{line}, {count} times") };
    counted.into_iter().map(words).collect()
}

/// The variables of which values are moved: those that blocks list are called by what their names have in common.
fn renamed(moved: &[u32], points: &Points, names: &[String]) -> String {
    let mut variables: Vec<u32> = moved.iter().filter_map(|&point| Some(points.value(point)?.0)).collect();
    variables.dedup();
    let mut patterns: Vec<String> = Vec::new();
    for name in variables.iter().filter_map(|&variable| names.get(variable as usize)) {
        let pattern = numberless(name);
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    let more = if patterns.len() > ROLES { ", …" } else { "" };
    patterns.truncate(ROLES);
    format!("{}{more}", patterns.join(", "))
}

/// A name with a star for each number in it.
fn numberless(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    for letter in name.chars() {
        if !letter.is_ascii_digit() {
            pattern.push(letter);
        } else if !pattern.ends_with('*') {
            pattern.push('*');
        }
    }
    pattern
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
        assert_eq!(
            part.describe(&Points::of_variables(all.len()), &all),
            "2 interchangeable clients (client[*].idle, client[*].busy)"
        );
    }

    #[test]
    fn numbers_are_not_cut_in_two() {
        let all = names(&["Think_10", "Fork_10", "Think_11", "Fork_11", "Think_12", "Fork_12"]);
        let part = Part::Ring { blocks: vec![vec![0, 1], vec![2, 3], vec![4, 5]], reflection: None };
        assert_eq!(
            part.describe(&Points::of_variables(all.len()), &all),
            "a ring of 3 blocks of 2 variables (Think_*, Fork_*)"
        );
    }
}
