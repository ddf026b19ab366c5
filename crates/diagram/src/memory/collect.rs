//! Collection: mark what can still be reached, free the rest.
//!
//! It may run whenever a node is made. The roots are the handles, the nodes that terms name, and the
//! stacks of the operations under way. Ids of living nodes stay as they are. Caches lose the entries
//! that name a dead node; results of operations whose argument is alive are kept alive with it,
//! because to lose the results of a closure can mean to do it again, and again.

use super::cache::all_marked;
use super::{Bits, Cache};
use crate::closure::Plans;
use crate::node::{Kind, Node};
use crate::store::{Caches, Store};

/// Below these numbers a collection is not worth it.
const FEW_NODES: usize = 1 << 17;
const FEW_ARCS: usize = 1 << 20;
const FEW_TERMS: usize = 1 << 16;

impl Store {
    /// Frees all nodes and all homomorphisms that no handle needs.
    ///
    /// There is no need to call this: memory is collected when it is needed.
    pub fn collect(&mut self) {
        self.forget_results();
        if self.depth == 0 {
            self.collect_terms();
        }
        self.collect_garbage();
        self.nodes.shrink();
    }

    /// Frees the homomorphisms that no handle needs, and everything that was worked out from them.
    /// Only between operations: one that is under way has terms that nothing holds.
    pub(crate) fn collect_terms(&mut self) {
        // The lock is not held meanwhile: a user's homomorphism that dies may hold handles itself.
        let held: Vec<_> = self.handles.lock().terms.ids().collect();
        self.terms.collect(held.into_iter());
        self.plans = Plans::new();
        self.forget_operations();
        self.collect_at_terms = (self.terms.len() * 2).max(FEW_TERMS);
    }

    /// Forgets remembered results, so that they keep nothing alive.
    pub(crate) fn forget_results(&mut self) {
        self.caches.of_sets().into_iter().for_each(Cache::clear);
        self.caches.forget_unions();
        self.forget_operations();
    }

    /// Forgets the results that are remembered by operation or closure.
    fn forget_operations(&mut self) {
        self.caches.fire.clear();
        self.caches.rewriting.clear();
        self.caches.possible.clear();
        self.caches.bounded.clear();
    }

    /// Marks and sweeps.
    pub(crate) fn collect_garbage(&mut self) {
        self.collections += 1;
        let mut marked = Bits::new(self.nodes.id_bound());
        let mut open: Vec<Node> = Vec::new();
        open.extend(self.handles.lock().nodes.ids());
        open.extend(self.terms.nodes());
        open.extend(self.data.iter().map(|arc| arc.child));
        open.extend(self.pieces.iter().chain(&self.pending).flat_map(|arc| [arc.set_label(), arc.child]));
        open.extend(&self.roots);
        open.push(self.partial);
        self.mark(&mut marked, &mut open);
        for entry in self.caches.fire.entries() {
            if marked.contains(entry.key[1] as usize) {
                open.push(Node(entry.result));
            }
        }
        self.mark(&mut marked, &mut open);

        let caches = &mut self.caches;
        for cache in caches.of_sets() {
            cache.retain(all_marked(&marked, 0));
        }
        // The first key of these is an operation, a closure or a term.
        caches.fire.retain(all_marked(&marked, 1));
        caches.rewriting.retain(all_marked(&marked, 1));
        caches.possible.retain(all_marked(&marked, 1));
        caches.bounded.retain(all_marked(&marked, 1));
        caches.forget_unions();
        self.nodes.sweep(&marked);
        self.collect_at_nodes = (self.nodes.used() * 2).max(FEW_NODES);
        self.collect_at_arcs = (self.nodes.stored_arcs() * 2).max(FEW_ARCS);
    }

    fn mark(&self, marked: &mut Bits, open: &mut Vec<Node>) {
        // Terminals are always alive.
        for terminal in 0..=2 {
            marked.insert(terminal);
        }
        while let Some(node) = open.pop() {
            if !marked.insert(node.index()) {
                continue;
            }
            match self.nodes.kind(node) {
                Kind::Data => open.extend(self.nodes.arcs(node).iter().map(|arc| arc.child)),
                Kind::Set => {
                    open.extend(self.nodes.arcs(node).iter().flat_map(|arc| [arc.set_label(), arc.child]));
                }
                Kind::Ranges | Kind::None => {}
            }
        }
    }
}

impl Caches {
    /// Forgets the unions of more than two sets.
    pub(crate) fn forget_unions(&mut self) {
        self.unions = Default::default();
        self.union_keys = 0;
    }

    /// The caches whose keys are two sets.
    fn of_sets(&mut self) -> [&mut Cache<2>; 5] {
        [&mut self.union, &mut self.meet, &mut self.intersection, &mut self.difference, &mut self.concatenation]
    }
}
