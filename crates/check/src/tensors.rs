//! Symbolic markings as tensors, within limits.

use mandala_diagram::{Count, Store};
use mandala_model::coloured::ColouredNet;
use mandala_model::coloured::cells::ClassCells;
use mandala_symbolic::tensors::{self, CannotTensor, Tensors};

use crate::limits::Limits;

/// The symbolic markings of a coloured net that were found as tensors.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many words there are.
    pub count: Count,
    /// Whether there is one for each symbolic marking; otherwise there may be several.
    pub is_unique: bool,
    /// How many ordinary markings they stand for, if there is one word for each symbolic marking.
    pub ordinary: Option<Count>,
    /// The static subclasses of the classes whose colours are exchanged.
    pub cells: Vec<ClassCells>,
    /// The size of their diagram.
    pub nodes: usize,
    /// The most nodes at a time.
    pub peak_nodes: usize,
    /// The most bytes at a time.
    pub peak_bytes: usize,
}

/// Finds all symbolic markings of a net as tensors.
pub fn explore(net: &ColouredNet, limits: &Limits) -> Result<Found, CannotTensor> {
    let mut store = Store::new();
    limits.apply(&mut store, None);
    let found = tensors::explore(net, &mut store)?;
    let nodes = store.size(&found.markings).nodes;
    let statistics = store.statistics();
    let (peak_nodes, peak_bytes) = (statistics.peak_nodes, statistics.peak_bytes);
    let Tensors { count, is_unique, ordinary, cells, .. } = found;
    Ok(Found { count, is_unique, ordinary, cells, nodes, peak_nodes, peak_bytes })
}
