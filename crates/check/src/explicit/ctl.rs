//! CTL by labelling the graph of all states.
//!
//! Nothing is reduced here. With QX for EX or AX, every operator is a fixpoint of `Z = a ∨ (b ∧ QX Z)`:
//!
//! | | | a | b |
//! |---|---|---|---|
//! | `F g` | least | `g` | true |
//! | `G f` | greatest | false | `f` |
//! | `f U g` | least | `g` | `f` |
//! | `f W g` | greatest | `g` | `f` |
//! | `f M g` | least | `f ∧ g` | `g` |
//! | `f R g` | greatest | `f ∧ g` | `g` |
//!
//! A run ends where nothing can happen. There it has no next state (`EX f` is false, `AX f` true); what is to hold for
//! ever has held for ever, and what is to come does not come: QX Z stands for true there in greatest fixpoints and for
//! false in least ones.
//!
//! Where runs that end do not count, some states begin no run at all. Such a state is none of those that `E` looks for,
//! and all that `A` says of its runs is true: `a` and `b` above become false there for `E`, and `a` true for `A`.
//!
//! Where only fair runs count, the same is said of states that begin none. To stay somewhere for ever is then to come to a
//! component in which a run can be fair: `E` with a greatest fixpoint is the least one whose `a` has these as well, and `A`
//! with a least one is the negation of that.

use super::ended::Ended;
use super::fair::{self, Obliged, Wanted};
use super::states::States;
use crate::fair::WhichRuns;
use crate::limits::Limits;
use crate::run::{AtomIn, FiniteRuns};
use mandala_diagram::Error;
use mandala_logic::automaton::{Automaton, State};
use mandala_logic::{Condition, automaton::Marks};
use mandala_model::formalism::Formalism;
use mandala_model::property::{BinaryOperator, Formula, Quantifier, Question, UnaryOperator};
use mandala_model::semantics::{RunError, TransitionSystem};

/// The successors of all states, one after the other.
#[derive(Default)]
pub(super) struct Graph {
    /// Where the successors of each state end.
    ends: Vec<usize>,
    successors: Vec<u32>,
}

/// Why a formula has no answer.
pub(super) enum Failure<F: Formalism> {
    Limit(Ended<F>),
    Error(RunError),
    /// A temporal operator without a quantifier.
    NotCtl,
}

impl<F: Formalism> From<RunError> for Failure<F> {
    fn from(error: RunError) -> Failure<F> {
        Failure::Error(error)
    }
}

impl<F: Formalism> From<Error> for Failure<F> {
    fn from(error: Error) -> Failure<F> {
        Failure::Limit(error.into())
    }
}

/// One truth per state.
pub(super) type Labels = Vec<bool>;

impl Graph {
    /// Adds the successors of the next state.
    pub fn add(&mut self, successors: impl Iterator<Item = u32>) {
        self.successors.extend(successors);
        self.ends.push(self.successors.len());
    }

    /// Bytes for the graph, its inverse and a few labels.
    pub fn bytes(&self) -> u64 {
        self.successors.len() as u64 * 8 + self.ends.len() as u64 * 32
    }

    pub fn successors(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.successors[state.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[state]]
    }

    /// The same graph with all its arrows turned around.
    fn turned(&self) -> Graph {
        let mut counts = vec![0; self.ends.len()];
        for &to in &self.successors {
            counts[to as usize] += 1;
        }
        let mut next = Vec::with_capacity(counts.len());
        let mut ends = Vec::with_capacity(counts.len());
        let mut sum = 0;
        for count in counts {
            next.push(sum);
            sum += count;
            ends.push(sum);
        }
        let mut successors = vec![0; self.successors.len()];
        for from in 0..self.ends.len() as u32 {
            for &to in self.successors(from) {
                successors[next[to as usize]] = from;
                next[to as usize] += 1;
            }
        }
        Graph { ends, successors }
    }
}

/// A graph with what is needed to label it.
pub(super) struct Labelling<'l, T: TransitionSystem> {
    pub semantics: &'l T,
    pub limits: &'l Limits,
    pub states: &'l States,
    pub graph: &'l Graph,
    pub runs: WhichRuns<'l, AtomIn<T>>,
    /// What the obligations of fair runs say of each state; nothing if all runs are fair.
    pub obliged: Option<&'l Obliged>,
}

/// What the operators of a formula need to know of the graph.
struct Surroundings {
    predecessors: Graph,
    /// The graph as one without marks, if runs are to be fair.
    automaton: Option<Automaton>,
    /// Which states begin a run that counts, if not all do.
    running: Option<Labels>,
}

/// Fixpoints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extreme {
    Least,
    Greatest,
}

/// What is left to do for a formula and its parts.
enum Task<'f, A> {
    Look(&'f Formula<A>),
    Combine(&'f Formula<A>),
}

impl<T: TransitionSystem> Labelling<'_, T> {
    /// Whether a formula holds in all initial states.
    pub fn holds(&self, formula: &Formula<AtomIn<T>>) -> Result<bool, Failure<T::Formalism>> {
        let labels = self.label(formula)?;
        Ok((0..self.states.len()).all(|id| self.states.parent(id).is_some() || labels[id as usize]))
    }

    /// Which states begin a run that counts, if not all do.
    pub fn running(&self) -> Result<Option<Labels>, Failure<T::Formalism>> {
        Ok(self.surroundings()?.running)
    }

    fn surroundings(&self) -> Result<Surroundings, Failure<T::Formalism>> {
        let automaton = self.obliged.map(|_| self.automaton());
        let mut around = Surroundings { predecessors: self.graph.turned(), automaton, running: None };
        if self.obliged.is_some() {
            let all = vec![true; self.states.len() as usize];
            let fair = self.fair_cycles(&all, &around)?;
            around.running = Some(self.fixpoint(Extreme::Least, Quantifier::Exists, &fair, &all, &around)?);
        } else if self.runs.finite == FiniteRuns::Ignore {
            around.running = Some(self.endless(&around)?);
        }
        Ok(around)
    }

    /// The graph with a loop where a run that ends counts.
    fn automaton(&self) -> Automaton {
        let mut automaton = Automaton::new(0);
        (0..self.states.len()).for_each(|_| {
            automaton.add_state();
        });
        for state in 0..self.states.len() {
            let successors = self.graph.successors(state);
            let own = [state];
            let ends = successors.is_empty() && self.runs.finite == FiniteRuns::Stutter;
            for &next in if ends { &own } else { successors } {
                automaton.add_edge(state, Condition::TRUE, Marks::NONE, next);
            }
        }
        automaton
    }

    /// The components of some states in which a run can stay that is fair.
    pub fn fair_components(&self, within: &Labels) -> Result<Vec<Vec<State>>, Failure<T::Formalism>> {
        self.components_in(within, &self.automaton())
    }

    fn components_in(&self, within: &Labels, graph: &Automaton) -> Result<Vec<Vec<State>>, Failure<T::Formalism>> {
        let Some(obliged) = self.obliged else { return Ok(Vec::new()) };
        Ok(fair::components(graph, within.clone(), obliged, |state| state, Wanted::All, self.limits)?)
    }

    /// All states of these components.
    fn fair_cycles(&self, within: &Labels, around: &Surroundings) -> Result<Labels, Failure<T::Formalism>> {
        let mut found = vec![false; within.len()];
        if let Some(graph) = &around.automaton {
            for state in self.components_in(within, graph)?.into_iter().flatten() {
                found[state as usize] = true;
            }
        }
        Ok(found)
    }

    /// Whether of each of some groups of transitions one can always fire again. That is about states and not about runs.
    pub fn are_live(&self, groups: &[Vec<<T::Formalism as Formalism>::Action>]) -> Result<bool, Failure<T::Formalism>> {
        let labelling = Labelling { runs: FiniteRuns::Stutter.into(), obliged: None, ..*self };
        for group in groups {
            if !labelling.holds(&Question::<T::Formalism>::always_again(group))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where a formula holds.
    pub fn label(&self, formula: &Formula<AtomIn<T>>) -> Result<Labels, Failure<T::Formalism>> {
        let around = self.surroundings()?;
        let mut tasks = vec![Task::Look(formula)];
        let mut done: Vec<Labels> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Look(formula) => match formula {
                    Formula::Not(f) | Formula::Unary(_, _, f) => tasks.extend([Task::Combine(formula), Task::Look(f)]),
                    Formula::Binary(_, _, f, g) => {
                        // What is pushed last is looked at first.
                        tasks.extend([Task::Combine(formula), Task::Look(f), Task::Look(g)]);
                    }
                    Formula::And(parts) | Formula::Or(parts) => {
                        tasks.push(Task::Combine(formula));
                        tasks.extend(parts.iter().map(Task::Look));
                    }
                    Formula::Constant(_) | Formula::Atom(_) | Formula::Deadlock | Formula::Error => {
                        done.push(self.atom(formula)?);
                    }
                },
                Task::Combine(formula) => {
                    let labels = self.combine(formula, &mut done, &around)?;
                    done.push(labels);
                }
            }
        }
        Ok(done.pop().unwrap_or_default())
    }

    fn atom(&self, formula: &Formula<AtomIn<T>>) -> Result<Labels, Failure<T::Formalism>> {
        let mut labels = Vec::with_capacity(self.states.len() as usize);
        for id in 0..self.states.len() {
            self.limits.check()?;
            labels.push(self.semantics.evaluate(formula, &self.states.read::<T::Formalism>(id))?);
        }
        Ok(labels)
    }

    /// Labels for a formula, given those of its parts: the first of them last.
    fn combine(
        &self, formula: &Formula<AtomIn<T>>, done: &mut Vec<Labels>, around: &Surroundings,
    ) -> Result<Labels, Failure<T::Formalism>> {
        let count = self.states.len() as usize;
        let mut take = || done.pop().unwrap_or_default();
        match formula {
            Formula::Not(_) => Ok(not(&take())),
            Formula::And(parts) => Ok(parts.iter().fold(vec![true; count], |all, _| both(&all, &take()))),
            Formula::Or(parts) => Ok(parts.iter().fold(vec![false; count], |any, _| either(&any, &take()))),
            Formula::Unary(quantifier, operator, _) => {
                let f = take();
                match operator {
                    UnaryOperator::Next => {
                        let f = counting(around, *quantifier, &f);
                        let states = 0..self.states.len();
                        states.map(|state| self.next(*quantifier, state, &f)).collect()
                    }
                    UnaryOperator::Finally => {
                        self.fixpoint(Extreme::Least, *quantifier, &f, &vec![true; count], around)
                    }
                    UnaryOperator::Globally => {
                        self.fixpoint(Extreme::Greatest, *quantifier, &vec![false; count], &f, around)
                    }
                }
            }
            Formula::Binary(quantifier, operator, _, _) => {
                let (f, g) = (take(), take());
                let extreme = match operator {
                    BinaryOperator::Until | BinaryOperator::StrongRelease => Extreme::Least,
                    BinaryOperator::WeakUntil | BinaryOperator::Release => Extreme::Greatest,
                };
                match operator {
                    BinaryOperator::Until | BinaryOperator::WeakUntil => {
                        self.fixpoint(extreme, *quantifier, &g, &f, around)
                    }
                    BinaryOperator::Release | BinaryOperator::StrongRelease => {
                        self.fixpoint(extreme, *quantifier, &both(&f, &g), &g, around)
                    }
                }
            }
            _ => self.atom(formula),
        }
    }

    /// Whether some successor, or each, has a label.
    fn next(&self, quantifier: Quantifier, state: u32, labels: &Labels) -> Result<bool, Failure<T::Formalism>> {
        let mut successors = self.graph.successors(state).iter().map(|&next| labels[next as usize]);
        match quantifier {
            Quantifier::None => Err(Failure::NotCtl),
            Quantifier::All => Ok(successors.all(|label| label)),
            Quantifier::Exists => Ok(successors.any(|label| label)),
        }
    }

    /// The states from which some run goes on for ever: the greatest `Z = EX Z`.
    fn endless(&self, around: &Surroundings) -> Result<Labels, Failure<T::Formalism>> {
        let live: Labels = (0..self.states.len()).map(|state| !self.graph.successors(state).is_empty()).collect();
        let nothing = vec![false; live.len()];
        self.fixpoint(Extreme::Greatest, Quantifier::Exists, &nothing, &live, around)
    }

    /// The least or greatest `Z = a ∨ (b ∧ QX Z)`, with runs that end as said above. A label changes at most once; then
    /// the predecessors are looked at again.
    fn fixpoint(
        &self, extreme: Extreme, quantifier: Quantifier, a: &Labels, b: &Labels, around: &Surroundings,
    ) -> Result<Labels, Failure<T::Formalism>> {
        match (extreme, quantifier) {
            (_, Quantifier::None) => return Err(Failure::NotCtl),
            (Extreme::Greatest, Quantifier::Exists) if around.automaton.is_some() => {
                let a = either(a, &self.fair_cycles(b, around)?);
                return self.fixpoint(Extreme::Least, quantifier, &a, b, around);
            }
            (Extreme::Least, Quantifier::All) if around.automaton.is_some() => {
                let (a, b) = (not(a), not(b));
                let contrary = self.fixpoint(Extreme::Greatest, Quantifier::Exists, &both(&a, &b), &a, around)?;
                return Ok(not(&contrary));
            }
            _ => {}
        }
        let a = counting(around, quantifier, a);
        let b = if quantifier == Quantifier::Exists { counting(around, quantifier, b) } else { b.clone() };
        let mut labels = vec![extreme == Extreme::Greatest; a.len()];
        let mut open: Vec<u32> = (0..self.states.len()).collect();
        while let Some(state) = open.pop() {
            let at = state as usize;
            let goes_on = match self.graph.successors(state) {
                [] => extreme == Extreme::Greatest,
                _ => self.next(quantifier, state, &labels)?,
            };
            let label = a[at] || (b[at] && goes_on);
            if label != labels[at] {
                self.limits.check()?;
                labels[at] = label;
                open.extend_from_slice(around.predecessors.successors(state));
            }
        }
        Ok(labels)
    }
}

/// What labels are worth to a quantifier: in states that begin no run nothing to `E` and everything to `A`.
fn counting(around: &Surroundings, quantifier: Quantifier, labels: &Labels) -> Labels {
    match (&around.running, quantifier) {
        (Some(running), Quantifier::Exists) => both(labels, running),
        (Some(running), _) => labels.iter().zip(running).map(|(&label, &runs)| label || !runs).collect(),
        (None, _) => labels.clone(),
    }
}

fn not(f: &Labels) -> Labels {
    f.iter().map(|&f| !f).collect()
}

fn both(f: &Labels, g: &Labels) -> Labels {
    f.iter().zip(g).map(|(&f, &g)| f && g).collect()
}

fn either(f: &Labels, g: &Labels) -> Labels {
    f.iter().zip(g).map(|(&f, &g)| f || g).collect()
}
