//! Formulas of linear temporal logic, state by state.
//!
//! The product of the model and the automaton of the formula's negation is explored depth first, and only as far as it
//! must be: its strongly connected components are merged as cycles close, each with the marks met in it, and the first
//! that has all marks is a counterexample (J.-M. Couvreur, *On-the-fly verification of linear temporal logic*, 1999). A
//! property that fails early is refuted early; one that holds needs the whole product.

use std::collections::VecDeque;

use mandala_logic::Automaton;
use mandala_logic::automaton::Marks;
use mandala_logic::words::Letter;
use mandala_model::formalism::Formalism;
use mandala_model::property::{Formula, Systems};
use mandala_model::semantics::{RunError, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Ended;
use super::states::{Full, States};
use super::trace::to_state;
use crate::answer::{Answer, Verdict};
use crate::claim::{Claim, Forbidden, check as check_run, run_through};
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
pub fn check<T: TransitionSystem>(
    semantics: &T, formula: &Formula<AtomIn<T>>, finite_runs: FiniteRuns, limits: &Limits, progress: &Progress,
) -> Checked<T::Formalism> {
    match Forbidden::<T::Formalism>::against(formula) {
        Ok(wrong) => search(semantics, Claim::Holds(formula), &wrong, finite_runs, limits, progress),
        Err(reason) => Checked { answer: Answer::unknown(reason), states: 0, ended: Ended::Answered },
    }
}

/// Is no run from the initial states a forbidden one?
pub fn check_forbidden<T: TransitionSystem>(
    semantics: &T, forbidden: &Forbidden<T::Formalism>, finite_runs: FiniteRuns, limits: &Limits, progress: &Progress,
) -> Checked<T::Formalism> {
    search(semantics, Claim::NoneOf(forbidden), forbidden, finite_runs, limits, progress)
}

/// Looks for a run that an automaton accepts, which shows that a claim is wrong.
fn search<T: TransitionSystem>(
    semantics: &T, claim: Claim<'_, T::Formalism>, wrong: &Forbidden<T::Formalism>, finite_runs: FiniteRuns,
    limits: &Limits, progress: &Progress,
) -> Checked<T::Formalism> {
    // Half of the memory is for the states, half for the product.
    let half = limits.with_memory_divided_by(2);
    let mut search = Search {
        semantics,
        finite_runs,
        propositions: wrong.propositions.clone(),
        automaton: wrong.automaton.clone(),
        states: States::new(semantics.size(), &half),
        known: Vec::new(),
        pairs: Vec::new(),
        numbers: FxHashMap::default(),
        removed: Vec::new(),
        live: Vec::new(),
        way: Vec::new(),
        roots: Vec::new(),
        cells: 0,
        pending: 0,
        at: 0,
    };
    let result = search.run(&half, progress);
    let states = u64::from(search.states.len());
    let (answer, ended) = match result {
        Ok(None) => (Answer::plain(Verdict::Holds), Ended::Complete),
        Ok(Some(root)) => {
            let trace = Some(search.counterexample(root, claim));
            (Answer { verdict: Verdict::Fails, trace, witness: None }, Ended::Answered)
        }
        Err(Stop::Limit(ended)) => (Answer::unknown(undecided(&ended)), ended),
        Err(Stop::Formula(error)) => (Answer::unknown(error), Ended::Answered),
        Err(Stop::Model(error)) => {
            let trace = (search.at < search.states.len()).then(|| to_state(semantics, &search.states, search.at));
            (Answer::unknown(&error), Ended::Error { error: Box::new(error), trace: trace.flatten() })
        }
    };
    Checked { answer, states, ended }
}

/// Why a search has not decided anything.
fn undecided<F: Formalism>(ended: &Ended<F>) -> &'static str {
    match ended {
        Ended::Memory => "out of memory, and no run so far decides it",
        Ended::Deadline => "out of time, and no run so far decides it",
        Ended::Cancelled => "interrupted, and no run so far decides it",
        _ => "not all states are known, and no run so far decides it",
    }
}

/// Why the search stops.
enum Stop<F: Formalism> {
    Limit(Ended<F>),
    Model(RunError),
    Formula(RunError),
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

/// A pair on the way of the search, with its successors and how many of them were followed.
struct Frame {
    number: u32,
    successors: Vec<(Pair, Marks)>,
    followed: usize,
}

/// A component of what was explored so far: its first pair, the marks within it, and those of the edge into it.
struct Root {
    number: u32,
    marks: Marks,
    entry: Marks,
}

struct Search<'s, T: TransitionSystem> {
    semantics: &'s T,
    finite_runs: FiniteRuns,
    propositions: Vec<Formula<AtomIn<T>>>,
    automaton: Automaton,
    states: States,
    /// By state of the model.
    known: Vec<Option<Expanded>>,
    /// The pairs, by number: in the order in which they were found.
    pairs: Vec<Pair>,
    numbers: FxHashMap<Pair, u32>,
    /// Whether a pair's component is complete, and no counterexample.
    removed: Vec<bool>,
    /// Pairs of components that are not complete, in ascending order.
    live: Vec<u32>,
    way: Vec<Frame>,
    roots: Vec<Root>,
    /// Successors that are kept, for the limit on memory.
    cells: u64,
    /// Successors on the way, for the same.
    pending: u64,
    /// The state of the model that is looked at.
    at: u32,
}

impl<T: TransitionSystem> Search<'_, T> {
    /// The first pair of a component with all marks, if there is one.
    fn run(&mut self, limits: &Limits, progress: &Progress) -> Result<Option<u32>, Stop<T::Formalism>> {
        let mut initial = Vec::new();
        for state in self.semantics.initial_states().map_err(Stop::Model)? {
            initial.push(self.number_of(state.as_ref(), None)?);
        }
        for (place, state) in initial.iter().enumerate() {
            for &start in &self.automaton.initial().to_vec() {
                if initial[..place].contains(state) || self.numbers.contains_key(&(*state, start)) {
                    continue;
                }
                self.visit((*state, start), Marks::NONE)?;
                while let Some(frame) = self.way.last_mut() {
                    let Some(&(pair, marks)) = frame.successors.get(frame.followed) else {
                        self.leave();
                        continue;
                    };
                    frame.followed += 1;
                    match self.numbers.get(&pair) {
                        None => {
                            limits.check().map_err(|error| Stop::Limit(error.into()))?;
                            if limits.memory.is_some_and(|bytes| self.bytes() > bytes as u64) {
                                return Err(Stop::Limit(Ended::Memory));
                            }
                            self.visit(pair, marks)?;
                            progress.set_states(u64::from(self.states.len()));
                        }
                        Some(&number) if self.removed[number as usize] => {}
                        Some(&number) => {
                            if let Some(found) = self.merge(number, marks) {
                                return Ok(Some(found));
                            }
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn bytes(&self) -> u64 {
        // A pair has its entries in four tables, and a successor one in a list and perhaps one on the way.
        self.pairs.len() as u64 * 64 + self.cells * 4 + self.pending * 16
    }

    /// The number of a state of the model.
    fn number_of(&mut self, state: &[i32], parent: Option<u32>) -> Result<u32, Stop<T::Formalism>> {
        Ok(self.states.number_of(state, parent)?)
    }

    fn visit(&mut self, pair: Pair, entry: Marks) -> Result<(), Stop<T::Formalism>> {
        let successors = self.successors(pair)?;
        let number = self.pairs.len() as u32;
        self.pairs.push(pair);
        self.numbers.insert(pair, number);
        self.removed.push(false);
        self.live.push(number);
        self.roots.push(Root { number, marks: Marks::NONE, entry });
        self.pending += successors.len() as u64;
        self.way.push(Frame { number, successors, followed: 0 });
        Ok(())
    }

    /// All successors of the last pair on the way were followed.
    fn leave(&mut self) {
        let Some(frame) = self.way.pop() else { return };
        self.pending -= frame.successors.len() as u64;
        if self.roots.last().is_some_and(|root| root.number == frame.number) {
            self.roots.pop();
            while let Some(number) = self.live.pop_if(|number| *number >= frame.number) {
                self.removed[number as usize] = true;
            }
        }
    }

    /// An edge leads back: all components from there on are one. Its first pair, if it has all marks.
    fn merge(&mut self, number: u32, mut marks: Marks) -> Option<u32> {
        while let Some(root) = self.roots.pop_if(|root| root.number > number) {
            marks |= root.marks | root.entry;
        }
        let root = self.roots.last_mut()?;
        root.marks |= marks;
        self.automaton.all_marks().is_subset(root.marks).then_some(root.number)
    }

    /// What is known of a state of the model.
    fn known(&mut self, state: u32) -> Result<&Expanded, Stop<T::Formalism>> {
        self.at = state;
        if self.known.len() <= state as usize {
            self.known.resize_with(state as usize + 1, || None);
        }
        if self.known[state as usize].is_none() {
            let values = self.states.read::<T::Formalism>(state);
            let mut letter = Letter::new();
            for (atom, proposition) in (0..).zip(&self.propositions) {
                letter.set(atom, self.semantics.evaluate(proposition, &values).map_err(Stop::Formula)?);
            }
            let steps = self.semantics.successors(&values).map_err(Stop::Model)?;
            let mut successors = Vec::with_capacity(steps.len());
            for step in &steps {
                successors.push(self.number_of(step.state.as_ref(), Some(state))?);
            }
            if steps.is_empty() && self.finite_runs == FiniteRuns::Stutter {
                successors.push(state);
            }
            successors.sort_unstable();
            successors.dedup();
            self.cells += successors.len() as u64;
            self.known[state as usize] = Some(Expanded { successors: successors.into(), letter });
        }
        self.known[state as usize].as_ref().ok_or(Stop::Limit(Ended::Memory))
    }

    fn successors(&mut self, (state, from): Pair) -> Result<Vec<(Pair, Marks)>, Stop<T::Formalism>> {
        self.known(state)?;
        let Some(Some(known)) = self.known.get(state as usize) else { return Ok(Vec::new()) };
        let mut successors = Vec::new();
        for edge in self.automaton.edges(from) {
            if self.automaton.conditions().satisfied(edge.condition, |atom| known.letter.holds(atom)) {
                successors.extend(known.successors.iter().map(|&next| ((next, edge.target), edge.marks)));
            }
        }
        Ok(successors)
    }

    /// A run through the component of a pair that has all marks.
    fn counterexample(&mut self, root: u32, claim: Claim<'_, T::Formalism>) -> Result<Found<T::Formalism>, NoTrace> {
        let start = self.pairs[root as usize];
        let members: FxHashSet<Pair> =
            self.live.iter().filter(|&&number| number >= root).map(|&number| self.pairs[number as usize]).collect();
        let initial: Vec<Pair> = self.initial_pairs();
        let mut pairs = if initial.contains(&start) {
            vec![start]
        } else {
            self.shortest(&initial, |search, pair| search.numbers.contains_key(&pair), |pair, _| pair == start)?.0
        };
        let begin = pairs.len() - 1;
        let mut missing = self.automaton.all_marks();
        while !missing.is_empty() {
            let last = pairs[pairs.len() - 1];
            let wanted = |_, marks: Marks| !(marks & missing).is_empty();
            let (way, marks) = self.shortest(&[last], |_, pair| members.contains(&pair), wanted)?;
            pairs.extend(way.into_iter().skip(1));
            missing = missing.minus(marks);
        }
        if pairs.len() - 1 == begin || pairs[pairs.len() - 1] != start {
            let last = pairs[pairs.len() - 1];
            let (way, _) = self.shortest(&[last], |_, pair| members.contains(&pair), |pair, _| pair == start)?;
            pairs.extend(way.into_iter().skip(1));
        }
        let states = pairs.iter().map(|&(state, _)| self.states.read::<T::Formalism>(state)).collect();
        let (trace, repeats) = run_through(self.semantics, states, begin)?;
        check_run(self.semantics, &trace, repeats, claim, self.finite_runs).map_err(NoTrace::Broken)?;
        Ok(Found { trace, shortest: false, repeats: Some(repeats) })
    }

    fn initial_pairs(&mut self) -> Vec<Pair> {
        let states = self.semantics.initial_states().unwrap_or_default();
        let mut pairs = Vec::new();
        for state in states {
            if let Ok(state) = self.states.number_of(state.as_ref(), None) {
                pairs.extend(self.automaton.initial().iter().map(|&start| (state, start)));
            }
        }
        pairs
    }

    /// A shortest way, of one step at least, that ends with a wanted edge; and the marks of that edge.
    fn shortest(
        &mut self, from: &[Pair], allowed: impl Fn(&Self, Pair) -> bool, wanted: impl Fn(Pair, Marks) -> bool,
    ) -> Result<(Vec<Pair>, Marks), NoTrace> {
        let mut parents: FxHashMap<Pair, Option<Pair>> = from.iter().map(|&pair| (pair, None)).collect();
        let mut open: VecDeque<Pair> = from.iter().copied().collect();
        while let Some(pair) = open.pop_front() {
            let successors =
                self.successors(pair).map_err(|_| NoTrace::Broken("a step is not found again".to_owned()))?;
            for (next, marks) in successors {
                if !allowed(self, next) {
                    continue;
                }
                if wanted(next, marks) {
                    let mut way = vec![next, pair];
                    let mut at = pair;
                    while let Some(&Some(before)) = parents.get(&at) {
                        way.push(before);
                        at = before;
                    }
                    way.reverse();
                    return Ok((way, marks));
                }
                parents.entry(next).or_insert_with(|| {
                    open.push_back(next);
                    Some(pair)
                });
            }
        }
        Err(NoTrace::Broken("a loop is not found again".to_owned()))
    }
}
