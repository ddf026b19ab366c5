//! Answers on the states of a diagram.

use super::named;
use crate::answer::{Answer, Answers, Ended};
use crate::question::{Asking, Question};
use mandala_check::answer::{self as check, Traces};
use mandala_check::space::SystemSpace;
use mandala_check::witness::Witness;
use mandala_model::property;
use mandala_model::semantics::Semantics;
use std::time::{Duration, Instant};

/// The answers that a state space gives.
pub fn answer(space: &mut SystemSpace<'_>, asked: Vec<Question>, traces: Traces) -> Answers {
    let semantics = (traces == Traces::Wanted).then(|| Semantics::new(space.encoded().encoding.system).ok()).flatten();
    let mut answers = Vec::with_capacity(asked.len());
    for question in asked {
        let start = Instant::now();
        let check::Answer { verdict, trace, witness } = match &question.asking {
            Asking::Question(question) => space.answer(question, traces),
            Asking::Forbidden(forbidden) => space.answer_forbidden(forbidden, traces),
            // The front door translates these.
            Asking::Coloured(_) => {
                let verdict = check::Verdict::Unknown("it is asked of the coloured net".to_owned());
                check::Answer { verdict, trace: None, witness: None }
            }
        };
        let trace = trace.map(|trace| match (trace, &semantics) {
            (Ok(found), Some(semantics)) => Ok(named::found(semantics, &found)),
            (Ok(_), None) => Err("no trace: a state is too large to be written down".to_owned()),
            (Err(reason), _) => Err(reason.to_string()),
        });
        let witness = with_names(semantics.as_ref(), &question.asking, witness.as_ref());
        answers.push(Answer { trace, witness, time: start.elapsed(), ..Answer::new(question, verdict) });
    }
    let error_state = space.error_state(traces).map(|found| named::error_state(semantics.as_ref(), found));
    Answers {
        answers,
        states: Some(space.count()),
        ended: Ended::Done,
        error_state,
        statistics: Some(space.encoded().store.statistics()),
        by_diagrams: true,
        time: Duration::ZERO,
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
