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
use mandala_check::explicit::{Ended, Limits};
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
    let limits = session.one_by_one(Some(STATES_OF_RUNS));
    for answer in answers.answers.iter_mut().filter(|one| is_open(one)) {
        let start = Instant::now();
        let Some(checked) = check(session, &semantics, &answer.question.asking, &limits) else { continue };
        let (verdict, trace) = of_runs(&semantics, checked.verdict)?;
        if !verdict.is_unknown() {
            answer.verdict = verdict;
            answer.trace = trace.filter(|_| session.traces() == Traces::Wanted);
            answer.time += start.elapsed();
        }
    }
    Ok(())
}

/// Checks what is said of all runs, state by state; nothing if nothing is said of runs.
pub fn check(session: &Session<'_>, semantics: &Semantics<'_>, asking: &Asking, limits: &Limits) -> Option<Checked> {
    let (finite_runs, watch) = (session.finite_runs(), &mut session.watch());
    match asking {
        Asking::Question(Question::Ltl(formula)) => Some(ltl::check(semantics, formula, finite_runs, limits, watch)),
        Asking::Question(_) => None,
        Asking::Forbidden(forbidden) => Some(ltl::check_forbidden(semantics, forbidden, finite_runs, limits, watch)),
    }
}

/// What a search for a run has found, with the run or why it is not shown.
pub type OfRuns = (Verdict, Option<Result<Trace, String>>);

/// The verdict that follows from what a search for a run has found.
pub fn of_runs(semantics: &Semantics<'_>, verdict: ltl::Verdict) -> Result<OfRuns, Error> {
    use ltl::Verdict as Found;
    let unknown = |reason: &str| Ok((Verdict::Unknown(reason.to_owned()), None));
    match verdict {
        Found::Holds => Ok((Verdict::Holds, None)),
        Found::Fails(Ok(run)) => {
            let named = named::trace(semantics, &run.trace, false, Some(run.repeats));
            Ok((Verdict::Fails, Some(Ok(named))))
        }
        Found::Fails(Err(reason)) => Ok((Verdict::Fails, Some(Err(reason.to_string())))),
        Found::Undecided(Ended::Error { error, trace }) => Err(model_error(semantics, &error, trace.as_ref())),
        Found::Undecided(Ended::Memory) => unknown("out of memory, and no run so far decides it"),
        Found::Undecided(Ended::Deadline) => unknown("out of time, and no run so far decides it"),
        Found::Undecided(Ended::Cancelled) => unknown("interrupted, and no run so far decides it"),
        Found::Undecided(_) => unknown("not all states are known, and no run so far decides it"),
        Found::Failed(reason) => unknown(&reason),
    }
}
