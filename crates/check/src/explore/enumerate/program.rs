//! The transitions of a program on words.
//!
//! What values its variables may have is not known beforehand. A column begins with room for the constants that its
//! variable is given, and a little more if it may be given something else; when a value does not fit, all states are
//! packed anew.

use std::sync::Arc;

use mandala_symbolic::packed::placed;
use mandala_symbolic::packed::program::{Stop, Updates};

use super::state_set::{StateSet, Words};
use super::{Column, Enumeration, Interrupt, Narrow, Rules, Search};

/// The values that a column has room for: from the least on, so many more.
pub(crate) type Range = (i32, u32);

/// Room for a value that is not in a range.
pub(crate) fn wider((low, most): Range, value: i32) -> Option<Range> {
    let high = (i64::from(low) + i64::from(most)).max(value.into());
    // Twice as many bits, or as many as it takes: it will not be the last value that does not fit.
    let bits = (2 * (u32::BITS - most.leading_zeros())).clamp(2, u32::BITS);
    let needed = high - i64::from(value.min(low));
    let room = ((1i64 << bits) - 1).max(needed);
    let from = if value < low || bits == u32::BITS { i32::try_from(high - room).unwrap_or(i32::MIN) } else { low };
    Some((from, u32::try_from(room).ok()?))
}

/// The room that a column has at first if its variable may be given what is no constant.
const ROOM: u32 = 15;

/// The enumeration of a program, if its states fit into sixteen words.
pub(super) fn search(updates: Updates) -> Option<Box<dyn Enumeration>> {
    let ranges = first_ranges(&updates);
    let initial = updates.initial.clone();
    with_ranges(&Arc::new(updates), ranges, 0, initial.into_iter())
}

/// The ranges with which columns begin.
pub(crate) fn first_ranges(updates: &Updates) -> Vec<Range> {
    let room = |(low, high, others): (i32, i32, bool)| {
        let (low, least) = if others { (low.min(0), ROOM) } else { (low, 0) };
        (low, high.abs_diff(low).max(least))
    };
    updates.constants().into_iter().map(room).collect()
}

/// Columns with these ranges, and in how many words they are.
pub(crate) fn columns_of(ranges: &[Range]) -> (Vec<Column>, usize) {
    let (fields, words) = placed(ranges.iter().map(|range| range.1));
    (fields.into_iter().zip(ranges).map(|(field, range)| Column { field, low: range.0 }).collect(), words)
}

fn with_ranges(
    updates: &Arc<Updates>, ranges: Vec<Range>, expanded: usize, states: impl Iterator<Item = Vec<i32>>,
) -> Option<Box<dyn Enumeration>> {
    let (columns, words) = columns_of(&ranges);
    Some(match words {
        1 => Box::new(begin::<1>(updates, columns, ranges, expanded, states)),
        2 => Box::new(begin::<2>(updates, columns, ranges, expanded, states)),
        3 => Box::new(begin::<3>(updates, columns, ranges, expanded, states)),
        4 => Box::new(begin::<4>(updates, columns, ranges, expanded, states)),
        5 | 6 => Box::new(begin::<6>(updates, columns, ranges, expanded, states)),
        7 | 8 => Box::new(begin::<8>(updates, columns, ranges, expanded, states)),
        9..=12 => Box::new(begin::<12>(updates, columns, ranges, expanded, states)),
        13..=16 => Box::new(begin::<16>(updates, columns, ranges, expanded, states)),
        _ => return None,
    })
}

fn begin<const N: usize>(
    updates: &Arc<Updates>, columns: Vec<Column>, ranges: Vec<Range>, expanded: usize,
    states: impl Iterator<Item = Vec<i32>>,
) -> Search<N, ProgramRules> {
    let mut known = StateSet::new();
    for values in states {
        let mut state = [0; N];
        for (column, value) in columns.iter().zip(values) {
            column.put(&mut state, value);
        }
        known.reserve(1);
        known.insert_all(&[state]);
    }
    let rules = ProgramRules::new(updates, columns.clone(), ranges, Errors::Later);
    Search { columns, rules, known, expanded }
}

/// The transitions of a program, and the columns of its variables.
pub(crate) struct ProgramRules {
    updates: Arc<Updates>,
    errors: Errors,
    columns: Vec<Column>,
    ranges: Vec<Range>,
    /// The values of the state at hand.
    values: Vec<i32>,
    changes: Vec<(u32, i32)>,
    /// How many states have been expanded.
    expansions: u64,
    /// For each transition, the last expansion in which it could happen.
    last_seen: Vec<u64>,
}

/// When errors of the model are noticed that the runner does not notice by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// In the state in which there is one.
    Found,
    /// They are looked for among all states in the end.
    Later,
}

impl ProgramRules {
    pub(crate) fn new(updates: &Arc<Updates>, columns: Vec<Column>, ranges: Vec<Range>, errors: Errors) -> Self {
        ProgramRules {
            errors,
            columns,
            ranges,
            values: Vec::new(),
            changes: Vec::new(),
            expansions: 0,
            last_seen: vec![0; updates.transitions()],
            updates: Arc::clone(updates),
        }
    }
}

impl<const N: usize> Rules<N> for ProgramRules {
    fn successors(&mut self, state: &Words<N>, successors: &mut Vec<Words<N>>) -> Result<u64, Interrupt> {
        self.values.clear();
        self.values.extend(self.columns.iter().map(|column| column.of(state)));
        if self.errors == Errors::Found && self.updates.fails(&self.values) {
            return Err(Interrupt::ModelError);
        }
        self.expansions += 1;
        let mut events = 0;
        let result = self.updates.successors(&self.values, &mut self.changes, |transition, changes| {
            let last = &mut self.last_seen[transition as usize];
            events += u64::from(*last != self.expansions);
            *last = self.expansions;
            let mut next = *state;
            for &(variable, value) in changes {
                if !self.columns[variable as usize].put(&mut next, value) {
                    return Err(Narrow { column: variable as usize, value });
                }
            }
            successors.push(next);
            Ok(())
        });
        result.map_err(|stop| match stop {
            Stop::Failure(_) => Interrupt::ModelError,
            Stop::Caller(narrow) => Interrupt::Narrow(narrow),
        })?;
        Ok(events)
    }

    fn widened(&self, known: &StateSet<N>, expanded: usize, narrow: Narrow) -> Option<Box<dyn Enumeration>> {
        let mut ranges = self.ranges.clone();
        ranges[narrow.column] = wider(ranges[narrow.column], narrow.value)?;
        let states = (0..known.count).map(|number| {
            let state = known.get(number);
            self.columns.iter().map(|column| column.of(state)).collect()
        });
        with_ranges(&self.updates, ranges, expanded, states)
    }
}
