//! LTL on random systems: by diagrams, state by state, and by an oracle that knows no automata.
//!
//! The oracle is the tableau of the textbooks: a node is a state with a truth value for each temporal subformula, edges
//! are those that agree with what the operators say about now and next, and what an operator promises must come. Its
//! components are found by reachability alone.

use crate::common::random::{Leaves, Random, factor, flat, nested, prioritised, small};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit::ltl;
use mandala_check::explore::explore;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{HierarchyChoice, Options};
use mandala_check::run::{FiniteRuns, Trace, replay};
use mandala_model::expression::{Comparison, Integer};
use mandala_model::property::{Atom, BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};
use mandala_symbolic::plan::Hierarchy;

// ---- Random formulas ---------------------------------------------------------------------------

fn places(system: &System, index: usize, path: &[u32], own: impl Fn(&Type) -> usize + Copy) -> Vec<Location> {
    let mut all: Vec<Location> =
        (0..own(&system.types[index]) as u32).map(|index| Location { path: path.to_vec(), index }).collect();
    if let Type::Composite(composite) = &system.types[index] {
        for (place, instance) in composite.instances.iter().enumerate() {
            all.extend(places(system, instance.type_index, &[path, &[place as u32]].concat(), own));
        }
    }
    all
}

fn proposition(random: &mut Random, system: &System) -> Formula {
    use Comparison::*;
    let variables = places(system, system.main, &[], Type::variable_count);
    let events = places(system, system.main, &[], Type::event_count);
    let variable = |random: &mut Random| Integer::Variable(random.choose(&variables).clone());
    match random.below(10) {
        0 => Formula::Deadlock,
        1 | 2 if !events.is_empty() => Formula::Atom(Atom::Fireable(vec![random.choose(&events).clone()])),
        3 | 4 => {
            let comparison = *random.choose(&[Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual]);
            Formula::Atom(Atom::Compare(comparison, variable(random), variable(random)))
        }
        _ => {
            let comparison = *random.choose(&[Equal, NotEqual, LessOrEqual, Greater]);
            Formula::Atom(Atom::Compare(comparison, variable(random), Integer::Constant(random.between(0, 2))))
        }
    }
}

/// A formula with at most so many temporal operators.
fn formula(random: &mut Random, system: &System, temporal: usize) -> Formula {
    use BinaryOperator::*;
    use UnaryOperator::*;
    let (left, right) = (temporal.saturating_sub(1) / 2, temporal.saturating_sub(1).div_ceil(2));
    match random.below(if temporal == 0 { 3 } else { 11 }) {
        0 => Formula::Not(Box::new(proposition(random, system))),
        1 | 2 => match temporal {
            0 => proposition(random, system),
            _ => Formula::Not(Box::new(formula(random, system, temporal))),
        },
        3 => Formula::And(vec![formula(random, system, left), formula(random, system, right)]),
        4 => Formula::Or(vec![formula(random, system, left), formula(random, system, right)]),
        5..=8 => {
            let operator = *random.choose(&[Finally, Globally, Next, Finally, Globally]);
            Formula::Unary(Quantifier::None, operator, Box::new(formula(random, system, temporal - 1)))
        }
        _ => {
            let operator = *random.choose(&[Until, WeakUntil, Release, StrongRelease]);
            let (left, right) = (formula(random, system, left), formula(random, system, right));
            Formula::Binary(Quantifier::None, operator, Box::new(left), Box::new(right))
        }
    }
}

// ---- The oracle --------------------------------------------------------------------------------

pub(crate) struct Graph {
    pub(crate) states: Vec<Vec<i32>>,
    successors: Vec<Vec<usize>>,
    pub(crate) initial: Vec<usize>,
}

pub(crate) fn graph(semantics: &Semantics<'_>, finite_runs: FiniteRuns) -> Graph {
    let mut states = semantics.initial_states().unwrap();
    states.dedup();
    let initial = (0..states.len()).collect();
    let mut successors = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut next = Vec::new();
        for step in semantics.successors(&states[at].clone()).unwrap() {
            let known = states.iter().position(|state| *state == step.state);
            next.push(known.unwrap_or(states.len()));
            if known.is_none() {
                states.push(step.state);
            }
        }
        if next.is_empty() && finite_runs == FiniteRuns::Stutter {
            next.push(at);
        }
        successors.push(next);
        at += 1;
    }
    Graph { states, successors, initial }
}

fn temporal_parts<'f>(formula: &'f Formula, parts: &mut Vec<&'f Formula>) {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => {}
        Formula::Not(inner) => temporal_parts(inner, parts),
        Formula::And(inner) | Formula::Or(inner) => inner.iter().for_each(|part| temporal_parts(part, parts)),
        Formula::Unary(Quantifier::None, _, inner) => {
            temporal_parts(inner, parts);
            parts.push(formula);
        }
        Formula::Unary(..) => {}
        Formula::Binary(quantifier, ..) if *quantifier != Quantifier::None => {}
        Formula::Binary(_, _, left, right) => {
            temporal_parts(left, parts);
            temporal_parts(right, parts);
            parts.push(formula);
        }
    }
}

/// The value of a formula, given those of propositions and of temporal subformulas.
fn value(formula: &Formula, now: &dyn Fn(&Formula) -> bool, temporal: &dyn Fn(&Formula) -> bool) -> bool {
    match formula {
        Formula::Constant(value) => *value,
        Formula::Atom(_) | Formula::Deadlock | Formula::Error => now(formula),
        Formula::Not(inner) => !value(inner, now, temporal),
        Formula::And(parts) => parts.iter().all(|part| value(part, now, temporal)),
        Formula::Or(parts) => parts.iter().any(|part| value(part, now, temporal)),
        Formula::Unary(Quantifier::None, ..) | Formula::Binary(Quantifier::None, ..) => temporal(formula),
        // What is quantified speaks of the state.
        Formula::Unary(..) | Formula::Binary(..) => now(formula),
    }
}

/// What an operator is worth now, from its operands now and next and from itself next.
fn unfolded(formula: &Formula, now: &dyn Fn(&Formula) -> bool, next: &dyn Fn(&Formula) -> bool) -> bool {
    match formula {
        Formula::Unary(_, UnaryOperator::Next, f) => next(f),
        Formula::Unary(_, UnaryOperator::Finally, f) => now(f) || next(formula),
        Formula::Unary(_, UnaryOperator::Globally, f) => now(f) && next(formula),
        Formula::Binary(_, BinaryOperator::Until | BinaryOperator::WeakUntil, f, g) => {
            now(g) || now(f) && next(formula)
        }
        Formula::Binary(_, _, f, g) => now(g) && (now(f) || next(formula)),
        _ => unreachable!("an operator"),
    }
}

/// Whether nothing is put off at this place: the least operators have come, the greatest were broken if they are false.
fn settled(formula: &Formula, now: &dyn Fn(&Formula) -> bool) -> bool {
    match formula {
        Formula::Unary(_, UnaryOperator::Finally, f) => !now(formula) || now(f),
        Formula::Unary(_, UnaryOperator::Globally, f) => now(formula) || !now(f),
        Formula::Binary(_, BinaryOperator::Until, _, g) => !now(formula) || now(g),
        Formula::Binary(_, BinaryOperator::WeakUntil, f, g) => now(formula) || !now(f) && !now(g),
        Formula::Binary(_, BinaryOperator::Release, _, g) => now(formula) || !now(g),
        Formula::Binary(_, BinaryOperator::StrongRelease, f, g) => !now(formula) || now(f) && now(g),
        _ => true,
    }
}

fn reach(from: usize, edges: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open = edges[from].clone();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&edges[node]);
        }
    }
    seen
}

/// Whether a formula holds on all runs.
fn holds(semantics: &Semantics<'_>, graph: &Graph, formula: &Formula) -> bool {
    let now = |state: usize, part: &Formula| semantics.evaluate(part, &graph.states[state]).unwrap();
    let everywhere = on_all_runs(graph, formula, &now);
    graph.initial.iter().all(|&state| everywhere[state])
}

/// From which states a formula holds on all runs, given what holds where.
pub(crate) fn on_all_runs(graph: &Graph, formula: &Formula, holds: &dyn Fn(usize, &Formula) -> bool) -> Vec<bool> {
    let mut parts = Vec::new();
    temporal_parts(formula, &mut parts);
    let choices = 1usize << parts.len();
    let place = |part: &Formula| parts.iter().position(|&known| std::ptr::eq(known, part)).unwrap();
    let worth = |state: usize, choice: usize, part: &Formula| {
        value(part, &|now| holds(state, now), &|temporal| choice >> place(temporal) & 1 == 1)
    };
    let count = graph.states.len() * choices;
    // The worth of each operator and of each operand, at each node.
    let mut edges = vec![Vec::new(); count];
    let mut reversed = vec![Vec::new(); count];
    for (state, successors) in graph.successors.iter().enumerate() {
        for choice in 0..choices {
            for &next in successors {
                for later in 0..choices {
                    let agrees = (0..parts.len()).all(|number| {
                        let promised = choice >> number & 1 == 1;
                        promised
                            == unfolded(parts[number], &|part| worth(state, choice, part), &|part| {
                                worth(next, later, part)
                            })
                    });
                    if agrees {
                        edges[state * choices + choice].push(next * choices + later);
                        reversed[next * choices + later].push(state * choices + choice);
                    }
                }
            }
        }
    }
    let mut done = vec![false; count];
    let mut accepted = vec![false; count];
    for node in 0..count {
        if done[node] || edges[node].is_empty() {
            continue;
        }
        let (after, before) = (reach(node, &edges), reach(node, &reversed));
        let component: Vec<usize> = (0..count).filter(|&other| after[other] && before[other]).collect();
        component.iter().for_each(|&member| done[member] = true);
        let fair = !component.is_empty()
            && parts.iter().all(|part| {
                component.iter().any(|&member| settled(part, &|part| worth(member / choices, member % choices, part)))
            });
        if fair {
            accepted[node] = true;
            before.iter().enumerate().filter(|(_, is)| **is).for_each(|(other, _)| accepted[other] = true);
        }
    }
    let is_wrong =
        |state: usize| (0..choices).any(|choice| accepted[state * choices + choice] && !worth(state, choice, formula));
    (0..graph.states.len()).map(|state| !is_wrong(state)).collect()
}

/// Whether a formula holds on a run, from the definition.
fn holds_on(semantics: &Semantics<'_>, states: &[Vec<i32>], start: usize, formula: &Formula) -> bool {
    let after = |at: usize| if at + 1 == states.len() { start } else { at + 1 };
    let mut parts = Vec::new();
    temporal_parts(formula, &mut parts);
    let place = |part: &Formula| parts.iter().position(|&known| std::ptr::eq(known, part)).unwrap();
    let mut table: Vec<Vec<bool>> = Vec::new();
    for &part in &parts {
        let is_greatest = matches!(
            part,
            Formula::Unary(_, UnaryOperator::Globally, _)
                | Formula::Binary(_, BinaryOperator::WeakUntil | BinaryOperator::Release, ..)
        );
        table.push(vec![is_greatest; states.len()]);
        for _ in 0..=states.len() {
            for at in 0..states.len() {
                let worth = |at: usize, part: &Formula| {
                    value(part, &|now| semantics.evaluate(now, &states[at]).unwrap(), &|part| table[place(part)][at])
                };
                let now = unfolded(part, &|part| worth(at, part), &|part| worth(after(at), part));
                table[place(part)][at] = now;
            }
        }
    }
    value(formula, &|now| semantics.evaluate(now, &states[0]).unwrap(), &|part| table[place(part)][0])
}

/// Transient states are none of a run.
#[test]
fn transient_states() {
    let text =
        "gal g { int x = 0; TRANSIENT = x == 1; transition up [x < 3] { x += 1; } transition back [x == 3] { x = 0; } }
        main g; property p [ltl] : G F x == 2; property q [ltl] : F x == 1; property r [ltl] : X x == 2;";
    let read = mandala_model::gal::read("g", text, &[]).unwrap();
    let semantics = Semantics::new(&read.system).unwrap();
    let mut space = explore(&read.system, &Options::default()).unwrap();
    let expected = [true, false, true];
    for (property, expected) in read.properties.iter().zip(expected) {
        let Question::Ltl(formula) = &property.question else { panic!("{property:?}") };
        let checked = ltl::check(&semantics, formula, FiniteRuns::Stutter, &Limits::default(), &Progress::default());
        assert_eq!(checked.answer.verdict == Verdict::Holds, expected, "{}", property.name);
        let answer = space.answer(&property.question, Traces::Wanted);
        assert_eq!(matches!(answer.verdict, Verdict::Holds), expected, "{}: {:?}", property.name, answer.verdict);
        if let Verdict::Fails = answer.verdict {
            let found = answer.trace.unwrap().unwrap();
            assert!(refutes(&semantics, &found.trace, found.repeats.unwrap(), formula, FiniteRuns::Stutter));
        }
    }
}

/// Programs with transient states; in some, a run stays in them for ever.
#[test]
fn programs_with_transient_states() {
    use crate::common::build;
    let (mut tally, mut trapped) = (Tally::default(), 0);
    for (seed, mut system, _) in small(0..600 * factor(), 24, |seed| flat(seed, Leaves::Programs)) {
        let mut random = Random::new(seed);
        if let Type::Program(program) = &mut system.types[0] {
            let variable = random.below(program.variables.len()) as u32;
            program.transient = Some(build::compare(variable, Comparison::Equal, random.between(0, 2)));
        }
        if Semantics::new(&system).unwrap().initial_states().unwrap().is_empty() {
            continue;
        }
        trapped += compare(seed, &system, &Options::default(), &mut tally);
    }
    println!("{} hold, {} fail, {} in a loop, {trapped} trapped", tally.holding, tally.failing, tally.loops);
    assert!(tally.holding > 200 && tally.failing > 200 && tally.loops > 50 && trapped > 0);
}

/// Limits end in an answer that says so.
#[test]
fn limits() {
    let text = "gal g { int x = 0; transition up [x < 100000] { x += 1; } transition back [x == 100000] { x = 0; } }
        main g; property p [ltl] : G F x == 2;";
    let read = mandala_model::gal::read("g", text, &[]).unwrap();
    let semantics = Semantics::new(&read.system).unwrap();
    let Question::Ltl(formula) = &read.properties[0].question else { panic!("LTL") };
    for limits in [
        Limits { states: Some(1000), ..Limits::default() },
        Limits { memory: Some(100_000), ..Limits::default() },
        Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() },
    ] {
        let checked = ltl::check(&semantics, formula, FiniteRuns::Stutter, &limits, &Progress::default());
        assert!(checked.answer.verdict.is_unknown(), "{:?}", checked.answer);
    }
    let mut space = explore(&read.system, &Options::default()).unwrap();
    space.set_limits(&Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() });
    let answer = space.answer(&read.properties[0].question, Traces::Wanted);
    assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{:?}", answer.verdict);
}

// ---- Comparison --------------------------------------------------------------------------------

/// A counterexample is a run, and the formula does not hold on it.
fn refutes(semantics: &Semantics<'_>, trace: &Trace, repeats: usize, formula: &Formula, runs: FiniteRuns) -> bool {
    replay(semantics, trace).unwrap();
    let mut states = vec![trace.initial.clone()];
    states.extend(trace.steps.iter().map(|step| step.state.clone()));
    if repeats == trace.steps.len() {
        assert!(semantics.is_deadlock(trace.last()).unwrap() && runs == FiniteRuns::Stutter);
    } else {
        assert_eq!(&states[repeats], trace.last());
        states.pop();
    }
    !holds_on(semantics, &states, repeats, formula)
}

#[derive(Default)]
struct Tally {
    holding: u64,
    failing: u64,
    loops: u64,
}

/// Compares answers; how many are not known because the system stays in transient states for ever.
fn compare(seed: u64, system: &System, options: &Options, tally: &mut Tally) -> u64 {
    let mut trapped = 0;
    let mut random = Random::new(seed);
    let semantics = Semantics::new(system).unwrap();
    for number in 0..4 {
        let formula = formula(&mut random, system, 1 + number % 4);
        for finite_runs in [FiniteRuns::Stutter, FiniteRuns::Ignore] {
            let context = format!("seed {seed}: {formula:?} with {finite_runs:?} of {system:?}");
            let expected = holds(&semantics, &graph(&semantics, finite_runs), &formula);
            let checked = ltl::check(&semantics, &formula, finite_runs, &Limits::default(), &Progress::default());
            match checked.answer.verdict {
                Verdict::Holds => assert!(expected, "explicit: holds: {context}"),
                Verdict::Fails => {
                    assert!(!expected, "explicit: fails: {context}");
                    let run = checked.answer.trace.unwrap().unwrap_or_else(|error| panic!("{error}: {context}"));
                    let repeats = run.repeats.unwrap();
                    assert!(refutes(&semantics, &run.trace, repeats, &formula, finite_runs), "{context}");
                }
                other => panic!("{other:?}: {context}"),
            }
            let options = Options { finite_runs, ..options.clone() };
            let mut space = explore(system, &options).unwrap_or_else(|error| panic!("{error}: {context}"));
            let answer = space.answer(&Question::Ltl(formula.clone()), Traces::Wanted);
            match answer.verdict {
                Verdict::Holds => assert!(expected, "symbolic: holds: {context}"),
                Verdict::Fails => {
                    assert!(!expected, "symbolic: fails: {context}");
                    let found = answer.trace.unwrap().unwrap_or_else(|error| panic!("{error}: {context}"));
                    let repeats = found.repeats.unwrap();
                    assert!(refutes(&semantics, &found.trace, repeats, &formula, finite_runs), "{context}");
                    tally.loops += u64::from(repeats < found.trace.steps.len());
                }
                Verdict::Unknown(reason) if reason.contains("transient states for ever") => trapped += 1,
                other => panic!("{other:?}: {context}"),
            }
            tally.holding += u64::from(expected);
            tally.failing += u64::from(!expected);
        }
    }
    trapped
}

pub(crate) fn compare_all(seeds: u64, options: &Options, generate: impl Fn(u64) -> System) {
    let mut tally = Tally::default();
    for (seed, system, _) in small(0..seeds * factor(), 24, generate) {
        assert_eq!(compare(seed, &system, options, &mut tally), 0);
    }
    let Tally { holding, failing, loops } = tally;
    println!("{holding} hold, {failing} fail, {loops} of them in a loop");
    assert!(holding >= seeds / 2 && failing >= seeds / 2 && loops >= seeds / 4, "{holding} {failing} {loops}");
}

#[test]
fn nets() {
    compare_all(800, &Options::default(), |seed| flat(seed, Leaves::Nets));
}

#[test]
fn nets_with_priorities() {
    compare_all(800, &Options::default(), prioritised);
}

#[test]
fn nets_in_pairs() {
    let pairs = Options { hierarchy: HierarchyChoice::Fixed(Hierarchy::Balanced(2)), ..Options::default() };
    compare_all(300, &pairs, |seed| flat(seed, Leaves::Nets));
    compare_all(300, &pairs, prioritised);
}

#[test]
fn programs() {
    compare_all(600, &Options::default(), |seed| flat(seed, Leaves::Programs));
}

#[test]
fn composites() {
    compare_all(600, &Options::default(), |seed| nested(seed, Leaves::Both));
}
