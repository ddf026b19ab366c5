//! Stabiliser chains (Schreier and Sims).
//!
//! Level `i` of a chain has a *base point*, and is about the elements that fix the base points of all levels above. The
//! generators among them map the base point to the points of its *orbit*; for each of these the *tree* has the last
//! generator of some way there. The order of the group is the product of the lengths of the orbits, and each element is
//! a product of ways, one per level. The chain is *complete* if at each level the generators generate all elements that
//! fix the base points above.

use dashu_int::UBig;
use rustc_hash::{FxHashMap, FxHashSet};

use super::word::Word;
use crate::Permutation;

#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    generators: Vec<Generator>,
    levels: Vec<Level>,
    /// The level of each base point.
    level_of: FxHashMap<u32, usize>,
    /// The generators that move each point.
    moving: FxHashMap<u32, Vec<u32>>,
}

#[derive(Clone, Debug)]
struct Generator {
    forwards: Permutation,
    backwards: Permutation,
    /// The first level whose base point it moves: it belongs to the levels up to this one.
    level: usize,
}

#[derive(Clone, Debug)]
struct Level {
    base: u32,
    /// In the order in which the points were reached.
    orbit: Vec<u32>,
    /// The last generator of the way to each point but the base point.
    tree: FxHashMap<u32, Step>,
}

/// A generator or its inverse.
#[derive(Clone, Copy, Debug)]
struct Step {
    generator: u32,
    is_inverse: bool,
}

/// Why a word could not be sifted to the end.
pub(super) enum Stuck {
    /// It maps a base point out of its orbit: it is no element of the chain.
    Outside,
    /// The budget is used up.
    Exhausted,
}

impl Chain {
    /// The chain of some generators, with base points out of a list as long as it goes. It is complete if they are
    /// strong generators for it.
    pub fn from_strong(base: &[u32], generators: &[Permutation]) -> Chain {
        let mut chain = Chain::default();
        let moved: FxHashSet<u32> = generators.iter().flat_map(Permutation::support).collect();
        for &point in base {
            if moved.contains(&point) {
                chain.push_level(point);
            }
        }
        for one in generators {
            chain.insert(one.clone());
        }
        (0..chain.levels.len()).for_each(|level| chain.grow(level));
        chain
    }

    fn push_level(&mut self, base: u32) {
        self.level_of.entry(base).or_insert(self.levels.len());
        self.levels.push(Level { base, orbit: vec![base], tree: FxHashMap::default() });
    }

    /// Adds a generator, and a level if it fixes the whole base; trees are not brought up to date.
    fn insert(&mut self, generator: Permutation) -> usize {
        let Some(&(point, _)) = generator.moves().first() else { return 0 };
        let moved = generator.support().filter_map(|point| self.level_of.get(&point).copied()).min();
        let level = moved.unwrap_or_else(|| {
            self.push_level(point);
            self.levels.len() - 1
        });
        for point in generator.support() {
            self.moving.entry(point).or_default().push(self.generators.len() as u32);
        }
        self.generators.push(Generator { backwards: generator.inverse(), forwards: generator, level });
        level
    }

    /// Makes the tree of a level anew, with ways as short as can be.
    fn grow(&mut self, level: usize) {
        let (mut orbit, mut tree) = (vec![self.levels[level].base], FxHashMap::default());
        let base = orbit[0];
        let mut next = 0;
        while next < orbit.len() {
            let point = orbit[next];
            next += 1;
            for &index in self.moving.get(&point).map_or(&[][..], Vec::as_slice) {
                let generator = &self.generators[index as usize];
                if generator.level < level {
                    continue;
                }
                for is_inverse in [false, true] {
                    let image = if is_inverse { &generator.backwards } else { &generator.forwards }.image(point);
                    if image != base && !tree.contains_key(&image) {
                        tree.insert(image, Step { generator: index, is_inverse });
                        orbit.push(image);
                    }
                }
            }
        }
        let level = &mut self.levels[level];
        (level.orbit, level.tree) = (orbit, tree);
    }

    pub fn order(&self) -> UBig {
        self.levels.iter().fold(UBig::ONE, |order, level| order * UBig::from(level.orbit.len()))
    }

    pub fn base(&self) -> impl Iterator<Item = u32> + '_ {
        self.levels.iter().map(|level| level.base)
    }

    pub fn moves(&self, point: u32) -> bool {
        self.moving.contains_key(&point)
    }

    /// The generators of the levels from one on.
    pub fn strong_generators(&self, level: usize) -> Vec<Permutation> {
        self.generators.iter().filter(|one| one.level >= level).map(|one| one.forwards.clone()).collect()
    }

    /// What a step applies.
    fn step(&self, step: Step) -> &Permutation {
        let generator = &self.generators[step.generator as usize];
        if step.is_inverse { &generator.backwards } else { &generator.forwards }
    }

    /// What undoes a step.
    fn step_back(&self, step: Step) -> &Permutation {
        self.step(Step { is_inverse: !step.is_inverse, ..step })
    }

    /// Multiplies a word by elements of the chain until it fixes all base points.
    pub fn sift(&self, word: &mut Word, budget: &mut u64) -> Result<(), Stuck> {
        self.sift_from(0, word, budget)
    }

    fn sift_from(&self, first: usize, word: &mut Word, budget: &mut u64) -> Result<(), Stuck> {
        for level in self.levels.iter().skip(first) {
            while word.image(level.base) != level.base {
                let Some(&step) = level.tree.get(&word.image(level.base)) else { return Err(Stuck::Outside) };
                let back = self.step_back(step);
                *budget = budget.checked_sub(back.moves().len() as u64).ok_or(Stuck::Exhausted)?;
                word.apply(back);
            }
        }
        Ok(())
    }

    /// Adds what is missing until the chain is complete; nothing if the budget does not suffice.
    ///
    /// By Schreier's lemma the elements that fix a base point are generated by `way to p · g · way back from g(p)`, for
    /// all points `p` of the orbit and generators `g` of the level: if these are products of elements of the levels
    /// below, for all levels, nothing is missing. It is looked at from the last level up.
    pub fn complete(&mut self, word: &mut Word, budget: &mut u64) -> Option<()> {
        let mut level = self.levels.len();
        while level > 0 {
            level -= 1;
            match self.missing(level, word, budget) {
                Ok(None) => {}
                Ok(Some(generator)) => {
                    level = self.insert(generator) + 1;
                    (0..level).for_each(|above| self.grow(above));
                }
                Err(()) => {
                    word.clear();
                    return None;
                }
            }
        }
        Some(())
    }

    /// An element of a level below one that is not a product of its generators, if there is one.
    fn missing(&self, level: usize, word: &mut Word, budget: &mut u64) -> Result<Option<Permutation>, ()> {
        for &point in &self.levels[level].orbit {
            let way = self.way(level, point);
            for (index, generator) in self.generators.iter().enumerate().filter(|(_, one)| one.level >= level) {
                let image = generator.forwards.image(point);
                let is_tree = |step: &Step| step.generator as usize == index && !step.is_inverse;
                if image != point && self.levels[level].tree.get(&image).is_some_and(is_tree) {
                    continue;
                }
                way.iter().for_each(|&step| word.apply(self.step(step)));
                word.apply(&generator.forwards);
                let cost = generator.forwards.moves().len()
                    + way.iter().map(|&step| self.step(step).moves().len()).sum::<usize>();
                *budget = budget.checked_sub(1 + cost as u64).ok_or(())?;
                match self.sift_from(level, word, budget) {
                    Err(Stuck::Exhausted) => return Err(()),
                    _ if word.is_identity() => word.clear(),
                    _ => return Ok(Some(word.take())),
                }
            }
        }
        Ok(None)
    }

    /// The way from the base point of a level to a point of its orbit.
    fn way(&self, level: usize, mut point: u32) -> Vec<Step> {
        let mut way = Vec::new();
        while let Some(&step) = self.levels[level].tree.get(&point) {
            way.push(step);
            point = self.step_back(step).image(point);
        }
        way.reverse();
        way
    }

    /// For each level, last one first, an element for each point of the orbit that maps the base point there. Each
    /// element of the group is in one way a product of these, one per level, in this order.
    pub fn transversals(&self) -> Vec<Vec<Permutation>> {
        let all = |level: usize| {
            let product = |way: Vec<Step>| {
                way.iter().fold(Permutation::identity(), |product, &step| product.then(self.step(step)))
            };
            self.levels[level].orbit.iter().map(|&point| product(self.way(level, point))).collect()
        };
        (0..self.levels.len()).rev().map(all).collect()
    }

    /// A complete chain of the same group whose base begins with some points. This chain must be complete.
    ///
    /// Random elements (always the same ones) are sifted until the order is that of the group: then nothing is missing.
    pub fn with_base(&self, points: &[u32], word: &mut Word) -> Chain {
        let mut chain = Chain::default();
        points.iter().for_each(|&point| chain.push_level(point));
        for generator in &self.generators {
            chain.insert(generator.forwards.clone());
        }
        (0..chain.levels.len()).for_each(|level| chain.grow(level));
        let order = self.order();
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        while chain.order() < order {
            for level in (0..self.levels.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let orbit = &self.levels[level].orbit;
                let point = orbit[((state >> 33) % orbit.len() as u64) as usize];
                self.way(level, point).into_iter().for_each(|step| word.apply(self.step(step)));
            }
            let mut unlimited = u64::MAX;
            let _ = chain.sift(word, &mut unlimited);
            let rest = word.take();
            if !rest.is_identity() {
                let level = chain.insert(rest);
                (0..=level).for_each(|above| chain.grow(above));
            }
        }
        chain
    }
}
