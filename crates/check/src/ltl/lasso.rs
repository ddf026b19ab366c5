//! Counterexamples: a run that goes somewhere and then round and round.
//!
//! The stem is a shortest way into the fair states. There, the next edge with each mark is looked for in turn, breadth
//! first; if the state where that began can be reached again, the loop is closed, else the search begins anew from where
//! it came: each time further down in the graph of components, so it ends.
//!
//! What is found are states. What happened between them is found again by the meaning of the system, and what the run
//! shows is evaluated on it from the definition of the logic, without any automaton: a counterexample that is none is
//! reported as an error of this program.

use mandala_diagram::Diagram;
use mandala_symbolic::encode::{Atom, Encoding};

use super::emptiness::Fair;
use super::product::{Product, Sets};
use crate::budget::within_budget;
use crate::claim::{Claim, check, run_through, shortened};
use crate::fair::{self, Obligation};
use crate::lift;
use crate::run::{FiniteRuns, Found, LARGEST, LONGEST, NoTrace, broken};
use crate::trace::{one_of, written};
use crate::undecided::Undecided;

/// How much work the search may do.
const WORK: u64 = 60_000_000;

/// A state of the product, with the state of the model as a set.
type Pair = (usize, Diagram);

/// A run that goes on within the fair states for ever.
pub(super) fn find<E: Encoding>(
    product: &mut Product<'_, E>, fair: &Fair, claim: Claim<'_, E::Formalism>, finite_runs: FiniteRuns,
    fairness: &[Obligation<Atom<E>>],
) -> Result<Found<E::Formalism>, NoTrace> {
    if product.encoded.encoding.state_size() > LARGEST {
        return Err(NoTrace::TooLarge);
    }
    let (pairs, start) = within_budget(product, WORK, |product| Search { product, fair }.run())?;
    let semantics = product.encoded.encoding.semantics().map_err(|_| NoTrace::TooLarge)?;
    let states: Vec<Diagram> = pairs.into_iter().map(|(_, state)| state).collect();
    let (states, start) = match &product.encoded.orbit {
        None => (written(product.encoded, &states)?, start),
        Some(_) => lift::lasso(product.encoded, &semantics, &states, start)?,
    };
    let (trace, repeats) = run_through(&semantics, states, start)?;
    check(&semantics, &trace, repeats, claim, finite_runs).map_err(NoTrace::Broken)?;
    fair::check(&semantics, &trace, repeats, fairness).map_err(NoTrace::Broken)?;
    // What is left out may be what makes a run fair.
    let (trace, repeats) = shortened(&semantics, trace, repeats, |trace, repeats| {
        check(&semantics, trace, repeats, claim, finite_runs).is_ok()
            && fair::check(&semantics, trace, repeats, fairness).is_ok()
    });
    Ok(Found { trace, shortest: false, repeats: Some(repeats) })
}

struct Search<'s, 'p, E: Encoding> {
    product: &'s mut Product<'p, E>,
    fair: &'s Fair,
}

/// A search from some states of the product, breadth first.
enum Met {
    /// A way to a target, with the state where it begins and that where it ends.
    Target(Vec<Pair>),
    /// There is none. One of the last states that were found, and the way there.
    Nothing(Vec<Pair>),
}

impl<E: Encoding> Search<'_, '_, E> {
    /// States of the product, of which the last is the one with this number again.
    fn run(&mut self) -> Result<(Vec<Pair>, usize), NoTrace> {
        let (initial, within) = (self.product.initial(), self.product.reached.clone());
        let Met::Target(mut pairs) = self.way(initial, &within, &self.fair.sets.clone())? else {
            return Err(broken("a state that was reached is not found again"));
        };
        loop {
            let start = pairs.len() - 1;
            let target = self.as_sets(&pairs[start]);
            self.collect_marks(&mut pairs)?;
            self.meet_obligations(&mut pairs)?;
            if pairs.len() - 1 == start {
                // No marks: any step will do.
                let next = self.some_step(&pairs[start].clone(), |_| true)?;
                pairs.push(next);
            }
            let from = self.as_sets(&pairs[pairs.len() - 1]);
            match self.way(from, &self.fair.sets.clone(), &target)? {
                Met::Target(way) => {
                    pairs.extend(way.into_iter().skip(1));
                    return Ok((pairs, start));
                }
                Met::Nothing(way) => pairs.extend(way.into_iter().skip(1)),
            }
            if pairs.len() > LONGEST {
                return Err(NoTrace::TooLong(pairs.len()));
            }
        }
    }

    /// Goes on until each mark was met.
    fn collect_marks(&mut self, pairs: &mut Vec<Pair>) -> Result<(), NoTrace> {
        for mark in self.product.marks().iter() {
            let marked = self.product.marked(&self.fair.component, mark, &self.fair.sets)?;
            let from = self.as_sets(&pairs[pairs.len() - 1]);
            let Met::Target(way) = self.way(from, &self.fair.sets.clone(), &marked)? else {
                return Err(broken("a mark is not found again"));
            };
            pairs.extend(way.into_iter().skip(1));
            let next = self.some_step(&pairs[pairs.len() - 1].clone(), |marks| marks.contains(mark))?;
            pairs.push(next);
        }
        Ok(())
    }

    /// Goes on until each obligation was met that can be: what cannot be reached is not owed, nor will it be from here on.
    fn meet_obligations(&mut self, pairs: &mut Vec<Pair>) -> Result<(), NoTrace> {
        for (_, then) in &self.product.steps.obligations {
            let mut met = self.fair.sets.clone();
            for set in &mut met {
                *set = self.product.encoded.store.intersection(set, then)?;
            }
            let from = self.as_sets(&pairs[pairs.len() - 1]);
            if let Met::Target(way) = self.way(from, &self.fair.sets.clone(), &met)? {
                pairs.extend(way.into_iter().skip(1));
            }
        }
        Ok(())
    }

    fn as_sets(&self, pair: &Pair) -> Sets {
        let mut sets = self.product.nothing();
        sets[pair.0] = pair.1.clone();
        sets
    }

    /// A step within the fair states.
    fn some_step(
        &mut self, (state, model): &Pair, wanted: impl Fn(mandala_logic::automaton::Marks) -> bool,
    ) -> Result<Pair, NoTrace> {
        for edge in self.product.automaton.edges[*state].clone() {
            if wanted(edge.marks) && self.product.encoded.store.is_subset(model, &edge.letters)? {
                let next = self.product.steps.next(self.product.encoded, model)?;
                let next = self.product.encoded.store.intersection(&next, &self.fair.sets[edge.target])?;
                if !next.is_empty() {
                    return Ok((edge.target, one_of(self.product.encoded, &next)?));
                }
            }
        }
        Err(broken("a step is not found again"))
    }

    /// A shortest way within some states, perhaps of no step.
    fn way(&mut self, from: Sets, within: &Sets, targets: &Sets) -> Result<Met, NoTrace> {
        let mut seen = from.clone();
        let mut layers = vec![from];
        loop {
            let layer = layers[layers.len() - 1].clone();
            for (state, set) in layer.iter().enumerate() {
                let met = self.product.encoded.store.intersection(set, &targets[state])?;
                if !met.is_empty() {
                    let end = (state, one_of(self.product.encoded, &met)?);
                    return Ok(Met::Target(self.backwards(&layers, end)?));
                }
            }
            let next = self.next_layer(&layer, within, &mut seen)?;
            if next.iter().all(Diagram::is_empty) {
                let last = layer.iter().enumerate().find(|(_, set)| !set.is_empty());
                let (state, set) = last.ok_or_else(|| broken("a search from nowhere"))?;
                let end = (state, one_of(self.product.encoded, set)?);
                return Ok(Met::Nothing(self.backwards(&layers, end)?));
            }
            if layers.len() > LONGEST {
                return Err(NoTrace::TooLong(layers.len()));
            }
            layers.push(next);
        }
    }

    fn next_layer(&mut self, layer: &Sets, within: &Sets, seen: &mut Sets) -> Result<Sets, Undecided> {
        let mut next = self.product.nothing();
        for (state, set) in layer.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
            for edge in self.product.automaton.edges[state].clone() {
                if within[edge.target].is_empty() {
                    continue;
                }
                let from = self.product.encoded.store.intersection(set, &edge.letters)?;
                let after = self.product.steps.next(self.product.encoded, &from)?;
                let store = &mut self.product.encoded.store;
                let after = store.intersection(&after, &within[edge.target])?;
                let new = store.difference(&after, &seen[edge.target])?;
                seen[edge.target] = store.union(&seen[edge.target], &new)?;
                next[edge.target] = store.union(&next[edge.target], &new)?;
            }
        }
        Ok(next)
    }

    /// A state of each layer, each a successor of the one before.
    fn backwards(&mut self, layers: &[Sets], end: Pair) -> Result<Vec<Pair>, NoTrace> {
        let mut way = vec![end];
        for layer in layers[..layers.len() - 1].iter().rev() {
            let (target, model) = way[way.len() - 1].clone();
            let before = self.product.steps.previous(self.product.encoded, &model)?;
            let mut found = None;
            'search: for (state, set) in layer.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
                for edge in self.product.automaton.edges[state].clone().iter().filter(|edge| edge.target == target) {
                    let store = &mut self.product.encoded.store;
                    let from = store.intersection(&before, &edge.letters)?;
                    let from = store.intersection(&from, set)?;
                    if !from.is_empty() {
                        found = Some((state, one_of(self.product.encoded, &from)?));
                        break 'search;
                    }
                }
            }
            way.push(found.ok_or_else(|| broken("a step is not found again"))?);
        }
        way.reverse();
        Ok(way)
    }
}
