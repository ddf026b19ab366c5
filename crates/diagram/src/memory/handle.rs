//! Handles: what the user holds, and thereby keeps alive.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc as Shared, Mutex, MutexGuard, PoisonError};

use crate::hom::Term;
use crate::node::{Node, ONE, ZERO};

/// The ids that handles hold, by slot.
pub(crate) struct Slots<I> {
    ids: Vec<Option<I>>,
    free: Vec<u32>,
}

impl<I: Copy> Slots<I> {
    fn take(&mut self, id: I) -> u32 {
        match self.free.pop() {
            Some(slot) => {
                self.ids[slot as usize] = Some(id);
                slot
            }
            None => {
                self.ids.push(Some(id));
                (self.ids.len() - 1) as u32
            }
        }
    }

    fn give_back(&mut self, slot: u32) {
        self.ids[slot as usize] = None;
        self.free.push(slot);
    }

    /// The ids that someone holds.
    pub(crate) fn ids(&self) -> impl Iterator<Item = I> + '_ {
        self.ids.iter().flatten().copied()
    }
}

impl<I> Default for Slots<I> {
    fn default() -> Slots<I> {
        Slots { ids: Vec::new(), free: Vec::new() }
    }
}

/// What is held of one store.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) nodes: Slots<Node>,
    pub(crate) terms: Slots<Term>,
}

impl Held {
    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        let slots = self.nodes.ids.capacity() + self.terms.ids.capacity();
        slots * 8 + (self.nodes.free.capacity() + self.terms.free.capacity()) * 4
    }
}

/// What is held of one store, shared between the store and the handles.
#[derive(Clone, Default)]
pub(crate) struct Handles(Shared<Mutex<Held>>);

impl Handles {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether both belong to the same store.
    pub(crate) fn same(&self, other: &Handles) -> bool {
        Shared::ptr_eq(&self.0, &other.0)
    }
}

/// An id that lives while someone holds it.
pub(crate) trait Rooted: Copy + Eq {
    fn slots(held: &mut Held) -> &mut Slots<Self>;
}

impl Rooted for Node {
    fn slots(held: &mut Held) -> &mut Slots<Node> {
        &mut held.nodes
    }
}

impl Rooted for Term {
    fn slots(held: &mut Held) -> &mut Slots<Term> {
        &mut held.terms
    }
}

/// An id, held.
struct Handle<I: Rooted> {
    id: I,
    slot: u32,
    handles: Handles,
}

impl<I: Rooted> Handle<I> {
    fn new(id: I, handles: &Handles) -> Handle<I> {
        let slot = I::slots(&mut handles.lock()).take(id);
        Handle { id, slot, handles: handles.clone() }
    }
}

impl<I: Rooted> Clone for Handle<I> {
    fn clone(&self) -> Handle<I> {
        Handle::new(self.id, &self.handles)
    }
}

impl<I: Rooted> Drop for Handle<I> {
    fn drop(&mut self) {
        I::slots(&mut self.handles.lock()).give_back(self.slot);
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
/// one of two numbers. Diagrams of different stores are never equal.
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
