//! What the structure of a net shows: sums that never change, rounds of transitions, transitions that never fire, siphons and
//! traps.

use super::Sheet;
use crate::output::count;
use mandala::{Listing, Model};
use serde_json::{Value, json};

/// How many letters of a line people are shown.
const LONGEST: usize = 160;

/// Describes the structure of a net, with at most so much of each kind.
pub fn describe(sheet: &mut Sheet, model: &Model, most: usize) {
    let Some(structure) = model.structure() else { return };
    if let Some(dead) = &structure.dead_transitions
        && !dead.is_empty()
    {
        let words = format!("{}, as the structure shows: {}", count(dead.len(), "transition"), joined(dead, most));
        sheet.add("never fire", words, "dead_transitions", json!(dead));
    }
    let shown = |found: Vec<String>, is_all: bool, what: &str| list(&found, is_all, what, most);
    let invariants = structure.invariants;
    let lines = invariants.found.iter().map(ToString::to_string).collect();
    let values = invariants
        .found
        .iter()
        .take(most)
        .map(|one| json!({"weights": by_name(&one.weights), "constant": one.constant}));
    let text = shown(lines, invariants.complete, "P-semiflows: sums of tokens that never change");
    sheet.table(&text, "invariants", Value::Array(values.collect()));
    let rounds = structure.rounds;
    let lines = rounds.found.iter().map(ToString::to_string).collect();
    let values = rounds.found.iter().take(most).map(|one| by_name(&one.counts));
    let text = shown(lines, rounds.complete, "T-semiflows: what leads from a marking back to it, if it can fire");
    sheet.table(&text, "t_semiflows", Value::Array(values.collect()));
}

/// Describes siphons and traps, at most so many of each.
pub fn describe_closed(sheet: &mut Sheet, model: &Model, most: usize) {
    let Some(sets) = model.siphons_and_traps(most.saturating_add(1)) else { return };
    let mut show = |listing: Listing<Vec<String>>, what: &str, key: &str| {
        let lines: Vec<String> = listing.found.iter().map(|set| set.join(", ")).collect();
        let values: Vec<&Vec<String>> = listing.found.iter().take(most).collect();
        sheet.table(&list(&lines, listing.complete, what, most), key, json!(values));
    };
    show(sets.siphons, "siphons: once they are empty, they stay so", "siphons");
    show(sets.traps, "traps: once they are marked, they stay so", "traps");
}

fn by_name(weights: &[(String, i64)]) -> Value {
    Value::Object(weights.iter().map(|(name, weight)| (name.clone(), json!(weight))).collect())
}

fn joined(names: &[String], most: usize) -> String {
    let shown = names.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A list with a head; what is left out is said.
fn list(lines: &[String], is_all: bool, head: &str, most: usize) -> String {
    let mut text = format!("{head}\n");
    for line in lines.iter().take(most) {
        text.push_str(&format!("  {}\n", shortened(line)));
    }
    if lines.is_empty() {
        text.push_str("  none\n");
    }
    match (lines.len().saturating_sub(most), is_all) {
        (0, true) => {}
        (0, false) => text.push_str("  perhaps more: the search was cut short\n"),
        (more, true) => text.push_str(&format!("  and {more} more (`--most` says how many are shown)\n")),
        (more, false) => text.push_str(&format!("  and at least {more} more (`--most` says how many are shown)\n")),
    }
    text
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ...", line[..end].trim_end()),
        None => line.to_owned(),
    }
}
