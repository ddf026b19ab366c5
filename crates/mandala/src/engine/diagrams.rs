//! Answers on the states of a diagram.

use super::named;
use crate::answer::{Answer, Answers, Ended};
use crate::question::{Asking, Question};
use mandala_check::answer::Traces;
use mandala_check::space::SystemSpace;
use mandala_model::semantics::Semantics;
use std::time::{Duration, Instant};

/// The answers that a state space gives.
pub fn answer(space: &mut SystemSpace<'_>, asked: Vec<Question>, traces: Traces) -> Answers {
    let semantics = (traces == Traces::Wanted).then(|| Semantics::new(space.encoded.encoding.system).ok()).flatten();
    let mut answers = Vec::with_capacity(asked.len());
    for question in asked {
        let start = Instant::now();
        let found = match &question.asking {
            Asking::Question(question) => space.answer(question, traces),
            Asking::Forbidden(forbidden) => space.answer_forbidden(forbidden, traces),
        };
        let answer = named::answer(semantics.as_ref(), question, found);
        answers.push(Answer { time: start.elapsed(), ..answer });
    }
    Answers {
        answers,
        states: Some(space.count()),
        ended: Ended::Done,
        statistics: Some(space.encoded.store.statistics()),
        by_diagrams: true,
        time: Duration::ZERO,
    }
}
