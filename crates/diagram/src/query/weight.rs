//! Numbers that add up along a state: the tokens of a marking, a linear expression of its variables.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc as Shared;

use rustc_hash::{FxHashMap, FxHasher};

use super::walk::Alive;
use crate::hom::{Answer, Inductive, Label};
use crate::memory::{Diagram, Error, Hom};
use crate::node::{Arc, Kind, Node, ONE};
use crate::store::{Store, Variable};

/// A number for each state of a set: the sum of what its assignments contribute. Variables that are not named
/// contribute nothing.
///
/// ```
/// # use mandala_diagram::{Contribution, Error, Store, Weight};
/// let mut store = Store::new();
/// let (a, b) = (store.state(&[(0, 5), (1, 3)])?, store.state(&[(0, 6), (1, 0)])?);
/// let set = store.union(&a, &b)?;
/// let weight = Weight::new([(0, Contribution::Times(1)), (1, Contribution::Times(2))]);
/// assert_eq!(store.extremes(&set, &weight), Some((6, 11)));
/// let heavy = store.weighing(&weight, 7, i64::MAX);
/// assert_eq!(store.apply(&heavy, &set)?, a);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Weight(Shared<Terms>);

#[derive(Debug)]
struct Terms {
    terms: Vec<(Variable, Contribution)>,
    hash: u64,
}

/// What the assignment of a variable adds to a [`Weight`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Contribution {
    /// A multiple of its value.
    Times(i64),
    /// A number for each value, in ascending order of values; 0 for others.
    Table(Vec<(i32, i64)>),
    /// The weight of the state that is its value.
    Inside(Weight),
}

impl Weight {
    /// The weight to which these variables contribute.
    pub fn new(contributions: impl IntoIterator<Item = (Variable, Contribution)>) -> Weight {
        let mut terms: Vec<_> = contributions.into_iter().collect();
        terms.sort_by_key(|term| term.0);
        let mut hasher = FxHasher::default();
        terms.hash(&mut hasher);
        Weight(Shared::new(Terms { terms, hash: hasher.finish() }))
    }

    fn terms(&self) -> &[(Variable, Contribution)] {
        &self.0.terms
    }

    fn of(&self, variable: Variable) -> Option<&Contribution> {
        let at = self.terms().binary_search_by_key(&variable, |term| term.0).ok()?;
        Some(&self.terms()[at].1)
    }
}

impl PartialEq for Weight {
    fn eq(&self, other: &Weight) -> bool {
        Shared::ptr_eq(&self.0, &other.0) || self.0.hash == other.0.hash && self.terms() == other.terms()
    }
}

impl Eq for Weight {}

impl Hash for Weight {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

impl Contribution {
    fn of_value(&self, value: i32) -> i64 {
        match self {
            Contribution::Times(factor) => factor.saturating_mul(value.into()),
            Contribution::Table(table) => {
                table.binary_search_by_key(&value, |row| row.0).map_or(0, |place| table[place].1)
            }
            Contribution::Inside(_) => 0,
        }
    }
}

/// What is found out about a node from its arcs: a number or a set of numbers that adds up along paths.
trait Measure {
    type Value: Clone;
    /// Of one number.
    fn number(&self, number: i64) -> Self::Value;
    /// Of one thing after another.
    fn then(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// Of either of two.
    fn or(&self, a: Self::Value, b: Self::Value) -> Self::Value;
}

struct Extremes;

impl Measure for Extremes {
    type Value = (i64, i64);
    fn number(&self, number: i64) -> (i64, i64) {
        (number, number)
    }
    fn then(&self, a: &(i64, i64), b: &(i64, i64)) -> (i64, i64) {
        (a.0.saturating_add(b.0), a.1.saturating_add(b.1))
    }
    fn or(&self, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
        (a.0.min(b.0), a.1.max(b.1))
    }
}

struct AllSums;

impl Measure for AllSums {
    type Value = Shared<BTreeSet<i64>>;
    fn number(&self, number: i64) -> Self::Value {
        Shared::new(BTreeSet::from([number]))
    }
    fn then(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        if a.len() == 1 && a.contains(&0) {
            return b.clone();
        }
        Shared::new(a.iter().flat_map(|x| b.iter().map(|y| x.saturating_add(*y))).collect())
    }
    fn or(&self, mut a: Self::Value, b: Self::Value) -> Self::Value {
        if !Shared::ptr_eq(&a, &b) && a != b {
            Shared::make_mut(&mut a).extend(b.iter().copied());
        }
        a
    }
}

impl Store {
    /// The least and the greatest weight of a state of a set; nothing for the empty set. Numbers beyond 64 bits are cut
    /// off at the end of what 64 bits can say.
    pub fn extremes(&self, set: &Diagram, weight: &Weight) -> Option<(i64, i64)> {
        Measuring::new(self, self.node_of(set), Extremes).measure(self.node_of(set), weight)
    }

    /// Keeps the states whose weight is from `low` to `high`. Each variable of the weight must be met at most once, in
    /// ascending order, as in sets whose variables ascend along every path.
    pub fn weighing(&mut self, weight: &Weight, low: i64, high: i64) -> Hom {
        self.weighing_rest(weight.clone(), 0, low, high)
    }

    fn weighing_rest(&mut self, weight: Weight, from: usize, low: i64, high: i64) -> Hom {
        if from < weight.terms().len() {
            return self.inductive(Weighing { weight, from, low, high });
        }
        if low <= 0 && 0 <= high { self.identity() } else { self.null() }
    }
}

/// A walk over nodes, each with the weight that is looked for below it.
struct Measuring<'a, M: Measure> {
    store: &'a Store,
    alive: Alive<'a>,
    measure: M,
    /// Weights by number, and the numbers of those inside them, by variable.
    weights: Vec<Weight>,
    inside: FxHashMap<(u32, Variable), u32>,
    known: FxHashMap<(Node, u32), M::Value>,
}

impl<'a, M: Measure> Measuring<'a, M> {
    fn new(store: &'a Store, root: Node, measure: M) -> Self {
        let alive = store.alive(root);
        Measuring {
            store,
            alive,
            measure,
            weights: Vec::new(),
            inside: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    fn measure(&mut self, root: Node, weight: &Weight) -> Option<M::Value> {
        self.weights.push(weight.clone());
        let mut open = vec![(root, 0)];
        while let Some(&(node, weight)) = open.last() {
            if self.known.contains_key(&(node, weight)) || !self.has_arcs(node) {
                open.pop();
                continue;
            }
            let before = open.len();
            let inside = self.inside(node, weight);
            for arc in self.store.nodes.arcs(node).iter().filter(|arc| self.alive.contains(arc.child)) {
                let mut need = |node: Node, weight: u32| {
                    if self.has_arcs(node) && !self.known.contains_key(&(node, weight)) {
                        open.push((node, weight));
                    }
                };
                need(arc.child, weight);
                if let Some(inside) = inside {
                    need(arc.set_label(), inside);
                }
            }
            if open.len() == before {
                open.pop();
                let value = self.combine(node, weight, inside);
                self.known.insert((node, weight), value.unwrap_or_else(|| self.measure.number(0)));
            }
        }
        self.value(root, 0)
    }

    fn has_arcs(&self, node: Node) -> bool {
        matches!(self.store.nodes.kind(node), Kind::Data | Kind::Set) && self.alive.contains(node)
    }

    /// The number of the weight that is looked for in the labels of a node, if there is one.
    fn inside(&mut self, node: Node, weight: u32) -> Option<u32> {
        if self.store.nodes.kind(node) != Kind::Set {
            return None;
        }
        let variable = self.store.nodes.variable(node);
        let Some(Contribution::Inside(inside)) = self.weights[weight as usize].of(variable) else { return None };
        let inside = inside.clone();
        Some(*self.inside.entry((weight, variable)).or_insert_with(|| {
            self.weights.push(inside);
            self.weights.len() as u32 - 1
        }))
    }

    fn value(&self, node: Node, weight: u32) -> Option<M::Value> {
        if node == ONE { Some(self.measure.number(0)) } else { self.known.get(&(node, weight)).cloned() }
    }

    fn combine(&self, node: Node, weight: u32, inside: Option<u32>) -> Option<M::Value> {
        let contribution = self.weights[weight as usize].of(self.store.nodes.variable(node));
        let arcs = self.store.nodes.arcs(node).iter().filter(|arc| self.alive.contains(arc.child));
        let of_arc = |arc: &Arc| {
            let below = self.value(arc.child, weight)?;
            Some(match (contribution, self.store.nodes.kind(node)) {
                (Some(contribution), Kind::Data) => {
                    self.measure.then(&self.measure.number(contribution.of_value(arc.value())), &below)
                }
                (Some(_), Kind::Set) => match inside {
                    Some(inside) => match self.value(arc.set_label(), inside) {
                        Some(label) => self.measure.then(&label, &below),
                        // A set of integers where a state was expected contributes nothing.
                        None => below,
                    },
                    None => below,
                },
                _ => below,
            })
        };
        arcs.filter_map(of_arc).reduce(|a, b| self.measure.or(a, b))
    }
}

/// Keeps the states whose weight, from the given term on, lies between two numbers.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Weighing {
    weight: Weight,
    from: usize,
    low: i64,
    high: i64,
}

impl Weighing {
    /// What goes on below an assignment that contributes this much.
    fn after(&self, store: &mut Store, variable: Variable, contribution: i64) -> Hom {
        let from = self.weight.terms().partition_point(|term| term.0 <= variable);
        let low = if self.low == i64::MIN { self.low } else { self.low.saturating_sub(contribution) };
        let high = if self.high == i64::MAX { self.high } else { self.high.saturating_sub(contribution) };
        store.weighing_rest(self.weight.clone(), from, low, high)
    }
}

impl Inductive for Weighing {
    fn skips(&self, variable: Variable) -> bool {
        self.weight.of(variable).is_none()
    }

    fn at_value(&self, store: &mut Store, variable: Variable, value: i32) -> Result<Answer, Error> {
        let contribution = self.weight.of(variable).map_or(0, |contribution| contribution.of_value(value));
        Ok(Answer::Keep(self.after(store, variable, contribution)))
    }

    fn at_label(&self, store: &mut Store, variable: Variable, label: &Diagram) -> Result<Answer, Error> {
        let Some(Contribution::Inside(inside)) = self.weight.of(variable) else {
            return Ok(Answer::Keep(self.after(store, variable, 0)));
        };
        let node = store.node_of(label);
        let sums = Measuring::new(store, node, AllSums).measure(node, inside).unwrap_or_default();
        let mut moves = Vec::with_capacity(sums.len());
        for &sum in sums.iter() {
            let exactly = store.weighing(inside, sum, sum);
            let part = store.apply(&exactly, label)?;
            moves.push((Label::Set(part), self.after(store, variable, sum)));
        }
        Ok(Answer::Move(moves))
    }

    fn at_one(&self, store: &mut Store) -> Result<Diagram, Error> {
        Ok(if self.low <= 0 && 0 <= self.high { store.one() } else { store.zero() })
    }

    fn is_selector(&self) -> bool {
        true
    }
}
