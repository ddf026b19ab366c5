//! Sets of integers as ranges.
//!
//! The ends of a range are `i32`, and the two extreme values mean that there is no end:
//! `RANGE_MIN..=5` holds all integers up to 5, also those below `i32::MIN`.

use crate::hom::Map;
use crate::memory::Run;
use crate::node::{Arc, Node};
use crate::store::Store;

/// The low end of a range that has no low end.
pub(crate) const RANGE_MIN: i32 = i32::MIN;
/// The high end of a range that has no high end.
pub(crate) const RANGE_MAX: i32 = i32::MAX;

impl Store {
    /// Puts a range on the stack, joined with the one before it if there is no gap. Ranges come in
    /// the order of their low ends.
    pub(crate) fn push_range(&mut self, base: usize, low: i32, high: i32) {
        if self.data.len() > base {
            let last = self.data.len() - 1;
            let (before, end) = self.data[last].ends();
            if end == RANGE_MAX || low <= end + 1 {
                self.data[last] = Arc::range(before, end.max(high));
                return;
            }
        }
        self.data.push(Arc::range(low, high));
    }

    pub(super) fn union_ranges(&mut self, a: Node, b: Node) -> Run<Node> {
        let both = self.nodes.arcs(a).iter().chain(self.nodes.arcs(b));
        let ranges = both.map(|range| range.ends()).collect();
        self.ranges_of(ranges)
    }

    pub(super) fn intersect_ranges(&mut self, a: Node, b: Node) -> Run<Node> {
        let base = self.data.len();
        let (mut i, mut j) = (0, 0);
        while i < self.nodes.arc_count(a) && j < self.nodes.arc_count(b) {
            let ((low_a, high_a), (low_b, high_b)) = (self.nodes.arc(a, i).ends(), self.nodes.arc(b, j).ends());
            let (low, high) = (low_a.max(low_b), high_a.min(high_b));
            if low <= high {
                self.push_range(base, low, high);
            }
            if high_a < high_b {
                i += 1;
            } else {
                j += 1;
            }
        }
        self.make_ranges(base)
    }

    pub(super) fn difference_ranges(&mut self, a: Node, b: Node) -> Run<Node> {
        let base = self.data.len();
        let mut j = 0;
        for i in 0..self.nodes.arc_count(a) {
            let (mut low, high) = self.nodes.arc(a, i).ends();
            let mut over = false;
            while j < self.nodes.arc_count(b) {
                let (start, end) = self.nodes.arc(b, j).ends();
                if start > high {
                    break;
                }
                if end >= low {
                    if start > low {
                        self.push_range(base, low, start - 1);
                    }
                    if end >= high {
                        over = true;
                        break;
                    }
                    low = end + 1;
                }
                j += 1;
            }
            if !over {
                self.push_range(base, low, high);
            }
        }
        self.make_ranges(base)
    }

    /// What a value map makes of a set of integers. An end that is open stays open; the ends of a
    /// range that has both must not leave the `i32`.
    pub(crate) fn map_ranges(&mut self, map: &Map, set: Node) -> Run<Node> {
        let mut ranges: Vec<(i32, i32)> = Vec::new();
        for i in 0..self.nodes.arc_count(set) {
            let (from, to) = self.nodes.arc(set, i).ends();
            match *map {
                Map::Add { low, high, delta } => {
                    let (from, to) = (from.max(low), to.min(high));
                    if from > to {
                        continue;
                    }
                    // A sum that falls on an extreme would read as an open end.
                    let closed = |end: &i32| *end != RANGE_MIN && *end != RANGE_MAX;
                    let shift = |end: i32, open: i32| match end {
                        _ if end == open => Some(open),
                        _ => end.checked_add(delta).filter(closed),
                    };
                    match (shift(from, RANGE_MIN), shift(to, RANGE_MAX)) {
                        (Some(from), Some(to)) => ranges.push((from, to)),
                        _ => return Ok(self.undefined()),
                    }
                }
                Map::Assign { low, high, value } => {
                    if from.max(low) <= to.min(high) {
                        ranges.push((value, value));
                    }
                }
                Map::Relation(ref pairs) => {
                    let images = pairs.iter().filter(|pair| (from..=to).contains(&pair.0));
                    ranges.extend(images.map(|pair| (pair.1, pair.1)));
                }
            }
        }
        // Nor is there a way to say one of the extremes alone.
        if ranges.iter().any(|&(low, high)| low == high && (low == RANGE_MIN || low == RANGE_MAX)) {
            return Ok(self.undefined());
        }
        self.ranges_of(ranges)
    }

    /// The set of integers in any of these ranges.
    pub(crate) fn ranges_of(&mut self, mut ranges: Vec<(i32, i32)>) -> Run<Node> {
        ranges.sort_unstable();
        let base = self.data.len();
        for (low, high) in ranges {
            if low <= high {
                self.push_range(base, low, high);
            }
        }
        self.make_ranges(base)
    }
}
