//! Union of two and of many sets.

use crate::memory::Run;
use crate::node::{Arc, Kind, Node, ONE, TOP, ZERO};
use crate::store::Store;

/// Results of unions of more than two sets are remembered while they name no more sets than these.
const MOST_UNION_KEYS: usize = 1 << 20;

impl Store {
    /// The union of two sets. Unlike other operations it protects its arguments: a result is so often
    /// added to another at once.
    #[inline]
    pub(crate) fn unite(&mut self, a: Node, b: Node) -> Run<Node> {
        match self.union_at_once(a, b) {
            Some(result) => Ok(result),
            None => {
                let root = self.roots.len();
                self.roots.extend([a, b]);
                let result = self.union_deeper(a, b)?;
                self.roots.truncate(root);
                Ok(result)
            }
        }
    }

    /// The union of two sets that are parts of others which are protected.
    #[inline]
    fn unite_parts(&mut self, a: Node, b: Node) -> Run<Node> {
        match self.union_at_once(a, b) {
            Some(result) => Ok(result),
            None => self.union_deeper(a, b),
        }
    }

    #[inline(never)]
    fn union_deeper(&mut self, a: Node, b: Node) -> Run<Node> {
        let (a, b) = (a.min(b), a.max(b));
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.union_apart(a, b));
        }
        self.union_apart(a, b)
    }

    /// The union, if it needs no work.
    #[inline(always)]
    fn union_at_once(&mut self, a: Node, b: Node) -> Option<Node> {
        if a == b || b == ZERO {
            return Some(a);
        }
        if a == ZERO {
            return Some(b);
        }
        if a.is_terminal() || b.is_terminal() {
            return Some(self.undefined());
        }
        self.caches.union.get([a.min(b).0, a.max(b).0]).map(Node)
    }

    fn union_apart(&mut self, a: Node, b: Node) -> Run<Node> {
        let marks = self.marks();
        let result = self.union_apart_anew(a, b);
        if result.is_err() {
            self.unwind_to(marks);
        }
        result
    }

    #[inline(always)]
    fn union_apart_anew(&mut self, a: Node, b: Node) -> Run<Node> {
        let (kind, variable) = (self.nodes.kind(a), self.nodes.variable(a));
        let result = if kind != self.nodes.kind(b) || variable != self.nodes.variable(b) {
            self.undefined()
        } else {
            match kind {
                Kind::Data => self.union_data(variable, a, b)?,
                Kind::Set => self.union_set(variable, a, b)?,
                Kind::Ranges => self.union_ranges(a, b)?,
                Kind::None => unreachable!("terminals were treated before"),
            }
        };
        self.caches.union.put([a.0, b.0], result.0);
        if self.caches.union.is_crowded() {
            self.grow_cache(|caches| &mut caches.union, 1);
        }
        Ok(result)
    }

    fn union_data(&mut self, variable: u32, a: Node, b: Node) -> Run<Node> {
        let base = self.data.len();
        let (count_a, count_b) = (self.nodes.arc_count(a), self.nodes.arc_count(b));
        let (mut i, mut j) = (0, 0);
        // Whether the result is `a` or `b` so far: a subset needs no new node.
        let (mut is_a, mut is_b) = (true, true);
        while i < count_a && j < count_b {
            let (x, y) = (self.nodes.arc(a, i), self.nodes.arc(b, j));
            if x.value() < y.value() {
                self.data.push(x);
                is_b = false;
                i += 1;
            } else if y.value() < x.value() {
                self.data.push(y);
                is_a = false;
                j += 1;
            } else {
                let child = if x.child == y.child { x.child } else { self.unite_parts(x.child, y.child)? };
                is_a &= child == x.child;
                is_b &= child == y.child;
                self.data.push(Arc { label: x.label, child });
                i += 1;
                j += 1;
            }
        }
        is_b &= i == count_a;
        is_a &= j == count_b;
        if is_a || is_b {
            self.data.truncate(base);
            return Ok(if is_a { a } else { b });
        }
        self.data.extend_from_slice(&self.nodes.arcs(a)[i..]);
        self.data.extend_from_slice(&self.nodes.arcs(b)[j..]);
        self.make_data(variable, base)
    }

    fn union_set(&mut self, variable: u32, a: Node, b: Node) -> Run<Node> {
        // The fewer arcs there are to add, the better.
        let (a, b) = if self.nodes.arc_count(a) < self.nodes.arc_count(b) { (b, a) } else { (a, b) };
        let base = self.pieces.len();
        self.pieces.extend_from_slice(self.nodes.arcs(a));
        let mut changed = false;
        for i in 0..self.nodes.arc_count(b) {
            let arc = self.nodes.arc(b, i);
            changed |= self.add_piece(base, arc.set_label(), arc.child)?;
        }
        if !changed {
            self.pieces.truncate(base);
            return Ok(a);
        }
        self.make_set(variable, base)
    }

    /// The union of any number of sets. All of them are refined into one partition at each level,
    /// instead of two by two.
    pub(crate) fn union_all(&mut self, sets: &[Node]) -> Run<Node> {
        let mut sets: Vec<Node> = sets.iter().copied().filter(|&set| set != ZERO).collect();
        sets.sort_unstable();
        sets.dedup();
        match *sets {
            [] => return Ok(ZERO),
            [set] => return Ok(set),
            [a, b] => return self.unite(a, b),
            _ => {}
        }
        if sets[0] == ONE || sets.contains(&TOP) {
            return Ok(self.undefined());
        }
        if let Some(&result) = self.caches.unions.get(&*sets) {
            return Ok(result);
        }
        let marks = self.marks();
        let result = if self.stack_is_low() {
            self.on_new_stack(|store| store.union_many(&sets))
        } else {
            self.union_many(&sets)
        };
        let result = result.inspect_err(|_| self.unwind_to(marks))?;
        if self.caches.union_keys >= MOST_UNION_KEYS {
            self.caches.forget_unions();
        }
        self.caches.union_keys += sets.len();
        self.caches.unions.insert(sets.into(), result);
        Ok(result)
    }

    fn union_many(&mut self, sets: &[Node]) -> Run<Node> {
        let (kind, variable) = (self.nodes.kind(sets[0]), self.nodes.variable(sets[0]));
        if sets.iter().any(|&set| self.nodes.kind(set) != kind || self.nodes.variable(set) != variable) {
            return Ok(self.undefined());
        }
        match kind {
            Kind::Data => {
                let base = self.data.len();
                let mut arcs: Vec<Arc> = sets.iter().flat_map(|&set| self.nodes.arcs(set)).copied().collect();
                arcs.sort_by_key(|arc| arc.value());
                for same in arcs.chunk_by(|x, y| x.label == y.label) {
                    let children: Vec<Node> = same.iter().map(|arc| arc.child).collect();
                    let child = self.union_all(&children)?;
                    self.data.push(Arc { label: same[0].label, child });
                }
                self.make_data(variable, base)
            }
            Kind::Set => self.union_many_sets(variable, sets),
            Kind::Ranges => {
                let ranges = sets.iter().flat_map(|&set| self.nodes.arcs(set)).map(|range| range.ends()).collect();
                self.ranges_of(ranges)
            }
            Kind::None => unreachable!("terminals were treated before"),
        }
    }
}
