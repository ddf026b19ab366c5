//! Sets of points that can be mapped to each other.

use crate::Permutation;

/// A partition of the points below a number, which grows coarser as permutations are added.
#[derive(Clone, Debug)]
pub struct Orbits {
    /// Towards the representative of each point's orbit, which is its least point and its own parent.
    parent: Vec<u32>,
    /// For representatives, how many points their orbit has.
    size: Vec<u32>,
}

impl Orbits {
    /// Each point alone.
    pub fn new(points: usize) -> Orbits {
        Orbits { parent: (0..points as u32).collect(), size: vec![1; points] }
    }

    /// The orbits of the points below a number under some permutations.
    pub fn under<'a>(points: usize, permutations: impl IntoIterator<Item = &'a Permutation>) -> Orbits {
        let mut orbits = Orbits::new(points);
        permutations.into_iter().for_each(|one| orbits.add(one));
        orbits
    }

    /// Merges the orbits of each point and its image.
    pub fn add(&mut self, permutation: &Permutation) {
        for &(point, image) in permutation.moves() {
            self.unite(point, image);
        }
    }

    /// Merges the orbits of two points.
    pub fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        if one == other {
            return;
        }
        let (least, greatest) = (one.min(other), one.max(other));
        if let Some(parent) = self.parent.get_mut(greatest as usize) {
            *parent = least;
            self.size[least as usize] += self.size[greatest as usize];
        }
    }

    /// How many points the orbit of a point has.
    pub fn size(&mut self, point: u32) -> u32 {
        let least = self.find(point);
        self.size.get(least as usize).copied().unwrap_or(1)
    }

    /// The least point of a point's orbit.
    pub fn find(&mut self, mut point: u32) -> u32 {
        while let Some(&parent) = self.parent.get(point as usize) {
            if parent == point {
                break;
            }
            // Halve the way for whoever asks next.
            let above = self.parent[parent as usize];
            self.parent[point as usize] = above;
            point = above;
        }
        point
    }

    /// Whether two points are in the same orbit.
    pub fn same(&mut self, one: u32, other: u32) -> bool {
        self.find(one) == self.find(other)
    }

    /// The orbits of two and more points, in ascending order of their least points; points ascend in each.
    pub fn large(&mut self) -> Vec<Vec<u32>> {
        let count = self.parent.len();
        let mut index = vec![0; count];
        let mut orbits: Vec<Vec<u32>> = Vec::new();
        for point in 0..count as u32 {
            let least = self.find(point) as usize;
            if self.size[least] < 2 {
                continue;
            }
            if least == point as usize {
                index[least] = orbits.len();
                orbits.push(Vec::with_capacity(self.size[least] as usize));
            }
            orbits[index[least]].push(point);
        }
        orbits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_know_their_sizes() {
        let mut orbits = Orbits::new(6);
        orbits.unite(4, 2);
        orbits.unite(2, 4);
        orbits.unite(5, 4);
        assert_eq!([0, 2, 4, 5].map(|point| orbits.size(point)), [1, 3, 3, 3]);
        assert_eq!(orbits.large(), [[2, 4, 5]]);
    }
}
