//! A permutation in the making: a product that is extended factor by factor.

use crate::Permutation;

/// The identity at first. A factor costs as much as it moves, and so does the way back to the identity.
pub(super) struct Word {
    image: Vec<u32>,
    preimage: Vec<u32>,
    /// Points that may have been moved.
    touched: Vec<u32>,
    scratch: Vec<(u32, u32)>,
}

impl Word {
    /// For permutations of the points below a number.
    pub fn new(degree: usize) -> Word {
        let identity: Vec<u32> = (0..degree as u32).collect();
        Word { image: identity.clone(), preimage: identity, touched: Vec::new(), scratch: Vec::new() }
    }

    pub fn image(&self, point: u32) -> u32 {
        self.image[point as usize]
    }

    /// Applies a permutation after what is there.
    pub fn apply(&mut self, next: &Permutation) {
        self.scratch.clear();
        self.scratch.extend(next.moves().iter().map(|&(point, image)| (self.preimage[point as usize], image)));
        for &(point, image) in &self.scratch {
            self.image[point as usize] = image;
            self.preimage[image as usize] = point;
            self.touched.push(point);
        }
        if self.touched.len() > 2 * self.image.len() {
            self.tidy();
        }
    }

    /// Forgets what has come back to its place.
    fn tidy(&mut self) {
        self.touched.sort_unstable();
        self.touched.dedup();
        let image = &self.image;
        self.touched.retain(|&point| image[point as usize] != point);
    }

    pub fn is_identity(&self) -> bool {
        self.touched.iter().all(|&point| self.image(point) == point)
    }

    /// The product; afterwards the identity is there again.
    pub fn take(&mut self) -> Permutation {
        self.tidy();
        let moves = self.touched.iter().map(|&point| (point, self.image(point))).collect();
        self.clear();
        // What is moved is a bijection by construction.
        Permutation::from_moves(moves).unwrap_or_default()
    }

    /// Back to the identity.
    pub fn clear(&mut self) {
        for point in self.touched.drain(..) {
            self.image[point as usize] = point;
            self.preimage[point as usize] = point;
        }
    }
}
