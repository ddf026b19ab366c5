//! The product, with one state for those that stand for each other; and its lassos as runs of the model.

use mandala_diagram::Count;
use mandala_group::Permutation;
use mandala_logic::Automaton;
use mandala_logic::automaton::{Marks, State};
use mandala_model::property::Formula;
use mandala_model::semantics::Semantics;
use rustc_hash::FxHashMap;

use super::Bounds;
use super::folding::Folding;
use crate::claim::{Claim, Forbidden, check as check_run, run_through, shortened};
use crate::explicit::Ended;
use crate::explicit::emptiness::{self, Accepting, Graph};
use crate::explicit::ltl::{Checked, Stop, concluded, letter_of};
use crate::explicit::states::States;
use crate::run::{FiniteRuns, Found, LONGEST, NoTrace, broken};

/// Looks for a run that an automaton accepts, which shows that a claim is wrong.
pub(super) fn search(
    semantics: &Semantics<'_>, claim: Claim<'_>, wrong: &Forbidden, folding: &Folding, bounds: &Bounds<'_>,
) -> Checked {
    let half = bounds.limits.with_memory_divided_by(2);
    let states = States::new(Some(semantics.size()), &half);
    let mut product = Folded {
        semantics,
        folding,
        propositions: &wrong.propositions,
        automaton: &wrong.automaton,
        bounds: Bounds { limits: &half, ..*bounds },
        states,
        pairs: Vec::new(),
        numbers: FxHashMap::default(),
    };
    let result = product.initial().and_then(|initial| {
        let found = emptiness::find(&mut product, &initial, wrong.automaton.all_marks())?;
        Ok(found.map(|found| (initial, found)))
    });
    let states = u64::from(product.states.len());
    let count = product.pairs.len() as u64;
    let (mut answer, ended) = concluded(result, |(initial, found)| product.counterexample(&initial, &found, claim));
    answer.product_states = Some(Count::from(count));
    Checked { answer, states, ended }
}

/// The product of the model and the automaton, folded, as far as it was explored.
struct Folded<'s, 'a> {
    semantics: &'s Semantics<'a>,
    folding: &'s Folding,
    propositions: &'s [Formula],
    automaton: &'s Automaton,
    bounds: Bounds<'s>,
    /// States of the model that stand for others.
    states: States,
    /// States of the product, by number.
    pairs: Vec<(u32, State)>,
    numbers: FxHashMap<(u32, State), u32>,
}

/// A step of the product before anything is folded: its marks, and where it leads.
type Edge = (Marks, Vec<i32>, State);

impl Graph for Folded<'_, '_> {
    type Stop = Stop<mandala_model::property::Systems>;

    fn edges(&mut self, node: u32, kept: u64) -> Result<Vec<(u32, Marks)>, Self::Stop> {
        let limits = self.bounds.limits;
        limits.check().map_err(|error| Stop::Limit(error.into()))?;
        let bytes = self.pairs.len() as u64 * 64 + kept * 8;
        if limits.memory.is_some_and(|limit| bytes > limit as u64) {
            return Err(Stop::Limit(Ended::Memory));
        }
        if self.bounds.most_product_states.is_some_and(|most| self.pairs.len() as u64 > most) {
            return Err(Stop::Limit(Ended::States));
        }
        let mut edges = Vec::new();
        for (marks, state, target) in self.steps(node)? {
            let (state, target) = self.folding.fold(&state, target);
            edges.push((self.number_of(&state, target)?, marks));
        }
        self.bounds.progress.set_states(u64::from(self.states.len()));
        edges.sort_unstable();
        edges.dedup();
        Ok(edges)
    }
}

impl Folded<'_, '_> {
    fn number_of(&mut self, state: &[i32], automaton: State) -> Result<u32, <Self as Graph>::Stop> {
        let pair = (self.states.number_of(state, None)?, automaton);
        let fresh = self.pairs.len() as u32;
        let number = *self.numbers.entry(pair).or_insert(fresh);
        if number == fresh {
            self.pairs.push(pair);
        }
        Ok(number)
    }

    /// The states in which runs begin, and those of the automaton.
    fn begins(&self) -> Result<Vec<(Vec<i32>, State)>, <Self as Graph>::Stop> {
        let states = self.semantics.initial_states().map_err(Stop::Model)?;
        let starts = self.automaton.initial();
        Ok(states.iter().flat_map(|state| starts.iter().map(|&start| (state.clone(), start))).collect())
    }

    fn initial(&mut self) -> Result<Vec<u32>, <Self as Graph>::Stop> {
        let mut initial = Vec::new();
        for (state, start) in self.begins()? {
            let (state, start) = self.folding.fold(&state, start);
            initial.push(self.number_of(&state, start)?);
        }
        initial.sort_unstable();
        initial.dedup();
        Ok(initial)
    }

    /// The steps from a state of the product, before anything is folded: with their marks.
    fn steps(&self, node: u32) -> Result<Vec<Edge>, <Self as Graph>::Stop> {
        let (state, from) = self.pairs[node as usize];
        let values = self.states.get(state).to_vec();
        let letter = letter_of(self.semantics, self.propositions, &values).map_err(Stop::Formula)?;
        let conditions = self.automaton.conditions();
        let taken = |condition| conditions.satisfied(condition, |atom| letter.holds(atom));
        let edges: Vec<_> = self.automaton.edges(from).iter().filter(|edge| taken(edge.condition)).collect();
        if edges.is_empty() {
            return Ok(Vec::new());
        }
        let mut successors: Vec<Vec<i32>> =
            self.semantics.successors(&values).map_err(Stop::Model)?.into_iter().map(|step| step.state).collect();
        if successors.is_empty() && self.bounds.finite_runs == FiniteRuns::Stutter {
            successors.push(values);
        }
        successors.sort_unstable();
        successors.dedup();
        let each = edges.iter().flat_map(|edge| successors.iter().map(|next| (edge.marks, next.clone(), edge.target)));
        Ok(each.collect())
    }

    /// A run of the model that goes through a component with all marks.
    fn counterexample(&mut self, initial: &[u32], found: &Accepting, claim: Claim<'_>) -> Result<Found, NoTrace> {
        let lasso = emptiness::lasso(self, initial, found, self.automaton.all_marks(), &[]);
        let (nodes, begin) = lasso.ok_or_else(|| broken("a loop is not found again"))?;
        let (states, start) = self.lifted(&nodes, begin)?;
        let (trace, repeats) = run_through(self.semantics, states, start)?;
        let finite_runs = self.bounds.finite_runs;
        check_run(self.semantics, &trace, repeats, claim, finite_runs).map_err(NoTrace::Broken)?;
        let (trace, repeats) = shortened(self.semantics, trace, repeats, |trace, repeats| {
            check_run(self.semantics, trace, repeats, claim, finite_runs).is_ok()
        });
        Ok(Found { trace, shortest: false, repeats: Some(repeats) })
    }

    /// The run of the model that a lasso stands for: its states, of which the last is the one with this number again.
    ///
    /// A symmetry is kept that maps each state of the lasso to that of the run. Where the lasso comes round, the symmetry
    /// may be another one: the run goes round until each of its states is met again.
    fn lifted(&self, nodes: &[(u32, Marks)], begin: usize) -> Result<(Vec<Vec<i32>>, usize), NoTrace> {
        let symmetries = self.symmetries(nodes)?;
        let image = |node: usize, symmetry: &Permutation| {
            let state = self.states.get(self.pairs[nodes[node].0 as usize].0);
            self.folding.processes.points.image(state, symmetry).ok_or_else(|| broken("a state has no image"))
        };
        let mut states = Vec::new();
        for (node, symmetry) in symmetries.iter().enumerate().take(begin) {
            states.push(image(node, symmetry)?);
        }
        let first: Vec<Vec<i32>> =
            (begin..nodes.len() - 1).map(|node| image(node, &symmetries[node])).collect::<Result<_, _>>()?;
        // What one round does, seen from the states of the model.
        let last = nodes.len() - 1;
        let round = symmetries[begin].inverse().then(&symmetries[last]);
        let mut turned = first.clone();
        loop {
            states.extend(turned.iter().cloned());
            if states.len() > LONGEST {
                return Err(NoTrace::TooLong(states.len()));
            }
            for state in &mut turned {
                let next = self.folding.processes.points.image(state, &round);
                *state = next.ok_or_else(|| broken("a state has no image"))?;
            }
            if turned == first {
                states.push(first[0].clone());
                return Ok((states, begin));
            }
        }
    }

    /// For each state of a lasso, the symmetry that maps it to that of the run.
    fn symmetries(&self, nodes: &[(u32, Marks)]) -> Result<Vec<Permutation>, NoTrace> {
        let lost = || broken("a step is not found again");
        let begins = self.begins().map_err(|_| lost())?;
        let stands_for = |state: &[i32], automaton: State, node: u32| {
            let (leader, target) = self.folding.fold(state, automaton);
            let (number, own) = self.pairs[node as usize];
            (target == own && self.states.get(number) == leader).then(|| self.folding.symmetry(state, automaton))
        };
        let mut begin = begins.iter().filter_map(|(state, start)| stands_for(state, *start, nodes[0].0));
        let mut symmetries = vec![begin.next().ok_or_else(lost)?.inverse()];
        for pair in nodes.windows(2) {
            let (from, (to, marks)) = (pair[0].0, pair[1]);
            let steps = self.steps(from).map_err(|_| lost())?;
            let mut fitting = steps.iter().filter(|(own, ..)| *own == marks);
            let step = fitting.find_map(|(_, state, target)| stands_for(state, *target, to)).ok_or_else(lost)?;
            let next = step.inverse().then(&symmetries[symmetries.len() - 1]);
            symmetries.push(next);
        }
        Ok(symmetries)
    }
}
