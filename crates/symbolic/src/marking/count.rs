//! How many tokens an orbit has, and how many ordinary markings a symbolic one stands for.

use super::canonical::canonise;
use super::entries::{Word, items};
use super::palette::{Palette, PlaceShape};
use super::{Reached, SymbolicNet};
use mandala_group::UBig;
use mandala_model::semantics::Cause;
use rustc_hash::FxHashMap;

/// How many tokens an orbit of tokens has, if no more than 64 bits say.
pub(super) fn tokens(palette: &Palette, atoms: &[(u32, u32)], shape: &PlaceShape, key: &[Word]) -> Option<u64> {
    let first = palette.fixed_count();
    let mut number: u64 = 1;
    for (at, item) in items(shape, key).enumerate() {
        let size = item.atom().checked_sub(first).map_or(1, |atom| atoms[atom as usize].1);
        let before = items(shape, key).take(at).filter(|one| one.atom() == item.atom());
        let left = size.checked_sub(before.map(|one| one.colours()).sum::<u32>())?;
        number = number.checked_mul(binomial(u64::from(left), u64::from(item.colours()))?)?;
    }
    Some(number)
}

/// How many sets of so many there are of some things, if 64 bits say.
fn binomial(things: u64, chosen: u64) -> Option<u64> {
    let chosen = chosen.min(things.checked_sub(chosen)?);
    let mut number: u64 = 1;
    for taken in 0..chosen {
        // Divisible: this many sets of `taken + 1` things.
        let next = u128::from(number) * u128::from(things - taken) / u128::from(taken + 1);
        number = u64::try_from(next).ok()?;
    }
    Some(number)
}

/// How many ordinary markings a symbolic one stands for: the permutations of the colours that the symmetries allow, divided by
/// those that leave the marking alone.
pub(super) fn represented(palette: &Palette, atoms: &[(u32, u32)], symmetries: &UBig) -> UBig {
    Weight::new(atoms, symmetries.clone()).represented(palette, &[])
}

/// What the number of ordinary markings that a symbolic one stands for depends on. Many symbolic markings share it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    /// Static subclass and size of each dynamic one, in ascending order.
    sizes: Vec<(u32, u32)>,
    symmetries: UBig,
}

impl Weight {
    fn new(atoms: &[(u32, u32)], symmetries: UBig) -> Weight {
        let mut sizes = atoms.to_vec();
        sizes.sort_unstable();
        Weight { sizes, symmetries }
    }

    fn represented(&self, palette: &Palette, factorials: &[UBig]) -> UBig {
        let mut number = UBig::ONE;
        for sizes in self.sizes.chunk_by(|a, b| a.0 == b.0) {
            number *= multinomial(sizes, factorials);
        }
        for class in palette.classes.iter().filter(|class| class.is_turned) {
            number *= UBig::from(class.fixed.end - class.fixed.start);
        }
        number / &self.symmetries
    }
}

/// The ways to divide things into groups of some sizes, in ascending order.
fn multinomial(sizes: &[(u32, u32)], factorials: &[UBig]) -> UBig {
    let Some((&(_, largest), others)) = sizes.split_last() else { return UBig::ONE };
    let rest: u64 = others.iter().map(|one| u64::from(one.1)).sum();
    let total = u64::from(largest) + rest;
    if let (true, Some(all)) = (rest > 16, factorials.get(total as usize)) {
        let below = sizes.iter().fold(UBig::ONE, |product, one| product * &factorials[one.1 as usize]);
        return all / below;
    }
    // All but the largest group: what is left is the largest.
    let mut total = u64::from(largest);
    let (mut number, mut divisor) = (UBig::ONE, UBig::ONE);
    for &(_, size) in others {
        for step in 1..=u64::from(size) {
            total += 1;
            number *= UBig::from(total);
            divisor *= UBig::from(step);
        }
    }
    number / divisor
}

/// Static subclasses up to this size have their factorials at hand.
const MOST_FACTORIALS: u32 = 4000;

/// Bits that are calculated with at most, all different numbers together.
const MOST_BITS: u64 = 1 << 32;

/// So many are calculated between two looks at the limits.
const BITS_BETWEEN_LOOKS: u64 = 1 << 22;

impl Reached<'_> {
    /// What the number of ordinary markings depends on that it stands for.
    pub fn weight(&self) -> Weight {
        Weight::new(self.atoms, self.symmetries.clone())
    }
}

/// The ordinary markings that some symbolic ones stand for, in the making.
#[derive(Clone, Debug, Default)]
pub struct Ordinary {
    weights: FxHashMap<Weight, u64>,
}

impl Ordinary {
    /// Counts a symbolic marking that was reached.
    pub fn add(&mut self, weight: Weight) {
        *self.weights.entry(weight).or_insert(0) += 1;
    }

    /// Counts any symbolic marking.
    pub fn add_state(&mut self, net: &SymbolicNet<'_>, state: &[i32]) -> Result<(), Cause> {
        let marking = net.unpack(state)?;
        let canonical = canonise(&net.palette, &net.turned, &marking.atoms, &marking.entries);
        self.add(Weight::new(&marking.atoms, canonical.symmetries));
        Ok(())
    }

    /// How many ordinary markings there are in all, unless these are too many large numbers to be added, or it is not to go on.
    pub fn total(&self, net: &SymbolicNet<'_>, go_on: &dyn Fn() -> bool) -> Option<UBig> {
        let colours: u64 = net.palette.cells.iter().map(|cell| u64::from(cell.size)).sum();
        let spread = |weight: &Weight| {
            let cells = weight.sizes.chunk_by(|a, b| a.0 == b.0);
            cells
                .map(|sizes| {
                    sizes.iter().map(|one| u64::from(one.1)).sum::<u64>() - u64::from(sizes[sizes.len() - 1].1)
                })
                .sum::<u64>()
        };
        let bits = |weight: &Weight| spread(weight) * u64::from(colours.max(2).ilog2());
        if self.weights.keys().map(bits).fold(0, u64::saturating_add) > MOST_BITS {
            return None;
        }
        let largest = net.palette.cells.iter().map(|cell| cell.size).filter(|&size| size <= MOST_FACTORIALS).max();
        let mut factorials = vec![UBig::ONE];
        for number in 1..=largest.unwrap_or(0) {
            let next = &factorials[factorials.len() - 1] * UBig::from(number);
            factorials.push(next);
        }
        let (mut total, mut since) = (UBig::ZERO, 0);
        for (weight, &count) in &self.weights {
            since += bits(weight);
            if since > BITS_BETWEEN_LOOKS {
                since = 0;
                if !go_on() {
                    return None;
                }
            }
            total += weight.represented(&net.palette, &factorials) * UBig::from(count);
        }
        Some(total)
    }
}
