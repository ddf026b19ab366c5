//! What is said of all runs, state by state: a search for one that shows the contrary.

use super::ground::model_error;
use super::named;
use super::session::Session;
use crate::answer::{Answer, Answers};
use crate::error::Error;
use crate::question::{Asking, Question};
use mandala_check::explicit::Ended;
use mandala_check::explicit::ltl::{self, Checked};
use mandala_check::limits::Limits;
use mandala_model::property;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use std::time::Instant;

/// So many states are looked at, run by run, where not all can be known.
const STATES_OF_RUNS: u64 = 5_000_000;

/// Looks for runs that decide what is still unknown, one after the other and without any diagram.
pub fn look_for(session: &Session<'_>, system: &System, answers: &mut Answers) -> Result<(), Error> {
    let is_open = |one: &Answer| one.question.asking.is_about_runs() && one.verdict.is_unknown();
    if !answers.answers.iter().any(is_open) {
        return Ok(());
    }
    let Ok(semantics) = Semantics::new(system) else { return Ok(()) };
    let limits = session.limits(Some(STATES_OF_RUNS));
    for open in answers.answers.iter_mut().filter(|one| is_open(one)) {
        let Some(answer) = answer(session, &semantics, &open.question, &limits)? else { continue };
        if !answer.1.verdict.is_unknown() {
            let time = open.time + answer.1.time;
            *open = Answer { time, folded: open.folded.take(), ..answer.1 };
        }
    }
    Ok(())
}

/// Answers what is said of all runs, state by state, with the number of states that were looked at; nothing if nothing is
/// said of runs.
pub fn answer(
    session: &Session<'_>, semantics: &Semantics<'_>, question: &Question, limits: &Limits,
) -> Result<Option<(u64, Answer)>, Error> {
    let start = Instant::now();
    let Some(checked) = check(session, semantics, &question.asking, limits) else { return Ok(None) };
    if let Ended::Error { error, trace } = &checked.ended {
        return Err(model_error(semantics, error, trace.as_ref()));
    }
    let answer = named::answer(Some(semantics), question.clone(), session.wanted(checked.answer));
    Ok(Some((checked.states, Answer { time: start.elapsed(), ..answer })))
}

fn check(session: &Session<'_>, semantics: &Semantics<'_>, asking: &Asking, limits: &Limits) -> Option<Checked> {
    let (finite_runs, progress) = (session.finite_runs(), session.progress());
    match asking {
        Asking::Question(property::Question::Ltl(formula)) => {
            Some(ltl::check(semantics, formula, finite_runs, limits, progress))
        }
        Asking::Question(_) => None,
        Asking::Forbidden(forbidden) => Some(ltl::check_forbidden(semantics, forbidden, finite_runs, limits, progress)),
    }
}
