//! CTL*: both engines against an evaluation that knows no automata, against LTL, and against CTL.

use std::cell::RefCell;

use crate::common::formulas::{ctl, events, state_formula, temporal, variables};
use crate::common::random::{Leaves, Random, factor, flat, nested, small};
use crate::ltl::{Graph, graph, on_all_runs};
use mandala_check::answer::{Traces, Verdict};
use mandala_check::explicit::{ctl_star, ltl};
use mandala_check::explore::explore;
use mandala_check::limits::{Limits, Progress};
use mandala_check::options::Options;
use mandala_check::run::FiniteRuns;
use mandala_model::property::{Formula, Quantifier, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::System;

/// Where formulas about one state hold, from the definition and from the inside out.
struct Oracle<'o> {
    semantics: &'o Semantics<'o>,
    graph: &'o Graph,
    /// What was found of quantified formulas.
    known: RefCell<Vec<(Formula, Vec<bool>)>>,
}

impl Oracle<'_> {
    fn holds(&self, state: usize, formula: &Formula) -> bool {
        let (quantifier, inside) = match formula {
            Formula::Unary(quantifier, operator, inner) => {
                (*quantifier, Formula::Unary(Quantifier::None, *operator, inner.clone()))
            }
            Formula::Binary(quantifier, operator, left, right) => {
                (*quantifier, Formula::Binary(Quantifier::None, *operator, left.clone(), right.clone()))
            }
            formula => return self.semantics.evaluate(formula, &self.graph.states[state]).unwrap(),
        };
        let known = self.known.borrow().iter().find(|(known, _)| known == formula).map(|(_, holds)| holds[state]);
        known.unwrap_or_else(|| {
            let is_some = quantifier == Quantifier::Exists;
            let inside = if is_some { Formula::Not(Box::new(inside)) } else { inside };
            let all = on_all_runs(self.graph, &inside, &|state, part| self.holds(state, part));
            let holds: Vec<bool> = all.into_iter().map(|all| all != is_some).collect();
            let here = holds[state];
            self.known.borrow_mut().push((formula.clone(), holds));
            here
        })
    }
}

fn verdicts(system: &System, formula: &Formula, finite_runs: FiniteRuns) -> [Verdict; 2] {
    let semantics = Semantics::new(system).unwrap();
    let explicit =
        ctl_star::check(&semantics, formula, finite_runs, &Limits::default(), &Progress::default()).answer.verdict;
    let options = Options { finite_runs, ..Options::default() };
    let mut space = explore(system, &options).unwrap_or_else(|stopped| panic!("{stopped}"));
    [explicit, space.answer(&Question::CtlStar(formula.clone()), Traces::Unwanted).verdict]
}

const ANY: [Quantifier; 4] = [Quantifier::None, Quantifier::None, Quantifier::All, Quantifier::Exists];

#[test]
fn both_engines_agree_with_the_definition() {
    let (mut holds, mut fails) = (0, 0);
    for (seed, system, _) in small(0..220 * factor(), 12, |seed| flat(seed, Leaves::Both)) {
        let mut random = Random::new(seed);
        let (variables, events) = (variables(&system), events(&system));
        for round in 0..4 {
            let finite_runs = if round == 3 { FiniteRuns::Ignore } else { FiniteRuns::Stutter };
            let leaf = |random: &mut Random| state_formula(random, &variables, &events, 0);
            let formula = temporal(&mut random, &ANY, &leaf, 3);
            let semantics = Semantics::new(&system).unwrap();
            let graph = graph(&semantics, finite_runs);
            let mut parts = 0;
            count_operators(&formula, &mut parts);
            if parts > 4 {
                continue;
            }
            let oracle = Oracle { semantics: &semantics, graph: &graph, known: RefCell::default() };
            let everywhere = on_all_runs(&graph, &formula, &|state, part| oracle.holds(state, part));
            let expected = Verdict::of(graph.initial.iter().all(|&state| everywhere[state]));
            *(if expected == Verdict::Holds { &mut holds } else { &mut fails }) += 1;
            for verdict in verdicts(&system, &formula, finite_runs) {
                assert_eq!(verdict, expected, "seed {seed}: {formula:?} of {system:?}");
            }
        }
    }
    assert!(holds > 60 && fails > 60, "{holds}, {fails}");
}

fn count_operators(formula: &Formula, count: &mut usize) {
    match formula {
        Formula::Not(inner) => count_operators(inner, count),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| count_operators(part, count)),
        Formula::Unary(_, _, inner) => {
            *count += 1;
            count_operators(inner, count);
        }
        Formula::Binary(_, _, left, right) => {
            *count += 1;
            [left, right].into_iter().for_each(|part| count_operators(part, count));
        }
        _ => {}
    }
}

#[test]
fn formulas_of_ltl_have_the_verdict_of_ltl() {
    for (seed, system, _) in small(0..60 * factor(), 60, |seed| nested(seed, Leaves::Both)) {
        let mut random = Random::new(seed);
        let (variables, events) = (variables(&system), events(&system));
        for _ in 0..3 {
            let leaf = |random: &mut Random| state_formula(random, &variables, &events, 1);
            let formula = temporal(&mut random, &[Quantifier::None], &leaf, 3);
            let semantics = Semantics::new(&system).unwrap();
            let (limits, progress) = (Limits::default(), Progress::default());
            let expected = ltl::check(&semantics, &formula, FiniteRuns::Stutter, &limits, &progress).answer.verdict;
            for verdict in verdicts(&system, &formula, FiniteRuns::Stutter) {
                assert_eq!(verdict, expected, "seed {seed}: {formula:?} of {system:?}");
            }
        }
    }
}

#[test]
fn formulas_of_ctl_have_the_verdict_of_ctl_where_nothing_ends() {
    let mut compared = 0;
    for (seed, system, outcome) in small(0..600 * factor(), 60, |seed| flat(seed, Leaves::Both)) {
        if outcome.deadlocks > 0 {
            continue;
        }
        let mut random = Random::new(seed);
        let (variables, events) = (variables(&system), events(&system));
        for _ in 0..3 {
            let formula = ctl(&mut random, &variables, &events, 2);
            let mut space = explore(&system, &Options::default()).unwrap_or_else(|stopped| panic!("{stopped}"));
            let expected = space.answer(&Question::Ctl(formula.clone()), Traces::Unwanted).verdict;
            for verdict in verdicts(&system, &formula, FiniteRuns::Stutter) {
                assert_eq!(verdict, expected, "seed {seed}: {formula:?} of {system:?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}
