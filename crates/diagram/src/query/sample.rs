//! States of a set, at random.

use rustc_hash::FxHashMap;

use super::states::{Part, Token};
use super::walk::ranges_of;
use super::{Count, Exactness, State};
use crate::memory::Diagram;
use crate::node::{Kind, Node, ONE};
use crate::store::Store;

/// How many binary digits of a count matter to chance.
const DIGITS: usize = 256;

impl Store {
    /// Prepares to draw states of a set at random, each as likely as any other (as far as counts of 256 binary digits
    /// tell). `None` if it is empty or holds infinitely many. For each node of the set, a number is kept.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store};
    /// let mut store = Store::new();
    /// let (a, b) = (store.state(&[(0, 5), (1, 3)])?, store.state(&[(0, 6), (1, 2)])?);
    /// let set = store.union(&a, &b)?;
    /// let lottery = store.lottery(&set).unwrap();
    /// let mut numbers = [0.2, 0.9, 0.9, 0.9].into_iter().cycle();
    /// let state = lottery.draw(&store, || numbers.next().unwrap());
    /// assert!(store.contains(&set, &state));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn lottery(&self, set: &Diagram) -> Option<Lottery> {
        let exactness = Exactness { max_bits: DIGITS };
        let mut lottery = Lottery { set: set.clone(), shares: FxHashMap::default() };
        let mut counts: FxHashMap<Node, Count> = FxHashMap::default();
        let root = self.node_of(set);
        let mut open = vec![(root, false)];
        while let Some((node, ready)) = open.pop() {
            if node.is_terminal() || counts.contains_key(&node) {
                continue;
            }
            let kind = self.nodes.kind(node);
            if !ready && kind != Kind::Ranges {
                open.push((node, true));
                for arc in self.nodes.arcs(node) {
                    open.push((arc.child, false));
                    if kind == Kind::Set {
                        open.push((arc.set_label(), false));
                    }
                }
                continue;
            }
            let of = |node: Node| match node {
                ONE => Count::one(),
                _ => counts.get(&node).cloned().unwrap_or_else(Count::zero),
            };
            let parts: Vec<Count> = match kind {
                Kind::Data => self.nodes.arcs(node).iter().map(|arc| of(arc.child)).collect(),
                Kind::Set => {
                    let arcs = self.nodes.arcs(node).iter();
                    arcs.map(|arc| of(arc.set_label()).mul(&of(arc.child), &exactness)).collect()
                }
                Kind::Ranges => {
                    let ranges = ranges_of(&self.nodes, node).iter().map(|range| range.ends());
                    ranges.map(|(low, high)| Count::from((i64::from(high) - i64::from(low) + 1) as u64)).collect()
                }
                Kind::None => Vec::new(),
            };
            let mut total = Count::zero();
            parts.iter().for_each(|part| total.add_assign(part, &exactness));
            lottery.shares.insert(node, shares(&parts, &total));
            counts.insert(node, total);
        }
        let states = self.count_to(set, exactness);
        (!states.is_zero() && !states.is_infinite()).then_some(lottery)
    }
}

/// For each part, which share of the total it is.
fn shares(parts: &[Count], total: &Count) -> Vec<f64> {
    let log = |count: &Count| count.log10().and_then(|log| log.to_f64());
    let whole = log(total).unwrap_or(0.0);
    let shares: Vec<f64> =
        parts.iter().map(|part| log(part).map_or(0.0, |part| 10f64.powf(part - whole).min(1.0))).collect();
    if shares.iter().any(|share| *share > 0.0) {
        return shares;
    }
    // Logarithms so large that their difference is lost: any arc that leads somewhere will do.
    parts.iter().map(|part| if part.is_zero() { 0.0 } else { 1.0 }).collect()
}

/// Draws states of a set at random: see [`Store::lottery`].
pub struct Lottery {
    set: Diagram,
    /// For each node, how likely each of its arcs is.
    shares: FxHashMap<Node, Vec<f64>>,
}

impl Lottery {
    /// A state of the set, in the store that it is from. `chance` gives numbers from 0 to 1 (without 1), each as likely as
    /// any other.
    pub fn draw(&self, store: &Store, mut chance: impl FnMut() -> f64) -> State {
        let mut node = store.node_of(&self.set);
        let mut tokens = Vec::new();
        // Where to go on after the values that are open.
        let mut after = Vec::new();
        loop {
            if node == ONE {
                let Some(child) = after.pop() else { return State { tokens } };
                tokens.push(Token::Close);
                node = child;
                continue;
            }
            let Some(at) = self.choose(node, &mut chance) else { return State { tokens } };
            let arc = store.nodes.arcs(node)[at];
            let variable = store.nodes.variable(node);
            let part = if store.nodes.kind(node) == Kind::Data {
                Part::Integer(arc.value())
            } else if store.nodes.kind(arc.set_label()) == Kind::Ranges {
                let label = arc.set_label();
                let range = self.choose(label, &mut chance).unwrap_or(0);
                let (low, high) = ranges_of(&store.nodes, label)[range].ends();
                let size = (i64::from(high) - i64::from(low) + 1) as f64;
                let value = (i64::from(low) + (chance() * size) as i64).min(i64::from(high)) as i32;
                Part::Range(value, value)
            } else {
                after.push(arc.child);
                Part::Open
            };
            tokens.push(Token::Assign(variable, part));
            node = if part == Part::Open { arc.set_label() } else { arc.child };
        }
    }

    /// One of the arcs of a node.
    fn choose(&self, node: Node, chance: &mut impl FnMut() -> f64) -> Option<usize> {
        let shares = self.shares.get(&node)?;
        let mut left = chance() * shares.iter().sum::<f64>();
        let likely = shares.iter().position(|share| {
            left -= share;
            left < 0.0 && *share > 0.0
        });
        // What rounding leaves is for the last that is possible.
        likely.or_else(|| shares.iter().rposition(|share| *share > 0.0))
    }
}
