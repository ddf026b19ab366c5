//! Intersection, and the stricter *meet* that labels need.
//!
//! Two labels of one node must be compatible (definition 2.2 of the SDD paper): if they assign
//! different variables after the same beginning, their union would be ⊤, whether or not somebody
//! asks for it. The meet is the intersection that notices: there it is ⊤ instead of empty.

use crate::memory::Run;
use crate::node::{Arc, Kind, Node, TOP, ZERO};
use crate::store::Store;

impl Store {
    /// The intersection of two sets.
    pub(crate) fn common(&mut self, a: Node, b: Node) -> Run<Node> {
        self.intersect_as::<false>(a, b)
    }

    /// The intersection of two labels, ⊤ where they are not compatible.
    #[inline]
    pub(crate) fn meet(&mut self, a: Node, b: Node) -> Run<Node> {
        self.intersect_as::<true>(a, b)
    }

    #[inline(always)]
    fn intersect_as<const STRICT: bool>(&mut self, a: Node, b: Node) -> Run<Node> {
        if a == b {
            return Ok(a);
        }
        if a.is_terminal() || b.is_terminal() {
            return Ok(self.intersect_terminal::<STRICT>(a, b));
        }
        if self.nodes.ranges_apart(a, b) {
            return Ok(ZERO);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let cache = if STRICT { &mut self.caches.meet } else { &mut self.caches.intersection };
        if let Some(result) = cache.get([a.0, b.0]) {
            return Ok(Node(result));
        }
        self.intersect_deeper::<STRICT>(a, b)
    }

    #[inline(never)]
    fn intersect_deeper<const STRICT: bool>(&mut self, a: Node, b: Node) -> Run<Node> {
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.intersect_apart::<STRICT>(a, b));
        }
        self.intersect_apart::<STRICT>(a, b)
    }

    /// `a` and `b` differ and one of them is a terminal.
    fn intersect_terminal<const STRICT: bool>(&mut self, a: Node, b: Node) -> Node {
        if a == ZERO || b == ZERO {
            ZERO
        } else if STRICT || a == TOP || b == TOP {
            self.undefined()
        } else {
            ZERO
        }
    }

    fn intersect_apart<const STRICT: bool>(&mut self, a: Node, b: Node) -> Run<Node> {
        let marks = self.marks();
        // Labels are compared with many others before a node is made, arc by arc.
        self.spend(2 + (self.nodes.arc_count(a) + self.nodes.arc_count(b)) as u32 / 8);
        let result = self.intersect_apart_anew::<STRICT>(a, b);
        if result.is_err() {
            self.unwind_to(marks);
        }
        result
    }

    #[inline(always)]
    fn intersect_apart_anew<const STRICT: bool>(&mut self, a: Node, b: Node) -> Run<Node> {
        let (kind, variable) = (self.nodes.kind(a), self.nodes.variable(a));
        let result = if kind != self.nodes.kind(b) || variable != self.nodes.variable(b) {
            if STRICT { self.undefined() } else { ZERO }
        } else {
            match kind {
                Kind::Data => self.intersect_data::<STRICT>(variable, a, b)?,
                Kind::Set => self.intersect_set::<STRICT>(variable, a, b)?,
                Kind::Ranges => self.intersect_ranges(a, b)?,
                Kind::None => unreachable!("terminals were treated before"),
            }
        };
        let cache = if STRICT { &mut self.caches.meet } else { &mut self.caches.intersection };
        cache.put([a.0, b.0], result.0);
        if cache.is_crowded() {
            if STRICT {
                self.grow_cache(|caches| &mut caches.meet, 1);
            } else {
                self.grow_cache(|caches| &mut caches.intersection, 1);
            }
        }
        Ok(result)
    }

    fn intersect_data<const STRICT: bool>(&mut self, variable: u32, a: Node, b: Node) -> Run<Node> {
        let base = self.data.len();
        let (count_a, count_b) = (self.nodes.arc_count(a), self.nodes.arc_count(b));
        let (mut i, mut j) = (0, 0);
        let (mut is_a, mut is_b) = (true, true);
        while i < count_a && j < count_b {
            let (x, y) = (self.nodes.arc(a, i), self.nodes.arc(b, j));
            if x.value() < y.value() {
                is_a = false;
                i += 1;
            } else if y.value() < x.value() {
                is_b = false;
                j += 1;
            } else {
                let child = if x.child == y.child { x.child } else { self.intersect_as::<STRICT>(x.child, y.child)? };
                is_a &= child == x.child;
                is_b &= child == y.child;
                if child != ZERO {
                    self.data.push(Arc { label: x.label, child });
                }
                i += 1;
                j += 1;
            }
        }
        is_a &= i == count_a;
        is_b &= j == count_b;
        if is_a || is_b {
            self.data.truncate(base);
            return Ok(if is_a { a } else { b });
        }
        self.make_data(variable, base)
    }

    fn intersect_set<const STRICT: bool>(&mut self, variable: u32, a: Node, b: Node) -> Run<Node> {
        let base = self.pieces.len();
        for i in 0..self.nodes.arc_count(a) {
            for j in 0..self.nodes.arc_count(b) {
                let (x, y) = (self.nodes.arc(a, i), self.nodes.arc(b, j));
                let label = self.meet(x.set_label(), y.set_label())?;
                if label == ZERO {
                    continue;
                }
                if self.nodes.is_undefined(label) {
                    self.pieces.truncate(base);
                    return Ok(if STRICT { self.undefined() } else { self.intersect_loosely(variable, a, b)? });
                }
                self.roots.push(label);
                let child = self.intersect_as::<STRICT>(x.child, y.child)?;
                self.roots.pop();
                if child != ZERO {
                    self.add_disjoint_piece(base, label, child)?;
                }
            }
        }
        self.make_set(variable, base)
    }

    /// Intersection of set nodes whose labels are not compatible: those have nothing in common.
    fn intersect_loosely(&mut self, variable: u32, a: Node, b: Node) -> Run<Node> {
        let base = self.pieces.len();
        for i in 0..self.nodes.arc_count(a) {
            for j in 0..self.nodes.arc_count(b) {
                let (x, y) = (self.nodes.arc(a, i), self.nodes.arc(b, j));
                let label = self.common(x.set_label(), y.set_label())?;
                if label == ZERO {
                    continue;
                }
                self.roots.push(label);
                let child = self.common(x.child, y.child)?;
                self.roots.pop();
                if child != ZERO {
                    self.add_disjoint_piece(base, label, child)?;
                }
            }
        }
        self.make_set(variable, base)
    }
}
