//! Making diagrams, and the operations of sets, as the user sees them.

use std::ops::{Bound, RangeBounds};

use crate::algebra::{RANGE_MAX, RANGE_MIN};
use crate::memory::{Diagram, Error, Run};
use crate::node::{Arc, Kind, Node, ONE, TOP, ZERO};
use crate::store::{Store, Variable};

/// # Making sets
impl Store {
    /// The empty set, 0.
    pub fn zero(&self) -> Diagram {
        self.diagram(ZERO)
    }

    /// The set that holds only the empty sequence, 1.
    pub fn one(&self) -> Diagram {
        self.diagram(ONE)
    }

    /// The undefined set, ⊤.
    pub fn top(&mut self) -> Diagram {
        let top = self.undefined();
        self.diagram(top)
    }

    /// The set that holds one sequence of assignments to data variables.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let state = store.state(&[(0, 5), (1, -2), (1, 7)])?;
    /// assert_eq!(store.count(&state).to_string(), "1");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn state(&mut self, assignments: &[(Variable, i32)]) -> Result<Diagram, Error> {
        let node = self.run(|store| {
            let mut node = ONE;
            for &(variable, value) in assignments.iter().rev() {
                let base = store.data.len();
                store.data.push(Arc::data(value, node));
                node = store.make_data(variable, base)?;
            }
            Ok(node)
        })?;
        Ok(self.diagram(node))
    }

    /// The set of many states, each a value for every one of the variables `0..variables`.
    ///
    /// `next` writes them one after the other, in ascending order, into the slice that holds the one before, and returns
    /// the first variable that may differ from there; nothing if there are no more. The result is ⊤ if one is less than
    /// the one before. Only nodes of the result are made, so this is much faster than a union of single states.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let mut rows = [[0, 1], [0, 2], [5, 1], [5, 2]].iter();
    /// let states = store.ascending(2, |row| {
    ///     row.copy_from_slice(rows.next()?);
    ///     Some(0)
    /// })?;
    /// assert_eq!(store.count(&states).to_string(), "4");
    /// assert_eq!(store.size(&states).nodes, 3); // one per variable, and 1
    /// # Ok::<(), Error>(())
    /// ```
    pub fn ascending(
        &mut self, variables: usize, mut next: impl FnMut(&mut [i32]) -> Option<usize>,
    ) -> Result<Diagram, Error> {
        let mut row = vec![0; variables];
        if next(&mut row).is_none() {
            return Ok(self.zero());
        }
        if variables == 0 {
            return Ok(self.one());
        }
        let node = self.run(|store| {
            // The arcs of the nodes on the way to the last row, level by level. Where those of a level begin:
            let mut begins = vec![store.data.len(); variables];
            let mut last = row.clone();
            store.data.push(Arc::data(last[variables - 1], ONE));
            while let Some(first) = next(&mut row) {
                let Some(level) = (first..variables).find(|&level| row[level] != last[level]) else { continue };
                if row[level] < last[level] {
                    store.data.truncate(begins[0]);
                    return Ok(store.undefined());
                }
                store.finish_levels(level, &begins, &last)?;
                begins[level + 1..].fill(store.data.len());
                store.data.push(Arc::data(row[variables - 1], ONE));
                last[level..].copy_from_slice(&row[level..]);
            }
            store.finish_levels(0, &begins, &last)?;
            store.make_data(0, begins[0])
        })?;
        Ok(self.diagram(node))
    }

    /// Makes the nodes below a level, and the arc of the level to them.
    fn finish_levels(&mut self, level: usize, begins: &[usize], values: &[i32]) -> Run<()> {
        for below in (level + 1..begins.len()).rev() {
            let node = self.make_data(below as Variable, begins[below])?;
            self.data.push(Arc::data(values[below - 1], node));
        }
        Ok(())
    }

    /// `variable = value`, followed by the sequences of `below`. A [set of integers](Store::integers)
    /// has no sequences, so the result is ⊤ if `below` is one.
    pub fn assign(&mut self, variable: Variable, value: i32, below: &Diagram) -> Result<Diagram, Error> {
        let below = self.node_of(below);
        let node = self.run(|store| {
            if store.nodes.kind(below) == Kind::Ranges {
                return Ok(store.undefined());
            }
            let base = store.data.len();
            if below != ZERO {
                store.data.push(Arc::data(value, below));
            }
            store.make_data(variable, base)
        })?;
        Ok(self.diagram(node))
    }

    /// `variable` with any state of `label`, followed by the sequences of `below`: an assignment to a
    /// variable that has structure of its own, or whose values are a set of integers.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let inner = store.state(&[(0, 1), (1, 2)])?;
    /// let one = store.one();
    /// let pair = store.assign_set(1, &inner, &one)?;
    /// let pair = store.assign_set(0, &inner, &pair)?;
    /// assert_eq!(store.count(&pair).to_string(), "1");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn assign_set(&mut self, variable: Variable, label: &Diagram, below: &Diagram) -> Result<Diagram, Error> {
        let (label, below) = (self.node_of(label), self.node_of(below));
        let node = self.run(|store| {
            if label == ZERO || below == ZERO {
                return Ok(ZERO);
            }
            if store.nodes.is_undefined(label) || store.nodes.kind(below) == Kind::Ranges {
                return Ok(store.undefined());
            }
            let base = store.pieces.len();
            store.pieces.push(Arc::set(label, below));
            store.make_set(variable, base)
        })?;
        Ok(self.diagram(node))
    }

    /// A set of integers, for [`Store::assign_set`]. An end that is left out is open: the set `..=5`
    /// holds all integers up to 5, however small.
    ///
    /// `i32::MIN` and `i32::MAX` cannot be ends of a range that has ends: given as such, they stand
    /// for the open end.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (low, high, all) = (store.integers(..0)?, store.integers(0..)?, store.integers(..)?);
    /// assert_eq!(store.union(&low, &high)?, all);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn integers(&mut self, range: impl RangeBounds<i32>) -> Result<Diagram, Error> {
        let low = match range.start_bound() {
            Bound::Included(&low) => Some(low),
            Bound::Excluded(&low) => low.checked_add(1),
            Bound::Unbounded => Some(RANGE_MIN),
        };
        let high = match range.end_bound() {
            Bound::Included(&high) => Some(high),
            Bound::Excluded(&high) => high.checked_sub(1),
            Bound::Unbounded => Some(RANGE_MAX),
        };
        let node = match (low, high) {
            (Some(low), Some(high)) => self.run(|store| store.ranges_of(vec![(low, high)]))?,
            _ => ZERO,
        };
        Ok(self.diagram(node))
    }
}

/// # Sets as sets
impl Store {
    fn binary(
        &mut self, a: &Diagram, b: &Diagram, operation: fn(&mut Store, Node, Node) -> Run<Node>,
    ) -> Result<Diagram, Error> {
        let (a, b) = (self.node_of(a), self.node_of(b));
        let node = self.run(|store| operation(store, a, b))?;
        Ok(self.diagram(node))
    }

    /// The union of two sets.
    ///
    /// Where one holds sequences that go on with a variable and the other sequences that end, or go
    /// on with another variable, after the same beginning, the union is not defined, and the result
    /// has ⊤ in that place: [`Store::undefined_at`] finds it.
    pub fn union(&mut self, a: &Diagram, b: &Diagram) -> Result<Diagram, Error> {
        self.binary(a, b, Store::unite)
    }

    /// The union of any number of sets, which is cheaper than one by one.
    pub fn union_of<'a>(&mut self, sets: impl IntoIterator<Item = &'a Diagram>) -> Result<Diagram, Error> {
        let nodes: Vec<Node> = sets.into_iter().map(|set| self.node_of(set)).collect();
        let node = self.run(|store| store.union_all(&nodes))?;
        Ok(self.diagram(node))
    }

    /// The intersection of two sets.
    pub fn intersection(&mut self, a: &Diagram, b: &Diagram) -> Result<Diagram, Error> {
        self.binary(a, b, Store::common)
    }

    /// What is in `a` and not in `b`.
    pub fn difference(&mut self, a: &Diagram, b: &Diagram) -> Result<Diagram, Error> {
        self.binary(a, b, Store::subtract)
    }

    /// Every sequence of `a` followed by every sequence of `b`.
    pub fn concatenation(&mut self, a: &Diagram, b: &Diagram) -> Result<Diagram, Error> {
        self.binary(a, b, Store::concatenate)
    }

    /// Whether all of `a` is in `b`.
    pub fn is_subset(&mut self, a: &Diagram, b: &Diagram) -> Result<bool, Error> {
        Ok(self.difference(a, b)?.is_empty())
    }

    /// Whether ⊤ occurs in the set: some union on the way to it was not defined.
    pub fn is_undefined(&self, set: &Diagram) -> bool {
        self.nodes.is_undefined(self.node_of(set))
    }

    /// Where a set is undefined: the variables on the way to one of its ⊤, each with the value taken
    /// there if it is a data variable; empty if the set as a whole is ⊤. `None` if the set is defined
    /// everywhere.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (short, long) = (store.state(&[(0, 5)])?, store.state(&[(0, 5), (1, 3)])?);
    /// let both = store.union(&short, &long)?;
    /// assert_eq!(store.undefined_at(&both), Some(vec![(0, Some(5))]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn undefined_at(&self, set: &Diagram) -> Option<Vec<(Variable, Option<i32>)>> {
        let mut node = self.node_of(set);
        if !self.nodes.is_undefined(node) {
            return None;
        }
        let mut path = Vec::new();
        while node != TOP {
            let variable = self.nodes.variable(node);
            let arc = self.nodes.arcs(node).iter().find(|arc| self.nodes.is_undefined(arc.child))?;
            path.push((variable, (self.nodes.kind(node) == Kind::Data).then(|| arc.value())));
            node = arc.child;
        }
        Some(path)
    }
}
