//! What is seen of a net without its markings, against all of its states.

use crate::common::formulas::{events, state_formula, variables};
use crate::common::random::{Leaves, Random, flat, prioritised, small};
use mandala_analysis::outline::Outline;
use mandala_check::answer::Verdict;
use mandala_check::explicit;
use mandala_check::limits::{Limits, Progress};
use mandala_model::property::{Atom, Formula, Question};
use mandala_model::semantics::Semantics;

/// What is seen in outline is so in every state of random nets.
#[test]
fn outlines_of_nets() {
    let mut seen = [0; 2];
    let with_priorities = small(0..800, 500, prioritised);
    for (seed, system, _) in small(0..1500, 500, |seed| flat(seed, Leaves::Nets)).chain(with_priorities) {
        let Some(outline) = Outline::of(&system) else { continue };
        let mut random = Random::new(seed);
        let (variables, events) = (variables(&system), events(&system));
        let mut questions = vec![Question::Live(events.iter().map(|event| vec![event.clone()]).collect())];
        for number in 0..6 {
            let formula = state_formula(&mut random, &variables, &events, 2);
            questions.push(match number % 3 {
                0 => Question::Reachable(formula),
                1 => Question::Never(formula),
                _ => Question::Invariant(formula),
            });
        }
        questions
            .extend(events.iter().map(|event| Question::Reachable(Formula::Atom(Atom::Fireable(vec![event.clone()])))));
        let semantics = Semantics::new(&system).unwrap();
        let outcome = explicit::explore(&semantics, &questions, &Limits::default(), &Progress::default());
        for (question, answer) in questions.iter().zip(&outcome.answers) {
            if let Some(truth) = outline.answer(question) {
                let agrees = answer.verdict == Verdict::of(truth);
                assert!(agrees, "seed {seed}: {question:?} of {system:?}");
                seen[usize::from(truth)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}
