//! Which variable is in which event, both ways, each pair once.

use super::{Connections, Event};

/// Lists of numbers, one after the other in one piece of memory.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    starts: Vec<usize>,
    entries: Vec<u32>,
}

impl Rows {
    /// Each list sorted, without repetition and without what is not below `bound`.
    pub fn new<'a, L: IntoIterator<Item = &'a u32>>(lists: impl Iterator<Item = L>, bound: usize) -> Rows {
        let mut rows = Rows { starts: vec![0], entries: Vec::new() };
        let mut row = Vec::new();
        for list in lists {
            row.clear();
            row.extend(list.into_iter().copied().filter(|&entry| (entry as usize) < bound));
            row.sort_unstable();
            row.dedup();
            rows.entries.extend_from_slice(&row);
            rows.starts.push(rows.entries.len());
        }
        rows
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many numbers all lists hold together.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// One list.
    pub fn row(&self, index: u32) -> &[u32] {
        let index = index as usize;
        &self.entries[self.starts[index]..self.starts[index + 1]]
    }

    /// All lists.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.entries[ends[0]..ends[1]])
    }

    /// For each number below `bound` the lists that hold it, ascending.
    pub fn transposed(&self, bound: usize) -> Rows {
        let mut starts = vec![0; bound + 1];
        for &entry in &self.entries {
            starts[entry as usize + 1] += 1;
        }
        for index in 0..bound {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; self.entries.len()];
        for (index, row) in (0u32..).zip(self.iter()) {
            for &entry in row {
                entries[next[entry as usize]] = index;
                next[entry as usize] += 1;
            }
        }
        Rows { starts, entries }
    }
}

/// The variables of each event and the events of each variable.
#[derive(Clone, Debug)]
pub(super) struct Incidence {
    pub variables: usize,
    pub events: Rows,
    pub of_variable: Rows,
}

impl Incidence {
    /// A variable is in an event if it is in any of its lists.
    pub fn whole(connections: &Connections) -> Incidence {
        Incidence::of(connections, |event| [&event.takes, &event.puts, &event.reads])
    }

    /// What the event takes from. To read is to take and to put back, as a net without read arcs would have it.
    pub fn inputs(connections: &Connections) -> Incidence {
        Incidence::of(connections, |event| [&event.takes, &event.reads, &[]])
    }

    /// What the event puts to, as [`Incidence::inputs`].
    pub fn outputs(connections: &Connections) -> Incidence {
        Incidence::of(connections, |event| [&event.puts, &event.reads, &[]])
    }

    fn of<'a>(connections: &'a Connections, lists: impl Fn(&'a Event) -> [&'a [u32]; 3]) -> Incidence {
        let variables = connections.variables;
        let events = Rows::new(connections.events.iter().map(|event| lists(event).into_iter().flatten()), variables);
        Incidence::new(variables, events)
    }

    /// From the variables of each event.
    pub fn new(variables: usize, events: Rows) -> Incidence {
        let of_variable = events.transposed(variables);
        Incidence { variables, events, of_variable }
    }

    /// All variables, ascending.
    pub fn all(&self) -> impl Iterator<Item = u32> + use<> {
        (0u32..).take(self.variables)
    }

    /// How many others each variable shares an event with. Where counting would take more than linear time by far, the
    /// sum over the events instead, which is never less.
    pub fn degrees(&self) -> Vec<u64> {
        const AFFORDABLE: u64 = 50_000_000;
        let pairs = |event: &[u32]| (event.len() as u64).saturating_mul(event.len() as u64);
        let work = self.events.iter().map(pairs).fold(0, u64::saturating_add);
        if work > AFFORDABLE { self.summed_degrees() } else { self.counted_degrees() }
    }

    fn summed_degrees(&self) -> Vec<u64> {
        let others = |&event: &u32| self.events.row(event).len() as u64 - 1;
        self.of_variable.iter().map(|events| events.iter().map(others).sum()).collect()
    }

    fn counted_degrees(&self) -> Vec<u64> {
        let mut seen_by = vec![u32::MAX; self.variables];
        let mut degrees = Vec::with_capacity(self.variables);
        for variable in self.all() {
            seen_by[variable as usize] = variable;
            let mut degree = 0;
            for &event in self.of_variable.row(variable) {
                for &other in self.events.row(event) {
                    if seen_by[other as usize] != variable {
                        seen_by[other as usize] = variable;
                        degree += 1;
                    }
                }
            }
            degrees.push(degree);
        }
        degrees
    }
}

/// The place of each variable in an order. Should the order not be a permutation, the first place of each variable
/// counts, and the variables it lacks follow by number.
pub(super) fn positions(variables: usize, order: &[u32]) -> Vec<u32> {
    let mut positions = vec![u32::MAX; variables];
    let mut next = 0;
    for variable in order.iter().copied().chain((0u32..).take(variables)) {
        if let Some(position) = positions.get_mut(variable as usize)
            && *position == u32::MAX
        {
            *position = next;
            next += 1;
        }
    }
    positions
}

/// The order in which each variable has its place.
pub(super) fn by_position(positions: &[u32]) -> Vec<u32> {
    let mut order = vec![0; positions.len()];
    for (variable, &position) in (0u32..).zip(positions) {
        order[position as usize] = variable;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_without_repetition_or_strangers() {
        let event = Event { takes: vec![3, 1, 3], puts: vec![1, 9], reads: vec![0] };
        let incidence = Incidence::whole(&Connections {
            variables: 4,
            events: vec![event, Event::default()],
            ..Connections::default()
        });
        assert_eq!(incidence.events.row(0), [0, 1, 3]);
        assert!(incidence.events.row(1).is_empty());
        assert_eq!(incidence.of_variable.row(3), [0]);
        assert!(incidence.of_variable.row(2).is_empty());
        assert_eq!(incidence.degrees(), [2, 2, 0, 2]);
    }

    #[test]
    fn degrees_are_counted_once_for_parallel_events() {
        let event = Event { takes: vec![0], puts: vec![1], reads: vec![] };
        let incidence = Incidence::whole(&Connections {
            variables: 2,
            events: vec![event.clone(), event],
            ..Connections::default()
        });
        assert_eq!(incidence.counted_degrees(), [1, 1]);
        assert_eq!(incidence.summed_degrees(), [2, 2]);
    }

    #[test]
    fn a_broken_order_is_completed() {
        assert_eq!(by_position(&positions(4, &[2, 7, 2, 0])), [2, 0, 1, 3]);
    }
}
