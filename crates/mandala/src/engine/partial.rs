//! What is said of all runs, with the symmetries that are left in the automaton of a formula.

use super::answers::renamed_by;
use super::ground::model_error;
use super::named;
use super::session::Session;
use crate::answer::{Answer, Answers, Ended, Verdict};
use crate::error::{Error, ErrorKind};
use crate::options::{Symmetry, SymmetryOfFormula};
use crate::question::{Asking, Question};
use crate::symmetry::ON_ALL_STATES;
use mandala_check::answer::Traces;
use mandala_check::explicit;
use mandala_check::explicit::ltl::Checked;
use mandala_check::explore::{Stopped, SystemStopped};
use mandala_check::partial_symmetry::{self, Bounds, Said, Way};
use mandala_check::quotient::Subject;
use mandala_diagram::{Count, Exactness};
use mandala_model::property;
use mandala_model::semantics::Semantics;
use std::time::{Duration, Instant};

/// So many states of the product are looked at one by one, if diagrams can go on from there.
const ONE_BY_ONE: u64 = 1_000_000;

/// So many are looked at before anything else is tried.
const FIRST: u64 = 500;

/// So many of a formula that does not come apart, or of a part of one, before a quotient by its own symmetries is tried.
const SECOND: u64 = 5_000;

/// The way that is asked for, if one is.
pub fn chosen(session: &Session<'_>) -> Option<Way> {
    match session.options.symmetry_of_formula {
        SymmetryOfFormula::Auto => None,
        SymmetryOfFormula::Group => Some(Way::Group),
        SymmetryOfFormula::Consistent => Some(Way::Consistent),
        SymmetryOfFormula::Product => Some(Way::Product),
    }
}

/// The answer in a way that is asked for: state by state, on diagrams, or first the one and then the other.
pub fn answer(session: &Session<'_>, subject: &Subject<'_>, question: Question, way: Way) -> Result<Answers, Error> {
    match session.options.symmetry {
        Symmetry::Explore | Symmetry::Select => {
            let refuse = || {
                let text = "the product is not made on diagrams: no symmetry leaves the initial states alone";
                Error::with_help(ErrorKind::Other, text, "`--symmetry list` makes it state by state")
            };
            on_diagrams(session, subject, &question, way)?.ok_or_else(refuse)
        }
        Symmetry::List => one_by_one(session, subject, &question, way, None),
        Symmetry::Auto | Symmetry::Off => {
            if let Some(found) = within(session, subject, &question, way, ONE_BY_ONE)? {
                return Ok(found);
            }
            match on_diagrams(session, subject, &question, way)? {
                Some(answers) if !answers.is_any_unknown() => Ok(answers),
                _ => one_by_one(session, subject, &question, way, None),
            }
        }
    }
}

/// The answer state by state; nothing if the product has more states than these.
fn within(
    session: &Session<'_>, subject: &Subject<'_>, question: &Question, way: Way, most: u64,
) -> Result<Option<Answers>, Error> {
    let found = one_by_one(session, subject, question, way, Some(most))?;
    let count = found.answers.first().and_then(|answer| answer.product_states.as_ref()).and_then(Count::to_u64);
    Ok(if found.is_any_unknown() && count.is_some_and(|count| count > most) { None } else { Some(found) })
}

/// The answer on the quotient product, if that is small and there are symmetries at all.
pub fn first_look(session: &Session<'_>, subject: &Subject<'_>, question: &Question) -> Result<Option<Answers>, Error> {
    match subject.most_symmetric() {
        (_, _, Some(_)) => within(session, subject, question, Way::Product, FIRST),
        (_, _, None) => Ok(None),
    }
}

/// The answer by whichever way is best, where the quotient product is not small: for one part of each orbit of a
/// conjunction's parts, or for all of the formula, again on the quotient product if that is not large, or up to the symmetries
/// that leave it alone.
pub fn automatic(
    session: &Session<'_>, subject: &Subject<'_>, question: Question,
    mut up_to_symmetry: impl FnMut(Question) -> Result<Answers, Error>,
) -> Result<Answers, Error> {
    if subject.most_symmetric().2.is_none() {
        return up_to_symmetry(question);
    }
    let parts = match &question.asking {
        Asking::Question(property::Question::Ltl(formula)) => parts(subject, formula),
        _ => Vec::new(),
    };
    let mut decide = |part: Question| match within(session, subject, &part, Way::Product, SECOND)? {
        Some(first) => Ok(first),
        None => up_to_symmetry(part),
    };
    if parts.iter().all(|part| part.alike == 1) {
        return decide(question);
    }
    let (count, all) = (parts.len(), parts.iter().map(|part| part.alike).sum::<usize>());
    let mut product = Some(Count::zero());
    let mut unknown: Option<Answers> = None;
    let mut last: Option<Answers> = None;
    for part in parts {
        let asking = Asking::Question(property::Question::Ltl(part.formula));
        let mut answers = decide(question.clone().asking_instead(asking))?;
        let Some(answer) = answers.answers.first_mut() else { continue };
        product = match (product.take(), &answer.product_states) {
            (Some(mut sum), Some(more)) => {
                sum.add_assign(more, &Exactness::default());
                Some(sum)
            }
            _ => None,
        };
        let words = answer.answered_on.take().unwrap_or_else(|| ON_ALL_STATES.to_owned());
        answer.answered_on = Some(format!(
            "{count} of {all} parts of the conjunction, the others are images of these; the last: {words}"
        ));
        match &answer.verdict {
            Verdict::Fails => return Ok(answers),
            Verdict::Unknown(_) => unknown = Some(answers),
            _ => last = Some(answers),
        }
    }
    let mut answers = unknown.or(last).ok_or_else(|| Error::new(ErrorKind::Question, "nothing is asked"))?;
    answers.answers.iter_mut().for_each(|answer| answer.product_states = product.clone());
    Ok(answers)
}

/// One part of each orbit of the parts of a formula about the system as it is written.
fn parts(subject: &Subject<'_>, formula: &property::Formula) -> Vec<partial_symmetry::Part> {
    // The symmetries that leave the initial states alone are known of the flat system only.
    let group = || subject.keeping_initial().filter(|_| subject.renaming().is_none());
    partial_symmetry::parts(subject.system(), group, formula)
}

/// What is said of all runs.
fn said(question: &Question) -> Result<Said<'_>, Error> {
    match &question.asking {
        Asking::Question(property::Question::Ltl(formula)) => Ok(Said::Holds(formula)),
        Asking::Forbidden(forbidden) => Ok(Said::NoneOf(forbidden)),
        _ => Err(Error::new(ErrorKind::Other, "nothing is said of runs")),
    }
}

/// The answer state by state, with so many states of the product at most.
fn one_by_one(
    session: &Session<'_>, subject: &Subject<'_>, question: &Question, way: Way, most: Option<u64>,
) -> Result<Answers, Error> {
    let start = Instant::now();
    let (system, renaming, group) = subject.most_symmetric();
    let question = renamed_by(renaming, question.clone())?;
    let limits = session.limits(None);
    let bounds = Bounds {
        finite_runs: session.finite_runs(),
        limits: &limits,
        most_product_states: most,
        progress: session.progress(),
    };
    let (checked, words) = partial_symmetry::check(system, group, said(&question)?, way, &bounds);
    let Checked { answer, ended, .. } = checked;
    let semantics = Semantics::new(system).map_err(|error| Error::new(ErrorKind::Other, error.to_string()))?;
    if let explicit::Ended::Error { error, trace } = &ended {
        return Err(model_error(&semantics, error, trace.as_ref()));
    }
    let trace = answer.trace.filter(|_| session.traces() == Traces::Wanted);
    let answer = Answer {
        trace: trace.map(|trace| named::shown(&semantics, trace)),
        answered_on: Some(with_count(words, answer.product_states.as_ref())),
        product_states: answer.product_states,
        time: start.elapsed(),
        ..Answer::new(question, answer.verdict)
    };
    Ok(Answers {
        answers: vec![answer],
        // How many states of the model these stand for is not known.
        states: None,
        ended: session.reason_of(&ended).map_or(Ended::Done, Ended::Stopped),
        error_state: None,
        statistics: None,
        by_diagrams: false,
        time: Duration::ZERO,
    })
}

/// The answer on diagrams, with a run that is looked for state by state; nothing if diagrams cannot be used.
fn on_diagrams(
    session: &Session<'_>, subject: &Subject<'_>, question: &Question, way: Way,
) -> Result<Option<Answers>, Error> {
    let start = Instant::now();
    let (Some(strategy), Some(group)) = (session.strategy(), subject.keeping_initial()) else { return Ok(None) };
    let system = subject.system();
    let renamed = renamed_by(subject.renaming(), question.clone())?;
    let options = session.diagrams(system, strategy)?;
    let (found, words) = match partial_symmetry::check_on_diagrams(system, group, said(&renamed)?, way, &options) {
        Ok(found) => found,
        Err(stopped) => {
            let reason = stopped_by(session, stopped)?;
            let verdict = Verdict::Unknown(reason.to_string());
            let answers = vec![Answer::new(question.clone(), verdict)];
            return Ok(Some(Answers { ended: Ended::Stopped(reason), ..by_diagrams(answers) }));
        }
    };
    let mut answer = Answer {
        answered_on: Some(with_count(format!("on diagrams, {words}"), found.product_states.as_ref())),
        product_states: found.product_states,
        ..Answer::new(question.clone(), found.verdict)
    };
    if answer.verdict == Verdict::Fails && session.traces() == Traces::Wanted {
        let shown = one_by_one(session, subject, question, way, Some(ONE_BY_ONE))?.answers.into_iter().next();
        let trace = shown.and_then(|shown| shown.trace);
        answer.trace = Some(trace.unwrap_or_else(|| Err("no run: it was not found state by state".to_owned())));
    }
    answer.time = start.elapsed();
    Ok(Some(by_diagrams(vec![answer])))
}

fn by_diagrams(answers: Vec<Answer>) -> Answers {
    Answers {
        answers,
        states: None,
        ended: Ended::Done,
        error_state: None,
        statistics: None,
        by_diagrams: true,
        time: Duration::ZERO,
    }
}

fn stopped_by(session: &Session<'_>, stopped: SystemStopped<'_>) -> Result<crate::reason::Reason, Error> {
    match stopped {
        Stopped::Limit { error, .. } => session.reason(&error),
        other => Err(Error::new(ErrorKind::Other, other.to_string())),
    }
}

fn with_count(words: String, count: Option<&Count>) -> String {
    let kept = count.map(|count| format!("{count} states of the product were kept"));
    [words].into_iter().filter(|words| !words.is_empty()).chain(kept).collect::<Vec<_>>().join("; ")
}
