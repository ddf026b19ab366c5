//! Answers: what is known about questions, and what shows it.

use crate::error_state::ErrorState;
use crate::proof::Proof;
use crate::question::{Kind, Question};
use crate::reason::Reason;
use crate::trace::Trace;
use crate::witness::Witness;
pub use mandala_check::answer::Verdict;
use mandala_diagram::{Count, Statistics};
use std::fmt;
use std::time::Duration;

/// A question with its answer. Displayed, it is the verdict and what shows it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question.
    pub question: Question,
    /// What is known.
    pub verdict: Verdict,
    /// How it comes about, or why that is not shown; nothing if there is nothing to show.
    pub trace: Option<Result<Trace, String>>,
    /// All that shows it, if it is a formula of CTL; the trace is a part of this.
    pub witness: Option<Witness>,
    /// What shows it without the states, if traces are wanted and it is about one condition on a state of a net.
    pub proof: Option<Proof>,
    /// On which states it was answered, with which symmetries, if a quotient was asked for.
    pub answered_on: Option<String>,
    /// How many states the product with the automaton of a formula of LTL has, as far as it was explored.
    pub product_states: Option<Count>,
    /// How long it took, beyond the exploration.
    pub time: Duration,
}

impl Answer {
    pub(crate) fn new(question: Question, verdict: Verdict) -> Answer {
        let (trace, witness, proof, answered_on, product_states) = (None, None, None, None, None);
        Answer { question, verdict, trace, witness, proof, answered_on, product_states, time: Duration::ZERO }
    }

    /// Whether it holds, if that is known.
    pub fn holds(&self) -> Option<bool> {
        self.verdict.holds()
    }

    /// The trace, if there is one.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()?.as_ref().ok()
    }

    /// The verdict in words.
    pub fn verdict_in_words(&self) -> String {
        match (&self.verdict, self.question.kind()) {
            (Verdict::Holds, Kind::Deadlock) => "there is none".to_owned(),
            (Verdict::Fails, Kind::Deadlock) => "there is one".to_owned(),
            (verdict, _) => verdict.to_string(),
        }
    }

    /// What the trace leads to.
    pub fn shown(&self) -> &'static str {
        match self.question.kind() {
            Kind::Deadlock => "a state in which nothing can happen",
            Kind::Invariant => "a state in which it does not hold",
            Kind::Ctl => "what decides it",
            Kind::Live => "a state after which some transition never fires again",
            Kind::Ltl => "a run on which it does not hold",
            Kind::Automaton => "a run that it accepts",
            _ => "a state in which it holds",
        }
    }

    /// What shows the verdict, in some lines; empty if nothing is shown.
    pub fn explanation(&self) -> String {
        match (&self.trace, &self.witness) {
            (_, Some(witness)) => witness.to_string(),
            (None, None) => self.proof.as_ref().map_or_else(String::new, Proof::to_string),
            (Some(Err(reason)), None) => format!("  {reason}\n"),
            (Some(Ok(trace)), None) => format!("  {}, {}:\n{trace}", self.shown(), trace.length()),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.question.name(), self.verdict_in_words())?;
        if let Some(states) = &self.answered_on {
            write!(f, "\n  {states}")?;
        }
        match self.explanation().trim_end() {
            "" => Ok(()),
            explanation => write!(f, "\n{explanation}"),
        }
    }
}

/// The answers to several questions. Displayed, they follow each other.
#[derive(Clone, Debug)]
pub struct Answers {
    /// One for each question, in order.
    pub answers: Vec<Answer>,
    /// How many states of the model were found, if that is known: all that can be reached if it ended with [`Ended::Done`]. Of
    /// representatives it is how many states they stand for.
    pub states: Option<Count>,
    /// How the exploration ended.
    pub ended: Ended,
    /// What is known of the error state, if the model has one.
    pub error_state: Option<ErrorState>,
    /// What the engine did, if there are diagrams.
    pub statistics: Option<Statistics>,
    /// Whether diagrams were used.
    pub by_diagrams: bool,
    /// How long everything took.
    pub time: Duration,
}

/// How the exploration for some questions ended.
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

impl Answers {
    /// Answers for which no states were looked at.
    pub(crate) fn without_states(answers: Vec<Answer>, ended: Ended) -> Answers {
        Answers {
            answers,
            states: None,
            ended,
            error_state: None,
            statistics: None,
            by_diagrams: false,
            time: Duration::ZERO,
        }
    }

    /// These answers after others.
    pub(crate) fn after(mut self, before: Option<Answers>) -> Answers {
        let Some(mut before) = before else { return self };
        before.answers.append(&mut self.answers);
        if before.ended == Ended::Done {
            before.ended = self.ended;
        }
        if !before.error_state.as_ref().is_some_and(ErrorState::is_reached) {
            before.error_state = self.error_state;
        }
        // Questions that were answered in another way say nothing about how many states there are.
        let states = self.states.or(before.states);
        Answers { states, statistics: self.statistics, ..before }
    }

    /// Whether some verdict is unknown.
    pub fn is_any_unknown(&self) -> bool {
        self.answers.iter().any(|answer| answer.verdict.is_unknown())
    }

    /// Whether something that was asked does not hold.
    pub fn is_any_false(&self) -> bool {
        self.answers.iter().any(|answer| answer.verdict == Verdict::Fails)
    }
}

impl fmt::Display for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.answers.iter().try_for_each(|answer| writeln!(f, "{answer}"))
    }
}
