//! Groups of permutations.
//!
//! The generators are split into parts that have no moved point in common: the group is the direct product of what the
//! parts generate, and each has a stabiliser chain of its own (`chain`). The symmetries of a model are usually such a
//! product of small groups.

mod chain;
mod word;

use dashu_int::UBig;

use crate::{Orbits, Permutation};
use chain::Chain;
use word::Word;

/// A group of permutations: its order is known, and of each permutation whether it belongs to the group.
#[derive(Clone, Debug, Default)]
pub struct Group {
    generators: Vec<Permutation>,
    /// All points that are moved are below.
    degree: usize,
    parts: Vec<Chain>,
}

impl Group {
    /// The group that some permutations generate; nothing if more than so many operations are needed to know its order.
    pub fn new(generators: &[Permutation], budget: u64) -> Option<Group> {
        let mut group = Group::unordered(generators);
        let mut word = Word::new(group.degree);
        let mut budget = budget;
        for part in &mut group.parts {
            part.complete(&mut word, &mut budget)?;
        }
        Some(group)
    }

    /// The group that some permutations generate strongly: those that fix the first so many points of the base generate
    /// all elements that do, and none but the identity fixes the whole base. It is not checked.
    pub(crate) fn from_strong_generators(base: &[u32], generators: &[Permutation]) -> Group {
        let mut group = Group { generators: generators.to_vec(), degree: degree(generators), parts: Vec::new() };
        group.parts = split(generators).into_iter().map(|part| Chain::from_strong(base, &part)).collect();
        group
    }

    fn unordered(generators: &[Permutation]) -> Group {
        let generators: Vec<Permutation> = generators.iter().filter(|one| !one.is_identity()).cloned().collect();
        let parts = split(&generators).into_iter().map(|part| Chain::from_strong(&[], &part)).collect();
        Group { degree: degree(&generators), generators, parts }
    }

    /// The permutations from which the group was made.
    pub fn generators(&self) -> &[Permutation] {
        &self.generators
    }

    /// All points that are moved are below this number.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The number of its elements.
    pub fn order(&self) -> UBig {
        self.parts.iter().fold(UBig::ONE, |order, part| order * part.order())
    }

    /// Whether nothing is moved.
    pub fn is_trivial(&self) -> bool {
        self.parts.is_empty()
    }

    /// The orbits of the points below its degree.
    pub fn orbits(&self) -> Orbits {
        Orbits::under(self.degree, &self.generators)
    }

    /// Whether a permutation is an element.
    pub fn contains(&self, permutation: &Permutation) -> bool {
        if permutation.support().any(|point| point as usize >= self.degree) {
            return false;
        }
        let mut word = Word::new(self.degree);
        word.apply(permutation);
        let mut unlimited = u64::MAX;
        self.parts.iter().all(|part| part.sift(&mut word, &mut unlimited).is_ok()) && word.is_identity()
    }

    /// The elements that fix each of some points.
    pub fn stabiliser(&self, points: &[u32]) -> Group {
        let mut result = Group { degree: self.degree, ..Group::default() };
        let mut word = Word::new(self.degree);
        for part in &self.parts {
            let fixed: Vec<u32> = points.iter().copied().filter(|&point| part.moves(point)).collect();
            if fixed.is_empty() {
                result.generators.extend(part.strong_generators(0));
                result.parts.push(part.clone());
                continue;
            }
            let chain = part.with_base(&fixed, &mut word);
            let generators = chain.strong_generators(fixed.len());
            let rest: Vec<u32> = chain.base().skip(fixed.len()).collect();
            result.parts.extend(split(&generators).into_iter().map(|piece| Chain::from_strong(&rest, &piece)));
            result.generators.extend(generators);
        }
        result
    }

    /// All elements, the identity first, if there are at most so many.
    pub fn elements(&self, most: usize) -> Option<Vec<Permutation>> {
        if self.order() > UBig::from(most) {
            return None;
        }
        let mut elements = vec![Permutation::identity()];
        for level in self.parts.iter().flat_map(Chain::transversals) {
            elements = level.iter().flat_map(|last| elements.iter().map(|first| first.then(last))).collect();
        }
        Some(elements)
    }
}

/// All points moved are below.
fn degree(generators: &[Permutation]) -> usize {
    generators.iter().filter_map(|one| one.moves().last()).map(|&(point, _)| point as usize + 1).max().unwrap_or(0)
}

/// The permutations, in parts that have no moved point in common.
fn split(generators: &[Permutation]) -> Vec<Vec<Permutation>> {
    let mut linked = Orbits::new(degree(generators));
    for one in generators {
        one.moves().windows(2).for_each(|pair| linked.unite(pair[0].0, pair[1].0));
    }
    let mut parts: Vec<(u32, Vec<Permutation>)> = Vec::new();
    let mut index = rustc_hash::FxHashMap::default();
    for one in generators {
        let Some(&(point, _)) = one.moves().first() else { continue };
        let link = linked.find(point);
        let at = *index.entry(link).or_insert_with(|| {
            parts.push((link, Vec::new()));
            parts.len() - 1
        });
        parts[at].1.push(one.clone());
    }
    parts.into_iter().map(|(_, part)| part).collect()
}
