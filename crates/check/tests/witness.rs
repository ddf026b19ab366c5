//! Witnesses of CTL on random systems: there is one where there should be, it passes the check with nothing but a naive
//! evaluation to help, and the check notices what is wrong with one that was spoilt.

use crate::common::formulas::{ctl, events, variables};
use crate::common::random::{Leaves, Random, factor, flat, nested, prioritised, small};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit;
use mandala_check::explore::explore;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::Options;
use mandala_check::run::FiniteRuns;
use mandala_check::witness::{Claim, Parts, Path, Shown, Witness, check};
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::{Semantics, Step};
use mandala_model::system::{System, Type};
use std::collections::HashMap;

/// All states of a system and where each part of a formula holds, in the plainest way.
struct Naive {
    numbers: HashMap<Vec<i32>, usize>,
    successors: Vec<Vec<usize>>,
    states: Vec<Vec<i32>>,
    /// Where runs begin that count.
    running: Vec<bool>,
}

impl Naive {
    fn new(semantics: &Semantics<'_>, finite_runs: FiniteRuns) -> Naive {
        let mut all =
            Naive { numbers: HashMap::new(), successors: Vec::new(), states: Vec::new(), running: Vec::new() };
        for state in semantics.initial_states().unwrap() {
            all.number(&state);
        }
        while let Some(state) = all.states.get(all.successors.len()).cloned() {
            let steps = semantics.successors(&state).unwrap();
            let next = steps.iter().map(|step| all.number(&step.state)).collect();
            all.successors.push(next);
        }
        all.running = vec![true; all.states.len()];
        if finite_runs == FiniteRuns::Ignore {
            let live: Vec<bool> = all.successors.iter().map(|next| !next.is_empty()).collect();
            all.running = all.fixpoint(Quantifier::Exists, true, vec![false; live.len()], live);
        }
        all
    }

    fn number(&mut self, state: &[i32]) -> usize {
        *self.numbers.entry(state.to_vec()).or_insert_with(|| {
            self.states.push(state.to_vec());
            self.states.len() - 1
        })
    }

    fn holds(&self, semantics: &Semantics<'_>, formula: &Formula) -> Vec<bool> {
        let of = |formula: &Formula| self.holds(semantics, formula);
        let zip = |f: Vec<bool>, g: Vec<bool>, with: fn(bool, bool) -> bool| -> Vec<bool> {
            f.into_iter().zip(g).map(|(f, g)| with(f, g)).collect()
        };
        let all = |truth: bool| vec![truth; self.states.len()];
        match formula {
            Formula::Not(f) => of(f).into_iter().map(|f| !f).collect(),
            Formula::And(parts) => parts.iter().fold(all(true), |whole, part| zip(whole, of(part), |f, g| f && g)),
            Formula::Or(parts) => parts.iter().fold(all(false), |whole, part| zip(whole, of(part), |f, g| f || g)),
            Formula::Unary(quantifier, UnaryOperator::Next, f) => {
                let f = self.counting(*quantifier, of(f));
                (0..f.len()).map(|state| self.next(*quantifier, state, &f)).collect()
            }
            Formula::Unary(quantifier, UnaryOperator::Finally, f) => {
                self.fixpoint(*quantifier, false, of(f), all(true))
            }
            Formula::Unary(quantifier, UnaryOperator::Globally, f) => {
                self.fixpoint(*quantifier, true, all(false), of(f))
            }
            Formula::Binary(quantifier, operator, f, g) => {
                let (f, g) = (of(f), of(g));
                let both = zip(f.clone(), g.clone(), |f, g| f && g);
                match operator {
                    BinaryOperator::Until => self.fixpoint(*quantifier, false, g, f),
                    BinaryOperator::WeakUntil => self.fixpoint(*quantifier, true, g, f),
                    BinaryOperator::StrongRelease => self.fixpoint(*quantifier, false, both, g),
                    BinaryOperator::Release => self.fixpoint(*quantifier, true, both, g),
                }
            }
            _ => self.states.iter().map(|state| semantics.evaluate(formula, state).unwrap()).collect(),
        }
    }

    /// What labels are worth to a quantifier where no run begins that counts.
    fn counting(&self, quantifier: Quantifier, f: Vec<bool>) -> Vec<bool> {
        let all = quantifier == Quantifier::All;
        f.into_iter().zip(&self.running).map(|(f, &runs)| if runs { f } else { all }).collect()
    }

    fn next(&self, quantifier: Quantifier, state: usize, f: &[bool]) -> bool {
        let mut after = self.successors[state].iter().map(|&next| f[next]);
        if quantifier == Quantifier::All { after.all(|f| f) } else { after.any(|f| f) }
    }

    fn fixpoint(&self, quantifier: Quantifier, greatest: bool, a: Vec<bool>, b: Vec<bool>) -> Vec<bool> {
        let a = self.counting(quantifier, a);
        let b = if quantifier == Quantifier::Exists { self.counting(quantifier, b) } else { b };
        let mut z = vec![greatest; a.len()];
        loop {
            let goes_on = |state: usize| match self.successors[state].is_empty() {
                true => greatest,
                false => self.next(quantifier, state, &z),
            };
            let next: Vec<bool> = (0..z.len()).map(|state| a[state] || (b[state] && goes_on(state))).collect();
            if next == z {
                return z;
            }
            z = next;
        }
    }
}

/// Checks witnesses for and against one formula.
struct Judge<'j> {
    semantics: &'j Semantics<'j>,
    naive: &'j Naive,
    parts: Parts<'j>,
    known: HashMap<usize, Vec<bool>>,
}

impl Judge<'_> {
    fn passes(&mut self, witness: &Witness) -> Result<(), String> {
        let Judge { semantics, naive, parts, known } = self;
        let mut ask = |part: usize, state: &Vec<i32>| {
            let labels = known.entry(part).or_insert_with(|| naive.holds(semantics, parts.get(part)));
            naive.numbers.get(state).map(|&number| labels[number])
        };
        check(*semantics, parts, witness, &mut ask).map_err(|flaw| flaw.to_string())
    }

    /// Whether the state whose first value is one more is an initial one as well.
    fn begins_there_too(&self, state: &[i32]) -> bool {
        let mut state = state.to_vec();
        state[0] += 1;
        self.semantics.initial_states().unwrap().contains(&state)
    }

    /// Whether a step leads from a state to a state whose first value is one more as well: by another way through transient states,
    /// which witnesses do not tell apart.
    fn another_way(&self, from: &[i32], step: &Step) -> bool {
        let mut state = step.state.clone();
        state[0] += 1;
        let possible = self.semantics.successors(from).unwrap();
        possible.iter().any(|other| other.event.location == step.event.location && other.state == state)
    }

    /// Fails if a witness that was spoilt passes. How many were.
    fn notices(&mut self, witness: &Witness, context: &str) -> u64 {
        let mut spoilt = Vec::new();
        for (number, node) in witness.nodes.iter().enumerate() {
            let change = |change: &dyn Fn(&mut Witness)| {
                let mut other = witness.clone();
                change(&mut other);
                other
            };
            spoilt.push(change(&|other| other.nodes[number].claim.holds ^= true));
            if number > 0 || !self.begins_there_too(&node.state) {
                spoilt.push(change(&|other| other.nodes[number].state[0] += 1));
            }
            if let Shown::Run(run) = &node.shown
                && !run.steps.is_empty()
            {
                let spoil = |other: &mut Witness, spoil: &dyn Fn(&mut mandala_check::witness::Run)| {
                    if let Shown::Run(run) = &mut other.nodes[number].shown {
                        spoil(run);
                    }
                };
                spoilt.push(change(&|other| spoil(other, &|run| drop(run.steps.pop()))));
                if !self.another_way(&node.state, &run.steps[0]) {
                    spoilt.push(change(&|other| spoil(other, &|run| run.steps[0].state[0] += 1)));
                }
                if run.repeats.is_none() {
                    // A step that only an error in the program would add.
                    spoilt.push(change(&|other| spoil(other, &|run| run.repeats = Some(run.steps.len() + 1))));
                }
            }
        }
        for other in &spoilt {
            assert!(self.passes(other).is_err(), "a spoilt witness passes: {other:?}, made of {witness:?}: {context}");
        }
        spoilt.len() as u64
    }
}

/// What was seen: witnesses, runs that go on for ever, claims, spoilt witnesses.
type Counts = [u64; 4];

/// Asks random formulas of a system, of both engines.
fn ask(seed: u64, system: &System, finite_runs: FiniteRuns, counts: &mut Counts) {
    let mut random = Random::new(seed);
    let (variables, events) = (variables(system), events(system));
    let questions: Vec<Question> =
        (0..8).map(|i| Question::Ctl(ctl(&mut random, &variables, &events, 1 + i % 4))).collect();
    let semantics = Semantics::new(system).unwrap();
    let outcome = explicit::show(&semantics, &questions, finite_runs, &Limits::default(), &Progress::default());
    let options = Options { finite_runs, ..Options::default() };
    let mut space = explore(system, &options).unwrap_or_else(|stopped| panic!("{stopped}: seed {seed}"));
    let naive = Naive::new(&semantics, finite_runs);
    for (question, expected) in questions.iter().zip(&outcome.answers) {
        let context = format!("seed {seed}: {question:?} of {system:?}");
        let Question::Ctl(formula) = question else { continue };
        let mut judge =
            Judge { semantics: &semantics, naive: &naive, parts: Parts::of(formula), known: HashMap::new() };
        let answer = space.answer(question, Traces::Wanted);
        let holds = match answer.verdict {
            Verdict::Holds => true,
            Verdict::Fails => false,
            Verdict::Unknown(reason) if reason.contains("transient states for ever") => continue,
            verdict => panic!("{verdict:?}: {context}"),
        };
        if let Some(Err(reason)) = &answer.trace {
            panic!("{reason}: {context}");
        }
        let claim = judge.parts.plain(Claim { part: 0, holds });
        let is_shown = Path::of(&judge.parts, claim).is_some() && !naive.states.is_empty();
        assert!(!is_shown || answer.witness.is_some(), "no witness: {context}");
        assert!(!is_shown || answer.trace.is_some(), "no trace: {context}");
        // Where one state decides it, the answer has the way there.
        let by_state = expected.found().is_some();
        assert!(!is_shown || expected.witness.is_some() || by_state, "no witness state by state: {context}");
        if let Some(Err(reason)) = &expected.trace {
            panic!("{reason}: {context}");
        }
        for witness in answer.witness.iter().chain(&expected.witness) {
            assert_eq!(witness.nodes[0].claim, claim, "{context}");
            judge.passes(witness).unwrap_or_else(|flaw| panic!("{flaw}: {witness:?}: {context}"));
            for node in &witness.nodes {
                if let Shown::Run(run) = &node.shown {
                    let last = run.steps.last().map_or(&node.state, |step| &step.state);
                    assert!(naive.running[naive.numbers[last]], "a run that does not count: {witness:?}: {context}");
                }
            }
            let goes_on = |shown: &Shown| matches!(shown, Shown::Run(run) if run.repeats.is_some());
            counts[0] += 1;
            counts[1] += witness.nodes.iter().filter(|node| goes_on(&node.shown)).count() as u64;
            counts[2] += witness.nodes.len() as u64;
            if seed.is_multiple_of(5) {
                counts[3] += judge.notices(witness, &context);
            }
        }
    }
}

fn try_all(seeds: u64, generate: impl Fn(u64) -> System, change: impl Fn(u64, &mut System), finite_runs: FiniteRuns) {
    let mut counts = [0; 4];
    for (seed, mut system, _) in small(0..seeds * factor(), 200, generate) {
        change(seed, &mut system);
        ask(seed, &system, finite_runs, &mut counts);
    }
    println!("{counts:?} witnesses, runs that go on for ever, claims, spoilt");
    assert!(counts.iter().all(|&count| count > 100 * factor()), "{counts:?}");
}

#[test]
fn nets() {
    try_all(1000, |seed| flat(seed, Leaves::Nets), |_, _| {}, FiniteRuns::Stutter);
}

#[test]
fn nets_with_priorities() {
    try_all(1000, prioritised, |_, _| {}, FiniteRuns::Stutter);
}

#[test]
fn programs() {
    try_all(800, |seed| flat(seed, Leaves::Programs), |_, _| {}, FiniteRuns::Stutter);
}

#[test]
fn composites() {
    try_all(800, |seed| nested(seed, Leaves::Both), |_, _| {}, FiniteRuns::Stutter);
}

/// Runs that end do not count.
#[test]
fn endless_runs() {
    try_all(800, |seed| flat(seed, Leaves::Nets), |_, _| {}, FiniteRuns::Ignore);
    try_all(500, |seed| flat(seed, Leaves::Programs), |_, _| {}, FiniteRuns::Ignore);
}

#[test]
fn programs_with_transient_states() {
    use crate::common::build;
    use mandala_model::expression::Comparison;
    let make_transient = |seed: u64, system: &mut System| {
        let mut random = Random::new(seed);
        if let Type::Program(program) = &mut system.types[0] {
            let variable = random.below(program.variables.len()) as u32;
            program.transient = Some(build::compare(variable, Comparison::Equal, random.between(0, 2)));
        }
    };
    try_all(800, |seed| flat(seed, Leaves::Programs), make_transient, FiniteRuns::Stutter);
}

/// Many counters, and the state in which all are full.
fn counters(count: usize, most: i32) -> System {
    let names: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
    let declared: String = names.iter().map(|name| format!("int {name};")).collect();
    let steps: String =
        names.iter().map(|name| format!("transition t{name} [{name} < {most}] {{ {name} += 1; }}")).collect();
    let text = format!("gal A {{ {declared} {steps} }} main A;");
    mandala_model::gal::read("counters.gal", &text, &[]).unwrap_or_else(|error| panic!("{error}")).system
}

fn asked(system: &System, formula: &str) -> Question {
    mandala_model::gal::formula(system, formula).unwrap_or_else(|error| panic!("{error}")).question
}

/// A trace is a shortest one if there is work enough for that; if not, it says so and still is one.
#[test]
fn shortest_within_a_budget() {
    use mandala_check::trace::to_targets_with;
    let system = counters(8, 30);
    let Question::Reachable(formula) = asked(&system, "EF (x0 + x1 + x2 + x3 == 60)") else { panic!("reachable") };
    let semantics = Semantics::new(&system).unwrap();
    for work in [1, u64::MAX] {
        // What the one has found the other would find again without work.
        let space = explore(&system, &Options::default()).unwrap();
        let states = space.states().clone();
        let mut encoded = space.into_encoded();
        let targets = mandala_check::select::select(&mut encoded, &formula, &states).unwrap();
        let found = to_targets_with(&mut encoded, &targets, work).unwrap();
        assert_eq!(found.shortest, work > 1);
        assert!(found.trace.steps.len() == 60 || work == 1);
        mandala_check::run::replay(&semantics, &found.trace).unwrap();
        assert!(semantics.evaluate(&formula, found.trace.last()).unwrap());
    }
}

/// The witness of a formula on both engines.
fn witnesses(system: &System, question: &Question) -> [Witness; 2] {
    let semantics = Semantics::new(system).unwrap();
    let mut space = explore(system, &Options::default()).unwrap();
    let answer = space.answer(question, Traces::Wanted);
    let outcome = explicit::show(
        &semantics,
        std::slice::from_ref(question),
        FiniteRuns::Stutter,
        &Limits::default(),
        &Progress::default(),
    );
    let by_graph = outcome.answers.into_iter().next().and_then(|answer| answer.witness);
    [answer.witness.expect("a witness"), by_graph.expect("a witness")]
}

/// What is too much for a person is left out, and the tree says so.
#[test]
fn long_witnesses_are_cut() {
    let system = counters(2, 50);
    // More branches than anyone would read, each with a run of its own.
    let branches: Vec<String> = (0..1000).map(|i| format!("EF (x0 == {} && x1 == {})", i % 50, i / 50)).collect();
    for witness in witnesses(&system, &asked(&system, &branches.join(" && "))) {
        let runs: Vec<usize> = witness
            .nodes
            .iter()
            .filter_map(|node| if let Shown::Run(run) = &node.shown { Some(run.steps.len()) } else { None })
            .collect();
        assert!(witness.nodes.len() <= 400 && runs.len() <= 40 && runs.iter().sum::<usize>() <= 2_100, "{runs:?}");
        assert!(witness.nodes.iter().any(|node| matches!(&node.shown, Shown::LeftOut(_))));
    }
}

/// Formulas may be nested deeply; trees are not.
#[test]
fn deep_formulas_are_cut() {
    let text = "gal A { int x; transition go { x = 1 - x; } } main A;";
    let system = mandala_model::gal::read("test.gal", text, &[]).unwrap().system;
    let Question::Ctl(Formula::Unary(quantifier, operator, inner)) = asked(&system, "EX EX x == 0") else {
        panic!("a formula of CTL")
    };
    let nest = |depth: usize| {
        let wrap = |inner, _| Formula::Unary(quantifier, operator, Box::new(inner));
        Question::Ctl((0..depth).fold((*inner).clone(), wrap))
    };
    for witness in witnesses(&system, &nest(501)) {
        assert!(witness.nodes.len() < 100);
        assert!(matches!(&witness.nodes.last().unwrap().shown, Shown::LeftOut(_)));
        assert_eq!(witness.main_run().unwrap().trace.steps.len(), witness.nodes.len() - 1);
    }
    let semantics = Semantics::new(&system).unwrap();
    let question = nest(10_001);
    let outcome = explicit::show(
        &semantics,
        std::slice::from_ref(&question),
        FiniteRuns::Stutter,
        &Limits::default(),
        &Progress::default(),
    );
    let witness = outcome.answers[0].witness.clone().expect("a witness");
    assert!(witness.nodes.len() < 100);
    let mut space = explore(&system, &Options::default()).unwrap();
    let answer = space.answer(&question, Traces::Wanted);
    assert!(matches!(answer.verdict, Verdict::Unknown(_)) && answer.witness.is_none());
}

/// A witness is the shape that a person expects.
#[test]
fn shapes() {
    let text = "gal A { int x; transition on [x < 3] { x += 1; } transition back [x == 2] { x = 1; } } main A;";
    let system = mandala_model::gal::read("test.gal", text, &[]).unwrap().system;
    let run = |formula: &str| {
        witnesses(&system, &asked(&system, formula)).map(|witness| {
            let found = witness.main_run().unwrap();
            (found.trace.steps.len(), found.repeats, witness.nodes.len())
        })
    };
    assert_eq!(run("EX x == 1"), [(1, None, 2); 2]);
    assert_eq!(run("E[x < 2 U x == 2]"), [(2, None, 2); 2]);
    assert_eq!(run("EG x < 3"), [(3, Some(1), 1); 2]);
    // Two runs of three steps: to the end, or once around the loop.
    assert_eq!(run("AF x == 5"), [(3, Some(3), 1), (3, Some(1), 1)]);
    assert_eq!(run("EF EG x == 3"), [(3, Some(3), 2); 2]);
    assert_eq!(run("AG AF x == 1"), [(3, Some(3), 2); 2]);
    assert_eq!(run("EX x == 1 && EF x == 3"), [(1, None, 5); 2]);
    assert_eq!(run("x == 1 || EF x == 3"), [(3, None, 3); 2]);
    assert_eq!(run("AG (x == 2 -> AX x == 3)"), [(3, None, 5); 2]);
}
