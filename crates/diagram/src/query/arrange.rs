//! In how many ways things can be told apart that a state only counts.
//!
//! Say that some variables of a state count the members of a *group*: how many are in each of some conditions. If the group has
//! `n` members and the variables say `c1, c2, ...`, which add up to `n`, then there are `n! / (c1! c2! ...)` ways to say who is in
//! which condition. What is added up here is the number of these ways over all states of a set, for several groups at once.
//!
//! If the counts of each group add up to the same number in all states of a set, they do so below each node: whatever leads to the
//! node may be continued by all that is below it. So each node has one total for each group, and one number of ways for what is
//! below it; a sequence of two parts has the product of their ways, times the ways to choose who is in which part.

use std::sync::Arc as Shared;

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use rustc_hash::FxHashMap;

use super::Count;
use crate::memory::{Diagram, Error};
use crate::node::{Arc, Kind, Node, ONE};
use crate::store::{Store, Variable};

/// Which variables count the members of which groups.
///
/// ```
/// # use mandala_diagram::{Arrangement, Counter, Error, Store};
/// let mut store = Store::new();
/// // Two of three are here and one is there, or all of them are there.
/// let (a, b) = (store.state(&[(0, 2), (1, 1)])?, store.state(&[(0, 0), (1, 3)])?);
/// let set = store.union(&a, &b)?;
/// let counter = || Counter::Numbers(vec![(0, 1, 0)]);
/// let arrangement = Arrangement::new([(0, counter()), (1, counter())]);
/// assert_eq!(store.arrangements(&set, &arrangement, &[3])?.and_then(|ways| ways.to_u64()), Some(4));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arrangement(Shared<Vec<(Variable, Counter)>>);

/// How many members of which groups a variable counts.
#[derive(Clone, Debug)]
pub enum Counter {
    /// For each of these, so many of a group: the value times a factor, plus an offset.
    Numbers(Vec<(u32, i32, i32)>),
    /// For value i from 1 on, one of the i-th group, if there is one.
    OneOf(Vec<Option<u32>>),
    /// What the state that is its value counts.
    Inside(Arrangement),
}

impl Arrangement {
    /// These variables count; all others do not.
    pub fn new(counters: impl IntoIterator<Item = (Variable, Counter)>) -> Arrangement {
        let mut counters: Vec<_> = counters.into_iter().collect();
        counters.sort_by_key(|one| one.0);
        Arrangement(Shared::new(counters))
    }

    fn of(&self, variable: Variable) -> Option<&Counter> {
        let at = self.0.binary_search_by_key(&variable, |one| one.0).ok()?;
        Some(&self.0[at].1)
    }
}

/// How many of each group, and in how many ways.
#[derive(Clone, Debug)]
struct Ways {
    totals: Shared<Vec<u32>>,
    ways: UBig,
}

/// Why there is no number.
enum Missing {
    /// Something does not count what it should.
    Number,
    /// A limit struck.
    Limit(Error),
}

/// Words of numbers that are calculated between two looks at the limits, and as many of them as count as one node.
const PATIENCE: u64 = 1 << 20;
const WORDS_OF_NODE: u64 = 16;

impl Store {
    /// The number of ways to tell apart the members of groups of these sizes that the states of a set count, all states
    /// together. Nothing if the counts of a group do not add up to its size in all states, or are negative. An error if a limit
    /// of the store strikes.
    pub fn arrangements(
        &self, set: &Diagram, arrangement: &Arrangement, sizes: &[u32],
    ) -> Result<Option<Count>, Error> {
        let root = self.node_of(set);
        if self.nodes.is_undefined(root) {
            return Ok(None);
        }
        if root.is_terminal() {
            let is_none = root != ONE || sizes.iter().any(|size| *size > 0);
            return Ok(Some(if is_none { Count::zero() } else { Count::one() }));
        }
        let mut walk = Arranging {
            store: self,
            arrangements: vec![arrangement.clone()],
            inside: FxHashMap::default(),
            known: FxHashMap::default(),
            rows: vec![Row { all: 0, some: 0, ways: UBig::ONE }; sizes.len()],
            none: Ways { totals: Shared::new(vec![0; sizes.len()]), ways: UBig::ONE },
            words: 0,
            look_at: 0,
            bytes: 0,
        };
        match walk.run(root) {
            Ok(all) => Ok((*all.totals == sizes).then(|| Count::from(all.ways))),
            Err(Missing::Number) => Ok(None),
            Err(Missing::Limit(error)) => Err(error),
        }
    }
}

/// The number of ways to choose some out of all, where the numbers beside it are asked for next: those of the values of one node.
#[derive(Clone)]
struct Row {
    all: u32,
    some: u32,
    ways: UBig,
}

/// A walk over nodes, each with the counters that are looked for below it.
struct Arranging<'a> {
    store: &'a Store,
    arrangements: Vec<Arrangement>,
    inside: FxHashMap<(u32, Variable), u32>,
    known: FxHashMap<(Node, u32), Ways>,
    /// By group.
    rows: Vec<Row>,
    none: Ways,
    /// Words of numbers that were calculated.
    words: u64,
    /// Limits are looked at when there are so many.
    look_at: u64,
    /// Bytes of the numbers that are known.
    bytes: usize,
}

/// Words of a number, and one for what comes with it.
fn words(number: &UBig) -> u64 {
    number.bit_len() as u64 / 64 + 1
}

impl Arranging<'_> {
    /// Counts work, and looks at the limits now and then.
    fn spend(&mut self, words: u64) -> Result<(), Missing> {
        self.words = self.words.saturating_add(words);
        if self.words < self.look_at {
            return Ok(());
        }
        self.look_at = self.words.saturating_add(PATIENCE);
        self.store.look(self.words / WORDS_OF_NODE, self.bytes).map_err(Missing::Limit)
    }

    fn run(&mut self, root: Node) -> Result<Ways, Missing> {
        let mut open = vec![(root, 0)];
        while let Some(&(node, arrangement)) = open.last() {
            if self.known.contains_key(&(node, arrangement)) {
                open.pop();
                continue;
            }
            if !matches!(self.store.nodes.kind(node), Kind::Data | Kind::Set) {
                return Err(Missing::Number);
            }
            self.spend(self.store.nodes.arcs(node).len() as u64)?;
            let before = open.len();
            let label = self.label(node, arrangement);
            let mut need = |node: Node, arrangement: u32| {
                if !node.is_terminal() && !self.known.contains_key(&(node, arrangement)) {
                    open.push((node, arrangement));
                }
            };
            for arc in self.store.nodes.arcs(node) {
                need(arc.child, arrangement);
                if let Some(label) = label {
                    need(arc.set_label(), label);
                }
            }
            if open.len() == before {
                open.pop();
                let ways = self.combine(node, arrangement, label)?;
                self.bytes += 8 * words(&ways.ways) as usize + size_of::<((Node, u32), Ways)>() + 4 * ways.totals.len();
                self.known.insert((node, arrangement), ways);
            }
        }
        self.ways(root, 0)
    }

    /// The number of the arrangement inside the labels of a node. Labels in which nothing counts have one with no counters: their
    /// states count nobody, but each of them is a state.
    fn label(&mut self, node: Node, arrangement: u32) -> Option<u32> {
        if self.store.nodes.kind(node) != Kind::Set {
            return None;
        }
        let variable = self.store.nodes.variable(node);
        let inside = match self.arrangements[arrangement as usize].of(variable) {
            Some(Counter::Inside(inside)) => inside.clone(),
            _ => Arrangement::new([]),
        };
        let arrangements = &mut self.arrangements;
        Some(*self.inside.entry((arrangement, variable)).or_insert_with(|| {
            arrangements.push(inside);
            arrangements.len() as u32 - 1
        }))
    }

    fn ways(&self, node: Node, arrangement: u32) -> Result<Ways, Missing> {
        if node == ONE {
            return Ok(self.none.clone());
        }
        self.known.get(&(node, arrangement)).cloned().ok_or(Missing::Number)
    }

    fn combine(&mut self, node: Node, arrangement: u32, label: Option<u32>) -> Result<Ways, Missing> {
        let store = self.store;
        let mut all: Option<Ways> = None;
        for arc in store.nodes.arcs(node) {
            let below = self.ways(arc.child, arrangement)?;
            let own = match (store.nodes.kind(node), label) {
                (Kind::Set, Some(label)) => self.ways(arc.set_label(), label)?,
                (Kind::Data, _) => self.of_value(node, arrangement, arc)?,
                // A set of integers where numbers are told apart.
                _ => return Err(Missing::Number),
            };
            let both = self.then(&own, &below)?;
            all = Some(match all {
                None => both,
                Some(mut all) => {
                    if all.totals != both.totals {
                        return Err(Missing::Number);
                    }
                    all.ways += both.ways;
                    all
                }
            });
        }
        all.ok_or(Missing::Number)
    }

    /// What one value says.
    fn of_value(&mut self, node: Node, arrangement: u32, arc: &Arc) -> Result<Ways, Missing> {
        let value = arc.value();
        let mut own = self.none.clone();
        let mut add = |walk: &mut Self, group: u32, count: u32| {
            let mut one = walk.none.clone();
            let total = Shared::make_mut(&mut one.totals).get_mut(group as usize);
            *total.ok_or(Missing::Number)? = count;
            own = walk.then(&own, &one)?;
            Ok(())
        };
        let arrangement = self.arrangements[arrangement as usize].clone();
        match arrangement.of(self.store.nodes.variable(node)) {
            Some(Counter::Numbers(numbers)) => {
                for &(group, factor, offset) in numbers {
                    let count = i64::from(value) * i64::from(factor) + i64::from(offset);
                    add(self, group, u32::try_from(count).map_err(|_| Missing::Number)?)?;
                }
            }
            Some(Counter::OneOf(groups)) => {
                let at = usize::try_from(value).map_err(|_| Missing::Number)?;
                if let Some(Some(group)) = at.checked_sub(1).and_then(|at| groups.get(at)) {
                    add(self, *group, 1)?;
                }
            }
            Some(Counter::Inside(_)) | None => {}
        }
        Ok(own)
    }

    /// One part after another: who is in which part can be chosen.
    fn then(&mut self, one: &Ways, other: &Ways) -> Result<Ways, Missing> {
        let mut totals = one.totals.clone();
        let mut ways = &one.ways * &other.ways;
        self.spend(words(&one.ways).saturating_mul(words(&other.ways)))?;
        for (group, &more) in other.totals.iter().enumerate().filter(|(_, more)| **more > 0) {
            let before = one.totals[group];
            let total = before.checked_add(more).ok_or(Missing::Number)?;
            if before > 0 {
                let choices = self.choices(group, total, before.min(more))?;
                let cost = words(&ways).saturating_mul(words(choices));
                ways *= choices;
                self.spend(cost)?;
            }
            Shared::make_mut(&mut totals)[group] = total;
        }
        Ok(Ways { totals, ways })
    }

    /// The number of ways to choose some out of all, where some are at most half.
    fn choices(&mut self, group: usize, all: u32, some: u32) -> Result<&UBig, Missing> {
        let last = &self.rows[group];
        if last.all != all || last.some.abs_diff(some) > some {
            self.rows[group] = Row { all, some: 0, ways: UBig::ONE };
        }
        while self.rows[group].some != some {
            let Row { some: last, ways, .. } = &mut self.rows[group];
            if *last < some {
                *ways *= all - *last;
                *last += 1;
                *ways /= *last;
            } else {
                *ways *= *last;
                *last -= 1;
                *ways /= all - *last;
            }
            let cost = words(ways);
            self.spend(cost)?;
        }
        Ok(&self.rows[group].ways)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    /// All ways to divide so many among three conditions, one step after the other.
    fn divided(store: &mut Store, count: i32) -> Diagram {
        let mut set = store.zero();
        for here in 0..=count {
            for there in 0..=count - here {
                let state = store.state(&[(0, here), (1, there), (2, count - here - there)]).unwrap();
                set = store.union(&set, &state).unwrap();
            }
        }
        set
    }

    fn three() -> Arrangement {
        Arrangement::new((0..3).map(|variable| (variable, Counter::Numbers(vec![(0, 1, 0)]))))
    }

    #[test]
    fn powers_of_three() {
        let mut store = Store::new();
        for count in 0..20 {
            let set = divided(&mut store, count);
            let ways = store.arrangements(&set, &three(), &[count as u32]).unwrap();
            assert_eq!(ways.and_then(|ways| ways.to_u64()), Some(3_u64.pow(count as u32)), "{count}");
        }
    }

    #[test]
    fn limits_are_looked_at() {
        let mut store = Store::new();
        let set = divided(&mut store, 30);
        let count = |store: &Store| store.arrangements(&set, &three(), &[30]);
        let within = |store: &mut Store, limits: Limits| {
            store.set_limits(limits);
            count(store)
        };
        let past = Some(std::time::Instant::now());
        let late = within(&mut store, Limits { deadline: past, ..Limits::default() });
        assert!(matches!(late, Err(Error::Time { .. })), "{late:?}");
        let full = within(&mut store, Limits { memory: Some(1), ..Limits::default() });
        assert!(matches!(full, Err(Error::Memory { .. })), "{full:?}");
        let busy = within(&mut store, Limits { work: Some(0), ..Limits::default() });
        assert!(matches!(busy, Err(Error::Work { .. })), "{busy:?}");
        assert!(within(&mut store, Limits::default()).is_ok());
        store.cancel().cancel();
        let cancelled = count(&store);
        assert!(matches!(cancelled, Err(Error::Cancelled { .. })), "{cancelled:?}");
    }
}
