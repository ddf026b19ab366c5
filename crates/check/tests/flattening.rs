//! Composites made flat, against the composites, state by state.

use crate::common::build;
use crate::common::random::{Leaves, Random, Taste, composite, factor, nested, net};
use crate::common::shared;
use mandala_model::expression::{BinaryOperator, Boolean, Comparison, Integer};
use mandala_model::flatten::{CannotFlatten, Flat, flatten};
use mandala_model::gal;
use mandala_model::semantics::Semantics;
use mandala_model::system::{Array, Location, Program, Statement, System, Target, Type};
use std::collections::{BTreeMap, BTreeSet, HashSet};

type States = BTreeSet<Vec<i32>>;

/// What was seen of a system.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) states: usize,
    pub(crate) steps: usize,
    errors: usize,
    is_all: bool,
}

/// Explores a composite, and compares all steps of so many states with those of the flat system, event by event.
pub(crate) fn compare(system: &System, flat: &Flat, most: usize, context: &str) -> Seen {
    let whole = Semantics::new(system).unwrap();
    let other = Semantics::new(&flat.system).unwrap();
    assert_eq!(whole.variables(), other.variables(), "{context}");
    let (begin, same) = match (whole.initial_states(), other.initial_states()) {
        (Ok(begin), Ok(same)) => (begin, same),
        (Err(_), Err(_)) => return Seen { errors: 1, ..Seen::default() },
        (one, two) => panic!("{one:?} and {two:?}: {context}"),
    };
    let (begin, same): (States, States) = (begin.into_iter().collect(), same.into_iter().collect());
    assert_eq!(begin, same, "{context}");
    let mut known: HashSet<Vec<i32>> = begin.iter().cloned().collect();
    let mut open: Vec<Vec<i32>> = begin.into_iter().collect();
    let mut seen = Seen::default();
    while let Some(state) = open.pop() {
        if seen.states == most {
            return seen;
        }
        seen.states += 1;
        let (steps, flat_steps) = match (whole.successors(&state), other.successors(&state)) {
            (Ok(steps), Ok(flat_steps)) => (steps, flat_steps),
            (Err(_), Err(_)) => {
                seen.errors += 1;
                continue;
            }
            (one, two) => panic!("{one:?} and {two:?} in {state:?}: {context}\n{}", gal::write(&flat.system, &[])),
        };
        let mut by_event: BTreeMap<Location, States> = BTreeMap::new();
        for step in steps {
            seen.steps += 1;
            if known.insert(step.state.clone()) {
                open.push(step.state.clone());
            }
            by_event.entry(step.event.location).or_default().insert(step.state);
        }
        let mut by_transition: BTreeMap<u32, States> = BTreeMap::new();
        for step in flat_steps {
            by_transition.entry(step.event.location.index).or_default().insert(step.state);
        }
        let mut joined: BTreeMap<Location, States> = BTreeMap::new();
        for (location, transitions) in &flat.renaming.fires {
            let states = transitions.iter().filter_map(|transition| by_transition.remove(transition));
            let states: States = states.flatten().collect();
            if !states.is_empty() {
                joined.insert(location.clone(), states);
            }
        }
        assert!(by_transition.is_empty(), "{by_transition:?} in {state:?}: {context}");
        assert_eq!(joined, by_event, "in {state:?}: {context}\n{}", gal::write(&flat.system, &[]));
    }
    seen.is_all = true;
    seen
}

#[test]
fn random_composites() {
    for leaves in [Leaves::Nets, Leaves::Programs, Leaves::Both] {
        let (mut compared, mut steps) = (0, 0);
        for seed in 0..300 * factor() {
            let system = nested(seed, leaves);
            let flat = match flatten(&system) {
                // Choices of one net multiply, for its transitions fire together.
                Err(CannotFlatten::TooManyCombinations) => continue,
                flat => flat.unwrap_or_else(|error| panic!("seed {seed}: {error}")),
            };
            let is_net = matches!(flat.system.types[0], Type::Net(_));
            assert!(is_net || leaves != Leaves::Nets);
            let seen = compare(&system, &flat, 200, &format!("{leaves:?}, seed {seed}: {system:?}"));
            compared += usize::from(seen.states > 1);
            steps += seen.steps;
        }
        assert!(compared > 150 && steps > 5000, "{leaves:?}: {compared} composites with {steps} steps");
    }
}

const LABELS: [&str; 3] = ["a", "b", "c"];

/// One variable and an array.
const VARIABLES: usize = 3;

fn integer(random: &mut Random, depth: usize) -> Integer<u32> {
    let inner = |random: &mut Random| Box::new(integer(random, depth - 1));
    match random.below(if depth == 0 { 3 } else { 7 }) {
        0 => Integer::Variable(random.below(VARIABLES) as u32),
        1 | 2 => Integer::Constant(random.between(0, 2)),
        3 | 4 => Integer::Element { first: 1, length: 2, index: inner(random) },
        5 => Integer::Sum(vec![*inner(random), *inner(random)]),
        _ => Integer::Binary(
            *random.choose(&[BinaryOperator::Divide, BinaryOperator::BitXor]),
            inner(random),
            inner(random),
        ),
    }
}

fn condition(random: &mut Random) -> Boolean<u32> {
    let comparison = *random.choose(&[Comparison::Equal, Comparison::NotEqual, Comparison::Less]);
    let one = Boolean::Compare(comparison, integer(random, 2), integer(random, 1));
    if random.percent(20) { Boolean::Not(Box::new(one)) } else { one }
}

/// Values stay small, mostly.
fn assignment(random: &mut Random, can_fail: bool) -> Statement {
    let depth = if can_fail { 2 } else { 0 };
    let value = Box::new(integer(random, depth));
    let value = Integer::Binary(BinaryOperator::BitAnd, value, Box::new(Integer::Constant(1)));
    let target = match random.percent(30) && can_fail {
        true => Target::Element { first: 1, length: 2, index: integer(random, 1) },
        false => Target::Variable(random.below(VARIABLES) as u32),
    };
    Statement::Assign(target, value)
}

fn block(random: &mut Random, label: Option<&str>, can_fail: bool, depth: usize) -> Vec<Statement> {
    let count = 1 + random.below(2);
    let one = |random: &mut Random| match random.below(if depth == 0 { 6 } else { 10 }) {
        0..5 => assignment(random, can_fail),
        5 => {
            // Calls never go in circles.
            let later: Vec<&str> = LABELS.iter().copied().filter(|one| label.is_none_or(|own| *one > own)).collect();
            match later.is_empty() {
                true => assignment(random, can_fail),
                false => Statement::Call((*random.choose(&later)).to_owned()),
            }
        }
        6 if random.percent(40) => Statement::Abort,
        7 if can_fail => Statement::Fixpoint(block(random, label, can_fail, 0)),
        _ => {
            let guard = if can_fail { condition(random) } else { build::compare(0, Comparison::Equal, 1) };
            Statement::If(guard, block(random, label, can_fail, 0), block(random, label, can_fail, 0))
        }
    };
    (0..count).map(|_| one(random)).collect()
}

/// A program with all that the language has.
fn program(random: &mut Random) -> Program {
    let can_fail = random.percent(50);
    let count = 2 + random.below(4);
    let mut transitions: Vec<_> = (0..count)
        .map(|number| {
            let label = random.percent(70).then(|| *random.choose(&LABELS));
            let guard = if random.percent(70) { condition(random) } else { Boolean::Constant(true) };
            let body = block(random, label, can_fail, 1);
            build::action(&format!("t{number}"), label, guard, body)
        })
        .collect();
    if random.percent(20) {
        // A label with many choices.
        for number in 0..9 {
            let guard = build::compare(number % 3, Comparison::Equal, (number / 3) as i32);
            let body = vec![assignment(random, can_fail)];
            transitions.push(build::action(&format!("many{number}"), Some("a"), guard, body));
        }
    }
    let values: Vec<i32> = (0..VARIABLES).map(|_| random.between(0, 1)).collect();
    let mut program = build::program("program", &values, transitions);
    program.variables[1].name = "t[0]".to_owned();
    program.variables[2].name = "t[1]".to_owned();
    program.arrays = vec![Array { name: "t".to_owned(), first: 1, length: 2 }];
    program.transient = random.percent(15).then(|| condition(random));
    program
}

fn of_programs(seed: u64) -> System {
    let mut random = Random::new(seed);
    let mut types: Vec<Type> = (0..random.between(1, 2)).map(|_| Type::Program(program(&mut random))).collect();
    if random.percent(30) {
        types.insert(0, Type::Net(net(&mut random, Taste { labelled: 70, more: 0 })));
        // Transient states are followed to their end, and nets may have none.
        for kind in &mut types {
            if let Type::Program(program) = kind {
                program.transient = None;
            }
        }
    }
    if random.percent(50) {
        let inner = composite(&mut random, &types, 60);
        types.push(Type::Composite(inner));
    }
    let main = composite(&mut random, &types, 20);
    types.push(Type::Composite(main));
    System { name: format!("programs{seed}"), main: types.len() - 1, types, begins: vec![0] }
}

#[test]
fn composites_of_programs_with_everything() {
    let (mut compared, mut steps, mut errors, mut refused, mut calls, mut written) = (0, 0, 0, 0, 0, 0);
    for seed in 0..1500 * factor() {
        let system = of_programs(seed);
        let flat = match flatten(&system) {
            Ok(flat) => flat,
            Err(CannotFlatten::Errors(_) | CannotFlatten::TooManyCombinations) => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let seen = compare(&system, &flat, 150, &format!("seed {seed}: {system:?}"));
        compared += usize::from(seen.states > 1);
        steps += seen.steps;
        errors += seen.errors;
        let Type::Program(program) = &flat.system.types[0] else { continue };
        calls += usize::from(program.transitions.iter().any(|one| one.label.is_some()));
        // Written and read again it is the same; an index that is always out of range is not read.
        if let (true, Ok(again)) = (seen.is_all, gal::read("flat.gal", &gal::write(&flat.system, &[]), &[])) {
            let counted = |system: &System| {
                let semantics = Semantics::new(system).unwrap();
                let limits = mandala_check::limits::Limits { states: Some(500), ..Default::default() };
                let outcome = mandala_check::explicit::explore(
                    &semantics,
                    &[],
                    &limits,
                    &mandala_check::limits::Progress::default(),
                );
                (outcome.states, outcome.transitions)
            };
            assert_eq!(counted(&again.system), counted(&flat.system), "seed {seed}");
            written += 1;
        }
    }
    println!(
        "{compared} composites, {steps} steps, {errors} errors, {refused} refused, {calls} call, {written} written"
    );
    assert!(compared > 400 && steps > 5000 && errors > 100, "{compared} composites, {steps} steps, {errors} errors");
    assert!(refused < 300 && calls > 200 && written > 200, "{refused} refused, {calls} call, {written} written");
}

/// Many choices in many instances are not multiplied.
#[test]
fn choices_are_called() {
    let transitions = (0..8)
        .map(|number| {
            let guard = build::compare(0, Comparison::Equal, number);
            build::action(&format!("t{number}"), Some("step"), guard, vec![build::set(0, (number + 1) % 8)])
        })
        .collect();
    let counter = build::program("counter", &[0], transitions);
    let names: Vec<String> = (0..10).map(|number| format!("c[{number}]")).collect();
    let instances: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 0)).collect();
    let calls: Vec<(Option<usize>, &str)> = (0..10).map(|number| (Some(number), "step")).collect();
    let all = build::synchronisation("all", None, &calls);
    let system =
        build::system(vec![Type::Program(counter), Type::Composite(build::composite("all", &instances, vec![all]))]);
    let flat = flatten(&system).unwrap();
    let Type::Program(program) = &flat.system.types[0] else { panic!("no program") };
    assert!(program.transitions.len() < 200, "{} transitions", program.transitions.len());
    let seen = compare(&system, &flat, 100, "counters");
    assert_eq!((seen.states, seen.is_all), (8, true));
}

/// What does not happen in one instance is stronger than an error in another, whichever comes first.
#[test]
fn errors_of_instances_that_others_forbid() {
    let by_zero =
        Integer::Binary(BinaryOperator::Divide, Box::new(Integer::Constant(1)), Box::new(Integer::Variable(0)));
    let fails = vec![Statement::Assign(Target::Variable(0), by_zero)];
    let system = |first: Vec<Statement>, second: Vec<Statement>| {
        let action = |body| vec![build::action("t", Some("go"), Boolean::Constant(true), body)];
        let both = build::synchronisation("both", None, &[(Some(0), "go"), (Some(1), "go")]);
        build::system(vec![
            Type::Program(build::program("one", &[0], action(first))),
            Type::Program(build::program("two", &[0], action(second))),
            Type::Composite(build::composite("pair", &[("x", 0), ("y", 1)], vec![both])),
        ])
    };
    let aborts = || vec![Statement::Abort];
    for system in [system(fails.clone(), aborts()), system(aborts(), fails.clone())] {
        let seen = compare(&system, &flatten(&system).unwrap(), 10, "pair");
        assert_eq!((seen.states, seen.steps, seen.errors), (1, 0, 0));
    }
    let both = [fails, aborts()].concat();
    let system = system(both.clone(), both);
    assert!(matches!(flatten(&system), Err(CannotFlatten::Errors(name)) if name == "both"));
}

#[test]
fn composites_of_others() {
    let Some(folder) = shared::models() else { return };
    let expected = shared::expected("expected-gal.csv");
    let mut files: Vec<_> =
        std::fs::read_dir(folder.join("gal")).unwrap().filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    let (mut compared, mut whole) = (0, 0);
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "gal")) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let Ok(model) = gal::read(&name, &text, &[]) else { continue };
        if !matches!(model.system.types[model.system.main], Type::Composite(_)) {
            continue;
        }
        let flat = flatten(&model.system).unwrap_or_else(|error| panic!("{name}: {error}"));
        let seen = compare(&model.system, &flat, 1500, &name);
        let states = expected.get(&name).and_then(|figures| figures.get(&("StateSpace".into(), "STATES".into())));
        if let (true, Some(states)) = (seen.is_all, states) {
            assert_eq!(&seen.states.to_string(), states, "{name}");
            whole += 1;
        }
        println!("{name}: {} states, {} steps compared", seen.states, seen.steps);
        compared += 1;
    }
    assert!(compared >= 15 && whole >= 3, "{compared} composites, {whole} of them whole");
}
