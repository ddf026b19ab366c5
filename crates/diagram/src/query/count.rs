//! How many states a set holds.
//!
//! The count of a node is the sum over its arcs of the size of the label times the count of the
//! child. Nodes are counted from the leaves up, and a number is forgotten as soon as every node that
//! needs it has it: numbers are long, and a diagram of a hundred thousand levels has only few of them
//! in use at a time.

use rustc_hash::FxHashMap;

use super::{Count, Exactness};
use crate::algebra::{RANGE_MAX, RANGE_MIN};
use crate::memory::Diagram;
use crate::node::{Kind, Node, ONE, ZERO};
use crate::store::Store;

impl Store {
    /// The number of states of a set, exact as long as it has at most 2^20 bits.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let mut set = store.zero();
    /// for value in 0..10 {
    ///     let state = store.state(&[(0, value), (1, value % 3)])?;
    ///     set = store.union(&set, &state)?;
    /// }
    /// assert_eq!(store.count(&set).to_string(), "10");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn count(&self, set: &Diagram) -> Count {
        self.count_to(set, Exactness::default())
    }

    /// The number of states of a set. A number of more bits than `exactness` says is known by its
    /// logarithm. ⊤ counts as nothing.
    pub fn count_to(&self, set: &Diagram, exactness: Exactness) -> Count {
        let root = self.node_of(set);
        // How many arcs lead to a node, as child or as label.
        let mut uses: FxHashMap<Node, u32> = FxHashMap::default();
        self.visit(root, |node, _| self.each_operand(node, |operand| *uses.entry(operand).or_insert(0) += 1));

        let mut counts: FxHashMap<Node, Count> = FxHashMap::default();
        let mut open = vec![(root, false)];
        while let Some((node, ready)) = open.pop() {
            if counts.contains_key(&node) || node.is_terminal() {
                continue;
            }
            if !ready {
                open.push((node, true));
                self.each_operand(node, |operand| open.push((operand, false)));
                continue;
            }
            let count = self.count_node(node, &counts, &exactness);
            self.each_operand(node, |operand| {
                if let Some(uses) = uses.get_mut(&operand) {
                    *uses -= 1;
                    if *uses == 0 {
                        counts.remove(&operand);
                    }
                }
            });
            counts.insert(node, count);
        }
        count_of(root, &counts)
    }

    fn each_operand(&self, node: Node, mut see: impl FnMut(Node)) {
        let kind = self.nodes.kind(node);
        if kind == Kind::Data || kind == Kind::Set {
            for arc in self.nodes.arcs(node) {
                see(arc.child);
                if kind == Kind::Set {
                    see(arc.set_label());
                }
            }
        }
    }

    fn count_node(&self, node: Node, counts: &FxHashMap<Node, Count>, exactness: &Exactness) -> Count {
        let mut total = Count::zero();
        for arc in self.nodes.arcs(node) {
            match self.nodes.kind(node) {
                Kind::Data => total.add_assign(&count_of(arc.child, counts), exactness),
                Kind::Set => {
                    let label = count_of(arc.set_label(), counts);
                    total.add_assign(&label.mul(&count_of(arc.child, counts), exactness), exactness);
                }
                Kind::Ranges => {
                    let (low, high) = arc.ends();
                    let size = if low == RANGE_MIN || high == RANGE_MAX {
                        Count::infinite()
                    } else {
                        Count::from((i64::from(high) - i64::from(low) + 1) as u64)
                    };
                    total.add_assign(&size, exactness);
                }
                Kind::None => {}
            }
        }
        total
    }
}

fn count_of(node: Node, counts: &FxHashMap<Node, Count>) -> Count {
    match node {
        ONE => Count::one(),
        ZERO => Count::zero(),
        _ => counts.get(&node).cloned().unwrap_or_else(Count::zero),
    }
}
