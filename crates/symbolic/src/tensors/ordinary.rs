//! How many ordinary markings symbolic ones stand for.
//!
//! A word says how many colours each dynamic subclass of a cell has: it stands for as many ordinary markings as there are ways
//! to divide the colours of each cell among its dynamic subclasses, divided by the number of exchanges of dynamic subclasses
//! that leave its tensors alone. Where tokens have at most one colour of a class with symmetries there is no such exchange:
//! dynamic subclasses with equal slices have been merged, so all slices differ, and a slice says nothing of other subclasses. The
//! ways are a product along the vectors of sizes, binomial by binomial, so words that go on alike are counted together.

use super::words::{END, Words};
use mandala_diagram::{Answer, Count, Diagram, Error, Exactness, Inductive, Store, Variable};
use mandala_group::UBig;
use rustc_hash::FxHashMap;

/// Vectors of sizes that are longer than this, all together, are not counted.
const LONGEST: u32 = 2_000;

/// The ordinary markings that all words of a set stand for, where there is one word for each symbolic marking. Nothing if the
/// vectors of sizes are too long.
pub(super) fn ordinary(words: &Words, store: &mut Store, markings: &Diagram) -> Result<Option<Count>, Error> {
    let longest = words.longest.iter().map(|one| one.load(std::sync::atomic::Ordering::Relaxed) + 1);
    if longest.sum::<u32>() > LONGEST {
        return Ok(None);
    }
    let sizes = words.classes.iter().flat_map(|class| class.cells.iter().map(|cell| cell.len() as u32)).collect();
    let mut ways =
        Ways { sizes, exactness: Exactness::default(), known: FxHashMap::default(), binomials: FxHashMap::default() };
    let Some(&first) = ways.sizes.first() else { return Ok(Some(store.count(markings))) };
    ways.of(store, markings, 0, first).map(Some)
}

/// Ways to divide the colours that are left.
struct Ways {
    /// How many colours each cell has.
    sizes: Vec<u32>,
    exactness: Exactness,
    /// By the rest of the words, and how many colours of a cell are left.
    known: FxHashMap<(Diagram, u32), Count>,
    binomials: FxHashMap<(u32, u32), Count>,
}

impl Ways {
    /// The ways of words from somewhere in the vector of a cell on, where so many of its colours are left.
    fn of(&mut self, store: &mut Store, rest: &Diagram, cell: usize, left: u32) -> Result<Count, Error> {
        let Some(&size) = self.sizes.get(cell) else { return Ok(store.count(rest)) };
        if let Some(known) = self.known.get(&(rest.clone(), left)) {
            return Ok(known.clone());
        }
        let variable = cell as Variable;
        let mut all = Count::zero();
        for value in store.values(rest, variable) {
            let behind = store.inductive(Behind { variable, value });
            let after = store.apply(&behind, rest)?;
            if after.is_empty() {
                continue;
            }
            let more = match u32::try_from(value) {
                Err(_) => {
                    debug_assert_eq!((value, left), (END, 0));
                    let next = self.sizes.get(cell + 1).copied().unwrap_or(0);
                    self.of(store, &after, cell + 1, next)?
                }
                Ok(taken) => {
                    let ways = self.of(store, &after, cell, left.saturating_sub(taken))?;
                    ways.mul(&self.binomial(left.min(size), taken), &self.exactness)
                }
            };
            all.add_assign(&more, &self.exactness);
        }
        self.known.insert((rest.clone(), left), all.clone());
        Ok(all)
    }

    /// How many sets of so many there are of some things.
    fn binomial(&mut self, things: u32, chosen: u32) -> Count {
        let Some(others) = things.checked_sub(chosen) else { return Count::zero() };
        let chosen = chosen.min(others);
        let binomial = self.binomials.entry((things, chosen)).or_insert_with(|| {
            // Divisible: so many sets of `taken + 1` things.
            let next = |number: UBig, taken: u32| number * UBig::from(things - taken) / UBig::from(taken + 1);
            Count::from((0..chosen).fold(UBig::ONE, next))
        });
        binomial.clone()
    }
}

/// What comes behind a value of the first variable.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Behind {
    variable: Variable,
    value: i32,
}

impl Inductive for Behind {
    fn skips(&self, _: Variable) -> bool {
        false
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let is_it = (variable, value) == (self.variable, self.value);
        Ok(if is_it { Answer::Whole(store.identity()) } else { Answer::Drop })
    }
}
