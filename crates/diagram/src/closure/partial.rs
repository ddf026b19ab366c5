//! What was reached so far, when a limit ends a closure.
//!
//! An operation that is stopped leaves in `partial` a part of what would have been its result: all
//! the arcs that it had found, and below the one that it was working on, what the operation there
//! had left. So each level adds its own on the way up. Nothing here must fail for want of memory or
//! time: while the store is unwinding, its limits are lifted.

use super::plan::Op;
use crate::hom::Term;
use crate::memory::Run;
use crate::node::{Arc, Kind, Node, TOP, ZERO};
use crate::store::{Marks, Store, Variable};

impl Store {
    /// Fires below an arc of a data node in the making. If that is stopped, what it leaves becomes an
    /// arc under `value`, unless there is one.
    #[inline(always)]
    pub(super) fn fire_under(&mut self, base: usize, value: i32, below: Op, child: Node) -> Run<Node> {
        let result = self.fire(below, child);
        if result.is_err() && self.partial != ZERO {
            self.save_arc(base, value);
        }
        result
    }

    #[cold]
    fn save_arc(&mut self, base: usize, value: i32) {
        let at = base + self.data[base..].partition_point(|arc| arc.value() < value);
        if self.data.get(at).is_none_or(|arc| arc.value() != value) {
            self.data.insert(at, Arc::data(value, self.partial));
        }
    }

    /// Fires below an arc of a set node in the making. If that is stopped, what it leaves becomes a
    /// piece with this label.
    #[inline(always)]
    pub(super) fn fire_beside(&mut self, base: usize, label: Node, below: Op, child: Node) -> Run<Node> {
        let result = self.fire(below, child);
        if result.is_err() && self.partial != ZERO {
            self.save_piece(base, label, self.partial);
        }
        result
    }

    /// Fires below an arc of a set node in the making whose label is not worked out yet. If that is stopped, what it leaves
    /// becomes a piece with what a term leaves of the label.
    #[inline(always)]
    pub(super) fn fire_below(&mut self, base: usize, arc: Arc, term: Term, below: Op) -> Run<Node> {
        let result = self.fire(below, arc.child);
        if result.is_err() && self.partial != ZERO {
            self.save_below(base, term, arc.set_label());
        }
        result
    }

    #[cold]
    fn save_below(&mut self, base: usize, term: Term, label: Node) {
        let (root, child) = (self.roots.len(), self.partial);
        self.roots.push(child);
        if let Ok(label) = self.apply_term(term, label)
            && label != ZERO
        {
            self.roots.push(label);
            self.save_piece(base, label, child);
        }
        self.roots.truncate(root);
    }

    /// Does an operation on the label of a piece of a set node in the making. If that is stopped, what it leaves becomes
    /// the label of a piece.
    #[inline(always)]
    pub(super) fn fire_above(&mut self, base: usize, inside: Op, label: Node, child: Node) -> Run<Node> {
        let result = self.fire(inside, label);
        if result.is_err() && self.partial != ZERO {
            self.save_piece(base, self.partial, child);
        }
        result
    }

    #[cold]
    fn save_piece(&mut self, base: usize, label: Node, child: Node) {
        let marks = self.marks();
        let before: Vec<Arc> = self.pieces[base..].to_vec();
        if self.add_piece(base, label, child).is_err() {
            self.unwind_to(marks);
            self.pieces.truncate(base);
            self.pieces.extend(before);
        }
    }

    /// Makes a node of the arcs that a stopped operation had found.
    #[cold]
    pub(super) fn save_partial(&mut self, kind: Kind, variable: Variable, marks: Marks) {
        self.partial = ZERO;
        if !self.unwinding || self.broken {
            return;
        }
        let saved = match kind {
            Kind::Data => {
                let base = marks.data();
                self.data[base..].sort_by_key(|arc| arc.value());
                self.make_data(variable, base)
            }
            Kind::Set => self.make_set(variable, marks.pieces()),
            Kind::Ranges | Kind::None => Ok(ZERO),
        };
        self.partial = saved.ok().filter(|&node| node != TOP).unwrap_or(ZERO);
    }
}
