//! Answers on the states of a diagram.

use super::named;
use super::session::Session;
use crate::answer::{Answer, Answers, Ended};
use crate::question::{Asking, Question};
use mandala_check::answer::{self as check, Traces};
use mandala_check::space::SystemSpace;
use mandala_check::witness::Witness;
use mandala_model::property;
use mandala_model::semantics::Semantics;
use std::time::{Duration, Instant};

/// How much work (nodes asked for) each question gets in the rounds before the last one, which has no such limit. One that
/// takes long does not keep the others from being answered, and verdicts do not depend on the machine.
const ROUNDS: [u64; 4] = [50_000, 400_000, 3_200_000, 25_600_000];

/// The answers that a state space gives.
pub fn answer(space: &mut SystemSpace<'_>, asked: Vec<Question>, session: &Session<'_>) -> Answers {
    let traces = session.traces();
    let semantics = (traces == Traces::Wanted).then(|| Semantics::new(space.encoded().encoding.system).ok()).flatten();
    let mut found: Vec<Option<check::Answer>> = vec![None; asked.len()];
    let mut times = vec![Duration::ZERO; asked.len()];
    // One alone has nobody to share with.
    let rounds = if asked.len() > 1 { &ROUNDS[..] } else { &[] };
    for work in rounds.iter().copied().map(Some).chain([None]) {
        for ((question, found), time) in asked.iter().zip(&mut found).zip(&mut times).filter(|one| one.0.1.is_none()) {
            let start = Instant::now();
            *found = match work {
                Some(work) => space.answer_within(work, |space| ask(space, question, traces)),
                None => Some(ask(space, question, traces)),
            };
            found.iter().for_each(|answer| session.tell(question, &answer.verdict, true));
            *time += start.elapsed();
        }
    }
    let mut answers = Vec::with_capacity(asked.len());
    for ((question, found), time) in asked.into_iter().zip(found).zip(times) {
        let Some(check::Answer { verdict, trace, witness, product_states }) = found else {
            unreachable!("the last round answers all")
        };
        let trace = trace.map(|trace| match (trace, &semantics) {
            (Ok(found), Some(semantics)) => Ok(named::found(semantics, &found)),
            (Ok(_), None) => Err("no trace: a state is too large to be written down".to_owned()),
            (Err(reason), _) => Err(reason.to_string()),
        });
        let witness = with_names(semantics.as_ref(), &question.asking, witness.as_ref());
        answers.push(Answer { trace, witness, product_states, time, ..Answer::new(question, verdict) });
    }
    let error_state = space.error_state(traces).map(|found| named::error_state(semantics.as_ref(), found));
    Answers {
        answers,
        // Ordinary states, where these are representatives.
        states: space.quotient().map_or_else(|| Some(space.count()), |made| made.concrete.clone()),
        ended: Ended::Done,
        error_state,
        statistics: Some(space.encoded().store.statistics()),
        by_diagrams: true,
        time: Duration::ZERO,
    }
}

/// Whether so much work is enough to answer a question.
pub fn is_answered_within(space: &mut SystemSpace<'_>, work: u64, question: &Question) -> bool {
    let answer = space.answer_within(work, |space| ask(space, question, Traces::Unwanted));
    answer.is_some_and(|answer| !answer.verdict.is_unknown())
}

fn ask(space: &mut SystemSpace<'_>, question: &Question, traces: Traces) -> check::Answer {
    match &question.asking {
        Asking::Question(question) => space.answer(question, traces),
        Asking::Forbidden(forbidden) => space.answer_forbidden(forbidden, traces),
        // The front door translates these.
        Asking::Coloured(_) | Asking::ColouredForbidden(_) => {
            let verdict = check::Verdict::Unknown("it is asked of the coloured net".to_owned());
            check::Answer { verdict, trace: None, witness: None, product_states: None }
        }
    }
}

/// A witness for or against a formula of CTL, with names.
pub fn with_names(
    semantics: Option<&Semantics<'_>>, asking: &Asking, witness: Option<&Witness>,
) -> Option<crate::witness::Witness> {
    match asking.question() {
        Some(property::Question::Ctl(formula)) => Some(named::witness(semantics?, formula, witness?)),
        _ => None,
    }
}
