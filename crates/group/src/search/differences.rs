//! Where two partitions differ.

use super::partition::Partition;

/// A set of vertices with a list of its members.
struct Members {
    list: Vec<u32>,
    /// Where each vertex is in the list.
    index: Vec<u32>,
}

/// Not in the list.
const ABSENT: u32 = u32::MAX;

impl Members {
    fn new(vertices: usize) -> Members {
        Members { list: Vec::new(), index: vec![ABSENT; vertices] }
    }

    fn set(&mut self, vertex: u32, is_member: bool) {
        let index = self.index[vertex as usize];
        if is_member && index == ABSENT {
            self.index[vertex as usize] = self.list.len() as u32;
            self.list.push(vertex);
        } else if !is_member && index != ABSENT {
            self.list.swap_remove(index as usize);
            if let Some(&moved) = self.list.get(index as usize) {
                self.index[moved as usize] = index;
            }
            self.index[vertex as usize] = ABSENT;
        }
    }
}

/// The vertices that are in different cells of two partitions.
pub(super) struct Differences {
    all: Members,
    /// Those that are not alone on the left.
    open: Members,
    changed: Vec<u32>,
}

impl Differences {
    pub fn new(vertices: usize) -> Differences {
        Differences { all: Members::new(vertices), open: Members::new(vertices), changed: Vec::new() }
    }

    /// Looks again at what has changed in the partitions.
    pub fn update(&mut self, left: &mut Partition, right: &mut Partition) {
        left.take_changed(&mut self.changed);
        right.take_changed(&mut self.changed);
        for &vertex in &self.changed {
            let cell = left.cell(vertex);
            let differs = cell != right.cell(vertex);
            self.all.set(vertex, differs);
            self.open.set(vertex, differs && left.length(cell) > 1);
        }
        self.changed.clear();
    }

    /// The vertices that are in different cells.
    pub fn all(&self) -> &[u32] {
        &self.all.list
    }

    /// One that is not alone on the left, if there is one.
    pub fn some_open(&self) -> Option<u32> {
        self.open.list.first().copied()
    }
}
