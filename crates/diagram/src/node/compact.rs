//! Sweeping: ids that are not marked become free, and the arcs of the living move together.
//!
//! The arcs lie in the order in which nodes were made, which is not the order of ids once ids are
//! used again. To slide them in place without a second copy, each living node leaves its id in the
//! label of its first arc and keeps that label in its header meanwhile; one bit per arc says where a
//! living node's arcs begin.

use super::table::{Header, NO_FREE, Nodes};
use super::{Kind, Node, TOP};
use crate::memory::Bits;

impl Nodes {
    /// Frees every node that is not marked. Ids of the others stay.
    pub(crate) fn sweep(&mut self, marked: &Bits) {
        let mut starts = Bits::new(self.arcs.len());
        self.free = NO_FREE;
        self.used = TOP.index() + 1;
        for id in (TOP.index() + 1..self.headers.len()).rev() {
            let header = &mut self.headers[id];
            if header.kind() != Kind::None && marked.contains(id) {
                self.used += 1;
                let first = header.first as usize;
                starts.insert(first);
                header.first = self.arcs[first].label;
                self.arcs[first].label = id as u32;
            } else {
                *header = Header::new(Kind::None, 0, 0, 0, false);
                header.first = self.free;
                self.free = id as u32;
            }
        }
        let mut end = 0;
        for start in starts.iter() {
            let id = Node(self.arcs[start].label);
            let header = &mut self.headers[id.index()];
            self.arcs[start].label = header.first;
            header.first = end as u32;
            let count = header.count();
            self.arcs.copy_within(start..start + count, end);
            end += count;
        }
        self.arcs.truncate(end);
        self.table.fill(0);
        self.fill_table();
    }
}
