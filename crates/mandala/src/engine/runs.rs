//! What is said of all runs, state by state: a search for one that shows the contrary.

use super::ground::model_error;
use super::named;
use super::session::Session;
use crate::answer::{Answer, Answers, Verdict};
use crate::error::Error;
use crate::question::Asking;
use crate::trace::Trace;
use mandala_check::answer::Traces;
use mandala_check::explicit::ltl::{self, Checked};
use mandala_check::explicit::{Ended, ctl_star};
use mandala_check::limits::Limits;
use mandala_diagram::Count;
use mandala_model::property::Question;
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
    for answer in answers.answers.iter_mut().filter(|one| is_open(one)) {
        let start = Instant::now();
        let Some(checked) = check(session, &semantics, &answer.question.asking, &limits) else { continue };
        let OfRuns { verdict, trace, product_states } = of_runs(&semantics, checked)?;
        if !verdict.is_unknown() {
            answer.verdict = verdict;
            answer.product_states = product_states;
            answer.trace = trace.filter(|_| session.traces() == Traces::Wanted);
            answer.time += start.elapsed();
        }
    }
    Ok(())
}

/// Checks what is said of all runs, state by state; nothing if nothing is said of runs.
pub fn check(session: &Session<'_>, semantics: &Semantics<'_>, asking: &Asking, limits: &Limits) -> Option<Checked> {
    let (runs, progress) = (session.runs(), session.progress());
    match asking {
        Asking::Question(Question::Ltl(formula)) => Some(ltl::check(semantics, formula, runs, limits, progress)),
        Asking::Question(Question::CtlStar(formula)) => {
            Some(ctl_star::check(semantics, formula, runs, limits, progress))
        }
        Asking::Question(_) | Asking::Coloured(_) | Asking::ColouredForbidden(_) => None,
        Asking::Forbidden(forbidden) => Some(ltl::check_forbidden(semantics, forbidden, runs, limits, progress)),
    }
}

/// What a search for a run has found.
pub struct OfRuns {
    /// The verdict.
    pub verdict: Verdict,
    /// The run, or why it is not shown.
    pub trace: Option<Result<Trace, String>>,
    /// How many states the product has, as far as it was explored.
    pub product_states: Option<Count>,
}

/// The verdict that follows from what a search for a run has found.
pub fn of_runs(semantics: &Semantics<'_>, checked: Checked) -> Result<OfRuns, Error> {
    if let Ended::Error { error, trace } = &checked.ended {
        return Err(model_error(semantics, error, trace.as_ref()));
    }
    let trace = checked.answer.trace.map(|trace| named::shown(semantics, trace));
    Ok(OfRuns { verdict: checked.answer.verdict, trace, product_states: checked.answer.product_states })
}
