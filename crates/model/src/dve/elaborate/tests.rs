//! Random systems: what is known of bounds changes how they are written, never what they do; and what they do is what the
//! steps say, done one thing after the other without any foresight.

use std::collections::BTreeMap;

use super::super::parse::parse;
use super::bounds::Bounds;
use super::simplify::{Condition, Number};
use super::step::{Assignment, Move, Step};
use super::{declare, program, step};
use crate::expression::{Boolean, Integer, UnaryOperator};
use crate::semantics::Semantics;
use crate::system::{System, Target, Type};
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
    match random.below(5) {
        0 => format!("{}[{}] = {}", random.pick(&["t", "u"]), index(random, 1), number(random, 1)),
        3 => {
            format!("{variable} = {} + {}", random.pick(&VARIABLES), random.pick(&["t[0]", "u[1]", "t[g]", "-2", "90"]))
        }
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
    let effects: Vec<String> = (0..random.below(4)).map(|_| effect(random)).collect();
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

/// The value of a number; nothing if there is none.
fn value(number: &Number, state: &[i32]) -> Option<i32> {
    Some(match number {
        Integer::Constant(value) => *value,
        Integer::Variable(variable) => state[*variable as usize],
        Integer::Element { first, length, index } => state[element(*first, *length, index, state)?],
        Integer::Sum(terms) => terms.iter().try_fold(0i32, |sum, term| Some(sum.wrapping_add(value(term, state)?)))?,
        Integer::Unary(UnaryOperator::Minus, operand) => value(operand, state)?.wrapping_neg(),
        Integer::Unary(UnaryOperator::BitNot, operand) => !value(operand, state)?,
        Integer::Binary(operator, left, right) => operator.calculate(value(left, state)?, value(right, state)?)?,
        Integer::Truth(inner) => i32::from(holds(inner, state)?),
    })
}

fn element(first: u32, length: u32, index: &Number, state: &[i32]) -> Option<usize> {
    let index = u32::try_from(value(index, state)?).ok().filter(|index| *index < length)?;
    Some((first + index) as usize)
}

/// Whether a condition holds; nothing if it has no value.
fn holds(condition: &Condition, state: &[i32]) -> Option<bool> {
    let settled_by = |operands: &[Condition], truth: bool| {
        for operand in operands {
            if holds(operand, state)? == truth {
                return Some(truth);
            }
        }
        Some(!truth)
    };
    match condition {
        Boolean::Constant(truth) => Some(*truth),
        Boolean::Compare(comparison, left, right) => {
            Some(comparison.holds(&value(left, state)?, &value(right, state)?))
        }
        Boolean::Not(operand) => Some(!holds(operand, state)?),
        Boolean::And(operands) => settled_by(operands, false),
        Boolean::Or(operands) => settled_by(operands, true),
    }
}

/// The state after some effects; nothing if one of them fails.
fn after(effects: &[Assignment], state: &[i32]) -> Option<Vec<i32>> {
    let mut state = state.to_vec();
    for effect in effects {
        let value = value(&effect.value, &state)?;
        let variable = match &effect.target {
            Target::Variable(variable) => *variable as usize,
            Target::Element { first, length, index } => element(*first, *length, index, &state)?,
        };
        if effect.width.is_some_and(|width| !width.range().holds(value)) {
            return None;
        }
        state[variable] = value;
    }
    Some(state)
}

/// Where a step leads: nowhere if it cannot be taken, `Some(None)` to the error state.
fn taken(directory: &super::Directory, step: &Step, state: &[i32]) -> Option<Option<Vec<i32>>> {
    let is_there = |way: &Move| state[directory.processes[way.process].state as usize] == way.from as i32;
    if !step.moves.iter().all(is_there) || step.conditions.iter().any(|one| holds(one, state) != Some(true)) {
        return None;
    }
    let guards: Vec<Option<bool>> = step.guards.iter().map(|guard| holds(guard, state)).collect();
    if guards.contains(&Some(false)) {
        return None;
    }
    Some(if guards.contains(&None) { None } else { after(&step.effects, state) })
}

/// The same as [`graph`], by the steps alone.
fn graph_of_steps(text: &str) -> Option<BTreeMap<Vec<i32>, Vec<Vec<i32>>>> {
    let file = parse("random.dve", text).ok()?;
    let mut problems = Problems::default();
    let mut directory = declare::declare(&file, &mut problems);
    let steps = step::steps(&file, &mut directory, text.len(), &mut problems);
    if problems.count() > 0 {
        return None;
    }
    let mut error = vec![0; directory.initial.len()];
    directory.processes.iter().for_each(|process| error[process.state as usize] = -1);
    let mut graph = BTreeMap::new();
    let mut open = vec![directory.initial.clone()];
    while let Some(state) = open.pop() {
        if graph.len() >= MOST_STATES || graph.contains_key(&state) {
            continue;
        }
        let taken = steps.iter().filter_map(|step| taken(&directory, step, &state));
        let mut next: Vec<Vec<i32>> = taken.map(|next| next.unwrap_or_else(|| error.clone())).collect();
        next.sort();
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
        assert_eq!(found, graph_of_steps(&text), "{text}");
        if let Some(found) = found {
            read += 1;
            states += found.len();
            errors += found.keys().filter(|state| state[FIRST_PROCESS] == -1).count();
        }
    }
    assert!(read > 1_000 && states > 20_000 && errors > 100, "{read} systems, {states} states, {errors} errors");
}
