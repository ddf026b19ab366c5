//! Strongly connected components, by Tarjan's algorithm without recursion.

use super::{Automaton, Edge, Marks, State};

/// A component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its states.
    pub states: Vec<State>,
    /// Whether there is a cycle in it: not for a state without a loop.
    pub is_cyclic: bool,
    /// The marks on edges inside.
    pub marks: Marks,
}

/// The strongly connected components of an automaton's reachable part. An edge never leads from a component to a later
/// one.
#[derive(Clone, Debug)]
pub struct Components {
    components: Vec<Component>,
    /// The component of each state.
    of: Vec<Option<u32>>,
    all_marks: Marks,
}

impl Components {
    /// The components that can be reached from the initial states.
    pub fn new(automaton: &Automaton) -> Components {
        Components::among(automaton, automaton.initial(), |_, _| true)
    }

    /// The components of the graph of some of the edges, as far as it can be reached from some states.
    pub fn among(automaton: &Automaton, roots: &[State], keep: impl Fn(State, &Edge) -> bool) -> Components {
        let mut search = Search {
            automaton,
            keep,
            order: vec![0; automaton.state_count()],
            low: vec![0; automaton.state_count()],
            of: vec![None; automaton.state_count()],
            pending: Vec::new(),
            visited: 0,
            components: Vec::new(),
        };
        for &root in roots {
            search.run(root);
        }
        Components { components: search.components, of: search.of, all_marks: automaton.all_marks() }
    }

    /// The components, the last ones of each way first.
    pub fn all(&self) -> &[Component] {
        &self.components
    }

    /// The number of a state's component; nothing if the state cannot be reached.
    pub fn of(&self, state: State) -> Option<usize> {
        self.of[state as usize].map(|component| component as usize)
    }

    /// Whether both states are in the same component.
    pub fn together(&self, a: State, b: State) -> bool {
        self.of(a).is_some() && self.of(a) == self.of(b)
    }

    /// Whether a run that stays in a component can be accepting.
    pub fn is_accepting(&self, component: usize) -> bool {
        let component = &self.components[component];
        component.is_cyclic && self.all_marks.is_subset(component.marks)
    }
}

struct Search<'a, Keep> {
    automaton: &'a Automaton,
    keep: Keep,
    /// When a state was visited, from 1; 0 if it was not.
    order: Vec<u32>,
    low: Vec<u32>,
    of: Vec<Option<u32>>,
    pending: Vec<State>,
    visited: u32,
    components: Vec<Component>,
}

impl<Keep: Fn(State, &Edge) -> bool> Search<'_, Keep> {
    fn run(&mut self, root: State) {
        if self.order[root as usize] != 0 {
            return;
        }
        self.visit(root);
        // States on the way, each with the number of its edges that were followed.
        let mut way = vec![(root, 0)];
        while let Some(&mut (state, ref mut followed)) = way.last_mut() {
            let Some(edge) = self.automaton.edges(state).get(*followed) else {
                way.pop();
                self.leave(state);
                if let Some(&(parent, _)) = way.last() {
                    self.low[parent as usize] = self.low[parent as usize].min(self.low[state as usize]);
                }
                continue;
            };
            *followed += 1;
            if !(self.keep)(state, edge) {
                continue;
            }
            let target = edge.target;
            if self.order[target as usize] == 0 {
                self.visit(target);
                way.push((target, 0));
            } else if self.of[target as usize].is_none() {
                self.low[state as usize] = self.low[state as usize].min(self.order[target as usize]);
            }
        }
    }

    fn visit(&mut self, state: State) {
        self.visited += 1;
        self.order[state as usize] = self.visited;
        self.low[state as usize] = self.visited;
        self.pending.push(state);
    }

    /// All edges of a state were followed: it may be the root of a component.
    fn leave(&mut self, state: State) {
        if self.low[state as usize] != self.order[state as usize] {
            return;
        }
        let start = self.pending.iter().rposition(|&pending| pending == state).expect("a visited state is pending");
        let states = self.pending.split_off(start);
        let number = self.components.len() as u32;
        for &member in &states {
            self.of[member as usize] = Some(number);
        }
        let (mut is_cyclic, mut marks) = (false, Marks::NONE);
        for &member in &states {
            for edge in self.automaton.edges(member) {
                if self.of[edge.target as usize] == Some(number) && (self.keep)(member, edge) {
                    is_cyclic = true;
                    marks |= edge.marks;
                }
            }
        }
        self.components.push(Component { states, is_cyclic, marks });
    }
}

impl Automaton {
    /// Whether a component has a cycle that avoids a mark.
    pub(crate) fn can_avoid(&self, component: &Component, components: &Components, mark: u32) -> bool {
        let inside =
            |source: State, edge: &Edge| components.together(source, edge.target) && !edge.marks.contains(mark);
        let parts = Components::among(self, &component.states, inside);
        parts.all().iter().any(|part| part.is_cyclic)
    }
}
