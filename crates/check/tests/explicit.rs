//! The explicit engine on systems made by hand.

use crate::common::build::*;
use mandala_check::answer::Verdict;
use mandala_check::explicit::{Ended, Outcome, answer, explore};
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::{Mismatch, Trace, replay};
use mandala_diagram::Cancel;
use mandala_model::expression::{BinaryOperator, Boolean, Comparison, Integer};
use mandala_model::net::Effect;
use mandala_model::property::{Atom, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::{Cause, Semantics};
use mandala_model::system::{Location, ProgramInitial, Statement, System, Type};
use std::time::Instant;

fn explored(system: &System) -> Outcome {
    explore(&Semantics::new(system).unwrap(), &[], &Limits::default(), &Progress::default())
}

fn limited(system: &System, limits: Limits) -> Outcome {
    explore(&Semantics::new(system).unwrap(), &[], &limits, &Progress::default())
}

/// A net with one place that a transition fills without end.
fn unbounded() -> System {
    system(vec![Type::Net(net("source", &[0], vec![transition("t", None, &[], &[0])]))])
}

/// Places in a circle, and tokens that go round.
fn circle(places: usize, tokens: i32) -> System {
    let mut marking = vec![0; places];
    marking[0] = tokens;
    let next = |i: usize| ((i + 1) % places) as u32;
    let transitions = (0..places).map(|i| transition(&format!("t{i}"), None, &[i as u32], &[next(i)])).collect();
    system(vec![Type::Net(net("circle", &marking, transitions))])
}

fn place(path: &[u32], index: u32) -> Integer<Location> {
    Integer::Variable(Location { path: path.to_vec(), index })
}

fn is(expression: Integer<Location>, value: i32) -> Formula {
    Formula::Atom(Atom::Compare(Comparison::Equal, expression, Integer::Constant(value)))
}

#[test]
fn tokens_in_a_circle() {
    let outcome = explored(&circle(4, 3));
    // 3 tokens in 4 places: 20 ways. A place is not empty in all but those with 3 tokens in 3 places: 10 ways each.
    assert_eq!((outcome.states, outcome.transitions), (20, 40));
    assert_eq!((outcome.most_in_place, outcome.most_in_marking), (Some(3), Some(3)));
    assert_eq!((outcome.deadlocks, outcome.ended), (0, Ended::Complete));
}

#[test]
fn five_philosophers() {
    let outcome = explored(&philosophers(5));
    // The Lucas number L(15): the count of the literature for this model.
    assert_eq!((outcome.states, outcome.deadlocks), (1364, 2));
    let trace = outcome.first_deadlock.unwrap();
    // Everyone is hungry, everyone takes the same fork.
    assert_eq!(trace.steps.len(), 10);
    let system = philosophers(5);
    let semantics = Semantics::new(&system).unwrap();
    assert_eq!(replay(&semantics, &trace), Ok(()));
    let name = |number: usize| semantics.name(&trace.steps[number].event);
    assert_eq!(name(0), "philo[0]:hungry");
    assert!(name(9).starts_with("left[") || name(9).starts_with("right["), "{}", name(9));
}

#[test]
fn philosophers_by_their_number() {
    let lucas = |n: usize| (1..n).fold((2u64, 1u64), |(a, b), _| (b, a + b)).1;
    for count in 2..=6 {
        assert_eq!(explored(&philosophers(count)).states, lucas(3 * count), "{count} philosophers");
    }
}

#[test]
fn a_net_fires_calls_together_and_a_program_one_by_one() {
    let both = || vec![synchronisation("both", None, &[(Some(0), "give"), (Some(0), "take")])];
    let as_net = net(
        "buffer",
        &[0],
        vec![
            transition("give", Some("give"), &[], &[0]),
            transition("take", Some("take"), &[0], &[]),
            transition("fill", None, &[], &[]),
        ],
    );
    let as_program = program(
        "buffer",
        &[0],
        vec![
            action("give", Some("give"), Boolean::Constant(true), vec![add(0, 1)]),
            action("take", Some("take"), compare(0, Comparison::Greater, 0), vec![add(0, -1)]),
            action("fill", None, Boolean::Constant(true), vec![]),
        ],
    );
    let outer = composite("main", &[("buffer", 0)], both());
    let of_net = explored(&system(vec![Type::Net(as_net), Type::Composite(outer.clone())]));
    let of_program = explored(&system(vec![Type::Program(as_program), Type::Composite(outer)]));
    assert_eq!((of_net.states, of_net.transitions), (1, 1));
    assert_eq!((of_program.states, of_program.transitions), (1, 2));
}

#[test]
fn one_event_with_two_results_is_one_transition() {
    let inner = program(
        "coin",
        &[0],
        vec![
            action("heads", Some("toss"), compare(0, Comparison::Equal, 0), vec![set(0, 1)]),
            action("tails", Some("toss"), compare(0, Comparison::Equal, 0), vec![set(0, 2)]),
        ],
    );
    let outer = composite("main", &[("coin", 0)], vec![synchronisation("toss", None, &[(Some(0), "toss")])]);
    let outcome = explored(&system(vec![Type::Program(inner), Type::Composite(outer)]));
    assert_eq!((outcome.states, outcome.transitions, outcome.deadlocks), (3, 1, 2));
}

#[test]
fn several_initial_states() {
    let mut inner = program("counter", &[0], vec![]);
    inner.initial = [0, 5, 9].map(|value| ProgramInitial { name: format!("at{value}"), values: vec![value] }).to_vec();
    let mut system = system(vec![Type::Program(inner)]);
    system.begins = vec![0, 2];
    let outcome = explored(&system);
    assert_eq!((outcome.states, outcome.deadlocks), (2, 2));
    assert_eq!(outcome.most_in_place, Some(9));
}

#[test]
fn arcs_of_every_kind_in_one_net() {
    // `t` moves a token from 0 to 1 while 2 holds one; `r` empties 1, once it holds two, unless 0 holds any.
    let mut both = transition("t", None, &[0], &[1]);
    both.effects.push(Effect { read: 1, ..Effect::on(2) });
    let mut reset = transition("r", None, &[], &[]);
    reset.effects =
        vec![Effect { below: Some(1), ..Effect::on(0) }, Effect { read: 2, reset: true, put: 1, ..Effect::on(1) }];
    let outcome = explored(&system(vec![Type::Net(net("arcs", &[3, 0, 1], vec![both, reset]))]));
    // 3 0, 2 1, 1 2, 0 3, 0 1.
    assert_eq!((outcome.states, outcome.transitions, outcome.deadlocks), (5, 4, 1));
    assert_eq!(outcome.first_deadlock.unwrap().last(), &[0, 1, 1]);
}

#[test]
fn transient_states_do_not_count() {
    let below = compare(0, Comparison::Less, 4);
    let mut counter = program(
        "counter",
        &[0],
        vec![
            action("up", None, below, vec![add(0, 1)]),
            action("restart", None, compare(0, Comparison::Equal, 4), vec![set(0, 0)]),
        ],
    );
    assert_eq!(explored(&system(vec![Type::Program(counter.clone())])).states, 5);
    counter.transient = Some(compare(0, Comparison::NotEqual, 0));
    let outcome = explored(&system(vec![Type::Program(counter)]));
    assert_eq!((outcome.states, outcome.transitions, outcome.deadlocks), (1, 1, 0));
}

#[test]
fn statements_of_every_kind() {
    // As the time Petri net of the GAL documentation: time elapses by any amount, then the transition fires.
    let elapse = vec![Statement::If(compare(0, Comparison::Greater, 0), vec![add(1, 1)], vec![])];
    let model = program(
        "tpn",
        &[1, 0],
        vec![
            action(
                "next",
                None,
                Boolean::Constant(true),
                vec![Statement::Fixpoint(vec![Statement::Call("wait".into())]), Statement::Call("fire".into())],
            ),
            action("elapse", Some("wait"), compare(1, Comparison::Less, 5), elapse),
            action("stay", Some("wait"), Boolean::Constant(true), vec![]),
            action(
                "fire",
                Some("fire"),
                compare(1, Comparison::GreaterOrEqual, 3),
                vec![Statement::If(compare(0, Comparison::Equal, 0), vec![Statement::Abort], vec![add(0, -1)])],
            ),
        ],
    );
    let outcome = explored(&system(vec![Type::Program(model)]));
    // Fired at time 3, 4 or 5; then nothing more.
    assert_eq!((outcome.states, outcome.transitions, outcome.deadlocks), (4, 1, 3));
}

#[test]
fn questions() {
    let system = philosophers(3);
    let semantics = Semantics::new(&system).unwrap();
    let has_left = |i: u32| place(&[2 * i], 3);
    let all_left = Integer::Sum((0..3).map(has_left).collect());
    let fork = place(&[1], 0);
    let eats = |i: u32| Formula::Atom(Atom::Fireable(vec![Location { path: vec![], index: 3 * i + 2 }]));
    let ltl = |operator, inner| Formula::Unary(Quantifier::None, operator, Box::new(inner));
    let questions = [
        Question::Reachable(is(all_left.clone(), 3)),
        Question::Reachable(Formula::And(vec![eats(0), eats(1)])),
        Question::Invariant(Formula::Atom(Atom::Compare(Comparison::LessOrEqual, fork, Integer::Constant(1)))),
        Question::Never(Formula::Deadlock),
        Question::Bounds(all_left),
        Question::Ctl(Formula::Unary(Quantifier::All, UnaryOperator::Finally, Box::new(Formula::Deadlock))),
        Question::Ltl(ltl(UnaryOperator::Globally, ltl(UnaryOperator::Finally, Formula::Deadlock))),
        Question::Reachable(is(place(&[99], 0), 1)),
    ];
    let outcome = explore(&semantics, &questions, &Limits::default(), &Progress::default());
    let verdicts: Vec<&Verdict> = outcome.answers.iter().map(|answer| &answer.verdict).collect();
    let [
        Verdict::Holds,
        Verdict::Fails,
        Verdict::Holds,
        Verdict::Fails,
        Verdict::Bounds { least: 0, greatest: 3 },
        Verdict::Fails,
        Verdict::Unknown(not_here),
        Verdict::Unknown(no_such_place),
    ] = verdicts[..]
    else {
        panic!("{verdicts:?}")
    };
    assert_eq!(not_here, "this cannot be answered state by state");
    assert!(no_such_place.contains(&Cause::Unknown.to_string()), "{no_such_place}");
    let ways: Vec<Option<&Trace>> =
        outcome.answers.iter().map(|answer| answer.found().map(|found| &found.trace)).collect();
    let [Some(left), None, None, Some(dead), None, None, None, None] = ways[..] else { panic!("{ways:?}") };
    assert_eq!((left.steps.len(), dead.steps.len()), (6, 6));
    assert_eq!(replay(&semantics, left), Ok(()));
    assert_eq!(replay(&semantics, dead), Ok(()));
}

#[test]
fn answering_stops_early() {
    let system = circle(6, 6);
    let semantics = Semantics::new(&system).unwrap();
    let near = [Question::Reachable(is(place(&[], 1), 1))];
    let outcome = answer(&semantics, &near, &Limits::default(), &Progress::default());
    assert_eq!(outcome.ended, Ended::Answered);
    assert!(outcome.states < 10, "{}", outcome.states);
    assert_eq!(outcome.answers[0].verdict, Verdict::Holds);
    assert_eq!(outcome.answers[0].found().map(|found| found.trace.steps.len()), Some(1));
    let impossible = [Question::Reachable(is(place(&[], 1), 7))];
    let outcome = answer(&semantics, &impossible, &Limits::default(), &Progress::default());
    assert_eq!((outcome.ended, &outcome.answers[0].verdict), (Ended::Complete, &Verdict::Fails));
    assert_eq!(outcome.answers[0].trace, None);
}

#[test]
fn limits_end_it_with_what_was_found() {
    let outcome = limited(&unbounded(), Limits { states: Some(100), ..Limits::default() });
    assert_eq!((outcome.ended, outcome.states, outcome.most_in_place), (Ended::States, 100, Some(99)));
    let outcome = limited(&unbounded(), Limits { memory: Some(100_000), ..Limits::default() });
    assert_eq!(outcome.ended, Ended::Memory);
    assert!((1000..25_000).contains(&outcome.states), "{} states", outcome.states);
    let outcome = limited(&unbounded(), Limits { deadline: Some(Instant::now()), ..Limits::default() });
    assert_eq!((outcome.ended, outcome.states), (Ended::Deadline, 1));
    let cancel = Cancel::default();
    cancel.cancel();
    assert_eq!(limited(&unbounded(), Limits { cancel, ..Limits::default() }).ended, Ended::Cancelled);
    // As many as there are is no limit.
    let outcome = limited(&circle(4, 3), Limits { states: Some(20), ..Limits::default() });
    assert_eq!((outcome.ended, outcome.states), (Ended::Complete, 20));
}

#[test]
fn what_is_not_known_is_not_said() {
    let system = unbounded();
    let semantics = Semantics::new(&system).unwrap();
    let questions = [
        Question::Reachable(is(place(&[], 0), 1_000_000)),
        Question::Invariant(Formula::Not(Box::new(Formula::Deadlock))),
        Question::Bounds(place(&[], 0)),
        Question::Reachable(is(place(&[], 0), 3)),
    ];
    let limits = Limits { states: Some(50), ..Limits::default() };
    let answers = explore(&semantics, &questions, &limits, &Progress::default()).answers;
    let undecided = Verdict::Unknown("not all states are known, and none so far decides it".to_owned());
    let so_far = Verdict::Unknown("not all states are known; so far from 0 to 49".to_owned());
    let verdicts: Vec<&Verdict> = answers.iter().map(|answer| &answer.verdict).collect();
    assert_eq!(verdicts, [&undecided, &undecided, &so_far, &Verdict::Holds]);
    assert!(answers[3].found().is_some());
}

#[test]
fn cancelling_from_another_thread() {
    let (limits, progress) = (Limits::default(), Progress::default());
    let system = unbounded();
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            while progress.states() < 10 {
                std::thread::yield_now();
            }
            limits.cancel.cancel();
        });
        explore(&Semantics::new(&system).unwrap(), &[], &limits, &progress)
    });
    assert_eq!(outcome.ended, Ended::Cancelled);
    assert!(outcome.states >= 10, "{} states", outcome.states);
}

#[test]
fn an_error_of_the_model_has_a_trace() {
    let divide =
        Integer::Binary(BinaryOperator::Divide, Box::new(Integer::Constant(6)), Box::new(Integer::Variable(0)));
    let target = mandala_model::system::Target::Variable(1);
    let model = program(
        "division",
        &[2, 0],
        vec![
            action("down", None, Boolean::Constant(true), vec![add(0, -1)]),
            action("divide", None, compare(1, Comparison::Equal, 0), vec![Statement::Assign(target, divide)]),
        ],
    );
    let system = system(vec![Type::Program(model)]);
    let outcome = explored(&system);
    let Ended::Error { error, trace: Some(trace) } = outcome.ended else { panic!("{:?}", outcome.ended) };
    assert_eq!((error.transition.as_deref(), &error.cause), (Some("divide"), &Cause::DivisionByZero));
    assert_eq!((trace.steps.len(), trace.last()), (2, &error.state));
}

#[test]
fn false_traces_are_found_out() {
    let system = circle(3, 1);
    let semantics = Semantics::new(&system).unwrap();
    let question = [Question::Reachable(is(place(&[], 2), 1))];
    let outcome = explore(&semantics, &question, &Limits::default(), &Progress::default());
    let trace = &outcome.answers[0].found().expect("a way").trace;
    assert_eq!(replay(&semantics, trace), Ok(()));
    let elsewhere = Trace { initial: vec![0, 1, 0], steps: vec![] };
    assert_eq!(replay(&semantics, &elsewhere), Err(Mismatch::NotInitial));
    let mut jumping = trace.clone();
    jumping.steps.remove(0);
    assert_eq!(replay(&semantics, &jumping), Err(Mismatch::NoSuchStep(0)));
    let mut renamed = trace.clone();
    renamed.steps[1].event.location.index = 0;
    assert_eq!(replay(&semantics, &renamed), Err(Mismatch::NoSuchStep(1)));
}

#[test]
fn a_system_without_variables_has_one_state() {
    let outcome = explored(&system(vec![Type::Net(net("empty", &[], vec![transition("t", None, &[], &[])]))]));
    assert_eq!((outcome.states, outcome.transitions, outcome.deadlocks), (1, 1, 0));
    assert_eq!((outcome.most_in_place, outcome.most_in_marking), (None, Some(0)));
}
