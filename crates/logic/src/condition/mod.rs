//! Boolean conditions over atoms, as binary decision diagrams.
//!
//! A [`Condition`] is a set of letters. It is stored as an ordered, reduced diagram in a table, [`Conditions`], which
//! has each diagram once: two conditions of a table are equal as sets exactly if they are equal as values. Atoms with
//! smaller numbers are decided first.

mod results;

use rustc_hash::{FxHashMap, FxHashSet};

use results::{Operation, Results};

/// A condition of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition(u32);

impl Condition {
    /// No letter.
    pub const FALSE: Condition = Condition(0);
    /// Every letter.
    pub const TRUE: Condition = Condition(1);

    /// Whether no letter satisfies it.
    pub fn is_false(self) -> bool {
        self == Condition::FALSE
    }

    /// Whether every letter satisfies it.
    pub fn is_true(self) -> bool {
        self == Condition::TRUE
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node: `if atom then high else low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Decision {
    atom: u32,
    low: Condition,
    high: Condition,
}

/// Decided after every atom: the number of the constants.
const LAST: u32 = u32::MAX;

/// How many nodes a table may have. Operations on conditions can need exponentially many; see
/// [`Conditions::is_exhausted`].
pub const MAX_NODES: usize = 2_000_000;

/// A conjunction of literals: atoms in order, each with its value.
pub type Cube = Vec<(u32, bool)>;

/// A table of conditions.
#[derive(Debug)]
pub struct Conditions {
    decisions: Vec<Decision>,
    unique: FxHashMap<Decision, Condition>,
    results: Results,
    limit: usize,
    exhausted: bool,
}

/// A copy has the same conditions under the same values, but not the results of operations, which are the larger part.
impl Clone for Conditions {
    fn clone(&self) -> Conditions {
        Conditions {
            decisions: self.decisions.clone(),
            unique: self.unique.clone(),
            results: Results::default(),
            limit: self.limit,
            exhausted: self.exhausted,
        }
    }
}

impl Default for Conditions {
    fn default() -> Conditions {
        Conditions::new()
    }
}

impl Conditions {
    /// A table with the conditions true and false.
    pub fn new() -> Conditions {
        let constant = |value| Decision { atom: LAST, low: value, high: value };
        Conditions {
            decisions: vec![constant(Condition::FALSE), constant(Condition::TRUE)],
            unique: FxHashMap::default(),
            results: Results::default(),
            limit: MAX_NODES,
            exhausted: false,
        }
    }

    /// Whether a diagram was asked for that does not fit into the table. From then on, results mean nothing.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// The one constructor: a node whose branches differ and come after it.
    fn decide(&mut self, atom: u32, low: Condition, high: Condition) -> Condition {
        if low == high {
            return low;
        }
        debug_assert!(atom < self.first_atom(low) && atom < self.first_atom(high));
        let decision = Decision { atom, low, high };
        if let Some(&known) = self.unique.get(&decision) {
            return known;
        }
        if self.decisions.len() >= self.limit {
            self.exhausted = true;
            return Condition::FALSE;
        }
        let next = Condition(self.decisions.len() as u32);
        self.decisions.push(decision);
        self.unique.insert(decision, next);
        next
    }

    fn first_atom(&self, c: Condition) -> u32 {
        self.decisions[c.index()].atom
    }

    /// The atom that is decided first, with what is left if it is false and if it is true; nothing for a constant.
    pub fn decision(&self, c: Condition) -> Option<(u32, Condition, Condition)> {
        let Decision { atom, low, high } = self.decisions[c.index()];
        (atom != LAST).then_some((atom, low, high))
    }

    /// How many nodes the table has: a measure of the memory it takes.
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    /// Whether the table has only the constants.
    pub fn is_empty(&self) -> bool {
        self.decisions.len() == 2
    }

    /// True or false.
    pub fn constant(&self, value: bool) -> Condition {
        if value { Condition::TRUE } else { Condition::FALSE }
    }

    /// The letters in which an atom has a value.
    pub fn literal(&mut self, atom: u32, value: bool) -> Condition {
        assert!(atom != LAST, "atoms are numbers below 2^32 - 1");
        self.decide(atom, self.constant(!value), self.constant(value))
    }

    /// The letters that agree with all literals of a cube.
    pub fn cube(&mut self, cube: &[(u32, bool)]) -> Condition {
        let literals: Vec<Condition> = cube.iter().map(|&(atom, value)| self.literal(atom, value)).collect();
        literals.into_iter().rev().fold(Condition::TRUE, |all, literal| self.and(literal, all))
    }

    /// Complement.
    pub fn not(&mut self, c: Condition) -> Condition {
        let Some((atom, low, high)) = self.decision(c) else { return self.constant(c.is_false()) };
        if self.exhausted {
            return c;
        }
        if let Some(known) = self.results.find(Operation::Not, c, c) {
            return known;
        }
        let (low, high) = (self.not(low), self.not(high));
        let result = self.decide(atom, low, high);
        self.results.keep(Operation::Not, c, c, result, self.decisions.len());
        result
    }

    /// Intersection.
    pub fn and(&mut self, c: Condition, d: Condition) -> Condition {
        let (c, d) = (c.min(d), c.max(d));
        if c.is_false() || c == d || self.exhausted {
            return c;
        }
        if c.is_true() {
            return d;
        }
        if let Some(known) = self.results.find(Operation::And, c, d) {
            return known;
        }
        let atom = self.first_atom(c).min(self.first_atom(d));
        let (c_low, c_high) = self.branches(c, atom);
        let (d_low, d_high) = self.branches(d, atom);
        let low = self.and(c_low, d_low);
        let high = self.and(c_high, d_high);
        let result = self.decide(atom, low, high);
        self.results.keep(Operation::And, c, d, result, self.decisions.len());
        result
    }

    /// What is left of a condition once an atom is decided that comes no later than its first.
    fn branches(&self, c: Condition, atom: u32) -> (Condition, Condition) {
        let Decision { atom: first, low, high } = self.decisions[c.index()];
        if first == atom { (low, high) } else { (c, c) }
    }

    /// Union.
    pub fn or(&mut self, c: Condition, d: Condition) -> Condition {
        let (c, d) = (self.not(c), self.not(d));
        let neither = self.and(c, d);
        self.not(neither)
    }

    /// The letters of the first that are not in the second.
    pub fn minus(&mut self, c: Condition, d: Condition) -> Condition {
        let d = self.not(d);
        self.and(c, d)
    }

    /// Whether every letter of the first is in the second.
    pub fn implies(&mut self, c: Condition, d: Condition) -> bool {
        if c == d || c.is_false() || d.is_true() {
            return true;
        }
        if c.is_true() || d.is_false() {
            return false;
        }
        if let Some(known) = self.results.find(Operation::Implies, c, d) {
            return known.is_true();
        }
        let atom = self.first_atom(c).min(self.first_atom(d));
        let (c_low, c_high) = self.branches(c, atom);
        let (d_low, d_high) = self.branches(d, atom);
        let result = self.implies(c_low, d_low) && self.implies(c_high, d_high);
        self.results.keep(Operation::Implies, c, d, self.constant(result), self.decisions.len());
        result
    }

    /// Whether the conditions have a letter in common.
    pub fn intersects(&mut self, c: Condition, d: Condition) -> bool {
        let (c, d) = (c.min(d), c.max(d));
        if c.is_false() {
            return false;
        }
        if c.is_true() || c == d {
            return true;
        }
        if let Some(known) = self.results.find(Operation::Intersects, c, d) {
            return known.is_true();
        }
        let atom = self.first_atom(c).min(self.first_atom(d));
        let (c_low, c_high) = self.branches(c, atom);
        let (d_low, d_high) = self.branches(d, atom);
        let result = self.intersects(c_low, d_low) || self.intersects(c_high, d_high);
        self.results.keep(Operation::Intersects, c, d, self.constant(result), self.decisions.len());
        result
    }

    /// Whether a letter, given by the atoms that hold in it, satisfies a condition.
    pub fn satisfied(&self, mut c: Condition, holds: impl Fn(u32) -> bool) -> bool {
        while let Some((atom, low, high)) = self.decision(c) {
            c = if holds(atom) { high } else { low };
        }
        c.is_true()
    }

    /// A cube inside a condition; nothing if no letter satisfies it.
    pub fn any_cube(&self, mut c: Condition) -> Option<Cube> {
        let mut cube = Cube::new();
        while let Some((atom, low, high)) = self.decision(c) {
            let value = low.is_false();
            cube.push((atom, value));
            c = if value { high } else { low };
        }
        c.is_true().then_some(cube)
    }

    /// Cubes whose union is the condition, none of which can be left out or shortened (after Minato and Morreale).
    pub fn cubes(&mut self, c: Condition) -> Vec<Cube> {
        self.cover(c, c).1
    }

    /// Cubes between a lower and an upper bound, and their union.
    fn cover(&mut self, lower: Condition, upper: Condition) -> (Condition, Vec<Cube>) {
        if lower.is_false() || self.exhausted {
            return (Condition::FALSE, Vec::new());
        }
        if upper.is_true() {
            return (Condition::TRUE, vec![Cube::new()]);
        }
        let atom = self.first_atom(lower).min(self.first_atom(upper));
        let (lower_low, lower_high) = self.branches(lower, atom);
        let (upper_low, upper_high) = self.branches(upper, atom);
        // Letters that only a cube with the negative, with the positive literal can hold; then the rest, without it.
        let only_low = self.minus(lower_low, upper_high);
        let only_high = self.minus(lower_high, upper_low);
        let (covered_low, low) = self.cover(only_low, upper_low);
        let (covered_high, high) = self.cover(only_high, upper_high);
        let rest_low = self.minus(lower_low, covered_low);
        let rest_high = self.minus(lower_high, covered_high);
        let rest = self.or(rest_low, rest_high);
        let upper_both = self.and(upper_low, upper_high);
        let (covered, mut cubes) = self.cover(rest, upper_both);
        for (part, value) in [(low, false), (high, true)] {
            cubes.extend(part.into_iter().map(|mut cube| {
                cube.insert(0, (atom, value));
                cube
            }));
        }
        let (low, high) = (self.or(covered_low, covered), self.or(covered_high, covered));
        (self.decide(atom, low, high), cubes)
    }

    /// The atoms that a condition depends on, in order.
    pub fn atoms_of(&self, c: Condition) -> Vec<u32> {
        let mut seen = vec![c];
        let mut atoms = Vec::new();
        let mut at = 0;
        let mut known = FxHashSet::default();
        while at < seen.len() {
            if let Some((atom, low, high)) = self.decision(seen[at]) {
                atoms.push(atom);
                seen.extend([low, high].into_iter().filter(|&part| known.insert(part)));
            }
            at += 1;
        }
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }
}

/// Copies conditions from one table to another.
#[derive(Debug, Default)]
pub struct Import {
    known: FxHashMap<Condition, Condition>,
}

impl Import {
    /// The condition of `target` that has the same letters as `c` has in `source`.
    pub fn copy(&mut self, source: &Conditions, c: Condition, target: &mut Conditions) -> Condition {
        let Some((atom, low, high)) = source.decision(c) else { return c };
        if let Some(&known) = self.known.get(&c) {
            return known;
        }
        let low = self.copy(source, low, target);
        let high = self.copy(source, high, target);
        let result = target.decide(atom, low, high);
        self.known.insert(c, result);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A condition over five atoms from its truth table.
    fn from_table(conditions: &mut Conditions, table: u32) -> Condition {
        (0..32).filter(|letter| table >> letter & 1 == 1).fold(Condition::FALSE, |union, letter: u32| {
            let cube: Cube = (0..5).map(|atom| (atom, letter >> atom & 1 == 1)).collect();
            let letter = conditions.cube(&cube);
            conditions.or(union, letter)
        })
    }

    fn table(conditions: &Conditions, c: Condition) -> u32 {
        (0..32).filter(|letter| conditions.satisfied(c, |atom| letter >> atom & 1 == 1)).fold(0, |all, l| all | 1 << l)
    }

    #[test]
    fn operations_are_those_of_truth_tables_and_equal_tables_are_equal_values() {
        let mut conditions = Conditions::new();
        let mut random = 12345u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 32) as u32 & (random >> 20) as u32
        };
        for _ in 0..300 {
            let (a, b) = (next(), next());
            let (c, d) = (from_table(&mut conditions, a), from_table(&mut conditions, b));
            let (and, or, minus, not) =
                (conditions.and(c, d), conditions.or(c, d), conditions.minus(c, d), conditions.not(c));
            assert_eq!(and, from_table(&mut conditions, a & b));
            assert_eq!(or, from_table(&mut conditions, a | b));
            assert_eq!(minus, from_table(&mut conditions, a & !b));
            assert_eq!(not, from_table(&mut conditions, !a));
            assert_eq!(conditions.implies(c, d), a & !b == 0);
            assert_eq!(table(&conditions, and), a & b);
            assert_eq!(conditions.any_cube(c).is_some(), a != 0);
            let mut target = Conditions::new();
            let copy = Import::default().copy(&conditions, c, &mut target);
            assert_eq!(table(&target, copy), a);
        }
    }

    #[test]
    fn cubes_cover_exactly_the_condition_and_none_can_be_left_out() {
        let mut conditions = Conditions::new();
        for seed in 1..200u32 {
            let bits = seed.wrapping_mul(2654435761) ^ seed << 13;
            let c = from_table(&mut conditions, bits);
            let cubes = conditions.cubes(c);
            let parts: Vec<Condition> = cubes.iter().map(|cube| conditions.cube(cube)).collect();
            for left_out in 0..=parts.len() {
                let rest = parts.iter().enumerate().filter(|&(index, _)| index != left_out);
                let union = rest.fold(Condition::FALSE, |union, (_, &part)| conditions.or(union, part));
                assert_eq!(union == c, left_out == parts.len());
            }
        }
    }
}
