//! Difference of sets.

use crate::memory::Run;
use crate::node::{Arc, Kind, Node, TOP, ZERO};
use crate::store::Store;

impl Store {
    /// What is in `a` and not in `b`.
    #[inline]
    pub(crate) fn subtract(&mut self, a: Node, b: Node) -> Run<Node> {
        if a == ZERO || a == b && !self.nodes.is_undefined(a) {
            return Ok(ZERO);
        }
        if b == ZERO {
            return Ok(a);
        }
        if a.is_terminal() || b.is_terminal() {
            return Ok(if a == TOP || b == TOP { self.undefined() } else { a });
        }
        if self.nodes.ranges_apart(a, b) {
            return Ok(a);
        }
        if let Some(result) = self.caches.difference.get([a.0, b.0]) {
            return Ok(Node(result));
        }
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.difference_apart(a, b));
        }
        self.difference_apart(a, b)
    }

    fn difference_apart(&mut self, a: Node, b: Node) -> Run<Node> {
        let marks = self.marks();
        let result = self.difference_apart_anew(a, b);
        if result.is_err() {
            self.unwind_to(marks);
        }
        result
    }

    #[inline(always)]
    fn difference_apart_anew(&mut self, a: Node, b: Node) -> Run<Node> {
        let (kind, variable) = (self.nodes.kind(a), self.nodes.variable(a));
        let result = if kind != self.nodes.kind(b) || variable != self.nodes.variable(b) {
            a
        } else {
            match kind {
                Kind::Data => self.difference_data(variable, a, b)?,
                Kind::Set => self.difference_set(variable, a, b)?,
                Kind::Ranges => self.difference_ranges(a, b)?,
                Kind::None => unreachable!("terminals were treated before"),
            }
        };
        self.caches.difference.put([a.0, b.0], result.0);
        if self.caches.difference.is_crowded() {
            self.grow_cache(|caches| &mut caches.difference, 1);
        }
        Ok(result)
    }

    fn difference_data(&mut self, variable: u32, a: Node, b: Node) -> Run<Node> {
        let base = self.data.len();
        let (count_a, count_b) = (self.nodes.arc_count(a), self.nodes.arc_count(b));
        let mut j = 0;
        let mut is_a = true;
        for i in 0..count_a {
            let x = self.nodes.arc(a, i);
            while j < count_b && self.nodes.arc(b, j).value() < x.value() {
                j += 1;
            }
            if j < count_b && self.nodes.arc(b, j).label == x.label {
                let y = self.nodes.arc(b, j);
                let child = self.subtract(x.child, y.child)?;
                is_a &= child == x.child;
                if child != ZERO {
                    self.data.push(Arc { label: x.label, child });
                }
            } else {
                self.data.push(x);
            }
        }
        if is_a {
            self.data.truncate(base);
            return Ok(a);
        }
        self.make_data(variable, base)
    }

    fn difference_set(&mut self, variable: u32, a: Node, b: Node) -> Run<Node> {
        let base = self.pieces.len();
        let root = self.roots.len();
        let mut is_a = true;
        for i in 0..self.nodes.arc_count(a) {
            let x = self.nodes.arc(a, i);
            // What is left of the label of `x` after the arcs of `b` before this one.
            let mut rest = x.set_label();
            self.roots.push(rest);
            for j in 0..self.nodes.arc_count(b) {
                let y = self.nodes.arc(b, j);
                let common = self.common(rest, y.set_label())?;
                if common == ZERO {
                    continue;
                }
                self.roots.push(common);
                let child = self.subtract(x.child, y.child)?;
                if child != x.child {
                    is_a = false;
                    if child != ZERO {
                        self.add_disjoint_piece(base, common, child)?;
                    }
                    rest = self.subtract(rest, common)?;
                    self.roots[root] = rest;
                }
                self.roots.truncate(root + 1);
                if rest == ZERO {
                    break;
                }
            }
            if rest != ZERO {
                self.add_disjoint_piece(base, rest, x.child)?;
            }
            self.roots.truncate(root);
        }
        if is_a {
            self.pieces.truncate(base);
            return Ok(a);
        }
        self.make_set(variable, base)
    }
}
