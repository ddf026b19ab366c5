//! Refinement: cells are split until the vertices of each have the same edges to each cell.
//!
//! The edges of a vertex to a cell are summed up in one number, a sum of random weights of their labels. Where two sums
//! happen to be equal too little is split, which costs time and no correctness: sums and splits depend on nothing but
//! the structure of the graph, and automorphisms are checked before anyone sees them.

use std::collections::VecDeque;

use super::partition::Partition;
use crate::graph::ColouredGraph;

/// What happened during a refinement, as numbers that depend on the structure only: two refinements that an
/// automorphism maps to each other have the same.
#[derive(Default)]
pub(super) struct Trace {
    entries: Vec<u64>,
    /// How many entries have been compared; nothing if the trace is being recorded.
    compared: Option<usize>,
}

impl Trace {
    /// From now on the trace is compared, from the beginning.
    pub fn rewind(&mut self) {
        self.compared = Some(0);
    }

    /// Notes the next entry: whether it is as expected.
    fn note(&mut self, entry: u64) -> bool {
        let Some(compared) = &mut self.compared else {
            self.entries.push(entry);
            return true;
        };
        *compared += 1;
        self.entries.get(*compared - 1) == Some(&entry)
    }

    fn is_finished(&self) -> bool {
        self.compared.is_none_or(|compared| compared == self.entries.len())
    }
}

/// How a refinement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// No cell can be split any more.
    Stable,
    /// The trace is another than expected; the partition is somewhere on the way.
    Different,
    /// The budget is used up; the partition is somewhere on the way.
    Exhausted,
}

/// Refines partitions of the vertices of one graph.
pub(super) struct Refiner<'g> {
    graph: &'g ColouredGraph,
    /// A random number for each label.
    weights: Vec<u64>,
    /// The sum of the weights of each vertex's edges to the cell at hand.
    sums: Vec<u64>,
    /// How many vertices of each cell have such edges; these stand at the back of the cell.
    reached: Vec<u32>,
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// Operations left.
    pub budget: u64,
}

impl<'g> Refiner<'g> {
    pub fn new(graph: &'g ColouredGraph, budget: u64) -> Refiner<'g> {
        let count = graph.vertices();
        Refiner {
            graph,
            weights: (0..u64::from(graph.labels())).map(|label| scramble(label + 1)).collect(),
            sums: vec![0; count],
            reached: vec![0; count],
            queue: VecDeque::new(),
            is_queued: vec![false; count],
            budget,
        }
    }

    /// Takes operations from the budget: whether there were enough left.
    pub fn spend(&mut self, operations: usize) -> bool {
        let enough = self.budget >= operations as u64;
        self.budget = self.budget.saturating_sub(operations as u64);
        enough
    }

    /// Splits a partition that is stable but for some cells.
    pub fn refine(
        &mut self, partition: &mut Partition, cells: impl IntoIterator<Item = u32>, trace: &mut Trace,
    ) -> Outcome {
        cells.into_iter().for_each(|cell| self.enqueue(cell));
        let mut outcome = Outcome::Stable;
        while let Some(splitter) = self.queue.pop_front() {
            self.is_queued[splitter as usize] = false;
            if outcome == Outcome::Stable {
                outcome = self.split_by(partition, splitter, trace);
            }
        }
        match outcome {
            Outcome::Stable if !trace.is_finished() => Outcome::Different,
            outcome => outcome,
        }
    }

    fn enqueue(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.is_queued[cell as usize], true) {
            self.queue.push_back(cell);
        }
    }

    /// Splits all cells by their edges to one.
    fn split_by(&mut self, partition: &mut Partition, splitter: u32, trace: &mut Trace) -> Outcome {
        let graph = self.graph;
        let members: Vec<u32> = partition.members(splitter).to_vec();
        let mut cells = Vec::new();
        let mut work = members.len();
        for &member in &members {
            work += graph.edges(member).len();
            for &(vertex, label) in graph.edges(member) {
                let cell = partition.cell(vertex);
                let reached = &mut self.reached[cell as usize];
                if *reached == 0 {
                    cells.push(cell);
                }
                if *reached == 0 || !partition.is_at_back(vertex, *reached) {
                    *reached += 1;
                    partition.move_to_back(vertex, *reached);
                }
                let sum = &mut self.sums[vertex as usize];
                *sum = sum.wrapping_add(self.weights[label as usize]);
            }
        }
        cells.sort_unstable();
        let mut is_same = trace.note(u64::from(splitter) << 32 | cells.len() as u64);
        for cell in cells {
            let reached = std::mem::take(&mut self.reached[cell as usize]);
            let end = cell + partition.length(cell);
            if is_same {
                is_same = self.split_cell(partition, cell, reached, trace);
            }
            (end - reached..end).for_each(|position| self.sums[partition.at(position) as usize] = 0);
        }
        match (is_same, self.spend(work)) {
            (false, _) => Outcome::Different,
            (true, false) => Outcome::Exhausted,
            (true, true) => Outcome::Stable,
        }
    }

    /// Splits a cell by the sums of the vertices at its back: whether the trace is as expected.
    fn split_cell(&mut self, partition: &mut Partition, cell: u32, reached: u32, trace: &mut Trace) -> bool {
        let length = partition.length(cell);
        let back = &partition.members(cell)[(length - reached) as usize..];
        let is_even = back.windows(2).all(|pair| self.sums[pair[0] as usize] == self.sums[pair[1] as usize]);
        if !is_even {
            let sums = &self.sums;
            partition.sort_back(cell, reached, |vertex| sums[vertex as usize]);
        }
        // The parts, last one first, each with its length; what was not reached is the first part.
        let mut parts = Vec::new();
        let mut end = cell + length;
        let mut entry = scramble(u64::from(cell) << 32 | u64::from(reached));
        while end > cell + length - reached {
            let sum = self.sums[partition.at(end - 1) as usize];
            let first = if is_even {
                cell + length - reached
            } else {
                let row = &partition.members(cell)[(length - reached) as usize..(end - cell) as usize];
                cell + length - reached + row.partition_point(|&vertex| self.sums[vertex as usize] < sum) as u32
            };
            parts.push(end - first);
            entry = scramble(entry ^ sum).wrapping_add(u64::from(end - first));
            end = first;
        }
        if reached < length {
            parts.push(length - reached);
        }
        let is_same = trace.note(entry);
        if is_same && parts.len() > 1 {
            self.take_apart(partition, cell, &parts);
        }
        is_same
    }

    /// Makes cells of the parts of a cell, last one first, and enqueues them: all but the largest, if the cell was not
    /// in the queue itself, because its own edges are then known to be even.
    fn take_apart(&mut self, partition: &mut Partition, cell: u32, parts: &[u32]) {
        let was_queued = self.is_queued[cell as usize];
        let largest = parts.iter().copied().max().unwrap_or(0);
        let spared = if was_queued { None } else { parts.iter().position(|&part| part == largest) };
        for (index, &part) in parts.iter().enumerate() {
            let start = if index + 1 < parts.len() { partition.split(cell, part) } else { cell };
            if spared != Some(index) {
                self.enqueue(start);
            }
        }
    }
}

/// A number that looks random and depends on another.
fn scramble(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
