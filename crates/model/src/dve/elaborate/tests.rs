//! Random systems: what is known of bounds changes how they are written, never what they do.

use std::collections::BTreeMap;

use super::super::parse::parse;
use super::bounds::Bounds;
use super::{declare, program, step};
use crate::semantics::Semantics;
use crate::system::{System, Type};
use crate::text::problems::Problems;

/// More states than this are not looked at.
const MOST_STATES: usize = 400;

/// The variable that says in which state `P` is.
const FIRST_PROCESS: usize = 8;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

const NUMBERS: [&str; 12] = ["0", "1", "2", "3", "4", "7", "100", "255", "256", "-1", "-3", "30000"];
const VARIABLES: [&str; 4] = ["g", "i", "k", "j"];
const ARITHMETIC: [&str; 11] = ["+", "-", "*", "/", "%", "&", "|", "^", ">>", "+", "-"];
const COMPARISONS: [&str; 8] = ["<", "<=", "==", "!=", ">", ">=", "<", "=="];

/// A number over the global `g`, `i`, `t` and the variables `j`, `k`, `u` of a process.
fn number(random: &mut Random, depth: u32) -> String {
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 => random.pick(&NUMBERS).to_string(),
        1 | 2 => random.pick(&VARIABLES).to_string(),
        3 => format!("{}[{}]", random.pick(&["t", "u"]), index(random, depth - 1)),
        4 => format!("({})", condition(random, depth - 1)),
        _ => {
            let operator = random.pick(&ARITHMETIC);
            format!("({} {operator} {})", number(random, depth - 1), number(random, depth - 1))
        }
    }
}

/// Mostly a variable, which may exceed the array.
fn index(random: &mut Random, depth: u32) -> String {
    match random.below(4) {
        0 => format!("{} + {}", random.pick(&VARIABLES), random.pick(&["0", "1", "-1"])),
        1 if depth > 0 => format!("({}) % 3", number(random, depth - 1)),
        _ => random.pick(&VARIABLES).to_string(),
    }
}

fn condition(random: &mut Random, depth: u32) -> String {
    match random.below(if depth == 0 { 3 } else { 6 }) {
        3 => format!("({} && {})", condition(random, depth - 1), condition(random, depth - 1)),
        4 => format!("({} || {})", condition(random, depth - 1), condition(random, depth - 1)),
        5 => format!("not ({})", condition(random, depth - 1)),
        0 if depth > 0 => {
            let comparison = random.pick(&COMPARISONS);
            format!("{} {comparison} {}", number(random, depth - 1), number(random, depth - 1))
        }
        _ => {
            let (variable, comparison) = (random.pick(&VARIABLES), random.pick(&COMPARISONS));
            format!("{variable} {comparison} {}", random.pick(&NUMBERS[..7]))
        }
    }
}

fn effect(random: &mut Random) -> String {
    let variable = random.pick(&VARIABLES);
    match random.below(4) {
        0 => format!("{}[{}] = {}", random.pick(&["t", "u"]), index(random, 1), number(random, 1)),
        1 => format!("{variable} = {}", number(random, 2)),
        2 => format!("{variable} = {}", random.pick(&NUMBERS[..5])),
        _ => format!("{variable} = {variable} + 1"),
    }
}

fn transition(random: &mut Random) -> String {
    let mut text = format!("{} -> {} {{ ", random.pick(&["a", "b", "c"]), random.pick(&["a", "b", "c"]));
    if random.below(4) > 0 {
        text += &format!("guard {}; ", condition(random, 2));
    }
    match random.below(6) {
        0 => text += &format!("sync c!{}; ", number(random, 1)),
        1 => text += &format!("sync c?{}; ", random.pick(&VARIABLES)),
        2 => text += &format!("sync q!{}; ", number(random, 1)),
        3 => text += &format!("sync q?u[{}]; ", index(random, 1)),
        _ => {}
    }
    let effects: Vec<String> = (0..random.below(3)).map(|_| effect(random)).collect();
    if !effects.is_empty() {
        text += &format!("effect {}; ", effects.join(", "));
    }
    text + "}"
}

fn system(random: &mut Random) -> String {
    let mut text = "byte g = 1, t[3] = {2, 1}; int i; channel c; channel {byte} q[2];\n".to_string();
    for process in ["P", "Q"] {
        let transitions: Vec<String> = (0..3 + random.below(4)).map(|_| transition(random)).collect();
        let commit = if random.below(4) == 0 { "commit b;" } else { "" };
        let transitions = transitions.join(",\n    ");
        text += &format!("process {process} {{ byte j; int k = 1, u[2]; state a, b, c; init a; {commit} trans\n    ");
        text += &format!("{transitions};\n}}\n");
    }
    text + "system async;"
}

/// The states and where each leads, as far as they are looked at; `None` if it does not read.
fn graph(
    text: &str, bounds: impl Fn(&super::Directory, &[step::Step]) -> Bounds,
) -> Option<BTreeMap<Vec<i32>, Vec<Vec<i32>>>> {
    let file = parse("random.dve", text).ok()?;
    let mut problems = Problems::default();
    let mut directory = declare::declare(&file, &mut problems);
    let steps = step::steps(&file, &mut directory, text.len(), &mut problems);
    if problems.count() > 0 {
        return None;
    }
    let program = program::program(&directory, &steps, &bounds(&directory, &steps), "random", &mut problems);
    let system = System { name: "random".into(), types: vec![Type::Program(program)], main: 0, begins: vec![0] };
    let semantics = Semantics::new(&system).ok()?;
    let mut graph = BTreeMap::new();
    let mut open = semantics.initial_states().ok()?;
    while let Some(state) = open.pop() {
        if graph.len() >= MOST_STATES || graph.contains_key(&state) {
            continue;
        }
        let steps = semantics.successors(&state).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut next: Vec<Vec<i32>> = steps.into_iter().map(|step| step.state).collect();
        next.sort();
        for state in &next {
            for (value, (least, greatest)) in state.iter().zip(&directory.bounds) {
                assert!(*value == -1 || (least..=greatest).contains(&value), "{state:?}\n{text}");
            }
        }
        open.extend(next.iter().rev().cloned());
        graph.insert(state, next);
    }
    Some(graph)
}

#[test]
fn bounds_change_nothing() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut states, mut errors) = (0, 0, 0);
    for _ in 0..1_500 {
        let text = system(&mut random);
        let found = graph(&text, Bounds::of);
        assert_eq!(found, graph(&text, |directory, _| Bounds::of_types(directory)), "{text}");
        if let Some(found) = found {
            read += 1;
            states += found.len();
            errors += found.keys().filter(|state| state[FIRST_PROCESS] == -1).count();
        }
    }
    assert!(read > 1_000 && states > 20_000 && errors > 100, "{read} systems, {states} states, {errors} errors");
}
