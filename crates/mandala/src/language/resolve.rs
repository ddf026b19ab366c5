//! What a name means where it stands.

use super::outline::{Declaration, DeclarationKind, Outline, plain};
use super::word::{Word, WordKind, words};
use std::ops::Range;

impl Outline {
    /// The declaration that a name at some byte of the text refers to.
    pub fn resolve(&self, text: &str, at: usize) -> Option<&Declaration> {
        let words: Vec<Word<'_>> = words(text).into_iter().filter(|word| !word.is_comment()).collect();
        let number = words.iter().position(|word| (word.start..=word.end()).contains(&at) && is_name(word))?;
        let word = words[number];
        if let Some(own) = self.declarations.iter().find(|one| one.at.start == word.start) {
            return Some(own);
        }
        match word.kind {
            WordKind::Parameter => self.parameter(word.text, word.start),
            WordKind::Text => self.label(text, &words, number),
            _ => self.name(text, &words, number),
        }
    }

    /// The reference around some byte, with the path before it: `at[0]:eating`.
    pub fn reference_at<'t>(&self, text: &'t str, at: usize) -> Option<&'t str> {
        let words: Vec<Word<'t>> = words(text).into_iter().filter(|word| !word.is_comment()).collect();
        let number = words.iter().position(|word| (word.start..=word.end()).contains(&at) && is_name(word))?;
        let first = path_begin(&words, number);
        // An index belongs to it.
        let mut last = number;
        if words.get(number + 1).is_some_and(|next| next.is("[") && next.start == words[number].end()) {
            last = (number + 2..words.len()).find(|&at| words[at].is("]"))?;
        }
        Some(&text[words[first].start..words[last].end()])
    }

    /// The type or transition around some byte, the innermost first.
    pub fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        let holds = move |(_, one): &(usize, &Declaration)| one.whole.start <= at && at <= one.whole.end;
        self.declarations.iter().enumerate().rev().filter(holds).map(|(number, _)| number)
    }

    /// All places where what is declared is named.
    pub fn uses(&self, text: &str, declared: &Declaration) -> Vec<Range<usize>> {
        let all = words(text);
        let named = all.iter().filter(|word| is_name(word) && plain(word.text).trim_matches('"') == declared.name);
        let same = named.filter(|word| self.resolve(text, word.start).is_some_and(|one| one.at == declared.at));
        same.map(|word| word.start..word.end()).collect()
    }

    fn parameter(&self, name: &str, at: usize) -> Option<&Declaration> {
        let around: Vec<usize> = self.around(at).collect();
        let within = around.iter().find_map(|&number| self.members(Some(number)).find(|one| one.name == name));
        within.or_else(|| self.members(None).find(|one| one.name == name))
    }

    fn name(&self, text: &str, words: &[Word<'_>], number: usize) -> Option<&Declaration> {
        let name = plain(words[number].text);
        let scope = self.scope(text, words[number].start);
        if let Some(before) = instance_before(words, number) {
            let inside = self.type_of_path(text, words, before)?;
            return self.members(Some(inside)).find(|one| one.name == name);
        }
        let around: Vec<usize> = self.around(words[number].start).collect();
        let local = around.iter().find_map(|&number| self.members(Some(number)).find(|one| one.name == name));
        let local = local.or_else(|| self.members(scope).find(|one| one.name == name));
        local.or_else(|| self.members(None).find(|one| one.name == name))
    }

    /// A label: of the type itself, or of that of the instance before it.
    fn label(&self, text: &str, words: &[Word<'_>], number: usize) -> Option<&Declaration> {
        let label = words[number].text.trim_matches(['"', '\'']);
        let is_called = number >= 2 && words[number - 1].is(".");
        let inside = match is_called {
            true if words[number - 2].is("self") => self.scope(text, words[number].start),
            true => self.type_of_path(text, words, end_of_index(words, number - 2)?),
            false => self.scope(text, words[number].start),
        };
        self.members(Some(inside?))
            .find(|one| one.of.as_deref() == Some(label) && one.kind == DeclarationKind::Transition)
    }

    /// The type whose names are known at some byte: the one around it, or the main type in properties.
    pub(super) fn scope(&self, text: &str, at: usize) -> Option<usize> {
        let own = self.around(at).find(|&number| self.declarations[number].kind == DeclarationKind::Type);
        own.or_else(|| self.main(text))
    }

    /// The type of the instance whose name is at some word, with what comes before it.
    pub(super) fn type_of_path(&self, text: &str, words: &[Word<'_>], number: usize) -> Option<usize> {
        let name = plain(words[number].text);
        let inside = match instance_before(words, number) {
            Some(before) => self.type_of_path(text, words, before),
            None => self.scope(text, words[number].start),
        };
        let instance = self.members(Some(inside?)).find(|one| one.name == name)?;
        self.type_named(instance.of.as_deref().filter(|_| instance.kind == DeclarationKind::Instance)?)
    }
}

fn is_name(word: &Word<'_>) -> bool {
    matches!(word.kind, WordKind::Name | WordKind::Parameter | WordKind::Text)
}

/// The name of the instance that a member belongs to: what stands before its colon. A property also has a colon, after a
/// bracket and with spaces around it.
pub(super) fn instance_before(words: &[Word<'_>], number: usize) -> Option<usize> {
    let colon = number.checked_sub(1).map(|at| words[at]).filter(|word| word.is(":"))?;
    let before = words[number.checked_sub(2)?];
    if colon.start != before.end() {
        return None;
    }
    end_of_index(words, number - 2)
}

/// The name before an index, if there is one: that of `at[0]` from its last bracket.
pub(super) fn end_of_index(words: &[Word<'_>], number: usize) -> Option<usize> {
    if !words[number].is("]") {
        return (words[number].kind == WordKind::Name).then_some(number);
    }
    let mut depth = 0usize;
    for at in (0..=number).rev() {
        match words[at].text {
            "]" => depth += 1,
            "[" => {
                depth -= 1;
                if depth == 0 {
                    return at.checked_sub(1).filter(|&name| words[name].kind == WordKind::Name);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a path to a name begins.
fn path_begin(words: &[Word<'_>], number: usize) -> usize {
    let mut first = number;
    while let Some(before) = instance_before(words, first) {
        first = before;
    }
    first
}
