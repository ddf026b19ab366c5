//! Questions about steps: which one led to a state, and which runs are fair. They are answered on a system that remembers
//! its last step, and what comes back speaks of the system as it was.

use super::answers;
use super::in_time::Known;
use crate::answer::Answers;
use crate::error::{Error, ErrorKind};
use crate::fairness::{Fairness, Strength};
use crate::options::Options;
use crate::question::{Asking, Question};
use crate::trace::Trace;
use crate::witness::{Shown, Witness};
use mandala_check::claim::Forbidden;
use mandala_check::fair::Obligation;
use mandala_model::gal;
use mandala_model::observe::{Observed, asked_for, observe};
use mandala_model::property::{self, Atom, Formula};
use mandala_model::system::{Location, System};
use mandala_model::text::Unreadable;
use std::sync::Arc;

/// What runs must meet to count.
pub(crate) type Obligations = Arc<[Obligation<Atom>]>;

/// More transitions are not treated fairly: each has states of its own.
const MOST: usize = 1_000;

/// Answers questions about a system; where they ask about steps, or about fair runs, on one that remembers its steps.
pub(crate) fn find(options: &Options, system: &System, asked: Vec<Question>, known: &Known) -> Result<Answers, Error> {
    let mut actions: Vec<Location> = asked.iter().flat_map(|question| steps_asked(&question.asking)).collect();
    if actions.is_empty() && options.fairness.is_empty() {
        return answers::find(options, &Obligations::default(), system, asked, known);
    }
    let mut fair = Vec::new();
    for fairness in &options.fairness {
        let transitions = transitions(system, fairness)?;
        fair.extend(transitions.into_iter().map(|transition| (fairness.strength, transition)));
    }
    if fair.len() > MOST {
        let text = format!("{} transitions are to be treated fairly, and {MOST} are the most", fair.len());
        return Err(Error::with_help(ErrorKind::Question, text, "name those that matter: `--fair weak:t, u`"));
    }
    actions.extend(fair.iter().map(|(_, transition)| transition.clone()));
    actions.sort();
    actions.dedup();
    let observed = observe(system, &actions)
        .map_err(|reason| Error::new(ErrorKind::Question, format!("steps cannot be asked about: {reason}")))?;
    let obligations: Option<Vec<_>> =
        fair.iter().map(|(strength, one)| obligation(&observed, *strength, one)).collect();
    let (Some(obligations), Some(questions)) = (obligations, translated(&observed, &asked)) else {
        let text = "a question, or fairness, is about what only happens when called";
        return Err(Error::new(ErrorKind::OnlyWhenCalled, text));
    };
    let mut answers = answers::find(options, &obligations.into(), &observed.system, questions, known)?;
    let width = observed.width();
    for (answer, question) in answers.answers.iter_mut().zip(asked) {
        answer.question = question;
        if let Some(Ok(trace)) = &mut answer.trace {
            forget(trace, width);
        }
        // It speaks of the variable that remembers.
        answer.proof = None;
        if let Some(witness) = &mut answer.witness {
            forget_in(witness, &observed);
        }
    }
    // These are states with their last step: more than the model has.
    answers.states = None;
    Ok(answers)
}

/// What a question asks of the last step.
pub(crate) fn steps_asked(asking: &Asking) -> Vec<Location> {
    match asking {
        Asking::Question(question) => match question {
            property::Question::Reachable(formula)
            | property::Question::Invariant(formula)
            | property::Question::Never(formula)
            | property::Question::Ctl(formula)
            | property::Question::Ltl(formula)
            | property::Question::CtlStar(formula) => asked_for(formula),
            property::Question::Bounds(_) | property::Question::Live(_) => Vec::new(),
        },
        Asking::Forbidden(forbidden) => forbidden.propositions.iter().flat_map(asked_for).collect(),
        Asking::Coloured(_) | Asking::ColouredForbidden(_) => Vec::new(),
    }
}

/// The transitions that are to be treated fairly.
fn transitions(system: &System, fairness: &Fairness) -> Result<Vec<Location>, Error> {
    let Some(named) = &fairness.transitions else {
        return system.own_actions(MOST + 1).ok_or_else(|| {
            let text = format!("the model has more than {MOST} transitions, too many to treat all of them fairly");
            Error::with_help(ErrorKind::Question, text, "name those that matter: `--fair weak:t, u`")
        });
    };
    // The formula is ours: what is wrong with it is said of the option.
    let property = gal::formula(system, &format!("fireable({named})"))
        .map_err(|unreadable| said_of_fairness(fairness, unreadable))?;
    match property.question {
        property::Question::Invariant(Formula::Atom(Atom::Fireable(transitions))) => Ok(transitions),
        _ => Err(Error::new(ErrorKind::Question, format!("`{named}` does not name transitions"))),
    }
}

/// What is wrong with the names of transitions, said of the option.
pub(crate) fn said_of_fairness(fairness: &Fairness, unreadable: Unreadable) -> Error {
    let first = unreadable.problems.into_iter().next();
    let (message, help) = first.map_or_else(Default::default, |problem| (problem.message, problem.help));
    let text = format!("`--fair {fairness}`: {message}");
    match help {
        Some(help) => Error::with_help(ErrorKind::Question, text, help),
        None => Error::new(ErrorKind::Question, text),
    }
}

fn obligation(observed: &Observed, strength: Strength, transition: &Location) -> Option<Obligation<Atom>> {
    let one = std::slice::from_ref(transition);
    let (enabled, fired) = (observed.fireable(one)?, observed.fired(one)?);
    Some(match strength {
        Strength::Weak => Obligation::weak(enabled, fired),
        Strength::Strong => Obligation::strong(enabled, fired),
    })
}

/// The questions about the system that remembers.
fn translated(observed: &Observed, asked: &[Question]) -> Option<Vec<Question>> {
    let one = |question: &Question| {
        let asking = match &question.asking {
            Asking::Question(inner) => Asking::Question(observed.question(inner)?),
            Asking::Forbidden(forbidden) => {
                let propositions = forbidden.propositions.iter().map(|one| observed.formula(one));
                let propositions = propositions.collect::<Option<_>>()?;
                Asking::Forbidden(Arc::new(Forbidden { automaton: forbidden.automaton.clone(), propositions }))
            }
            Asking::Coloured(_) | Asking::ColouredForbidden(_) => return None,
        };
        Some(question.clone().asking_instead(asking))
    };
    asked.iter().map(one).collect()
}

/// Takes the variable that remembers out of a trace.
fn forget(trace: &mut Trace, width: usize) {
    trace.initial.truncate(width);
    for step in &mut trace.steps {
        step.changes.retain(|change| change.index < width);
    }
}

/// The same in a witness, whose formulas have numbers for steps.
fn forget_in(witness: &mut Witness, observed: &Observed) {
    let width = observed.width();
    witness.start.iter_mut().for_each(|start| forget(start, width));
    for claim in &mut witness.claims {
        claim.formula = observed.shown(&claim.formula);
        if let Shown::Run { run, through, goals } = &mut claim.shown {
            forget(run, width);
            for formula in through.iter_mut().chain(goals) {
                *formula = observed.shown(formula);
            }
        }
    }
}
