//! Formulas of linear temporal logic, state by state.
//!
//! The product of the model and the automaton of the formula's negation is explored on the way of a search for a cycle
//! with all marks (`emptiness`). A property that fails early is refuted early; one that holds needs the whole product, and so
//! does one that is asked of fair runs only (`fair`).

use mandala_diagram::Count;
use mandala_logic::automaton::Marks;
use mandala_logic::words::Letter;
use mandala_logic::{Automaton, Condition};
use mandala_model::formalism::Formalism;
use mandala_model::property::{Formula, Systems};
use mandala_model::semantics::{RunError, TransitionSystem};
use rustc_hash::FxHashMap;

use super::Ended;
use super::emptiness::{self, Accepting, Goal, Graph};
use super::fair::{self, Obliged, Wanted};
use super::states::{Full, States};
use super::trace::to_state;
use crate::answer::{Answer, Verdict};
use crate::claim::{Claim, Forbidden, check as check_run, run_through, shortened};
use crate::fair::{WhichRuns, check as check_fairness};
use crate::limits::{Limits, Progress};
use crate::run::{AtomIn, FiniteRuns, Found, NoTrace};

/// What was found out about a formula.
#[derive(Debug)]
pub struct Checked<F: Formalism = Systems> {
    /// Whether it holds, and if not, a run on which it does not.
    pub answer: Answer<F>,
    /// How many states of the model were looked at.
    pub states: u64,
    /// Why the search ended.
    pub ended: Ended<F>,
}

/// Does a formula hold on all runs from the initial states?
pub fn check<'r, T: TransitionSystem>(
    semantics: &T, formula: &Formula<AtomIn<T>>, runs: impl Into<WhichRuns<'r, AtomIn<T>>>, limits: &Limits,
    progress: &Progress,
) -> Checked<T::Formalism> {
    match Forbidden::<T::Formalism>::against(formula) {
        Ok(wrong) => search(semantics, Claim::Holds(formula), &wrong, runs.into(), limits, progress),
        Err(reason) => Checked { answer: Answer::unknown(reason), states: 0, ended: Ended::Answered },
    }
}

/// Is no run from the initial states a forbidden one?
pub fn check_forbidden<'r, T: TransitionSystem>(
    semantics: &T, forbidden: &Forbidden<T::Formalism>, runs: impl Into<WhichRuns<'r, AtomIn<T>>>, limits: &Limits,
    progress: &Progress,
) -> Checked<T::Formalism> {
    search(semantics, Claim::NoneOf(forbidden), forbidden, runs.into(), limits, progress)
}

/// Looks for a run that an automaton accepts, which shows that a claim is wrong.
fn search<T: TransitionSystem>(
    semantics: &T, claim: Claim<'_, T::Formalism>, wrong: &Forbidden<T::Formalism>, runs: WhichRuns<'_, AtomIn<T>>,
    limits: &Limits, progress: &Progress,
) -> Checked<T::Formalism> {
    // Half of the memory is for the states, half for the product.
    let half = limits.with_memory_divided_by(2);
    let mut product = Product {
        semantics,
        runs,
        propositions: &wrong.propositions,
        automaton: &wrong.automaton,
        limits: &half,
        progress,
        states: States::new(semantics.size(), &half),
        known: Vec::new(),
        pairs: Vec::new(),
        numbers: FxHashMap::default(),
        cells: 0,
        at: 0,
    };
    let result = product.initial().and_then(|initial| {
        let found = match runs.fair {
            [] => emptiness::find(&mut product, &initial, wrong.automaton.all_marks())?.map(|found| (found, None)),
            _ => product.find_fair(&initial)?.map(|(found, obliged)| (found, Some(obliged))),
        };
        Ok(found.map(|found| (initial, found)))
    });
    let (states, at) = (u64::from(product.states.len()), product.at);
    let (mut answer, mut ended) = concluded(result, |(initial, (found, obliged))| {
        product.counterexample(&initial, &found, obliged.as_ref(), claim)
    });
    if let Ended::Error { trace, .. } = &mut ended
        && at < product.states.len()
    {
        *trace = to_state(semantics, &product.states, at);
    }
    answer.product_states = Some(Count::from(product.pairs.len() as u64));
    Checked { answer, states, ended }
}

/// What a search for a run that must not be comes to; a run is made of what was found.
pub(crate) fn concluded<F: Formalism, R>(
    result: Result<Option<R>, Stop<F>>, run: impl FnOnce(R) -> Result<Found<F>, NoTrace>,
) -> (Answer<F>, Ended<F>) {
    match result {
        Ok(None) => (Answer::plain(Verdict::Holds), Ended::Complete),
        Ok(Some(found)) => (Answer { trace: Some(run(found)), ..Answer::plain(Verdict::Fails) }, Ended::Answered),
        Err(stop) => stop.conclusion(),
    }
}

/// Why a search has not decided anything.
pub(super) fn undecided<F: Formalism>(ended: &Ended<F>) -> &'static str {
    match ended {
        Ended::Memory => "out of memory, and no run so far decides it",
        Ended::Deadline => "out of time, and no run so far decides it",
        Ended::Cancelled => "interrupted, and no run so far decides it",
        _ => "not all states are known, and no run so far decides it",
    }
}

/// Why the search stops.
pub(crate) enum Stop<F: Formalism> {
    Limit(Ended<F>),
    Model(RunError),
    Formula(RunError),
}

impl<F: Formalism> Stop<F> {
    /// What is known when the search stops for this.
    pub(crate) fn conclusion(self) -> (Answer<F>, Ended<F>) {
        match self {
            Stop::Limit(ended) => (Answer::unknown(undecided(&ended)), ended),
            Stop::Formula(error) => (Answer::unknown(error), Ended::Answered),
            Stop::Model(error) => (Answer::unknown(&error), Ended::Error { error: Box::new(error), trace: None }),
        }
    }
}

impl<F: Formalism> From<fair::Failure> for Stop<F> {
    fn from(failure: fair::Failure) -> Stop<F> {
        match failure {
            fair::Failure::Limit(error) => Stop::Limit(error.into()),
            fair::Failure::Error(error) => Stop::Formula(error),
        }
    }
}

impl<F: Formalism> From<Full> for Stop<F> {
    fn from(full: Full) -> Stop<F> {
        Stop::Limit(match full {
            Full::Memory => Ended::Memory,
            Full::States => Ended::States,
        })
    }
}

/// A state of the product: of the model and of the automaton, by number.
type Pair = (u32, u32);

/// What is known of a state of the model once it was needed.
struct Expanded {
    successors: Box<[u32]>,
    letter: Letter,
}

/// The model and the automaton together, as far as they were explored.
struct Product<'s, T: TransitionSystem> {
    semantics: &'s T,
    runs: WhichRuns<'s, AtomIn<T>>,
    propositions: &'s [Formula<AtomIn<T>>],
    automaton: &'s Automaton,
    limits: &'s Limits,
    progress: &'s Progress,
    states: States,
    /// By state of the model.
    known: Vec<Option<Expanded>>,
    /// The pairs, by number: in the order in which they were found.
    pairs: Vec<Pair>,
    numbers: FxHashMap<Pair, u32>,
    /// Successors that are kept, for the limit on memory.
    cells: u64,
    /// The state of the model that is looked at.
    at: u32,
}

/// The letter of a state: which propositions hold in it.
pub(crate) fn letter_of<T: TransitionSystem>(
    semantics: &T, propositions: &[Formula<AtomIn<T>>], state: &crate::run::StateIn<T>,
) -> Result<Letter, RunError> {
    let mut letter = Letter::new();
    for (atom, proposition) in (0..).zip(propositions) {
        letter.set(atom, semantics.evaluate(proposition, state)?);
    }
    Ok(letter)
}

impl<T: TransitionSystem> Graph for Product<'_, T> {
    type Stop = Stop<T::Formalism>;

    fn edges(&mut self, node: u32, kept: u64) -> Result<Vec<(u32, Marks)>, Self::Stop> {
        self.limits.check().map_err(|error| Stop::Limit(error.into()))?;
        // A pair has its entries in four tables, and a successor one in a list and perhaps one on the way.
        let bytes = self.pairs.len() as u64 * 64 + self.cells * 4 + kept * 8;
        if self.limits.memory.is_some_and(|limit| bytes > limit as u64) {
            return Err(Stop::Limit(Ended::Memory));
        }
        let (state, from) = self.pairs[node as usize];
        self.expand(state)?;
        self.progress.set_states(u64::from(self.states.len()));
        let Some(Some(known)) = self.known.get(state as usize) else { return Ok(Vec::new()) };
        let mut edges = Vec::new();
        for edge in self.automaton.edges(from) {
            if self.automaton.conditions().satisfied(edge.condition, |atom| known.letter.holds(atom)) {
                for &next in &known.successors {
                    let pair = (next, edge.target);
                    let fresh = self.pairs.len() as u32;
                    let number = *self.numbers.entry(pair).or_insert(fresh);
                    if number == fresh {
                        self.pairs.push(pair);
                    }
                    edges.push((number, edge.marks));
                }
            }
        }
        Ok(edges)
    }
}

impl<T: TransitionSystem> Product<'_, T> {
    /// The pairs in which runs begin.
    fn initial(&mut self) -> Result<Vec<u32>, Stop<T::Formalism>> {
        let mut initial = Vec::new();
        for state in self.semantics.initial_states().map_err(Stop::Model)? {
            let state = self.states.number_of(state.as_ref(), None)?;
            for &start in self.automaton.initial() {
                let fresh = self.pairs.len() as u32;
                let number = *self.numbers.entry((state, start)).or_insert(fresh);
                if number == fresh {
                    self.pairs.push((state, start));
                    initial.push(number);
                }
            }
        }
        Ok(initial)
    }

    /// Finds the letter and the successors of a state of the model, unless they are known.
    fn expand(&mut self, state: u32) -> Result<(), Stop<T::Formalism>> {
        self.at = state;
        if self.known.len() <= state as usize {
            self.known.resize_with(state as usize + 1, || None);
        }
        if self.known[state as usize].is_some() {
            return Ok(());
        }
        let values = self.states.read::<T::Formalism>(state);
        let letter = letter_of(self.semantics, self.propositions, &values).map_err(Stop::Formula)?;
        let steps = self.semantics.successors(&values).map_err(Stop::Model)?;
        let mut successors = Vec::with_capacity(steps.len());
        for step in &steps {
            successors.push(self.states.number_of(step.state.as_ref(), Some(state))?);
        }
        if steps.is_empty() && self.runs.finite == FiniteRuns::Stutter {
            successors.push(state);
        }
        successors.sort_unstable();
        successors.dedup();
        self.cells += successors.len() as u64;
        self.known[state as usize] = Some(Expanded { successors: successors.into(), letter });
        Ok(())
    }

    /// A component with all marks in which runs can meet all obligations. The whole product is looked at.
    fn find_fair(&mut self, initial: &[u32]) -> Result<Option<(Accepting, Obliged)>, Stop<T::Formalism>> {
        /// An edge takes as much memory as so many of those that a search keeps.
        const WEIGHT: u64 = 4;
        let mut graph = Automaton::new(self.automaton.mark_count());
        let (mut node, mut kept) = (0, 0);
        while (node as usize) < self.pairs.len() {
            let edges = self.edges(node, kept * WEIGHT)?;
            kept += edges.len() as u64;
            while graph.state_count() < self.pairs.len() {
                graph.add_state();
            }
            for (next, marks) in edges {
                graph.add_edge(node, Condition::TRUE, marks, next);
            }
            node += 1;
        }
        let obliged = Obliged::new(self.semantics, &self.states, self.runs.fair, self.limits)?;
        let all = vec![true; graph.state_count()];
        let state_of = |node: u32| self.pairs[node as usize].0;
        let found = fair::components(&graph, all, &obliged, state_of, Wanted::One, self.limits);
        let found = found.map_err(|error| Stop::Limit(error.into()))?;
        debug_assert!(initial.iter().all(|&node| (node as usize) < graph.state_count()));
        Ok(found.into_iter().next().and_then(fair::accepting).map(|found| (found, obliged)))
    }

    /// A run through a component that has all marks.
    fn counterexample(
        &mut self, initial: &[u32], found: &Accepting, obliged: Option<&Obliged>, claim: Claim<'_, T::Formalism>,
    ) -> Result<Found<T::Formalism>, NoTrace> {
        let states: Vec<u32> = self.pairs.iter().map(|&(state, _)| state).collect();
        let states = &states;
        let members = found.members.iter().map(|&node| states[node as usize]);
        let goals: Vec<_> = obliged.map_or_else(Vec::new, |obliged| {
            let met = |one| move |node: u32| obliged.is_met(one, states[node as usize]);
            obliged.of(members).map(met).collect()
        });
        let goals: Vec<Goal<'_>> = goals.iter().map(|goal| goal as Goal<'_>).collect();
        let lasso = emptiness::lasso(self, initial, found, self.automaton.all_marks(), &goals);
        let (nodes, begin) = lasso.ok_or_else(|| NoTrace::Broken("a loop is not found again".to_owned()))?;
        let state = |&(node, _): &(u32, Marks)| self.states.read::<T::Formalism>(self.pairs[node as usize].0);
        let states = nodes.iter().map(state).collect();
        let (trace, repeats) = run_through(self.semantics, states, begin)?;
        let WhichRuns { finite, fair } = self.runs;
        check_run(self.semantics, &trace, repeats, claim, finite).map_err(NoTrace::Broken)?;
        check_fairness(self.semantics, &trace, repeats, fair).map_err(NoTrace::Broken)?;
        // What is left out may be what makes a run fair.
        let (trace, repeats) = shortened(self.semantics, trace, repeats, |trace, repeats| {
            check_run(self.semantics, trace, repeats, claim, finite).is_ok()
                && check_fairness(self.semantics, trace, repeats, fair).is_ok()
        });
        Ok(Found { trace, shortest: false, repeats: Some(repeats) })
    }
}
