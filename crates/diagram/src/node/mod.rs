//! Nodes: what a diagram is made of.
//!
//! Every node denotes a set of finite sequences of assignments:
//!
//! - `ZERO` denotes no sequence at all, `ONE` the empty sequence, and `TOP` (⊤) something undefined;
//! - a **data node** with variable `x` and arcs `v1 -> d1, v2 -> d2, ...` denotes the sequences that
//!   begin with `x = vi` and go on with a sequence of `di`;
//! - a **set node** with variable `x` and arcs `s1 -> d1, s2 -> d2, ...` denotes the sequences that
//!   begin with `x = a` for an `a` in the set `si` and go on with a sequence of `di`;
//! - a **ranges node** is not a diagram but a set of integers, `l1..=h1, l2..=h2, ...`. It occurs only
//!   as the label of a set node's arc.
//!
//! A node is a 32-bit id. Equal sets have equal ids: the invariants below hold for every node, and
//! [`Nodes::add`] is the only place where nodes are made.
//!
//! - Data node: at least one arc, arcs sorted by value, no arc to `ZERO`.
//! - Set node: at least one arc, labels not empty, defined and pairwise disjoint, no two arcs with the
//!   same child, no arc to `ZERO`; arcs sorted by the id of their label.
//! - Ranges node: at least one range, ranges sorted, not empty, with a gap between neighbours.
//!
//! The kind of a node is part of its identity: a data arc labelled 5 and a set arc labelled with
//! node 5 must not meet in the unique table.

mod compact;
mod table;

pub(crate) use table::{MAX_ARCS, NO_VARIABLE, Nodes};

/// The id of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Node(pub(crate) u32);

/// The empty set.
pub(crate) const ZERO: Node = Node(0);
/// The set that holds the empty sequence only.
pub(crate) const ONE: Node = Node(1);
/// Undefined, ⊤.
pub(crate) const TOP: Node = Node(2);

impl Node {
    /// Whether this is `ZERO`, `ONE` or `TOP`.
    #[inline(always)]
    pub(crate) fn is_terminal(self) -> bool {
        self.0 <= TOP.0
    }

    /// The id as an index.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Arcs are labelled with integers.
    Data = 0,
    /// Arcs are labelled with sets.
    Set = 1,
    /// A set of integers.
    Ranges = 2,
    /// A terminal, or an id that is not in use.
    None = 3,
}

/// An arc. What `label` holds depends on the kind of the node: the bits of an `i32` for a data node,
/// the id of a label for a set node. In a ranges node an "arc" is a range: both fields hold an `i32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arc {
    pub(crate) label: u32,
    pub(crate) child: Node,
}

impl Arc {
    #[inline(always)]
    pub(crate) fn data(value: i32, child: Node) -> Arc {
        Arc { label: value as u32, child }
    }

    #[inline(always)]
    pub(crate) fn set(label: Node, child: Node) -> Arc {
        Arc { label: label.0, child }
    }

    #[inline(always)]
    pub(crate) fn range(low: i32, high: i32) -> Arc {
        Arc { label: low as u32, child: Node(high as u32) }
    }

    /// The value of a data arc.
    #[inline(always)]
    pub(crate) fn value(self) -> i32 {
        self.label as i32
    }

    /// The label of a set arc.
    #[inline(always)]
    pub(crate) fn set_label(self) -> Node {
        Node(self.label)
    }

    /// The ends of a range.
    #[inline(always)]
    pub(crate) fn ends(self) -> (i32, i32) {
        (self.label as i32, self.child.0 as i32)
    }
}
