//! Formulas on the states that decide them, against all states.

use crate::common::formulas::{ctl, events, state_formula, temporal, variables};
use crate::common::random::{Leaves, Random, factor, flat, small};
use mandala_check::answer::Verdict;
use mandala_check::explicit::{self, ltl};
use mandala_check::limits::{Limits, Progress};
use mandala_check::local::Local;
use mandala_check::run::FiniteRuns;
use mandala_model::property::{Quantifier, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::System;

/// Formulas of both logics.
fn questions(random: &mut Random, system: &System) -> Vec<Question> {
    let (variables, events) = (variables(system), events(system));
    let state = |random: &mut Random| state_formula(random, &variables, &events, 1);
    let mut questions = Vec::new();
    for depth in 1..4 {
        questions.push(Question::Ctl(ctl(random, &variables, &events, depth)));
        let quantified = [Quantifier::All, Quantifier::Exists];
        questions.push(Question::Ctl(temporal(random, &quantified, &state, depth)));
        questions.push(Question::Ltl(temporal(random, &[Quantifier::None], &state, depth)));
    }
    questions
}

fn expected(system: &System, question: &Question) -> Verdict {
    let semantics = Semantics::new(system).unwrap();
    let (limits, progress) = (Limits::default(), Progress::default());
    match question {
        Question::Ltl(formula) => {
            ltl::check(&semantics, formula, FiniteRuns::Stutter, &limits, &progress).answer.verdict
        }
        question => {
            explicit::answer(&semantics, std::slice::from_ref(question), &limits, &progress).answers[0].verdict.clone()
        }
    }
}

/// With all the work that it takes every formula is decided, and with little of it nothing is said that is not so.
#[test]
fn what_is_decided_locally_is_so() {
    let (mut asked, mut holding, mut briefly) = ([0; 2], [0; 2], [0; 2]);
    for (seed, system, _) in small(0..2500 * factor(), 400, |seed| flat(seed, Leaves::Nets)) {
        let mut random = Random::new(seed);
        for question in questions(&mut random, &system) {
            let Some(local) = Local::new(&system, &question) else { continue };
            let expected = expected(&system, &question);
            let context = || format!("seed {seed}: {question:?} of {system:?}");
            let kind = usize::from(matches!(question, Question::Ltl(_)));
            for look in 0..2 {
                let verdict = local.look(u64::MAX, seed * 2 + look, &Limits::default());
                assert_eq!(verdict, Some(expected.clone()), "{}", context());
                for work in [1, 20, 100, 400, 2_000] {
                    if let Some(verdict) = local.look(work, seed * 2 + look, &Limits::default()) {
                        assert_eq!(verdict, expected, "work {work}, {}", context());
                        briefly[kind] += 1;
                    }
                }
            }
            asked[kind] += 1;
            holding[kind] += usize::from(expected == Verdict::Holds);
        }
    }
    println!("{asked:?} asked, {holding:?} hold, {briefly:?} decided with little work");
    assert!(asked.iter().zip(holding).all(|(&asked, holding)| asked > 1000 && holding * 10 > asked), "{asked:?}");
}
