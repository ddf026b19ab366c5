//! How many tokens an orbit has, and how many ordinary markings a symbolic one stands for.

use super::entries::{Word, items};
use super::palette::{Palette, PlaceShape};
use mandala_group::UBig;

/// How many tokens an orbit of tokens has, if no more than 64 bits say.
pub(super) fn tokens(palette: &Palette, atoms: &[(u32, u32)], shape: &PlaceShape, key: &[Word]) -> Option<u64> {
    let first = palette.fixed_count();
    let mut number: u64 = 1;
    for (at, item) in items(shape, key).enumerate() {
        let size = item.atom().checked_sub(first).map_or(1, |atom| atoms[atom as usize].1);
        let before = items(shape, key).take(at).filter(|one| one.atom() == item.atom());
        let left = size - before.map(|one| one.colours()).sum::<u32>();
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
    let mut number = UBig::ONE;
    let mut rest = atoms;
    for cell in 0..palette.cells.len() as u32 {
        let count = rest.iter().take_while(|one| one.0 == cell).count();
        number *= multinomial(&mut rest[..count].iter().map(|one| one.1));
        rest = &rest[count..];
    }
    for class in palette.classes.iter().filter(|class| class.is_turned) {
        number *= UBig::from(class.fixed.end - class.fixed.start);
    }
    number / symmetries
}

/// The ways to divide things into groups of some sizes.
fn multinomial(sizes: &mut dyn Iterator<Item = u32>) -> UBig {
    let mut sizes: Vec<u32> = sizes.collect();
    sizes.sort_unstable();
    // All but the largest group: what is left is the largest.
    let Some(largest) = sizes.pop() else { return UBig::ONE };
    let mut total = u64::from(largest);
    let (mut number, mut divisor) = (UBig::ONE, UBig::ONE);
    for size in sizes {
        for step in 1..=u64::from(size) {
            total += 1;
            number *= UBig::from(total);
            divisor *= UBig::from(step);
        }
    }
    number / divisor
}
