//! What may come next.

use super::outline::{Declaration, DeclarationKind, Outline};
use super::resolve::end_of_index;
use super::word::{Word, WordKind, words};

/// Something that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is written.
    pub text: String,
    /// What it is, if it is declared; nothing for a keyword.
    pub kind: Option<DeclarationKind>,
    /// How it is declared.
    pub detail: String,
}

const IN_FILE: [&str; 8] = ["gal", "net", "composite", "interface", "typedef", "main", "property", "model"];
const IN_PROGRAM: [&str; 12] =
    ["int", "array", "hotbit", "alias", "predicate", "transition", "label", "if", "else", "for", "fixpoint", "abort"];
const IN_NET: [&str; 16] = [
    "place",
    "queue",
    "capacity",
    "transition",
    "take",
    "put",
    "read",
    "inhibit",
    "reset",
    "label",
    "priority",
    "alias",
    "predicate",
    "initial",
    "class",
    "symmetry",
];
/// In nets with classes of colours.
const IN_COLOURED_NET: [&str; 21] = [
    "class",
    "circular",
    "linear",
    "subclasses",
    "place",
    "bag",
    "sets",
    "unique",
    "capacity",
    "transition",
    "take",
    "put",
    "read",
    "inhibit",
    "reset",
    "priority",
    "all",
    "card",
    "in",
    "none",
    "symmetry",
];
const IN_COMPOSITE: [&str; 6] = ["synchronization", "label", "self", "for", "if", "predicate"];
const IN_PROPERTY: [&str; 26] = [
    "reachable",
    "invariant",
    "never",
    "bounds",
    "ctl",
    "ltl",
    "AG",
    "AF",
    "AX",
    "EG",
    "EF",
    "EX",
    "A",
    "E",
    "G",
    "F",
    "X",
    "U",
    "deadlock",
    "enabled",
    "exists",
    "fired",
    "fireable",
    "forall",
    "sum",
    "true",
];

/// What may be written at some byte of a text: the names that are known there, and keywords.
pub fn complete(text: &str, at: usize) -> Vec<Completion> {
    let outline = Outline::of(text);
    let before: Vec<Word<'_>> = words(&text[..floor(text, at)]).into_iter().filter(|word| !word.is_comment()).collect();
    // The word that is just being written does not count.
    let typed = before.last().filter(|word| word.kind != WordKind::Sign && word.end() == floor(text, at));
    let known = if typed.is_some() { &before[..before.len() - 1] } else { &before[..] };
    let declared = |inside: Option<usize>| {
        outline.members(inside).map(|one| Completion {
            text: one.name.clone(),
            kind: Some(one.kind),
            detail: one.detail.clone(),
        })
    };
    // Inside of an instance: its members; behind its dot, its labels.
    if let [.., name, sign] = known
        && (sign.is(":") || sign.is("."))
        && name.end() == sign.start
        && let Some(inside) =
            end_of_index(known, known.len() - 2).and_then(|instance| outline.type_of_path(text, known, instance))
    {
        if sign.is(":") {
            return declared(Some(inside)).filter(|one| one.kind != Some(DeclarationKind::Constant)).collect();
        }
        let labels = outline.members(Some(inside)).filter_map(|one| {
            let text = format!("\"{}\"", one.of.clone().filter(|_| one.kind == DeclarationKind::Transition)?);
            Some(Completion { text, kind: Some(DeclarationKind::Transition), detail: one.detail.clone() })
        });
        return labels.collect();
    }
    let around: Vec<usize> = outline.around(at).collect();
    let is_in = |kind: DeclarationKind| around.iter().any(|&number| outline.declarations[number].kind == kind);
    let in_property = is_in(DeclarationKind::Property) || is_property(known);
    let mut found: Vec<Completion> = Vec::new();
    around.iter().for_each(|&number| found.extend(declared(Some(number))));
    if in_property {
        found.extend(declared(outline.main(text)));
    }
    let type_ = around.iter().copied().find(|&number| outline.declarations[number].kind == DeclarationKind::Type);
    let net = if in_property { outline.main(text) } else { type_ };
    let is_coloured = net.is_some_and(|net| outline.members(Some(net)).any(is_class));
    found.extend(declared(None).filter(|one| one.kind != Some(DeclarationKind::Property)));
    let keywords: &[&str] = match type_.map(|number| outline.declarations[number].detail.as_str()) {
        _ if in_property => &IN_PROPERTY,
        Some(detail) if detail.starts_with("net") && is_coloured => &IN_COLOURED_NET,
        Some(detail) if detail.starts_with("net") => &IN_NET,
        Some(detail) if detail.starts_with("composite") => &IN_COMPOSITE,
        Some(_) => &IN_PROGRAM,
        None => &IN_FILE,
    };
    let keyword = |word: &&str| Completion { text: (*word).to_owned(), kind: None, detail: String::new() };
    found.extend(keywords.iter().map(keyword));
    let mut seen = std::collections::HashSet::new();
    found.retain(|one| seen.insert(one.text.clone()));
    found
}

fn is_class(one: &Declaration) -> bool {
    one.detail.starts_with("class ")
}

/// Whether the last declaration that was begun is a property.
fn is_property(words: &[Word<'_>]) -> bool {
    let statement = words.iter().rev().take_while(|word| !word.is(";") && !word.is("}"));
    statement.last().is_some_and(|word| word.is("property"))
}

/// The last byte at or before another at which a letter begins.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0)
}
