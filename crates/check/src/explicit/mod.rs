//! Exploration state by state.
//!
//! Breadth first, over a [`TransitionSystem`], with every state kept as it is. Nothing is clever here: what it says about a small
//! system is what all other engines must say, and it serves where they cannot.

mod answer;
mod ctl;
pub mod ctl_star;
pub(crate) mod emptiness;
mod ended;
mod fair;
pub mod ltl;
pub(crate) mod states;
mod trace;
mod witness;

pub use ended::Ended;

use crate::answer::{Answer, Traces};
use crate::fair::WhichRuns;
use crate::limits::{Limits, Progress};
use crate::run::{AtomIn, FiniteRuns, StateIn, Trace};
use answer::Inquiry;
use ctl::{Graph, Labelling};
use fair::Obliged;
use mandala_model::formalism::Formalism;
use mandala_model::property::{Question, Systems};
use mandala_model::semantics::{RunError, TransitionSystem};
use states::{Full, States};

/// What was found. If the exploration did not end with [`Ended::Complete`], all of it is about the states found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<F: Formalism = Systems> {
    /// How many states there are.
    pub states: u64,
    /// How many pairs of a state and an event that can happen in it.
    pub transitions: u64,
    /// The greatest value of a variable: for a net, the most tokens in a place. `None` if there is no variable or state.
    pub most_in_place: Option<i32>,
    /// The greatest sum of all variables of a state: for a net, the most tokens in a marking.
    pub most_in_marking: Option<i64>,
    /// In how many states nothing can happen; the error state is not one of them.
    pub deadlocks: u64,
    /// A shortest way to one of them.
    pub first_deadlock: Option<Trace<F>>,
    /// A shortest way to the error state, if it was found.
    pub to_error: Option<Trace<F>>,
    /// The answers, in the order of the questions; with a shortest way where a state shows one.
    pub answers: Vec<Answer<F>>,
    /// Why the exploration ended.
    pub ended: Ended<F>,
}

/// Explores all states, and answers questions on the way.
pub fn explore<T: TransitionSystem>(
    semantics: &T, questions: &[Question<T::Formalism>], limits: &Limits, progress: &Progress,
) -> Outcome<T::Formalism> {
    Exploration::new(semantics, questions, FiniteRuns::default().into(), limits).run(Until::Complete, progress)
}

/// Explores only until all questions are answered.
pub fn answer<T: TransitionSystem>(
    semantics: &T, questions: &[Question<T::Formalism>], limits: &Limits, progress: &Progress,
) -> Outcome<T::Formalism> {
    answer_on_runs(semantics, questions, FiniteRuns::default(), limits, progress)
}

/// Explores only until all questions are answered. What is said of runs is said of those that count.
pub fn answer_on_runs<'r, T: TransitionSystem>(
    semantics: &T, questions: &[Question<T::Formalism>], runs: impl Into<WhichRuns<'r, AtomIn<T>>>, limits: &Limits,
    progress: &Progress,
) -> Outcome<T::Formalism> {
    Exploration::new(semantics, questions, runs.into(), limits).run(Until::Answered, progress)
}

/// Explores only until all questions are answered, and says what shows the answers.
pub fn show<'r, T: TransitionSystem>(
    semantics: &T, questions: &[Question<T::Formalism>], runs: impl Into<WhichRuns<'r, AtomIn<T>>>, limits: &Limits,
    progress: &Progress,
) -> Outcome<T::Formalism> {
    let exploration = Exploration::new(semantics, questions, runs.into(), limits);
    Exploration { traces: Traces::Wanted, ..exploration }.run(Until::Answered, progress)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Complete,
    Answered,
}

struct Exploration<'e, T: TransitionSystem> {
    semantics: &'e T,
    runs: WhichRuns<'e, AtomIn<T>>,
    limits: &'e Limits,
    states: States,
    inquiries: Vec<Inquiry<'e, T::Formalism>>,
    /// Whether answers about the graph of all states are to be shown.
    traces: Traces,
    /// The successors of the states that are explored, if a question needs them.
    graph: Option<Graph>,
    /// States whose successors are known: those before this one.
    explored: u32,
    transitions: u64,
    most_in_place: Option<i32>,
    most_in_marking: Option<i64>,
    deadlocks: u64,
    first_deadlock: Option<u32>,
    error: Option<u32>,
}

/// Why the exploration stops, from within.
enum Stop<F: Formalism> {
    Limit(Ended<F>),
    Error(RunError),
}

impl<'e, T: TransitionSystem> Exploration<'e, T> {
    fn new(
        semantics: &'e T, questions: &'e [Question<T::Formalism>], runs: WhichRuns<'e, AtomIn<T>>, limits: &'e Limits,
    ) -> Self {
        let inquiries: Vec<Inquiry<'e, T::Formalism>> =
            questions.iter().map(|question| Inquiry::new(question, runs.leave_some_out())).collect();
        let needs_graph = inquiries.iter().any(|inquiry| matches!(inquiry, Inquiry::Ctl { .. } | Inquiry::Live { .. }));
        Exploration {
            semantics,
            runs,
            limits,
            states: States::new(semantics.size(), limits),
            inquiries,
            traces: Traces::Unwanted,
            graph: needs_graph.then(Graph::default),
            explored: 0,
            transitions: 0,
            most_in_place: None,
            most_in_marking: None,
            deadlocks: 0,
            first_deadlock: None,
            error: None,
        }
    }

    fn run(mut self, until: Until, progress: &Progress) -> Outcome<T::Formalism> {
        let ended = match self.search(until, progress) {
            Ok(ended) | Err(Stop::Limit(ended)) => ended,
            Err(Stop::Error(error)) => {
                let at = self.explored;
                let trace = (at < self.states.len()).then(|| trace::to_state(self.semantics, &self.states, at));
                Ended::Error { error: Box::new(error), trace: trace.flatten() }
            }
        };
        let ended = if ended == Ended::Complete { self.label().err().unwrap_or(ended) } else { ended };
        let complete = ended == Ended::Complete;
        let (semantics, states) = (self.semantics, &self.states);
        Outcome {
            states: u64::from(states.len()),
            transitions: self.transitions,
            most_in_place: self.most_in_place,
            most_in_marking: self.most_in_marking,
            deadlocks: self.deadlocks,
            first_deadlock: self.first_deadlock.and_then(|id| trace::to_state(semantics, states, id)),
            to_error: self.error.and_then(|id| trace::to_state(semantics, states, id)),
            answers: {
                let dead = self.first_deadlock;
                self.inquiries.into_iter().map(|inquiry| inquiry.answer(semantics, states, dead, complete)).collect()
            },
            ended,
        }
    }

    /// Answers the questions that need the graph of all states.
    fn label(&mut self) -> Result<(), Ended<T::Formalism>> {
        let Some(graph) = &self.graph else { return Ok(()) };
        let (semantics, limits, states, runs) = (self.semantics, self.limits, &self.states, self.runs);
        let obliged = match runs.fair {
            [] => None,
            fair => match Obliged::new(semantics, states, fair, limits) {
                Ok(obliged) => Some(obliged),
                Err(fair::Failure::Limit(error)) => return Err(error.into()),
                Err(fair::Failure::Error(error)) => {
                    self.inquiries.iter_mut().for_each(|inquiry| inquiry.fail(&error));
                    return Ok(());
                }
            },
        };
        let labelling = Labelling { semantics, limits, states, graph, runs, obliged: obliged.as_ref() };
        self.inquiries.iter_mut().try_for_each(|inquiry| inquiry.label(&labelling, self.traces))
    }

    fn search(&mut self, until: Until, progress: &Progress) -> Result<Ended<T::Formalism>, Stop<T::Formalism>> {
        for state in self.semantics.initial_states().map_err(Stop::Error)? {
            self.reach(&state, None)?;
        }
        while self.explored < self.states.len() {
            if until == Until::Answered && self.inquiries.iter().all(Inquiry::is_settled) {
                return Ok(Ended::Answered);
            }
            self.limits.check().map_err(|error| Stop::Limit(error.into()))?;
            self.expand()?;
            progress.set_states(u64::from(self.states.len()));
        }
        Ok(Ended::Complete)
    }

    /// Finds the successors of the first state that is not yet explored.
    fn expand(&mut self) -> Result<(), Stop<T::Formalism>> {
        let id = self.explored;
        let state = self.states.read::<T::Formalism>(id);
        let steps = self.semantics.successors(&state).map_err(Stop::Error)?;
        // The steps of one event follow each other.
        self.transitions += steps.chunk_by(|a, b| self.semantics.are_alike(&a.event, &b.event)).count() as u64;
        if steps.is_empty() && self.error != Some(id) {
            self.deadlocks += 1;
            self.first_deadlock.get_or_insert(id);
        }
        for step in &steps {
            self.reach(&step.state, Some(id))?;
        }
        if let Some(graph) = &mut self.graph {
            graph.add(steps.iter().filter_map(|step| self.states.find(step.state.as_ref())));
            let bytes = graph.bytes().saturating_add(self.states.total_bytes());
            if self.limits.memory.is_some_and(|memory| bytes > memory as u64) {
                return Err(Stop::Limit(Ended::Memory));
            }
        }
        self.explored += 1;
        Ok(())
    }

    fn reach(&mut self, state: &StateIn<T>, parent: Option<u32>) -> Result<(), Stop<T::Formalism>> {
        let inserted = self.states.insert(state.as_ref(), parent);
        let new = inserted.map_err(|full| match full {
            Full::Memory => Stop::Limit(Ended::Memory),
            Full::States => Stop::Limit(Ended::States),
        })?;
        let Some(id) = new else { return Ok(()) };
        if self.semantics.is_error_state(state) {
            self.error = Some(id);
        } else {
            // The error state has no values.
            self.most_in_place = self.most_in_place.max(self.semantics.most_in_place(state));
            self.most_in_marking = self.most_in_marking.max(Some(self.semantics.tokens(state)));
        }
        for inquiry in &mut self.inquiries {
            inquiry.look(self.semantics, id, state);
        }
        Ok(())
    }
}
