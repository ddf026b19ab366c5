//! From where to where the values of all variables go.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::memory::{Bits, Diagram};
use crate::node::{Kind, Node};
use crate::store::{Store, Variable};

/// What a variable is, somewhere in some sets.
#[derive(Clone, Debug, Default)]
pub struct Extent {
    /// The least and the greatest integer.
    pub integers: Option<(i32, i32)>,
    /// Its labels, each once.
    pub labels: Vec<Diagram>,
}

impl Store {
    /// What each variable is in the states of some sets, at their outermost level: all of them in one walk.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (a, b) = (store.state(&[(0, 5), (1, 3)])?, store.state(&[(0, 6), (1, -2)])?);
    /// let extents = store.extents([&a, &b]);
    /// assert_eq!(extents[&1].integers, Some((-2, 3)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn extents<'a>(&self, sets: impl IntoIterator<Item = &'a Diagram>) -> BTreeMap<Variable, Extent> {
        let mut integers: BTreeMap<Variable, (i32, i32)> = BTreeMap::new();
        let mut labels: BTreeMap<Variable, FxHashSet<Node>> = BTreeMap::new();
        let mut seen = Bits::new(self.nodes.id_bound());
        for set in sets {
            let root = self.node_of(set);
            let alive = self.alive(root);
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                let kind = self.nodes.kind(node);
                if !matches!(kind, Kind::Data | Kind::Set) || !seen.insert(node.index()) {
                    continue;
                }
                let variable = self.nodes.variable(node);
                for arc in self.nodes.arcs(node).iter().filter(|arc| alive.contains(arc.child)) {
                    open.push(arc.child);
                    if kind == Kind::Set {
                        labels.entry(variable).or_default().insert(arc.set_label());
                    } else {
                        let value = arc.value();
                        let extent = integers.entry(variable).or_insert((value, value));
                        *extent = (extent.0.min(value), extent.1.max(value));
                    }
                }
            }
        }
        let mut extents: BTreeMap<Variable, Extent> = BTreeMap::new();
        for (variable, range) in integers {
            extents.entry(variable).or_default().integers = Some(range);
        }
        for (variable, nodes) in labels {
            let mut nodes: Vec<Node> = nodes.into_iter().collect();
            nodes.sort_unstable_by_key(|node| node.index());
            extents.entry(variable).or_default().labels = nodes.into_iter().map(|node| self.diagram(node)).collect();
        }
        extents
    }
}
