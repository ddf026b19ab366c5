//! The states of a set as products of ranges.

use std::ops::ControlFlow;

use super::walk::ranges_of;
use crate::memory::Diagram;
use crate::node::{Kind, Node, ONE};
use crate::store::{Store, Variable};

impl Store {
    /// Visits the states of a set in disjoint *boxes*, until the visitor breaks off: for each variable, in the order in which
    /// they come, the least and the greatest of its values. A data variable has one value in a box; one whose values are
    /// [sets of integers](Store::integers) has a whole range.
    ///
    /// There may be far fewer boxes than states, and there are never more. Variables whose values have structure, ends of
    /// ranges that are open, and ⊤ are passed by.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// # use std::ops::ControlFlow;
    /// let mut store = Store::new();
    /// let (many, one) = (store.integers(1..=1000)?, store.one());
    /// let below = store.assign_set(1, &many, &one)?;
    /// let set = store.assign(0, 7, &below)?;
    /// let mut boxes = Vec::new();
    /// let _ = store.boxes(&set, |found| {
    ///     boxes.push(found.to_vec());
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(boxes, [[(0, 7, 7), (1, 1, 1000)]]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn boxes(
        &self, set: &Diagram, mut visit: impl FnMut(&[(Variable, i32, i32)]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // What is left of the nodes on the way: which arc, and which range of its label.
        let mut way: Vec<(Node, usize, usize)> = Vec::new();
        let mut found: Vec<(Variable, i32, i32)> = Vec::new();
        let mut node = self.node_of(set);
        loop {
            if node == ONE {
                visit(&found)?;
            } else if matches!(self.nodes.kind(node), Kind::Data | Kind::Set) {
                way.push((node, 0, 0));
                found.push((self.nodes.variable(node), 0, 0));
            }
            // The next range of the last node that has one.
            node = loop {
                let Some((last, arc, range)) = way.last_mut() else { return ControlFlow::Continue(()) };
                let Some(&next) = self.nodes.arcs(*last).get(*arc) else {
                    way.pop();
                    found.pop();
                    continue;
                };
                let here = match self.nodes.kind(*last) {
                    Kind::Data => (*range == 0).then(|| (next.value(), next.value())),
                    _ => ranges_of(&self.nodes, next.set_label()).get(*range).map(|range| range.ends()),
                };
                match (here, found.last_mut()) {
                    (Some((low, high)), Some(place)) => {
                        *range += 1;
                        (place.1, place.2) = (low, high);
                        break next.child;
                    }
                    _ => (*arc, *range) = (*arc + 1, 0),
                }
            };
        }
    }
}
