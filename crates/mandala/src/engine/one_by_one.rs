//! Answers and figures that are found state by state.

use super::diagrams::with_names;
use super::ground::model_error;
use super::session::Session;
use super::{named, runs};
use crate::answer::{Answer, Answers, Ended, Verdict};
use crate::crew::Work;
use crate::error::{Error, ErrorKind};
use crate::figures::{Figures, Growth};
use crate::options::{Symmetries, Symmetry};
use crate::question::Question;
use crate::reason::Reason;
use crate::symmetry::{Construction, Quotient};
use mandala_analysis::structure::cover::PATIENCE;
use mandala_analysis::symmetry::SymmetryGroup;
use mandala_analysis::symmetry::leader::Leaders;
use mandala_check::answer::Traces;
use mandala_check::error_state::ErrorState;
use mandala_check::explicit;
use mandala_check::limits::Limits;
use mandala_check::quotient::Subject;
use mandala_check::workers::{self, Assignment, Failure, Findings, Until};
use mandala_diagram::Count;
use mandala_model::expression::Integer;
use mandala_model::property::{self, Formula, Linear};
use mandala_model::semantics::Semantics;
use mandala_model::system::{Location, System, Type};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Of a net that is not bounded, so many states are looked at.
const STATES_OF_UNBOUNDED: u64 = 200_000;

/// The states that were found one by one.
pub struct Counted {
    /// How many.
    pub states: Count,
    /// Their figures, if representatives show them.
    pub figures: Option<Figures>,
    /// What is known of the error state, if the model has one.
    pub error_state: Option<crate::error_state::ErrorState>,
    /// Why these are not all.
    pub stopped: Option<Reason>,
    /// By which symmetries one state stands for others, if it does.
    pub quotient: Option<Quotient>,
    /// How it went, if several workers took part.
    pub work: Option<Work>,
}

/// Counts the states one by one; up to symmetry, if it is asked for and there is some.
pub fn count(session: &Session<'_>, system: &System, subject: Option<&Subject<'_>>) -> Result<Counted, Error> {
    let system = subject.map_or(system, Subject::system);
    let group = subject.and_then(Subject::keeping_initial);
    let semantics = meaning(system)?;
    let assignment = Assignment {
        questions: Vec::new(),
        finite_runs: session.finite_runs(),
        until: Until::Complete,
        traces: Traces::Unwanted,
    };
    let found = by_workers(session, system, group, assignment)?;
    let mut quotient = None;
    let (outcome, work, ordinary) = match found {
        Some(Findings { outcome, ordinary, report }) => (outcome, Some(Work::of(report)), ordinary),
        None => (explicit::explore(&semantics, &[], &session.limits(None), session.progress()), None, None),
    };
    if let (Some(subject), Some(known), Some(ordinary)) = (subject, group, &ordinary) {
        quotient = Some(Quotient {
            construction: Construction::Listed,
            representatives: Count::from(outcome.states),
            left_by_diagrams: None,
            concrete: Some(Count::from(ordinary.clone())),
            is_canonical: true,
            group: super::summary::group(subject.words(known), known),
        });
    }
    if let explicit::Ended::Error { error, trace } = &outcome.ended {
        return Err(model_error(&semantics, error, trace.as_ref()));
    }
    let error_state = ErrorState::of(&semantics, &outcome, Traces::Unwanted);
    // Where values are renamed, the states of an orbit differ in them.
    let has_figures = group.is_none_or(|group| !group.points.have_values());
    Ok(Counted {
        error_state: error_state.map(|found| named::error_state(Some(&semantics), found)),
        states: ordinary.map_or_else(|| Count::from(outcome.states), Count::from),
        figures: has_figures.then(|| Figures {
            // Of representatives, events lead to representatives.
            transitions: quotient.is_none().then(|| Count::from(outcome.transitions)),
            most_in_place: outcome.most_in_place.map_or(0, i64::from),
            most_in_marking: outcome.most_in_marking.unwrap_or(0),
        }),
        stopped: session.reason_of(&outcome.ended),
        quotient,
        work,
    })
}

/// Levels with no more states than this are explored by one worker, where nobody says how many there are: others would mostly wait.
const FEW_STATES: u64 = 1_000;

/// What several workers find, state by state; nothing if states are too large for them. What an error of the model is, is said
/// by whoever explores alone.
fn by_workers(
    session: &Session<'_>, system: &System, group: Option<&SymmetryGroup>, assignment: Assignment,
) -> Result<Option<Findings>, Error> {
    let crew = session.options.crew.for_engine()?;
    let leaders = match group {
        None => None,
        Some(group) => {
            let leaders = Leaders::new(&group.shape, &group.points);
            let none = || Error::new(ErrorKind::Other, "the states that stand for orbits are too hard to find");
            Some(Arc::new(leaders.ok_or_else(none)?))
        }
    };
    let is_quotient = leaders.is_some();
    let explored = |crew: &workers::Crew| {
        let (leaders, assignment) = (leaders.clone(), assignment.clone());
        workers::explore(system, leaders, assignment, crew, &session.limits(None), session.progress())
    };
    let mut found = Err(Failure::Wide);
    if session.options.crew.is_free() {
        found = explored(&workers::Crew { alone_while: Some(FEW_STATES), ..workers::Crew::of(1) });
    }
    if let Err(Failure::Wide) = found {
        found = explored(&crew);
    }
    match found {
        Ok(findings) => Ok(Some(findings)),
        Err(Failure::TooLarge | Failure::Queues | Failure::Model(_))
            if !session.options.crew.is_demanding() && !is_quotient =>
        {
            Ok(None)
        }
        Err(failure) => {
            let kind = match failure {
                Failure::Lost(_) => ErrorKind::Hosts,
                Failure::Checkpoint(_) => ErrorKind::Checkpoint,
                _ => ErrorKind::Other,
            };
            Err(Error::new(kind, failure.to_string()))
        }
    }
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

fn nobody() -> Error {
    Error::new(ErrorKind::Other, "nobody has explored the states")
}

/// The symmetries that leave the initial states and some questions alone, where symmetry is asked for.
fn group_for(
    session: &Session<'_>, system: &System, questions: &[property::Question],
) -> Result<Option<SymmetryGroup>, Error> {
    if session.options.symmetry == Symmetry::Off {
        return Ok(None);
    }
    if system.is_composite() {
        return Err(without_symmetry("questions about composites are answered without symmetry"));
    }
    if session.options.symmetries == Symmetries::Declared {
        return Err(without_symmetry("questions are answered by the symmetries that are found, not by declared ones"));
    }
    let questions: Vec<&property::Question> = questions.iter().collect();
    Ok(SymmetryGroup::find(system, true, &questions))
}

fn without_symmetry(what: &str) -> Error {
    let help = "choose another strategy, or no symmetry";
    Error::with_help(ErrorKind::Other, format!("state by state, {what}"), help)
}

/// The answers that are found state by state.
pub fn answer(session: &Session<'_>, system: &System, asked: Vec<Question>, limits: &Limits) -> Result<Answers, Error> {
    let semantics = meaning(system)?;
    // What is said of runs is asked below.
    let nothing = || property::Question::Reachable(Formula::Constant(true));
    let questions: Vec<property::Question> =
        asked.iter().map(|one| one.asking.question().cloned().unwrap_or_else(nothing)).collect();
    let (finite_runs, progress) = (session.finite_runs(), session.progress());
    // Of fair runs, each question about runs is one about those.
    let is_fair = !session.obligations.is_empty();
    let about_states = |one: &property::Question| {
        workers::is_about_states(one, finite_runs) && !(is_fair && matches!(one, property::Question::Ctl(_)))
    };
    let is_about_runs = |one: &Question| !one.asking.question().is_some_and(about_states);
    if limits.states.is_none() && session.options.symmetry != Symmetry::Off && asked.iter().any(is_about_runs) {
        return Err(without_symmetry(
            "only deadlocks, reachability, invariants and bounds are answered up to symmetry",
        ));
    }
    let found = if limits.states.is_none() && questions.iter().all(about_states) {
        let traces = session.traces();
        let group = group_for(session, system, &questions)?;
        let assignment = Assignment { questions: questions.clone(), finite_runs, until: Until::Answered, traces };
        by_workers(session, system, group.as_ref(), assignment)?
    } else {
        session.refuse_crew("only deadlocks, reachability, invariants and bounds are looked for by several")?;
        None
    };
    let outcome = match session.traces() {
        _ if found.is_some() => found.map(|found| found.outcome).ok_or_else(nobody)?,
        Traces::Wanted => explicit::show(&semantics, &questions, session.runs(), limits, progress),
        Traces::Unwanted => explicit::answer_on_runs(&semantics, &questions, session.runs(), limits, progress),
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
