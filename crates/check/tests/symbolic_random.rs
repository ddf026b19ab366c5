//! The symbolic engine against the explicit one, on random systems.

use crate::common::formulas::{events, no_sum, state_formula, sum, variables};
use crate::common::random::{Leaves, Random, factor, flat, nested, prioritised, small};
use mandala_analysis::order::Heuristic;
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit::{self, Outcome};
use mandala_check::explore::{Stopped, enumerate, explore};
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{HierarchyChoice, Options, OrderChoice};
use mandala_check::run::replay;
use mandala_check::space::SystemSpace;
use mandala_diagram::Strategy;
use mandala_model::net::{Unit, Units};
use mandala_model::property::Question;
use mandala_model::semantics::Semantics;
use mandala_model::system::{System, Type};
use mandala_symbolic::encode::{Encoding, SystemEncoding};
use mandala_symbolic::plan::Hierarchy;
use mandala_symbolic::variables::Grouping;

const MOST_STATES: u64 = 2000;

/// Ways to build a state space: every part of the machinery takes part in one of them.
fn ways() -> Vec<(&'static str, Options)> {
    let base = Options::default();
    let order = |heuristic| OrderChoice::Heuristic(heuristic);
    let levels = |hierarchy| HierarchyChoice::Fixed(hierarchy);
    vec![
        ("automatic", base.clone()),
        ("places", Options { grouping: Grouping::Places, order: order(Heuristic::Declared), ..base.clone() }),
        ("proven", Options { grouping: Grouping::Proven, order: order(Heuristic::Force), ..base.clone() }),
        (
            "communities",
            Options {
                hierarchy: levels(Hierarchy::Communities),
                order: order(Heuristic::Tovchigrechko),
                ..base.clone()
            },
        ),
        (
            "pairs",
            Options { hierarchy: levels(Hierarchy::Balanced(2)), order: order(Heuristic::Sloan), ..base.clone() },
        ),
        ("chaining", Options { strategy: Strategy::Chaining, ..base.clone() }),
        ("breadth first", Options { strategy: Strategy::BreadthFirst, ..base }),
    ]
}

/// The figures of a system in every way, against those of the explicit engine.
fn figures_agree(seed: u64, system: &System, outcome: &Outcome) {
    for (name, options) in ways() {
        let context = format!("seed {seed}, {name}: {system:?}");
        let space = explore(system, &options).unwrap_or_else(|stopped| panic!("{stopped}: {context}"));
        space_agrees(space, outcome, &context);
    }
}

fn space_agrees(mut space: SystemSpace<'_>, outcome: &Outcome, context: &str) {
    let figures = space.figures().unwrap_or_else(|error| panic!("{error}: {context}"));
    assert_eq!(figures.states.to_u64(), Some(outcome.states), "{context}");
    assert_eq!(figures.transitions.and_then(|count| count.to_u64()), Some(outcome.transitions), "{context}");
    assert_eq!(Some(figures.most_in_place), outcome.most_in_place.map(i64::from), "{context}");
    assert_eq!(Some(figures.most_in_marking), outcome.most_in_marking, "{context}");
    let states = space.states().clone();
    let mut encoded = space.into_encoded();
    let dead = SystemEncoding::dead(&mut encoded, &states).unwrap_or_else(|error| panic!("{error}: {context}"));
    assert_eq!(encoded.store.count(&dead).to_u64(), Some(outcome.deadlocks), "{context}");
}

pub(crate) fn compare_figures(seeds: u64, generate: impl Fn(u64) -> System) {
    let mut compared = 0;
    for (seed, system, outcome) in small(0..seeds * factor(), MOST_STATES, generate) {
        figures_agree(seed, &system, &outcome);
        compared += 1;
    }
    assert!(compared * 2 >= seeds * factor(), "only {compared} systems");
}

/// Markings one by one, packed into words.
#[test]
fn figures_of_enumerated_nets() {
    enumerations_agree(|seed| flat(seed, Leaves::Nets));
}

#[test]
fn figures_of_enumerated_nets_with_priorities() {
    enumerations_agree(prioritised);
}

fn enumerations_agree(generate: impl Fn(u64) -> System) {
    let mut enumerated = 0;
    for (seed, system, outcome) in small(0..3000 * factor(), MOST_STATES, generate) {
        if let Some(space) = enumerate(&system, &Options::default()) {
            let context = format!("seed {seed}: {system:?}");
            let space = space.unwrap_or_else(|stopped| panic!("{stopped}: {context}"));
            space_agrees(space, &outcome, &context);
            enumerated += 1;
        }
    }
    assert!(enumerated >= 1000 * factor(), "only {enumerated} nets");
}

/// Levels from the units that a file declares, however they are nested.
#[test]
fn figures_of_nets_with_nested_units() {
    nested_units_agree(|seed| flat(seed, Leaves::Nets));
}

#[test]
fn figures_of_nets_with_nested_units_and_priorities() {
    nested_units_agree(prioritised);
}

fn nested_units_agree(generate: impl Fn(u64) -> System) {
    let options = Options {
        hierarchy: HierarchyChoice::Fixed(Hierarchy::Units),
        grouping: Grouping::Proven,
        ..Options::default()
    };
    let mut deep = 0;
    for (seed, mut system, outcome) in small(0..1000 * factor(), MOST_STATES, generate) {
        nest_units(&mut Random::new(seed), &mut system);
        let context = format!("seed {seed}: {system:?}");
        let space = explore(&system, &options).unwrap_or_else(|stopped| panic!("{stopped}: {context}"));
        deep += u64::from(space.layout.levels > 2);
        space_agrees(space, &outcome, &context);
    }
    assert!(deep >= 100 * factor(), "only {deep} nets with levels in levels");
}

/// Gives a net a tree of units, about which nothing is promised.
fn nest_units(random: &mut Random, system: &mut System) {
    let Type::Net(net) = &mut system.types[system.main] else { panic!("a net") };
    let mut units = vec![Unit { name: "root".to_owned(), ..Unit::default() }];
    for index in 1..2 + random.below(6) {
        let parent = random.below(units.len());
        units[parent].children.push(index);
        units.push(Unit { name: format!("u{index}"), ..Unit::default() });
    }
    for place in 0..net.places.len() as u32 {
        let unit = random.below(units.len());
        units[unit].places.push(place);
    }
    net.units = Some(Units { units, root: 0, safe: false });
}

#[test]
fn figures_of_nets() {
    compare_figures(2000, |seed| flat(seed, Leaves::Nets));
}

#[test]
fn figures_of_nets_with_priorities() {
    compare_figures(2000, prioritised);
}

#[test]
fn figures_of_programs() {
    compare_figures(1000, |seed| flat(seed, Leaves::Programs));
}

#[test]
fn figures_of_composites_of_nets() {
    compare_figures(800, |seed| nested(seed, Leaves::Nets));
}

#[test]
fn figures_of_composites_of_both() {
    compare_figures(800, |seed| nested(seed, Leaves::Both));
}

fn questions(random: &mut Random, system: &System) -> Vec<Question> {
    let (variables, events) = (variables(system), events(system));
    (0..7)
        .map(|kind| match kind % 4 {
            _ if kind == 6 => Question::Bounds(no_sum(random, &variables)),
            0 => Question::Reachable(state_formula(random, &variables, &events, 2)),
            1 => Question::Invariant(state_formula(random, &variables, &events, 2)),
            2 => Question::Never(state_formula(random, &variables, &events, 1)),
            _ => Question::Bounds(sum(random, &variables)),
        })
        .collect()
}

/// Answers and traces against those of the explicit engine.
pub(crate) fn answers_agree(seed: u64, system: &System, options: &Options) {
    let mut random = Random::new(seed);
    let questions = questions(&mut random, system);
    let semantics = Semantics::new(system).unwrap();
    let outcome = explicit::explore(&semantics, &questions, &Limits::default(), &Progress::default());
    let mut space = explore(system, options).unwrap();
    for (question, expected) in questions.iter().zip(&outcome.answers) {
        let context = format!("seed {seed}: {question:?} of {system:?}");
        let answer = space.answer(question, Traces::Wanted);
        match (&answer.verdict, &expected.verdict) {
            (Verdict::Holds, Verdict::Holds) | (Verdict::Fails, Verdict::Fails) => {
                let shortest = expected.found().map(|found| &found.trace);
                assert_eq!(answer.trace.is_some(), shortest.is_some(), "{context}");
                if let (Some(found), Some(shortest)) = (answer.trace, shortest) {
                    let found = found.unwrap_or_else(|error| panic!("{error}: {context}"));
                    replay(&semantics, &found.trace).unwrap_or_else(|error| panic!("{error}: {context}"));
                    assert!(found.shortest, "{context}");
                    assert_eq!(found.trace.steps.len(), shortest.steps.len(), "{context}");
                }
            }
            (found @ Verdict::Bounds { .. }, expected) => assert_eq!(found, expected, "{context}"),
            (verdict, expected) => panic!("{verdict:?} and not {expected:?}: {context}"),
        }
    }
}

#[test]
fn answers_about_nets() {
    answers_about(|seed| flat(seed, Leaves::Nets));
}

#[test]
fn answers_about_nets_with_priorities() {
    answers_about(prioritised);
}

fn answers_about(generate: impl Fn(u64) -> System) {
    for (seed, system, _) in small(0..700 * factor(), 500, generate) {
        answers_agree(seed, &system, &Options::default());
        let pairs = Options { hierarchy: HierarchyChoice::Fixed(Hierarchy::Balanced(2)), ..Options::default() };
        answers_agree(seed, &system, &pairs);
    }
}

#[test]
fn answers_about_composites() {
    for (seed, system, _) in small(0..700 * factor(), 500, |seed| nested(seed, Leaves::Both)) {
        answers_agree(seed, &system, &Options::default());
    }
}

/// What is claimed to be unbounded never comes to an end.
#[test]
fn unbounded_nets_are_recognised() {
    // The last one is bounded from the second of its initial markings only.
    let recognised = unbounded((0..500 * factor()).chain([2721]), |seed| flat(seed, Leaves::Nets));
    assert!(recognised > 12, "only {recognised} are recognised");
}

#[test]
fn unbounded_nets_with_priorities_are_recognised() {
    let recognised = unbounded(0..1500 * factor(), prioritised);
    assert!(recognised > 12, "only {recognised} are recognised");
}

/// How many nets with more states than are looked at are found to be unbounded.
fn unbounded(seeds: impl Iterator<Item = u64>, generate: impl Fn(u64) -> System) -> u32 {
    let mut recognised = 0;
    for seed in seeds {
        let mut system = generate(seed);
        if let (1, Type::Net(net)) = (seed % 2, &system.types[system.main]) {
            system.begins = vec![net.initial.len() - 1];
        }
        let options = Options::default();
        let semantics = Semantics::new(&system).unwrap();
        let limits = Limits { states: Some(3000), ..Limits::default() };
        let complete =
            explicit::explore(&semantics, &[], &limits, &Progress::default()).ended == explicit::Ended::Complete;
        if complete {
            assert!(!matches!(explore(&system, &options), Err(Stopped::Unbounded(_))), "seed {seed}");
            assert_eq!(mandala_check::explore::find_unbounded(&system, 100_000), None, "seed {seed}");
        } else {
            recognised += u32::from(mandala_check::explore::find_unbounded(&system, 3_000_000).is_some());
        }
    }
    recognised
}
