//! Permutations of the natural numbers that move finitely many of them.
//!
//! Only what is moved is stored, in ascending order: a symmetry of a large model usually moves few of its variables.
//! Products are written in the order in which they are applied: `a.then(&b)` maps a point by `a` first.

use std::fmt;

use dashu_int::UBig;
use dashu_int::ops::Gcd;

/// A permutation: the points that it moves, each with its image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Permutation {
    moves: Vec<(u32, u32)>,
}

impl Permutation {
    /// The permutation that moves nothing.
    pub fn identity() -> Permutation {
        Permutation::default()
    }

    /// The permutation that maps each index to the number there; nothing if some number is missing.
    pub fn from_images(images: &[u32]) -> Option<Permutation> {
        Permutation::from_moves((0..).zip(images.iter().copied()).collect())
    }

    /// The permutation with these images, each point with its image, and all others fixed; nothing if a point occurs
    /// twice, or if the images are not the points again.
    pub fn from_moves(mut moves: Vec<(u32, u32)>) -> Option<Permutation> {
        moves.sort_unstable();
        let mut images: Vec<u32> = moves.iter().map(|&(_, image)| image).collect();
        images.sort_unstable();
        let is_bijective = moves.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && moves.iter().zip(&images).all(|(&(point, _), &image)| point == image);
        moves.retain(|&(point, image)| point != image);
        is_bijective.then_some(Permutation { moves })
    }

    /// The product of disjoint cycles; nothing if a point occurs twice.
    pub fn from_cycles<C: AsRef<[u32]>>(cycles: &[C]) -> Option<Permutation> {
        let moves = cycles.iter().flat_map(|cycle| {
            let cycle = cycle.as_ref();
            cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1))
        });
        Permutation::from_moves(moves.collect())
    }

    /// The image of a point.
    pub fn image(&self, point: u32) -> u32 {
        match self.moves.binary_search_by_key(&point, |&(point, _)| point) {
            Ok(index) => self.moves[index].1,
            Err(_) => point,
        }
    }

    /// The points that are moved, each with its image, in ascending order of points.
    pub fn moves(&self) -> &[(u32, u32)] {
        &self.moves
    }

    /// The points that are moved, in ascending order.
    pub fn support(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.moves.iter().map(|&(point, _)| point)
    }

    /// Whether nothing is moved.
    pub fn is_identity(&self) -> bool {
        self.moves.is_empty()
    }

    /// Whether a point stays where it is.
    pub fn fixes(&self, point: u32) -> bool {
        self.image(point) == point
    }

    /// This one first, and then the other.
    pub fn then(&self, other: &Permutation) -> Permutation {
        let own = self.moves.iter().map(|&(point, image)| (point, other.image(image)));
        let rest = other.moves.iter().copied().filter(|&(point, _)| self.fixes(point));
        let mut moves: Vec<(u32, u32)> = own.chain(rest).filter(|&(point, image)| point != image).collect();
        moves.sort_unstable();
        Permutation { moves }
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> Permutation {
        let mut moves: Vec<(u32, u32)> = self.moves.iter().map(|&(point, image)| (image, point)).collect();
        moves.sort_unstable();
        Permutation { moves }
    }

    /// What this one becomes when all points are renamed by another: `by⁻¹ · self · by`.
    pub fn conjugate(&self, by: &Permutation) -> Permutation {
        let mut moves: Vec<(u32, u32)> =
            self.moves.iter().map(|&(point, image)| (by.image(point), by.image(image))).collect();
        moves.sort_unstable();
        Permutation { moves }
    }

    /// The cycles of two and more points, each from its least point on, in ascending order of these.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.moves.len()];
        let mut cycles = Vec::new();
        for start in 0..self.moves.len() {
            let (mut cycle, mut at) = (Vec::new(), start);
            while !seen[at] {
                seen[at] = true;
                let (point, image) = self.moves[at];
                cycle.push(point);
                at = self.moves.binary_search_by_key(&image, |&(point, _)| point).unwrap_or(start);
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// How often it must be applied until nothing is moved.
    pub fn order(&self) -> UBig {
        let mut lengths: Vec<usize> = self.cycles().iter().map(Vec::len).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths.into_iter().map(UBig::from).fold(UBig::ONE, |order, length| {
            let common = (&order).gcd(&length);
            order / common * length
        })
    }
}

/// In cycles, the identity as `()`.
impl fmt::Display for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_identity() {
            return f.write_str("()");
        }
        for cycle in self.cycles() {
            for (index, point) in cycle.iter().enumerate() {
                write!(f, "{}{point}", if index == 0 { "(" } else { " " })?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_applied_from_left_to_right() {
        let one = Permutation::from_cycles(&[[0, 1]]).unwrap();
        let other = Permutation::from_cycles(&[[1, 2]]).unwrap();
        assert_eq!(one.then(&other).to_string(), "(0 2 1)");
        assert_eq!(one.conjugate(&other).to_string(), "(0 2)");
        assert!(one.then(&other).then(&one.then(&other).inverse()).is_identity());
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        assert_eq!(Permutation::from_images(&[0, 0]), None);
        assert_eq!(Permutation::from_images(&[0, 2]), None);
        assert_eq!(Permutation::from_cycles(&[vec![0, 1], vec![1, 2]]), None);
        assert_eq!(Permutation::from_moves(vec![(3, 3)]), Some(Permutation::identity()));
    }

    #[test]
    fn the_order_is_the_least_common_multiple_of_the_cycles() {
        let cycles = Permutation::from_cycles(&[vec![7, 3], vec![0, 4, 5, 6], vec![10, 11, 12]]).unwrap();
        assert_eq!(cycles.order(), 12u32.into());
        assert_eq!(cycles.cycles(), [vec![0, 4, 5, 6], vec![3, 7], vec![10, 11, 12]]);
        assert_eq!(Permutation::identity().order(), 1u32.into());
    }
}
