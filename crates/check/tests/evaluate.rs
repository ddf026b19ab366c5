//! Programs with any expressions, on diagrams against state by state.

use std::time::{Duration, Instant};

use crate::common::build;
use crate::common::formulas::{ctl, events, variables};
use crate::common::programs::{FIRST, LENGTH, VARIABLES, boolean, integer, small, variable, with_array};
use crate::common::random::{Random, factor};
use mandala_analysis::order::Heuristic;
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit::{self, Ended};
use mandala_check::explore::{Stopped, enumerate, explore};
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{Options, OrderChoice};
use mandala_diagram::Strategy;
use mandala_model::expression::{BinaryOperator, Comparison, Integer};
use mandala_model::gal;
use mandala_model::property::{Atom, Formula, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, Statement, System, Target, Type};

fn statement(random: &mut Random, depth: usize) -> Statement {
    match random.below(if depth == 0 { 8 } else { 11 }) {
        0..4 => Statement::Assign(Target::Variable(variable(random)), small(random)),
        4..8 => {
            let index = if random.percent(70) {
                let three = Box::new(Integer::Constant(3));
                Integer::Binary(BinaryOperator::Remainder, Box::new(integer(random, 1)), three)
            } else {
                integer(random, 1)
            };
            Statement::Assign(Target::Element { first: FIRST, length: LENGTH, index }, small(random))
        }
        8 if random.percent(30) => Statement::Abort,
        _ => {
            let (yes, no) = (block(random, depth - 1), block(random, depth - 1));
            Statement::If(boolean(random, 1), yes, no)
        }
    }
}

fn block(random: &mut Random, depth: usize) -> Vec<Statement> {
    (0..random.below(3)).map(|_| statement(random, depth)).collect()
}

fn system(seed: u64) -> System {
    let mut random = Random::new(seed);
    let transitions = (0..1 + random.below(4))
        .map(|i| {
            let mut body = block(&mut random, 2);
            body.push(statement(&mut random, 0));
            build::action(&format!("t{i}"), None, boolean(&mut random, 2), body)
        })
        .collect();
    let values: Vec<i32> = (0..VARIABLES).map(|_| random.between(0, 3)).collect();
    let program = with_array("program", &values, transitions);
    System { name: format!("program{seed}"), types: vec![Type::Program(program)], main: 0, begins: vec![0] }
}

#[test]
fn programs_of_any_expressions() {
    let (mut compared, mut failed, mut enumerated, mut written) = (0, 0, 0, 0);
    let base = Options::default();
    let ways = [
        base.clone(),
        Options { order: OrderChoice::Heuristic(Heuristic::Declared), ..base.clone() },
        Options { order: OrderChoice::Heuristic(Heuristic::Reversed), ..base.clone() },
        Options { order: OrderChoice::Given(vec![4, 2, 0, 5, 3, 1]), strategy: Strategy::BreadthFirst, ..base },
    ];
    for seed in 0..4000 * factor() {
        let system = system(seed);
        let semantics = Semantics::new(&system).unwrap();
        let limits = Limits { states: Some(1500), ..Limits::default() };
        let outcome = explicit::explore(&semantics, &[], &limits, &Progress::default());
        let context = |options: &Options| format!("seed {seed}, {:?}: {system:#?}", options.order);
        let fails = matches!(outcome.ended, Ended::Error { .. });
        if !fails && outcome.ended != Ended::Complete {
            continue;
        }
        // Written and read again it is the same; an index that is always out of range is not read.
        let text = if seed % 4 == 0 { gal::write(&system, &[]) } else { String::new() };
        if let Ok(again) = gal::read("program.gal", &text, &[]) {
            let read = explicit::explore(&Semantics::new(&again.system).unwrap(), &[], &limits, &Progress::default());
            let counts = (read.states, read.transitions, matches!(read.ended, Ended::Error { .. }));
            assert_eq!(counts, (outcome.states, outcome.transitions, fails), "seed {seed}:\n{text}");
            written += 1;
        }
        for options in &ways {
            // Beyond the error there may be no end.
            let deadline = fails.then(|| Instant::now() + Duration::from_millis(100));
            let options = Options { limits: Limits { deadline, ..Limits::default() }, ..options.clone() };
            let found = match &options.order {
                // Once state by state, if there are not too many ways through a transition.
                OrderChoice::Automatic => match enumerate(&system, &options) {
                    Some(found) => {
                        enumerated += 1;
                        found
                    }
                    None => explore(&system, &options),
                },
                _ => explore(&system, &options),
            };
            let options = &options;
            match (&outcome.ended, found) {
                (Ended::Complete, Ok(space)) => {
                    assert_eq!(space.count().to_u64(), Some(outcome.states), "{}", context(options));
                    compared += 1;
                }
                (Ended::Error { .. }, Err(Stopped::Undefined)) => failed += 1,
                (Ended::Complete, Err(stopped)) => panic!("{stopped}: {}", context(options)),
                (Ended::Error { error, .. }, Ok(_)) => panic!("no error ({error}): {}", context(options)),
                (_, Err(_)) => break,
                (_, Ok(_)) => unreachable!("it is complete, or there is an error"),
            }
        }
    }
    assert!(compared > 2000 && failed > 200, "{compared} programs, {failed} with an error");
    assert!(enumerated > 1000 && written > 300, "{enumerated} state by state, {written} written and read");
}

/// Where a variable or any expression has a value: verdicts, and traces that are found backwards through assignments.
#[test]
fn traces_through_assignments() {
    let mut traces = 0;
    for seed in 0..6000 * factor() {
        let system = system(seed);
        let semantics = Semantics::new(&system).unwrap();
        let mut random = Random::new(seed);
        let place = |index: &u32| Location { path: Vec::new(), index: *index };
        let (left, right) = if random.percent(50) {
            (Integer::Variable(variable(&mut random)), Integer::Constant(random.between(0, 3)))
        } else {
            (integer(&mut random, 2), integer(&mut random, 1))
        };
        let question =
            Question::Reachable(Formula::Atom(Atom::Compare(Comparison::Equal, left.over(&place), right.over(&place))));
        let limits = Limits { states: Some(500), ..Limits::default() };
        let outcome = explicit::explore(&semantics, std::slice::from_ref(&question), &limits, &Progress::default());
        if outcome.ended != Ended::Complete {
            continue;
        }
        let context = format!("seed {seed}: {question:?} of {system:?}");
        let mut space = explore(&system, &Options::default()).unwrap_or_else(|stopped| panic!("{stopped}: {context}"));
        let answer = space.answer(&question, Traces::Wanted);
        match (&answer.verdict, &outcome.answers[0].verdict) {
            (Verdict::Holds, Verdict::Holds) => {
                let shortest = &outcome.answers[0].found().unwrap_or_else(|| panic!("no way: {context}")).trace;
                let found = answer.trace.unwrap_or_else(|| panic!("no trace: {context}"));
                let found = found.unwrap_or_else(|error| panic!("{error}: {context}"));
                mandala_check::run::replay(&semantics, &found.trace)
                    .unwrap_or_else(|error| panic!("{error}: {context}"));
                assert_eq!(found.trace.steps.len(), shortest.steps.len(), "{context}");
                traces += u64::from(!shortest.steps.is_empty());
            }
            (Verdict::Fails, Verdict::Fails) => {}
            (verdict, expected) => panic!("{verdict:?} and not {expected:?}: {context}"),
        }
    }
    assert!(traces > 80 * factor(), "only {traces} traces");
}

/// A product of variables of two instances, which no diagram of one level holds.
#[test]
fn expressions_over_several_instances() {
    let text = "gal Counter { int x = 0; transition up [x < 3] { x = x + 1; } }
        composite Pair { Counter a; Counter b; } main Pair;";
    let model = gal::read("pair.gal", text, &[]).unwrap();
    let mut space = explore(&model.system, &Options::default()).unwrap();
    let counts = [(6, true), (5, false), (9, true), (7, false)];
    for (product, expected) in counts {
        let property = gal::formula(&model.system, &format!("EF (a:x * b:x == {product})")).unwrap();
        let answer = space.answer(&property.question, Traces::Unwanted);
        assert_eq!(matches!(answer.verdict, Verdict::Holds), expected, "{product}: {:?}", answer.verdict);
    }
}

/// Predecessors by any expressions: CTL on diagrams against CTL state by state.
#[test]
fn ctl_of_programs_of_any_expressions() {
    let (mut compared, mut unknown) = (0, 0);
    for seed in 0..1500 * factor() {
        let system = system(seed);
        let semantics = Semantics::new(&system).unwrap();
        let mut random = Random::new(seed);
        let (variables, events) = (variables(&system), events(&system));
        let questions: Vec<Question> =
            (0..4).map(|i| Question::Ctl(ctl(&mut random, &variables, &events, 1 + i % 3))).collect();
        let limits = Limits { states: Some(500), ..Limits::default() };
        let outcome = explicit::explore(&semantics, &questions, &limits, &Progress::default());
        if outcome.ended != Ended::Complete || outcome.states < 2 {
            continue;
        }
        let mut space = explore(&system, &Options::default()).unwrap_or_else(|stopped| panic!("{stopped}: {seed}"));
        for (question, expected) in questions.iter().zip(&outcome.answers) {
            match (space.answer(question, Traces::Unwanted).verdict, &expected.verdict) {
                (Verdict::Holds, Verdict::Holds) | (Verdict::Fails, Verdict::Fails) => compared += 1,
                (Verdict::Unknown(_), _) => unknown += 1,
                (verdict, expected) => {
                    panic!("{verdict:?} and not {expected:?}: seed {seed}: {question:?} of {system:?}")
                }
            }
        }
    }
    println!("{compared} compared, {unknown} unknown");
    assert!(compared > 1000 * factor() && unknown * 4 < compared, "{compared} compared, {unknown} unknown");
}
