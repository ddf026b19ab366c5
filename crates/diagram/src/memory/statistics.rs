//! Counters of what was done.

use super::Cache;
use crate::store::{Caches, Store};

/// How often a cache was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStatistics {
    /// The operation.
    pub operation: &'static str,
    /// Look-ups that found a result.
    pub hits: u64,
    /// Look-ups that did not.
    pub misses: u64,
    /// Bytes allocated.
    pub bytes: usize,
}

/// What a store has done so far, and what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes in the store, including those that a collection would free.
    pub nodes: usize,
    /// The most nodes that were in the store at a time.
    pub peak_nodes: usize,
    /// Nodes ever made.
    pub made_nodes: u64,
    /// Nodes asked for, new or not, in steps of a few thousand: see [`Limits::work`](crate::Limits::work).
    pub work: u64,
    /// Arcs in the store, including those that a collection would free.
    pub arcs: usize,
    /// Homomorphisms in the store.
    pub terms: usize,
    /// Collections of garbage.
    pub collections: u64,
    /// How often a term was asked what it does to the arcs with a value: once for each value.
    pub answers: u64,
    /// Values that were [guessed](crate::Answer::Guess), arc by arc.
    pub guesses: u64,
    /// Bytes allocated for nodes, their arcs and the table that finds them.
    pub node_bytes: usize,
    /// Bytes allocated in all.
    pub bytes: usize,
    /// The most bytes that were allocated at a time.
    pub peak_bytes: usize,
    /// The caches, by operation.
    pub caches: Vec<CacheStatistics>,
}

impl Store {
    /// Bytes allocated in all.
    pub(crate) fn bytes(&self) -> usize {
        let caches = &self.caches;
        let stacks = self.data.capacity() + self.pieces.capacity() + self.pending.capacity();
        self.nodes.bytes()
            + self.terms.bytes()
            + self.plans.bytes()
            + caches.binary().map(|(_, cache)| cache.bytes()).iter().sum::<usize>()
            + caches.bounded.bytes()
            + caches.unions.capacity() * 32
            + caches.union_keys * 4
            + self.handles.lock().bytes()
            + stacks * 8
            + self.roots.capacity() * 4
            + self.dirty.capacity()
            + self.stack_bytes
    }

    /// What the store has done so far, and what it holds.
    pub fn statistics(&self) -> Statistics {
        let caches = &self.caches;
        let mut all: Vec<_> =
            caches.binary().into_iter().map(|(operation, cache)| cache_statistics(operation, cache)).collect();
        all.push(cache_statistics("fire within a bound", &caches.bounded));
        Statistics {
            nodes: self.nodes.used(),
            peak_nodes: self.nodes.peak(),
            made_nodes: self.nodes.made(),
            work: self.work,
            arcs: self.nodes.stored_arcs(),
            terms: self.terms.len(),
            collections: self.collections,
            answers: self.asked,
            guesses: self.guessed,
            node_bytes: self.nodes.bytes(),
            bytes: self.bytes(),
            peak_bytes: self.peak_bytes.max(self.bytes()),
            caches: all,
        }
    }
}

impl Caches {
    /// The caches with two keys, each with the name of its operation.
    fn binary(&self) -> [(&'static str, &Cache<2>); 8] {
        [
            ("fire", &self.fire),
            ("union", &self.union),
            ("meet", &self.meet),
            ("difference", &self.difference),
            ("intersection", &self.intersection),
            ("concatenation", &self.concatenation),
            ("rewriting", &self.rewriting),
            ("possible", &self.possible),
        ]
    }
}

fn cache_statistics<const K: usize>(operation: &'static str, cache: &Cache<K>) -> CacheStatistics {
    CacheStatistics { operation, hits: cache.hits(), misses: cache.misses(), bytes: cache.bytes() }
}
