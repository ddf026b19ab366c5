//! Several workers against one exploration state by state, on random systems.

use crate::common::formulas::{events, state_formula, sum, variables};
use crate::common::random::{Leaves, Random, factor, flat, nested, prioritised, small};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit::{self, Outcome};
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::{FiniteRuns, replay};
use mandala_check::workers::{self, Assignment, Crew, Findings, Until};
use mandala_model::property::Question;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;

fn run(system: &System, questions: &[Question], workers: usize) -> Findings {
    let assignment = Assignment {
        questions: questions.to_vec(),
        finite_runs: FiniteRuns::default(),
        until: Until::Complete,
        traces: Traces::Wanted,
    };
    workers::explore(system, None, assignment, &Crew::of(workers), &Limits::default(), &Progress::default())
        .unwrap_or_else(|failure| panic!("{failure}"))
}

fn agrees(found: &Outcome, expected: &Outcome, context: &str) {
    assert_eq!(found.ended, expected.ended, "{context}");
    assert_eq!(found.states, expected.states, "{context}");
    assert_eq!(found.transitions, expected.transitions, "{context}");
    assert_eq!(found.deadlocks, expected.deadlocks, "{context}");
    assert_eq!(found.most_in_place, expected.most_in_place, "{context}");
    assert_eq!(found.most_in_marking, expected.most_in_marking, "{context}");
    assert_eq!(found.to_error.is_some(), expected.to_error.is_some(), "{context}");
}

fn compare(seeds: u64, generate: impl Fn(u64) -> System) {
    let mut compared = 0;
    for (seed, system, expected) in small(0..seeds * factor(), 2000, generate) {
        let workers = 1 + (seed % 4) as usize;
        let found = run(&system, &[], workers);
        agrees(&found.outcome, &expected, &format!("seed {seed}, {workers} workers: {system:?}"));
        compared += 1;
    }
    assert!(compared * 2 >= seeds * factor(), "only {compared} systems");
}

#[test]
fn numbers_of_nets() {
    compare(60, |seed| flat(seed, Leaves::Nets));
}

#[test]
fn numbers_of_programs() {
    compare(60, |seed| flat(seed, Leaves::Programs));
}

#[test]
fn numbers_of_composites() {
    compare(30, |seed| nested(seed, Leaves::Both));
}

#[test]
fn numbers_of_nets_with_priorities() {
    compare(30, prioritised);
}

/// Verdicts are those of one exploration, traces are as short, and neither they nor the levels depend on the workers.
#[test]
fn answers_and_traces() {
    for (seed, system, _) in small(0..40 * factor(), 2000, |seed| flat(seed, Leaves::Both)) {
        let mut random = Random::new(seed);
        let (variables, events) = (variables(&system), events(&system));
        let mut questions: Vec<Question> = (0..3)
            .map(|_| {
                let formula = state_formula(&mut random, &variables, &events, 2);
                match random.below(3) {
                    0 => Question::Reachable(formula),
                    1 => Question::Invariant(formula),
                    _ => Question::Never(formula),
                }
            })
            .collect();
        questions.push(Question::Bounds(sum(&mut random, &variables)));
        let semantics = Semantics::new(&system).expect("small");
        let expected = explicit::explore(&semantics, &questions, &Limits::default(), &Progress::default());
        let all: Vec<Findings> = [1, 2, 3].map(|workers| run(&system, &questions, workers)).into();
        for found in &all {
            let context = format!("seed {seed}: {system:?}");
            agrees(&found.outcome, &expected, &context);
            assert_eq!(found.report.levels, all[0].report.levels, "{context}");
            assert_eq!(found.outcome.answers, all[0].outcome.answers, "{context}");
            for (found, expected) in found.outcome.answers.iter().zip(&expected.answers) {
                if matches!(expected.verdict, Verdict::Unknown(_)) {
                    assert!(found.verdict.is_unknown(), "{context}");
                    continue;
                }
                assert_eq!(found.verdict, expected.verdict, "{context}");
                let length =
                    |answer: &mandala_check::answer::Answer| answer.found().map(|found| found.trace.steps.len());
                assert_eq!(length(found), length(expected), "{context}");
                if let Some(found) = found.found() {
                    assert_eq!(replay(&semantics, &found.trace), Ok(()), "{context}");
                }
            }
        }
    }
}
