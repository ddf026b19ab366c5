//! CTL*, state by state: from the inside out, which states have a run that satisfies what is quantified.
//!
//! All states are explored first. For each quantified part the product of the graph and the automaton of what is inside has
//! components; a state has such a run if a component with all marks can be reached from it.

use mandala_logic::automaton::{Automaton, Components, State};
use mandala_logic::{Condition, Formulas, TooLarge, translate};
use mandala_model::property::Formula;
use mandala_model::semantics::TransitionSystem;

use super::Ended;
use super::fair::{self, Obliged, Wanted};
use super::ltl::{Checked, Stop, undecided};
use super::states::States;
use crate::answer::{Answer, Verdict};
use crate::claim::Untranslated;
use crate::claim::propositions::{NotLtl, read_star};
use crate::claim::star::{Runs, runs};
use crate::fair::{Obligation, WhichRuns};
use crate::limits::{Limits, Progress};
use crate::run::{AtomIn, FiniteRuns};

/// A product with more states or edges is not looked at.
const MOST_EDGES: usize = 50_000_000;

/// Does a formula of CTL* hold on all runs from the initial states?
pub fn check<'r, T: TransitionSystem>(
    semantics: &T, formula: &Formula<AtomIn<T>>, runs: impl Into<WhichRuns<'r, AtomIn<T>>>, limits: &Limits,
    progress: &Progress,
) -> Checked<T::Formalism> {
    let WhichRuns { finite, fair } = runs.into();
    let states = States::new(semantics.size(), limits);
    let mut graph = Graph { semantics, states, initial: Vec::new(), successors: Vec::new(), obliged: None };
    let explored = graph.explore(finite, limits, progress).and_then(|()| graph.oblige(fair, limits));
    let states = u64::from(graph.states.len());
    let (answer, ended) = match explored {
        Ok(()) => {
            let negation = Formula::Not(Box::new(formula.clone()));
            match graph.with_run(&negation, limits) {
                Ok(wrong) => {
                    let holds = !graph.initial.iter().any(|&state| wrong[state as usize]);
                    (Answer::plain(Verdict::of(holds)), Ended::Complete)
                }
                Err(Failed::Formula(reason)) => (Answer::unknown(reason), Ended::Answered),
                Err(Failed::Stopped(ended)) => (Answer::unknown(undecided(&ended)), ended),
            }
        }
        Err(stop) => stop.conclusion(),
    };
    Checked { answer, states, ended }
}

/// Why a formula is not evaluated.
enum Failed<T: TransitionSystem> {
    Formula(String),
    Stopped(Ended<T::Formalism>),
}

impl<T: TransitionSystem> From<NotLtl> for Failed<T> {
    fn from(reason: NotLtl) -> Self {
        Failed::Formula(Untranslated::NotLtl(reason).to_string())
    }
}

impl<T: TransitionSystem> From<TooLarge> for Failed<T> {
    fn from(reason: TooLarge) -> Self {
        Failed::Formula(reason.to_string())
    }
}

struct Graph<'s, T: TransitionSystem> {
    semantics: &'s T,
    states: States,
    initial: Vec<u32>,
    /// By state; a state in which a run ends has itself, if that counts.
    successors: Vec<Box<[u32]>>,
    /// What obligations say of states, if runs are to be fair.
    obliged: Option<Obliged>,
}

impl<T: TransitionSystem> Graph<'_, T> {
    fn explore(
        &mut self, finite_runs: FiniteRuns, limits: &Limits, progress: &Progress,
    ) -> Result<(), Stop<T::Formalism>> {
        for state in self.semantics.initial_states().map_err(Stop::Model)? {
            self.initial.push(self.states.number_of(state.as_ref(), None)?);
        }
        while self.successors.len() < self.states.len() as usize {
            limits.check().map_err(|error| Stop::Limit(error.into()))?;
            let state = self.successors.len() as u32;
            let values = self.states.read::<T::Formalism>(state);
            let steps = self.semantics.successors(&values).map_err(Stop::Model)?;
            let mut successors = Vec::with_capacity(steps.len());
            for step in &steps {
                successors.push(self.states.number_of(step.state.as_ref(), Some(state))?);
            }
            if steps.is_empty() && finite_runs == FiniteRuns::Stutter {
                successors.push(state);
            }
            successors.sort_unstable();
            successors.dedup();
            self.successors.push(successors.into());
            progress.set_states(u64::from(self.states.len()));
        }
        Ok(())
    }

    /// Runs are to meet obligations.
    fn oblige(&mut self, fair: &[Obligation<AtomIn<T>>], limits: &Limits) -> Result<(), Stop<T::Formalism>> {
        if !fair.is_empty() {
            self.obliged = Some(Obliged::new(self.semantics, &self.states, fair, limits)?);
        }
        Ok(())
    }

    /// The states from which a run satisfies a formula.
    fn with_run(&self, formula: &Formula<AtomIn<T>>, limits: &Limits) -> Result<Vec<bool>, Failed<T>> {
        let mut formulas = Formulas::new();
        let mut holds: Vec<Vec<bool>> = Vec::new();
        let abstracted = read_star(formula, &mut formulas, &mut |formulas: &mut Formulas, proposition| {
            holds.push(self.where_holds(proposition, limits)?);
            Ok::<_, Failed<T>>(formulas.atom(holds.len() as u32 - 1))
        })?;
        let automaton = translate(&mut formulas, abstracted)?;
        let width = automaton.state_count();
        if width.saturating_mul(self.successors.len()) > MOST_EDGES {
            return Err(Failed::Stopped(Ended::Memory));
        }
        let mut product = Automaton::new(automaton.mark_count());
        (0..width * self.successors.len()).for_each(|_| {
            product.add_state();
        });
        let pair = |state: u32, automaton: State| state * width as u32 + automaton;
        let mut edges = 0;
        for (state, successors) in (0..).zip(&self.successors) {
            limits.check().map_err(|error| Failed::Stopped(error.into()))?;
            for from in automaton.states() {
                for edge in automaton.edges(from) {
                    let takes = |atom: u32| holds[atom as usize][state as usize];
                    if automaton.conditions().satisfied(edge.condition, takes) {
                        edges += successors.len();
                        for &next in successors {
                            product.add_edge(pair(state, from), Condition::TRUE, edge.marks, pair(next, edge.target));
                        }
                    }
                }
            }
            if edges > MOST_EDGES {
                return Err(Failed::Stopped(Ended::Memory));
            }
        }
        let all: Vec<State> = product.states().collect();
        let components = Components::among(&product, &all, |_, _| true);
        let mut is_fair = vec![false; all.len()];
        if let Some(obliged) = &self.obliged {
            let state_of = |node: State| node / width as u32;
            let found = fair::components(&product, vec![true; all.len()], obliged, state_of, Wanted::All, limits);
            let found = found.map_err(|error| Failed::Stopped(error.into()))?;
            found.into_iter().flatten().for_each(|node| is_fair[node as usize] = true);
        }
        // Edges lead to earlier components.
        let mut accepts = Vec::with_capacity(components.all().len());
        for (number, component) in components.all().iter().enumerate() {
            let leads_on = component
                .states
                .iter()
                .flat_map(|&state| product.edges(state))
                .any(|edge| components.of(edge.target).is_some_and(|target| target < number && accepts[target]));
            let can_stay = match &self.obliged {
                None => components.is_accepting(number),
                Some(_) => component.states.iter().any(|&node| is_fair[node as usize]),
            };
            accepts.push(leads_on || can_stay);
        }
        let has_run = |state: u32| {
            let mut starts = automaton.initial().iter();
            starts.any(|&start| components.of(pair(state, start)).is_some_and(|number| accepts[number]))
        };
        Ok((0..self.states.len()).map(has_run).collect())
    }

    /// Where a formula about one state holds, which may say something of the runs from there.
    fn where_holds(&self, formula: &Formula<AtomIn<T>>, limits: &Limits) -> Result<Vec<bool>, Failed<T>> {
        if !formula.is_temporal() {
            let holds = |state| self.semantics.evaluate(formula, &self.states.read::<T::Formalism>(state));
            let holds: Result<Vec<bool>, _> = (0..self.states.len()).map(holds).collect();
            return holds.map_err(|error| Failed::Formula(error.to_string()));
        }
        let count = self.successors.len();
        match formula {
            Formula::Not(inner) => Ok(self.where_holds(inner, limits)?.into_iter().map(|holds| !holds).collect()),
            Formula::And(parts) => parts.iter().try_fold(vec![true; count], |all, part| {
                let part = self.where_holds(part, limits)?;
                Ok(all.into_iter().zip(part).map(|(one, other)| one && other).collect())
            }),
            Formula::Or(parts) => parts.iter().try_fold(vec![false; count], |any, part| {
                let part = self.where_holds(part, limits)?;
                Ok(any.into_iter().zip(part).map(|(one, other)| one || other).collect())
            }),
            formula => match runs(formula) {
                Some(Runs { exists: true, formula }) => self.with_run(&formula, limits),
                Some(Runs { exists: false, formula }) => {
                    let wrong = self.with_run(&Formula::Not(Box::new(formula)), limits)?;
                    Ok(wrong.into_iter().map(|wrong| !wrong).collect())
                }
                None => Err(NotLtl::Quantified.into()),
            },
        }
    }
}
