//! Handles: what the user holds, and thereby keeps alive.

use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc as Shared, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::hom::Term;
use crate::node::{Node, ONE, ZERO};

/// How many handles there are on each node and on each term.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) nodes: FxHashMap<Node, u32>,
    pub(crate) terms: FxHashMap<Term, u32>,
}

/// The handles of one store, shared between the store and the handles.
#[derive(Clone, Default)]
pub(crate) struct Handles(Shared<Mutex<Counts>>);

impl Handles {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether both belong to the same store.
    pub(crate) fn same(&self, other: &Handles) -> bool {
        Shared::ptr_eq(&self.0, &other.0)
    }
}

/// An id that is counted while someone holds it.
pub(crate) trait Rooted: Copy + Eq + Hash {
    fn counts(counts: &mut Counts) -> &mut FxHashMap<Self, u32>;
}

impl Rooted for Node {
    fn counts(counts: &mut Counts) -> &mut FxHashMap<Node, u32> {
        &mut counts.nodes
    }
}

impl Rooted for Term {
    fn counts(counts: &mut Counts) -> &mut FxHashMap<Term, u32> {
        &mut counts.terms
    }
}

/// An id, counted.
pub(crate) struct Handle<I: Rooted> {
    id: I,
    handles: Handles,
}

impl<I: Rooted> Handle<I> {
    fn new(id: I, handles: &Handles) -> Handle<I> {
        *I::counts(&mut handles.lock()).entry(id).or_insert(0) += 1;
        Handle { id, handles: handles.clone() }
    }
}

impl<I: Rooted> Clone for Handle<I> {
    fn clone(&self) -> Handle<I> {
        Handle::new(self.id, &self.handles)
    }
}

impl<I: Rooted> Drop for Handle<I> {
    fn drop(&mut self) {
        let mut counts = self.handles.lock();
        if let Entry::Occupied(mut entry) = I::counts(&mut counts).entry(self.id) {
            *entry.get_mut() -= 1;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
    }
}

impl<I: Rooted> PartialEq for Handle<I> {
    fn eq(&self, other: &Handle<I>) -> bool {
        self.id == other.id && self.handles.same(&other.handles)
    }
}

/// A set of states: a data decision diagram, a set decision diagram, or a set of integers.
///
/// A `Diagram` belongs to the [`Store`](crate::Store) that made it and keeps its nodes alive there.
/// Two diagrams of a store are equal (`==`) exactly if they denote the same set: the comparison is
/// one of two numbers.
#[derive(Clone, PartialEq)]
pub struct Diagram(Handle<Node>);

impl Diagram {
    pub(crate) fn new(node: Node, handles: &Handles) -> Diagram {
        Diagram(Handle::new(node, handles))
    }

    pub(crate) fn node(&self) -> Node {
        self.0.id
    }

    pub(crate) fn handles(&self) -> &Handles {
        &self.0.handles
    }

    /// Whether this is the empty set.
    pub fn is_empty(&self) -> bool {
        self.node() == ZERO
    }

    /// Whether this is the set that holds just the empty sequence.
    pub fn is_one(&self) -> bool {
        self.node() == ONE
    }
}

impl Eq for Diagram {}

impl Hash for Diagram {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node().hash(state);
    }
}

impl fmt::Debug for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Diagram({})", self.node().0)
    }
}

/// A homomorphism: a map from sets to sets that distributes over union.
///
/// Like a [`Diagram`], a `Hom` belongs to the [`Store`](crate::Store) that made it. Terms are kept
/// once: two that were built alike, or that the rewriting makes alike, are equal (`==`).
#[derive(Clone, PartialEq)]
pub struct Hom(Handle<Term>);

impl Hom {
    pub(crate) fn new(term: Term, handles: &Handles) -> Hom {
        Hom(Handle::new(term, handles))
    }

    pub(crate) fn term(&self) -> Term {
        self.0.id
    }

    pub(crate) fn handles(&self) -> &Handles {
        &self.0.handles
    }
}

impl Eq for Hom {}

impl Hash for Hom {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.term().hash(state);
    }
}

impl fmt::Debug for Hom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hom({})", self.term().0)
    }
}
