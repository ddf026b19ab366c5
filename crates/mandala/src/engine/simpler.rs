//! Answers on nets that are made smaller for each question by itself, in rounds of work that grow.

use super::early::PATIENCE;
use super::named;
use super::session::Session;
use crate::answer::Verdict;
use crate::options::{Order, Reductions};
use crate::question::Question;
use crate::trace::Trace;
use mandala_analysis::reduce::Patience;
use mandala_check::answer::Traces;
use mandala_check::local;
use mandala_check::options::Options;
use mandala_check::run::FiniteRuns;
use mandala_check::simpler::{Simpler, Together, Work, decide_locally, may_skip_steps};
use mandala_diagram::Strategy;
use mandala_model::property;
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
pub(crate) const BEFORE: [Effort; 2] =
    [Effort { times: 1, most_percent: 75, reduces: true }, Effort { times: 10, most_percent: 50, reduces: true }];
/// The first round afterwards; each has four times as much work as the one before.
pub(crate) const AFTER: Effort = Effort { times: 20, most_percent: 100, reduces: true };
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
    let goes_on = || session.struck().is_none();
    let patience = Patience { operations: OPERATIONS, goes_on: &goes_on };
    let together = Together::new(system, &questions, session.finite_runs(), patience)?;
    (together.percent_left() <= MOST_PERCENT).then_some((numbers, together))
}

/// Whether a question may be answered on those states of a net that decide it.
pub(crate) fn is_local(session: &Session<'_>, system: &System, question: &Question) -> bool {
    matches!(question.asking.question(), Some(property::Question::Ctl(_) | property::Question::Ltl(_)))
        && session.finite_runs() == FiniteRuns::Stutter
        && session.obligations.is_empty()
        && local::suits(system)
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
    /// Whether smaller nets are made of what there is none of yet.
    pub reduces: bool,
}

/// Questions about a net, each with a smaller net that answers it.
pub(crate) struct Simplers<'s> {
    system: &'s System,
    /// Whether smaller nets are made.
    reduces: bool,
    asked: Vec<Option<Question>>,
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
    pub fn new(session: &Session<'_>, system: &'s System, asked: &[Question]) -> Simplers<'s> {
        let reduces = is_wanted(session);
        let is_local = |one: &Question| is_local(session, system, one);
        let asked: Vec<_> = asked.iter().map(|one| Some(one).filter(|one| reduces || is_local(one)).cloned()).collect();
        let smaller = asked.iter().map(|_| if reduces { OnceLock::new() } else { OnceLock::from(None) }).collect();
        Simplers { system, reduces, asked, smaller }
    }

    /// Whether there is a question, of those that are open, that another round may answer.
    pub fn may_help(&self, session: &Session<'_>, is_open: &[bool]) -> bool {
        let may = |index: usize| {
            let is_smaller = self.smaller[index].get().is_none_or(Option::is_some);
            self.asked[index].as_ref().is_some_and(|one| is_smaller || is_local(session, self.system, one))
        };
        (0..self.asked.len()).any(|index| is_open[index] && may(index))
    }

    /// Whether there are smaller nets for questions that are open, as far as is known.
    pub fn may_reduce(&self, is_open: &[bool]) -> bool {
        let may = |index: usize| self.asked[index].is_some() && self.smaller[index].get().is_none_or(Option::is_some);
        self.reduces && (0..self.asked.len()).any(|index| is_open[index] && may(index))
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
        let work = |options: &Options| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(question) = self.asked.get(index) else { return };
                let is_over = options.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                if is_over || options.limits.cancel.is_cancelled() {
                    return;
                }
                let Some(question) = question.as_ref().filter(|_| is_open[index]) else { continue };
                if let Some(known) = self.look(session, options, index, question, effort) {
                    session.tell(question, &known.verdict, false);
                    found.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(known);
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

    /// Looks at a question: on the net that was made smaller for it if there is one, else on those states of the net that
    /// decide it.
    fn look(
        &self, session: &Session<'_>, options: &Options, index: usize, asked: &Question, effort: Effort,
    ) -> Option<Known> {
        let question = asked.asking.question()?;
        let (traces, finite_runs) = (session.traces(), session.finite_runs());
        let goes_on = || session.struck().is_none();
        let patience = Patience { operations: OPERATIONS, goes_on: &goes_on };
        let make = || Simpler::new(self.system, question, finite_runs, traces, patience);
        let smaller = match effort.reduces {
            true => self.smaller[index].get_or_init(make).as_ref(),
            false => self.smaller[index].get().and_then(Option::as_ref),
        };
        let times = effort.times;
        let local = times.saturating_mul(1_000_000);
        let Some(smaller) = smaller.filter(|one| one.percent_left() <= effort.most_percent) else {
            let may = is_local(session, self.system, asked);
            let verdict = may.then(|| decide_locally(self.system, question, local, &options.limits)).flatten();
            return verdict.map(|verdict| Known { verdict, trace: None });
        };
        let work = Work {
            local,
            diagrams: times.saturating_mul(100_000),
            states: times.saturating_mul(3_000),
            runs: times.saturating_mul(20_000),
            systems: (times as u32).saturating_mul(8),
            time: session.part_of_time(60).unwrap_or(PATIENCE),
        };
        let (verdict, run) = smaller.answer(options, work, traces)?;
        let trace = run.filter(|_| traces == Traces::Wanted).map(|run| {
            let run = smaller.turned_back(self.system, &run).map_err(|reason| reason.to_string())?;
            let semantics = Semantics::new(self.system).map_err(|error| error.to_string())?;
            Ok(named::found(&semantics, &run))
        });
        Some(Known { verdict, trace })
    }
}
