//! The writer.

use std::fmt::Write;

use crate::automaton::Automaton;
use crate::condition::{Condition, Conditions};
use crate::formula::Atoms;

/// An automaton as text. The name, mostly its formula, may be empty.
///
/// ```
/// use mandala_logic::{Atoms, Formulas, hoa, translate};
///
/// let (mut formulas, mut atoms) = (Formulas::new(), Atoms::new());
/// let f = formulas.parse("G F p", &mut atoms)?;
/// let automaton = translate(&mut formulas, f)?;
/// print!("{}", hoa::write(&automaton, &atoms, "GFp"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(automaton: &Automaton, atoms: &Atoms, name: &str) -> String {
    let used = automaton.atoms();
    let mut text = header(automaton, atoms, name, &used);
    let mut conditions = automaton.conditions().clone();
    for state in automaton.states() {
        line(&mut text, format_args!("State: {state}"));
        for edge in automaton.edges(state) {
            let label = label(edge.condition, &used, &mut conditions);
            let marks: Vec<String> = edge.marks.iter().map(|mark| mark.to_string()).collect();
            let marks = if marks.is_empty() { String::new() } else { format!(" {{{}}}", marks.join(" ")) };
            line(&mut text, format_args!("[{label}] {}{marks}", edge.target));
        }
    }
    text.push_str("--END--\n");
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(text, "{arguments}").expect("a string takes what is written to it");
}

fn header(automaton: &Automaton, atoms: &Atoms, name: &str, used: &[u32]) -> String {
    let mut text = String::from("HOA: v1\n");
    if !name.is_empty() {
        line(&mut text, format_args!("name: {}", quote(name)));
    }
    line(&mut text, format_args!("States: {}", automaton.state_count()));
    for state in automaton.initial() {
        line(&mut text, format_args!("Start: {state}"));
    }
    let names = used.iter().map(|&atom| {
        let name = atoms.name(atom).map_or_else(|| format!("#{atom}"), str::to_string);
        format!(" {}", quote(&name))
    });
    line(&mut text, format_args!("AP: {}{}", used.len(), names.collect::<String>()));
    let count = automaton.mark_count();
    let sets: Vec<String> = (0..count).map(|mark| format!("Inf({mark})")).collect();
    let (kind, condition) = match count {
        0 => ("all".to_string(), "t".to_string()),
        1 => ("Buchi".to_string(), sets[0].clone()),
        _ => (format!("generalized-Buchi {count}"), sets.join("&")),
    };
    line(&mut text, format_args!("acc-name: {kind}"));
    line(&mut text, format_args!("Acceptance: {count} {condition}"));
    let mut copy = automaton.clone();
    let mut properties = String::from("trans-labels explicit-labels trans-acc");
    if copy.is_deterministic() {
        properties.push_str(" deterministic");
    }
    if copy.is_complete() {
        properties.push_str(" complete");
    }
    line(&mut text, format_args!("properties: {properties}"));
    text.push_str("--BODY--\n");
    text
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A condition as a disjunction of conjunctions of atoms, which have their places among the used ones as numbers.
fn label(condition: Condition, used: &[u32], conditions: &mut Conditions) -> String {
    if condition.is_true() {
        return "t".to_string();
    }
    let place = |atom: &u32| used.binary_search(atom).expect("the atoms of conditions are used");
    let cubes: Vec<String> = conditions
        .cubes(condition)
        .iter()
        .map(|cube| {
            let literals = cube.iter().map(|(atom, value)| format!("{}{}", if *value { "" } else { "!" }, place(atom)));
            literals.collect::<Vec<_>>().join("&")
        })
        .collect();
    cubes.join(" | ")
}
