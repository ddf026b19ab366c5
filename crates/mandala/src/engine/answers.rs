//! Answers to questions, by whichever engine has them.

use super::early::Looks;
use super::ground::Ground;
use super::in_time::Known;
use super::observed::{Obligations, steps_asked};
use super::reduced::Counted;
use super::session::Session;
use super::summary::quotient;
use super::{diagrams, one_by_one, partial, runs, simpler, subject};
use crate::answer::{Answer, Answers, Ended, Verdict};
use crate::error::{Error, ErrorKind};
use crate::options::{Levels, Options, Order, Symmetry};
use crate::question::{Asking, Question};
use crate::reason::Reason;
use crate::symmetry::ON_ALL_STATES;
use mandala_analysis::outline::Outline;
use mandala_check::answer::Traces;
use mandala_check::explore::{explore, explore_briefly, find_unbounded};
use mandala_check::options as check;
use mandala_check::quotient::Subject;
use mandala_check::space::SystemSpace;
use mandala_diagram::Strategy;
use mandala_model::flatten::Renaming;
use mandala_model::net::queue::QueueNet;
use mandala_model::net::{Effect, Transition};
use mandala_model::property;
use mandala_model::system::{System, Type};
use std::sync::Arc;
use std::time::Instant;

/// Answers questions about a system. Of the states, no more are looked for than that takes.
/// What is known on the way is told.
pub(super) fn find(
    options: &Options, obligations: &Obligations, system: &System, asked: Vec<Question>, known: &Known,
) -> Result<Answers, Error> {
    let session = Session::begin(options)?.with_obligations(obligations);
    if session.strategy().is_some() {
        session.refuse_crew("the strategy makes diagrams")?;
    }
    let subject = subject(&session, system)?;
    let Some(strategy) = session.strategy() else {
        let mut ground = one_by_one::find_growth(system).map_or(Ground::OneByOne, Ground::Unbounded);
        let mut answers = on_ground(&session, system, &mut ground, asked.clone())?;
        finish(&session, system, &mut answers, asked);
        return Ok(answers);
    };
    if let Some(mut answers) = briefly(&session, system, subject.as_ref(), strategy, &asked)? {
        finish(&session, system, &mut answers, asked);
        return Ok(answers);
    }
    let looks = Looks::before(&session, system, &asked, strategy, known)?;
    let open = looks.open(&session);
    let rest = match &subject {
        _ if open.is_empty() => None,
        Some(subject) => Some(up_to_symmetry(&session, subject, strategy, open)?),
        None => {
            // What is left is for more runs, and for smaller nets.
            let end = looks.may_help(&session).then(|| session.all_but_a_part(if looks.has_smaller() { 3 } else { 6 }));
            Some(on_states_of_net(&session, system, strategy, open, end.flatten())?)
        }
    };
    let mut answers = looks.complete(&session, &asked, rest);
    finish(&session, system, &mut answers, asked);
    Ok(answers)
}

/// The answers on the states of a net, or other system, until some moment. Where a net that is much smaller answers some of the
/// questions, that one comes first.
fn on_states_of_net(
    session: &Session<'_>, system: &System, strategy: Strategy, asked: Vec<Question>, end: Option<Instant>,
) -> Result<Answers, Error> {
    let explored = |system: &System, asked: Vec<Question>, end: Option<Instant>| {
        let mut options = wanted(session, system, strategy, &asked)?;
        options.limits.deadline = [options.limits.deadline, end].into_iter().flatten().min();
        let mut ground = Ground::new(session, system, explore(system, &options))?;
        // The states that decide a formula are looked at later, each formula with its share of the time.
        let is_later = session.traces() == Traces::Unwanted
            && asked.iter().all(|one| simpler::is_local(session, system, one) || !one.asking.is_about_runs());
        match is_later {
            true => on_found(session, system, &mut ground, asked).map(|(answers, _)| answers),
            false => on_ground(session, system, &mut ground, asked),
        }
    };
    let Some((numbers, smaller)) = simpler::together(session, system, &asked) else {
        return explored(system, asked, end);
    };
    let mut found: Vec<Option<Answer>> = vec![None; asked.len()];
    let rewritten = numbers.iter().zip(smaller.questions());
    let rewritten = rewritten.map(|(&number, one)| asked[number].clone().asking_instead(Asking::Question(one.clone())));
    // Half of the time, if there are others.
    let now = Instant::now();
    let half = end.map(|end| now + end.saturating_duration_since(now) / 2);
    let until = if numbers.len() < asked.len() { half } else { end };
    // What goes wrong on the smaller net may go well on the net.
    if let Ok(answers) = explored(smaller.system(), rewritten.collect(), until) {
        for (&number, answer) in numbers.iter().zip(answers.answers) {
            found[number] = Some(answer).filter(|answer| !answer.verdict.is_unknown());
        }
    }
    let left = asked.iter().zip(&found).filter(|(_, found)| found.is_none());
    let left: Vec<Question> = left.map(|(question, _)| question.clone()).collect();
    let mut rest = match left.is_empty() {
        true => Answers::without_states(Vec::new(), Ended::Enough),
        false => explored(system, left, end)?,
    };
    let mut others = std::mem::take(&mut rest.answers).into_iter();
    rest.answers = found.into_iter().filter_map(|found| found.or_else(|| others.next())).collect();
    Ok(rest)
}

/// How much work is done to see whether there are few states, before anything else is tried.
const BRIEFLY: u64 = 50_000;

/// The same where symmetries may do better; and for each question then.
const MORE_BRIEFLY: (u64, u64) = (20_000, 200_000);

/// The answers that a brief look gives: on all states of a net, if diagrams of these are small; and, where symmetries may be
/// used and nobody says how, to questions about all runs, which leave few symmetries alone, on few states of the product, or
/// before that on all states if the system is tiny.
fn briefly(
    session: &Session<'_>, system: &System, subject: Option<&Subject<'_>>, strategy: Strategy, asked: &[Question],
) -> Result<Option<Answers>, Error> {
    let Some(subject) = subject else {
        let is_net = matches!(system.main_type(), Type::Net(_));
        let space = if is_net { small_space(session, system, strategy, asked, BRIEFLY)? } else { None };
        let on_all = |space| on_ground(session, system, &mut Ground::Space(Box::new(space)), asked.to_vec());
        return space.map(on_all).transpose();
    };
    if session.chooses_symmetries() || !asked.iter().all(|one| one.asking.is_about_all_runs()) {
        return Ok(None);
    }
    let renamed: Vec<Question> = asked.iter().map(|one| renamed(subject, one.clone())).collect::<Result<_, Error>>()?;
    if is_tiny(subject.system())
        && let Some(mut space) = small_space(session, subject.system(), strategy, &renamed, MORE_BRIEFLY.0)?
        && renamed.iter().all(|one| diagrams::is_answered_within(&mut space, MORE_BRIEFLY.1, one))
    {
        let mut answers = on_ground(session, subject.system(), &mut Ground::Space(Box::new(space)), renamed)?;
        answers
            .answers
            .iter_mut()
            .for_each(|answer| answer.answered_on = Some(format!("{ON_ALL_STATES}, which are few")));
        return Ok(Some(answers));
    }
    if !session.obligations.is_empty() {
        // Which runs are fair is not known on the way.
        return Ok(None);
    }
    let mut all: Option<Answers> = None;
    for question in asked {
        match partial::first_look(session, subject, question)? {
            Some(answers) => all = Some(answers.after(all)),
            None => return Ok(None),
        }
    }
    Ok(all)
}

/// All states, if the system is small and so much work is enough to find them.
fn small_space<'s>(
    session: &Session<'_>, system: &'s System, strategy: Strategy, asked: &[Question], work: u64,
) -> Result<Option<SystemSpace<'s>>, Error> {
    let is_ordered = session.options.order != Order::default() || session.options.levels != Levels::Auto;
    if is_ordered || !is_small(system) {
        return Ok(None);
    }
    Ok(explore_briefly(system, &wanted(session, system, strategy, asked)?, work))
}

/// Whether a system is so small that it costs nothing to look whether it has few states.
fn is_small(system: &System) -> bool {
    /// Variables and transitions.
    const MOST: usize = 2_000;
    let main = system.main_type();
    main.variable_count() + main.event_count() <= MOST
}

/// Whether a system is even so small that it takes less time to analyse it than to look at some states of a product.
fn is_tiny(system: &System) -> bool {
    /// Variables and transitions, and what transitions do to places.
    const MOST: usize = 500;
    let main = system.main_type();
    let effects = match main {
        Type::Net(net) | Type::Queues(QueueNet { net, .. }) => {
            net.transitions.iter().map(|transition| transition.effects.len()).sum()
        }
        Type::Program(_) | Type::Composite(_) => 0,
    };
    main.variable_count() + main.event_count() + effects <= MOST
}

/// Answers what the engines could not, where the outline of a net shows it, and puts the questions back as they were
/// asked: some may have been changed for a composite that was made flat.
fn finish(session: &Session<'_>, system: &System, answers: &mut Answers, written: Vec<Question>) {
    see_in_outline(system, answers);
    if let (Ended::Done, true, Some(reason)) = (answers.ended, answers.is_any_unknown(), session.struck()) {
        answers.ended = Ended::Stopped(reason);
    }
    if answers.ended == Ended::Enough && is_seen_to_grow(system) {
        answers.ended = Ended::Unbounded;
    }
    for (answer, question) in answers.answers.iter_mut().zip(written) {
        answer.question = question;
    }
    answers.time = session.elapsed();
}

/// Whether a small net is soon seen to be unbounded, where nobody had to look at all of its states.
fn is_seen_to_grow(system: &System) -> bool {
    /// So many operations.
    const SOON: u64 = 200_000;
    let Type::Net(net) = system.main_type() else { return false };
    let is_more = |transition: &Transition| {
        let change = |effect: &Effect| i64::from(effect.put) - i64::from(effect.take);
        transition.effects.iter().map(change).sum::<i64>() > 0
    };
    is_small(system) && net.transitions.iter().any(is_more) && find_unbounded(system, SOON).is_some()
}

/// A system whose states were looked for before anything was asked.
pub(crate) struct Asker<'a> {
    /// The system as it is written.
    pub system: &'a System,
    /// What a quotient was made of, if one was.
    pub subject: Option<&'a Subject<'a>>,
    /// What was found.
    pub ground: Ground<'a>,
    /// What was counted on a reduced net, if that was enough so far.
    pub counted: Option<Counted<'a>>,
}

impl<'a> Asker<'a> {
    /// What was explored.
    pub fn explored(&self) -> &'a System {
        self.subject.map_or(self.system, |subject| subject.system())
    }

    /// Looks for the states of the system itself, if only those of a reduced net are known.
    pub fn expand(&mut self, session: &Session<'_>) -> Result<(), Error> {
        if let (Ground::Later, Some(strategy)) = (&self.ground, session.strategy()) {
            let options = session.diagrams(self.system, strategy)?;
            self.ground = Ground::new(session, self.system, explore(self.system, &options))?;
        }
        Ok(())
    }

    /// Answers questions on what was found.
    pub fn ask(&mut self, options: &Options, asked: Vec<Question>) -> Result<Answers, Error> {
        let session = Session::begin(options)?;
        if !options.fairness.is_empty() || asked.iter().any(|one| !steps_asked(&one.asking).is_empty()) {
            let text = "a space of states does not know which step led to each of them";
            let help = "ask the model about fair runs and about `fired(...)`, and not its space";
            return Err(Error::with_help(ErrorKind::Question, text, help));
        }
        self.expand(&session)?;
        self.ground.renew(&session, asked.iter().any(|one| one.asking.is_about_runs()));
        let written = asked.clone();
        let asked = match self.subject {
            Some(subject) => asked.into_iter().map(|one| renamed(subject, one)).collect::<Result<_, Error>>()?,
            None => asked,
        };
        let explored = self.explored();
        let mut answers = on_ground(&session, explored, &mut self.ground, asked)?;
        if let (Some(subject), Some(space)) = (self.subject, self.ground.complete()) {
            for (answer, question) in answers.answers.iter_mut().zip(&written) {
                answer.answered_on = Some(on_states(subject, space, &question.asking.about_states()));
            }
        }
        finish(&session, self.system, &mut answers, written);
        Ok(answers)
    }
}

/// How the states are explored that answer some questions.
fn wanted(
    session: &Session<'_>, system: &System, strategy: Strategy, asked: &[Question],
) -> Result<check::Options, Error> {
    let mut options = session.diagrams(system, strategy)?;
    // Of fair runs, some states show nothing.
    options.goals = if session.obligations.is_empty() { goals(asked) } else { Arc::default() };
    if session.obligations.is_empty() && asked.iter().any(|one| one.asking.is_about_runs()) {
        // What is left is for a search run by run.
        options.limits.deadline = session.all_but_a_part(3);
    }
    Ok(options)
}

/// The questions that some states may be enough to answer; none if there is one that asks for more.
fn goals(asked: &[Question]) -> Arc<[property::Question]> {
    let questions: Option<Arc<[property::Question]>> = asked.iter().map(|one| one.asking.question().cloned()).collect();
    questions.unwrap_or_default()
}

/// The answers that can be had on some ground.
fn on_ground(
    session: &Session<'_>, system: &System, ground: &mut Ground<'_>, asked: Vec<Question>,
) -> Result<Answers, Error> {
    let (mut answers, may_runs_help) = on_found(session, system, ground, asked)?;
    if may_runs_help {
        runs::look_for(session, system, &mut answers)?;
    }
    Ok(answers)
}

/// The answers that can be had on what was found, and whether a search for runs may say more.
fn on_found(
    session: &Session<'_>, system: &System, ground: &mut Ground<'_>, asked: Vec<Question>,
) -> Result<(Answers, bool), Error> {
    let answers = match ground {
        Ground::Space(space) => {
            let answers = diagrams::answer(space, asked, session);
            if !space.is_complete() {
                return Ok((Answers { ended: Ended::Enough, ..answers }, false));
            }
            answers
        }
        Ground::Part { reason, space: None } => nothing_known(asked, *reason),
        Ground::Part { reason, space: Some(space) } => {
            session.extend(space);
            Answers { ended: Ended::Stopped(*reason), ..diagrams::answer(space, asked, session) }
        }
        Ground::Unbounded(_) | Ground::Later if !session.obligations.is_empty() => {
            let reason = "fair runs are only looked for where all states are known".to_owned();
            let unknown = |question| Answer::new(question, Verdict::Unknown(reason.clone()));
            let answers = asked.into_iter().map(unknown).collect();
            return Ok((Answers::without_states(answers, Ended::Unbounded), false));
        }
        Ground::Unbounded(growth) => {
            return Ok((one_by_one::of_unbounded(session, system, growth, asked)?, false));
        }
        Ground::OneByOne | Ground::Later => {
            return Ok((one_by_one::answer(session, system, asked, &session.limits(None))?, false));
        }
    };
    Ok((answers, true))
}

fn nothing_known(asked: Vec<Question>, reason: Reason) -> Answers {
    let unknown = |question| Answer::new(question, Verdict::Unknown(reason.to_string()));
    let answers = asked.into_iter().map(unknown).collect();
    Answers { by_diagrams: true, ..Answers::without_states(answers, Ended::Stopped(reason)) }
}

/// The answers on quotients. A whole space answers all questions. Of representatives, each question has its
/// own, by the symmetries that leave it alone; who leaves alone what the next one asks is used again.
fn up_to_symmetry(
    session: &Session<'_>, subject: &Subject<'_>, strategy: Strategy, asked: Vec<Question>,
) -> Result<Answers, Error> {
    let mut known: Option<Ground<'_>> = None;
    let mut all: Option<Answers> = None;
    for question in asked {
        let answers = if !question.asking.is_about_all_runs() || !session.obligations.is_empty() {
            on_quotient(session, subject, strategy, question, &mut known)?
        } else if let Some(way) = partial::chosen(session) {
            partial::answer(session, subject, question, way)?
        } else if session.options.symmetry != Symmetry::Auto {
            on_quotient(session, subject, strategy, question, &mut known)?
        } else {
            partial::automatic(session, subject, question, |part| {
                on_quotient(session, subject, strategy, part, &mut known)
            })?
        };
        all = Some(answers.after(all));
    }
    all.ok_or_else(|| Error::new(ErrorKind::Question, "nothing is asked"))
}

/// The answer on a quotient: that which is known, if its symmetries leave the question alone.
fn on_quotient<'s>(
    session: &Session<'_>, subject: &'s Subject<'_>, strategy: Strategy, question: Question,
    known: &mut Option<Ground<'s>>,
) -> Result<Answers, Error> {
    let system = subject.system();
    // Symmetries leave alone what is asked, and what runs are to be fair to: the latter asks about a flat system.
    let fair = session.obligations.iter().flat_map(|one| [&one.when, &one.then]);
    let fair: Vec<property::Question> = fair.map(|formula| property::Question::Invariant(formula.clone())).collect();
    let mut written = question.asking.about_states();
    written.extend(fair.iter().cloned());
    let question = renamed(subject, question)?;
    let mut about = question.asking.about_states();
    about.extend(fair);
    let usable = known.take().filter(|ground| {
        let space = ground.complete();
        space.is_some_and(|space| about.iter().all(|question| space.preserves(question)))
    });
    let is_known = usable.is_some();
    let mut ground = match usable {
        Some(ground) => ground,
        None => {
            let options = wanted(session, system, strategy, std::slice::from_ref(&question))?;
            let explored = subject.explore(&options, &written.iter().collect::<Vec<_>>());
            Ground::new(session, system, explored)?
        }
    };
    let mut answers = on_ground(session, system, &mut ground, vec![question])?;
    if let Some(space) = ground.complete() {
        let words = match space.quotient() {
            None if is_known => format!("{ON_ALL_STATES}, which an earlier question needed"),
            _ => on_states(subject, space, &written),
        };
        answers.answers.iter_mut().for_each(|answer| answer.answered_on = Some(words.clone()));
    }
    *known = Some(ground);
    Ok(answers)
}

/// A question about a composite, as one about what it became when it was made flat.
fn renamed(subject: &Subject<'_>, question: Question) -> Result<Question, Error> {
    renamed_by(subject.renaming(), question)
}

/// The same, given where everything has gone, if it has.
pub(super) fn renamed_by(renaming: Option<&Renaming>, question: Question) -> Result<Question, Error> {
    let Some(renaming) = renaming else { return Ok(question) };
    match question.asking.renamed(renaming) {
        Some(asking) => Ok(question.asking_instead(asking)),
        None => {
            let text = format!("`{}` asks about what only happens when called", question.name());
            let help = "without symmetry it is answered on the composite itself";
            Err(Error::with_help(ErrorKind::OnlyWhenCalled, text, help))
        }
    }
}

/// On which states questions were answered, and with which symmetries.
fn on_states(subject: &Subject<'_>, space: &SystemSpace<'_>, asked: &[property::Question]) -> String {
    let made = space.quotient();
    let words = made.map(|made| quotient(subject, space, made).summary());
    let none = || format!("{ON_ALL_STATES}: the model has no symmetry that leaves the question alone");
    let words = words.unwrap_or_else(none);
    let asked: Vec<&property::Question> = asked.iter().collect();
    // The whole space answers any question.
    match subject.unused(&asked).filter(|_| made.is_none_or(|made| !made.construction.is_whole())) {
        Some((allowed, all)) => format!("{words}: {allowed} of the {all} declared symmetries leave the question alone"),
        None => words,
    }
}

/// Answers what can be seen of a net without its markings, where these did not answer it.
fn see_in_outline(system: &System, answers: &mut Answers) {
    if !answers.is_any_unknown() {
        return;
    }
    let Some(outline) = Outline::of(system) else { return };
    for answer in answers.answers.iter_mut().filter(|one| one.verdict.is_unknown()) {
        match answer.question.asking.question().and_then(|question| outline.answer(question)) {
            Some(true) => answer.verdict = Verdict::Holds,
            Some(false) => answer.verdict = Verdict::Fails,
            None => {}
        }
    }
}
