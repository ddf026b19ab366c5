//! What structure, traps and short runs show of deadlocks, liveness and conditions, against all states.

use crate::common::build::{net, system, transition};
use crate::common::formulas::{events, state_formula, variables};
use crate::common::random::{Random, factor, small};
use mandala_analysis::equation::{Condition as Inequality, Equation};
use mandala_analysis::structure::commoner::{Lively, commoner};
use mandala_check::answer::Verdict;
use mandala_check::early::{Early, Effort, Proof};
use mandala_check::explicit;
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::{FiniteRuns, replay};
use mandala_model::property::{Formula, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::{System, Type};
use std::time::Duration;

/// A net whose arcs take and put single tokens; most transitions put as many as they take.
fn single_arcs(seed: u64) -> System {
    let mut random = Random::new(seed);
    let places = 3 + random.below(5);
    let marking: Vec<i32> = (0..places).map(|_| i32::from(random.percent(45))).collect();
    let some = |random: &mut Random, count: usize| {
        let mut some: Vec<u32> = (0..count).map(|_| random.below(places) as u32).collect();
        some.sort_unstable();
        some.dedup();
        some
    };
    let transitions = 2 + random.below(6);
    let transitions = (0..transitions).map(|number| {
        let take = 1 + usize::from(random.percent(40));
        let put = if random.percent(85) { take } else { 1 + random.below(2) };
        let (take, put) = (some(&mut random, take), some(&mut random, put));
        transition(&format!("t{number}"), None, &take, &put)
    });
    let transitions = transitions.collect();
    system(vec![Type::Net(net("net", &marking, transitions))])
}

fn explicitly(system: &System, questions: &[Question]) -> Vec<Verdict> {
    let semantics = Semantics::new(system).unwrap();
    let outcome = explicit::answer(&semantics, questions, &Limits::default(), &Progress::default());
    outcome.answers.into_iter().map(|answer| answer.verdict).collect()
}

/// What Commoner's property shows is so.
#[test]
fn nets_with_commoners_property_are_lively() {
    let (mut never_dead, mut live, mut neither) = (0, 0, 0);
    for (seed, system, _) in small(0..16_000 * factor(), 500, single_arcs) {
        let Type::Net(net) = system.main_type() else { panic!("a net") };
        let all = events(&system).into_iter().map(|event| vec![event]).collect();
        let verdicts = explicitly(&system, &[Question::Never(Formula::Deadlock), Question::Live(all)]);
        match commoner(net, &net.initial[0].marking, 100_000) {
            None => neither += 1,
            Some(lively) => {
                assert_eq!(verdicts[0], Verdict::Holds, "seed {seed}: {system:?}");
                never_dead += 1;
                if lively == Lively::Live {
                    assert_eq!(verdicts[1], Verdict::Holds, "seed {seed}: {system:?}");
                    live += 1;
                }
            }
        }
        assert_eq!(commoner(net, &net.initial[0].marking, 1), None);
    }
    println!("{never_dead} never dead, {live} of these live, {neither} neither");
    assert!(never_dead > 100 && live > 50 && neither > 100, "{never_dead} {live} {neither}");
}

/// Branches, traps and runs say nothing that is not so, and more than the state equation alone.
#[test]
fn what_solutions_are_not() {
    let (mut said, mut more, mut stuck) = ([0; 4], [0; 4], 0);
    for (seed, system, _) in small(0..4000 * factor(), 500, single_arcs) {
        let mut random = Random::new(seed + 3);
        let (variables, events) = (variables(&system), events(&system));
        let state = |random: &mut Random| state_formula(random, &variables, &events, 2);
        let questions = [
            Question::Never(Formula::Deadlock),
            Question::Live(events.chunks(1 + random.below(2)).map(<[_]>::to_vec).collect()),
            Question::Reachable(state(&mut random)),
            Question::Invariant(state(&mut random)),
        ];
        let asked: Vec<Option<&Question>> = questions.iter().map(Some).collect();
        let expected = explicitly(&system, &questions);
        let verdicts = [16, 64].map(|systems| {
            let mut early = Early::new(&system, &asked, FiniteRuns::Stutter).expect("a net");
            // Hardly any runs and searches, so that proofs are asked for.
            let work = if seed % 2 == 0 { 1 } else { 60 };
            early.look(Effort { work, systems, time: Duration::from_secs(10) }, true, &Limits::default());
            if let Some(found) = early.trace(1) {
                let semantics = Semantics::new(&system).unwrap();
                replay(&semantics, &found.trace).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
                stuck += 1;
            }
            (0..questions.len()).map(|number| early.verdict(number)).collect::<Vec<_>>()
        });
        for (number, expected) in expected.iter().enumerate() {
            for verdict in verdicts.iter().filter_map(|verdicts| verdicts[number].as_ref()) {
                assert_eq!(verdict, expected, "seed {seed}: {:?} of {system:?}", questions[number]);
                said[number] += 1;
            }
            more[number] += usize::from(verdicts[0][number].is_none() && verdicts[1][number].is_some());
        }
    }
    println!("{said:?} said, {more:?} with branches alone, {stuck} runs after which something never fires");
    assert!(said.iter().all(|&count| count > 200) && more[0] > 50 && more[2] > 5 && stuck > 100, "{said:?} {more:?}");
}

/// What is said to show a verdict does: in each case the sum is weighed again, and a marking that would decide otherwise is in one of the cases.
#[test]
fn proofs_can_be_checked() {
    let (mut proofs, mut cases_met, mut by_traps) = (0, 0, 0);
    for (seed, system, _) in small(0..4000 * factor(), 500, single_arcs) {
        let mut random = Random::new(seed + 3);
        let (variables, events) = (variables(&system), events(&system));
        let state = |random: &mut Random| state_formula(random, &variables, &events, 2);
        let (reached, always) = (state(&mut random), state(&mut random));
        let asked = [
            (Question::Never(Formula::Deadlock), Formula::Deadlock),
            (Question::Reachable(reached.clone()), reached),
            (Question::Invariant(always.clone()), Formula::Not(Box::new(always))),
        ];
        let mut questions: Vec<Option<&Question>> = asked.iter().map(|(question, _)| Some(question)).collect();
        // Siphons are looked at where somebody asks whether everything can always happen again.
        let live = Question::Live(events.into_iter().map(|event| vec![event]).collect());
        questions.extend((seed % 2 == 0).then_some(Some(&live)));
        let mut early = Early::new(&system, &questions, FiniteRuns::Stutter).expect("a net");
        early.look(Effort { work: 60, systems: 64, time: Duration::from_secs(10) }, true, &Limits::default());
        let Type::Net(net) = system.main_type() else { panic!("a net") };
        let initial = &net.initial[0].marking;
        let (equation, semantics) = (Equation::new(net, initial).expect("no resets"), Semantics::new(&system).unwrap());
        for (number, (question, met)) in asked.iter().enumerate() {
            let cases = match early.proof(number) {
                None => continue,
                Some(Proof::MarkedTraps) => {
                    by_traps += 1;
                    assert!(commoner(net, initial, 2_000_000).is_some());
                    continue;
                }
                Some(Proof::Cases(cases)) => cases,
            };
            proofs += 1;
            for case in cases {
                let all = [case.assumed.as_slice(), &case.added].concat();
                assert!(case.weighing.refutes(&equation, &all), "seed {seed}: {question:?} of {system:?}");
                let (initially, needed) = case.weights(initial).expect("small numbers");
                assert!(initially < needed, "seed {seed}");
            }
            for _ in 0..40 {
                let marking: Vec<i32> = initial.iter().map(|_| random.below(3) as i32).collect();
                let tokens = |place: u32| i64::from(marking[place as usize]);
                let holds = |one: &Inequality| {
                    one.terms.iter().map(|&(place, times)| times * tokens(place)).sum::<i64>() >= one.least
                };
                if semantics.evaluate(met, &marking).unwrap() {
                    let is_in = cases.iter().any(|case| case.assumed.iter().all(holds));
                    assert!(is_in, "seed {seed}: {marking:?} is in no case of {question:?} of {system:?}");
                    cases_met += 1;
                }
            }
        }
    }
    println!("{proofs} proofs by cases, {by_traps} by traps, {cases_met} markings in cases");
    assert!(proofs > 300 && by_traps > 20 && cases_met > 1000, "{proofs} {by_traps} {cases_met}");
}
