//! CTL on diagrams against CTL state by state, on random systems; and what formulas mean where runs end.

use crate::common::formulas::{ctl, events, variables};
use crate::common::random::{Leaves, Random, factor, flat, nested, prioritised, small};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit;
use mandala_check::explore::explore;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{HierarchyChoice, Options};
use mandala_check::run::{FiniteRuns, replay};
use mandala_diagram::{Cancel, Strategy};
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::{System, Type};
use mandala_symbolic::plan::Hierarchy;
use std::time::{Duration, Instant};

fn ways(seed: u64) -> Options {
    let base = Options::default();
    match seed % 4 {
        0 | 1 => base,
        2 => Options { hierarchy: HierarchyChoice::Fixed(Hierarchy::Balanced(2)), ..base },
        _ => Options { strategy: *Random::new(seed).choose(&Strategy::ALL), ..base },
    }
}

/// Formulas of depth 1 to 4 in a system, on diagrams and state by state. How many hold, how many do not, and how
/// many traces show E[f U g] of states.
pub(crate) fn agree(seed: u64, system: &System) -> [u64; 3] {
    let mut random = Random::new(seed);
    let (variables, events) = (variables(system), events(system));
    let formulas = (0..8).map(|i| ctl(&mut random, &variables, &events, 1 + i % 4));
    let questions: Vec<Question> = formulas.map(Question::Ctl).collect();
    let semantics = Semantics::new(system).unwrap();
    let outcome = explicit::explore(&semantics, &questions, &Limits::default(), &Progress::default());
    let mut space = explore(system, &ways(seed)).unwrap_or_else(|stopped| panic!("{stopped}: seed {seed}"));
    let mut counts = [0; 3];
    for (question, expected) in questions.iter().zip(&outcome.answers) {
        let context = format!("seed {seed}: {question:?} of {system:?}");
        let answer = space.answer(question, Traces::Wanted);
        match (&answer.verdict, &expected.verdict) {
            (Verdict::Holds, Verdict::Holds) => counts[0] += 1,
            (Verdict::Fails, Verdict::Fails) => counts[1] += 1,
            (verdict, expected) => panic!("{verdict:?} and not {expected:?}: {context}"),
        }
        match answer.trace {
            Some(Ok(found)) => {
                replay(&semantics, &found.trace).unwrap_or_else(|error| panic!("{error}: {context}"));
                counts[2] += u64::from(shows(&semantics, &found.trace, question, &context));
            }
            None => {}
            Some(Err(error)) => panic!("{error}: {context}"),
        }
    }
    counts
}

/// Whether a formula is E[f U g] of states; fails if the trace does not show it.
fn shows(semantics: &Semantics<'_>, trace: &mandala_check::run::Trace, question: &Question, context: &str) -> bool {
    let Question::Ctl(Formula::Binary(Quantifier::Exists, BinaryOperator::Until, f, g)) = question else {
        return false;
    };
    let holds = |formula: &Formula, state: &[i32]| semantics.evaluate(formula, state);
    let states: Vec<&[i32]> =
        std::iter::once(&trace.initial).chain(trace.steps.iter().map(|step| &step.state)).map(Vec::as_slice).collect();
    let Some((last, before)) = states.split_last() else { return false };
    // Formulas with temporal operators are not evaluated in a state.
    let (Ok(reached), Ok(_)) = (holds(g, last), holds(f, last)) else { return false };
    assert!(reached, "{context}");
    assert!(before.iter().all(|state| holds(f, state) == Ok(true)), "{context}");
    true
}

fn compare(seeds: u64, generate: impl Fn(u64) -> System) {
    let mut counts = [0; 3];
    for (seed, system, _) in small(0..seeds * factor(), 500, generate) {
        let more = agree(seed, &system);
        counts = [0, 1, 2].map(|i| counts[i] + more[i]);
    }
    println!("{counts:?} hold, do not, are shown");
    assert!(counts[..2].iter().all(|&count| count > seeds * factor()) && counts[2] >= 10 * factor(), "{counts:?}");
}

#[test]
fn nets() {
    compare(2000, |seed| flat(seed, Leaves::Nets));
}

#[test]
fn nets_with_priorities() {
    compare(2000, prioritised);
}

#[test]
fn programs() {
    compare(1500, |seed| flat(seed, Leaves::Programs));
}

#[test]
fn composites() {
    compare(1500, |seed| nested(seed, Leaves::Both));
}

/// Programs with transient states; in some, a run stays in them for ever.
#[test]
fn programs_with_transient_states() {
    use crate::common::build;
    use mandala_model::expression::Comparison;
    let (mut decided, mut trapped) = (0, 0);
    for (seed, mut system, _) in small(0..1500 * factor(), 500, |seed| flat(seed, Leaves::Programs)) {
        let mut random = Random::new(seed);
        if let Type::Program(program) = &mut system.types[0] {
            let variable = random.below(program.variables.len()) as u32;
            program.transient = Some(build::compare(variable, Comparison::Equal, random.between(0, 2)));
        }
        let (variables, events) = (variables(&system), events(&system));
        let questions: Vec<Question> =
            (0..8).map(|i| Question::Ctl(ctl(&mut random, &variables, &events, 1 + i % 4))).collect();
        let semantics = Semantics::new(&system).unwrap();
        let outcome = explicit::explore(&semantics, &questions, &Limits::default(), &Progress::default());
        let mut space = explore(&system, &Options::default()).unwrap();
        for (question, expected) in questions.iter().zip(&outcome.answers) {
            match (space.answer(question, Traces::Unwanted).verdict, &expected.verdict) {
                (Verdict::Holds, Verdict::Holds) | (Verdict::Fails, Verdict::Fails) => decided += 1,
                (Verdict::Unknown(reason), _) if reason.contains("transient states for ever") => trapped += 1,
                (verdict, expected) => {
                    panic!("{verdict:?} and not {expected:?}: seed {seed}: {question:?} of {system:?}")
                }
            }
        }
    }
    println!("{decided} decided, {trapped} trapped");
    assert!(decided > 1000 * factor() && trapped > 0 && trapped < decided, "{decided} decided, {trapped} trapped");
}

fn ask(system: &System, formula: &str) -> Question {
    mandala_model::gal::formula(system, formula).unwrap_or_else(|problems| panic!("{problems}")).question
}

/// The verdicts of some formulas, on diagrams and state by state.
fn verdicts(text: &str, formulas: &[(&str, bool)]) {
    let read = mandala_model::gal::read("test.gal", text, &[]).unwrap();
    let system = &read.system;
    let questions: Vec<Question> = formulas.iter().map(|(formula, _)| ask(system, formula)).collect();
    let semantics = Semantics::new(system).unwrap();
    let outcome = explicit::explore(&semantics, &questions, &Limits::default(), &Progress::default());
    let mut space = explore(system, &Options::default()).unwrap();
    for ((question, (formula, expected)), answer) in questions.iter().zip(formulas).zip(outcome.answers) {
        let found = space.answer(question, Traces::Unwanted).verdict;
        assert!(matches!((&found, expected), (Verdict::Holds, true) | (Verdict::Fails, false)), "{formula}: {found:?}");
        let agrees = matches!((&answer.verdict, expected), (Verdict::Holds, true) | (Verdict::Fails, false));
        assert!(agrees, "{formula}: {answer:?}");
    }
}

/// 0 to 1 to 2, where nothing can happen.
const LINE: &str = "gal A { int x; transition go [x < 2] { x += 1; } }";

/// Runs end where nothing can happen: there is no next state there, and what holds there holds for ever.
#[test]
fn where_runs_end() {
    verdicts(
        LINE,
        &[
            ("AF AG x == 2", true),
            ("AF deadlock", true),
            ("AG (deadlock -> AX false)", true),
            ("AG (deadlock -> !EX true)", true),
            ("AG EX true", false),
            ("AX AX AX x == 5", true),
            ("AX AX EX x == 2", false),
            ("EX EX (EG x == 2)", true),
            ("AG (x == 2 -> AG x == 2)", true),
            ("AG (x == 2 -> AF x == 1)", false),
            ("AG (x == 2 -> A[x == 2 U x == 1])", false),
            ("AG (x == 2 -> A[x == 2 W x == 1])", true),
            ("A[x < 2 U x == 2]", true),
            ("E[x < 1 U x == 2]", false),
            ("EG x < 2", false),
        ],
    );
}

/// There is no next state where nothing can happen.
#[test]
fn next_states_of_dead_ones() {
    let stuck = "gal A { int x; transition go [x == 1] { x = 0; } }";
    verdicts(stuck, &[("AX x == 1", true), ("EX x == 0", false)]);
}

/// A run may stay in one state for ever without being dead.
#[test]
fn loops_of_one_state() {
    let text = "gal A { int x; transition on [x < 3] { x += 1; } transition stay [x == 1] { x = 1; } }";
    verdicts(text, &[("EG x < 2", true), ("AF x == 3", false), ("EG x == 0", false), ("AG EF x == 3", true)]);
}

#[test]
fn limits_leave_it_unknown() {
    let read = mandala_model::gal::read("test.gal", LINE, &[]).unwrap();
    let question = ask(&read.system, "AG EF x == 0");
    let cancel = Cancel::default();
    let mut space = explore(
        &read.system,
        &Options { limits: Limits { cancel: cancel.clone(), ..Limits::default() }, ..Options::default() },
    )
    .unwrap();
    let unlimited = Limits { cancel: cancel.clone(), ..Limits::default() };
    let deadline = Some(Instant::now() - Duration::from_millis(1));
    space.set_limits(&Limits { deadline, ..unlimited.clone() });
    let verdict = space.answer(&question, Traces::Unwanted).verdict;
    assert!(matches!(&verdict, Verdict::Unknown(reason) if reason.contains("time")), "{verdict:?}");
    space.set_limits(&unlimited);
    assert!(matches!(space.answer(&question, Traces::Unwanted).verdict, Verdict::Fails));
    cancel.cancel();
    assert!(matches!(space.answer(&question, Traces::Unwanted).verdict, Verdict::Unknown(_)));
}

/// What is nested without end is refused, and what is nested deeply is not.
#[test]
fn deep_formulas() {
    let read = mandala_model::gal::read("test.gal", LINE, &[]).unwrap();
    let Question::Ctl(Formula::Unary(quantifier, operator, inner)) = ask(&read.system, "AX EX x == 0") else {
        panic!("a formula of CTL")
    };
    let nest = |depth: usize| {
        let wrap = |inner, _| Formula::Unary(quantifier, operator, Box::new(inner));
        Question::Ctl((0..depth).fold((*inner).clone(), wrap))
    };
    let mut space = explore(&read.system, &Options::default()).unwrap();
    assert!(matches!(space.answer(&nest(900), Traces::Wanted).verdict, Verdict::Holds));
    let verdict = space.answer(&nest(3000), Traces::Wanted).verdict;
    assert!(matches!(&verdict, Verdict::Unknown(reason) if reason.contains("nested")), "{verdict:?}");
}

/// From a transient state that nothing comes out of: whether a state before it is dead is not guessed.
#[test]
fn traps_are_not_guessed() {
    let text = "gal A { int x; TRANSIENT = (x == 1); transition go [x == 0] { x = 1; }
        transition stay [x == 1] { x = 1; } } main A;";
    let read = mandala_model::gal::read("test.gal", text, &[]).unwrap();
    let mut space = explore(&read.system, &Options::default()).unwrap();
    for formula in ["EF deadlock", "EF fireable(go)", "AG !deadlock"] {
        let verdict = space.answer(&ask(&read.system, formula), Traces::Unwanted).verdict;
        assert!(
            matches!(&verdict, Verdict::Unknown(reason) if reason.contains("transient states")),
            "{formula}: {verdict:?}"
        );
    }
    let verdict = space.answer(&ask(&read.system, "EF x == 0"), Traces::Unwanted).verdict;
    assert!(matches!(verdict, Verdict::Holds));
}

// ---- Runs that end ------------------------------------------------------------------------------

/// CTL where runs that end do not count, by its definition: states without an infinite run are taken out of the graph,
/// and what is left is labelled as in the textbooks, all operators from `EX`, `EU` and `EG`.
struct Pruned {
    states: Vec<Vec<i32>>,
    successors: Vec<Vec<usize>>,
    initial: usize,
    runs: Vec<bool>,
}

impl Pruned {
    fn new(semantics: &Semantics<'_>) -> Pruned {
        let mut states = semantics.initial_states().unwrap();
        let initial = states.len();
        let mut successors: Vec<Vec<usize>> = Vec::new();
        while successors.len() < states.len() {
            let mut next = Vec::new();
            for step in semantics.successors(&states[successors.len()].clone()).unwrap() {
                let known = states.iter().position(|state| *state == step.state);
                next.push(known.unwrap_or(states.len()));
                if known.is_none() {
                    states.push(step.state);
                }
            }
            successors.push(next);
        }
        // Whoever can make as many steps as there are states can make any number.
        let mut runs = vec![true; states.len()];
        for _ in 0..states.len() {
            runs = successors.iter().map(|next| next.iter().any(|&next| runs[next])).collect();
        }
        for next in &mut successors {
            next.retain(|&next| runs[next]);
        }
        Pruned { states, successors, initial, runs }
    }

    fn holds(&self, semantics: &Semantics<'_>, formula: &Formula) -> bool {
        let labels = self.label(semantics, formula);
        labels[..self.initial].iter().all(|&label| label)
    }

    fn next(&self, f: &[bool]) -> Vec<bool> {
        self.successors.iter().map(|next| next.iter().any(|&next| f[next])).collect()
    }

    /// As many steps as there are states are as many as any.
    fn until(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        let mut labels: Vec<bool> = g.iter().zip(&self.runs).map(|(&g, &runs)| g && runs).collect();
        for _ in 0..labels.len() {
            let next = self.next(&labels);
            labels = (0..labels.len()).map(|at| labels[at] || (f[at] && next[at])).collect();
        }
        labels
    }

    fn globally(&self, f: &[bool]) -> Vec<bool> {
        let mut labels: Vec<bool> = f.iter().zip(&self.runs).map(|(&f, &runs)| f && runs).collect();
        for _ in 0..labels.len() {
            let next = self.next(&labels);
            labels = (0..labels.len()).map(|at| labels[at] && next[at]).collect();
        }
        labels
    }

    fn label(&self, semantics: &Semantics<'_>, formula: &Formula) -> Vec<bool> {
        use mandala_model::property::UnaryOperator::*;
        let not = |f: Vec<bool>| f.into_iter().map(|f| !f).collect::<Vec<bool>>();
        let both = |f: &[bool], g: &[bool]| f.iter().zip(g).map(|(&f, &g)| f && g).collect::<Vec<bool>>();
        let either = |f: &[bool], g: &[bool]| f.iter().zip(g).map(|(&f, &g)| f || g).collect::<Vec<bool>>();
        let always = vec![true; self.states.len()];
        match formula {
            Formula::Not(f) => not(self.label(semantics, f)),
            Formula::And(parts) => parts.iter().fold(always, |all, part| both(&all, &self.label(semantics, part))),
            Formula::Or(parts) => {
                parts.iter().fold(not(always), |any, part| either(&any, &self.label(semantics, part)))
            }
            Formula::Unary(quantifier, operator, f) => {
                let f = self.label(semantics, f);
                match (quantifier, operator) {
                    (Quantifier::All, Next) => not(self.next(&not(f))),
                    (Quantifier::All, Finally) => not(self.globally(&not(f))),
                    (Quantifier::All, Globally) => not(self.until(&always, &not(f))),
                    (_, Next) => self.next(&f),
                    (_, Finally) => self.until(&always, &f),
                    (_, Globally) => self.globally(&f),
                }
            }
            Formula::Binary(quantifier, operator, f, g) => {
                let (f, g) = (self.label(semantics, f), self.label(semantics, g));
                let (f, g) = match operator {
                    BinaryOperator::Until | BinaryOperator::WeakUntil => (f, g),
                    BinaryOperator::Release | BinaryOperator::StrongRelease => (g.clone(), both(&f, &g)),
                };
                let is_weak = matches!(operator, BinaryOperator::WeakUntil | BinaryOperator::Release);
                if *quantifier == Quantifier::All {
                    let (no_f, no_g) = (not(f), not(g));
                    let broken = self.until(&no_g, &both(&no_f, &no_g));
                    let late = if is_weak { not(always) } else { self.globally(&no_g) };
                    return not(either(&broken, &late));
                }
                let until = self.until(&f, &g);
                if is_weak { either(&until, &self.globally(&f)) } else { until }
            }
            atom => self.states.iter().map(|state| semantics.evaluate(atom, state).unwrap()).collect(),
        }
    }
}

/// Formulas where runs that end do not count: on diagrams, state by state, and by the definition.
fn agree_on_infinite_runs(seeds: u64, generate: impl Fn(u64) -> System) {
    let (mut hold, mut fail, mut matter) = (0, 0, 0);
    for (seed, system, _) in small(0..seeds * factor(), 60, generate) {
        let mut random = Random::new(seed);
        let (variables, events) = (variables(&system), events(&system));
        let questions: Vec<Question> =
            (0..8).map(|i| Question::Ctl(ctl(&mut random, &variables, &events, 1 + i % 4))).collect();
        let semantics = Semantics::new(&system).unwrap();
        let ignoring = explicit::answer_on_runs(
            &semantics,
            &questions,
            FiniteRuns::Ignore,
            &Limits::default(),
            &Progress::default(),
        );
        let stuttering = explicit::answer(&semantics, &questions, &Limits::default(), &Progress::default());
        let pruned = Pruned::new(&semantics);
        let options = Options { finite_runs: FiniteRuns::Ignore, ..ways(seed) };
        let mut space = explore(&system, &options).unwrap();
        for (number, question) in questions.iter().enumerate() {
            let Question::Ctl(formula) = question else { unreachable!() };
            let context = format!("seed {seed}: {question:?} of {system:?}");
            let expected = pruned.holds(&semantics, formula);
            let found = space.answer(question, Traces::Unwanted).verdict;
            assert!(
                matches!((&found, expected), (Verdict::Holds, true) | (Verdict::Fails, false)),
                "{found:?}: {context}"
            );
            let is_yes = |answer: &mandala_check::answer::Answer| answer.verdict == Verdict::Holds;
            assert_eq!(is_yes(&ignoring.answers[number]), expected, "{:?}: {context}", ignoring.answers[number]);
            *(if expected { &mut hold } else { &mut fail }) += 1;
            matter += u64::from(is_yes(&stuttering.answers[number]) != expected);
        }
    }
    println!("{hold} hold, {fail} do not, {matter} would differ if ends counted");
    assert!(hold > seeds && fail > seeds && matter > seeds / 10, "{hold} {fail} {matter}");
}

#[test]
fn infinite_runs_of_nets() {
    agree_on_infinite_runs(800, |seed| flat(seed, Leaves::Nets));
    agree_on_infinite_runs(800, prioritised);
}

#[test]
fn infinite_runs_of_programs_and_composites() {
    agree_on_infinite_runs(400, |seed| flat(seed, Leaves::Programs));
    agree_on_infinite_runs(400, |seed| nested(seed, Leaves::Both));
}

// ---- Liveness -----------------------------------------------------------------------------------

/// Whether all transitions can always fire again: on diagrams, state by state, and by a search from each state.
fn agree_on_liveness(seeds: u64, generate: impl Fn(u64) -> System) {
    let mut counts = [0; 2];
    for (seed, system, _) in small(0..seeds * factor(), 60, generate) {
        let mut random = Random::new(seed);
        let mut events = events(&system);
        // With all of them few systems are live.
        let wanted = 1 + random.below(3);
        while events.len() > wanted {
            events.swap_remove(random.below(events.len()));
        }
        // In groups of one or two.
        let size = 1 + random.below(2);
        let semantics = Semantics::new(&system).unwrap();
        let fires = |state: &[i32]| events.iter().map(|event| semantics.enabled(state, event).unwrap()).collect();
        let live = {
            let outcome = states_from(&semantics, semantics.initial_states().unwrap());
            outcome.iter().all(|state| {
                let later: Vec<Vec<bool>> =
                    states_from(&semantics, vec![state.clone()]).iter().map(|later| fires(later)).collect();
                let again = |event: usize| later.iter().any(|fires| fires[event]);
                (0..events.len()).step_by(size).all(|first| (first..events.len().min(first + size)).any(again))
            })
        };
        let question = Question::Live(events.chunks(size).map(<[_]>::to_vec).collect());
        let context = format!("seed {seed}: {question:?} of {system:?}");
        let outcome =
            explicit::answer(&semantics, std::slice::from_ref(&question), &Limits::default(), &Progress::default());
        assert_eq!(outcome.answers[0].verdict == Verdict::Holds, live, "{context}");
        let mut space = explore(&system, &ways(seed)).unwrap();
        let answer = space.answer(&question, Traces::Wanted);
        assert!(matches!((&answer.verdict, live), (Verdict::Holds, true) | (Verdict::Fails, false)), "{context}");
        if let Some(trace) = answer.trace {
            replay(&semantics, &trace.unwrap().trace).unwrap();
        }
        counts[usize::from(live)] += 1;
    }
    println!("{counts:?} are not live, are live");
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

fn states_from(semantics: &Semantics<'_>, mut states: Vec<Vec<i32>>) -> Vec<Vec<i32>> {
    let mut at = 0;
    while at < states.len() {
        for step in semantics.successors(&states[at].clone()).unwrap() {
            if !states.contains(&step.state) {
                states.push(step.state);
            }
        }
        at += 1;
    }
    states
}

#[test]
fn liveness() {
    agree_on_liveness(800, |seed| flat(seed, Leaves::Nets));
    agree_on_liveness(800, prioritised);
    agree_on_liveness(500, |seed| flat(seed, Leaves::Programs));
}
