//! Fair runs and `fired` on random systems: on diagrams of a system that remembers its steps, and by an oracle on the graph
//! of states whose edges are labelled with what happened, from the definition of fairness.

use crate::common::formulas::{ctl, events, state_formula, temporal, variables};
use crate::common::random::{Leaves, Random, factor, flat, nested, prioritised, small};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::claim::Forbidden;
use mandala_check::explicit::{self, ctl_star, ltl};
use mandala_check::explore::explore;
use mandala_check::fair::{Obligation, WhichRuns};
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::{Options, QuotientChoice};
use mandala_check::run::FiniteRuns;
use mandala_check::witness::{Shown, Witness};
use mandala_model::observe::{Observed, observe};
use mandala_model::property::{Atom, BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System};
use std::collections::HashMap;

/// Which transitions runs are fair to; true for strong fairness.
type Fair = Vec<(Location, bool)>;

/// An edge: where it leads, what happened (nothing where a dead state repeats), and the marks of an automaton.
type Edge = (usize, Option<Location>, u64);

/// A graph with what can fire in each node, by fair transition.
struct Graph {
    edges: Vec<Vec<Edge>>,
    enabled: Vec<Vec<bool>>,
}

/// A state with what led there.
type Node = (Vec<i32>, Option<Location>);

struct Model {
    nodes: Vec<Node>,
    initial: Vec<usize>,
    graph: Graph,
}

fn model(semantics: &Semantics<'_>, fair: &Fair, finite_runs: FiniteRuns) -> Model {
    let mut nodes: Vec<Node> = Vec::new();
    let mut numbers: HashMap<Node, usize> = HashMap::new();
    let mut number = |nodes: &mut Vec<Node>, node: Node| {
        *numbers.entry(node.clone()).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        })
    };
    let initial = semantics.initial_states().unwrap();
    let initial: Vec<usize> = initial.into_iter().map(|state| number(&mut nodes, (state, None))).collect();
    let mut graph = Graph { edges: Vec::new(), enabled: Vec::new() };
    while graph.edges.len() < nodes.len() {
        let at = graph.edges.len();
        let state = nodes[at].0.clone();
        let mut edges = Vec::new();
        for step in semantics.successors(&state).unwrap() {
            let location = Some(step.event.location);
            edges.push((number(&mut nodes, (step.state, location.clone())), location, 0));
        }
        if edges.is_empty() && finite_runs == FiniteRuns::Stutter {
            edges.push((at, None, 0));
        }
        graph.edges.push(edges);
        graph.enabled.push(fair.iter().map(|(one, _)| semantics.enabled(&state, one).unwrap()).collect());
    }
    Model { nodes, initial, graph }
}

impl Graph {
    /// The nodes that are reached from one within some nodes, itself left out unless it is on a cycle.
    fn reached(&self, from: usize, within: &[bool]) -> Vec<bool> {
        let mut reached = vec![false; within.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for &(next, ..) in &self.edges[node] {
                if within[next] && !std::mem::replace(&mut reached[next], true) {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// The nodes on fair cycles with all marks, within some nodes.
    fn fair_cycles(&self, within: &[bool], fair: &Fair, marks: u64) -> Vec<bool> {
        let mut found = vec![false; within.len()];
        let mut open = vec![within.to_vec()];
        while let Some(within) = open.pop() {
            let reached: Vec<Vec<bool>> = (0..within.len())
                .map(|node| if within[node] { self.reached(node, &within) } else { Vec::new() })
                .collect();
            let mut done = vec![false; within.len()];
            for root in 0..within.len() {
                if !within[root] || done[root] || !reached[root][root] {
                    continue;
                }
                let part: Vec<usize> =
                    (0..within.len()).filter(|&node| reached[root][node] && reached[node][root]).collect();
                part.iter().for_each(|&node| done[node] = true);
                let inside: Vec<&Edge> =
                    part.iter().flat_map(|&node| &self.edges[node]).filter(|edge| part.contains(&edge.0)).collect();
                if inside.iter().fold(0, |all, edge| all | edge.2) != marks {
                    continue;
                }
                let mut smaller = within.iter().map(|_| false).collect::<Vec<bool>>();
                part.iter().for_each(|&node| smaller[node] = true);
                let (mut is_fair, mut is_hopeless) = (true, false);
                for (index, (transition, strong)) in fair.iter().enumerate() {
                    if inside.iter().any(|edge| edge.1.as_ref() == Some(transition)) {
                        continue;
                    }
                    let waits = |node: &&usize| self.enabled[**node][index];
                    if *strong && part.iter().any(|node| waits(&node)) {
                        is_fair = false;
                        part.iter().filter(waits).for_each(|&node| smaller[node] = false);
                    } else if !strong && part.iter().all(|node| waits(&node)) {
                        is_hopeless = true;
                    }
                }
                match (is_hopeless, is_fair) {
                    (true, _) => {}
                    (false, true) => part.iter().for_each(|&node| found[node] = true),
                    (false, false) => open.push(smaller),
                }
            }
        }
        found
    }

    /// The nodes from which a way within some nodes leads to goals, these included.
    fn leading(&self, goals: &[bool], within: &[bool]) -> Vec<bool> {
        let mut leading = goals.to_vec();
        loop {
            let more =
                |node: &usize| !leading[*node] && within[*node] && self.edges[*node].iter().any(|edge| leading[edge.0]);
            let more: Vec<usize> = (0..goals.len()).filter(more).collect();
            if more.is_empty() {
                return leading;
            }
            more.into_iter().for_each(|node| leading[node] = true);
        }
    }
}

/// Whether a formula about one state holds, where it may ask what led there.
fn evaluate(semantics: &Semantics<'_>, formula: &Formula, (state, last): &Node) -> bool {
    let known = formula.map(&mut |atom| {
        Some(match atom {
            Atom::Fired(list) => Formula::Constant(last.as_ref().is_some_and(|last| list.contains(last))),
            atom => Formula::Atom(atom.clone()),
        })
    });
    semantics.evaluate(&known.unwrap(), state).unwrap()
}

/// Where a formula of CTL holds, by definition: E looks for a fair run.
struct Ctl<'c, 's> {
    semantics: &'c Semantics<'s>,
    model: &'c Model,
    fair: &'c Fair,
}

impl Ctl<'_, '_> {
    /// Where some fair run stays for ever.
    fn staying(&self, within: &[bool]) -> Vec<bool> {
        let graph = &self.model.graph;
        graph.leading(&graph.fair_cycles(within, self.fair, 0), within)
    }

    fn holds(&self, formula: &Formula) -> Vec<bool> {
        let count = self.model.nodes.len();
        let not = |set: Vec<bool>| set.into_iter().map(|one| !one).collect::<Vec<bool>>();
        let and = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect::<Vec<bool>>();
        let or = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a || *b).collect::<Vec<bool>>();
        let all = vec![true; count];
        match formula {
            Formula::Not(inner) => not(self.holds(inner)),
            Formula::And(parts) => parts.iter().fold(all, |sum, part| and(&sum, &self.holds(part))),
            Formula::Or(parts) => parts.iter().fold(vec![false; count], |sum, part| or(&sum, &self.holds(part))),
            Formula::Unary(Quantifier::All, operator, inner) => {
                let negation = Box::new(Formula::Not(inner.clone()));
                let dual = match operator {
                    UnaryOperator::Next => UnaryOperator::Next,
                    UnaryOperator::Finally => UnaryOperator::Globally,
                    UnaryOperator::Globally => UnaryOperator::Finally,
                };
                not(self.holds(&Formula::Unary(Quantifier::Exists, dual, negation)))
            }
            Formula::Unary(_, UnaryOperator::Next, inner) => {
                let goal = and(&self.holds(inner), &self.staying(&all));
                // Where a dead state repeats, there is no next state.
                let some =
                    |node: usize| self.model.graph.edges[node].iter().any(|edge| edge.1.is_some() && goal[edge.0]);
                (0..count).map(some).collect()
            }
            Formula::Unary(_, UnaryOperator::Finally, inner) => {
                let goal = and(&self.holds(inner), &self.staying(&all));
                self.model.graph.leading(&goal, &all)
            }
            Formula::Unary(_, UnaryOperator::Globally, inner) => self.staying(&self.holds(inner)),
            Formula::Binary(Quantifier::All, operator, f, g) => {
                let (dual, f, g) = (dual(*operator), Formula::Not(f.clone()), Formula::Not(g.clone()));
                not(self.holds(&Formula::Binary(Quantifier::Exists, dual, Box::new(f), Box::new(g))))
            }
            Formula::Binary(_, operator, f, g) => {
                let (f, g) = (self.holds(f), self.holds(g));
                let (through, goal) = match operator {
                    BinaryOperator::Until | BinaryOperator::WeakUntil => (f, g),
                    BinaryOperator::Release | BinaryOperator::StrongRelease => (g.clone(), and(&f, &g)),
                };
                let until = self.model.graph.leading(&and(&goal, &self.staying(&all)), &through);
                match operator {
                    BinaryOperator::Until | BinaryOperator::StrongRelease => until,
                    BinaryOperator::WeakUntil | BinaryOperator::Release => or(&until, &self.staying(&through)),
                }
            }
            state => self.model.nodes.iter().map(|node| evaluate(self.semantics, state, node)).collect(),
        }
    }
}

fn dual(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Until => BinaryOperator::Release,
        BinaryOperator::Release => BinaryOperator::Until,
        BinaryOperator::WeakUntil => BinaryOperator::StrongRelease,
        BinaryOperator::StrongRelease => BinaryOperator::WeakUntil,
    }
}

/// Whether a formula of LTL holds on all fair runs: its negation as an automaton, and fair cycles of the product.
fn holds_on_fair_runs(semantics: &Semantics<'_>, model: &Model, fair: &Fair, formula: &Formula) -> bool {
    let wrong: Forbidden = Forbidden::against(formula).unwrap();
    let (states, automaton) = (wrong.automaton.state_count(), &wrong.automaton);
    let letters = model
        .nodes
        .iter()
        .map(|node| wrong.propositions.iter().map(|one| evaluate(semantics, one, node)).collect::<Vec<bool>>());
    let letters: Vec<Vec<bool>> = letters.collect();
    let mut product = Graph { edges: Vec::new(), enabled: Vec::new() };
    for (node, letter) in letters.iter().enumerate() {
        for state in 0..states {
            let mut edges = Vec::new();
            for edge in automaton.edges(state as u32) {
                if automaton.conditions().satisfied(edge.condition, |atom| letter[atom as usize]) {
                    let marks = edge.marks.iter().fold(0, |all, mark| all | 1 << mark);
                    let model = model.graph.edges[node].iter();
                    edges.extend(
                        model.map(|(next, what, _)| (next * states + edge.target as usize, what.clone(), marks)),
                    );
                }
            }
            product.edges.push(edges);
            product.enabled.push(model.graph.enabled[node].clone());
        }
    }
    let mut reached = vec![false; product.edges.len()];
    for &node in &model.initial {
        for &state in automaton.initial() {
            let start = node * states + state as usize;
            reached[start] = true;
            let more = product.reached(start, &vec![true; product.edges.len()]);
            reached.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
        }
    }
    let marks = automaton.all_marks().iter().fold(0, |all, mark| all | 1 << mark);
    !product.fair_cycles(&reached, fair, marks).contains(&true)
}

/// Some of the transitions become questions about the last step.
fn with_steps(random: &mut Random, formula: Formula) -> Formula {
    let changed = formula.map(&mut |atom| {
        Some(Formula::Atom(match atom {
            Atom::Fireable(list) if random.percent(60) => Atom::Fired(list.clone()),
            atom => atom.clone(),
        }))
    });
    changed.unwrap()
}

fn obligations(observed: &Observed, fair: &Fair) -> Vec<Obligation<Atom>> {
    let one = |(transition, strong): &(Location, bool)| {
        let transition = std::slice::from_ref(transition);
        let (enabled, fired) = (observed.fireable(transition).unwrap(), observed.fired(transition).unwrap());
        if *strong { Obligation::strong(enabled, fired) } else { Obligation::weak(enabled, fired) }
    };
    fair.iter().map(one).collect()
}

#[derive(Default, Debug)]
struct Tally {
    holding: u64,
    failing: u64,
    /// Verdicts that are others than without fairness.
    changed: u64,
    loops: u64,
    quotients: u64,
    /// Runs for ever in witnesses of CTL.
    witnesses: u64,
}

/// The engine that finds states one by one, on the system that remembers its steps.
struct OneByOne<'o> {
    semantics: Semantics<'o>,
    finite_runs: FiniteRuns,
    fair: &'o [Obligation<Atom>],
}

impl OneByOne<'_> {
    /// Says the same, and shows it by fair runs; how many, and what another engine shows, is counted.
    fn compare(&self, question: &Question, expected: bool, other: Option<&Witness>, context: &str) -> u64 {
        let runs = WhichRuns { finite: self.finite_runs, fair: self.fair };
        let (limits, progress) = (Limits::default(), Progress::default());
        let Question::Ltl(formula) = question else {
            let asked = std::slice::from_ref(question);
            let answer = explicit::show(&self.semantics, asked, runs, &limits, &progress).answers.remove(0);
            assert_eq!(answer.verdict, Verdict::of(expected), "one by one: {context}");
            assert!(!matches!(answer.trace, Some(Err(_))), "{:?}: {context}", answer.trace);
            return answer.witness.iter().chain(other).map(|witness| self.fair_runs(witness, context)).sum();
        };
        let answer = ltl::check(&self.semantics, formula, runs, &limits, &progress).answer;
        assert_eq!(answer.verdict, Verdict::of(expected), "one by one: {context}");
        // It was checked by the definition, fairness included.
        assert!(expected || matches!(answer.trace, Some(Ok(_))), "{:?}: {context}", answer.trace);
        let star = ctl_star::check(&self.semantics, formula, runs, &limits, &progress).answer;
        assert_eq!(star.verdict, Verdict::of(expected), "as CTL*: {context}");
        0
    }

    /// All runs for ever of a witness are fair.
    fn fair_runs(&self, witness: &Witness, context: &str) -> u64 {
        let mut count = 0;
        for node in &witness.nodes {
            let Shown::Run(run) = &node.shown else { continue };
            let Some(repeats) = run.repeats else { continue };
            let states = std::iter::once(&node.state).chain(run.steps.iter().map(|step| &step.state));
            let round: Vec<_> = states.skip(repeats).collect();
            let is_met = |formula| round.iter().any(|state| self.semantics.evaluate(formula, state).unwrap());
            for one in self.fair {
                assert!(!is_met(&one.when) || is_met(&one.then), "{one:?} is not met by {run:?}: {context}");
            }
            count += 1;
        }
        count
    }
}

fn compare(seed: u64, system: &System, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let own = system.own_actions(1000).unwrap();
    if own.is_empty() {
        return;
    }
    let semantics = Semantics::new(system).unwrap();
    let observed = observe(system, &own).unwrap();
    let events: Vec<Location> = events(system).into_iter().filter(|event| own.contains(event)).collect();
    let variables = variables(system);
    let finite_runs = if seed.is_multiple_of(3) { FiniteRuns::Ignore } else { FiniteRuns::Stutter };
    let fair: Fair = match random.below(4) {
        0 => own.iter().map(|one| (one.clone(), false)).collect(),
        1 => own.iter().map(|one| (one.clone(), true)).collect(),
        _ => (0..1 + random.below(3)).map(|_| (random.choose(&own).clone(), random.percent(50))).collect(),
    };
    let model = model(&semantics, &fair, finite_runs);
    let obliged = obligations(&observed, &fair);
    let one_by_one = OneByOne { semantics: Semantics::new(&observed.system).unwrap(), finite_runs, fair: &obliged };
    let fairness = obliged.clone().into();
    let options = Options { finite_runs, fairness, ..Options::default() };
    let mut space = explore(&observed.system, &options).unwrap_or_else(|error| panic!("{error}: {seed}"));
    assert_eq!(space.count().to_u64(), Some(model.nodes.len() as u64), "seed {seed}: {system:?}");
    let mut unfair = explore(&observed.system, &Options { finite_runs, ..Options::default() }).unwrap();
    for number in 0..6 {
        let (question, expected) = if number % 2 == 0 {
            let formula = ctl(&mut random, &variables, &events, 1 + number / 3);
            let formula = with_steps(&mut random, formula);
            let holds = Ctl { semantics: &semantics, model: &model, fair: &fair }.holds(&formula);
            (Question::Ctl(formula), model.initial.iter().all(|&node| holds[node]))
        } else {
            let leaf = |random: &mut Random| state_formula(random, &variables, &events, 1);
            let formula = match number {
                // What fairness is for.
                1 => {
                    let inner = Formula::Unary(Quantifier::None, UnaryOperator::Finally, Box::new(leaf(&mut random)));
                    Formula::Unary(Quantifier::None, UnaryOperator::Globally, Box::new(inner))
                }
                _ => temporal(&mut random, &[Quantifier::None], &leaf, 1 + number / 2),
            };
            let formula = with_steps(&mut random, formula);
            let holds = holds_on_fair_runs(&semantics, &model, &fair, &formula);
            (Question::Ltl(formula), holds)
        };
        let context = format!("seed {seed}: {question:?}, fair {fair:?}, {finite_runs:?}, of {system:?}");
        let question = observed.question(&question).unwrap_or_else(|| panic!("{context}"));
        let answer = space.answer(&question, Traces::Wanted);
        assert_eq!(answer.verdict, Verdict::of(expected), "{context}");
        tally.witnesses += one_by_one.compare(&question, expected, answer.witness.as_ref(), &context);
        if let (Question::Ltl(_), Verdict::Fails) = (&question, &answer.verdict) {
            // It was checked by the definition, fairness included.
            let found = answer.trace.unwrap().unwrap_or_else(|error| panic!("{error}: {context}"));
            tally.loops += u64::from(found.repeats.unwrap() < found.trace.steps.len());
        }
        tally.changed += u64::from(unfair.answer(&question, Traces::Unwanted).verdict != answer.verdict);
        tally.holding += u64::from(expected);
        tally.failing += u64::from(!expected);
        if seed.is_multiple_of(4) {
            let options = Options { quotient: QuotientChoice::Explore, ..options.clone() };
            let Ok(mut quotient) = mandala_check::quotient::explore(&observed.system, &options, &[&question]) else {
                continue;
            };
            let verdict = quotient.answer(&question, Traces::Unwanted).verdict;
            tally.quotients += u64::from(quotient.quotient().is_some() && !verdict.is_unknown());
            assert!(verdict.is_unknown() || verdict == Verdict::of(expected), "{verdict:?}: {context}");
        }
    }
}

pub(crate) fn compare_all(seeds: u64, generate: impl Fn(u64) -> System) {
    let mut tally = Tally::default();
    for (seed, system, _) in small(0..seeds * factor(), 16, generate) {
        compare(seed, &system, &mut tally);
    }
    println!("{tally:?}");
    let Tally { holding, failing, changed, loops, witnesses, .. } = tally;
    assert!(witnesses > seeds / 20);
    assert!(holding > seeds / 2 && failing > seeds / 2 && changed > seeds / 20 && loops > seeds / 20);
}

#[test]
fn nets() {
    compare_all(500, |seed| flat(seed, Leaves::Nets));
}

#[test]
fn nets_with_priorities() {
    compare_all(200, prioritised);
}

#[test]
fn programs() {
    compare_all(500, |seed| flat(seed, Leaves::Programs));
}

#[test]
fn composites() {
    compare_all(300, |seed| nested(seed, Leaves::Both));
}
