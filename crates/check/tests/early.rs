//! What is answered without the states, against all of them.

use crate::common::formulas::{ctl, events, state_formula, sum, temporal, variables};
use crate::common::random::{Leaves, Random, factor, flat, small};
use mandala_check::early::{Early, Effort};
use mandala_check::explicit::{self, ltl};
use mandala_check::limits::{Limits, Progress};
use mandala_check::run::{FiniteRuns, replay};
use mandala_model::property::{Quantifier, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use std::time::Duration;

/// Questions of every kind.
fn questions(random: &mut Random, system: &System) -> Vec<Question> {
    let (variables, events) = (variables(system), events(system));
    let mut questions = vec![Question::Live(events.iter().map(|event| vec![event.clone()]).collect())];
    for _ in 0..2 {
        let state = |random: &mut Random| state_formula(random, &variables, &events, 2);
        questions.extend([
            Question::Reachable(state(random)),
            Question::Never(state(random)),
            Question::Invariant(state(random)),
            Question::Bounds(sum(random, &variables)),
            Question::Ctl(ctl(random, &variables, &events, 2)),
            Question::Ltl(temporal(random, &[Quantifier::None], &state, 2)),
        ]);
    }
    questions
}

/// Runs and the state equation say nothing that is not so, and runs can be replayed.
#[test]
fn answers_without_the_states() {
    let (mut said, mut unsaid, mut shown) = ([0; 8], [0; 8], 0);
    for (seed, system, _) in small(0..1500 * factor(), 500, |seed| flat(seed, Leaves::Nets)) {
        let mut random = Random::new(seed);
        let questions = questions(&mut random, &system);
        let asked: Vec<Option<&Question>> = questions.iter().map(Some).collect();
        let Some(mut early) = Early::new(&system, &asked, FiniteRuns::Stutter) else { continue };
        let systems = if seed % 3 == 0 { 40 } else { 6 };
        let effort = Effort { work: 500, systems, time: Duration::from_secs(10) };
        for _ in 0..1 + seed % 2 {
            early.look(effort, true, &Limits::default());
        }
        let semantics = Semantics::new(&system).unwrap();
        let outcome = explicit::answer(&semantics, &questions, &Limits::default(), &Progress::default());
        for (number, (question, answer)) in questions.iter().zip(&outcome.answers).enumerate() {
            let kind = (number + 5) % 6;
            let Some(verdict) = early.verdict(number) else {
                unsaid[kind] += 1;
                continue;
            };
            said[kind] += 1;
            let expected = match question {
                Question::Ltl(formula) => {
                    let (limits, progress) = (Limits::default(), Progress::default());
                    ltl::check(&semantics, formula, FiniteRuns::Stutter, &limits, &progress).answer.verdict
                }
                _ => answer.verdict.clone(),
            };
            assert_eq!(verdict, expected, "seed {seed}: {question:?} of {system:?}");
            if let Some(found) = early.trace(number) {
                replay(&semantics, &found.trace).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}: {question:?}"));
                let formula = match question {
                    Question::Reachable(formula) | Question::Never(formula) | Question::Invariant(formula) => formula,
                    _ => continue,
                };
                let holds = semantics.evaluate(formula, found.trace.last()).unwrap();
                assert_eq!(holds, !matches!(question, Question::Invariant(_)), "seed {seed}: {question:?}");
                shown += 1;
            }
        }
    }
    println!("{said:?} said, {unsaid:?} not, {shown} shown");
    assert!(said[..6].iter().all(|&count| count > 100) && shown > 500, "{said:?} {shown}");
}

/// What is the same in all markings is left out of formulas, and they mean what they meant.
#[test]
fn formulas_are_simplified_by_what_is_known() {
    let (mut asked, mut simplified) = (0, [0; 2]);
    for (seed, system, _) in small(0..1500 * factor(), 500, |seed| flat(seed, Leaves::Nets)) {
        let mut random = Random::new(seed + 7);
        let (variables, events) = (variables(&system), events(&system));
        let state = |random: &mut Random| state_formula(random, &variables, &events, 1);
        let mut questions = Vec::new();
        for depth in 1..4 {
            let quantified = [Quantifier::All, Quantifier::Exists];
            questions.push(Question::Ctl(ctl(&mut random, &variables, &events, depth)));
            questions.push(Question::Ctl(temporal(&mut random, &quantified, &state, depth)));
            questions.push(Question::Ltl(temporal(&mut random, &[Quantifier::None], &state, depth)));
        }
        let wanted: Vec<Option<&Question>> = questions.iter().map(Some).collect();
        let Some(mut early) = Early::new(&system, &wanted, FiniteRuns::Stutter) else { continue };
        early.look(Effort { work: 500, systems: 6, time: Duration::from_secs(10) }, false, &Limits::default());
        let semantics = Semantics::new(&system).unwrap();
        let (limits, progress) = (Limits::default(), Progress::default());
        let answer = |question: &Question| match question {
            Question::Ltl(formula) => {
                ltl::check(&semantics, formula, FiniteRuns::Stutter, &limits, &progress).answer.verdict
            }
            other => {
                explicit::answer(&semantics, std::slice::from_ref(other), &limits, &progress).answers[0].verdict.clone()
            }
        };
        for question in &questions {
            let simpler = early.simplified(question);
            asked += 1;
            if simpler != *question {
                assert_eq!(answer(&simpler), answer(question), "seed {seed}: {question:?}, {simpler:?} of {system:?}");
                simplified[usize::from(matches!(question, Question::Ltl(_)))] += 1;
            }
        }
    }
    println!("{simplified:?} of {asked} simplified");
    assert!(simplified.iter().all(|&count| count > 200), "{simplified:?} of {asked}");
}
