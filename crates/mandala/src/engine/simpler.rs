//! Answers on nets that are made smaller for each question by itself, in rounds of work that grow.

use super::early::PATIENCE;
use super::named;
use super::session::Session;
use crate::answer::Verdict;
use crate::options::{Order, Reductions};
use crate::question::Question;
use crate::trace::Trace;
use mandala_check::answer::Traces;
use mandala_check::options::Options;
use mandala_check::simpler::{Simpler, Together, Work, may_skip_steps};
use mandala_diagram::Strategy;
use mandala_model::semantics::Semantics;
use mandala_model::system::{System, Type};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// How many questions are looked at a time. It does not depend on the machine.
const AT_A_TIME: usize = 2;
/// How many operations a reduction may take.
const OPERATIONS: u64 = 50_000_000;
/// The rounds before the states of the net itself are looked for: each has so many times as much work as the first, and is
/// for nets of which no more is left than so many percent. The states of the net are looked for once, for all questions: where
/// hardly anything was left out, that is better.
pub(crate) const BEFORE: [Effort; 2] = [Effort { times: 1, most_percent: 75 }, Effort { times: 10, most_percent: 50 }];
/// The first round afterwards; each has four times as much work as the one before.
pub(crate) const AFTER: Effort = Effort { times: 20, most_percent: 100 };
/// What this many times the work of the first round does not answer is not answered by more.
pub(crate) const MOST: u64 = 10_000_000;

/// How much of a net may be left, in percent, so that the states of the smaller net are looked for instead of its own.
const MOST_PERCENT: usize = 75;

/// The questions that one smaller net answers, by number, and that net. Nothing if it is not much smaller.
pub(crate) fn together(session: &Session<'_>, system: &System, asked: &[Question]) -> Option<(Vec<usize>, Together)> {
    if !is_wanted(session) || session.traces() == Traces::Wanted {
        return None;
    }
    let mut numbers = Vec::new();
    let mut questions = Vec::new();
    for (number, question) in asked.iter().enumerate() {
        if let Some(question) = question.asking.question().filter(|one| may_skip_steps(system, one)) {
            numbers.push(number);
            questions.push(question);
        }
    }
    let together = Together::new(system, &questions, session.finite_runs(), OPERATIONS)?;
    (together.percent_left() <= MOST_PERCENT).then_some((numbers, together))
}

/// Whether nets may be made smaller for questions.
fn is_wanted(session: &Session<'_>) -> bool {
    session.options.reductions == Reductions::On
        && matches!(session.options.order, Order::Auto | Order::Heuristic(_))
        && session.obligations.is_empty()
}

/// For how many arcs, times questions, each question gets a net of its own before one net is made for all of them.
const MOST_ARCS: usize = 1_000_000;

/// How much is done in a round, and for which questions.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// How many times the work of the first round.
    pub times: u64,
    /// How much of a net may be left.
    pub most_percent: usize,
}

/// Questions about a net, each with a smaller net that answers it.
pub(crate) struct Simplers<'s> {
    system: &'s System,
    asked: Vec<Option<&'s Question>>,
    smaller: Vec<OnceLock<Option<Simpler>>>,
}

/// What was found.
pub(crate) struct Known {
    /// The verdict.
    pub verdict: Verdict,
    /// The run that shows it, or why there is none.
    pub trace: Option<Result<Trace, String>>,
}

impl<'s> Simplers<'s> {
    /// Questions about a system, if reductions are wanted.
    pub fn new(session: &Session<'_>, system: &'s System, asked: &'s [Question]) -> Simplers<'s> {
        let is_wanted = is_wanted(session);
        let asked: Vec<_> = asked.iter().map(|one| Some(one).filter(|_| is_wanted)).collect();
        let smaller = asked.iter().map(|_| OnceLock::new()).collect();
        Simplers { system, asked, smaller }
    }

    /// Whether there is a question, of those that are open, that another round may answer.
    pub fn may_help(&self, is_open: &[bool]) -> bool {
        let may = |index: usize| self.asked[index].is_some() && self.smaller[index].get().is_none_or(Option::is_some);
        (0..self.asked.len()).any(|index| is_open[index] && may(index))
    }

    /// Whether it takes little to make a net for each of so many questions.
    pub fn are_quick(&self, questions: usize) -> bool {
        let Type::Net(net) = self.system.main_type() else { return true };
        let arcs: usize = net.transitions.iter().map(|transition| transition.effects.len()).sum();
        arcs.saturating_mul(questions) <= MOST_ARCS
    }

    /// Looks at the questions that are open, with so many times the work of the first round.
    pub fn round(
        &self, session: &Session<'_>, strategy: Strategy, is_open: &[bool], effort: Effort, until: Option<Instant>,
    ) -> Vec<Option<Known>> {
        let found: Mutex<Vec<Option<Known>>> = Mutex::new(self.asked.iter().map(|_| None).collect());
        let Ok(mut options) = session.diagrams(self.system, strategy) else { return Vec::new() };
        options.limits.deadline = [options.limits.deadline, until].into_iter().flatten().min();
        let next = AtomicUsize::new(0);
        let (traces, finite_runs) = (session.traces(), session.finite_runs());
        let time = session.part_of_time(60).unwrap_or(PATIENCE);
        let times = effort.times;
        let work = |options: &Options| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(question) = self.asked.get(index) else { return };
                let is_over = options.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                if is_over || options.limits.cancel.is_cancelled() {
                    return;
                }
                let Some(question) = question.filter(|_| is_open[index]).and_then(|one| one.asking.question()) else {
                    continue;
                };
                let make = || Simpler::new(self.system, question, finite_runs, traces, OPERATIONS);
                let smaller = self.smaller[index].get_or_init(make).as_ref();
                let Some(smaller) = smaller.filter(|one| one.percent_left() <= effort.most_percent) else { continue };
                let work = Work {
                    diagrams: times.saturating_mul(100_000),
                    states: times.saturating_mul(3_000),
                    runs: times.saturating_mul(20_000),
                    systems: (times as u32).saturating_mul(8),
                    time,
                };
                if let Some((verdict, run)) = smaller.answer(options, work, traces) {
                    let trace = run.filter(|_| traces == Traces::Wanted).map(|run| {
                        let run = smaller.turned_back(self.system, &run).map_err(|reason| reason.to_string())?;
                        let semantics = Semantics::new(self.system).map_err(|error| error.to_string())?;
                        Ok(named::found(&semantics, &run))
                    });
                    found.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(Known { verdict, trace });
                }
            }
        };
        let (work, options) = (&work, &options);
        std::thread::scope(|scope| {
            for _ in 1..AT_A_TIME {
                let thread = std::thread::Builder::new().stack_size(super::stack::STACK_BYTES);
                // Without another thread this one does it all.
                drop(thread.spawn_scoped(scope, move || work(options)));
            }
            work(options);
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
