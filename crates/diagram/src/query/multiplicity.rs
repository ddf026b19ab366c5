//! Counting where states count more than once: a state counts as often as the product of what its assignments say.

use rustc_hash::FxHashMap;

use super::{Count, Exactness};
use crate::memory::Diagram;
use crate::node::{Kind, Node, ONE};
use crate::store::{Store, Variable};

/// How often states count: the product of what their assignments say. Variables that are not named say 1.
///
/// ```
/// # use mandala_diagram::{Count, Error, Multiplicities, Multiplicity, Store};
/// let mut store = Store::new();
/// let (a, b) = (store.state(&[(0, 5), (1, 3)])?, store.state(&[(0, 6), (1, 0)])?);
/// let set = store.union(&a, &b)?;
/// let often = Multiplicity::Values(vec![(5, Count::from(10)), (6, Count::from(3))]);
/// let counted = store.count_with(&set, &Multiplicities::new([(0, often)]));
/// assert_eq!(counted.to_string(), "13");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Multiplicities(FxHashMap<Variable, Multiplicity>);

/// How often the values of a variable count.
#[derive(Clone, Debug)]
pub enum Multiplicity {
    /// A number for each value, in ascending order of values; 1 for others.
    Values(Vec<(i32, Count)>),
    /// The state that is its value counts so often.
    Inside(Multiplicities),
}

impl Multiplicities {
    /// What these variables say.
    pub fn new(variables: impl IntoIterator<Item = (Variable, Multiplicity)>) -> Multiplicities {
        Multiplicities(variables.into_iter().collect())
    }

    /// Whether every state counts once.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Store {
    /// The number of states of a set, each as often as its assignments say. ⊤ counts as nothing.
    pub fn count_with(&self, set: &Diagram, multiplicities: &Multiplicities) -> Count {
        let root = self.node_of(set);
        let mut counting = Counting {
            store: self,
            levels: vec![multiplicities],
            inside: FxHashMap::default(),
            known: FxHashMap::default(),
        };
        counting.run(root);
        counting.value(root, 0)
    }
}

/// The level at which every state counts once.
const ONCE: u32 = u32::MAX;

/// A walk over nodes, each with the multiplicities that are meant there.
struct Counting<'a> {
    store: &'a Store,
    levels: Vec<&'a Multiplicities>,
    inside: FxHashMap<(u32, Variable), u32>,
    known: FxHashMap<(Node, u32), Count>,
}

impl<'a> Counting<'a> {
    fn run(&mut self, root: Node) {
        let mut open = vec![(root, 0u32)];
        while let Some(&(node, level)) = open.last() {
            if node.is_terminal() || self.known.contains_key(&(node, level)) {
                open.pop();
                continue;
            }
            let kind = self.store.nodes.kind(node);
            let inside = if kind == Kind::Set { self.inside(node, level) } else { ONCE };
            let before = open.len();
            if matches!(kind, Kind::Data | Kind::Set) {
                for arc in self.store.nodes.arcs(node) {
                    let mut need = |node: Node, level: u32| {
                        if !node.is_terminal() && !self.known.contains_key(&(node, level)) {
                            open.push((node, level));
                        }
                    };
                    need(arc.child, level);
                    if kind == Kind::Set {
                        need(arc.set_label(), inside);
                    }
                }
            }
            if open.len() == before {
                open.pop();
                let count = self.combine(node, level, inside);
                self.known.insert((node, level), count);
            }
        }
    }

    /// The level of the labels of a node.
    fn inside(&mut self, node: Node, level: u32) -> u32 {
        let Some(here) = self.levels.get(level as usize) else { return ONCE };
        let variable = self.store.nodes.variable(node);
        let Some(Multiplicity::Inside(inside)) = here.0.get(&variable) else { return ONCE };
        let levels = &mut self.levels;
        *self.inside.entry((level, variable)).or_insert_with(|| {
            levels.push(inside);
            levels.len() as u32 - 1
        })
    }

    fn value(&self, node: Node, level: u32) -> Count {
        match node {
            ONE => Count::one(),
            _ if node.is_terminal() => Count::zero(),
            _ => self.known.get(&(node, level)).cloned().unwrap_or_else(Count::zero),
        }
    }

    fn combine(&self, node: Node, level: u32, inside: u32) -> Count {
        let exactness = Exactness::default();
        let nodes = &self.store.nodes;
        let kind = nodes.kind(node);
        if kind == Kind::Ranges || kind == Kind::None {
            return self.store.count_of_ranges(node);
        }
        let values = match self.levels.get(level as usize).and_then(|here| here.0.get(&nodes.variable(node))) {
            Some(Multiplicity::Values(values)) => Some(values),
            _ => None,
        };
        let mut total = Count::zero();
        let mut at = 0;
        for arc in nodes.arcs(node) {
            let below = self.value(arc.child, level);
            if kind == Kind::Set {
                total.add_assign(&self.value(arc.set_label(), inside).mul(&below, &exactness), &exactness);
                continue;
            }
            // Arcs of a data node ascend, and so do the values.
            let often = values.and_then(|values| {
                while values.get(at).is_some_and(|one| one.0 < arc.value()) {
                    at += 1;
                }
                values.get(at).filter(|one| one.0 == arc.value())
            });
            match often {
                Some((_, often)) => total.add_assign(&often.mul(&below, &exactness), &exactness),
                None => total.add_assign(&below, &exactness),
            }
        }
        total
    }
}
