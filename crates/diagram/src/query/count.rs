//! How many states a set holds.
//!
//! The count of a node is the sum over its arcs of the size of the label times the count of the
//! child. Nodes are counted from the leaves up, and a number is forgotten as soon as every node that
//! needs it has it: numbers are long, and a diagram of a hundred thousand levels has only few of them
//! in use at a time.

use super::{Count, Exactness};
use crate::algebra::{RANGE_MAX, RANGE_MIN};
use crate::memory::Diagram;
use crate::node::{Kind, Node, ONE};
use crate::store::Store;

impl Store {
    /// The number of states of a set, exact as long as it has at most 2^20 bits. ⊤ counts as nothing: if
    /// a count is smaller than expected, ask [`Store::is_undefined`].
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
        let mut numbers = Numbers::new(self.nodes.id_bound());
        self.visit(root, |node, _| self.each_operand(node, |operand| numbers.uses[operand.index()] += 1));
        let mut open = Vec::new();
        if !root.is_terminal() {
            open.push((root, false));
        }
        while let Some((node, ready)) = open.pop() {
            if numbers.place[node.index()] != NOWHERE {
                continue;
            }
            if !ready {
                open.push((node, true));
                self.each_operand(node, |operand| {
                    if !operand.is_terminal() && numbers.place[operand.index()] == NOWHERE {
                        open.push((operand, false));
                    }
                });
                continue;
            }
            let count = self.count_node(node, |operand| numbers.get(operand), &exactness);
            self.each_operand(node, |operand| numbers.used_once(operand));
            numbers.put(node, count);
        }
        numbers.get(root).clone()
    }

    /// The children of a node and the sets that are its labels.
    pub(super) fn each_operand(&self, node: Node, mut see: impl FnMut(Node)) {
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

    /// How many integers a set of integers has.
    pub(super) fn count_of_ranges(&self, node: Node) -> Count {
        let none = Numbers::new(0);
        self.count_node(node, |operand| none.get(operand), &Exactness::default())
    }

    /// The count of a node, by those of its children and labels.
    pub(super) fn count_node<'c>(
        &self, node: Node, number: impl Fn(Node) -> &'c Count, exactness: &Exactness,
    ) -> Count {
        let mut total = Count::zero();
        for arc in self.nodes.arcs(node) {
            match self.nodes.kind(node) {
                Kind::Data => total.add_assign(number(arc.child), exactness),
                Kind::Set => {
                    let label = number(arc.set_label());
                    total.add_assign(&label.mul(number(arc.child), exactness), exactness);
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

/// The counts of the nodes that are still needed.
struct Numbers {
    /// How many arcs still need a node's count, as child or as label.
    uses: Vec<u32>,
    /// Where a node's count is; a node that was counted and is needed no more stays where it was.
    place: Vec<u32>,
    counts: Vec<Count>,
    free: Vec<u32>,
    zero: Count,
    one: Count,
}

const NOWHERE: u32 = u32::MAX;

impl Numbers {
    fn new(nodes: usize) -> Numbers {
        Numbers {
            uses: vec![0; nodes],
            place: vec![NOWHERE; nodes],
            counts: Vec::new(),
            free: Vec::new(),
            zero: Count::zero(),
            one: Count::one(),
        }
    }

    fn get(&self, node: Node) -> &Count {
        match node {
            ONE => &self.one,
            _ if node.is_terminal() => &self.zero,
            _ => &self.counts[self.place[node.index()] as usize],
        }
    }

    fn put(&mut self, node: Node, count: Count) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.counts.push(Count::zero());
            (self.counts.len() - 1) as u32
        });
        self.counts[place as usize] = count;
        self.place[node.index()] = place;
    }

    fn used_once(&mut self, node: Node) {
        self.uses[node.index()] -= 1;
        if self.uses[node.index()] == 0 && !node.is_terminal() {
            let place = self.place[node.index()];
            self.counts[place as usize] = Count::zero();
            self.free.push(place);
        }
    }
}
