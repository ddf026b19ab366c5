//! Bags as sequences of colours.
//!
//! A bag is how often its colours are there, the greatest number first, and these colours: those that are there equally often
//! in ascending order. The numbers are the *shape* of the bag. So each bag is one shape with one sequence of colours, as long
//! as the shape.

use super::super::bounds::Bound;
use super::super::value::Bag;
use std::cmp::Reverse;

/// How often the colours of a bag are there, the greatest number first.
pub type Shape = Vec<u32>;

/// The shape of a bag, and its colours in the order of the shape.
pub fn shape_of(bag: &Bag<u32>) -> (Shape, Vec<u32>) {
    let mut members: Vec<(u32, u32)> = bag.iter().collect();
    members.sort_by_key(|&(colour, times)| (Reverse(times), colour));
    members.into_iter().map(|(colour, times)| (times, colour)).unzip()
}

/// The bag of a shape and its colours.
pub fn bag_of(shape: &[u32], colours: impl IntoIterator<Item = u32>) -> Bag<u32> {
    let mut bag = Bag::new();
    for (times, colour) in shape.iter().zip(colours) {
        // The colours of a shape are different ones.
        let _ = bag.add(colour, *times);
    }
    bag
}

/// How much is in the bags of a shape.
pub(super) fn cardinality(shape: &[u32]) -> u64 {
    shape.iter().map(|&times| u64::from(times)).sum()
}

/// Different colours in a bag at most: each is a component of its own without bags.
pub(super) const MOST_COLOURS: usize = 256;

/// Which shapes bags within a bound can have.
pub(super) struct Limits {
    /// How often the colours are there at most, the greatest number first.
    each: Vec<u32>,
    most: Option<u64>,
}

impl Limits {
    /// Those of a bound, in a class of so many colours.
    pub fn new(bound: &Bound, length: u32) -> Limits {
        let mut each: Vec<u32> = match &bound.each {
            Some(each) => each.iter().map(|(_, times)| times).collect(),
            None => vec![u32::MAX; (length as usize).min(MOST_COLOURS + 1)],
        };
        each.sort_unstable_by_key(|&times| Reverse(times));
        Limits { each, most: bound.most }
    }

    /// Whether some bag of a shape is within the bound.
    pub fn allow(&self, shape: &[u32]) -> bool {
        shape.len() <= self.each.len()
            && shape.iter().zip(&self.each).all(|(times, limit)| times <= limit)
            && self.most.is_none_or(|most| cardinality(shape) <= most)
    }

    /// All shapes that are allowed, if these are no more than `most` and not too long.
    pub fn shapes(&self, most: usize) -> Option<Vec<Shape>> {
        let mut shapes: Vec<Shape> = vec![Vec::new()];
        let mut next = 0;
        // A shape is made longer by a number that is not greater than its last one.
        while next < shapes.len() {
            let shape = shapes[next].clone();
            next += 1;
            let largest = match shape.last() {
                Some(&last) => last,
                None => u32::try_from(self.most?).unwrap_or(u32::MAX),
            };
            for times in 1..=largest {
                let longer: Shape = shape.iter().copied().chain([times]).collect();
                // What is too large does not become smaller.
                if !self.allow(&longer) {
                    break;
                }
                if shapes.len() >= most || longer.len() > MOST_COLOURS {
                    return None;
                }
                shapes.push(longer);
            }
        }
        shapes.sort_by_key(|shape| (cardinality(shape), shape.clone()));
        Some(shapes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes_within(bound: &Bound, length: u32, most: usize) -> Option<Vec<Shape>> {
        Limits::new(bound, length).shapes(most)
    }

    #[test]
    fn shapes_are_partitions() {
        // 1 + 1 + 2 + 3 + 5 + 7: the partitions of 0 to 5.
        assert_eq!(shapes_within(&Bound::of_size(5), 5, 100).unwrap().len(), 19);
        assert_eq!(shapes_within(&Bound::of_size(5), 5, 18), None);
        // With at most two colours: 1 + 1 + 2 + 2 + 3 + 3.
        assert_eq!(shapes_within(&Bound::of_size(5), 2, 100).unwrap().len(), 12);
        let sets = shapes_within(&Bound::within((0..4).collect()), 9, 100).unwrap();
        assert_eq!(sets, [vec![], vec![1], vec![1, 1], vec![1, 1, 1], vec![1, 1, 1, 1]]);
        assert_eq!(shapes_within(&Bound::of_size(9), 0, 100).unwrap(), [Vec::<u32>::new()]);
        assert_eq!(shapes_within(&Bound::within((0..1_000_000).collect()), 1_000_000, 20_000), None);
    }

    #[test]
    fn a_bag_is_one_shape_with_one_sequence() {
        let bag: Bag<u32> = [5, 1, 3, 1, 3, 9].into_iter().collect();
        let (shape, colours) = shape_of(&bag);
        assert_eq!((shape.as_slice(), colours.as_slice()), (&[2, 2, 1, 1][..], &[1, 3, 5, 9][..]));
        assert_eq!(bag_of(&shape, colours), bag);
    }
}
