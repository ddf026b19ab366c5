//! What a homomorphism does to each variable, seen by itself.
//!
//! A transition of a concurrent system is a chain: it asks something of a few variables and changes some of them. Looked at
//! one variable at a time, it is a set of *moves* from a value to a value. What goes round in a system goes round in each of
//! its variables that moves, so moves tell cheaply what cannot.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::hom::{Link, Map, NULL, Term, TermData};
use crate::memory::{Diagram, Hom};
use crate::node::{Kind, Node};
use crate::store::{Store, Variable};

/// Where a variable is: the variables whose values it lies in, from the outside, and itself.
pub type Path = Vec<Variable>;

/// The integers that variables have in a set, by where they are: all of them that occur, sorted.
pub type Occurring = FxHashMap<Path, Vec<i32>>;

/// How deep labels may be nested in each other.
const DEEPEST: usize = 32;

/// # Moves
impl Store {
    /// The homomorphism as a sum of chains without sums inside, so that each does one thing to each variable; nothing if it
    /// is none, or if there would be more than `most`.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, ValueMap};
    /// let mut store = Store::new();
    /// let (up, down) = (store.value(0, ValueMap::add(1)), store.value(0, ValueMap::add(-1)));
    /// let either = store.sum([&up, &down]);
    /// assert_eq!(store.chains(&either, 10).map(|chains| chains.len()), Some(2));
    /// assert_eq!(store.chains(&either, 1), None);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn chains(&mut self, hom: &Hom, most: usize) -> Option<Vec<Hom>> {
        let term = self.term_of(hom);
        let chains = self.chains_of(term, most, DEEPEST)?;
        Some(chains.into_iter().map(|chain| self.hom(chain)).collect())
    }

    fn chains_of(&mut self, term: Term, most: usize, depth: usize) -> Option<Vec<Term>> {
        let depth = depth.checked_sub(1)?;
        if term == NULL {
            return Some(Vec::new());
        }
        if let TermData::Sum(members) = self.terms.get(term) {
            let members = members.to_vec();
            let mut all = Vec::new();
            for member in members {
                all.extend(self.chains_of(member, most, depth)?);
                if all.len() > most {
                    return None;
                }
            }
            return Some(all);
        }
        let mut chains: Vec<Vec<(Variable, Link)>> = vec![Vec::new()];
        for (variable, link) in self.links(term)? {
            let choices = match link {
                Link::Value(map) => vec![Link::Value(map)],
                Link::Local(inside) => self.chains_of(inside, most, depth)?.into_iter().map(Link::Local).collect(),
            };
            if chains.len().saturating_mul(choices.len()) > most {
                return None;
            }
            let longer = chains.iter().flat_map(|chain| {
                choices.iter().map(move |choice| {
                    let mut chain = chain.clone();
                    chain.push((variable, choice.clone()));
                    chain
                })
            });
            chains = longer.collect();
        }
        Some(chains.into_iter().map(|chain| self.chain(chain)).collect())
    }

    /// What a chain does to each variable that it touches, from a value that occurs to one that occurs; nothing if it is no
    /// chain without sums inside, touches what is no integer, or if there would be more than `most` moves.
    ///
    /// ```
    /// # use mandala_diagram::{Error, Store, ValueMap};
    /// let mut store = Store::new();
    /// let states: Vec<_> = [1, 2, 5].iter().map(|&v| store.state(&[(0, v)])).collect::<Result<_, _>>()?;
    /// let set = store.union_of(&states)?;
    /// let up = store.value(0, ValueMap::add(1));
    /// let occurring = store.occurring(&set, 100).unwrap();
    /// assert_eq!(store.moves(&up, &occurring, 10), Some(vec![(vec![0], vec![(1, 2)])]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn moves(&self, chain: &Hom, occurring: &Occurring, most: usize) -> Option<Vec<(Path, Vec<(i32, i32)>)>> {
        let mut moves = Vec::new();
        let mut open = vec![(Path::new(), self.term_of(chain))];
        let mut left = most;
        while let Some((path, term)) = open.pop() {
            for (variable, link) in self.links(term)? {
                let mut here = path.clone();
                here.push(variable);
                match link {
                    Link::Local(inside) => open.push((here, inside)),
                    Link::Value(map) => {
                        let values = occurring.get(&here)?;
                        let pairs = pairs_of(&map, values, left)?;
                        left -= pairs.len();
                        moves.push((here, pairs));
                    }
                }
            }
        }
        Some(moves)
    }

    /// The integers that variables have anywhere in a set, also inside the values of others: of those that are integers
    /// everywhere. Nothing if more than `most` nodes would have to be looked at, those again that occur in several places.
    pub fn occurring(&self, set: &Diagram, most: usize) -> Option<Occurring> {
        let mut all = Occurring::default();
        let mut left = most;
        let mut open = vec![(Path::new(), vec![self.node_of(set)])];
        while let Some((path, roots)) = open.pop() {
            for (variable, found) in self.occurring_from(roots, &mut left)? {
                let mut here = path.clone();
                here.push(variable);
                if found.labels.is_empty() {
                    let mut values: Vec<i32> = found.values.into_iter().collect();
                    values.sort_unstable();
                    all.insert(here, values);
                } else if found.values.is_empty() {
                    open.push((here, found.labels.into_iter().collect()));
                }
            }
        }
        Some(all)
    }

    /// What the variables of some sets are, at their outermost level.
    fn occurring_from(&self, roots: Vec<Node>, left: &mut usize) -> Option<FxHashMap<Variable, Found>> {
        let mut found: FxHashMap<Variable, Found> = FxHashMap::default();
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        let mut open = roots;
        while let Some(node) = open.pop() {
            let kind = self.nodes.kind(node);
            if !matches!(kind, Kind::Data | Kind::Set) || !seen.insert(node) {
                continue;
            }
            *left = left.checked_sub(1)?;
            let found = found.entry(self.nodes.variable(node)).or_default();
            for arc in self.nodes.arcs(node) {
                open.push(arc.child);
                if kind == Kind::Set {
                    found.labels.insert(arc.set_label());
                } else {
                    found.values.insert(arc.value());
                }
            }
        }
        Some(found)
    }
}

/// What a variable is.
#[derive(Default)]
struct Found {
    values: FxHashSet<i32>,
    labels: FxHashSet<Node>,
}

/// From which value to which a map leads, among some that are sorted; nothing if that is more than `most`.
fn pairs_of(map: &Map, values: &[i32], most: usize) -> Option<Vec<(i32, i32)>> {
    let occurs = |value: &i32| values.binary_search(value).is_ok();
    let pairs: Vec<(i32, i32)> = match map {
        Map::Relation(pairs) => {
            pairs.iter().copied().filter(|(from, to)| occurs(from) && occurs(to)).take(most + 1).collect()
        }
        Map::Add { low, high, .. } | Map::Assign { low, high, .. } => {
            let first = values.partition_point(|value| value < low);
            let from = values[first..].iter().take_while(|value| *value <= high);
            let image = |from: i32| match map {
                Map::Add { delta, .. } => from.checked_add(*delta),
                Map::Assign { value, .. } => Some(*value),
                Map::Relation(_) => None,
            };
            from.filter_map(|&from| Some((from, image(from).filter(occurs)?))).take(most + 1).collect()
        }
    };
    (pairs.len() <= most).then_some(pairs)
}
