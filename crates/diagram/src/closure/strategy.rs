//! Ways to the reachable states: the four variants of algorithm 1 of the SDD paper, and its rewriting
//! without fusion.

use crate::hom::{Closure, NOTHING, Term};
use crate::memory::{Diagram, Error, Hom, Run};
use crate::node::{Kind, Node, ONE, ZERO};
use crate::store::Store;

/// How to compute the states that can be reached. All give the same set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Algorithm 1.d of the SDD paper, with firing fused with closing: the default, and nearly always
    /// the fastest.
    #[default]
    Saturation,
    /// Algorithm 1.d as the paper rewrites it (6.4 and 6.5): at each node the closures of the children
    /// and labels, then each transition of the node in turn, again until nothing changes.
    Rewriting,
    /// Algorithm 1.c: one transition after the other on all states found so far.
    Chaining,
    /// Algorithm 1.b: all transitions at once on all states found so far.
    BreadthFirst,
    /// Algorithm 1.a: all transitions at once on the states found last.
    Frontier,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 5] =
        [Strategy::Saturation, Strategy::Rewriting, Strategy::Chaining, Strategy::BreadthFirst, Strategy::Frontier];
}

/// # Reachable states
impl Store {
    /// The states that can be reached from `initial` by any number of transitions.
    ///
    /// If a limit ends the computation, the error holds what was [reached](Error::reached) so far.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, Strategy, ValueMap};
    /// let mut store = Store::new();
    /// let initial = store.state(&[(0, 3), (1, 0)])?;
    /// // A token moves from variable 0 to variable 1.
    /// let take = store.value(0, ValueMap::at_least(1));
    /// let (minus, plus) = (store.value(0, ValueMap::add(-1)), store.value(1, ValueMap::add(1)));
    /// let step = store.sequence([&take, &minus, &plus]);
    /// let states = store.reachable(&initial, [&step], Strategy::Saturation)?;
    /// assert_eq!(store.count(&states).to_string(), "4");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn reachable<'a>(
        &mut self, initial: &Diagram, transitions: impl IntoIterator<Item = &'a Hom>, strategy: Strategy,
    ) -> Result<Diagram, Error> {
        let terms: Vec<Term> = transitions.into_iter().map(|hom| self.term_of(hom)).collect();
        let initial = self.node_of(initial);
        let node = self.run_closure(initial, |store| {
            // The other strategies keep what they have found on the stack of roots, at this place.
            let root = store.roots.len();
            let result = match strategy {
                Strategy::Saturation => {
                    let closure = store.closure_under(terms);
                    let close = store.plans.close_op(closure);
                    return store.fire(close, initial);
                }
                Strategy::Rewriting => {
                    let closure = store.closure_under(terms);
                    store.rewrite_close(closure, initial)
                }
                Strategy::Chaining => store.by_chaining(&terms, initial),
                Strategy::BreadthFirst => store.by_breadth(&terms, initial),
                Strategy::Frontier => store.by_frontier(&terms, initial),
            };
            result.inspect_err(|_| store.partial = store.roots.get(root).copied().unwrap_or(ZERO))
        })?;
        Ok(self.diagram(node))
    }

    /// Algorithm 1.c.
    fn by_chaining(&mut self, transitions: &[Term], initial: Node) -> Run<Node> {
        self.close_by_rounds(transitions, initial)
    }

    /// Algorithm 1.b.
    fn by_breadth(&mut self, transitions: &[Term], initial: Node) -> Run<Node> {
        let all = self.sum_term(transitions.iter().copied());
        let root = self.roots.len();
        self.roots.extend([initial, initial]);
        loop {
            self.count_tick()?;
            let more = self.apply_term(all, self.roots[root])?;
            self.roots[root] = self.unite(self.roots[root], more)?;
            if self.is_stable(root) {
                return Ok(self.take_stable(root));
            }
        }
    }

    /// Algorithm 1.a.
    fn by_frontier(&mut self, transitions: &[Term], initial: Node) -> Run<Node> {
        let all = self.sum_term(transitions.iter().copied());
        let root = self.roots.len();
        // What was reached, what was reached before this round, and what this round adds.
        self.roots.extend([initial, initial, initial]);
        loop {
            self.count_tick()?;
            self.roots[root + 2] = self.apply_term(all, self.roots[root + 2])?;
            self.roots[root + 2] = self.subtract(self.roots[root + 2], self.roots[root])?;
            self.roots[root] = self.unite(self.roots[root], self.roots[root + 2])?;
            if self.is_stable(root) {
                return Ok(self.take_stable(root));
            }
        }
    }

    /// `(G + Id)* ∘ L((l + Id)*, x) ∘ (F + Id)*` at each node, until nothing changes.
    fn rewrite_close(&mut self, closure: Closure, set: Node) -> Run<Node> {
        if closure == NOTHING || set == ZERO || self.nodes.kind(set) == Kind::None && set != ONE {
            return Ok(set);
        }
        if let Some(result) = self.caches.rewriting.get([closure.0, set.0]) {
            return Ok(Node(result));
        }
        let result = if self.stack_is_low() {
            self.on_new_stack(|store| store.rewrite_close_anew(closure, set))?
        } else {
            self.rewrite_close_anew(closure, set)?
        };
        self.caches.rewriting.put([closure.0, set.0], result.0);
        if self.caches.rewriting.is_crowded() {
            self.grow_cache(|caches| &mut caches.rewriting, 4);
        }
        Ok(result)
    }

    fn rewrite_close_anew(&mut self, closure: Closure, set: Node) -> Run<Node> {
        let root = self.roots.len();
        self.roots.extend([set, set]);
        loop {
            let before = self.roots[root];
            let (variable, kind) = (self.nodes.variable(before), self.nodes.kind(before));
            if kind == Kind::None || kind == Kind::Ranges {
                let members = self.terms.members(closure);
                let result = self.close_by_rounds(&members, before)?;
                self.roots.truncate(root);
                return Ok(result);
            }
            let (below, inside, acting) = self.clusters_of(closure, variable, kind);
            let (base, set_base) = (self.data.len(), self.pieces.len());
            for i in 0..self.nodes.arc_count(before) {
                let arc = self.nodes.arc(before, i);
                if kind == Kind::Data {
                    let child = self.rewrite_close(below, arc.child)?;
                    self.data.push(crate::node::Arc { label: arc.label, child });
                } else {
                    let label = self.rewrite_close(inside, arc.set_label())?;
                    self.roots.push(label);
                    let child = self.rewrite_close(below, arc.child)?;
                    self.roots.pop();
                    self.add_piece(set_base, label, child)?;
                }
            }
            self.roots[root] = match kind {
                Kind::Data => self.make_data(variable, base)?,
                _ => self.make_set(variable, set_base)?,
            };
            for &transition in &acting {
                let more = self.apply_term(transition, self.roots[root])?;
                self.roots[root] = self.unite(self.roots[root], more)?;
            }
            self.count_tick()?;
            if self.is_stable(root) {
                return Ok(self.take_stable(root));
            }
        }
    }
}
