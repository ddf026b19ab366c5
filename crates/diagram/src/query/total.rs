//! How many states many homomorphisms leave together, without making what each of them leaves.
//!
//! The guards of a net's transitions each look at a few variables. What one of them leaves of a set shares nothing with the
//! set above the first of these, so making it costs as many nodes as lie above, for each guard: the square of the size of the
//! net. But above that variable all that matters is how often a node is reached. So the total of a node is what the
//! homomorphisms that begin at its variable leave of it, and for those that begin further down the sum over its arcs of the
//! size of the label times the total of the child. Each homomorphism is applied to the nodes of one variable only.

use rustc_hash::FxHashMap;

use super::{Count, Exactness};
use crate::hom::Term;
use crate::memory::{Diagram, Error, Hom};
use crate::node::{Kind, Node, ONE};
use crate::store::{Store, Variable};

/// With more memory than this for the numbers of all nodes, or than this part of the limit, each homomorphism is applied to the
/// whole set.
const MOST_BYTES: usize = 1 << 28;
const PART_OF_LIMIT: usize = 8;

/// What a number takes besides its bits.
const BYTES_OF_NUMBER: f64 = 64.0;

impl Store {
    /// The sum of the numbers of states of what homomorphisms make of a set, each times its number.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, ValueMap};
    /// let mut store = Store::new();
    /// let mut set = store.zero();
    /// for (x, y) in [(0, 0), (0, 1), (1, 1), (1, 2)] {
    ///     let state = store.state(&[(0, x), (1, y)])?;
    ///     set = store.union(&set, &state)?;
    /// }
    /// let (first, second) = (store.value(0, ValueMap::equal(1)), store.value(1, ValueMap::at_least(1)));
    /// assert_eq!(store.total(&[(first, 1), (second, 2)], &set)?.to_string(), "8");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn total(&mut self, homs: &[(Hom, u64)], set: &Diagram) -> Result<Count, Error> {
        let root = self.node_of(set);
        match self.levels(root).filter(|levels| self.is_little(levels, set)) {
            Some(levels) => self.total_by_levels(homs, root, &levels),
            None => self.total_one_by_one(homs, set),
        }
    }

    fn total_one_by_one(&mut self, homs: &[(Hom, u64)], set: &Diagram) -> Result<Count, Error> {
        let mut total = Count::zero();
        for (hom, times) in homs {
            let left = self.apply(hom, set)?;
            add_times(&mut total, &self.count(&left), *times);
        }
        Ok(total)
    }

    /// Whether the numbers of all nodes take little memory.
    fn is_little(&self, levels: &[Level], set: &Diagram) -> bool {
        const BITS_OF_DIGIT: f64 = 3.33;
        let nodes: usize = levels.iter().map(|level| level.nodes.len()).sum();
        let digits = self.count(set).log10().and_then(super::Log10::to_f64).unwrap_or(0.0);
        let limit = self.limits().memory.map_or(MOST_BYTES, |bytes| bytes / PART_OF_LIMIT);
        nodes as f64 * (BYTES_OF_NUMBER + digits * BITS_OF_DIGIT / 8.0) <= limit.min(MOST_BYTES) as f64
    }

    /// The nodes of a set by the number of variables above them; nothing if there are different variables at one level.
    fn levels(&self, root: Node) -> Option<Vec<Level>> {
        let mut levels = Vec::new();
        let mut nodes = vec![root];
        nodes.retain(|node| !node.is_terminal());
        while let Some(&first) = nodes.first() {
            let variable = self.nodes.variable(first);
            if nodes.iter().any(|&node| self.nodes.variable(node) != variable) {
                return None;
            }
            let children = nodes.iter().flat_map(|&node| self.nodes.arcs(node)).map(|arc| arc.child);
            let mut below: Vec<Node> = children.filter(|child| !child.is_terminal()).collect();
            below.sort_unstable();
            below.dedup();
            levels.push(Level { variable, nodes });
            nodes = below;
        }
        Some(levels)
    }

    fn total_by_levels(&mut self, homs: &[(Hom, u64)], root: Node, levels: &[Level]) -> Result<Count, Error> {
        let exactness = Exactness::default();
        let is_ascending = levels.windows(2).all(|pair| pair[0].variable < pair[1].variable);
        let mut beginning: Vec<Vec<usize>> = vec![Vec::new(); levels.len() + 1];
        for (index, (hom, _)) in homs.iter().enumerate() {
            let term = self.term_of(hom);
            let of_chain = self.terms.head(term).filter(|_| is_ascending);
            // A chain is sorted by variable.
            let first = of_chain.and_then(|head| levels.binary_search_by_key(&head, |level| level.variable).ok());
            beginning[first.unwrap_or_else(|| self.first_touched(term, levels))].push(index);
        }
        let mut counts = Counts::new();
        self.count_into(root, None, &mut counts);
        let mut below: FxHashMap<Node, Count> = FxHashMap::default();
        for (level, beginning) in levels.iter().zip(&beginning).rev() {
            let mut totals = FxHashMap::default();
            for &node in &level.nodes {
                let mut total = Count::zero();
                for arc in self.nodes.arcs(node) {
                    match (below.get(&arc.child), self.nodes.kind(node)) {
                        (Some(more), Kind::Set) => {
                            total.add_assign(&counts.get(arc.set_label()).mul(more, &exactness), &exactness);
                        }
                        (Some(more), _) => total.add_assign(more, &exactness),
                        (None, _) => {}
                    }
                }
                for (hom, times) in beginning.iter().map(|&index| &homs[index]) {
                    // Nodes of the set stay where they are as long as there is a handle of it. Those of what is left may
                    // be other nodes after the next one, so they are counted at once.
                    let left = self.apply(hom, &self.diagram(node))?;
                    let left = self.node_of(&left);
                    let mut fresh = Counts::new();
                    self.count_into(left, Some(&counts), &mut fresh);
                    add_times(&mut total, counts.known(left).unwrap_or_else(|| fresh.get(left)), *times);
                }
                totals.insert(node, total);
            }
            below = totals;
        }
        let mut total = below.remove(&root).unwrap_or_else(Count::zero);
        // Those that pass by all variables.
        let passing: Vec<(Hom, u64)> = beginning[levels.len()].iter().map(|&index| homs[index].clone()).collect();
        let rest = self.total_one_by_one(&passing, &self.diagram(root))?;
        total.add_assign(&rest, &exactness);
        Ok(total)
    }

    /// The first level that a homomorphism does not pass by; how many levels there are if it passes by all.
    fn first_touched(&self, term: Term, levels: &[Level]) -> usize {
        levels.iter().position(|level| !self.skips(term, level.variable)).unwrap_or(levels.len())
    }

    /// The numbers of states of a node and of all nodes below it and inside its labels that are not known yet.
    fn count_into(&self, root: Node, known: Option<&Counts>, found: &mut Counts) {
        let get = |node: Node| known.and_then(|known| known.known(node));
        let mut open = vec![(root, false)];
        while let Some((node, ready)) = open.pop() {
            if found.known(node).or(get(node)).is_some() {
                continue;
            }
            if !ready {
                open.push((node, true));
                self.each_operand(node, |operand| open.push((operand, false)));
                continue;
            }
            let numbers = |operand| get(operand).unwrap_or_else(|| found.get(operand));
            let count = self.count_node(node, numbers, &Exactness::default());
            found.numbers.insert(node, count);
        }
    }
}

/// The nodes with as many variables above them.
struct Level {
    variable: Variable,
    nodes: Vec<Node>,
}

/// The numbers of states of nodes.
struct Counts {
    numbers: FxHashMap<Node, Count>,
    zero: Count,
    one: Count,
}

impl Counts {
    fn new() -> Counts {
        Counts { numbers: FxHashMap::default(), zero: Count::zero(), one: Count::one() }
    }

    fn known(&self, node: Node) -> Option<&Count> {
        match node {
            ONE => Some(&self.one),
            _ if node.is_terminal() => Some(&self.zero),
            _ => self.numbers.get(&node),
        }
    }

    /// The number of a node that was counted.
    fn get(&self, node: Node) -> &Count {
        self.known(node).unwrap_or(&self.zero)
    }
}

fn add_times(total: &mut Count, count: &Count, times: u64) {
    let exactness = Exactness::default();
    match times {
        1 => total.add_assign(count, &exactness),
        _ => total.add_assign(&count.mul(&Count::from(times), &exactness), &exactness),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hom::ValueMap;

    /// Sets of data and of sets, and of sequences of different lengths, against applying and counting each homomorphism.
    #[test]
    fn what_is_left_adds_up() -> Result<(), Error> {
        let mut store = Store::new();
        let mut seed = 1u32;
        let mut random = move |bound: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % bound
        };
        for round in 0..300 {
            store.collect_at_every(1 + round % 7);
            let is_nested = random(2) == 1;
            let mut set = store.zero();
            for _ in 0..1 + random(12) {
                let length = 3 + u32::from(round % 5 == 0 && random(2) == 0);
                let values: Vec<(u32, i32)> = (0..length).map(|variable| (variable, random(3) as i32)).collect();
                let mut state = store.state(&values)?;
                if is_nested {
                    let label = store.state(&[(0, random(3) as i32), (1, random(3) as i32)])?;
                    let below = store.one();
                    let inside = store.assign_set(7, &label, &below)?;
                    state = store.concatenation(&state, &inside)?;
                }
                set = store.union(&set, &state)?;
            }
            let mut homs = Vec::new();
            for _ in 0..random(8) {
                let mut parts = Vec::new();
                for _ in 0..random(3) {
                    parts.push(store.value(random(4), ValueMap::at_least(random(3) as i32)));
                }
                if is_nested && random(2) == 0 {
                    let inside = store.value(random(2), ValueMap::equal(random(3) as i32));
                    parts.push(store.local(7, &inside));
                }
                let hom = store.sequence(&parts);
                homs.push((hom, u64::from(1 + random(3))));
            }
            let expected = store.total_one_by_one(&homs, &set)?;
            assert_eq!(store.total(&homs, &set)?, expected, "round {round}");
        }
        Ok(())
    }
}
