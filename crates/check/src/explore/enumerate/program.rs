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
type Range = (i32, u32);

/// The room that a column has at first if its variable may be given what is no constant.
const ROOM: u32 = 15;

/// The enumeration of a program, if its states fit into sixteen words.
pub(super) fn search(updates: Updates) -> Option<Box<dyn Enumeration>> {
    let room = |(low, high, others): (i32, i32, bool)| {
        let (low, least) = if others { (low.min(0), ROOM) } else { (low, 0) };
        (low, high.abs_diff(low).max(least))
    };
    let ranges: Vec<Range> = updates.constants().into_iter().map(room).collect();
    let initial = updates.initial.clone();
    with_ranges(&Arc::new(updates), ranges, 0, initial.into_iter())
}

fn with_ranges(
    updates: &Arc<Updates>, ranges: Vec<Range>, expanded: usize, states: impl Iterator<Item = Vec<i32>>,
) -> Option<Box<dyn Enumeration>> {
    let (fields, words) = placed(ranges.iter().map(|range| range.1));
    let columns: Vec<Column> =
        fields.into_iter().zip(&ranges).map(|(field, range)| Column { field, low: range.0 }).collect();
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
    let rules = ProgramRules {
        updates: Arc::clone(updates),
        columns: columns.clone(),
        ranges,
        values: Vec::new(),
        changes: Vec::new(),
    };
    Search { columns, rules, known, expanded }
}

/// The transitions of a program, and the columns of its variables.
struct ProgramRules {
    updates: Arc<Updates>,
    columns: Vec<Column>,
    ranges: Vec<Range>,
    /// The values of the state at hand.
    values: Vec<i32>,
    changes: Vec<(u32, i32)>,
}

impl<const N: usize> Rules<N> for ProgramRules {
    fn successors(&mut self, state: &Words<N>, successors: &mut Vec<Words<N>>) -> Result<(), Interrupt> {
        self.values.clear();
        self.values.extend(self.columns.iter().map(|column| column.of(state)));
        let result = self.updates.successors(&self.values, &mut self.changes, |changes| {
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
        })
    }

    fn widened(&self, known: &StateSet<N>, expanded: usize, narrow: Narrow) -> Option<Box<dyn Enumeration>> {
        let mut ranges = self.ranges.clone();
        let (low, most) = &mut ranges[narrow.column];
        let high = (i64::from(*low) + i64::from(*most)).max(narrow.value.into());
        // Twice as many bits, or as many as it takes: it will not be the last value that does not fit.
        let bits = (2 * (u32::BITS - most.leading_zeros())).clamp(2, u32::BITS);
        let needed = high - i64::from(narrow.value.min(*low));
        let room = ((1i64 << bits) - 1).max(needed);
        *most = u32::try_from(room).ok()?;
        if narrow.value < *low || bits == u32::BITS {
            *low = i32::try_from(high - room).unwrap_or(i32::MIN);
        }
        let states = (0..known.count).map(|number| {
            let state = known.get(number);
            self.columns.iter().map(|column| column.of(state)).collect()
        });
        with_ranges(&self.updates, ranges, expanded, states)
    }
}
