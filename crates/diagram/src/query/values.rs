//! What a variable can be.

use std::collections::BTreeSet;

use super::Value;
use super::walk::ranges_of;
use crate::memory::{Bits, Diagram, Error};
use crate::node::{Arc, Kind, Node};
use crate::store::{Store, Variable};

impl Store {
    /// All values that a data variable has anywhere in the states of a set. Only its assignments at
    /// the outermost level count, not those inside the values of other variables.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (a, b) = (store.state(&[(0, 5), (1, 3)])?, store.state(&[(0, 6), (1, 2)])?);
    /// let set = store.union(&a, &b)?;
    /// assert!(store.values(&set, 1).into_iter().eq([2, 3]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn values(&self, set: &Diagram, variable: Variable) -> BTreeSet<i32> {
        let mut values = BTreeSet::new();
        self.each_arc(self.node_of(set), Kind::Data, variable, |arc| {
            values.insert(arc.value());
        });
        values
    }

    /// The union of all values that a set variable has anywhere in the states of a set: a set of
    /// states, or of integers. Only its assignments at the outermost level count.
    ///
    /// If the variable has values of different form in different places, the union has ⊤ in it.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (small, large, one) = (store.integers(0..3)?, store.integers(3..9)?, store.one());
    /// let below = store.assign_set(1, &large, &one)?;
    /// let set = store.assign_set(1, &small, &below)?;
    /// assert_eq!(store.labels(&set, 1)?, store.integers(0..9)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn labels(&mut self, set: &Diagram, variable: Variable) -> Result<Diagram, Error> {
        let mut labels = Vec::new();
        self.each_arc(self.node_of(set), Kind::Set, variable, |arc| labels.push(arc.set_label()));
        let node = self.run(|store| store.union_all(&labels))?;
        Ok(self.diagram(node))
    }

    /// The ranges of a set of integers, in ascending order and with gaps between them; nothing for a
    /// set of states.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, Value};
    /// let mut store = Store::new();
    /// let (low, high) = (store.integers(..0)?, store.integers(3..=5)?);
    /// let set = store.union(&low, &high)?;
    /// let ranges = [Value::Range { low: None, high: Some(-1) }, Value::Range { low: Some(3), high: Some(5) }];
    /// assert!(store.ranges(&set).eq(ranges));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn ranges(&self, set: &Diagram) -> impl Iterator<Item = Value<'static>> {
        let ranges = ranges_of(&self.nodes, self.node_of(set));
        ranges.iter().map(|range| range.ends()).map(|(low, high)| Value::range(low, high))
    }

    /// Calls `see` for the arcs of all nodes of this kind with this variable at the outermost level,
    /// where a state takes them.
    fn each_arc(&self, root: Node, kind: Kind, variable: Variable, mut see: impl FnMut(Arc)) {
        let alive = self.alive(root);
        let mut seen = Bits::new(self.nodes.id_bound());
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if !matches!(self.nodes.kind(node), Kind::Data | Kind::Set) || !seen.insert(node.index()) {
                continue;
            }
            let here = self.nodes.kind(node) == kind && self.nodes.variable(node) == variable;
            for arc in self.nodes.arcs(node).iter().filter(|arc| alive.contains(arc.child)) {
                open.push(arc.child);
                if here {
                    see(*arc);
                }
            }
        }
    }
}
