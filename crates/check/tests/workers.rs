//! Several workers against one exploration state by state, on random systems.

use crate::common::formulas::{events, state_formula, sum, variables};
use crate::common::orbits::{orbits, reachable, symmetries};
use crate::common::random::{Leaves, Random, factor, flat, nested, prioritised, small};
use crate::{quotients, renaming};
use mandala_analysis::symmetry::SymmetryGroup;
use mandala_analysis::symmetry::leader::Leaders;
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit::{self, Ended, Outcome};
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::{FiniteRuns, replay};
use mandala_check::workers::{self, Assignment, Checkpoints, Crew, Failure, Findings, Until};
use mandala_group::UBig;
use mandala_model::classic::{Classic, Shape, generate};
use mandala_model::gal;
use mandala_model::property::{Formula, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn run(system: &System, questions: &[Question], workers: usize) -> Findings {
    run_by(system, None, questions, &Crew::of(workers), &Limits::default())
}

fn run_by(
    system: &System, leaders: Option<Arc<Leaders>>, questions: &[Question], crew: &Crew, limits: &Limits,
) -> Findings {
    let assignment = Assignment {
        questions: questions.to_vec(),
        finite_runs: FiniteRuns::default(),
        until: Until::Complete,
        traces: Traces::Wanted,
    };
    workers::explore(system, leaders, assignment, crew, limits, &Progress::default())
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

/// Programs whose last state has all bits of its words set, which is a state like all others on its way from worker to worker.
#[test]
fn all_bits_of_a_state() {
    for bits in [64, 128] {
        let names: Vec<String> = (0..bits).map(|bit| format!("x{bit}")).collect();
        let mut text = "gal Bits {\n".to_owned();
        names.iter().for_each(|name| text += &format!("int {name} = 0;\n"));
        for (bit, name) in names.iter().enumerate() {
            let before = if bit > 0 { format!(" && {} == 1", names[bit - 1]) } else { String::new() };
            text += &format!("transition t{bit} [{name} == 0{before}] {{ {name} = 1; }}\n");
        }
        let system = mandala_model::gal::read("bits.gal", &(text + "}\nmain Bits;\n"), &[]).expect("read").system;
        for workers in 1..=8 {
            let found = run(&system, &[], workers);
            assert_eq!(found.report.bits, bits);
            assert_eq!(found.outcome.states, u64::from(bits) + 1, "{bits} bits, {workers} workers");
        }
    }
}

/// Verdicts are those of one exploration, traces are as short, and neither they nor the levels depend on the workers.
/// A worker goes on alone as long as levels have few states.
#[test]
fn alone_while_levels_are_narrow() {
    let chain = "gal Chain { int x; transition up [x < 5000] { x = x + 1; } } main Chain;";
    let grid = "gal Grid { int x; int y; transition right [x < 70] { x = x + 1; } transition up [y < 70] { y = y + 1; } } main Grid;";
    for (text, most, expected) in [(chain, 1, Some(5001)), (grid, 71, Some(5041)), (grid, 70, None)] {
        let system = gal::read("levels.gal", text, &[]).unwrap_or_else(|error| panic!("{error}")).system;
        let crew = Crew { alone_while: Some(most), ..Crew::of(1) };
        let assignment = Assignment {
            questions: Vec::new(),
            finite_runs: FiniteRuns::default(),
            until: Until::Complete,
            traces: Traces::Unwanted,
        };
        match workers::explore(&system, None, assignment, &crew, &Limits::default(), &Progress::default()) {
            Ok(found) => assert_eq!(Some(found.outcome.states), expected, "{text}"),
            Err(Failure::Wide) => assert_eq!(expected, None, "{text}"),
            Err(failure) => panic!("{failure}: {text}"),
        }
    }
}

/// Nothing to count, and places that never change.
#[test]
fn figures_of_what_never_changes() {
    for (text, most) in [("net N { } main N;", 0), ("net N { place a = 3; place b = 2; } main N;", 3)] {
        let system = gal::read("still.gal", text, &[]).unwrap_or_else(|error| panic!("{error}")).system;
        let found = run(&system, &[], 1).outcome;
        assert_eq!((found.states, found.most_in_place), (1, Some(most)), "{text}");
    }
}

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

/// How many quotients were compared with orbits, and how many of them with verdicts that were decided each way.
#[derive(Debug, Default)]
struct Compared {
    quotients: usize,
    decided: [usize; 2],
}

impl Compared {
    /// Representatives are as many as orbits and stand for all states; questions that the symmetries leave alone have the
    /// answers of all states, with traces that are as short and are runs of the model.
    fn compare(&mut self, seed: u64, system: &System, case: &str) {
        let mut random = Random::new(seed);
        let (variables, events) = (variables(system), events(system));
        let mut questions: Vec<Question> = (0..2)
            .map(|at| {
                let formula = state_formula(&mut random, &variables, &events, 1);
                if at == 0 { Question::Reachable(formula) } else { Question::Invariant(formula) }
            })
            .collect();
        questions.push(Question::Bounds(sum(&mut random, &variables)));
        if seed.is_multiple_of(2) {
            // Questions about some variables leave few symmetries.
            questions = vec![Question::Reachable(Formula::Deadlock), Question::Never(Formula::Deadlock)];
        }
        let Some(group) = SymmetryGroup::find(system, true, &questions.iter().collect::<Vec<_>>()) else { return };
        let Some(leaders) = Leaders::new(&group.shape, &group.points).map(Arc::new) else { return };
        let states = reachable(system);
        let (images, orbits) = orbits(&states, &symmetries(&group), usize::MAX).expect("no limit");
        assert_eq!(images.len(), states.len(), "{case}");
        let semantics = Semantics::new(system).expect("small");
        let expected = explicit::explore(&semantics, &questions, &Limits::default(), &Progress::default());
        for workers in 1..=3 {
            let case = format!("{workers} workers, {:?}: {case}", group.words());
            let found = run_by(system, Some(Arc::clone(&leaders)), &questions, &Crew::of(workers), &Limits::default());
            assert_eq!(found.outcome.ended, Ended::Complete, "{case}");
            assert_eq!(found.outcome.states, orbits as u64, "{case}");
            assert_eq!(found.ordinary, Some(UBig::from(states.len())), "{case}");
            assert_eq!(found.outcome.deadlocks > 0, expected.deadlocks > 0, "{case}");
            for (found, expected) in found.outcome.answers.iter().zip(&expected.answers) {
                assert_eq!(found.verdict, expected.verdict, "{case}");
                let steps =
                    |answer: &mandala_check::answer::Answer| answer.found().map(|found| found.trace.steps.len());
                assert_eq!(steps(found), steps(expected), "{case}");
                if let Some(found) = found.found() {
                    assert_eq!(replay(&semantics, &found.trace), Ok(()), "{case}");
                }
                self.decided[usize::from(found.verdict == Verdict::Holds)] += 1;
            }
        }
        self.quotients += 1;
    }
}

#[test]
fn quotients_of_nets() {
    let mut compared = Compared::default();
    for (seed, pattern, system) in quotients::systems(0..60 * factor()) {
        compared.compare(seed, &system, &format!("seed {seed} of {pattern:?}: {system:?}"));
    }
    assert!(compared.quotients > 30 && compared.decided.iter().all(|&count| count > 20), "{compared:?}");
}

#[test]
fn quotients_of_programs() {
    let mut compared = Compared::default();
    for (number, (text, system)) in renaming::programs(0..200 * factor()).enumerate() {
        compared.compare(number as u64, &system, &text);
    }
    assert!(compared.quotients > 30 && compared.decided.iter().all(|&count| count > 20), "{compared:?}");
}

/// The files of checkpoints in a folder, the last level last.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
    };
    let mut files: Vec<PathBuf> = entries(folder).iter().flat_map(|folder| entries(folder)).collect();
    files.sort_by_key(|path| path.to_string_lossy().rsplit("level-").next().map(str::to_owned));
    files
}

/// A run that a limit ends goes on from its last checkpoint with another number of workers, and comes to the same end; files
/// that are cut short or changed are passed over.
#[test]
fn checkpoints() {
    let mut text = Vec::new();
    generate(Classic::Kanban, &"4".parse().expect("a size"), Some(Shape::Flat), &mut text).expect("text");
    let text = String::from_utf8(text).expect("text");
    let system = mandala_model::gal::read("kanban.gal", &text, &[]).expect("read").system;
    let questions =
        [Question::Reachable(Formula::Deadlock), Question::Bounds(sum(&mut Random::new(1), &variables(&system)))];
    let expected = run(&system, &questions, 1);
    let bytes: u64 = expected.report.shares.iter().map(|share| share.bytes).sum();
    let few = Limits { memory: Some(bytes as usize / 2), ..Limits::default() };
    for (before, after) in [(2, 3), (3, 1)] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("checkpoints-{before}-{after}"));
        // There is one if the last run of this test did not end well.
        let _ = fs::remove_dir_all(&folder);
        let checkpoints = Some(Checkpoints { folder: folder.clone(), every: 3 });
        let crew = |workers: usize| Crew { checkpoints: checkpoints.clone(), ..Crew::of(workers) };
        let stopped = run_by(&system, None, &questions, &crew(before), &few);
        assert_eq!(stopped.outcome.ended, Ended::Memory);
        // The last level that was begun, if it was time for one.
        let level = stopped.report.levels / 3 * 3;
        assert!(level >= 6, "{level}");
        let written = files(&folder);
        assert_eq!(written.len() as u64, level / 3 * before as u64);
        // Cut short, and changed in the middle.
        let (last, whole) = (&written[written.len() - 1], fs::read(&written[written.len() - 1]).expect("it is there"));
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 4;
        let cut = if after == 1 { 30 } else { whole.len() - 8 };
        let damaged = [whole[..cut].to_vec(), changed];
        for bytes in damaged {
            fs::write(last, bytes).expect("it can be written");
            // Nothing is written, so that the next one finds the same.
            let crew =
                Crew { checkpoints: Some(Checkpoints { folder: folder.clone(), every: u64::MAX }), ..Crew::of(after) };
            let found = run_by(&system, None, &questions, &crew, &Limits::default());
            agrees(&found.outcome, &expected.outcome, "from the checkpoint before");
            assert_eq!(found.report.resumed, Some(level - 3));
            assert_eq!(found.report.passed_over.len(), 1, "{:?}", found.report.passed_over);
        }
        fs::write(last, whole).expect("it can be written");
        let found = run_by(&system, None, &questions, &crew(after), &Limits::default());
        agrees(&found.outcome, &expected.outcome, "from the last checkpoint");
        assert_eq!(found.outcome.answers, expected.outcome.answers);
        assert_eq!(found.report.levels, expected.report.levels);
        assert_eq!(found.report.resumed, Some(level));
        assert!(found.report.passed_over.is_empty(), "{:?}", found.report.passed_over);
        // Another question is another run.
        let other = run_by(&system, None, &questions[..1], &crew(after), &Limits::default());
        agrees(&other.outcome, &expected.outcome, "from the beginning");
        assert!(other.report.resumed.is_none() && !other.report.passed_over.is_empty());
        fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
