//! How large a diagram is.

use crate::memory::{Bits, Diagram};
use crate::node::{Kind, Node};
use crate::store::Store;

/// The size of a diagram: what is reachable from its root through children and labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Data and set nodes, sets of integers and terminals.
    pub nodes: usize,
    /// Arcs, and ranges of sets of integers.
    pub arcs: usize,
}

impl Store {
    /// How large a diagram is.
    pub fn size(&self, set: &Diagram) -> Size {
        let mut size = Size::default();
        self.visit(self.node_of(set), |_, arcs| {
            size.nodes += 1;
            size.arcs += arcs;
        });
        size
    }

    /// Calls `see` once for each node that is reachable, with its number of arcs.
    pub(crate) fn visit(&self, root: Node, mut see: impl FnMut(Node, usize)) {
        let mut seen = Bits::new(self.nodes.id_bound());
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if !seen.insert(node.index()) {
                continue;
            }
            let arcs = self.nodes.arcs(node);
            see(node, arcs.len());
            match self.nodes.kind(node) {
                Kind::Data => open.extend(arcs.iter().map(|arc| arc.child)),
                Kind::Set => open.extend(arcs.iter().flat_map(|arc| [arc.set_label(), arc.child])),
                Kind::Ranges | Kind::None => {}
            }
        }
    }
}
