//! Answers to questions, by diagrams or state by state.

use super::questions::{Asked, Asking, Kind};
use crate::arguments::Check;
use crate::error_state::Told;
use crate::failure::Failure;
use crate::itf;
use crate::output;
use crate::session::{Reason, Session};
use crate::states::{model_error, refused};
use crate::status::Status;
use crate::symmetry;
use crate::trace::Named;
use crate::witness::Tree;
use mandala_analysis::outline::Outline;
use mandala_analysis::structure::cover::PATIENCE;
use mandala_check::answer::{Answer, Traces, Verdict};
use mandala_check::error_state::ErrorState;
use mandala_check::explicit;
use mandala_check::explore::{Stopped, SystemStopped};
use mandala_check::fold::Subject;
use mandala_check::limits::Limits;
use mandala_check::options::Options;
use mandala_check::run::{Found, NoTrace};
use mandala_check::space::SystemSpace;
use mandala_check::witness::Witness;
use mandala_diagram::{Count, Statistics};
use mandala_model::property::{Formula, Question};
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// All answers.
pub struct Answers {
    /// One a question, in order.
    pub answered: Vec<Answered>,
    /// How many states were looked at, if that is known.
    pub states: Option<Count>,
    /// Why not all states were looked at.
    pub ended: Ended,
    /// What is known of the error state, if the model has one.
    pub error_state: Option<Told>,
    /// What the engine did, if there are diagrams.
    pub statistics: Option<Statistics>,
    /// Whether diagrams were used.
    pub by_diagrams: bool,
    /// How long everything took.
    pub time: Duration,
}

/// How the exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With all states.
    Done,
    /// With all questions answered, before all states were known.
    Enough,
    /// At a limit.
    Stopped(Reason),
    /// With some states of infinitely many.
    Unbounded,
}

/// A question with its answer.
pub struct Answered {
    /// The question.
    pub asked: Asked,
    /// What is known.
    pub verdict: Verdict,
    /// How it comes about, or why that is not shown; nothing if there is nothing to show.
    pub trace: Option<Result<Named, String>>,
    /// All that shows it, if it is a formula of CTL; the trace is a part of this.
    pub witness: Option<Tree>,
    /// The file to which the trace was written.
    pub saved: Option<String>,
    /// On which states it was answered, if they were folded.
    pub folded: Option<String>,
    /// How long it took, beyond the exploration.
    pub time: Duration,
}

/// Of a net that is not bounded, so many states are looked at.
const STATES_OF_UNBOUNDED: u64 = 200_000;

impl Answers {
    /// Answers questions about a system.
    pub fn find(arguments: &Check, session: &Session, system: &System, asked: Vec<Asked>) -> Result<Answers, Failure> {
        let subject = symmetry::subject(&arguments.engine, system)?;
        let mut answers = match (arguments.engine.strategy.of_diagrams(), &subject) {
            (Some(strategy), Some(subject)) => folded(arguments, session, subject, strategy, asked)?,
            (Some(strategy), None) => {
                let options = options(arguments, session, system, strategy, &asked)?;
                of_result(arguments, session, system, mandala_check::explore::explore(system, &options), asked)?.0
            }
            (None, _) if is_unbounded(system) => of_unbounded(arguments, session, system, asked)?,
            (None, _) => one_by_one(arguments, session, system, asked, &session.limits())?,
        };
        see_in_outline(system, &mut answers);
        answers.time = session.elapsed();
        Ok(answers)
    }

    /// Writes traces to files in the Informal Trace Format.
    pub fn save_traces(&mut self, named: &str, model: &str) -> Result<(), Failure> {
        let questions = self.answered.len();
        for (number, answered) in self.answered.iter_mut().enumerate() {
            if let Some(Ok(trace)) = &answered.trace {
                let shows = format!("{}: {}", answered.asked.name, answered.shown());
                let file = itf::file(named, number, questions);
                let text = serde_json::to_string_pretty(&itf::document(trace, model, &shows)).unwrap_or_default();
                output::save(&file, &(text + "\n"))?;
                answered.saved = Some(file);
            }
        }
        Ok(())
    }

    /// The exit status.
    pub fn status(&self) -> Status {
        let any = |is: fn(&Verdict) -> bool| self.answered.iter().any(|answered| is(&answered.verdict));
        if any(|verdict| matches!(verdict, Verdict::False)) {
            Status::Fails
        } else if any(|verdict| matches!(verdict, Verdict::Unknown(_))) {
            Status::Unknown
        } else {
            Status::Good
        }
    }
}

/// How the states are explored that answer some questions.
fn options(
    arguments: &Check, session: &Session, system: &System, strategy: mandala_diagram::Strategy, asked: &[Asked],
) -> Result<Options, Failure> {
    let mut options = session.options(system, &arguments.engine, strategy)?;
    options.finite_runs = arguments.finite_runs.into();
    options.goals = goals(asked);
    if asked.iter().any(|asked| is_about_runs(&asked.question)) {
        // What is left is for a search run by run.
        options.limits.deadline = session.most_of_the_time();
    }
    Ok(options)
}

/// The answers that the result of an exploration gives, and the state space if it has all states.
fn of_result<'a>(
    arguments: &Check, session: &Session, system: &'a System, result: Result<SystemSpace<'a>, SystemStopped<'a>>,
    asked: Vec<Asked>,
) -> Result<(Answers, Option<SystemSpace<'a>>), Failure> {
    let traces = arguments.traces();
    match result {
        Ok(mut space) => {
            let mut answers = of_space(&mut space, asked, traces);
            if !space.is_complete() {
                return Ok((Answers { ended: Ended::Enough, ..answers }, None));
            }
            look_for_runs(arguments, session, system, &mut answers)?;
            Ok((answers, Some(space)))
        }
        Err(Stopped::Limit { error, partial }) => {
            let mut answers = of_partial(session, &error, partial, asked, traces)?;
            look_for_runs(arguments, session, system, &mut answers)?;
            Ok((answers, None))
        }
        Err(Stopped::Unbounded(_)) => Ok((of_unbounded(arguments, session, system, asked)?, None)),
        Err(stopped) => Err(refused(session, system, &stopped)),
    }
}

/// The answers on folded state spaces. A whole space answers all questions. Of representatives, each question has its
/// own, by the symmetries that leave it alone; who leaves alone what the next one asks is used again.
fn folded(
    arguments: &Check, session: &Session, subject: &Subject<'_>, strategy: mandala_diagram::Strategy, asked: Vec<Asked>,
) -> Result<Answers, Failure> {
    let system = subject.system();
    let mut known: Option<SystemSpace<'_>> = None;
    let mut all: Option<Answers> = None;
    for mut one in asked {
        let written = one.question.about_states();
        if let Some(renaming) = subject.renaming() {
            one.question = one.question.renamed(renaming).ok_or_else(|| {
                let text = format!("`{}` asks about what only happens when called", one.name);
                Failure::with_help(text, "without `--symmetry` it is answered on the composite itself")
            })?;
        }
        let renamed = one.question.about_states();
        let written = written.iter().collect::<Vec<_>>();
        let usable = known.take().filter(|space| renamed.iter().all(|question| space.preserves(question)));
        let (mut answers, space) = match usable {
            Some(space) => of_result(arguments, session, system, Ok(space), vec![one])?,
            None => {
                let options = options(arguments, session, system, strategy, std::slice::from_ref(&one))?;
                let result = subject.explore(&options, &written);
                of_result(arguments, session, system, result, vec![one])?
            }
        };
        if let Some(space) = &space {
            let words = on_states(subject, space, &written);
            answers.answered.iter_mut().for_each(|answered| answered.folded = Some(words.clone()));
        }
        known = space;
        all = Some(match all {
            None => answers,
            Some(mut before) => {
                before.answered.append(&mut answers.answered);
                if before.ended == Ended::Done {
                    before.ended = answers.ended;
                }
                if !before.error_state.as_ref().is_some_and(Told::is_reached) {
                    before.error_state = answers.error_state;
                }
                Answers { states: answers.states, statistics: answers.statistics, ..before }
            }
        });
    }
    all.ok_or_else(|| Failure::new("nothing is asked"))
}

/// On which states questions were answered, and with which symmetries.
fn on_states(subject: &Subject<'_>, space: &SystemSpace<'_>, asked: &[&Question]) -> String {
    let folded = space.folded.as_deref();
    let words = folded.map(|folded| symmetry::Folding::new(subject, space, folded).summary());
    let words = words.unwrap_or_else(|| "on all states".to_owned());
    // The whole space answers any question.
    match subject.unused(asked).filter(|_| folded.is_none_or(|folded| !folded.way.is_whole())) {
        Some((allowed, all)) => format!("{words}: {allowed} of the {all} declared symmetries leave the question alone"),
        None => words,
    }
}

fn is_unbounded(system: &System) -> bool {
    mandala_check::explore::find_unbounded(system, PATIENCE).is_some()
}

/// Answers what can be seen of a net without its markings, where these did not answer it.
fn see_in_outline(system: &System, answers: &mut Answers) {
    if answers.answered.iter().all(|answered| !matches!(answered.verdict, Verdict::Unknown(_))) {
        return;
    }
    let Some(outline) = Outline::of(system) else { return };
    for answered in answers.answered.iter_mut().filter(|one| matches!(one.verdict, Verdict::Unknown(_))) {
        match answered.asked.question.question().and_then(|question| outline.answer(question)) {
            Some(true) => answered.verdict = Verdict::True,
            Some(false) => answered.verdict = Verdict::False,
            None => {}
        }
    }
}

/// The questions that some states may be enough to answer; none if there is one that asks for more.
fn goals(asked: &[Asked]) -> Arc<[Question]> {
    let questions: Option<Arc<[Question]>> = asked.iter().map(|asked| asked.question.question().cloned()).collect();
    questions.unwrap_or_default()
}

/// Whether it takes a run, and not a state, to show that something does not hold.
fn is_about_runs(asking: &Asking) -> bool {
    matches!(asking, Asking::Forbidden(_) | Asking::Question(Question::Ltl(_)))
}

/// So many states are looked at, run by run, where not all can be known.
const STATES_OF_RUNS: u64 = 5_000_000;

/// Looks for runs that decide what is still unknown, one after the other and without any diagram.
fn look_for_runs(arguments: &Check, session: &Session, system: &System, answers: &mut Answers) -> Result<(), Failure> {
    let is_open = |one: &Answered| is_about_runs(&one.asked.question) && matches!(one.verdict, Verdict::Unknown(_));
    if !answers.answered.iter().any(is_open) {
        return Ok(());
    }
    let Ok(semantics) = Semantics::new(system) else { return Ok(()) };
    let limits = Limits { states: Some(STATES_OF_RUNS), ..session.limits() };
    for answered in answers.answered.iter_mut().filter(|one| is_open(one)) {
        let start = Instant::now();
        let Some(checked) = check_runs(arguments, session, &semantics, &answered.asked.question, &limits) else {
            continue;
        };
        let (verdict, trace, _) = of_runs(&semantics, checked)?;
        if !verdict.is_unknown() {
            answered.verdict = verdict;
            answered.trace = trace.filter(|_| arguments.traces() == Traces::Wanted);
            answered.time += start.elapsed();
        }
    }
    Ok(())
}

/// Checks what is said of all runs, state by state; nothing if nothing is said of runs.
fn check_runs(
    arguments: &Check, session: &Session, semantics: &Semantics<'_>, asking: &Asking, limits: &Limits,
) -> Option<explicit::ltl::Checked> {
    let (finite_runs, progress) = (arguments.finite_runs.into(), session.progress());
    match asking {
        Asking::Question(Question::Ltl(formula)) => {
            Some(explicit::ltl::check(semantics, formula, finite_runs, limits, progress))
        }
        Asking::Question(_) => None,
        Asking::Forbidden(forbidden) => {
            Some(explicit::ltl::check_forbidden(semantics, forbidden, finite_runs, limits, progress))
        }
    }
}

/// The answers that a state space gives.
fn of_space(space: &mut SystemSpace<'_>, asked: Vec<Asked>, traces: Traces) -> Answers {
    let semantics = (traces == Traces::Wanted).then(|| Semantics::new(space.encoded.encoding.system).ok()).flatten();
    let mut answered = Vec::with_capacity(asked.len());
    for asked in asked {
        let start = Instant::now();
        let Answer { verdict, trace, witness } = match &asked.question {
            Asking::Question(question) => space.answer(question, traces),
            Asking::Forbidden(forbidden) => space.answer_forbidden(forbidden, traces),
        };
        let trace = trace.map(|trace| match (trace, &semantics) {
            (Ok(found), Some(semantics)) => {
                Ok(Named::new(semantics, &found.trace, found.shortest).with_loop(found.repeats))
            }
            (Ok(_), None) => Err("no trace: a state is too large to be written down".to_owned()),
            (Err(reason), _) => Err(reason.to_string()),
        });
        let witness = with_names(semantics.as_ref(), &asked.question, witness.as_ref());
        answered.push(Answered { asked, verdict, trace, witness, saved: None, folded: None, time: start.elapsed() });
    }
    let states = Some(space.count());
    let system = space.encoded.encoding.system;
    let error_state = space.error_state(traces).map(|found| Told::new(system, found));
    let statistics = Some(space.encoded.store.statistics());
    Answers { answered, states, ended: Ended::Done, error_state, statistics, by_diagrams: true, time: Duration::ZERO }
}

/// The answers that a part of a state space gives.
fn of_partial(
    session: &Session, error: &mandala_diagram::Error, partial: Option<Box<SystemSpace<'_>>>, asked: Vec<Asked>,
    traces: Traces,
) -> Result<Answers, Failure> {
    let reason = session.reason(error)?;
    let Some(mut space) = partial else {
        return Ok(nothing_known(asked, reason));
    };
    session.extend(&mut space.encoded.store);
    let mut answers = of_space(&mut space, asked, traces);
    answers.ended = Ended::Stopped(reason);
    Ok(answers)
}

fn nothing_known(asked: Vec<Asked>, reason: Reason) -> Answers {
    let unknown = |asked| Answered {
        asked,
        verdict: Verdict::Unknown(reason.to_string()),
        trace: None,
        witness: None,
        saved: None,
        folded: None,
        time: Duration::ZERO,
    };
    Answers {
        answered: asked.into_iter().map(unknown).collect(),
        states: None,
        ended: Ended::Stopped(reason),
        error_state: None,
        statistics: None,
        by_diagrams: true,
        time: Duration::ZERO,
    }
}

/// What some states of infinitely many show.
fn of_unbounded(arguments: &Check, session: &Session, system: &System, asked: Vec<Asked>) -> Result<Answers, Failure> {
    let limits = Limits { states: Some(STATES_OF_UNBOUNDED), ..session.limits() };
    let mut answers = one_by_one(arguments, session, system, asked, &limits)?;
    for answered in &mut answers.answered {
        if let Verdict::Unknown(reason) = &mut answered.verdict {
            *reason = "the net is not bounded, and no state that was looked at decides it".to_owned();
        }
    }
    answers.ended = Ended::Unbounded;
    Ok(answers)
}

/// The answers that are found state by state.
fn one_by_one(
    arguments: &Check, session: &Session, system: &System, asked: Vec<Asked>, limits: &Limits,
) -> Result<Answers, Failure> {
    let semantics = Semantics::new(system).map_err(|error| Failure::new(error.to_string()))?;
    // What is said of runs is asked below.
    let nothing = || Question::Reachable(Formula::Constant(true));
    let questions: Vec<Question> =
        asked.iter().map(|asked| asked.question.question().cloned().unwrap_or_else(nothing)).collect();
    let finite_runs = arguments.finite_runs.into();
    let outcome = match arguments.traces() {
        Traces::Wanted => explicit::show(&semantics, &questions, finite_runs, limits, session.progress()),
        Traces::Unwanted => explicit::answer_on_runs(&semantics, &questions, finite_runs, limits, session.progress()),
    };
    if let explicit::Ended::Error { error, trace } = &outcome.ended {
        return Err(model_error(&semantics, error, trace.as_ref()));
    }
    let error_state = ErrorState::of(&semantics, &outcome, arguments.traces()).map(|found| Told::new(system, found));
    let mut answered = Vec::with_capacity(asked.len());
    let mut states = outcome.states;
    for (asked, answer) in asked.into_iter().zip(outcome.answers) {
        let start = Instant::now();
        let (verdict, trace, witness, time) = match check_runs(arguments, session, &semantics, &asked.question, limits)
        {
            Some(checked) => {
                states = states.max(checked.states);
                let (verdict, trace, witness) = of_runs(&semantics, checked)?;
                (verdict, trace, witness, start.elapsed())
            }
            None => (answer.verdict, named(&semantics, answer.trace), answer.witness, Duration::ZERO),
        };
        let witness = with_names(Some(&semantics), &asked.question, witness.as_ref());
        let trace = trace.filter(|_| arguments.traces() == Traces::Wanted);
        answered.push(Answered { asked, verdict, trace, witness, saved: None, folded: None, time });
    }
    Ok(Answers {
        answered,
        states: Some(Count::from(states)),
        ended: session.reason_of(&outcome.ended).map_or(Ended::Done, Ended::Stopped),
        error_state,
        statistics: None,
        by_diagrams: false,
        time: Duration::ZERO,
    })
}

/// A witness for or against a formula of CTL, with names.
fn with_names(semantics: Option<&Semantics<'_>>, question: &Asking, witness: Option<&Witness>) -> Option<Tree> {
    match question.question() {
        Some(Question::Ctl(formula)) => Some(Tree::new(semantics?, formula, witness?)),
        _ => None,
    }
}

/// A trace with names.
fn named(semantics: &Semantics<'_>, trace: Option<Result<Found, NoTrace>>) -> Option<Result<Named, String>> {
    trace.map(|trace| match trace {
        Ok(found) => Ok(Named::new(semantics, &found.trace, found.shortest).with_loop(found.repeats)),
        Err(reason) => Err(reason.to_string()),
    })
}

/// What is known of a question about runs, with a run that shows it.
type OfRuns = (Verdict, Option<Result<Named, String>>, Option<Witness>);

fn of_runs(semantics: &Semantics<'_>, checked: explicit::ltl::Checked) -> Result<OfRuns, Failure> {
    if let explicit::Ended::Error { error, trace } = &checked.ended {
        return Err(model_error(semantics, error, trace.as_ref()));
    }
    let Answer { verdict, trace, witness } = checked.answer;
    Ok((verdict, named(semantics, trace), witness))
}

impl Answered {
    /// What the trace leads to.
    pub fn shown(&self) -> &'static str {
        match self.asked.kind {
            Kind::Deadlock => "a state in which nothing can happen",
            Kind::Invariant => "a state in which it does not hold",
            Kind::Ctl => "what decides it",
            Kind::Live => "a state after which some transition never fires again",
            Kind::Ltl => "a run on which it does not hold",
            Kind::Automaton => "a run that it accepts",
            _ => "a state in which it holds",
        }
    }
}
