//! Concatenation: every sequence of one set followed by every sequence of another.

use crate::memory::Run;
use crate::node::{Arc, Kind, Node, ONE, TOP, ZERO};
use crate::store::Store;

impl Store {
    /// The sequences of `a`, each followed by each of `b`.
    pub(crate) fn concatenate(&mut self, a: Node, b: Node) -> Run<Node> {
        if a == ZERO || b == ZERO {
            return Ok(ZERO);
        }
        if a == ONE || b == ONE {
            return Ok(if a == ONE { b } else { a });
        }
        // Sets of integers have no sequences.
        if a == TOP || self.nodes.kind(a) == Kind::Ranges || self.nodes.kind(b) == Kind::Ranges {
            return Ok(self.undefined());
        }
        if let Some(result) = self.caches.concatenation.get([a.0, b.0]) {
            return Ok(Node(result));
        }
        let marks = self.marks();
        let result = if self.stack_is_low() {
            self.on_new_stack(|store| store.concatenate_below(a, b))
        } else {
            self.concatenate_below(a, b)
        };
        let result = result.inspect_err(|_| self.unwind_to(marks))?;
        self.caches.concatenation.put([a.0, b.0], result.0);
        if self.caches.concatenation.is_crowded() {
            self.grow_cache(|caches| &mut caches.concatenation, 1);
        }
        Ok(result)
    }

    fn concatenate_below(&mut self, a: Node, b: Node) -> Run<Node> {
        let variable = self.nodes.variable(a);
        if self.nodes.kind(a) == Kind::Data {
            let base = self.data.len();
            for i in 0..self.nodes.arc_count(a) {
                let arc = self.nodes.arc(a, i);
                let child = self.concatenate(arc.child, b)?;
                self.data.push(Arc { label: arc.label, child });
            }
            return self.make_data(variable, base);
        }
        let base = self.pieces.len();
        for i in 0..self.nodes.arc_count(a) {
            let arc = self.nodes.arc(a, i);
            let child = self.concatenate(arc.child, b)?;
            self.add_disjoint_piece(base, arc.set_label(), child)?;
        }
        self.make_set(variable, base)
    }
}
