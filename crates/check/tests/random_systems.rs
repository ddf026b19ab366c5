//! The random systems of `common::random`: that there are enough of them with something in them, and that what the
//! explicit engine says about them is true.

use crate::common::flatten::flatten;
use crate::common::random::{Leaves, explored, flat, nested, prioritised, small};
use crate::common::translate::{calls_are_single, with_programs};
use mandala_check::answer::Verdict;
use mandala_check::explicit::explore;
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::{Trace, replay};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{Atom, Formula, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};

const MOST_STATES: u64 = 3000;

fn share(seeds: u64, generate: impl Fn(u64) -> System) -> u64 {
    small(0..seeds, MOST_STATES, generate).count() as u64 * 100 / seeds
}

#[test]
fn most_have_some_states_and_not_too_many() {
    for leaves in [Leaves::Nets, Leaves::Programs, Leaves::Both] {
        let (flat, nested) = (share(200, |seed| flat(seed, leaves)), share(200, |seed| nested(seed, leaves)));
        println!("{leaves:?}: {flat}% of the flat ones, {nested}% of the nested ones");
        assert!(flat >= 50 && nested >= 50, "{leaves:?}: {flat}% and {nested}%");
    }
}

#[test]
fn the_same_seed_gives_the_same_system() {
    assert_eq!(nested(7, Leaves::Both), nested(7, Leaves::Both));
    assert_ne!(nested(7, Leaves::Both), nested(8, Leaves::Both));
}

/// Whether among the systems there are some with each feature that engines get wrong.
#[test]
fn every_feature_occurs() {
    let systems: Vec<System> =
        small(0..200, MOST_STATES, |seed| nested(seed, Leaves::Both)).map(|found| found.1).collect();
    let count = |holds: &dyn Fn(&Type) -> bool| systems.iter().filter(|system| system.types.iter().any(holds)).count();
    let effect = |type_: &Type, holds: &dyn Fn(&mandala_model::net::Effect) -> bool| match type_ {
        Type::Net(net) => net.transitions.iter().flat_map(|transition| &transition.effects).any(holds),
        _ => false,
    };
    let calls = |type_: &Type, holds: &dyn Fn(&[mandala_model::system::Call]) -> bool| match type_ {
        Type::Composite(composite) => composite.synchronisations.iter().any(|s| holds(&s.calls)),
        _ => false,
    };
    let features: [(&str, usize); 8] = [
        ("read", count(&|type_| effect(type_, &|effect| effect.read > effect.take))),
        ("inhibitor", count(&|type_| effect(type_, &|effect| effect.below.is_some()))),
        ("reset", count(&|type_| effect(type_, &|effect| effect.reset))),
        ("self call", count(&|type_| calls(type_, &|calls| calls.iter().any(|call| call.instance.is_none())))),
        (
            "several calls of one",
            count(&|type_| {
                calls(type_, &|calls| {
                    calls.windows(2).any(|pair| pair[0].instance.is_some() && pair[0].instance == pair[1].instance)
                })
            }),
        ),
        ("program", count(&|type_| matches!(type_, Type::Program(_)))),
        ("several initial", count(&|type_| matches!(type_, Type::Composite(composite) if composite.initial.len() > 1))),
        (
            "three levels",
            systems
                .iter()
                .filter(|system| system.types.iter().filter(|type_| matches!(type_, Type::Composite(_))).count() > 1)
                .count(),
        ),
    ];
    for (feature, count) in features {
        println!("{feature}: {count} of {}", systems.len());
        assert!(count >= 10, "only {count} systems with {feature}");
    }
}

/// Definition 3.3 said in another way gives the same states, deadlocks and bounds.
#[test]
fn composites_of_nets_are_their_flat_nets() {
    let mut compared = 0;
    for (seed, system, outcome) in small(0..600, 1000, |seed| nested(seed, Leaves::Nets)) {
        let net = flatten(&system).unwrap();
        // Choices within choices make some of these nets much larger than what they come from.
        if net.transitions.len() > 1000 {
            continue;
        }
        let begins = (0..net.initial.len()).collect();
        let flat = System { name: "flat".into(), types: vec![Type::Net(net)], main: 0, begins };
        let other = explored(&flat, 1001).unwrap();
        let figures =
            |o: &mandala_check::explicit::Outcome| (o.states, o.deadlocks, o.most_in_place, o.most_in_marking);
        assert_eq!(figures(&outcome), figures(&other), "seed {seed}");
        compared += 1;
    }
    println!("{compared} systems");
    assert!(compared > 250);
}

/// A net and the program that says the same have the same steps, alone and within composites.
#[test]
fn nets_are_their_programs() {
    let flats = (0..300).map(|seed| flat(seed, Leaves::Nets)).chain((0..300).map(prioritised));
    let nesteds = (0..1500).map(|seed| nested(seed, Leaves::Nets)).filter(calls_are_single);
    let mut compared = [0, 0];
    for system in flats.chain(nesteds) {
        let Some(outcome) = explored(&system, 1000) else { continue };
        assert_eq!(explored(&with_programs(&system), 1000), Some(outcome), "{}", system.name);
        compared[usize::from(system.types.len() > 1)] += 1;
    }
    println!("{compared:?} systems");
    assert!(compared[0] > 300 && compared[1] > 50);
}

/// Every answer about every variable is shown by its trace, and traces are those of the system.
#[test]
fn traces_replay_and_bounds_are_reached() {
    for (seed, system, _) in small(0..150, 300, |seed| nested(seed, Leaves::Both)) {
        let semantics = Semantics::new(&system).unwrap();
        let variable = Integer::Variable(first_variable(&semantics));
        let bounds = |questions: &[Question]| explore(&semantics, questions, &Limits::default(), &Progress::default());
        let Verdict::Bounds { least, greatest } = bounds(&[Question::Bounds(variable.clone())]).answers[0].verdict
        else {
            panic!("seed {seed}: no bounds")
        };
        let (least, greatest) = (least as i32, greatest as i32);
        let is =
            |comparison, value| Formula::Atom(Atom::Compare(comparison, variable.clone(), Integer::Constant(value)));
        let questions = [
            Question::Reachable(is(Comparison::Equal, greatest)),
            Question::Reachable(is(Comparison::Greater, greatest)),
            Question::Never(is(Comparison::Equal, least)),
            Question::Never(is(Comparison::Less, least)),
            Question::Invariant(is(Comparison::LessOrEqual, greatest)),
            Question::Invariant(is(Comparison::NotEqual, greatest)),
            Question::Reachable(Formula::Deadlock),
        ];
        let outcome = bounds(&questions);
        let shown: Vec<(Option<bool>, Option<&Trace>)> = outcome
            .answers
            .iter()
            .map(|answer| (answer.verdict.holds(), answer.found().map(|found| &found.trace)))
            .collect();
        let [
            (Some(true), Some(a)),
            (Some(false), None),
            (Some(false), Some(b)),
            (Some(true), None),
            (Some(true), None),
            (Some(false), Some(c)),
            deadlock,
        ] = shown[..]
        else {
            panic!("seed {seed}: {:?}", outcome.answers)
        };
        for (trace, value) in [(a, greatest), (b, least), (c, greatest)] {
            assert_eq!(replay(&semantics, trace), Ok(()), "seed {seed}");
            assert_eq!(semantics.evaluate_integer(&variable, trace.last()), Ok(value.into()));
        }
        match (deadlock, &outcome.first_deadlock) {
            ((Some(true), Some(trace)), Some(first)) => {
                assert!(outcome.deadlocks > 0 && trace.steps.len() == first.steps.len());
                assert_eq!(replay(&semantics, first), Ok(()));
                assert_eq!(semantics.successors(first.last()), Ok(vec![]));
            }
            ((Some(false), None), None) => assert_eq!(outcome.deadlocks, 0),
            other => panic!("seed {seed}: {other:?}"),
        }
    }
}

/// Where the first variable of a state is.
fn first_variable(semantics: &Semantics<'_>) -> Location {
    let mut location = Location::default();
    while semantics.index_of(&location).is_none() {
        location.path.push(0);
        assert!(location.path.len() < 5, "the first instance has a variable");
    }
    location
}
