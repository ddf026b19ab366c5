//! The model and the automaton together.
//!
//! A state of the product is a state of the automaton and one of the model. A set of them is a set of states of the model
//! for each state of the automaton: exactly the arcs of the node that a variable for the automaton above all others would
//! have. They are kept apart because an edge from a state of the automaton to itself, which is most of the work, is then
//! a closure of the model within the states that satisfy the edge's condition, and that is saturated; with a variable on
//! top no transition of the product would skip it.
//!
//! Automata are small, so their components are taken one after the other, from the initial states on: what can be reached
//! in a component is known before the next is looked at, and whether it has an accepting run is asked at once.

use mandala_diagram::{Count, Diagram, Error, Exactness, Store};
use mandala_logic::automaton::{Component, Components, Marks};
use mandala_logic::reduce::reduce;
use mandala_logic::{Condition, Conditions};
use mandala_symbolic::encode::{Encoded, Encoding};
use rustc_hash::FxHashMap;

use crate::budget::Worker;
use crate::steps::Steps;
use crate::undecided::Undecided;

/// A set of states of the product: states of the model for each state of the automaton.
pub(super) type Sets = Vec<Diagram>;

/// An edge of the automaton.
#[derive(Clone)]
pub(super) struct Edge {
    pub target: usize,
    pub marks: Marks,
    /// The reachable states that satisfy its condition. There are some.
    pub letters: Diagram,
}

/// An automaton whose edges know the states of the model that they take.
pub(super) struct Automaton {
    /// For its components; conditions are those of words.
    graph: mandala_logic::Automaton,
    pub edges: Vec<Vec<Edge>>,
}

impl Automaton {
    /// The automaton of a formula whose propositions hold in these states. Edges that no reachable state can take are
    /// left out, and what is useless without them.
    pub fn new(
        store: &mut Store, states: &Diagram, sets: &[Diagram], mut graph: mandala_logic::Automaton,
    ) -> Result<Automaton, Undecided> {
        let mut known = ConditionSets { states, sets, complements: FxHashMap::default(), known: FxHashMap::default() };
        let mut impossible = Vec::new();
        for state in graph.states() {
            for edge in graph.edges(state) {
                if known.letters(store, graph.conditions(), edge.condition)?.is_empty() {
                    impossible.push(edge.condition);
                }
            }
        }
        if !impossible.is_empty() {
            graph.retain_edges(|_, edge| !impossible.contains(&edge.condition));
            graph = reduce(graph)?;
        }
        // Conditions have other numbers after that.
        known.known.clear();
        let mut edges = Vec::with_capacity(graph.state_count());
        for state in graph.states() {
            let mut from = Vec::new();
            for edge in graph.edges(state) {
                let letters = known.letters(store, graph.conditions(), edge.condition)?;
                from.push(Edge { target: edge.target as usize, marks: edge.marks, letters });
            }
            edges.push(from);
        }
        Ok(Automaton { graph, edges })
    }
}

/// What conditions select, as far as it is known.
struct ConditionSets<'k> {
    states: &'k Diagram,
    sets: &'k [Diagram],
    complements: FxHashMap<u32, Diagram>,
    known: FxHashMap<Condition, Diagram>,
}

impl ConditionSets<'_> {
    /// The states that satisfy a condition.
    fn letters(&mut self, store: &mut Store, conditions: &Conditions, condition: Condition) -> Result<Diagram, Error> {
        let mut open = vec![condition];
        while let Some(&next) = open.last() {
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let set = match conditions.decision(next) {
                None if next.is_true() => self.states.clone(),
                None => store.zero(),
                Some((atom, low, high)) => {
                    let (Some(if_not), Some(if_so)) = (self.known.get(&low), self.known.get(&high)) else {
                        open.extend([low, high]);
                        continue;
                    };
                    let (if_not, if_so) = (if_not.clone(), if_so.clone());
                    let holds = &self.sets[atom as usize];
                    let fails = match self.complements.get(&atom) {
                        Some(fails) => fails.clone(),
                        None => store.difference(self.states, holds)?,
                    };
                    let if_so = store.intersection(holds, &if_so)?;
                    let if_not = store.intersection(&fails, &if_not)?;
                    self.complements.insert(atom, fails);
                    store.union(&if_so, &if_not)?
                }
            };
            self.known.insert(next, set);
            open.pop();
        }
        Ok(self.known[&condition].clone())
    }
}

/// The model and the automaton together.
pub(super) struct Product<'p, E: Encoding> {
    pub encoded: &'p mut Encoded<E>,
    /// The reachable states of the model.
    pub states: Diagram,
    /// What is known of the steps between them.
    pub steps: &'p Steps,
    pub automaton: Automaton,
    /// What was reached so far.
    pub reached: Sets,
    /// What of it was not gone on from.
    frontier: Sets,
}

impl<E: Encoding> Worker for Product<'_, E> {
    fn store(&mut self) -> &mut Store {
        &mut self.encoded.store
    }
}

impl<'p, E: Encoding> Product<'p, E> {
    pub fn new(encoded: &'p mut Encoded<E>, states: Diagram, steps: &'p Steps, automaton: Automaton) -> Self {
        let nothing = vec![encoded.store.zero(); automaton.edges.len()];
        let mut product = Product { encoded, states, steps, automaton, reached: nothing.clone(), frontier: nothing };
        product.reached = product.initial();
        product.frontier = product.reached.clone();
        product
    }

    pub fn nothing(&self) -> Sets {
        vec![self.encoded.store.zero(); self.automaton.edges.len()]
    }

    /// The initial states.
    pub fn initial(&self) -> Sets {
        let mut sets = self.nothing();
        for &state in self.automaton.graph.initial() {
            sets[state as usize] = self.steps.initial.clone();
        }
        sets
    }

    /// How many states were reached.
    pub fn count(&self) -> Count {
        let exactness = Exactness::default();
        let mut all = Count::zero();
        self.reached.iter().for_each(|set| all.add_assign(&self.encoded.store.count(set), &exactness));
        all
    }

    /// The components of the automaton, each after those from which it can be reached.
    pub fn components(&self) -> Vec<Component> {
        let components = Components::new(&self.automaton.graph);
        components.all().iter().rev().cloned().collect()
    }

    /// The marks of the automaton.
    pub fn marks(&self) -> Marks {
        self.automaton.graph.all_marks()
    }

    /// Whether each cycle of a component has all marks.
    pub fn always_accepts(&self, component: &Component) -> bool {
        let avoids = |mark: u32| {
            let parts = Components::among(&self.automaton.graph, &component.states, |_, edge| {
                component.states.contains(&edge.target) && !edge.marks.contains(mark)
            });
            parts.all().iter().any(|part| part.is_cyclic)
        };
        !self.marks().iter().any(avoids)
    }

    /// The states of the model in which a state of the automaton can stay as it is.
    pub fn staying(&mut self, state: usize) -> Result<Diagram, Error> {
        let loops = self.automaton.edges[state].iter().filter(|edge| edge.target == state);
        let letters: Vec<&Diagram> = loops.map(|edge| &edge.letters).collect();
        self.encoded.store.union_of(letters)
    }

    /// Goes on within a component until nothing new is found.
    pub fn reach(&mut self, component: &Component) -> Result<(), Undecided> {
        let members: Vec<usize> = component.states.iter().map(|&state| state as usize).collect();
        let mut staying = Vec::with_capacity(members.len());
        for &state in &members {
            staying.push(self.staying(state)?);
        }
        while let Some(place) = (0..members.len()).find(|&place| !self.frontier[members[place]].is_empty()) {
            let state = members[place];
            let zero = self.encoded.store.zero();
            let fresh = std::mem::replace(&mut self.frontier[state], zero);
            let fresh = self.stay(state, &fresh, &staying[place])?;
            for edge in self.automaton.edges[state].clone().iter().filter(|edge| edge.target != state) {
                let from = self.encoded.store.intersection(&fresh, &edge.letters)?;
                if from.is_empty() {
                    continue;
                }
                let next = self.steps.next(self.encoded, &from)?;
                let store = &mut self.encoded.store;
                let new = store.difference(&next, &self.reached[edge.target])?;
                self.reached[edge.target] = store.union(&self.reached[edge.target], &new)?;
                self.frontier[edge.target] = store.union(&self.frontier[edge.target], &new)?;
            }
        }
        Ok(())
    }

    /// What is new once the automaton has stayed in a state, with what was new before.
    fn stay(&mut self, state: usize, fresh: &Diagram, staying: &Diagram) -> Result<Diagram, Undecided> {
        let start = self.encoded.store.intersection(fresh, staying)?;
        if start.is_empty() {
            return Ok(fresh.clone());
        }
        let all = if *staying == self.states {
            self.steps.reachable(self.encoded, &start)?
        } else {
            let inside = self.steps.led_to(self.encoded, &start, staying)?;
            let next = self.steps.next(self.encoded, &inside)?;
            self.encoded.store.union_of([&inside, &next, fresh])?
        };
        let store = &mut self.encoded.store;
        let old = store.difference(&self.reached[state], fresh)?;
        self.reached[state] = store.union(&self.reached[state], &all)?;
        Ok(store.difference(&all, &old)?)
    }

    /// The states of a component from which some targets can be reached within some states, targets included.
    pub fn can_reach(&mut self, component: &Component, targets: Sets, within: &Sets) -> Result<Sets, Undecided> {
        let members: Vec<usize> = component.states.iter().map(|&state| state as usize).collect();
        let (mut found, mut frontier) = (targets.clone(), targets);
        while let Some(&state) = members.iter().find(|&&state| !frontier[state].is_empty()) {
            let zero = self.encoded.store.zero();
            let mut fresh = std::mem::replace(&mut frontier[state], zero);
            let mut previous = self.steps.previous(self.encoded, &fresh)?;
            let staying = self.staying(state)?;
            let bound = self.encoded.store.intersection(&staying, &within[state])?;
            let start = self.encoded.store.intersection(&previous, &bound)?;
            let start = self.encoded.store.difference(&start, &found[state])?;
            if !start.is_empty() {
                let more = self.steps.leading(self.encoded, &start, &bound)?;
                found[state] = self.encoded.store.union(&found[state], &more)?;
                fresh = self.encoded.store.union(&fresh, &more)?;
                previous = self.steps.previous(self.encoded, &fresh)?;
            }
            for &source in members.iter().filter(|&&source| source != state) {
                for edge in self.automaton.edges[source].clone().iter().filter(|edge| edge.target == state) {
                    let store = &mut self.encoded.store;
                    let from = store.intersection(&previous, &edge.letters)?;
                    let from = store.intersection(&from, &within[source])?;
                    let new = store.difference(&from, &found[source])?;
                    found[source] = store.union(&found[source], &new)?;
                    frontier[source] = store.union(&frontier[source], &new)?;
                }
            }
        }
        Ok(found)
    }
}
