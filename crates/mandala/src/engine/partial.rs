//! What is said of all runs, with the symmetries that are left in the automaton of a formula.

use super::answers::renamed_by;
use super::runs::{OfRuns, of_runs};
use super::session::Session;
use crate::answer::{Answer, Answers, Ended};
use crate::error::{Error, ErrorKind};
use crate::options::SymmetryOfFormula;
use crate::question::{Asking, Question};
use mandala_check::answer::Traces;
use mandala_check::partial_symmetry::{self, Bounds, Said, Way};
use mandala_check::quotient::Subject;
use mandala_diagram::Count;
use mandala_model::property;
use mandala_model::semantics::Semantics;
use std::time::{Duration, Instant};

/// The way that is asked for, if one is.
pub fn chosen(session: &Session<'_>) -> Option<Way> {
    match session.options.symmetry_of_formula {
        SymmetryOfFormula::Auto => None,
        SymmetryOfFormula::Group => Some(Way::Group),
        SymmetryOfFormula::Consistent => Some(Way::Consistent),
        SymmetryOfFormula::Product => Some(Way::Product),
    }
}

/// The answer to what is said of all runs.
pub fn answer(session: &Session<'_>, subject: &Subject<'_>, question: Question, way: Way) -> Result<Answers, Error> {
    let start = Instant::now();
    let (system, renaming, group) = subject.most_symmetric();
    let question = renamed_by(renaming, question)?;
    let said = match &question.asking {
        Asking::Question(property::Question::Ltl(formula)) => Said::Holds(formula),
        Asking::Forbidden(forbidden) => Said::NoneOf(forbidden),
        Asking::Question(_) | Asking::Coloured(_) => {
            return Err(Error::new(ErrorKind::Other, "nothing is said of runs"));
        }
    };
    let limits = session.limits(None);
    let bounds = Bounds {
        finite_runs: session.finite_runs(),
        limits: &limits,
        most_product_states: None,
        progress: session.progress(),
    };
    let (checked, words) = partial_symmetry::check(system, group.as_ref(), said, way, &bounds);
    let states = Count::from(checked.states);
    let ended = session.reason_of(&checked.ended).map_or(Ended::Done, Ended::Stopped);
    let semantics = Semantics::new(system).map_err(|error| Error::new(ErrorKind::Other, error.to_string()))?;
    let OfRuns { verdict, trace, product_states } = of_runs(&semantics, checked)?;
    let kept = product_states.as_ref().map(|count| format!("{count} states of the product were kept"));
    let words: Vec<String> = [words].into_iter().filter(|words| !words.is_empty()).chain(kept).collect();
    let answer = Answer {
        trace: trace.filter(|_| session.traces() == Traces::Wanted),
        answered_on: (!words.is_empty()).then(|| words.join("; ")),
        product_states,
        time: start.elapsed(),
        ..Answer::new(question, verdict)
    };
    Ok(Answers {
        answers: vec![answer],
        states: Some(states),
        ended,
        error_state: None,
        statistics: None,
        by_diagrams: false,
        time: Duration::ZERO,
    })
}
