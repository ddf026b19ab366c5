//! Answers without the states: before they are looked for, and when they could not be had.
//!
//! Before: where nobody says how symmetries are used. Two looks, of which the second is longer, and a search for runs in few
//! states (with symmetries that is the quotient product). Where traces are wanted, only proofs count, which have none: the states
//! give the shortest traces. Afterwards: what is left of the time.

use super::in_time::Known;
use super::session::Session;
use super::simpler::{self, Simplers};
use super::{named, runs};
use crate::answer::{Answer, Answers, Ended, Verdict};
use crate::error::Error;
use crate::options::Symmetry;
use crate::question::{Asking, Question};
use mandala_check::answer::Traces;
use mandala_check::early::{Early, Effort};
use mandala_check::limits::Limits;
use mandala_diagram::Strategy;
use mandala_model::property;
use mandala_model::semantics::Semantics;
use mandala_model::system::System;
use std::time::{Duration, Instant};

/// The looks before the states are looked for, with their part of the time if there is a limit.
const BEFORE: [(u64, u32, u32); 2] = [(300_000, 8, 40), (3_000_000, 60, 15)];
/// How long the state equation may take in a look, if there is no limit.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// The first look afterwards; each is twice as long as the one before.
const AFTER: (u64, u32) = (20_000_000, 400);
/// How many looks afterwards, if there is no limit on the time.
const LOOKS_WITHOUT_LIMIT: u32 = 2;
/// The part of the time for smaller nets before the states are looked for.
const PART_OF_SMALLER: u32 = 4;
/// How many arcs may be looked at for each formula in a first search for runs.
const ARCS_OF_RUNS: u64 = 20_000_000;
/// How many states at most.
const STATES_OF_RUNS: u64 = 20_000;

/// Questions that may be answered without the states.
pub(crate) struct Looks<'s> {
    system: &'s System,
    early: Option<Early<'s>>,
    /// Smaller nets for each question, on diagrams of this strategy.
    simpler: Option<(Simplers<'s>, Strategy)>,
    /// The questions, without what is the same in all markings.
    simplified: Vec<Question>,
    /// What was found before the states were looked for, by question.
    found: Vec<Option<Answer>>,
}

impl<'s> Looks<'s> {
    /// Looks at what is asked, before the states are looked for.
    pub fn before(
        session: &Session<'_>, system: &'s System, asked: &[Question], strategy: Strategy, known: &Known,
    ) -> Result<Looks<'s>, Error> {
        // Runs that are met by chance need not be fair.
        let is_fair = !session.obligations.is_empty();
        let of_states = |one: &&property::Question| {
            !is_fair || !matches!(one, property::Question::Ctl(_) | property::Question::Ltl(_))
        };
        let questions: Vec<_> = asked.iter().map(|one| one.asking.question().filter(of_states)).collect();
        let early = Early::new(system, &questions, session.finite_runs());
        let found = asked.iter().map(|_| None).collect();
        let mut looks = Looks { system, early, simpler: None, simplified: asked.to_vec(), found };
        // Symmetries do more for questions about all runs.
        let is_for_symmetries = session.options.symmetry != Symmetry::Off
            && (session.chooses_symmetries() || asked.iter().all(|one| one.asking.is_about_all_runs()));
        if !is_for_symmetries {
            for (work, systems, part) in BEFORE {
                if looks.is_decided(session) {
                    break;
                }
                looks.look(session, work, systems, session.part_of_time(part).unwrap_or(PATIENCE));
                looks.take(session, asked);
                looks.tell(session, known);
            }
        }
        if session.traces() == Traces::Unwanted && !is_for_symmetries {
            looks.simplify(session);
            looks.take(session, asked);
            looks.tell(session, known);
        }
        if session.options.symmetry == Symmetry::Off {
            looks.simpler = Some((Simplers::new(session, system, &looks.simplified), strategy));
        }
        if looks.is_decided(session) {
            looks.early = None;
            return Ok(looks);
        }
        if session.traces() == Traces::Unwanted && !is_for_symmetries {
            let until = session.part_of_time(PART_OF_SMALLER).and_then(|time| Instant::now().checked_add(time));
            let open = looks.found.iter().filter(|found| found.is_none()).count();
            let is_quick = looks.simpler.as_ref().is_some_and(|(simpler, _)| simpler.are_quick(open));
            for effort in simpler::BEFORE {
                let effort = simpler::Effort { reduces: is_quick, ..effort };
                looks.on_smaller_nets(session, asked, effort, until);
                looks.tell(session, known);
            }
            if session.options.symmetry == Symmetry::Off {
                looks.run_by_run(session, asked)?;
                looks.tell(session, known);
            }
        }
        Ok(looks)
    }

    fn tell(&self, session: &Session<'_>, known: &Known) {
        self.found.iter().flatten().for_each(|answer| session.tell(&answer.question, &answer.verdict, false));
        known.tell(self.found.iter().map(|found| found.as_ref().map(|answer| answer.verdict.clone())));
    }

    /// Makes questions simpler by what was found out of all markings, and looks at them again.
    fn simplify(&mut self, session: &Session<'_>) {
        let Some(early) = self.early.as_ref().filter(|_| session.obligations.is_empty()) else { return };
        let mut has_changed = false;
        for question in self.simplified.iter_mut().zip(&self.found).filter(|(_, found)| found.is_none()) {
            let (question, _) = question;
            let Some(asked) = question.asking.question() else { continue };
            let simpler = early.simplified(asked);
            if simpler != *asked {
                *question = question.clone().asking_instead(Asking::Question(simpler));
                has_changed = true;
            }
        }
        if has_changed {
            let open = self.simplified.iter().zip(&self.found);
            let questions: Vec<_> =
                open.map(|(one, found)| one.asking.question().filter(|_| found.is_none())).collect();
            self.early = Early::new(self.system, &questions, session.finite_runs());
            let (work, systems, part) = BEFORE[0];
            self.look(session, work, systems, session.part_of_time(part).unwrap_or(PATIENCE));
        }
    }

    /// Whether one answer with no is enough, and there is one.
    fn is_decided(&self, session: &Session<'_>) -> bool {
        let is_no = |answer: &Answer| answer.verdict == Verdict::Fails;
        session.options.first_no && self.found.iter().flatten().any(is_no)
    }

    /// The questions that are still open, as simple as they are; none if what was found is enough.
    pub fn open(&self, session: &Session<'_>) -> Vec<Question> {
        if self.is_decided(session) {
            return Vec::new();
        }
        let open = self.simplified.iter().zip(&self.found).filter(|(_, found)| found.is_none());
        open.map(|(question, _)| question.clone()).collect()
    }

    /// Whether looking again may help, if the states cannot be had.
    pub fn may_help(&self, session: &Session<'_>) -> bool {
        self.early.as_ref().is_some_and(|early| !early.is_done()) || self.may_be_simpler(session, &self.is_open())
    }

    /// Whether there are smaller nets for what is open.
    pub fn has_smaller(&self) -> bool {
        self.simpler.as_ref().is_some_and(|(simpler, _)| simpler.may_reduce(&self.is_open()))
    }

    fn is_open(&self) -> Vec<bool> {
        self.found.iter().map(Option::is_none).collect()
    }

    fn may_be_simpler(&self, session: &Session<'_>, is_open: &[bool]) -> bool {
        self.simpler.as_ref().is_some_and(|(simpler, _)| simpler.may_help(session, is_open))
    }

    /// Looks at what is open, each question on a net that was made smaller for it.
    fn on_smaller_nets(
        &mut self, session: &Session<'_>, asked: &[Question], effort: simpler::Effort, until: Option<Instant>,
    ) {
        let is_open = self.is_open();
        let simpler = self.simpler.as_ref().filter(|(one, _)| one.may_help(session, &is_open));
        let Some((simpler, strategy)) = simpler else { return };
        let start = Instant::now();
        let known = simpler.round(session, *strategy, &is_open, effort, until);
        for ((question, found), known) in asked.iter().zip(&mut self.found).zip(known) {
            if let Some(known) = known {
                let time = start.elapsed();
                *found = Some(Answer { trace: known.trace, time, ..Answer::new(question.clone(), known.verdict) });
            }
        }
    }

    /// All answers, in the order of the questions: those that were found before, and those of the questions that were open then.
    pub fn complete(mut self, session: &Session<'_>, asked: &[Question], rest: Option<Answers>) -> Answers {
        let mut answers = rest.unwrap_or_else(|| Answers::without_states(Vec::new(), Ended::Enough));
        let mut others = std::mem::take(&mut answers.answers).into_iter();
        let mut all = Vec::with_capacity(asked.len());
        for (question, found) in asked.iter().zip(&mut self.found) {
            let unknown = || Answer::new(question.clone(), Verdict::Unknown("not asked".to_owned()));
            all.push(found.take().unwrap_or_else(|| others.next().unwrap_or_else(unknown)));
        }
        answers.answers = all;
        self.afterwards(session, &mut answers);
        answers
    }

    /// Looks for what is still unknown, as long as there is time.
    fn afterwards(&mut self, session: &Session<'_>, answers: &mut Answers) {
        let (mut work, mut systems) = AFTER;
        let mut effort = simpler::AFTER;
        let limits = session.limits(None);
        for look in 0.. {
            let is_open: Vec<bool> = answers.answers.iter().map(|answer| answer.verdict.is_unknown()).collect();
            let may_be_simpler = effort.times < simpler::MOST && self.may_be_simpler(session, &is_open);
            let may_help = self.early.as_ref().is_some_and(|early| !early.is_done()) || may_be_simpler;
            let is_decided = session.options.first_no && answers.is_any_false();
            let is_unknown = answers.is_any_unknown() && may_help && !is_decided;
            let is_over = limits.deadline.map_or(look >= LOOKS_WITHOUT_LIMIT, |deadline| Instant::now() >= deadline);
            if !is_unknown || is_over || limits.cancel.is_cancelled() {
                return;
            }
            let start = Instant::now();
            if let Some((simpler, strategy)) = self.simpler.as_ref().filter(|_| may_be_simpler) {
                let known = simpler.round(session, *strategy, &is_open, effort, None);
                for (answer, known) in answers.answers.iter_mut().zip(known) {
                    if let Some(known) = known {
                        (answer.verdict, answer.trace) = (known.verdict, known.trace);
                        answer.time += start.elapsed();
                    }
                }
                effort.times = effort.times.saturating_mul(4);
            }
            let start = Instant::now();
            self.look(session, work, systems, session.part_of_time(4).unwrap_or(PATIENCE));
            (work, systems) = (work.saturating_mul(2), systems.saturating_mul(2));
            let Some(early) = &self.early else { continue };
            let semantics = (session.traces() == Traces::Wanted).then(|| Semantics::new(self.system).ok()).flatten();
            for (index, answer) in answers.answers.iter_mut().enumerate() {
                let verdict = answer.verdict.is_unknown().then(|| early.verdict(index)).flatten();
                if let Some(verdict) = verdict {
                    let found = early.trace(index).filter(|_| session.traces() == Traces::Wanted);
                    answer.trace = found.and_then(|found| Some(Ok(named::found(semantics.as_ref()?, &found))));
                    let proof = early.proof(index).filter(|_| session.traces() == Traces::Wanted);
                    answer.proof = proof.and_then(|proof| named::proof(self.system, proof));
                    answer.verdict = verdict;
                    session.tell(&answer.question, &answer.verdict, false);
                    answer.time += start.elapsed();
                }
            }
        }
    }

    fn look(&mut self, session: &Session<'_>, work: u64, systems: u32, time: Duration) {
        if let Some(early) = &mut self.early {
            let keeps_runs = session.traces() == Traces::Wanted;
            early.look(Effort { work, systems, time }, keeps_runs, &session.limits(None));
        }
    }

    /// Takes over what was found out; where traces are wanted, only what has none.
    fn take(&mut self, session: &Session<'_>, asked: &[Question]) {
        let Some(early) = &self.early else { return };
        let verdict = |index| match session.traces() {
            Traces::Wanted => early.proven(index),
            Traces::Unwanted => early.verdict(index),
        };
        for (index, (question, found)) in asked.iter().zip(&mut self.found).enumerate() {
            if let (None, Some(verdict)) = (&found, verdict(index)) {
                let proof = early.proof(index).filter(|_| session.traces() == Traces::Wanted);
                let proof = proof.and_then(|proof| named::proof(self.system, proof));
                *found = Some(Answer { proof, ..Answer::new(question.clone(), verdict) });
            }
        }
    }

    /// Looks for runs that show that formulas about runs do not hold, in few states.
    fn run_by_run(&mut self, session: &Session<'_>, asked: &[Question]) -> Result<(), Error> {
        let system = self.system;
        let is_open = |(question, found): &(&Question, &mut Option<Answer>)| {
            found.is_none() && question.asking.is_about_runs() && !simpler::is_local(session, system, question)
        };
        let arcs = self.system.types.iter().map(|kind| kind.event_count() as u64 * 4).sum::<u64>();
        let states = (ARCS_OF_RUNS / arcs.max(1)).clamp(50, STATES_OF_RUNS);
        let Some(time) = session.part_of_time(15) else { return Ok(()) };
        let Ok(semantics) = Semantics::new(self.system) else { return Ok(()) };
        let limits = session.limits(Some(states));
        let deadline = [Instant::now().checked_add(time), limits.deadline].into_iter().flatten().min();
        let limits = Limits { deadline, ..limits };
        for (question, found) in asked.iter().zip(&mut self.found).filter(is_open) {
            let start = Instant::now();
            let Some(checked) = runs::check(session, &semantics, &question.asking, &limits) else { continue };
            let runs::OfRuns { verdict, product_states, .. } = runs::of_runs(&semantics, checked)?;
            if !verdict.is_unknown() {
                let time = start.elapsed();
                *found = Some(Answer { product_states, time, ..Answer::new(question.clone(), verdict) });
            }
        }
        Ok(())
    }
}
