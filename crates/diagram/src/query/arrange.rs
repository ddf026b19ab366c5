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
use rustc_hash::FxHashMap;

use super::Count;
use crate::memory::Diagram;
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
/// assert_eq!(store.arrangements(&set, &arrangement, &[3]).and_then(|ways| ways.to_u64()), Some(4));
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

impl Store {
    /// The number of ways to tell apart the members of groups of these sizes that the states of a set count, all states
    /// together. Nothing if the counts of a group do not add up to its size in all states, or are negative.
    pub fn arrangements(&self, set: &Diagram, arrangement: &Arrangement, sizes: &[u32]) -> Option<Count> {
        let root = self.node_of(set);
        if self.nodes.is_undefined(root) {
            return None;
        }
        if root.is_terminal() {
            let is_none = root != ONE || sizes.iter().any(|size| *size > 0);
            return Some(if is_none { Count::zero() } else { Count::one() });
        }
        let mut walk = Arranging {
            store: self,
            arrangements: vec![arrangement.clone()],
            inside: FxHashMap::default(),
            known: FxHashMap::default(),
            choices: FxHashMap::default(),
            none: Ways { totals: Shared::new(vec![0; sizes.len()]), ways: UBig::ONE },
        };
        let all = walk.run(root)?;
        (*all.totals == sizes).then(|| Count::from(all.ways))
    }
}

/// A walk over nodes, each with the counters that are looked for below it.
struct Arranging<'a> {
    store: &'a Store,
    arrangements: Vec<Arrangement>,
    inside: FxHashMap<(u32, Variable), u32>,
    known: FxHashMap<(Node, u32), Ways>,
    choices: FxHashMap<(u32, u32), UBig>,
    none: Ways,
}

impl Arranging<'_> {
    fn run(&mut self, root: Node) -> Option<Ways> {
        let mut open = vec![(root, 0)];
        while let Some(&(node, arrangement)) = open.last() {
            if self.known.contains_key(&(node, arrangement)) {
                open.pop();
                continue;
            }
            if !matches!(self.store.nodes.kind(node), Kind::Data | Kind::Set) {
                return None;
            }
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
                self.known.insert((node, arrangement), ways);
            }
        }
        self.known.get(&(root, 0)).cloned()
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

    fn ways(&self, node: Node, arrangement: u32) -> Option<Ways> {
        if node == ONE { Some(self.none.clone()) } else { self.known.get(&(node, arrangement)).cloned() }
    }

    fn combine(&mut self, node: Node, arrangement: u32, label: Option<u32>) -> Option<Ways> {
        let store = self.store;
        let mut all: Option<Ways> = None;
        for arc in store.nodes.arcs(node) {
            let below = self.ways(arc.child, arrangement)?;
            let own = match (store.nodes.kind(node), label) {
                (Kind::Set, Some(label)) => self.ways(arc.set_label(), label)?,
                (Kind::Data, _) => self.of_value(node, arrangement, arc)?,
                // A set of integers where numbers are told apart.
                _ => return None,
            };
            let both = self.then(&own, &below)?;
            all = Some(match all {
                None => both,
                Some(mut all) => {
                    if all.totals != both.totals {
                        return None;
                    }
                    all.ways += both.ways;
                    all
                }
            });
        }
        all
    }

    /// What one value says.
    fn of_value(&mut self, node: Node, arrangement: u32, arc: &Arc) -> Option<Ways> {
        let value = arc.value();
        let mut own = self.none.clone();
        let mut add = |walk: &mut Self, group: u32, count: u32| {
            let mut one = walk.none.clone();
            *Shared::make_mut(&mut one.totals).get_mut(group as usize)? = count;
            own = walk.then(&own, &one)?;
            Some(())
        };
        let arrangement = self.arrangements[arrangement as usize].clone();
        match arrangement.of(self.store.nodes.variable(node)) {
            Some(Counter::Numbers(numbers)) => {
                for &(group, factor, offset) in numbers {
                    let count = i64::from(value) * i64::from(factor) + i64::from(offset);
                    add(self, group, u32::try_from(count).ok()?)?;
                }
            }
            Some(Counter::OneOf(groups)) => {
                let at = usize::try_from(value).ok()?;
                if let Some(Some(group)) = at.checked_sub(1).and_then(|at| groups.get(at)) {
                    add(self, *group, 1)?;
                }
            }
            Some(Counter::Inside(_)) | None => {}
        }
        Some(own)
    }

    /// One part after another: who is in which part can be chosen.
    fn then(&mut self, one: &Ways, other: &Ways) -> Option<Ways> {
        let mut totals = one.totals.clone();
        let mut ways = &one.ways * &other.ways;
        for (group, &more) in other.totals.iter().enumerate().filter(|(_, more)| **more > 0) {
            let before = one.totals[group];
            let total = before.checked_add(more)?;
            if before > 0 {
                ways *= self.choices(total, before.min(more));
            }
            Shared::make_mut(&mut totals)[group] = total;
        }
        Some(Ways { totals, ways })
    }

    /// The number of ways to choose some out of all, where some are at most half.
    fn choices(&mut self, all: u32, some: u32) -> &UBig {
        self.choices.entry((all, some)).or_insert_with(|| {
            let mut choices = UBig::ONE;
            for chosen in 0..some {
                choices *= all - chosen;
                choices /= chosen + 1;
            }
            choices
        })
    }
}
