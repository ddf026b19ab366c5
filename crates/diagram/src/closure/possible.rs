//! Whether an operation leaves anything of a set.
//!
//! Most transitions are chains, and whether a chain leaves anything is seen without making it: one way through the diagram
//! on which all of its links are possible is enough, and mostly the first is.

use crate::hom::{ID, Image, Map, NULL, Term, TermData, related};
use crate::memory::Run;
use crate::node::{Kind, Node, ONE, TOP, ZERO};
use crate::store::{NODE_TICKS, Store};

/// Of sums with more terms than this all are done at once: those that skip a variable go on together.
const FEW_TERMS: usize = 8;

/// What a term asks of the arcs of a node.
enum Way {
    /// A value map, then a term below.
    Value(Term),
    /// A term in the label, and one below.
    Local(Term, Term),
    /// The same term below.
    Below,
}

impl Store {
    /// Whether a term leaves anything of a set, or ⊤.
    pub(super) fn is_possible(&mut self, term: Term, set: Node) -> Run<bool> {
        if term == ID || term == NULL || set == ZERO || set == TOP {
            return Ok(term != NULL && set != ZERO);
        }
        if let Some(result) = self.caches.possible.get([term.0, set.0]) {
            return Ok(result == ONE.0);
        }
        if self.ticks == 1 {
            self.tick()?;
        }
        let result = if self.stack_is_low() {
            self.on_new_stack(|store| store.is_possible_anew(term, set))?
        } else {
            self.is_possible_anew(term, set)?
        };
        self.caches.possible.put([term.0, set.0], if result { ONE.0 } else { ZERO.0 });
        if self.caches.possible.is_crowded() {
            self.grow_cache(|caches| &mut caches.possible, 1);
        }
        Ok(result)
    }

    fn is_possible_anew(&mut self, term: Term, set: Node) -> Run<bool> {
        if let TermData::Sum(members) = self.terms.get(term)
            && members.len() <= FEW_TERMS
        {
            let members = members.clone();
            for &member in &*members {
                if self.is_possible(member, set)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let Some(way) = self.way(term, set) else {
            return Ok(self.apply_term(term, set)? != ZERO);
        };
        self.spend(NODE_TICKS);
        for at in 0..self.nodes.arc_count(set) {
            let arc = self.nodes.arc(set, at);
            let possible = match way {
                Way::Below => self.is_possible(term, arc.child)?,
                Way::Value(rest) => self.has_image(term, arc.value()) && self.is_possible(rest, arc.child)?,
                Way::Local(inside, rest) => {
                    self.is_possible(inside, arc.set_label())? && self.is_possible(rest, arc.child)?
                }
            };
            if possible {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a term asks of the arcs of a node. `None` if it is no chain whose next variable is this one or one below.
    fn way(&self, term: Term, set: Node) -> Option<Way> {
        let kind = self.nodes.kind(set);
        if kind != Kind::Data && kind != Kind::Set {
            return None;
        }
        let at = self.nodes.variable(set);
        match *self.terms.get(term) {
            TermData::Value { variable, rest, .. } if variable == at && kind == Kind::Data => Some(Way::Value(rest)),
            TermData::Local { variable, inside, rest } if variable == at && kind == Kind::Set => {
                Some(Way::Local(inside, rest))
            }
            TermData::Value { variable, .. } | TermData::Local { variable, .. } if variable > at => Some(Way::Below),
            _ => None,
        }
    }

    /// Whether the first link of a chain makes anything of a value.
    fn has_image(&self, term: Term, value: i32) -> bool {
        match self.terms.get(term) {
            TermData::Value { map: Map::Relation(pairs), .. } => !related(pairs, value).is_empty(),
            TermData::Value { map, .. } => !matches!(map.image(value), Image::Nothing),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::node::ZERO;
    use crate::{Diagram, Error, Hom, Store, ValueMap};

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> i32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % end) as i32
        }
    }

    /// Some states of two parts with two variables each, and of a variable.
    fn states(store: &mut Store, numbers: &mut Numbers) -> Result<Diagram, Error> {
        let mut states = Vec::new();
        for _ in 0..=numbers.below(6) {
            let mut below = store.one();
            below = store.assign(2, numbers.below(4), &below)?;
            for part in [1, 0] {
                let label = store.state(&[(0, numbers.below(4)), (1, numbers.below(4))])?;
                below = store.assign_set(part, &label, &below)?;
            }
            states.push(below);
        }
        store.union_of(&states)
    }

    fn map(numbers: &mut Numbers) -> ValueMap {
        match numbers.below(6) {
            0 => ValueMap::at_least(numbers.below(4)),
            1 => ValueMap::at_most(numbers.below(4)),
            2 => ValueMap::add(numbers.below(5) - 2),
            3 => ValueMap::add(i32::MAX - numbers.below(3)),
            4 => ValueMap::equal(numbers.below(4)),
            _ => ValueMap::relation([(numbers.below(4), 7), (numbers.below(4), 8)]),
        }
    }

    /// A homomorphism on states, or (`inside`) on those of a part.
    fn hom(store: &mut Store, numbers: &mut Numbers, inside: bool, depth: u32) -> Hom {
        match if depth == 0 { 0 } else { numbers.below(8) } {
            0..4 if inside => store.value(numbers.below(3) as u32, map(numbers)),
            0..4 if numbers.below(4) == 0 => store.value(if numbers.below(9) == 0 { 0 } else { 2 }, map(numbers)),
            0..4 => {
                let within = hom(store, numbers, true, 2);
                store.local(numbers.below(2) as u32, &within)
            }
            4..6 => {
                let homs = [0; 2].map(|_| hom(store, numbers, inside, depth - 1));
                store.sequence(&homs)
            }
            6 => {
                let count = 1 + numbers.below(12);
                let homs: Vec<Hom> = (0..count).map(|_| hom(store, numbers, inside, depth - 1)).collect();
                store.sum(&homs)
            }
            _ => {
                let inner = hom(store, numbers, inside, depth - 1);
                if store.is_selector(&inner) { store.not(&inner) } else { inner }
            }
        }
    }

    #[test]
    fn what_is_possible_leaves_something() -> Result<(), Error> {
        let (mut possible, mut impossible) = (0, 0);
        for seed in 0..3000 {
            let mut numbers = Numbers(seed);
            let mut store = Store::new();
            if seed % 4 == 0 {
                store.collect_at_every(1);
            }
            for _ in 0..3 {
                let set = states(&mut store, &mut numbers)?;
                let hom = hom(&mut store, &mut numbers, false, 3);
                let (term, node) = (store.term_of(&hom), store.node_of(&set));
                let answer = store.run(|store| store.is_possible(term, node))?;
                let result = store.apply(&hom, &set)?;
                assert_eq!(answer, store.node_of(&result) != ZERO, "seed {seed}: {hom:?} on {set:?}");
                *if answer { &mut possible } else { &mut impossible } += 1;
            }
        }
        assert!(possible > 1000 && impossible > 1000, "{possible} are possible, {impossible} are not");
        Ok(())
    }
}
