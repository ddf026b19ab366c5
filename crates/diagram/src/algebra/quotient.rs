//! Quotients: what concatenation with a set added, taken away again.

use crate::memory::Run;
use crate::node::{Kind, Node, ONE, TOP, ZERO};
use crate::store::Store;

impl Store {
    /// The sequences `s` in `among` such that `p s` is in `set` for some `p` in `prefixes`.
    ///
    /// Without `among` the result might hold sequences that do not go together, which is undefined.
    pub(crate) fn left_quotient(&mut self, prefixes: Node, set: Node, among: Node) -> Run<Node> {
        if prefixes == ONE {
            return self.common(set, among);
        }
        if prefixes == ZERO || set == ZERO || set == ONE {
            return Ok(ZERO);
        }
        if prefixes == TOP || set == TOP {
            return Ok(self.undefined());
        }
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.left_quotient_below(prefixes, set, among));
        }
        self.left_quotient_below(prefixes, set, among)
    }

    fn left_quotient_below(&mut self, prefixes: Node, set: Node, among: Node) -> Run<Node> {
        let kind = self.nodes.kind(set);
        if self.nodes.kind(prefixes) != kind || self.nodes.variable(prefixes) != self.nodes.variable(set) {
            return Ok(ZERO);
        }
        let root = self.roots.len();
        self.roots.push(ZERO);
        for i in 0..self.nodes.arc_count(prefixes) {
            for j in 0..self.nodes.arc_count(set) {
                let (x, y) = (self.nodes.arc(prefixes, i), self.nodes.arc(set, j));
                let meets = match kind {
                    Kind::Data => x.label == y.label,
                    _ => self.common(x.set_label(), y.set_label())? != ZERO,
                };
                if meets {
                    let part = self.left_quotient(x.child, y.child, among)?;
                    self.roots[root] = self.unite(self.roots[root], part)?;
                }
            }
        }
        let result = self.roots[root];
        self.roots.truncate(root);
        Ok(result)
    }

    /// The sequences `s` in `among` such that `s q` is in `set` for some `q` in `suffixes`.
    pub(crate) fn right_quotient(&mut self, set: Node, suffixes: Node, among: Node) -> Run<Node> {
        if set == ZERO || among == ZERO {
            return Ok(ZERO);
        }
        if set == TOP || among == TOP {
            return Ok(self.undefined());
        }
        if among == ONE {
            let common = self.common(set, suffixes)?;
            return Ok(if common == ZERO { ZERO } else { ONE });
        }
        if set == ONE {
            return Ok(ZERO);
        }
        let marks = self.marks();
        let result = if self.stack_is_low() {
            self.on_new_stack(|store| store.right_quotient_below(set, suffixes, among))
        } else {
            self.right_quotient_below(set, suffixes, among)
        };
        result.inspect_err(|_| self.unwind_to(marks))
    }

    fn right_quotient_below(&mut self, set: Node, suffixes: Node, among: Node) -> Run<Node> {
        let (kind, variable) = (self.nodes.kind(set), self.nodes.variable(set));
        if self.nodes.kind(among) != kind || self.nodes.variable(among) != variable {
            return Ok(ZERO);
        }
        let (base, set_base) = (self.data.len(), self.pieces.len());
        for i in 0..self.nodes.arc_count(among) {
            for j in 0..self.nodes.arc_count(set) {
                let (x, y) = (self.nodes.arc(among, i), self.nodes.arc(set, j));
                if kind == Kind::Data {
                    if x.label == y.label {
                        let child = self.right_quotient(y.child, suffixes, x.child)?;
                        if child != ZERO {
                            self.data.push(crate::node::Arc { label: x.label, child });
                        }
                    }
                    continue;
                }
                let label = self.common(x.set_label(), y.set_label())?;
                if label != ZERO {
                    self.roots.push(label);
                    let child = self.right_quotient(y.child, suffixes, x.child)?;
                    self.roots.pop();
                    if child != ZERO {
                        self.add_disjoint_piece(set_base, label, child)?;
                    }
                }
            }
        }
        if kind == Kind::Data { self.make_data(variable, base) } else { self.make_set(variable, set_base) }
    }
}
