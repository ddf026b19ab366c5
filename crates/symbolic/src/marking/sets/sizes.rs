//! Sets of sizes in diagrams, and what firings make of them.
//!
//! A shape has one variable for each free dynamic subclass whose size is kept. All but the last are integers, and the last one
//! is a set of ranges: so where sizes are any numbers with a given sum, one range stands for many of them. What a firing does to
//! the sizes is done to whole boxes of them: ranges are cut, added and moved, and only where a size is needed in two places it is
//! taken number by number.

use super::edge::Edge;
use super::shape::{Form, Layout, Shape};
use mandala_diagram::{Diagram, Error, Store};
use std::ops::ControlFlow;

/// Sizes in ranges, one after the other.
pub(super) type Ranges = Vec<(i64, i64)>;

/// What an edge does to sizes, as they are kept.
struct Image<'i> {
    from: &'i Layout,
    /// Where sizes are kept there, and in which range they must be.
    cuts: Vec<(usize, i64, i64)>,
    /// Where sizes are kept whose sum must be in a range.
    sums: Vec<(Vec<usize>, i64, i64)>,
    /// Those that are needed in several places.
    single: Vec<bool>,
    /// What is kept afterwards.
    forms: Vec<&'i Form>,
}

impl<'i> Image<'i> {
    fn new(from: &'i Layout, to: &Layout, edge: &'i Edge) -> Image<'i> {
        let (mut cuts, mut sums) = (Vec::new(), Vec::new());
        for condition in &edge.conditions {
            match from.position[condition.free as usize] {
                Some(at) => cuts.push((at as usize, condition.low, condition.high)),
                None => {
                    let total = from.total[from.free[condition.free as usize].1 as usize];
                    let others = from.beside(condition.free).map(|at| at as usize).collect();
                    sums.push((others, total.saturating_sub(condition.high), total - condition.low));
                }
            }
        }
        let forms: Vec<&Form> = to.stored.iter().map(|&free| &edge.sizes[free as usize]).collect();
        let mut uses = vec![0_usize; from.stored.len()];
        for &free in forms.iter().flat_map(|form| &form.free) {
            match from.position[free as usize] {
                Some(at) => uses[at as usize] += 1,
                None => from.beside(free).for_each(|at| uses[at as usize] += 1),
            }
        }
        Image { from, cuts, sums, single: uses.iter().map(|&uses| uses > 1).collect(), forms }
    }

    /// The boxes that a box becomes.
    fn of(&self, mut given: Ranges, emit: &mut dyn FnMut(Ranges) -> ControlFlow<()>) -> ControlFlow<()> {
        for &(at, low, high) in &self.cuts {
            given[at] = (given[at].0.max(low), given[at].1.min(high));
            if given[at].0 > given[at].1 {
                return ControlFlow::Continue(());
            }
        }
        let mut open = vec![given];
        while let Some(mut one) = open.pop() {
            let is_wide = |one: &Ranges, at: usize| one[at].0 < one[at].1;
            let mut split = (0..one.len()).find(|&at| self.single[at] && is_wide(&one, at));
            let mut is_there = true;
            for (places, low, high) in &self.sums {
                if split.is_some() || !is_there {
                    break;
                }
                let wide: Vec<usize> = places.iter().copied().filter(|&at| is_wide(&one, at)).collect();
                let rest: i64 = places.iter().filter(|&&at| !is_wide(&one, at)).map(|&at| one[at].0).sum();
                match wide.as_slice() {
                    [] => is_there &= (*low..=*high).contains(&rest),
                    &[at] => {
                        one[at] = (one[at].0.max(low - rest), one[at].1.min(high - rest));
                        is_there &= one[at].0 <= one[at].1;
                    }
                    [at, ..] => split = Some(*at),
                }
            }
            if !is_there {
                continue;
            }
            if let Some(at) = split {
                split_first(one, at, &mut open);
                continue;
            }
            emit(self.forms.iter().map(|form| self.form(form, &one)).collect())?;
        }
        ControlFlow::Continue(())
    }

    fn form(&self, form: &Form, sizes: &Ranges) -> (i64, i64) {
        let (mut low, mut high) = (form.constant, form.constant);
        for &free in &form.free {
            match self.from.position[free as usize] {
                Some(at) => {
                    low += sizes[at as usize].0;
                    high += sizes[at as usize].1;
                }
                None => {
                    let total = self.from.total[self.from.free[free as usize].1 as usize];
                    let others = || self.from.beside(free).map(|at| sizes[at as usize]);
                    low += total - others().map(|one| one.1).sum::<i64>();
                    high += total - others().map(|one| one.0).sum::<i64>();
                }
            }
        }
        (low, high)
    }
}

/// Divides a box: the first number of a range, and the others.
pub(super) fn split_first(mut given: Ranges, at: usize, open: &mut Vec<Ranges>) {
    let (low, high) = given[at];
    let mut first = given.clone();
    first[at] = (low, low);
    given[at] = (low + 1, high);
    open.extend([given, first]);
}

/// What an edge makes of some sizes of a shape. `go_on` is asked now and then, and told how many bytes it takes.
pub(super) fn image(
    store: &mut Store, shapes: &[Shape], from: usize, sizes: &Diagram, edge: &Edge,
    go_on: &dyn Fn(usize) -> Result<(), Error>,
) -> Result<Diagram, Error> {
    let target = &shapes[edge.target];
    let image = Image::new(&shapes[from].layout, &target.layout, edge);
    let mut rows = Rows::new(target.layout.stored.len(), go_on);
    let _ = store.boxes(sizes, |found| {
        let given: Ranges = found.iter().map(|&(_, low, high)| (i64::from(low), i64::from(high))).collect();
        image.of(given, &mut |sizes| {
            target.exchange.least(&target.layout.position, sizes, &mut |sizes| rows.push(sizes))
        })
    });
    rows.into_set(store)
}

/// Whether to go on is asked after so many rows.
const PATIENCE: usize = 1 << 14;

/// Sizes in rows: numbers, and the range of the last one.
pub(super) struct Rows<'r> {
    variables: usize,
    numbers: Vec<i32>,
    count: usize,
    go_on: &'r dyn Fn(usize) -> Result<(), Error>,
    stopped: Option<Error>,
}

impl<'r> Rows<'r> {
    pub fn new(variables: usize, go_on: &'r dyn Fn(usize) -> Result<(), Error>) -> Rows<'r> {
        Rows { variables, numbers: Vec::new(), count: 0, go_on, stopped: None }
    }

    /// Adds a box. Breaks off if there is no more time or memory.
    pub fn push(&mut self, sizes: &[(i64, i64)]) -> ControlFlow<()> {
        let number = |size: i64| i32::try_from(size).unwrap_or(i32::MAX);
        let Some(((low, high), before)) = sizes.split_last() else {
            self.count = 1;
            return ControlFlow::Continue(());
        };
        let mut row: Vec<i64> = before.iter().map(|range| range.0).collect();
        loop {
            self.numbers.extend(row.iter().copied().chain([*low, *high]).map(number));
            self.count += 1;
            // The rows are also sorted, and become nodes.
            if self.count.is_multiple_of(PATIENCE)
                && let Err(error) = (self.go_on)(24 * self.numbers.len())
            {
                self.stopped = Some(error);
                return ControlFlow::Break(());
            }
            let Some(at) = (0..row.len()).rev().find(|&at| row[at] < before[at].1) else {
                return ControlFlow::Continue(());
            };
            row[at] += 1;
            for later in at + 1..row.len() {
                row[later] = before[later].0;
            }
        }
    }

    /// The set of all of them.
    pub fn into_set(self, store: &mut Store) -> Result<Diagram, Error> {
        if let Some(error) = self.stopped {
            return Err(error);
        }
        if self.count == 0 {
            return Ok(store.zero());
        }
        if self.variables == 0 {
            return Ok(store.one());
        }
        let mut rows: Vec<&[i32]> = self.numbers.chunks_exact(self.variables + 1).collect();
        rows.sort_unstable();
        rows.dedup();
        build(store, &rows, 0, self.variables)
    }
}

fn build(store: &mut Store, rows: &[&[i32]], variable: usize, variables: usize) -> Result<Diagram, Error> {
    let mut parts = Vec::new();
    if variable + 1 == variables {
        for row in rows {
            parts.push(store.integers(row[variable]..=row[variable + 1])?);
        }
        let label = store.union_of(&parts)?;
        let one = store.one();
        return store.assign_set(variable as u32, &label, &one);
    }
    for same in rows.chunk_by(|a, b| a[variable] == b[variable]) {
        let below = build(store, same, variable + 1, variables)?;
        parts.push(store.assign(variable as u32, same[0][variable], &below)?);
    }
    store.union_of(&parts)
}
