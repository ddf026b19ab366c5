//! How many ordinary markings the symbolic ones of some shapes stand for.

use super::super::SymbolicNet;
use super::shape::{MANY, Shape};
use mandala_diagram::{Error, Store};
use mandala_group::UBig;
use std::ops::ControlFlow;

/// Static subclasses up to this size have their factorials at hand.
const MOST_FACTORIALS: u32 = 4000;

/// Sizes that are looked at, all together. A size that is not among the factorials counts for as many as it has colours.
const MOST_SIZES: u64 = 4_000_000;

/// Words of the numbers that are added up, all together.
const MOST_WORDS: u64 = 1 << 27;

/// Limits are looked at after so many sizes.
const PATIENCE: u64 = 4096;

/// How many ordinary markings the symbolic ones stand for; nothing if that takes too long.
pub(super) fn ordinary(
    symbolic: &SymbolicNet<'_>, store: &Store, shapes: &[Shape], go_on: &dyn Fn() -> Result<(), Error>,
) -> Result<Option<UBig>, Error> {
    let mut all = 0_u64;
    for shape in shapes {
        let count = store.count(&shape.sizes).to_u64().unwrap_or(u64::MAX);
        all = all.saturating_add(count);
    }
    // Numbers have about as many bits as there are colours, or twice as many.
    let colours: u64 = symbolic.palette.cells.iter().map(|cell| u64::from(cell.size)).sum();
    if all > MOST_SIZES || all.saturating_mul(colours / 32 + 1) > MOST_WORDS {
        return Ok(None);
    }
    let largest = symbolic.palette.cells.iter().map(|cell| cell.size).max().unwrap_or(0);
    let mut factorials = vec![UBig::ONE];
    if largest <= MOST_FACTORIALS {
        for number in 1..=largest {
            let next = &factorials[factorials.len() - 1] * UBig::from(number);
            factorials.push(next);
        }
    }
    let turned = symbolic.palette.classes.iter().filter(|class| class.is_turned);
    let turns = turned.fold(UBig::ONE, |turns, class| turns * UBig::from(class.fixed.end - class.fixed.start));
    let mut counter = Counter { symbolic, factorials, turns, looked: 0, look_at: PATIENCE, go_on, error: None };
    let mut sum = UBig::ZERO;
    for shape in shapes {
        match counter.of_shape(store, shape) {
            Some(more) => sum += more,
            None => return counter.error.map_or(Ok(None), Err),
        }
    }
    Ok(Some(sum))
}

struct Counter<'c, 'n> {
    symbolic: &'c SymbolicNet<'n>,
    factorials: Vec<UBig>,
    /// In how many ways classes can be turned.
    turns: UBig,
    looked: u64,
    /// Limits are looked at when so many sizes were.
    look_at: u64,
    go_on: &'c dyn Fn() -> Result<(), Error>,
    error: Option<Error>,
}

impl Counter<'_, '_> {
    fn of_shape(&mut self, store: &Store, shape: &Shape) -> Option<UBig> {
        let mut sum = UBig::ZERO;
        let flow = store.boxes(&shape.sizes, |found| match self.of_box(shape, found) {
            Some(more) => {
                sum += more;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        });
        if flow.is_break() { None } else { Some(sum * &self.turns / &shape.symmetries) }
    }

    /// The ways to choose the colours of dynamic subclasses, for all sizes of a box, and as many times as exchanges change them.
    fn of_box(&mut self, shape: &Shape, found: &[(u32, i32, i32)]) -> Option<UBig> {
        let layout = &shape.layout;
        let mut sizes: Vec<i64> = found.iter().map(|one| i64::from(one.1)).collect();
        let last = found.last().map_or(0, |one| i64::from(one.2));
        // The size that follows from the last one, if there is one.
        let cell = layout.stored.last().map(|&free| layout.free[free as usize].1);
        let follower = cell.and_then(|cell| {
            let is_own = |index: &usize| layout.free[*index].1 == cell && layout.position[*index].is_none();
            (0..layout.free.len()).find(is_own)
        });
        let mut sum = UBig::ZERO;
        let mut term: Option<UBig> = None;
        loop {
            self.looked += 1;
            if self.looked > MOST_SIZES {
                return None;
            }
            if self.looked >= self.look_at {
                self.look_at = self.looked + PATIENCE;
                if let Err(error) = (self.go_on)() {
                    self.error = Some(error);
                    return None;
                }
            }
            let ways = match term.take() {
                Some(ways) => ways,
                None => self.ways(shape, &sizes)?,
            };
            sum += &ways * shape.exchange.orbit(&layout.position, &sizes);
            let Some(size) = sizes.last_mut().filter(|size| **size < last) else { return Some(sum) };
            *size += 1;
            let size = *size;
            if let Some(follower) = follower {
                // One colour goes from the subclass that follows to this one.
                let rest = self.follows(shape, follower, &sizes);
                term = Some(ways * UBig::from((rest + 1) as u64) / UBig::from(size as u64));
            }
        }
    }

    fn follows(&self, shape: &Shape, free: usize, sizes: &[i64]) -> i64 {
        let others: i64 = shape.layout.beside(free as u32).map(|at| sizes[at as usize]).sum();
        shape.layout.total[shape.layout.free[free].1 as usize] - others
    }

    fn ways(&mut self, shape: &Shape, sizes: &[i64]) -> Option<UBig> {
        let layout = &shape.layout;
        let mut free = 0;
        let mut groups: Vec<Vec<i64>> = vec![Vec::new(); self.symbolic.palette.cells.len()];
        for &(cell, size) in &shape.marking.atoms {
            let size = if size == MANY {
                let at = layout.position[free];
                free += 1;
                at.map_or_else(|| self.follows(shape, free - 1, sizes), |at| sizes[at as usize])
            } else {
                i64::from(size)
            };
            groups[cell as usize].push(size);
        }
        let mut ways = UBig::ONE;
        for group in &mut groups {
            group.sort_unstable();
            ways *= self.multinomial(group)?;
        }
        Some(ways)
    }

    /// The ways to divide colours into groups of some sizes, in ascending order.
    fn multinomial(&mut self, sizes: &[i64]) -> Option<UBig> {
        let Some((&largest, others)) = sizes.split_last() else { return Some(UBig::ONE) };
        let rest: i64 = others.iter().sum();
        if rest > 16 && self.factorials.len() > 1 {
            let mut ways = self.factorials.get(usize::try_from(largest + rest).ok()?)?.clone();
            let mut below = UBig::ONE;
            for &size in sizes {
                below *= self.factorials.get(usize::try_from(size).ok()?)?;
            }
            ways /= below;
            return Some(ways);
        }
        self.looked += rest.unsigned_abs();
        if self.looked > MOST_SIZES {
            return None;
        }
        let (mut ways, mut below, mut total) = (UBig::ONE, UBig::ONE, u64::try_from(largest).ok()?);
        for &size in others {
            for step in 1..=u64::try_from(size).ok()? {
                total += 1;
                ways *= UBig::from(total);
                below *= UBig::from(step);
            }
        }
        Some(ways / below)
    }
}
