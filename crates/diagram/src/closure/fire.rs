//! One step of the evaluation: an operation at a node.

use super::plan::{KEEP, Op, Work};
use crate::hom::{NOTHING, Term};
use crate::memory::Run;
use crate::node::{Kind, Node, ONE, TOP, ZERO};
use crate::store::Store;

impl Store {
    /// Applies a term.
    pub(crate) fn apply_term(&mut self, term: Term, set: Node) -> Run<Node> {
        let op = self.plans.fire_op(term, NOTHING);
        self.fire(op, set)
    }

    /// Does an operation on a set. The set is closed under the operation's closure, unless closing
    /// is all that the operation does.
    #[inline(always)]
    pub(crate) fn fire(&mut self, op: Op, set: Node) -> Run<Node> {
        if op == KEEP || set == ZERO || set == TOP {
            return Ok(set);
        }
        if let Some(result) = self.caches.fire.get([op.0, set.0]) {
            return Ok(Node(result));
        }
        self.fire_deeper(op, set)
    }

    #[inline(never)]
    fn fire_deeper(&mut self, op: Op, set: Node) -> Run<Node> {
        if self.ticks == 1 {
            // Plans count as many ticks, and on the way down no node is made.
            self.tick()?;
        }
        if self.stack_is_low() {
            return self.on_new_stack(|store| store.fire_anew(op, set));
        }
        self.fire_anew(op, set)
    }

    #[inline(always)]
    fn fire_anew(&mut self, op: Op, set: Node) -> Run<Node> {
        let marks = self.marks();
        let kind = self.nodes.kind(set);
        let result = match kind {
            Kind::Data => self.fire_at_data(op, set),
            Kind::Set => self.fire_at_set(op, set),
            Kind::Ranges => self.fire_at_ranges(op, set),
            Kind::None => self.fire_at_one(op),
        };
        match result {
            Ok(result) => {
                self.caches.fire.put([op.0, set.0], result.0);
                if self.caches.fire.is_crowded() {
                    self.grow_cache(|caches| &mut caches.fire, 4);
                }
                Ok(result)
            }
            Err(stop) => {
                self.save_partial(kind, self.nodes.variable(set), marks);
                self.unwind_to(marks);
                Err(stop)
            }
        }
    }

    /// The union of a closed part and of a part that is still to be closed.
    pub(super) fn finish(&mut self, op: Op, node: Node, rest: Node, root: usize) -> Run<Node> {
        self.roots.push(node);
        let (Work::Fire(_, closure) | Work::Close(closure)) = self.plans.work(op);
        let close = self.plans.close_op(closure);
        let rest = self.fire(close, rest)?;
        let result = self.unite(node, rest)?;
        self.roots.truncate(root);
        Ok(result)
    }

    fn fire_at_one(&mut self, op: Op) -> Run<Node> {
        match self.plans.work(op) {
            Work::Fire(term, closure) => {
                let result = self.apply_at_one(term)?;
                let close = self.plans.close_op(closure);
                self.roots.push(result);
                let closed = self.fire(close, result)?;
                self.roots.pop();
                Ok(closed)
            }
            Work::Close(closure) => {
                // Chains drop a sequence that ends before they are done.
                let others = self.terms.transitions(closure).others.clone();
                self.close_by_rounds(&others, ONE)
            }
        }
    }

    fn fire_at_ranges(&mut self, op: Op, set: Node) -> Run<Node> {
        match self.plans.work(op) {
            Work::Fire(term, closure) => {
                let result = self.apply_whole(term, set)?;
                let close = self.plans.close_op(closure);
                self.roots.push(result);
                let closed = self.fire(close, result)?;
                self.roots.pop();
                Ok(closed)
            }
            Work::Close(closure) => {
                let members = self.terms.members(closure);
                self.close_by_rounds(&members, set)
            }
        }
    }

    /// Whether a round, whose set is rooted at `root` with the one before it behind it, changed nothing;
    /// if it did, the set becomes the one before the next round.
    pub(super) fn is_stable(&mut self, root: usize) -> bool {
        let stable = self.roots[root] == self.roots[root + 1];
        self.roots[root + 1] = self.roots[root];
        stable
    }

    /// Takes the set of the last round off the stack of roots.
    pub(super) fn take_stable(&mut self, root: usize) -> Node {
        let set = self.roots[root];
        self.roots.truncate(root);
        set
    }

    /// The closure of a set by plain rounds.
    pub(super) fn close_by_rounds(&mut self, transitions: &[Term], set: Node) -> Run<Node> {
        let root = self.roots.len();
        // What there is now, and what there was before this round: an id says nothing about a set that
        // is not alive.
        self.roots.extend([set, set]);
        loop {
            for &transition in transitions {
                let more = self.apply_term(transition, self.roots[root])?;
                self.roots[root] = self.unite(self.roots[root], more)?;
            }
            self.count_tick()?;
            if self.is_stable(root) {
                return Ok(self.take_stable(root));
            }
        }
    }
}
