//! Answers and figures that are found state by state.

use super::diagrams::with_names;
use super::ground::model_error;
use super::session::Session;
use super::{named, runs};
use crate::answer::{Answer, Answers, Ended, Verdict};
use crate::error::{Error, ErrorKind};
use crate::figures::{Figures, Growth};
use crate::question::Question;
use crate::reason::Reason;
use mandala_analysis::structure::cover::PATIENCE;
use mandala_check::answer::Traces;
use mandala_check::error_state::ErrorState;
use mandala_check::explicit;
use mandala_check::limits::Limits;
use mandala_diagram::Count;
use mandala_model::expression::Integer;
use mandala_model::property::{self, Formula, Linear};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};
use std::time::{Duration, Instant};

/// Of a net that is not bounded, so many states are looked at.
const STATES_OF_UNBOUNDED: u64 = 200_000;

/// The states that were found one by one.
pub struct Counted {
    /// How many.
    pub states: Count,
    /// Their figures.
    pub figures: Figures,
    /// What is known of the error state, if the model has one.
    pub error_state: Option<crate::error_state::ErrorState>,
    /// Why these are not all.
    pub stopped: Option<Reason>,
}

/// Counts the states one by one.
pub fn count(session: &Session<'_>, system: &System) -> Result<Counted, Error> {
    let semantics = meaning(system)?;
    let outcome = explicit::explore(&semantics, &[], &session.limits(None), session.progress());
    if let explicit::Ended::Error { error, trace } = &outcome.ended {
        return Err(model_error(&semantics, error, trace.as_ref()));
    }
    let error_state = ErrorState::of(&semantics, &outcome, Traces::Unwanted);
    Ok(Counted {
        error_state: error_state.map(|found| named::error_state(Some(&semantics), found)),
        states: Count::from(outcome.states),
        figures: Figures {
            transitions: Some(Count::from(outcome.transitions)),
            most_in_place: outcome.most_in_place.map_or(0, i64::from),
            most_in_marking: outcome.most_in_marking.unwrap_or(0),
        },
        stopped: session.reason_of(&outcome.ended),
    })
}

/// A run that shows that a net is not bounded, if one is found.
pub fn find_growth(system: &System) -> Option<crate::figures::Growth> {
    let witness = mandala_check::explore::find_unbounded(system, PATIENCE)?;
    Some(super::ground::growth(system, &witness))
}

fn meaning(system: &System) -> Result<Semantics<'_>, Error> {
    Semantics::new(system).map_err(|error| Error::new(ErrorKind::Other, error.to_string()))
}

/// What some states of infinitely many show.
pub fn of_unbounded(
    session: &Session<'_>, system: &System, growth: &Growth, asked: Vec<Question>,
) -> Result<Answers, Error> {
    let mut answers = answer(session, system, asked, &session.limits(Some(STATES_OF_UNBOUNDED)))?;
    for answer in &mut answers.answers {
        if let (true, Some(property::Question::Bounds(quantity))) =
            (answer.verdict.is_unknown(), answer.question.asking.question())
            && grows(system, growth, quantity)
        {
            answer.verdict = Verdict::Unbounded;
        }
        if let Verdict::Unknown(reason) = &mut answer.verdict {
            *reason = "the net is not bounded, and no state that was looked at decides it".to_owned();
        }
    }
    answers.ended = Ended::Unbounded;
    Ok(answers)
}

/// Whether a quantity grows each time that the transitions of a run are repeated which can be repeated for ever.
fn grows(system: &System, growth: &Growth, quantity: &Integer<Location>) -> bool {
    let (Type::Net(net), Ok(linear)) = (system.main_type(), Linear::of(quantity)) else { return false };
    let round = growth.cycle.iter().map(|name| net.transitions.iter().find(|transition| transition.name == *name));
    let Some(round) = round.collect::<Option<Vec<_>>>() else { return false };
    let effects = || round.iter().flat_map(|transition| &transition.effects);
    // What is emptied begins anew.
    let change = |place: u32| -> Option<i64> {
        let of_place = || effects().filter(move |effect| effect.place == place);
        let change = of_place().map(|effect| i64::from(effect.put) - i64::from(effect.take)).sum();
        (!of_place().any(|effect| effect.reset)).then_some(change)
    };
    let changes: Option<Vec<i64>> = linear
        .terms
        .iter()
        .map(|(location, factor)| change(location.index).and_then(|change| change.checked_mul(*factor)))
        .collect();
    changes.is_some_and(|changes| changes.iter().fold(0i64, |sum, change| sum.saturating_add(*change)) > 0)
}

/// The answers that are found state by state.
pub fn answer(session: &Session<'_>, system: &System, asked: Vec<Question>, limits: &Limits) -> Result<Answers, Error> {
    let semantics = meaning(system)?;
    // What is said of runs is asked below.
    let nothing = || property::Question::Reachable(Formula::Constant(true));
    let questions: Vec<property::Question> =
        asked.iter().map(|one| one.asking.question().cloned().unwrap_or_else(nothing)).collect();
    let (finite_runs, progress) = (session.finite_runs(), session.progress());
    let outcome = match session.traces() {
        Traces::Wanted => explicit::show(&semantics, &questions, finite_runs, limits, progress),
        Traces::Unwanted => explicit::answer_on_runs(&semantics, &questions, finite_runs, limits, progress),
    };
    if let explicit::Ended::Error { error, trace } = &outcome.ended {
        return Err(model_error(&semantics, error, trace.as_ref()));
    }
    let error_state = ErrorState::of(&semantics, &outcome, session.traces());
    let error_state = error_state.map(|found| named::error_state(Some(&semantics), found));
    let mut answers = Vec::with_capacity(asked.len());
    let mut states = outcome.states;
    for (question, answer) in asked.into_iter().zip(outcome.answers) {
        let start = Instant::now();
        let mut product_states = None;
        let (verdict, trace, time) = match runs::check(session, &semantics, &question.asking, limits) {
            Some(checked) => {
                states = states.max(checked.states);
                let found = runs::of_runs(&semantics, checked)?;
                product_states = found.product_states;
                (found.verdict, found.trace, start.elapsed())
            }
            None => {
                let trace = answer.trace.map(|trace| named::shown(&semantics, trace));
                (answer.verdict, trace, Duration::ZERO)
            }
        };
        let witness = with_names(Some(&semantics), &question.asking, answer.witness.as_ref());
        let trace = trace.filter(|_| session.traces() == Traces::Wanted);
        answers.push(Answer { trace, witness, product_states, time, ..Answer::new(question, verdict) });
    }
    // A search for a run sees those states only that its automaton leads to.
    let ended = match (session.reason_of(&outcome.ended), &outcome.ended) {
        (Some(reason), _) => Ended::Stopped(reason),
        (None, explicit::Ended::Complete) => Ended::Done,
        (None, _) => Ended::Enough,
    };
    Ok(Answers {
        answers,
        states: Some(Count::from(states)),
        ended,
        error_state,
        statistics: None,
        by_diagrams: false,
        time: Duration::ZERO,
    })
}
