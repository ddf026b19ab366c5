//! Answers on nets that were made smaller for one question.
//!
//! The answer is that of the net, because the reduction keeps what the question asks for (`mandala_analysis::reduce::question`);
//! a run that shows it is turned back into one of the net and replayed there.

use std::time::Duration;

use mandala_analysis::reduce::Patience;
use mandala_analysis::reduce::question::{Back, Keeps, Look, Simplified, simplify};
use mandala_model::net::Net;
use mandala_model::property::Question;
use mandala_model::semantics::{Semantics, Step};
use mandala_model::system::{Event, Location, System, Type};

use crate::answer::{Traces, Verdict};
use crate::early::{Early, Effort};
use crate::explicit::{Ended, ltl};
use crate::explore::explore_briefly;
use crate::limits::Limits;
use crate::local::Local;
use crate::options::Options;
use crate::run::{FiniteRuns, Found, LONGEST, NoTrace, Trace, replay};

/// A question about a net, and a smaller net that answers it.
pub struct Simpler {
    question: Question,
    keeps: Keeps,
    simplified: Simplified,
    system: System,
    /// Places and transitions that the net had.
    before: usize,
}

/// How much is done for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Nodes asked for, to find the states, and again for the answer.
    pub diagrams: u64,
    /// States that are looked at one by one.
    pub states: u64,
    /// Work on the states that decide a formula.
    pub local: u64,
    /// Work of runs.
    pub runs: u64,
    /// How many systems of inequalities are looked at.
    pub systems: u32,
    /// The most time for these.
    pub time: Duration,
}

impl Simpler {
    /// A question about a system that is a net with one initial marking; nothing if it is another system, if the question is of
    /// a kind that reductions do not know, or if the net does not become smaller.
    pub fn new<'p>(
        system: &System, question: &Question, finite_runs: FiniteRuns, traces: Traces,
        patience: impl Into<Patience<'p>>,
    ) -> Option<Simpler> {
        let Together { keeps, simplified, system, mut questions, before } =
            Together::reduced(system, &[question], finite_runs, traces, patience.into())?;
        Some(Simpler { question: questions.pop()?, keeps, simplified, system, before })
    }

    /// The smaller net as a system, and what is asked of it.
    pub fn asked(&self) -> (&System, &Question) {
        (&self.system, &self.question)
    }

    /// How much of the net is left, in percent of places and transitions.
    pub fn percent_left(&self) -> usize {
        percent(&self.simplified, self.before)
    }

    /// What of the net stayed as it is.
    pub fn keeps(&self) -> Keeps {
        self.keeps
    }

    /// The answer that so much work gives, with a run of the smaller net that shows it if one was looked for.
    pub fn answer(&self, options: &Options, work: Work, traces: Traces) -> Option<(Verdict, Option<Found>)> {
        if traces == Traces::Unwanted
            && let Some(verdict) = decide_locally(&self.system, &self.question, work.local, &options.limits)
        {
            return Some((verdict, None));
        }
        if let (Question::Ltl(formula), Traces::Wanted) = (&self.question, traces) {
            let semantics = Semantics::new(&self.system).ok()?;
            let limits = Limits { states: Some(work.states), ..options.limits.clone() };
            let checked = ltl::check(&semantics, formula, options.finite_runs, &limits, &options.progress);
            if !checked.answer.verdict.is_unknown() && !matches!(checked.ended, Ended::Error { .. }) {
                return Some((checked.answer.verdict, checked.answer.trace.and_then(Result::ok)));
            }
        }
        self.by_runs(options, work, traces).or_else(|| self.by_states(options, work, traces))
    }

    /// By runs and the state equation.
    fn by_runs(&self, options: &Options, work: Work, traces: Traces) -> Option<(Verdict, Option<Found>)> {
        // Of others, runs decide hardly more than those of the net itself.
        if self.keeps != Keeps::Markings {
            return None;
        }
        let mut early = Early::new(&self.system, &[Some(&self.question)], options.finite_runs)?;
        let effort = Effort { work: work.runs, systems: work.systems, time: work.time };
        if early.verdict(0).is_none() && !early.is_done() {
            early.look(effort, traces == Traces::Wanted, &options.limits);
        }
        let is_shown = traces == Traces::Wanted && !matches!(self.question, Question::Ctl(_) | Question::Ltl(_));
        Some((early.verdict(0)?, early.trace(0).filter(|_| is_shown)))
    }

    /// On all states.
    fn by_states(&self, options: &Options, work: Work, traces: Traces) -> Option<(Verdict, Option<Found>)> {
        let options = Options { goals: [self.question.clone()].into(), ..options.clone() };
        let mut space = explore_briefly(&self.system, &options, work.diagrams)?;
        let answer = space.answer_within(work.diagrams, |space| space.answer(&self.question, traces))?;
        // What shows a formula of CTL is more than a run.
        let found = answer.trace.and_then(Result::ok).filter(|_| !matches!(self.question, Question::Ctl(_)));
        (!answer.verdict.is_unknown()).then_some((answer.verdict, found))
    }

    /// A run of the smaller net as one of the net, replayed.
    pub fn turned_back(&self, system: &System, found: &Found) -> Result<Found, NoTrace> {
        let (Type::Net(net), [begin]) = (system.main_type(), &system.begins[..]) else {
            return Err(NoTrace::Unknown("the system is no net".to_owned()));
        };
        let unknown = |reason: &str| NoTrace::Unknown(reason.to_owned());
        let mut trace: Trace = Trace { initial: net.initial[*begin].marking.clone(), steps: Vec::new() };
        let too_long = || NoTrace::TooLong(LONGEST);
        fire(net, &mut trace, self.simplified.beginning().map_err(|_| too_long())?)?;
        // Where each step of the smaller net begins.
        let mut starts = Vec::with_capacity(found.trace.steps.len() + 1);
        for step in &found.trace.steps {
            starts.push(trace.steps.len());
            fire(net, &mut trace, self.simplified.word(step.event.location.index).map_err(|_| too_long())?)?;
        }
        starts.push(trace.steps.len());
        let repeats = match found.repeats {
            Some(number) if number < found.trace.steps.len() => {
                let start = starts[number];
                let first = if start == 0 { &trace.initial } else { &trace.steps[start - 1].state };
                if first != trace.last() {
                    return Err(unknown(
                        "what repeats in a smaller net does not in the net: a place that nobody needs fills up",
                    ));
                }
                Some(start)
            }
            Some(_) => {
                run_out(net, &mut trace)?;
                Some(trace.steps.len())
            }
            None => {
                if self.keeps == Keeps::Runs {
                    // A deadlock was asked for.
                    run_out(net, &mut trace)?;
                }
                None
            }
        };
        let semantics = Semantics::new(system).map_err(|error| NoTrace::Broken(error.to_string()))?;
        replay(&semantics, &trace).map_err(|mismatch| NoTrace::Broken(mismatch.to_string()))?;
        Ok(Found { trace, shortest: false, repeats })
    }
}

/// The verdict on a formula of CTL or LTL that so much work gives on the states that decide it, where runs that end count: half of the work
/// towards what is looked for, half at random.
pub fn decide_locally(system: &System, question: &Question, work: u64, limits: &Limits) -> Option<Verdict> {
    let local = Local::new(system, question)?;
    (0..2).find_map(|seed| local.look(work / 2, seed, limits))
}

/// Several questions about a net, and one smaller net that answers them all.
pub struct Together {
    keeps: Keeps,
    simplified: Simplified,
    system: System,
    questions: Vec<Question>,
    before: usize,
}

impl Together {
    /// Questions about a system, as [`Simpler::new`] asks one. Nothing if the net does not become smaller, or if one of them is of
    /// a kind that reductions do not know.
    pub fn new<'p>(
        system: &System, questions: &[&Question], finite_runs: FiniteRuns, patience: impl Into<Patience<'p>>,
    ) -> Option<Together> {
        Together::reduced(system, questions, finite_runs, Traces::Unwanted, patience.into())
    }

    fn reduced(
        system: &System, questions: &[&Question], finite_runs: FiniteRuns, traces: Traces, patience: Patience<'_>,
    ) -> Option<Together> {
        let (Type::Net(net), [begin]) = (system.main_type(), &system.begins[..]) else { return None };
        // Where runs that end do not count, what looks like an end has to be one.
        let is_of_runs = |question: &&Question| matches!(question, Question::Ctl(_) | Question::Ltl(_));
        if finite_runs != FiniteRuns::Stutter && questions.iter().any(is_of_runs) {
            return None;
        }
        let mut look: Option<Look> = None;
        for question in questions {
            let mut one = Look::at(net, question)?;
            if traces == Traces::Wanted && matches!(question, Question::Ltl(_)) {
                // What shows that it fails is a whole run, and not the marking where it fails.
                one.keeps = one.keeps.max(Keeps::Runs);
            }
            look = Some(look.map_or(one.clone(), |look| look.and(&one)));
        }
        let (look, marking) = (look?, &net.initial.get(*begin)?.marking);
        let back = match traces {
            Traces::Wanted => Back::Runs,
            Traces::Unwanted => Back::Nothing,
        };
        let simplified = simplify(net, marking, &look, back, patience).filter(Simplified::is_smaller)?;
        let questions = questions.iter().map(|question| simplified.question(net, question)).collect::<Option<_>>()?;
        let types = vec![Type::Net(simplified.net.clone())];
        let before = net.places.len() + net.transitions.len();
        let system = System { name: system.name.clone(), types, main: 0, begins: vec![0] };
        Some(Together { keeps: look.keeps, simplified, system, questions, before })
    }

    /// The smaller net as a system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The questions, as they are asked of it.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// How much of the net is left, in percent of places and transitions.
    pub fn percent_left(&self) -> usize {
        percent(&self.simplified, self.before)
    }
}

/// Whether a question leaves steps open that nobody sees: where it does not, hardly anything can be left out.
pub fn may_skip_steps(system: &System, question: &Question) -> bool {
    let Type::Net(net) = system.main_type() else { return false };
    Look::at(net, question).is_some_and(|look| look.keeps < Keeps::Steps)
}

fn percent(simplified: &Simplified, before: usize) -> usize {
    100 * simplified.size() / before.max(1)
}

/// Goes on to where nothing can happen, from where nothing can happen in a smaller net: what waited for others there may happen
/// now. It ends, because each of these takes tokens that nobody gives.
fn run_out(net: &Net, trace: &mut Trace) -> Result<(), NoTrace> {
    while let Some(next) = net.transitions.iter().position(|one| net.allows(one, trace.last())) {
        fire(net, trace, vec![next as u32])?;
    }
    Ok(())
}

/// Fires transitions after a trace.
fn fire(net: &Net, trace: &mut Trace, transitions: Vec<u32>) -> Result<(), NoTrace> {
    for index in transitions {
        if trace.steps.len() >= LONGEST {
            return Err(NoTrace::TooLong(LONGEST));
        }
        let mut marking = trace.last().clone();
        for effect in net.transitions.get(index as usize).map_or(&[][..], |one| &one.effects) {
            let place = effect.place as usize;
            let after = effect.apply(marking[place], net.places[place].capacity).ok().flatten();
            marking[place] =
                after.ok_or_else(|| NoTrace::Broken("a step of a smaller net is none of the net".to_owned()))?;
        }
        let location = Location { path: Vec::new(), index };
        trace.steps.push(Step { event: Event { location, through: Vec::new() }, state: marking });
    }
    Ok(())
}
